package infer

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sator/internal/sudokutest"
)

// Puzzles with a unique solution, by class.
var (
	// sparse has puzzles of Royle's list with 17 givens.
	sparse = []string{
		"000000010400000000020000000000050407008000300001090000300400200050100000000806000",
		"000000010400000000020000000000050604008000300001090000300400200050100000000807000",
		"000000012000035000000600070700000300000400800100000000000120000080000040050000600",
		"000000012003600000000007000410020000000500300700000600280000040000300500000000000",
	}
	// hard has puzzles that are among the hardest for search.
	hard = []string{
		"7.8...3.....2.1...5.........4.....263...8.......1...9..9.6....4....7.5...........",
		".4.7...6...39............57.......3.2...8.....19...57.6...4.....5.1......2...6.84",
		"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
		"1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
		"4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
	}
	// easy has puzzles for people.
	easy = []string{
		"003020600900305001001806400008102900700000008006708200002609500800203009005010300",
		"200080300060070084030500209000105408000000000402706000301007040720040060004010003",
		"530070000600195000098000060800060003400803001700020006060000280000419005000080079",
	}
)

// BenchmarkUnique proves that puzzles have a unique solution. An operation is a
// puzzle.
func BenchmarkUnique(b *testing.B) {
	for _, set := range []struct {
		name  string
		lines []string
	}{{"sparse", sparse}, {"hard", hard}, {"easy", easy}} {
		puzzles := sudokutest.Lines(set.lines...)
		for _, o := range []Options{{Rule: Never, NoLocked: true}, {}, {Rule: Root}, {Rule: Every}, {Rule: Every, Trivalue: true}} {
			b.Run(fmt.Sprintf("%s/rule=%v/trivalue=%v/locked=%v", set.name, o.Rule, o.Trivalue, !o.NoLocked), func(b *testing.B) {
				s := New(puzzles[0].Rules, o)
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if found, complete := s.Solutions(background, puzzles[i%len(puzzles)], 2); len(found) != 1 || !complete {
						b.Fatal(len(found), "solutions")
					}
				}
				b.ReportMetric(float64(s.Stats().DeadEnds)/float64(s.Stats().Puzzles), "dead-ends/op")
			})
		}
	}
}

// TestSets measures the effect of the 2SAT rule on the sets of puzzles in the
// directory SATOR_SUDOKU, and checks lower bounds.
func TestSets(t *testing.T) {
	folder := os.Getenv("SATOR_SUDOKU")
	if folder == "" {
		t.Skip("SATOR_SUDOKU names no folder with puzzles")
	}
	rule := Options{Rule: Every, Trivalue: true}
	for _, set := range []struct {
		file     string
		noBranch float64 // minimum fraction of puzzles without a branch, with the rule at every node
		deadEnds float64 // maximum mean number of dead ends
	}{
		{"17clue-8000.txt", 0.99, 0.01},
		{"top1465.txt", 0.5, 1},
		{"study-1011.txt", 0.9, 0.1},
	} {
		data, err := os.ReadFile(filepath.Join(folder, set.file))
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for line := range strings.Lines(string(data)) {
			if len(line) > 81 && line[0] != '#' {
				lines = append(lines, line)
			}
		}
		puzzles := sudokutest.Lines(lines...)
		for _, o := range []Options{{Rule: Never, NoLocked: true}, {}, {Rule: Root}, {Rule: Every}, {Rule: Root, Trivalue: true}, rule} {
			s := New(puzzles[0].Rules, o)
			start := time.Now()
			for _, g := range puzzles {
				if found, complete := s.Solutions(background, g, 2); len(found) != 1 || !complete {
					t.Fatalf("%s: %d solutions of %v", set.file, len(found), g.Cells)
				}
			}
			st, n := s.Stats(), float64(len(puzzles))
			noBranch, deadEnds := float64(st.NoBranch)/n, float64(st.DeadEnds)/n
			t.Logf("%-15s %+v: %.2f %% without a branch, %.3f dead ends, %.2f instances, %.0f a second",
				set.file, o, 100*noBranch, deadEnds, float64(st.Instances)/n, n/time.Since(start).Seconds())
			if o == rule && (noBranch < set.noBranch || deadEnds > set.deadEnds) {
				t.Errorf("%s: %v without a branch, %v dead ends", set.file, noBranch, deadEnds)
			}
		}
	}
}
