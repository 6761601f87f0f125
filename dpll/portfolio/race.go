package portfolio

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// A race has several solvers of clause learning at work on the same formula, each
// with a configuration of its own (configurations.go). The first answer is that of the
// race, and stops the others. Meanwhile they share what they learn (pool.go), and what
// they derive is one proof (ledger.go). Runs differ from one to the next, unless the
// solvers are held together (lockstep.go).
//
// A race that is asked once begins with one solver, alone until it has simplified the
// formula for the first time, which comes after two thousand conflicts at the latest.
// Many formulas are solved by then, and need no race. The others are given what is
// left (remainder.go), and simplify that further, each for itself. A race that may be
// asked again, or be given more, cannot do so, since a clause or an assumption may
// bring variables back: there all solvers are given all clauses.

// MaxThreads is how many solvers a race may have.
const MaxThreads = 128

// Options configure a [Race].
type Options struct {
	// Threads is the number of solvers, 1 to MaxThreads.
	Threads int

	// Deterministic has the solvers go in step, so that the answer and what each
	// solver did are the same on every machine, for the same seed and number of
	// solvers, as long as no limit of time and no context ends the race.
	Deterministic bool

	// Alone has them share nothing.
	Alone bool

	// Solver has the options of all solvers: Proof is that of the race. The
	// configurations change knobs, but none of which IsSet says, if it is not nil,
	// that it is to stay as it is. Progress, Activity, Learned and Exchange are not
	// used.
	Solver cdcl.Options
	IsSet  func(knob string) bool

	// Progress, if not nil, is called as that of a solver is, with its number. No two
	// calls overlap.
	Progress func(solver int, e cdcl.Event, s cdcl.Stats)

	// Activity, if not nil, returns what is called with the activities of a solver,
	// in its own goroutine.
	Activity func(solver int) func(name string)
}

// A Race answers as [cdcl.Solver] does, by several of them. It is used by one
// goroutine at a time.
type Race struct {
	opts       Options
	limits     cdcl.Limits
	options    []cdcl.Options     // of the solvers
	names      []string           // of their configurations
	solvers    []*cdcl.Solver     // that there are
	loaded     int                // how many of these are given the clauses
	simplified *simplifiedFormula // that the others are given, nil before
	incomplete bool               // some did not get all of it
	pool       *pool
	proof      *sharedProof // nil without a proof
	proofs     []*solverProof
	lockstep   *lockstep // nil if solvers run freely
	vars       int
	suppressed cdcl.Event // of the first solver, that is no event of the race

	reporting sync.Mutex
	refuted   bool          // whatever is assumed
	winner    int           // of the last call, or -1
	stopping  time.Duration // from its answer to the end of the call
}

// NewRace returns a race without clauses. It panics if options are out of their
// range.
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
		r.lockstep = &lockstep{pool: r.pool, round: roundExchanges * int64(opts.Solver.ExchangeInterval)}
	}
	for i := range opts.Threads {
		name, o := configure(i, opts.Solver, opts.IsSet)
		r.connect(i, &o)
		r.names = append(r.names, name)
		r.options = append(r.options, o)
	}
	r.loaded = opts.Threads
	if opts.Solver.OneShot && r.options[0].Simplifies() {
		r.loaded = 1
	}
	for i := range r.loaded {
		r.solvers = append(r.solvers, cdcl.New(r.options[i]))
	}
	if r.proof != nil {
		r.proof.first = r.loaded
	}
	return r
}

// connect fills in what solver i tells and hears.
func (r *Race) connect(i int, o *cdcl.Options) {
	o.Proof, o.Learned, o.Activity, o.Progress, o.Exchange = nil, nil, nil, nil, nil
	if r.proof != nil {
		v := &solverProof{sharedProof: r.proof, index: i}
		r.proofs = append(r.proofs, v)
		o.Proof = v
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
}

// Grow makes the race know variables 0 to vars-1.
func (r *Race) Grow(vars int) {
	r.growVars(vars)
	for _, s := range r.solvers[:r.loaded] {
		s.Grow(r.vars)
	}
}

// growVars takes note that variables up to vars-1 are the caller's. No solver is at work
// meanwhile.
func (r *Race) growVars(vars int) {
	r.vars = max(r.vars, vars)
	r.pool.grow(r.vars)
	if r.proof != nil {
		r.proof.vars = r.vars
	}
}

// Reserve makes room for this many more clauses and literals in them.
func (r *Race) Reserve(clauses, literals int) {
	for _, s := range r.solvers[:r.loaded] {
		s.Reserve(clauses, literals)
	}
}

// Add adds a clause, growing the race to its variables.
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
		panic("portfolio: a race with OneShot is given clauses after it was asked")
	}
}

