package dplltest

import (
	"context"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"sator/dimacs"
)

// TestTracesOfPlain checks that the plain engine passes RunTraces.
func TestTracesOfPlain(t *testing.T) {
	RunTraces(t, filepath.Join("testdata", "traces"), newPlainAPI, Config{})
}

// TestTraceText checks that reading the text of a trace gives the same trace.
func TestTraceText(t *testing.T) {
	knobs := []Knob{{Name: "width", Default: 0, Min: 0, Max: 10}, {Name: "depth", Default: 7, Min: -3, Max: 1 << 30}}
	for seed := range uint64(200) {
		tr := RandomTrace(seed, knobs, FullProofs)
		if !reflect.DeepEqual(tr, RandomTrace(seed, knobs, FullProofs)) {
			t.Fatalf("seed %d gives different traces", seed)
		}
		got, err := ParseTrace(strings.NewReader(tr.String()))
		if err != nil {
			t.Fatalf("seed %d: %v\n%v", seed, err, tr)
		}
		if got.String() != tr.String() || got.Seed != tr.Seed || got.Proof != tr.Proof {
			t.Fatalf("seed %d: wrote\n%vread\n%v", seed, tr, got)
		}
	}
}

// TestParseTraceErrors checks the errors of wrong texts.
func TestParseTraceErrors(t *testing.T) {
	for text, want := range map[string]string{
		"add 1\nfly 2\n":    `line 2: unknown call "fly"`,
		"add 1 x":           `line 1: strconv.Atoi: parsing "x": invalid syntax`,
		"\n# so\nadd 1 0\n": "line 3: 0 is not a literal",
		"value":             "line 1: value with 0 arguments",
		"value 1 2":         "line 1: value with 2 arguments",
		"limit 1 2":         "line 1: limit with 2 arguments",
		"limit 1 2 -3":      "line 1: limit with -3",
		"cancel":            "line 1: cancel with 0 arguments",
		"model 1":           "line 1: model with 1 arguments",
		"proof full":        `line 1: unknown kind of proof "full"`,
		"option chrono":     `line 1: unknown call "option"`,
		"seed -1":           `line 1: strconv.ParseUint: parsing "-1": invalid syntax`,
		"add 1073741824":    "line 1: 1073741824 is not a literal",
	} {
		if _, err := ParseTrace(strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// TestRandomTraceVisitsAll checks that random traces contain all calls, and settings over
// the whole ranges.
func TestRandomTraceVisitsAll(t *testing.T) {
	knobs := []Knob{{Name: "switch", Default: 1, Min: 0, Max: 1}, {Name: "size", Default: 6, Min: 5, Max: 1e9}}
	calls := make(map[string]int)
	values := make(map[Setting]int)
	least := 1 << 30
	for seed := range uint64(500) {
		tr := RandomTrace(seed, knobs, FullProofs)
		for _, op := range tr.Ops {
			calls[op.Name]++
		}
		for _, s := range tr.Settings {
			values[s]++
			if s.Name == "size" && s.Value > 6 {
				least = min(least, s.Value)
			}
			if s.Name == "size" && (s.Value < 5 || s.Value > 1e9) || s.Name == "switch" && s.Value>>1 != 0 {
				t.Errorf("setting %v", s)
			}
		}
		calls[tr.Proof.String()]++
	}
	for _, o := range operations {
		if calls[o.name] < 100 {
			t.Errorf("%s: %d calls", o.name, calls[o.name])
		}
	}
	for _, kind := range proofKinds {
		if calls[kind.name] < 20 {
			t.Errorf("proof %s: %d traces", kind.name, calls[kind.name])
		}
	}
	for _, s := range []Setting{{"switch", 0}, {"switch", 1}, {"size", 5}, {"size", 6}, {"size", 1e9 - 1}, {"size", 1e9}} {
		if values[s] < 10 {
			t.Errorf("%v: %d times", s, values[s])
		}
	}
	if least > 1000 {
		t.Errorf("the smallest inner value is %d", least)
	}
}

// Mutants that only traces find.
type (
	obedient  struct{ *plain } // adds phases as clauses
	impatient struct {         // keeps a limit that was removed
		*plain
		limit int64
	}
	shrunken  struct{ *plain } // ignores Grow
	aliaser   struct{ *plain } // does not copy clauses
	upright   struct{ *plain } // ignores the sign in Value
	generous  struct{ *plain } // returns a model after every answer
	fragile   struct{ *plain } // panics with an index error without a message
	giver     struct{ *plain } // does not copy the model
	nostalgic struct{ *plain } // keeps the answer when a clause is added
	gullible  struct{ *plain } // learns assumptions
	picky     struct{ *plain } // is wrong under one setting
	untold    struct{ *plain } // does not log units
	forgiving struct{ *plain } // drops a clause when the callback cancels
	presuming struct{ *plain } // does not grow to the variables of assumptions
)

func (e obedient) SetPhase(l dimacs.Lit) { e.plain.Add(l) }

func (e *impatient) Limit(conflicts, d, p int64) {
	e.limit = max(e.limit, conflicts)
	e.plain.Limit(e.limit, d, p)
}

func (e shrunken) Grow(int) {}

func (e aliaser) Add(lits ...dimacs.Lit) {
	e.plain.Add(lits...)
	e.clauses[len(e.clauses)-1].lits = lits
}

func (e upright) Value(l dimacs.Lit) dimacs.Value { return e.plain.Value(l.Var().Lit()) }

func (e generous) Model() dimacs.Model { return e.model }

func (e fragile) Failed() []dimacs.Lit {
	if e.status != dimacs.Unsatisfiable {
		_ = e.failed[len(e.failed)]
	}
	return e.plain.Failed()
}

func (e giver) Model() dimacs.Model {
	e.require(dimacs.Satisfiable)
	return e.model
}

func (e nostalgic) Add(lits ...dimacs.Lit) {
	status := e.status
	e.plain.Add(lits...)
	e.status = status
}

func (e gullible) Solve(ctx context.Context, as ...dimacs.Lit) dimacs.Status {
	if len(as) > 0 {
		e.setup.Learned(as[:1])
	}
	return e.plain.Solve(ctx, as...)
}

func (e picky) Solve(ctx context.Context, as ...dimacs.Lit) dimacs.Status {
	for _, s := range e.setup.Settings {
		if s == (Setting{"size", 10}) && len(e.clauses) == 3 {
			return dimacs.Unknown
		}
	}
	return e.plain.Solve(ctx, as...)
}

func (e untold) Add(lits ...dimacs.Lit) {
	proof := e.setup.Proof
	if len(lits) == 1 {
		e.setup.Proof = nil
	}
	e.plain.Add(lits...)
	e.setup.Proof = proof
}

func (e forgiving) Solve(ctx context.Context, as ...dimacs.Lit) dimacs.Status {
	before := ctx.Err()
	status := e.plain.Solve(ctx, as...)
	if before == nil && ctx.Err() != nil {
		e.clauses = e.clauses[:len(e.clauses)-1]
	}
	return status
}

func (e presuming) Solve(ctx context.Context, as ...dimacs.Lit) dimacs.Status {
	vars := e.vars
	status := e.plain.Solve(ctx, as...)
	e.model = e.model[:min(len(e.model), vars)]
	e.vars = vars
	return status
}

// TestTraceMutantsAreFound checks that random traces find each mutant, and that the
// shrunk trace is short.
func TestTraceMutantsAreFound(t *testing.T) {
	knobs := []Knob{{Name: "switch", Default: 0, Min: 0, Max: 1}, {Name: "size", Default: 5, Min: 0, Max: 10}}
	tests := []struct {
		name   string
		engine func(e *plain) API
		want   string // in the error
		ops    int    // in the shrunk trace at most
	}{
		{"obedient", func(e *plain) API { return obedient{e} }, "", 4},
		{"impatient", func(e *plain) API { return &impatient{plain: e} }, "UNKNOWN", 10},
		{"shrunken", func(e *plain) API { return shrunken{e} }, "covers", 3},
		{"aliaser", func(e *plain) API { return aliaser{e} }, "", 3},
		{"upright", func(e *plain) API { return upright{e} }, "the value of", 3},
		{"generous", func(e *plain) API { return generous{e} }, "no panic", 1},
		{"fragile", func(e *plain) API { return fragile{e} }, "no panic", 1},
		{"giver", func(e *plain) API { return giver{e} }, "", 4},
		{"nostalgic", func(e *plain) API { return nostalgic{e} }, "no panic", 3},
		{"gullible", func(e *plain) API { return gullible{e} }, "does not follow", 1},
		{"picky", func(e *plain) API { return picky{e} }, "UNKNOWN", 4},
		{"untold", func(e *plain) API { return untold{e} }, "logged as given", 1},
		{"forgiving", func(e *plain) API { return forgiving{e} }, "", 6},
		{"presuming", func(e *plain) API { return presuming{e} }, "", 2},
		{"trailing", func(e *plain) API { return trailing{e} }, "", 9},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			newEngine := func(s Setup) API { return test.engine(newPlain(s)) }
			for seed := range uint64(300) {
				tr, err := CheckTrace(newEngine, Config{Knobs: knobs}, seed)
				if err == nil {
					continue
				}
				checkShrunk(t, tr, err, test.want, test.ops, newEngine)
				return
			}
			t.Fatal("not found in 300 traces")
		})
	}
}

// trailing is forgetful with the interface API.
type trailing struct{ *plain }

func (e trailing) Add(lits ...dimacs.Lit) { forgetful(e).Add(lits...) }

// checkShrunk checks a shrunk trace and its error.
func checkShrunk(t *testing.T, tr *Trace, err error, want string, ops int, newEngine func(Setup) API) {
	t.Helper()
	t.Logf("%v\n%v", err, tr)
	if !strings.Contains(err.Error(), want) {
		t.Errorf("found, but the error does not contain %q", want)
	}
	if len(tr.Ops) > ops {
		t.Errorf("shrunk to %d calls, want %d", len(tr.Ops), ops)
	}
	again, perr := ParseTrace(strings.NewReader(tr.String()))
	if perr != nil {
		t.Fatal(perr)
	}
	if rerr := Replay(again, newEngine); rerr == nil || rerr.Error() != err.Error() {
		t.Errorf("the text of the trace gives %v", rerr)
	}
	if rerr := Replay(again, newPlainAPI); rerr != nil {
		t.Errorf("the plain engine fails on it: %v", rerr)
	}
}

// TestFailuresAreKept checks that a failing trace is written to the folder.
func TestFailuresAreKept(t *testing.T) {
	dir := t.TempDir()
	newEngine := func(s Setup) API { return generous{newPlain(s)} }
	err := checkAndKeep(dir, newEngine, Config{}, 3)
	if err == nil {
		t.Fatal("not found")
	}
	name := filepath.Join(dir, "failed-3.trace")
	if !strings.Contains(err.Error(), name) {
		t.Errorf("the file name is not in the message: %v", err)
	}
	tr, rerr := readTrace(name)
	if rerr != nil {
		t.Fatal(rerr)
	}
	if Replay(tr, newEngine) == nil {
		t.Errorf("the written trace does not fail:\n%v", tr)
	}
	err = checkAndKeep(filepath.Join(dir, "missing"), newEngine, Config{}, 3)
	if err == nil || !strings.Contains(err.Error(), "shrunk to") {
		t.Errorf("without the folder: %v", err)
	}
}
