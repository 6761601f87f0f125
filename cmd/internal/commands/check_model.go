package commands

import (
	"context"
	"fmt"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dimacs"
)

// checkSolution checks a solution.
func (k *checkRun) checkSolution(ctx context.Context, x *evidenceFile) (*verdict, error) {
	name := k.o.evidence
	defer x.close()
	answer, err := formula.NewReader(k.Run).File(ctx, name).ReadSolution(x.whole)
	if err = x.archiveError(err); err != nil {
		return nil, err
	}
	if !answer.HasModel {
		return nil, fmt.Errorf("%s: the solution has no model", name)
	}
	if k.o.trims() || k.o.forward || k.o.strict {
		return nil, fmt.Errorf("%s: this is a solution; --core, --trim, --lrat, --draw, --forward and --strict-deletions need a proof", name)
	}
	if n := beyond(k.in.Formula, answer.Model); n > 0 {
		k.Say("warning: %s: the model assigns %s that the formula does not have", cli.Shown(name), cli.Count(n, "variable"))
	}
	return checkModel(k.in.Formula, answer.Model, k.o.assume), nil
}

// checkModel evaluates a formula and the assumptions on a model.
func checkModel(f *dimacs.Formula, m dimacs.Model, assumptions []dimacs.Lit) *verdict {
	v := new(verdict)
	open := 0
	for i := range f.Vars() {
		if m.Lit(dimacs.Var(i).Lit()) == dimacs.Unassigned {
			open++
		}
	}
	if open > 0 {
		v.remark("the model is partial: it leaves %d of %s unassigned", open, cli.Count(f.Vars(), "variable"))
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
	v.remark("%s, each with a true literal", cli.Count(f.Len(), "clause"))
	return v
}

// untrue returns the reason why a clause or a literal is not true.
func untrue(x dimacs.Value) string {
	if x == dimacs.Unassigned {
		return "is undetermined"
	}
	return "is false"
}

// beyond returns the number of assigned variables that the formula does not have.
func beyond(f *dimacs.Formula, m dimacs.Model) int {
	n := 0
	for _, x := range m[min(f.Vars(), len(m)):] {
		if x != dimacs.Unassigned {
			n++
		}
	}
	return n
}
