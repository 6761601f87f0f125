package classic_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"sator/dimacs"
	"sator/dpll/classic"
	"sator/internal/effort"
)

// traces are runs whose events are in testdata.
var traces = []struct {
	name        string
	options     classic.Options
	clauses     [][]int
	assumptions []int
}{
	{"satisfiable", options("first", classic.PureOff), [][]int{{1, 2}, {-1, 3}, {-1, -3, 4}, {-2, -4}, {5, 6}}, nil},
	{"unsatisfiable", options("jw2", classic.PureOff), [][]int{{1, 2}, {1, -2}, {-1, 3, 4}, {-1, 3, -4}, {-3, 5}, {-3, -5}}, nil},
	{"pure", options("mom", classic.PureEvery), [][]int{{1, 2}, {-1, 2, 3}, {-2, 4}, {-2, -4, 1}, {-3, 5, 6}, {-5, -6, 3}}, nil},
	{"assumptions", options("first", classic.PureRoot), [][]int{{7}, {-1, 2}, {-2, 3, 4}, {-2, -3}, {-3, 5}}, []int{7, 1, -4}},
	{"failed", options("first", classic.PureRoot), [][]int{{-1, 2}, {-2, 3}}, []int{1, -3}},
	{"empty", options("first", classic.PureOff), [][]int{{1}, {-1}}, nil},
}

func traceFormula(clauses [][]int) *dimacs.Formula {
	f := dimacs.NewFormula(0)
	for _, c := range clauses {
		f.AddInts(c...)
	}
	return f
}

// TestGoldenTraces compares the events with the files of testdata. UPDATE=1 writes
// the files.
func TestGoldenTraces(t *testing.T) {
	effort.Comparison(t)
	for _, x := range traces {
		f := traceFormula(x.clauses)
		var text, lines bytes.Buffer
		asText, asJSON := classic.NewTextTracer(&text, f), classic.NewJSONTracer(&lines)
		o := x.options
		o.Trace = func(e classic.Event) { asText.Event(e); asJSON.Event(e) }
		load(o, f).Solve(context.Background(), dimacs.Lits(x.assumptions...)...)
		if asText.Err() != nil || asJSON.Err() != nil {
			t.Fatal(asText.Err(), asJSON.Err())
		}
		golden(t, filepath.Join("testdata", x.name+".txt"), text.Bytes())
		golden(t, filepath.Join("testdata", x.name+".jsonl"), lines.Bytes())
	}
}

// golden compares the output with a file. With UPDATE set it writes the file.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if os.Getenv("UPDATE") != "" {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: got\n%swant\n%s", file, got, want)
	}
}

// TestTraceReplays rebuilds the trail from the events alone. It checks that reasons
// imply their literals, that conflicts are falsified, that solutions are models,
// and that the counts agree with Stats.
func TestTraceReplays(t *testing.T) {
	for seed := range uint64(30) {
		f := uniform(seed, 40, 170)
		h := classic.Heuristics[seed%uint64(len(classic.Heuristics))]
		var events []classic.Event
		o := options(h.Name, pures[seed%3])
		o.Trace = func(e classic.Event) { events = append(events, e) }
		s := load(o, f)
		assumptions := []dimacs.Lit{dimacs.Lit(seed), dimacs.Lit(79 - seed)}
		s.Solve(context.Background(), assumptions...)
		r := traceReplay{f: f, model: make(dimacs.Model, f.Vars()), nodes: 1}
		for i, e := range events {
			if err := r.step(e); err != nil {
				t.Fatalf("seed %d: event %d, %+v: %v", seed, i, e, err)
			}
		}
		st := s.Stats()
		if st.Nodes != r.nodes || st.Conflicts != r.count[classic.Conflict] || st.Decisions != r.count[classic.Decide] ||
			st.Propagations != r.count[classic.Propagate] || st.Pure != r.count[classic.PureLiteral] ||
			st.Backtracks != r.count[classic.Backtrack] || st.Solutions != r.count[classic.Solution] {
			t.Fatalf("seed %d: %+v, but %v and %d nodes in the trace", seed, st, r.count, r.nodes)
		}
	}
}

// A traceReplay is the state of a search, rebuilt from events.
type traceReplay struct {
	f      *dimacs.Formula
	model  dimacs.Model
	trail  []dimacs.Lit
	starts []int // of levels
	nodes  int64
	count  [8]int64
}

