package dplltest

import (
	"strings"
	"testing"

	"sator/dimacs"
)

// Steps over the clauses of square, ids 1 to 4, and the definition of 5 as the
// conjunction of 3 and 4.
var (
	left  = step{"learn", []int{-5, 3}, nil}
	right = step{"learn", []int{-5, 4}, nil}
	back  = step{"learn", []int{5, -3, -4}, nil}
)

func TestRecorderRAT(t *testing.T) {
	tests := []struct {
		name  string
		hints bool
		steps []step
		want  string // in the error; empty for none
	}{
		{"definition", false, []step{left, right, back}, ""},
		{"definition with hints", true, []step{left, right, {"learn", []int{5, -3, -4}, []int64{-5, -6}}}, ""},
		{"units", true, []step{{"learn", []int{5, 6}, nil}, {"learn", []int{-6}, nil}, {"learn", []int{5}, []int64{5, 6}}}, "none for clause 5"},
		{"a group with hints", true, []step{{"given", []int{3, 4}, nil}, {"given", []int{-3, 4}, nil}, {"learn", []int{6, 5}, nil}, {"learn", []int{-6, 4}, []int64{-7, 5, 6}}}, ""},
		{"hints before groups", true, []step{{"given", []int{3, 4}, nil}, {"given", []int{-3, 4}, nil}, {"learn", []int{6, 5}, nil}, {"learn", []int{-6, 4}, []int64{5, -7, 6}}}, ""},
		{"another pivot", false, []step{left, right, {"learn", []int{-3, 5, -4}, nil}}, ""},
		{"no RAT", false, []step{left, right, {"learn", []int{5, -3}, nil}}, "nor has it"},
		{"pure", false, []step{{"learn", []int{-7}, nil}}, ""},
		{"not pure", false, []step{{"given", []int{7, 8}, nil}, {"learn", []int{-7}, nil}}, "nor has it"},
		{"empty clause", false, []step{{"learn", nil, nil}}, "nor has it"},
		{"no hints for the empty clause", true, []step{{"learn", nil, nil}}, "not falsified"},
		{"no group", true, []step{left, right, {"learn", []int{5, -3, -4}, []int64{-5}}}, "none for clause 6"},
		{"a group for no clause", true, []step{{"learn", []int{5}, []int64{-9}}}, "no clause 9"},
		{"a group for another clause", true, []step{{"learn", []int{5}, []int64{-1}}}, "does not have the complement"},
		{"a group without hints", true, []step{left, {"learn", []int{5}, []int64{-5}}}, "not falsified"},
		{"a group for a clause that was deleted", true, []step{left, {"delete", []int{3, -5}, []int64{5}}, {"learn", []int{5}, []int64{-5}}}, "was deleted"},
		{"deleted before", true, []step{left, {"delete", []int{3, -5}, []int64{5}}, {"learn", []int{5}, nil}}, ""},
		{"groups behind a clause that follows", true, []step{left, {"learn", []int{1, 5}, []int64{1, 2, -5}}}, "groups of hints behind"},
		{"a clause given later", false, []step{left, {"given", []int{6}, nil}}, "after a RAT step"},
	}
	for _, test := range tests {
		p := NewRATRecorder(test.hints)
		play(p, append(square[:4:4], test.steps...))
		err := p.Err()
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
}

// With such a step a proof bears out a refutation, but none under assumptions.
func TestRecorderRATVerify(t *testing.T) {
	p := NewRATRecorder(true)
	play(p, append(square[:3:3], step{"learn", []int{3}, nil}))
	if err := p.Verify(dimacs.Satisfiable, nil); err != nil {
		t.Error(err)
	}
	if p.Verify(dimacs.Unsatisfiable, dimacs.Lits(-1)) == nil {
		t.Error("what is assumed is refuted")
	}
	p.Original(dimacs.Lits(-1, -2))
	if p.Verify(dimacs.Unsatisfiable, nil) == nil {
		t.Error("a clause was given after a RAT step")
	}
}
