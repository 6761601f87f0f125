package portfolio

import (
	"errors"
	"fmt"
	"slices"

	"sator/dimacs"
)

// A coordinator holds the state of a cube-and-conquer run: the trees of cubes
// (forest.go), the queue and the answer. It starts no goroutine and locks nothing, so
// that any transport can stand between it and the workers: goroutines (conquer.go) or
// messages between machines.
//
// The queue is a stack. At the beginning the leftmost cube is on top. The two halves of a
// cube that is split are on top again, and so is a cube that a worker returns without a
// result. So workers take the cubes from left to right, and a worker's next cube has most
// of its assumptions in common with the cube before.
//
// Cubes are identified by their literals in order. Nothing is stored per cube for that:
// a node is found by descending from a root along the literals. In a list of cubes that
// forms no tree, a cube may equal a node below another cube that was split. These nodes
// are twins: a result counts for all of them, and only one of them is given out at a
// time.
//
// A result may be about any node that exists. If its cube has been split, a refutation
// covers the leaves below. If its cube is covered or split already, only a model or a
// refutation of the formula counts.

// CoordinatorOptions configure a [Coordinator].
type CoordinatorOptions struct {
	// Formula is the checksum of the formula, which tasks and results have; see
	// [Checksum].
	Formula string

	// Vars is the number of variables of the formula and the cubes.
	Vars int

	// Budget is the number of conflicts after which a cube is split; 0 is no limit.
	Budget int64

	// Learn, if not nil, logs a resolvent of two clauses with the given ids in the
	// proof, and returns its id. Then each refuted cube needs a clause of the proof. The
	// literals are not overwritten later.
	Learn func(lits []dimacs.Lit, hints ...int64) int64
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

// A Coordinator gives out the cubes of a formula as tasks and combines the results. It
// must not be used by several goroutines at the same time.
//
// A transport calls Next for a task, has it solved by a [Worker], and calls Finish with
// the result, or Requeue if there will be none. After each Finish, the tasks of Covered
// need not be solved further. When Done returns true, Status is the answer, or all cubes
// are refuted, and Cover returns the clauses that must be refuted together with the
// formula.
type Coordinator struct {
	opts    CoordinatorOptions
	forest  *forest
	roots   map[string]int32 // by the cube of the root, if there are several
	states  []cubeState      // by node
	queue   []int32          // waiting nodes, the next one last; some have another state by now
	running []int32          // nodes that are given out, in any order
	covered []Task           // of Covered
	stats   ConquerStats
	status  dimacs.Status
	model   dimacs.Model
}

// A cubeState is the state of a node.
type cubeState uint8

const (
	idle    cubeState = iota // an inner node or a finished leaf
	waiting                  // in the queue
	running                  // given out
)

// NewCoordinator returns a coordinator for the given cubes. Without cubes it starts with
// the empty cube. If the cubes are leaves of a binary tree, the missing leaves are
// added. Duplicate cubes and cubes with complementary literals are dropped.
func NewCoordinator(cubes [][]dimacs.Lit, o CoordinatorOptions) *Coordinator {
	learn := o.Learn
	if learn == nil {
		learn = func([]dimacs.Lit, ...int64) int64 { return 0 }
	}
	c := &Coordinator{opts: o, forest: newForest(cubes, learn)}
	if len(c.forest.roots) > 1 {
		c.roots = map[string]int32{}
		for _, n := range c.forest.roots {
			c.roots[key(c.forest.nodes[n].base)] = n
		}
	}
	c.fillQueue()
	c.stats.Cubes = len(c.queue)
	for i := range c.forest.nodes {
		if c.forest.nodes[i].added {
			c.stats.Added++
		}
	}
	return c
}

// fillQueue fills the queue with all leaves that are neither covered nor given out.
func (c *Coordinator) fillQueue() {
	c.growStates()
	c.queue = c.queue[:0]
	for _, n := range slices.Backward(c.forest.leaves()) {
		if c.states[n] != running {
			c.states[n] = waiting
			c.queue = append(c.queue, n)
		}
	}
}

// growStates extends states to new nodes.
func (c *Coordinator) growStates() {
	if n := len(c.forest.nodes) - len(c.states); n > 0 {
		c.states = append(c.states, make([]cubeState, n)...)
	}
}

// nodesOf returns the nodes with this cube, or no node if the run has no such cube.
func (c *Coordinator) nodesOf(cube []dimacs.Lit) (nodes []int32) {
	if c.roots == nil {
		root := c.forest.roots[0]
		return c.forest.descend(nodes, root, cube, len(c.forest.nodes[root].base))
	}
	for k := range len(cube) + 1 {
		if root, ok := c.roots[key(cube[:k])]; ok {
			nodes = c.forest.descend(nodes, root, cube, k)
		}
	}
	return nodes
}

// A ReplayError reports a result that [Coordinator.Replay] cannot apply.
type ReplayError struct {
	Index int // of the result
	Err   error
}

// Error implements [error].
func (e *ReplayError) Error() string { return fmt.Sprintf("result %d: %v", e.Index+1, e.Err) }

// Unwrap returns the reason.
func (e *ReplayError) Unwrap() error { return e.Err }

// Replay applies the results of earlier runs, in the order in which they were kept. It
// may be called several times, and returns a [*ReplayError] if a result is not about this
// formula and a cube of this run. The results before have been applied then, and a caller
// that can do without the wrong one continues with the results behind.
func (c *Coordinator) Replay(known []Result) error {
	for i := range known {
		if err := c.replay(&known[i]); err != nil {
			return &ReplayError{i, err}
		}
	}
	c.fillQueue()
	c.stats.Start = c.forest.done()
	return nil
}

// Check returns an error if Finish would refuse a result in the present state. The id of
// its clause is not checked.
func (c *Coordinator) Check(r *Result) error {
	if err := r.check(c.opts.Formula, c.opts.Vars); err != nil {
		return err
	}
	if len(c.nodesOf(r.Cube)) == 0 {
		return errStrangeCube
	}
	return nil
}

// errStrangeCube reports a result about a cube that the run does not have.
var errStrangeCube = errors.New("its cube is not a cube of this run")

func (c *Coordinator) replay(r *Result) error {
	nodes, err := c.check(r)
	if err != nil {
		return err
	}
	if r.Status == dimacs.Unsatisfiable {
		c.stats.Known++
	}
	for _, n := range nodes {
		c.stop(n) // a split node waits no longer
		c.apply(n, r)
	}
	return nil
}

// check returns the nodes that a result is about, or an error.
func (c *Coordinator) check(r *Result) ([]int32, error) {
	if err := r.check(c.opts.Formula, c.opts.Vars); err != nil {
		return nil, err
	}
	nodes := c.nodesOf(r.Cube)
	switch {
	case len(nodes) == 0:
		return nil, errStrangeCube
	case c.opts.Learn != nil && r.Status == dimacs.Unsatisfiable && r.Clause == 0 && len(r.Failed) > 0:
		return nil, errors.New("no clause of the proof refutes its cube")
	}
	return nodes, nil
}

// apply updates the answer and the forest by a result about node n. It reports whether
// the result was new.
func (c *Coordinator) apply(n int32, r *Result) bool {
	switch {
	case r.Status == dimacs.Satisfiable:
		c.status, c.model = r.Status, modelOf(r.Model, c.opts.Vars)
		return true
	case r.decisive():
		c.status = r.Status
		return true
	case c.forest.covered(n):
		return false
	case r.Status == dimacs.Unsatisfiable:
		c.markRefuted(n, r)
		return true
	case len(r.Split) == 0 || len(c.forest.nodes[n].children) > 0:
		return false
	}
	c.forest.split(n, r.Split[0])
	c.growStates()
	return true
}

// modelOf returns the model that makes the given literals true.
func modelOf(lits []dimacs.Lit, vars int) dimacs.Model {
	m := make(dimacs.Model, vars)
	for _, l := range lits {
		m.Set(l)
	}
	return m
}

// markRefuted marks a node as refuted and derives the consequences in the forest. Nodes
// below it or below an ancestor that is refuted by the same clause need no solver.
func (c *Coordinator) markRefuted(n int32, r *Result) {
	clause := make([]dimacs.Lit, len(r.Failed))
	for i, l := range r.Failed {
		clause[i] = l ^ 1
	}
	inner := len(c.forest.nodes[n].children) > 0
	if c.forest.refute(n, clause, r.Clause) || inner {
		c.stopCovered()
	}
	if root := &c.forest.nodes[c.forest.roots[0]]; root.refuted && len(root.clause) == 0 {
		c.status = dimacs.Unsatisfiable
	}
}

// stopCovered moves the tasks that a refutation covers from the running ones to those of
// Covered.
func (c *Coordinator) stopCovered() {
	c.running = slices.DeleteFunc(c.running, func(n int32) bool {
		if c.states[n] == running && !c.forest.covered(n) {
			return false
		}
		if c.states[n] == running {
			c.states[n] = idle
			c.stats.Spared++
			c.covered = append(c.covered, c.task(n))
		}
		return true
	})
}

// task returns the task of a node.
func (c *Coordinator) task(n int32) Task {
	return Task{Formula: c.opts.Formula, Cube: c.forest.path(n), Budget: c.opts.Budget}
}

// Next returns the next task and counts it as running. It reports false if no cube is
// waiting; running tasks may still be split.
func (c *Coordinator) Next() (Task, bool) {
	n, ok := c.top()
	if !ok {
		return Task{}, false
	}
	c.queue = c.queue[:len(c.queue)-1]
	return c.start(n), true
}

// top drops nodes that need no solver from the top of the queue, and returns the node on
// top then. It reports false if the queue is empty.
func (c *Coordinator) top() (int32, bool) {
	for ; len(c.queue) > 0; c.queue = c.queue[:len(c.queue)-1] {
		n := c.queue[len(c.queue)-1]
		switch {
		case c.states[n] != waiting:
			continue
		case c.forest.covered(n):
			c.stats.Spared++
		case !c.twinRuns(n): // else the result of the twin counts for n
			return n, true
		}
		c.states[n] = idle
	}
	return 0, false
}

// start marks a waiting node as running and returns its task.
func (c *Coordinator) start(n int32) Task {
	c.states[n] = running
	c.running = append(c.running, n)
	return c.task(n)
}

// twinRuns reports whether a node with the same cube is running.
func (c *Coordinator) twinRuns(n int32) bool {
	if c.roots == nil {
		return false
	}
	return slices.ContainsFunc(c.nodesOf(c.forest.path(n)), func(k int32) bool { return c.states[k] == running })
}

// Take returns the task of a given cube out of turn and counts it as running, so that a
// coordinator that starts again can wait for cubes that workers are solving. It reports
// false if the cube is not waiting.
func (c *Coordinator) Take(cube []dimacs.Lit) (Task, bool) {
	for _, n := range c.nodesOf(cube) {
		if c.states[n] == waiting && !c.forest.covered(n) && !c.twinRuns(n) {
			return c.start(n), true
		}
	}
	return Task{}, false
}

// Finish applies the result of a task, also of a task that another coordinator of the
// same run gave out. It returns an error, and changes nothing, if the result contradicts
// itself or is not about a cube of this run. A result about a cube that is covered or has
// ended changes only the number of conflicts, unless it decides the formula. A result
// without an answer and without a literal to split by has the effect of Requeue.
func (c *Coordinator) Finish(r *Result) error {
	nodes, err := c.check(r)
	if err != nil {
		return err
	}
	c.stats.Conflicts += r.Conflicts
	if r.Status == dimacs.Unknown && len(r.Split) == 0 {
		c.requeue(nodes)
		return nil
	}
	fresh := false
	for _, n := range nodes {
		c.stop(n)
		if c.apply(n, r) {
			fresh = true
			for _, k := range slices.Backward(c.forest.nodes[n].children) {
				c.wait(k)
			}
		}
	}
	if fresh {
		c.count(r)
	}
	return nil
}

// count counts a result that was applied.
func (c *Coordinator) count(r *Result) {
	switch {
	case r.Status == dimacs.Unsatisfiable:
		c.stats.Refuted++
	case len(r.Split) > 0:
		c.stats.Splits++
	}
}

// stop removes a node from the waiting or running ones.
func (c *Coordinator) stop(n int32) {
	if c.states[n] == running {
		i := slices.Index(c.running, n)
		c.running = slices.Delete(c.running, i, i+1)
	}
	c.states[n] = idle
}

// wait puts a leaf on top of the queue, unless it is covered.
func (c *Coordinator) wait(n int32) {
	if !c.forest.covered(n) {
		c.states[n] = waiting
		c.queue = append(c.queue, n)
	}
}

// Requeue puts a task without a result on top of the queue. It changes nothing if the
// task is not running.
func (c *Coordinator) Requeue(t Task) { c.requeue(c.nodesOf(t.Cube)) }

func (c *Coordinator) requeue(nodes []int32) {
	for _, n := range nodes {
		if c.states[n] == running {
			c.stop(n)
			c.wait(n)
		}
	}
}

// Covered returns the running tasks that a refutation has covered since the last call of
// Covered. They are not running any more.
func (c *Coordinator) Covered() []Task {
	ts := c.covered
	c.covered = nil
	return ts
}

// Cancelled reports whether a task need not be solved: its cube has a result or is
// covered, the run has an answer, or the run has no such cube.
func (c *Coordinator) Cancelled(t Task) bool {
	if c.status != dimacs.Unknown {
		return true
	}
	return !slices.ContainsFunc(c.nodesOf(t.Cube), func(n int32) bool {
		return len(c.forest.nodes[n].children) == 0 && !c.forest.covered(n)
	})
}

// Done reports whether no cube needs a solver any more. Then either Status is the answer,
// or all cubes are refuted; see Cover.
func (c *Coordinator) Done() bool {
	if c.status != dimacs.Unknown {
		return true
	}
	_, more := c.top()
	return !more && len(c.running) == 0
}

// Status returns the answer, or Unknown if there is none yet.
func (c *Coordinator) Status() dimacs.Status { return c.status }

// Model returns the model if Status is Satisfiable. It has a value for each variable in
// the result that decided the run.
func (c *Coordinator) Model() dimacs.Model { return c.model }

// Stats returns the current statistics.
func (c *Coordinator) Stats() ConquerStats {
	s := c.stats
	s.Open, s.Running, s.Done = len(c.queue), len(c.running), c.forest.done()
	return s
}

// A Refutation is a clause that refutes a cube: it consists of complements of literals
// of the cube.
type Refutation struct {
	Clause []dimacs.Lit
	ID     int64 // in the proof, or 0
}

// Cover returns the clauses that refute the cubes if the cubes form no tree. The formula
// has a model outside of the cubes if and only if it has a model together with these
// clauses. Cover panics unless all cubes are refuted.
func (c *Coordinator) Cover() (all []Refutation) {
	for _, root := range c.forest.roots {
		n := &c.forest.nodes[root]
		if !n.refuted {
			panic(fmt.Sprintf("portfolio: no result for the cube %v", c.forest.path(root)))
		}
		all = append(all, Refutation{n.clause, n.id})
	}
	return all
}
