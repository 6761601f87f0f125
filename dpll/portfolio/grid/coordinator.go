package grid

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
)

// ServeOptions configure [Serve].
type ServeOptions struct {
	Name string // of the run; see NamesOf

	// Formula is the formula to decide, Cubes are its cubes. Without cubes the run
	// starts with the empty cube.
	Formula *dimacs.Formula
	Cubes   [][]dimacs.Lit

	// Budget is the number of conflicts after which a worker splits a cube; 0 is no
	// limit.
	Budget int64

	// Solver has the options of the workers' solvers. Its Proof is not used. Its Memory
	// limits the coordinator itself.
	Solver cdcl.Options

	// Trust accepts refutations without a check.
	Trust bool

	// Prove keeps all steps for [Answer.WriteProof], even if Trust makes checks
	// unnecessary.
	Prove bool

	// Share lets workers share unit and binary clauses.
	Share bool

	// Checkers is the number of checkers in this process. If it is 0, checkers must
	// connect, unless Trust is set.
	Checkers int

	// Replicas is the number of servers of a cluster that store each message, 1 to 5; 0
	// is 1.
	Replicas int

	// Heartbeat and AckWait are times of the protocol; 0 is DefaultHeartbeat and
	// DefaultAckWait.
	Heartbeat, AckWait time.Duration

	// Ready, if not nil, is called once when the coordinator answers workers. known is
	// the number of results of earlier runs.
	Ready func(known int)

	// Progress, if not nil, is called after results, not more often than every 100 ms.
	Progress func(portfolio.ConquerStats)

	// Log, if not nil, is called with events that a user may want to read: workers that
	// arrive and leave, refused messages, excluded workers, reconnects. Calls do not
	// overlap.
	Log func(format string, args ...any)
}

// An Answer is the end of a run.
type Answer struct {
	Status dimacs.Status
	Model  dimacs.Model // of the formula, if Status is Satisfiable
	Stats  portfolio.ConquerStats
}

// WriteProof writes the proof of an unsatisfiable formula: the coordinator's
// simplification, the segments of the workers in the order of acceptance, and the
// resolvents of the tree. The connection of [Serve] must still be open. The run must have
// been one with Prove, or one without Trust.
func (a *Answer) WriteProof(ctx context.Context, to dimacs.Proof) error {
	return errors.New("grid: not built yet")
}

// Serve runs the coordinator of a run until there is an answer or ctx ends. It creates
// the streams of the run, or continues a run with the same name, formula, cubes and
// options. If ctx ends, the status is Unknown and the error nil: all results are stored,
// and a later call continues. Reconnecting is the business of nc: Serve waits while there
// is no connection.
//
// It returns an error if another coordinator serves the run, if the run with this name is
// one of another formula, if the cubes are too large for a message, or if nc is closed.
func Serve(ctx context.Context, nc *nats.Conn, o ServeOptions) (*Answer, error) {
	return nil, errors.New("grid: not built yet")
}
