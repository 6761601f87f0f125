package portfolio

import (
	"context"
	"fmt"
	"sync"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// Cube and conquer solves the cubes of a formula with several CDCL solvers (Heule,
// Kullmann, Wieringa and Biere, "Cube and conquer", HVC 2011). Each solver keeps its
// learned clauses from cube to cube. The cubes are the leaves of a tree (forest.go).
// The solvers take cubes from left to right, so that a cube has most of its assumptions
// in common with the cube before, and these stay assigned.
//
// A [Coordinator] holds the tree and the queue, and each [Worker] holds a solver. This
// file connects them in one process: a goroutine for each worker, a lock for the
// coordinator, and a context for each running cube.
//
//   - The first model ends the run. If no cube has a model, the clauses that refute the
//     cubes resolve to a refutation of the formula at the root of the tree.
//   - A cube that takes more conflicts than its budget is split into two cubes, by the
//     literal that look-ahead chooses under the cube. Both cubes are next in the queue.
//     So the cubes need not be equally hard at the beginning, and a formula without
//     cubes is split as it is solved. The solver keeps the clauses that it learned in
//     the attempt. If look-ahead finds no literal, the solver goes on with twice the
//     budget.
//   - A refutation may cover more than its own cube. Then the other cubes below the same
//     node need no solver: waiting cubes are dropped, and running ones are stopped.
//   - A clause that a solver learns under assumptions is implied by the formula, since
//     assumptions are decisions. So the solvers share clauses as in a race (pool.go),
//     and write one proof (shared_proof.go).
//   - For each refuted cube, the proof has the clause of its failed assumptions. This
//     clause is never deleted, and the tree adds the resolvents. Original clauses are
//     never deleted either (worker.go).
//
// A run can save each result. A later run of the same formula and cubes starts from
// the saved results and does not search for them again.
//
// Each solver simplifies the formula before its first cube, because it may eliminate all
// variables then. A cube restores some eliminated variables, but the variables that
// look-ahead chose in the simplified formula are not eliminated.

// ConquerOptions configure [Conquer].
type ConquerOptions struct {
	// Threads is the number of solvers, 1 to MaxThreads.
	Threads int

	// Budget is the number of conflicts after which a cube is split; 0 is no limit.
	Budget int64

	// Alone turns clause sharing off.
	Alone bool

	// Solver has the options of all solvers. Its Proof is the proof of the run.
	Solver cdcl.Options

	// Known are the results of an earlier run of the same formula and cubes, in the
	// order in which Keep was called. With a proof, their Clause must be the id of a
	// clause of the proof.
	Known []Result

	// Keep, if not nil, is called with each result before the run uses it. An error
	// ends the run. No two calls overlap.
	Keep func(Result) error

	// Position, if not nil, returns the end of the proof. No step is logged
	// meanwhile.
	Position func() (ProofPosition, error)

	// Progress, if not nil, is called after each result. No two calls overlap.
	Progress func(ConquerStats)
}

// Conquer decides a formula by its cubes. It returns Satisfiable with a model of the
// formula, Unsatisfiable if there is no model inside or outside of the cubes, and
// Unknown if ctx ended before. The model ends with the highest variable in a clause or a
// cube. Clauses that follow a cube in its file count for that cube too. Without cubes,
// Conquer starts with the empty cube.
//
// The error is that of Keep or Position, or reports a known result of another formula or
// cube.
// Conquer panics if an option is out of its range. It panics with an error value if the
// clauses exceed the limits of a solver.
func Conquer(ctx context.Context, f *dimacs.Formula, cubes []dimacs.Cube, o ConquerOptions) (dimacs.Status, dimacs.Model, error) {
	if o.Threads < 1 || o.Threads > MaxThreads {
		panic(fmt.Sprintf("portfolio: cube and conquer with %d solvers", o.Threads))
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := newConquerRun(f, cubes, o)
	r.stop = cancel
	if err := r.coordinator.Replay(o.Known); err != nil {
		return dimacs.Unknown, nil, err
	}
	if r.status, r.model = r.coordinator.Status(), r.coordinator.Model(); r.status == dimacs.Unknown {
		r.runWorkers(ctx)
	}
	return r.status, r.model, r.err
}

// A conquerRun is a call of [Conquer]: the transport by goroutines between a
// [Coordinator] and several workers.
type conquerRun struct {
	opts     ConquerOptions
	formula  *dimacs.Formula
	vars     int // up to the highest one in a clause or a cube
	stop     context.CancelFunc
	pool     *pool
	proof    *sharedProof // nil without a proof
	splitter Splitter     // of all workers

	mu          sync.Mutex // guards the fields below
	ready       sync.Cond  // signals that the queue changed or the run ended
	coordinator *Coordinator
	running     map[string]context.CancelFunc // by cube: stops its solver
	ended       bool
	closing     bool
	status      dimacs.Status
	model       dimacs.Model
	err         error
}

// newConquerRun makes the coordinator and logs the clauses of the formula.
func newConquerRun(f *dimacs.Formula, cubes []dimacs.Cube, o ConquerOptions) *conquerRun {
	r := &conquerRun{opts: o, formula: f, running: map[string]context.CancelFunc{}}
	r.ready.L = &r.mu
	for _, c := range f.Clauses() {
		r.growTo(c)
	}
	lits := make([][]dimacs.Lit, len(cubes))
	for i, c := range cubes {
		lits[i] = c.Lits
		r.growTo(c.Lits)
	}
	co := CoordinatorOptions{Formula: Checksum(f), Vars: r.vars, Budget: o.Budget}
	if o.Solver.Proof != nil {
		r.proof = newSharedProof(o.Solver.Proof, o.Threads+1)
		r.proof.vars = r.vars
		// Original clauses come before all lemmas, even those of Replay.
		logOriginals(f, &solverProof{sharedProof: r.proof, index: o.Threads})
		co.Learn = r.learn
	}
	r.pool = newPool(o.Threads, r.proof)
	r.pool.grow(r.vars)
	r.coordinator = NewCoordinator(lits, co)
	return r
}

// growTo raises the number of variables to those of the given literals. A header may
// declare many more, which would cost memory.
func (r *conquerRun) growTo(lits []dimacs.Lit) {
	for _, l := range lits {
		r.vars = max(r.vars, int(l>>1)+1)
	}
}

// learn adds a resolvent to the proof and returns its id.
func (r *conquerRun) learn(lits []dimacs.Lit, hints ...int64) int64 {
	if !r.proof.hints {
		hints = nil
	}
	return r.proof.learn(lits, hints)
}

// runWorkers runs all solvers until there is an answer or no cube is left.
func (r *conquerRun) runWorkers(ctx context.Context) {
	defer context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.end()
	})()
	parallel(r.opts.Threads, r.stop, func(i int) { r.work(ctx, i) })
	if r.status == dimacs.Unknown && r.err == nil && ctx.Err() == nil {
		r.checkCover(ctx)
	}
}

