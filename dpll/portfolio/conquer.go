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

// A conquest solves the cubes of a formula by several solvers of clause learning,
// each of which keeps what it learns from cube to cube (Heule, Kullmann, Wieringa
// and Biere, "Cube and conquer", HVC 2011). The cubes are the leaves of a tree
// (tree.go); the solvers take them from left to right, so that a cube has most of
// its assumptions in common with the one before it, which then stay assigned.
//
//   - The first model ends it. If there is none in any cube, the tree has a
//     refutation of the formula at its root.
//   - A cube that takes more conflicts than its budget is split into two, by the
//     literal that look-ahead chooses under it, and both are next in line. So the
//     cubes need not be equally hard to begin with, and where there are none at all
//     they come about. What was learned in vain stays with the solver. If look-ahead
//     knows no literal, the cube has a larger budget the next time.
//   - When a refutation covers more than its own cube, the others below it need no
//     solver: those that wait are dropped, and those that are at work are stopped.
//   - What a solver learns under assumptions is implied by the formula, since
//     assumptions are decisions to it. So the solvers may share clauses as in a race
//     (pool.go), and write one proof (ledger.go).
//   - In that proof a refuted cube leaves the clause of those of its literals that
//     failed, which is never deleted, and the tree adds the resolvents. The formula
//     itself is held by one solver more than there are, until the end, for solvers
//     that come later: those of a run that goes on, and the one that closes the
//     proof where the cubes are no tree.
//
// Each result can be kept, and be told to a conquest that comes later, of the same
// formula and cubes: then it does not have to be found again.
//
// What it is good for: w(2;3,11) of van der Waerden, 114 numbers, took one solver
// without cubes 346000 conflicts and 12.1 s, with 300 cubes 245000 and 6.1 s, and
// with 1000 cubes 235000 and 6.6 s (user time; "sator generate vdw --length 3 --other
// 11 --numbers 114"). Two solvers took 6.5 s in all with 300 cubes, and 8.3 s in a
// race.
//
// Before the first cube each solver simplifies the formula, when it may still take
// variables out. A cube brings some of them back, but those that look-ahead chose in
// the simplified formula are there.

// ConquerOptions configure [Conquer].
type ConquerOptions struct {
	// Threads is the number of solvers, 1 to MaxThreads.
	Threads int

	// Budget is how many conflicts a cube has before it is split; 0 is no limit.
	Budget int64

	// Alone has the solvers share nothing.
	Alone bool

	// Solver has the options of all solvers: Proof is that of the conquest.
	Solver cdcl.Options

	// Known are results of an earlier conquest of the same formula and cubes, in the
	// order in which they were kept. With a proof they need ids of clauses that it
	// has.
	Known []Result

	// Keep, if not nil, is called with each result, before anything else is made of
	// it. An error ends the conquest. No two calls overlap.
	Keep func(Result) error

	// Position, if not nil, returns how far the proof has come. Nothing is written
	// meanwhile.
	Position func() (ProofPosition, error)

	// Progress, if not nil, is called after each result. No two calls overlap.
	Progress func(ConquerStats)
}

// A ConquerStats is how things stand.
type ConquerStats struct {
	Cubes     int     // that were given, or missing and added
	Added     int     // of these
	Known     int     // results that were known before
	Refuted   int     // cubes, by solvers
	Spared    int     // cubes that others refuted
	Splits    int     // cubes that were split
	Open      int     // cubes that wait
	Running   int     // cubes that solvers have
	Conflicts int64   // in this run
	Done      float64 // share of the trees that is refuted
	Start     float64 // that it was at the start of this run
	Closing   bool    // the cubes are done, and their cover is checked
}

// Conquer decides a formula by its cubes. It returns Satisfiable with a model of
// the formula; Unsatisfiable if it has none, whether the cubes say so alone or what
// they leave out had to be refuted too; and Unknown if ctx ended before. Where
// cubes stand among clauses, all clauses count for all of them. Without cubes there
// is one that is empty.
//
// An error is one of Keep or Place, or an unfit result among those known. It panics
// if options are out of their range, and with an error if clauses exceed the limits
// of a solver.
func Conquer(ctx context.Context, f *dimacs.Formula, cubes []dimacs.Cube, o ConquerOptions) (dimacs.Status, dimacs.Model, error) {
	if o.Threads < 1 || o.Threads > MaxThreads {
		panic(fmt.Sprintf("portfolio: a conquest by %d solvers", o.Threads))
	}
	q := &conquerRun{opts: o, formula: f, checksum: Checksum(f), vars: f.Vars(), running: map[int32]context.CancelFunc{}}
	q.ready.L = &q.mu
	lits := make([][]dimacs.Lit, len(cubes))
	for i, c := range cubes {
		lits[i] = c.Lits
		for _, l := range c.Lits {
			q.vars = max(q.vars, int(l>>1)+1)
		}
	}
	ctx, q.stop = context.WithCancel(ctx)
	defer q.stop()
	if o.Solver.Proof != nil {
		q.proof = newSharedProof(o.Solver.Proof, o.Threads+1)
		q.proof.vars = q.vars
		q.finalProof = &solverProof{sharedProof: q.proof, index: o.Threads}
		for _, c := range f.Clauses() {
			q.finalProof.Original(c)
		}
	}
	q.pool = newPool(o.Threads, q.proof)
	q.pool.grow(q.vars)
	q.forest = newForest(lits, q.learn)
	q.stats.Cubes = len(q.forest.leaves())
	for i := range q.forest.nodes {
		if q.forest.nodes[i].added {
			q.stats.Added++
		}
	}
	if err := q.replay(o.Known); err != nil {
		return dimacs.Unknown, nil, err
	}
	q.queue = q.forest.leaves()
	q.stats.Open = len(q.queue)
	q.stats.Done = q.forest.done()
	q.stats.Start = q.stats.Done
	if q.status == dimacs.Unknown {
		q.runWorkers(ctx)
	}
	return q.status, q.model, q.err
}

