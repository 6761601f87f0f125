package portfolio

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"sator/dimacs"
)

// Parts of a formula that have no variable in common are formulas of their own: it
// has a model if each of them has, and they are joined; one that has none refutes all.
// A search over several at once loses much: restarts take back what was done in parts
// that have nothing to do with a conflict, and a part that is easy to refute waits
// for the others. So formulas made of few large parts are split (Biere and Sinz,
// "Decomposing SAT problems into connected components", JSAT 2006), by union and find
// over the variables.
//
// Each part has a solver of its own, over variables numbered without gaps. They take
// turns, smallest first, each with so many conflicts, and twice as many in the next
// round: whichever parts are hard, no more than about three quarters of the time is
// lost on others. Proofs speak of the formula: clauses have the ids that they have
// there, and variables are called what they are called there. Fresh ones of different
// parts differ (ledger.go).
//
// Formulas with many parts are not split: those are crumbs around one large part, and
// solvers have their cost.

const (
	mostParts = 64
	// A formula is split if its largest part has so much of the clauses at most, in
	// percent.
	largestPart = 90
	// splitSlice is how many conflicts a part has in the first round.
	splitSlice = 10_000
)

// A Solver is what parts of a formula are given to.
type Solver interface {
	Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status
	Model() dimacs.Model
	Failed() []dimacs.Lit
}

// A Component is a part of a formula that shares no variable with the rest of it.
type Component struct {
	Formula *dimacs.Formula // over variables of its own
	vars    []dimacs.Var    // what they are in the formula
	clauses []int           // which clauses of the formula these are
}

// Components returns the parts of f, smallest first, if it is one that is better split, and
// else nil. The time is linear, but for a factor that is as good as constant; memory
// is that of a second formula if it is split.
func Components(f *dimacs.Formula) []*Component {
	link := connect(f)
	if link == nil {
		return nil
	}
	number := make(map[uint32]int) // of a part, by its root
	sizes := []int{}
	for _, c := range f.Clauses() {
		root := find(link, uint32(c[0]>>1))
		i, known := number[root]
		if !known {
			if i = len(sizes); i == mostParts {
				return nil
			}
			number[root] = i
			sizes = append(sizes, 0)
		}
		sizes[i]++
	}
	if len(sizes) < 2 || slices.Max(sizes)*100 > largestPart*f.Len() {
		return nil
	}
	parts := make([]*Component, len(sizes))
	for i := range parts {
		parts[i] = &Component{Formula: dimacs.NewFormula(0)}
	}
	addClauses(parts, f, func(v dimacs.Var) int { return number[find(link, uint32(v))] })
	slices.SortStableFunc(parts, func(a, b *Component) int { return cmp.Compare(a.Formula.Size(), b.Formula.Size()) })
	return parts
}

// addClauses gives each part its clauses.
func addClauses(parts []*Component, f *dimacs.Formula, of func(dimacs.Var) int) {
	inner := make([]uint32, f.Vars()) // variables in their parts, from 1 on
	var d []dimacs.Lit
	for i, c := range f.Clauses() {
		p := parts[of(c[0].Var())]
		d = d[:0]
		for _, l := range c {
			if inner[l>>1] == 0 {
				p.vars = append(p.vars, l.Var())
				inner[l>>1] = uint32(len(p.vars))
			}
			d = append(d, dimacs.Lit(2*(inner[l>>1]-1))|l&1)
		}
		p.Formula.Add(d...)
		p.clauses = append(p.clauses, i)
	}
}

