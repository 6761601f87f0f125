package proof_test

import (
	"bytes"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
)

// TestDefineFrom checks which RAT steps, tautologies and later clauses a checker of
// definitions accepts. Variables 1 and 2 are those of the formula.
func TestDefineFrom(t *testing.T) {
	tests := []struct {
		name  string
		steps func(c *proof.Checker)
		want  string
	}{
		{"a definition", func(c *proof.Checker) {
			c.Learn(dimacs.Lits(3, 1), nil)
			c.Learn(dimacs.Lits(3, 2), nil)
			c.Learn(dimacs.Lits(-3, -1, -2), []int64{-5, -6})
		}, ""},
		{"a definition against its pivot", func(c *proof.Checker) {
			c.Learn(dimacs.Lits(3, 1), nil)
			c.Learn(dimacs.Lits(-3), nil)
		}, "lemma 6: the hints end without a falsified clause, and clause 5 (3 1) with 3 has no group of hints"},
		{"an older definition than that of the index", func(c *proof.Checker) {
			distant := func() {
				for range 1100 {
					c.Learn(dimacs.Lits(1, 2), []int64{1})
				}
			}
			c.Learn(dimacs.Lits(3, 1), nil)
			distant()
			c.Learn(dimacs.Lits(4, 1), nil)
			distant()
			c.Learn(dimacs.Lits(4, 2), nil)
			c.Learn(dimacs.Lits(-3), nil)
		}, "lemma 2208: the hints end without a falsified clause, and clause 5 (3 1) with 3 has no group of hints"},
		{"RAT on the last variable of the formula", func(c *proof.Checker) {
			c.Forget(3)
			c.Learn(dimacs.Lits(-2, 3), []int64{-1, 2})
		},
			"lemma 5 does not follow by unit propagation, and its pivot -2 may not be defined"},
		{"RAT without resolvents", func(c *proof.Checker) {
			c.Forget(2)
			c.Forget(4)
			c.Learn(dimacs.Lits(2), nil)
		}, "lemma 5 does not follow by unit propagation, and its pivot 2 may not be defined"},
		{"a definition whose pivot is not first", func(c *proof.Checker) { c.Learn(dimacs.Lits(-2, 3), nil) },
			"lemma 5: the hints end without a falsified clause, and clause 1 (1 2) with 2 has no group of hints"},
		{"a tautology", func(c *proof.Checker) { c.Learn(dimacs.Lits(1, -1), nil) },
			"lemma 5 contains a literal and its complement"},
		{"a repeated literal", func(c *proof.Checker) { c.Learn(dimacs.Lits(1, 2, 1), []int64{1}) },
			"lemma 5: a literal is repeated"},
		{"a needless group", func(c *proof.Checker) { c.Learn(dimacs.Lits(3, 1), []int64{-2}) },
			"lemma 5: hint 1, a group for clause 2, which lacks -3"},
		{"a clause after a definition", func(c *proof.Checker) {
			c.Learn(dimacs.Lits(3), nil)
			c.Original(dimacs.Lits(-1, 2))
			c.Learn(nil, []int64{1, 2, 3, 4})
		}, "lemma 7: hint 1, clause 1 (1 2), is not unit"},
		{"a clause with a defined variable", func(c *proof.Checker) {
			c.Learn(dimacs.Lits(3), nil)
			c.Original(dimacs.Lits(1, -3))
		}, "clause 6 is given after a RAT step, with a defined variable"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := proof.NewChecker()
			c.DefineFrom(2)
			for _, d := range both().Clauses() {
				c.Original(d)
			}
			test.steps(c)
			wantError(t, c.Err(), test.want)
		})
	}
}

// TestHas checks the comparison of a clause with literals.
func TestHas(t *testing.T) {
	c := newChecker(formula(1, 2, 3, 0, 4, 4, 5, 0))
	tests := []struct {
		id   int64
		lits []dimacs.Lit
		want bool
	}{
		{1, dimacs.Lits(3, 1, 2), true},
		{1, dimacs.Lits(1, 2), false},
		{1, dimacs.Lits(1, 2, 3, 4), false},
		{1, dimacs.Lits(1, 1, 2), false},
		{1, dimacs.Lits(1, -2, 3), false},
		{2, dimacs.Lits(4, 5, 5), false},
		{2, dimacs.Lits(4, 5), false},
		{3, nil, false},
		{-1, nil, false},
	}
	for _, test := range tests {
		if got := c.Has(test.id, test.lits); got != test.want {
			t.Errorf("clause %d, %v: %v", test.id, test.lits, got)
		}
	}
	c.Forget(1)
	if c.Has(1, dimacs.Lits(1, 2, 3)) {
		t.Error("a deleted clause")
	}
	wantError(t, c.Err(), "")
	c.Forget(1)
	wantError(t, c.Err(), "cannot delete clause 1: it was deleted")
}

// TestLimitMemory checks that a reader asks its limit.
func TestLimitMemory(t *testing.T) {
	step := append([]byte("a\x06"), bytes.Repeat([]byte{2}, 1<<12)...)
	r := proof.NewReader(bytes.NewReader(step), "", proof.BinaryLRAT)
	r.LimitMemory(func(n int64) bool { return n < 1<<12 })
	defer func() {
		if _, ok := recover().(*dimacs.MemoryError); !ok {
			t.Error("no panic with a *dimacs.MemoryError")
		}
	}()
	step2, err := r.Next()
	t.Errorf("read %v, %v", step2, err)
}
