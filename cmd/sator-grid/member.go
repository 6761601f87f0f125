package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/nats-io/nats.go"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/grid"
	"sator/cmd/internal/grid/hub"
	"sator/dpll/portfolio"
)

func workCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "work",
		Category:    "Run",
		Usage:       "solve cubes for a run",
		UsageText:   "sator-grid work [flags] URL",
		Description: workDescription,
		Flags:       memberFlags("", "worker"),
		Action:      memberAction(e, hub.Worker, grid.Work),
	}
}

const workDescription = `Solves cubes for the run that "sator-grid serve" serves at URL, such as
nats://host:4222, until the run ends. The worker waits while there is no server
or no run, and connects again whenever the connection is lost, for as long as
that takes. With --stay it also waits for the next run.

SIGTERM, SIGINT, SIGHUP and the other signals that end "sator solve" end the
worker: it hands its cubes back, so that other workers take them at once. A
worker that is killed loses only its cubes of the moment. Either way, its
results are stored.

The simplified formula is downloaded once and kept in --cache. A large proof of
a cube is gathered in the folder for temporary files ($TMPDIR).

With -v, a line on standard error tells when a cube begins and how it ends.

Exit codes: 0 if the run has ended or a signal came, 1 if the server or the run
refuses the worker or the memory is too small, 2 invalid command line, 3
internal error of Sator.

Examples:
  sator-grid work nats://a:4222 --token-file token
  sator-grid work tls://a:4222 --token-file token --tls-ca ca.pem -j 4
  sator-grid work nats://n1,nats://n2,nats://n3 --creds worker.creds --stay`

// memberFlags returns the flags of work and check.
func memberFlags(jobs, who string) []cli.Flag {
	return append([]cli.Flag{
		cli.MemoryFlag(),
		&cli.BoolFlag{Name: "stay", Category: cli.LimitFlags, Usage: "wait for the next run when the run has ended"},
		cli.QuietFlag(),
		cli.VerboseFlag(),
		cli.JobsFlag(jobs),
		&cli.StringFlag{Name: who, Category: cli.EngineFlags, DefaultText: "a new name", Usage: "`NAME` of this " + who + " in the run, unique"},
		&cli.StringFlag{Name: "cache", Category: cli.EngineFlags, DefaultText: "that of the user", Usage: "keep formulas in directory `DIR`"},
	}, clientFlags()...)
}

// memberOptions is the command line of work and check.
type memberOptions struct {
	*connection
	jobs   int
	member string // its name; empty for a new one
	cache  string
	stay   bool
}

func memberOptionsOf(c *cli.Context) (*memberOptions, error) {
	n, err := clientOf(c)
	if err != nil {
		return nil, err
	}
	o := &memberOptions{
		connection: n,
		jobs:       c.Int("jobs"),
		member:     c.String("worker") + c.String("checker"), // a command has one of them
		cache:      c.String("cache"),
		stay:       c.Bool("stay"),
	}
	if !c.IsSet("jobs") {
		o.jobs = min(runtime.GOMAXPROCS(0), portfolio.MaxThreads)
	}
	switch {
	case o.jobs < 1 || o.jobs > portfolio.MaxThreads:
		return nil, cli.Invalid("jobs", o.jobs, "1 to %d", portfolio.MaxThreads)
	case o.cache == "":
		if dir, err := os.UserCacheDir(); err == nil {
			o.cache = filepath.Join(dir, "sator-grid")
		}
	}
	return o, nil
}

// memberAction returns the action of work or check. It connects and calls do. A signal is a
// success: the cubes of the process are handed back. Another end of the context, by the
// memory limit, is an error.
func memberAction(e *cli.Env, role hub.Role, do func(context.Context, *nats.Conn, grid.MemberOptions) error) func(*cli.Context) error {
	frame := func(*memberOptions) cli.RunOptions { return cli.RunOptions{} }
	return cli.RunAction(e, memberOptionsOf, frame, func(r *cli.Run, o *memberOptions) error { return o.run(r, role, do) })
}

// run runs work or check.
func (o *memberOptions) run(r *cli.Run, role hub.Role, do func(context.Context, *nats.Conn, grid.MemberOptions) error) error {
	cli.SaveMemory()
	var legend []string
	if role == hub.Worker {
		legend = eventLegend()
	}
	r.Preface(cli.NewPrinter(r.Stderr).Comment, r.SetOptions(), legend)
	nc, err := o.connect(r.Ctx, r, role)
	if err == nil {
		defer nc.Close()
		r.Note("run %s at %s: %s", o.name, nc.ConnectedUrlRedacted(), cli.Count(o.jobs, "job"))
		err = do(r.Ctx, nc, grid.MemberOptions{Name: o.name, Jobs: o.jobs, MemberName: o.member, CacheDir: o.cache, Memory: r.Memory.Allows, Stay: o.stay, Log: logEvents(r)})
	}
	switch {
	case r.Signals.Err() != nil:
		r.Note("%s", r.Why())
		return nil
	case r.Ctx.Err() != nil:
		return context.Cause(r.Ctx)
	}
	return err
}

// eventLegend returns the legend of the lines that [logEvents] prints for workers.
func eventLegend() []string {
	lines := []string{"lines: time, worker, event, literals of the cube; the events are"}
	for _, e := range []struct {
		kind grid.EventKind
		help string
	}{
		{grid.EventBegin, "the search begins"},
		{grid.EventRefuted, "there is no model"},
		{grid.EventSatisfied, "there is a model"},
		{grid.EventSplit, "the cube is too hard; its parts are new cubes"},
		{grid.EventCancelled, "the result is not needed"},
		{grid.EventReturned, "the cube waits for another worker"},
		{grid.EventLost, "another worker was first"},
	} {
		lines = append(lines, fmt.Sprintf("%-12s %s", e.kind, e.help))
	}
	return lines
}

// logEvents returns a function that prints the events of workers and checkers to standard
// error: notes and warnings, and with --verbose a line for each cube that begins or ends.
// Such a line has the time, the name of the worker, the event, and the literals of the
// cube.
func logEvents(r *cli.Run) func(grid.Event) {
	quiet, verbose := r.Flags.Bool("quiet"), r.Flags.Bool("verbose")
	return func(e grid.Event) {
		switch {
		case e.Kind == grid.EventWarning:
			r.Warn(fmt.Errorf("%s: %s", e.Worker, e.Text))
		case e.Kind == grid.EventNote && !quiet:
			r.Say("%s: %s", e.Worker, e.Text)
		case e.Kind != grid.EventNote && verbose:
			r.Progress.Hide()
			fmt.Fprintf(r.Stderr, "c %s %s %s: %s\n", time.Now().UTC().Format("2006-01-02T15:04:05.000000Z"), e.Worker, e.Kind, cli.Spaced(e.Cube))
		}
	}
}
