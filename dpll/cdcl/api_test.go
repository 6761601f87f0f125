package cdcl_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/internal/cdcltest"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// A traced solver implements dplltest.API.
type traced struct{ *cdcl.Solver }

func (s traced) Limit(conflicts, decisions, propagations int64) {
	s.SetLimits(cdcl.Limits{Conflicts: conflicts, Decisions: decisions, Propagations: propagations})
}

func (s traced) Copy() dplltest.FullAPI { return traced{s.Clone()} }

func newTraced(setup dplltest.Setup) dplltest.API {
	return traced{newSolver(cdcl.Options{}, setup)}
}

// TestTraces runs random and recorded sequences of calls.
func TestTraces(t *testing.T) {
	cdcl.PollDensely(t)
	cfg := dplltest.Config{Seed: 1, Rounds: 500, Whole: 10_000, Knobs: cdcltest.Knobs()}
	dplltest.RunTraces(t, filepath.Join("testdata", "traces"), newTraced, cfg)
}

// TestIncrementalTraces runs random sequences with the calls of dplltest.FullAPI.
func TestIncrementalTraces(t *testing.T) {
	cdcl.PollDensely(t)
	cfg := dplltest.Config{Seed: 5e6, Rounds: 500, Whole: 30_000, Knobs: cdcltest.Knobs(), FullAPI: true}
	dplltest.RunTraces(t, filepath.Join("testdata", "traces"), newTraced, cfg)
}

// TestStoppedTraces runs random sequences in which calls are often stopped, in builds with
// satcheck anywhere, under options with which simplifications and reductions come early.
func TestStoppedTraces(t *testing.T) {
	cdcl.PollDensely(t)
	knobs := cdcltest.Knobs()
	for i := range knobs {
		switch k := &knobs[i]; k.Name {
		case "inprocess-interval", "reduce-interval", "simplify", "substitute", "eliminate", "congruence":
			k.Often = []int{1}
		case "reduce-fraction":
			k.Often = []int{100}
		}
	}
	cfg := dplltest.Config{Seed: 6e6, Rounds: 500, Whole: 30_000, Knobs: knobs, FullAPI: true, Stops: true}
	dplltest.RunTraces(t, filepath.Join("testdata", "traces"), newTraced, cfg)
}

// pigeons returns the pigeonhole formula of holes+1 pigeons, which is unsatisfiable.
func pigeons(holes int) *dimacs.Formula {
	at := func(p, h int) int { return p*holes + h + 1 }
	f := dimacs.NewFormula(0)
	for p := range holes + 1 {
		var c []int
		for h := range holes {
			c = append(c, at(p, h))
			for q := range p {
				f.AddInts(-at(p, h), -at(q, h))
			}
		}
		f.AddInts(c...)
	}
	return f
}

// uniform returns a random 3-SAT formula. If hidden is not nil it satisfies all clauses.
func uniform(seed uint64, vars, clauses int, hidden dimacs.Model) *dimacs.Formula {
	r := rand.New(rand.NewPCG(seed, 3))
	f := dimacs.NewFormula(vars)
	for f.Len() < clauses {
		var c []dimacs.Lit
		for range 3 {
			c = append(c, dimacs.Lit(r.IntN(2*vars)))
		}
		if hidden == nil || hidden.Clause(c) == dimacs.True {
			f.Add(c...)
		}
	}
	return f
}

// hopeless returns a random unsatisfiable formula that takes any solver longer than a
// day.
func hopeless() *dimacs.Formula { return uniform(8, 1000, 5000, nil) }

// hide returns a random model.
func hide(seed uint64, vars int) dimacs.Model {
	r := rand.New(rand.NewPCG(seed, 4))
	m := make(dimacs.Model, vars)
	for v := range m {
		m[v] = dimacs.False
		if r.IntN(2) == 0 {
			m[v] = dimacs.True
		}
	}
	return m
}

// load returns a solver with the clauses of f.
func load(o cdcl.Options, f *dimacs.Formula) *cdcl.Solver {
	s := cdcl.New(o)
	s.AddFormula(f)
	return s
}

