package cdcl

import (
	"context"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/twosat"
)

// Equivalent literal substitution by strongly connected components (SCCs). Literals
// that imply one another along binary clauses have the same value in every model. They
// are the SCCs of the binary implication graph (Aspvall, Plass, Tarjan, "A linear-time
// algorithm for testing the truth of certain quantified Boolean formulas", 1979; van
// Gelder and Tsuji, "Satisfiability testing with more reasoning and less guessing",
// 1996). One literal of each component is its representative and replaces the others in
// all clauses, irredundant and learned; the variables of the others leave the search
// (reconstruct.go). Clauses with several literals of a component get shorter, and more
// clauses become equal.
//
// Learned binary clauses count as edges: they follow from the formula, and so do the
// equivalences. The complements of a component are a component too, with the complement
// as its representative. If a component has a literal and its complement, the formula
// is refuted: the path from one to the other gives a unit that fails along the path
// back.
//
// For each replaced literal l with representative r, the proof gets the two binary
// clauses of the equivalence. The clauses of one direction are derived along a tree of
// shortest paths from r, each from the clause of the parent and an edge; the tree from
// the complement of r gives the clauses of the other direction. With them, each changed
// clause is derived in one step. They stay on the reconstruction stack, from which l
// gets its value.
//
// Clauses that keep their length are rewritten in place. Then all watches of long
// clauses are removed, and these clauses are watched anew like added ones (connect.go).
// To check each watch in the arena instead would take as long, and could not be
// interrupted. Once the rewriting of the clauses has begun, the substitution cannot be
// undone, and the next call completes it: clauses that imply an equivalence may have become
// tautologies, and the binary clauses of the equivalence may be learned ones, which are not
// part of the formula.
//
// A restored variable is not substituted again; the first restored variable of a component
// is the representative.

// substituteRounds bounds the rounds of a pass: substitution may create new binary
// clauses, and so new components.
const substituteRounds = 3

// A substituter is a round of equivalent literal substitution.
type substituter struct {
	s               *Solver
	g               *inprocess.Implications
	components      *twosat.Condensation
	rep             []dimacs.Lit    // by literal: its representative
	representatives []dimacs.Lit    // of the components of two literals or more
	replaced        []uint32        // variables to be removed
	implied         []int64         // by literal, with a proof: id of its clause with its representative
	temporary       []stackedClause // clauses in the proof that reconstruction does not need
	mapped          []dimacs.Lit    // scratch
	units           []inprocess.Unit
	clause          uint32 // clauses of the arena before this position are rewritten
	rewritten       int    // lists of literals before this one are rewritten
}

// substitute replaces literals by their representatives. A round takes linear time; the
// budget decides whether another round begins.
func (s *Solver) substitute(budget int64) {
	limit := s.stats.Ticks + budget
	for range substituteRounds {
		if s.stats.Ticks >= limit || !s.substituteRound() {
			return
		}
	}
}

// substituteRound reports whether it replaced a literal and another round may follow.
func (s *Solver) substituteRound() bool {
	g := s.implications(s.proof.log != nil)
	if g == nil {
		return false
	}
	u := &substituter{s: s, g: g, components: s.components(g), clause: 2}
	if u.components == nil || u.components.Len() == len(s.trail.vals) {
		return false
	}
	if l, ok := u.contradiction(); ok {
		return s.assignUnits([]inprocess.Unit{u.refuteComponent(l)})
	}
	if !u.chooseRepresentatives() || len(u.replaced) == 0 {
		return false
	}
	if s.proof.log != nil {
		u.deriveImplications()
	}
	u.g = nil // a later call may finish the substitution
	s.substitution = u
	return s.finishSubstitution() && s.deleteDuplicates()
}

