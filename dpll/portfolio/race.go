package portfolio

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
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
// Each solver simplifies the formula for itself. One that does it for all would save
// the others the time; but then all search the same clauses, and which variables
// elimination leaves is one of the things by which they differ. What a solver learns
// may then have variables that another one has retired, and is of no use there.
//
// Each has the clauses of the formula in an arena of its own, since propagation moves
// their literals about. So memory grows with the number of solvers, and the formula as
// it was read need not be there any more. What is shared of the rest are the literals
// of clauses in the pool, and the count of who holds a clause of the proof, a byte each.

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
	opts    Options
	solvers []*cdcl.Solver
	names   []string
	pool    *pool
	ledger  *ledger // nil without a proof
	views   []*view
	steps   *lockstep // nil if solvers run freely
	vars    int

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
		r.ledger = newLedger(opts.Solver.Proof, opts.Threads)
	}
	r.pool = newPool(opts.Threads, r.ledger)
	if opts.Deterministic {
		r.steps = &lockstep{pool: r.pool, round: roundExchanges * int64(opts.Solver.ExchangeInterval)}
	}
	for i := range opts.Threads {
		name, o := configure(i, opts.Solver, opts.IsSet)
		r.connect(i, &o)
		r.names = append(r.names, name)
		r.solvers = append(r.solvers, cdcl.New(o))
	}
	return r
}

// connect fills in what solver i tells and hears.
func (r *Race) connect(i int, o *cdcl.Options) {
	o.Proof, o.Learned, o.Activity, o.Progress, o.Exchange = nil, nil, nil, nil, nil
	if r.ledger != nil {
		v := &view{ledger: r.ledger, index: i}
		r.views = append(r.views, v)
		o.Proof = v
	}
	if port := r.pool.ports[i]; r.steps != nil || !r.opts.Alone && r.opts.Threads > 1 {
		port.steps, port.mute = r.steps, r.opts.Alone
		o.Exchange = port
	}
	if r.opts.Progress != nil {
		o.Progress = func(e cdcl.Event, s cdcl.Stats) {
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
	r.know(vars)
	for _, s := range r.solvers {
		s.Grow(r.vars)
	}
}

// know takes note that variables up to vars-1 are the caller's. No solver is at work
// meanwhile.
func (r *Race) know(vars int) {
	r.vars = max(r.vars, vars)
	r.pool.grow(r.vars)
	if r.ledger != nil {
		r.ledger.vars = r.vars
	}
}

// Reserve makes room for this many more clauses and literals in them.
func (r *Race) Reserve(clauses, literals int) {
	for _, s := range r.solvers {
		s.Reserve(clauses, literals)
	}
}

// Add adds a clause, growing the race to its variables.
func (r *Race) Add(lits ...dimacs.Lit) {
	for _, l := range lits {
		if int(l>>1) >= r.vars {
			r.know(int(l>>1) + 1)
		}
	}
	for _, s := range r.solvers {
		s.Add(lits...)
	}
}

// addInterval is how many clauses are added between looks at the context.
const addInterval = 1 << 16

// Load adds the clauses of f from one number up to another, to all solvers at the
// same time. It reports false if ctx ended before that was done; the race is of no
// use then.
func (r *Race) Load(ctx context.Context, f *dimacs.Formula, from, to int) bool {
	r.know(f.Vars())
	r.each(func(i int) {
		s := r.solvers[i]
		for k := from; k < to && (k%addInterval != 0 || ctx.Err() == nil); k++ {
			s.Add(f.Clause(k)...)
		}
	})
	return ctx.Err() == nil
}

// SetLimits sets the limits of every call of Solve that follows. Conflicts, decisions
// and propagations are those of all solvers together, of which each has its part.
func (r *Race) SetLimits(l cdcl.Limits) {
	n := int64(len(r.solvers))
	for _, limit := range []*int64{&l.Conflicts, &l.Decisions, &l.Propagations} {
		*limit = (*limit + n - 1) / n
	}
	for _, s := range r.solvers {
		s.SetLimits(l)
	}
}

// Solve looks for a model of the clauses added so far in which all assumptions are
// true. The answers are those of [cdcl.Solver.Solve]. When it returns, all solvers
// have stopped.
func (r *Race) Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	r.winner, r.stopping = -1, 0
	if r.refuted {
		return dimacs.Unsatisfiable
	}
	r.prepare(assumptions)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var answered time.Time
	var once sync.Once
	stop := func() {
		once.Do(func() { answered = time.Now() })
		cancel()
	}
	if r.steps != nil {
		r.steps.begin(ctx, stop, len(r.solvers))
	}
	answers := make([]dimacs.Status, len(r.solvers))
	first := newFirst(stop)
	r.each(func(i int) {
		defer stopIfPanicking(stop)
		answers[i] = r.solvers[i].Solve(ctx, assumptions...)
		done := answers[i] != dimacs.Unknown
		switch {
		case r.steps != nil:
			r.steps.leave(i, done)
		case done:
			first.take(i)
		}
	})
	r.winner = first.taken
	if r.steps != nil {
		r.winner = r.steps.winner()
	}
	if r.winner < 0 {
		return dimacs.Unknown
	}
	r.stopping = time.Since(answered)
	if answers[r.winner] == dimacs.Unsatisfiable {
		r.conclude()
	}
	return answers[r.winner]
}

// prepare makes all solvers know the same variables, and makes sure that they were
// given the same clauses.
func (r *Race) prepare(assumptions []dimacs.Lit) {
	vars := r.vars
	for _, l := range assumptions {
		vars = max(vars, int(l>>1)+1)
	}
	r.Grow(vars)
	for _, v := range r.views {
		if v.sum != r.views[0].sum {
			panic("portfolio: solvers were given different clauses")
		}
	}
}

// conclude takes note of a refutation.
func (r *Race) conclude() {
	if len(r.solvers[r.winner].Failed()) == 0 {
		r.refuted = true
	} else if r.ledger != nil {
		r.views[r.winner].conclude()
	}
}

// A first keeps who comes first.
type first struct {
	mu    sync.Mutex
	stop  context.CancelFunc
	taken int
}

func newFirst(stop context.CancelFunc) *first { return &first{stop: stop, taken: -1} }

// take notes that solver i has an answer, and stops the others.
func (f *first) take(i int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.taken < 0 {
		f.taken = i
	}
	f.stop()
}

// each calls f for all solvers at once, each in a goroutine of its own, and waits for
// all. A panic of one is that of the caller then.
func (r *Race) each(f func(i int)) {
	var group sync.WaitGroup
	panics := make([]any, len(r.solvers))
	for i := range r.solvers {
		group.Go(func() {
			defer func() { panics[i] = recovered(recover()) }()
			f(i)
		})
	}
	group.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
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
func (r *Race) Model() dimacs.Model { return r.answered("Model").Model() }

// Failed returns those assumptions of the last call of Solve that were used to refute
// it, as [cdcl.Solver.Failed] does.
func (r *Race) Failed() []dimacs.Lit {
	if r.refuted {
		return nil
	}
	return r.answered("Failed").Failed()
}

// answered returns the solver whose answer was that of the last call.
func (r *Race) answered(call string) *cdcl.Solver {
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
func (r *Race) Stats() []cdcl.Stats {
	all := make([]cdcl.Stats, len(r.solvers))
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