// middling returns formulas that take some hundred to some thousand conflicts.
func middling() []*dimacs.Formula {
	return []*dimacs.Formula{
		pigeons(6),
		uniform(1, 120, 520, nil),
		uniform(2, 120, 511, nil),
		uniform(3, 150, 600, hide(3, 150)),
	}
}

// busy returns options with which all mechanisms run early.
func busy() cdcl.Options {
	o := cdcl.Options{}
	o.Chrono, o.ChronoReuse = 2, true
	o.ModeInterval, o.ReduceInterval, o.RephaseInterval, o.ReluctantInterval = 50, 20, 30, 16
	o.NoWalk = true // finds models before the other mechanisms run
	return o
}

// run solves each formula with a new solver and returns the statistics.
func run(t *testing.T, o cdcl.Options, fs []*dimacs.Formula) []cdcl.Stats {
	t.Helper()
	var all []cdcl.Stats
	for i, f := range fs {
		s := load(o, f)
		status := s.Solve(context.Background())
		if status == dimacs.Unknown {
			t.Errorf("formula %d: no answer", i)
		}
		if status == dimacs.Satisfiable && !s.Model().Satisfies(f) {
			t.Errorf("formula %d: no model", i)
		}
		all = append(all, s.Stats())
	}
	return all
}

// TestDeterminism checks that the same input, options and seed give the same run: again,
// in any goroutine and with any number of processors.
func TestDeterminism(t *testing.T) {
	effort.Comparison(t)
	for name, o := range map[string]cdcl.Options{"default": {}, "busy": busy()} {
		fs := middling()
		want := run(t, o, fs)
		if got := run(t, o, fs); !slices.Equal(got, want) {
			t.Errorf("%s: two runs differ:\n%+v\n%+v", name, got, want)
		}
		for _, procs := range []int{1, 2, 4} {
			before := runtime.GOMAXPROCS(procs)
			got := make([][]cdcl.Stats, 2)
			var group sync.WaitGroup
			for i := range got {
				group.Go(func() { got[i] = run(t, o, fs) })
			}
			group.Wait()
			runtime.GOMAXPROCS(before)
			for _, g := range got {
				if !slices.Equal(g, want) {
					t.Errorf("%s: a run on %d processors differs:\n%+v\n%+v", name, procs, g, want)
				}
			}
		}
	}
}

// TestSolversShareNothing checks that a solver does not change the runs of later ones,
// also when their seeds differ.
func TestSolversShareNothing(t *testing.T) {
	effort.Comparison(t)
	fs := middling()
	options := []cdcl.Options{{}, busy(), {}, busy()}
	options[2].Stable, options[3].Seed = cdcl.StableMode, 7
	var want, got [4][]cdcl.Stats
	for i, o := range options {
		want[i] = run(t, o, fs)
	}
	var group sync.WaitGroup
	for i, o := range options {
		group.Go(func() { got[i] = run(t, o, fs) })
	}
	group.Wait()
	for i := range options {
		if !slices.Equal(got[i], want[i]) {
			t.Errorf("solver %d among others:\n%+v\nand alone:\n%+v", i, got[i], want[i])
		}
	}
}

// TestMechanismsAreVisited checks that the formulas of the other tests reach all
// mechanisms.
func TestMechanismsAreVisited(t *testing.T) {
	var sum cdcl.Stats
	for _, st := range run(t, busy(), middling()) {
		sum.Restarts += st.Restarts
		sum.ReusedTrails += st.ReusedTrails
		sum.Chronological += st.Chronological
		sum.ModeSwitches += st.ModeSwitches
		sum.Rephases += st.Rephases
		sum.Reductions += st.Reductions
		sum.Collections += st.Collections
		sum.MinimizedLits += st.MinimizedLits
		sum.ShrunkenLits += st.ShrunkenLits
		sum.ReducedClauses += st.ReducedClauses
	}
	for name, n := range map[string]int64{
		"restarts": sum.Restarts, "reused trails": sum.ReusedTrails,
		"chronological backtracks": sum.Chronological, "mode switches": sum.ModeSwitches,
		"rephases": sum.Rephases, "reductions": sum.Reductions, "collections": sum.Collections,
		"minimized literals": sum.MinimizedLits, "shrunken literals": sum.ShrunkenLits,
		"reduced clauses": sum.ReducedClauses,
	} {
		if n == 0 {
			t.Errorf("no %s", name)
		}
	}
}

