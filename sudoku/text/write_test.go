package text

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"sator/sudoku"
)

// variants are rules of all kinds and of many sizes.
var variants = sync.OnceValue(func() []*sudoku.Rules {
	var all []sudoku.Variant
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 18, 25, 27, 33, 35, 36} {
		all = append(all, sudoku.Standard(n))
	}
	latin, high, x, hyper, knight := sudoku.Latin(5), sudoku.Standard(6), sudoku.Standard(9), sudoku.Standard(9), sudoku.Standard(9)
	high.BoxRows, high.BoxCols = 3, 2
	x.X, hyper.Hyper, knight.AntiKnight = true, true, true
	everything := sudoku.Standard(9)
	everything.X, everything.Hyper, everything.AntiKnight = true, true, true
	everything.Cages = []sudoku.Cage{{Sum: 5, Cells: []int{0, 1}}}
	killer := sudoku.Standard(4)
	killer.Cages = []sudoku.Cage{{Sum: 5, Cells: []int{0, 1}}, {Sum: 7, Cells: []int{2, 3, 7}}, {Sum: 3, Cells: []int{8}}}
	jigsaw := sudoku.Variant{Size: 4, Regions: []int{0, 0, 0, 1, 2, 0, 1, 1, 2, 2, 3, 1, 2, 3, 3, 3}}
	apart := sudoku.Variant{Size: 4, Regions: []int{0, 1, 0, 1, 1, 0, 1, 0, 2, 3, 2, 3, 3, 2, 3, 2}}
	both := jigsaw
	both.X, both.Cages = true, killer.Cages
	several, wide, shifted := sudoku.Standard(9), sudoku.Standard(16), sudoku.Standard(4)
	several.Grids = []sudoku.Place{{Row: 0, Col: 0}, {Row: 6, Col: 6}}
	wide.Grids = []sudoku.Place{{Row: 0, Col: 12}, {Row: 0, Col: 0}}
	shifted.Grids, shifted.Cages = []sudoku.Place{{Row: 0, Col: 3}, {Row: 1, Col: 0}}, []sudoku.Cage{{Sum: 5, Cells: []int{0, 1}}}
	var rules []*sudoku.Rules
	for _, v := range append(all, latin, high, x, hyper, knight, everything, killer, jigsaw, apart, both, several, wide, shifted) {
		rules = append(rules, sudoku.Must(v))
	}
	return rules
})

// random returns a grid with random digits, which can contradict each other,
// and sometimes with marks.
func random(rng *rand.Rand, r *sudoku.Rules, marks bool) *sudoku.Grid {
	g, n := sudoku.NewGrid(r), r.Size()
	if marks {
		g.Marks = make([]bool, len(g.Cells)*n)
		for i := range g.Marks {
			g.Marks[i] = rng.IntN(3) > 0
		}
	}
	share := rng.IntN(6)
	for cell := range g.Cells {
		if rng.IntN(5) < share {
			g.Cells[cell] = rng.IntN(n) + 1
		}
		if marks {
			g.Marks[r.Candidate(cell, rng.IntN(n)+1)] = true
		}
		if digit := g.Cells[cell]; digit != 0 && marks {
			g.Marks[r.Candidate(cell, digit)] = true
		}
	}
	return g
}

// normal returns a text of a grid that is equal for equivalent grids: the rules
// and the possible digits of each cell.
func normal(g *sudoku.Grid, marks bool) string {
	if !marks {
		return fmt.Sprint(g.Rules, g.Cells)
	}
	var b strings.Builder
	fmt.Fprint(&b, g.Rules)
	for cell := range g.Cells {
		fmt.Fprint(&b, marksOf(g, cell))
	}
	return b.String()
}

// readAgain returns the grid that a format expresses: the form of candidates leaves out the digits that
// givens exclude.
func readAgain(format string, g *sudoku.Grid) *sudoku.Grid {
	if format != "candidates" {
		return g
	}
	out := g.Clone()
	for c := range g.Rules.Cells() * g.Rules.Size() {
		if cell, digit := g.Rules.Split(c); g.IsPossible(cell, digit) && !slices.Contains(possibleAt(g, cell), digit) {
			out.Exclude(c)
		}
	}
	return out
}

