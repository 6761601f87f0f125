package count

import (
	"context"
	"math"
	"math/big"

	"sator/dimacs"
)

// Options configure Count. The zero Options count all models exactly.
type Options struct {
	// Project has the variables onto which models are projected; nil stands for all. Assignments of
	// these variables are counted that can be extended to a model.
	Project []dimacs.Var

	// Weights has the weights of literals, not negative. Other literals have weight 1. The
	// weight of a model is the product of the weights of its literals, of the variables of Project
	// alone if that is not nil, and the sum of all weights is counted.
	Weights map[dimacs.Lit]*big.Rat

	// Assume has literals that are true in the models that are counted.
	Assume []dimacs.Lit

	// Float counts with floating numbers: about 15 digits of the sum are right.
	Float bool

	// Exact compares components themselves and not their hashes of 128 bits.
	Exact bool

	// Memory is the size of the component cache in bytes; 0 stands for 1 GiB. When it is
	// exceeded, components that were not used for long are forgotten.
	Memory int64

	// Seed is that of the hashes.
	Seed uint64

	// Progress, if not nil, is called about every ten milliseconds.
	Progress func(Stats)
}

// Stats are counts of a search.
type Stats struct {
	Done                               float64 // the share of the search that is done, 0 to 1
	Vars, Clauses                      int     // after simplification
	Decisions, Conflicts, Propagations int64
	Learned                            int   // clauses
	Components                         int64 // lookups in the cache
	Hits, Forgotten                    int64 // of the cache
	Cached                             int   // components
	CacheBytes                         int64
}

// A Result is a number of models.
type Result struct {
	// Status is Satisfiable if there is a model, Unsatisfiable if there is no model, and Unknown if
	// the context was done first.
	Status dimacs.Status

	// Models is the number of models, or the sum of their weights. If Status is Unknown, it is
	// a lower bound. It is nil with Options.Float.
	Models *big.Rat

	// Log10 is the decimal logarithm of the same, -Inf for 0.
	Log10 float64

	Stats Stats
}

// quickTicks bounds a first search without simplification, one or two seconds. It answers most
// questions that are easy, and some that simplification makes harder.
const quickTicks = 60_000_000

// Count counts the models of f. It panics if a weight is negative. Memory beside the cache is linear in f, times its depth.
func Count(ctx context.Context, f *dimacs.Formula, o Options) *Result {
	return count(ctx, f, o, quickTicks)
}

// count counts with so many ticks for the first search.
func count(ctx context.Context, f *dimacs.Formula, o Options, quick int64) *Result {
	p := prepare(f, &o, false)
	if p.refuted {
		return p.answer(dimacs.Unsatisfiable, number{}, Stats{})
	}
	if p.counted != nil && quick > 0 {
		if r := p.shrink(ctx); r != nil {
			return r
		}
	}
	s := p.search(ctx, &o, 1, quick)
	first := p.result(s, s.count())
	if !s.stopped || ctx.Err() != nil {
		return first
	}
	if p.counted == nil && quick > 0 {
		if r := p.few(ctx, fewModels); r != nil {
			return r
		}
	}
	p.simplify(ctx)
	switch {
	case p.refuted:
		return p.answer(dimacs.Unsatisfiable, number{}, Stats{})
	case ctx.Err() != nil:
		return first
	}
	s = p.search(ctx, &o, decomposeTries, math.MaxInt64)
	return p.result(s, s.count())
}

// Compile compiles f, and counts its models on the way. The circuit is nil if ctx was done
// first. It takes memory for each node beside the cache.
func Compile(ctx context.Context, f *dimacs.Formula, o Options) (*Circuit, *Result) {
	return compile(ctx, f, o, quickTicks)
}

// compile compiles with so many ticks before more simplification.
func compile(ctx context.Context, f *dimacs.Formula, o Options, quick int64) (*Circuit, *Result) {
	o.Float = false
	p := prepare(f, &o, true)
	p.run(ctx)
	c, r := p.circuit(ctx, quick)
	if r.Status == dimacs.Unknown && ctx.Err() == nil {
		p.tighten(ctx)
		p.run(ctx)
		c, r = p.circuit(ctx, math.MaxInt64)
	}
	return c, r
}

// circuit compiles the problem in so many ticks.
func (p *problem) circuit(ctx context.Context, most int64) (*Circuit, *Result) {
	c := newCircuit(p)
	if p.refuted {
		return c, p.answer(dimacs.Unsatisfiable, number{}, Stats{})
	}
	s := p.search(ctx, p.o, decomposeTries, most)
	s.circuit = c
	c.root = uint32(s.count().lo)
	if s.stopped {
		return nil, p.result(s, number{})
	}
	return c, p.result(s, c.evaluate(nil).values[c.root])
}
