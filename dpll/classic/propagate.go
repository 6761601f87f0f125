package classic

import (
	"math"

	"sator/dimacs"
)

// Unit propagation by two watched literals. Propagation assigns the literals that
// clauses imply until it reaches a fixpoint or a clause is falsified.
//
// A clause implies a literal when all its other literals are false. It suffices to
// watch any two of its literals and to visit the clause when one of them becomes
// false (Moskewicz, Madigan, Zhao, Zhang, Malik, "Chaff: engineering an efficient
// SAT solver", DAC 2001). The visit searches for another literal to watch. If
// there is no other, the second watched literal is implied, or it is false too and
// the clause is a conflict. At the fixpoint this invariant holds:
//
//	A watched literal is false only if its clause has a true literal that is
//	before it on the trail or on the same level.
//
// Backtracking removes whole levels from the end of the trail. If it unassigns the
// true literal, it unassigns the false one as well, so that the invariant survives
// no matter which literals are watched by then, and backtracking restores no
// watches. Solvers before Chaff counted the unassigned literals of each clause,
// which costs time at every assignment and again when it is undone.
//
// A watch contains another literal of its clause, the blocker. If the blocker is
// true, the clause is not read.
//
// A binary clause always watches both literals. It is stored as two implications
// and never read.
//
// Watching reorders the literals of a clause. Propagation therefore has its own
// copies of the clauses, in the arena; all other code reads the clauses in their
// original order.

// An implication is a binary clause in the list of one of its literals. When that
// literal is false, the other one is implied.
type implication struct {
	implies dimacs.Lit
	clause  uint32
}

// A watch is a longer clause in the list of a literal that it watches.
type watch struct {
	blocker dimacs.Lit
	ref     uint32 // index of its first literal in the arena
}

// header is the number of words before the literals of a clause in the arena: its
// index and its length. The first two literals are watched.
const header = 2

// propagate propagates all assigned literals. It reports false if it found a
// conflict, which is then in s.conflict. If the call is stopped, it returns early
// and reports true.
func (s *Solver) propagate() bool {
	from := len(s.trail)
	layer := s.head // where the next round starts
	s.conflict = none
	for s.head < len(s.trail) && s.conflict == none && !s.stopped {
		if s.head == layer {
			s.stats.Rounds++
			layer = len(s.trail)
		}
		l := s.trail[s.head]
		s.head++
		s.spend(1 + len(s.binaries[l^1]) + len(s.watches[l^1]))
		s.propagateBinaries(l ^ 1)
		if s.conflict == none {
			s.propagateWatches(l ^ 1)
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

// propagateBinaries assigns the literals that binary clauses imply by the false
// literal not.
func (s *Solver) propagateBinaries(not dimacs.Lit) {
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

// propagateWatches visits the longer clauses that watch the false literal not. It
// compacts the list in place. The loop is one function because the solver spends
// most of its time here.
func (s *Solver) propagateWatches(not dimacs.Lit) {
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

// undo unassigns the literals of the trail from that length on.
func (s *Solver) undo(to int) {
	s.undoCounts(to)
	for _, l := range s.trail[to:] {
		s.vals[l], s.vals[l^1] = 0, 0
	}
	s.trail = s.trail[:to]
	s.head = to
	s.pure.head = min(s.pure.head, to)
}

// connect adds the clauses that were added since the last call to the watch lists
// and implication lists. It reports false if the call was stopped; the next call
// then connects the other clauses.
func (s *Solver) connect() bool {
	if s.connected == 0 && !s.allocateLists() {
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

// attach adds clause i, with the literals c, to the lists of its first two
// literals.
func (s *Solver) attach(i uint32, c []dimacs.Lit) {
	switch len(c) {
	case 0, 1:
	case 2:
		s.binaries[c[0]] = append(s.binaries[c[0]], implication{c[1], i})
		s.binaries[c[1]] = append(s.binaries[c[1]], implication{c[0], i})
	default:
		if uint64(len(s.arena)+header+len(c)) > math.MaxUint32 {
			panic("classic: the clauses exceed 2^32 literals")
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

// allocateLists allocates the implication and watch lists of the first call. Each
// has the capacity that connect needs, and all share two blocks of memory, since a
// formula has many short lists. It reports false if the call was stopped.
func (s *Solver) allocateLists() bool {
	binaries := make([]int, len(s.vals))
	watches := make([]int, len(s.vals))
	words := 0
	for c := range uint32(len(s.starts) - 1) {
		lits := s.at(c)
		if !s.spend(1) {
			return false
		}
		sizes := watches
		switch {
		case len(lits) < 2:
			continue
		case len(lits) == 2:
			sizes = binaries
		default:
			words += header + len(lits)
		}
		sizes[lits[0]]++
		sizes[lits[1]]++
	}
	s.arena = make([]uint32, 0, words)
	allocate(s.binaries, binaries)
	allocate(s.watches, watches)
	return true
}

// allocate makes each list empty, with the capacity at its index, out of one block
// of memory.
func allocate[T any](lists [][]T, capacities []int) {
	sum := 0
	for _, n := range capacities {
		sum += n
	}
	block := make([]T, sum)
	for i, n := range capacities {
		lists[i], block = block[:0:n], block[n:]
	}
}
