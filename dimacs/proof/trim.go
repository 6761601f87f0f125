package proof

import "sator/dimacs"

// A refutation is what is needed of a proof: of the formula the core, and of
// the lemmas those that lead to the last, with their antecedents.
//
// Clauses are numbered as in LRAT: clause i of the formula is i+1, and the
// lemmas follow it in order.
type refutation struct {
	formula *dimacs.Formula
	core    []int // indices of clauses of the formula, ascending
	lemmas  []lemma
	lits    []dimacs.Lit
	hints   []int32 // there are fewer than 2^31 clauses
}

// A lemma says where in a refutation its literals and its hints are.
type lemma struct{ lits, hints span }

// A span is the part of a slice from a place on to before another.
type span struct{ from, to int }

// add appends a lemma, with hints that may be anywhere.
func (t *refutation) add(lits []dimacs.Lit, hints span) {
	from := len(t.lits)
	t.lits = append(t.lits, lits...)
	t.lemmas = append(t.lemmas, lemma{span{from, len(t.lits)}, hints})
}

// addHinted appends a lemma and its hints.
func (t *refutation) addHinted(lits []dimacs.Lit, hints []int64) {
	from := len(t.hints)
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

// clause returns the literals of the clause with an id.
func (t *refutation) clause(id int64) []dimacs.Lit {
	if m := int64(t.formula.Len()); id > m {
		lits, _ := t.lemma(int(id - m - 1))
		return lits
	}
	return t.formula.Clause(int(id - 1))
}

// Core returns the indices of the clauses of the formula that the refutation
// needs, in ascending order. It panics if the check was not told to trim.
func (r *Result) Core() []int {
	r.mustTrim("Core")
	return r.trimmed.core
}

// Replay tells the refutation to a proof, without the lemmas that it does not
// need: first all clauses of the formula, so that the proof goes with the
// formula as it was; then lemma by lemma, each with its antecedents if p wants
// them. A clause is deleted after its last use, and those that are not used at
// all before the first lemma. What was checked with StrictDeletions has to be
// checked so again in DRAT, where unit clauses are deleted too. It panics if the check was not told to trim.
func (r *Result) Replay(p dimacs.Proof) {
	r.mustTrim("Replay")
	t := &r.trimmed
	hinted := p.Hints()
	ids := make([]int64, 1, 1+t.formula.Len()+len(t.lemmas)) // in p, by id in t
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

// uses lists clauses by the lemma that is the last to use them.
type uses struct {
	ends []int   // ends[n+1] is where those of lemma n end; ends[0] those never used
	ids  []int64 // ascending for each lemma
}

// after returns the clauses that nothing after lemma n uses; -1 stands for the
// beginning.
func (u *uses) after(n int) []int64 {
	begin := 0
	if n >= 0 {
		begin = u.ends[n]
	}
	return u.ids[begin:u.ends[n+1]]
}

// lastUses finds the last use of each clause, in linear time. The last lemma is
// never dropped.
func (t *refutation) lastUses() *uses {
	last := make([]int, 1+t.formula.Len()+len(t.lemmas)) // by id, one more than the lemma
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
