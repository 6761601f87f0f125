package service

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"sator/cmd/internal/record"
	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/internal/families"
)

// attachment returns the bytes of a reply.
func attachment(r Reply) []byte { return bytes.Join(r.Attachment, nil) }

// TestSolve compares the conflicts and proofs of runs with those of the engine.
func TestSolve(t *testing.T) {
	for _, c := range []struct {
		load   string
		status string
	}{
		{`{"family": "ksat", "values": {"vars": 120, "ratio": 3.9}, "seed": 3}`, "SATISFIABLE"},
		{`{"family": "php", "values": {"holes": 6}}`, "UNSATISFIABLE"},
		{`{"text": "p cnf 1 2\n1 0\n-1 0\n"}`, "UNSATISFIABLE"},
		{`{"text": "p cnf 3 0\n"}`, "SATISFIABLE"},
	} {
		for _, format := range proofFormats {
			s := New(func() {})
			call[Summary](t, s, "formula.load", c.load)
			r := call[SolveReply](t, s, "formula.solve", `{"proof": "`+format.name+`", "proofLimit": 100, "seed": 7}`)
			if r.Status != c.status || r.Proof.Complete != (c.status == "UNSATISFIABLE") {
				t.Errorf("%s: got %+v", c.load, r)
			}
			if r.Status == "SATISFIABLE" {
				checkModel(t, s)
				continue
			}
			if report := call[ProofReport](t, s, "formula.check", "{}"); report.Core == 0 || report.Checked == 0 && len(c.load) > 60 {
				t.Errorf("%s: the check: %+v", c.load, report)
			}
			checkDownload(t, s, format.format, r.Proof)
		}
	}
}

// checkModel checks the download of the model against that of the formula.
func checkModel(t *testing.T, s *Service) {
	t.Helper()
	f, err := dimacs.Read(bytes.NewReader(attachment(s.Call(t.Context(), "formula.text", []byte("{}"), nil, nil))))
	if err != nil {
		t.Fatal(err)
	}
	r := dimacs.Reader{}
	solution, err := r.ReadSolution(bytes.NewReader(attachment(s.Call(t.Context(), "formula.model", []byte("{}"), nil, nil))))
	if err != nil || !solution.Model.Satisfies(f) {
		t.Errorf("the model is wrong: %v", err)
	}
}

// checkDownload checks that the downloaded proof is a proof of the formula.
func checkDownload(t *testing.T, s *Service, format proof.Format, info *ProofInfo) {
	t.Helper()
	f, err := dimacs.Read(bytes.NewReader(attachment(s.Call(t.Context(), "formula.text", []byte("{}"), nil, nil))))
	if err != nil {
		t.Fatal(err)
	}
	text := attachment(s.Call(t.Context(), "formula.proof", []byte("{}"), nil, nil))
	if int64(len(text)) != info.Bytes {
		t.Errorf("the proof has %d bytes, want %d", len(text), info.Bytes)
	}
	if _, err := proof.Check(t.Context(), f, bytes.NewReader(text), proof.Options{Format: format}); err != nil {
		t.Error(err)
	}
}

// TestSolveEqualsEngine checks that pauses do not change the search.
func TestSolveEqualsEngine(t *testing.T) {
	family, _ := families.Find("ksat")
	inst, err := family.Make(families.Values{"vars": 150, "ratio": 4.26}, 5)
	if err != nil {
		t.Fatal(err)
	}
	options := cdcl.Options{}
	options.OneShot = true
	kept, err := newProof("lrat", 1e9, inst.Formula.Len())
	if err != nil {
		t.Fatal(err)
	}
	options.Proof = kept
	engine := cdcl.New(options)
	engine.AddFormula(inst.Formula)
	status := engine.Solve(t.Context())
	kept.finish()
	want, _ := io.ReadAll(kept.reader())

	s := New(func() {})
	call[Summary](t, s, "formula.load", `{"family": "ksat", "values": {"vars": 150, "ratio": 4.26}, "seed": 5}`)
	var messages bytes.Buffer
	var r SolveReply
	decode(t, "formula.solve", s.Call(t.Context(), "formula.solve", []byte(`{"proof": "lrat", "proofLimit": 1000}`), nil, func(m []byte) {
		var lines []json.RawMessage
		if err := json.Unmarshal(m, &lines); err != nil || len(lines) == 0 {
			t.Errorf("the message %s: %v", m, err)
		}
		for _, line := range lines {
			messages.Write(append(line, '\n'))
		}
	}), &r)
	checkRecording(t, &messages, r, engine.Stats())
	got := attachment(s.Call(t.Context(), "formula.proof", []byte("{}"), nil, nil))
	if r.Status != status.String() || !bytes.Equal(got, want) {
		t.Errorf("got %s and a proof of %d bytes, want %v and %d bytes", r.Status, len(got), status, len(want))
	}
}

