package engines

import (
	"context"
	"testing"

	"sator/dimacs"
)

// A cancelling solver calls stop when a clause is added.
type cancelling struct {
	stop  func()
	added int
}

func (c *cancelling) Grow(int)          {}
func (c *cancelling) Reserve(int, int)  {}
func (c *cancelling) Add(...dimacs.Lit) { c.added++; c.stop() }

// TestInterruptedWhileAdding checks that adding clauses ends with the context.
func TestInterruptedWhileAdding(t *testing.T) {
	f := new(dimacs.Formula)
	for range 3 * AddInterval {
		f.AddInts(1)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := &cancelling{stop: cancel}
	if Fill(ctx, s, f, f.Vars(), 0, f.Len()) || s.added > AddInterval {
		t.Errorf("%d clauses were added", s.added)
	}
}
