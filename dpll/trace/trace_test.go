package trace_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/trace"
	"sator/internal/diagram"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// TestReplay replays the steps of random formulas: each follows from the rules of the search, the
// learned clauses equal a run without a trace, and the answer is right.
func TestReplay(t *testing.T) {
	effort.Sequential(t)
	kinds := make(map[trace.Kind]int)
	for _, seed := range effort.Seeds(500, 20_000) {
		_, c := dplltest.RandomCase(seed, 0)
		o := trace.Options{Seed: seed, Phase: cdcl.PhaseTrue - 2*int(seed%2), Assumptions: c.Assumptions, Limit: 100_000}
		tr, err := trace.Record(context.Background(), c.Formula, o)
		if err != nil || tr.Full {
			t.Fatalf("seed %d: %v, full: %v", seed, err, tr.Full)
		}
		want, _ := dplltest.Brute(c.Formula, c.Assumptions...)
		if tr.Status != want {
			t.Fatalf("seed %d: %v, want %v\n%v", seed, tr.Status, want, c)
		}
		if err := replay(tr, kinds); err != nil {
			t.Fatalf("seed %d: %v\n%v", seed, err, c)
		}
		if got, want := learned(tr.Steps), untraced(c.Formula, o); !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("seed %d: learned clauses %v, without a trace %v\n%v", seed, got, want, c)
		}
	}
	for _, k := range []trace.Kind{trace.Assume, trace.Decide, trace.Imply, trace.Visit, trace.Watch, trace.Conflict, trace.Backtrack, trace.Learn, trace.Delete} {
		if kinds[k] == 0 {
			t.Errorf("no step of the kind %v", k)
		}
	}
}

// TestReplayLong replays a search with restarts and reductions.
func TestReplayLong(t *testing.T) {
	effort.Sequential(t)
	f := threeSAT(1, 130, 600)
	tr, err := trace.Record(context.Background(), f, trace.Options{Limit: 1_000_000})
	if err != nil {
		t.Fatal(err)
	}
	kinds := make(map[trace.Kind]int)
	if err := replay(tr, kinds); err != nil {
		t.Fatal(err)
	}
	if tr.Status == dimacs.Unknown || kinds[trace.Restart] < 10 || kinds[trace.Delete] < 100 {
		t.Errorf("%v with %d restarts and %d deleted clauses", tr.Status, kinds[trace.Restart], kinds[trace.Delete])
	}
}

// threeSAT returns a random formula with clauses of three literals.
func threeSAT(seed uint64, vars, clauses int) *dimacs.Formula {
	r := rand.New(rand.NewPCG(seed, 3))
	f := dimacs.NewFormula(vars)
	for range clauses {
		vs := r.Perm(vars)
		f.Add(dimacs.Lit(2*vs[0]+r.IntN(2)), dimacs.Lit(2*vs[1]+r.IntN(2)), dimacs.Lit(2*vs[2]+r.IntN(2)))
	}
	return f
}

// replay applies all steps, counts their kinds, and compares the last state with the answer.
func replay(tr *trace.Trace, kinds map[trace.Kind]int) error {
	var s trace.State
	for _, step := range tr.Steps {
		kinds[step.Kind]++
		if err := s.Apply(step); err != nil {
			return err
		}
	}
	switch tr.Status {
	case dimacs.Satisfiable:
		for _, a := range s.Trail {
			if tr.Model.Lit(a.Lit) != dimacs.True {
				return fmt.Errorf("%v is on the trail and not in the model", a.Lit)
			}
		}
		if len(s.Trail) != len(tr.Model) {
			return fmt.Errorf("the trail has %d of %d variables", len(s.Trail), len(tr.Model))
		}
	case dimacs.Unsatisfiable:
		empty := slices.ContainsFunc(s.Clauses, func(c trace.Clause) bool { return len(c.Lits) == 0 })
		if len(tr.Failed) == 0 && !empty {
			return errors.New("the empty clause is not there")
		}
	}
	return nil
}

func learned(steps []trace.Step) (clauses [][]dimacs.Lit) {
	for _, s := range steps {
		if s.Kind == trace.Learn {
			clauses = append(clauses, s.Lits)
		}
	}
	return clauses
}

// A listener collects learned clauses.
type listener struct {
	clauses int64
	learned [][]dimacs.Lit
}

