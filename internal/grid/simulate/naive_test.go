package simulate

import (
	"math"
	"math/rand/v2"
	"testing"

	"sator/internal/effort"
)

// A naive simulator of the same model: jobs stand in explicit queues in front of the
// servers of their resource, every step of the protocol is a case of a switch, and the
// next event is found by looking at all jobs. It is quadratic.

// A naiveJob is a worker, a result, a task, or a commit on its way through the protocol.
type naiveJob struct {
	state  string
	worker int
	cube   int32
	count  int     // results of a commit
	left   float64 // time of service or delay that is left
}

type naiveStation struct {
	servers int
	slow    float64
	queue   []*naiveJob // the first ones are being served
}

type naive struct {
	o         Options
	cubes     []Cube
	now       float64
	stations  map[string]*naiveStation
	delays    []*naiveJob
	queue     []int32
	published []int32
	pulls     []*naiveJob
	window    int
	waiting   int
	commit    bool
	accepted  int
}

// naiveRun returns the makespan.
func naiveRun(w *Workload, o Options) float64 {
	c := o.Costs
	n := &naive{o: o, cubes: w.Cubes, stations: map[string]*naiveStation{}}
	load := float64(o.Workers) * (c.BeatRate*c.Beat + c.PresenceRate*c.Presence + c.ShareRate*c.Share + c.MergedRate*c.Deliver)
	n.stations["server"] = &naiveStation{servers: int(c.Cores), slow: c.Cores / (c.Cores - load)}
	n.stations["coordinator"] = &naiveStation{servers: 1, slow: 1 / (1 - float64(o.Workers)*(c.PresenceRate+c.ShareRate)*c.Receive)}
	for _, name := range []string{"line", "results", "objects", "order"} {
		n.stations[name] = &naiveStation{servers: 1, slow: 1}
	}
	for i := range o.Checkers {
		n.stations["checker"+string(rune('0'+i))] = &naiveStation{servers: 1, slow: 1}
	}
	n.queue = append(n.queue, w.Roots...)
	for i := range o.Workers {
		n.enter("line", c.LineMegabyte*c.Formula, &naiveJob{state: "formula", worker: i})
	}
	n.refill()
	for n.accepted < len(w.Cubes) {
		n.advance()
	}
	// The key of the answer waits for everything in front of it.
	answer := &naiveJob{state: "answer"}
	n.enter("server", c.Result, answer)
	for answer.state != "answered" {
		n.advance()
	}
	return n.now
}

func (n *naive) enter(station string, seconds float64, j *naiveJob) {
	s := n.stations[station]
	j.left = seconds * s.slow
	s.queue = append(s.queue, j)
}

func (n *naive) delay(seconds float64, j *naiveJob) {
	j.left = seconds
	n.delays = append(n.delays, j)
}

// advance moves the time to the next end of a service or delay, and acts.
func (n *naive) advance() {
	var first *naiveJob
	each := func(act func(j *naiveJob)) {
		for _, j := range n.delays {
			act(j)
		}
		for _, name := range []string{"line", "server", "results", "objects", "order", "coordinator", "checker0", "checker1", "checker2"} {
			if s := n.stations[name]; s != nil {
				for _, j := range s.queue[:min(s.servers, len(s.queue))] {
					act(j)
				}
			}
		}
	}
	each(func(j *naiveJob) {
		if first == nil || j.left < first.left {
			first = j
		}
	})
	step := first.left
	n.now += step
	each(func(j *naiveJob) { j.left -= step })
	without := func(list []*naiveJob) (kept []*naiveJob) {
		for _, j := range list {
			if j != first {
				kept = append(kept, j)
			}
		}
		return kept
	}
	n.delays = without(n.delays)
	for _, s := range n.stations {
		s.queue = without(s.queue)
	}
	n.act(first)
}

