package portfolio

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// A portfolio race runs several CDCL solvers on the same formula, each with a
// configuration of its own (configurations.go). The first answer is the answer of the
// race, and stops the other solvers. During the race the solvers share learned clauses
// (pool.go) and write one proof (shared_proof.go). Two runs differ, unless the solvers
// run in lockstep (lockstep.go).
//
// A race with OneShot begins with one solver. It searches alone until the end of its
// first round of simplification, which begins after two thousand conflicts at the
// latest. Many formulas are solved by then and need no race. The other solvers start from the simplified formula
// (simplified.go), and simplify it further, each for itself. A race without OneShot
// gives all clauses to all solvers, because later clauses and assumptions may restore
// eliminated variables.

// MaxThreads is the maximum number of solvers in a race.
const MaxThreads = 128

// Options configure a [Race].
type Options struct {
	// Threads is the number of solvers, 1 to MaxThreads.
	Threads int

	// Deterministic runs the solvers in lockstep. The answer and the work of each
	// solver are then the same on every machine, for the same seed and number of
	// solvers, unless a time limit or a context ends the race.
	Deterministic bool

	// Alone turns clause sharing off.
	Alone bool

	// Solver has the options of all solvers. Its Proof is the proof of the race. Its
	// Progress, Activity, Observer, Learned and Exchange are not used.
	Solver cdcl.Options

	// IsSet, if not nil, reports whether the caller has set a knob of Solver. The
	// configurations do not change such a knob.
	IsSet func(knob string) bool

	// Progress, if not nil, receives the progress events of all solvers, each with the
	// number of its solver. No two calls overlap.
	Progress func(solver int, e cdcl.Event, s cdcl.Stats)

	// Observer, if not nil, returns the observer of a solver, or nil. The solver calls it in
	// its own goroutine.
	Observer func(solver int) cdcl.Observer

	// Activity, if not nil, returns the Activity function of a solver. The solver
	// calls this function in its own goroutine.
	Activity func(solver int) func(name string)
}

// A Race runs several solvers on one formula and answers as a [cdcl.Solver] does. Only
// one goroutine at a time may use it.
type Race struct {
	opts       Options
	limits     cdcl.Limits
	options    []cdcl.Options     // by solver
	names      []string           // by solver: name of its configuration
	solvers    []*cdcl.Solver     // created so far
	loaded     int                // number of solvers that are given the original clauses
	simplified *simplifiedFormula // for the other solvers, nil before they start
	incomplete bool               // a solver was not given all of the simplified formula
	pool       *pool
	proof      *sharedProof   // nil without a proof
	proofs     []*solverProof // by solver, nil without a proof
	lockstep   *lockstep      // nil if solvers run freely
	vars       int
	suppressed cdcl.Event // the next such event of the first solver is not reported; 0 for no event

	reporting sync.Mutex    // held while Options.Progress runs
	refuted   bool          // without assumptions
	winner    int           // of the last call, or -1
	stopping  time.Duration // from the answer to the end of the last call
}

// NewRace returns a race without clauses. It panics if Threads is out of its range.
func NewRace(opts Options) *Race {
	if opts.Threads < 1 || opts.Threads > MaxThreads {
		panic(fmt.Sprintf("portfolio: a race of %d solvers", opts.Threads))
	}
	r := &Race{opts: opts, winner: -1}
	if opts.Solver.Proof != nil {
		r.proof = newSharedProof(opts.Solver.Proof, opts.Threads)
	}
	r.pool = newPool(opts.Threads, r.proof)
	if opts.Deterministic {
		r.lockstep = &lockstep{pool: r.pool, round: roundExchanges * int64(opts.Solver.Get("exchange-interval"))}
	}
	for i := range opts.Threads {
		name, o := configure(i, opts.Threads, opts.Solver, opts.IsSet)
		r.connect(i, &o)
		r.names = append(r.names, name)
		r.options = append(r.options, o)
	}
	r.loaded = opts.Threads
	if opts.Solver.OneShot && r.options[0].Simplifies() {
		r.loaded = 1
	}
	// Symmetries are broken before the others start, or not at all: all solvers must have
	// the same models.
	for i := range r.options {
		if i > 0 || r.loaded > 1 {
			r.options[i].NoSymmetry = true
		}
	}
	for i := range r.loaded {
		r.solvers = append(r.solvers, cdcl.New(r.options[i]))
	}
	if r.proof != nil && r.loaded < opts.Threads {
		r.pool.proofLits = r.proofLits
	}
	if r.proof != nil {
		r.proof.originalRefs = r.loaded
	}
	return r
}