// TestCancellation checks that a call ends soon after its context, and that later calls
// give right answers.
func TestCancellation(t *testing.T) {
	s := load(cdcl.Options{}, hopeless())
	for i := range 5 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(i)*20*time.Millisecond)
		status := s.Solve(ctx)
		cancel()
		if status != dimacs.Unknown {
			t.Fatalf("call %d: %v of a formula that is too hard", i, status)
		}
	}
	s.Add(dimacs.Lits(-1, -12)...)
	if status := s.Solve(context.Background(), dimacs.Lits(1, 12)...); status != dimacs.Unsatisfiable {
		t.Errorf("assumptions against a clause: %v", status)
	}
	if core := s.Failed(); len(core) == 0 || len(core) > 2 {
		t.Errorf("the core is %v", core)
	}
}

// checking reports whether the engine checks its invariants at each step, in time that
// grows with the formula.
func checking() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool {
		return s.Key == "-tags" && slices.Contains(strings.Split(s.Value, ","), "satcheck")
	})
}

// TestCancellationOfLargeFormula cancels calls for a large formula while its clauses are
// connected and during search, and continues afterwards.
func TestCancellationOfLargeFormula(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	vars := 150_000
	if checking() {
		vars = 1_000
	}
	f := uniform(5, vars, 3*vars, hide(5, vars))
	s := load(cdcl.Options{}, f)
	status := dimacs.Unknown
	for i := 0; status == dimacs.Unknown && i < 20; i++ {
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(i*i)*100*time.Microsecond)
		status = s.Solve(ctx)
		cancel()
	}
	if status == dimacs.Unknown {
		status = s.Solve(context.Background())
	}
	if status != dimacs.Satisfiable || !s.Model().Satisfies(f) {
		t.Errorf("at last: %v", status)
	}
}

// TestManyInterruptions checks that a search with many interruptions, also while clauses
// are connected or collected, gives the right answers. The time between interruptions
// grows, since each call begins at the root.
func TestManyInterruptions(t *testing.T) {
	fs := []*dimacs.Formula{uniform(6, 10_000, 33_000, hide(6, 10_000)), uniform(7, 200, 860, nil)}
	if checking() {
		fs = []*dimacs.Formula{uniform(6, 300, 1200, hide(6, 300)), uniform(7, 100, 430, nil)}
	}
	for i, f := range fs {
		want := load(busy(), f).Solve(context.Background())
		s := load(busy(), f)
		status, calls := dimacs.Unknown, 0
		for status == dimacs.Unknown && calls < 500 {
			ctx, cancel := dplltest.CancelAfter(1 + calls/4)
			status = s.Solve(ctx)
			cancel()
			calls++
		}
		if status != want || status == dimacs.Satisfiable && !s.Model().Satisfies(f) {
			t.Errorf("formula %d after %d calls: %v, want %v", i, calls, status, want)
		}
		t.Logf("formula %d: %v, %d calls, %d collections", i, status, calls, s.Stats().Collections)
	}
}

// TestLimits checks that each limit ends a call with Unknown, not before it is reached
// and soon after: limits are checked when propagation has ended without a conflict.
// Without the limit the solver must find the right answer.
func TestLimits(t *testing.T) {
	hard := pigeons(6)
	tests := []struct {
		name   string
		limits cdcl.Limits
		count  func(cdcl.Stats) int64
		slack  int64
	}{
		{"conflicts", cdcl.Limits{Conflicts: 20}, func(s cdcl.Stats) int64 { return s.Conflicts }, 0},
		{"decisions", cdcl.Limits{Decisions: 20}, func(s cdcl.Stats) int64 { return s.Decisions }, 0},
		{"propagations", cdcl.Limits{Propagations: 500}, func(s cdcl.Stats) int64 { return s.Propagations }, int64(hard.Vars())},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := load(cdcl.Options{}, hard)
			s.SetLimits(test.limits)
			for range 3 {
				before := s.Stats()
				if status := s.Solve(context.Background()); status != dimacs.Unknown {
					t.Fatalf("got %v", status)
				}
				limit := test.limits.Conflicts + test.limits.Decisions + test.limits.Propagations
				if n := test.count(s.Stats()) - test.count(before); n < limit || n > limit+test.slack {
					t.Errorf("%d, with a limit of %d", n, limit)
				}
			}
			s.SetLimits(cdcl.Limits{})
			if status := s.Solve(context.Background()); status != dimacs.Unsatisfiable {
				t.Errorf("without limits: %v", status)
			}
		})
	}
}

