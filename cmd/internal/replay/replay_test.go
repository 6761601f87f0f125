package replay_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"sator/cmd/internal/replay"
	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/classic"
)

func newCDCL() replay.Solver { return cdcl.New(cdcl.Options{}) }
func newDPLL() replay.Solver { return classic.New(classic.DefaultOptions()) }

// Replay a trace and count the answers.
func ExampleTrace_Replay() {
	t, err := replay.Read(strings.NewReader("a 1 2 0\na -1 3 0\ns 1 0\ns 1 -3 0\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	n, err := t.Replay(context.Background(), newCDCL, func(a replay.Answer) error { return a.Check() })
	fmt.Println(n.Calls, n.Satisfiable, err)
	// Output: 2 1 <nil>
}

// check checks models and failed assumptions.
func check(a replay.Answer) error {
	if err := a.Check(); err != nil {
		return err
	}
	return a.CheckFailed(context.Background(), newDPLL())
}

// TestWorkloads checks that both engines give the same right answers to the generated
// traces, and that the text of a trace is read as it was written.
func TestWorkloads(t *testing.T) {
	calls := map[string]int{"fresh": 50, "assumptions": 0, "growing": 0, "selectors": 0, "pigeons": 0}
	for _, w := range replay.Workloads {
		t.Run(w.Name, func(t *testing.T) {
			trace := w.Make(1, max(calls[w.Name], 9))
			var text bytes.Buffer
			if err := trace.Write(&text); err != nil {
				t.Fatal(err)
			}
			written := text.String()
			again, err := replay.Read(&text)
			if err != nil {
				t.Fatal(err)
			}
			var other bytes.Buffer
			if err := again.Write(&other); err != nil || other.String() != written {
				t.Fatalf("the text changes, or %v", err)
			}
			observe := check
			if w.Name != "fresh" {
				observe = func(a replay.Answer) error { return a.Check() } // too hard for dpll
			}
			n, err := again.Replay(context.Background(), newCDCL, observe)
			if err != nil {
				t.Fatal(err)
			}
			if n.Calls != max(calls[w.Name], 9) || n.Satisfiable == 0 || n.Satisfiable+n.Unsatisfiable != n.Calls {
				t.Errorf("got %+v", n)
			}
			if w.Name != "fresh" {
				return
			}
			if m, err := again.Replay(context.Background(), newDPLL, observe); err != nil || m != n {
				t.Errorf("dpll: %+v, %v; cdcl: %+v", m, err, n)
			}
		})
	}
}

// TestReadErrors checks the places in errors.
func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"n\nb 1 0\n":        `line 2, column 1: unexpected "b": want n, a or s`,
		"a 1 x 0\n":         `line 1, column 5: "x" is not a literal`,
		"# c\n\na 1 2\n":    "line 3, column 6: the literals are not ended by 0",
		"s 1 0 2\n":         `line 1, column 7: unexpected "2" at the end of the line`,
		"n 1\n":             `line 1, column 3: unexpected "1" at the end of the line`,
		"a 99999999999 0\n": `line 1, column 3: "99999999999" is not a literal`,
	} {
		_, err := replay.Read(strings.NewReader(text))
		if syntax := (*replay.SyntaxError)(nil); !errors.As(err, &syntax) || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestParts changes each part of a trace. Each change makes other calls or an error.
func TestParts(t *testing.T) {
	const sample = "# two solvers\nn\na 1 -2 0\na 2 3 0\ns -1 0\nn\na 4 0\ns 0\n"
	calls := func(text string) string {
		trace, err := replay.Read(strings.NewReader(text))
		if err != nil {
			return err.Error()
		}
		var b strings.Builder
		if err := trace.Write(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	want := calls(sample)
	for _, row := range []struct{ part, old, new string }{
		{"comment becomes a call", "# two solvers", "a 5 0"},
		{"comment in another form", "# two", "c two"},
		{"comment behind a call", "s -1 0", "s -1 0 # hard"},
		{"new solver", "n\na 4", "a 4"},
		{"argument of a new solver", "n\n", "n 3\n"},
		{"letter", "a 1", "s 1"},
		{"unknown letter", "a 1", "x 1"},
		{"capital letter", "a 1", "A 1"},
		{"literal", "-2 0", "5 0"},
		{"sign", "-2 0", "2 0"},
		{"literal that is missing", "1 -2 0", "1 0"},
		{"name as a literal", "-2 0", "x2 0"},
		{"end of a clause", "-2 0", "-2"},
		{"text behind the end", "-2 0", "-2 0 3"},
		{"assumption", "s -1", "s 1"},
		{"no assumption", "s -1", "s"},
		{"call", "s 0\n", ""},
		{"order of calls", "a 2 3 0\ns -1 0\n", "s -1 0\na 2 3 0\n"},
	} {
		if text := strings.Replace(sample, row.old, row.new, 1); text == sample || calls(text) == want {
			t.Errorf("%s: the change has no effect in\n%s", row.part, text)
		}
	}
}

// A liar gives a wrong answer to each call.
type liar struct {
	replay.Solver
	answer dimacs.Status
	model  dimacs.Model
	failed []dimacs.Lit
}

func (l liar) Solve(context.Context, ...dimacs.Lit) dimacs.Status { return l.answer }
func (l liar) Model() dimacs.Model                                { return l.model }
func (l liar) Failed() []dimacs.Lit                               { return l.failed }

// TestWrongAnswers checks that wrong answers are detected.
func TestWrongAnswers(t *testing.T) {
	trace, err := replay.Read(strings.NewReader("a 1 2 0\ns -2 0\n"))
	if err != nil {
		t.Fatal(err)
	}
	yes, no := dimacs.True, dimacs.False
	for want, l := range map[string]liar{
		"call 1: the model falsifies clause 1":                       {answer: dimacs.Satisfiable, model: dimacs.Model{no, no}},
		"call 1: the assumption -2 is not true":                      {answer: dimacs.Satisfiable, model: dimacs.Model{yes, yes}},
		"call 1: the failed literal -1 is not an assumption":         {answer: dimacs.Unsatisfiable, failed: dimacs.Lits(-1)},
		"call 1: SATISFIABLE with the failed assumptions as clauses": {answer: dimacs.Unsatisfiable, failed: dimacs.Lits(-2)},
		"call 1: no answer":                                          {answer: dimacs.Unknown},
	} {
		l.Solver = newCDCL()
		_, err := trace.Replay(context.Background(), func() replay.Solver { return l }, check)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// BenchmarkReplay replays the generated traces. With TRACE it replays that file:
//
//	TRACE=bmc.trace go test -run '^$' -bench Replay/file ./cmd/internal/replay
func BenchmarkReplay(b *testing.B) {
	run := func(name string, trace *replay.Trace) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var n replay.Counts
			for b.Loop() {
				var err error
				if n, err = trace.Replay(context.Background(), newCDCL, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n.Calls), "calls/op")
			b.ReportMetric(float64(n.Satisfiable), "satisfiable/op")
		})
	}
	if name := os.Getenv("TRACE"); name != "" {
		f, err := os.Open(name)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		trace, err := replay.Read(f)
		if err != nil {
			b.Fatal(err)
		}
		run("file", trace)
		return
	}
	for _, w := range replay.Workloads {
		run(w.Name, w.Make(1, 100))
	}
}
