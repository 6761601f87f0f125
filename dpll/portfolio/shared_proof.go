package portfolio

import (
	"fmt"
	"sync"

	"sator/dimacs"
)

// Several solvers write one proof (Heule, Manthey and Philipp, "Validating unsat
// results of clause sharing parallel SAT solvers", POS 2014): the order in which they
// take hold of it is the order of its steps. What each of them derives follows from
// the clauses in it, whoever derived those, since a step is told before its clause
// can be shared. To its engine, the proof of a solver is as any other; what makes one
// of many is here.
//
//   - Clauses given are told once. Each solver is given the same ones in the same
//     order, so that the i-th of each is the same, and all get its id.
//   - A clause stays as long as a solver holds it. Those given are held by all, one
//     that is learned by who learned it, and one that is shared, from that moment on,
//     by all that it is offered to; who does not take it gives its share back.
//     Deletions of one solver count down what is held, and the last one is told.
//   - Fresh variables, which steps with a pivot define, are numbered by each solver
//     from the last one of the formula on. In the proof they must differ, or a
//     definition would not be of a fresh variable any more: solver i of n has every
//     n-th number.
//   - The empty clause ends the proof. What solvers tell until they are stopped is
//     not passed on.
//   - If assumptions failed, the last clause learned must be the one that says so. But
//     others learn until they are stopped. So that clause is learned again at the end,
//     with itself as the reason; it is still there, since a solver's deletion of its
//     latest clause waits for its next step.
//
// What is counted takes a byte for each id, in pages that go when all clauses in them
// have gone.

// A sharedProof is the proof that several solvers write.
type sharedProof struct {
	hints bool
	n     int // solvers
	first int // of these, that hold each clause given
	vars  int // variables from here on are fresh ones

	mu      sync.Mutex // guards what follows
	to      dimacs.Proof
	given   int      // clauses
	ids     idRanges // their ids
	refs    refCounts
	refuted bool // the empty clause was derived
	extra   int64
}

// Turns are the ids of clauses that are numbered from 0 on: from the one numbered
// first on, ids follow one another.
type idRanges []struct {
	first int
	id    int64
}

// add takes note of the id of clause i, the next one.
func (t *idRanges) add(i int, id int64) {
	if k := len(*t); k == 0 || (*t)[k-1].id+int64(i-(*t)[k-1].first) != id {
		*t = append(*t, struct {
			first int
			id    int64
		}{i, id})
	}
}

// id returns the id of clause i.
func (t idRanges) id(i int) int64 {
	k := len(t) - 1
	for t[k].first > i { // there are few
		k--
	}
	return t[k].id + int64(i-t[k].first)
}

// newSharedProof returns the ledger of n solvers, over a proof.
func newSharedProof(to dimacs.Proof, n int) *sharedProof {
	return &sharedProof{to: to, hints: to.Hints(), n: n, first: n}
}

// original logs clause i of those given, and returns its id.
func (l *sharedProof) original(i int, lits []dimacs.Lit) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i < l.given {
		return l.ids.id(i)
	}
	id := l.to.Original(lits)
	l.ids.add(i, id)
	l.given++
	l.refs.add(id, l.first)
	return id
}

// learn logs a lemma, which one solver holds.
func (l *sharedProof) learn(lits []dimacs.Lit, hints []int64) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.refuted {
		l.extra++
		return endOfIDs + l.extra
	}
	id := l.to.Learn(lits, hints)
	l.refs.add(id, 1)
	l.refuted = len(lits) == 0
	return id
}

// endOfIDs is an id above all those of a proof.
const endOfIDs = 1 << 61

// retain has k more solvers hold a clause.
func (l *sharedProof) retain(id int64, k int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id < endOfIDs {
		l.refs.add(id, k)
	}
}

// release has k solvers fewer hold a clause.
func (l *sharedProof) release(id int64, lits []dimacs.Lit, k int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id < endOfIDs && l.refs.remove(id, k) && !l.refuted {
		l.to.Delete(id, lits)
	}
}

// A solverProof is the proof as one solver sees it. It implements [dimacs.Proof].
type solverProof struct {
	*sharedProof
	index   int
	seen    int    // clauses given
	sum     uint64 // of these: equal if the clauses are
	last    int64  // id of the lemma that came last
	pending struct {
		id   int64 // 0 for none
		lits []dimacs.Lit
	}
	lits []dimacs.Lit // scratch

	// Of a solver that is given a remainder (remainder.go): by variable, what literal
	// it is in the proof, and the ids of the clauses that come next, which it holds.
	names []dimacs.Lit
	given []int64
}

