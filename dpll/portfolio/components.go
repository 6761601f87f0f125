package portfolio

import (
	"cmp"
	"context"
	"slices"

	"sator/dimacs"
)

// Connected components of a formula share no variable, and are formulas of their own
// (Biere and Sinz, "Decomposing SAT problems into connected components", JSAT 2006).
// The union of their models is a model of the formula, and a component without a model
// refutes the formula. A search in several components at once is slow: restarts undo
// assignments in components that have nothing to do with a conflict, and a component
// that is easy to refute waits for the others. So formulas with a few large components
// are decomposed, by union and find over the variables.
//
// Each component has a solver of its own, over variables numbered without gaps. The
// solvers run in rounds, smallest component first, with a limit of conflicts that
// doubles from round to round. No matter which components are hard, at most about three
// quarters of the time is lost on the others. The proof is a proof of the formula: it has
// the ids and the variables of the formula, and different fresh variables for different
// components (shared_proof.go).
//
// Formulas with many components are not decomposed: usually they have one large
// component and many tiny ones, and each solver has a cost.

const (
	// mostComponents is the maximum number of components.
	mostComponents = 64
	// largestComponent is the maximum percentage of clauses in the largest component.
	largestComponent = 90
	// firstSlice is the limit of conflicts in the first round.
	firstSlice = 10_000
)

// A Solver solves one component.
type Solver interface {
	Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status
	Model() dimacs.Model
	Failed() []dimacs.Lit
}

// A Component is a part of a formula that shares no variable with the other parts.
type Component struct {
	Formula *dimacs.Formula // over variables of its own
	vars    []dimacs.Var    // by own variable: variable of the whole formula
	clauses []int           // by own clause: number of the clause in the whole formula
}

// Components returns the connected components of f, smallest first, or nil if f is
// better not decomposed, or the memory limit refuses the tables or the copies of the clauses.
// The time is linear up to the inverse Ackermann function. The memory is that of a second
// formula if f is decomposed.
func Components(f *dimacs.Formula, m dimacs.MemoryLimit) []*Component {
	if !m.Allows(4 * int64(f.Vars())) {
		return nil
	}
	link := unionFind(f)
	if link == nil {
		return nil
	}
	number := make(map[uint32]int) // of a component, by the root of its tree in link
	sizes := []int{}               // by component: number of clauses
	for _, c := range f.Clauses() {
		root := find(link, uint32(c[0]>>1))
		i, known := number[root]
		if !known {
			if i = len(sizes); i == mostComponents {
				return nil
			}
			number[root] = i
			sizes = append(sizes, 0)
		}
		sizes[i]++
	}
	if len(sizes) < 2 || slices.Max(sizes)*100 > largestComponent*f.Len() {
		return nil
	}
	if !m.Allows(8*int64(f.Vars()) + 20*int64(f.Len()) + 4*int64(f.Size())) {
		return nil
	}
	components := make([]*Component, len(sizes))
	for i := range components {
		components[i] = &Component{Formula: dimacs.NewFormula(0)}
	}
	addClauses(components, f, func(v dimacs.Var) int { return number[find(link, uint32(v))] })
	slices.SortStableFunc(components, func(a, b *Component) int { return cmp.Compare(a.Formula.Size(), b.Formula.Size()) })
	return components
}

// addClauses adds the clauses of f to the components. The function component returns
// the number of the component of a variable.
func addClauses(components []*Component, f *dimacs.Formula, component func(dimacs.Var) int) {
	own := make([]uint32, f.Vars()) // by variable: variable of its component plus 1, or 0
	var d []dimacs.Lit
	for i, c := range f.Clauses() {
		p := components[component(c[0].Var())]
		d = d[:0]
		for _, l := range c {
			if own[l>>1] == 0 {
				p.vars = append(p.vars, l.Var())
				own[l>>1] = uint32(len(p.vars))
			}
			d = append(d, dimacs.Lit(2*(own[l>>1]-1))|l&1)
		}
		p.Formula.Add(d...)
		p.clauses = append(p.clauses, i)
	}
}

