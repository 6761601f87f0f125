package commands

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/clitest"
)

// execute runs a command line in this process.
func execute(t *testing.T, e *cli.Env, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return clitest.ExecuteProgram(t, Program, e, args...)
}

// TestCrash checks that a panic, in the main or in the reading goroutine, is an internal
// error without an answer.
func TestCrash(t *testing.T) {
	for _, name := range []string{"main", "reader"} {
		t.Run(name, func(t *testing.T) {
			e := &cli.Env{Stdin: panicReader{}}
			args := []string{"solve", "-"}
			if name == "main" {
				args[1] = clitest.Write(t, "f.cnf", "p cnf 1 1\n1 0\n")
				withEngine(t, "broken", &fakeSolver{panics: true})
				args = append(args, "--engine=broken")
			}
			code, out, errs := execute(t, e, args...)
			if code != cli.CodeInternal || strings.Contains(out, "\ns ") || !strings.Contains(errs, "panic: deliberate") {
				t.Errorf("exit code %d\nstandard output:\n%s\nstandard error:\n%s", code, out, errs)
			}
		})
	}
}

type panicReader struct{}

func (panicReader) Read([]byte) (int, error) { panic("deliberate") }

// TestFullDisk checks that a write error on standard output determines the exit code.
func TestFullDisk(t *testing.T) {
	file := clitest.Write(t, "f.cnf", "p cnf 1 1\n1 0\n")
	for _, args := range [][]string{{"solve", file}, {"solve", "--json", file}, {"info", file}, {"convert", file}, {"version"}} {
		var errs bytes.Buffer
		code := Program.Run(&cli.Env{Stdin: strings.NewReader(""), Stdout: fullWriter{}, Stderr: &errs}, args)
		if code != cli.CodeInput || !strings.Contains(errs.String(), "the disk is full") {
			t.Errorf("%v: exit code %d, standard error %q", args, code, errs.String())
		}
	}
}

type fullWriter struct{}

func (fullWriter) Write([]byte) (int, error) { return 0, fmt.Errorf("the disk is full") }
