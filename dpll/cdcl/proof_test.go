package cdcl_test

import (
	"context"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/dpll/dplltest"
)

// Proofs of formulas with real work in them: each step right, in both kinds,
// with clauses learned and deleted.
func TestProofSteps(t *testing.T) {
	for _, hints := range []bool{false, true} {
		for name, o := range map[string]cdcl.Options{"default": cdcl.DefaultOptions(), "busy": busy()} {
			for i, f := range []*dimacs.Formula{pigeons(5), uniform(11, 90, 390, nil), uniform(12, 100, 430, nil)} {
				p := dplltest.NewRecorder(hints)
				o.Proof = p
				s := load(o, f)
				status := s.Solve(context.Background())
				if err := p.Verify(status, nil); err != nil {
					t.Errorf("%s, hints %v, formula %d: %v", name, hints, i, err)
				}
				if p.Learned() == 0 || name == "busy" && s.Stats().ReducedClauses == 0 {
					t.Errorf("%s, hints %v, formula %d: there is nothing to prove", name, hints, i)
				}
				checkAlive(t, p, s)
			}
		}
	}
}

// checkAlive compares the clauses of the proof with those of the solver.
func checkAlive(t *testing.T, p *dplltest.Recorder, s *cdcl.Solver) {
	t.Helper()
	st := s.Stats()
	if got, want := p.Alive(2), st.Irredundant+st.Redundant; got != want {
		t.Errorf("the proof has %d clauses, the solver %d", got, want)
	}
}

// Clauses that a solver does not keep as they come go from the proof as well.
func TestProofForgetsWhatSolverDropped(t *testing.T) {
	for seed := range uint64(200) {
		_, c := dplltest.RandomCase(seed, 0)
		p := dplltest.NewRecorder(seed%2 == 0)
		o := busy()
		o.Proof = p
		s := load(o, c.Formula)
		if status := s.Solve(context.Background(), c.Assumptions...); status != dimacs.Unsatisfiable {
			checkAlive(t, p, s)
		}
	}
}

// A witness keeps all clauses that a proof was told of, and checks the steps.
type witness struct {
	*dplltest.Recorder
	clauses [][]dimacs.Lit
}

func (w *witness) Original(lits []dimacs.Lit) int64 {
	w.clauses = append(w.clauses, slices.Clone(lits))
	return w.Recorder.Original(lits)
}

func (w *witness) Learn(lits []dimacs.Lit, hints []int64) int64 {
	w.clauses = append(w.clauses, slices.Clone(lits))
	return w.Recorder.Learn(lits, hints)
}

// refutes reports whether the proof bears out that these assumptions fail: by a
// clause of complements of theirs, unless two are complements of one another.
func (w *witness) refutes(failed []dimacs.Lit) bool {
	complement := func(l dimacs.Lit) bool { return slices.Contains(failed, l.Not()) }
	if slices.ContainsFunc(failed, complement) {
		return true
	}
	return slices.ContainsFunc(w.clauses, func(c []dimacs.Lit) bool {
		return !slices.ContainsFunc(c, func(l dimacs.Lit) bool { return !complement(l) })
	})
}

// refutations are calls whose answer is Unsatisfiable, one after the other: the
// clauses added before each, its assumptions, and those of them that fail.
var refutations = []struct {
	name  string
	calls []refutation
}{
	{"a given unit is assumed false", []refutation{
		{[][]int{{1}, {2, 3}}, []int{2, -1}, []int{-1}},
		{nil, []int{-1, -1, 3}, []int{-1}},
	}},
	{"an implied unit is assumed false", []refutation{
		{[][]int{{1}, {-1, 2}, {-2, -1, 3}}, []int{4, -3}, []int{-3}},
	}},
	{"a unit with a literal twice is assumed false", []refutation{
		{[][]int{{1, 1}}, []int{-1}, []int{-1}},
	}},
	{"a unit left of a clause is assumed false", []refutation{
		{[][]int{{1}, {-1, 2, -1, 2}}, []int{-2}, []int{-2}},
	}},
	{"two assumptions exclude each other", []refutation{
		{[][]int{{1, 2}}, []int{3, 1, -3}, []int{3, -3}},
		{nil, []int{9, -9}, []int{9, -9}},
	}},
	{"assumptions imply that another is false", []refutation{
		{[][]int{{-1, 2}, {-2, -3, 4}}, []int{5, 1, 3, -4}, []int{1, 3, -4}},
		{nil, []int{-4, 3, 1}, []int{1, 3, -4}},
		{[][]int{{3}}, []int{-4, 1}, []int{1, -4}},
		{[][]int{{1}}, []int{-4}, []int{-4}},
		{[][]int{{-4}}, nil, nil},
	}},
	{"assumptions fail after a conflict", []refutation{
		{[][]int{{-1, 2, 3}, {-1, 2, -3}, {-1, -2, 3}, {-1, -2, -3}}, []int{4, 1}, []int{1}},
	}},
	{"the clauses alone are contradictory", []refutation{
		{[][]int{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}}, []int{1}, nil},
		{nil, nil, nil},
		{[][]int{{3}, {-3, 4}}, []int{-3}, nil},
	}},
	{"the units alone are contradictory", []refutation{
		{[][]int{{1}, {-1, -1}}, []int{1, -1}, nil},
	}},
	{"the empty clause comes later", []refutation{
		{[][]int{{-1, -2}}, []int{1, 2}, []int{1, 2}},
		{[][]int{{}}, []int{1, 2}, nil},
		{[][]int{{1}}, nil, nil},
	}},
}

