package families

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dpll/classic"
)

// models counts the models of a formula with package classic.
func models(t *testing.T, f *dimacs.Formula) *big.Int {
	t.Helper()
	s := classic.New(classic.DefaultOptions())
	s.AddFormula(f)
	n, all := s.Count(context.Background(), nil)
	if !all {
		t.Fatal("the count is not complete")
	}
	return n
}

// TestModels compares numbers of models with known values.
func TestModels(t *testing.T) {
	for _, m := range []struct {
		family string
		values Values
		want   int64
	}{
		// Domino coverings of a board (Kasteleyn, 1961).
		{"chessboard", Values{"size": 4, "whole": 1}, 36},
		{"chessboard", Values{"size": 6, "whole": 1}, 6728},
		{"chessboard", Values{"size": 5, "whole": 1}, 0},
		{"chessboard", Values{"size": 6}, 0},
		// The edge is present; either vertex is the first of the clique, and
		// either one has the first color.
		{"clique-coloring", Values{"vertices": 2, "clique": 2, "colors": 2}, 2 * 2},
		// OEIS A014552 counts an arrangement and its reverse once.
		// n! / (q!^(n/q) (n/q)!) partitions into blocks of q elements.
		{"counting", Values{"elements": 6, "block": 2}, 15},
		{"counting", Values{"elements": 6, "block": 3}, 10},
		{"counting", Values{"elements": 9, "block": 3}, 280},
		{"counting", Values{"elements": 7, "block": 3}, 0},
		{"counting", Values{"elements": 5, "block": 5}, 1},
		{"counting", Values{"elements": 4, "block": 1}, 1},
		// In the complete graph of five vertices, the edges of a color are a pentagon.
		{"even-coloring", Values{"vertices": 5, "even": 1}, 12},
		{"even-coloring", Values{"vertices": 5}, 0},
		// A clique has k! orders of its members; parts of 2, 2 and 1 vertices, or 1 each.
		{"clique-binary", Values{"vertices": 5, "clique": 3, "parts": 3}, 6 * 2 * 2},
		{"clique-binary", Values{"vertices": 4, "clique": 3, "parts": 4}, 4 * 3 * 2},
		{"clique-binary", Values{"vertices": 6, "clique": 3, "parts": 2}, 0},
		{"clique-binary", Values{"vertices": 2, "clique": 3, "density": 1}, 0},
		// Perfect dominating sets of a cycle of 6: three pairs of opposite vertices.
		{"dominating", Values{"vertices": 6, "cycle": 1, "size": 2}, 3 * 2},
		{"dominating", Values{"vertices": 7, "cycle": 1, "size": 2}, 0},
		// One stone lies everywhere and is red.
		{"stone", Values{"height": 2, "stones": 1, "open": 1}, 1},
		{"stone", Values{"height": 2, "stones": 2}, 0},
		{"tiling", Values{"rows": 5}, 10},
		{"tiling", Values{"rows": 5, "columns": 10}, 10},
		{"tiling", Values{"rows": 5, "columns": 6}, 0},
		// Injections.
		{"php-bit", Values{"pigeons": 3, "holes": 4}, 4 * 3 * 2},
		{"php-bit", Values{"pigeons": 3, "holes": 5}, 5 * 4 * 3},
		{"php-bit", Values{"pigeons": 2, "holes": 2}, 2},
		{"php-bit", Values{"pigeons": 3, "holes": 2}, 0},
		// One pigeon: a place without a mark has any holes, one with a mark any but none.
		{"php-relativized", Values{"pigeons": 1, "places": 1, "holes": 2}, 3},
		{"php-relativized", Values{"pigeons": 1, "places": 1, "holes": 3}, 7},
		{"php-relativized", Values{"pigeons": 2, "places": 2, "holes": 2}, 2 * 2},
		{"php-relativized", Values{"pigeons": 3, "places": 2, "holes": 3}, 0},
		{"php-relativized", Values{"pigeons": 3, "places": 3, "holes": 2}, 0},
		{"langford", Values{"numbers": 3}, 2},
		{"langford", Values{"numbers": 4}, 2},
		{"langford", Values{"numbers": 5}, 0},
		{"langford", Values{"numbers": 7}, 52},
		// Orders with a given least element are orders of the other elements:
		// labeled partial orders (OEIS A001035), and permutations.
		{"ordering", Values{"elements": 4, "minimum": 1}, 19},
		{"ordering", Values{"elements": 5, "minimum": 1}, 219},
		{"ordering", Values{"elements": 5, "minimum": 1, "total": 1}, 24},
		{"ordering", Values{"elements": 5}, 0},
		// Each of ten vertices has a pebble, in as many ways as there are such
		// values of its variables.
		{"pebbling", Values{"height": 3, "arity": 1, "open": 1}, 1},
		{"pebbling", Values{"height": 3, "arity": 2, "open": 1}, 1 << 10},
		{"pebbling", Values{"height": 1, "arity": 3, "open": 1}, 4 * 4 * 4},
		{"pebbling", Values{"height": 2, "arity": 2, "open": 1, "or": 1}, 3 * 3 * 3 * 3 * 3 * 3},
		{"queens", Values{"size": 1}, 1},
		{"queens", Values{"size": 2}, 0},
		{"queens", Values{"size": 3}, 0},
		{"queens", Values{"size": 4}, 2},
		{"queens", Values{"size": 5}, 10},
		{"queens", Values{"size": 6}, 4},
		{"queens", Values{"size": 7}, 40},
		{"queens", Values{"size": 8}, 92},
		// Each color class is a pentagon: 12 colorings.
		{"ramsey", Values{"vertices": 5, "clique": 3}, 12},
		{"ramsey", Values{"vertices": 6, "clique": 3}, 0},
		// RBBR and RRBRBBBR are the only ones, up to swapped colors.
		{"schur", Values{"numbers": 4, "colors": 2}, 2},
		{"schur", Values{"numbers": 5, "colors": 2}, 0},
		{"schur", Values{"numbers": 8, "colors": 2, "weak": 1}, 2},
		// RRBBRRBB, RBBRRBBR, RBRBBRBR, and with swapped colors.
		{"vdw", Values{"numbers": 8, "length": 3}, 6},
		{"vdw", Values{"numbers": 9, "length": 3}, 0},
	} {
		inst := mustMake(t, m.family, m.values, 1)
		if n := models(t, inst.Formula); n.Cmp(big.NewInt(m.want)) != 0 {
			t.Errorf("%s %v has %v models, want %d", m.family, m.values, n, m.want)
		}
	}
}