// connect sets the proof, the exchange and the callbacks in the options of solver i.
func (r *Race) connect(i int, o *cdcl.Options) {
	o.Proof, o.Learned, o.Activity, o.Observer, o.Progress, o.Exchange = nil, nil, nil, nil, nil, nil
	if r.proof != nil {
		p := &solverProof{sharedProof: r.proof, index: i}
		r.proofs = append(r.proofs, p)
		o.Proof = p
	}
	if port := r.pool.ports[i]; r.lockstep != nil || !r.opts.Alone && r.opts.Threads > 1 {
		port.lockstep, port.mute = r.lockstep, r.opts.Alone
		o.Exchange = port
	}
	if r.opts.Progress != nil {
		o.Progress = func(e cdcl.Event, s cdcl.Stats) {
			if i == 0 && e == r.suppressed {
				r.suppressed = 0
				return
			}
			r.reporting.Lock()
			defer r.reporting.Unlock()
			r.opts.Progress(i, e, s)
		}
	}
	if r.opts.Activity != nil {
		o.Activity = r.opts.Activity(i)
	}
	if r.opts.Observer != nil {
		o.Observer = r.opts.Observer(i)
	}
}

// Grow adds variables up to number vars-1.
func (r *Race) Grow(vars int) {
	r.growVars(vars)
	for _, s := range r.solvers[:r.loaded] {
		s.Grow(r.vars)
	}
}

// growVars records that variables up to number vars-1 are variables of the formula. No
// solver runs meanwhile.
func (r *Race) growVars(vars int) {
	r.vars = max(r.vars, vars)
	r.pool.grow(r.vars)
	if r.proof != nil {
		r.proof.vars = r.vars
	}
}

// Reserve reserves memory for this number of further clauses and of literals in them.
func (r *Race) Reserve(clauses, literals int) {
	for _, s := range r.solvers[:r.loaded] {
		s.Reserve(clauses, literals)
	}
}

// Add adds a clause, and its variables if they are new.
func (r *Race) Add(lits ...dimacs.Lit) {
	r.mustTakeClauses()
	for _, l := range lits {
		if int(l>>1) >= r.vars {
			r.growVars(int(l>>1) + 1)
		}
	}
	for _, s := range r.solvers[:r.loaded] {
		s.Add(lits...)
	}
}

// mustTakeClauses panics if the race takes no more clauses.
func (r *Race) mustTakeClauses() {
	if r.simplified != nil {
		panic("portfolio: clause added to a race with OneShot after Solve")
	}
}

// addInterval is the number of clauses that are added between checks of a context.
const addInterval = 1 << 16

// Load adds the clauses from number from to number to-1 of f to all solvers, in
// parallel. It reports false if ctx ended before all were added; then the race must not
// be used any more.
func (r *Race) Load(ctx context.Context, f *dimacs.Formula, from, to int) bool {
	r.mustTakeClauses()
	r.growVars(f.Vars())
	parallel(r.loaded, func() {}, func(i int) {
		s := r.solvers[i]
		for k := from; k < to && (k%addInterval != 0 || ctx.Err() == nil); k++ {
			s.Add(f.Clause(k)...)
		}
	})
	return ctx.Err() == nil
}

// SetLimits sets the limits of all later calls of Solve. Conflicts, decisions,
// propagations and rounds are divided among the solvers in equal parts.
func (r *Race) SetLimits(l cdcl.Limits) { r.limits = l }

// Solve looks for a model of the clauses added so far in which all assumptions are
// true. Its answers are those of [cdcl.Solver.Solve]. All solvers have stopped when it
// returns.
//
// It panics if a race with OneShot is given assumptions.
func (r *Race) Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	r.winner, r.stopping = -1, 0
	if r.refuted {
		return dimacs.Unsatisfiable
	}
	if r.loaded < r.opts.Threads && len(assumptions) > 0 {
		panic("portfolio: assumptions for a race with OneShot")
	}
	if r.incomplete {
		r.dropOthers()
	}
	r.prepare(assumptions)
	begin, before := time.Now(), r.spent()
	alone := r.loaded < r.opts.Threads && r.simplified == nil
	if alone {
		if answer := r.solveAlone(ctx); answer != dimacs.Unknown {
			r.winner = 0
			return r.noteRefutation(answer)
		}
		if ctx.Err() != nil || !cdcl.LeaderOf(r.solvers[0]).Ready() {
			return r.reportStopped()
		}
	}
	limits, ok := r.remainingLimits(begin, before)
	switch {
	case !ok && alone:
		return r.reportStopped()
	case alone:
		r.startOthers()
	}
	for _, s := range r.solvers {
		s.SetLimits(limits)
	}
	return r.noteRefutation(r.solveAll(ctx, alone, assumptions))
}