// A conquerRun is a call of Conquer.
type conquerRun struct {
	opts       ConquerOptions
	formula    *dimacs.Formula
	checksum   string
	vars       int
	stop       context.CancelFunc
	pool       *pool
	proof      *sharedProof // nil without a proof
	finalProof *solverProof // that of the solver that does not exist, or comes last

	mu      sync.Mutex // guards what follows
	ready   sync.Cond  // the queue has changed, or it is over
	forest  *forest
	queue   []int32                      // leaves; the first is next
	running map[int32]context.CancelFunc // leaves that solvers have, and what stops these
	ended   bool
	stats   ConquerStats
	status  dimacs.Status
	model   dimacs.Model
	err     error

	lookaheadMu sync.Mutex // guards what follows
	lookahead   *cube.Lookahead
}

// learn adds a clause to the proof.
func (q *conquerRun) learn(lits []dimacs.Lit, hints ...int64) int64 {
	if q.proof == nil {
		return 0
	}
	if !q.proof.hints {
		hints = nil
	}
	return q.proof.learn(lits, hints)
}

// replay takes the results over that are known.
func (q *conquerRun) replay(known []Result) error {
	index := map[string]int32{}
	for _, n := range q.forest.leaves() {
		index[key(q.forest.path(n))] = n
	}
	for i := range known {
		r := &known[i]
		if err := r.check(q.checksum, q.vars); err != nil {
			return fmt.Errorf("result %d: %w", i+1, err)
		}
		n, ok := index[key(r.Cube)]
		if !ok {
			return fmt.Errorf("result %d: its cube is none of these", i+1)
		}
		switch r.Status {
		case dimacs.Satisfiable:
			q.setModel(modelOf(r.Model, q.vars))
		case dimacs.Unsatisfiable:
			if q.proof != nil && r.Clause == 0 && len(r.Failed) > 0 {
				return fmt.Errorf("result %d: its proof is missing", i+1)
			}
			q.stats.Known++
			q.markRefuted(n, r)
		default:
			for _, l := range r.Split {
				for _, k := range q.forest.split(n, l) {
					index[key(q.forest.path(k))] = k
				}
			}
		}
	}
	return nil
}

// modelOf returns the model that makes literals true.
func modelOf(ls []dimacs.Lit, vars int) dimacs.Model {
	m := make(dimacs.Model, vars)
	for _, l := range ls {
		m[l>>1] = dimacs.True
		if l.Neg() {
			m[l>>1] = dimacs.False
		}
	}
	return m
}

// setModel ends the conquest by a model.
func (q *conquerRun) setModel(m dimacs.Model) { q.status, q.model = dimacs.Satisfiable, m }

// markRefuted draws the conclusions of a markRefuted leaf.
func (q *conquerRun) markRefuted(n int32, r *Result) {
	if len(r.Failed) == 0 {
		q.status = dimacs.Unsatisfiable
		return
	}
	if q.forest.covered(n) { // a known result that came when its cube was over
		return
	}
	clause := make([]dimacs.Lit, len(r.Failed))
	for i, l := range r.Failed {
		clause[i] = l ^ 1
	}
	q.forest.refute(n, clause, r.Clause)
	if root := &q.forest.nodes[q.forest.roots[0]]; root.state == refuted && len(root.clause) == 0 {
		q.status = dimacs.Unsatisfiable
	}
}

// runWorkers has all solvers at work until there is an answer or none to be had.
func (q *conquerRun) runWorkers(ctx context.Context) {
	defer context.AfterFunc(ctx, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.end()
	})()
	parallel(q.opts.Threads, q.stop, func(i int) { q.work(ctx, i) })
	if q.status != dimacs.Unknown || q.err != nil || ctx.Err() != nil {
		return
	}
	q.checkCover(ctx)
}

// end makes everybody stop.
func (q *conquerRun) end() {
	q.ended = true
	q.stop()
	q.ready.Broadcast()
}

