package cdcl

import (
	"fmt"
	"math"
	"math/rand/v2"

	"sator/dimacs"
)

// A Solver decides formulas in conjunctive normal form by conflict-driven clause
// learning (CDCL). Calls of Add and Solve may alternate in any order, and learned
// clauses are kept between calls. A Solver may be used by one goroutine at a time.
// Solvers share no state, except through an [Exchange].
//
// Variables have one owner. At first that is the caller: a variable beyond Vars() in a
// clause, an assumption or another argument is added. From the first call of [Solver.NewVar],
// [Solver.NewGroup] or [Solver.Enumerate] on, the solver numbers new variables, and unknown ones
// are a panic. A caller with numbers of its own calls [Solver.Grow] or AddFormula before, and
// takes later variables from NewVar.
//
// Misuse is a panic: a call from a callback or by a second goroutine during a call, a use of a
// solver that was not made by New or Clone, or after a call that panicked.
//
// A solver holds up to 2^30-1 variables, 2^32 words of clauses and 2^32 watches (about
// 16 GiB and 32 GiB). When the clauses exceed that, Solve returns Unknown, and
// [Solver.Err] returns the reason.
type Solver struct {
	opts  Options
	stats Stats

	proof     proofLog
	trail     trail
	clauses   clauses
	removal   removal
	decisions decisions
	schedule  schedule
	analysis  analysis
	groups    groups
	passes    passMemory
	sharing   sharing
	call      call
	hooks     hooks

	user     *connection  // to a user propagator, or nil
	reports  *observation // for Options.Observer, or nil
	tracer   *tracer      // for Options.Trace, or nil
	verifier *verifier    // for Options.Verify, or nil

	numbers      bool         // NewVar was called: other calls add no variables
	conflict     conflict     // the falsified clause found by propagation
	inconsistent bool         // the empty clause was derived
	collecting   *collector   // an interrupted collection
	connecting   *connector   // an interrupted connection of many clauses
	substitution *substituter // an interrupted substitution that must be completed
	checks       int          // number of invariant checks so far
}

// New returns a solver without clauses. It panics if a knob of opts is out of range; see
// [Options.Check].
func New(opts Options) *Solver {
	s := &Solver{opts: opts, proof: proofLog{log: opts.Proof}}
	if err := s.opts.Check(); err != nil {
		panic("cdcl: " + err.Error())
	}
	s.opts.resolve()
	if opts.Verify {
		if opts.Exchange != nil {
			panic("cdcl: Options.Verify with Options.Exchange: the derivation is only a part of the shared proof")
		}
		s.verifier = newVerifier(&s.opts)
		s.proof.log = s.verifier
	}
	s.link()
	s.decisions.inc, s.decisions.stable = 1, opts.Stable == StableMode
	s.decisions.random = rand.NewPCG(opts.Seed, 0x5a704)
	s.trail.levels = []level{{}}
	s.clauses.arena = make([]uint32, 2, 128) // programs with many solvers have small formulas
	s.clauses.pool = make([]watch, 1, 128)
	s.clauses.binaryIDs = make([]int64, 1)
	s.clauses.learnedStart, s.clauses.unwatched = 2, 2
	s.clauses.mostWords = maxWords
	s.decisions.queue.Init()
	if s.proof.log != nil {
		s.clauses.prefix = 2
		s.proof.hints = s.proof.log.Hints()
	}
	if opts.Trace != nil {
		s.tracer = newTracer(s)
	}
	if opts.Observer != nil {
		s.reports = &observation{s: s, nextSample: opts.sampleInterval()}
	}
	s.initSchedule()
	return s
}

// link sets the pointers from each part to the other parts that its methods use. A copy of a
// solver must be linked, too; otherwise its parts point to those of the original.
func (s *Solver) link() {
	o, st, p, t := &s.opts, &s.stats, &s.proof, &s.trail
	t.opts = o
	c, r, d, h, a := &s.clauses, &s.removal, &s.decisions, &s.schedule, &s.analysis
	c.opts, c.stats, c.proof, c.call = o, st, p, &s.call
	r.opts, r.stats, r.proof, r.trail, r.decisions = o, st, p, t, d
	d.opts, d.trail, d.removal = o, t, r
	h.opts, h.stats, h.decisions = o, st, d
	a.opts, a.stats, a.proof, a.trail, a.clauses = o, st, p, t, c
	m := &s.passes
	m.opts, m.stats, m.trail, m.removal = o, st, t, r
	s.call.stats = st
	s.sharing.s = s
	if s.user != nil {
		s.user.s = s
	}
	if s.reports != nil {
		s.reports.s = s
	}
}

// Grow adds variables until there are vars, numbered from 0. A model has a value for
// each. Grow panics if vars exceeds [dimacs.MaxVars], if it adds variables after a call of
// NewVar, NewGroup or Enumerate, or if called from a callback.
func (s *Solver) Grow(vars int) {
	s.requireIdle()
	s.extend(vars, true)
}

