package proof

import "sator/dimacs"

// A refutation is the needed part of a proof: the core of the formula, and the
// lemmas that lead to the last one, with their antecedents.
//
// Clauses have the ids of LRAT: clause i of the formula has the id i+1, and the
// ids of the lemmas follow.
type refutation struct {
	formula *dimacs.Formula
	core    []int // the indices of the needed clauses of the formula, ascending
	lemmas  []lemma
	lits    []dimacs.Lit
	hints   []int32 // ids, below 2^31
	memory  dimacs.MemoryLimit
}

// A lemma locates the literals and the hints of a lemma in a refutation.
type lemma struct{ lits, hints span }

// A span is a part of a slice: from is its first index and to the index after
// it.
type span struct{ from, to int }

// add appends a lemma whose hints are already stored.
func (t *refutation) add(lits []dimacs.Lit, hints span) {
	from := len(t.lits)
	t.lits = append(dimacs.Extend(t.memory, t.lits, len(lits)), lits...)
	t.lemmas = append(dimacs.Extend(t.memory, t.lemmas, 1), lemma{span{from, len(t.lits)}, hints})
}

// addHinted appends a lemma and its hints.
func (t *refutation) addHinted(lits []dimacs.Lit, hints []int64) {
	from := len(t.hints)
	t.hints = dimacs.Extend(t.memory, t.hints, len(hints))
	for _, h := range hints {
		t.hints = append(t.hints, int32(h))
	}
	t.add(lits, span{from, len(t.hints)})
}

// lemma returns the literals and the hints of lemma n.
func (t *refutation) lemma(n int) (lits []dimacs.Lit, hints []int32) {
	l := t.lemmas[n]
	return t.lits[l.lits.from:l.lits.to], t.hints[l.hints.from:l.hints.to]
}

// clause returns the literals of the clause with the given id.
func (t *refutation) clause(id int64) []dimacs.Lit {
	if m := int64(t.formula.Len()); id > m {
		lits, _ := t.lemma(int(id - m - 1))
		return lits
	}
	return t.formula.Clause(int(id - 1))
}

// Core returns the indices of the clauses of the formula that the refutation
// needs, in ascending order. It panics if [Options] did not set Trim.
func (r *Result) Core() []int {
	r.mustTrim("Core")
	return r.trimmed.core
}

// Replay logs the refutation to p without the lemmas that it does not need:
// first all clauses of the formula, so that the proof fits the whole formula,
// and then the lemmas, with their antecedents if p requests hints. A clause is
// deleted after its last use; clauses without a use are deleted before the
// first lemma. After a check with StrictDeletions, a DRAT proof that p writes
// also needs StrictDeletions, because it deletes unit clauses. Replay panics if
// [Options] did not set Trim.
func (r *Result) Replay(p dimacs.Proof) {
	r.mustTrim("Replay")
	t := &r.trimmed
	hinted := p.Hints()
	ids := make([]int64, 1, 1+t.formula.Len()+len(t.lemmas)) // by id in t: the id in p
	for _, c := range t.formula.Clauses() {
		ids = append(ids, p.Original(c))
	}
	done := t.lastUses()
	t.drop(p, ids, done.after(-1))
	var hints []int64
	for n := range t.lemmas {
		lits, chain := t.lemma(n)
		hints = hints[:0]
		for _, h := range chain {
			if !hinted {
				break
			}
			if h < 0 {
				hints = append(hints, -ids[-h])
			} else {
				hints = append(hints, ids[h])
			}
		}
		ids = append(ids, p.Learn(lits, hints))
		if n+1 < len(t.lemmas) {
			t.drop(p, ids, done.after(n))
		}
	}
}

// drop deletes clauses of the refutation from p.
func (t *refutation) drop(p dimacs.Proof, ids []int64, which []int64) {
	for _, id := range which {
		p.Delete(ids[id], t.clause(id))
	}
}

// uses lists the clauses by their last use.
type uses struct {
	ends []int   // where the clauses end in ids: ends[0] for unused clauses, ends[n+1] for those last used by lemma n
	ids  []int64 // ascending for each lemma
}

// after returns the clauses whose last use is lemma n, or the unused clauses if
// n is -1.
func (u *uses) after(n int) []int64 {
	begin := 0
	if n >= 0 {
		begin = u.ends[n]
	}
	return u.ids[begin:u.ends[n+1]]
}

// lastUses computes the last use of each clause in linear time. The last lemma
// is never deleted.
func (t *refutation) lastUses() *uses {
	last := make([]int, 1+t.formula.Len()+len(t.lemmas)) // by id: the last lemma that uses it, plus one
	for n := range t.lemmas {
		_, hints := t.lemma(n)
		for _, h := range hints {
			last[max(h, -h)] = n + 1
		}
	}
	if n := len(t.lemmas); n > 0 {
		last[len(last)-1] = n
	}
	u := &uses{ends: make([]int, len(t.lemmas)+1), ids: make([]int64, len(last)-1)}
	for _, n := range last[1:] {
		u.ends[n]++
	}
	sum := 0
	for n, count := range u.ends {
		u.ends[n] = sum
		sum += count
	}
	for id := 1; id < len(last); id++ {
		at := &u.ends[last[id]]
		u.ids[*at] = int64(id)
		*at++
	}
	return u
}

func (r *Result) mustTrim(call string) {
	if r.trimmed.formula == nil {
		panic("proof: " + call + " needs Options.Trim")
	}
}
