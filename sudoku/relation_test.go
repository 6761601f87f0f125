package sudoku

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/dpll/classic"
)

// meanings has the kinds of relations as predicates on all digits of the cells at once, which share
// nothing with the automata. The boxes are those of the cells, n is the size.
var meanings = map[string]func(d, boxes []int, value, n int) bool{
	"thermo":      func(d, _ []int, _, _ int) bool { return adjacent(d, func(a, b int) bool { return a < b }) },
	"slow-thermo": func(d, _ []int, _, _ int) bool { return slices.IsSorted(d) },
	"whispers": func(d, _ []int, value, _ int) bool {
		return adjacent(d, func(a, b int) bool { return a-b >= value || b-a >= value })
	},
	"difference": func(d, _ []int, value, _ int) bool {
		return adjacent(d, func(a, b int) bool { return a-b == value || b-a == value })
	},
	"ratio": func(d, _ []int, value, _ int) bool {
		return adjacent(d, func(a, b int) bool { return a == b*value || b == a*value })
	},
	"sum": func(d, _ []int, value, _ int) bool { return total(d) == value },
	"arrow": func(d, _ []int, value, _ int) bool {
		text := ""
		for _, digit := range d[:min(value, len(d))] {
			text += strconv.Itoa(digit)
		}
		number, _ := strconv.Atoi(text)
		return number == total(d[min(value, len(d)):])
	},
	"palindrome": func(d, _ []int, _, _ int) bool {
		back := slices.Clone(d)
		slices.Reverse(back)
		return slices.Equal(d, back)
	},
	"between": func(d, _ []int, _, _ int) bool {
		low, high := min(d[0], d[len(d)-1]), max(d[0], d[len(d)-1])
		return !slices.ContainsFunc(d[1:len(d)-1], func(x int) bool { return x <= low || x >= high })
	},
	"lockout": func(d, _ []int, value, _ int) bool {
		low, high := min(d[0], d[len(d)-1]), max(d[0], d[len(d)-1])
		return high-low >= value && !slices.ContainsFunc(d[1:len(d)-1], func(x int) bool { return low <= x && x <= high })
	},
	"entropic": func(d, _ []int, _, n int) bool {
		return threesDiffer(d, func(x int) int { return map[int][]int{4: {0, 1, 1, 2}, 6: {0, 0, 1, 1, 2, 2}}[n][x-1] })
	},
	"modular": func(d, _ []int, _, _ int) bool { return threesDiffer(d, func(x int) int { return x % 3 }) },
	"zipper": func(d, _ []int, _, _ int) bool {
		var sums []int
		for i := range len(d) / 2 {
			sums = append(sums, d[i]+d[len(d)-1-i])
		}
		if len(d)%2 == 1 {
			sums = append(sums, d[len(d)/2])
		}
		return len(slices.Compact(sums)) == 1
	},
	"renban": func(d, _ []int, _, _ int) bool {
		sorted := slices.Sorted(slices.Values(d))
		return adjacent(sorted, func(a, b int) bool { return b == a+1 })
	},
	"region-sum": func(d, boxes []int, _, _ int) bool {
		sums := []int{0}
		for i, digit := range d {
			if i > 0 && boxes[i] != boxes[i-1] {
				sums = append(sums, 0)
			}
			sums[len(sums)-1] += digit
		}
		return len(slices.Compact(sums)) == 1
	},
	"sandwich": func(d, _ []int, value, n int) bool {
		var crusts []int
		for i, digit := range d {
			if digit == 1 || digit == n {
				crusts = append(crusts, i)
			}
		}
		return len(crusts) == 2 && total(d[crusts[0]+1:crusts[1]]) == value
	},
	"x-sum": func(d, _ []int, value, _ int) bool { return d[0] <= len(d) && total(d[:min(d[0], len(d))]) == value },
	"skyscraper": func(d, _ []int, value, _ int) bool {
		seen := 0
		for i, digit := range d {
			if i == 0 || digit > slices.Max(d[:i]) {
				seen++
			}
		}
		return seen == value
	},
	"contains": func(d, _ []int, value, _ int) bool {
		left := slices.Clone(d)
		for _, r := range strconv.Itoa(value) {
			i := slices.Index(left, int(r-'0'))
			if i < 0 {
				return false
			}
			left = slices.Delete(left, i, i+1)
		}
		return true
	},
	"even": func(d, _ []int, _, _ int) bool {
		return !slices.ContainsFunc(d, func(x int) bool { return x%2 == 1 })
	},
	"odd": func(d, _ []int, _, _ int) bool {
		return !slices.ContainsFunc(d, func(x int) bool { return x%2 == 0 })
	},
}

