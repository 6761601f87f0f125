package congruence

import (
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

// TestDuplicateFilter checks that redundant binary clauses do not make the filter of short
// clauses smaller: few of the clauses, which have different variables, may look repeated.
func TestDuplicateFilter(t *testing.T) {
	const clauses = 2000
	f := dimacs.NewFormula(0)
	for i := range dimacs.Var(clauses) {
		f.Add(i.Lit(), (i + 1).Lit(), (i + 2).Lit())
	}
	h := inprocess.NewPlain(f, nil)
	for i := range dimacs.Var(clauses) {
		h.AddBinary(i.Lit(), (i + 1).Lit(), 0)
	}
	c := &closure{host: h, vals: h.Values(), budget: inprocess.NewBudget(h, 0)}
	filter := newDuplicateFilter(longClauses(h.Size()))
	c.eachShort(func(r uint32) { filter.add(c.varsHash(r)) })
	if filter.count > clauses/8 {
		t.Errorf("%d of %d clauses look repeated", filter.count, clauses)
	}
}
