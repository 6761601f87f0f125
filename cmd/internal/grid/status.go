package grid

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"

	"sator/dpll/portfolio"
)

// A Status is the state of a run. Its JSON form is for monitors.
type Status struct {
	Version  int                    `json:"version"`
	Name     string                 `json:"name"`
	Run      string                 `json:"run"`    // identity of formula, cubes and options
	Phase    string                 `json:"phase"`  // "simplifying", "solving", "closing" or "done"
	Answer   string                 `json:"answer"` // SATISFIABLE, UNSATISFIABLE or UNKNOWN
	Seconds  float64                `json:"seconds"`
	Stats    portfolio.ConquerStats `json:"stats"`
	Rate     float64                `json:"rate"`     // cubes finished a second, over the last minute
	Estimate float64                `json:"estimate"` // seconds to the end at the present rate of the refuted share; -1 if unknown
	Tasks    int                    `json:"tasks"`    // published: waiting or being solved
	Waiting  int                    `json:"waiting"`  // results that wait for a checker
	Refused  int                    `json:"refused"`  // results and messages
	Workers  []WorkerStatus         `json:"workers"`
	Checkers []WorkerStatus         `json:"checkers"`
	Excluded map[string]string      `json:"excluded,omitempty"` // workers, and why
	Proof    bool                   `json:"proof"`
	Trust    bool                   `json:"trust"`
}

// A WorkerStatus is the state of a worker or a checker.
type WorkerStatus struct {
	Presence
	Seen    float64 `json:"seen"`    // seconds since its last message
	Backlog int     `json:"backlog"` // of a checker: results that it has not answered
}

// statusPatience is the time that GetStatus waits for an answer.
const statusPatience = 5 * time.Second

// GetStatus asks the coordinator of a run for its state.
func GetStatus(ctx context.Context, nc *nats.Conn, name string) (*Status, error) {
	n, err := NamesOf(name)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, statusPatience)
	defer cancel()
	m, err := nc.RequestWithContext(ctx, n.Status(), nil)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return nil, fmt.Errorf("no coordinator serves the run %q", name)
	case err != nil:
		return nil, fmt.Errorf("status of the run %q: %w", name, err)
	}
	s := new(Status)
	if err := json.Unmarshal(m.Data, s); err != nil {
		return nil, fmt.Errorf("status of the run %q: %w", name, err)
	}
	if s.Version != Version {
		return nil, fmt.Errorf("status of the run %q: protocol version %d: want %d", name, s.Version, Version)
	}
	return s, nil
}

// onStatus is called by the connection with a request for the state.
func (c *coordinator) onStatus(m *nats.Msg) {
	if c.phase.Load() == "simplifying" {
		m.Respond(Encode(&Status{Version: Version, Name: c.o.Name, Phase: "simplifying", Answer: "UNKNOWN", Estimate: -1, Seconds: time.Since(c.begin).Seconds()}))
		return
	}
	c.inbox.post(func() { m.Respond(Encode(c.status())) })
}

// status returns the state of the run.
func (c *coordinator) status() *Status {
	s := &Status{
		Version: Version, Name: c.o.Name, Run: c.identity, Phase: c.phase.Load().(string), Answer: c.ending.status.String(),
		Seconds: time.Since(c.begin).Seconds(), Stats: c.tree.Stats(), Tasks: c.tasks.out,
		Waiting: c.checking.waitingResults(), Refused: c.results.refused, Excluded: c.workers.excluded,
		Proof: c.o.Prove, Trust: c.o.Trust,
	}
	s.Rate, s.Estimate = c.progress.rates(s.Stats)
	backlog := map[string]int{}
	for _, p := range c.checking.sessions {
		if p.checker != nil {
			backlog[p.checker.name] += len(p.queue)
		}
	}
	s.Workers, s.Checkers = statusOf(c.workers.workers, nil), statusOf(c.workers.checkers, backlog)
	if c.o.Checkers > 0 && c.o.segments() && !c.o.Trust {
		local := WorkerStatus{Presence: Presence{Version: Version, Role: RoleChecker, Worker: "coordinator"}, Backlog: backlog[""]}
		s.Checkers = append([]WorkerStatus{local}, s.Checkers...)
	}
	return s
}

// statusOf returns the state of workers or checkers, sorted by name.
func statusOf(peers map[string]*peer, backlog map[string]int) []WorkerStatus {
	all := make([]WorkerStatus, 0, len(peers))
	for session, p := range peers {
		all = append(all, WorkerStatus{p.Presence, time.Since(p.seen).Seconds(), backlog[session]})
	}
	slices.SortFunc(all, func(a, b WorkerStatus) int {
		return cmp.Or(cmp.Compare(a.Worker, b.Worker), cmp.Compare(a.Session, b.Session))
	})
	return all
}

const (
	// rateWindow is the time over which rates are measured.
	rateWindow = time.Minute

	// progressInterval is the least time between two calls of Progress.
	progressInterval = 100 * time.Millisecond
)

// A progress has the history of a run from which rates are computed.
type progress struct {
	changed  bool // since the last report
	reported time.Time
	samples  []sample // of the last rateWindow, the oldest first
}

// A sample is the progress at a time.
type sample struct {
	when  time.Time
	cubes int     // finished
	done  float64 // refuted share
}

// finished returns the number of cubes that need no solver any more.
func finished(s portfolio.ConquerStats) int { return s.Refuted + s.Splits + s.Spared }

// sample records the progress.
func (p *progress) sample(c *coordinator) {
	s := c.tree.Stats()
	p.samples = append(p.samples, sample{time.Now(), finished(s), s.Done})
	for len(p.samples) > 2 && time.Since(p.samples[0].when) > rateWindow {
		p.samples = p.samples[1:]
	}
}

// rates returns the finished cubes a second and the estimated seconds to the end, or -1.
func (p *progress) rates(s portfolio.ConquerStats) (rate, estimate float64) {
	if len(p.samples) == 0 {
		return 0, -1
	}
	first := p.samples[0]
	seconds := time.Since(first.when).Seconds()
	rate = float64(finished(s)-first.cubes) / seconds
	if s.Done <= first.done {
		return rate, -1
	}
	return rate, (1 - s.Done) / (s.Done - first.done) * seconds
}

// report calls Progress if something has changed and the last call is long ago, or if it
// is forced to.
func (p *progress) report(c *coordinator, force bool) {
	if c.o.Progress == nil || !p.changed || !force && time.Since(p.reported) < progressInterval {
		return
	}
	p.changed, p.reported = false, time.Now()
	c.o.Progress(c.tree.Stats())
}
