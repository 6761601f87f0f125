package portfolio

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/cube"
)

// Cube and conquer solves the cubes of a formula with several CDCL solvers (Heule,
// Kullmann, Wieringa and Biere, "Cube and conquer", HVC 2011). Each solver keeps its
// learned clauses from cube to cube. The cubes are the leaves of a tree (forest.go).
// The solvers take cubes from left to right, so that a cube has most of its assumptions
// in common with the cube before, and these stay assigned.
//
//   - The first model ends the run. If no cube has a model, the clauses that refute the
//     cubes resolve to a refutation of the formula at the root of the tree.
//   - A cube that takes more conflicts than its budget is split into two cubes, by the
//     literal that look-ahead chooses under the cube. Both cubes are next in the queue.
//     So the cubes need not be equally hard at the beginning, and a formula without
//     cubes is split as it is solved. The solver keeps the clauses that it learned in
//     the attempt. If look-ahead finds no literal, the cube has a larger budget the next
//     time.
//   - A refutation may cover more than its own cube. Then the other cubes below the same
//     node need no solver: waiting cubes are dropped, and running ones are stopped.
//   - A clause that a solver learns under assumptions is implied by the formula, since
//     assumptions are decisions. So the solvers share clauses as in a race (pool.go),
//     and write one proof (shared_proof.go).
//   - For each refuted cube, the proof has the clause of its failed assumptions. This
//     clause is never deleted, and the tree adds the resolvents. An original clause has
//     one reference more than there are solvers, so that it is not deleted before the
//     end. Later solvers need these clauses: the solvers of a resumed run, and the
//     solver that ends the proof if the cubes form no tree.
//
// A run can save each result. A later run of the same formula and cubes starts from
// the saved results and does not search for them again.
//
// Effect: w(2;3,11) of van der Waerden with 114 numbers took one solver 346000 conflicts
// and 12.1 s without cubes, 245000 and 6.1 s with 300 cubes, and 235000 and 6.6 s with
// 1000 cubes (user time; "sator generate vdw --length 3 --other 11 --numbers 114"). Two
// solvers together took 6.5 s with 300 cubes, and 8.3 s in a race.
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

// ConquerStats are the statistics of a cube-and-conquer run.
type ConquerStats struct {
	Cubes     int     // given cubes and added cubes
	Added     int     // cubes that were missing in the tree
	Known     int     // results of earlier runs
	Refuted   int     // cubes that solvers refuted
	Spared    int     // cubes that the refutation of another cube covers
	Splits    int     // cubes that were split
	Open      int     // cubes in the queue
	Running   int     // cubes that solvers are solving
	Conflicts int64   // in this run
	Done      float64 // refuted share of the trees
	Start     float64 // Done at the start of this run
	Closing   bool    // all cubes are refuted, and a solver checks that they cover everything
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
	if err := r.replay(o.Known); err != nil {
		return dimacs.Unknown, nil, err
	}
	r.queue = r.forest.leaves()
	r.stats.Open = len(r.queue)
	r.stats.Done = r.forest.done()
	r.stats.Start = r.stats.Done
	if r.status == dimacs.Unknown {
		r.runWorkers(ctx)
	}
	return r.status, r.model, r.err
}

// A conquerRun is a call of [Conquer].
type conquerRun struct {
	opts     ConquerOptions
	formula  *dimacs.Formula
	checksum string // of formula
	vars     int    // up to the highest one in a clause or a cube
	stop     context.CancelFunc
	pool     *pool
	proof    *sharedProof // nil without a proof

	mu      sync.Mutex                   // guards the fields below
	ready   sync.Cond                    // signals that the queue changed or the run ended
	forest  *forest                      // the trees of cubes
	queue   []int32                      // leaves that wait for a solver, the next one first
	running map[int32]context.CancelFunc // by leaf: stops the solver of its cube
	ended   bool
	stats   ConquerStats
	status  dimacs.Status
	model   dimacs.Model
	err     error

	lookaheadMu sync.Mutex // guards the field below
	lookahead   *cube.Lookahead
}