// extend adds variables until there are vars without extension variables. The caller has numbered
// them, or NewVar.
func (s *Solver) extend(vars int, byCaller bool) {
	switch {
	case vars <= s.removal.givenVars():
	case byCaller && s.numbers:
		panic(fmt.Sprintf("cdcl: variable %d is unknown, and new variables are numbered by NewVar, NewGroup and Enumerate", vars))
	case s.removal.introduced > 0:
		panic("cdcl: variables added to a OneShot solver with extension variables")
	default:
		s.grow(vars)
	}
}

// NewVar adds a variable that nobody else has, and returns it. It panics if that exceeds
// [dimacs.MaxVars], or if called from a callback.
func (s *Solver) NewVar() dimacs.Var {
	s.requireIdle()
	v := s.removal.givenVars()
	s.extend(v+1, false)
	s.numbers = true
	return dimacs.Var(v)
}

// Vars returns the number of variables: of clauses, assumptions, and calls of Grow and
// NewVar. Extension variables do not count.
func (s *Solver) Vars() int { return s.removal.givenVars() }

// grow adds variables until there are vars, extension variables included.
func (s *Solver) grow(vars int) {
	n := len(s.trail.vars)
	if vars <= n {
		return
	}
	if vars > dimacs.MaxVars {
		panic(fmt.Sprintf("cdcl: %d variables exceed the limit of %d", vars, dimacs.MaxVars))
	}
	s.requireVars(vars)
	s.trail.vals = lengthen(s.trail.vals, 2*vars)
	s.clauses.watches = lengthen(s.clauses.watches, 2*vars)
	s.trail.vars = lengthen(s.trail.vars, vars)
	s.analysis.marks = lengthen(s.analysis.marks, vars)
	s.removal.flags = lengthen(s.removal.flags, vars)
	s.decisions.queue.Links = lengthen(s.decisions.queue.Links, vars)[:n]
	s.decisions.queue.Grow(vars)
	s.decisions.heap.Pos = lengthen(s.decisions.heap.Pos, vars)
	s.decisions.heap.Score = lengthen(s.decisions.heap.Score, vars)
	s.decisions.heap.Items = lengthen(s.decisions.heap.Items, vars)[:len(s.decisions.heap.Items)]
	s.trail.lits = lengthen(s.trail.lits, vars)[:len(s.trail.lits)]
	if s.proof.log != nil {
		s.proof.unitIDs = lengthen(s.proof.unitIDs, vars)
	}
	s.decisions.phases.grow(vars, s.opts.Phase == PhaseTrue)
	if s.decisions.stable || vars < lateHeapVars {
		s.decisions.heap.Fill(n, vars)
	}
	s.stats.Vars = vars
}

// lateHeapVars is the number of variables from which new ones are not in the heap until the first
// stable mode, so that its tables take no memory before. In a smaller formula that would change
// the order of the heap, and with it the order in which collections leave the clauses.
const lateHeapVars = 1 << 20

// Add adds a clause and its variables. Duplicate literals and tautologies are allowed.
// The literals are copied. The time is linear in the clause, since propagation is
// delayed until Solve. Add panics if called from a callback, and on activation literals of
// groups, whose clauses [Solver.AddTo] adds.
func (s *Solver) Add(lits ...dimacs.Lit) {
	s.admit(lits, groupFlag|auxiliaryFlag)
	s.add(lits)
}

// add adds a clause of known variables.
func (s *Solver) add(lits []dimacs.Lit) {
	s.requireSymmetries("Add")
	defer s.guard(nil)
	s.resetAndComplete()
	id := int64(0)
	if s.proof.log != nil {
		id = s.proof.log.Original(lits)
	}
	if s.inconsistent {
		return
	}
	if s.removal.removed > 0 {
		s.restore(lits)
	}
	s.insert(lits, id)
}

// admit adds the variables of a caller's literals. It panics if the caller must not use one of
// them: it is unknown and the solver numbers new variables, or has one of the flags.
func (s *Solver) admit(lits []dimacs.Lit, barred uint8) {
	s.requireIdle()
	s.admitUnchecked(lits, barred)
}

func (s *Solver) admitUnchecked(lits []dimacs.Lit, barred uint8) {
	for _, l := range lits {
		switch v := int(l >> 1); {
		case v >= s.removal.givenVars():
			s.extend(v+1, true)
		case s.numbers && s.removal.flags[v]&barred != 0:
			panic("cdcl: " + l.String() + " is of a variable that belongs to a group or an enumeration")
		}
	}
}

