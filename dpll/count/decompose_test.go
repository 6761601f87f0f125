package count

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
)

// TestCountedLast checks that variables that are not counted are eliminated before the others, and that the bags
// are a tree decomposition.
func TestCountedLast(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 13))
		vars := 2 + r.IntN(12)
		f := planted(r, vars)
		counted := make([]bool, vars)
		for v := range counted {
			counted[v] = r.IntN(2) == 0
		}
		clauses := prepare(f, &Options{}, true).clauses
		d := best(context.Background(), vars, clauses, counted, 3)
		place := make([]int, vars)
		for i, v := range d.order {
			place[v] = i
			if i > 0 && counted[d.order[i-1]] && !counted[v] {
				t.Fatalf("seed %d: %d is counted and comes before %d", seed, d.order[i-1], v)
			}
		}
		for _, c := range clauses {
			first := slices.MinFunc(c, func(l, m lit) int { return place[l>>1] - place[m>>1] }) >> 1
			for _, l := range c {
				if v := uint32(l >> 1); lit(v) != first && !slices.Contains(d.bags[first], v) {
					t.Fatalf("seed %d: no bag has the clause %v", seed, c)
				}
			}
		}
		for v, bag := range d.bags {
			if len(bag) > d.width {
				t.Fatalf("seed %d: a bag of %d others, width %d", seed, len(bag), d.width)
			}
			for _, w := range bag {
				if p := uint32(d.parent[v]); w != p && !slices.Contains(d.bags[p], w) {
					t.Fatalf("seed %d: %d is in the bag of %d, and not in its parent's", seed, w, v)
				}
			}
		}
	}
}

// TestShrink counts the assignments of 16 inputs of a circuit of 6,000 gates that extend to a model. All outputs are
// free but one, which says that the inputs are not all true.
func TestShrink(t *testing.T) {
	const inputs, gates = 16, 6000
	r := rand.New(rand.NewPCG(1, 14))
	f := dimacs.NewFormula(inputs + gates)
	o := Options{}
	and := lit(0)
	for v := range inputs {
		o.Project = append(o.Project, dimacs.Var(v))
	}
	for g := range gates {
		out, a, b := lit(2*(inputs+g)), lit(r.IntN(2*(inputs+g))), lit(r.IntN(2*(inputs+g)))
		if g < inputs-1 { // a chain of conjunctions of all inputs
			a, b = and, lit(2*(g+1))
			and = out
		}
		f.Add(out^1, a)
		f.Add(out^1, b)
		f.Add(out, a^1, b^1)
	}
	f.Add(and ^ 1)
	result := Count(context.Background(), f, o)
	if want := int64(1<<inputs - 1); !result.Models.IsInt() || result.Models.Num().Int64() != want {
		t.Errorf("%v assignments, want %d", result.Models, want)
	}
	if result.Stats.Vars > 2*inputs {
		t.Errorf("the search had %d variables", result.Stats.Vars)
	}
}
