package sudoku

import (
	"math/bits"
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
	i := implier{Candidates: c, r: r, imply: imply}
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
	set   []uint64 // of peers, where none are kept

	// In lookAhead: cells that do not see a place, and that do not see another one.
	once, more []uint64
}

// pos returns the literal of a candidate.
func pos(candidate int) dimacs.Lit { return dimacs.Var(candidate).Lit() }

// group returns the candidates left of a group that are not placed.
func (i *implier) group(g int) []int {
	i.buf = i.Live(g, i.buf[:0])
	if len(i.buf) == 1 && i.Digit(i.buf[0]/i.r.Size()) != 0 {
		return nil
	}
	return i.buf
}

// sees returns the set of the peers of a cell, until the next call.
func (i *implier) sees(cell int) []uint64 {
	l := i.layout
	if l.peers != nil {
		return l.peers[cell*l.words : (cell+1)*l.words]
	}
	if i.set == nil {
		i.set = make([]uint64, l.words)
	}
	clear(i.set)
	for _, peer := range i.r.peers[cell] {
		i.set[peer/64] |= 1 << (peer % 64)
	}
	return i.set
}

// places returns the set of cells where digit d+1 is left.
func (i *implier) places(d int) []uint64 {
	words := i.layout.words
	return i.alive[d*words : (d+1)*words]
}

// exclusions tells that digits of a cell and of peers exclude each other.
func (i *implier) exclusions() {
	for cell := range i.r.Cells() {
		left := i.group(cell)
		if len(left) == 0 {
			continue
		}
		peers := i.sees(cell)
		for k, x := range left {
			for _, y := range left[k+1:] {
				i.imply(pos(x), pos(y).Not())
			}
			i.excludePeers(cell, x, peers)
		}
	}
}

// excludePeers tells that a candidate excludes those of later peers.
func (i *implier) excludePeers(cell, x int, peers []uint64) {
	n := i.layout.size
	d := x - cell*n
	alive := i.places(d)
	later := ^uint64(0) << (cell % 64) // a cell is no peer of itself
	for w := cell / 64; w < len(alive); w++ {
		for set := alive[w] & peers[w] & later; set != 0; set &= set - 1 {
			peer := 64*w + bits.TrailingZeros64(set)
			i.imply(pos(x), pos(peer*n+d).Not())
		}
		later = ^uint64(0)
	}
}

// choices tells that groups with two candidates have one of them.
func (i *implier) choices() {
	for g := range i.r.Groups() {
		if i.Left(g) > 2 {
			continue
		}
		switch left := i.group(g); len(left) {
		case 1:
			i.imply(pos(left[0]).Not(), pos(left[0]))
		case 2:
			i.imply(pos(left[0]).Not(), pos(left[1]))
		}
	}
}

// lookAhead tells which candidates leave a house one place of their digit, or
// none.
func (i *implier) lookAhead() {
	words := i.layout.words
	i.once, i.more = make([]uint64, words), make([]uint64, words)
	for g := i.r.Cells(); g < i.r.Groups(); g++ {
		if i.Left(g) >= 3 {
			_, d := i.r.house(g)
			i.lookAt(i.group(g), d)
		}
	}
}

// lookAt does this for the places of digit d+1 in a house. It counts for all
// cells how many of them they do not see: none, one, or more.
func (i *implier) lookAt(group []int, d int) {
	n, alive := i.layout.size, i.places(d)
	clear(i.once)
	clear(i.more)
	for _, candidate := range group {
		for w, peers := range i.sees(candidate / n) {
			blind := alive[w] &^ peers
			i.more[w] |= i.once[w] & blind
			i.once[w] |= blind
		}
	}
	for _, candidate := range group { // sees all but itself
		i.more[candidate/n/64] |= 1 << (candidate / n % 64)
	}
	for w, places := range alive {
		for set := places &^ i.more[w]; set != 0; set &= set - 1 {
			cell := 64*w + bits.TrailingZeros64(set)
			x := pos(cell*n + d)
			if i.once[w]>>(cell%64)&1 == 0 {
				i.imply(x, x.Not())
			} else {
				i.imply(x, pos(i.unseen(cell, group)))
			}
		}
	}
}

// unseen returns the first of some candidates in other cells whose cell is no
// peer of one.
func (i *implier) unseen(cell int, candidates []int) int {
	peers := i.sees(cell)
	k := slices.IndexFunc(candidates, func(candidate int) bool {
		other := candidate / i.layout.size
		return peers[other/64]>>(other%64)&1 == 0
	})
	return candidates[k]
}

// trivalues tells that a cell with three candidates, unless it has the third,
// makes a pair with a peer that has the other two.
func (i *implier) trivalues() {
	n := i.r.Size()
	for cell := range i.r.Cells() {
		if i.Left(cell) != 3 {
			continue
		}
		x := [3]int(i.group(cell))
		for _, peer := range i.r.peers[cell] {
			if i.Left(peer) != 2 {
				continue
			}
			for k, third := range x {
				a, b := x[(k+1)%3]%n, x[(k+2)%3]%n
				if a > b {
					a, b = b, a
				}
				if i.has(peer, a) && i.has(peer, b) {
					i.pair(third, cell, peer, a, b)
				}
			}
		}
	}
}

// pair tells that unless x is true, two cells have the digits a+1 and b+1, so
// that no cell that sees both has one of them.
func (i *implier) pair(x, cell, peer, a, b int) {
	n, some, others := i.r.Size(), i.places(a), i.places(b)
	i.once = append(i.once[:0], i.sees(cell)...)
	for w, peers := range i.sees(peer) {
		for set := i.once[w] & peers & (some[w] | others[w]); set != 0; set &= set - 1 {
			bit := set & -set
			seen := (64*w + bits.TrailingZeros64(bit)) * n
			if some[w]&bit != 0 {
				i.imply(pos(x).Not(), pos(seen+a).Not())
			}
			if others[w]&bit != 0 {
				i.imply(pos(x).Not(), pos(seen+b).Not())
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
