package enumerate

import (
	"context"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/classic"
)

// A solver has the methods of both engines that add clauses.
type solver interface {
	Grow(vars int)
	Reserve(clauses, literals int)
	Add(...dimacs.Lit)
}

// pollInterval is the number of clauses that are added between two checks of the
// context: some milliseconds.
const pollInterval = 1 << 16

// load gives the solver the variables and the clauses. It reports false if ctx
// is done before.
func (e *Enumerator) load(ctx context.Context, s solver) bool {
	f := e.formula
	s.Grow(e.vars)
	s.Reserve(f.Len(), f.Size())
	for i, c := range f.Clauses() {
		if i%pollInterval == 0 && ctx.Err() != nil {
			return false
		}
		s.Add(c...)
	}
	return true
}

// runDPLL enumerates by DPLL, see the essay of enumerate.go in package classic.
func (e *Enumerator) runDPLL(ctx context.Context, o classic.Options, visit func(*ModelSet) bool) (all bool) {
	s := classic.New(o)
	if !e.load(ctx, s) {
		return false
	}
	var set ModelSet
	for set.Cube = range s.Cubes(ctx, e.options.Project, e.options.Assume...) {
		set.Witness = s.Assignment(set.Witness)
		if !visit(&set) {
			return false
		}
	}
	return s.Exhausted()
}

// runCDCL enumerates by CDCL, see the essay of enumerate.go in package cdcl. The
// clauses of blocked, if it is not nil, exclude models that were visited before.
func (e *Enumerator) runCDCL(ctx context.Context, blocked *dimacs.Formula, visit func(*ModelSet) bool) (all bool) {
	s := cdcl.New(e.options.CDCL)
	if !e.load(ctx, s) {
		return false
	}
	if blocked != nil {
		s.AddFormula(blocked)
	}
	models := s.Enumerate(e.options.Project, e.options.Assume...)
	var set ModelSet
	for set.Witness = range models.Models(ctx) {
		set.Model = e.projected(set.Model, set.Witness)
		if !visit(&set) {
			return false
		}
	}
	return models.Exhausted()
}

// projected returns the model restricted to the variables of the projection. It
// overwrites m, the result of the previous call or nil.
func (e *Enumerator) projected(m, model dimacs.Model) dimacs.Model {
	if e.options.Project == nil {
		return model
	}
	if m == nil {
		m = make(dimacs.Model, len(model))
	}
	for _, v := range e.options.Project {
		m[v] = model[v]
	}
	return m
}
