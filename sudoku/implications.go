package sudoku

import (
	"slices"

	"sator/dimacs"
)

// Eppstein ("Sudoku and 2SAT", 2009) makes a 2-SAT instance of the candidates
// left in a puzzle. All solutions of the puzzle are among its solutions, so that
// what holds in all of these holds in the puzzle. It says:
//
//   - a cell has no two digits, and no two peers have the same one;
//   - a cell with two candidates has one of them;
//   - a digit with two places left in a house is in one of them;
//   - a candidate that leaves a digit one place in another house, by what it
//     excludes, implies that place; if it leaves none it is false.
//
// The last point goes one step ahead where the others cannot: it takes houses
// with three places and more. For houses with two it follows from the others.
// A digit that a box has in one line only is the case where none is left.
//
// His program has a further rule, which can be had too. If a cell with three
// candidates does not have the one by which it differs from a peer with two,
// these two cells are a pair, and the cells that see both have neither digit.

// Implications tells imply the binary clauses of the rule for the candidates
// left: that a being true, b is. The literals are candidates: dimacs.Var(x).Lit()
// says that candidate x is true. Each clause is told in one of its two readings,
// clauses that follow from different houses more than once; "a implies its
// negation" says that a is false, as of a group that has one candidate left it
// says that this is true. Placed digits and candidates struck do not occur. With
// trivalue the last rule above is included.
//
// The candidates must not be contradictory. The order of the calls is fixed. The
// time is about that of looking at all peers of all candidates left.
func (c *Candidates) Implications(trivalue bool, imply func(a, b dimacs.Lit)) {
	r := c.Rules()
	i := implier{Candidates: c, r: r, imply: imply, seen: make([]sight, r.Cells())}
	i.exclusions()
	i.choices()
	i.lookAhead()
	if trivalue {
		i.trivalues()
	}
}

// An implier tells the implications of some candidates.
type implier struct {
	*Candidates
	r     *Rules
	imply func(a, b dimacs.Lit)
	buf   []int
	seen  []sight // by cell, for lookAhead
	touch []int   // the cells seen
}

// A sight tells how many places of a digit in a house a cell sees.
type sight struct{ places, sum int }

// pos returns the literal of a candidate.
func pos(candidate int) dimacs.Lit { return dimacs.Var(candidate).Lit() }

// group returns the candidates left of a group that are not placed.
func (i *implier) group(g int) []int {
	i.buf = i.buf[:0]
	i.buf = i.Live(g, i.buf)
	if len(i.buf) == 1 && i.Digit(i.buf[0]/i.r.Size()) != 0 {
		return nil
	}
	return i.buf
}

// exclusions tells that digits of a cell and of peers exclude each other.
func (i *implier) exclusions() {
	n := i.r.Size()
	for cell := range i.r.Cells() {
		left := i.group(cell)
		for k, x := range left {
			for _, y := range left[k+1:] {
				i.imply(pos(x), pos(y).Not())
			}
			for _, peer := range i.r.peers[cell] {
				if y := peer*n + x%n; peer > cell && i.Has(y) {
					i.imply(pos(x), pos(y).Not())
				}
			}
		}
	}
}

// choices tells that groups with two candidates have one of them.
func (i *implier) choices() {
	for g := range i.r.Groups() {
		switch left := i.group(g); len(left) {
		case 1:
			i.imply(pos(left[0]).Not(), pos(left[0]))
		case 2:
			i.imply(pos(left[0]).Not(), pos(left[1]))
		}
	}
}

// lookAhead tells which candidates leave a house one place of their digit, or
// none. For each house and digit it counts how many of the places every other
// cell sees; if that is all but one, the sum of those seen tells which one is
// not.
func (i *implier) lookAhead() {
	n := i.r.Size()
	for g := i.r.Cells(); g < i.r.Groups(); g++ {
		places := i.group(g)
		if len(places) < 3 {
			continue
		}
		h, d := i.r.house(g)
		sum := 0
		for _, place := range places {
			sum += place
			i.look(place)
		}
		slices.Sort(i.touch)
		for _, cell := range i.touch {
			s := i.seen[cell]
			i.seen[cell] = sight{}
			x := cell*n + d
			if s.places < len(places)-1 || !i.Has(x) || slices.Contains(i.r.of[cell], h) {
				continue
			}
			if s.places == len(places) {
				i.imply(pos(x), pos(x).Not())
			} else {
				i.imply(pos(x), pos(sum-s.sum))
			}
		}
		i.touch = i.touch[:0]
	}
}

// look counts a place for all cells that see it.
func (i *implier) look(place int) {
	for _, cell := range i.r.peers[place/i.r.Size()] {
		s := &i.seen[cell]
		if s.places == 0 {
			i.touch = append(i.touch, cell)
		}
		s.places++
		s.sum += place
	}
}

// trivalues tells that a cell with three candidates, unless it has the third,
// makes a pair with a peer that has the other two.
func (i *implier) trivalues() {
	n := i.r.Size()
	for cell := range i.r.Cells() {
		three := slices.Clone(i.group(cell))
		if len(three) != 3 {
			continue
		}
		for _, peer := range i.r.peers[cell] {
			two := i.group(peer)
			if len(two) != 2 {
				continue
			}
			a, b := two[0]%n, two[1]%n
			for k, x := range three {
				y, z := three[(k+1)%3]%n, three[(k+2)%3]%n
				if min(y, z) == a && max(y, z) == b {
					i.pair(x, cell, peer, [2]int{a, b})
				}
			}
		}
	}
}

// pair tells that unless x is true, two cells have the two digits, so that no
// cell that sees both has one of them.
func (i *implier) pair(x, cell, peer int, digits [2]int) {
	n := i.r.Size()
	for _, other := range i.r.peers[cell] {
		if _, sees := slices.BinarySearch(i.r.peers[peer], other); !sees {
			continue
		}
		for _, d := range digits {
			if i.Has(other*n + d) {
				i.imply(pos(x).Not(), pos(other*n+d).Not())
			}
		}
	}
}

// twosat writes the implications of the candidates left, each once.
func (b *builder) twosat() { b.implications(false) }

// twosatTrivalue writes those of trivalues too.
func (b *builder) twosatTrivalue() { b.implications(true) }

func (b *builder) implications(trivalue bool) {
	variable := func(l dimacs.Lit) dimacs.Lit { // of a candidate
		v := b.lit[l.Var()]
		if l.Neg() {
			return v.Not()
		}
		return v
	}
	b.left.Implications(trivalue, func(x, y dimacs.Lit) {
		if x.Not() == y {
			b.clause(variable(y))
		} else {
			b.clause(variable(x).Not(), variable(y))
		}
	})
	b.f = b.f.Normalize()
}
