package classic_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/classic"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// traced adapts a solver to dplltest.API. It ignores phases, which are up to the
// heuristics.
type traced struct{ *classic.Solver }

func (s traced) Limit(conflicts, decisions, propagations int64) {
	s.SetLimits(classic.Limits{Conflicts: conflicts, Decisions: decisions, Propagations: propagations})
}

func (s traced) SetPhase(l dimacs.Lit) { s.Grow(int(l.Var()) + 1) }

// TestTraces checks the answers of random sequences of calls.
func TestTraces(t *testing.T) {
	cfg := dplltest.Config{Seed: 1, Rounds: 500, Whole: 10_000, Knobs: knobs, Proves: dplltest.PlainProofs}
	newTraced := func(s dplltest.Setup) dplltest.API { return traced{newSolver(classic.DefaultOptions(), s)} }
	dplltest.RunTraces(t, filepath.Join("testdata", "traces"), newTraced, cfg)
}

// load returns a solver with the clauses of f.
func load(o classic.Options, f *dimacs.Formula) *classic.Solver {
	s := classic.New(o)
	s.AddFormula(f)
	return s
}

// panics returns the message of the panic of f, or an empty one.
func panics(f func()) (message string) {
	defer func() {
		if x := recover(); x != nil {
			message, _ = x.(string)
		}
	}()
	f()
	return ""
}

// TestMisuse checks the panic messages of wrong calls.
func TestMisuse(t *testing.T) {
	ctx := context.Background()
	one := dimacs.FromInt(1)
	wrong := func(change func(*classic.Options)) func() {
		o := classic.DefaultOptions()
		change(&o)
		return func() { classic.New(o) }
	}
	within := func(call func(s *classic.Solver)) func() {
		return func() {
			var s *classic.Solver
			o := classic.DefaultOptions()
			o.Trace = func(classic.Event) { call(s) }
			s = classic.New(o)
			s.Add(one)
			s.Solve(ctx)
		}
	}
	for _, test := range []struct {
		name, want string
		call       func()
	}{
		{"zero options", `unknown heuristic ""`, func() { classic.New(classic.Options{}) }},
		{"heuristic", `unknown heuristic "best"`, wrong(func(o *classic.Options) { o.Heuristic = "best" })},
		{"mode", "invalid mode of pure literals 3: want 0 to 2", wrong(func(o *classic.Options) { o.Pure = 3 })},
		{"k", "invalid k of mom 31: want 0 to 30", wrong(func(o *classic.Options) { o.MomK = 31 })},
		{"model before", "Model needs another answer", func() { classic.New(classic.DefaultOptions()).Model() }},
		{"value before", "Value needs another answer", func() { classic.New(classic.DefaultOptions()).Value(one) }},
		{"failed before", "Failed needs another answer", func() { classic.New(classic.DefaultOptions()).Failed() }},
		{"model after adding", "Model needs another answer", func() {
			s := classic.New(classic.DefaultOptions())
			s.Solve(ctx)
			s.Add(one)
			s.Model()
		}},
		{"model after counting", "Model needs another answer", func() {
			s := classic.New(classic.DefaultOptions())
			s.Solve(ctx)
			s.Count(ctx, nil)
			s.Model()
		}},
		{"variables", "1073741824 variables", func() { classic.New(classic.DefaultOptions()).Grow(dimacs.MaxVars + 1) }},
		{"adding while solving", "called while solving", within(func(s *classic.Solver) { s.Add(one) })},
		{"solving while solving", "called while solving", within(func(s *classic.Solver) { s.Solve(ctx) })},
		{"solving within an iteration", "called while solving", func() {
			s := classic.New(classic.DefaultOptions())
			for range s.Models(ctx, nil) {
				s.Solve(ctx)
			}
		}},
	} {
		got := panics(test.call)
		if !strings.HasPrefix(got, "classic: ") || !strings.Contains(got, test.want) {
			t.Errorf("%s: panic %q, want one about %q", test.name, got, test.want)
		}
	}
}

