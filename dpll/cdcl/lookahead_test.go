package cdcl_test

import (
	"context"
	"testing"
	"time"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/internal/dplltest"
)

// TestLookAhead tests when look-ahead decides a random formula.
func TestLookAhead(t *testing.T) {
	hard := uniform(2, 220, 937, nil)
	for _, test := range []struct {
		name        string
		f           *dimacs.Formula
		o           cdcl.Options
		limits      cdcl.Limits
		assumptions []dimacs.Lit
		want        bool
	}{
		{name: "unsatisfiable", f: hard, want: true},
		{name: "satisfiable", f: uniform(8, 300, 1260, nil), o: cdcl.Options{NoWalk: true, Stable: cdcl.StableMode}, want: true},
		{name: "satisfiable, after a walk", f: uniform(8, 300, 1260, nil), o: cdcl.Options{Stable: cdcl.StableMode}, want: true},
		{name: "with limits of rounds and time", f: hard, limits: cdcl.Limits{Rounds: 9, Time: time.Hour}, want: true},
		{name: "off", f: hard, o: cdcl.Options{NoLookAhead: true}},
		{name: "with a limit of conflicts", f: hard, limits: cdcl.Limits{Conflicts: 2000}},
		{name: "under an assumption", f: hard, assumptions: dimacs.Lits(1)},
		{name: "structured", f: pigeons(8)},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := dplltest.NewRecorder(true)
			test.o.Proof, test.o.Verify = p, true
			s := cdcl.New(test.o)
			s.AddFormula(test.f)
			s.SetLimits(test.limits)
			answer := s.Solve(context.Background(), test.assumptions...)
			if st := s.Stats(); st.LookAheads > 0 != test.want || test.want && st.Conflicts > 1100 || s.Err() != nil || (answer == dimacs.Unknown) != (test.limits.Conflicts > 0) {
				t.Errorf("%v, %d nodes, %d conflicts, %v", answer, st.LookAheads, st.Conflicts, s.Err())
			}
			if answer == dimacs.Satisfiable {
				checkAlive(t, p, s)
			}
		})
	}
}

// TestLookAheadInterrupted tests that the next call continues from a search that was stopped, with
// a proof.
func TestLookAheadInterrupted(t *testing.T) {
	f, checker, looking, polls := uniform(3, 250, 1130, nil), proof.NewChecker(), false, 0
	s := cdcl.New(cdcl.Options{Proof: checker, Activity: func(phase string) { looking, polls = phase == "look-ahead", 0 }})
	s.AddFormula(f)
	s.SetTerminate(func() bool {
		polls++
		return looking && polls > 10
	})
	if st := s.Solve(t.Context()); st != dimacs.Unknown || s.Stats().LookAheads == 0 {
		t.Fatal(st)
	}
	s.SetTerminate(nil)
	if st := s.Solve(t.Context()); st != dimacs.Unsatisfiable {
		t.Error(st)
	}
	if err := checker.Refutes(nil); err != nil {
		t.Error(err)
	}
}