// checkRecording checks that the messages of a run are a recording of it.
func checkRecording(t *testing.T, lines io.Reader, r SolveReply, want cdcl.Stats) {
	t.Helper()
	recording, err := record.Read("", lines)
	if err != nil {
		t.Fatal(err)
	}
	samples := 0
	for _, l := range recording.Lines {
		if s, ok := l.(*record.Sample); ok && s.Conflicts <= want.Conflicts {
			samples++
		}
	}
	end := recording.End
	if end.Status != r.Status || end.Proof.Bytes != r.Proof.Bytes || recording.Formula.Vars != 150 || samples < 2 {
		t.Errorf("the recording ends with %+v, after %d samples", end, samples)
	}
	if got := end.Stats[0]["conflicts"]; got != float64(want.Conflicts) || r.Conflicts != want.Conflicts {
		t.Errorf("%v and %d conflicts, want %d", got, r.Conflicts, want.Conflicts)
	}
}

// hardFormula loads a formula that nobody solves soon.
const hardFormula = `{"family": "ksat", "values": {"vars": 700, "ratio": 4.27}, "seed": 1}`

// TestStop stops a run, which keeps its proof so far; another operation is refused while
// it goes on.
func TestStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	pauses := 0
	var s *Service
	s = New(func() {
		if pauses++; pauses == 1 {
			for _, op := range []string{"formula.load", "formula.solve", "formula.check"} {
				if r := s.Call(t.Context(), op, []byte("{}"), nil, nil); r.Err == nil || r.Err.Message != errBusy.Error() {
					t.Errorf("%s during a run: %v", op, r.Err)
				}
			}
		}
		if pauses == 4 {
			cancel()
		}
	})
	call[Summary](t, s, "formula.load", hardFormula)
	var r SolveReply
	decode(t, "formula.solve", s.Call(ctx, "formula.solve", []byte(`{"proof": "drat", "proofLimit": 100}`), nil, nil), &r)
	if r.Status != "UNKNOWN" || r.Reason != "stopped" || r.Proof.Lemmas == 0 || r.Proof.Complete {
		t.Errorf("got %+v, %+v", r, r.Proof)
	}
	text := attachment(s.Call(t.Context(), "formula.proof", []byte("{}"), nil, nil))
	steps := proof.NewReader(bytes.NewReader(text), "", proof.DRAT)
	lemmas := int64(0)
	for {
		step, err := steps.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if !step.Delete {
			lemmas++
		}
	}
	if lemmas != r.Proof.Lemmas {
		t.Errorf("the proof has %d lemmas, want %d", lemmas, r.Proof.Lemmas)
	}
	if c := s.Call(t.Context(), "formula.check", []byte("{}"), nil, nil); c.Err == nil {
		t.Error("a proof without its end is correct")
	}
}

// TestFailedRun checks that a run that fails leaves a formula that can be solved again.
func TestFailedRun(t *testing.T) {
	failing := true
	s := New(func() {
		if failing {
			panic(&dimacs.MemoryError{Bytes: 1e9})
		}
	})
	call[Summary](t, s, "formula.load", hardFormula)
	if r := s.Call(t.Context(), "formula.solve", []byte(`{"time": 10}`), nil, nil); r.Err == nil {
		t.Fatal("the run did not fail")
	}
	failing = false
	if r := call[SolveReply](t, s, "formula.solve", `{"time": 0.05}`); r.Status != "UNKNOWN" {
		t.Errorf("got %+v", r)
	}
	if r := s.Call(t.Context(), "formula.load", []byte(`{"text": "1 x"}`), nil, nil); r.Err == nil {
		t.Error("a syntax error: no error")
	}
	if r := s.Call(t.Context(), "formula.solve", []byte("{}"), nil, nil); r.Err == nil || r.Err.Message != errNotLoaded.Error() {
		t.Errorf("after a formula with an error: %v", r.Err)
	}
}