// unionFind returns a union-find forest over the variables of f. The variables of a
// clause are in one tree. It returns nil if f has an empty clause, or as soon as all
// variables are in one tree.
func unionFind(f *dimacs.Formula) []uint32 {
	link := make([]uint32, f.Vars())
	for v := range link {
		link[v] = uint32(v)
	}
	trees := len(link)
	for _, c := range f.Clauses() {
		if len(c) == 0 {
			return nil
		}
		root := find(link, uint32(c[0]>>1))
		for _, l := range c[1:] {
			if r := find(link, uint32(l>>1)); r != root {
				link[r] = root
				if trees--; trees == 1 {
					return nil
				}
			}
		}
	}
	return link
}

// find returns the root of the tree of v. It halves the path to the root.
func find(link []uint32, v uint32) uint32 {
	for link[v] != v {
		link[v] = link[link[v]]
		v = link[v]
	}
	return v
}

// ComponentOptions configure a [ComponentSolver].
type ComponentOptions struct {
	// Start returns a solver with all clauses of a component. If proof is not nil, the
	// solver logs the clauses and its lemmas in it.
	Start func(c *Component, proof dimacs.Proof) Solver

	// Limit sets the limit of conflicts for the next call of a solver that Start
	// returned; 0 is no limit. It reports false if the call must not take place, as
	// when a limit of the whole run is reached.
	Limit func(s Solver, conflicts int64) bool

	// Proof, if not nil, is the proof of the formula.
	Proof dimacs.Proof
}

// A ComponentSolver decides a formula by its connected components.
type ComponentSolver struct {
	opts       ComponentOptions
	vars       int
	component  []int // by variable: number of its component, or -1
	components []*Component
	solvers    []Solver // by component
	model      dimacs.Model
	failed     []dimacs.Lit
	refuted    bool // without assumptions
}

// NewComponentSolver returns a solver of f with the given components. The formula must
// not change any more.
func NewComponentSolver(f *dimacs.Formula, components []*Component, opts ComponentOptions) *ComponentSolver {
	s := &ComponentSolver{opts: opts, vars: f.Vars(), component: make([]int, f.Vars()), components: components}
	for v := range s.component {
		s.component[v] = -1
	}
	hints := opts.Proof != nil && opts.Proof.Hints()
	ids := logOriginals(f, opts.Proof)
	for i, c := range components {
		for _, v := range c.vars {
			s.component[v] = i
		}
		var proof dimacs.Proof
		if opts.Proof != nil {
			proof = &componentProof{to: opts.Proof, hints: hints, component: c, ids: ids, fresh: f.Vars() + i, components: len(components)}
		}
		s.solvers = append(s.solvers, opts.Start(c, proof))
	}
	return s
}

// Solve looks for a model of the formula in which all assumptions are true.
func (s *ComponentSolver) Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	s.failed = nil
	if s.refuted {
		return dimacs.Unsatisfiable
	}
	assumed, ok := s.assumptionsByComponent(assumptions)
	if !ok {
		return dimacs.Unsatisfiable
	}
	solved := make([]bool, len(s.components))
	open := len(s.components)
	for slice := int64(firstSlice); open > 0; slice *= 2 {
		if open == 1 {
			slice = 0 // no limit
		}
		for i, solver := range s.solvers {
			if solved[i] {
				continue
			}
			if ctx.Err() != nil || !s.opts.Limit(solver, slice) {
				return dimacs.Unknown
			}
			switch solver.Solve(ctx, assumed[i]...) {
			case dimacs.Unsatisfiable:
				s.copyFailed(i)
				return dimacs.Unsatisfiable
			case dimacs.Satisfiable:
				solved[i] = true
				open--
				s.copyModel(i)
			default:
				if slice == 0 {
					return dimacs.Unknown
				}
			}
		}
	}
	return dimacs.Satisfiable
}

