package dpll

import "sator/dimacs"

// Failed assumptions, as in MiniSat's analyzeFinal, for a search tree. Propagation
// derives each conflict from decisions and assumptions above it; following the
// reasons back from the conflict finds the assumptions that it depends on. When
// all leaves are refuted, the assumptions of all conflicts together contradict the
// formula: resolution along the tree removes the decisions and adds no assumption.
// The solver therefore collects them leaf by leaf. A flipped decision has no
// reason to follow, since the assumptions of its first branch are in the
// collection already.
//
// No reason contains a pure literal, see pure.go.
//
// Literals assigned at the root stay assigned for the whole call. Each of them is
// followed back once.

// A coreAnalysis is the state of the search for failed assumptions.
type coreAnalysis struct {
	seen []uint8  // by variable: seenMark, rootMark
	work []uint32 // variables to follow back
	root bool     // the variables assigned at the root have rootMark
}

const (
	seenMark uint8 = 1 << iota // the variable was followed back, or is in work
	rootMark                   // the variable was assigned at the root
)

// prepare clears the marks of the last call.
func (b *coreAnalysis) prepare(s *Solver) {
	b.seen = lengthen(b.seen, len(s.reasons))
	if b.root {
		clear(b.seen)
		b.root = false
	}
}

// analyzeConflict adds the assumptions on which s.conflict depends to s.failed.
func (s *Solver) analyzeConflict() {
	if s.rootLevels == 0 || len(s.failed) == s.rootLevels {
		return
	}
	s.follow(s.at(s.conflict))
}

// analyzeAssumption adds the false assumption l and the assumptions that imply its
// complement to s.failed.
func (s *Solver) analyzeAssumption(l dimacs.Lit) {
	s.trace(Conflict, l, none)
	s.follow([]dimacs.Lit{l})
	s.failed = append(s.failed, l)
	s.proveFailed(l)
}

// follow adds the assumptions that imply that these literals are false to
// s.failed.
func (s *Solver) follow(lits []dimacs.Lit) {
	b := &s.core
	if !b.root {
		s.markRoot()
	}
	b.see(lits)
	for i := 0; i < len(b.work); i++ {
		v := b.work[i]
		switch r := s.reasons[v]; {
		case r == purity:
			panic("dpll: a pure literal in a refutation")
		case r != decided:
			b.see(s.at(r))
		case b.seen[v]&rootMark != 0:
			s.failed = append(s.failed, s.trueLit(v))
		}
	}
	for _, v := range b.work {
		if b.seen[v]&rootMark == 0 {
			b.seen[v] = 0
		}
	}
	b.work = b.work[:0]
}

// see adds the variables of the literals to the work list, each once.
func (b *coreAnalysis) see(lits []dimacs.Lit) {
	for _, l := range lits {
		if v := uint32(l >> 1); b.seen[v]&seenMark == 0 {
			b.seen[v] |= seenMark
			b.work = append(b.work, v)
		}
	}
}

// markRoot marks the variables assigned at the root. The propagation of the root
// must be complete.
func (s *Solver) markRoot() {
	s.core.root = true
	end := len(s.trail)
	if len(s.levels) > s.rootLevels {
		end = s.levels[s.rootLevels].trail
	}
	for _, l := range s.trail[:end] {
		s.core.seen[l>>1] = rootMark
	}
}

// trueLit returns the literal of v that is true.
func (s *Solver) trueLit(v uint32) dimacs.Lit {
	l := dimacs.Lit(v << 1)
	if s.vals[l] < 0 {
		l ^= 1
	}
	return l
}
