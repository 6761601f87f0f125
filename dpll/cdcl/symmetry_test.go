package cdcl_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/internal/cdcltest"
	"sator/internal/dplltest"
	"sator/internal/effort"
)

// breakingOptions returns options for a solver that breaks symmetries before the search.
func breakingOptions() cdcl.Options {
	o := cdcl.Options{}
	o.NoSymmetry, o.SymmetryConflicts, o.OneShot, o.Lucky = false, -1, true, cdcl.LuckyOff
	return o
}

// randomBreaking sets random knobs, and those that symmetry breaking needs.
func randomBreaking(r *rand.Rand) cdcl.Options {
	o := breakingOptions()
	settings := cdcltest.RandomKnobs(r, &o)
	if len(settings) > 0 && r.IntN(4) > 0 {
		o.SymmetryConflicts = []int{-1, -1, -1, 1, 3}[r.IntN(5)]
	}
	o.NoSymmetry, o.NoSimplify = false, false
	if r.IntN(2) == 0 {
		o.Lucky = cdcl.LuckyOff
	}
	if r.IntN(2) == 0 {
		o.InprocessInterval = 1 + r.IntN(5)
	}
	o.Seed = r.Uint64N(4)
	return o
}

// randomSymmetric draws a formula with symmetries.
func randomSymmetric(r *rand.Rand, most int) (family string, f *dimacs.Formula) {
	x := dplltest.Symmetric[r.IntN(len(dplltest.Symmetric))]
	return x.Name, x.Make(r, 2+r.IntN(most-1))
}

// A symmetryProof checks the proof of a run by all checkers for its format.
type symmetryProof struct {
	dimacs.Proof
	recorder *dplltest.Recorder
	checker  *proof.Checker // with hints
	writer   *proof.Writer
	file     bytes.Buffer
}

func newSymmetryProof(hints bool, f *dimacs.Formula) *symmetryProof {
	p := &symmetryProof{recorder: dplltest.NewRATRecorder(hints)}
	if !hints {
		p.writer = proof.NewWriter(&p.file, proof.DRAT, f.Len())
		p.Proof = proof.Tee(p.recorder, p.writer)
		return p
	}
	p.checker = proof.NewChecker()
	p.writer = proof.NewWriter(&p.file, proof.LRAT, f.Len())
	p.Proof = proof.Tee(p.recorder, p.checker, p.writer)
	return p
}

// verify returns an error if a step is wrong, or if the proof does not prove the answer.
func (p *symmetryProof) verify(answer dimacs.Status, f *dimacs.Formula) error {
	if err := p.recorder.Verify(answer, nil); err != nil {
		return err
	}
	if p.checker != nil && p.checker.Err() != nil {
		return p.checker.Err()
	}
	if err := p.writer.Flush(); err != nil || answer != dimacs.Unsatisfiable {
		return err
	}
	_, err := proof.Check(context.Background(), f, &p.file, proof.Options{})
	return err
}

// checkBreaking solves f with options o and checks the answer, the model and the proof: kind
// 0 is no proof, 1 a proof without and 2 one with hints. A canceled call comes first if polls
// is positive: its context ends at the poll of that number.
func checkBreaking(f *dimacs.Formula, o cdcl.Options, kind, polls int) (cdcl.Stats, error) {
	var p *symmetryProof
	if kind > 0 {
		p = newSymmetryProof(kind == 2, f)
		o.Proof = p
	}
	s := cdcl.New(o)
	s.AddFormula(f)
	answer := dimacs.Unknown
	if polls > 0 {
		ctx, cancel := dplltest.CancelAfter(polls)
		answer = s.Solve(ctx)
		cancel()
	}
	if answer == dimacs.Unknown {
		answer = s.Solve(context.Background())
	}
	switch want, _ := dplltest.Oracle(f); {
	case want != dimacs.Unknown && answer != want:
		return s.Stats(), fmt.Errorf("%v, want %v", answer, want)
	case answer == dimacs.Satisfiable && !s.Model().Satisfies(f):
		return s.Stats(), fmt.Errorf("%v is no model", s.Model())
	case p == nil:
		return s.Stats(), nil
	}
	return s.Stats(), p.verify(answer, f)
}

// TestSymmetry compares the answers for symmetric formulas under random options with brute
// force, and checks models and proofs.
func TestSymmetry(t *testing.T) {
	runs, broken := 0, int64(0)
	answers := make(map[bool]int)
	seeds := effort.Seeds(500, 10_000)
	for _, seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 0x59))
		family, f := randomSymmetric(r, 18)
		o := randomBreaking(r)
		polls := max(0, r.IntN(40)-20)
		stats, err := checkBreaking(f, o, int(seed%3), polls)
		if err != nil {
			t.Fatalf("seed %d, family %s: %v\n%v", seed, family, err, dplltest.Case{Formula: f})
		}
		if stats.Symmetries > 0 {
			runs++
			broken += stats.Symmetries
			answers[stats.Conflicts > 0]++
		}
	}
	t.Logf("%d constraints in %d of %d runs, with conflicts: %v", broken, runs, len(seeds), answers)
	if runs < len(seeds)/3 {
		t.Errorf("%d of %d runs with constraints are too few", runs, len(seeds))
	}
}

