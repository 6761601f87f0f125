package classic

import "sator/dimacs"

// Failed assumptions, as in MiniSat's analyzeFinal, for a search tree. Propagation
// derives each conflict from decisions and assumptions above it; following the
// reasons back from the conflict finds the assumptions that it depends on. When
// all leaves are refuted, the assumptions of all conflicts together contradict the
// formula: resolution along the tree removes the decisions and adds no assumption.
// The solver therefore collects them leaf by leaf. A flipped decision has no reason
// clause and needs none, since the assumptions of its first branch were collected
// before.
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
func (a *coreAnalysis) prepare(s *Solver) {
	a.seen = lengthen(a.seen, len(s.reasons))
	if a.root {
		clear(a.seen)
		a.root = false
	}
}

// analyzeConflict adds to s.failed the assumptions on which the conflict depends.
func (s *Solver) analyzeConflict() {
	if s.rootLevels == 0 || len(s.failed) == s.rootLevels {
		return
	}
	s.follow(s.at(s.conflict))
}

// analyzeAssumption adds to s.failed the false assumption l, and the assumptions that
// imply its complement.
func (s *Solver) analyzeAssumption(l dimacs.Lit) {
	s.trace(Conflict, l, none)
	s.follow([]dimacs.Lit{l})
	s.failed = append(s.failed, l)
	s.proveFailed(l)
}

// follow adds to s.failed the assumptions from which the complements of these false
// literals follow.
func (s *Solver) follow(lits []dimacs.Lit) {
	a := &s.core
	if !a.root {
		s.markRoot()
	}
	a.see(lits)
	for i := 0; i < len(a.work); i++ {
		v := a.work[i]
		switch r := s.reasons[v]; {
		case r == purity:
			panic("classic: a pure literal in a refutation")
		case r != decided:
			a.see(s.at(r))
		case a.seen[v]&rootMark != 0:
			s.failed = append(s.failed, s.trueLit(v))
		}
	}
	for _, v := range a.work {
		if a.seen[v]&rootMark == 0 {
			a.seen[v] = 0
		}
	}
	a.work = a.work[:0]
}

// see adds the variables of the literals to the work list, each once.
func (a *coreAnalysis) see(lits []dimacs.Lit) {
	for _, l := range lits {
		if v := uint32(l >> 1); a.seen[v]&seenMark == 0 {
			a.seen[v] |= seenMark
			a.work = append(a.work, v)
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
