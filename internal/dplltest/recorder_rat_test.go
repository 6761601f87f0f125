package dplltest

import (
	"testing"

	"sator/dimacs"
)

// The definition of variable 5 as the conjunction of 3 and 4, after the clauses of square.
var (
	left  = step{"learn", []int{-5, 3}, nil}
	right = step{"learn", []int{-5, 4}, nil}
	back  = step{"learn", []int{5, -3, -4}, nil}
)

// TestRecorderRAT checks which RAT steps a recorder accepts.
func TestRecorderRAT(t *testing.T) {
	tests := []struct {
		name  string
		hints bool
		steps []step
		want  string // in the error; empty for none
	}{
		{"definition", false, []step{left, right, back}, ""},
		{"definition with hints", true, []step{left, right, {"learn", []int{5, -3, -4}, []int64{-5, -6}}}, ""},
		{"units", true, []step{{"learn", []int{5, 6}, nil}, {"learn", []int{-6}, nil}, {"learn", []int{5}, []int64{5, 6}}}, "clause 5, [5 6], has no group"},
		{"a group with hints", true, []step{{"given", []int{3, 4}, nil}, {"given", []int{-3, 4}, nil}, {"learn", []int{6, 5}, nil}, {"learn", []int{-6, 4}, []int64{-7, 5, 6}}}, ""},
		{"hints before groups", true, []step{{"given", []int{3, 4}, nil}, {"given", []int{-3, 4}, nil}, {"learn", []int{6, 5}, nil}, {"learn", []int{-6, 4}, []int64{5, -7, 6}}}, ""},
		{"another pivot", false, []step{left, right, {"learn", []int{-3, 5, -4}, nil}}, ""},
		{"no RAT", false, []step{left, right, {"learn", []int{5, -3}, nil}}, "neither the RUP nor the RAT"},
		{"pure", false, []step{{"learn", []int{-7}, nil}}, ""},
		{"not pure", false, []step{{"given", []int{7, 8}, nil}, {"learn", []int{-7}, nil}}, "neither the RUP nor the RAT"},
		{"empty clause", false, []step{{"learn", nil, nil}}, "neither the RUP nor the RAT"},
		{"no hints for the empty clause", true, []step{{"learn", nil, nil}}, "not falsified"},
		{"no group", true, []step{left, right, {"learn", []int{5, -3, -4}, []int64{-5}}}, "clause 6, [-5 4], has no group"},
		{"a group for no clause", true, []step{{"learn", []int{5}, []int64{-9}}}, "no clause 9"},
		{"a group for another clause", true, []step{{"learn", []int{5}, []int64{-1}}}, "does not contain the complement"},
		{"a group without hints", true, []step{left, {"learn", []int{5}, []int64{-5}}}, "not falsified"},
		{"a group for a clause that was deleted", true, []step{left, {"delete", []int{3, -5}, []int64{5}}, {"learn", []int{5}, []int64{-5}}}, "was deleted"},
		{"deleted before", true, []step{left, {"delete", []int{3, -5}, []int64{5}}, {"learn", []int{5}, nil}}, ""},
		{"groups after a RUP clause", true, []step{left, {"learn", []int{1, 5}, []int64{1, 2, -5}}}, "groups of hints follow"},
		{"an original clause afterwards", false, []step{left, {"given", []int{6}, nil}}, "after a RAT step"},
	}
	for _, test := range tests {
		p := NewRATRecorder(test.hints)
		play(p, append(square[:4:4], test.steps...))
		checkErr(t, test.name, p.Err(), test.want)
	}
}

// TestRecorderRATVerify checks that a proof with a RAT step proves refutations without
// assumptions, and no others.
func TestRecorderRATVerify(t *testing.T) {
	p := NewRATRecorder(true)
	play(p, append(square[:3:3], step{"learn", []int{3}, nil}))
	if err := p.Verify(dimacs.Satisfiable, nil); err != nil {
		t.Error(err)
	}
	if p.Verify(dimacs.Unsatisfiable, dimacs.Lits(-1)) == nil {
		t.Error("a refutation under assumptions is accepted")
	}
	p.Original(dimacs.Lits(-1, -2))
	if p.Verify(dimacs.Unsatisfiable, nil) == nil {
		t.Error("an original clause after a RAT step is accepted")
	}
}
