package cdcl_test

import (
	"context"
	"errors"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/internal/dplltest"
)

// A refusal is a memory limit that refuses the requests from number first to number last.
type refusal struct{ asked, first, last int }

func (r *refusal) allows(int64) bool {
	r.asked++
	return r.asked-1 < r.first || r.asked-1 > r.last
}

// solveWithin solves a formula under a memory limit. It returns Unknown and true if the
// limit ended the search.
func solveWithin(t *testing.T, o cdcl.Options, f *dimacs.Formula, assumptions []dimacs.Lit) (status dimacs.Status, s *cdcl.Solver, refused bool) {
	t.Helper()
	defer func() {
		switch p := recover().(type) {
		case nil:
		case error:
			var e *dimacs.MemoryError
			if refused = errors.As(p, &e); !refused {
				panic(p)
			}
			status = dimacs.Unknown
		default:
			panic(p)
		}
	}()
	s = cdcl.New(o)
	s.AddFormula(f)
	return s.Solve(context.Background(), assumptions...), s, false
}

// TestMemoryRefused refuses each request for memory in turn, alone and with all later
// ones. A run then ends with the right answer, because the request was optional, or with
// a MemoryError. The proof steps up to there are right in both cases.
func TestMemoryRefused(t *testing.T) {
	ended, went := 0, 0
	for seed := range uint64(300) {
		_, c := dplltest.RandomCase(seed, 0)
		want, _ := dplltest.Oracle(c.Formula, c.Assumptions...)
		for n, more := 0, true; more; n += 1 + n/4 {
			for _, last := range []int{n, 1 << 30} {
				r, rec := &refusal{first: n, last: last}, dplltest.NewRecorder(seed&1 == 0)
				o := cdcl.Options{}
				optionSets[(seed+uint64(n))%uint64(len(optionSets))].set(&o)
				o.InprocessInterval, o.RephaseInterval, o.ReduceInterval = 1, 1, 2
				o.Memory, o.Proof = r.allows, rec
				got, s, refused := solveWithin(t, o, c.Formula, c.Assumptions)
				more = r.asked > n
				switch {
				case refused:
					ended++
				case got == dimacs.Unknown && o.Verify && errors.As(s.Err(), new(*dimacs.MemoryError)):
					ended++
				case got != want && want != dimacs.Unknown:
					t.Fatalf("seed %d, request %d refused: %v, want %v", seed, n, got, want)
				default:
					went++
				}
				if err := rec.Verify(got, failedOf(s, got)); err != nil {
					t.Fatalf("seed %d, request %d refused: %v", seed, n, err)
				}
				if got == dimacs.Satisfiable && s.Model().Falsified(c.Formula) >= 0 {
					t.Fatalf("seed %d, request %d refused: the model is wrong", seed, n)
				}
			}
		}
	}
	if ended < 100 || went < 100 {
		t.Errorf("%d runs ended and %d continued after a refusal", ended, went)
	}
	t.Logf("%d runs ended and %d continued after a refusal", ended, went)
}

// failedOf returns the failed assumptions if the status is Unsatisfiable.
func failedOf(s *cdcl.Solver, status dimacs.Status) []dimacs.Lit {
	if status != dimacs.Unsatisfiable {
		return nil
	}
	return s.Failed()
}