// TestLimitedSlices checks the answers of calls that are limited to a few conflicts each.
func TestLimitedSlices(t *testing.T) {
	effort.Comparison(t)
	for i, f := range middling() {
		want := load(cdcl.Options{}, f).Solve(context.Background())
		for _, slice := range []int64{1, 10} {
			s := load(cdcl.Options{}, f)
			s.SetLimits(cdcl.Limits{Conflicts: slice})
			got := dimacs.Unknown
			for n := 0; got == dimacs.Unknown && n < 1_000_000; n++ {
				got = s.Solve(context.Background())
			}
			if got != want {
				t.Errorf("formula %d in slices of %d: %v, want %v", i, slice, got, want)
			}
		}
	}
}

// TestWhy checks the reasons of Unknown, and that there is none after another answer.
func TestWhy(t *testing.T) {
	s := load(cdcl.Options{}, hopeless())
	limited := func(l cdcl.Limits, want string) {
		t.Helper()
		s.SetLimits(l)
		answer := s.Solve(context.Background())
		if err := (*cdcl.LimitError)(nil); answer != dimacs.Unknown || !errors.As(s.Why(), &err) || err.Limit != want {
			t.Errorf("%v, %v, want the limit of %s", answer, s.Why(), want)
		}
	}
	limited(cdcl.Limits{Conflicts: 1}, "conflicts")
	limited(cdcl.Limits{Decisions: 1}, "decisions")
	limited(cdcl.Limits{Propagations: 1}, "propagations")
	limited(cdcl.Limits{Rounds: 1}, "rounds")
	limited(cdcl.Limits{Time: 1}, "time")
	limited(cdcl.Limits{Time: 50 * time.Millisecond}, "time")
	s.SetLimits(cdcl.Limits{})

	tired := errors.New("tired")
	ctx, cancel := context.WithCancelCause(context.Background())
	time.AfterFunc(time.Millisecond, func() { cancel(tired) })
	if s.Solve(ctx); s.Why() != tired {
		t.Errorf("%v, want the cause of the context", s.Why())
	}
	s.SetTerminate(func() bool { return true })
	if s.Solve(context.Background()); s.Why() != cdcl.ErrTerminated {
		t.Errorf("%v, want %v", s.Why(), cdcl.ErrTerminated)
	}
	s.SetTerminate(nil)
	if answer := s.Simplify(context.Background(), 1); answer != dimacs.Unknown || s.Why() != nil {
		t.Errorf("Simplify: %v, %v", answer, s.Why())
	}
	s.Add()
	if answer := s.Solve(context.Background()); answer != dimacs.Unsatisfiable || s.Why() != nil {
		t.Errorf("%v, %v", answer, s.Why())
	}
}

// TestPhaseHints checks that initial phases that are a model lead to just this model.
func TestPhaseHints(t *testing.T) {
	const vars = 200
	for _, stable := range []int{cdcl.FocusedMode, cdcl.BothModes, cdcl.StableMode} {
		hidden := hide(9, vars)
		f := uniform(9, vars, 4*vars, hidden)
		o := cdcl.Options{}
		o.Stable = stable
		s := load(o, f)
		for _, l := range hidden.Lits() {
			s.SetPhase(l)
		}
		if status := s.Solve(context.Background()); status != dimacs.Satisfiable {
			t.Fatalf("got %v", status)
		}
		if !slices.Equal(s.Model(), hidden) || s.Stats().Conflicts != 0 {
			t.Errorf("stable %d: another model after %d conflicts", stable, s.Stats().Conflicts)
		}
	}
}

