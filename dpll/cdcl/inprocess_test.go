package cdcl

import (
	"slices"
	"strings"
	"testing"
)

// TestPassOrder checks that each ordering of the passes is needed for the order that it
// names, and that faults of the table are found.
func TestPassOrder(t *testing.T) {
	for _, o := range passOrder {
		rows := slices.Clone(passes)
		first := slices.IndexFunc(rows, func(p pass) bool { return p.name == o.first })
		moved := rows[first]
		rows = append(slices.Delete(rows, first, first+1), moved)
		if err := checkOrder(rows, passOrder); err == nil || !strings.Contains(err.Error(), o.first+" must run before ") {
			t.Errorf("with %s last the order is accepted: %v", o.first, err)
		}
		if err := checkOrder(rows, []ordering{o}); err == nil || !strings.Contains(err.Error(), o.reason) {
			t.Errorf("%s after %s: %v", o.first, o.then, err)
		}
	}
	if err := checkOrder(append(slices.Clone(passes), passes[0]), nil); err == nil {
		t.Error("a name may occur twice")
	}
	for _, o := range []ordering{{"none", "probe", ""}, {"probe", "none", ""}} {
		if err := checkOrder(passes, []ordering{o}); err == nil {
			t.Errorf("%v is accepted", o)
		}
	}
}
