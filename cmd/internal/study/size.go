package study

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sator/cmd/internal/plot"
	"sator/cmd/internal/stat"
	"sator/sudoku"
	"sator/sudoku/explain"
	"sator/sudoku/generate"
)

// Search by grid size. The paper that the study of givens replicates proposes
// to compare 4x4, 9x9 and 16x16. Counts of runs at the conflict limit are lower
// bounds, so the report shows the fraction of unsolved puzzles as a curve. At
// sizes 20 and 25 the generator makes puzzles of the class search: those that
// singles solve would take no search at all.

func sizeStudy() *Study {
	return &Study{
		Name: "size",
		Help: "search by Sudoku grid size, from 4x4 to 25x25",
		Description: `Generates puzzles of several sizes and solves them by DPLL with several
heuristics and by clause learning (CDCL), as proposed by the paper that the
study "givens" replicates. Puzzles keep the givens that random removal leaves.
Above size 16 some redundant ones are among them, because proofs of uniqueness
are limited there, and puzzles that failed literals solve are left out.`,
		Factors: []Factor{
			{Name: "size", Help: "number of digits, rows and columns", Default: []string{"4", "6", "9", "12", "16"}, Levels: []string{"4", "6", "9", "12", "16", "20", "25"}},
			{Name: "encoding", Help: "Sudoku encoding", Default: []string{"extended"}, Levels: encodingNames()},
			{Name: "engine", Help: "DPLL heuristics, or cdcl for clause learning", Default: []string{"first", "mom", "jw1", "positive", "random", "cdcl"}, Levels: engineNames()},
		},
		Subject:    "puzzle",
		Attributes: []string{"givens", "vars", "clauses"},
		CountHelp:  "generate `N` puzzles of each size",
		Count:      20,
		Conflicts:  20_000,
		subjects:   sizeSubjects,
		normalize:  func(r *Run) bool { return r.level("size") == strconv.Itoa(r.subject.Puzzle.Rules.Size()) },
		measure: func(ctx context.Context, b *cache, r *Run, _ *Weights) Outcome {
			return b.puzzleRun(ctx, r, r.level("engine"), sudoku.Coding{Encoding: r.level("encoding")})
		},
		answer: answerSize,
		report: reportSize,
	}
}

// reportSize adds survival curves and tables by size.
func reportSize(x *Results, r *Report) error {
	if err := reportSurvival(x, r); err != nil {
		return err
	}
	return x.compare(r, comparison{by: "size", title: "by grid size and heuristic", horizontal: "digits", quantity: "backtracks", of: backtracks, columns: []column{noBacktracks, solved}})
}

// reportSurvival shows the fraction of puzzles that are unsolved after a number
// of backtracks: the survival function of the search. All runs have the same
// limit, so up to the limit it is the empirical one, and censored runs end there.
func reportSurvival(x *Results, r *Report) error {
	x = x.searched()
	var panels []*plot.Figure
	for _, size := range x.levelsOf("size") {
		own := x.only("size", size)
		var series []plot.Series
		for _, g := range own.groups() {
			series = append(series, survival(g))
		}
		if slices.ContainsFunc(series, func(s plot.Series) bool { return s.X[len(s.X)-1] > 1 }) {
			f := plot.Lines(size+"x"+size, "backtracks", "fraction unsolved", series)
			f.X.Scale, f.Height = plot.Log1p, 3.2
			f.Y.Min, f.Y.Max = 0, 1.02
			panels = append(panels, f)
		}
	}
	if len(panels) == 0 {
		return nil
	}
	r.heading("Puzzles unsolved after a number of backtracks")
	f := plot.Stack("Puzzles unsolved after a number of backtracks", panels...)
	f.Note = fmt.Sprintf("DPLL only. A curve that ends above 0 has runs that reached the limit of %d conflicts. Sizes that take at most one backtrack are left out.", x.plan.conflicts)
	return r.figure("survival", f)
}

