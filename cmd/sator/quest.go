package main

import (
	"context"
	"math"

	"sator/dimacs"
	"sator/dpll"
	"sator/dpll/cdcl"
)

// How models are found. Two engines visit all of them: dpll goes on after a model
// as it does after a conflict, and takes many at a time if they differ in
// variables that no clause needs; cdcl forbids what it has found and searches
// again. Which is better depends on how hard models are to come by, and that is
// seen by trying:
//
//	formula                          models   dpll: conflicts     time   cdcl: time
//	ksat, 100 variables, ratio 4      10000                25   0.001 s     0.19 s
//	ksat, 200, 4.26                   10000              2239   0.026 s     0.93 s
//	ksat, 60, 3.5, onto 20             7609             12961    0.06 s     0.24 s
//	ksat, 100, 3.5, onto 10             702              8077    0.16 s     0.11 s
//	ksat, 100, 3.5, onto 20           10000            164459    1.34 s     0.63 s
//	ksat, 150, 3.5, onto 20           10000            160348    3.86 s     0.74 s
//
// (sator generate ksat --vars N --ratio R --seed 1, the first 10000 models, onto
// the first variables.) They break even at about ten conflicts a model.
//
// So auto begins with dpll, and gives it up when it has had so many conflicts, or
// looked so many times at a clause for decisions, with fewer than one model in
// conflictsPerModel conflicts. Then cdcl takes over, with what was found
// forbidden. Once dpll has found enough it stays. All this is counted, not timed:
// the models come in the same order on every machine. It is not always right, as
// the formulas of benchmarks/instances show, up to 20000 models, but it is never
// far off:
//
//	formula        models     auto      cdcl      dpll
//	factoring-32        2   10.9 s    16.2 s     7.7 s
//	prime-28            0    2.2 s     3.5 s     2.4 s
//	ksat-200            0    1.3 s     0.6 s     0.3 s
//	planted-500     20000    8.6 s     7.6 s     3.2 s
//	tseitin-24          0    0.7 s     0.5 s   > 20 s
//	2sat-3000       20000    2.7 s    17.8 s     3.5 s
//
// (sator enumerate FILE --limit 20000 --engine NAME)
var defaultTrial = trial{conflicts: 10_000, looks: 200_000_000, forbidden: 10_000}

// A trial says when dpll may be given up.
type trial struct {
	conflicts int64
	looks     float64
	forbidden int // no more, once it has found so many cubes
}

const conflictsPerModel = 10

// A finding is a set of models, as the search comes upon it. Both are
// overwritten by the next.
type finding struct {
	cube    dpll.Cube
	witness dimacs.Model // satisfies the formula, whatever becomes of what it leaves open
}

// A quest is a question for all models.
type quest struct {
	formula *dimacs.Formula
	vars    int          // that models are about, or more
	project []dimacs.Var // if not nil, what they are told apart by
	assume  []dimacs.Lit
	classic dpll.Options
	modern  cdcl.Options
	trial   trial
	note    func(statistics)    // called now and then, and at the end
	visit   func(*finding) bool // called with what was found; false ends the quest
}

// quests lists the ways to find all models, as --engine of enumerate names them.
// They return whether all were visited.
var quests = []struct {
	name, help string
	find       func(*quest, context.Context) bool
}{
	{"auto", "dpll, and cdcl if models are hard to find", (*quest).either},
	{"cdcl", "learning, which forbids each model that was found", (*quest).learning},
	{"dpll", "the classic search, which goes on after a model", (*quest).classical},
}

// fill gives the solver the clauses. It reports false if ctx is done before.
func (q *quest) fill(ctx context.Context, s filled) bool { return fill(ctx, s, q.formula, q.vars) }

// A filled solver is one that takes clauses.
type filled interface {
	Grow(vars int)
	Reserve(clauses, literals int)
	Add(...dimacs.Lit)
}

