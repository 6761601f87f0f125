package symmetry

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/internal/dplltest"
)

// finderOf returns a finder for the formula after unit propagation, or nil if it is refuted.
func finderOf(f *dimacs.Formula) *finder {
	h := inprocess.NewPlain(f, nil)
	if h.RemoveFixed(); h.Refuted() {
		return nil
	}
	x := newFinder(newGraph(h, math.MaxInt32), h.Ticks(), math.MaxInt64)
	x.prepare()
	return x
}

// neighbors returns the neighbors of vertex v by kind of edge: the complement of a literal,
// the other literals of its binary clauses, its longer clauses; or the literals of a clause.
func (g *graph) neighbors(v uint32) (kinds [3][]uint32) {
	if v >= g.literals {
		kinds[0] = g.clause(g.clauseOf(v))
		return kinds
	}
	kinds[0] = []uint32{v ^ 1}
	for c := range uint32(len(g.refs)) {
		switch lits := g.clause(c); {
		case !slices.Contains(lits, v):
		case len(lits) > 2:
			kinds[2] = append(kinds[2], g.vertex(c))
		case lits[0] == v:
			kinds[1] = append(kinds[1], lits[1])
		default:
			kinds[1] = append(kinds[1], lits[0])
		}
	}
	return kinds
}

// naive refines a coloring of the vertices until vertices of one color have equally many
// neighbors of each color, by each kind of edge.
func (g *graph) naive(color []int) []int {
	for {
		classes := make(map[string]int)
		next := make([]int, len(color))
		for v := range color {
			key := fmt.Sprint(color[v])
			for _, ns := range g.neighbors(uint32(v)) {
				var colors []int
				for _, w := range ns {
					colors = append(colors, color[w])
				}
				slices.Sort(colors)
				key += fmt.Sprint(colors)
			}
			if _, ok := classes[key]; !ok {
				classes[key] = len(classes)
			}
			next[v] = classes[key]
		}
		if slices.Max(next) == slices.Max(color) {
			return next
		}
		color = next
	}
}

// initial returns the coloring of literals that occur, literals that do not, and clauses by
// size.
func (g *graph) initial() []int {
	color := make([]int, g.vertices())
	for v := range color {
		switch {
		case uint32(v) >= g.literals:
			color[v] = len(g.clause(g.clauseOf(uint32(v))))
		case g.degree(uint32(v)) > 0:
			color[v] = 1
		}
	}
	return compact(color)
}

// compact numbers the colors from 0 on.
func compact(color []int) []int {
	numbers := slices.Compact(slices.Sorted(slices.Values(color)))
	for v, c := range color {
		color[v], _ = slices.BinarySearch(numbers, c)
	}
	return color
}

// sameClasses reports whether a coloring has the cells of a partition as its classes.
func sameClasses(color []int, cell []uint32) bool {
	to, from := make(map[int]uint32), make(map[uint32]int)
	for v, c := range color {
		if d, ok := to[c]; ok && d != cell[v] {
			return false
		}
		if d, ok := from[cell[v]]; ok && d != c {
			return false
		}
		to[c], from[cell[v]] = cell[v], c
	}
	return true
}

// TestRefine compares the first partition, and partitions after pairs of literals were
// individualized, with naive color refinement. If both sides correspond, their cells must have
// the same sizes; under a symmetry of the formula they must correspond, and cells be mapped to
// cells. Undo must restore the first partition.
func TestRefine(t *testing.T) {
	split, correspond, symmetric := 0, 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		f, sigma := dplltest.PlantedSymmetry(r, 2+r.IntN(12))
		if seed%3 == 0 {
			f = dplltest.Symmetric[r.IntN(len(dplltest.Symmetric))].Make(r, 2+r.IntN(20))
			sigma = nil
		}
		if seed%6 == 0 {
			f = cycles(6, 3, 3)
		}
		x := finderOf(f)
		if x == nil || x.g.literals == 0 {
			continue
		}
		first := x.left.cells(t)
		color := x.g.naive(x.g.initial())
		if !sameClasses(color, x.left.cell) || !slices.Equal(x.left.cell, x.right.cell) {
			t.Fatalf("seed %d: the cells are %v, the naive coloring is %v", seed, first, color)
		}
		left, right := slices.Clone(color), slices.Clone(color)
		for range 3 {
			v := uint32(r.IntN(int(x.g.literals)))
			m := x.right.members(x.left.cell[v])
			w := m[r.IntN(len(m))]
			if sigma != nil {
				w = uint32(sigma[v])
			}
			if x.left.size[x.left.cell[v]] == 1 {
				continue
			}
			split++
			ok := x.pair(v, w)
			left[v], right[w] = slices.Max(left)+1, slices.Max(right)+1
			left, right = x.g.naive(compact(left)), x.g.naive(compact(right))
			if !sameClasses(left, x.left.cell) {
				t.Fatalf("seed %d: with %d individualized the cells are %v, the naive coloring is %v", seed, v, x.left.cells(t), left)
			}
			if !ok {
				if sigma != nil {
					t.Fatalf("seed %d: the sides do not correspond under a symmetry", seed)
				}
				break
			}
			correspond++
			if !sameClasses(right, x.right.cell) || !slices.Equal(x.left.size, x.right.size) {
				t.Fatalf("seed %d: the cells on the right are %v, the naive coloring is %v", seed, x.right.cells(t), right)
			}
			if sigma != nil {
				symmetric++
			}
			for l, k := range sigma {
				if x.left.cell[l] != x.right.cell[k] {
					t.Fatalf("seed %d: a symmetry maps %d of cell %d to %d of cell %d", seed, l, x.left.cell[l], k, x.right.cell[k])
				}
			}
		}
		x.undo(mark{})
		if got := fmt.Sprint(x.left.cells(t)); got != fmt.Sprint(first) || fmt.Sprint(x.right.cells(t)) != got || len(x.trace) > 0 {
			t.Fatalf("seed %d: after undo the cells are %v, want %v", seed, got, first)
		}
	}
	t.Logf("%d pairs, %d correspond, %d under a symmetry", split, correspond, symmetric)
	if split < 100 || correspond < 50 || correspond > split-20 || symmetric < 50 {
		t.Errorf("%d pairs, %d correspond, %d under a symmetry: one is too few or too many", split, correspond, symmetric)
	}
}