func (n *naive) act(j *naiveJob) {
	c := n.o.Costs
	size := n.cubes[j.cube].Bytes
	mb := float64(size) / 1e6
	chunks := math.Ceil(mb * c.Compression * 1e6 / (768 << 10))
	switch state := j.state; state {
	case "formula":
		j.state = "idle"
		n.delay(c.Prepare, j)
	case "idle":
		j.state = "asking"
		n.delay(c.Latency, j)
	case "asking":
		j.state = "asked"
		n.enter("server", c.Pull, j)
	case "asked":
		n.pulls = append(n.pulls, j)
		n.match()
	case "delivered":
		j.state = "solved"
		n.delay(n.cubes[j.cube].Seconds, j)
	case "solved":
		j.state = "publish"
		switch {
		case size == 0 || n.o.Checkers == 0 && !n.o.Proof:
			n.act(j)
		case size <= 64<<10:
			n.enter("line", c.LineMegabyte*mb, j)
		default:
			j.state = "upload"
			n.enter("line", c.LineMegabyte*c.Compression*mb, j)
		}
	case "upload":
		j.state = "uploaded"
		n.delay(2*c.Latency, j)
	case "uploaded":
		j.state = "object"
		n.enter("server", c.Object+chunks*c.Chunk+c.ServerMegabyte*c.Compression*mb, j)
	case "object":
		j.state = "publish"
		n.enter("objects", (1+chunks)*c.Sync+mb*c.Compression*c.DiskMegabyte, j)
	case "publish":
		j.state = "arrived"
		n.delay(c.Latency, j)
	case "arrived":
		j.state = "store"
		if size > 64<<10 || n.o.Checkers == 0 && !n.o.Proof {
			mb = 0
		}
		n.enter("server", c.Result+c.ServerMegabyte*mb, j)
	case "store":
		j.state = "stored"
		if size > 64<<10 || n.o.Checkers == 0 && !n.o.Proof {
			mb = 0
		}
		n.enter("results", c.Sync+mb*c.DiskMegabyte, j)
	case "stored":
		n.enter("coordinator", c.Receive, &naiveJob{state: "received", worker: j.worker, cube: j.cube})
		j.state = "ack"
		n.delay(2*c.Latency, j)
	case "ack":
		j.state = "acked"
		n.enter("server", c.Ack, j)
	case "acked":
		j.state = "idle"
		n.delay(c.Latency, j)
	case "received":
		n.received(j, mb)
	case "task":
		j.state = "published"
		n.enter("server", c.Task, j)
	case "published":
		n.published = append(n.published, j.cube)
		n.match()
	case "check":
		j.state = "checked"
		n.enter("checker"+string(rune('0'+j.worker%n.o.Checkers)), c.Check+c.CheckMegabyte*mb, j)
	case "checked":
		j.state = "accept"
		n.enter("coordinator", c.Accept, j)
	case "accept":
		n.waiting++
		n.startCommit()
	case "commit":
		j.state = "committed"
		n.enter("order", c.Sync, j)
	case "committed":
		n.accepted += j.count
		n.commit = false
		n.startCommit()
	case "answer":
		j.state = "write"
		n.enter("order", c.Sync, j)
	case "write":
		j.state = "answered"
	default:
		panic(state)
	}
}

func (n *naive) received(j *naiveJob, mb float64) {
	n.window--
	var halves []int32
	for _, k := range n.cubes[j.cube].Halves {
		if k != 0 {
			halves = append(halves, k)
		}
	}
	n.queue = append(halves, n.queue...)
	n.refill()
	switch {
	case n.o.Checkers > 0:
		j.state = "check"
		if j.worker%n.o.Checkers == 0 {
			n.act(j)
		} else {
			sent := mb
			if mb > 65536e-6 {
				sent *= n.o.Costs.Compression
			}
			n.enter("line", n.o.Costs.LineMegabyte*sent, j)
		}
	case n.o.Proof:
		n.waiting++
		n.startCommit()
	default:
		n.accepted++
	}
}

func (n *naive) startCommit() {
	if n.commit || n.waiting == 0 {
		return
	}
	n.commit = true
	n.enter("server", n.o.Costs.Result, &naiveJob{state: "commit", count: n.waiting})
	n.waiting = 0
}

func (n *naive) refill() {
	for len(n.queue) > 0 && n.window < 2*n.o.Workers {
		n.window++
		n.enter("coordinator", n.o.Costs.Send, &naiveJob{state: "task", cube: n.queue[0]})
		n.queue = n.queue[1:]
	}
}

func (n *naive) match() {
	for len(n.published) > 0 && len(n.pulls) > 0 {
		j := n.pulls[0]
		j.cube, j.state = n.published[0], "delivered"
		n.published, n.pulls = n.published[1:], n.pulls[1:]
		n.delay(n.o.Costs.Latency, j)
	}
}

// randomWorkload returns roots with random times and sizes and some splits.
func randomWorkload(r *rand.Rand, roots int) *Workload {
	w := &Workload{}
	add := func() int32 {
		w.Cubes = append(w.Cubes, Cube{Seconds: r.ExpFloat64(), Bytes: int64(r.ExpFloat64() * 200_000)})
		return int32(len(w.Cubes) - 1)
	}
	for range roots {
		w.Roots = append(w.Roots, add())
	}
	for i := 0; i < len(w.Cubes); i++ {
		if r.IntN(3) == 0 {
			w.Cubes[i].Halves = [2]int32{add(), 0}
			if r.IntN(4) > 0 { // else the other half was covered
				w.Cubes[i].Halves[1] = add()
			}
		}
	}
	return w
}

// randomOptions returns costs that are not negligible against the times of cubes.
func randomOptions(r *rand.Rand) Options {
	o := Options{Workers: 1 + r.IntN(8), Checkers: r.IntN(4), Proof: r.IntN(2) == 0}
	for _, p := range Parameters {
		*p.Of(&o.Costs) = r.ExpFloat64() / 20
	}
	o.Costs.Cores = float64(1 + r.IntN(3))
	o.Costs.Compression = 5 * r.Float64() // so that objects have several chunks
	return o
}

// TestNaive compares the makespans of random runs with those of the naive simulator.
func TestNaive(t *testing.T) {
	effort.Sequential(t)
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 1))
		w, o := randomWorkload(r, 1+r.IntN(12)), randomOptions(r)
		got, want := Run(w, o), naiveRun(w, o)
		if got.Overloaded != "" {
			continue
		}
		if math.Abs(got.Makespan-want) > 1e-9*want {
			t.Fatalf("seed %d: makespan %v, naive %v", seed, got.Makespan, want)
		}
	}
}
