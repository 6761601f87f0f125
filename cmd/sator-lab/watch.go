package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/record"
	"sator/cmd/internal/report/live"
	"sator/cmd/internal/signals"
)

// The command watch runs a solver as a child process, reads its recording from a pipe, and
// serves a page with charts that move. The pipe is file descriptor 3 of the child, which is
// /dev/fd/3 for "sator solve --record": so the solver opens no port, and the recording needs
// no file. The pipe is read to its end whatever the lines are, so that neither browsers nor
// an error in the recording stop the solver.

func watchCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:      "watch",
		Category:  "Watch",
		Usage:     "run sator solve and show its search live on a page",
		UsageText: "sator-lab watch [flags] -- COMMAND [ARGUMENT]...",
		Description: `Runs a command, as a rule "sator solve", and serves a page with charts of its
run while it goes on. The flag --record PIPE is appended to the arguments of the
command, before any "--" among them. An argument "{}" is replaced by the name of
the pipe instead. Standard streams, signals and the exit code are those of the
command. The address of the page is printed to standard error.

The page listens on the loopback interface unless --http has another address.
Everybody who can reach the address can see the page, but nothing else.

Windows has no such pipe: use "sator solve --record FILE" and report.

Examples:
  sator-lab watch -- sator solve f.cnf
  sator-lab watch --http localhost:8080 --stay -- sator solve -q f.cnf
  sator-lab watch -- timeout 60 sator solve --record {} f.cnf`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "http", Category: cli.OutputFlags, Value: "localhost:0", Usage: "serve the page at `ADDRESS`; port 0 is any free one"},
			&cli.BoolFlag{Name: "stay", Category: cli.OutputFlags, Usage: "serve the page after the end of the command; until a signal"},
		},
		Action: cli.RunAction(e, watchOptionsOf, func(*watchOptions) cli.RunOptions { return cli.RunOptions{NoLimits: true} }, watch),
	}
}

// watchOptions are the flags and operands of watch.
type watchOptions struct {
	address, host string
	stay          bool
	command       []string
}

// recordPipe is the name of the pipe in the child: the first of exec.Cmd.ExtraFiles.
const recordPipe = "/dev/fd/3"

func watchOptionsOf(c *cli.Context) (*watchOptions, error) {
	o := &watchOptions{address: c.String("http"), stay: c.Bool("stay"), command: withPipe(c.Args().Slice())}
	var err error
	if o.host, _, err = net.SplitHostPort(o.address); err != nil {
		return nil, cli.Invalid("http", o.address, "an address such as localhost:8080")
	}
	if c.NArg() == 0 {
		return nil, &cli.UsageError{Msg: "no command to run", Hint: `For example: "sator-lab watch -- sator solve f.cnf".`}
	}
	if name := o.command[0]; notExecutable(name) {
		return nil, &cli.UsageError{Msg: fmt.Sprintf("%q is a file, not a command", name), Hint: fmt.Sprintf("Did you mean \"sator-lab watch -- sator solve %s\"?", name)}
	}
	if runtime.GOOS == "windows" {
		return nil, errors.New(`not available on Windows: use "sator solve --record FILE" and "sator-lab report FILE"`)
	}
	return o, nil
}

// notExecutable reports whether name is a file, but not one that can be executed.
func notExecutable(name string) bool {
	if _, err := exec.LookPath(name); err == nil {
		return false
	}
	_, err := os.Stat(name)
	return err == nil
}

// withPipe returns a command line with the name of the pipe.
func withPipe(command []string) []string {
	if slices.Contains(command, "{}") {
		all := slices.Clone(command)
		for i, a := range all {
			if a == "{}" {
				all[i] = recordPipe
			}
		}
		return all
	}
	end := slices.Index(command, "--")
	if end < 0 {
		end = len(command)
	}
	return slices.Concat(command[:end], []string{"--record", recordPipe}, command[end:])
}

