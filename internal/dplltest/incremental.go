package dplltest

import (
	"context"

	"sator/dimacs"
)

// A FormulaSolver decides a formula that it has received as a whole.
type FormulaSolver interface {
	Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status
	Model() dimacs.Model
	Failed() []dimacs.Lit
}

// Incremental returns a constructor of engines that make a new FormulaSolver whenever
// clauses were added. All solvers of an engine log to the same proof. Clauses that the
// proof already contains are not logged again, and no clause is deleted from it, since
// the next solver may need the clause.
func Incremental(make func(f *dimacs.Formula, p dimacs.Proof) FormulaSolver) func(Setup) Engine {
	return func(s Setup) Engine {
		e := &rebuiltEngine{make: make, formula: dimacs.NewFormula(0)}
		if s.Proof != nil {
			e.proof = &sharedProof{Proof: s.Proof, hints: s.Proof.Hints()}
		}
		return e
	}
}

// A rebuiltEngine is an engine of Incremental.
type rebuiltEngine struct {
	make          func(*dimacs.Formula, dimacs.Proof) FormulaSolver
	formula       *dimacs.Formula
	proof         *sharedProof // nil without a proof
	FormulaSolver              // nil before it is made
}

func (e *rebuiltEngine) Add(lits ...dimacs.Lit) {
	e.formula.Add(lits...)
	if e.proof != nil {
		e.proof.ids = append(e.proof.ids, e.proof.Proof.Original(lits))
	}
	e.FormulaSolver = nil
}

func (e *rebuiltEngine) Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	if e.FormulaSolver == nil {
		var p dimacs.Proof
		if e.proof != nil {
			e.proof.next = 0 // the solver logs all clauses again
			p = e.proof
		}
		e.FormulaSolver = e.make(e.formula, p)
	}
	return e.FormulaSolver.Solve(ctx, assumptions...)
}

// A sharedProof is the proof of all solvers of an engine. It ignores deletions and
// repeated original clauses.
type sharedProof struct {
	dimacs.Proof
	hints bool
	ids   []int64 // ids of the original clauses
	next  int     // number of original clauses that the current solver has logged
}

func (p *sharedProof) Hints() bool { return p.hints }

func (p *sharedProof) Original([]dimacs.Lit) int64 {
	p.next++
	return p.ids[p.next-1]
}

func (p *sharedProof) Delete(int64, []dimacs.Lit) {}