// addInterval is how many clauses are added between looks at the context.
const addInterval = 1 << 16

// Load adds the clauses of f from one number up to another, to all solvers at the
// same time. It reports false if ctx ended before that was done; the race is of no
// use then.
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

// SetLimits sets the limits of every call of Solve that follows. Conflicts, decisions,
// propagations and rounds are those of all solvers together, of which each has its part.
func (r *Race) SetLimits(l cdcl.Limits) { r.limits = l }

// Solve looks for a model of the clauses added so far in which all assumptions are
// true. The answers are those of [cdcl.Solver.Solve]. When it returns, all solvers
// have stopped.
//
// It panics if there are assumptions and Options.Solver says that it is called once.
func (r *Race) Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	r.winner, r.stopping = -1, 0
	if r.refuted {
		return dimacs.Unsatisfiable
	}
	if r.loaded < r.opts.Threads && len(assumptions) > 0 {
		panic("portfolio: a race with OneShot has assumptions")
	}
	if r.incomplete {
		r.dropOthers()
	}
	r.prepare(assumptions)
	begin, before := time.Now(), r.spent()
	leading := r.loaded < r.opts.Threads && r.simplified == nil
	if leading {
		if answer := r.solveAlone(ctx); answer != dimacs.Unknown {
			r.winner = 0
			return r.noteRefutation(answer)
		}
		if ctx.Err() != nil || !r.solvers[0].Swept() {
			return r.reportStopped()
		}
	}
	limits, left := r.remainingLimits(begin, before)
	switch {
	case !left && leading:
		return r.reportStopped()
	case leading:
		r.startOthers()
	}
	for _, s := range r.solvers {
		s.SetLimits(limits)
	}
	return r.noteRefutation(r.solveAll(ctx, leading, assumptions))
}

// solveAlone has the first solver search alone until it has simplified.
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

// reportStopped tells that the first solver has stopped, which was kept back.
func (r *Race) reportStopped() dimacs.Status {
	if r.opts.Progress != nil {
		r.opts.Progress(0, cdcl.Stopped, r.solvers[0].Stats())
	}
	return dimacs.Unknown
}

// startOthers makes the other solvers, which have no clauses yet.
func (r *Race) startOthers() {
	r.simplified = newSimplifiedFormula(r.solvers[0], r.opts.Threads-r.loaded, r.proof)
	var names []dimacs.Lit
	if r.proof != nil {
		names = slices.Clone(r.proofs[0].renumbered(r.simplified.names))
	}
	for i := r.loaded; i < r.opts.Threads; i++ {
		r.solvers = append(r.solvers, cdcl.New(r.options[i]))
		r.pool.ports[i].simplified = r.simplified
		if r.proof != nil {
			r.proofs[i].names = names
		}
	}
	r.suppressed = cdcl.Start // again
}

// dropOthers takes back what follow did.
func (r *Race) dropOthers() {
	clear(r.solvers[r.loaded:])
	r.solvers, r.simplified, r.incomplete = r.solvers[:r.loaded], nil, false
}

// solveAll has all solvers search. Those that come new are given their clauses first.
func (r *Race) solveAll(ctx context.Context, new bool, assumptions []dimacs.Lit) dimacs.Status {
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
	first := newFirst(stop)
	var short atomic.Bool
	parallel(len(r.solvers), stop, func(i int) {
		if new && i >= r.loaded && !r.simplified.load(ctx, r.solvers[i], r.proofOf(i)) {
			short.Store(true)
		} else {
			answers[i] = r.solvers[i].Solve(ctx, assumptions...)
		}
		done := answers[i] != dimacs.Unknown
		switch {
		case r.lockstep != nil:
			r.lockstep.leave(i, done)
		case done:
			first.claim(i)
		}
	})
	if r.winner = first.taken; r.lockstep != nil {
		r.winner = r.lockstep.winner()
	}
	r.incomplete = short.Load()
	if r.winner < 0 {
		return dimacs.Unknown
	}
	r.stopping = time.Since(answered)
	return answers[r.winner]
}