// survival returns the fraction of runs with more than x backtracks, or at the
// limit.
func survival(g group) plot.Series {
	var ends []float64
	for _, row := range g.rows {
		if !row.Capped {
			ends = append(ends, backtracks(row))
		}
	}
	slices.Sort(ends)
	s := plot.Series{Name: g.describe(g.rows[0].levels, g.plan.engineOnly())}
	left := float64(len(g.rows))
	at := func(x float64) {
		s.X, s.Y = append(s.X, x), append(s.Y, left/float64(len(g.rows)))
	}
	at(0)
	for _, end := range ends {
		at(end)
		left--
		at(end)
	}
	if left > 0 {
		at(float64(g.plan.conflicts))
	}
	return s
}

// engineOnly returns the indices of the factors that a survival curve is named
// after.
func (p *Plan) engineOnly() []int {
	var factors []int
	for f, factor := range p.study.Factors {
		if factor.Name == "engine" || len(p.levels[f]) > 1 && factor.Name != "size" {
			factors = append(factors, f)
		}
	}
	return factors
}

// answerSize answers the question of the study in three sentences.
func answerSize(x *Results) string {
	var best, unsolved, learning, capped []string
	for _, size := range x.levelsOf("size") {
		if own := x.only("size", size).searched(); len(own.rows) > 0 {
			least := slices.MinFunc(own.groups(), func(a, b group) int {
				return cmp.Compare(mean(values(a.rows, a.censored(logBacktracks))), mean(values(b.rows, b.censored(logBacktracks))))
			})
			switch most := stat.Quantiles(values(own.rows, backtracks), 1)[0]; {
			case !slices.ContainsFunc(own.rows, func(r *Row) bool { return !r.Capped }):
				unsolved = append(unsolved, size)
			case most > 0:
				best = append(best, fmt.Sprintf("%s with %s at %s", number(math.Exp2(mean(values(least.rows, logBacktracks)))-1), least.rows[0].level("engine"), size))
			}
			capped = append(capped, fmt.Sprintf("%s at %s", percent(share(own.rows, isCapped)), size))
		}
		if own := x.only("size", size).where(learned); len(own.rows) > 0 {
			learning = append(learning, fmt.Sprintf("%s at %s", number(math.Exp2(mean(values(own.rows, func(r *Row) float64 { return math.Log2(1 + conflicts(r)) })))-1), size))
		}
	}
	var text string
	switch {
	case len(capped) == 0:
		text = "DPLL was not run."
	case len(best) == 0 && len(unsolved) == 0:
		text = "No puzzle takes a backtrack."
	case len(best) == 0:
		text = "DPLL solves no puzzle that takes a backtrack within the limit."
	default:
		text = fmt.Sprintf("The best heuristic of DPLL takes, as the geometric mean of 1 + backtracks minus 1, %s.", strings.Join(best, ", "))
	}
	if len(unsolved) > 0 && len(best) > 0 {
		text += fmt.Sprintf(" It solves no puzzle within the limit at %s.", strings.Join(unsolved, ", "))
	}
	if len(capped) > 0 {
		text += fmt.Sprintf(" Of the runs of DPLL, the limit of %d conflicts ends %s, so larger means are lower bounds.", x.plan.conflicts, strings.Join(capped, ", "))
	}
	if len(learning) > 0 {
		text += fmt.Sprintf(" Clause learning takes %s conflicts, by the same mean.", strings.Join(learning, ", "))
	}
	return text
}

// large reports whether the generator limits its proofs of uniqueness at a size.
func large(size string) bool {
	n, err := strconv.Atoi(size)
	return err == nil && n > generate.ProvedSize
}

// sizeSubjects returns the puzzles of the options as subjects, or generates
// puzzles of the requested sizes.
func sizeSubjects(ctx context.Context, o *Options) ([]*Subject, error) {
	if o.Puzzles != nil {
		return puzzleSubjects(ctx, o.Puzzles, o.Seed)
	}
	for size := range strings.SplitSeq(o.Levels["size"], ",") {
		n, _ := strconv.Atoi(size)
		g := generate.Options{Variant: sudoku.Standard(n), Seed: o.Seed}
		if large(size) {
			g.Class = explain.BySearch.String() // else the generator stops where singles solve the puzzle
		}
		made, err := makePuzzles(ctx, g, o.Count)
		if err != nil {
			return nil, err
		}
		o.Puzzles = append(o.Puzzles, made...)
	}
	o.Source = fmt.Sprintf("%d generated puzzles of each size", o.Count)
	return puzzleSubjects(ctx, o.Puzzles, o.Seed)
}
