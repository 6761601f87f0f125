package simulate

import (
	"fmt"
	"math"
	"slices"
)

// The model is a discrete-event simulation of a run of package grid: one coordinator, one
// server and some workers. It follows each cube through the messages of the protocol. A
// message visits resources one after the other, and each resource serves one job after
// the other (station.go):
//
//   - The network delays each message by the latency of one direction, without a queue.
//     The line of the server is a resource: segments, and the formula for each worker.
//   - The server has a processor. Each kind of message costs a constant time, and a
//     segment a time for each megabyte.
//   - The disk of the server synchronizes each result, each chunk of a large segment, and
//     each commit of the coordinator. A stream synchronizes one write at a time. The three
//     streams do so in parallel, as measured. The stream of tasks is in memory.
//   - The coordinator is sequential. It receives results, publishes tasks, receives the
//     replies of checkers, and commits the order of acceptance. While a commit is on its
//     way to the disk, others gather for the next one.
//   - Each checker checks the segments of its own sessions, in order. Session i belongs
//     to checker i modulo the number of checkers. All checkers but the first are on other
//     machines, so that a segment passes the line of the server twice.
//
// A worker asks for a task, solves its cube, stores a large segment as an object,
// publishes the result, waits until it is on the disk, acknowledges the task, and asks
// for the next one. The coordinator publishes at most twice as many tasks as there are
// workers. The queue of the coordinator is that of package portfolio: the roots from left
// to right, and the halves of a split cube in front of it. Tasks that are published
// already stay in front of them.
//
// Heartbeats, presence and shared clauses occupy the server and the coordinator all the
// time. The coordinator collects the clauses that workers share and sends them to all
// workers in one message for each interval. When each worker sent its clauses to all others,
// ten times a second, the deliveries occupied one processor from 277 workers on.
//
// The simulation attributes the time in which a worker solves no cube to the resource that
// it waits for, including the queue in front of this resource. A worker without a task
// waits for the coordinator if there are open cubes, and for splits if all cubes that
// are left are being solved. The end of the run, when all cubes are solved and not all
// are accepted, is attributed to the checkers or to the coordinator.
//
// The model leaves out:
//
//   - the learned clauses of a worker, and the effect of sharing: the time of a cube is
//     that of the journal for every worker
//   - cubes that a refutation covers while they are solved, and the cubes that the run of
//     the journal never solved because they were covered
//   - failures: no worker dies, no message is lost, no task is delivered twice
//   - workers of different speed, or that come and go
//   - short queues of heartbeats, presence and shared clauses (see station.go)
//   - the simplification of the formula before the run, and writing the proof after it
//   - memory

// Options describe a run.
type Options struct {
	Workers int // at least 1

	// Checkers is the number of checkers. If PerChecker is positive, there is at least one
	// checker for so many workers. Without checkers no proof is checked, as with --trust.
	Checkers, PerChecker int

	Proof bool // workers send their proof steps even if no checker checks them
	Costs Costs
}

// segments reports whether results have segments of proofs.
func (o *Options) segments() bool { return o.Checkers > 0 || o.Proof }

// Run simulates a run of a workload. It is deterministic. It panics if an option is out
// of its range.
func Run(w *Workload, o Options) Outcome {
	if o.Workers < 1 || o.Checkers < 0 || o.PerChecker < 0 {
		panic(fmt.Sprintf("simulate: a run with %d workers, %d checkers, one for %d workers", o.Workers, o.Checkers, o.PerChecker))
	}
	if err := o.Costs.Validate(); err != nil {
		panic("simulate: " + err.Error())
	}
	if o.PerChecker > 0 {
		o.Checkers = max(o.Checkers, (o.Workers+o.PerChecker-1)/o.PerChecker)
	}
	s := newSimulation(w, o)
	if name := s.overloaded(); name != "" {
		return s.collapsed(name)
	}
	for i := range o.Workers {
		s.join(i)
	}
	s.refill()
	for !s.answered {
		e := s.calendar.next()
		s.advance(e.time)
		e.act()
	}
	return s.outcome()
}

// A simulation is the state of a run.
type simulation struct {
	opts     Options
	cubes    []Cube
	now      float64
	calendar calendar

	server, line, coordinator station
	results, objects, order   station // the disk, for each stream
	checkers                  []station

	queue     []int32   // cubes that the coordinator has not published, the next one last
	published []int32   // cubes of tasks on the server
	pulls     []int32   // workers with a request for a task on the server
	window    int       // published tasks without a received result
	open      int       // cubes that are known and not being solved
	checking  int       // results that wait for a checker or are with one
	commits   committer // of accepted results
	accepted  int       // cubes whose result is accepted
	answered  bool      // the run has ended

	workers []worker
	lost    [numCauses]float64 // time of workers, by cause
	solved  int                // cubes that a worker has solved
}