func adjacent(d []int, ok func(a, b int) bool) bool {
	for i := range d[1:] {
		if !ok(d[i], d[i+1]) {
			return false
		}
	}
	return true
}

// threesDiffer reports whether any two digits at most two places apart differ by a property.
func threesDiffer(d []int, of func(int) int) bool {
	for i := range d {
		for k := max(i-2, 0); k < i; k++ {
			if of(d[i]) == of(d[k]) {
				return false
			}
		}
	}
	return true
}

func total(d []int) (sum int) {
	for _, digit := range d {
		sum += digit
	}
	return sum
}

// TestRelationKinds enumerates all digits of random cells of a grid without boxes' rules, and
// compares the check, the propagation from random candidates and the models of the clauses with
// the meaning of each kind.
func TestRelationKinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	tested := 0
	for _, kind := range RelationKinds {
		meaning := meanings[kind.Name]
		if meaning == nil {
			continue // minimum, maximum and different: see TestWholeGrid
		}
		for range 60 {
			n := 4 + 2*rng.IntN(2)
			v := Standard(n)
			r := Relation{Kind: kind.Name, Cells: rng.Perm(n * n)[:kind.least+rng.IntN(5-kind.least)]}
			if kind.Usual != nil {
				r.Value = 1 + rng.IntN(9)
			}
			boxes := make([]int, len(r.Cells))
			for i, cell := range r.Cells {
				boxes[i] = cell/n/v.BoxRows*n + cell%n/v.BoxCols
			}
			tested += testRelation(t, v, r, func(d []int) bool { return meaning(d, boxes, r.Value, n) }, rng)
		}
	}
	if tested < 500 {
		t.Errorf("only %d relations can hold", tested)
	}
}

// testRelation tests one relation, and returns 1 unless it cannot hold.
func testRelation(t *testing.T, v Variant, r Relation, meaning func([]int) bool, rng *rand.Rand) int {
	t.Helper()
	n, k := v.Size, len(r.Cells)
	v.Relations = []Relation{r}
	name := fmt.Sprint(r.Kind, " ", r.text(v.Plan()))
	rules, err := New(v)
	every := [][]int{}
	for i := range pow(n, k) {
		d := make([]int, k)
		for at := range d {
			d[at], i = 1+i%n, i/n
		}
		if meaning(d) {
			every = append(every, d)
		}
	}
	if err != nil {
		if len(every) > 0 {
			t.Errorf("%s: %v, but %v satisfies it", name, err, every[0])
		}
		return 0
	}
	if len(every) == 0 {
		t.Errorf("%s has rules, but nothing satisfies it", name)
		return 0
	}

	// A check of single assignments.
	cells := make([]int, n*n)
	for i := range pow(n, k) {
		d := make([]int, k)
		for at, cell := range r.Cells {
			d[at], i = 1+i%n, i/n
			cells[cell] = d[at]
		}
		holds := true
		for _, diagram := range rules.diagrams {
			holds = holds && diagram.holds(cells)
		}
		if holds != meaning(d) {
			t.Fatalf("%s with %v: %v", name, d, holds)
		}
	}

	// Propagation: on the candidates of the cells alone, without the exclusion of peers.
	c := NewCandidates(rules)
	possible := make(map[[2]int]bool)
	for at, cell := range r.Cells {
		for digit := 1; digit <= n; digit++ {
			if c.Has(cell*n+digit-1) && rng.IntN(3) > 0 {
				possible[[2]int{at, digit}] = true
			} else {
				c.Eliminate(cell*n + digit - 1)
			}
		}
	}
	want := make(map[[2]int]bool)
	for _, d := range every {
		ok := true
		for at, digit := range d {
			ok = ok && possible[[2]int{at, digit}]
		}
		for at, digit := range d {
			if ok {
				want[[2]int{at, digit}] = true
			}
		}
	}
	if len(rules.diagrams) > 0 && len(want) > 0 && !c.broken {
		for range rules.diagrams {
			for i := range rules.diagrams {
				if !c.Relation(i) {
					break
				}
			}
		}
		for at, cell := range r.Cells {
			for digit := 1; digit <= n && !c.broken; digit++ {
				if c.Has(cell*n+digit-1) != want[[2]int{at, digit}] {
					t.Fatalf("%s leaves %v of %d in cell %d, want %v", name, c.Has(cell*n+digit-1), digit, at, want)
				}
			}
		}
		if c.broken {
			t.Fatalf("%s: a contradiction, but %v", name, want)
		}
	}

	// Clauses: the relation alone, with cells of one digit each.
	b := &builder{Map: &Map{Rules: rules}, f: dimacs.NewFormula(n * n * n)}
	b.lit = make([]dimacs.Lit, n*n*n)
	for i := range b.lit {
		b.lit[i] = dimacs.Var(i).Lit()
	}
	for cell := range n * n {
		var digits []dimacs.Lit
		for digit := 1; digit <= n; digit++ {
			digits = append(digits, b.digit(cell, digit))
			if !slices.Contains(r.Cells, cell) {
				b.clause(b.digit(cell, digit).Not())
				continue
			}
			for other := 1; other < digit; other++ {
				b.clause(b.digit(cell, digit).Not(), b.digit(cell, other).Not())
			}
		}
		if slices.Contains(r.Cells, cell) {
			b.clause(digits...)
		}
	}
	for _, d := range rules.diagrams {
		b.writeRelation(d)
	}
	if models := countModels(b.f); models != len(every) {
		t.Fatalf("%s has %d models, want %d", name, models, len(every))
	}
	return 1
}