// Hints implements [dimacs.Proof].
func (v *solverProof) Hints() bool { return v.hints }

// Original implements [dimacs.Proof].
func (v *solverProof) Original(lits []dimacs.Lit) (id int64) {
	if len(v.given) > 0 {
		id, v.given = v.given[0], v.given[1:]
		return id
	}
	id = v.original(v.seen, lits)
	v.seen++
	for _, l := range lits {
		v.sum = (v.sum ^ uint64(l)) * 0x100000001b3
	}
	v.sum = (v.sum ^ 1<<40) * 0x100000001b3
	return id
}

// Learn implements [dimacs.Proof].
func (v *solverProof) Learn(lits []dimacs.Lit, hints []int64) int64 {
	v.deletePending()
	v.last = v.learn(v.renumbered(lits), hints)
	return v.last
}

// Delete implements [dimacs.Proof].
func (v *solverProof) Delete(id int64, lits []dimacs.Lit) {
	v.deletePending()
	lits = v.renumbered(lits)
	if id == v.last {
		v.pending.id, v.pending.lits = id, append(v.pending.lits[:0], lits...)
		return
	}
	v.release(id, lits, 1)
}

// deletePending deletes what waits for that.
func (v *solverProof) deletePending() {
	if v.pending.id != 0 {
		v.release(v.pending.id, v.pending.lits, 1)
		v.pending.id = 0
	}
}

// relearnLast makes the clause that the solver deleted last, if that was the one that it
// learned last, the last of the proof.
func (v *solverProof) relearnLast() {
	if v.pending.id == 0 {
		return
	}
	var hints []int64
	if v.hints {
		hints = []int64{v.pending.id}
	}
	again := v.learn(v.pending.lits, hints)
	v.release(again, v.pending.lits, 1)
	v.deletePending()
}

// renumbered returns the literals as they are called in the proof, in scratch if
// that is something else.
func (v *solverProof) renumbered(lits []dimacs.Lit) []dimacs.Lit {
	if v.names != nil {
		return v.renumber(lits, len(v.names))
	}
	limit := dimacs.Lit(2 * v.vars)
	for _, l := range lits {
		if l >= limit {
			return v.renumber(lits, v.vars)
		}
	}
	return lits
}

// renumber does so if variables from some number on are fresh.
func (v *solverProof) renumber(lits []dimacs.Lit, fresh int) []dimacs.Lit {
	v.lits = v.lits[:0]
	for _, l := range lits {
		switch x := int(l >> 1); {
		case x >= fresh:
			l = v.fresh(x-fresh) | l&1
		case v.names != nil:
			l = v.names[x] ^ l&1
		}
		v.lits = append(v.lits, l)
	}
	return v.lits
}

// fresh returns the i-th fresh variable of the solver as a literal.
func (v *solverProof) fresh(i int) dimacs.Lit {
	y := v.vars + i*v.n + v.index
	if y >= dimacs.MaxVars {
		panic(fmt.Errorf("portfolio: fresh variables of %d solvers exceed the last number of a variable", v.n))
	}
	return dimacs.Lit(2 * y)
}

// Shares count by id how many hold a clause.
type refCounts struct {
	pages []*page
}

const pageBits = 12

// A page has the counts of 1<<pageBits ids. It goes when none is left that is not 0,
// and comes back if one is added.
type page struct {
	held  [1 << pageBits]uint8
	alive int
}

// add makes k more hold the clause of an id.
func (s *refCounts) add(id int64, k int) {
	at := int(id >> pageBits)
	for at >= len(s.pages) {
		s.pages = append(s.pages, nil)
	}
	if s.pages[at] == nil {
		s.pages[at] = new(page)
	}
	p, i := s.pages[at], id&(1<<pageBits-1)
	if p.held[i] == 0 {
		p.alive++
	}
	p.held[i] += uint8(k)
}

// remove makes k fewer hold the clause of an id. It reports whether none does now.
func (s *refCounts) remove(id int64, k int) bool {
	p, i := s.pages[id>>pageBits], id&(1<<pageBits-1)
	if p == nil || int(p.held[i]) < k {
		panic(fmt.Sprintf("portfolio: clause %d of the proof is deleted too often", id))
	}
	if p.held[i] -= uint8(k); p.held[i] > 0 {
		return false
	}
	if p.alive--; p.alive == 0 {
		s.pages[id>>pageBits] = nil
	}
	return true
}
