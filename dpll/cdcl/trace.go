package cdcl

import (
	"slices"

	"sator/dimacs"
)

// Tracing reports each step of plain CDCL search: decisions, the visits of unit propagation with
// the implied literals and the watches that moved, conflicts, backtracking and restarts. Package
// trace records the steps and derives the rest from them, for teaching.
//
// The loop of propagation has no callbacks. It stops after each literal instead, where it would
// poll the context, and the tracer compares the trail and the watches with what it has reported.
// That takes time linear in the clauses for each literal, so formulas must be small. Without a
// tracer the search pays one branch for each propagation, each backtracking and each restart.
//
// The passes of inprocessing are not traced. So a traced solver must have the preset "plain".

// A StepKind is a kind of step of a traced search.
type StepKind uint8

const (
	StepAssume    StepKind = iota // the assumption Lit is decided, at a new Level
	StepDecide                    // Lit is decided, at a new Level
	StepImply                     // Clause implies Lit at Level
	StepVisit                     // the clauses watched by the complement of Lit are visited
	StepWatch                     // Clause is watched by Watches from now on
	StepConflict                  // Clause is falsified
	StepBacktrack                 // the literals above Level are unassigned
	StepRestart                   // a restart follows
)

// A Step is a step of a traced search. Clauses have the ids that the proof gave them. A clause of
// two literals is watched by both, and has no StepWatch.
type Step struct {
	Kind    StepKind
	Lit     dimacs.Lit    // of StepAssume, StepDecide, StepImply and StepVisit
	Level   int           // of StepAssume, StepDecide, StepImply and StepBacktrack
	Clause  int64         // of StepImply, StepWatch and StepConflict
	Watches [2]dimacs.Lit // of StepWatch
}

// A tracer is what Options.Trace knows of the solver.
type tracer struct {
	s        *Solver
	reported int                     // literals of the trail
	visiting bool                    // propagation has taken a literal
	watches  map[int64][2]dimacs.Lit // by clause
}

// newTracer returns a tracer of a solver with hints and the preset "plain", and panics for
// another one.
func newTracer(s *Solver) *tracer {
	if !s.proof.hints || s.opts.Verify || !isPlain(&s.opts) {
		panic(`cdcl: Options.Trace needs the preset "plain", a proof with hints, and no Verify`)
	}
	return &tracer{s: s, watches: make(map[int64][2]dimacs.Lit)}
}

// isPlain reports whether o has all settings of the preset "plain".
func isPlain(o *Options) bool {
	plain, _ := FindPreset("plain")
	return !slices.ContainsFunc(plain.Settings, func(x Setting) bool { return o.Get(x.Knob) != x.Value })
}

// visit is called before propagation takes a literal. It reports the first one, and returns true
// for the next one, so that propagation ends between them.
func (t *tracer) visit() (pause bool) {
	if t.visiting {
		return true
	}
	t.visiting = true
	t.update()
	t.s.opts.Trace(Step{Kind: StepVisit, Lit: t.s.trail.lits[t.s.trail.propagated]})
	return false
}

// propagated is called at the end of propagation.
func (t *tracer) propagated() {
	t.visiting = false
	t.update()
	if ref := t.s.conflict.ref; ref != 0 {
		t.s.opts.Trace(Step{Kind: StepConflict, Clause: t.s.clauses.refID(ref)})
	}
}

// left is called when the levels above to were left.
func (t *tracer) left(to int) {
	t.reported = len(t.s.trail.lits)
	t.s.opts.Trace(Step{Kind: StepBacktrack, Level: to})
}

// update reports what has changed.
func (t *tracer) update() {
	s := t.s
	s.clauses.eachClause(2, func(r uint32) bool {
		if s.clauses.arena[r]&garbageBit == 0 {
			t.updateWatches(r)
		}
		return true
	})
	for ; t.reported < len(s.trail.lits); t.reported++ {
		s.opts.Trace(t.assigned(s.trail.lits[t.reported]))
	}
}

// updateWatches reports the watches of the clause at r unless they are as before.
func (t *tracer) updateWatches(r uint32) {
	c, id := t.s.clauses.lits(r), t.s.clauses.id(r)
	now := [2]dimacs.Lit{dimacs.Lit(c[0]), dimacs.Lit(c[1])}
	if old, ok := t.watches[id]; ok && (old == now || old == [2]dimacs.Lit{now[1], now[0]}) {
		return
	}
	t.watches[id] = now
	t.s.opts.Trace(Step{Kind: StepWatch, Clause: id, Watches: now})
}

// assigned returns the step that has assigned l.
func (t *tracer) assigned(l dimacs.Lit) Step {
	s := t.s
	x := &s.trail.vars[l>>1]
	step := Step{Kind: StepImply, Lit: l, Level: int(x.level)}
	switch {
	case x.level == 0:
		step.Clause = s.proof.unitIDs[l>>1]
	case x.reason != 0:
		step.Clause = s.clauses.refID(x.reason.ref())
	case step.Level <= len(s.call.assumptions):
		step.Kind = StepAssume
	default:
		step.Kind = StepDecide
	}
	return step
}
