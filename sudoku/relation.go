package sudoku

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// A Relation is a rule about the digits of a few cells in an order: a thermometer, an
// arrow, a difference of two cells. The table [RelationKinds] has the kinds. Cells of a
// relation can have the same digit unless another rule forbids it.
type Relation struct {
	Kind  string
	Value int   // 0 for a kind without a value
	Cells []int // in the order of the kind
}

// A RelationKind is a row of the table [RelationKinds]. Neighbors of a minimum or maximum that are
// cells of the same relation do not count. A relation different with as many cells as there are digits
// is a house.
type RelationKind struct {
	Name, Help string

	// Usual returns the value in grids of a size if none is stated, -1 if one must be. It is nil for a
	// kind without a value.
	Usual func(size int) int

	least int // smallest number of cells
	size  int // largest size of a grid, 0 for any

	// parts splits a relation into parts that hold one by one.
	parts func(r *Relation, in *Rules) []part
}

// A part is an automaton that reads the digits of some cells in their order, from the
// state 0. One mechanism follows from it for propagation, encodings, hints and checks:
// see [diagram].
type part struct {
	cells []int
	step  func(i, state, digit int) int // the state after the digit of cell i, or reject
	ends  func(state int) bool          // accepts the state after all cells; nil accepts all
}

// reject is the state of a part that a digit has broken.
const reject = -1

// RelationKinds lists the kinds of relations by name, as in the text of a variant.
var RelationKinds []RelationKind

// neighborKinds has the parts of relations that rules of the whole grid make.
var neighborKinds = map[string]func(*Relation, *Rules) []part{
	"non-consecutive": chain(func(_, a, b int) bool { return abs(a-b) != 1 }),
	"all-ratios":      chain(func(_, a, b int) bool { return a != 2*b && b != 2*a }),
	"all-sums":        chain(func(_, a, b int) bool { return a+b != 5 && a+b != 10 }),
}

func init() {
	always := func(value int) func(int) int { return func(int) int { return value } }
	stated := always(-1)
	RelationKinds = []RelationKind{
		{"thermo", "digits increase from the first cell", nil, 2, 0, chain(func(_, a, b int) bool { return a < b })},
		{"slow-thermo", "digits do not decrease from the first cell", nil, 2, 0, chain(func(_, a, b int) bool { return a <= b })},
		{"whispers", "adjacent digits differ by the value or more", func(n int) int { return (n + 1) / 2 }, 2, 0, chain(func(value, a, b int) bool { return abs(a-b) >= value })},
		{"difference", "adjacent digits differ by the value", always(1), 2, 0, chain(func(value, a, b int) bool { return abs(a-b) == value })},
		{"ratio", "of adjacent digits one is the value times the other", always(2), 2, 0, chain(func(value, a, b int) bool { return a == value*b || b == value*a })},
		{"sum", "the digits add up to the value", stated, 1, 0, sum},
		{"arrow", "the first digit, or the number of the first digits (how many: the value), is the sum of the others", always(1), 2, 0, arrow},
		{"palindrome", "the digits are the same in both directions", nil, 2, 0, palindrome},
		{"between", "digits are between those of the first and the last cell", nil, 3, 0, ends(func(low, digit, high int) bool { return low < digit && digit < high })},
		{"lockout", "the first and the last digit differ by the value or more, and no other is from one to the other", func(n int) int { return n / 2 }, 2, 0,
			ends(func(low, digit, high int) bool { return digit < low || high < digit })},
		{"entropic", "of three adjacent digits one is low, one middle and one high", nil, 2, 0, classes(third)},
		{"modular", "three adjacent digits leave different remainders when divided by 3", nil, 2, 0, classes(func(_, digit int) int { return digit % 3 })},
		{"zipper", "two digits as far from the middle add up to the middle one, or all to the same sum", nil, 3, 0, zipper},
		{"renban", "the digits are consecutive, in any order", nil, 2, 31, renban},
		{"region-sum", "the digits have the same sum in each box or region", nil, 2, 0, regionSum},
		{"sandwich", "the digits between the lowest and the highest one add up to the value", stated, 2, 0, sandwich},
		{"x-sum", "as many digits as the first one says add up to the value", stated, 1, 0, xSum},
		{"skyscraper", "the value is the number of digits that exceed all before them", stated, 1, 0, skyscraper},
		{"contains", "each digit of the value is in one of the cells", stated, 1, 0, contains},
		{"even", "the digits are even", nil, 1, 0, each(func(digit int) bool { return digit%2 == 0 })},
		{"odd", "the digits are odd", nil, 1, 0, each(func(digit int) bool { return digit%2 == 1 })},
		{"minimum", "each cell is below its neighbors in the row and the column", nil, 1, 0, extreme(func(_, a, b int) bool { return a < b })},
		{"maximum", "each cell is above its neighbors in the row and the column", nil, 1, 0, extreme(func(_, a, b int) bool { return a > b })},
		{"different", "the digits differ", nil, 2, 0, func(*Relation, *Rules) []part { return nil }},
	}
}

