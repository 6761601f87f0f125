package enumerate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/classic"
	"sator/internal/cdcltest"
	"sator/internal/dplltest"
)

// A question is a formula with the options that choose its models.
type question struct {
	formula *dimacs.Formula
	options Options
}

// randomQuestion draws a small formula, assumptions, in half of the cases a
// projection, and options of both solvers.
func randomQuestion(seed uint64) question {
	r := rand.New(rand.NewPCG(seed, 1))
	_, c := dplltest.RandomCase(seed, 0)
	for ; c.Formula.Vars() > 10; _, c = dplltest.RandomCase(seed, 0) {
		seed += 1 << 32
	}
	o := randomOptions(r)
	if r.IntN(2) == 0 {
		o.Assume = c.Assumptions[:min(3, len(c.Assumptions))]
	}
	if r.IntN(2) == 0 {
		o.Project = []dimacs.Var{}
		for range r.IntN(6) { // with repetitions, and variables beyond the formula
			o.Project = append(o.Project, dimacs.Var(r.IntN(c.Formula.Vars()+2)))
		}
	}
	return question{c.Formula, o}
}

// randomOptions draws options of both solvers. The knobs have a generator of their own, so
// that what r draws next does not depend on their number.
func randomOptions(r *rand.Rand) Options {
	o := DefaultOptions()
	o.DPLL.Heuristic = classic.Heuristics[r.IntN(len(classic.Heuristics))].Name
	o.DPLL.MomK = r.IntN(31)
	o.DPLL.Pure = classic.Pure(r.IntN(3))
	o.DPLL.Seed, o.CDCL.Seed = r.Uint64(), r.Uint64()
	cdcltest.RandomKnobs(rand.New(rand.NewPCG(o.CDCL.Seed, 1)), &o.CDCL)
	o.CDCL.Verify = o.CDCL.Seed%4 == 0
	return o
}

// brute returns the projected models over so many variables, by trying all
// assignments.
func (q question) brute(vars int) map[string]bool {
	found := map[string]bool{}
	m := make(dimacs.Model, vars)
	for bits := range 1 << vars {
		for v := range m {
			m.Set(dimacs.Var(v).Lit() ^ dimacs.Lit(bits>>v&1))
		}
		right := m.Satisfies(q.formula)
		for _, l := range q.options.Assume {
			right = right && m.Lit(l) == dimacs.True
		}
		if right {
			found[q.text(m)] = true
		}
	}
	return found
}

// text returns the projected model in DIMACS notation.
func (q question) text(m dimacs.Model) string {
	if q.options.Project == nil {
		return fmt.Sprint(m.Lits())
	}
	p := make(dimacs.Model, len(m))
	for _, v := range q.options.Project {
		p[v] = m[v]
	}
	return fmt.Sprint(p.Lits())
}

// vars returns the number of variables of the models that New enumerates.
func (q question) vars() int {
	n := q.formula.Vars()
	lits := slices.Clone(q.options.Assume)
	for _, c := range q.formula.Clauses() {
		lits = append(lits, c...)
	}
	for _, l := range lits {
		n = max(n, int(l.Var())+1)
	}
	for _, v := range q.options.Project {
		n = max(n, int(v)+1)
	}
	return n
}

// TestModels compares the models of all engines with brute force, under random
// options, assumptions and projections. The last engine is auto that changes to
// CDCL at once.
func TestModels(t *testing.T) {
	rounds := uint64(400)
	if testing.Short() {
		rounds = 100
	}
	several := 0
	for seed := range rounds {
		q := randomQuestion(seed)
		want := q.brute(q.vars())
		if len(want) > 1 {
			several++
		}
		for i, name := range []string{"auto", "cdcl", "dpll", "auto"} {
			q.options.Engine = name
			e := New(q.formula, q.options)
			if i == 3 {
				e.trial.conflicts = 0
			}
			where := fmt.Sprintf("seed %d, engine %d, %s, project %v, assume %v", seed, i, name, q.options.Project, q.options.Assume)
			checkModels(t, where, e, q, want)
		}
		if t.Failed() {
			t.Fatal(dplltest.Case{Formula: q.formula, Assumptions: q.options.Assume})
		}
	}
	if several < int(rounds)/4 {
		t.Errorf("only %d formulas of %d with several models", several, rounds)
	}
}