func (l *listener) Hints() bool { return true }
func (l *listener) Original([]dimacs.Lit) int64 {
	l.clauses++
	return l.clauses
}
func (l *listener) Learn(c []dimacs.Lit, _ []int64) int64 {
	l.learned = append(l.learned, slices.Clone(c))
	return l.Original(nil)
}
func (l *listener) Delete(int64, []dimacs.Lit) {}

// untraced returns the learned clauses of the engine without a trace.
func untraced(f *dimacs.Formula, o trace.Options) [][]dimacs.Lit {
	l := &listener{}
	options := cdcl.Options{Seed: o.Seed, Phase: o.Phase, Proof: l}
	preset, _ := cdcl.FindPreset("plain")
	preset.Apply(&options)
	s := cdcl.New(options)
	s.AddFormula(f)
	s.Solve(context.Background(), o.Assumptions...)
	return l.learned
}

// TestWrongSteps changes a step in several ways. The state must refuse each.
func TestWrongSteps(t *testing.T) {
	tr, err := trace.Record(context.Background(), threeSAT(2, 50, 230), trace.Options{Limit: 100_000})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		kind   trace.Kind
		change func(*trace.Step)
		want   string
	}{
		{trace.Imply, func(s *trace.Step) { s.Lit ^= 1 }, "no such literal"},
		{trace.Imply, func(s *trace.Step) { s.Level++ }, "highest level"},
		{trace.Imply, func(s *trace.Step) { s.Clause = 1000 }, "there is no clause"},
		{trace.Imply, func(s *trace.Step) { s.Kind = trace.Conflict }, "is not false"},
		{trace.Imply, func(s *trace.Step) { s.Kind = trace.Decide }, "overlooked"},
		{trace.Watch, func(s *trace.Step) { s.Lits = s.Lits[:1] }, "two watches"},
		{trace.Watch, func(s *trace.Step) { s.Lits = []dimacs.Lit{s.Lits[0], s.Lits[0] ^ 1} }, "no literal"},
		{trace.Visit, func(s *trace.Step) { s.Lit ^= 1 }, "not true"},
		{trace.Learn, func(s *trace.Step) { s.Lits = s.Lits[1:] }, "resolvent"},
		{trace.Learn, func(s *trace.Step) { s.Hints = s.Hints[1:] }, ""},
		{trace.Learn, func(s *trace.Step) { s.Hints = append(s.Hints[:1:1], s.Hints...) }, "no complement"},
	} {
		n, err := firstError(tr.Steps, test.kind, test.change)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, step %d changed: %v, want %q", test.kind, n, err, test.want)
		}
	}
}

// firstError changes the tenth step of a kind, and returns its number and the error of that step or of a
// later one.
func firstError(steps []trace.Step, kind trace.Kind, change func(*trace.Step)) (int, error) {
	var s trace.State
	seen, changed := 0, 0
	for i, step := range steps {
		if step.Kind == kind {
			if seen++; seen == 10 {
				change(&step)
				changed = i
			}
		}
		if err := s.Apply(step); err != nil {
			return changed, err
		}
	}
	return changed, nil
}

// TestDecisions takes the decisions of a run again, and then another one.
func TestDecisions(t *testing.T) {
	f := threeSAT(3, 40, 160)
	first, err := trace.Record(context.Background(), f, trace.Options{Limit: 100_000})
	if err != nil {
		t.Fatal(err)
	}
	var decisions []dimacs.Lit
	for i, step := range first.Steps {
		if step.Kind != trace.Decide {
			continue
		}
		again, err := trace.Record(context.Background(), f, trace.Options{Limit: 100_000, Decisions: append(slices.Clone(decisions), step.Lit.Not())})
		if err != nil {
			t.Fatal(err)
		}
		if got := again.Steps[i]; got.Kind != trace.Decide || got.Lit != step.Lit.Not() || got.Level != step.Level {
			t.Fatalf("step %d: %v instead of the complement of %v", i, got, step)
		}
		if again.Status != first.Status {
			t.Fatalf("%v, and with other decisions %v", first.Status, again.Status)
		}
		decisions = append(decisions, step.Lit)
	}
	if len(decisions) < 5 {
		t.Errorf("only %d decisions", len(decisions))
	}
	_, err = trace.Record(context.Background(), f, trace.Options{Limit: 100_000, Decisions: dimacs.Lits(5, -5)})
	if err == nil || !strings.Contains(err.Error(), "the decision -5 is false already") {
		t.Errorf("decisions 5 and -5: %v", err)
	}
}

