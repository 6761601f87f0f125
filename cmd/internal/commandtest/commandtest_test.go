package commandtest_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sator/cmd/internal/commands"
	"sator/cmd/internal/commandtest"
	"sator/internal/effort"
)

// sator runs the commands in this process.
var sator = commandtest.InProcess(commands.Program)

// A fault changes the results of a program.
type fault struct {
	name string
	test string // test that must find it
	kind string // kind of the failures; a regular expression
	with func(commandtest.Call, *commandtest.Result)
}

var faults = []fault{
	{"no last literal", "solve", "incomplete model", func(_ commandtest.Call, r *commandtest.Result) {
		r.Stdout = regexp.MustCompile(`(v.*) -?\d+ 0\n$`).ReplaceAllString(r.Stdout, "$1 0\n")
	}},
	{"wrong literal", "solve", "wrong model", func(_ commandtest.Call, r *commandtest.Result) {
		r.Stdout = strings.Replace(r.Stdout, "\nv 1 ", "\nv -1 ", 1)
	}},
	{"exit code 0", "count", "status and exit code|exit code 0 instead of [124]+0?", func(_ commandtest.Call, r *commandtest.Result) { r.Code = 0 }},
	{"wrong number", "count", "number of models", func(_ commandtest.Call, r *commandtest.Result) {
		r.Stdout = regexp.MustCompile(`(?m)^c s exact arb int \d+`).ReplaceAllString(r.Stdout, "${0}0")
	}},
	{"internal error", "simplify", "exit code 3", func(c commandtest.Call, r *commandtest.Result) {
		if c.Args[0] == "simplify" {
			r.Code = 3
		}
	}},
	{"noise", "twosat", "lines on standard error", func(c commandtest.Call, r *commandtest.Result) {
		if c.Args[0] == "twosat" {
			r.Stderr += "sator twosat: hello\n"
		}
	}},
	{"another file", "convert", "unexpected file", func(c commandtest.Call, r *commandtest.Result) {
		if c.Args[0] == "convert" {
			os.WriteFile(filepath.Join(c.Dir, "core"), nil, 0o666)
		}
	}},
	{"overwritten input", "info", "unexpected file", func(c commandtest.Call, r *commandtest.Result) {
		if names, _ := filepath.Glob(filepath.Join(c.Dir, "f0*")); c.Args[0] == "info" && len(names) > 0 {
			os.Truncate(names[0], 0)
		}
	}},
	{"removed input", "trace", "lost file", func(c commandtest.Call, r *commandtest.Result) {
		if names, _ := filepath.Glob(filepath.Join(c.Dir, "f0*")); c.Args[0] == "trace" && len(names) > 0 {
			os.Remove(names[0])
		}
	}},
	{"believed proof", "check", "exit code 0 instead of 4|verdict|false proof accepted", func(c commandtest.Call, r *commandtest.Result) {
		if r.Code == 4 && c.Args[0] == "check" {
			r.Code, r.Stdout = 0, "s VERIFIED\n"
		}
	}},
	{"answer after a mistake", "mistakes", "output after a mistake|exit code 10 instead of 1", func(c commandtest.Call, r *commandtest.Result) {
		if r.Code == 1 {
			r.Stdout += "s UNKNOWN\n"
		}
	}},
}

// TestFinds checks that rounds find deliberate faults, and that Shrink returns a small case
// with a failure of the same kind.
func TestFinds(t *testing.T) {
	effort.Sequential(t)
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			z := &commandtest.Fuzzer{Temp: t.TempDir(), Only: f.test, Program: func(c commandtest.Call) commandtest.Result {
				r := sator(c)
				f.with(c, &r)
				return r
			}}
			for seed := range uint64(500) {
				r := z.Round(seed)
				if r.Failure == nil {
					continue
				}
				kind := r.Failure.Kind
				r.Shrink()
				if r.Failure.Kind != kind || !regexp.MustCompile(f.kind).MatchString(kind) {
					t.Errorf("%s, shrunk to %v", kind, r.Failure)
				}
				if n := len(r.Failure.Case.Clauses); n > 6 {
					t.Errorf("%d clauses are left: %s", n, r.Failure.Report())
				}
				return
			}
			t.Error("not found")
		})
	}
}

// TestSave checks that a saved failure has its files and its command lines.
func TestSave(t *testing.T) {
	z := &commandtest.Fuzzer{Temp: t.TempDir(), Only: "info", Program: func(commandtest.Call) commandtest.Result {
		return commandtest.Result{Code: 3, Stderr: "sator: broken\n"}
	}}
	r := z.Round(1)
	if r.Failure == nil {
		t.Fatal("no failure")
	}
	r.Shrink()
	dir := filepath.Join(t.TempDir(), "found")
	if err := r.Failure.Save(dir, "repeat: seed 1"); err != nil {
		t.Fatal(err)
	}
	report, err := os.ReadFile(filepath.Join(dir, "report"))
	if want := "repeat: seed 1\nexit code 3: sator: broken\n\n\ncommands:\n  sator info --json f0.cnf # exit code 3\n    sator: broken\n"; err != nil || string(report) != want {
		t.Errorf("error %v, report\n%s\nwant\n%s", err, report, want)
	}
	if formula, err := os.ReadFile(filepath.Join(dir, "f0.cnf")); err != nil || string(formula) != "p cnf 0 0\n" {
		t.Errorf("error %v, formula %q", err, formula)
	}
}

// TestReportsAll checks that the report of a failure in a command on a derived case, the
// script of cube, has all commands up to there.
func TestReportsAll(t *testing.T) {
	z := &commandtest.Fuzzer{Temp: t.TempDir(), Only: "cube", Program: func(c commandtest.Call) commandtest.Result {
		if c.Args[0] == "conquer" {
			return commandtest.Result{Code: 3}
		}
		return sator(c)
	}}
	r := z.Round(1)
	if r.Failure == nil {
		t.Fatal("no failure")
	}
	if got := r.Failure.Commands; len(got) != 2 || !strings.HasPrefix(got[0], "sator cube ") || !strings.HasPrefix(got[1], "sator conquer ") {
		t.Errorf("commands %q, want cube and conquer", got)
	}
}

// TestSameSeed checks that a seed draws the same round.
func TestSameSeed(t *testing.T) {
	lines := func() (all []string) {
		z := &commandtest.Fuzzer{Temp: t.TempDir(), Program: func(c commandtest.Call) commandtest.Result {
			all = append(all, strings.ReplaceAll(strings.Join(c.Args, " "), c.Dir, ""))
			return commandtest.Result{Code: 3}
		}}
		for seed := range uint64(50) {
			z.Round(seed)
		}
		return all
	}
	if a, b := lines(), lines(); !slices.Equal(a, b) || len(a) < 40 {
		t.Errorf("%d and %d command lines", len(a), len(b))
	}
}
