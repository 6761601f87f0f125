package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// The test binary is the program itself when it is called by that name.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"sator": main})
}

// TestScripts runs the scripts, one or more for each command. Beyond the
// commands of testscript they have
//
//	exits CODE COMMAND...     the command ends with this exit code
//	interrupt SIGNAL COMMAND...
//	                          the command, started with a standard input that
//	                          gives nothing and stays open, ends with code 0
//	                          within a second once it gets the signal
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("GORACE", noRaceSleep)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     exits,
			"interrupt": interrupt,
		},
	})
}

// Under the race detector a program sleeps for a second before it ends, unless
// told not to.
const noRaceSleep = "atexit_sleep_ms=0"

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: interrupt SIGNAL COMMAND...")
	}
	signal := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP}[args[0]]
	if signal == nil {
		ts.Fatalf("unknown signal %s", args[0])
	}
	cmd := exec.Command(args[1], args[2:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "GORACE="+noRaceSleep)
	cmd.Stderr = ts.Stderr()
	in, err := cmd.StdinPipe()
	ts.Check(err)
	defer in.Close()
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())

	// The first output tells that the program has begun to listen to signals.
	first := make([]byte, 1)
	_, err = io.ReadFull(out, first)
	ts.Check(err)
	time.Sleep(200 * time.Millisecond) // let it come to where it waits, on a busy machine too
	begin := time.Now()
	ts.Check(cmd.Process.Signal(signal))
	rest, err := io.ReadAll(out)
	ts.Check(err)
	err = cmd.Wait()
	ts.Stdout().Write(append(first, rest...))
	if err != nil {
		ts.Fatalf("%v", err)
	}
	if d := time.Since(begin); d > 5*time.Second { // not the hour that the search would take
		ts.Fatalf("it took %v to end", d)
	}
}

// execute runs a command line in this process.
func execute(t *testing.T, e *env, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	e.stdout, e.stderr = &out, &lockedWriter{w: &errs}
	if e.stdin == nil {
		e.stdin = strings.NewReader("")
	}
	code = run(e, args)
	return code, out.String(), errs.String()
}

// write makes a file for a test and returns its name.
func write(t *testing.T, name, content string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestHelpTexts compares each help text with a file of testdata/help. They are
// renewed by UPDATE=1 go test ./cmd/sator.
func TestHelpTexts(t *testing.T) {
	app := newApp(&env{})
	lines := [][]string{{}}
	for _, c := range app.Commands {
		lines = append(lines, []string{c.Name})
		for _, sub := range c.Subcommands {
			lines = append(lines, []string{c.Name, sub.Name})
		}
	}
	for _, names := range lines {
		t.Run(strings.Join(append([]string{"sator"}, names...), "-"), func(t *testing.T) {
			code, got, errs := execute(t, new(env), append(names, "-h")...)
			if code != 0 || errs != "" {
				t.Fatalf("exit code %d, standard error %q", code, errs)
			}
			if _, other, _ := execute(t, new(env), append([]string{"help"}, names...)...); other != got {
				t.Errorf("help prints another text than -h:\n%s", other)
			}
			if !strings.Contains(got, "Example") {
				t.Error("there is no example")
			}
			for line := range strings.Lines(got) {
				if line = strings.TrimRight(line, "\n"); len(line) > helpWidth || strings.HasSuffix(line, " ") {
					t.Errorf("a line is too long or ends with a blank: %q", line)
				}
			}
			golden(t, filepath.Join("testdata", "help", filepath.Base(t.Name())+".txt"), got)
		})
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if os.Getenv("UPDATE") != "" {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; renew it with UPDATE=1 go test\ngot:\n%s", file, got)
	}
}

// TestCrash checks that a panic, of the program itself or of its reading
// goroutine, is an internal error and no answer.
func TestCrash(t *testing.T) {
	for _, name := range []string{"main", "reader"} {
		t.Run(name, func(t *testing.T) {
			e := &env{stdin: panicReader{}}
			args := []string{"solve", "-"}
			if name == "main" {
				args[1] = write(t, "f.cnf", "p cnf 1 1\n1 0\n")
				withEngine(t, "broken", &fakeSolver{panics: true})
				args = append(args, "--engine=broken")
			}
			code, out, errs := execute(t, e, args...)
			if code != codeInternal || strings.Contains(out, "\ns ") || !strings.Contains(errs, "panic: deliberate") {
				t.Errorf("exit code %d\nstandard output:\n%s\nstandard error:\n%s", code, out, errs)
			}
		})
	}
}

type panicReader struct{}

func (panicReader) Read([]byte) (int, error) { panic("deliberate") }

// TestFullDisk checks that an answer that cannot be written is no answer.
func TestFullDisk(t *testing.T) {
	file := write(t, "f.cnf", "p cnf 1 1\n1 0\n")
	for _, args := range [][]string{{"solve", file}, {"solve", "--json", file}, {"info", file}, {"convert", file}, {"version"}} {
		var errs bytes.Buffer
		code := run(&env{stdin: strings.NewReader(""), stdout: fullWriter{}, stderr: &errs}, args)
		if code != codeInput || !strings.Contains(errs.String(), "the disk is full") {
			t.Errorf("%v: exit code %d, standard error %q", args, code, errs.String())
		}
	}
}

type fullWriter struct{}

func (fullWriter) Write([]byte) (int, error) { return 0, fmt.Errorf("the disk is full") }
