package count

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"sator/dimacs"
)

// A problem is a formula as the search takes it.
type problem struct {
	o       *Options
	vars    int
	unused  int          // variables of the header behind the last one that occurs
	names   []dimacs.Var // by variable: its number in the formula
	clauses [][]lit      // without duplicate literals and tautologies
	counted []bool       // by variable; nil if all are
	defined []bool       // by variable: known to be defined by others that are counted
	weights []number
	scale   *big.Int // divides the sum of weights
	refuted bool
	implied [][]lit // clauses that the others imply
}

// prepare returns the problem of f, with all its variables, or up to the last one that occurs.
func prepare(f *dimacs.Formula, o *Options, all bool) *problem {
	p := &problem{o: o, vars: occurring(f, o), scale: big.NewInt(1)}
	if all {
		p.vars = max(p.vars, f.Vars())
	}
	if o.Project == nil {
		p.unused = max(0, f.Vars()-p.vars)
	}
	p.defined = make([]bool, p.vars)
	for v := range p.vars {
		p.names = append(p.names, dimacs.Var(v))
	}
	for _, l := range o.Assume {
		p.clauses = append(p.clauses, []lit{l})
	}
	for _, c := range f.Normalize().Clauses() {
		p.refuted = p.refuted || len(c) == 0
		p.clauses = append(p.clauses, slices.Clone(c))
	}
	if o.Project != nil {
		p.counted = make([]bool, p.vars)
		for _, v := range o.Project {
			p.counted[v] = true
		}
	}
	if len(o.Weights) > 0 {
		p.scaleWeights()
	}
	return p
}

// occurring returns the number of variables up to the highest one that the clauses or the options have.
func occurring(f *dimacs.Formula, o *Options) int {
	vars := 0
	have := func(l lit) { vars = max(vars, int(l>>1)+1) }
	for _, c := range f.Clauses() {
		for _, l := range c {
			have(l)
		}
	}
	for _, l := range o.Assume {
		have(l)
	}
	for _, v := range o.Project {
		have(v.Lit())
	}
	for l := range o.Weights {
		have(l)
	}
	return vars
}

// scaleWeights multiplies the weights of each variable by their common denominator.
func (p *problem) scaleWeights() {
	a := arithmetic{p.o.Float}
	p.weights = make([]number, 2*p.vars)
	for l := range p.weights {
		p.weights[l] = a.small(1)
	}
	one := big.NewRat(1, 1)
	for v := range p.vars {
		if p.counted != nil && !p.counted[v] {
			continue
		}
		pos, neg := p.o.Weights[lit(2*v)], p.o.Weights[lit(2*v+1)]
		if pos == nil && neg == nil {
			continue
		}
		if pos == nil {
			pos = one
		}
		if neg == nil {
			neg = one
		}
		d := new(big.Int).GCD(nil, nil, pos.Denom(), neg.Denom())
		d.Div(new(big.Int).Mul(pos.Denom(), neg.Denom()), d)
		for i, w := range []*big.Rat{pos, neg} {
			if w.Sign() < 0 {
				panic(fmt.Sprintf("count: the weight %v of %v is negative", w, lit(2*v+i)))
			}
			n := new(big.Int).Div(d, w.Denom())
			p.weights[2*v+i] = a.fromInt(n.Mul(n, w.Num()))
		}
		p.scale.Mul(p.scale, d)
	}
}

// search returns the search of the problem.
func (p *problem) search(ctx context.Context, o *Options, tries int, most int64) *search {
	memory := o.Memory
	if memory == 0 {
		memory = 1 << 30
	}
	s := &search{
		engine: newEngine(p.vars), arithmetic: arithmetic{o.Float}, cache: newCache(memory, o.Exact), weights: p.weights, ctx: ctx, most: most,
		bias: make([]int32, p.vars),
	}
	s.structure.init(p.vars, o.Seed)
	s.structure.counted, s.sorted = p.counted, o.Exact
	for _, c := range p.clauses {
		s.addGiven(c)
	}
	s.rank = ranks(ctx, p.vars, p.clauses, p.counted, tries)
	s.given = ref(len(s.arena) + headerWords)
	s.finish(o.Seed + 1)
	for _, c := range p.implied {
		s.addClause(c, 0)
		s.learned++
		s.limit++
	}
	s.report = func() {
		if o.Progress != nil {
			o.Progress(s.stats())
		}
	}
	return s
}

// addGiven adds a clause of the formula.
func (s *search) addGiven(c []lit) {
	for _, l := range c {
		s.bias[l>>1] += 1 - 2*int32(l&1)
	}
	r := s.addClause(c, 0)
	switch len(c) {
	case 1:
	case 2:
		s.addPair(uint32(c[0]>>1), uint32(c[1]>>1))
	default:
		s.addLong(r, c)
	}
}

func (s *search) stats() Stats {
	c := s.cache
	return Stats{
		Done: s.share, Vars: len(s.levels), Clauses: len(s.refs),
		Decisions: s.decisions, Conflicts: s.conflicts, Propagations: s.propagations, Learned: s.learned,
		Components: c.hits + c.misses, Hits: c.hits, Forgotten: c.forgotten, Cached: len(c.entries), CacheBytes: c.bytes(),
	}
}

// result returns the result of a search that ended with n.
func (p *problem) result(s *search, n number) *Result {
	status := dimacs.Satisfiable
	switch {
	case s.stopped:
		status = dimacs.Unknown
	case s.target != noTarget:
		status = dimacs.Unsatisfiable
	}
	return p.answer(status, n, s.stats())
}

// answer returns a result with the sum n of scaled weights.
func (p *problem) answer(status dimacs.Status, n number, stats Stats) *Result {
	a := arithmetic{p.o.Float}
	n = a.shift(n, p.unused)
	r := &Result{Status: status, Log10: a.log10(n) - arithmetic{}.log10(arithmetic{}.fromInt(p.scale)), Stats: stats}
	if !a.floating {
		r.Models = new(big.Rat).SetFrac(n.int(), p.scale)
	}
	return r
}
