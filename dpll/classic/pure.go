package classic

import "sator/dimacs"

// Pure literals, by clause watching. A literal is pure if it occurs in an open
// clause and its complement occurs in no open clause. Assigning it satisfies
// clauses and falsifies no open clause, so that it needs no second branch. This is
// the affirmative-negative rule of Davis and Putnam (1960). The textbook's scan of
// all clauses at every node costs far more than the rule saves.
//
// Clause watching (Gent, Giunchiglia, Narizzano, Rowley, Tacchella, "Watched data
// structures for QBF solvers", SAT 2003) finds pure literals without scans. Each
// unassigned literal has a witness: one of its open clauses. As long as the
// witness is open, the complement is not pure. When a literal becomes true, its
// clauses are satisfied, and each literal with one of them as its witness needs
// another open clause. If it has no other, its complement is pure, or the variable
// occurs in no open clause and stays unassigned. Afterwards this invariant holds:
//
//	The witness of an unassigned literal is open; or no clause of the literal
//	is open, and the witness was still open at the start of the level that
//	satisfied the last of its clauses.
//
// Backtracking that removes the level makes this witness open again, and a witness
// that is open now stays open. Backtracking therefore restores no witnesses.
//
// A pure literal may satisfy the last open clause of another literal, whose
// complement is then pure; the pass repeats until it finds no more. The set of
// open clauses at its end does not depend on the order, but the set of assigned
// literals may: of two pure literals that share all their open clauses, only the
// first is assigned.
//
// A pure literal is not propagated: it implies nothing, as all clauses with its
// complement are satisfied. The invariant of propagate.go holds, because the true
// literals of these clauses are on the level of the pure literal or below.
//
// Pure literals take no part in refutations. A clause with the complement of a
// pure literal is neither falsified nor a reason, since it had a true literal when
// the pure literal was assigned. The reasons of a conflict therefore contain no
// pure literal, and proofs and the analysis of failed assumptions ignore pure
// literals.
//
// A literal is pure with respect to the current clauses and the search below a
// node, not to further assumptions or clauses that are added later. Pure literals
// are therefore assigned only after the last assumption is decided, each call of
// Solve computes them again, and enumeration, which needs all models, does without
// them.
//
// On random 3-SAT the rule costs more time than it saves (BenchmarkPure). It pays if an easy
// part of the formula is not connected to the difficult part: it satisfies the easy part
// without decisions.

// A pureFinder holds the witnesses.
type pureFinder struct {
	on      bool         // this call assigns pure literals
	head    int          // index on the trail of the first literal whose clauses were not visited
	clauses int          // number of clauses in the tables, or -1 while they are under construction
	witness []uint32     // by literal: index of the witness in its occurrence list
	next    []uint32     // by literal: the next literal with the same witness, plus 1
	first   []uint32     // by clause: the first literal with this witness, plus 1
	absent  []dimacs.Lit // literals that do not occur, but whose complements do
	queue   []dimacs.Lit // literals without open clauses, whose complements may be pure
}

// prepare prepares the tables for a call. It reports false if the call was
// stopped.
func (p *pureFinder) prepare(s *Solver) bool {
	p.head = 0
	if !p.on {
		return true
	}
	if p.clauses != len(s.starts)-1 || len(p.witness) != len(s.vals) {
		if !p.chooseWitnesses(s) {
			return false
		}
	}
	p.queue = append(p.queue[:0], p.absent...)
	return true
}

// chooseWitnesses makes the first clause of each literal its witness. It reports
// false if the call was stopped.
func (p *pureFinder) chooseWitnesses(s *Solver) bool {
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
			p.setWitness(occ[l][0], l)
		case len(occ[l^1]) > 0:
			p.absent = append(p.absent, l)
		}
	}
	p.clauses = len(s.starts) - 1
	return true
}

// setWitness adds l to the literals with the witness c. The caller sets
// p.witness[l].
func (p *pureFinder) setWitness(c uint32, l dimacs.Lit) {
	p.next[l] = p.first[c]
	p.first[c] = uint32(l) + 1
}

// pureDue reports whether the node may have pure literals to assign.
func (s *Solver) pureDue() bool {
	p := &s.pure
	if !p.on || s.opts.Pure == PureRoot && len(s.levels) > s.rootLevels {
		return false
	}
	return p.head < len(s.trail) || len(p.queue) > 0
}

// assignPureLiterals assigns all pure literals.
func (s *Solver) assignPureLiterals() {
	p := &s.pure
	for s.pureDue() && s.spend(1) {
		if p.head < len(s.trail) {
			l := s.trail[p.head]
			p.head++
			s.spend(len(s.occ.lists[l]))
			for _, c := range s.occ.lists[l] {
				if p.first[c] != 0 {
					s.replaceWitnesses(c)
				}
			}
			continue
		}
		last := len(p.queue) - 1
		l := p.queue[last] ^ 1
		p.queue = p.queue[:last]
		if s.vals[l] == 0 && s.open(s.occ.lists[l][p.witness[l]]) {
			s.assignPure(l)
		}
	}
	if checking && !s.stopped {
		s.checkPure()
	}
}

// replaceWitnesses finds another witness for each literal with the witness c, which
// was satisfied. A literal without an open clause keeps c, and is queued if its
// complement occurs in a clause.
func (s *Solver) replaceWitnesses(c uint32) {
	p := &s.pure
	link := p.first[c]
	p.first[c] = 0
	for link != 0 {
		l := dimacs.Lit(link - 1)
		link = p.next[l]
		switch {
		case s.vals[l] != 0:
			p.setWitness(c, l)
		case s.findWitness(l):
			p.setWitness(s.occ.lists[l][p.witness[l]], l)
		default:
			p.setWitness(c, l)
			if len(s.occ.lists[l^1]) > 0 {
				p.queue = append(p.queue, l)
			}
		}
	}
}

// findWitness sets p.witness[l] to an open clause with l. The search starts after
// the present witness. It reports false if l has no open clause.
func (s *Solver) findWitness(l dimacs.Lit) bool {
	p := &s.pure
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

// bytes returns the size of the tables.
func (p *pureFinder) bytes() int64 {
	return 4 * int64(len(p.witness)+len(p.next)+len(p.first)+len(p.absent))
}
