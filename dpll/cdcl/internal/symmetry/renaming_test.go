package symmetry

import (
	"fmt"
	"slices"
	"testing"

	"sator/dimacs"
)

// A log is a proof that records its steps as text.
type log struct{ steps []string }

func (p *log) add(what string, lits []dimacs.Lit, more ...any) int64 {
	p.steps = append(p.steps, fmt.Sprint(append([]any{what, lits}, more...)...))
	return int64(len(p.steps))
}

func (p *log) Hints() bool                                  { return true }
func (p *log) Original(lits []dimacs.Lit) int64             { return p.add("original", lits) }
func (p *log) Learn(lits []dimacs.Lit, hints []int64) int64 { return p.add("learn", lits, hints) }
func (p *log) Delete(id int64, lits []dimacs.Lit)           { p.add("delete", lits, id) }

// TestRenaming checks the names of moved variables, of others, and of variables that the
// solver adds later.
func TestRenaming(t *testing.T) {
	to := &log{}
	r := NewRenaming(to, false, 3)
	r.Learn(dimacs.Lits(1, -2, 3), nil)
	r.Learn(dimacs.Lits(4, -5), nil) // variables of the solver beyond the first ones
	r.names[0], r.names[2] = 4, 3    // a swap of variables 1 and 3, with s as variable 4
	r.next = 6
	lits := dimacs.Lits(1, -2, -3, 4, -5)
	r.Learn(lits, []int64{1, -2})
	r.Delete(7, lits)
	r.Original(lits)
	want := []string{
		"learn[1 -2 3] []", "learn[4 -5] []",
		"learn[5 -2 -4 7 -8] [1 -2]", "delete[5 -2 -4 7 -8] 7", "original[1 -2 -3 4 -5]",
	}
	if !slices.Equal(to.steps, want) {
		t.Errorf("the steps are %q, want %q", to.steps, want)
	}
	if got := lits[0]; got != 0 {
		t.Errorf("the caller's literals were changed")
	}
	if r.Hints() || !NewRenaming(to, true, 3).Hints() {
		t.Error("the renaming does not pass on whether steps have hints")
	}
}