// TestHeuristics checks that the table of heuristics is sorted and complete, and
// that each name and alias finds its heuristic.
func TestHeuristics(t *testing.T) {
	for i, h := range classic.Heuristics {
		if i > 0 && classic.Heuristics[i-1].Name >= h.Name {
			t.Errorf("%s is out of order", h.Name)
		}
		if h.Help == "" || h.Source == "" {
			t.Errorf("%s has no help or no source", h.Name)
		}
		if definitions[h.Name] == nil {
			t.Errorf("%s has no definition in the reference", h.Name)
		}
		if found, ok := classic.FindHeuristic(h.Name); !ok || found.Name != h.Name {
			t.Errorf("%s finds %v", h.Name, found)
		}
	}
	if _, ok := classic.FindHeuristic("none"); ok {
		t.Error("found an unknown heuristic")
	}
}

// TestParsePure checks that ParsePure is the inverse of String.
func TestParsePure(t *testing.T) {
	for i, name := range classic.PureNames() {
		if p, err := classic.ParsePure(name); err != nil || p != classic.Pure(i) || p.String() != name {
			t.Errorf("%s is %v, %v", name, p, err)
		}
	}
	if _, err := classic.ParsePure("on"); err == nil || !strings.Contains(err.Error(), `invalid mode of pure literals "on"`) {
		t.Errorf("on: %v", err)
	}
}

// TestLimits checks that limits end a call, and that each call starts a new search.
func TestLimits(t *testing.T) {
	f := uniform(2, 100, 426)
	unlimited := load(classic.DefaultOptions(), f)
	answer := unlimited.Solve(context.Background())
	if st := unlimited.Stats(); st.Conflicts < 50 || st.Decisions < 50 {
		t.Fatalf("too easy: %+v", st)
	}
	s := load(classic.DefaultOptions(), f)
	for _, test := range []struct {
		limits classic.Limits
		count  func(classic.Stats) int64
		most   int64
	}{
		{classic.Limits{Conflicts: 10}, func(st classic.Stats) int64 { return st.Conflicts }, 10},
		{classic.Limits{Decisions: 20}, func(st classic.Stats) int64 { return st.Decisions }, 20},
		{classic.Limits{Propagations: 100}, func(st classic.Stats) int64 { return st.Propagations }, 200},
	} {
		for range 2 {
			before := test.count(s.Stats())
			s.SetLimits(test.limits)
			if got := s.Solve(context.Background()); got != dimacs.Unknown {
				t.Fatalf("%+v: %v", test.limits, got)
			}
			if n := test.count(s.Stats()) - before; n < test.most/2 || n > test.most {
				t.Errorf("%+v: %d", test.limits, n)
			}
		}
	}
	s.SetLimits(classic.Limits{})
	before := s.Stats()
	if got := s.Solve(context.Background()); got != answer {
		t.Fatalf("%v after limits, %v without", got, answer)
	}
	if got, want := s.Stats().Nodes-before.Nodes, unlimited.Stats().Nodes; got != want {
		t.Errorf("%d nodes after limits, %d without", got, want)
	}
}

// hard returns an unsatisfiable formula that DPLL cannot refute in a test.
func hard() *dimacs.Formula { return uniform(1, 1000, 8000) }

// TestTime checks that the time limit and the context end a call.
func TestTime(t *testing.T) {
	s := load(classic.DefaultOptions(), hard())
	s.SetLimits(classic.Limits{Time: 20 * time.Millisecond})
	if got := s.Solve(context.Background()); got != dimacs.Unknown {
		t.Fatal(got)
	}
	s.SetLimits(classic.Limits{})
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, all := s.Count(ctx, nil); all {
		t.Fatal("all models were counted")
	}
}