// solveAlone runs the first solver until the end of its first round of simplification.
func (r *Race) solveAlone(ctx context.Context) dimacs.Status {
	s, limits := r.solvers[0], r.limits
	limits.Rounds = 1
	s.SetLimits(limits)
	if r.lockstep != nil {
		r.lockstep.begin(ctx, func() {}, 1)
	}
	r.suppressed = cdcl.Stopped
	defer func() { r.suppressed = 0 }()
	return s.Solve(ctx)
}

// reportStopped reports the suppressed event Stopped of the first solver, and returns
// Unknown.
func (r *Race) reportStopped() dimacs.Status {
	if r.opts.Progress != nil {
		r.opts.Progress(0, cdcl.Stopped, r.solvers[0].Stats())
	}
	return dimacs.Unknown
}

// startOthers creates the other solvers and the simplified formula for them. The
// solvers have no clauses yet.
func (r *Race) startOthers() {
	const perVar = 1 + 4 + 2*4 // of the simplified formula; its clauses come in small blocks
	r.opts.Solver.Memory.Require(perVar * int64(r.vars))
	r.simplified = newSimplifiedFormula(r.solvers[0], r.opts.Threads-r.loaded, r.proof)
	var names []dimacs.Lit
	if r.proof != nil {
		names = slices.Clone(r.simplified.leaderLits)
		r.proofLits(names)
	}
	for i := r.loaded; i < r.opts.Threads; i++ {
		r.solvers = append(r.solvers, cdcl.New(r.options[i]))
		r.pool.ports[i].simplified = r.simplified
		if r.proof != nil {
			r.proofs[i].names = names
		}
	}
	r.suppressed = cdcl.Start // the first solver starts a second time
}

// proofLits replaces literals of the first solver by those in the proof, in place. It may be
// called by several goroutines.
func (r *Race) proofLits(lits []dimacs.Lit) {
	cdcl.LeaderOf(r.solvers[0]).ProofLits(lits)
	leader := solverProof{sharedProof: r.proof} // with scratch memory of its own
	copy(lits, leader.renumbered(lits))
}

// dropOthers undoes startOthers. Some of the solvers may have introduced variables.
func (r *Race) dropOthers() {
	if r.proof != nil {
		for i := r.loaded; i < r.opts.Threads; i++ {
			r.proofs[i].passed += r.proofs[i].used
			r.proofs[i].used = 0
		}
	}
	clear(r.solvers[r.loaded:])
	r.solvers, r.simplified, r.incomplete = r.solvers[:r.loaded], nil, false
}

// solveAll runs all solvers. If the others are new, it first gives them the clauses of
// the simplified formula.
func (r *Race) solveAll(ctx context.Context, newOthers bool, assumptions []dimacs.Lit) dimacs.Status {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var answered time.Time
	var once sync.Once
	stop := func() {
		once.Do(func() { answered = time.Now() })
		cancel()
	}
	if r.lockstep != nil {
		r.lockstep.begin(ctx, stop, len(r.solvers))
	}
	answers := make([]dimacs.Status, len(r.solvers))
	var winner atomic.Int32
	winner.Store(-1)
	var incomplete atomic.Bool
	parallel(len(r.solvers), stop, func(i int) {
		if newOthers && i >= r.loaded && !r.simplified.load(ctx, r.solvers[i], r.proofOf(i)) {
			incomplete.Store(true)
		} else {
			answers[i] = r.solvers[i].Solve(ctx, assumptions...)
		}
		done := answers[i] != dimacs.Unknown
		switch {
		case r.lockstep != nil:
			r.lockstep.leave(i, done)
		case done:
			winner.CompareAndSwap(-1, int32(i))
			stop()
		}
	})
	if r.winner = int(winner.Load()); r.lockstep != nil {
		r.winner = r.lockstep.winner()
	}
	r.incomplete = incomplete.Load()
	if r.winner < 0 {
		return dimacs.Unknown
	}
	r.stopping = time.Since(answered)
	return answers[r.winner]
}

// proofOf returns the proof of solver i, or nil without a proof.
func (r *Race) proofOf(i int) *solverProof {
	if r.proof == nil {
		return nil
	}
	return r.proofs[i]
}

// counters returns the limits that are divided among the solvers.
func counters(l *cdcl.Limits) [4]*int64 {
	return [...]*int64{&l.Conflicts, &l.Decisions, &l.Propagations, &l.Rounds}
}

