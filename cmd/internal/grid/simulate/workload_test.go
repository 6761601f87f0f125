package simulate

import (
	"math/rand/v2"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/dpll/portfolio"
)

func result(cube []int, seconds float64, split int, end int64) portfolio.Result {
	r := portfolio.Result{Cube: dimacs.Lits(cube...), Status: dimacs.Unsatisfiable, Seconds: seconds, Conflicts: int64(10 * seconds)}
	if split != 0 {
		r.Status, r.Split = dimacs.Unknown, dimacs.Lits(split)
	}
	if end > 0 {
		r.Proof = &portfolio.ProofPosition{Bytes: end}
	}
	return r
}

// TestNew checks the tree, the times and the sizes of a list of results.
func TestNew(t *testing.T) {
	w, err := New([]portfolio.Result{
		result([]int{1, 2}, 1, 0, 100),
		result([]int{1, -2}, 2, 5, 150),
		result([]int{1, -2, 5}, 3, 0, 400),
		result([]int{1, -2, -5}, 4, 7, 500),
		result([]int{1, -2, -5, -7}, 0.5, 0, 600), // its sibling was covered
		result([]int{-1}, 5, 0, 1000),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []Cube{
		{1, 10, 100, [2]int32{}},
		{2, 20, 50, [2]int32{2, 3}},
		{3, 30, 250, [2]int32{}},
		{4, 40, 100, [2]int32{4, 0}},
		{0.5, 5, 100, [2]int32{}},
		{5, 50, 400, [2]int32{}},
	}
	for i, c := range want {
		if w.Cubes[i] != c {
			t.Errorf("cube %d: %+v, want %+v", i, w.Cubes[i], c)
		}
	}
	if got := w.Roots; len(got) != 3 || got[0] != 0 || got[1] != 1 || got[2] != 5 {
		t.Errorf("roots %v, want 0, 1 and 5", got)
	}
	if w.Work() != 15.5 || w.Bytes() != 1000 || w.Splits() != 2 || w.CriticalPath() != 6.5 {
		t.Errorf("work %v, %d bytes, %d splits, critical path %v", w.Work(), w.Bytes(), w.Splits(), w.CriticalPath())
	}
	s := w.Scaled(10)
	if s.Work() != 155 || s.Bytes() != 10_000 || s.CriticalPath() != 65 || s.Cubes[0].Conflicts != 100 || w.Work() != 15.5 {
		t.Errorf("scaled: %+v", s)
	}
}

// TestNewErrors checks the errors of lists of results that are no refutation.
func TestNewErrors(t *testing.T) {
	model := result([]int{1}, 1, 0, 0)
	model.Status = dimacs.Satisfiable
	unsplit := result([]int{1}, 1, 0, 0)
	unsplit.Status = dimacs.Unknown
	for want, results := range map[string][]portfolio.Result{
		"no results":        nil,
		"found a model":     {model},
		"neither refuted":   {unsplit},
		"it took -1 s":      {result([]int{1}, -1, 0, 0)},
		"another result":    {result([]int{1}, 1, 0, 0), result([]int{1}, 1, 0, 0)},
		"position":          {result([]int{1}, 1, 0, 10), result([]int{-1}, 1, 0, 9)},
		"an earlier result": {result([]int{1, 2}, 1, 0, 0), result([]int{1}, 1, 2, 0)},
	} {
		if _, err := New(results); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// TestSampled checks that a sample consists of whole trees of the workload and depends on
// the seed alone.
func TestSampled(t *testing.T) {
	w := &Workload{
		Cubes: []Cube{{Seconds: 1, Halves: [2]int32{1, 2}}, {Seconds: 2}, {Seconds: 4, Halves: [2]int32{3}}, {Seconds: 8}, {Seconds: 100}},
		Roots: []int32{0, 4},
	}
	a, b, c := w.Sampled(100, 1), w.Sampled(100, 1), w.Sampled(100, 2)
	trees := 0
	for _, root := range a.Roots {
		if a.Cubes[root].Halves != [2]int32{} {
			trees++
		}
	}
	if len(a.Roots) != 100 || trees < 20 || trees > 80 || len(a.Cubes) != 100+3*trees {
		t.Errorf("%d roots, %d with splits, %d cubes", len(a.Roots), trees, len(a.Cubes))
	}
	if want := float64(15*trees + 100*(100-trees)); a.Work() != want || b.Work() != want {
		t.Errorf("work %v and %v, want %v", a.Work(), b.Work(), want)
	}
	if c.Work() == a.Work() && c.Cubes[0] == a.Cubes[0] && c.Cubes[1] == a.Cubes[1] && c.Cubes[2] == a.Cubes[2] {
		t.Error("two seeds give the same sample")
	}
	if trees > 0 && a.CriticalPath() != 100 {
		t.Errorf("critical path %v, want 100", a.CriticalPath())
	}
}

// randomWorkload returns roots with random times and sizes and some splits.
func randomWorkload(r *rand.Rand, roots int) *Workload {
	w := &Workload{}
	add := func() int32 {
		w.Cubes = append(w.Cubes, Cube{Seconds: r.ExpFloat64(), Bytes: int64(r.ExpFloat64() * 200_000)})
		return int32(len(w.Cubes) - 1)
	}
	for range roots {
		w.Roots = append(w.Roots, add())
	}
	for i := 0; i < len(w.Cubes); i++ {
		if r.IntN(3) == 0 {
			w.Cubes[i].Halves = [2]int32{add(), 0}
			if r.IntN(4) > 0 { // else the other half was covered
				w.Cubes[i].Halves[1] = add()
			}
		}
	}
	return w
}

// randomOptions returns costs that are not negligible against the times of cubes.
func randomOptions(r *rand.Rand) Options {
	o := Options{Workers: 1 + r.IntN(8), Checkers: r.IntN(4), Proof: r.IntN(2) == 0}
	for _, p := range Parameters {
		*p.Of(&o.Costs) = r.ExpFloat64() / 20
	}
	o.Costs.Cores = float64(1 + r.IntN(3))
	o.Costs.Compression = 5 * r.Float64() // so that objects have several chunks
	return o
}