// TestLimit ends the recording after each number of steps.
func TestLimit(t *testing.T) {
	f := threeSAT(4, 12, 60)
	whole, err := trace.Record(context.Background(), f, trace.Options{Limit: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	limit := 0
	for i, step := range whole.Steps {
		if step.Kind == trace.Add || step.Kind == trace.Watch {
			continue
		}
		limit++
		tr, err := trace.Record(context.Background(), f, trace.Options{Limit: limit})
		if err != nil || !tr.Full || len(tr.Steps) != i+1 {
			t.Fatalf("limit %d: %d steps, want %d; full: %v, %v", limit, len(tr.Steps), i+1, tr.Full, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if tr, _ := trace.Record(ctx, f, trace.Options{Limit: 100}); tr.Status != dimacs.Unknown || tr.Full {
		t.Errorf("canceled: %v, full: %v", tr.Status, tr.Full)
	}
}

// pigeons is the formula of three pigeons in two holes.
func pigeons() *dimacs.Formula {
	f := dimacs.NewFormula(6)
	for _, c := range [][]int{{1, 2}, {3, 4}, {5, 6}, {-1, -3}, {-1, -5}, {-3, -5}, {-2, -4}, {-2, -6}, {-4, -6}} {
		f.AddInts(c...)
	}
	return f
}

// TestGolden compares the texts and drawings of a trace with files; UPDATE=1 writes them.
func TestGolden(t *testing.T) {
	tr, err := trace.Record(context.Background(), pigeons(), trace.Options{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "pigeons.txt", func(w io.Writer) error { return tr.Text(w, "unsatisfiable") })
	golden(t, "pigeons.json", func(w io.Writer) error {
		for _, s := range tr.Steps {
			line, err := json.Marshal(s)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "%s\n", line)
		}
		return nil
	})
	graph, err := tr.ConflictGraph(1)
	proof, err2 := trace.ProofGraph(tr.Steps, "refutation")
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	for name, d := range map[string]*diagram.Diagram{"conflict": graph, "proof": proof} {
		golden(t, name+".dot", d.DOT)
		golden(t, name+".svg", func(w io.Writer) error {
			var b bytes.Buffer
			if err := d.SVG(&b); err != nil {
				return err
			}
			if err := xml.Unmarshal(b.Bytes(), new(struct{})); err != nil {
				return err
			}
			_, err := w.Write(b.Bytes())
			return err
		})
	}
}

func golden(t *testing.T, name string, write func(io.Writer) error) {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(path); err != nil || !bytes.Equal(want, b.Bytes()) {
		t.Errorf("%s: %v, or not as it was:\n%s", path, err, &b)
	}
}

// TestDrawingErrors asks for graphs that are not there, and for one that is too large.
func TestDrawingErrors(t *testing.T) {
	tr, err := trace.Record(context.Background(), threeSAT(5, 100, 480), trace.Options{Limit: 1_000_000})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, -1, 1_000_000} {
		if _, err := tr.ConflictGraph(n); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("no conflict %d", n)) {
			t.Errorf("conflict %d: %v", n, err)
		}
	}
	if _, err := trace.ProofGraph(nil, ""); err == nil {
		t.Error("a proof without a learned clause is drawn")
	}
	var size *diagram.SizeError
	if _, err := trace.ProofGraph(tr.Steps, ""); !errors.As(err, &size) || size.Nodes <= diagram.MaxNodes {
		t.Errorf("a large proof: %v", err)
	}
}

// TestTracedOptions makes solvers that cannot be traced.
func TestTracedOptions(t *testing.T) {
	plain := cdcl.Options{Trace: func(cdcl.Step) {}}
	preset, _ := cdcl.FindPreset("plain")
	preset.Apply(&plain)
	for name, change := range map[string]func(*cdcl.Options){
		"no proof": func(o *cdcl.Options) {},
		"Verify":   func(o *cdcl.Options) { o.Proof, o.Verify = &listener{}, true },
		"walk":     func(o *cdcl.Options) { o.Proof = &listener{}; o.Set("walk", 1) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if r := fmt.Sprint(recover()); !strings.Contains(r, "Options.Trace needs") {
					t.Errorf("the panic is %q", r)
				}
			}()
			o := plain
			change(&o)
			cdcl.New(o)
		})
	}
}
