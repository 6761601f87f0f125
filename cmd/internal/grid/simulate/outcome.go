package simulate

import (
	"fmt"
	"math"
	"slices"
)

// A Cause is a resource that workers wait for.
type Cause int

// The causes, as [Outcome.Lost] has them.
const (
	ByNetwork     Cause = iota // latency, and the line of the server
	ByServer                   // its processor
	ByDisk                     // synchronized writes
	ByCoordinator              // publishing tasks, receiving results, committing
	ByChecker                  // after the last cube
	BySplits                   // all cubes that are left are being solved
	ByStart                    // preparing the solver

	numCauses = iota
)

// Causes lists all causes.
var Causes = []Cause{ByNetwork, ByServer, ByDisk, ByCoordinator, ByChecker, BySplits, ByStart}

// Queued reports whether a cause is a resource with a queue. [Outcome.Busy] has these.
func (c Cause) Queued() bool { return c < BySplits }

var causeNames = [numCauses]string{"network", "server", "disk", "coordinator", "checker", "splits", "start"}

func (c Cause) String() string { return causeNames[c] }

// MarshalText implements [encoding.TextMarshaler].
func (c Cause) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// An Outcome is the result of a simulation. The shares in Lost and the efficiency sum up
// to 1.
type Outcome struct {
	Workers      int     `json:"workers"`
	Checkers     int     `json:"checkers"`
	Cubes        int     `json:"cubes"`
	Work         float64 `json:"work"`         // sum of the times of the cubes, in seconds
	CriticalPath float64 `json:"criticalPath"` // see [Workload.CriticalPath]
	Makespan     float64 `json:"makespan"`     // time of the run, in seconds; 0 if Overloaded
	Efficiency   float64 `json:"efficiency"`   // work / (workers * makespan)

	// Lost is the share of the time of all workers that they wait, by cause.
	Lost map[Cause]float64 `json:"lost"`

	// Busy is the busy share of the makespan, by resource, with the background load. Of the checkers and of
	// the streams of the disk it is the busiest one.
	Busy map[Cause]float64 `json:"busy"`

	// Limit is the cause with the largest share in Lost.
	Limit Cause `json:"limit"`

	// Overloaded is the resource that heartbeats, presence and shared clauses alone
	// occupy, so that the run does not end. It is empty in other runs.
	Overloaded string `json:"overloaded,omitempty"`
}

// outcome returns the outcome of the run that ends now.
func (s *simulation) outcome() Outcome {
	for _, w := range s.workers {
		s.lost[w.cause] -= max(0, w.until-s.now)
	}
	o := s.frame()
	o.Makespan = s.now
	all := s.now * float64(o.Workers)
	o.Efficiency = o.Work / all
	for c, seconds := range s.lost {
		if c := Cause(c); seconds > 0 {
			o.Lost[c] = seconds / all
			if seconds > s.lost[o.Limit] {
				o.Limit = c
			}
		}
	}
	for c, st := range s.stations() {
		o.Busy[c] = st.utilization(s.now)
	}
	return o
}

// frame returns the part of an outcome that needs no simulation.
func (s *simulation) frame() Outcome {
	w := Workload{Cubes: s.cubes}
	return Outcome{
		Workers: s.opts.Workers, Checkers: s.opts.Checkers, Cubes: len(s.cubes), Work: w.Work(), CriticalPath: w.CriticalPath(),
		Lost: map[Cause]float64{}, Busy: map[Cause]float64{},
	}
}

// stations returns the resources by cause: the busiest checker, and the busiest stream of
// the disk.
func (s *simulation) stations() map[Cause]*station {
	all := map[Cause]*station{ByNetwork: &s.line, ByServer: &s.server, ByDisk: &s.results, ByCoordinator: &s.coordinator}
	for _, st := range []*station{&s.objects, &s.order} {
		if st.busy > all[ByDisk].busy {
			all[ByDisk] = st
		}
	}
	for i := range s.checkers {
		if c := &s.checkers[i]; all[ByChecker] == nil || c.busy > all[ByChecker].busy {
			all[ByChecker] = c
		}
	}
	return all
}

// utilization returns the busy share of the servers of a station, with background messages.
func (s *station) utilization(makespan float64) float64 {
	if makespan == 0 {
		return 0
	}
	n := float64(len(s.free))
	background := 1 - 1/s.slow
	return min(1, background+s.busy/s.slow/(n*makespan))
}

// overloaded returns the name of a resource that background messages alone occupy.
func (s *simulation) overloaded() string {
	for _, c := range []Cause{ByServer, ByCoordinator} {
		if math.IsInf(s.stations()[c].slow, 1) {
			return c.String()
		}
	}
	return ""
}

// collapsed returns the outcome of a run that does not end, because background messages
// alone occupy a resource.
func (s *simulation) collapsed(name string) Outcome {
	o := s.frame()
	o.Overloaded = name
	o.Limit = Cause(slices.Index(causeNames[:], name))
	o.Lost[o.Limit], o.Busy[o.Limit] = 1, 1
	return o
}

// A Row is the outcome of a number of workers, with and without costs.
type Row struct {
	Outcome

	// Free is the efficiency of the same run if messages, disk and checks cost nothing.
	// The rest of it up to 1 is lost to splits and to the length of the last cubes.
	Free float64 `json:"free"`
}

// Sweep simulates a run with several numbers of workers.
func Sweep(w *Workload, o Options, workers []int) []Row {
	rows := make([]Row, len(workers))
	for i, n := range workers {
		o.Workers = n
		rows[i].Outcome = Run(w, o)
		rows[i].Free = Run(w, Options{Workers: n, Costs: Costs{Cores: 1}}).Efficiency
	}
	return rows
}

// String returns a line with the main figures.
func (o Outcome) String() string {
	if o.Overloaded != "" {
		return fmt.Sprintf("%d workers: does not end: heartbeats, presence and shared clauses occupy the %s", o.Workers, o.Overloaded)
	}
	return fmt.Sprintf("%d workers: %.2f s, efficiency %.3f, limit %v", o.Workers, o.Makespan, o.Efficiency, o.Limit)
}
