package program

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/internal/effort"
)

// These tests run the program with little address space, where a failed allocation ends
// with a stack dump of the Go runtime. The runtime takes about 790 MB of it before main.

// within runs the program with so many megabytes of address space. It fails the test
// unless the program ends in order: with an answer; with s UNKNOWN and a reason; or, if it
// prints no answer, with an error of one line. It returns the exit code and the reason.
func within(t *testing.T, megabytes int, dir string, args ...string) (code int, reason string) {
	t.Helper()
	script := fmt.Sprintf(`ulimit -v %d && exec sator "$@"`, megabytes<<10)
	cmd := exec.Command("sh", append([]string{"-c", script, "sh"}, args...)...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{out.String(), errs.String()} {
		if _, after, found := strings.Cut(text, "memory limit of "); found {
			reason, _, _ = strings.Cut(after, "\n")
		}
	}
	answered := strings.Contains(out.String(), "\ns ")
	switch {
	case code == 0 && (!answered || strings.Contains(out.String(), "\ns UNKNOWN\n")) && errs.Len() == 0:
	case code == 10 || code == 20:
	case code == 1 && args[0] == "check" && strings.HasSuffix(out.String(), "\ns UNKNOWN\n") && errs.Len() == 0:
	case code <= 1 && !answered && strings.Count(errs.String(), "\n") == 1:
	default:
		t.Errorf("%d MB, %v: exit code %d\nstandard output:\n%.1000s\nstandard error:\n%.2000s", megabytes, args, code, out.String(), errs.String())
	}
	return code, reason
}

// requireStart skips the test if the program does not start with so little address space,
// as under the race detector.
func requireStart(t *testing.T, megabytes int) {
	t.Helper()
	if err := exec.Command("sh", "-c", fmt.Sprintf("ulimit -v %d && exec sator version", megabytes<<10)).Run(); err != nil {
		t.Skipf("the program does not start with %d MB of address space: %v", megabytes, err)
	}
}

// wideDictionary is an xz archive of the formula "p cnf 2 1", "1 2 0" whose header claims a
// dictionary of 1 GB.
const wideDictionary = "fd377a585a000004e6d6b44602002101240000005e1fc7f901000f7020636e66203220310a31203220300a00b5fc9c55494a187100012810e50b6c601fb6f37d010000000004595a"

// TestAddressSpace gives the program small files that need gigabytes: a variable of a large
// number in a clause, in a model and in an assumption, and an archive with a large
// dictionary.
func TestAddressSpace(t *testing.T) {
	effort.Sequential(t)
	const megabytes = 1 << 10
	requireStart(t, megabytes)
	dir := t.TempDir()
	archive, err := hex.DecodeString(wideDictionary)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"high.cnf":  "p cnf 1073741823 1\n1073741823 0\n",
		"three.cnf": "p cnf 1073741823 2\n1 2 -1073741823 0\n-1 -2 3 0\n",
		"head.cnf":  "p cnf 1073741823 1\n1 2 3 0\n",
		"model.sol": "s SATISFIABLE\nv 1073741823 0\n",
		"low.sol":   "s SATISFIABLE\nv 1 0\n",
		"stack":     "p stack 1073741823 1\n1 2 0\n",
		"wide.xz":   string(archive),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []string{
		"solve three.cnf",
		"solve three.cnf --threads 2",
		"solve three.cnf --verify",
		"solve three.cnf --engine dpll",
		"solve high.cnf --engine twosat",
		"solve high.cnf --engine horn",
		"solve head.cnf",
		"solve wide.xz",
		"info three.cnf",
		"extend stack low.sol",
		"check high.cnf model.sol",
		"simplify three.cnf -o out.cnf",
		"count three.cnf",
		"enumerate three.cnf",
		"cube three.cnf -o out.icnf",
		"conquer three.cnf",
		"twosat high.cnf --forced",
		"trace three.cnf -o out.txt",
	} {
		code, reason := within(t, megabytes, dir, strings.Fields(args)...)
		if code > 1 || !strings.Contains(reason, "(ulimit -v) reached while ") {
			t.Errorf("%s: exit code %d for %q", args, code, reason)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "*out*"))
	if err != nil || len(left) > 0 {
		t.Errorf("files were left: %v, %v", left, err)
	}
	for args, want := range map[string]int{"convert three.cnf -o copy.cnf": 0, "solve head.cnf --no-model --engine cdcl": 10} {
		if code, reason := within(t, megabytes, dir, strings.Fields(args)...); code != want || reason != "" {
			t.Errorf("%s: exit code %d, %q", args, code, reason)
		}
	}
}

// TestLargeFormulas solves formulas of millions of clauses with 1, 2 and 4 GB of address
// space. All of them have a model.
func TestLargeFormulas(t *testing.T) {
	effort.Sequential(t)
	clauses, seconds := 20_000, "0.1"
	if os.Getenv("SATOR_TESTS") == "whole" {
		clauses, seconds = 3_000_000, "2"
	}
	requireStart(t, 1<<10)
	dir := t.TempDir()
	writePlanted(t, filepath.Join(dir, "three.cnf"), 3, clauses/3, clauses)
	writePlanted(t, filepath.Join(dir, "two.cnf"), 2, clauses, clauses)
	writePlanted(t, filepath.Join(dir, "long.cnf"), 6*clauses, 7*clauses, 1)
	limited := 0
	for _, run := range []struct {
		args      string
		megabytes []int
	}{
		{"solve three.cnf", []int{1 << 10, 2 << 10, 4 << 10}},
		{"solve three.cnf --threads 2", []int{1 << 10, 4 << 10}},
		{"solve three.cnf --verify", []int{1 << 10, 2 << 10}},
		{"solve three.cnf --engine dpll", []int{1 << 10, 2 << 10}},
		{"solve two.cnf", []int{1 << 10, 2 << 10}},
		{"solve long.cnf", []int{1 << 10, 2 << 10}},
		{"twosat two.cnf --forced", []int{1 << 10}},
		{"count three.cnf", []int{1 << 10}},
		{"conquer three.cnf --jobs 2", []int{1 << 10}},
		{"simplify three.cnf -o /dev/null", []int{1 << 10}},
		{"convert three.cnf -o /dev/null", []int{1 << 10}},
	} {
		for _, megabytes := range run.megabytes {
			args := strings.Fields(run.args)
			if args[0] != "convert" {
				args = append(args, "--time", seconds)
			}
			code, reason := within(t, megabytes, dir, args...)
			if code == 20 {
				t.Errorf("%d MB, %s: unsatisfiable", megabytes, run.args)
			}
			if reason != "" {
				limited++
			}
			t.Logf("%d MB, %s: exit code %d, memory limit %q", megabytes, run.args, code, reason)
		}
	}
	if clauses > 1_000_000 && limited < 5 {
		t.Errorf("only %d runs reached the limit", limited)
	}
}

// writePlanted writes a random formula of clauses of k literals that has a model.
func writePlanted(t *testing.T, name string, k, vars, clauses int) {
	t.Helper()
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w := bufio.NewWriter(file)
	r := rand.New(rand.NewPCG(uint64(k), uint64(vars)))
	fmt.Fprintf(w, "p cnf %d %d\n", vars, clauses)
	var line []byte
	for range clauses {
		line = line[:0]
		for i := range k {
			l := dimacs.Lit(r.IntN(2 * vars))
			if i == 0 {
				l &^= 1 // all variables true are a model
			}
			line = strconv.AppendInt(line, int64(l.Int()), 10)
			line = append(line, ' ')
		}
		w.Write(append(line, "0\n"...))
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
}
