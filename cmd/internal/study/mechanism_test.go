package study

import (
	"context"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dpll/classic"
	"sator/sudoku"
)

// Every set of clauses has the same solution. The blank cells are those of an
// independent closure by singles: naked ones for minimal and efficient, and with
// hidden ones for extended.
func TestClauseSets(t *testing.T) {
	subjects, err := puzzleSubjects(context.Background(), samplePuzzles(t), 1)
	if err != nil {
		t.Fatal(err)
	}
	b := newCache()
	for i, s := range subjects {
		for _, extra := range []int{0, 6, 15} {
			g := s.with(extra)
			want := map[string]int64{"minimal": nakedBlank(g)}
			want["efficient"] = want["minimal"]
			c := sudoku.NewCandidates(g.Rules)
			if !c.Load(g) || !c.Singles() {
				t.Fatal("a puzzle with a solution is contradictory")
			}
			for _, digit := range c.Cells() {
				if digit == 0 {
					want["extended"]++
				}
			}
			for _, clauses := range clauseSets {
				key := ruleKey{g.Rules, sudoku.Coding{Encoding: clauses}, false}
				if clauses == "places" {
					key = ruleKey{g.Rules, sudoku.Coding{Encoding: "extended"}, true}
				}
				f := b.ruleFormula(key)
				got := b.root(key, f, f.code.Givens(g))[0]
				if clauses == "places" {
					if got > want["minimal"] || got < want["extended"] {
						t.Errorf("puzzle %d +%d: %d blank cells with places, not between extended %d and minimal %d", i, extra, got, want["extended"], want["minimal"])
					}
				} else if got != want[clauses] {
					t.Errorf("puzzle %d +%d: %d blank cells with %s, want %d", i, extra, got, clauses, want[clauses])
				}
				engine := classic.New(classic.Options{Heuristic: "positive"})
				if status, _ := solveFormula(context.Background(), engine, f.negative, f.code.Givens(g)); status != dimacs.Satisfiable {
					t.Fatalf("puzzle %d: with %s %v", i, clauses, status)
				}
				solved, err := f.code.Decode(engine.Model())
				if err != nil || !slices.Equal(solved.Cells, s.puzzle.solution) {
					t.Errorf("puzzle %d: with %s another solution: %v", i, clauses, err)
				}
			}
		}
	}
}

// nakedBlank returns the number of cells without a digit after all cells with
// a single candidate are filled.
func nakedBlank(g *sudoku.Grid) int64 {
	cells := slices.Clone(g.Cells)
	for changed := true; changed; {
		changed = false
		for cell, digit := range cells {
			if digit != 0 {
				continue
			}
			possible := map[int]bool{}
			for d := 1; d <= 9; d++ {
				possible[d] = true
			}
			for other, d := range cells {
				if other/9 == cell/9 || other%9 == cell%9 || other/27 == cell/27 && other%9/3 == cell%9/3 {
					delete(possible, d)
				}
			}
			if len(possible) == 1 {
				for d := range possible {
					cells[cell], changed = d, true
				}
			}
		}
	}
	blank := int64(0)
	for _, digit := range cells {
		if digit == 0 {
			blank++
		}
	}
	return blank
}
