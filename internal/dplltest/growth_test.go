package dplltest

import (
	"testing"

	"sator/dimacs"
)

// A copyingEngine allocates a table again for each clause.
type copyingEngine struct {
	Engine
	table []byte
}

func (e *copyingEngine) Add(lits ...dimacs.Lit) {
	table := make([]byte, len(e.table)+1)
	copy(table, e.table)
	e.table = table
	e.Engine.Add(lits...)
}

// TestCheckGrowth checks that CheckGrowth accepts an engine with linear growth, and finds
// one with quadratic growth.
func TestCheckGrowth(t *testing.T) {
	if err := CheckGrowth(newPlainEngine); err != nil {
		t.Error(err)
	}
	newCopying := func(s Setup) Engine { return &copyingEngine{Engine: newPlainEngine(s)} }
	if CheckGrowth(newCopying) == nil {
		t.Error("no error for an engine that copies a table for each clause")
	}
}
