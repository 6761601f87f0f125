package enumerate

import (
	"testing"

	"sator/dimacs"
)

// TestCheck checks that wrong model sets are found out.
func TestCheck(t *testing.T) {
	f := dimacs.NewFormula(0)
	f.AddInts(1, 2)
	f.AddInts(2, -2, 2) // a tautology is true under any witness
	for _, tt := range []struct {
		witness dimacs.Model
		assume  []dimacs.Lit
		want    string
	}{
		{dimacs.Model{dimacs.True, dimacs.Unassigned}, nil, ""},
		{dimacs.Model{dimacs.True, dimacs.Unassigned}, dimacs.Lits(2), "the model does not satisfy the assumption 2"},
		{dimacs.Model{dimacs.False, dimacs.Unassigned}, nil, "the model does not satisfy clause 1, 1 2 0"},
	} {
		got := ""
		if err := (&ModelSet{Witness: tt.witness}).Check(f, tt.assume); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%v under %v: %q, want %q", tt.witness, tt.assume, got, tt.want)
		}
	}
}
