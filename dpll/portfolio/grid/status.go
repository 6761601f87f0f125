package grid

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
