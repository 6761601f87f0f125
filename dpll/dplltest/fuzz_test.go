package dplltest

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
)

// fuzzKnobs are those of the engines in these tests.
var fuzzKnobs = []Knob{{"switch", 1, 0, 1}, {"size", 5, 0, 1e9}, {"depth", 0, -20, 20}}

func fuzzer(traces int, engines ...func(Setup) Engine) *Fuzzer {
	f := &Fuzzer{Vars: 14, Traces: traces}
	for i, e := range engines {
		f.Subjects = append(f.Subjects, &Subject{Name: string(rune('A' + i)), New: e, Knobs: fuzzKnobs})
	}
	return f
}

// Right engines pass, what they do is counted, and a seed gives the same.
func TestFuzzRight(t *testing.T) {
	f := fuzzer(25, newPlainEngine, newPlainEngine)
	var total Counts
	names := make(map[string]int)
	for seed := range uint64(300) {
		r := f.Round(seed)
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		if again := f.Round(seed); again.Counts != r.Counts || again.Subject != r.Subject || r.Seed != seed {
			t.Errorf("seed %d: %+v, and then %+v", seed, r, again)
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

// Subjects get rounds by their shares, and no larger formulas than they solve.
func TestFuzzShares(t *testing.T) {
	f := fuzzer(0, newPlainEngine, newPlainEngine)
	f.Vars = 200
	f.Subjects[0].Share, f.Subjects[0].Vars = 3, 14
	rounds, large := make(map[string]int), make(map[string]int)
	for seed := range uint64(1000) {
		r := f.Hang(seed)
		rounds[r.Subject]++
		if r.Failure.Case.Formula.Vars() > 80 {
			large[r.Subject]++
		}
	}
	if rounds["A"] < 700 || rounds["B"] < 200 || large["A"] > 0 || large["B"] == 0 {
		t.Errorf("%v, large %v", rounds, large)
	}
}

// A fussy engine is wrong under one setting: where the size is 90 or more, it
// takes clauses of three literals for two. It panics on the third clause when
// the depth is below -3.
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

// What is found is shrunk to a few clauses and the one setting that matters,
// at the value that is nearest to its default.
func TestFuzzShrinks(t *testing.T) {
	for _, test := range []struct {
		traces  int
		want    Setting
		says    string
		clauses int
	}{
		{0, Setting{"size", 90}, "", 4},
		{100, Setting{"size", 90}, "", 5},
		{0, Setting{"depth", -4}, "panic: too deep", 3},
		{100, Setting{"depth", -4}, "panic: too deep", 3},
	} {
		f := fuzzer(test.traces, func(s Setup) Engine { return fussy{newPlain(s)} })
		r := firstFinding(f, func(r *Round) bool {
			return strings.Contains(r.Err.Error(), "panic") == (test.says != "") && strings.Contains(r.Err.Error(), test.says)
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

func firstFinding(f *Fuzzer, wanted func(*Round) bool) *Round {
	for seed := range uint64(500) {
		if r := f.Round(seed); r.Err != nil && wanted(r) {
			return r
		}
	}
	return nil
}

// setup returns how the engine of a finding was set up, and how many clauses it
// was given.
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

// Engines contradict one another where nobody else does.
func TestRivals(t *testing.T) {
	wrong := &Subject{Name: "wrong", New: func(s Setup) Engine { return yes{newPlain(s)} }}
	right := &Subject{Name: "right", New: newPlainEngine, Vars: 2}
	x := trial{subject: wrong, rivals: []*Subject{wrong, right}, tally: new(Counts)}
	c := Case{Formula: formula([]int{1}, []int{-2})}
	if err := unanimous(x, c); err != nil {
		t.Error(err)
	}
	c.Assumptions = dimacs.Lits(2)
	if err := unanimous(x, c); err == nil || !strings.Contains(err.Error(), "UNSATISFIABLE by engine right") {
		t.Errorf("got %v", err)
	}
	c.Formula.Grow(3) // beyond what the right engine is asked
	if err := unanimous(x, c); err != nil {
		t.Error(err)
	}
}

// A yes man says that there is a model, always.
type yes struct{ *plain }

func (e yes) Solve(context.Context, ...dimacs.Lit) dimacs.Status { return dimacs.Satisfiable }

// An engine that cannot be traced is not.
func TestFuzzUntraceable(t *testing.T) {
	f := fuzzer(100, func(s Setup) Engine { return struct{ Engine }{newPlain(s)} })
	for seed := range uint64(5) {
		if r := f.Round(seed); r.Err != nil || r.Counts.Traces > 0 || r.Counts.Formulas == 0 {
			t.Errorf("seed %d: %+v", seed, r)
		}
	}
}

// A round that does not end is described by what it would have done.
func TestEndless(t *testing.T) {
	f := fuzzer(50, newPlainEngine)
	seen := make(map[bool]int)
	for seed := range uint64(20) {
		r := f.Hang(seed)
		setup, _, clauses := r.setup()
		seen[r.Trace != nil]++
		_, want := RandomCase(seed, f.Vars)
		switch {
		case !errors.Is(r.Err, ErrHang) || r.Seed != seed || r.Subject != "A" || setup.Proof != nil,
			r.Trace == nil && clauses != want.Formula.Len(),
			r.Trace != nil && r.Trace.String() != RandomTrace(seed, fuzzKnobs, FullProofs).String():
			t.Errorf("seed %d: %+v", seed, r)
		}
		if r.Shrink(); !errors.Is(r.Err, ErrHang) {
			t.Errorf("seed %d: after shrinking: %v", seed, r.Err)
		}
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("%v", seen)
	}
}

func TestShrinkSettings(t *testing.T) {
	knobs := []Knob{{"a", 0, 0, 100}, {"b", 50, 1, 1e9}, {"c", 7, -100, 100}}
	value := func(settings []Setting, name string, otherwise int) int {
		for _, s := range settings {
			if s.Name == name {
				return s.Value
			}
		}
		return otherwise
	}
	start := []Setting{{"a", 100}, {"b", 123456789}, {"c", -100}, {"unknown", 3}}
	before := slices.Clone(start)
	got := shrinkSettings(start, knobs, func(s []Setting) bool {
		return value(s, "b", 50) >= 1234 && value(s, "c", 7) <= 2 && value(s, "unknown", 0) == 3
	})
	if want := []Setting{{"b", 1234}, {"c", 2}, {"unknown", 3}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if !slices.Equal(start, before) {
		t.Errorf("the settings were changed to %v", start)
	}
}