// proofOf returns the proof of solver i, nil if there is none.
func (r *Race) proofOf(i int) *solverProof {
	if r.proof == nil {
		return nil
	}
	return r.proofs[i]
}

// counters are the limits that add up.
func counters(l *cdcl.Limits) [4]*int64 {
	return [...]*int64{&l.Conflicts, &l.Decisions, &l.Propagations, &l.Rounds}
}

// spent returns what counts for limits, of all solvers.
func (r *Race) spent() (sum cdcl.Limits) {
	for _, s := range r.solvers {
		st := s.Stats()
		for i, n := range []int64{st.Conflicts, st.Decisions, st.Propagations, st.Rounds} {
			*counters(&sum)[i] += n
		}
	}
	return sum
}

// remainingLimits returns what each solver has left of the limits of a call that began at that
// time, with so much spent before, or reports that nothing is left.
func (r *Race) remainingLimits(begin time.Time, before cdcl.Limits) (each cdcl.Limits, left bool) {
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

// prepare makes all solvers know the same variables, and makes sure that they were
// given the same clauses.
func (r *Race) prepare(assumptions []dimacs.Lit) {
	vars := r.vars
	for _, l := range assumptions {
		vars = max(vars, int(l>>1)+1)
	}
	r.Grow(vars)
	for _, v := range r.proofs[:min(r.loaded, len(r.proofs))] {
		if v.sum != r.proofs[0].sum {
			panic("portfolio: solvers were given different clauses")
		}
	}
}

// noteRefutation takes note of a refutation.
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

// A firstAnswer keeps who comes firstAnswer.
type firstAnswer struct {
	mu    sync.Mutex
	stop  context.CancelFunc
	taken int
}

func newFirst(stop context.CancelFunc) *firstAnswer { return &firstAnswer{stop: stop, taken: -1} }

// claim notes that solver i has an answer, and stops the others.
func (f *firstAnswer) claim(i int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.taken < 0 {
		f.taken = i
	}
	f.stop()
}

// recovered returns what a goroutine panicked with, for the one that waits for it. An
// engine's own errors stay what they are; a fault has its stack with it, which is
// gone else.
func recovered(p any) any {
	switch p.(type) {
	case nil:
		return nil
	case interface{ RuntimeError() }:
	case error:
		return p
	}
	return fmt.Sprintf("%v\n\n%s", p, debug.Stack())
}

// stopIfPanicking ends the call of the others, who would wait in vain.
func stopIfPanicking(stop context.CancelFunc) {
	if p := recover(); p != nil {
		stop()
		panic(p)
	}
}

// Model returns a copy of the model that the last call of Solve found. It panics
// unless that call said Satisfiable and nothing was added since.
func (r *Race) Model() dimacs.Model {
	m := r.winningSolver("Model").Model()
	if r.winner >= r.loaded {
		m = r.simplified.model(m)[:r.vars]
	}
	return m
}

// Failed returns those assumptions of the last call of Solve that were used to refute
// it, as [cdcl.Solver.Failed] does.
func (r *Race) Failed() []dimacs.Lit {
	if r.refuted {
		return nil
	}
	return r.winningSolver("Failed").Failed()
}

// winningSolver returns the solver whose answer was that of the last call.
func (r *Race) winningSolver(call string) *cdcl.Solver {
	if r.winner < 0 {
		panic("portfolio: " + call + " needs an answer of Solve")
	}
	return r.solvers[r.winner]
}

// Winner returns the number of the solver whose answer was that of the last call of
// Solve, or -1 if there was none.
func (r *Race) Winner() int { return r.winner }

// Stopping returns how long it took the others to stop when the last call of Solve
// had its first answer, 0 if it had none.
func (r *Race) Stopping() time.Duration { return r.stopping }

// Names returns the names of the solvers' configurations.
func (r *Race) Names() []string { return r.names }

// Stats returns the statistics of each solver as they stand, between calls of Solve.
// Those of solvers that were not needed are zero.
func (r *Race) Stats() []cdcl.Stats {
	all := make([]cdcl.Stats, r.opts.Threads)
	for i, s := range r.solvers {
		all[i] = s.Stats()
	}
	return all
}

// Footprint returns about how many bytes the tables of a race of so many solvers
// take, as [cdcl.Footprint] does for one.
func Footprint(threads, vars, clauses, literals int) int64 {
	return int64(threads) * cdcl.Footprint(vars, clauses, literals)
}