func abs(x int) int { return max(x, -x) }

// chain returns the parts of a relation between adjacent cells.
func chain(allowed func(value, a, b int) bool) func(*Relation, *Rules) []part {
	return func(r *Relation, _ *Rules) []part {
		return []part{{cells: r.Cells, step: func(i, last, digit int) int {
			if i > 0 && !allowed(r.Value, last, digit) {
				return reject
			}
			return digit
		}}}
	}
}

// each returns the parts of a relation about single cells.
func each(allowed func(digit int) bool) func(*Relation, *Rules) []part {
	return func(r *Relation, _ *Rules) (parts []part) {
		for _, cell := range r.Cells {
			parts = append(parts, part{cells: []int{cell}, step: func(_, _, digit int) int {
				if !allowed(digit) {
					return reject
				}
				return 0
			}})
		}
		return parts
	}
}

// extreme returns the parts of a relation between each cell and its neighbors.
func extreme(allowed func(value, a, b int) bool) func(*Relation, *Rules) []part {
	return func(r *Relation, in *Rules) (parts []part) {
		for _, p := range in.plan.neighbors() {
			if slices.Contains(r.Cells, p[1]) {
				p[0], p[1] = p[1], p[0]
			}
			if slices.Contains(r.Cells, p[0]) && !slices.Contains(r.Cells, p[1]) {
				parts = append(parts, chain(allowed)(&Relation{Cells: p[:]}, in)...)
			}
		}
		return parts
	}
}

// neighbors returns the pairs of cells that share a side.
func (p *Plan) neighbors() (pairs [][2]int) {
	for cell := range p.Cells() {
		at := p.Place(cell)
		for _, other := range [2]int{p.Cell(at.Row, at.Col+1), p.Cell(at.Row+1, at.Col)} {
			if other >= 0 {
				pairs = append(pairs, [2]int{cell, other})
			}
		}
	}
	return pairs
}

// neighborRelations returns the relations between cells that share a side by rules of the whole grid.
func (r *Rules) neighborRelations() (list []Relation) {
	v := &r.variant
	given := make(map[[2]int][]string) // by pair: the kinds of its relations
	for _, rel := range v.Relations {
		if rel.Kind == "sum" && len(rel.Cells) > 2 {
			continue // not of a pair
		}
		for i := range rel.Cells[1:] {
			a, b := rel.Cells[i], rel.Cells[i+1]
			pair := [2]int{min(a, b), max(a, b)}
			given[pair] = append(given[pair], rel.Kind)
		}
	}
	for _, p := range r.plan.neighbors() {
		dots := slices.Contains(given[p], "difference") || slices.Contains(given[p], "ratio")
		for _, rule := range []struct {
			on, given bool
			kind      string
		}{{v.NonConsecutive, dots, "non-consecutive"}, {v.AllRatios, dots, "all-ratios"}, {v.AllSums, slices.Contains(given[p], "sum"), "all-sums"}} {
			if rule.on && !rule.given {
				list = append(list, Relation{Kind: rule.kind, Cells: p[:]})
			}
		}
	}
	return list
}

func palindrome(r *Relation, in *Rules) (parts []part) {
	equal := chain(func(_, a, b int) bool { return a == b })
	for i, k := 0, len(r.Cells)-1; i < k; i, k = i+1, k-1 {
		parts = append(parts, equal(&Relation{Cells: []int{r.Cells[i], r.Cells[k]}}, in)...)
	}
	return parts
}

// sum has the sum of the digits so far as its state.
func sum(r *Relation, _ *Rules) []part {
	return []part{{
		cells: r.Cells,
		step: func(_, sum, digit int) int {
			if sum += digit; sum > r.Value {
				return reject
			}
			return sum
		},
		ends: func(sum int) bool { return sum == r.Value },
	}}
}

// maxArrow is the largest number of cells of the number of an arrow.
const maxArrow = 3