// TestInterruptedAnywhere stops calls while they build tables. The next call must
// complete the tables, also with clauses added in between.
func TestInterruptedAnywhere(t *testing.T) {
	for seed := range uint64(2) {
		r := rand.New(rand.NewPCG(seed, 9))
		s := classic.New(options("first", classic.PureEvery))
		f := dimacs.NewFormula(0)
		hidden := make(dimacs.Model, 20_000)
		for v := range hidden {
			hidden[v] = dimacs.Value(1 - 2*r.IntN(2))
		}
		stops := 0
		for round := range 12 {
			for n := f.Len() + 30_000/(1+5*min(round, 1)); f.Len() < n; {
				var c []dimacs.Lit
				for range 1 + r.IntN(3) + r.IntN(3) {
					c = append(c, dimacs.Lit(r.IntN(2*len(hidden))))
				}
				if hidden.Clause(c) == dimacs.True {
					f.Add(c...)
					s.Add(c...)
				}
			}
			ctx, cancel := context.Background(), func() {}
			if round < 11 {
				ctx, cancel = dplltest.CancelAfter(1 + r.IntN(4))
			}
			got := s.Solve(ctx)
			cancel()
			switch {
			case got == dimacs.Unsatisfiable || got == dimacs.Unknown && round == 11:
				t.Fatalf("seed %d: %v, but there is a model", seed, got)
			case got == dimacs.Unknown:
				stops++
			default:
				if i := s.Model().Falsified(f); i >= 0 {
					t.Fatalf("seed %d: the model does not satisfy clause %v", seed, f.Clause(i))
				}
			}
		}
		if stops < 4 {
			t.Errorf("seed %d: stopped %d times only", seed, stops)
		}
	}
}

// TestDeterminism checks that equal seeds give equal runs, and different seeds
// different ones.
func TestDeterminism(t *testing.T) {
	effort.Comparison(t)
	f := uniform(7, 60, 255)
	run := func(seed uint64) classic.Stats {
		o := options("random", classic.PureEvery)
		o.Seed = seed
		s := load(o, f)
		s.Solve(context.Background())
		return s.Stats()
	}
	want := run(1)
	other := want
	var group sync.WaitGroup
	for seed := range uint64(4) {
		group.Go(func() {
			got := run(seed)
			if seed == 1 && got != want {
				t.Errorf("first %+v, then %+v", want, got)
			}
			if seed == 2 {
				other = got
			}
		})
	}
	group.Wait()
	if other == want {
		t.Error("seeds 1 and 2 give the same run")
	}
}

// TestProgress checks that Progress is called at the start, at the end, and in
// between.
func TestProgress(t *testing.T) {
	var all []classic.Stats
	o := classic.DefaultOptions()
	o.Progress = func(st classic.Stats) { all = append(all, st) }
	s := load(o, hard())
	s.SetLimits(classic.Limits{Conflicts: 1000})
	s.Solve(context.Background())
	if len(all) < 3 || all[0].Decisions != 0 || all[len(all)-1] != s.Stats() {
		t.Errorf("%d reports, the last of %+v", len(all), all[len(all)-1])
	}
}

// TestFootprint compares Footprint with the size of the tables.
func TestFootprint(t *testing.T) {
	f := uniform(1, 2000, 8000)
	for _, h := range classic.Heuristics {
		s := load(options(h.Name, classic.PureEvery), f)
		s.SetLimits(classic.Limits{Decisions: 1})
		s.Solve(context.Background())
		size, bound := s.Stats().Bytes, classic.Footprint(f.Vars(), f.Len(), f.Size())
		if size < 200_000 || size > bound || bound > 2_000_000 {
			t.Errorf("%s: %d bytes, but Footprint returns %d", h.Name, size, bound)
		}
	}
}

