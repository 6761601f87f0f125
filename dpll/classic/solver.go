package classic

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"sator/dimacs"
)

// A Solver decides formulas in conjunctive normal form (CNF) by DPLL. Calls of
// Add and Solve may alternate. Each call of Solve starts a new search; the only
// result that later calls reuse is that the clauses are unsatisfiable without
// assumptions. A Solver is used by one goroutine at a time; different solvers
// share no memory.
//
// Variables have one owner. At first that is the caller: a variable beyond Vars() in a
// clause, an assumption or a projection is added. From the first call of NewVar on, the
// solver numbers new variables, and unknown ones are a panic.
//
// A solver has at most 2^30-1 variables and clauses with about 2^32 literals in
// total; Add panics beyond that.
type Solver struct {
	opts      Options
	heuristic *Heuristic
	proof     dimacs.Proof
	random    *rand.Rand
	numbers   bool // NewVar was called: other calls add no variables

	// The clauses in the order of Add, without duplicate literals. Clause c is
	// lits[starts[c]:starts[c+1]]; a tautology is stored without literals.
	lits   []dimacs.Lit
	starts []uint32
	units  []uint32 // clauses of one literal
	empty  uint32   // the first empty clause, or none

	// The assignment.
	vals       []int8   // by literal: 1 true, -1 false, 0 unassigned
	reasons    []uint32 // by variable, while it is assigned: a clause, or decided, or purity
	trail      []dimacs.Lit
	levels     []level // assumptions first, then decisions
	rootLevels int     // number of levels that are assumptions
	head       int     // index on the trail of the first literal that is not propagated

	// Propagation.
	binaries  [][]implication // by literal: the binary clauses with it
	watches   [][]watch       // by literal: the longer clauses that watch it
	arena     []uint32        // copies of the clauses with three literals and more, watched literals first
	connected int             // number of clauses that these tables contain
	conflict  uint32          // the clause that propagation falsified, or none

	// Tables for heuristics and pure literals.
	occ    occurrences
	counts counts
	pure   pureFinder
	cursor uint32 // all clauses before it are satisfied

	// The current or the last call.
	ctx         context.Context
	limits      Limits
	base        Stats // at the start of the call, for limits
	deadline    time.Time
	workLeft    int // work until the next check of ctx and deadline
	polls       int // number of these checks
	stopped     bool
	assumptions []dimacs.Lit
	assumed     int          // number of assumptions that were decided or found true
	enum        *enumeration // nil in a call of Solve
	state       state
	model       dimacs.Model
	failed      []dimacs.Lit
	core        coreAnalysis
	lemmas      lemmas
	refuted     bool // the clauses are unsatisfiable without assumptions
	exhausted   bool // the last enumeration has visited all models

	marks  []uint8      // by variable, zero between uses
	clause []dimacs.Lit // scratch, see simplified and proveConflict
	stats  Stats
}

// A level begins with an assumption or a decision.
type level struct {
	decision    dimacs.Lit
	flipped     bool   // the first branch has failed, and decision is its complement
	unprojected bool   // the variable is not in the projection of the enumeration
	trail       int    // index of the decision on the trail
	cursor      uint32 // Solver.cursor at the start of the level
	position    int    // enumeration.position at the start of the level
}

// Values of a clause index that are no clauses.
const (
	decided    = math.MaxUint32 - iota // reason of decisions, their complements, and assumptions
	purity                             // reason of pure literals
	none                               // no clause
	maxClauses                         // upper bound of the number of clauses
)

// A state is the answer of the last call, which decides whether Model, Value or
// Failed may be called.
type state uint8

const (
	steady state = iota
	satisfied
	refuted
)

// New returns a solver without clauses. It panics if an option is invalid; see
// [Options.Check].
func New(opts Options) *Solver {
	if err := opts.Check(); err != nil {
		panic("classic: " + err.Error())
	}
	s := &Solver{
		opts:   opts,
		proof:  opts.Proof,
		random: rand.New(rand.NewPCG(opts.Seed, 0xd511)),
		starts: make([]uint32, 1, 64),
		empty:  none,
	}
	s.heuristic, _ = FindHeuristic(opts.Heuristic)
	if s.proof != nil {
		s.proof.Hints()
	}
	return s
}

