package main

import (
	"context"
	"fmt"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dimacs"
)

// checkSolution judges a checkSolution.
func (k *checkRun) checkSolution(ctx context.Context, x *evidenceFile) (*verdict, error) {
	name := k.o.evidence
	answer, err := cli.Await(ctx, func() (*dimacs.Solution, error) {
		defer x.close()
		s, err := formula.NewReader(k.Run).File(ctx, name).ReadSolution(x.whole)
		return s, x.archiveError(err)
	})
	if err != nil {
		return nil, err
	}
	if !answer.HasModel {
		return nil, fmt.Errorf("%s: there is no model to check", name)
	}
	if k.o.trims() {
		return nil, fmt.Errorf("%s: this is a solution, which --core, --trim and --lrat do not fit", name)
	}
	return checkModel(k.in.Formula, answer.Model, k.o.assume), nil
}

// checkModel evaluates a formula and says in words what it found.
func checkModel(f *dimacs.Formula, m dimacs.Model, assumptions []dimacs.Lit) *verdict {
	v := new(verdict)
	open := 0
	for v := range f.Vars() {
		if m.Lit(dimacs.Var(v).Lit()) == dimacs.Unassigned {
			open++
		}
	}
	if open > 0 {
		v.remark("the model is partial: it leaves %d of %d variables open", open, f.Vars())
	}
	if n := beyond(f, m); n > 0 {
		v.remark("the model gives values to %d variables that the formula does not have", n)
	}
	for _, l := range assumptions {
		if x := m.Lit(l); x != dimacs.True {
			v.remark("the assumption %v %s", l, untrue(x))
			return v
		}
	}
	if i := m.Falsified(f); i >= 0 {
		v.remark("clause %d %s: %s", i+1, untrue(m.Clause(f.Clause(i))), formula.ClauseText(f.Clause(i)))
		return v
	}
	v.right = true
	v.remark("each of the %d clauses has a true literal", f.Len())
	return v
}

// untrue says in which way something is not true.
func untrue(x dimacs.Value) string {
	if x == dimacs.Unassigned {
		return "is left open"
	}
	return "is false"
}

// beyond counts the values that a model has for other variables than those of
// the formula.
func beyond(f *dimacs.Formula, m dimacs.Model) int {
	n := 0
	for _, x := range m[min(f.Vars(), len(m)):] {
		if x != dimacs.Unassigned {
			n++
		}
	}
	return n
}