// finishSubstitution rewrites the lists and removes the variables. It reports whether
// the pass may go on after that.
func (s *Solver) finishSubstitution() bool {
	u := s.substitution
	if !u.rewriteLong() || !u.rewriteLists() {
		return false
	}
	s.substitution = nil
	u.removeReplaced()
	return u.rewatch()
}

// components returns the strongly connected components of the graph, or nil if the call
// is stopped.
func (s *Solver) components(g *inprocess.Implications) *twosat.Condensation {
	s.stats.Ticks += int64(len(g.Start)/4 + len(g.Heads)/8)
	ctx := s.call.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	if !s.call.deadline.IsZero() {
		limited, cancel := context.WithDeadline(ctx, s.call.deadline)
		defer cancel()
		ctx = limited
	}
	c := twosat.CondenseContext(ctx, twosat.FromRows(g.Start, g.Heads))
	if c == nil {
		s.call.stopped = true
	}
	return c
}

// contradiction returns a literal that is in a component with its complement, if there
// is one.
func (u *substituter) contradiction() (l dimacs.Lit, ok bool) {
	for l := uint32(0); int(l) < len(u.s.trail.vals); l += 2 {
		u.s.pausing(int(l) + 2)
		if u.components.Of(l) == u.components.Of(l+1) {
			return dimacs.Lit(l), true
		}
	}
	return 0, false
}

// refuteComponent derives a unit from a path from l to its complement. Propagation of
// the unit then refutes the formula along the path back.
func (u *substituter) refuteComponent(l dimacs.Lit) inprocess.Unit {
	nodes := make([]reached, len(u.s.trail.vals))
	queue := []dimacs.Lit{l}
	for at := 0; nodes[l^1].stamp == 0; at++ {
		m := queue[at]
		for j := u.g.Start[m]; j < u.g.Start[m+1]; j++ {
			if k := dimacs.Lit(u.g.Heads[j]); nodes[k].stamp == 0 {
				nodes[k] = reached{1, j, m}
				queue = append(queue, k)
			}
		}
	}
	return u.s.deriveFailed(u.g, nodes, l, 2)
}

// chooseRepresentatives chooses a literal for each component, and its complement for
// the complementary component: the first one whose variable must not be removed, or
// else the first one. It reports false if the call is stopped.
func (u *substituter) chooseRepresentatives() bool {
	u.rep = make([]dimacs.Lit, len(u.s.trail.vals))
	for l := range u.rep {
		u.rep[l] = dimacs.Lit(l)
	}
	u.components.Members(0)
	u.s.pausing(0)
	for x := range uint32(u.components.Len()) {
		if u.s.pausing(int(x)) {
			return false
		}
		members := u.components.Members(x)
		if len(members) == 1 || u.components.Of(members[0]^1) < x {
			continue
		}
		root := members[0]
		if i := slices.IndexFunc(members, func(l uint32) bool { return !u.s.removal.removable(l >> 1) }); i >= 0 {
			root = members[i]
		}
		u.representatives = append(u.representatives, dimacs.Lit(root))
		for _, l := range members {
			if l != root && u.s.removal.removable(l>>1) {
				u.rep[l], u.rep[l^1] = dimacs.Lit(root), dimacs.Lit(root^1)
				u.replaced = append(u.replaced, l>>1)
			}
		}
	}
	return true
}

// deriveImplications logs for each literal of a component that it implies the
// representative.
func (u *substituter) deriveImplications() {
	u.implied = make([]int64, len(u.s.trail.vals))
	var queue []dimacs.Lit
	for _, r := range u.representatives {
		queue = u.deriveFrom(r, queue[:0])
		queue = u.deriveFrom(r^1, queue[:0])
	}
}