// spent returns the sums of the counters of all solvers.
func (r *Race) spent() (sum cdcl.Limits) {
	for _, s := range r.solvers {
		st := s.Stats()
		for i, n := range []int64{st.Conflicts, st.Decisions, st.Propagations, st.Rounds} {
			*counters(&sum)[i] += n
		}
	}
	return sum
}

// remainingLimits returns the remaining limits of each solver in a call of Solve. The
// arguments are the time and the counters at the start of the call. It reports false if
// a limit is reached.
func (r *Race) remainingLimits(begin time.Time, before cdcl.Limits) (each cdcl.Limits, ok bool) {
	each = r.limits
	now, n := r.spent(), int64(r.opts.Threads)
	for i, limit := range counters(&each) {
		if *limit == 0 {
			continue
		}
		if *limit -= *counters(&now)[i] - *counters(&before)[i]; *limit <= 0 {
			return each, false
		}
		*limit = (*limit + n - 1) / n
	}
	if each.Time > 0 {
		if each.Time -= time.Since(begin); each.Time <= 0 {
			return each, false
		}
	}
	return each, true
}

// prepare adds the same variables to all solvers, and panics unless all were given the
// same clauses.
func (r *Race) prepare(assumptions []dimacs.Lit) {
	vars := r.vars
	for _, l := range assumptions {
		vars = max(vars, int(l>>1)+1)
	}
	r.Grow(vars)
	for _, p := range r.proofs[:min(r.loaded, len(r.proofs))] {
		if p.checksum != r.proofs[0].checksum {
			panic("portfolio: solvers were given different clauses")
		}
	}
}

// noteRefutation records a refutation, and makes the clause of the failed assumptions,
// if there are any, the last lemma of the proof. It returns the answer unchanged.
func (r *Race) noteRefutation(answer dimacs.Status) dimacs.Status {
	switch {
	case answer != dimacs.Unsatisfiable:
	case len(r.solvers[r.winner].Failed()) == 0:
		r.refuted = true
	case r.proof != nil:
		r.proofs[r.winner].relearnLast()
	}
	return answer
}

// Model returns a copy of the model that the last call of Solve found. It panics
// unless that call returned Satisfiable and no clause was added since.
func (r *Race) Model() dimacs.Model {
	m := r.winningSolver("Model").Model()
	if r.winner >= r.loaded {
		m = r.simplified.model(m)[:r.vars]
	}
	return m
}

// Failed returns the assumptions that the last call of Solve refuted, as
// [cdcl.Solver.Failed] does.
func (r *Race) Failed() []dimacs.Lit {
	if r.refuted {
		return nil
	}
	return r.winningSolver("Failed").Failed()
}

// winningSolver returns the solver that answered the last call of Solve. It panics if
// there is none.
func (r *Race) winningSolver(call string) *cdcl.Solver {
	if r.winner < 0 {
		panic("portfolio: " + call + " needs an answer of Solve")
	}
	return r.solvers[r.winner]
}

// Winner returns the number of the solver that answered the last call of Solve, or -1
// if there was no answer.
func (r *Race) Winner() int { return r.winner }

// Stopping returns the time from the first answer in the last call of Solve until all
// solvers had stopped, or 0 if there was no answer.
func (r *Race) Stopping() time.Duration { return r.stopping }

// Names returns the names of the configurations of a race with these options.
func (o *Options) Names() (names []string) {
	for i := range o.Threads {
		name, _ := configure(i, o.Threads, o.Solver, o.IsSet)
		names = append(names, name)
	}
	return names
}

// Err returns the error of the first solver if all solvers have one (see [cdcl.Solver.Err]), and
// else nil. It must not be called during Solve.
func (r *Race) Err() error {
	for _, s := range r.solvers {
		if s.Err() == nil {
			return nil
		}
	}
	return r.solvers[0].Err()
}

// Names returns the names of the solvers' configurations.
func (r *Race) Names() []string { return r.names }

// Stats returns the statistics of each solver. It must not be called during Solve. The
// statistics of solvers that have not started are zero.
func (r *Race) Stats() []cdcl.Stats {
	all := make([]cdcl.Stats, r.opts.Threads)
	for i, s := range r.solvers {
		all[i] = s.Stats()
	}
	return all
}

// Footprint returns the approximate number of bytes of the tables of a race, as
// [cdcl.Footprint] does for one solver.
func Footprint(threads, vars, clauses, literals int) int64 {
	return int64(threads) * cdcl.Footprint(vars, clauses, literals)
}
