package simulate

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// near reports whether two times are equal but for rounding.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// equal returns a workload of n cubes without splits that take the same time.
func equal(n int, seconds float64, bytes int64) *Workload {
	w := &Workload{}
	for i := range n {
		w.Cubes = append(w.Cubes, Cube{Seconds: seconds, Bytes: bytes})
		w.Roots = append(w.Roots, int32(i))
	}
	return w
}

// free are the options of a run in which only solving takes time.
func free(workers int) Options { return Options{Workers: workers, Costs: Costs{Cores: 1}} }

// TestOneWorker checks that one worker without costs takes the sum of the times, whatever
// is split.
func TestOneWorker(t *testing.T) {
	for seed := range uint64(50) {
		w := randomWorkload(rand.New(rand.NewPCG(seed, 2)), 20)
		o := Run(w, free(1))
		if !near(o.Makespan, w.Work()) || !near(o.Efficiency, 1) || len(o.Lost) > 0 {
			t.Fatalf("seed %d: %+v, work %v", seed, o, w.Work())
		}
	}
}

// TestListScheduling checks Graham's bounds: a greedy schedule takes at most
// work/n + (1-1/n) * critical path, and no schedule less than the maximum of the two.
func TestListScheduling(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 3))
		w := randomWorkload(r, 1+r.IntN(40))
		for _, n := range []int{1, 2, 3, 10, 1000} {
			got, work, path := Run(w, free(n)).Makespan, w.Work(), w.CriticalPath()
			least, most := max(work/float64(n), path), work/float64(n)+(1-1/float64(n))*path
			if got < least*(1-1e-9) || got > most*(1+1e-9) {
				t.Errorf("seed %d, %d workers: makespan %v is not in [%v, %v]", seed, n, got, least, most)
			}
		}
	}
}

// TestCriticalPath checks that with more workers than cubes the run takes the longest path
// of splits.
func TestCriticalPath(t *testing.T) {
	w := &Workload{
		Cubes: []Cube{{Seconds: 1, Halves: [2]int32{2, 3}}, {Seconds: 5}, {Seconds: 2}, {Seconds: 3, Halves: [2]int32{4}}, {Seconds: 4}},
		Roots: []int32{0, 1},
	}
	if got := w.CriticalPath(); got != 8 {
		t.Errorf("critical path %v, want 8", got)
	}
	o := Run(w, free(10))
	if o.Makespan != 8 || o.Limit != BySplits {
		t.Errorf("%+v, want 8 s and the limit splits", o)
	}
}

// TestSaturation checks that a resource whose service takes almost all time bounds the
// rate of cubes, and that it is named as the limit.
func TestSaturation(t *testing.T) {
	const n = 1000
	for _, test := range []struct {
		name  string
		limit Cause
		set   func(o *Options)
		rate  float64 // cubes a second
	}{
		{"server", ByServer, func(o *Options) { o.Costs.Result = 0.01 }, 100},
		{"four processors", ByServer, func(o *Options) { o.Costs.Result, o.Costs.Cores = 0.01, 4 }, 400},
		{"half a server", ByServer, func(o *Options) { o.Costs.Result, o.Costs.Presence, o.Costs.PresenceRate = 0.01, 1e-4, 10 }, 50},
		{"disk", ByDisk, func(o *Options) { o.Costs.Sync = 0.01 }, 100},
		{"coordinator", ByCoordinator, func(o *Options) { o.Costs.Send, o.Costs.Receive = 0.005, 0.005 }, 100},
		{"publishing", ByCoordinator, func(o *Options) { o.Costs.Send = 0.01 }, 100},
		{"checker", ByChecker, func(o *Options) { o.Checkers, o.Costs.Check = 1, 0.01 }, 100},
		{"five checkers", ByChecker, func(o *Options) { o.Checkers, o.Costs.Check = 5, 0.01 }, 500},
		{"a checker for 100 workers", ByChecker, func(o *Options) { o.PerChecker, o.Costs.Check = 100, 0.01 }, 500},
		{"line", ByNetwork, func(o *Options) { o.Proof, o.Costs.LineMegabyte = true, 1 }, 100},
	} {
		o := free(500)
		test.set(&o)
		got := Run(equal(n, 0.01, 10_000), o)
		if rate := n / got.Makespan; rate < 0.95*test.rate || rate > test.rate || got.Limit != test.limit || got.Busy[test.limit] < 0.95 {
			t.Errorf("%s: %.1f cubes a second, limit %v, busy %v; want %v and %v", test.name, rate, got.Limit, got.Busy, test.rate, test.limit)
		}
	}
}

// TestLatency checks the time of one worker: each cube has eight delays of the network,
// and the run begins with the one of the first request.
func TestLatency(t *testing.T) {
	o := free(1)
	o.Costs.Latency = 0.25
	got := Run(equal(10, 1, 0), o)
	// Before a cube: request and delivery. After it: the result there, and for all but the
	// last one its acknowledgement, and that of the task there and back.
	want := 10*(1+3*0.25) + 9*3*0.25
	if !near(got.Makespan, want) || !near(got.Lost[ByNetwork], (want-10)/want) {
		t.Errorf("%+v, want %v s", got, want)
	}
}

