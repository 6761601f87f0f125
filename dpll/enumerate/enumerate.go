package enumerate

import (
	"context"
	"fmt"
	"iter"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/classic"
)

// Options configure an [Enumerator]. Start from [DefaultOptions].
type Options struct {
	// Engine is the name of one of [Engines].
	Engine string

	// Project lists the variables of a projection: models that
	// agree on them count as one. Nil means all variables.
	Project []dimacs.Var

	// Assume lists literals that are true in every model.
	Assume []dimacs.Lit

	// DPLL are the options of package classic, for the engines dpll and auto.
	DPLL classic.Options

	// CDCL are the options of package cdcl, for the engines cdcl and auto.
	CDCL cdcl.Options
}

// DefaultOptions returns the engine auto, with the default options of both
// solvers.
func DefaultOptions() Options {
	return Options{Engine: "auto", DPLL: classic.DefaultOptions()}
}

// An Engine is a way to enumerate models.
type Engine struct {
	Name string
	Help string // one line

	// run calls visit for disjoint sets of models until visit returns false. It
	// reports whether it has visited all models.
	run func(e *Enumerator, ctx context.Context, visit func(*ModelSet) bool) (all bool)
}

// Engines lists the engines by name.
var Engines = []Engine{
	{"auto", "dpll, and cdcl if models are hard to find", runAuto},
	{"cdcl", "CDCL, with a blocking clause for each model", func(e *Enumerator, ctx context.Context, visit func(*ModelSet) bool) bool {
		return e.runCDCL(ctx, nil, visit)
	}},
	{"dpll", "DPLL, which backtracks after a model as after a conflict", func(e *Enumerator, ctx context.Context, visit func(*ModelSet) bool) bool {
		return e.runDPLL(ctx, e.options.DPLL, visit)
	}},
}

// FindEngine returns the engine of that name.
func FindEngine(name string) (*Engine, bool) {
	for i := range Engines {
		if Engines[i].Name == name {
			return &Engines[i], true
		}
	}
	return nil, false
}

// An Enumerator visits all models of a formula. Each iteration starts a new
// search. An Enumerator is used by one goroutine at a time.
type Enumerator struct {
	formula   *dimacs.Formula
	options   Options
	engine    *Engine
	trial     trial
	vars      int // number of variables of the models
	exhausted bool
}

// New returns an enumerator of the models of f. It keeps a reference to f, and f
// must not change while the enumerator is in use. New panics if the engine is
// unknown.
func New(f *dimacs.Formula, o Options) *Enumerator {
	engine, ok := FindEngine(o.Engine)
	if !ok {
		panic(fmt.Sprintf("enumerate: unknown engine %q", o.Engine))
	}
	return &Enumerator{formula: f, options: o, engine: engine, trial: defaultTrial, vars: f.Vars()}
}

// ModelSets iterates over all models, as disjoint sets. A set is overwritten by
// the next one. The iteration ends early when ctx is done or a limit of a solver
// is reached; see [Enumerator.Exhausted].
//
// It panics with an error value if the formula exceeds the tables of a solver.
func (e *Enumerator) ModelSets(ctx context.Context) iter.Seq[*ModelSet] {
	return func(yield func(*ModelSet) bool) {
		e.exhausted = false
		e.exhausted = e.engine.run(e, ctx, yield)
	}
}

// Models iterates over the models of [Enumerator.ModelSets] one by one. A model
// is overwritten by the next one. Where models are projected, only the variables
// of Options.Project have values.
func (e *Enumerator) Models(ctx context.Context) iter.Seq[dimacs.Model] {
	return func(yield func(dimacs.Model) bool) {
		for set := range e.ModelSets(ctx) {
			for m := range set.Models() {
				if !yield(m) {
					return
				}
			}
		}
	}
}

// Exhausted reports whether the last iteration has visited all models.
func (e *Enumerator) Exhausted() bool { return e.exhausted }