// end stops all solvers.
func (r *conquerRun) end() {
	r.ended = true
	r.stop()
	r.ready.Broadcast()
}

// work solves cubes with worker i until there is no further cube.
func (r *conquerRun) work(ctx context.Context, i int) {
	w := r.newWorker(ctx, i)
	if w == nil {
		return
	}
	if w.Refuted() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.status = dimacs.Unsatisfiable
		r.end()
		return
	}
	for {
		taskCtx, t, ok := r.nextTask(ctx)
		if !ok {
			return
		}
		res := w.Solve(taskCtx, t)
		r.finish(taskCtx, t, &res)
	}
}

// newWorker returns worker i, or nil if ctx ends before it has the clauses.
func (r *conquerRun) newWorker(ctx context.Context, i int) *Worker {
	o := WorkerOptions{Solver: r.opts.Solver, Vars: r.vars, Splitter: &r.splitter}
	o.Solver.Proof, o.Solver.Exchange = nil, nil
	if r.proof != nil {
		o.Solver.Proof = &solverProof{sharedProof: r.proof, index: i}
	}
	if r.opts.Threads > 1 && !r.opts.Alone {
		o.Solver.Exchange = r.pool.ports[i]
	}
	return NewWorker(ctx, r.formula, o)
}

// nextTask returns the next task, and a context that ends when its cube need not be
// solved any more. While no cube is waiting, nextTask waits for running solvers, since
// they may split their cubes. It reports false if there is no further task.
func (r *conquerRun) nextTask(ctx context.Context) (context.Context, Task, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for !r.ended {
		if t, ok := r.coordinator.Next(); ok {
			ctx, cancel := context.WithCancel(ctx)
			r.running[key(t.Cube)] = cancel
			return ctx, t, true
		}
		if r.coordinator.Done() {
			break
		}
		r.ready.Wait()
	}
	return ctx, Task{}, false
}