// TestWindow checks that the halves of a split start before the queue of the coordinator
// and after the tasks that are published already.
func TestWindow(t *testing.T) {
	w := equal(20, 1, 0)
	w.Cubes[0].Halves = [2]int32{20, 21}
	w.Cubes = append(w.Cubes, Cube{Seconds: 1}, Cube{Seconds: 50})
	// Two workers have a window of four cubes: 0 and 1 in the first second, 2 and 3 in the
	// next one, then both halves.
	if o := Run(w, free(2)); o.Makespan != 52 {
		t.Errorf("makespan %v, want 52", o.Makespan)
	}
	// With a window of twenty cubes, all others start before the halves.
	if o := Run(w, free(10)); o.Makespan != 52 {
		t.Errorf("makespan %v, want 52", o.Makespan)
	}
	// Twenty workers start all others at once, and the halves in the next second.
	if o := Run(w, free(20)); o.Makespan != 51 {
		t.Errorf("makespan %v, want 51", o.Makespan)
	}
}

// TestAccounts checks for random runs that the efficiency and the lost shares sum up to 1,
// that more costs take no less time for one worker, and that runs repeat.
func TestAccounts(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 4))
		w, o := randomWorkload(r, 1+r.IntN(30)), randomOptions(r)
		got := Run(w, o)
		if got.Overloaded != "" {
			continue
		}
		sum := got.Efficiency
		for c, share := range got.Lost {
			if sum += share; share < -1e-12 {
				t.Errorf("seed %d: share %v of %v", seed, share, c)
			}
		}
		if !near(sum, 1) {
			t.Errorf("seed %d: efficiency and shares sum up to %v: %+v", seed, sum, got)
		}
		for c, share := range got.Busy {
			if share < 0 || share > 1+1e-12 {
				t.Errorf("seed %d: %v is busy for %v of the time", seed, c, share)
			}
		}
		if again := Run(w, o); !reflect.DeepEqual(got, again) {
			t.Errorf("seed %d: %+v, then %+v", seed, got, again)
		}
		o.Workers = 1
		if got := Run(w, o); got.Makespan < w.Work() {
			t.Errorf("seed %d: one worker takes %v s for %v s of work", seed, got.Makespan, w.Work())
		}
	}
}

// TestOverload checks that a run whose shared clauses occupy the server does not end, and
// that its outcome has a JSON form.
func TestOverload(t *testing.T) {
	o := free(999)
	o.Costs.ShareRate, o.Costs.Share, o.Costs.MergedRate, o.Costs.Deliver = 1, 0.3e-3, 2, 0.35e-3
	got := Run(equal(10, 1, 0), o)
	if got.Overloaded != "" {
		t.Errorf("%+v at a load of 0.999", got)
	}
	o.Workers = 1001
	got = Run(equal(10, 1, 0), o)
	if got.Overloaded != "server" || got.Efficiency != 0 || got.Limit != ByServer {
		t.Errorf("%+v, want an overload of the server", got)
	}
	b, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var back map[string]any
	if err := json.Unmarshal(b, &back); err != nil || back["overloaded"] != "server" || back["limit"] != "server" {
		t.Errorf("%s, error %v", b, err)
	}
	o.Workers, o.Costs = 100, Costs{Cores: 1, PresenceRate: 1, Receive: 0.02}
	if got := Run(equal(10, 1, 0), o); got.Overloaded != "coordinator" {
		t.Errorf("%+v, want an overload of the coordinator", got)
	}
}

// TestSweep checks the numbers of workers, and that free messages are no slower.
func TestSweep(t *testing.T) {
	w := equal(200, 0.1, 1000)
	numbers := []int{1, 4, 16}
	rows := Sweep(w, Options{Checkers: 1, Costs: DefaultCosts()}, numbers)
	for i, r := range rows {
		if r.Workers != numbers[i] || r.Free < r.Efficiency || r.Free > 1+1e-9 {
			t.Errorf("row %d: %+v", i, r)
		}
	}
	if !slices.IsSortedFunc(rows, func(a, b Row) int { return -int(1e6 * (a.Efficiency - b.Efficiency)) }) {
		t.Errorf("the efficiency rises with the number of workers: %+v", rows)
	}
}

// TestCosts checks the errors of costs, and that all have a description.
func TestCosts(t *testing.T) {
	good := DefaultCosts()
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	for _, p := range Parameters {
		if p.Help == "" {
			t.Errorf("%s has no description", p.Name)
		}
		for _, v := range []float64{-1, math.NaN(), math.Inf(1)} {
			c := good
			*p.Of(&c) = v
			if c.Validate() == nil {
				t.Errorf("%s = %v is valid", p.Name, v)
			}
		}
	}
	for _, cores := range []float64{0, 1.5} {
		c := good
		if c.Cores = cores; c.Validate() == nil {
			t.Errorf("%v processors are valid", cores)
		}
	}
}

func TestMisuse(t *testing.T) {
	for name, act := range map[string]func(){
		"no workers": func() { Run(equal(1, 1, 0), free(0)) },
		"no cores":   func() { Run(equal(1, 1, 0), Options{Workers: 1}) },
		"scale":      func() { equal(1, 1, 0).Scaled(0) },
		"sample":     func() { equal(1, 1, 0).Sampled(0, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			act()
		}()
	}
}
