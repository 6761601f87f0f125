package dpll

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"sator/dimacs"
)

// A Solver decides formulas in conjunctive normal form by DPLL. Clauses may be
// added and formulas solved in any order. Each call searches from the
// beginning: nothing is learned, so that nothing is carried over but a
// refutation of the clauses as such. A Solver is used by one goroutine at a
// time; different solvers share nothing.
//
// Up to 2^30-1 variables, and clauses with about 2^32 literals in all: beyond,
// Add panics.
type Solver struct {
	opts      Options
	heuristic *Heuristic
	proof     dimacs.Proof
	random    *rand.Rand

	// The clauses, as they were given but for duplicate literals. Clause c is
	// lits[starts[c]:starts[c+1]]; that of a tautology is left empty.
	lits   []dimacs.Lit
	starts []uint32
	units  []uint32 // clauses of one literal
	empty  uint32   // an empty clause, or none

	// The assignment.
	vals    []int8   // by literal: 1 true, -1 false, 0 unassigned
	reasons []uint32 // by variable, while it is assigned: a clause, or one of the below
	trail   []dimacs.Lit
	levels  []level // the assumptions that were decided, then the decisions
	roots   int     // of these, assumptions
	head    int     // literals of the trail before it are propagated

	// Propagation.
	binaries  [][]implication // by literal: what follows from its being false
	watches   [][]watch       // by literal
	arena     []uint32        // clauses of three literals and more, in the order of their watches
	connected int             // clauses before it are in these tables
	conflict  uint32          // the clause that propagation falsified

	// What the heuristic and pure literals need; nothing else does.
	occ      occurrences
	counts   counts
	purifier purifier
	cursor   uint32 // no clause before it is open

	// A call.
	ctx         context.Context
	limits      Limits
	base        Stats // at the start of the call, for limits
	deadline    time.Time
	fuel        int // work until the next look at ctx and deadline
	polls       int
	stopped     bool
	assumptions []dimacs.Lit
	assumed     int // of these, looked at
	enum        *enumeration
	state       state
	model       dimacs.Model
	failed      []dimacs.Lit
	blame       blame
	lemmas      lemmas
	refuted     bool // the clauses have no model at all
	exhausted   bool // the last enumeration saw all models

	marks  []uint8 // by variable, clean between uses
	clause []dimacs.Lit
	stats  Stats
}

// A level begins with an assumption or a decision.
type level struct {
	decision dimacs.Lit
	flipped  bool   // this is the second branch
	inner    bool   // not one of the variables onto which an enumeration projects
	trail    int    // where it begins
	cursor   uint32 // of the solver, when it began
	place    int    // of the enumeration, when it began
}

// Reasons that are no clause, and the clause that is none.
const (
	decided = math.MaxUint32 - iota // a decision, its complement, or an assumption
	purity                          // a pure literal
	none
	maxClauses
)

// A state says which questions about the last answer make sense.
type state uint8

const (
	steady state = iota
	satisfied
	refuted
)