// TestSymmetryExcluded checks that symmetries are broken where that is allowed, and not where
// somebody relies on the models or the clauses of the solver.
func TestSymmetryExcluded(t *testing.T) {
	ctx := context.Background()
	solve := func(s *cdcl.Solver) { s.Solve(ctx) }
	for _, test := range []struct {
		name string
		set  func(o *cdcl.Options)
		call func(s *cdcl.Solver)
		runs bool
	}{
		{"solve", nil, solve, true},
		{"solve with a proof", func(o *cdcl.Options) { o.Proof = proof.NewChecker() }, solve, true},
		{"callback removed", nil, func(s *cdcl.Solver) {
			s.SetLearned(10, func([]dimacs.Lit) {})
			s.SetLearned(0, nil)
			s.Solve(ctx)
		}, true},
		{"in the first round", func(o *cdcl.Options) { o.SymmetryConflicts, o.InprocessInterval = 1000, 1 }, solve, true},
		{"knob", func(o *cdcl.Options) { o.NoSymmetry = true }, solve, false},
		{"no simplification", func(o *cdcl.Options) { o.NoSimplify = true }, solve, false},
		{"several calls", func(o *cdcl.Options) { o.OneShot = false }, solve, false},
		{"learned clauses", func(o *cdcl.Options) { o.Learned = func([]dimacs.Lit) {} }, solve, false},
		{"callback", nil, func(s *cdcl.Solver) {
			s.SetLearned(10, func([]dimacs.Lit) {})
			s.Solve(ctx)
		}, false},
		{"assumptions", nil, func(s *cdcl.Solver) { s.Solve(ctx, 0) }, false},
		{"frozen", nil, func(s *cdcl.Solver) {
			s.Freeze(2)
			s.Solve(ctx)
		}, false},
		{"group", nil, func(s *cdcl.Solver) {
			s.NewGroup()
			s.Solve(ctx)
		}, false},
		{"enumeration", nil, func(s *cdcl.Solver) {
			s.KeepModels()
			s.Solve(ctx)
		}, false},
		{"preprocessing", nil, func(s *cdcl.Solver) { s.Simplify(ctx, 1) }, false},
		{"after preprocessing", nil, func(s *cdcl.Solver) {
			s.Simplify(ctx, 1)
			s.Solve(ctx)
		}, false},
	} {
		o := breakingOptions()
		o.NoCardinality, o.NoEliminate, o.NoProbe = true, true, true // so that no pass refutes the formula
		if test.set != nil {
			test.set(&o)
		}
		s := cdcl.New(o)
		s.AddFormula(pigeons(6))
		test.call(s)
		if n := s.Stats().Symmetries; n > 0 != test.runs {
			t.Errorf("%s: %d constraints", test.name, n)
		}
	}
}

// TestSymmetryMisuse checks that calls that promise something about all models panic after
// symmetries were broken.
func TestSymmetryMisuse(t *testing.T) {
	for _, test := range []struct {
		name string
		call func(s *cdcl.Solver)
	}{
		{"Solve", func(s *cdcl.Solver) { s.Solve(context.Background(), 0) }},
		{"Propagate", func(s *cdcl.Solver) { s.Propagate(0) }},
		{"Add", func(s *cdcl.Solver) { s.Add(0) }},
		{"KeepModels", func(s *cdcl.Solver) { s.KeepModels() }},
	} {
		s := cdcl.New(breakingOptions())
		s.AddFormula(squarePigeons(4))
		if got := s.Solve(context.Background()); got != dimacs.Satisfiable || s.Stats().Symmetries == 0 {
			t.Fatalf("%v with %d constraints", got, s.Stats().Symmetries)
		}
		func() {
			defer func() {
				if got, want := fmt.Sprint(recover()), "cdcl: "+test.name+" called after symmetries were broken"; got != want {
					t.Errorf("panic %q, want %q", got, want)
				}
			}()
			test.call(s)
		}()
	}
}

// squarePigeons says that n pigeons are in n holes, no two in one.
func squarePigeons(n int) *dimacs.Formula {
	f := dimacs.NewFormula(n * n)
	at := func(pigeon, hole int) dimacs.Lit { return dimacs.Lit(2 * (n*pigeon + hole)) }
	for a := range n {
		var c []dimacs.Lit
		for h := range n {
			c = append(c, at(a, h))
			for b := range a {
				f.Add(at(a, h)^1, at(b, h)^1)
			}
		}
		f.Add(c...)
	}
	return f
}
