package commands

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"sator/cmd/internal/cli"
	"sator/internal/effort"
)

// lines has a command line for each command that prints something. Names of families
// and shells are left out.
var lines = []string{
	"solve f.cnf", "solve --json f.cnf", "solve -q f.cnf", "solve -v f.cnf", "f.cnf", "solve --stats f.cnf", "solve --proof - -o answer no.cnf",
	"enumerate f.cnf", "enumerate --json f.cnf", "enumerate -q f.cnf",
	"count f.cnf", "count --json f.cnf",
	"backbone f.cnf", "backbone --json f.cnf", "mus no.cnf", "mus --json no.cnf", "mus --all no.cnf", "maxsat f.wcnf", "maxsat --json f.wcnf",
	"check f.cnf model", "check no.cnf proof", "check f.cnf proof",
	"trace f.cnf", "trace --format dot f.cnf",
	"sudoku animate -o - --format svg puzzle",
	"simplify f.cnf", "cube f.cnf", "conquer f.icnf", "conquer --json f.icnf", "extend stack model",
	"twosat f.cnf", "twosat --json f.cnf", "twosat --format dot f.cnf",
	"info f.cnf", "info --json f.cnf", "convert f.cnf", "generate php", "generate ksat",
	"sudoku solve puzzle", "sudoku solve --format json puzzle", "sudoku count puzzle", "sudoku check puzzle", "sudoku encode puzzle", "sudoku decode sudoku.cnf sudoku.model",
	"sudoku rate puzzle", "sudoku why R1C2 puzzle", "sudoku hint puzzle", "sudoku minimize puzzle",
	"sudoku generate -n 1 --variant 4", "sudoku render puzzle", "sudoku convert --format line puzzle",
	"help", "help solve", "solve -h", "version", "-V", "man", "completion bash",
}

// files are the inputs of the command lines above.
var files = map[string]string{
	"f.cnf":        "p cnf 2 2\n1 2 0\n-1 2 0\n",
	"f.icnf":       "p inccnf\n1 2 0\n-1 2 0\na 1 0\na -1 0\n",
	"f.wcnf":       "h 1 2 0\n3 -1 0\n2 -2 0\n",
	"no.cnf":       "p cnf 1 2\n1 0\n-1 0\n",
	"model":        "s SATISFIABLE\nv 1 2 0\n",
	"proof":        "0\n",
	"stack":        "p stack 2 0\n",
	"puzzle":       "1...\n..3.\n.4..\n...2\n",
	"sudoku.cnf":   "",
	"sudoku.model": "",
}

// inFolder changes to a folder with files.
func inFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, content := range files {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{"sudoku encode puzzle -o sudoku.cnf", "solve -q sudoku.cnf -o sudoku.model"} {
		if code, _, errs := execute(t, new(cli.Env), strings.Fields(line)...); code != 0 && code != 10 {
			t.Fatalf("%s: exit code %d: %s", line, code, errs)
		}
	}
}

// A failingWriter returns an error for one write, the first with the number 1.
type failingWriter struct {
	at, writes int
	err        error
}

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.writes++; w.writes == w.at {
		return 0, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: w.err}
	}
	return len(p), nil
}

// TestOutputLost checks that each command reports an error of a write to standard
// output, the first or the last, and is silent if the output is a closed pipe. Each
// command line prints something.
func TestOutputLost(t *testing.T) {
	effort.Sequential(t)
	inFolder(t)
	run := func(line string, w *failingWriter) (code int, stderr string) {
		var errs bytes.Buffer
		code = Program.Run(&cli.Env{Stdin: strings.NewReader(""), Stdout: w, Stderr: &cli.LockedWriter{W: &errs}}, strings.Fields(line))
		return code, errs.String()
	}
	full, pipe := errors.New("the disk is full"), syscall.EPIPE
	for _, line := range lines {
		sound := new(failingWriter)
		if code, errs := run(line, sound); !slices.Contains([]int{0, 4, 10, 20, 30}, code) || sound.writes == 0 {
			t.Errorf("%s: exit code %d and %d writes: %s", line, code, sound.writes, errs)
		}
		for _, at := range []int{1, sound.writes} {
			w := &failingWriter{at: at, err: full}
			if code, errs := run(line, w); w.writes >= at && (code != 1 || !strings.HasSuffix(errs, "standard output: the disk is full\n")) {
				t.Errorf("%s, write %d of %d: exit code %d, standard error %q", line, at, sound.writes, code, errs)
			}
			w = &failingWriter{at: at, err: pipe}
			if code, errs := run(line, w); w.writes >= at && (code != 141 || strings.Contains(errs, "pipe")) {
				t.Errorf("%s, write %d of %d to a closed pipe: exit code %d, standard error %q", line, at, sound.writes, code, errs)
			}
		}
	}
	for _, c := range Program.App(new(cli.Env)).Commands {
		names := []string{c.Name}
		if c.Name == "sudoku" {
			names = nil
			for _, sub := range c.Subcommands {
				names = append(names, "sudoku "+sub.Name)
			}
		}
		for _, name := range names {
			if !strings.Contains("\n"+strings.Join(lines, "\n"), "\n"+name) {
				t.Errorf("the test has no command line for %q", name)
			}
		}
	}
}