// insert adds the clause lits, which has this proof id.
func (s *Solver) insert(lits []dimacs.Lit, id int64) {
	c, id, useless := s.analysis.simplifyAdded(lits, id)
	if useless {
		return
	}
	switch len(c) {
	case 0:
		s.inconsistent = true
	case 1:
		s.assignRoot(c[0], id)
	case 2:
		s.clauses.addPending(pendingBinary{c[0], c[1], s.clauses.binaryRef(false, id)})
	default:
		s.clauses.alloc(c, false, 0, id)
		s.stats.Irredundant++
	}
}

// Reserve reserves memory for this many more clauses and literals in them, so that
// adding them does not move the arena. Unused memory is not touched. If the arena must
// move, its capacity grows by a quarter at least, so that many calls take linear time.
func (s *Solver) Reserve(clauses, literals int) {
	s.requireIdle()
	n := uint64(len(s.clauses.arena)) + uint64(headerWords+1+s.clauses.prefix)*uint64(clauses) + uint64(literals)
	if c := uint64(cap(s.clauses.arena)); n > c {
		n = min(max(n, c+c/4), maxWords, math.MaxInt)
		s.clauses.arena = enlarged(s.opts.Memory, &s.clauses.arenaSpace, s.clauses.arena, int(n), int(n))
	}
}

// AddFormula adds all clauses and variables of f.
func (s *Solver) AddFormula(f *dimacs.Formula) {
	s.Grow(f.Vars())
	s.Reserve(f.Len(), f.Size())
	for _, c := range f.Clauses() {
		s.Add(c...)
	}
}

// resetAndComplete discards the answer of the last call, backtracks to the root, and
// completes interrupted work, so that clauses can be added.
func (s *Solver) resetAndComplete() {
	s.reset()
	s.completeInterrupted()
}

// settle is resetAndComplete for calls that may be made of a full solver, whose clauses exceed
// the limits given at [Solver]: it returns without a panic then.
func (s *Solver) settle() {
	defer s.guard(nil)
	s.resetAndComplete()
}

// interrupted reports whether the last call was stopped within work that must be
// completed.
func (s *Solver) interrupted() bool {
	return s.collecting != nil || s.substitution != nil
}

// completeInterrupted completes interrupted work without polls.
func (s *Solver) completeInterrupted() {
	s.requireSpace()
	if !s.interrupted() {
		return
	}
	s.call.stopped = false
	s.call.pollAt = noPoll
	s.continueInterrupted()
	s.call.pollAt = 0
}

// continueInterrupted continues interrupted work until it is done or the call is stopped.
func (s *Solver) continueInterrupted() {
	if s.substitution != nil {
		s.finishSubstitution()
	}
	if s.collecting != nil && !s.call.stopped {
		s.continueCollection()
	}
}

// reset discards the answer of the last call and backtracks to the root. It does not
// complete interrupted work.
func (s *Solver) reset() {
	s.requireIdle()
	s.requireSpace()
	if s.call.state != steady || len(s.trail.levels) > 1 {
		s.call.state = steady
		s.backtrack(0)
	}
}

// SetPhase makes l the initial phase of its variable, which decisions use before the
// variable was assigned and after some rephasings.
func (s *Solver) SetPhase(l dimacs.Lit) {
	s.admit([]dimacs.Lit{l}, auxiliaryFlag)
	p := int8(1)
	if l.Neg() {
		p = -1
	}
	s.decisions.phases.setInitial(l>>1, p)
}

// SetLimits sets the limits of later calls of Solve.
func (s *Solver) SetLimits(l Limits) { s.call.limits = l }

// Footprint returns an estimate of the memory that a solver takes for this many
// variables, clauses, and literals in all clauses, before it learns. It is the least
// memory with which search can start.
func Footprint(vars, clauses, literals int) int64 {
	const watches = 2 * 8 * 4 / 3 // capacities are a third larger than lengths on average
	return bytesPerVar*int64(vars) + (4*(headerWords+1)+watches)*int64(clauses) + 4*int64(literals)
}

// Model returns a copy of the model that the last call of Solve found. It panics unless
// that call returned Satisfiable and nothing was added since.
func (s *Solver) Model() dimacs.Model {
	s.call.require(satisfied, "Model")
	return append(dimacs.Model(nil), s.call.model...)
}

// Value returns the value of l in the model that the last call of Solve found, and
// Unassigned for unknown variables. It panics as Model does.
func (s *Solver) Value(l dimacs.Lit) dimacs.Value {
	s.call.require(satisfied, "Value")
	return s.call.model.Lit(l)
}

// Failed returns the failed assumptions of the last call of Solve (the core): the
// formula has no model in which all of them are true. It is empty if the formula has no
// model at all. Failed panics unless that call returned Unsatisfiable and nothing was
// added since.
func (s *Solver) Failed() []dimacs.Lit {
	s.call.require(refuted, "Failed")
	return append([]dimacs.Lit(nil), s.call.failed...)
}