// TestRoundTrip writes grids in all formats, several to one stream, and reads
// them back.
func TestRoundTrip(t *testing.T) {
	for i := range OutputFormats {
		f := &OutputFormats[i]
		t.Run(f.Name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, uint64(i)))
			written := 0
			for round := range 16 {
				var out bytes.Buffer
				w, err := NewWriter(&out, f.Name)
				if err != nil {
					t.Fatal(err)
				}
				marks := f.marks && round%2 == 1
				var want []string
				for _, rules := range shuffled(rng, variants(), 7) {
					for range rng.IntN(3) + 1 {
						g := random(rng, rules, marks)
						before := out.Len()
						if err := w.Write(g); err != nil {
							if out.Len() != before {
								t.Fatalf("%v, but something was written", err)
							}
							continue
						}
						want = append(want, normal(readAgain(f.Name, g), f.marks))
					}
				}
				written += len(want)
				check(t, out.String(), want, f.marks)
			}
			if written < 4 {
				t.Errorf("only %d grids were written", written)
			}
		})
	}
}

func shuffled(rng *rand.Rand, all []*sudoku.Rules, n int) []*sudoku.Rules {
	all = slices.Clone(all)
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:n]
}

// check reads a text and compares the grids.
func check(t testing.TB, text string, want []string, marks bool) {
	t.Helper()
	r := NewReader(strings.NewReader(text), "text")
	for i := 0; ; i++ {
		p, err := r.Next()
		if err == io.EOF && i == len(want) {
			return
		}
		if err != nil || i == len(want) {
			t.Fatalf("puzzle %d of %d: %v in:\n%.2000s", i+1, len(want), err, text)
		}
		if got := normal(p.Grid, marks); got != want[i] {
			t.Fatalf("puzzle %d:\n%.300s\nbecame\n%.300s\nby\n%.2000s", i+1, want[i], got, text)
		}
	}
}

// TestCheckGrid checks which variants a format rejects.
func TestCheckGrid(t *testing.T) {
	for _, test := range []struct{ format, rules, want string }{
		{"line", "9 boxes 3x3 x", ""},
		{"rows", "36 boxes 6x6", "want at most 35"},
		{"marks", "36 boxes 6x6", "want at most 35"},
		{"candidates", "10 boxes 2x5", "want at most 9"},
		{"sdm", "9 boxes 3x3 x", "supports only grids of size 9"},
		{"sdk", "4 boxes 2x2", "supports only grids of size 9"},
		{"ss", "9", "supports only grids of size 9"},
		{"sgt", "9 boxes 3x3 hyper", "cannot express the rule hyper"},
		{"sgt", "9 boxes 3x3 anti-knight", "cannot express the rule anti-knight"},
		{"sgt", "7", "boxes of at least two rows"},
		{"sgt", "7 boxes 1x7", "boxes of at least two rows"},
		{"sgt", "2 regions 1,2,2,1", "connected regions"},
		{"sgt", "4 boxes 2x2 cages 3:R1C1+R4C4", "connected cages"},
		{"sgt", "9 boxes 3x3 samurai", "cannot express several grids"},
		{"csv", "9 boxes 3x3 samurai", "cannot express several grids"},
	} {
		v, err := sudoku.ParseVariant(test.rules)
		if err != nil {
			t.Fatal(err)
		}
		err = Write(io.Discard, sudoku.NewGrid(sudoku.Must(v)), test.format)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s with the rules %q: %v, want %q", test.format, test.rules, err, test.want)
		}
	}
	g := sudoku.NewGrid(sudoku.Must(sudoku.Standard(9)))
	g.Marks = slices.Repeat([]bool{true}, 729)
	if err := Write(io.Discard, g, "line"); err == nil || !strings.Contains(err.Error(), "cannot express pencil marks") {
		t.Error(err)
	}
	g.Marks = make([]bool, 729)
	if err := Write(io.Discard, g, "candidates"); err == nil || !strings.Contains(err.Error(), "no digit is possible at R1C1") {
		t.Error(err)
	}
	if _, err := NewWriter(io.Discard, "pdf"); err == nil || !strings.Contains(err.Error(), `unknown format "pdf": want line, rows`) {
		t.Error(err)
	}
}
