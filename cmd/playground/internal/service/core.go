package service

import (
	"fmt"

	"sator/dimacs"
	"sator/dimacs/circuit"
	"sator/dpll/mus"
)

// A CoreReply is a part of the current formula that has no model: statements or clauses.
type CoreReply struct {
	Parts   []string `json:"parts"`
	Of      int      `json:"of"`      // the number of statements or clauses
	Minimal bool     `json:"minimal"` // no part can be left out
}

// The core is searched in formulas of up to mostCoreClauses clauses, with coreConflicts conflicts.
const (
	mostCoreClauses = 5000
	coreConflicts   = 20_000
)

// core returns a minimal unsatisfiable subset of the current formula.
func (f *formulas) core(c *Call, _ struct{}) (*CoreReply, error) {
	l, _ := f.last()
	switch {
	case l == nil:
		return nil, errNotLoaded
	case l.formula.Len() > mostCoreClauses:
		return nil, fmt.Errorf("of %d clauses no smallest part is searched", l.formula.Len())
	}
	g := mus.Clauses(l.formula)
	part := func(i int) string { return fmt.Sprintf("%d: %s", i, clauseText(l, l.formula.Clause(i-1))) }
	if l.statements != nil {
		g = statementGroups(l.statements)
		part = func(i int) string { return l.statements.Constraints[i-1].Name }
	}
	r := mus.Extract(c.Context(), g, mus.Options{Conflicts: coreConflicts})
	if r.Status != dimacs.Unsatisfiable {
		return nil, fmt.Errorf("no part without a model was found: %v", r.Status)
	}
	reply := &CoreReply{Of: g.Groups, Minimal: r.Minimal}
	for _, i := range r.Groups {
		reply.Parts = append(reply.Parts, part(i))
	}
	return reply, nil
}

// statementGroups returns statements as groups of one literal each, with their definitions in the
// background.
func statementGroups(statements *circuit.Graph) *dimacs.Grouped {
	g := &dimacs.Grouped{Formula: dimacs.NewFormula(0), Groups: len(statements.Constraints)}
	e := circuit.NewEncoder(statements, g.Formula)
	var units []dimacs.Lit
	for _, p := range statements.Constraints {
		units = append(units, e.Lit(p.Signal))
	}
	g.Group = make([]int, g.Formula.Len())
	for i, l := range units {
		g.Formula.Add(l)
		g.Group = append(g.Group, i+1)
	}
	return g
}

// clauseText returns a clause with the names of its variables.
func clauseText(l *loaded, clause []dimacs.Lit) string {
	text := ""
	for i, lit := range clause {
		if i > 0 {
			text += " "
		}
		text += l.names.Text(lit)
	}
	if text == "" {
		return "the empty clause"
	}
	return text
}