// newConquerRun builds the forest of the cubes and logs the clauses of the formula.
func newConquerRun(f *dimacs.Formula, cubes []dimacs.Cube, o ConquerOptions) *conquerRun {
	r := &conquerRun{opts: o, formula: f, checksum: Checksum(f), running: map[int32]context.CancelFunc{}}
	r.ready.L = &r.mu
	for _, c := range f.Clauses() {
		r.growTo(c)
	}
	lits := make([][]dimacs.Lit, len(cubes))
	for i, c := range cubes {
		lits[i] = c.Lits
		r.growTo(c.Lits)
	}
	if o.Solver.Proof != nil {
		r.proof = newSharedProof(o.Solver.Proof, o.Threads+1)
		r.proof.vars = r.vars
		// Original clauses come before all lemmas, even those of replay. The worker of
		// checkCover has this index, so its references exist from the beginning.
		logOriginals(f, &solverProof{sharedProof: r.proof, index: o.Threads})
	}
	r.pool = newPool(o.Threads, r.proof)
	r.pool.grow(r.vars)
	r.forest = newForest(lits, r.learn)
	r.stats.Cubes = len(r.forest.leaves())
	for i := range r.forest.nodes {
		if r.forest.nodes[i].added {
			r.stats.Added++
		}
	}
	return r
}

// growTo raises the number of variables to those of the given literals. A header may
// declare many more, which would cost memory.
func (r *conquerRun) growTo(lits []dimacs.Lit) {
	for _, l := range lits {
		r.vars = max(r.vars, int(l>>1)+1)
	}
}

// learn adds a clause to the proof, if there is one, and returns its id.
func (r *conquerRun) learn(lits []dimacs.Lit, hints ...int64) int64 {
	if r.proof == nil {
		return 0
	}
	if !r.proof.hints {
		hints = nil
	}
	return r.proof.learn(lits, hints)
}

// replay applies the results of earlier runs.
func (r *conquerRun) replay(known []Result) error {
	nodes := map[string]int32{} // by cube
	for _, n := range r.forest.leaves() {
		nodes[key(r.forest.path(n))] = n
	}
	for i := range known {
		res := &known[i]
		if err := res.check(r.checksum, r.vars); err != nil {
			return fmt.Errorf("result %d: %w", i+1, err)
		}
		n, ok := nodes[key(res.Cube)]
		if !ok {
			return fmt.Errorf("result %d: its cube is not a cube of this run", i+1)
		}
		switch res.Status {
		case dimacs.Satisfiable:
			r.setModel(modelOf(res.Model, r.vars))
		case dimacs.Unsatisfiable:
			if r.proof != nil && res.Clause == 0 && len(res.Failed) > 0 {
				return fmt.Errorf("result %d: no clause of the proof refutes its cube", i+1)
			}
			r.stats.Known++
			r.markRefuted(n, res)
		default:
			for _, l := range res.Split {
				for _, k := range r.forest.split(n, l) {
					nodes[key(r.forest.path(k))] = k
				}
			}
		}
	}
	return nil
}

// modelOf returns the model that makes the given literals true.
func modelOf(lits []dimacs.Lit, vars int) dimacs.Model {
	m := make(dimacs.Model, vars)
	for _, l := range lits {
		m.Set(l)
	}
	return m
}

func (r *conquerRun) setModel(m dimacs.Model) { r.status, r.model = dimacs.Satisfiable, m }

// markRefuted marks a leaf as refuted and derives the consequences in the forest.
func (r *conquerRun) markRefuted(n int32, res *Result) {
	if len(res.Failed) == 0 {
		r.status = dimacs.Unsatisfiable
		return
	}
	if r.forest.covered(n) { // by a known result before this one
		return
	}
	clause := make([]dimacs.Lit, len(res.Failed))
	for i, l := range res.Failed {
		clause[i] = l ^ 1
	}
	r.forest.refute(n, clause, res.Clause)
	if root := &r.forest.nodes[r.forest.roots[0]]; root.refuted && len(root.clause) == 0 {
		r.status = dimacs.Unsatisfiable
	}
}

// runWorkers runs all solvers until there is an answer or no cube is left.
func (r *conquerRun) runWorkers(ctx context.Context) {
	defer context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.end()
	})()
	parallel(r.opts.Threads, r.stop, func(i int) { r.work(ctx, i) })
	if r.status != dimacs.Unknown || r.err != nil || ctx.Err() != nil {
		return
	}
	r.checkCover(ctx)
}

// end stops all solvers.
func (r *conquerRun) end() {
	r.ended = true
	r.stop()
	r.ready.Broadcast()
}