// TestProof checks the steps of a small proof. Pure literals are assigned, but the
// proof does not contain them.
func TestProof(t *testing.T) {
	// After the decision 1, the literal 4 is pure: all clauses with -4 are satisfied.
	f := dimacs.NewFormula(0)
	for _, c := range [][]int{{1, 2}, {1, -2}, {-1, 3, 4}, {-1, 5, 6}, {-1, 5, -6}, {-1, -5, 6}, {-1, -5, -6}, {1, -3}, {1, -4}} {
		f.AddInts(c...)
	}
	var file bytes.Buffer
	w := proof.NewWriter(&file, proof.DRAT, f.Len())
	o := options("first", classic.PureEvery)
	o.Proof = w
	s := load(o, f)
	if got := s.Solve(context.Background()); got != dimacs.Unsatisfiable || s.Stats().Pure == 0 {
		t.Fatal(got, s.Stats())
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	want := "-1 -5 0\n-1 0\nd -1 -5 0\n0\n"
	if got := file.String(); got != want {
		t.Errorf("the proof is\n%swant\n%s", got, want)
	}
	result, err := proof.Check(context.Background(), f, &file, proof.Options{Forward: true})
	if err != nil || result.RAT != 0 {
		t.Errorf("%+v, %v", result, err)
	}
}

// TestLemmasAreDeleted checks that a call deletes the lemmas of the call before it.
func TestLemmasAreDeleted(t *testing.T) {
	f := dimacs.NewFormula(0)
	for _, c := range [][]int{{1, 3}, {-1, 2}, {-1, -2}} {
		f.AddInts(c...)
	}
	p := dplltest.NewRecorder(false)
	o := options("first", classic.PureOff)
	o.Proof = p
	s := load(o, f)
	for call := range 3 {
		if got := s.Solve(context.Background()); got != dimacs.Satisfiable {
			t.Fatal(got)
		}
		s.Add(dimacs.Lits(1, 3, 4+call)...)
		if got, want := p.Alive(0), f.Len()+call+1; got != want {
			t.Errorf("call %d: the proof has %d clauses, want %d", call+1, got, want)
		}
	}
	if p.Learned() == 0 {
		t.Error("no lemma was learned")
	}
}

// TestStatsAreCounted checks that each field of Stats is counted.
func TestStatsAreCounted(t *testing.T) {
	f := uniform(3, 40, 160)
	f.AddInts(1, -1)
	s := load(options("first", classic.PureEvery), f)
	s.Solve(context.Background())
	s.Count(context.Background(), nil)
	st := reflect.ValueOf(s.Stats())
	var zero []string
	for i := range st.NumField() {
		if st.Field(i).IsZero() {
			zero = append(zero, st.Type().Field(i).Name)
		}
	}
	if zero != nil {
		t.Errorf("never counted: %v of %+v", zero, s.Stats())
	}
}

// TestAnswers checks that a model covers the variables of Grow, and that failed
// assumptions are assumptions.
func TestAnswers(t *testing.T) {
	s := classic.New(classic.DefaultOptions())
	s.Grow(5)
	s.Add(dimacs.Lits(1, -2)...)
	s.Add(dimacs.Lits(2, 3)...)
	ctx := context.Background()
	if got := s.Solve(ctx, dimacs.Lits(-1, 7)...); got != dimacs.Satisfiable {
		t.Fatal(got)
	}
	if m := s.Model(); len(m) != 7 || slices.Contains(m, dimacs.Unassigned) {
		t.Errorf("model %v", m)
	}
	if got := s.Solve(ctx, dimacs.Lits(7, -1, -6, -3)...); got != dimacs.Unsatisfiable {
		t.Fatal(got)
	}
	failed := s.Failed()
	slices.Sort(failed)
	if !slices.Equal(failed, dimacs.Lits(-1, -3)) {
		t.Errorf("failed %v", failed)
	}
}

// TestNewVar checks the numbers of new variables, and that models have them.
func TestNewVar(t *testing.T) {
	s := classic.New(classic.DefaultOptions())
	s.Add(dimacs.Lits(1, -3)...)
	for want := 3; want < 6; want++ {
		if v := s.NewVar(); int(v) != want || s.Vars() != want+1 {
			t.Errorf("variable %d of %d, want %d", v, s.Vars(), want)
		}
	}
	if s.Solve(context.Background()) != dimacs.Satisfiable || len(s.Model()) != s.Vars() {
		t.Errorf("the model does not have %d variables", s.Vars())
	}
}
