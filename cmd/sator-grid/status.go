package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/nats-io/nats.go"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/grid"
	"sator/cmd/internal/grid/hub"
)

func statusCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "status",
		Category:    "Watch",
		Usage:       "show the state of a run",
		UsageText:   "sator-grid status [flags] URL",
		Description: statusDescription,
		Flags: append([]cli.Flag{
			cli.TextOrJSON(""), cli.JSONFlag(),
			cli.OutputFlag(),
			&cli.StringFlag{Name: "http", Category: cli.OutputFlags, Usage: "serve a page with the state on `ADDRESS`; until a signal comes"},
		}, clientFlags()...),
		Action: cli.RunAction(e, statusOptionsOf, func(o *statusOptions) cli.RunOptions {
			return cli.RunOptions{Outputs: []string{o.output}}
		}, status),
	}
}

const statusDescription = `Prints the state of the run that "sator-grid serve" serves at URL: finished and
open cubes, cubes a second, an estimate of the remaining time, and for each
worker and checker its cube, or why it is idle.

"done" is the refuted share of the tree of cubes, where each split halves the
work. The estimate assumes that the rest takes as long as the part before, and
is rough while cubes of different size come. "waiting" results wait for a
checker; if their number grows, start "sator-grid check" on another machine.

--json prints the state as one document. --http serves a page that renews itself
every second, and the document as /status.json; the page has no password, so
show it to others through a tunnel or a proxy only.

Exit codes: 0 success, 1 no server or no run, 2 invalid command line, 3 internal
error of Sator.

Examples:
  sator-grid status nats://a:4222 --token-file token
  sator-grid status localhost:4222 --json
  sator-grid status localhost:4222 --http localhost:8080`

// statusOptions is the command line of status.
type statusOptions struct {
	*connection
	json   bool
	output string
	http   string
}

func statusOptionsOf(c *cli.Context) (*statusOptions, error) {
	n, err := clientOf(c)
	if err != nil {
		return nil, err
	}
	o := &statusOptions{connection: n, json: cli.AsJSON(c), output: c.String("output"), http: c.String("http")}
	switch {
	case o.http != "" && o.json:
		return nil, cli.Exclusive("http", "json")
	case o.http != "" && c.IsSet("output"):
		return nil, cli.Exclusive("http", "output")
	}
	return o, nil
}

// status runs the command.
func status(r *cli.Run, o *statusOptions) error {
	nc, err := o.connect(r.Ctx, r, hub.Status)
	if err != nil {
		return err
	}
	defer nc.Close()
	if o.http != "" {
		return o.servePage(r, nc)
	}
	s, err := o.ask(r.Ctx, nc)
	if err != nil {
		return err
	}
	width := 0
	if o.output == "-" {
		width = r.PageWidth()
	}
	return r.Write(r.Ctx, o.output, func(w io.Writer) error {
		if o.json {
			return cli.WriteJSON(w, s)
		}
		return writeStatus(w, s, width)
	})
}

// ask returns the state of the run.
func (o *statusOptions) ask(ctx context.Context, nc *nats.Conn) (*grid.Status, error) {
	s, err := grid.GetStatus(ctx, nc, o.name)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = fmt.Errorf("no coordinator of the run %q answers", o.name)
	}
	return s, err
}