// arrow reads a number in decimal, and subtracts the other digits from it.
func arrow(r *Relation, _ *Rules) []part {
	return []part{{
		cells: r.Cells,
		step: func(i, left, digit int) int {
			switch {
			case i >= r.Value:
				return max(left-digit, reject)
			case i == maxArrow:
				return reject
			}
			base := 10
			for base <= digit {
				base *= 10
			}
			return base*left + digit
		},
		ends: func(left int) bool { return left == 0 },
	}}
}

// ends returns the parts of a relation between the digits of both ends, which are read first, and the
// others. The ends differ by the value or more.
func ends(allowed func(low, digit, high int) bool) func(*Relation, *Rules) []part {
	return func(r *Relation, in *Rules) []part {
		last, n := len(r.Cells)-1, in.Size()
		cells := slices.Concat([]int{r.Cells[0], r.Cells[last]}, r.Cells[1:last])
		return []part{{cells: cells, step: func(i, ends, digit int) int {
			digit--
			switch low, high := ends/n, ends%n; {
			case i == 0:
				return digit
			case i == 1 && abs(ends-digit) < r.Value, i > 1 && !allowed(low, digit, high):
				return reject
			case i == 1:
				return min(ends, digit)*n + max(ends, digit)
			}
			return ends
		}}}
	}
}

// classes returns the parts of a relation by which three adjacent digits are of different classes,
// from 0 to 2. The state has the classes of the last two digits, plus 1.
func classes(of func(n, digit int) int) func(*Relation, *Rules) []part {
	return func(r *Relation, in *Rules) []part {
		return []part{{cells: r.Cells, step: func(_, state, digit int) int {
			before, last, class := state/4, state%4, of(in.Size(), digit)+1
			if class == before || class == last {
				return reject
			}
			return 4*last + class
		}}}
	}
}

// third returns 0 for low digits, 2 for high ones, of which there are as many, and 1 for those between.
func third(n, digit int) int {
	switch low := (n + 1) / 3; {
	case digit <= low:
		return 0
	case digit > n-low:
		return 2
	}
	return 1
}

// zipper reads the middle digit, if there is one, and then the pairs from the inside. It has as its state the
// sum of a pair, once it is known, and the first digit of a pair.
func zipper(r *Relation, in *Rules) []part {
	n, middle := in.Size()+1, len(r.Cells)%2
	var cells []int
	for i := len(r.Cells) / 2; i < len(r.Cells); i++ {
		if other := len(r.Cells) - 1 - i; other < i {
			cells = append(cells, r.Cells[other])
		}
		cells = append(cells, r.Cells[i])
	}
	return []part{{cells: cells, step: func(i, state, digit int) int {
		switch sum, first := state/n, state%n; {
		case i < middle:
			return digit * n
		case (i-middle)%2 == 0:
			return sum*n + digit
		case sum == 0 || sum == first+digit:
			return (first + digit) * n
		}
		return reject
	}}}
}

// renban has the set of digits so far as its state.
func renban(r *Relation, _ *Rules) []part {
	return []part{{cells: r.Cells, step: func(_, set, digit int) int {
		more := uint32(set | 1<<(digit-1))
		if int(more) == set || bits.Len32(more)-bits.TrailingZeros32(more) > len(r.Cells) {
			return reject
		}
		return int(more)
	}}}
}

// regionSum has as its state the sum of the digits in the current box or region, and
// above it, once the first one is left, the sum to be reached.
func regionSum(r *Relation, in *Rules) []part {
	const goal = 1 << 15 // above each sum of 255 digits up to 255 that fits a diagram
	return []part{{
		cells: r.Cells,
		step: func(i, state, digit int) int {
			want, have := state/goal, state%goal
			switch {
			case i == 0 || in.region(r.Cells[i-1]) == in.region(r.Cells[i]):
				have += digit
			case want == 0 || want == have:
				want, have = have, digit
			default:
				return reject
			}
			if want > 0 && have > want || have >= goal {
				return reject
			}
			return want*goal + have
		},
		ends: func(state int) bool { return state/goal == 0 || state/goal == state%goal },
	}}
}

// region returns the number among the houses of the box or region of a cell, or -1.
func (r *Rules) region(cell int) int {
	for _, h := range r.housesOf[cell] {
		if kind := r.houses[h].Kind; kind == "box" || kind == "region" {
			return h
		}
	}
	return -1
}