// Grow adds variables until there are at least vars, so that models cover the
// variables 0 to vars-1. It panics if vars exceeds [dimacs.MaxVars], if it adds variables
// after a call of NewVar, or if called from a callback.
func (s *Solver) Grow(vars int) {
	switch {
	case vars <= len(s.reasons):
		return
	case s.numbers:
		panic(fmt.Sprintf("classic: variable %d is unknown, and NewVar numbers new variables", vars))
	}
	s.grow(vars)
}

// grow adds variables until there are vars.
func (s *Solver) grow(vars int) {
	switch {
	case s.ctx != nil:
		panic("classic: called while solving")
	case vars > dimacs.MaxVars:
		panic(fmt.Sprintf("classic: %d variables", vars))
	}
	s.vals = lengthen(s.vals, 2*vars)
	s.reasons = lengthen(s.reasons, vars)
	s.marks = lengthen(s.marks, vars)
	s.trail = lengthen(s.trail, vars)[:len(s.trail)]
	s.binaries = lengthen(s.binaries, 2*vars)
	s.watches = lengthen(s.watches, 2*vars)
}

// NewVar adds a variable that nobody else has, and returns it.
func (s *Solver) NewVar() dimacs.Var {
	v := s.Vars()
	s.grow(v + 1)
	s.numbers = true
	return dimacs.Var(v)
}

// Vars returns the number of variables.
func (s *Solver) Vars() int { return len(s.reasons) }

// lengthen returns a with n elements, the new ones zero. The first allocation is
// exact; later ones add a quarter, also if a is empty, so that growing by one
// element takes constant time on average.
func lengthen[T any](a []T, n int) []T {
	if n > cap(a) {
		capacity := n
		if cap(a) > 0 {
			capacity += n / 4
		}
		b := make([]T, len(a), capacity)
		copy(b, a)
		a = b
	}
	return a[:n]
}

// Add adds a clause and grows the solver to its variables. Duplicate literals are
// removed, and a tautology is stored without literals. Add copies lits. It takes
// time linear in the clause and leaves propagation to Solve. It panics if called
// from a callback.
func (s *Solver) Add(lits ...dimacs.Lit) {
	s.reset()
	for _, l := range lits {
		s.Grow(int(l>>1) + 1)
	}
	id := int64(0)
	if s.proof != nil {
		id = s.proof.Original(lits)
	}
	c, tautology := s.simplified(lits)
	if tautology {
		s.stats.Tautologies++
		if s.proof != nil {
			s.proof.Delete(id, lits)
		}
	}
	s.store(c, tautology)
}

// simplified returns the clause without duplicate literals, or without literals
// if it is a tautology. The result is in s.clause.
func (s *Solver) simplified(lits []dimacs.Lit) (c []dimacs.Lit, tautology bool) {
	c = s.clause[:0]
	for _, l := range lits {
		sign := uint8(1) << (l & 1)
		if s.marks[l>>1]&sign != 0 {
			continue
		}
		tautology = tautology || s.marks[l>>1] != 0
		s.marks[l>>1] |= sign
		c = append(c, l)
	}
	for _, l := range c {
		s.marks[l>>1] = 0
	}
	s.clause = c
	if tautology {
		c = c[:0]
	}
	return c, tautology
}

// store appends the clause to the formula.
func (s *Solver) store(c []dimacs.Lit, tautology bool) {
	n := len(s.starts) - 1
	if uint64(len(s.lits)+len(c)) > math.MaxUint32 || uint64(n) >= maxClauses {
		panic("classic: the clauses exceed 2^32 literals")
	}
	switch {
	case len(c) == 1:
		s.units = append(s.units, uint32(n))
	case len(c) == 0 && !tautology && s.empty == none:
		s.empty = uint32(n)
	}
	s.lits = append(s.lits, c...)
	s.starts = append(s.starts, uint32(len(s.lits)))
}

// at returns the literals of clause c in the order of Add.
func (s *Solver) at(c uint32) []dimacs.Lit {
	return s.lits[s.starts[c]:s.starts[c+1]]
}

