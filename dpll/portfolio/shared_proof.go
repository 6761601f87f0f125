package portfolio

import (
	"fmt"
	"sync"

	"sator/dimacs"
)

// A shared proof is one proof that several solvers write (Heule, Manthey and Philipp,
// "Validating unsat results of clause sharing parallel SAT solvers", POS 2014). The
// order in which the solvers acquire its lock is the order of its steps. A solver logs
// a lemma before it exports the clause, so each lemma follows from earlier steps of all
// solvers. An engine writes to its [solverProof] as to any other proof.
//
//   - Original clauses are logged once. All solvers receive the same clauses in the
//     same order, so the i-th clause is the same in each solver and has the same id.
//   - Clauses have reference counts. An original clause has one reference for each
//     solver, and a lemma has one for the solver that learned it. When a lemma is
//     shared, it has one more for each solver that it is offered to; a solver that
//     rejects the clause releases its reference. The proof logs a deletion when the
//     count reaches 0.
//   - Fresh variables are defined by steps with a pivot. Each solver numbers its fresh
//     variables from vars on, the number of variables of the formula. In the proof
//     their numbers must differ, since a definition needs a variable that does not
//     occur before. With n solvers, fresh variable k of solver i is number vars+k*n+i. The
//     variables of a solver that replaces a dropped one follow those of the latter.
//   - The empty clause ends the proof. The proof drops the steps of solvers that have
//     not stopped yet.
//   - If assumptions failed, the clause of the failed assumptions must be the last
//     lemma. But other solvers may log lemmas before they stop. So the winner learns
//     that clause again at the end, with its first copy as the hint. The first copy is
//     still in the proof, because the deletion of a solver's latest lemma is delayed
//     until the next step of that solver.
//
// Reference counts take a byte for each id, in pages that are freed when all their
// counts are 0.

// A sharedProof is a proof that several solvers write.
type sharedProof struct {
	hints        bool
	solvers      int // number of solvers
	originalRefs int // references that an original clause starts with
	vars         int // variables of the formula; the others are fresh

	mu        sync.Mutex // guards the fields below
	to        dimacs.Proof
	originals int      // logged so far
	ids       idRanges // of the original clauses
	refs      refCounts
	refuted   bool  // the empty clause was learned
	ignored   int64 // lemmas after the empty clause
}

// idRanges maps the numbers of clauses, from 0 on, to ids in a proof. Each element
// stands for a range of clauses with consecutive ids.
type idRanges []struct {
	first int // number of the first clause of the range
	id    int64
}

// add appends the id of the next clause i.
func (r *idRanges) add(i int, id int64) {
	if k := len(*r); k == 0 || (*r)[k-1].id+int64(i-(*r)[k-1].first) != id {
		*r = append(*r, struct {
			first int
			id    int64
		}{i, id})
	}
}

// id returns the id of clause i. It searches linearly, since there are few ranges.
func (r idRanges) id(i int) int64 {
	k := len(r) - 1
	for r[k].first > i {
		k--
	}
	return r[k].id + int64(i-r[k].first)
}

// logOriginals logs the clauses of f in a proof, which may be nil, and returns their
// ids.
func logOriginals(f *dimacs.Formula, proof dimacs.Proof) (ids idRanges) {
	if proof != nil {
		for i, c := range f.Clauses() {
			ids.add(i, proof.Original(c))
		}
	}
	return ids
}

// newSharedProof returns a shared proof of n solvers, which logs its steps to another
// proof.
func newSharedProof(to dimacs.Proof, n int) *sharedProof {
	return &sharedProof{to: to, hints: to.Hints(), solvers: n, originalRefs: n}
}

// original logs original clause i, unless another solver has logged it, and returns its
// id.
func (p *sharedProof) original(i int, lits []dimacs.Lit) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i < p.originals {
		return p.ids.id(i)
	}
	id := p.to.Original(lits)
	p.ids.add(i, id)
	p.originals++
	p.refs.add(id, p.originalRefs)
	return id
}

// learn logs a lemma with one reference, and returns its id.
func (p *sharedProof) learn(lits []dimacs.Lit, hints []int64) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.refuted {
		p.ignored++
		return endOfIDs + p.ignored
	}
	id := p.to.Learn(lits, hints)
	p.refs.add(id, 1)
	p.refuted = len(lits) == 0
	return id
}

// endOfIDs is greater than all ids of a proof. Lemmas after the empty clause have ids
// above it.
const endOfIDs = 1 << 61

// retain adds k references to a clause.
func (p *sharedProof) retain(id int64, k int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id < endOfIDs {
		p.refs.add(id, k)
	}
}

// release removes k references to a clause, and logs its deletion if no reference
// remains. With k = 0 it does nothing, since the clause may be deleted.
func (p *sharedProof) release(id int64, lits []dimacs.Lit, k int) {
	if k == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if id < endOfIDs && p.refs.remove(id, k) && !p.refuted {
		p.to.Delete(id, lits)
	}
}

// A solverProof logs the steps of one solver in the shared proof. It implements
// [dimacs.Proof].
type solverProof struct {
	*sharedProof
	index    int    // of the solver
	count    int    // original clauses that the solver has logged
	checksum uint64 // of these clauses in their order
	last     int64  // id of the latest lemma
	pending  struct {
		id   int64 // of the latest lemma if its deletion is delayed, or 0
		lits []dimacs.Lit
	}
	logged []int64      // ids of the next original clauses, if these are in the proof already
	names  []dimacs.Lit // of a simplified formula, by variable: its literal in the proof
	used   int          // fresh variables of the solver so far
	passed int          // fresh variables of dropped solvers with this index
	lits   []dimacs.Lit // scratch
}