// checkModels checks that the enumerator visits each wanted model once, in sets
// that pass their check.
func checkModels(t *testing.T, where string, e *Enumerator, q question, want map[string]bool) {
	t.Helper()
	got := map[string]bool{}
	for set := range e.ModelSets(context.Background()) {
		if err := set.Check(q.formula, q.options.Assume); err != nil {
			t.Errorf("%s: %v", where, err)
			return
		}
		for m := range set.Models() {
			x := fmt.Sprint(m.Lits())
			if got[x] || !want[x] {
				t.Errorf("%s: model %s, visited before: %v", where, x, got[x])
				return
			}
			got[x] = true
		}
	}
	if len(got) != len(want) || !e.Exhausted() {
		t.Errorf("%s: %d models, exhausted %v, want %d", where, len(got), e.Exhausted(), len(want))
	}
}

// TestModelsSequence checks that an enumeration is repeated model by model, and
// that Models and ModelSets visit the same ones.
func TestModelsSequence(t *testing.T) {
	for seed := range uint64(60) {
		q := randomQuestion(seed)
		for _, engine := range Engines {
			q.options.Engine = engine.Name
			e := New(q.formula, q.options)
			var sets, models string
			for set := range e.ModelSets(context.Background()) {
				for m := range set.Models() {
					sets += fmt.Sprintln(m.Lits())
				}
			}
			for m := range e.Models(context.Background()) {
				models += fmt.Sprintln(m.Lits())
			}
			if sets != models {
				t.Fatalf("seed %d, %s: by sets\n%sone by one\n%s", seed, engine.Name, sets, models)
			}
		}
	}
}

// TestEarlyEnd checks that an iteration that is left, canceled or limited is not
// exhausted, and that the next one starts from the beginning.
func TestEarlyEnd(t *testing.T) {
	f := dimacs.NewFormula(4)
	f.AddInts(1, 2)
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, engine := range Engines {
		o := DefaultOptions()
		o.Engine = engine.Name
		e := New(f, o)
		for range e.Models(context.Background()) {
			break
		}
		if e.Exhausted() {
			t.Errorf("%s: exhausted after one model", engine.Name)
		}
		for m := range e.Models(canceled) {
			t.Errorf("%s: a model under a canceled context: %v", engine.Name, m)
		}
		if e.Exhausted() {
			t.Errorf("%s: exhausted under a canceled context", engine.Name)
		}
		n := 0
		for range e.Models(context.Background()) {
			n++
		}
		if n != 12 || !e.Exhausted() {
			t.Errorf("%s: %d models, exhausted %v", engine.Name, n, e.Exhausted())
		}
	}
}

// TestProgress checks that the callbacks of both solvers are called.
func TestProgress(t *testing.T) {
	f := dimacs.NewFormula(2)
	for _, name := range []string{"auto", "cdcl", "dpll"} {
		var calls [2]int
		o := DefaultOptions()
		o.Engine = name
		o.DPLL.Progress = func(classic.Stats) { calls[0]++ }
		o.CDCL.Progress = func(cdcl.Event, cdcl.Stats) { calls[1]++ }
		for range New(f, o).Models(context.Background()) {
		}
		if (calls[0] > 0) != (name != "cdcl") || (calls[1] > 0) != (name == "cdcl") {
			t.Errorf("%s: %d calls by dpll, %d by cdcl", name, calls[0], calls[1])
		}
	}
}

func TestUnknownEngine(t *testing.T) {
	defer func() {
		if got := recover(); got != `enumerate: unknown engine "horn"` {
			t.Errorf("got %v", got)
		}
	}()
	New(dimacs.NewFormula(0), Options{Engine: "horn"})
}