// nextCube returns the next leaf of the queue, and a context that ends when its cube
// need not be solved any more. While the queue is empty it waits for running solvers,
// since they may split their cubes. It returns -1 if there is no further cube.
func (r *conquerRun) nextCube(ctx context.Context) (context.Context, int32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for !r.ended {
		if len(r.queue) == 0 {
			if len(r.running) == 0 {
				break
			}
			r.ready.Wait()
			continue
		}
		n := r.queue[0]
		r.queue = r.queue[1:]
		r.stats.Open = len(r.queue)
		if r.forest.covered(n) {
			r.stats.Spared++
			continue
		}
		ctx, r.running[n] = context.WithCancel(ctx)
		r.stats.Running = len(r.running)
		return ctx, n
	}
	return ctx, -1
}

// removeRunning removes a leaf from the running ones and ends its context. It reports
// false if stopCovered has done so before.
func (r *conquerRun) removeRunning(n int32) bool {
	cancel, ok := r.running[n]
	if ok {
		cancel()
		delete(r.running, n)
	}
	return ok
}

// stopCovered stops the solvers of cubes that a refutation covers. Their results are
// not used, but their learned clauses stay.
func (r *conquerRun) stopCovered() {
	for n := range r.running {
		if r.forest.covered(n) {
			r.removeRunning(n)
			r.stats.Spared++
		}
	}
}

// cubeOf returns the cube of a leaf, and the number of attempts that used up their
// budget without a split.
func (r *conquerRun) cubeOf(n int32) (cube []dimacs.Lit, tries int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.forest.path(n), r.forest.nodes[n].tries
}

// finish applies the result of a solver. If the cube was stopped as covered, the result
// counts only if it decides the whole formula.
func (r *conquerRun) finish(ctx context.Context, n int32, res *Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	canceled := res.Status == dimacs.Unknown && ctx.Err() != nil
	covered := !r.removeRunning(n)
	if r.ended {
		return
	}
	r.stats.Conflicts += res.Conflicts
	if res.Clause >= endOfIDs { // another solver has derived the empty clause
		res.Failed, res.Clause = nil, 0
	}
	if canceled || covered && !res.decisive() {
		return
	}
	if err := r.keep(res); err != nil {
		r.err = err
		r.end()
		return
	}
	r.apply(n, res)
	r.stats.Open, r.stats.Running, r.stats.Done = len(r.queue), len(r.running), r.forest.done()
	r.report()
	if r.status != dimacs.Unknown {
		r.end()
	}
	r.ready.Broadcast()
}

// apply updates the forest and the queue by the result of a solver.
func (r *conquerRun) apply(n int32, res *Result) {
	switch res.Status {
	case dimacs.Satisfiable:
		r.setModel(modelOf(res.Model, r.vars))
	case dimacs.Unsatisfiable:
		r.stats.Refuted++
		r.markRefuted(n, res)
		r.stopCovered()
	default:
		r.requeue(n, res)
	}
}

func (r *conquerRun) report() {
	if r.opts.Progress != nil {
		r.opts.Progress(r.stats)
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

// requeue puts a cube that used up its budget in front of the queue, or its two halves
// if it is split.
func (r *conquerRun) requeue(n int32, res *Result) {
	if len(res.Split) == 0 {
		r.forest.nodes[n].tries++
		r.queue = slices.Insert(r.queue, 0, n)
		return
	}
	r.stats.Splits++
	children := r.forest.split(n, res.Split[0])
	r.queue = slices.Insert(r.queue, 0, children[:]...)
}

// checkCover decides whether the formula has a model outside of the cubes, if the cubes
// form no tree. A new solver is given the formula and the clauses that refute the
// cubes.
func (r *conquerRun) checkCover(ctx context.Context) {
	for _, root := range r.forest.roots {
		if !r.forest.nodes[root].refuted {
			panic(fmt.Sprintf("portfolio: no result for the cube %v", r.forest.path(root)))
		}
	}
	w := r.newWorker(ctx, r.opts.Threads)
	if w == nil {
		return
	}
	r.stats.Closing = true
	r.report()
	for _, root := range r.forest.roots {
		n := &r.forest.nodes[root]
		if w.proof != nil {
			w.proof.retain(n.id, 1)
			w.proof.logged = []int64{n.id}
		}
		w.solver.Add(n.clause...)
	}
	if r.status = w.solver.Solve(ctx); r.status == dimacs.Satisfiable {
		r.setModel(w.solver.Model())
	}
}
