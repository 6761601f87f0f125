package commands

import (
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/clitest"
	"sator/dimacs/proof"
	"sator/internal/effort"
)

// TestCheckTimeLimit checks that --time ends a check, even while a read blocks, with
// "s UNKNOWN" and the exit code of an error.
func TestCheckTimeLimit(t *testing.T) {
	file := clitest.Write(t, "f.cnf", "p cnf 1 1\n1 0\n")
	silent, open := io.Pipe()
	defer open.Close()
	for _, args := range [][]string{
		{"check", "--time=0.1", file, "-"},
		{"check", "--time=0.1", "-", file},
		{"check", "--time=0.1", "--from=drat-text", file, "-"},
		{"check", "--time=0.1", "--from=solution", file, "-"},
	} {
		code, out, errs := execute(t, &cli.Env{Stdin: silent}, args...)
		if code != cli.CodeInput || errs != "" || !strings.HasPrefix(out, "c stopped after ") || !strings.HasSuffix(out, ": time limit of 100ms\ns UNKNOWN\n") {
			t.Errorf("%v: exit code %d\nstandard output:\n%s\nstandard error:\n%s", args, code, out, errs)
		}
	}
}

// TestCheckStatusLine checks that the status line of a check is shown on a terminal and
// erased at the end.
func TestCheckStatusLine(t *testing.T) {
	file := clitest.Write(t, "f.cnf", "p cnf 1 1\n1 0\n")
	for _, tt := range []struct {
		columns int
		quiet   bool
		shown   bool
	}{
		{80, false, true},
		{80, true, false},
		{0, false, false},
	} {
		var out, screen string
		clitest.Patiently(t, func(limit time.Duration) bool {
			silent, open := io.Pipe()
			defer open.Close()
			args := []string{"check", fmt.Sprint("--time=", max(limit, 2*cli.StatusInterval)), file, "-"}
			if tt.quiet {
				args = append(args, "--quiet")
			}
			_, out, screen = execute(t, &cli.Env{Columns: tt.columns, Stdin: silent}, args...)
			return screen != "" || !tt.shown
		})
		if strings.Contains(out, "\r") || strings.Contains(screen, " MB, ") != tt.shown {
			t.Errorf("%+v: standard output %q, screen %q", tt, out, screen)
		}
		if tt.shown && !strings.HasSuffix(screen, eraseLine) {
			t.Errorf("the status line was not erased: %q", screen)
		}
	}
}

func TestProgressText(t *testing.T) {
	for _, tt := range []struct {
		p    proof.Progress
		want string
	}{
		{proof.Progress{Phase: "reading", Done: 1025}, "reading: 1025 steps"},
		{proof.Progress{Phase: "backward", Done: 250, Total: 1000}, "backward: 250 of 1000 steps (25%)"},
	} {
		if got := progressText(tt.p); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// TestDamagedProof checks that a wrong proof in a damaged archive is reported as
// unreadable, not as wrong. The checksum of a bzip2 archive follows the data.
func TestDamagedProof(t *testing.T) {
	effort.Sequential(t)
	bzip2, err := exec.LookPath("bzip2")
	if err != nil {
		t.Skip(err)
	}
	formula := clitest.Write(t, "f.cnf", "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n")
	cmd := exec.Command(bzip2, "-c")
	cmd.Stdin = strings.NewReader("2 1 0\n1 2 0\n")
	packed, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	code, _, _ := execute(t, new(cli.Env), "check", formula, clitest.Write(t, "whole.bz2", string(packed)))
	if code != cli.CodeWrong {
		t.Fatalf("exit code %d for the whole archive", code)
	}
	packed[10] ^= 1 // in the checksum of the block
	code, out, errs := execute(t, new(cli.Env), "check", formula, clitest.Write(t, "damaged.bz2", string(packed)))
	if code != cli.CodeInput || out != "" || !strings.Contains(errs, "the bzip2 archive is damaged") {
		t.Errorf("exit code %d\nstandard output:\n%s\nstandard error:\n%s", code, out, errs)
	}
}