// TestThresholds solves instances just below and at known numbers.
func TestThresholds(t *testing.T) {
	for _, h := range []struct {
		family, size string
		values       Values
		least        int // smallest unsatisfiable value
	}{
		{"vdw", "numbers", Values{"length": 3}, 9},
		{"vdw", "numbers", Values{"length": 3, "other": 4}, 18},
		{"vdw", "numbers", Values{"length": 4, "other": 3}, 18},
		{"vdw", "numbers", Values{"length": 3, "other": 5}, 22},
		{"vdw", "numbers", Values{"length": 3, "other": 6}, 32},
		{"vdw", "numbers", Values{"length": 4}, 35},
		{"vdw", "numbers", Values{"length": 3, "colors": 3}, 27},
		{"schur", "numbers", Values{"colors": 2}, 5},
		{"schur", "numbers", Values{"colors": 3}, 14},
		{"schur", "numbers", Values{"colors": 2, "weak": 1}, 9},
		{"schur", "numbers", Values{"colors": 3, "weak": 1}, 24},
		{"ramsey", "vertices", Values{"clique": 3}, 6},
		{"ramsey", "vertices", Values{"clique": 3, "other": 4}, 9},
		{"ramsey", "vertices", Values{"clique": 4, "other": 3}, 9},
	} {
		for n, want := range map[int]dimacs.Status{h.least - 1: dimacs.Satisfiable, h.least: dimacs.Unsatisfiable} {
			h.values[h.size] = float64(n)
			inst := mustMake(t, h.family, h.values, 1)
			check(t, inst.Comments[0], inst)
			if got := decide(inst.Formula); got != want || inst.Answer != want {
				t.Errorf("%s %v: the answer is %v, found %v, want %v", h.family, h.values, inst.Answer, got, want)
			}
		}
	}
	for _, u := range []struct {
		family string
		values Values
	}{
		{"vdw", Values{"numbers": 2000, "length": 7}},
		{"ramsey", Values{"vertices": 45, "clique": 5, "other": 3, "colors": 3}},
		{"schur", Values{"numbers": 600, "colors": 6}},
	} {
		if got := mustMake(t, u.family, u.values, 1).Answer; got != dimacs.Unknown {
			t.Errorf("%s %v: the answer is %v, want unknown", u.family, u.values, got)
		}
	}
}

