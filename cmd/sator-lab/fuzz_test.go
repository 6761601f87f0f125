package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/clitest"
	"sator/cmd/internal/engines"
	"sator/dimacs"
	"sator/dpll/classic"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// A hasty engine is wrong: it drops the third literal of clauses of three
// literals if chrono is at most 7.
type hasty struct {
	traced
	chrono int
}

func (h hasty) Add(lits ...dimacs.Lit) {
	if len(lits) == 3 && h.chrono <= 7 {
		lits = lits[:2]
	}
	h.Solver.Add(lits...)
}

func newHasty(s dplltest.Setup) dplltest.Engine {
	o := testedOptions(s)
	return hasty{newTraced(s, o), o.Get("chrono")}
}

func newBroken(dplltest.Setup) dplltest.Engine { return panicEngine{} }

// A panicEngine panics in each call.
type panicEngine struct{ dplltest.Engine }

func (panicEngine) Grow(int)          { panic("deliberate") }
func (panicEngine) Add(...dimacs.Lit) { panic("deliberate") }

// alone makes fuzz test one engine only, under the name cdcl.
func alone(t *testing.T, start func(dplltest.Setup) dplltest.Engine) {
	t.Helper()
	before := fuzzSubjects
	fuzzSubjects = func() []*dplltest.Subject {
		return []*dplltest.Subject{{Name: "cdcl", New: start, Knobs: testedKnobs()}}
	}
	t.Cleanup(func() { fuzzSubjects = before })
}

// TestFuzzTestsAll checks that fuzz tests every engine of sator.
func TestFuzzTestsAll(t *testing.T) {
	for _, e := range engines.All {
		tested := func(s *dplltest.Subject) bool { return s.Name == e.Name }
		if e.Name != "auto" && !slices.ContainsFunc(fuzzSubjects(), tested) {
			t.Errorf("engine %s is not among the subjects of fuzz", e.Name)
		}
	}
}

// TestFuzzFinds checks that fuzz finds an engine that is wrong under one setting,
// shrinks formula and settings, and saves them with the commands that reproduce
// the failure, for any number of workers.
func TestFuzzFinds(t *testing.T) {
	effort.Sequential(t)
	alone(t, newHasty)
	for kind, traces := range map[string]string{"cnf": "0", "trace": "100"} {
		t.Run(kind, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "found")
			args := []string{"fuzz", "--seed", "1", "--rounds", "60", "--traces", traces, "--vars", "0", "--output", dir}
			code, out, errs := execute(t, new(cli.Env), append(args, "--jobs", "2")...)
			names, err := filepath.Glob(filepath.Join(dir, "fuzz-*."+kind))
			if code != cli.CodeWrong || errs != "" || err != nil || len(names) == 0 {
				t.Fatalf("exit code %d, %d files, error %v, standard error %q\n%s", code, len(names), err, errs, out)
			}
			if n := strings.Count(out, "FAILURE "); n != len(names) || !regexp.MustCompile(fmt.Sprintf(`(?m)^failures +%d$`, n)).MatchString(out) {
				t.Errorf("%d files, %d failures\n%s", len(names), n, out)
			}
			_, again, _ := execute(t, new(cli.Env), append(args, "--jobs", "1")...)
			if without(again) != without(out) {
				t.Errorf("one worker reports\n%s\ntwo report\n%s", again, out)
			}
			for _, name := range names {
				checkSaved(t, name, out)
			}
		})
	}
}

// without removes from a report the lines that depend on workers and time.
func without(report string) string {
	return regexp.MustCompile(`(?m)^(seed|seconds|formulas and|  a second).*$`).ReplaceAllString(report, "")
}

