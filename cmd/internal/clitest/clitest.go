// Package clitest runs commands and scripts of commands in tests.
//
// # Files
//
//   - clitest.go: scripts, and commands in the process of the test.
//   - help.go: help texts, the short and the whole one; complete.go: completion.
//   - flags.go: the flags of all commands agree; man.go: manual pages;
//     suggest.go: the tables of suggestions; verbose.go: what -v prints.
//   - faults.go: commands that write, under faults of the file system.
//   - limits_linux.go, limits_other.go: the same on files that the operating system
//     does not let them write.
package clitest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	ossignal "os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"testing"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/early"
	"sator/internal/effort"
)

// Interruptible runs tests that a signal ends, although the program receives it early.
type Interruptible struct{ *testing.M }

// Run runs the tests.
func (i Interruptible) Run() int {
	ossignal.Stop(early.Signals)
	return i.M.Run()
}

// RunScripts runs the scripts of testdata/script. In addition to the commands of
// testscript they may use
//
//	exits CODE COMMAND...     the command ends with this exit code
//	[!] interrupt SIGNAL WHEN COMMAND...
//	                          the command, started with a standard input that
//	                          stays open without data, ends soon after the signal
//	                          with code 0, or another code with "!". The signal is
//	                          sent when the output matches the regular expression
//	                          WHEN, or after a time if WHEN is empty. The signal EACH
//	                          stands for all that end a run: the command runs with each.
//
//	await FILE NAME           wait until the file is not empty, and set the variable
//	                          NAME to its first line
//	eventually PATTERN COMMAND...
//	                          run the command again and again until it succeeds and
//	                          its output matches the regular expression PATTERN
//
// the condition [race], a short run with the race detector, and the variable ROOT, the
// folder of the project.
//
// No script may depend on the speed of the machine. A time limit that must be
// exceeded is 1ns, or ends the search of a formula that takes longer than a day;
// any other limit is long.
func RunScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("GORACE", noRaceSleep)
			root, err := moduleRoot()
			e.Setenv("ROOT", root)
			return err
		},
		Condition: func(name string) (bool, error) {
			if name != "race" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return effort.RaceDetector(), nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":      exits,
			"interrupt":  interrupt,
			"await":      await,
			"eventually": eventually,
		},
	})
}

// moduleRoot returns the folder above the test's that has the file go.mod.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, err = os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if parent := filepath.Dir(dir); parent != dir {
			dir, err = parent, nil
		}
	}
	return "", err
}

// noRaceSleep disables the sleep of a second at the end of programs with the race
// detector.
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

// await waits for a file of a command that runs in the background.
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: await FILE NAME")
	}
	for begin := time.Now(); time.Since(begin) < MostPatience; time.Sleep(10 * time.Millisecond) {
		b, err := os.ReadFile(ts.MkAbs(args[0]))
		if line, _, whole := strings.Cut(string(b), "\n"); err == nil && whole {
			ts.Setenv(args[1], line)
			return
		}
	}
	ts.Fatalf("there is no %s", args[0])
}

// eventually repeats a command that reports the state of another one.
func eventually(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: eventually PATTERN COMMAND...")
	}
	pattern, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	for begin := time.Now(); time.Since(begin) < MostPatience; time.Sleep(50 * time.Millisecond) {
		if err := ts.Exec(args[1], args[2:]...); err == nil && pattern.MatchString(ts.ReadFile("stdout")) {
			return
		}
	}
	ts.Fatalf("the output does not match")
}

// interrupt sends a signal. A command that prints nothing before the signal may
// not have installed its handler yet, so that the signal kills it, or is ignored, or may
// still read its input, so that it has no partial result; then interrupt tries again
// with a longer delay.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 3 {
		ts.Fatalf("usage: interrupt SIGNAL WHEN COMMAND...")
	}
	when, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	sent := map[string][]os.Signal{"INT": {os.Interrupt}, "TERM": {syscall.SIGTERM}, "HUP": {syscall.SIGHUP}, "EACH": endings}[args[0]]
	if sent == nil {
		ts.Fatalf("unknown signal %s", args[0])
	}
	for _, signal := range sent {
		interruptBy(ts, neg, signal, when, args[2:])
	}
}

// interruptBy runs a command and sends it a signal.
func interruptBy(ts *testscript.TestScript, neg bool, signal os.Signal, when *regexp.Regexp, args []string) {
	// The command must not inherit that the signal is ignored, as under nohup.
	ignored := make(chan os.Signal, 1)
	ossignal.Notify(ignored, signal)
	defer ossignal.Stop(ignored)
	for delay := 200 * time.Millisecond; ; delay *= 2 {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = ts.MkAbs(".")
		cmd.Env = append(os.Environ(), "GORACE="+noRaceSleep)
		out, err := interrupted(cmd, signal, when, delay)
		var exit *exec.ExitError
		early := errors.As(err, &exit) && (unheard(signal, exit.ExitCode()) || !neg)
		if early && when.String() == "(?m)" && delay < MostPatience/10 {
			continue
		}
		ts.Stdout().Write(out)
		if neg && !(errors.As(err, &exit) && exit.ExitCode() > 0) {
			ts.Fatalf("%v: it ended with %v", signal, err)
		}
		if !neg && err != nil {
			ts.Fatalf("%v: %v", signal, err)
		}
		return
	}
}

// unheard reports whether a command that ended with this code had no handler for the signal: the
// signal killed it, or the handler of the Go runtime for SIGQUIT ended it with code 2.
func unheard(signal os.Signal, code int) bool {
	return code < 0 || code == 2 && signal.String() == "quit"
}

// interrupted starts a command, waits for output that matches, or for a time if
// the pattern is empty, sends a signal, and returns the output.
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
	if when.String() == "(?m)" {
		defer time.AfterFunc(10*delay, func() { cmd.Process.Kill() }).Stop()
	}
	rest, err := io.ReadAll(out)
	all = append(all, rest...)
	if err := cmp.Or(cmd.Wait(), err); err != nil {
		return all, err
	}
	if d := time.Since(begin); d > MostPatience { // the search would take an hour
		return all, fmt.Errorf("it took %v to end", d)
	}
	return all, nil
}

// readUntil reads until the data matches.
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

// MostPatience is longer than any command takes in a test.
const MostPatience = 5 * time.Minute

// Patiently calls f with longer and longer times until f returns true.
func Patiently(t *testing.T, f func(time.Duration) bool) {
	t.Helper()
	for d := 100 * time.Millisecond; !f(d); d *= 2 {
		if d > MostPatience {
			t.Fatalf("%v were not enough", d)
		}
	}
}

// ExecuteProgram runs a command line in this process.
func ExecuteProgram(t *testing.T, p *cli.Program, e *cli.Env, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	e.Stdout, e.Stderr = &out, &cli.LockedWriter{W: &errs}
	if e.Stdin == nil {
		e.Stdin = strings.NewReader("")
	}
	code = p.Run(e, args)
	return code, out.String(), errs.String()
}

// Write creates a file for a test and returns its name.
func Write(t *testing.T, name, content string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}