// TestConstructions checks models from the literature at many sizes.
func TestConstructions(t *testing.T) {
	for n := 1; n <= 40; n++ {
		inst := mustMake(t, "queens", Values{"size": float64(n)}, 1)
		check(t, inst.Comments[0], inst)
		if (inst.Model != nil) != (n != 2 && n != 3) {
			t.Errorf("%s: the answer is %v", inst.Comments[0], inst.Answer)
		}
	}
	for n := 1; n <= 24; n++ {
		inst := mustMake(t, "langford", Values{"numbers": float64(n)}, 1)
		check(t, inst.Comments[0], inst)
		if (inst.Model != nil) != (n%4 == 0 || n%4 == 3) {
			t.Errorf("%s: the answer is %v", inst.Comments[0], inst.Answer)
		}
	}
	for colors := 2; colors <= 5; colors++ {
		for weak := range 2 {
			for n := 1; n <= schurBound(colors)+2; n += 1 + n/9 {
				inst := mustMake(t, "schur", Values{"numbers": float64(n), "colors": float64(colors), "weak": float64(weak)}, 1)
				check(t, inst.Comments[0], inst)
				if (inst.Model != nil) != (n <= schurBound(colors)) {
					t.Errorf("%s: the model has %d values", inst.Comments[0], len(inst.Model))
				}
			}
		}
	}
}

// TestProgressions enumerates and counts progressions.
func TestProgressions(t *testing.T) {
	for n := 1; n <= 30; n++ {
		for length := 3; length <= 6; length++ {
			seen := map[string]bool{}
			progressions(n, length, func(terms []int) {
				for i := 1; i < length; i++ {
					if terms[i]-terms[i-1] != terms[1]-terms[0] || terms[1] <= terms[0] || terms[0] < 0 || terms[i] >= n {
						t.Fatalf("%v is not a progression up to %d", terms, n)
					}
				}
				seen[fmt.Sprint(terms)] = true
			})
			if float64(len(seen)) != progressionCount(n, length) {
				t.Errorf("%d progressions of %d terms up to %d, want %g", len(seen), length, n, progressionCount(n, length))
			}
		}
	}
}

// TestTriples compares Euclid's triples with brute force.
func TestTriples(t *testing.T) {
	for _, n := range []int{1, 4, 5, 13, 24, 25, 26, 300} {
		var want [][3]int
		for a := 1; a <= n; a++ {
			for b := a + 1; b <= n; b++ {
				for c := b + 1; c <= n; c++ {
					if a*a+b*b == c*c {
						want = append(want, [3]int{a, b, c})
					}
				}
			}
		}
		if got := triples(n); !slices.Equal(got, want) {
			t.Errorf("up to %d there are %v, want %v", n, got, want)
		}
	}
	last, beyond := mustMake(t, "pythagorean", Values{"numbers": 7824}, 1), mustMake(t, "pythagorean", Values{"numbers": 7825}, 1)
	if last.Answer != dimacs.Satisfiable || beyond.Answer != dimacs.Unsatisfiable {
		t.Errorf("the answers are %v and %v", last.Answer, beyond.Answer)
	}
	// 7825 is the hypotenuse of a new triple for each representation as a sum
	// of two squares.
	if last.Formula.Len()%2 != 0 || beyond.Formula.Len() <= last.Formula.Len() {
		t.Errorf("%d and %d clauses", last.Formula.Len(), beyond.Formula.Len())
	}
}

// TestCliqueColoring covers all small parameters.
func TestCliqueColoring(t *testing.T) {
	for vertices := 2; vertices <= 4; vertices++ {
		for clique := 2; clique <= 5; clique++ {
			for colors := 1; colors <= 4; colors++ {
				inst := mustMake(t, "clique-coloring", Values{"vertices": float64(vertices), "clique": float64(clique), "colors": float64(colors)}, 1)
				name := inst.Comments[0]
				check(t, name, inst)
				if want := decide(inst.Formula); inst.Answer != want {
					t.Errorf("%s: the answer is %v, want %v", name, inst.Answer, want)
				}
				g := &cliqueGraph{vertices, clique, colors, nil}
				if got := float64(inst.Formula.Len()); got != g.size() {
					t.Errorf("%s: %g clauses, want %g", name, got, g.size())
				}
			}
		}
	}
}

