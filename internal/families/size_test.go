package families

import (
	"testing"

	"sator/dimacs"
)

// TestSizes compares numbers of variables and clauses with formulas.
func TestSizes(t *testing.T) {
	for _, s := range []struct {
		family        string
		values        Values
		vars, clauses int
	}{
		// C(k,2) clauses for each ordered pair of vertices without an edge: 12 and 2 times 20.
		{"clique-binary", Values{"vertices": 12, "clique": 4, "parts": 3}, 16, 6*(12+12*3) + 4*(16-12)},
		{"dominating", Values{"vertices": 12, "size": 3}, 36, 12 + 3*66},
		{"stone", Values{"height": 3, "stones": 4}, 4 * (10 + 1), 10 + 4*4 + 4 + 6*4*9},
		{"tiling", Values{"rows": 5, "columns": 6}, 30, 30 * 11},
		{"window", Values{"vars": 10, "window": 4, "k": 2, "total": 5}, 10 + 40, 4 + 6*3 + 40 + (40 - 10) + 1},
		// C(n,q) variables; n clauses and the pairs of sets that meet.
		{"counting", Values{"elements": 7, "block": 2}, 21, 7 + (21*20-21*10)/2},
		{"counting", Values{"elements": 8, "block": 3}, 56, 8 + (56*55-56*10)/2},
		// n d/2 edges, and one more if one is divided; 2 C(d,d/2+1) clauses for a vertex.
		{"even-coloring", Values{"vertices": 9}, 19, 9*8 + 4*1/2},
		{"even-coloring", Values{"vertices": 9, "even": 1}, 18, 9 * 8},
		{"even-coloring", Values{"vertices": 8, "degree": 6}, 25, 8*30 + 2},
		{"even-coloring", Values{"vertices": 9, "degree": 6}, 27, 9 * 30},
		{"kxor", Values{"vars": 20, "k": 4, "ratio": 0.5}, 20, 10 * 8},
		{"matching", Values{"vertices": 11, "degree": 4}, 22, 11 * (1 + 6)},
		{"php-bit", Values{"pigeons": 6, "holes": 5}, 6 * 3, 15*5 + 6*(8-5)},
		{"php-bit", Values{"pigeons": 9, "holes": 8}, 9 * 3, 36 * 8},
		{"php-relativized", Values{"pigeons": 4, "places": 7, "holes": 3}, 7 * (4 + 1 + 3), 4 + 7*6 + 4*7 + 7 + 3*21},
		// 2^(d-1) clauses for each vertex.
		{"tseitin", Values{"vertices": 30, "degree": 5}, 75, 30 * 16},
		// C(4,3) clauses for four places, C(5,3) for five.
		{"subset-cardinality", Values{"rows": 10}, 41, 2*9*4 + 2*10},
		{"subset-cardinality", Values{"rows": 10, "even": 1}, 40, 2 * 10 * 4},
		{"subset-cardinality", Values{"rows": 12, "degree": 6, "even": 1}, 72, 2 * 12 * 15},
	} {
		f := mustMake(t, s.family, s.values, 3).Formula
		if f.Vars() != s.vars || f.Len() != s.clauses {
			t.Errorf("%s %v has %d variables and %d clauses, want %d and %d", s.family, s.values, f.Vars(), f.Len(), s.vars, s.clauses)
		}
	}
}

// TestTilings compares the theorem on tilings of a torus with clause learning.
func TestTilings(t *testing.T) {
	for rows := 3; rows <= 10; rows++ {
		for columns := rows; columns <= 10; columns++ {
			inst := mustMake(t, "tiling", Values{"rows": float64(rows), "columns": float64(columns)}, 1)
			check(t, inst.Comments[0], inst)
			if got := decide(inst.Formula); got != inst.Answer {
				t.Errorf("%d rows, %d columns: the answer is %v, found %v", rows, columns, inst.Answer, got)
			}
		}
	}
}

// TestWindows compares the largest total with clause learning, for many small parameters.
func TestWindows(t *testing.T) {
	for n := 1; n <= 9; n++ {
		for w := 1; w <= n; w++ {
			for k := range w {
				for total := 1; total <= n; total++ {
					inst := mustMake(t, "window", Values{"vars": float64(n), "window": float64(w), "k": float64(k), "total": float64(total)}, 1)
					check(t, inst.Comments[0], inst)
					if got := decide(inst.Formula); got != inst.Answer {
						t.Errorf("%s: the answer is %v, found %v", inst.Comments[0], inst.Answer, got)
					}
				}
			}
		}
	}
}

// TestParities compares the answers and the models of Gaussian elimination with clause
// learning.
func TestParities(t *testing.T) {
	seen := map[dimacs.Status]int{}
	for seed := range uint64(30) {
		inst := mustMake(t, "kxor", Values{"vars": 70, "ratio": 0.95}, seed)
		check(t, inst.Comments[0], inst)
		if got := decide(inst.Formula); got != inst.Answer {
			t.Errorf("%s: the answer is %v, found %v", inst.Comments[0], inst.Answer, got)
		}
		seen[inst.Answer]++
	}
	if seen[dimacs.Satisfiable] == 0 || seen[dimacs.Unsatisfiable] == 0 {
		t.Errorf("the answers are %v", seen)
	}
	if inst := mustMake(t, "kxor", Values{"vars": mostEliminated + 1, "ratio": 2}, 1); inst.Answer != dimacs.Unknown {
		t.Errorf("the answer of a large system is %v", inst.Answer)
	}
}
