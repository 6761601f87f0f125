package dplltest

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
)

// fuzzKnobs are the knobs of the engines in these tests.
var fuzzKnobs = []Knob{{Name: "switch", Default: 1, Min: 0, Max: 1}, {Name: "size", Default: 5, Min: 0, Max: 1e9}, {Name: "depth", Default: 0, Min: -20, Max: 20}}

// fuzzer returns a fuzzer of engines with the names A, B and so on.
func fuzzer(traces int, engines ...func(Setup) Engine) *Fuzzer {
	f := &Fuzzer{Vars: 14, Traces: traces}
	for i, e := range engines {
		f.Subjects = append(f.Subjects, &Subject{Name: string(rune('A' + i)), New: e, Knobs: fuzzKnobs})
	}
	return f
}

// TestFuzzCorrectEngines checks that correct engines pass, that rounds are counted, and that
// a round is a function of its seed.
func TestFuzzCorrectEngines(t *testing.T) {
	f := fuzzer(25, newPlainEngine, newPlainEngine)
	var total Counts
	names := make(map[string]int)
	for seed := range uint64(300) {
		r := f.Round(seed)
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		if again := f.Round(seed); again.Counts != r.Counts || again.Subject != r.Subject || r.Seed != seed {
			t.Errorf("seed %d: first %+v, then %+v", seed, r, again)
		}
		total.Add(&r.Counts)
		names[r.Subject]++
	}
	t.Logf("%+v", total)
	var proofs int64
	for k, n := range total.Proofs {
		proofs += n
		if n == 0 != (ProofKind(k) == NoProof) {
			t.Errorf("%d proofs of kind %v", n, ProofKind(k))
		}
	}
	switch {
	case total.Formulas+total.Traces != 300 || total.Traces < 40 || total.Traces > 110,
		total.Satisfiable+total.Unsatisfiable != total.Formulas || total.Satisfiable < 60 || total.Unsatisfiable < 60,
		total.Answers < 5*300 || total.Refutations < total.Answers/4,
		proofs < total.Refutations/2 || proofs > total.Refutations,
		names["A"] < 100 || names["B"] < 100:
		t.Errorf("%+v by %v", total, names)
	}
}

// A fussy engine is wrong under some settings. If size is 90 or more, it removes the third
// literal of clauses with three literals. If depth is below -3, it panics at the third
// clause.
type fussy struct{ *plain }

func (e fussy) Add(lits ...dimacs.Lit) {
	for _, s := range e.setup.Settings {
		switch {
		case s.Name == "size" && s.Value >= 90 && len(lits) == 3:
			e.setup.Proof = nil
			e.plain.Add(lits...)
			e.clauses[len(e.clauses)-1].lits = slices.Clone(lits[:2])
			return
		case s.Name == "depth" && s.Value < -3 && len(e.clauses) == 2:
			panic("too deep")
		}
	}
	e.plain.Add(lits...)
}

// TestFuzzShrinks checks that failures are shrunk to a few clauses and to the one relevant
// setting, with the value nearest to its default.
func TestFuzzShrinks(t *testing.T) {
	for _, test := range []struct {
		traces  int
		want    Setting
		message string
		clauses int
	}{
		{0, Setting{"size", 90}, "", 4},
		{100, Setting{"size", 90}, "", 5},
		{0, Setting{"depth", -4}, "panic: too deep", 3},
		{100, Setting{"depth", -4}, "panic: too deep", 3},
	} {
		f := fuzzer(test.traces, func(s Setup) Engine { return fussy{newPlain(s)} })
		r := firstFinding(f, func(r *Round) bool {
			return strings.Contains(r.Err.Error(), "panic") == (test.message != "") && strings.Contains(r.Err.Error(), test.message)
		})
		if r == nil {
			t.Errorf("%v: not found", test.want)
			continue
		}
		r.Shrink()
		setup, proof, clauses := r.setup()
		if !reflect.DeepEqual(setup.Settings, []Setting{test.want}) || setup.Seed != 0 || clauses > test.clauses {
			t.Errorf("shrunk to %v, seed %d, proof %v and %d clauses, want %v and %d: %v",
				setup.Settings, setup.Seed, proof, clauses, test.want, test.clauses, r.Err)
		}
	}
}

// firstFinding returns the first failed round that is wanted, or nil.
func firstFinding(f *Fuzzer, wanted func(*Round) bool) *Round {
	for seed := range uint64(500) {
		if r := f.Round(seed); r.Err != nil && wanted(r) {
			return r
		}
	}
	return nil
}

// setup returns the setup of the engine of a failed round, and the number of clauses.
func (r *Round) setup() (Setup, ProofKind, int) {
	if r.Failure != nil {
		return r.Failure.Setup, r.Failure.Proof, r.Failure.Case.Formula.Len()
	}
	n := 0
	for _, op := range r.Trace.Ops {
		if op.Name == "add" {
			n++
		}
	}
	return Setup{Settings: r.Trace.Settings, Seed: r.Trace.Seed}, r.Trace.Proof, n
}

// TestRivals checks that rivals find a wrong answer.
func TestRivals(t *testing.T) {
	wrong := &Subject{Name: "wrong", New: func(s Setup) Engine { return yes{newPlain(s)} }}
	right := &Subject{Name: "right", New: newPlainEngine, Vars: 2}
	x := trial{subject: wrong, rivals: []*Subject{wrong, right}, counts: new(Counts)}
	c := Case{Formula: formula([]int{1}, []int{-2})}
	if err := checkRivals(x, c); err != nil {
		t.Error(err)
	}
	c.Assumptions = dimacs.Lits(2)
	if err := checkRivals(x, c); err == nil || !strings.Contains(err.Error(), "UNSATISFIABLE by engine right") {
		t.Errorf("got %v", err)
	}
	c.Formula.Grow(3) // too large for the right engine
	if err := checkRivals(x, c); err != nil {
		t.Error(err)
	}
}

// A yes engine always returns Satisfiable.
type yes struct{ *plain }

func (e yes) Solve(context.Context, ...dimacs.Lit) dimacs.Status { return dimacs.Satisfiable }
