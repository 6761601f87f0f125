package families

import (
	"fmt"
	"testing"
)

// TestPHP compares all versions, with few and with many pigeons, with the
// oracle, and counts the clauses.
func TestPHP(t *testing.T) {
	for pigeons := 1; pigeons <= 5; pigeons++ {
		for holes := 1; holes <= 5; holes++ {
			for version := range 8 {
				functional, onto := version&1 != 0, version&2 != 0
				v := Values{"pigeons": float64(pigeons), "holes": float64(holes),
					"functional": float64(version & 1), "onto": float64(version >> 1 & 1), "two-pigeons": float64(version >> 2)}
				inst := mustMake(t, "php", v, 1)
				name := fmt.Sprint(v)
				check(t, name, inst)
				if want := solve(clauses(inst.Formula)); inst.Answer != want {
					t.Errorf("%s: the answer is %v, want %v", name, inst.Answer, want)
				}
				p := pigeonholeBuilder{pigeons, holes, 1 + version>>2, nil}
				if got, want := float64(inst.Formula.Len()), p.size(functional, onto); got != want {
					t.Errorf("%s: %g clauses, want %g", name, got, want)
				}
				if inst.Formula.Vars() != pigeons*holes {
					t.Errorf("%s: %d variables", name, inst.Formula.Vars())
				}
			}
		}
	}
}