// open reports whether clause c is open: it has no true literal and is no
// tautology.
func (s *Solver) open(c uint32) bool {
	lits := s.at(c)
	for _, l := range lits {
		if s.vals[l] > 0 {
			return false
		}
	}
	return len(lits) > 0
}

// Reserve allocates memory for that many more clauses and literals, so that
// adding them does not copy the clauses that are there.
func (s *Solver) Reserve(clauses, literals int) {
	n, m := len(s.starts), len(s.lits)
	s.starts = lengthen(s.starts, n+clauses)[:n]
	s.lits = lengthen(s.lits, m+literals)[:m]
}

// AddFormula adds all clauses of f and grows the solver to its variables.
func (s *Solver) AddFormula(f *dimacs.Formula) {
	s.Grow(f.Vars())
	s.Reserve(f.Len(), f.Size())
	for _, c := range f.Clauses() {
		s.Add(c...)
	}
}

// reset unwinds the search of the last call.
func (s *Solver) reset() {
	if s.ctx != nil {
		panic("classic: called while solving")
	}
	s.state = steady
	s.undo(0)
	s.levels = s.levels[:0]
	s.rootLevels, s.cursor = 0, 0
	s.popLemmas(0)
}

// SetLimits sets the limits of every call that follows.
func (s *Solver) SetLimits(l Limits) { s.limits = l }

// Stats returns the current statistics.
func (s *Solver) Stats() Stats {
	st := s.stats
	st.Vars = len(s.reasons)
	st.Clauses = len(s.starts) - 1
	st.Bytes = s.bytes()
	return st
}

// bytesPerVar is the size of the tables per variable: values, reason, mark, trail,
// and two slice headers for each of its literals.
const bytesPerVar = 2 + 4 + 1 + 4 + 2*2*24

// bytes returns the size of the tables. Each clause is stored twice, as it was
// added and in the arena, with two watches of eight bytes.
func (s *Solver) bytes() int64 {
	n := bytesPerVar*int64(len(s.reasons)) + 4*int64(len(s.lits)) + 4*int64(len(s.arena)) + (4+16)*int64(len(s.starts))
	return n + s.occ.bytes() + s.counts.bytes() + s.pure.bytes()
}

// Footprint returns approximately how many bytes a solver takes for so many
// variables and clauses with so many literals in total, if its heuristic uses
// scores and it searches for pure literals. Other options take less.
func Footprint(vars, clauses, literals int) int64 {
	const (
		perVar = bytesPerVar + 2*(24+24+8+4+4+4) // lists, scores, witnesses
		perCls = 4 + 4*header + 2*8 + 4 + 8 + 4  // start, arena header, watches, key, first witness
		perLit = 4 * 4                           // the clause, its copy in the arena, two occurrence lists
	)
	return perVar*int64(vars) + perCls*int64(clauses) + perLit*int64(literals)
}

// Model returns a copy of the model that the last call of Solve found. It covers
// all variables; variables that the search left unassigned are False. Model panics
// unless that call returned Satisfiable and no clause was added since.
func (s *Solver) Model() dimacs.Model {
	s.require(satisfied, "Model")
	return append(dimacs.Model(nil), s.model...)
}

// Value returns the value of l in the model that the last call of Solve found, or
// Unassigned if the solver does not have the variable. It panics as Model does.
func (s *Solver) Value(l dimacs.Lit) dimacs.Value {
	s.require(satisfied, "Value")
	return s.model.Lit(l)
}

// Failed returns a subset of the assumptions of the last call of Solve that
// contradicts the formula: the failed assumptions. It is empty if the formula is
// unsatisfiable without assumptions. Failed panics unless that call returned
// Unsatisfiable and no clause was added since.
func (s *Solver) Failed() []dimacs.Lit {
	s.require(refuted, "Failed")
	return append([]dimacs.Lit(nil), s.failed...)
}

// require panics unless the state is st, as the method with that name needs.
func (s *Solver) require(st state, method string) {
	if s.state != st {
		panic("classic: " + method + " needs another answer of Solve")
	}
}
