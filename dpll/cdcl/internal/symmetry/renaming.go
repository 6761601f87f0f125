package symmetry

import "sator/dimacs"

// A Renaming is a proof in which variables have other numbers than in the solver. It
// implements [dimacs.Proof]: the steps of the solver are passed on under the current names.
type Renaming struct {
	to    dimacs.Proof
	hints bool
	names []dimacs.Var // by variable of the solver
	next  dimacs.Var   // the next fresh variable of the proof
	lits  []dimacs.Lit // scratch
}

// NewRenaming returns a renaming in which the first vars variables have their own numbers.
// Its steps are passed on to a proof, whose clauses so far have no other variables. Hints says
// whether the steps have hints.
func NewRenaming(to dimacs.Proof, hints bool, vars int) *Renaming {
	r := &Renaming{to: to, hints: hints, next: dimacs.Var(vars)}
	for v := range dimacs.Var(vars) {
		r.names = append(r.names, v)
	}
	return r
}

// Lit returns the current name of a literal of the solver. Variables of the solver beyond the
// first ones are numbered behind all variables of the proof.
func (r *Renaming) Lit(l dimacs.Lit) dimacs.Lit {
	v := int(l >> 1)
	if v < len(r.names) {
		return r.names[v].Lit() ^ l&1
	}
	return (r.next + dimacs.Var(v-len(r.names))).Lit() ^ l&1
}

// renamed returns the current names of literals, in scratch memory.
func (r *Renaming) renamed(lits []dimacs.Lit) []dimacs.Lit {
	r.lits = r.lits[:0]
	for _, l := range lits {
		r.lits = append(r.lits, r.Lit(l))
	}
	return r.lits
}

// Hints implements [dimacs.Proof].
func (r *Renaming) Hints() bool { return r.hints }

// Original implements [dimacs.Proof]. The clause is passed on as it is, since the caller's
// clauses have no names.
func (r *Renaming) Original(lits []dimacs.Lit) int64 { return r.to.Original(lits) }

// Learn implements [dimacs.Proof].
func (r *Renaming) Learn(lits []dimacs.Lit, hints []int64) int64 {
	return r.to.Learn(r.renamed(lits), hints)
}

// Delete implements [dimacs.Proof].
func (r *Renaming) Delete(id int64, lits []dimacs.Lit) { r.to.Delete(id, r.renamed(lits)) }
