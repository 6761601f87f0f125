package cdcl

import (
	"sator/dimacs"
)

// A simplification may take a variable out of the search altogether: all its
// clauses are resolved away, or it equals another literal and is replaced by
// it. Such a variable is retired. What is left has a model if and only if the
// clauses before had one, but a model of it says nothing of the variable.
//
// So the clauses that went with the variable are kept on a reconstructionStack, each with a
// witness: the literal of the variable in it. A model is extended from the top of
// the reconstructionStack down: a clause that is not satisfied is, once its witness is made
// true, and those above it stay satisfied (Järvisalo, Heule, Biere, "Inprocessing
// rules", IJCAR 2012).
//
// A caller may come back to a variable, in a clause that it adds or as an
// assumption. Then the variable is restored: its clauses leave the reconstructionStack and are
// clauses of the formula again. They hold variables that were retired later,
// which have to come back too; nothing that was retired earlier has to, for the
// records of a variable have only variables that were still there when it went.
// This is coarser than to restore the clauses that a new one conflicts with
// (Fazekas, Biere, Scholl, "Incremental inprocessing in SAT solving", SAT 2019),
// but needs no order among clauses. A variable that came back is not retired
// again: who asks for it once, asks for it again.
//
// A proof knows clauses on the reconstructionStack as long as they may come back. A solver that
// is asked once (Options.OneShot) tells that they are gone.
type reconstructionStack struct {
	// Records, each a clause with its witness in front, then the low and the
	// high word of its proof id, then the number of literals.
	words   []uint32
	records int
}

// Bits of s.flags, by variable.
const (
	removedFlag = 1 << iota // out of the search
	keptFlag                // never to be retired (again)
)

// active reports whether v takes part in the search: it is not retired. It may
// be assigned.
func (s *Solver) active(v uint32) bool { return s.flags[v]&removedFlag == 0 }

// removable reports whether v may be retired: it is unassigned, and nobody asks
// for it.
func (s *Solver) removable(v uint32) bool { return s.flags[v] == 0 && s.vals[2*v] == 0 }

// remove takes the unassigned variable v out of the search. Its clauses must be on
// the stack, or leave the formula before the pass ends.
func (s *Solver) remove(v uint32) {
	if checking && !s.removable(v) {
		s.fault("variable %d is retired", v+1)
	}
	s.flags[v] |= removedFlag
	s.removed++
	s.queue.Remove(v)
	s.heap.Remove(v)
}

// weaken puts a clause with this proof id on the stack. The literal in front is
// its witness. The caller takes the clause from the formula without a word to the
// proof.
func (s *Solver) weaken(c []dimacs.Lit, id int64) {
	k := &s.reconstruction
	for _, l := range c {
		k.words = append(k.words, uint32(l))
	}
	k.words = append(k.words, uint32(id), uint32(id>>32), uint32(len(c)))
	k.records++
	if s.proof != nil && s.opts.OneShot {
		s.proof.Delete(id, c)
	}
}

// reconstructModel gives values to the retired variables of s.model, which satisfies the
// clauses.
func (s *Solver) reconstructModel() { s.Reconstruct(s.model, s.StackHeight()) }

// StackHeight returns how high the stack is, for [Solver.Reconstruct].
func (s *Solver) StackHeight() int { return len(s.reconstruction.words) }

// Reconstruct changes a model of the clauses that a solver with OneShot held when its
// stack had this height to one of all that it was given. What the model says of
// variables that were retired by then is of no account. It has to have a value for
// each variable, those that the solver made included; see [Solver.SimplifiedWithIDs].
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

// restore brings the retired variables of lits back, and keeps all of them from
// then on. It must be called at the root.
func (s *Solver) restore(lits []dimacs.Lit) {
	gone := false
	for _, l := range lits {
		if v := uint32(l >> 1); !s.active(v) {
			s.reactivate(v)
			gone = true
		}
	}
	if gone {
		s.restoreClauses()
	}
}

// reactivate makes v a variable of the search again.
func (s *Solver) reactivate(v uint32) {
	s.flags[v] = keptFlag
	s.removed--
	s.stats.Restored++
	s.queue.Enqueue(v)
	s.queue.Next = v
	s.heap.Push(v)
}

// restoreClauses adds the clauses again whose witness is no longer retired. Those that
// they bring back have their records further up.
func (s *Solver) restoreClauses() {
	if s.proof != nil && s.opts.OneShot {
		panic("cdcl: a solver with OneShot and a proof is asked again")
	}
	var back []stackedClause
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
		back = append(back, stackedClause{lits: c, id: r.id})
	}
	s.reconstruction.words = words[:kept]
	s.reconstruction.records -= len(back)
	for _, r := range back {
		s.insert(r.lits, r.id)
	}
}

// A stackedClause is a clause on the stack.
type stackedClause struct {
	at, size int // where its literals are
	id       int64
	lits     []dimacs.Lit
}

// all returns the records from the bottom up.
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

// KeepModels makes the solver keep all models from now on: no variable is
// retired, and those that are come back. What simplifies the formula to one that
// has a model if and only if the formula has one would lose models otherwise,
// which matters to a caller that is after more than one.
func (s *Solver) KeepModels() {
	if s.introduced > 0 {
		panic("cdcl: KeepModels after a solver with OneShot has made variables of its own")
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