// connect returns the variables of f as a forest, in which those that meet in a clause
// are in one tree. It returns nil if there is an empty clause, or as soon as all are in
// one tree.
func connect(f *dimacs.Formula) []uint32 {
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

// find returns the root of the tree of v, and makes the way to it half as long.
func find(link []uint32, v uint32) uint32 {
	for link[v] != v {
		link[v] = link[link[v]]
		v = link[v]
	}
	return v
}

// ComponentOptions configure a [ComponentSolver].
type ComponentOptions struct {
	// Start returns a solver of a part, with all its clauses. If there is a proof it
	// is told these, and what the solver derives.
	Start func(p *Component, proof dimacs.Proof) Solver

	// Limit limits the next call of the solver of a part to so many conflicts. It
	// reports false if that makes no sense: a limit of the whole is reached, say.
	Limit func(s Solver, conflicts int64) bool

	// Proof, if not nil, is that of the formula.
	Proof dimacs.Proof
}

// A ComponentSolver decides a formula by its parts.
type ComponentSolver struct {
	opts    ComponentOptions
	vars    int
	of      []int // by variable: its part, or -1
	parts   []*Component
	solvers []Solver
	model   dimacs.Model
	failed  []dimacs.Lit
	refuted bool
}

// NewComponentSolver returns a solver of f, which has these parts, and must not change any more.
func NewComponentSolver(f *dimacs.Formula, parts []*Component, opts ComponentOptions) *ComponentSolver {
	s := &ComponentSolver{opts: opts, vars: f.Vars(), of: make([]int, f.Vars()), parts: parts}
	for v := range s.of {
		s.of[v] = -1
	}
	ids, hints := idRanges{}, false
	if opts.Proof != nil {
		hints = opts.Proof.Hints()
		for i, c := range f.Clauses() {
			ids.add(i, opts.Proof.Original(c))
		}
	}
	for i, p := range parts {
		for _, v := range p.vars {
			s.of[v] = i
		}
		var proof dimacs.Proof
		if opts.Proof != nil {
			proof = &componentProof{to: opts.Proof, hints: hints, part: p, ids: ids, fresh: f.Vars() + i, stride: len(parts)}
		}
		s.solvers = append(s.solvers, opts.Start(p, proof))
	}
	return s
}

// Solve looks for a model of the formula in which all assumptions are true, as engines
// do.
func (s *ComponentSolver) Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	s.failed = nil
	if s.refuted {
		return dimacs.Unsatisfiable
	}
	asked, ok := s.splitAssumptions(assumptions)
	if !ok {
		return dimacs.Unsatisfiable
	}
	solved := make([]bool, len(s.parts))
	left := len(s.parts)
	for slice := int64(splitSlice); left > 0; slice *= 2 {
		if left == 1 {
			slice = 0 // no limit
		}
		for i, solver := range s.solvers {
			if solved[i] {
				continue
			}
			if ctx.Err() != nil || !s.opts.Limit(solver, slice) {
				return dimacs.Unknown
			}
			switch solver.Solve(ctx, asked[i]...) {
			case dimacs.Unsatisfiable:
				s.copyFailed(i)
				return dimacs.Unsatisfiable
			case dimacs.Satisfiable:
				solved[i] = true
				left--
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

// splitAssumptions gives each part its assumptions, and values to variables that are in no
// part. It reports false if assumptions exclude each other there.
func (s *ComponentSolver) splitAssumptions(assumptions []dimacs.Lit) (asked [][]dimacs.Lit, ok bool) {
	vars := s.vars
	for _, l := range assumptions {
		vars = max(vars, int(l>>1)+1)
	}
	s.model = make(dimacs.Model, vars)
	for v := range s.model {
		s.model[v] = dimacs.False
	}
	given := make(map[dimacs.Lit]bool)
	inner := s.componentLits(assumptions)
	asked = make([][]dimacs.Lit, len(s.parts))
	for _, l := range assumptions {
		if v := int(l >> 1); v < s.vars && s.of[v] >= 0 {
			asked[s.of[v]] = append(asked[s.of[v]], inner[l])
			continue
		}
		if given[l.Not()] {
			s.failed = []dimacs.Lit{l, l.Not()}
			return nil, false
		}
		given[l] = true
		s.model[l>>1] = dimacs.True
		if l.Neg() {
			s.model[l>>1] = dimacs.False
		}
	}
	return asked, true
}

// componentLits returns what literals are called in their parts.
func (s *ComponentSolver) componentLits(lits []dimacs.Lit) map[dimacs.Lit]dimacs.Lit {
	if len(lits) == 0 {
		return nil
	}
	wanted := make(map[dimacs.Var]bool, len(lits))
	for _, l := range lits {
		wanted[l.Var()] = true
	}
	names := make(map[dimacs.Lit]dimacs.Lit)
	for _, p := range s.parts {
		for i, v := range p.vars {
			if wanted[v] {
				l := dimacs.Lit(2 * v)
				names[l], names[l.Not()] = dimacs.Lit(2*i), dimacs.Lit(2*i+1)
			}
		}
	}
	return names
}

// copyModel takes over the model of part i.
func (s *ComponentSolver) copyModel(i int) {
	m := s.solvers[i].Model()
	for k, v := range s.parts[i].vars {
		s.model[v] = m[k]
	}
}

// copyFailed takes over which assumptions part i has refuted.
func (s *ComponentSolver) copyFailed(i int) {
	for _, l := range s.solvers[i].Failed() {
		s.failed = append(s.failed, s.parts[i].formulaLit(l))
	}
	s.refuted = len(s.failed) == 0
}

// formulaLit returns what a literal of the part is called in the formula.
func (p *Component) formulaLit(l dimacs.Lit) dimacs.Lit { return dimacs.Lit(2*p.vars[l>>1]) | l&1 }

// Model returns the model that the last call of Solve found.
func (s *ComponentSolver) Model() dimacs.Model { return s.model }

// Failed returns the assumptions that the last call of Solve refuted.
func (s *ComponentSolver) Failed() []dimacs.Lit { return slices.Clone(s.failed) }

// Solvers returns the solvers of the parts.
func (s *ComponentSolver) Solvers() []Solver { return s.solvers }

// An componentProof is the proof of a formula as the solver of a part sees it. It implements
// [dimacs.Proof].
type componentProof struct {
	to            dimacs.Proof
	hints         bool
	part          *Component
	ids           idRanges // of the clauses of the formula
	originals     int      // clauses of the part
	fresh, stride int      // the first fresh variable is called fresh, the next fresh+stride
	lits          []dimacs.Lit
}

// Hints implements [dimacs.Proof].
func (e *componentProof) Hints() bool { return e.hints }

// Original implements [dimacs.Proof]. The clause is known already.
func (e *componentProof) Original([]dimacs.Lit) int64 {
	e.originals++
	return e.ids.id(e.part.clauses[e.originals-1])
}

// Learn implements [dimacs.Proof].
func (e *componentProof) Learn(lits []dimacs.Lit, hints []int64) int64 {
	return e.to.Learn(e.renamed(lits), hints)
}

// Delete implements [dimacs.Proof].
func (e *componentProof) Delete(id int64, lits []dimacs.Lit) { e.to.Delete(id, e.renamed(lits)) }

// renamed returns literals as they are called in the formula, in scratch.
func (e *componentProof) renamed(lits []dimacs.Lit) []dimacs.Lit {
	e.lits = e.lits[:0]
	for _, l := range lits {
		if x := int(l>>1) - len(e.part.vars); x >= 0 {
			y := e.fresh + x*e.stride
			if y >= dimacs.MaxVars {
				panic(fmt.Errorf("portfolio: fresh variables of %d parts exceed the last number of a variable", e.stride))
			}
			e.lits = append(e.lits, dimacs.Lit(2*y)|l&1)
			continue
		}
		e.lits = append(e.lits, e.part.formulaLit(l))
	}
	return e.lits
}
