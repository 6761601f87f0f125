package sudoku

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func ExampleParseVariant() {
	v, err := ParseVariant("6 boxes 2x3 x")
	if err != nil {
		fmt.Println(err)
		return
	}
	r := Must(v)
	for _, h := range r.Houses()[12:14] {
		fmt.Println(h, h.Cells)
	}
	cell, _ := r.Cell("R1C1")
	fmt.Println(len(r.Peers(cell)), "peers")
	// Output:
	// box 1 [0 1 2 6 7 8]
	// box 2 [3 4 5 9 10 11]
	// 16 peers
}

// regions4 are the regions of a jigsaw puzzle of size 4.
var regions4 = []int{0, 0, 0, 1, 2, 0, 1, 1, 2, 2, 3, 1, 2, 3, 3, 3}

func variants() map[string]Variant {
	hyper, x, knight, killer := Standard(9), Standard(9), Standard(9), Standard(4)
	hyper.Hyper, x.X, knight.AntiKnight = true, true, true
	killer.Cages = []Cage{{5, []int{0, 1}}, {7, []int{2, 3, 7}}, {3, []int{8}}}
	samurai, shifted := Standard(4), Standard(4)
	samurai.Grids = []Place{{0, 0}, {0, 4}, {2, 2}, {4, 0}, {4, 4}}
	shifted.Grids, shifted.X, shifted.AntiKnight = []Place{{0, 2}, {1, 0}}, true, true
	return map[string]Variant{
		"1": Standard(1), "4": Standard(4), "6": Standard(6), "7": Standard(7), "9": Standard(9), "12": Standard(12),
		"25": Standard(25), "latin": Latin(5), "hyper": hyper, "x": x, "knight": knight, "killer": killer,
		"jigsaw": {Size: 4, Regions: regions4}, "hyper4": {Size: 4, BoxRows: 2, BoxCols: 2, Hyper: true},
		"samurai": samurai, "shifted": shifted,
	}
}

func TestHouses(t *testing.T) {
	houses := map[string]int{"9": 27, "hyper": 31, "x": 29, "latin": 10, "jigsaw": 12, "hyper4": 13, "25": 75, "knight": 27}
	peers := map[string]int{"9": 20, "knight": 26, "latin": 8, "12": 28} // number of peers of R3C3
	for name, v := range variants() {
		r := Must(v)
		if want, known := houses[name]; known && len(r.Houses()) != want {
			t.Errorf("%s: %d houses, want %d", name, len(r.Houses()), want)
		}
		for _, h := range r.Houses() {
			if len(h.Cells) != v.Size || !slices.IsSorted(h.Cells) || len(slices.Compact(slices.Clone(h.Cells))) != v.Size {
				t.Errorf("%s: %s has the cells %v", name, h, h.Cells)
			}
		}
		if want, known := peers[name]; known && len(r.Peers(2*v.Size+2)) != want {
			t.Errorf("%s: %d peers, want %d", name, len(r.Peers(2*v.Size+2)), want)
		}
		for cell := range r.Cells() {
			for _, peer := range r.Peers(cell) {
				if peer == cell || !slices.Contains(r.Peers(peer), cell) {
					t.Fatalf("%s: %d is a peer of %d, but not the other way", name, peer, cell)
				}
			}
		}
	}
	windows := Must(variants()["hyper"]).Houses()[27:]
	if got := fmt.Sprint(windows[3].Cells); got != "[50 51 52 59 60 61 68 69 70]" {
		t.Errorf("the last window is %s", got)
	}
}

func TestVariantText(t *testing.T) {
	for name, v := range variants() {
		text := Must(v).String()
		again, err := ParseVariant(text)
		if err != nil || again.String() != text {
			t.Errorf("%s: %q became %q, %v", name, text, again, err)
		}
	}
}

func TestVariantErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "no size",
		"x":                             "invalid size",
		"0":                             "1 to 255",
		"256":                           "1 to 255",
		"9 boxes":                       `no value after "boxes"`,
		"9 boxes 3":                     "rows by columns",
		"9 boxes 2x3":                   "a box has 9 cells",
		"9 boxes -3x-3":                 "a box has 9 cells",
		"9 boxes 5x3689348814741910325": "box", // of 9 + 2^64 cells
		"6 boxes 2x3 hyper":             "square boxes",
		"9 hyper":                       "9 boxes 3x3 hyper",
		"9 windows":                     `unknown rule "windows"`,
		"2 regions 1,1,2":               "3 cells in the regions, want 4",
		"2 regions 1,1,2,3":             "in region 3",
		"2 regions 1,1,1,2":             "region 1 has 3 cells",
		"2 regions 1,1,2,b":             `invalid region "b"`,
		"4 boxes 2x2 cages 3:R1C1":      "",
		"4 cages 5:R1C1":                "add up to 1 to 4, not 5",
		"4 cages x:R1C1":                "invalid value",
		"4 cages 5:R1C5":                "no cell R1C5",
		"4 cages 5:foo":                 `invalid cell "foo"`,
		"4 cages 3:R1C1,3:R1C1":         "in two cages",
		"4 cages 3:R1C1+R1C1":           "in two cages",
		"4 boxes 2x2 regions 1,1,1,1 ":  "cannot have both",
	} {
		_, err := ParseVariant(text)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

func TestCellNames(t *testing.T) {
	r := Must(Standard(12))
	for cell := range r.Cells() {
		if got, err := r.Cell(strings.ToLower(r.CellName(cell))); err != nil || got != cell {
			t.Fatalf("%s is cell %d, %v", r.CellName(cell), got, err)
		}
	}
	for _, name := range []string{"", "R1", "R0C1", "R13C1", "R1C13", "R1C1x", "C1R1", "R1C1 2", "R1C1 . 2", "R+1C1", "R 1C1", "R1C1 ", "RC1", "R1C99999999999999999999"} {
		if cell, err := r.Cell(name); err == nil {
			t.Errorf("%q is cell %d", name, cell)
		}
	}
}

// TestConflict compares Conflict with the definition on random grids.
func TestConflict(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for name, v := range variants() {
		r := Must(v)
		for range 200 {
			g := NewGrid(r)
			for range rng.IntN(v.Size + 1) {
				g.Cells[rng.IntN(r.Cells())] = rng.IntN(v.Size) + 1
			}
			c := g.Conflict()
			if (c != nil) != broken(g) {
				t.Fatalf("%s: %v has the conflict %v", name, g.Cells, c)
			}
		}
	}
}

// broken reports whether two digits violate the rules of the variant or a full
// cage has a wrong sum. It uses the variant alone.
func broken(g *Grid) bool {
	v := g.Rules.Variant()
	n, grids := v.Size, v.Grids
	if grids == nil {
		grids = []Place{{}}
	}
	within := func(at, corner Place) bool {
		return at.Row >= corner.Row && at.Row < corner.Row+n && at.Col >= corner.Col && at.Col < corner.Col+n
	}
	var places []Place // by cell
	for i := range 3 * n * 3 * n {
		at := Place{i / (3 * n), i % (3 * n)}
		if slices.ContainsFunc(grids, func(corner Place) bool { return within(at, corner) }) {
			places = append(places, at)
		}
	}
	for a, x := range g.Cells {
		for b, y := range g.Cells[:a] {
			if x == 0 || x != y {
				continue
			}
			p, q := places[a], places[b]
			for _, c := range grids {
				if within(p, c) && within(q, c) && clash(v, p.Row-c.Row, p.Col-c.Col, q.Row-c.Row, q.Col-c.Col) {
					return true
				}
			}
			if v.AntiKnight && knight(p.Row-q.Row, p.Col-q.Col) {
				return true
			}
		}
	}
	for _, cage := range v.Cages {
		sum, full := 0, true
		for i, cell := range cage.Cells {
			full = full && g.Cells[cell] != 0
			sum += g.Cells[cell]
			for _, other := range cage.Cells[:i] {
				if g.Cells[cell] != 0 && g.Cells[cell] == g.Cells[other] {
					return true
				}
			}
		}
		if full && sum != cage.Sum {
			return true
		}
	}
	return false
}

func knight(down, across int) bool { return down*down+across*across == 5 }

func clash(v Variant, r1, c1, r2, c2 int) bool {
	n := v.Size
	switch {
	case r1 == r2, c1 == c2,
		v.BoxRows > 0 && r1/v.BoxRows == r2/v.BoxRows && c1/v.BoxCols == c2/v.BoxCols,
		v.Regions != nil && v.Regions[r1*n+c1] == v.Regions[r2*n+c2],
		v.X && (r1 == c1 && r2 == c2 || r1+c1 == n-1 && r2+c2 == n-1):
		return true
	}
	window := func(x int) int { // the window in this direction, or -1 between windows
		if b := v.BoxRows; x%(b+1) != 0 {
			return x / (b + 1)
		}
		return -1
	}
	return v.Hyper && window(r1) >= 0 && window(r1) == window(r2) && window(c1) >= 0 && window(c1) == window(c2)
}

func TestSolves(t *testing.T) {
	r := Must(Standard(4))
	solution := []int{1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1}
	puzzle := NewGrid(r)
	puzzle.Cells[0] = 1
	if err := puzzle.With(solution).Solves(puzzle); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(g *Grid){
		"R2C1 is empty":                     func(g *Grid) { g.Cells[4] = 0 },
		"but 1 is given":                    func(g *Grid) { g.Cells[0] = 2 },
		"R1C2 and R1C3 both have the digit": func(g *Grid) { g.Cells[1] = 3 },
		"want 1 to 4":                       func(g *Grid) { g.Cells[5] = 5 },
	} {
		g := puzzle.With(solution)
		change(g)
		if err := g.Solves(puzzle); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	puzzle.Marks = slices.Repeat([]bool{true}, 64)
	puzzle.Marks[r.Candidate(5, 4)] = false
	if err := puzzle.With(solution).Solves(puzzle); err == nil || !strings.Contains(err.Error(), "R2C2 has the digit 4, which its marks exclude") {
		t.Error(err)
	}
}