// TestProofLimit checks that a proof that is too large is dropped, and that the run goes on.
func TestProofLimit(t *testing.T) {
	s := New(nil)
	call[Summary](t, s, "formula.load", `{"family": "php", "values": {"holes": 6}}`)
	r := call[SolveReply](t, s, "formula.solve", `{"proof": "lrat", "proofLimit": 0.001}`)
	if r.Status != "UNSATISFIABLE" || !r.Proof.Full || r.Proof.Complete {
		t.Errorf("got %+v, %+v", r, r.Proof)
	}
	for _, op := range []string{"formula.proof", "formula.check"} {
		if r := s.Call(t.Context(), op, []byte("{}"), nil, nil); r.Err == nil {
			t.Errorf("%s of a dropped proof: no error", op)
		}
	}
}

// TestTimeLimit checks the limit of a run, and wrong options.
func TestTimeLimit(t *testing.T) {
	s := New(nil)
	if r := s.Call(t.Context(), "formula.solve", []byte("{}"), nil, nil); r.Err == nil {
		t.Error("solved without a formula")
	}
	call[Summary](t, s, "formula.load", hardFormula)
	if r := call[SolveReply](t, s, "formula.solve", `{"time": 0.05}`); r.Reason != "the time limit was reached" || r.Proof != nil {
		t.Errorf("got %+v", r)
	}
	for _, args := range []string{`{"preset": "none"}`, `{"proof": "none"}`} {
		if r := s.Call(t.Context(), "formula.solve", []byte(args), nil, nil); r.Err == nil {
			t.Errorf("%s: no error", args)
		}
	}
	call[SolveReply](t, s, "formula.solve", `{"preset": "sat", "time": 0.01}`)
}

// TestCheckNeedsProof checks that nothing of a run is left when another formula is loaded.
func TestCheckNeedsProof(t *testing.T) {
	s := New(nil)
	call[Summary](t, s, "formula.load", `{"family": "php", "values": {"holes": 4}}`)
	call[SolveReply](t, s, "formula.solve", `{"proof": "lrat", "proofLimit": 10}`)
	call[Summary](t, s, "formula.load", `{"text": "1 0"}`)
	for _, op := range []string{"formula.check", "formula.proof", "formula.model"} {
		if r := s.Call(t.Context(), op, []byte("{}"), nil, nil); r.Err == nil {
			t.Errorf("%s after another formula was loaded: no error", op)
		}
	}
}

// TestSourceText checks which formulas are shown.
func TestSourceText(t *testing.T) {
	s := New(nil)
	r := s.Call(t.Context(), "source.text", []byte(`{"family": "php", "values": {"holes": 3}}`), nil, nil)
	if text := string(attachment(r)); r.Err != nil || !strings.Contains(text, "\np cnf 12 22\n") {
		t.Errorf("got %s, %v", text, r.Err)
	}
	r = s.Call(t.Context(), "source.text", []byte(`{"family": "ksat", "values": {"vars": 20000}}`), nil, nil)
	var summary Summary
	if decode(t, "source.text", r, &summary); summary.Vars != 20000 || r.Attachment != nil {
		t.Errorf("got %+v and %d bytes", summary, len(attachment(r)))
	}
}