type refutation struct {
	add         [][]int
	assumptions []int
	failed      []int
}

// Each refutation under assumptions is borne out by the proof so far, step by
// step and by what it ends with.
func TestProofOfFailedAssumptions(t *testing.T) {
	for _, test := range refutations {
		for _, hints := range []bool{false, true} {
			w := &witness{Recorder: dplltest.NewRecorder(hints)}
			c := proof.NewChecker()
			o := cdcl.DefaultOptions()
			o.Proof = w
			if hints {
				o.Proof = proof.Tee(w, c)
			}
			s := cdcl.New(o)
			for i, call := range test.calls {
				for _, d := range call.add {
					s.Add(dimacs.Lits(d...)...)
				}
				if status := s.Solve(context.Background(), dimacs.Lits(call.assumptions...)...); status != dimacs.Unsatisfiable {
					t.Fatalf("%s, call %d: %v", test.name, i, status)
				}
				failed := s.Failed()
				if got, want := slices.Sorted(slices.Values(failed)), slices.Sorted(slices.Values(dimacs.Lits(call.failed...))); !slices.Equal(got, want) {
					t.Errorf("%s, call %d: %v failed, want %v", test.name, i, got, want)
				}
				if err := w.Err(); err != nil || !w.refutes(failed) {
					t.Errorf("%s, call %d, hints %v: %v are not refuted: %v", test.name, i, hints, failed, err)
				}
				if err := c.Refutes(failed); hints && err != nil {
					t.Errorf("%s, call %d: %v", test.name, i, err)
				}
			}
		}
	}
}

// And so are those of random formulas, of which parts are solved before, under
// all options.
func TestProofOfRandomFailedAssumptions(t *testing.T) {
	refuted := 0
	for seed := range uint64(600) {
		_, c := dplltest.RandomCase(seed, 0)
		w := &witness{Recorder: dplltest.NewRecorder(seed%2 == 0)}
		o := cdcl.DefaultOptions()
		optionSets[seed%uint64(len(optionSets))].set(&o)
		o.Proof = w
		s := cdcl.New(o)
		for i, d := range c.Formula.Clauses() {
			s.Add(d...)
			if i%3 > 0 && i+1 < c.Formula.Len() {
				continue
			}
			if s.Solve(context.Background(), c.Assumptions...) != dimacs.Unsatisfiable {
				continue
			}
			refuted++
			if failed := s.Failed(); w.Err() != nil || !w.refutes(failed) {
				t.Fatalf("seed %d, after %d clauses: %v are not refuted: %v\n%v", seed, i+1, failed, w.Err(), c)
			}
		}
	}
	if refuted < 600 {
		t.Errorf("only %d refutations", refuted)
	}
}

// A proof does not change the search, whichever kind it is: all that a solver
// counts but its memory is the same, under all options.
func TestProofDoesNotChangeSearch(t *testing.T) {
	for _, set := range optionSets {
		o := cdcl.DefaultOptions()
		set.set(&o)
		o.Cardinality, o.XOR = 0, 0 // with a proof they do nothing here
		for i, f := range middling() {
			want := searched(o, f, nil)
			for _, p := range []*mute{{}, {hints: true}} {
				if got := searched(o, f, p); got != want {
					t.Errorf("%s, formula %d: with a proof (hints: %v)\n%+v\nwithout\n%+v", set.name, i, p.hints, got, want)
				}
			}
		}
	}
}

// searched returns the statistics of some calls, without the memory taken.
// Before each comes a unit clause, so that there is reason to sweep the clauses:
// when that is done depends on how large they are.
func searched(o cdcl.Options, f *dimacs.Formula, p *mute) cdcl.Stats {
	if p != nil {
		o.Proof = p
	}
	s := load(o, f)
	s.SetLimits(cdcl.Limits{Conflicts: 25})
	for i := range 20 {
		s.Add(dimacs.Var(f.Vars() + i).Lit())
		s.Solve(context.Background())
	}
	st := s.Stats()
	st.Bytes = 0
	return st
}

// A mute proof gives ids and looks at nothing.
type mute struct {
	hints bool
	id    int64
}

func (m *mute) Hints() bool { return m.hints }
func (m *mute) Original([]dimacs.Lit) int64 {
	m.id++
	return m.id
}
func (m *mute) Learn([]dimacs.Lit, []int64) int64 {
	m.id++
	return m.id
}
func (m *mute) Delete(int64, []dimacs.Lit) {}