// writeStatus writes the state of a run as text.
func writeStatus(w io.Writer, s *grid.Status, width int) error {
	c := &s.Stats
	var table bytes.Buffer
	t := tabwriter.NewWriter(&table, 0, 8, 2, ' ', 0)
	fmt.Fprintf(t, "run\t%s, %s\n", s.Name, phaseOf(s))
	fmt.Fprintf(t, "time\t%s, about %s left\n", durationOf(s.Seconds), estimateOf(s))
	fmt.Fprintf(t, "done\t%.2f %%, %.2f cubes a second\n", 100*c.Done, s.Rate)
	fmt.Fprintf(t, "cubes\t%d refuted, %d covered by others, %d split, %d open, %d being solved\n", c.Known+c.Refuted, c.Spared, c.Splits, c.Open, c.Running)
	fmt.Fprintf(t, "conflicts\t%d\n", c.Conflicts)
	fmt.Fprintf(t, "results\t%d waiting for a checker, %d refused; %s\n", s.Waiting, s.Refused, beliefOf(s))
	t.Flush()
	if err := writeHanging(w, table.String(), len("conflicts  "), width); err != nil {
		return err
	}
	if err := writeMembers(w, "worker", s.Workers, "no workers", width); err != nil {
		return err
	}
	if err := writeMembers(w, "checker", s.Checkers, "", width); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(s.Excluded)) {
		line := fmt.Sprintf("excluded %s: %s", cli.Escape(name), cli.Escape(s.Excluded[name]))
		if err := writeHanging(w, line, len("excluded "), width); err != nil {
			return err
		}
	}
	return nil
}

// phaseOf returns the phase of a run, or its answer.
func phaseOf(s *grid.Status) string {
	if s.Phase == "done" {
		return "done: " + s.Answer
	}
	return s.Phase
}

// beliefOf returns how refutations are accepted.
func beliefOf(s *grid.Status) string {
	switch {
	case s.Trust && s.Proof:
		return "refutations are not checked, the proof is kept"
	case s.Trust:
		return "refutations are not checked"
	case s.Proof:
		return "refutations are checked, the proof is kept"
	}
	return "refutations are checked"
}

// estimateOf returns the remaining time.
func estimateOf(s *grid.Status) string {
	if s.Estimate < 0 {
		return "?"
	}
	return durationOf(s.Estimate)
}

// durationOf returns a number of seconds as text.
func durationOf(seconds float64) string {
	switch {
	case seconds < 10:
		return fmt.Sprintf("%.1fs", seconds)
	case seconds < 100*3600:
		return time.Duration(seconds * 1e9).Round(time.Second).String()
	}
	return fmt.Sprintf("%.0f days", seconds/86400)
}

// writeMembers writes a table of workers or checkers.
func writeMembers(w io.Writer, what string, members []grid.WorkerStatus, empty string, width int) error {
	if len(members) == 0 {
		if empty == "" {
			return nil
		}
		_, err := fmt.Fprintf(w, "\n%s\n", empty)
		return err
	}
	fmt.Fprintln(w)
	var table bytes.Buffer
	t := tabwriter.NewWriter(&table, 0, 8, 2, ' ', 0)
	fmt.Fprintf(t, "%s\thost\tcubes\tstate\n", what)
	for _, m := range members {
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\n", cli.Escape(m.Worker), cli.Escape(m.Host), m.Cubes, stateOf(&m))
	}
	t.Flush()
	return writeHanging(w, table.String(), strings.Index(table.String(), "state"), width)
}

// writeHanging writes the lines of a table, of which the last column begins at indent. That
// column is wrapped to the width of a terminal, see [cli.Hanging].
func writeHanging(w io.Writer, table string, indent, width int) error {
	for line := range strings.Lines(table) {
		if _, err := fmt.Fprintln(w, cli.Hanging(strings.TrimSuffix(line, "\n"), indent, width)); err != nil {
			return err
		}
	}
	return nil
}

// lateAfter is the time of silence that makes a worker "silent".
const lateAfter = 10 // seconds

// stateOf returns the state of a worker or a checker.
func stateOf(m *grid.WorkerStatus) string {
	var state string
	switch {
	case m.Seen >= lateAfter:
		return "silent for " + durationOf(m.Seen)
	case m.Leaving:
		return "leaving"
	case m.Idle != "":
		state = "idle for " + durationOf(m.Seconds) + ": " + cli.Escape(m.Idle)
	case m.Role == grid.RoleChecker:
		state = "checking"
	default:
		state = fmt.Sprintf("a cube of %s for %s, %s in all", cli.Count(m.Literals, "literal"), durationOf(m.Seconds), cli.Count(m.Conflicts, "conflict"))
	}
	if m.Backlog > 0 {
		state += fmt.Sprintf(", %s behind", cli.Count(m.Backlog, "result"))
	}
	return state
}