// watch runs the command.
func watch(r *cli.Run, o *watchOptions) error {
	came := make(chan os.Signal, 8)
	signals.Notify(came)
	defer signal.Stop(came)

	l, err := new(net.ListenConfig).Listen(r.Ctx, "tcp", o.address)
	if err != nil {
		return err
	}
	page := live.New(strings.Join(o.command, " "))
	server := &http.Server{Handler: page.Handler(o.host), ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(l)
	defer server.Close()

	child, err := o.start(r)
	if err != nil {
		return err
	}
	r.Say("the page is http://%s/", l.Addr())
	result := child.await(r, page, came)
	if o.stay && r.Ctx.Err() == nil {
		r.Say("the command has ended; the page stays until a signal")
		<-r.Ctx.Done()
	}
	// Browsers that listen receive the end.
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	server.Shutdown(ctx)
	return result
}

// A watched is the child process.
type watched struct {
	*exec.Cmd
	lines *os.File // the end of the pipe that we read
}

// start starts the child in a process group of its own. So a signal of the terminal reaches
// the child once, from us.
func (o *watchOptions) start(r *cli.Run) (*watched, error) {
	lines, pipe, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer pipe.Close()
	c := exec.Command(o.command[0], o.command[1:]...)
	c.Stdout, c.Stderr, c.ExtraFiles, c.SysProcAttr = cli.Raw(r.Stdout), cli.Raw(r.Stderr), []*os.File{pipe}, ownGroup()
	c.WaitDelay = 5 * time.Second // for a descendant that keeps the output open
	in, err := c.StdinPipe()      // Wait does not wait for our input to end
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		lines.Close()
		return nil, err
	}
	go func() {
		io.Copy(in, r.Stdin)
		in.Close()
	}()
	return &watched{c, lines}, nil
}

// await reads the recording, forwards signals and waits for the end of the child. It returns
// the child's exit code as an error.
func (c *watched) await(r *cli.Run, page *live.Server, came <-chan os.Signal) error {
	read := make(chan error, 1)
	go func() { read <- c.read(r, page) }()
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for {
		select {
		case s := <-came:
			c.Process.Signal(s)
		case err := <-ended:
			code := exitCode(c.ProcessState)
			if exit := (*exec.ExitError)(nil); errors.As(err, &exit) || errors.Is(err, exec.ErrWaitDelay) {
				err = nil
			}
			cause := c.finish(read)
			page.Done(ending(code, cause), cause)
			if cause != nil {
				r.Warn(cause)
			}
			if err == nil && code != 0 {
				err = cli.ExitCode(code)
			}
			return err
		}
	}
}

// read pushes the lines of the recording to the page. It reads to the end of the pipe also if
// the recording is malformed.
func (c *watched) read(r *cli.Run, page *live.Server) error {
	defer c.lines.Close()
	in := record.NewReader(c.lines)
	in.Name, in.Warn = "the recording", r.Warn
	for {
		l, err := in.Next()
		if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		}
		if err != nil {
			io.Copy(io.Discard, c.lines)
			return err
		}
		page.Push(l)
	}
}

// finish waits for the end of the recording. A descendant of the child may keep the pipe
// open: then it is closed after the time that the child's output has, too.
func (c *watched) finish(read <-chan error) error {
	select {
	case err := <-read:
		return err
	case <-time.After(c.WaitDelay):
		c.lines.Close()
		return <-read
	}
}

// exitCode returns the exit code as a shell gives it.
func exitCode(s *os.ProcessState) int {
	if status, is := s.Sys().(syscall.WaitStatus); is && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return s.ExitCode()
}

// ending returns the sentence about the end of the child.
func ending(code int, cause error) string {
	text := fmt.Sprintf("The command ended with exit code %d.", code)
	switch code {
	case 10:
		text = "The command ended: satisfiable."
	case 20:
		text = "The command ended: unsatisfiable."
	}
	if cause != nil {
		text += " " + strings.ToUpper(cause.Error()[:1]) + cause.Error()[1:] + "."
	}
	return text
}
