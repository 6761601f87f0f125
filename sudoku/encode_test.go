package sudoku

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/dpll/classic"
)

func ExampleGrid_Encode() {
	g := NewGrid(Must(Standard(4)))
	copy(g.Cells, []int{
		1, 0, 0, 0,
		0, 0, 3, 0,
		0, 4, 0, 0,
		0, 0, 0, 2,
	})
	cnf, err := g.Encode(Coding{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(cnf.Formula.Vars(), "variables,", cnf.Formula.Len(), "clauses")
	s := classic.New(classic.DefaultOptions())
	s.AddFormula(cnf.Formula)
	fmt.Println(s.Solve(context.Background()))
	solution, err := cnf.Map.Decode(s.Model())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(solution.Cells)
	// Output:
	// 64 variables, 388 clauses
	// SATISFIABLE
	// [1 3 2 4 4 2 3 1 2 4 1 3 3 1 4 2]
}

// TestSizes pins the sizes of formulas: the numbers in the literature, and the
// numbers for the other encodings.
func TestSizes(t *testing.T) {
	r := Must(Standard(9))
	for _, test := range []struct {
		c             Coding
		vars, clauses int
	}{
		{Coding{Encoding: "minimal"}, 729, 7371},
		{Coding{Encoding: "efficient"}, 729, 10287},
		{Coding{Encoding: "extended"}, 729, 10530},
		{Coding{}, 729, 10530},
		{Coding{Encoding: "minimal", Repeat: true}, 729, 8829},
		{Coding{Encoding: "efficient", Repeat: true}, 729, 11745},
		{Coding{Encoding: "extended", Repeat: true}, 729, 11988},
		{Coding{Numbering: "rcd"}, 999, 10530},
		{Coding{AtMostOne: "sequential"}, 729 + 324*8, 324 + 324*23},
		{Coding{AtMostOne: "commander"}, 729 + 324*3, 324 + 324*(9+9+3) - 81*9},
		{Coding{AtMostOne: "bimander"}, 729 + 324*3, 324 + 324*(4+27) - 81*3},
		{Coding{AtMostOne: "product"}, 729 + 324*6, 324 + 324*(18+3+3)},
		{Coding{AtMostOne: "mixed"}, 729, 10530},
		{Coding{AtMostOne: "mixed", Repeat: true}, 729, 324 + 324*36},
		{Coding{Encoding: "reduced"}, 729, 10530},
		// There are 486 triads. Each needs 3 clauses from its cells, 1 clause
		// back, and 3 pairs. Each digit has 4 exactly-one clauses of three
		// triads in the 18 houses of lines and of boxes, in both directions.
		// The rest are the constraints of the cells.
		{Coding{Encoding: "triad"}, 729 + 486, 486*7 + 9*4*(18+18) + 81*37},
	} {
		cnf, err := r.Encode(test.c)
		if err != nil {
			t.Fatal(err)
		}
		if f := cnf.Formula; f.Vars() != test.vars || f.Len() != test.clauses {
			t.Errorf("%+v: %d variables and %d clauses, want %d and %d", test.c, f.Vars(), f.Len(), test.vars, test.clauses)
		}
	}
}

// regionsLines are regions of a grid of size 4, two of which are rows.
var regionsLines = []int{0, 0, 0, 0, 1, 1, 1, 2, 1, 2, 2, 2, 3, 3, 3, 3}

// TestTriadSizes pins the sizes for grids whose houses differ in kind.
func TestTriadSizes(t *testing.T) {
	x := Standard(9)
	x.X = true
	for _, test := range []struct {
		v             Variant
		vars, clauses int
	}{
		// Each digit is on both diagonals, and in at most one cell of each. The
		// boxes imply 9 of the 36 pairs of a diagonal.
		{x, 729 + 486, 486*7 + 9*4*(18+18) + 81*37 + 2*9*(1+36-9)},
		// Along the rows there are four segments of more than one cell, with 3,
		// 2, 2 and 3 cells, and the same along the columns. In each direction
		// half of the lines and regions have two segments, the other half
		// three. In each region one pair of cells is single in both directions.
		{Variant{Size: 4, Regions: regions4}, 64 + 4*8, 4*(2*(7+4+4+7+4*2+4*4)-4*1) + 16*7},
		// The first and the last region are rows. Each of these two rows is one
		// segment, and so are their cells in a column. In each other region one
		// pair of cells is single along the rows and along the columns.
		{Variant{Size: 4, Regions: regionsLines}, 64 + 4*10, 4*(2*11+2*7+6*4+2*1+6*2+4*4-2*1) + 16*7},
		// The boxes are rows, which are no blocks.
		{Standard(5), 125, 25*11 + 2*25*11},
	} {
		cnf, err := Must(test.v).Encode(Coding{Encoding: "triad"})
		if err != nil {
			t.Fatal(err)
		}
		if f := cnf.Formula; f.Vars() != test.vars || f.Len() != test.clauses {
			t.Errorf("%v: %d variables and %d clauses, want %d and %d", test.v, f.Vars(), f.Len(), test.vars, test.clauses)
		}
	}
}

// TestDistinct checks that no encoding writes a clause twice, however houses
// and cages overlap, for empty grids and for puzzles with marks.
func TestDistinct(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	all := small()
	all["diagonal"] = Variant{Size: 4, Regions: []int{0, 1, 2, 3, 1, 0, 3, 2, 2, 3, 0, 1, 3, 2, 1, 0}}
	all["diagonal x"] = Variant{Size: 4, X: true, Regions: []int{0, 1, 2, 2, 1, 0, 2, 3, 3, 3, 0, 1, 3, 2, 1, 0}}
	all["one cell"] = Variant{Size: 1, Cages: []Cage{{1, []int{0}}}}
	all["cages of one cell"] = Variant{Size: 4, Cages: []Cage{{1, []int{0}}, {2, []int{5}}, {3, []int{6, 12}}}}
	all["9"] = Standard(9)
	for name, v := range all {
		r := Must(v)
		grids := []*Grid{NewGrid(r)}
		for range 9 / v.Size {
			grids = append(grids, randomPuzzle(rng, r))
		}
		for _, c := range codings() {
			if c.Repeat || c.Numbering == "rcd" && v.Size > 4 {
				continue
			}
			for _, g := range grids {
				cnf, err := g.Encode(c)
				if err != nil {
					t.Fatal(err)
				}
				if f := cnf.Formula; f.Normalize().Len() != f.Len() {
					t.Errorf("%s, %+v of %v: %d clauses, of which %d differ", name, c, g.Cells, f.Len(), f.Normalize().Len())
				}
			}
		}
	}
}

// TestBoxesOfOneRow checks that boxes that are rows add no clauses in any
// at-most-one encoding.
func TestBoxesOfOneRow(t *testing.T) {
	for _, c := range codings() {
		if c.Repeat {
			continue
		}
		boxes, err := Must(Standard(7)).Encode(c)
		if err != nil {
			t.Fatal(err)
		}
		none, err := Must(Latin(7)).Encode(c)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := boxes.Formula, none.Formula; a.Vars() != b.Vars() || a.Len() != b.Len() {
			t.Errorf("%+v: %d variables and %d clauses, without boxes %d and %d", c, a.Vars(), a.Len(), b.Vars(), b.Len())
		}
	}
}

// small returns the variants on which all encodings are tested.
func small() map[string]Variant {
	all := map[string]Variant{
		"1": Standard(1), "2": Standard(2), "4": Standard(4), "5": Standard(5), "6": Standard(6), "latin": Latin(5),
		"x": Standard(6), "hyper": Standard(4), "knight": Standard(6), "jigsaw": {Size: 4, Regions: regions4},
		"lines":  {Size: 4, Regions: regionsLines},
		"killer": Standard(4), "loose": Latin(4), "mixture": Standard(6), "tall": {Size: 6, BoxRows: 3, BoxCols: 2},
	}
	set := func(name string, change func(v *Variant)) {
		v := all[name]
		change(&v)
		all[name] = v
	}
	set("x", func(v *Variant) { v.X = true })
	set("hyper", func(v *Variant) { v.Hyper = true })
	set("knight", func(v *Variant) { v.AntiKnight = true })
	set("killer", func(v *Variant) { v.Cages = []Cage{{5, []int{0, 1}}, {7, []int{2, 3, 7}}, {3, []int{8}}} })
	set("loose", func(v *Variant) { v.Cages = []Cage{{5, []int{0, 5}}, {6, []int{2, 7, 9}}, {10, []int{8, 10, 12, 15}}} })
	set("mixture", func(v *Variant) {
		v.X, v.AntiKnight = true, true
		v.Cages = []Cage{{12, []int{0, 7, 8}}, {5, []int{1, 9}}, {7, []int{21, 22}}}
	})
	return all
}

// puzzles returns random puzzles with at most limit solutions, and their
// solutions.
func puzzles(rng *rand.Rand, r *Rules, count, limit int) (grids []*Grid, solutions [][][]int) {
	for len(grids) < count {
		g := randomPuzzle(rng, r)
		if all := brute(g, limit+1); len(all) <= limit {
			grids, solutions = append(grids, g), append(solutions, all)
		}
	}
	return grids, solutions
}

// brute finds solutions by trying digits cell by cell.
func brute(g *Grid, limit int) [][]int {
	if g.Conflict() != nil {
		return nil
	}
	var all [][]int
	work := g.Clone()
	var try func(cell int)
	try = func(cell int) {
		for cell < len(work.Cells) && work.Cells[cell] != 0 {
			cell++
		}
		if cell == len(work.Cells) {
			all = append(all, slices.Clone(work.Cells))
			return
		}
		for digit := 1; digit <= g.Rules.Size() && len(all) < limit; digit++ {
			if work.Cells[cell] = digit; fits(work, cell) {
				try(cell + 1)
			}
		}
		work.Cells[cell] = 0
	}
	try(0)
	return all
}

// fits reports whether the digit of a cell violates no rule.
func fits(g *Grid, cell int) bool {
	if g.Marks != nil && !g.Marks[g.Rules.Candidate(cell, g.Cells[cell])] {
		return false
	}
	for _, peer := range g.Rules.Peers(cell) {
		if g.Cells[peer] == g.Cells[cell] {
			return false
		}
	}
	cage := g.Rules.CageOf(cell)
	return cage < 0 || g.cageConflict(g.Rules.Cages()[cage]) == nil
}

// codings returns all combinations of encodings, at-most-one encodings and
// numberings.
func codings() []Coding {
	var all []Coding
	for _, e := range Encodings {
		for _, a := range AtMostOnes {
			for _, n := range Numberings {
				all = append(all, Coding{e.Name, a.Name, n.Name, false})
			}
		}
		all = append(all, Coding{Encoding: e.Name, Repeat: true})
	}
	return all
}

// TestModels compares the decoded models of each encoding of random puzzles
// with their solutions.
func TestModels(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	all := small()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		r := Must(all[name])
		grids, solutions := puzzles(rng, r, 3, 12)
		for i, g := range grids {
			for _, c := range codings() {
				cnf, err := g.Encode(c)
				if err != nil {
					t.Fatal(err)
				}
				if strings.HasPrefix(c.Encoding, "2sat") {
					relaxed(t, cnf, g, solutions[i])
				} else if got := decoded(t, cnf); !equal(got, solutions[i]) {
					t.Fatalf("%s: %+v of %v: %d models\n%v\nare not the solutions\n%v", name, c, g.Cells, len(got), got, solutions[i])
				}
			}
		}
	}
}

// decoded returns the decoded models of a formula, sorted.
func decoded(t *testing.T, cnf *CNF) [][]int {
	t.Helper()
	s := classic.New(classic.DefaultOptions())
	s.AddFormula(cnf.Formula)
	project := []dimacs.Var{}
	for _, l := range cnf.Map.lit {
		if l != noLit {
			project = append(project, l.Var())
		}
	}
	var all [][]int
	for m := range s.Models(context.Background(), project) {
		g, err := cnf.Map.Decode(m)
		if err != nil {
			t.Fatalf("%+v: %v", cnf.Map.Coding, err)
		}
		all = append(all, g.Cells)
	}
	slices.SortFunc(all, slices.Compare)
	return all
}

func equal(a, b [][]int) bool { return slices.EqualFunc(a, b, slices.Equal) }

// relaxed checks that a formula of a 2SAT encoding has no clause with more than
// two literals and that all solutions are models.
func relaxed(t *testing.T, cnf *CNF, g *Grid, solutions [][]int) {
	t.Helper()
	for _, c := range cnf.Formula.Clauses() {
		if len(c) > 2 {
			t.Fatalf("the clause %v", c)
		}
	}
	for _, solution := range solutions {
		m := make(dimacs.Model, cnf.Map.Vars())
		for candidate := range cnf.Map.lit {
			cell, digit := g.Rules.Split(candidate)
			if l, ok := cnf.Map.Lit(candidate); ok && solution[cell] == digit {
				m.Set(l)
			} else if ok {
				m.Set(l.Not())
			}
		}
		if i := m.Falsified(cnf.Formula); i >= 0 {
			t.Fatalf("%v: the solution %v falsifies %v", g.Cells, solution, cnf.Formula.Clause(i))
		}
		if _, err := cnf.Map.Decode(m); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCodingErrors(t *testing.T) {
	r := Must(Standard(9))
	wrong := NewGrid(r)
	wrong.Cells[4] = 10
	for want, encode := range map[string]func() (*CNF, error){
		`unknown encoding "x": want minimal,`:                              func() (*CNF, error) { return r.Encode(Coding{Encoding: "x"}) },
		`unknown at-most-one encoding "x"`:                                 func() (*CNF, error) { return r.Encode(Coding{AtMostOne: "x"}) },
		`unknown numbering "x": want dense, rcd`:                           func() (*CNF, error) { return r.Encode(Coding{Numbering: "x"}) },
		"R1C5 has the digit 10":                                            func() (*CNF, error) { return wrong.Encode(Coding{}) },
		"more than 1073741824 clauses with the at-most-one encoding pairs": func() (*CNF, error) { return Must(Latin(182)).Encode(Coding{AtMostOne: "pairs"}) },
	} {
		if _, err := encode(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	r := Must(Standard(9))
	for _, e := range Encodings {
		b.Run("encoding="+e.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Encode(Coding{Encoding: e.Name}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A countdown is a context that ends when its error is asked for the nth time.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestEncodeContext ends the context at several points of each encoding.
func TestEncodeContext(t *testing.T) {
	cages := []Cage{{Sum: 3, Cells: []int{0, 1}}}
	g := NewGrid(Must(Variant{Size: 9, BoxRows: 3, BoxCols: 3, X: true, AntiKnight: true, Cages: cages}))
	for _, e := range Encodings {
		if strings.HasPrefix(e.Name, "2sat") {
			continue // has few clauses
		}
		ctx := &countdown{context.Background(), 1 << 30}
		if _, err := g.EncodeContext(ctx, Coding{Encoding: e.Name}); err != nil {
			t.Fatal(e.Name, err)
		}
		polls := 1<<30 - ctx.left
		if polls < g.Rules.Cells() {
			t.Errorf("%s: %d looks at the context for %d cells", e.Name, polls, g.Rules.Cells())
		}
		for left := 0; left < polls; left += 1 + polls/16 {
			ctx.left = left
			if cnf, err := g.EncodeContext(ctx, Coding{Encoding: e.Name}); cnf != nil || err == nil {
				t.Fatalf("%s: the context ended after %d of %d looks: %v, %v", e.Name, left, polls, cnf, err)
			}
			if ctx.left < -2-len(g.Rules.Houses()) {
				t.Fatalf("%s: %d looks at a context that has ended", e.Name, -ctx.left)
			}
		}
	}
}
