package dpll

import (
	"math"

	"sator/dimacs"
)

// Propagation assigns what clauses imply until nothing more follows or a clause
// is falsified.
//
// A clause implies a literal when all its others are false. It need not be
// looked at before all but one are, so that it is enough to watch two of its
// literals, any two, and to look at it when one of them becomes false
// (Moskewicz, Madigan, Zhao, Zhang, Malik, "Chaff: engineering an efficient SAT
// solver", DAC 2001). The visit looks for another literal to watch instead. If
// there is none, the other watched literal is implied, or false too. What must
// hold while nothing is left to propagate is this:
//
//	A watched literal is false only if its clause has a true literal that is
//	on the trail before it, or of the same level.
//
// Backtracking takes back the end of the trail, whole levels at a time. If it
// takes back the true literal, it takes back the false one as well; so what
// must hold still does, wherever the watches have moved to in the meantime, and
// there is nothing to undo. Counting the literals of each clause that are left,
// as solvers did before, pays at every assignment and again when it is undone.
//
// A watch carries another literal of its clause, the blocker. If that is true
// the clause need not be read.
//
// A clause of two literals watches both forever. It is kept as two implications
// instead, and never read.
//
// Watching moves literals within a clause. It has its own copies of the clauses,
// in the arena, and everything else sees them as they were given.

// An implication says that the literal in whose list it is, being false, makes
// another one true.
type implication struct {
	implies dimacs.Lit
	clause  uint32
}

// A watch says that a clause watches the literal in whose list it is.
type watch struct {
	blocker dimacs.Lit
	ref     uint32 // where in the arena its literals begin
}

// In the arena the literals of a clause, of which the first two are watched,
// come after two words: its number and its length.
const header = 2

// propagate reports whether it found no conflict; else s.conflict is the clause
// that is falsified. It may return early, without a conflict, when the call is
// stopped.
func (s *Solver) propagate() bool {
	from := len(s.trail)
	layer := s.head // where the next round begins
	s.conflict = none
	for s.head < len(s.trail) && s.conflict == none && !s.stopped {
		if s.head == layer {
			s.stats.Rounds++
			layer = len(s.trail)
		}
		l := s.trail[s.head]
		s.head++
		s.spend(1 + len(s.binaries[l^1]) + len(s.watches[l^1]))
		s.imply(l ^ 1)
		if s.conflict == none {
			s.visit(l ^ 1)
		}
	}
	s.stats.Propagations += int64(len(s.trail) - from)
	if s.opts.Trace != nil {
		s.tracePropagated(from)
	}
	if checking && s.conflict == none && !s.stopped {
		s.checkPropagated()
	}
	return s.conflict == none
}

// imply assigns what follows from not, which is false, by binary clauses.
func (s *Solver) imply(not dimacs.Lit) {
	vals := s.vals
	for _, i := range s.binaries[not] {
		switch v := vals[i.implies]; {
		case v == 0:
			s.assign(i.implies, i.clause)
		case v < 0:
			s.conflict = i.clause
			return
		}
	}
}

// visit visits the longer clauses that watch not, which is false. The list is
// compacted in place while it is walked. The loop stays whole since this is
// where the time goes.
func (s *Solver) visit(not dimacs.Lit) {
	vals, arena := s.vals, s.arena
	ws := s.watches[not]
	kept := 0
next:
	for i, w := range ws {
		if vals[w.blocker] > 0 {
			ws[kept] = w
			kept++
			continue
		}
		c := arena[w.ref:][:arena[w.ref-1]]
		other := dimacs.Lit(c[0]^c[1]) ^ not
		value := vals[other]
		if value > 0 {
			ws[kept] = watch{other, w.ref}
			kept++
			continue
		}
		for k := 2; k < len(c); k++ {
			r := dimacs.Lit(c[k])
			if vals[r] >= 0 {
				c[0], c[1], c[k] = uint32(other), uint32(r), uint32(not)
				s.watches[r] = append(s.watches[r], watch{other, w.ref})
				continue next
			}
		}
		ws[kept] = w
		kept++
		if value < 0 {
			s.conflict = arena[w.ref-2]
			kept += copy(ws[kept:], ws[i+1:])
			break
		}
		s.assign(other, arena[w.ref-2])
	}
	s.watches[not] = ws[:kept]
}

// assign makes l true.
func (s *Solver) assign(l dimacs.Lit, reason uint32) {
	s.vals[l], s.vals[l^1] = 1, -1
	s.reasons[l>>1] = reason
	s.trail = append(s.trail, l)
}

// undo takes back the trail from this length on.
func (s *Solver) undo(to int) {
	s.uncount(to)
	for _, l := range s.trail[to:] {
		s.vals[l], s.vals[l^1] = 0, 0
	}
	s.trail = s.trail[:to]
	s.head = to
	s.purifier.head = min(s.purifier.head, to)
}

// connect puts the clauses that were added since the last call into the lists
// of what looks at them. It reports false if the call was stopped before all
// are; the rest is then left for the next call.
func (s *Solver) connect() bool {
	if s.connected == 0 && !s.carve() {
		return false
	}
	n := len(s.starts) - 1
	for ; s.connected < n; s.connected++ {
		c := s.at(uint32(s.connected))
		if !s.spend(1 + len(c)) {
			return false
		}
		s.attach(uint32(s.connected), c)
	}
	return true
}

// attach puts a clause into the lists of its first two literals.
func (s *Solver) attach(i uint32, c []dimacs.Lit) {
	switch len(c) {
	case 0, 1:
	case 2:
		s.binaries[c[0]] = append(s.binaries[c[0]], implication{c[1], i})
		s.binaries[c[1]] = append(s.binaries[c[1]], implication{c[0], i})
	default:
		if uint64(len(s.arena)+header+len(c)) > math.MaxUint32 {
			panic("dpll: the clauses exceed 2^32 literals")
		}
		ref := uint32(len(s.arena) + header)
		s.arena = append(s.arena, i, uint32(len(c)))
		for _, l := range c {
			s.arena = append(s.arena, uint32(l))
		}
		s.watches[c[0]] = append(s.watches[c[0]], watch{c[1], ref})
		s.watches[c[1]] = append(s.watches[c[1]], watch{c[0], ref})
	}
}

// carve makes the lists of what is to be connected at first, each with room for
// what it will hold then, out of two blocks: a formula has many short ones. It
// reports false if the call was stopped before.
func (s *Solver) carve() bool {
	binaries := make([]int, len(s.vals))
	watches := make([]int, len(s.vals))
	words := 0
	for c := range uint32(len(s.starts) - 1) {
		lits := s.at(c)
		if !s.spend(1) {
			return false
		}
		room := watches
		switch {
		case len(lits) < 2:
			continue
		case len(lits) == 2:
			room = binaries
		default:
			words += header + len(lits)
		}
		room[lits[0]]++
		room[lits[1]]++
	}
	s.arena = make([]uint32, 0, words)
	share(s.binaries, binaries)
	share(s.watches, watches)
	return true
}

// share gives each list this much room out of one block.
func share[T any](lists [][]T, room []int) {
	sum := 0
	for _, n := range room {
		sum += n
	}
	block := make([]T, sum)
	for i, n := range room {
		lists[i], block = block[:0:n], block[n:]
	}
}