// A worker has the end of its current wait, and its cause. This time is in lost already,
// and the run may end before.
type worker struct {
	until float64
	cause Cause
}

func newSimulation(w *Workload, o Options) *simulation {
	c := &o.Costs
	n := float64(o.Workers)
	s := &simulation{opts: o, cubes: w.Cubes, workers: make([]worker, o.Workers)}
	s.server = newStation(int(c.Cores), n*c.serverLoad())
	for _, st := range []*station{&s.line, &s.results, &s.objects, &s.order} {
		*st = newStation(1, 0)
	}
	s.coordinator = newStation(1, n*c.coordinatorLoad())
	for range o.Checkers {
		s.checkers = append(s.checkers, newStation(1, 0))
	}
	s.queue = slices.Clone(w.Roots)
	slices.Reverse(s.queue)
	s.open = len(w.Roots)
	return s
}

// advance moves the clock. Workers with requests on the server lose the time until then.
func (s *simulation) advance(to float64) {
	if n := len(s.pulls); n > 0 && to > s.now {
		s.lost[s.idleCause()] += float64(n) * (to - s.now)
	}
	s.now = to
}

// idleCause returns the cause of the idle time of workers without a task.
func (s *simulation) idleCause() Cause {
	switch {
	case s.open > 0:
		return ByCoordinator
	case s.solved < len(s.cubes):
		return BySplits
	case s.checking > 0:
		return ByChecker
	}
	return ByCoordinator
}

// serve schedules an action at the end of a job of a station.
func (s *simulation) serve(at *station, seconds float64, act func()) {
	s.calendar.schedule(at.serve(s.now, seconds), act)
}

// block is serve for a job that a worker waits for.
func (s *simulation) block(worker int, cause Cause, at *station, seconds float64, act func()) {
	s.wait(worker, cause, at.serve(s.now, seconds), act)
}

// delay has a worker wait for a time that depends on no queue.
func (s *simulation) delay(worker int, cause Cause, seconds float64, act func()) {
	s.wait(worker, cause, s.now+seconds, act)
}

// wait schedules an action that a worker waits for.
func (s *simulation) wait(worker int, cause Cause, until float64, act func()) {
	s.lost[cause] += until - s.now
	w := &s.workers[worker]
	w.until, w.cause = until, cause
	s.calendar.schedule(until, act)
}

// join has a worker download the formula, prepare its solver and ask for its first task.
func (s *simulation) join(worker int) {
	c := &s.opts.Costs
	s.block(worker, ByNetwork, &s.line, c.LineMegabyte*c.Formula, func() {
		s.delay(worker, ByStart, c.Prepare, func() { s.pull(worker) })
	})
}

// pull sends the request of a worker for its next task.
func (s *simulation) pull(worker int) {
	s.delay(worker, ByNetwork, s.opts.Costs.Latency, func() {
		s.block(worker, ByServer, &s.server, s.opts.Costs.Pull, func() {
			s.pulls = append(s.pulls, int32(worker))
			s.match()
		})
	})
}

// match delivers published tasks to waiting workers.
func (s *simulation) match() {
	for len(s.pulls) > 0 && len(s.published) > 0 {
		worker, cube := int(s.pulls[0]), s.published[0]
		s.pulls, s.published = s.pulls[1:], s.published[1:]
		s.open--
		s.delay(worker, ByNetwork, s.opts.Costs.Latency, func() {
			s.calendar.schedule(s.now+s.cubes[cube].Seconds, func() { s.end(worker, cube) })
		})
	}
}

// end is called when a worker has solved a cube. It stores a large segment as an object
// before the result.
func (s *simulation) end(worker int, cube int32) {
	s.solved++
	c := &s.opts.Costs
	size := s.cubes[cube].Bytes
	if size == 0 || !s.opts.segments() {
		s.publish(worker, cube, 0)
		return
	}
	if size <= inlineBytes {
		s.block(worker, ByNetwork, &s.line, c.LineMegabyte*megabytes(size), func() { s.publish(worker, cube, size) })
		return
	}
	stored := c.Compression * megabytes(size)
	chunks := math.Ceil(stored * 1e6 / chunkBytes)
	s.block(worker, ByNetwork, &s.line, c.LineMegabyte*stored, func() {
		s.delay(worker, ByNetwork, 2*c.Latency, func() {
			s.block(worker, ByServer, &s.server, c.Object+chunks*c.Chunk+c.ServerMegabyte*stored, func() {
				s.block(worker, ByDisk, &s.objects, (chunks+1)*c.Sync+c.DiskMegabyte*stored, func() { s.publish(worker, cube, 0) })
			})
		})
	})
}