// sandwich has the states 0 before the lowest and the highest digit, 1 and the sum between
// them, and behind after both.
func sandwich(r *Relation, in *Rules) []part {
	behind := r.Value + 2
	return []part{{
		cells: r.Cells,
		step: func(_, state, digit int) int {
			crust := digit == 1 || digit == in.Size()
			switch {
			case crust && state == 0:
				return 1
			case crust && state == 1+r.Value:
				return behind
			case crust, state > 0 && state < behind && state+digit > 1+r.Value:
				return reject
			case state == 0 || state == behind:
				return state
			}
			return state + digit
		},
		ends: func(state int) bool { return state == behind },
	}}
}

// xSum has as its state the number of cells still to be added, and the sum left.
func xSum(r *Relation, _ *Rules) []part {
	return []part{{
		cells: r.Cells,
		step: func(i, state, digit int) int {
			cells, left := state/(r.Value+1), state%(r.Value+1)
			switch {
			case i == 0:
				cells, left = digit, r.Value
			case cells == 0:
				return 0
			}
			if cells, left = cells-1, left-digit; left < 0 || cells == 0 && left > 0 {
				return reject
			}
			return cells*(r.Value+1) + left
		},
		ends: func(state int) bool { return state == 0 },
	}}
}

// skyscraper has as its state the greatest digit so far, and the number of digits that
// exceeded all before them.
func skyscraper(r *Relation, in *Rules) []part {
	n := in.Size() + 1
	return []part{{
		cells: r.Cells,
		step: func(_, state, digit int) int {
			if seen, top := state/n, state%n; digit > top {
				if seen == r.Value {
					return reject
				}
				return (seen+1)*n + digit
			}
			return state
		},
		ends: func(state int) bool { return state/n == r.Value },
	}}
}

// contains has the set of digits of the value found so far as its state.
func contains(r *Relation, _ *Rules) []part {
	digits := strconv.Itoa(r.Value)
	return []part{{
		cells: r.Cells,
		step: func(_, found, digit int) int {
			for i := range digits {
				if int(digits[i]-'0') == digit && found>>i&1 == 0 {
					return found | 1<<i
				}
			}
			return found
		},
		ends: func(found int) bool { return found == 1<<len(digits)-1 },
	}}
}

// kindOf returns the row of [RelationKinds] with a name, or nil.
func kindOf(name string) *RelationKind {
	if i := slices.IndexFunc(RelationKinds, func(k RelationKind) bool { return k.Name == name }); i >= 0 {
		return &RelationKinds[i]
	}
	return nil
}

// maxValue is the largest value of a relation.
const maxValue = 1 << 20

// check returns an error if the relation is invalid among the given places.
func (r *Relation) check(p *Plan) error {
	switch k := kindOf(r.Kind); {
	case k == nil:
		return fmt.Errorf("unknown relation %q", r.Kind)
	case slices.ContainsFunc(r.Cells, func(cell int) bool { return cell < 0 || cell >= p.Cells() }):
		return fmt.Errorf("%s with a cell outside the grid", r.Kind)
	case len(r.Cells) < k.least:
		return fmt.Errorf("%s with %d cells: want at least %d", r.Kind, len(r.Cells), k.least)
	case r.Value < 0 || r.Value > maxValue || k.Usual == nil && r.Value != 0:
		return fmt.Errorf("%s with the value %d", r.Kind, r.Value)
	case k.size > 0 && p.size > k.size:
		return fmt.Errorf("%s in a grid of size %d: want at most %d", r.Kind, p.size, k.size)
	}
	for i, cell := range r.Cells {
		if slices.Contains(r.Cells[:i], cell) {
			return fmt.Errorf("%s with %s twice", r.Kind, p.Name(cell))
		}
	}
	return nil
}

// Help returns what the relation says, in words.
func (r *Relation) Help() string {
	return strings.ReplaceAll(helpOf(r.Kind), "the value", strconv.Itoa(r.Value))
}

// Text returns the relation as in the text of a variant whose cells have the given places.
func (r *Relation) Text(p *Plan) string { return r.Kind + " " + r.text(p) }

// text returns the relation without its kind.
func (r *Relation) text(p *Plan) string {
	var names []string
	for _, cell := range r.Cells {
		names = append(names, p.Name(cell))
	}
	cells := strings.Join(names, "+")
	if k := kindOf(r.Kind); k != nil && k.Usual != nil && k.Usual(p.size) != r.Value {
		return fmt.Sprintf("%d:%s", r.Value, cells)
	}
	return cells
}