// TestPebbling: all versions have the planned answers, and with one variable
// per vertex unit propagation refutes the formula.
func TestPebbling(t *testing.T) {
	for arity := 1; arity <= 3; arity++ {
		for or := range 2 {
			v := Values{"height": 4, "arity": float64(arity), "or": float64(or)}
			inst := mustMake(t, "pebbling", v, 1)
			check(t, inst.Comments[0], inst)
			if decide(inst.Formula) != dimacs.Unsatisfiable || inst.Answer != dimacs.Unsatisfiable {
				t.Errorf("%v: the answer is %v", v, inst.Answer)
			}
			v["open"] = 1
			check(t, fmt.Sprint(v), mustMake(t, "pebbling", v, 1))
		}
	}
	if f := mustMake(t, "pebbling", Values{"height": 50, "arity": 1}, 1).Formula; leastModel(f).Satisfies(f) {
		t.Error("unit propagation does not refute the plain pyramid")
	}
}

// TestColoring compares random graphs with brute force, and checks planted
// graphs.
func TestColoring(t *testing.T) {
	seen := map[dimacs.Status]int{}
	for seed := range uint64(40) {
		v := Values{"vertices": 7, "colors": 2 + float64(seed%2), "ratio": 1 + 1.2*float64(seed%2)}
		inst := mustMake(t, "coloring", v, seed)
		got, want := decide(inst.Formula), solve(clauses(inst.Formula))
		if got != want {
			t.Errorf("seed %d: %v and %v", seed, got, want)
		}
		seen[got]++
		for _, how := range []string{"planted", "flat"} {
			for _, n := range []float64{3, 8, 31} {
				check(t, how, mustMake(t, "coloring", Values{"vertices": n, "ratio": 1, how: 1}, seed))
			}
		}
	}
	if seen[dimacs.Satisfiable] < 4 || seen[dimacs.Unsatisfiable] < 4 {
		t.Errorf("the answers are %v", seen)
	}
}

// TestEdges checks that edges are distinct, allowed, and of the requested
// number, up to complete graphs.
func TestEdges(t *testing.T) {
	r := newRNG(1)
	for n := 2; n <= 12; n++ {
		for k := 2; k <= 4; k++ {
			colors := r.classes(n, k)
			capacity := int(between(colors, k))
			for m := range capacity + 1 {
				edges, err := r.edges(n, m, func(u, w int) bool { return colors[u] != colors[w] }, float64(capacity))
				if err != nil {
					t.Fatal(err)
				}
				checkEdges(t, edges, colors, m)
				if edges, err = r.flat(colors, k, m); err == nil {
					checkEdges(t, edges, colors, m)
					checkFlat(t, edges, colors, k)
				} else if n%k == 0 {
					t.Errorf("%d vertices, %d colors, %d edges: %v", n, k, m, err)
				}
			}
			if _, err := r.edges(n, capacity+1, nil, float64(capacity)); err == nil {
				t.Errorf("no error for %d edges, more than the possible %d", capacity+1, capacity)
			}
		}
	}
}

func checkEdges(t *testing.T, edges [][2]int, colors []int, m int) {
	t.Helper()
	seen := map[[2]int]bool{}
	for _, e := range edges {
		if e[0] >= e[1] || seen[e] || colors[e[0]] == colors[e[1]] {
			t.Fatalf("edge %v of %v, colors %v", e, edges, colors)
		}
		seen[e] = true
	}
	if len(edges) != m {
		t.Fatalf("%d edges, want %d", len(edges), m)
	}
}

// checkFlat counts the edges between colors, and the neighbors of each color.
func checkFlat(t *testing.T, edges [][2]int, colors []int, k int) {
	t.Helper()
	neighbors := make([][]int, len(colors))
	for u := range neighbors {
		neighbors[u] = make([]int, k)
	}
	total := make([][]int, k) // edges between pairs of colors
	for c := range total {
		total[c] = make([]int, k)
	}
	for _, e := range edges {
		c, d := colors[e[0]], colors[e[1]]
		neighbors[e[0]][d]++
		neighbors[e[1]][c]++
		total[max(c, d)][min(c, d)]++
	}
	var all []int
	for c := range k {
		all = append(all, total[c][:c]...)
		for d := range k {
			var of []int
			for u, row := range neighbors {
				if colors[u] == c {
					of = append(of, row[d])
				}
			}
			if len(of) > 0 && slices.Max(of)-slices.Min(of) > 1 {
				t.Fatalf("vertices of color %d have %v neighbors of color %d", c, of, d)
			}
		}
	}
	if slices.Max(all)-slices.Min(all) > 1 {
		t.Fatalf("between pairs of colors there are %v edges", all)
	}
}
