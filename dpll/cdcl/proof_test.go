package cdcl_test

import (
	"context"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// TestProofSteps checks each step of long proofs of both kinds, with learned and deleted
// clauses.
func TestProofSteps(t *testing.T) {
	for _, hints := range []bool{false, true} {
		for name, o := range map[string]cdcl.Options{"default": {}, "busy": busy()} {
			for i, f := range []*dimacs.Formula{pigeons(5), uniform(11, 90, 390, nil), uniform(12, 100, 430, nil)} {
				p := dplltest.NewRecorder(hints)
				o.Proof = p
				s := load(o, f)
				status := s.Solve(context.Background())
				if err := p.Verify(status, nil); err != nil {
					t.Errorf("%s, hints %v, formula %d: %v", name, hints, i, err)
				}
				if p.Learned() == 0 || name == "busy" && s.Stats().ReducedClauses == 0 {
					t.Errorf("%s, hints %v, formula %d: no clause was learned", name, hints, i)
				}
				checkAlive(t, p, s)
			}
		}
	}
}

// checkAlive compares the number of active clauses in the proof with the solver's.
func checkAlive(t *testing.T, p *dplltest.Recorder, s *cdcl.Solver) {
	t.Helper()
	st := s.Stats()
	if got, want := p.Alive(2), st.Irredundant+st.Redundant; got != want {
		t.Errorf("the proof has %d clauses, the solver %d", got, want)
	}
}

// TestProofDeletes checks that the proof deletes clauses that the solver does not keep as
// they were given.
func TestProofDeletes(t *testing.T) {
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

// A witness is a recorder that keeps all original and learned clauses.
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

// refutes reports whether the proof has a clause of complements of these assumptions. Two
// complementary assumptions need none.
func (w *witness) refutes(failed []dimacs.Lit) bool {
	complement := func(l dimacs.Lit) bool { return slices.Contains(failed, l.Not()) }
	if slices.ContainsFunc(failed, complement) {
		return true
	}
	return slices.ContainsFunc(w.clauses, func(c []dimacs.Lit) bool {
		return !slices.ContainsFunc(c, func(l dimacs.Lit) bool { return !complement(l) })
	})
}

// refutations are sequences of calls whose answers are Unsatisfiable: the clauses added
// before each call, its assumptions, and the failed ones.
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
	{"two complementary assumptions", []refutation{
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
	{"the empty clause is added later", []refutation{
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

// TestProofOfFailedAssumptions checks that each refutation under assumptions follows from
// the proof so far, and that its steps are right.
func TestProofOfFailedAssumptions(t *testing.T) {
	for _, test := range refutations {
		for _, hints := range []bool{false, true} {
			w := &witness{Recorder: dplltest.NewRecorder(hints)}
			c := proof.NewChecker()
			o := cdcl.Options{}
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

// TestProofOfRandomFailedAssumptions checks the same for random formulas, after calls with
// a part of the clauses, under all sets of options.
func TestProofOfRandomFailedAssumptions(t *testing.T) {
	refuted := 0
	for seed := range uint64(600) {
		_, c := dplltest.RandomCase(seed, 0)
		w := &witness{Recorder: dplltest.NewRecorder(seed%2 == 0)}
		o := cdcl.Options{}
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

// TestProofDoesNotChangeSearch checks that all statistics except the memory are the same
// with a proof of either kind and without one, under all sets of options: on all formulas
// in a whole test, and otherwise on one of them in turn.
func TestProofDoesNotChangeSearch(t *testing.T) {
	effort.Comparison(t)
	for n, set := range optionSets {
		o := cdcl.Options{}
		set.set(&o)
		o.NoCardinality, o.NoXOR = true, true // with a proof they need OneShot
		for i, f := range middling() {
			if i != n%4 && !effort.Whole() {
				continue
			}
			want := searched(o, f, nil)
			for _, p := range []*mute{{}, {hints: true}} {
				if got := searched(o, f, p); got != want {
					t.Errorf("%s, formula %d: with a proof (hints: %v)\n%+v\nwithout\n%+v", set.name, i, p.hints, got, want)
				}
			}
		}
	}
}

// searched returns the statistics of some calls, without the memory. A unit clause before
// each call is a reason for a full collection, whose schedule depends on the size of the
// clauses.
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

// A mute proof assigns ids and ignores the clauses.
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