// Hints implements [dimacs.Proof].
func (p *solverProof) Hints() bool { return p.hints }

// Original implements [dimacs.Proof].
func (p *solverProof) Original(lits []dimacs.Lit) (id int64) {
	if len(p.logged) > 0 {
		id, p.logged = p.logged[0], p.logged[1:]
		return id
	}
	id = p.original(p.count, lits)
	p.count++
	for _, l := range lits {
		p.checksum = (p.checksum ^ uint64(l)) * 0x100000001b3
	}
	p.checksum = (p.checksum ^ 1<<40) * 0x100000001b3
	return id
}

// Learn implements [dimacs.Proof].
func (p *solverProof) Learn(lits []dimacs.Lit, hints []int64) int64 {
	p.deletePending()
	p.last = p.learn(p.renumbered(lits), hints)
	return p.last
}

// Delete implements [dimacs.Proof].
func (p *solverProof) Delete(id int64, lits []dimacs.Lit) {
	p.deletePending()
	lits = p.renumbered(lits)
	if id == p.last {
		p.pending.id, p.pending.lits = id, append(p.pending.lits[:0], lits...)
		return
	}
	p.release(id, lits, 1)
}

// deletePending carries out the deletion that is delayed, if there is one.
func (p *solverProof) deletePending() {
	if p.pending.id != 0 {
		p.release(p.pending.id, p.pending.lits, 1)
		p.pending.id = 0
	}
}

// relearnLast learns the latest lemma of the solver again if its deletion is delayed,
// so that this clause is the last lemma of the proof.
func (p *solverProof) relearnLast() {
	if p.pending.id == 0 {
		return
	}
	var hints []int64
	if p.hints {
		hints = []int64{p.pending.id}
	}
	again := p.learn(p.pending.lits, hints)
	p.release(again, p.pending.lits, 1)
	p.deletePending()
}

// renumbered returns literals of the solver with the variables of the proof. The result
// is scratch, or lits if nothing changes.
func (p *solverProof) renumbered(lits []dimacs.Lit) []dimacs.Lit {
	if p.names != nil {
		return p.renumber(lits, len(p.names))
	}
	limit := dimacs.Lit(2 * p.vars)
	for _, l := range lits {
		if l >= limit {
			return p.renumber(lits, p.vars)
		}
	}
	return lits
}

// renumber renumbers literals of the solver. Its variables from number fresh on are
// fresh.
func (p *solverProof) renumber(lits []dimacs.Lit, fresh int) []dimacs.Lit {
	p.lits = p.lits[:0]
	for _, l := range lits {
		switch x := int(l >> 1); {
		case x >= fresh:
			p.used = max(p.used, x-fresh+1)
			l = freshLit(p.vars+p.index, p.passed+x-fresh, p.solvers) | l&1
		case p.names != nil:
			l = p.names[x] ^ l&1
		}
		p.lits = append(p.lits, l)
	}
	return p.lits
}

// freshLit returns fresh variable k of a solver as a positive literal in the proof. The
// first fresh variable of the solver has the number first, and the numbers of the
// others follow at a distance of the number of solvers.
func freshLit(first, k, solvers int) dimacs.Lit {
	v := first + k*solvers
	if v >= dimacs.MaxVars {
		panic(fmt.Errorf("portfolio: the fresh variables of %d solvers exceed the maximum of %d variables", solvers, dimacs.MaxVars))
	}
	return dimacs.Lit(2 * v)
}

// refCounts holds the number of references to each clause by id.
//
// With n solvers a clause has at most 1 + (n-1) + (n-1)² references: its solver and n-1
// importers hold it, and in lockstep each of these may export an imported unit again,
// with n-1 references, before the pool rejects the duplicate. For [MaxThreads] that is
// 16,257.
type refCounts struct {
	pages []*page
}

const pageBits = 12

// A page has the counts of 1<<pageBits ids.
type page struct {
	counts  [1 << pageBits]uint16
	nonzero int // counts above 0; the page is freed when there is no such count
}

// add adds k references to the clause of an id.
func (r *refCounts) add(id int64, k int) {
	at := int(id >> pageBits)
	for at >= len(r.pages) {
		r.pages = append(r.pages, nil)
	}
	if r.pages[at] == nil {
		r.pages[at] = new(page)
	}
	p, i := r.pages[at], id&(1<<pageBits-1)
	if p.counts[i] == 0 {
		p.nonzero++
	}
	p.counts[i] += uint16(k)
}

// remove removes k references to the clause of an id. It reports whether no
// reference remains.
func (r *refCounts) remove(id int64, k int) bool {
	p, i := r.pages[id>>pageBits], id&(1<<pageBits-1)
	if p == nil || int(p.counts[i]) < k {
		panic(fmt.Sprintf("portfolio: clause %d of the proof is deleted too often", id))
	}
	if p.counts[i] -= uint16(k); p.counts[i] > 0 {
		return false
	}
	if p.nonzero--; p.nonzero == 0 {
		r.pages[id>>pageBits] = nil
	}
	return true
}