// deriveFrom logs the clause by which root implies n, for each other literal n of its
// component. By the same clause n^1 implies root^1, the representative of n^1, so its id
// is stored in implied[n^1].
func (u *substituter) deriveFrom(root dimacs.Lit, queue []dimacs.Lit) []dimacs.Lit {
	s := u.s
	x := u.components.Of(uint32(root))
	queue = append(queue, root)
	for at := 0; at < len(queue); at++ {
		m := queue[at]
		for j := u.g.Start[m]; j < u.g.Start[m+1]; j++ {
			n := dimacs.Lit(u.g.Heads[j])
			if n == root || u.implied[n^1] != 0 || u.components.Of(uint32(n)) != x {
				continue
			}
			s.proof.chain = s.proof.chain[:0]
			if m != root {
				s.proof.chain = append(s.proof.chain, u.implied[m^1])
			}
			s.proof.chain = append(s.proof.chain, s.clauses.edgeID(u.g, j))
			s.proof.scratch = append(s.proof.scratch[:0], n, root^1)
			id := s.proof.log.Learn(s.proof.scratch, s.proof.hintChain())
			u.implied[n^1] = id
			if u.rep[n] == n {
				u.temporary = append(u.temporary, stackedClause{lits: slices.Clone(s.proof.scratch), id: id})
			}
			queue = append(queue, n)
		}
	}
	return queue
}

// rewriteLong replaces literals in the clauses of the arena that are not rewritten yet. It
// reports false if the call is stopped.
func (u *substituter) rewriteLong() bool {
	s := u.s
	for steps := 1; int(u.clause) < len(s.clauses.arena); steps++ {
		if s.pausing(steps) {
			return false
		}
		s.stats.Ticks++
		r := u.clause + uint32(s.clauses.prefix)
		u.clause += uint32(s.clauses.words(int(s.clauses.arena[r+1])))
		if s.clauses.arena[r]&garbageBit == 0 && u.hasReplaced(s.clauses.lits(r)) {
			u.rewrite(r)
		}
	}
	return true
}

// hasReplaced reports whether a literal has another literal as its representative.
func (u *substituter) hasReplaced(lits []uint32) bool {
	for _, w := range lits {
		if u.rep[w] != dimacs.Lit(w) {
			return true
		}
	}
	return false
}

// rewrite replaces literals in the clause at r.
func (u *substituter) rewrite(r uint32) {
	s := u.s
	lits, h := s.clauses.lits(r), s.clauses.arena[r]
	c, id, ok := u.derive(lits, s.clauses.id(r))
	switch {
	case !ok:
	case len(c) == 1:
		u.units = append(u.units, inprocess.Unit{Lit: c[0], ID: id})
	case len(c) == len(lits):
		u.overwrite(r, c, id)
		return
	default:
		u.add(c, h, min(s.clauses.glue(r), len(c)-1), id)
	}
	s.clauses.deleteClause(r)
}

// add adds the clause c in place of a clause with the header h. It is watched by
// rewatch.
func (u *substituter) add(c []dimacs.Lit, h uint32, glue int, id int64) {
	s := u.s
	redundant := h&redundantBit != 0
	if len(c) == 2 {
		s.clauses.addPending(pendingBinary{c[0], c[1], s.clauses.binaryRef(redundant, id)})
		return
	}
	n := s.clauses.alloc(c, redundant, glue, id)
	if redundant {
		s.stats.Redundant++
	} else {
		s.stats.Irredundant++
	}
	s.clauses.setUsed(n, h&usedMask>>usedShift)
}

// derive returns the clause with representatives in place of its literals, in scratch
// memory, and logs it. If the clause is satisfied or a tautology, it logs nothing and
// reports false.
func (u *substituter) derive(lits []uint32, id int64) (c []dimacs.Lit, derived int64, ok bool) {
	s := u.s
	u.mapped = u.mapped[:0]
	for _, w := range lits {
		u.mapped = append(u.mapped, u.rep[w])
	}
	c, redundant := s.analysis.normalize(u.mapped)
	if redundant || s.proof.log == nil {
		return c, 0, !redundant
	}
	s.proof.chain = s.proof.chain[:0]
	for _, w := range lits {
		switch {
		case s.trail.vals[w] < 0:
			s.proof.chain = append(s.proof.chain, s.proof.unitIDs[w>>1])
		case u.rep[w] != dimacs.Lit(w):
			s.proof.chain = append(s.proof.chain, u.implied[w])
		}
	}
	s.proof.chain = append(s.proof.chain, id)
	return c, s.proof.log.Learn(c, s.proof.hintChain()), true
}

