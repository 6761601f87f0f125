package sudoku_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/sudoku"
	"sator/sudoku/text"
)

// solved encodes a puzzle to a file, solves the file, and decodes the model.
func solved(t *testing.T, g *sudoku.Grid, c sudoku.Coding) []int {
	t.Helper()
	cnf, err := g.Encode(c)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := dimacs.Write(&b, cnf.Formula, cnf.Map.Comments()...); err != nil {
		t.Fatal(err)
	}
	reader := dimacs.Reader{Keep: sudoku.CommentWord}
	f, err := reader.Read(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	s := cdcl.New(cdcl.Options{})
	s.AddFormula(f)
	if status := s.Solve(context.Background()); status != dimacs.Satisfiable {
		t.Fatalf("%+v: %v", c, status)
	}
	m, err := sudoku.ReadMap(reader.Kept)
	if err != nil {
		t.Fatal(err)
	}
	if m.Puzzle, err = m.Units(f); err != nil {
		t.Fatal(err)
	}
	solution, err := m.Decode(s.Model())
	if err != nil {
		t.Fatalf("%+v: %v", c, err)
	}
	if err := solution.Solves(g); err != nil {
		t.Fatalf("%+v: %v", c, err)
	}
	return solution.Cells
}

// everyWay solves a puzzle with a unique solution in each encoding with each
// at-most-one encoding, and alternates the numberings.
func everyWay(t *testing.T, g *sudoku.Grid) {
	t.Helper()
	var first []int
	i := 0
	for _, e := range sudoku.Encodings {
		if strings.HasPrefix(e.Name, "2sat") {
			continue
		}
		for _, a := range sudoku.AtMostOnes {
			if i++; g.Rules.Size() > 9 && i%4 != 0 {
				continue // a quarter of the encodings is enough for large grids
			}
			c := sudoku.Coding{Encoding: e.Name, AtMostOne: a.Name, Numbering: sudoku.Numberings[i%2].Name}
			got := solved(t, g, c)
			if first == nil {
				first = got
			}
			if !slices.Equal(got, first) {
				t.Fatalf("%+v: %v, not %v", c, got, first)
			}
		}
	}
}

func read(t *testing.T, puzzle string) *sudoku.Grid {
	t.Helper()
	p, err := text.NewReader(strings.NewReader(puzzle), "").Next()
	if err != nil {
		t.Fatal(err)
	}
	return p.Grid
}

func TestRoundTrip(t *testing.T) {
	for _, puzzle := range []string{
		"4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
		"3x3x:a3a5_1d8c2c1m6a3_4a4c3c8a9_5a4m5c8c7d9_4a1a",
		"9j:4b8e6h8_6a2_1b7g7b9b5a3b2b4g1b2_6a9_5h1e8b6,afad_c_aabaccea____d_caac_fcaa_bb_aa_a___a_a___a_cbaba_b_ac_d",
		"3x3k:zzzc,__ab_____a_________aa__a___a______a______a_____a__a_aa_a_aaaab_b__a______b___a_aaba_b__aaba_aabaab,6_19_17a13b8_6b10_12_11a14b11c9b19b11c12a9a13_10_10a4_20b15b6c19_13a11a13a18c13a11a10c7a10d15c",
		"1.D....4.A58.....E.........C...G.2.76.GBF..4....39F.1A.D7........4.6.31...B.58.C8C7E.69..F.....D...D..........2...A.G8C....7E.1426.G4....57F.A...B..........8...F.....B..3A.42E1A.4C.5...E6.7.3........3D.C5.7B2....9..1GB.63.4.C...2.........6.....8FD.3....9.E",
	} {
		everyWay(t, read(t, puzzle))
	}
}

// TestRoundTripData encodes and solves puzzles of the data set.
func TestRoundTripData(t *testing.T) {
	dir := os.Getenv("SATOR_SUDOKU")
	if dir == "" {
		t.Skip("SATOR_SUDOKU is not set")
	}
	for pattern, codings := range map[string][]sudoku.Coding{
		"large/*x*":    {{Encoding: "reduced"}, {Encoding: "reduced", AtMostOne: "product", Numbering: "rcd"}},
		"variants/*":   {{}, {Encoding: "triad"}, {Encoding: "reduced"}, {Encoding: "efficient", AtMostOne: "sequential"}},
		"top95.txt":    {{}, {Encoding: "triad", AtMostOne: "commander"}, {Encoding: "reduced"}},
		"4x4-1000.txt": {{}, {Encoding: "minimal", Numbering: "rcd"}, {Encoding: "triad"}},
	} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || files == nil {
			t.Fatalf("%s: no files, %v", pattern, err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "64x64-hard.txt") {
				continue
			}
			t.Run(filepath.Base(name), func(t *testing.T) { file(t, name, codings, !strings.HasPrefix(pattern, "large")) })
		}
	}
}

// file solves the first puzzles of a file of puzzles with unique solutions.
func file(t *testing.T, name string, codings []sudoku.Coding, unique bool) {
	src, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	r := text.NewReader(src, name)
	for range 30 {
		p, err := r.Next()
		if err != nil {
			break
		}
		first := solved(t, p.Grid, codings[0])
		for _, c := range codings[1:] {
			if got := solved(t, p.Grid, c); unique && !slices.Equal(got, first) {
				t.Errorf("line %d: %+v has another solution", p.Line, c)
			}
		}
	}
}