// publish stores a result, with a segment of so many bytes. The coordinator receives the
// result, and the worker its acknowledgement, when it is on the disk.
func (s *simulation) publish(worker int, cube int32, inline int64) {
	c := &s.opts.Costs
	s.delay(worker, ByNetwork, c.Latency, func() {
		s.block(worker, ByServer, &s.server, c.Result+c.ServerMegabyte*megabytes(inline), func() {
			s.block(worker, ByDisk, &s.results, c.Sync+megabytes(inline)*c.DiskMegabyte, func() {
				s.serve(&s.coordinator, c.Receive, func() { s.receive(worker, cube) })
				s.acknowledge(worker)
			})
		})
	})
}

// acknowledge has a worker wait for the acknowledgement of its result, and acknowledge the
// task. Then it asks for the next one.
func (s *simulation) acknowledge(worker int) {
	c := &s.opts.Costs
	s.delay(worker, ByNetwork, 2*c.Latency, func() {
		s.block(worker, ByServer, &s.server, c.Ack, func() {
			s.delay(worker, ByNetwork, c.Latency, func() { s.pull(worker) })
		})
	})
}

// receive is called when the coordinator has received a result. The halves of a split cube
// are the next in the queue. A proof is checked before the result is accepted.
func (s *simulation) receive(worker int, cube int32) {
	s.window--
	for _, k := range slices.Backward(s.cubes[cube].Halves[:]) {
		if k != 0 {
			s.open++
			s.queue = append(s.queue, k)
		}
	}
	s.refill()
	switch {
	case s.opts.Checkers > 0:
		s.check(worker, cube)
	case s.opts.Proof:
		s.commit()
	default:
		s.accept(1)
	}
}

// accept counts accepted results. After the last one the coordinator creates the key of
// the answer. This ends the run.
func (s *simulation) accept(n int) {
	c := &s.opts.Costs
	if s.accepted += n; s.accepted == len(s.cubes) {
		s.serve(&s.server, c.Result, func() {
			s.serve(&s.order, c.Sync, func() { s.answered = true })
		})
	}
}

// check has the checker of a worker check the segment of a result. Only the first checker
// is in the process of the coordinator; the others read the segment over the line.
func (s *simulation) check(worker int, cube int32) {
	c := &s.opts.Costs
	s.checking++
	size := megabytes(s.cubes[cube].Bytes)
	sent := size
	if s.cubes[cube].Bytes > inlineBytes {
		sent *= c.Compression
	}
	i := worker % len(s.checkers)
	check := func() {
		s.serve(&s.checkers[i], c.Check+c.CheckMegabyte*size, func() {
			s.checking--
			s.serve(&s.coordinator, c.Accept, s.commit)
		})
	}
	if i == 0 {
		check()
		return
	}
	s.serve(&s.line, c.LineMegabyte*sent, check)
}

// refill publishes tasks up to the window.
func (s *simulation) refill() {
	c := &s.opts.Costs
	for s.window < 2*s.opts.Workers && len(s.queue) > 0 {
		last := len(s.queue) - 1
		cube := s.queue[last]
		s.queue = s.queue[:last]
		s.window++
		s.serve(&s.coordinator, c.Send, func() {
			s.serve(&s.server, c.Task, func() {
				s.published = append(s.published, cube)
				s.match()
			})
		})
	}
}

// A committer stores the order of acceptance. A commit under way has the results that
// waited when it began.
type committer struct {
	waiting int
	running bool
}

// commit adds a result to the next commit.
func (s *simulation) commit() {
	s.commits.waiting++
	if !s.commits.running {
		s.startCommit()
	}
}

func (s *simulation) startCommit() {
	n := s.commits.waiting
	s.commits = committer{running: true}
	s.serve(&s.server, s.opts.Costs.Result, func() {
		s.serve(&s.order, s.opts.Costs.Sync, func() {
			s.accept(n)
			s.commits.running = false
			if s.commits.waiting > 0 {
				s.startCommit()
			}
		})
	})
}
