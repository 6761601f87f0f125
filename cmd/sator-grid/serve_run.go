package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"github.com/nats-io/nats.go"

	"sator/cmd/internal/answer"
	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/grid"
	"sator/cmd/internal/grid/hub"
	"sator/dimacs"
)

// A serveRun is a run of serve on a formula.
type serveRun struct {
	*answer.Job
	o *serveOptions
}

// serve runs the command. It returns the answer as an exit code.
func serve(r *cli.Run, o *serveOptions) error {
	cli.SaveMemory()
	s := &serveRun{answer.NewJob(r, o.Options), o}
	s.Start(answer.CubeLegend(), s.CreateProof)
	s.Do("read", s.Read)
	s.Do("solve", s.Timed(s.solve))
	s.DoAlways("check", s.Check)
	return s.End()
}

// solve solves the cubes. The server and the local workers end with it.
func (s *serveRun) solve(ctx context.Context) error {
	if err := engines.CheckMemory(s.Run, s.Input.Occurring(nil), s.Input.Formula, s.o.Choice.Setup); err != nil {
		return err
	}
	dir, remove, err := s.directory()
	if err != nil {
		return err
	}
	defer remove()
	b, err := s.openBus(ctx, dir)
	if err != nil {
		return err
	}
	defer b.close()
	nc, err := b.connect(ctx, hub.Coordinator)
	if err != nil {
		return err
	}
	defer nc.Close()
	locals := s.newLocals(ctx, b, dir)
	defer locals.stop()
	s.Progress.Doing("simplifying")
	a, err := grid.Serve(ctx, nc, s.gridOptions(locals))
	if err != nil {
		return err
	}
	s.Status, s.Model = a.Status, a.Model
	if s.Stats == nil {
		s.CubeProgress(a.Stats)
	}
	return s.prove(ctx, a)
}

// directory returns the directory of --run, or a temporary one that remove deletes.
func (s *serveRun) directory() (dir string, remove func(), err error) {
	if s.o.Dir == "" {
		dir, err = os.MkdirTemp("", "sator-grid-")
		return dir, func() { os.RemoveAll(dir) }, err
	}
	return s.o.Dir, func() {}, os.MkdirAll(s.o.Dir, 0o777)
}

// gridOptions returns the options of the coordinator.
func (s *serveRun) gridOptions(locals *locals) grid.ServeOptions {
	o := grid.ServeOptions{
		Name:     s.o.name,
		Formula:  s.Input.Formula,
		Budget:   s.o.Budget,
		Solver:   s.o.Solver,
		Trust:    s.o.trust,
		Prove:    s.o.HasProof || s.o.Verify == cli.VerifyAlways,
		Share:    !s.o.Alone,
		Checkers: s.o.checkJobs,
		Replicas: s.o.replicas,
		AckWait:  s.o.ackWait,
		Progress: s.CubeProgress,
		Log:      func(format string, args ...any) { s.Warn(fmt.Errorf(format, args...)) },
		Note:     s.note,
		Ready: func(known int) {
			if known > 0 {
				s.Comment("resuming with %s of %s", cli.Count(known, "result"), cli.Named(cmp.Or(s.o.Dir, s.o.shown())))
			}
			locals.start()
		},
	}
	if s.o.ackWait > 0 {
		o.Heartbeat = min(s.o.ackWait/10, grid.DefaultHeartbeat)
	}
	if s.o.trust {
		o.Checkers = 0
	}
	for _, c := range s.Input.Cubes {
		o.Cubes = append(o.Cubes, c.Lits)
	}
	o.Solver.Seed, o.Solver.Memory = s.o.Seed, s.Memory.Allows
	return o
}

// note prints an event of the run to standard error, with --verbose.
func (s *serveRun) note(format string, args ...any) {
	if s.Flags.Bool("verbose") {
		s.Say(format, args...)
	}
}

// prove writes the proof of a refutation to its file and to the checker of --verify.
func (s *serveRun) prove(ctx context.Context, a *grid.Answer) error {
	verify := s.o.Verify
	if verify == cli.VerifyCheaply {
		verify = cli.VerifyNever // the results are checked
	}
	s.Evidence = cli.NewEvidence(s.Proof, s.Input.Formula, verify, true, s.Memory)
	to := s.Evidence.Proof(s.Input.Formula.Len())
	if to == nil || a.Status != dimacs.Unsatisfiable {
		return nil
	}
	s.Progress.Doing("writing the proof")
	switch err := a.WriteProof(ctx, to); {
	case err != nil && ctx.Err() != nil: // the proof is not whole
		return context.Cause(ctx)
	case err != nil:
		return err
	}
	return s.Confirm(ctx, nil)
}