// checkSaved checks a saved failure of the hasty engine.
func checkSaved(t *testing.T, name, out string) {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := string(content)
	if !regexp.MustCompile(`(?m)^. option chrono 7$|^option chrono 7$`).MatchString(text) || strings.Count(text, "option ") != 1 {
		t.Errorf("%s: not shrunk to chrono 7:\n%s", name, text)
	}
	repeat := regexp.MustCompile(`(?m)^[c#] sator-lab (fuzz .*)$`).FindStringSubmatch(text)
	if repeat == nil || !strings.Contains(out, "repeat: sator-lab "+repeat[1]) {
		t.Fatalf("%s: no command that repeats it:\n%s", name, text)
	}
	args := append(strings.Fields(repeat[1]), "--output", filepath.Dir(name))
	if code, out, _ := execute(t, new(cli.Env), args...); code != cli.CodeWrong || !strings.Contains(out, "saved: "+name) {
		t.Errorf("%v: exit code %d\n%s", args, code, out)
	}
	if filepath.Ext(name) == ".trace" {
		if _, err := dplltest.ParseTrace(strings.NewReader(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return
	}
	line := regexp.MustCompile(`(?m)^c sator (solve .*)$`).FindStringSubmatch(text)
	if line == nil || !strings.Contains(line[1], " --set=chrono=7") {
		t.Fatalf("%s: no command that solves it:\n%s", name, text)
	}
	assumed := regexp.MustCompile(` --assume "(.*)"`)
	args = strings.Fields(assumed.ReplaceAllString(line[1], ""))
	if literals := assumed.FindStringSubmatch(line[1]); literals != nil {
		args = append(args, "--assume", literals[1])
	}
	solve := exec.Command("sator", args...)
	output, _ := solve.CombinedOutput()
	if code := solve.ProcessState.ExitCode(); code == cli.CodeUsage || code == cli.CodeInput {
		t.Errorf("%v: exit code %d\n%s", args, code, output)
	}
}

// TestFuzzEndsEarly checks that an engine that always fails ends the run.
func TestFuzzEndsEarly(t *testing.T) {
	alone(t, newBroken)
	code, out, _ := execute(t, new(cli.Env), "fuzz", "--seed", "5", "--output", t.TempDir())
	if code != cli.CodeWrong || strings.Count(out, "FAILURE ") != maxFailures || !strings.Contains(out, "panic: deliberate") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// TestFuzzCannotSave checks that a failure is printed even if it cannot be saved.
func TestFuzzCannotSave(t *testing.T) {
	alone(t, newBroken)
	file := clitest.Write(t, "file", "")
	code, out, errs := execute(t, new(cli.Env), "fuzz", "--seed", "5", "--rounds", "2", "--output", file)
	if code != cli.CodeInput || strings.Count(out, "not saved: ") != 2 || !strings.Contains(errs, "sator-lab fuzz: ") {
		t.Errorf("exit code %d, standard error %q\n%s", code, errs, out)
	}
}

// TestWithin checks that within abandons a call that does not return, at the
// limit or after the end of the context, and that a panic is a failure.
func TestWithin(t *testing.T) {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	forever := func() *dplltest.Round { select {} }
	at := func() *dplltest.Round { return &dplltest.Round{Seed: 7} }
	for _, tt := range []struct {
		name  string
		ctx   context.Context
		limit time.Duration
		f     func() *dplltest.Round
		seed  uint64 // seed of the result; 0 for no result
		over  bool
	}{
		{"returns", context.Background(), time.Minute, at, 7, false},
		{"returns when the command is to end", over, time.Minute, at, 7, false},
		{"does not return", context.Background(), time.Millisecond, forever, 0, true},
		{"does not return when the command is to end", over, time.Minute, forever, 0, false},
	} {
		round, late := within(tt.ctx, tt.limit, tt.f)
		if late != tt.over || (round == nil) != (tt.seed == 0) || round != nil && round.Seed != tt.seed {
			t.Errorf("%s: %v, over %v", tt.name, round, late)
		}
	}
	round, _ := within(context.Background(), time.Minute, func() *dplltest.Round { panic("deliberate") })
	if round == nil || round.Err == nil || !strings.Contains(round.Err.Error(), "deliberate") {
		t.Errorf("panic: %v", round)
	}
}

// TestFuzzStatus checks that a terminal shows a status line, and that the line is removed
// at the end.
func TestFuzzStatus(t *testing.T) {
	var code int
	var out, errs string
	clitest.Patiently(t, func(limit time.Duration) bool {
		code, out, errs = execute(t, &cli.Env{Columns: 60}, "fuzz", "--seed", "1", "--time", fmt.Sprint(limit))
		return code != 0 || errs != ""
	})
	if code != 0 || !strings.Contains(errs, " formulas and ") || !strings.HasSuffix(errs, "\r\x1b[K") || strings.Contains(out, "\r") {
		t.Errorf("exit code %d, standard error %q\n%s", code, errs, out)
	}
}

// TestClassicWords checks that the printed flags set the options of the round.
func TestClassicWords(t *testing.T) {
	knobs := classicKnobs()
	for round := range 300 {
		setup := dplltest.Setup{Settings: []dplltest.Setting{
			{Name: "heuristic", Value: round % len(classic.Heuristics)},
			{Name: "mom-k", Value: round % (knobs[1].Max + 1)},
			{Name: "pure", Value: round % 3},
		}}
		var got classic.Options
		app := &cli.App{Name: "sator", Flags: cli.ClassicFlags(), Action: func(c *cli.Context) (err error) {
			got, err = cli.ClassicOptionsOf(c)
			return err
		}}
		if err := app.Run(append([]string{"sator"}, classicWords(setup)...)); err != nil {
			t.Fatal(err)
		}
		want := classicOptions(setup)
		if want.Heuristic != "mom" {
			want.MomK = got.MomK
		}
		if got.Heuristic != want.Heuristic || got.MomK != want.MomK || got.Pure != want.Pure {
			t.Fatalf("%v: %v", setup.Settings, classicWords(setup))
		}
	}
}