// TestCallbacksMayNotCall checks that calls from a callback panic.
func TestCallbacksMayNotCall(t *testing.T) {
	var s *cdcl.Solver
	calls := map[string]func(){
		"Add":   func() { s.Add(dimacs.FromInt(1)) },
		"Solve": func() { s.Solve(context.Background()) },
	}
	for name, call := range calls {
		o := cdcl.Options{}
		var message any
		o.Learned = func([]dimacs.Lit) {
			defer func() { message = recover() }()
			call()
		}
		s = load(o, pigeons(4))
		if status := s.Solve(context.Background()); status != dimacs.Unsatisfiable {
			t.Errorf("%s from the callback: %v", name, status)
		}
		if text, ok := message.(string); !ok || !strings.HasPrefix(text, "cdcl: ") {
			t.Errorf("%s from the callback: %v", name, message)
		}
	}
}

// TestLearnedCallback checks that the Learned callback receives every learned clause,
// and that the formula implies each.
func TestLearnedCallback(t *testing.T) {
	f := uniform(21, 14, 62, nil)
	o := busy()
	received := int64(0)
	o.Learned = func(c []dimacs.Lit) {
		received++
		var negated []dimacs.Lit
		for _, l := range c {
			negated = append(negated, l.Not())
		}
		if status, _ := dplltest.Brute(f, negated...); status != dimacs.Unsatisfiable {
			t.Errorf("%v does not follow", c)
		}
	}
	s := load(o, f)
	s.Solve(context.Background())
	if st := s.Stats(); received != st.Learned || received == 0 {
		t.Errorf("the callback received %d clauses, learned %d", received, st.Learned)
	}
}

// TestNewPanicsOnOptions checks that New panics if options are out of range.
func TestNewPanicsOnOptions(t *testing.T) {
	for _, k := range cdcl.Knobs {
		for _, value := range []int{k.Min - 1, k.Max + 1} {
			o := cdcl.Options{}
			message := func() (m any) {
				defer func() { m = recover() }()
				o.Set(k.Name, value)
				return nil
			}()
			if want := fmt.Sprintf("%s is %d", k.Name, value); message == nil || !strings.Contains(fmt.Sprint(message), want) {
				t.Errorf("%s: %v", want, message)
			}
		}
	}
}

// TestMisuse checks the panics of solvers that are used against their contract.
func TestMisuse(t *testing.T) {
	ctx := context.Background()
	one := dimacs.FromInt(1)
	o := cdcl.Options{}
	o.Exchange = idle{}
	for _, test := range []struct {
		want string
		call func()
	}{
		{"a Solver that New or Clone has not made", func() { new(cdcl.Solver).Solve(ctx) }},
		{"a Solver that New or Clone has not made", func() { new(cdcl.Solver).Add(one) }},
		{"a Solver that New or Clone has not made", func() { new(cdcl.Solver).NewVar() }},
		{"a Solver that New or Clone has not made", func() { s := *cdcl.New(cdcl.Options{}); s.Add(one) }},
		{"called with a nil context", func() { var none context.Context; cdcl.New(cdcl.Options{}).Solve(none) }},
		{"called with a nil context", func() { var none context.Context; cdcl.New(cdcl.Options{}).Simplify(none, 1) }},
		{"called while solving", func() {
			s := cdcl.New(cdcl.Options{})
			s.SetTerminate(func() bool {
				message := make(chan any)
				go func() { // a second goroutine
					defer func() { message <- recover() }()
					s.Add(one)
				}()
				panic(<-message)
			})
			s.Solve(ctx)
		}},
		{"NewGroup or Enumerate called for a solver with Exchange", func() { cdcl.New(o).Enumerate(nil) }},
		{"Failed needs another answer of Solve", func() { cdcl.New(cdcl.Options{}).Failed() }},
		{"Model needs another answer of Solve", func() {
			s := cdcl.New(cdcl.Options{})
			s.Solve(ctx)
			s.NewGroup()
			s.Model()
		}},
	} {
		func() {
			defer func() {
				if r := recover(); r != "cdcl: "+test.want {
					t.Errorf("panic %v, want %s", r, test.want)
				}
			}()
			test.call()
		}()
	}
}

// An idle exchange has no clauses.
type idle struct{}

func (idle) Export(cdcl.Shared) bool     { return false }
func (idle) Pending(int64) bool          { return false }
func (idle) Import() (cdcl.Shared, bool) { return cdcl.Shared{}, false }
func (idle) Used(int)                    {}
