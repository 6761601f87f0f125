package dplltest

import (
	"strings"
	"testing"

	"sator/dimacs"
)

// A step is a step of a proof in a test.
type step struct {
	do    string // "given" (an original clause), "learn", "delete"
	lits  []int
	hints []int64 // of delete: the id
}

// play logs the steps.
func play(p *Recorder, steps []step) {
	p.Hints()
	for _, s := range steps {
		switch lits := dimacs.Lits(s.lits...); s.do {
		case "given":
			p.Original(lits)
		case "learn":
			p.Learn(lits, s.hints)
		case "delete":
			p.Delete(s.hints[0], lits)
		}
	}
}

// square has the original clauses 1 to 4: all clauses over two variables.
var square = []step{
	{"given", []int{1, 2}, nil},
	{"given", []int{1, -2}, nil},
	{"given", []int{-1, 2}, nil},
	{"given", []int{-1, -2}, nil},
}

// TestRecorder checks which steps a recorder accepts.
func TestRecorder(t *testing.T) {
	tests := []struct {
		name  string
		hints bool
		steps []step
		want  string // in the error; empty for none
	}{
		{"refutation", false, []step{{"learn", []int{1}, nil}, {"learn", nil, nil}}, ""},
		{"refutation with hints", true, []step{{"learn", []int{1}, []int64{1, 2}}, {"learn", nil, []int64{5, 3, 4}}}, ""},
		{"deletions", true, []step{{"learn", []int{1}, []int64{1, 2}}, {"delete", []int{2, 1}, []int64{1}}, {"delete", []int{1, -2}, []int64{2}}, {"learn", nil, []int64{5, 3, 4}}}, ""},
		{"a clause of the formula", true, []step{{"learn", []int{2, 1}, []int64{1}}}, ""},
		{"a superset of an implied clause", false, []step{{"learn", []int{1, 3}, nil}}, ""},
		{"tautology", true, []step{{"learn", []int{3, -3}, nil}}, ""},

		{"not implied", false, []step{{"learn", []int{3}, nil}}, "not implied"},
		{"not by propagation", false, []step{{"learn", nil, nil}}, "not implied by unit"},
		{"after a deletion", false, []step{{"delete", []int{1, 2}, []int64{1}}, {"learn", []int{1}, nil}}, "not implied by unit"},
		{"no hints", true, []step{{"learn", []int{1}, nil}}, "not falsified"},
		{"hints not requested", false, []step{{"learn", []int{1}, []int64{1, 2}}}, "not requested"},
		{"hint missing", true, []step{{"learn", []int{1}, []int64{1}}}, "last hint is not falsified"},
		{"one hint too many", true, []step{{"learn", []int{1}, []int64{1, 2, 3}}}, "falsified before the last"},
		{"hint that is not unit", true, []step{{"learn", []int{1}, []int64{3, 1, 2}}}, "not unit"},
		{"hints in the wrong order", true, []step{{"learn", []int{1}, []int64{1, 2}}, {"learn", nil, []int64{3, 5, 4}}}, "not unit"},
		{"hint that does not exist", true, []step{{"learn", []int{1}, []int64{1, 9}}}, "no clause 9"},
		{"hint 0", true, []step{{"learn", []int{1}, []int64{0}}}, "no clause 0"},
		{"hint that was deleted", true, []step{{"delete", []int{1, -2}, []int64{2}}, {"learn", []int{1}, []int64{1, 2}}}, "clause 2 was deleted"},
		{"literal twice", false, []step{{"learn", []int{1, 1}, nil}}, "twice"},
		{"literal twice, not in a row", false, []step{{"learn", []int{1, 2, 1}, nil}}, "twice"},
		{"deleted twice", false, []step{{"delete", []int{1, 2}, []int64{1}}, {"delete", []int{1, 2}, []int64{1}}}, "was deleted"},
		{"deleted with another id", false, []step{{"delete", []int{1, 2}, []int64{2}}}, "deleted clause 2 as"},
		{"deleted in part", false, []step{{"delete", []int{1}, []int64{1}}}, "deleted clause 1 as"},
		{"deleted with a literal twice", false, []step{{"delete", []int{1, 2, 2}, []int64{1}}}, "deleted clause 1 as"},
		{"deleted a missing clause", false, []step{{"delete", []int{1, 2}, []int64{5}}}, "no clause 5"},
		{"two errors", false, []step{{"learn", []int{3}, nil}, {"learn", []int{4, 4}, nil}}, "after 4 clauses"},
	}
	for _, test := range tests {
		p := NewRecorder(test.hints)
		play(p, append(square[:4:4], test.steps...))
		checkErr(t, test.name, p.Err(), test.want)
	}
}

// checkErr checks that the error contains the wanted text, or is nil if that is empty.
func checkErr(t *testing.T, name string, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("%s: %v", name, err)
	case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
		t.Errorf("%s: got %v, want %q", name, err, want)
	}
}

// TestRecorderOddClauses checks that clauses with duplicate literals become unit as other
// clauses do, and that tautologies never do.
func TestRecorderOddClauses(t *testing.T) {
	p := NewRecorder(true)
	play(p, []step{
		{"given", []int{1, 1, 2, 2}, nil},
		{"given", []int{3, -3, 1}, nil},
		{"given", []int{-2, -2}, nil},
		{"learn", []int{1}, []int64{3, 1}},
	})
	if err := p.Err(); err != nil {
		t.Error(err)
	}
	if p.Learn(dimacs.Lits(3), []int64{2}); p.Err() == nil {
		t.Error("a tautology became unit")
	}
}

// TestRecorderVerify checks which answers a proof proves.
func TestRecorderVerify(t *testing.T) {
	tests := []struct {
		name   string
		steps  []step
		status dimacs.Status
		failed []int
		ok     bool
	}{
		{"satisfiable", square[:3], dimacs.Satisfiable, nil, true},
		{"unknown", square, dimacs.Unknown, nil, true},
		{"refuted", append(square[:4:4], step{"learn", []int{1}, nil}, step{"learn", nil, nil}), dimacs.Unsatisfiable, nil, true},
		{"empty clause given", []step{{"given", nil, nil}}, dimacs.Unsatisfiable, nil, true},
		{"not refuted", square, dimacs.Unsatisfiable, nil, false},
		{"core", square[:3], dimacs.Unsatisfiable, []int{-1}, true},
		{"no core", square[:3], dimacs.Unsatisfiable, []int{1}, false},
		{"contradictory assumptions", square[:1], dimacs.Unsatisfiable, []int{3, -3}, true},
		{"wrong step", append(square[:3:3], step{"learn", []int{3}, nil}), dimacs.Satisfiable, nil, false},
	}
	for _, test := range tests {
		p := NewRecorder(false)
		play(p, test.steps)
		if err := p.Verify(test.status, dimacs.Lits(test.failed...)); (err == nil) != test.ok {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