// New returns a solver without clauses. It panics if an option has no meaning;
// see [Options.Check].
func New(opts Options) *Solver {
	if err := opts.Check(); err != nil {
		panic("dpll: " + err.Error())
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

// Grow makes the solver know variables 0 to vars-1, which a model then covers.
// It panics if vars exceeds [dimacs.MaxVars].
func (s *Solver) Grow(vars int) {
	if vars <= len(s.reasons) {
		return
	}
	if vars > dimacs.MaxVars {
		panic(fmt.Sprintf("dpll: %d variables", vars))
	}
	s.vals = lengthen(s.vals, 2*vars)
	s.reasons = lengthen(s.reasons, vars)
	s.marks = lengthen(s.marks, vars)
	s.trail = lengthen(s.trail, vars)[:len(s.trail)]
	s.binaries = lengthen(s.binaries, 2*vars)
	s.watches = lengthen(s.watches, 2*vars)
}

// lengthen returns a with n elements, the new ones zero. The first growth takes
// what is asked for and no more; later ones add a quarter.
func lengthen[T any](a []T, n int) []T {
	if n > cap(a) {
		room := n
		if len(a) > 0 {
			room += n / 4
		}
		b := make([]T, len(a), room)
		copy(b, a)
		a = b
	}
	return a[:n]
}

// Add adds a clause, growing the solver to its variables; duplicate literals
// are dropped here, and so are tautologies. The literals are copied. The time
// is linear in the clause; propagation waits for Solve. It panics if called
// from a callback.
func (s *Solver) Add(lits ...dimacs.Lit) {
	s.reopen()
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

// simplified returns the clause without duplicate literals, in scratch; or
// without any, if it is a tautology.
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
		panic("dpll: the clauses exceed 2^32 literals")
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

// at returns the literals of clause c, in the order in which they were given.
func (s *Solver) at(c uint32) []dimacs.Lit {
	return s.lits[s.starts[c]:s.starts[c+1]]
}

// open reports whether clause c has no true literal, and is no tautology.
func (s *Solver) open(c uint32) bool {
	lits := s.at(c)
	for _, l := range lits {
		if s.vals[l] > 0 {
			return false
		}
	}
	return len(lits) > 0
}

// Reserve makes room for this many more clauses and literals in them, so that
// adding them need not move what is there.
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

// reopen leaves the last call behind.
func (s *Solver) reopen() {
	if s.ctx != nil {
		panic("dpll: called while solving")
	}
	s.state = steady
	s.undo(0)
	s.levels = s.levels[:0]
	s.roots, s.cursor = 0, 0
	s.forgetLemmas(0)
}

// SetLimits sets the limits of every call that follows.
func (s *Solver) SetLimits(l Limits) { s.limits = l }

// Stats returns the statistics as they stand.
func (s *Solver) Stats() Stats {
	st := s.stats
	st.Vars = len(s.reasons)
	st.Clauses = len(s.starts) - 1
	st.Bytes = s.bytes()
	return st
}

// What the tables take for a variable: values, reason, mark, place on the
// trail, two headers of lists.
const bytesPerVar = 2 + 4 + 1 + 4 + 2*2*24

// bytes returns what the tables take. Clauses stand twice, as they were given
// and as they are watched, by two watches of eight bytes.
func (s *Solver) bytes() int64 {
	n := bytesPerVar*int64(len(s.reasons)) + 4*int64(len(s.lits)) + 4*int64(len(s.arena)) + (4+16)*int64(len(s.starts))
	return n + s.occ.bytes() + s.counts.bytes() + s.purifier.bytes()
}

// Footprint returns about how many bytes a solver takes that has this many
// variables and clauses with this many literals in all, if its heuristic goes by
// scores and it looks for pure literals; it is what that takes at most.
func Footprint(vars, clauses, literals int) int64 {
	const (
		perVar = bytesPerVar + 2*(24+24+8+4+4+4) // lists, scores, witnesses
		perCls = 4 + 4*header + 2*8 + 4 + 8 + 4  // start, watches, key, first witness
		perLit = 4 * 4                           // given, watched, in two lists
	)
	return perVar*int64(vars) + perCls*int64(clauses) + perLit*int64(literals)
}

// Model returns a copy of the model that the last call of Solve found. It
// covers all variables; those that the search left open, since no clause needs
// them, are False. It panics unless that call said Satisfiable and nothing was
// added since.
func (s *Solver) Model() dimacs.Model {
	s.must(satisfied, "Model")
	return append(dimacs.Model(nil), s.model...)
}

// Value returns the value of l in the model that the last call of Solve found:
// Unassigned for variables the solver does not know. It panics as Model does.
func (s *Solver) Value(l dimacs.Lit) dimacs.Value {
	s.must(satisfied, "Value")
	return s.model.Lit(l)
}

// Failed returns those assumptions of the last call of Solve that were used to
// refute it: the formula has no model in which they are all true. It is empty
// if no assumption was used. It panics unless that call said Unsatisfiable and
// nothing was added since.
func (s *Solver) Failed() []dimacs.Lit {
	s.must(refuted, "Failed")
	return append([]dimacs.Lit(nil), s.failed...)
}

func (s *Solver) must(st state, call string) {
	if s.state != st {
		panic("dpll: " + call + " needs another answer of Solve")
	}
}
