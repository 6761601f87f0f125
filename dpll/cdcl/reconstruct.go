package cdcl

import (
	"container/heap"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/order"
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
//
// The records of a variable are consecutive. An index of their positions is made when a
// variable is restored for the first time, so that a restoration reads no other records.
type reconstructionStack struct {
	// words has the records. Each is a clause with its witness in front, then the low
	// and the high word of its proof id, then the number of literals and restoredBit.
	words    []uint32
	space    *reservation // of many words
	records  int          // number of records that are not restored
	restored int          // number of words of the restored records
	top      []int        // by variable: end of the last of its records, or 0; the index
	indexed  int          // end of the part of words that the index covers
}

// restoredBit marks a record whose clause is in the formula again.
const restoredBit = 1 << 31

// Bits of s.removal.flags, by variable.
const (
	removedFlag   = 1 << iota // eliminated or substituted
	keptFlag                  // restored, frozen or assumed in a round, never to be removed
	observedFlag              // reported to the propagator
	auxiliaryFlag             // of an enumeration, whose models have no value for it
	groupFlag                 // activation literal of a group
)

// A removal records the eliminated and substituted variables and how to reconstruct
// their values.
type removal struct {
	opts      *Options
	stats     *Stats
	proof     *proofLog
	trail     *trail
	decisions *decisions

	stack      reconstructionStack
	removed    int     // number of eliminated and substituted variables
	introduced int     // number of extension variables, numbered above the caller's
	keepModels bool    // variables must not be removed
	flags      []uint8 // by variable: removedFlag, keptFlag
}

// active reports whether v is not removed. It may be assigned.
func (r *removal) active(v uint32) bool { return r.flags[v]&removedFlag == 0 }

// removable reports whether v may be removed: it is active, unassigned and neither
// restored nor frozen.
func (r *removal) removable(v uint32) bool { return r.flags[v] == 0 && r.trail.vals[2*v] == 0 }

// keep excludes the variables of lits from removal.
func (r *removal) keep(lits []dimacs.Lit) {
	for _, l := range lits {
		r.flags[l>>1] |= keptFlag
	}
}

// remove removes the unassigned variable v. Its clauses must be on the reconstruction
// stack, or be deleted before the pass ends.
func (r *removal) remove(v uint32) {
	if checking && !r.removable(v) {
		fault("variable %d is not removable", v+1)
	}
	r.flags[v] |= removedFlag
	r.removed++
	r.decisions.queue.Remove(v)
	r.decisions.heap.Remove(v)
}

// weaken pushes a clause with this proof id to the reconstruction stack. Its first
// literal is the witness. The caller removes the clause from the formula without
// logging a deletion.
func (r *removal) weaken(c []dimacs.Lit, id int64) {
	k := &r.stack
	if need := len(k.words) + len(c) + 3; need > cap(k.words) {
		k.words = grown(r.opts.Memory, &k.space, k.words, need)
	}
	for _, l := range c {
		k.words = append(k.words, uint32(l))
	}
	k.words = append(k.words, uint32(id), uint32(id>>32), uint32(len(c)))
	k.records++
	if r.proof.log != nil && r.opts.OneShot {
		r.proof.log.Delete(id, c)
	}
}

// reconstruct extends a model of the clauses at this height of the stack; see
// [Leader.Reconstruct].
func (k *reconstructionStack) reconstruct(m dimacs.Model, height int) {
	for end := height; end > 0; {
		r := k.at(end)
		end = r.start
		if c := k.clause(r); !r.restored && !satisfies(m, c) {
			w := c[0]
			m[w>>1] = dimacs.True
			if w&1 != 0 {
				m[w>>1] = dimacs.False
			}
		}
	}
}

// A stackRecord is the place of a record on the stack.
type stackRecord struct {
	start, end int
	restored   bool
}

// at returns the record that ends at this position, which must not be 0.
func (k *reconstructionStack) at(end int) stackRecord {
	n := k.words[end-1]
	return stackRecord{end - 3 - int(n&^restoredBit), end, n&restoredBit != 0}
}

// clause returns the literals of a record, in place.
func (k *reconstructionStack) clause(r stackRecord) []uint32 { return k.words[r.start : r.end-3] }

// witness returns the variable of a record.
func (k *reconstructionStack) witness(r stackRecord) uint32 { return k.words[r.start] >> 1 }

func satisfies(m dimacs.Model, c []uint32) bool {
	for _, w := range c {
		if m.Lit(dimacs.Lit(w)) == dimacs.True {
			return true
		}
	}
	return false
}

// restore restores the removed variables of lits, which are never removed again. It
// must be called at the root. The time depends on the restored clauses alone, once the
// stack is indexed.
func (s *Solver) restore(lits []dimacs.Lit) {
	var vars []uint32
	for _, l := range lits {
		if v := uint32(l >> 1); !s.removal.active(v) {
			s.removal.reactivate(v)
			vars = append(vars, v)
		}
	}
	if len(vars) > 0 {
		s.restoreClauses(vars)
	}
}

// reactivate adds the removed variable v to the search again.
func (r *removal) reactivate(v uint32) {
	r.flags[v] = keptFlag
	r.removed--
	r.stats.Restored++
	r.decisions.queue.Enqueue(v)
	r.decisions.queue.Next = v
	r.decisions.heap.Push(v)
}

// restoreClauses adds the clauses of reactivated variables to the formula again, from the
// bottom of the stack up. These may contain removed variables, whose records are further
// up the stack; they are restored, too.
func (s *Solver) restoreClauses(vars []uint32) {
	if s.proof.log != nil && s.opts.OneShot {
		panic("cdcl: removed variable used again in a OneShot solver with a proof")
	}
	k := &s.removal.stack
	if n := len(s.trail.vars); n > cap(k.top) {
		s.opts.Memory.Require(8 * int64(n))
	}
	k.index(len(s.trail.vars))
	var due positions
	for _, v := range vars {
		heap.Push(&due, k.top[v])
	}
	var restored []stackedClause
	for len(due) > 0 {
		for _, c := range k.take(heap.Pop(&due).(int)) {
			for _, l := range c.lits {
				if v := uint32(l >> 1); !s.removal.active(v) {
					s.removal.reactivate(v)
					heap.Push(&due, k.top[v])
				}
			}
			restored = append(restored, c)
		}
	}
	k.compact()
	for _, c := range restored {
		s.insert(c.lits, c.id)
	}
}

// positions is a heap of positions on the stack, the lowest first.
type positions []int

func (p positions) Len() int           { return len(p) }
func (p positions) Less(i, j int) bool { return p[i] < p[j] }
func (p positions) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *positions) Push(x any)        { *p = append(*p, x.(int)) }
func (p *positions) Pop() any {
	last := len(*p) - 1
	x := (*p)[last]
	*p = (*p)[:last]
	return x
}