// stopRunning ends the context of a running task.
func (r *conquerRun) stopRunning(t Task) {
	k := key(t.Cube)
	if cancel, ok := r.running[k]; ok {
		cancel()
		delete(r.running, k)
	}
}

// finish applies the result of a solver. If the task was covered meanwhile, the result
// is not used unless it decides the formula, but the learned clauses stay.
func (r *conquerRun) finish(ctx context.Context, t Task, res *Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	used := res.Status != dimacs.Unknown || ctx.Err() == nil
	r.stopRunning(t)
	if r.ended {
		return
	}
	if res.Clause >= endOfIDs || len(res.Failed) == 0 { // a solver has derived the empty clause
		res.Failed, res.Clause = nil, 0
	}
	used = used && (res.decisive() || !r.coordinator.Cancelled(t))
	if used {
		r.err = r.keep(res)
	}
	if r.err == nil {
		r.err = r.coordinator.Finish(res)
	}
	if r.err != nil {
		r.end()
		return
	}
	for _, c := range r.coordinator.Covered() {
		r.stopRunning(c)
	}
	if used {
		r.report()
	}
	if r.status = r.coordinator.Status(); r.status != dimacs.Unknown {
		r.model = r.coordinator.Model()
		r.end()
	}
	r.ready.Broadcast()
}

func (r *conquerRun) report() {
	if r.opts.Progress != nil {
		s := r.coordinator.Stats()
		s.Closing = r.closing
		r.opts.Progress(s)
	}
}

// keep passes a result to ConquerOptions.Keep, if later runs can use it.
func (r *conquerRun) keep(res *Result) error {
	if r.opts.Keep == nil || res.Status == dimacs.Unknown && len(res.Split) == 0 {
		return nil
	}
	if r.proof != nil && r.opts.Position != nil {
		r.proof.mu.Lock()
		position, err := r.opts.Position()
		r.proof.mu.Unlock()
		if err != nil {
			return err
		}
		res.Proof = &position
	}
	return r.opts.Keep(*res)
}

// checkCover decides whether the formula has a model outside of the cubes, if the cubes
// form no tree. A new solver is given the formula and the clauses that refute the
// cubes.
func (r *conquerRun) checkCover(ctx context.Context) {
	cover := r.coordinator.Cover()
	o := r.opts.Solver
	o.Learned, o.Activity, o.Observer, o.Progress, o.Exchange, o.OneShot = nil, nil, nil, nil, nil, false
	var log *solverProof
	if r.proof != nil {
		log = &solverProof{sharedProof: r.proof, index: r.opts.Threads}
		o.Proof = log
	}
	solver := cdcl.New(o)
	solver.Grow(r.vars)
	if !addFormula(ctx, solver, r.formula) {
		return
	}
	r.closing = true
	r.report()
	for _, c := range cover {
		if log != nil {
			log.retain(c.ID, 1)
			log.logged = []int64{c.ID}
		}
		solver.Add(c.Clause...)
	}
	r.status = solver.Solve(ctx)
	requireSpace(solver)
	if r.status == dimacs.Satisfiable {
		r.model = solver.Model()
	}
}
