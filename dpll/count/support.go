package count

import (
	"context"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// Simplification that keeps the number of models. A counted variable of weight 1 that is defined by
// other counted variables need not be counted: each assignment of the others has at most one value
// for it. What remains is an independent support, and the variables out of it may be eliminated by
// resolution, substituted, and so on, like the variables that are not counted (Lagniez, Lonca and Marquis,
// "Improving model counting by leveraging definability", IJCAI 2016; Soos and Meel, "Arjun", ICCAD
// 2022). So the passes of package cdcl run with the support frozen.
//
// Padoa's test decides whether the others define a variable: the formula and a copy
// of it, with equal other variables, have no model where the variable differs.
// The variables are tested in order of their occurrences, rarest first, and their equalities have switches.
//
// In turn, the search must decide the counted variables of a projection first, and that may split the formula
// badly. So in the end all variables that the support defines become counted, too: that changes no number.

const (
	padoaConflicts = 200         // of a test; a variable stays in the support if they do not suffice
	padoaSteps     = 100_000_000 // of all tests: propagations and assumptions
	simplifyRounds = 5
	fewModels      = 3000       // from here on they are not counted one by one
	fewValues      = 10_000_000 // of their variables
	fewConflicts   = 20_000     // of the search for them
)

// simplify replaces the clauses by the simplified formula, and drops variables with values that follow
// or do not matter.
func (p *problem) simplify(ctx context.Context) {
	p.tighten(ctx)
	p.run(ctx)
	if p.padoa(ctx) {
		p.run(ctx)
	}
	p.extend(ctx)
	p.tighten(ctx)
}

// shrink removes what it can of the variables that are not counted, often most of the formula, before
// the first search of a projection. It returns the result if there are few models.
func (p *problem) shrink(ctx context.Context) *Result {
	if r := p.few(ctx, 1); r != nil {
		return r
	}
	if p.run(ctx); p.refuted {
		return p.answer(dimacs.Unsatisfiable, number{}, Stats{})
	}
	return p.few(ctx, fewModels)
}

// over reports whether no simplification is to follow.
func (p *problem) over(ctx context.Context) bool { return p.refuted || ctx.Err() != nil }

// run runs the passes with the variables frozen that must be kept, and drops others that have a value or no
// clauses.
func (p *problem) run(ctx context.Context) {
	if p.over(ctx) {
		return
	}
	s := cdcl.New(cdcl.Options{NoSymmetry: true})
	s.Grow(p.vars)
	for v := range p.vars {
		if p.kept(v) {
			s.Freeze(lit(2 * v))
		}
	}
	for _, c := range p.clauses {
		s.Add(c...)
	}
	p.refuted = s.Simplify(ctx, simplifyRounds) == dimacs.Unsatisfiable
	p.implied = slices.DeleteFunc(p.implied, func(c []lit) bool {
		return slices.ContainsFunc(c, func(l lit) bool { return !p.kept(int(l >> 1)) })
	})
	p.clauses = nil
	occurs := make([]bool, p.vars)
	for c := range s.Simplified() {
		if len(c) == 1 && !p.kept(int(c[0]>>1)) {
			continue
		}
		p.clauses = append(p.clauses, slices.Clone(c))
		for _, l := range c {
			occurs[l>>1] = true
		}
	}
	p.rename(func(v int) bool { return p.kept(v) || occurs[v] })
}

// few counts the models one by one, if there are fewer than most that package cdcl finds without much
// search, which has restarts and more techniques than the search here. The result is nil if there may
// be others.
func (p *problem) few(ctx context.Context, most int) *Result {
	s := cdcl.New(cdcl.Options{})
	s.Grow(p.vars)
	for _, c := range p.clauses {
		s.Add(c...)
	}
	project := []dimacs.Var{}
	for v := range p.vars {
		if p.counted == nil || p.counted[v] {
			project = append(project, dimacs.Var(v))
		}
	}
	a := arithmetic{p.o.Float}
	s.SetLimits(cdcl.Limits{Conflicts: fewConflicts})
	e := s.Enumerate(project)
	n, models := number{}, 0
	for m := range e.Models(ctx) {
		x := a.small(1)
		for _, v := range project {
			if l := v.Lit(); p.weights != nil && m.Lit(l) == dimacs.True {
				x = a.mul(x, p.weights[l])
			} else if p.weights != nil {
				x = a.mul(x, p.weights[l^1])
			}
		}
		n = a.add(n, x)
		if models++; models == most || models*p.vars > fewValues || s.Stats().Conflicts > fewConflicts {
			break
		}
	}
	switch {
	case !e.Exhausted():
		return nil
	case models == 0:
		return p.answer(dimacs.Unsatisfiable, n, Stats{})
	}
	return p.answer(dimacs.Satisfiable, n, Stats{})
}

// kept reports whether the values of v must be counted: they are counted, and not known to be defined.
func (p *problem) kept(v int) bool { return (p.counted == nil || p.counted[v]) && !p.defined[v] }

// rename drops variables.
func (p *problem) rename(keep func(v int) bool) {
	number := make([]uint32, p.vars)
	n := 0
	for v := range p.vars {
		number[v] = uint32(n)
		p.defined[n], p.names[n] = p.defined[v], p.names[v]
		if !keep(v) {
			continue
		}
		if p.counted != nil {
			p.counted[n] = p.counted[v]
		}
		if p.weights != nil {
			p.weights[2*n], p.weights[2*n+1] = p.weights[2*v], p.weights[2*v+1]
		}
		n++
	}
	p.vars, p.names, p.defined = n, p.names[:n], p.defined[:n]
	if p.counted != nil {
		p.counted = p.counted[:n]
	}
	if p.weights != nil {
		p.weights = p.weights[:2*n]
	}
	for _, c := range slices.Concat(p.clauses, p.implied) {
		for i, l := range c {
			c[i] = lit(2*number[l>>1]) | l&1
		}
	}
}

// padoa marks variables that the rest define, and reports whether it found any.
func (p *problem) padoa(ctx context.Context) (found bool) {
	if p.over(ctx) {
		return false
	}
	candidates := p.candidates()
	d := newPadoa(p, candidates, padoaSteps)
	for i, v := range candidates {
		if p.defined[v] = d.defined(ctx, v, d.equal.without(i)); !p.defined[v] {
			d.equal.keep(i)
		}
		found = found || p.defined[v]
	}
	return found
}

// extend makes all variables counted that the support defines.
func (p *problem) extend(ctx context.Context) {
	if p.counted == nil || p.over(ctx) {
		return
	}
	d, all := newPadoa(p, nil, padoaSteps/10), true
	for v := range uint32(p.vars) {
		if !p.counted[v] && d.defined(ctx, v, nil) {
			p.counted[v], p.defined[v] = true, true
		}
		all = all && p.counted[v]
	}
	if all {
		p.counted = nil
	}
}

// candidates returns the variables to be kept that may be defined by others, rarest first.
func (p *problem) candidates() (candidates []uint32) {
	occurrences := make([]int, p.vars)
	for _, c := range p.clauses {
		for _, l := range c {
			occurrences[l>>1]++
		}
	}
	one := arithmetic{p.o.Float}.small(1)
	for v := range p.vars {
		weighted := p.weights != nil && (p.weights[2*v] != one || p.weights[2*v+1] != one)
		if p.kept(v) && !weighted {
			candidates = append(candidates, uint32(v))
		}
	}
	slices.SortStableFunc(candidates, func(v, w uint32) int { return occurrences[v] - occurrences[w] })
	return candidates
}

// A padoa has two copies of the clauses. The copies of variables that are kept are equal; a
// candidate's, by a switch.
type padoa struct {
	solver *cdcl.Solver
	vars   int
	equal  *switches
	steps  int64 // the limit of all tests
	calls  int64 // the steps of calls without search
}

func newPadoa(p *problem, candidates []uint32, steps int64) *padoa {
	d := &padoa{solver: cdcl.New(cdcl.Options{NoSymmetry: true}), vars: p.vars, steps: steps}
	for _, c := range p.clauses {
		copied := make([]lit, len(c))
		for i, l := range c {
			copied[i] = d.copied(l)
		}
		d.solver.Add(c...)
		d.solver.Add(copied...)
	}
	equal := func(v int, unless ...lit) {
		l := lit(2 * v)
		d.solver.Add(append(unless, l, d.copied(l)^1)...)
		d.solver.Add(append(unless, l^1, d.copied(l))...)
	}
	d.equal = newSwitches(d.solver, 2*p.vars, len(candidates))
	switched := make([]bool, p.vars)
	for i, v := range candidates {
		switched[v] = true
		equal(int(v), d.equal.lit(i)^1)
	}
	for v := range p.vars {
		if p.kept(v) && !switched[v] {
			equal(v)
		}
	}
	return d
}

func (d *padoa) copied(l lit) lit { return l + lit(2*d.vars) }

// defined reports whether v is known to be defined, by the variables with equal copies.
func (d *padoa) defined(ctx context.Context, v uint32, equal []lit) bool {
	d.calls += int64(len(equal))
	left := d.steps - d.solver.Stats().Propagations - d.calls
	if left <= 0 || ctx.Err() != nil {
		return false
	}
	l := lit(2 * v)
	d.solver.SetLimits(cdcl.Limits{Conflicts: padoaConflicts, Propagations: left})
	return d.solver.Solve(ctx, append(equal, l, d.copied(l)^1)...) == dimacs.Unsatisfiable
}
