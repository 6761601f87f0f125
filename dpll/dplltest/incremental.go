package dplltest

import (
	"context"

	"sator/dimacs"
)

// An FormulaSolver is what decides a formula that it was given as a whole.
type FormulaSolver interface {
	Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status
	Model() dimacs.Model
	Failed() []dimacs.Lit
}

// Incremental returns what makes engines of something that takes a formula at once:
// it is made anew when clauses have been added. The proof is one, which already has the
// clauses when another engine is told them, and from which none is deleted, since the
// next one may be made of it.
func Incremental(make func(f *dimacs.Formula, p dimacs.Proof) FormulaSolver) func(Setup) Engine {
	return func(s Setup) Engine {
		e := &remade{make: make, formula: dimacs.NewFormula(0)}
		if s.Proof != nil {
			e.proof = &retold{Proof: s.Proof, hints: s.Proof.Hints()}
		}
		return e
	}
}

// A remade engine is what Incremental makes.
type remade struct {
	make          func(*dimacs.Formula, dimacs.Proof) FormulaSolver
	formula       *dimacs.Formula
	proof         *retold // nil if there is none
	FormulaSolver         // nil when it is to be made
}

func (e *remade) Add(lits ...dimacs.Lit) {
	e.formula.Add(lits...)
	if e.proof != nil {
		e.proof.ids = append(e.proof.ids, e.proof.Proof.Original(lits))
	}
	e.FormulaSolver = nil
}

func (e *remade) Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	if e.FormulaSolver == nil {
		var p dimacs.Proof
		if e.proof != nil {
			e.proof.told = 0
			p = e.proof
		}
		e.FormulaSolver = e.make(e.formula, p)
	}
	return e.FormulaSolver.Solve(ctx, assumptions...)
}

// A retold proof knows the clauses that it is told.
type retold struct {
	dimacs.Proof
	hints bool
	ids   []int64 // of the clauses
	told  int     // of them, by the present engine
}

func (p *retold) Hints() bool { return p.hints }

func (p *retold) Original([]dimacs.Lit) int64 {
	p.told++
	return p.ids[p.told-1]
}

func (p *retold) Delete(int64, []dimacs.Lit) {}