// index extends the index to the whole stack and to this number of variables.
func (k *reconstructionStack) index(vars int) {
	k.top = lengthen(k.top, vars)
	above := order.None
	for end := len(k.words); end > k.indexed; {
		r := k.at(end)
		if v := k.witness(r); v != above && !r.restored {
			if checking && k.top[v] > k.indexed {
				panic("cdcl: broken invariant: the records of a variable are not consecutive")
			}
			k.top[v], above = end, v
		}
		end = r.start
	}
	k.indexed = len(k.words)
}

// A stackedClause is a clause of the stack with its proof id.
type stackedClause struct {
	lits []dimacs.Lit
	id   int64
}

// take returns the clauses of a variable, whose last record ends at this position, from
// the bottom of the stack up, and marks their records as restored. It returns nil at the
// position 0.
func (k *reconstructionStack) take(end int) (clauses []stackedClause) {
	if end == 0 {
		return nil
	}
	for v := k.witness(k.at(end)); end > 0; {
		r := k.at(end)
		if r.restored || k.witness(r) != v {
			break
		}
		c := stackedClause{id: int64(k.words[end-3]) | int64(k.words[end-2])<<32}
		for _, w := range k.clause(r) {
			c.lits = append(c.lits, dimacs.Lit(w))
		}
		clauses = append(clauses, c)
		k.words[end-1] |= restoredBit
		k.records--
		k.restored += r.end - r.start
		end = r.start
	}
	slices.Reverse(clauses)
	return clauses
}