// TestTree compares a search with one of the engine.
func TestTree(t *testing.T) {
	s := New(nil)
	r := call[TreeReply](t, s, "tree.search", `{"family": "php", "values": {"holes": 3}, "heuristic": "mom", "pure": "every", "nodes": 100}`)
	if r.Status != "UNSATISFIABLE" || r.Stats.Nodes < 3 || strings.Count(r.SVG, "<title>node ") != int(r.Stats.Nodes) || strings.Count(r.Text, "conflict in") != int(r.Stats.Conflicts) {
		t.Errorf("got %+v", r)
	}
	conflicts := int64(0)
	for _, step := range r.Steps {
		if step.Kind == "conflict" {
			conflicts++
		}
		if step.Clause > 0 && len(step.Lits) == 0 {
			t.Errorf("step %+v has no literals", step)
		}
	}
	if conflicts != r.Stats.Conflicts {
		t.Errorf("%d steps are conflicts, want %d", conflicts, r.Stats.Conflicts)
	}
	r = call[TreeReply](t, s, "tree.search", `{"family": "php", "values": {"holes": 6}, "heuristic": "first", "pure": "off", "nodes": 10}`)
	if r.Cut != "the first 10 nodes" || strings.Count(r.SVG, "<title>node ") != 10 || r.Steps[len(r.Steps)-1].Node != 10 {
		t.Errorf("got %s: %s", r.Status, r.Cut)
	}
	for _, args := range []string{
		`{"text": "1 0", "heuristic": "none", "pure": "off", "nodes": 10}`, `{"text": "1 0", "heuristic": "mom", "pure": "none", "nodes": 10}`,
		`{"text": "1 0", "heuristic": "mom", "pure": "off", "nodes": 0}`, `{"text": "1 x", "heuristic": "mom", "pure": "off", "nodes": 10}`,
	} {
		if r := s.Call(t.Context(), "tree.search", []byte(args), nil, nil); r.Err == nil {
			t.Errorf("%s: no error", args)
		}
	}
}

// TestTwoSAT checks answers and chains on small formulas.
func TestTwoSAT(t *testing.T) {
	s := New(nil)
	r := call[TwoSATReply](t, s, "twosat.solve", `{"text": "1 2 0\n-1 2 0\n-2 3 0\n1 2 3 0\n", "why": -2}`)
	chain, _ := json.Marshal(r.Why)
	if want := `{"lit":-2,"value":"false","chain":[-2,1,2],"steps":[{"from":-2,"to":1,"clause":1,"lits":[1,2]},{"from":1,"to":2,"clause":2,"lits":[-1,2]}]}`; string(chain) != want {
		t.Errorf("got %s, want %s", chain, want)
	}
	if r.Status != "SATISFIABLE" || r.Longer != 1 || r.Free != 1 || len(r.Forced) != 2 || !strings.Contains(r.SVG, "class=\"marked\"") {
		t.Errorf("got %+v", r)
	}
	r = call[TwoSATReply](t, s, "twosat.solve", `{"text": "1 2 0\n-1 3 0\n", "why": 1}`)
	if r.Why.Value != "free" {
		t.Errorf("got %+v", r.Why)
	}
	r = call[TwoSATReply](t, s, "twosat.solve", `{"text": "1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n"}`)
	if r.Status != "UNSATISFIABLE" || len(r.Conflict.Steps) != len(r.Conflict.Chain)-1 || len(r.Conflict.Steps) < 2 || r.Components != 1 || r.Largest != 4 {
		t.Errorf("got %+v", r)
	}
	r = call[TwoSATReply](t, s, "twosat.solve", `{"text": "1 2 0\n0\n"}`)
	if r.Status != "UNSATISFIABLE" || len(r.Conflict.Steps) != 1 || r.Conflict.Steps[0].Clause != 2 {
		t.Errorf("an empty clause: got %+v", r.Conflict)
	}
	r = call[TwoSATReply](t, s, "twosat.solve", `{"family": "2sat", "values": {"vars": 500}, "condensed": true}`)
	if r.SVG != "" || r.TooLarge == "" {
		t.Error("a large graph is drawn")
	}
	if r := s.Call(t.Context(), "twosat.solve", []byte(`{"text": "1 2 0", "why": 3}`), nil, nil); r.Err == nil {
		t.Error("a variable that does not exist: no error")
	}
}

