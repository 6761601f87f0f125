package classic_test

import (
	"context"
	"fmt"
	"testing"

	"sator/dimacs"
	"sator/dpll/classic"
	"sator/internal/dplltest"
)

// TestAssignment checks that at each projected cube the assignment satisfies the
// formula and agrees with the cube.
func TestAssignment(t *testing.T) {
	var m dimacs.Model
	cubes := 0
	for seed := range uint64(100) {
		_, c := dplltest.RandomCase(seed, 30)
		s := classic.New(options("mom", classic.PureEvery))
		s.AddFormula(c.Formula)
		project := []dimacs.Var{2, 0, 3}
		for cube := range s.Cubes(context.Background(), project, c.Assumptions...) {
			cubes++
			m = s.Assignment(m)
			if i := m.Falsified(c.Formula); i >= 0 {
				t.Fatalf("seed %d: clause %d is not satisfied", seed, i)
			}
			for _, v := range project {
				if m[v] != cube.Model[v] {
					t.Fatalf("seed %d: variable %d is %v in the assignment, %v in the cube", seed, v.Int(), m[v], cube.Model[v])
				}
			}
		}
	}
	if cubes < 30 {
		t.Errorf("%d cubes", cubes)
	}
}

func TestCubeModels(t *testing.T) {
	c := classic.Cube{Model: dimacs.Model{dimacs.True, dimacs.Unassigned, dimacs.False, dimacs.Unassigned}, Free: []dimacs.Var{1, 3}}
	var got [][]dimacs.Lit
	for m := range c.Models() {
		got = append(got, m.Lits())
	}
	if want := "[[1 2 -3 4] [1 2 -3 -4] [1 -2 -3 4] [1 -2 -3 -4]]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
	for range c.Models() {
		break // Models must not yield again
	}
}
