package dpll

import "sator/dimacs"

// Which assumptions failed. Every conflict follows by propagation from the
// decisions and assumptions above it, and the reasons lead back to those that
// it takes. When the whole tree is refuted, the assumptions that some conflict
// took are enough to refute the formula: what the leaves blame can be resolved
// along the tree, which removes decisions and adds no assumption. So they are
// collected leaf by leaf. A decision that was flipped ends a way back: what its
// first branch took is collected already.
//
// No way back meets a pure literal: see pure.go.
//
// What the root assigns stays for the whole call, and is followed back once.

// blame is the state of the walks back.
type blame struct {
	seen []uint8  // by variable
	work []uint32 // variables to follow back
	root bool     // the variables that the root assigned are marked
}

const (
	seenMark uint8 = 1 << iota
	rootMark
)

// prepare forgets the last call.
func (b *blame) prepare(s *Solver) {
	b.seen = lengthen(b.seen, len(s.reasons))
	if b.root {
		clear(b.seen)
		b.root = false
	}
}

// blameConflict collects the assumptions that s.conflict takes.
func (s *Solver) blameConflict() {
	if s.roots == 0 || len(s.failed) == s.roots {
		return
	}
	s.follow(s.at(s.conflict))
}

// blameAssumption collects those that make the assumption l false, and l.
func (s *Solver) blameAssumption(l dimacs.Lit) {
	s.trace(Conflict, l, none)
	s.follow([]dimacs.Lit{l})
	s.failed = append(s.failed, l)
	s.proveFailed(l)
}

// follow collects the assumptions that these literals, which are false, follow
// from.
func (s *Solver) follow(lits []dimacs.Lit) {
	b := &s.blame
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

// see notes the variables of the literals to be followed back.
func (b *blame) see(lits []dimacs.Lit) {
	for _, l := range lits {
		if v := uint32(l >> 1); b.seen[v]&seenMark == 0 {
			b.seen[v] |= seenMark
			b.work = append(b.work, v)
		}
	}
}

// markRoot marks what the root assigned, which is complete.
func (s *Solver) markRoot() {
	s.blame.root = true
	end := len(s.trail)
	if len(s.levels) > s.roots {
		end = s.levels[s.roots].trail
	}
	for _, l := range s.trail[:end] {
		s.blame.seen[l>>1] = rootMark
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