// TestThreshold checks the shares on both sides of the threshold.
func TestThreshold(t *testing.T) {
	s := New(nil)
	few := call[ThresholdReply](t, s, "threshold.sample", `{"vars": 40, "ratio": 2, "count": 10, "seed": 1}`)
	many := call[ThresholdReply](t, s, "threshold.sample", `{"vars": 40, "ratio": 7, "count": 10, "seed": 1}`)
	if few.Solved != 10 || few.Satisfiable != 10 || many.Solved != 10 || many.Satisfiable != 0 || many.Conflicts <= few.Conflicts || many.Most < int64(many.Conflicts) {
		t.Errorf("got %+v, %+v", few, many)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var none ThresholdReply
	decode(t, "threshold.sample", s.Call(ctx, "threshold.sample", []byte(`{"vars": 40, "ratio": 7, "count": 10}`), nil, nil), &none)
	if none.Solved != 0 {
		t.Errorf("canceled: got %+v", none)
	}
	for _, args := range []string{`{"vars": 2, "ratio": 4, "count": 1}`, `{"vars": 300, "ratio": 4, "count": 1}`, `{"vars": 50, "ratio": 4, "count": 0}`, `{"vars": 50, "ratio": -4, "count": 1}`} {
		if r := s.Call(t.Context(), "threshold.sample", []byte(args), nil, nil); r.Err == nil {
			t.Errorf("%s: no error", args)
		}
	}
}

// TestExpressions solves Boolean formulas as text, by names, and finds the statements that
// contradict each other.
func TestExpressions(t *testing.T) {
	s := New(nil)
	call[Summary](t, s, "formula.load", `{"text": "!a <-> b\n!b <-> c\n!c <-> (a & b) # who lies?"}`)
	reply := call[SolveReply](t, s, "formula.solve", `{}`)
	if want := []Named{{"a", true}, {"b", false}, {"c", true}}; reply.Status != "SATISFIABLE" || !slices.Equal(reply.Named, want) {
		t.Errorf("%s: %v, want %v", reply.Status, reply.Named, want)
	}
	failing(t, s, "formula.core", `{}`)
	call[Summary](t, s, "formula.load", `{"text": "a ^ b\n(b ^\n c) # twice\na | d\nc ^ a"}`)
	reply = call[SolveReply](t, s, "formula.solve", `{}`)
	core := call[CoreReply](t, s, "formula.core", `{}`)
	if want := []string{"a ^ b", "(b ^ c)", "c ^ a"}; reply.Status != "UNSATISFIABLE" || !slices.Equal(core.Parts, want) || core.Of != 4 || !core.Minimal {
		t.Errorf("%s: %+v, want %q", reply.Status, core, want)
	}
	call[Summary](t, s, "formula.load", `{"text": "c 1 door\np cnf 2 3\n1 2 0\n-1 0\n1 0\n"}`)
	if got := call[Summary](t, s, "formula.load", `{"text": "c 1 a\nc 2 a\np cnf 2 1\n1 2 0\n"}`); got.Vars != 2 || len(got.Warnings) != 1 {
		t.Errorf("two equal names: %+v", got)
	}
	call[Summary](t, s, "formula.load", `{"text": "c 1 door\np cnf 2 3\n1 2 0\n-1 0\n1 0\n"}`)
	if core = call[CoreReply](t, s, "formula.core", `{}`); !slices.Equal(core.Parts, []string{"2: -door", "3: door"}) {
		t.Errorf("the core is %q", core.Parts)
	}
}

// TestCDCL records a search with a decision, and draws both kinds of graphs.
func TestCDCL(t *testing.T) {
	s := New(nil)
	const text = `"text": "p cnf 3 8\n1 2 3 0\n1 2 -3 0\n1 -2 3 0\n1 -2 -3 0\n-1 2 3 0\n-1 2 -3 0\n-1 -2 3 0\n-1 -2 -3 0\n"`
	type step struct {
		Event string
		Lit   int
	}
	reply := call[struct {
		Status      string
		Full        bool
		Steps       []step
		Derivations map[string][]CDCLResolution
	}](t, s, "cdcl.search", "{"+text+`, "decisions": [-2]}`)
	first := slices.IndexFunc(reply.Steps, func(s step) bool { return s.Event == "decide" })
	if reply.Status != "UNSATISFIABLE" || reply.Full || reply.Steps[first].Lit != -2 || len(reply.Derivations) < 3 {
		t.Errorf("%+v", reply)
	}
	for _, conflict := range []string{"0", "1"} {
		if svg := call[string](t, s, "cdcl.draw", "{"+text+`, "conflict": `+conflict+"}"); !strings.HasPrefix(svg, "<svg") {
			t.Errorf("conflict %s: %s", conflict, svg)
		}
	}
	for _, args := range []string{`{"text": "1 0", "decisions": [2]}`, `{"text": "1 0", "decisions": [0]}`, `{"text": "1 0", "decisions": [-1]}`, `{"family": "ksat", "values": {"vars": 501}}`, `{"text": "x y"}`} {
		failing(t, s, "cdcl.search", args)
	}
	failing(t, s, "cdcl.draw", "{"+text+`, "conflict": 99}`)
}