// step applies an event. It returns an error if the event does not fit the state.
func (r *traceReplay) step(e classic.Event) error {
	r.count[e.Kind]++
	switch e.Kind {
	case classic.Backtrack:
		at := r.starts[e.Level-1]
		if r.trail[at] != e.Lit.Not() {
			return fmt.Errorf("level %d began with %v", e.Level, r.trail[at])
		}
		for _, l := range r.trail[at:] {
			r.model[l.Var()] = dimacs.Unassigned
		}
		r.trail, r.starts = r.trail[:at], r.starts[:e.Level-1]
		r.nodes++
		r.begin(e.Lit)
	case classic.Decide:
		r.nodes++
		r.begin(e.Lit)
	case classic.Assume:
		r.begin(e.Lit)
	case classic.PureLiteral:
		for i, c := range r.f.Clauses() {
			for _, l := range c {
				if l == e.Lit.Not() && r.model.Clause(c) != dimacs.True {
					return fmt.Errorf("the complement is in the open clause %d", i)
				}
			}
		}
		r.assign(e.Lit)
	case classic.Propagate:
		if r.model.Lit(e.Lit) != dimacs.Unassigned {
			return errors.New("assigned already")
		}
		r.model.Set(e.Lit.Not())
		if r.model.Clause(r.f.Clause(e.Clause)) != dimacs.False {
			return errors.New("the clause does not imply it")
		}
		r.assign(e.Lit)
	case classic.Conflict:
		if r.model.Clause(r.f.Clause(e.Clause)) != dimacs.False {
			return errors.New("the clause is not falsified")
		}
	case classic.Solution:
		if !r.model.Satisfies(r.f) {
			return errors.New("not a model")
		}
	}
	if e.Level != len(r.starts) || e.Assigned != len(r.trail) || e.Node != r.nodes {
		return fmt.Errorf("level %d, %d assigned, node %d", len(r.starts), len(r.trail), r.nodes)
	}
	return nil
}

// begin starts a level with the decision l.
func (r *traceReplay) begin(l dimacs.Lit) {
	r.starts = append(r.starts, len(r.trail))
	r.assign(l)
}

func (r *traceReplay) assign(l dimacs.Lit) {
	r.model.Set(l)
	r.trail = append(r.trail, l)
}

// TestTraceJSON checks that reading is the inverse of writing.
func TestTraceJSON(t *testing.T) {
	var file bytes.Buffer
	var want []classic.Event
	tracer := classic.NewJSONTracer(&file)
	o := options("jw2", classic.PureEvery)
	o.Trace = func(e classic.Event) { want = append(want, e); tracer.Event(e) }
	load(o, uniform(4, 30, 120)).Solve(context.Background(), dimacs.Lits(1, 2)...)
	lines := bufio.NewScanner(&file)
	for i := 0; lines.Scan(); i++ {
		var e classic.Event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil || e != want[i] {
			t.Fatalf("event %d: %+v as %s is read as %+v, %v", i, want[i], lines.Bytes(), e, err)
		}
		want[i] = classic.Event{}
	}
	if len(want) == 0 || want[len(want)-1] != (classic.Event{}) {
		t.Error("events are missing")
	}
	for _, wrong := range []string{`{"event":"jump"}`, `{"event":"decide"}`, `{"event":"decide","lit":2000000000}`, `{`, `{"event":3}`} {
		var e classic.Event
		if json.Unmarshal([]byte(wrong), &e) == nil {
			t.Errorf("%s is read as %+v", wrong, e)
		}
	}
}

// TestTraceError checks that a tracer reports an error and then stops writing.
func TestTraceError(t *testing.T) {
	w := new(fullDisk)
	tracer := classic.NewTextTracer(w, nil)
	for range 5 {
		tracer.Event(classic.Event{Kind: classic.Decide, Level: 1})
	}
	if !errors.Is(tracer.Err(), errFull) || w.calls != 3 {
		t.Errorf("%v after %d calls", tracer.Err(), w.calls)
	}
}

var errFull = errors.New("disk full")

// A fullDisk returns an error from the third call of Write on.
type fullDisk struct{ calls int }

func (w *fullDisk) Write(b []byte) (int, error) {
	if w.calls++; w.calls > 2 {
		return 0, errFull
	}
	return len(b), nil
}
