package dplltest

import (
	"context"
	"slices"

	"sator/dimacs"
)

// A plain engine decides by DPLL, with a scan of all clauses for each propagation, and logs
// proofs. It is the correct engine from which the tests of this package make mutants.
type plain struct {
	setup     Setup
	hints     bool // the proof asks for hints
	clauses   []plainClause
	vars      int
	first     map[dimacs.Var]dimacs.Lit // phases
	conflicts int64                     // limit
	decisions int64                     // limit

	status dimacs.Status
	model  dimacs.Model
	failed []dimacs.Lit
}

// A plainClause is a clause with its id in the proof.
type plainClause struct {
	id   int64
	lits []dimacs.Lit
}

// newPlain returns a plain engine.
func newPlain(setup Setup) *plain {
	e := &plain{setup: setup, first: make(map[dimacs.Var]dimacs.Lit)}
	if setup.Proof != nil {
		e.hints = setup.Proof.Hints()
	}
	return e
}

// newPlainEngine returns a plain engine for Run.
func newPlainEngine(setup Setup) Engine { return newPlain(setup) }

// newPlainAPI returns a plain engine for RunTraces.
func newPlainAPI(setup Setup) API { return newPlain(setup) }

func (e *plain) Grow(vars int)         { e.vars = max(e.vars, vars) }
func (e *plain) SetPhase(l dimacs.Lit) { e.first[l.Var()] = l }
func (e *plain) Limit(c, d, _ int64)   { e.conflicts, e.decisions = c, d }
func (e *plain) require(s dimacs.Status) {
	if e.status != s {
		panic("plain: another answer is needed")
	}
}

func (e *plain) Model() dimacs.Model {
	e.require(dimacs.Satisfiable)
	return slices.Clone(e.model)
}

func (e *plain) Value(l dimacs.Lit) dimacs.Value {
	e.require(dimacs.Satisfiable)
	return e.model.Lit(l)
}

func (e *plain) Failed() []dimacs.Lit {
	e.require(dimacs.Unsatisfiable)
	return slices.Clone(e.failed)
}

func (e *plain) Add(lits ...dimacs.Lit) {
	e.status = dimacs.Unknown
	c := plainClause{0, slices.Clone(lits)}
	if e.setup.Proof != nil {
		c.id = e.setup.Proof.Original(lits)
	}
	e.clauses = append(e.clauses, c)
	e.growTo(lits)
}

func (e *plain) growTo(lits []dimacs.Lit) {
	for _, l := range lits {
		e.Grow(int(l.Var()) + 1)
	}
}

func (e *plain) Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	e.growTo(assumptions)
	s := plainSearch{plain: e, ctx: ctx, conflicts: e.conflicts, decisions: e.decisions}
	e.failed = nil
	path := dedup(assumptions)
	for _, l := range path {
		if slices.Contains(path, l.Not()) {
			e.failed = []dimacs.Lit{l, l.Not()}
			e.status = dimacs.Unsatisfiable
			return e.status
		}
	}
	e.status, _ = s.refute(path)
	if e.status == dimacs.Unsatisfiable {
		e.failed = path
	}
	return e.status
}

// dedup returns the literals without duplicates.
func dedup(ls []dimacs.Lit) []dimacs.Lit {
	var out []dimacs.Lit
	for _, l := range ls {
		if !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

// A plainSearch is one call of Solve.
type plainSearch struct {
	*plain
	ctx                  context.Context
	conflicts, decisions int64 // limits left, if the limits are set
}

// refute decides the clauses under the literals of path. If they are refuted, it learns the
// clause of the complements of path and returns its id.
func (s *plainSearch) refute(path []dimacs.Lit) (dimacs.Status, int64) {
	if s.ctx.Err() != nil {
		return dimacs.Unknown, 0
	}
	m, hints, conflict := s.propagate(path)
	if conflict {
		if s.plain.conflicts > 0 {
			if s.conflicts--; s.conflicts < 0 {
				return dimacs.Unknown, 0
			}
		}
		return dimacs.Unsatisfiable, s.learn(path, hints)
	}
	l, ok := s.decide(m)
	if !ok {
		return dimacs.Satisfiable, 0
	}
	if s.plain.decisions > 0 {
		if s.decisions--; s.decisions < 0 {
			return dimacs.Unknown, 0
		}
	}
	var ids [2]int64
	for i, k := range [2]dimacs.Lit{l, l.Not()} {
		status, id := s.refute(append(slices.Clip(path), k))
		if status != dimacs.Unsatisfiable {
			return status, 0
		}
		ids[i] = id
	}
	id := s.learn(path, ids[:])
	s.forget(append(slices.Clip(path), l), ids[0])
	s.forget(append(slices.Clip(path), l.Not()), ids[1])
	return dimacs.Unsatisfiable, id
}

// propagate returns the assignment, and the ids of the clauses that propagated.
func (s *plainSearch) propagate(path []dimacs.Lit) (m dimacs.Model, hints []int64, conflict bool) {
	m = negation(mapLits(path, dimacs.Lit.Not), s.vars)
	for progress := true; progress; {
		progress = false
		for _, c := range s.clauses {
			unit, count := open(m, c.lits)
			if count > 1 {
				continue
			}
			hints = append(hints, c.id)
			if count == 0 {
				return m, hints, true
			}
			m.Set(unit)
			progress = true
		}
	}
	return m, hints, false
}

// decide returns a literal of the lowest unassigned variable. If all variables are
// assigned, it stores the model and reports false.
func (s *plainSearch) decide(m dimacs.Model) (l dimacs.Lit, ok bool) {
	i := slices.Index(m, dimacs.Unassigned)
	if i < 0 {
		s.model = m
		return 0, false
	}
	v := dimacs.Var(i)
	if l, ok := s.first[v]; ok {
		return l, true
	}
	return v.Lit().Not(), true
}

// learn logs the clause of the complements of path and returns its id.
func (s *plainSearch) learn(path []dimacs.Lit, hints []int64) int64 {
	c := mapLits(path, dimacs.Lit.Not)
	if s.setup.Learned != nil {
		s.setup.Learned(c)
	}
	if s.setup.Proof == nil {
		return 0
	}
	if !s.hints {
		hints = nil
	}
	return s.setup.Proof.Learn(c, hints)
}

// forget deletes the clause of the complements of path.
func (s *plainSearch) forget(path []dimacs.Lit, id int64) {
	if s.setup.Proof != nil {
		s.setup.Proof.Delete(id, mapLits(path, dimacs.Lit.Not))
	}
}