// compact deletes the restored records if they are more than half of the stack. The next
// restoration makes a new index.
func (k *reconstructionStack) compact() {
	if 2*k.restored <= len(k.words) {
		return
	}
	kept := 0
	for _, r := range k.all() {
		kept += copy(k.words[kept:], k.words[r.start:r.end])
	}
	k.words, k.restored = k.words[:kept], 0
	clear(k.top)
	k.indexed = 0
}

// all returns the records that are not restored, from the bottom of the stack up.
func (k *reconstructionStack) all() []stackRecord {
	rs := make([]stackRecord, 0, k.records)
	for end := len(k.words); end > 0; {
		r := k.at(end)
		if !r.restored {
			rs = append(rs, r)
		}
		end = r.start
	}
	slices.Reverse(rs)
	return rs
}

// bytes returns the memory of the stack and its index.
func (k *reconstructionStack) bytes() int64 { return 4*int64(len(k.words)) + 8*int64(len(k.top)) }

// Freeze makes the solver keep the variables of lits: they are neither eliminated nor
// substituted from now on, and restored if they were. A caller freezes the variables that
// it will use in later clauses and assumptions, so that they need not be restored then.
// Freeze adds variables that the solver lacks. It panics if called from a callback.
func (s *Solver) Freeze(lits ...dimacs.Lit) {
	s.requireIdle()
	defer s.guard(nil)
	s.resetAndComplete()
	s.freeze(lits)
}

// freeze freezes the variables of lits, at the root.
func (s *Solver) freeze(lits []dimacs.Lit) {
	s.admitUnchecked(lits, auxiliaryFlag)
	s.restore(lits)
	s.removal.keep(lits)
}

// KeepModels makes the solver keep all models from now on: it restores all removed
// variables and removes no more. Callers that enumerate or count models need that,
// since a simplification may otherwise lose models as long as it preserves
// satisfiability.
func (s *Solver) KeepModels() {
	if s.removal.introduced > 0 {
		panic("cdcl: KeepModels called for a OneShot solver with extension variables")
	}
	s.requireSymmetries("KeepModels")
	defer s.guard(nil)
	s.resetAndComplete()
	s.removal.keepModels = true
	var vars []uint32
	for v := range uint32(len(s.removal.flags)) {
		if !s.removal.active(v) {
			s.removal.reactivate(v)
			vars = append(vars, v)
		}
	}
	if s.removal.stack.records > 0 {
		s.restoreClauses(vars)
	}
}

// onlyCallerVars reports whether no variable of c is a fresh variable. A learned clause
// over the caller's variables follows from the original formula.
func (r *removal) onlyCallerVars(c []dimacs.Lit) bool {
	return r.introduced == 0 || !slices.ContainsFunc(c, func(l dimacs.Lit) bool { return int(l>>1) >= r.givenVars() })
}

// hasRemoved reports whether a variable of the clause is removed.
func (r *removal) hasRemoved(c []uint32) bool {
	for _, w := range c {
		if !r.active(w >> 1) {
			return true
		}
	}
	return false
}

// restoresOrGrows reports whether a variable of lits is new or removed.
func (r *removal) restoresOrGrows(lits []dimacs.Lit) bool {
	return slices.ContainsFunc(lits, func(l dimacs.Lit) bool {
		return int(l>>1) >= len(r.trail.vars) || !r.active(uint32(l>>1))
	})
}

// givenVars returns the number of variables without extension variables.
func (r *removal) givenVars() int { return len(r.trail.vars) - r.introduced }
