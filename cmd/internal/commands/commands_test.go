package commands

import (
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
