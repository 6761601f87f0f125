package dpll

import "sator/dimacs"

// Pure literals. A literal is pure if it occurs in an open clause and its
// complement in none: making it true satisfies clauses and falsifies no
// literal, so that it can be assigned without a second branch. The rule is half
// of what Davis and Putnam proposed in 1960; looked for by scanning all clauses
// at every node, as in the textbook, it costs far more than it saves.
//
// It can be had by watching, too (clause watching: Gent, Giunchiglia,
// Narizzano, Rowley, Tacchella, "Watched data structures for QBF solvers", SAT
// 2003). Each unassigned literal has one open clause in which it occurs as its
// witness: as long as that is open, the complement is not pure, whatever
// happens elsewhere. When a literal becomes true, the clauses in which it
// occurs are satisfied. Those literals whose witness was one of them look for
// another, and if there is none, the complement is pure, or the variable occurs
// nowhere any more and is left alone. What must hold once this is done is:
//
//	The witness of an unassigned literal is open; or no clause with the
//	literal is, and its witness has been open until the level was begun at
//	which that came about.
//
// Backtracking that takes a level back leaves a witness open if it was when
// that level began. A witness that is open now was. So again there is nothing
// to undo.
//
// A pure literal satisfies clauses, which may be the last ones of some other
// literal, whose complement is pure then: the search goes on until nothing new
// is found. Which clauses are open then does not depend on
// the order, though which literals were assigned may: of two pure literals that
// share all their clauses, only the first is.
//
// A pure literal implies nothing: what contains its complement is satisfied. It
// is not propagated, nor is the watch of propagate.go harmed, since the true
// literals that satisfy those clauses are of its level or lower ones.
//
// Nor has it a part in any refutation below. A clause with its complement is
// never falsified, and never the reason of a literal, since it had a true one
// before; so reasons that are followed back from a conflict lead past all pure
// literals. Neither a proof nor the search for failed assumptions has to know
// of them.
//
// Purity holds for the clauses and for the search below a node, not for
// assumptions to come or clauses that are added later. Therefore no pure
// literal is looked for before the last assumption is decided, each call of
// Solve starts anew, and enumeration, which wants all models, does without.
//
// Is it worth it? On random 3-SAT with 100 variables it saves 2.5 % of the nodes
// and costs 15 % of the time (BenchmarkPure); where a part of the formula does
// not matter to the rest, it clears that away without a decision.

// A purifier knows the witnesses.
type purifier struct {
	on      bool     // for this call
	head    int      // literals of the trail before it are looked at
	clauses int      // that it knows, or -1 while it does not
	witness []uint32 // by literal: where in its occurrences the witness is
	next    []uint32 // by literal: the next literal with the same witness, plus 1
	first   []uint32 // by clause: the first literal whose witness it is, plus 1
	absent  []dimacs.Lit
	orphans []dimacs.Lit // occur in no open clause, and their complements wait to be looked at
}

// prepare makes the purifier ready for a call, if it is on in it. It reports
// false if the call was stopped before.
func (p *purifier) prepare(s *Solver) bool {
	p.head = 0
	if !p.on {
		return true
	}
	if p.clauses != len(s.starts)-1 || len(p.witness) != len(s.vals) {
		if !p.elect(s) {
			return false
		}
	}
	p.orphans = append(p.orphans[:0], p.absent...)
	return true
}

// elect makes the first clause of each literal its witness.
func (p *purifier) elect(s *Solver) bool {
	occ := s.occ.lists
	p.clauses = -1
	p.witness = make([]uint32, len(s.vals))
	p.next = make([]uint32, len(s.vals))
	p.first = make([]uint32, len(s.starts))
	p.absent = p.absent[:0]
	for l := range dimacs.Lit(len(s.vals)) {
		switch {
		case !s.spend(1):
			return false
		case len(occ[l]) > 0:
			p.adopt(occ[l][0], l)
		case len(occ[l^1]) > 0:
			p.absent = append(p.absent, l)
		}
	}
	p.clauses = len(s.starts) - 1
	return true
}

// adopt makes clause c the witness of l, whose place is noted already.
func (p *purifier) adopt(c uint32, l dimacs.Lit) {
	p.next[l] = p.first[c]
	p.first[c] = uint32(l) + 1
}

// purifying reports whether pure literals are to be looked for here.
func (s *Solver) purifying() bool {
	p := &s.purifier
	if !p.on || s.opts.Pure == PureRoot && len(s.levels) > s.roots {
		return false
	}
	return p.head < len(s.trail) || len(p.orphans) > 0
}

// purify assigns all pure literals.
func (s *Solver) purify() {
	p := &s.purifier
	for s.purifying() && s.spend(1) {
		if p.head < len(s.trail) {
			l := s.trail[p.head]
			p.head++
			s.spend(len(s.occ.lists[l]))
			for _, c := range s.occ.lists[l] {
				if p.first[c] != 0 {
					s.orphan(c)
				}
			}
			continue
		}
		last := len(p.orphans) - 1
		l := p.orphans[last] ^ 1
		p.orphans = p.orphans[:last]
		if s.vals[l] == 0 && s.open(s.occ.lists[l][p.witness[l]]) {
			s.assignPure(l)
		}
	}
	if checking && !s.stopped {
		s.checkPure()
	}
}

// orphan finds new witnesses for those literals whose witness was c, which has
// become satisfied. Those that find none keep it.
func (s *Solver) orphan(c uint32) {
	p := &s.purifier
	link := p.first[c]
	p.first[c] = 0
	for link != 0 {
		l := dimacs.Lit(link - 1)
		link = p.next[l]
		switch {
		case s.vals[l] != 0:
			p.adopt(c, l)
		case s.rehouse(l):
			p.adopt(s.occ.lists[l][p.witness[l]], l)
		default:
			p.adopt(c, l)
			if len(s.occ.lists[l^1]) > 0 {
				p.orphans = append(p.orphans, l)
			}
		}
	}
}

// rehouse looks for an open clause with l, beginning after its witness, and
// notes its place. It reports false if there is none.
func (s *Solver) rehouse(l dimacs.Lit) bool {
	p := &s.purifier
	list := s.occ.lists[l]
	at := int(p.witness[l])
	for range list {
		if at++; at >= len(list) {
			at = 0
		}
		if s.open(list[at]) {
			p.witness[l] = uint32(at)
			return true
		}
	}
	return false
}

// assignPure assigns a pure literal.
func (s *Solver) assignPure(l dimacs.Lit) {
	s.stats.Pure++
	s.assign(l, purity)
	s.head = len(s.trail)
	s.trace(PureLiteral, l, none)
}

// bytes returns what the tables take.
func (p *purifier) bytes() int64 {
	return 4 * int64(len(p.witness)+len(p.next)+len(p.first)+len(p.absent))
}