// nextCube returns a leaf whose cube is to be solved as long as a context lasts, or waits
// until there is one. It returns -1 if there will be none.
func (q *conquerRun) nextCube(ctx context.Context) (context.Context, int32) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		for !q.ended && len(q.queue) > 0 {
			n := q.queue[0]
			q.queue = q.queue[1:]
			q.stats.Open = len(q.queue)
			if q.forest.covered(n) {
				q.stats.Spared++
				continue
			}
			ctx, q.running[n] = context.WithCancel(ctx)
			q.stats.Running = len(q.running)
			return ctx, n
		}
		if q.ended || len(q.running) == 0 {
			return ctx, -1
		}
		q.ready.Wait()
	}
}

// release takes a leaf off those that solvers have. It reports false if it is none of
// them any more, since its cube was dismissed.
func (q *conquerRun) release(n int32) bool {
	cancel, ok := q.running[n]
	if ok {
		cancel()
		delete(q.running, n)
	}
	return ok
}

// stopCovered stops the solvers whose cubes are over. Nothing is made of what they find
// out about these any more; what they have learned stays.
func (q *conquerRun) stopCovered() {
	for n := range q.running {
		if q.forest.covered(n) {
			q.release(n)
			q.stats.Spared++
		}
	}
}

// cubeOf returns the cube of a leaf, and how many budgets it has used up without being
// split.
func (q *conquerRun) cubeOf(n int32) (cube []dimacs.Lit, tries int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.forest.path(n), q.forest.nodes[n].tries
}

// finish takes a result over. That of a cube which was dismissed counts only if it is
// the answer.
func (q *conquerRun) finish(ctx context.Context, n int32, r *Result) {
	q.mu.Lock()
	defer q.mu.Unlock()
	stopped := r.Status == dimacs.Unknown && ctx.Err() != nil
	dismissed := !q.release(n)
	if q.ended {
		return
	}
	q.stats.Conflicts += r.Conflicts
	if r.Clause >= endOfIDs { // another solver has derived the empty clause
		r.Failed, r.Clause = nil, 0
	}
	if stopped || dismissed && !r.decisive() {
		return
	}
	if err := q.keep(r); err != nil {
		q.err = err
		q.end()
		return
	}
	switch r.Status {
	case dimacs.Satisfiable:
		q.setModel(modelOf(r.Model, q.vars))
	case dimacs.Unsatisfiable:
		q.stats.Refuted++
		q.markRefuted(n, r)
		q.stopCovered()
	default:
		q.requeue(n, r)
	}
	q.stats.Open, q.stats.Running, q.stats.Done = len(q.queue), len(q.running), q.forest.done()
	if q.opts.Progress != nil {
		q.opts.Progress(q.stats)
	}
	if q.status != dimacs.Unknown {
		q.end()
	}
	q.ready.Broadcast()
}

// keep has a result kept that later runs can use.
func (q *conquerRun) keep(r *Result) (err error) {
	if q.opts.Keep == nil || r.Status == dimacs.Unknown && len(r.Split) == 0 {
		return nil
	}
	if q.proof != nil && q.opts.Position != nil {
		q.proof.mu.Lock()
		place, err := q.opts.Position()
		q.proof.mu.Unlock()
		if err != nil {
			return err
		}
		r.Proof = &place
	}
	return q.opts.Keep(*r)
}

// requeue puts what is left of a cube in front of the queue.
func (q *conquerRun) requeue(n int32, r *Result) {
	if len(r.Split) == 0 {
		q.forest.nodes[n].tries++
		q.queue = slices.Insert(q.queue, 0, n)
		return
	}
	q.stats.Splits++
	kids := q.forest.split(n, r.Split[0])
	q.queue = slices.Insert(q.queue, 0, kids[:]...)
}

// checkCover decides what cubes that are no tree leave out: a solver has the formula and
// the clauses that refute the cubes.
func (q *conquerRun) checkCover(ctx context.Context) {
	for _, r := range q.forest.roots {
		if q.forest.nodes[r].state != refuted {
			panic(fmt.Sprintf("portfolio: the cube %v is done without a result", q.forest.path(r)))
		}
	}
	w := q.newWorker(ctx, q.coverProof(), nil)
	if w == nil {
		return
	}
	q.stats.Closing = true
	if q.opts.Progress != nil {
		q.opts.Progress(q.stats)
	}
	for _, r := range q.forest.roots {
		b := &q.forest.nodes[r]
		if w.proof != nil {
			w.proof.given = []int64{b.id}
		}
		w.Add(b.clause...)
	}
	if q.status = w.Solve(ctx); q.status == dimacs.Satisfiable {
		q.setModel(w.Model())
	}
}

// coverProof returns the view of the proof that nobody has used, from its beginning.
func (q *conquerRun) coverProof() *solverProof {
	if q.proof == nil {
		return nil
	}
	return &solverProof{sharedProof: q.proof, index: q.finalProof.index}
}

// parallel calls f for 0 to n-1 at once, each in a goroutine of its own, and waits
// for all. A panic of one stops the others, and is that of the caller then.
func parallel(n int, stop context.CancelFunc, f func(i int)) {
	var group sync.WaitGroup
	panics := make([]any, n)
	for i := range n {
		group.Go(func() {
			defer func() { panics[i] = recovered(recover()) }()
			defer stopIfPanicking(stop)
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