// fill gives the solver the clauses of f and so many variables. It reports false if
// ctx is done before.
func fill(ctx context.Context, s filled, f *dimacs.Formula, vars int) bool {
	s.Grow(vars)
	s.Reserve(f.Len(), f.Size())
	for i, c := range f.Clauses() {
		if i%addInterval == 0 && ctx.Err() != nil {
			return false
		}
		s.Add(c...)
	}
	return true
}

// classical has dpll find the models.
func (q *quest) classical(ctx context.Context) (all bool) {
	o := q.classic
	o.Progress = func(s dpll.Stats) { q.note(&dpllStatistics{s}) }
	s := dpll.New(o)
	if !q.fill(ctx, s) {
		return false
	}
	var f finding
	for f.cube = range s.Cubes(ctx, q.project, q.assume...) {
		f.witness = s.Assignment(f.witness)
		if !q.visit(&f) {
			return false
		}
	}
	return s.Exhausted()
}

// learning has cdcl find the models.
func (q *quest) learning(ctx context.Context) (all bool) { return q.learn(ctx, nil) }

// learn does it without what some clauses forbid.
func (q *quest) learn(ctx context.Context, forbidden *dimacs.Formula) (all bool) {
	o := q.modern
	o.Progress = func(_ cdcl.Event, s cdcl.Stats) { q.note(&cdclStatistics{s}) }
	s := cdcl.New(o)
	if !q.fill(ctx, s) {
		return false
	}
	if forbidden != nil {
		s.AddFormula(forbidden)
	}
	e := s.Enumerate(q.project, q.assume...)
	var f finding
	for {
		switch e.Next(ctx) {
		case dimacs.Unsatisfiable:
			return true
		case dimacs.Unknown:
			return false
		}
		f.witness = s.Model()
		f.cube.Model = q.projected(f.cube.Model, f.witness)
		if !q.visit(&f) {
			return false
		}
	}
}

// projected puts what matters of a model into m.
func (q *quest) projected(m, model dimacs.Model) dimacs.Model {
	if q.project == nil {
		return model
	}
	if m == nil {
		m = make(dimacs.Model, len(model))
	}
	for _, v := range q.project {
		m[v] = model[v]
	}
	return m
}

// either begins with dpll and goes on with cdcl if that finds too little.
func (q *quest) either(ctx context.Context) (all bool) {
	trying, leave := context.WithCancel(ctx)
	defer leave()
	t := &trialRun{quest: *q, forbidden: dimacs.NewFormula(0)}
	t.note = func(s statistics) {
		q.note(s)
		if d := s.(*dpllStatistics); t.fails(d) {
			leave()
		}
	}
	t.visit = t.found(q.visit)
	if all = t.classical(trying); all || !t.over || t.ended || ctx.Err() != nil {
		return all
	}
	return q.learn(ctx, t.forbidden)
}

// A trialRun is dpll on trial.
type trialRun struct {
	quest
	models    float64
	forbidden *dimacs.Formula // what was found
	over      bool            // it has failed
	ended     bool            // by whoever visits
}

// fails reports whether dpll has to go, and takes note of it.
func (t *trialRun) fails(s *dpllStatistics) bool {
	tried := s.Conflicts >= t.trial.conflicts || float64(s.Decisions)*float64(t.formula.Len()) >= t.trial.looks
	if tried && t.forbidden.Len() < t.trial.forbidden && t.models*conflictsPerModel < max(1, float64(s.Conflicts)) {
		t.over = true
	}
	return t.over
}

// found returns what takes note of findings and passes them on. Until a trial
// that has failed is left, more may come.
func (t *trialRun) found(visit func(*finding) bool) func(*finding) bool {
	var c []dimacs.Lit
	return func(f *finding) bool {
		t.models += math.Exp2(float64(len(f.cube.Free)))
		if t.over || t.forbidden.Len() < t.trial.forbidden {
			c = c[:0]
			for _, l := range f.cube.Model.Lits() {
				c = append(c, l^1)
			}
			t.forbidden.Add(c...)
		}
		t.ended = !visit(f)
		return !t.ended
	}
}