// A bus is the way of this process to the server: the embedded one, or another.
type bus struct {
	hub *hub.Hub // nil for another server
	r   *cli.Run
	o   *serveOptions
}

// openBus starts the embedded server, or returns the bus of another one. It writes the
// address for workers to the directory.
func (s *serveRun) openBus(ctx context.Context, dir string) (*bus, error) {
	b := &bus{r: s.Run, o: s.o}
	address := s.o.shown()
	if address == "" {
		s.Progress.Doing("starting the server")
		if err := b.start(dir); err != nil {
			return nil, err
		}
		address = b.hub.URL()
		s.Comment("listening on %s", address)
	}
	// The file is complete when it appears, for scripts that wait for it.
	err := b.r.Write(ctx, filepath.Join(dir, "address"), func(w io.Writer) error {
		_, err := fmt.Fprintln(w, address)
		return err
	})
	if err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

// start starts the embedded server.
func (b *bus) start(dir string) (err error) {
	c := hub.Config{
		Run:    b.o.name,
		Dir:    filepath.Join(dir, "store"),
		Listen: b.o.listen,
		TLS:    b.o.tls,
		Log:    logTo(b.r),
	}
	if c.Token, err = b.o.madeToken(b.r); err != nil {
		return err
	}
	if c.CheckerToken, err = b.o.checkers.madeToken(b.r); err != nil {
		return err
	}
	b.hub, err = hub.Start(c)
	return err
}

// connect connects to the server in a role.
func (b *bus) connect(ctx context.Context, role hub.Role) (*nats.Conn, error) {
	if b.hub == nil {
		n := *b.o.connection
		if role == hub.Coordinator && b.o.server.tokenFile != "" {
			n.tokenFile = b.o.server.tokenFile
		}
		return n.connect(ctx, b.r, role)
	}
	return b.hub.Connect(ctx, hub.Dial{Role: role, Name: "sator-grid serve", Log: logTo(b.r)})
}

// close stops the embedded server.
func (b *bus) close() {
	if b.hub != nil {
		b.hub.Close()
	}
}

// logTo returns a function that prints warnings, and with --verbose all messages of the
// server and the connection, to standard error.
func logTo(r *cli.Run) func(slog.Level, string) {
	return func(level slog.Level, text string) {
		switch {
		case level >= slog.LevelWarn:
			r.Warn(errors.New(text))
		case level >= slog.LevelInfo && r.Flags.Bool("verbose"):
			r.Say("%s", text)
		}
	}
}

// locals are the workers in the process of serve.
type locals struct {
	s      *serveRun
	b      *bus
	dir    string
	ctx    context.Context
	cancel context.CancelFunc
	group  sync.WaitGroup
}

func (s *serveRun) newLocals(ctx context.Context, b *bus, dir string) *locals {
	l := &locals{s: s, b: b, dir: dir}
	l.ctx, l.cancel = context.WithCancel(ctx)
	return l
}

// start starts the workers.
func (l *locals) start() {
	if l.s.o.Jobs == 0 {
		return
	}
	if r := l.s.Run; r.Flags.Bool("verbose") {
		for _, line := range eventLegend() {
			cli.NewPrinter(r.Stderr).Comment("%s", line)
		}
	}
	l.group.Go(func() {
		if err := l.work(); err != nil && l.ctx.Err() == nil {
			if l.s.Memory.Catch(err) == err {
				l.s.Warn(fmt.Errorf("the workers of this process end: %w", err))
			}
		}
	})
}

func (l *locals) work() error {
	nc, err := l.b.connect(l.ctx, hub.Worker)
	if err != nil {
		return err
	}
	defer nc.Close()
	return grid.Work(l.ctx, nc, grid.MemberOptions{
		Name:    l.s.o.name,
		Jobs:    l.s.o.Jobs,
		TempDir: l.dir,
		Memory:  l.s.Memory.Allows,
		Log:     logEvents(l.s.Run),
	})
}

// stop ends the workers and waits until they have handed back their cubes.
func (l *locals) stop() {
	l.cancel()
	l.group.Wait()
}
