package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
//	[!] interrupt SIGNAL WHEN COMMAND...
//	                          the command, started with a standard input that
//	                          gives nothing and stays open, ends soon with code
//	                          0, or another one, once it gets the signal. It gets
//	                          it when its output matches the regular expression
//	                          WHEN, or, if that is empty, after a time.
//
// No script may depend on how fast the machine is, nor on what else it does: a
// limit of time that is to be met is 1ns, or ends the search of a formula that
// nothing solves in a day; one that is not to be met is long.
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

// interrupt sends a signal. One that is to get it after a time, since it prints
// nothing before, may be slow to listen to signals and be killed by it: then it
// is tried again with more time.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 3 {
		ts.Fatalf("usage: interrupt SIGNAL WHEN COMMAND...")
	}
	signal := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP}[args[0]]
	if signal == nil {
		ts.Fatalf("unknown signal %s", args[0])
	}
	when, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	for delay := 200 * time.Millisecond; ; delay *= 2 {
		cmd := exec.Command(args[2], args[3:]...)
		cmd.Dir = ts.MkAbs(".")
		cmd.Env = append(os.Environ(), "GORACE="+noRaceSleep)
		out, err := interrupted(cmd, signal, when, delay)
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() < 0 && args[1] == "" && delay < mostPatience {
			continue
		}
		ts.Stdout().Write(out)
		if neg && !(errors.As(err, &exit) && exit.ExitCode() > 0) {
			ts.Fatalf("it ended with %v", err)
		}
		if !neg {
			ts.Check(err)
		}
		return
	}
}

// interrupted starts a command, waits for output that matches, or for a time if
// nothing is to match, sends it a signal and returns its output.
func interrupted(cmd *exec.Cmd, signal os.Signal, when *regexp.Regexp, delay time.Duration) ([]byte, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var all []byte
	if when.String() == "(?m)" {
		time.Sleep(delay)
	} else if all, err = readUntil(out, when); err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		return all, err
	}
	begin := time.Now()
	if err := cmd.Process.Signal(signal); err != nil {
		return all, err
	}
	rest, err := io.ReadAll(out)
	all = append(all, rest...)
	if err := cmp.Or(cmd.Wait(), err); err != nil {
		return all, err
	}
	if d := time.Since(begin); d > mostPatience { // not the hour that the search would take
		return all, fmt.Errorf("it took %v to end", d)
	}
	return all, nil
}

// readUntil reads until what was read matches.
func readUntil(r io.Reader, when *regexp.Regexp) (all []byte, err error) {
	buf := make([]byte, 4096)
	for !when.Match(all) {
		n, err := r.Read(buf)
		if all = append(all, buf[:n]...); err != nil {
			return all, fmt.Errorf("%w before the output was as expected:\n%s", err, all)
		}
	}
	return all, nil
}

// mostPatience is longer than anything takes that ends.
const mostPatience = 2 * time.Minute

// patiently calls f with longer and longer times until it returns true: what f
// waits for takes as long as it takes.
func patiently(t *testing.T, f func(time.Duration) bool) {
	t.Helper()
	for d := 100 * time.Millisecond; !f(d); d *= 2 {
		if d > mostPatience {
			t.Fatalf("%v were not enough", d)
		}
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
