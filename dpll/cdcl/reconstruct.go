package cdcl

import (
	"sator/dimacs"
)

// Model reconstruction. Simplification may remove a variable from the formula: by
// bounded variable elimination (BVE), or by substituting an equivalent literal for it.
// The remaining formula has a model if and only if the original one has, but its
// models have no value for a removed variable.
//
// So the clauses of removed variables are kept on a reconstruction stack, each with a
// witness: the literal of the removed variable. To extend a model, the clauses are
// visited from the top of the stack down. If a clause is not satisfied its witness is
// made true, and the clauses visited before stay satisfied (Järvisalo, Heule, Biere,
// "Inprocessing rules", IJCAR 2012).
//
// A caller may use a removed variable later, in a new clause or as an assumption. Then
// the variable is restored: its clauses move from the stack back to the formula. They
// may contain variables that were removed later, which must be restored, too. They
// contain no variable that was removed earlier, since such a variable was no longer
// in the formula. This is coarser than restoring only the clauses that conflict with a
// new clause (Fazekas, Biere, Scholl, "Incremental inprocessing in SAT solving", SAT
// 2019), but needs no order among clauses. A restored variable is never removed again,
// because a caller that uses it once will probably use it again.
//
// In a proof the clauses on the stack stay active, since they may be restored. A solver
// with Options.OneShot logs their deletion.
type reconstructionStack struct {
	// words has the records. Each is a clause with its witness in front, then the low
	// and the high word of its proof id, then the number of literals.
	words   []uint32
	records int
}

// Bits of s.flags, by variable.
const (
	removedFlag = 1 << iota // eliminated or substituted
	keptFlag                // restored, never to be removed again
)

// active reports whether v is not removed. It may be assigned.
func (s *Solver) active(v uint32) bool { return s.flags[v]&removedFlag == 0 }

// removable reports whether v may be removed: it is active, unassigned and was never
// restored.
func (s *Solver) removable(v uint32) bool { return s.flags[v] == 0 && s.vals[2*v] == 0 }

// remove removes the unassigned variable v. Its clauses must be on the reconstruction
// stack, or be deleted before the pass ends.
func (s *Solver) remove(v uint32) {
	if checking && !s.removable(v) {
		s.fault("variable %d is not removable", v+1)
	}
	s.flags[v] |= removedFlag
	s.removed++
	s.queue.Remove(v)
	s.heap.Remove(v)
}

// weaken pushes a clause with this proof id to the reconstruction stack. Its first
// literal is the witness. The caller removes the clause from the formula without
// logging a deletion.
func (s *Solver) weaken(c []dimacs.Lit, id int64) {
	k := &s.reconstruction
	k.words = dimacs.Extend(s.opts.Memory, k.words, len(c)+3)
	for _, l := range c {
		k.words = append(k.words, uint32(l))
	}
	k.words = append(k.words, uint32(id), uint32(id>>32), uint32(len(c)))
	k.records++
	if s.proof != nil && s.opts.OneShot {
		s.proof.Delete(id, c)
	}
}

// reconstructModel extends s.model, which satisfies the clauses, to the removed
// variables.
func (s *Solver) reconstructModel() { s.Reconstruct(s.model, s.StackHeight()) }

// StackHeight returns the height of the reconstruction stack, for [Solver.Reconstruct].
func (s *Solver) StackHeight() int { return len(s.reconstruction.words) }

// Reconstruct extends a model of the clauses that a solver with OneShot held when its
// reconstruction stack had this height to a model of all clauses that it was given.
// The model must have a value for each variable, extension variables included; the
// values of variables that were removed by then are ignored and overwritten. See
// [Solver.SimplifiedWithIDs].
func (s *Solver) Reconstruct(m dimacs.Model, height int) {
	words := s.reconstruction.words
	for end := height; end > 0; {
		n := int(words[end-1])
		c := words[end-3-n : end-3]
		end -= n + 3
		if !satisfies(m, c) {
			w := c[0]
			m[w>>1] = dimacs.True
			if w&1 != 0 {
				m[w>>1] = dimacs.False
			}
		}
	}
}

func satisfies(m dimacs.Model, c []uint32) bool {
	for _, w := range c {
		if m.Lit(dimacs.Lit(w)) == dimacs.True {
			return true
		}
	}
	return false
}

// restore restores the removed variables of lits, which are never removed again. It
// must be called at the root.
func (s *Solver) restore(lits []dimacs.Lit) {
	restored := false
	for _, l := range lits {
		if v := uint32(l >> 1); !s.active(v) {
			s.reactivate(v)
			restored = true
		}
	}
	if restored {
		s.restoreClauses()
	}
}

// reactivate adds the removed variable v to the search again.
func (s *Solver) reactivate(v uint32) {
	s.flags[v] = keptFlag
	s.removed--
	s.stats.Restored++
	s.queue.Enqueue(v)
	s.queue.Next = v
	s.heap.Push(v)
}

// restoreClauses adds the clauses on the stack whose witness is active to the formula
// again. They may reactivate variables, whose records are further up the stack.
func (s *Solver) restoreClauses() {
	if s.proof != nil && s.opts.OneShot {
		panic("cdcl: removed variable used again in a OneShot solver with a proof")
	}
	var restored []stackedClause
	words, kept := s.reconstruction.words, 0
	for _, r := range s.reconstruction.all() {
		if !s.active(words[r.at] >> 1) {
			kept += copy(words[kept:], words[r.at:r.at+r.size+3])
			continue
		}
		c := make([]dimacs.Lit, r.size)
		for i, w := range words[r.at : r.at+r.size] {
			c[i] = dimacs.Lit(w)
			if v := w >> 1; !s.active(v) {
				s.reactivate(v)
			}
		}
		restored = append(restored, stackedClause{lits: c, id: r.id})
	}
	s.reconstruction.words = words[:kept]
	s.reconstruction.records -= len(restored)
	for _, r := range restored {
		s.insert(r.lits, r.id)
	}
}

// A stackedClause is a clause on the reconstruction stack.
type stackedClause struct {
	at, size int // position and number of its literals in words
	id       int64
	lits     []dimacs.Lit
}

// all returns the records from the bottom of the stack up.
func (k *reconstructionStack) all() []stackedClause {
	rs := make([]stackedClause, k.records)
	end := len(k.words)
	for i := range rs {
		n := int(k.words[end-1])
		at := end - 3 - n
		id := int64(k.words[end-3]) | int64(k.words[end-2])<<32
		rs[len(rs)-1-i] = stackedClause{at: at, size: n, id: id}
		end = at
	}
	return rs
}

// KeepModels makes the solver keep all models from now on: it restores all removed
// variables and removes no more. Callers that enumerate or count models need that,
// since a simplification may otherwise lose models as long as it preserves
// satisfiability.
func (s *Solver) KeepModels() {
	if s.introduced > 0 {
		panic("cdcl: KeepModels called for a OneShot solver with extension variables")
	}
	s.resetAndComplete()
	s.keepModels = true
	for v := range s.flags {
		if !s.active(uint32(v)) {
			s.reactivate(uint32(v))
		}
	}
	if s.reconstruction.records > 0 {
		s.restoreClauses()
	}
}
