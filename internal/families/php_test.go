package families

import (
	"fmt"
	"testing"

	"sator/dimacs"
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

// TestPHPDefault: by default there is one pigeon too many.
func TestPHPDefault(t *testing.T) {
	for _, v := range []Values{{"holes": 3}, {"holes": 3, "two-pigeons": 1}} {
		inst := mustMake(t, "php", v, 1)
		if inst.Answer != dimacs.Unsatisfiable || decide(inst.Formula) != dimacs.Unsatisfiable {
			t.Errorf("%v: the answer is %v", v, inst.Answer)
		}
		less := mustMake(t, "php", Values{"holes": 3, "pigeons": float64(inst.Formula.Vars()/3 - 1), "two-pigeons": v["two-pigeons"]}, 1)
		if less.Answer != dimacs.Satisfiable {
			t.Errorf("%v: with one pigeon less the answer is %v", v, less.Answer)
		}
	}
}

// TestPHPIgnoresSeed: pigeonhole formulas do not depend on the seed.
func TestPHPIgnoresSeed(t *testing.T) {
	a, b := mustMake(t, "php", nil, 1), mustMake(t, "php", nil, 2)
	if sum(a.Formula) != sum(b.Formula) || a.Answer != dimacs.Unsatisfiable {
		t.Errorf("two seeds make %s and %s", sum(a.Formula), sum(b.Formula))
	}
}