func pow(n, k int) int {
	p := 1
	for range k {
		p *= n
	}
	return p
}

// countModels counts all models, with those of new variables.
func countModels(f *dimacs.Formula) int {
	s := classic.New(classic.DefaultOptions())
	s.AddFormula(f)
	n := 0
	for range s.Models(context.Background(), nil) {
		n++
	}
	return n
}

// TestWholeGrid compares the rules of the whole grid, and the relations with neighbors, with all 288
// grids of size 4: by checks of full grids, and by the models of all encodings.
func TestWholeGrid(t *testing.T) {
	grids := allGrids(t)
	at := func(g []int, row, column int) int {
		if row < 0 || row > 3 || column < 0 || column > 3 {
			return 0
		}
		return g[4*row+column]
	}
	// sides reports whether each cell and its neighbors, right and below, are as a predicate says.
	sides := func(ok func(a, b int) bool) func(g []int) bool {
		return func(g []int) bool {
			for i := range 16 {
				right, below := at(g, i/4, i%4+1), at(g, i/4+1, i%4)
				if right > 0 && !ok(g[i], right) || below > 0 && !ok(g[i], below) {
					return false
				}
			}
			return true
		}
	}
	differ := func(groups ...[]int) func(g []int) bool {
		return func(g []int) bool {
			for _, cells := range groups {
				seen := 0
				for _, cell := range cells {
					if seen>>g[cell]&1 != 0 {
						return false
					}
					seen |= 1 << g[cell]
				}
			}
			return true
		}
	}
	all := func(rules ...func([]int) bool) func([]int) bool {
		return func(g []int) bool {
			return !slices.ContainsFunc(rules, func(rule func([]int) bool) bool { return !rule(g) })
		}
	}
	diagonals := differ([]int{0, 5}, []int{1, 6}, []int{2, 7}, []int{4, 9}, []int{5, 10}, []int{6, 11}, []int{8, 13}, []int{9, 14}, []int{10, 15},
		[]int{1, 4}, []int{2, 5}, []int{3, 6}, []int{5, 8}, []int{6, 9}, []int{7, 10}, []int{9, 12}, []int{10, 13}, []int{11, 14})
	for words, meaning := range map[string]func([]int) bool{
		"":                              differ(),
		"x":                             differ([]int{0, 5, 10, 15}, []int{3, 6, 9, 12}),
		"disjoint":                      differ([]int{0, 2, 8, 10}, []int{1, 3, 9, 11}, []int{4, 6, 12, 14}, []int{5, 7, 13, 15}),
		"anti-king":                     diagonals,
		"non-consecutive":               sides(func(a, b int) bool { return a-b != 1 && b-a != 1 }),
		"all-ratios":                    sides(func(a, b int) bool { return a != 2*b && b != 2*a }),
		"all-sums":                      sides(func(a, b int) bool { return a+b != 5 }),
		"minimum R2C2":                  func(g []int) bool { return g[5] < min(g[1], g[4], g[6], g[9]) },
		"maximum R1C1":                  func(g []int) bool { return g[0] > max(g[1], g[4]) },
		"maximum R1C1+R1C2":             func(g []int) bool { return g[0] > g[4] && g[1] > max(g[2], g[5]) },
		"different R1C1+R2C3":           func(g []int) bool { return g[0] != g[6] },
		"disjoint anti-king":            all(diagonals, differ([]int{0, 2, 8, 10}, []int{1, 3, 9, 11}, []int{4, 6, 12, 14}, []int{5, 7, 13, 15})),
		"even R1C1 odd R4C4":            func(g []int) bool { return g[0]%2 == 0 && g[15]%2 == 1 },
		"thermo R1C1+R1C2+R2C3":         func(g []int) bool { return g[0] < g[1] && g[1] < g[6] },
		"different R1C1+R2C3+R3C2+R4C4": differ([]int{0, 6, 9, 15}),
	} {
		v, err := ParseVariant("4 boxes 2x2 " + words)
		if err != nil {
			t.Fatal(err)
		}
		if text := strings.TrimSpace("4 boxes 2x2 " + words); v.String() != text {
			t.Errorf("%q is written as %q", text, v)
		}
		rules, err := New(v)
		want := 0
		for _, g := range grids {
			if meaning(g) {
				want++
			}
			if err == nil && meaning(g) == (NewGrid(rules).With(g).Conflict() != nil) {
				t.Errorf("%s: %v: %v", words, g, NewGrid(rules).With(g).Conflict())
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range Encodings {
			if strings.HasPrefix(e.Name, "2sat") {
				continue
			}
			cnf, err := NewGrid(rules).Encode(Coding{Encoding: e.Name})
			if err != nil {
				t.Fatal(err)
			}
			if models := countModels(cnf.Formula); models != want {
				t.Errorf("%s: the encoding %s has %d models, want %d", words, e.Name, models, want)
			}
		}
	}
}

// TestGivenRelations counts the pairs of neighbors, of 24, that a rule of the whole grid leaves to a
// relation: X, V and dots that are given.
func TestGivenRelations(t *testing.T) {
	for words, want := range map[string]int{
		"all-sums sum 5:R1C1+R1C2,4:R2C1+R3C1,7:R1C1+R2C2": 22,
		"all-sums sum 9:R1C1+R1C2+R1C3":                    24,
		"non-consecutive difference R1C1+R1C2+R1C3":        22,
		"non-consecutive ratio R1C1+R1C2":                  23,
		"all-ratios difference R2C1+R1C1":                  23,
		"all-ratios sum 4:R2C1+R1C1":                       24,
	} {
		v, err := ParseVariant("4 boxes 2x2 " + words)
		if err != nil {
			t.Fatal(err)
		}
		rule, _, _ := strings.Cut(words, " ")
		got := 0
		for _, r := range Must(v).Relations() {
			if r.Kind == rule {
				got++
			}
		}
		if got != want {
			t.Errorf("%s: %d pairs, want %d", words, got, want)
		}
	}
}

// TestLargeNeighbors makes rules of a large grid: the 19,800 pairs of neighbors share a diagram, which alone
// has 10,000 edges.
func TestLargeNeighbors(t *testing.T) {
	v := Standard(100)
	v.NonConsecutive = true
	r := Must(v)
	if n := len(r.Relations()); n != 2*100*99 || &r.diagrams[0].next[1][0] != &r.diagrams[n-1].next[1][0] || r.diagrams[n-1].part.cells[1] != 9999 {
		t.Errorf("%d relations", n)
	}
}

// allGrids returns the 288 full grids of size 4.
func allGrids(t *testing.T) (grids [][]int) {
	cells := make([]int, 16)
	var extend func(cell int)
	extend = func(cell int) {
		if cell == 16 {
			grids = append(grids, slices.Clone(cells))
			return
		}
		for digit := 1; digit <= 4; digit++ {
			free := true
			for other := range cell {
				line := other/4 == cell/4 || other%4 == cell%4
				box := other/8 == cell/8 && other%4/2 == cell%4/2
				free = free && (cells[other] != digit || !line && !box)
			}
			if free {
				cells[cell] = digit
				extend(cell + 1)
			}
		}
	}
	extend(0)
	if len(grids) != 288 {
		t.Fatalf("%d grids of size 4", len(grids))
	}
	return grids
}