// assumptionsByComponent returns the assumptions of each component, and sets the values of
// variables without a component. It reports false if assumptions about the latter
// contradict each other.
func (s *ComponentSolver) assumptionsByComponent(assumptions []dimacs.Lit) (assumed [][]dimacs.Lit, ok bool) {
	vars := s.vars
	for _, l := range assumptions {
		vars = max(vars, int(l>>1)+1)
	}
	s.model = make(dimacs.Model, vars)
	for v := range s.model {
		s.model[v] = dimacs.False
	}
	isolated := make(map[dimacs.Lit]bool) // assumptions about variables without a component
	own := s.componentLits(assumptions)
	assumed = make([][]dimacs.Lit, len(s.components))
	for _, l := range assumptions {
		if v := int(l >> 1); v < s.vars && s.component[v] >= 0 {
			assumed[s.component[v]] = append(assumed[s.component[v]], own[l])
			continue
		}
		if isolated[l.Not()] {
			s.failed = []dimacs.Lit{l, l.Not()}
			return nil, false
		}
		isolated[l] = true
		s.model.Set(l)
	}
	return assumed, true
}

// componentLits returns the literals of the components for the variables of the given
// literals.
func (s *ComponentSolver) componentLits(lits []dimacs.Lit) map[dimacs.Lit]dimacs.Lit {
	if len(lits) == 0 {
		return nil
	}
	wanted := make(map[dimacs.Var]bool, len(lits))
	for _, l := range lits {
		wanted[l.Var()] = true
	}
	own := make(map[dimacs.Lit]dimacs.Lit)
	for _, c := range s.components {
		for i, v := range c.vars {
			if wanted[v] {
				l := dimacs.Lit(2 * v)
				own[l], own[l.Not()] = dimacs.Lit(2*i), dimacs.Lit(2*i+1)
			}
		}
	}
	return own
}

// copyModel copies the model of component i to the model of the formula.
func (s *ComponentSolver) copyModel(i int) {
	m := s.solvers[i].Model()
	for k, v := range s.components[i].vars {
		s.model[v] = m[k]
	}
}

// copyFailed copies the failed assumptions of component i.
func (s *ComponentSolver) copyFailed(i int) {
	for _, l := range s.solvers[i].Failed() {
		s.failed = append(s.failed, s.components[i].formulaLit(l))
	}
	s.refuted = len(s.failed) == 0
}

// formulaLit returns the literal of the whole formula for a literal of the component.
func (c *Component) formulaLit(l dimacs.Lit) dimacs.Lit { return dimacs.Lit(2*c.vars[l>>1]) | l&1 }

// Model returns the model that the last call of Solve found.
func (s *ComponentSolver) Model() dimacs.Model { return s.model }

// Failed returns the assumptions that the last call of Solve refuted.
func (s *ComponentSolver) Failed() []dimacs.Lit { return slices.Clone(s.failed) }

// A componentProof logs the steps of the solver of a component in the proof of the
// formula. It implements [dimacs.Proof].
type componentProof struct {
	to         dimacs.Proof // of the formula
	hints      bool
	component  *Component
	ids        idRanges     // of the clauses of the formula
	originals  int          // clauses of the component that the solver has logged
	fresh      int          // number of the first fresh variable of the component
	components int          // distance between fresh variables of the component
	lits       []dimacs.Lit // scratch
}

// Hints implements [dimacs.Proof].
func (p *componentProof) Hints() bool { return p.hints }

// Original implements [dimacs.Proof]. The clause is in the proof already.
func (p *componentProof) Original([]dimacs.Lit) int64 {
	p.originals++
	return p.ids.id(p.component.clauses[p.originals-1])
}

// Learn implements [dimacs.Proof].
func (p *componentProof) Learn(lits []dimacs.Lit, hints []int64) int64 {
	return p.to.Learn(p.renumbered(lits), hints)
}

// Delete implements [dimacs.Proof].
func (p *componentProof) Delete(id int64, lits []dimacs.Lit) { p.to.Delete(id, p.renumbered(lits)) }

// renumbered returns literals of the solver with the variables of the proof. The result
// is scratch.
func (p *componentProof) renumbered(lits []dimacs.Lit) []dimacs.Lit {
	p.lits = p.lits[:0]
	for _, l := range lits {
		if k := int(l>>1) - len(p.component.vars); k >= 0 {
			p.lits = append(p.lits, freshLit(p.fresh, k, p.components)|l&1)
		} else {
			p.lits = append(p.lits, p.component.formulaLit(l))
		}
	}
	return p.lits
}