// overwrite replaces the clause at r by a clause of the same length.
func (u *substituter) overwrite(r uint32, c []dimacs.Lit, id int64) {
	s := u.s
	if s.proof.log != nil {
		s.proof.log.Delete(s.clauses.id(r), s.clauses.literals(s.clauses.lits(r)))
		s.clauses.arena[r-2], s.clauses.arena[r-1] = uint32(id), uint32(id>>32)
	}
	for i, l := range c {
		s.clauses.arena[r+headerWords+uint32(i)] = uint32(l)
	}
	s.clauses.arena[r+2] = 2
	s.clauses.arena[r] &^= comparedBit
}

// rewriteLists removes the watches of long clauses from the lists, and rewrites the
// binary clauses. It reports false if the call is stopped.
func (u *substituter) rewriteLists() bool {
	s := u.s
	for ; u.rewritten < len(u.rep); u.rewritten++ {
		if s.pausing(u.rewritten) {
			return false
		}
		l := dimacs.Lit(u.rewritten)
		ws := s.clauses.list(l)
		s.stats.Ticks += 1 + int64(len(ws)>>3)
		kept := ws[:0]
		for _, w := range ws {
			b := w.blocker()
			switch {
			case !w.binary():
				continue
			case u.rep[l] != l || u.rep[b] != b:
				if l < b {
					u.rewriteBinary(l, w)
				}
				continue
			}
			kept = append(kept, w)
		}
		h := &s.clauses.watches[l]
		h.len = uint32(len(kept))
		if u.rep[l] != l {
			s.clauses.release(h)
			*h = watchList{}
		}
	}
	return true
}

// rewriteBinary replaces literals in a binary clause. The new clause is pending, and
// not in the lists.
func (u *substituter) rewriteBinary(l dimacs.Lit, w watch) {
	s := u.s
	c, id, ok := u.derive([]uint32{uint32(l), uint32(w.blocker())}, s.clauses.refID(w.ref()))
	switch {
	case !ok:
	case len(c) == 1:
		u.units = append(u.units, inprocess.Unit{Lit: c[0], ID: id})
	default:
		s.clauses.addPending(pendingBinary{c[0], c[1], s.clauses.binaryRef(w.redundant(), id)})
	}
	s.clauses.binaryDeleted(l, w.blocker(), w)
}

// rewatch watches all clauses, assigns the units, and deletes the temporary clauses of
// the proof. It reports whether the pass may go on. If the call is stopped, the next call
// watches the remaining clauses, as it does with added clauses.
func (u *substituter) rewatch() bool {
	s := u.s
	if s.proof.log != nil {
		for _, c := range u.temporary {
			s.proof.log.Delete(c.id, c.lits)
		}
	}
	s.clauses.unwatched = 2
	s.connect()
	return s.assignUnits(u.units)
}

// removeReplaced removes the replaced variables, and puts their equivalences on the
// reconstruction stack.
func (u *substituter) removeReplaced() {
	s := u.s
	for _, v := range u.replaced {
		l := dimacs.Lit(2 * v)
		r := u.rep[l]
		var positive, negative int64
		if u.implied != nil {
			positive, negative = u.implied[l^1], u.implied[l]
		}
		s.removal.weaken([]dimacs.Lit{l, r ^ 1}, positive)
		s.removal.weaken([]dimacs.Lit{l ^ 1, r}, negative)
		s.removal.remove(v)
	}
	s.stats.Substituted += int64(len(u.replaced))
}
