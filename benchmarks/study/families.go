package study

import (
	"context"
	"math"

	"sator/benchmarks/families"
	"sator/benchmarks/stat"
	"sator/dpll/cdcl"
)

// Does a heuristic that is good on Sudoku do well elsewhere? The paper proposes to
// apply the same algorithm to other problems. Here they are small enough for
// search without learning, and of all kinds: random, with a planted model,
// combinatorial, of parity, of arithmetic.

// familyRecipes are the formulas. Most heuristics solve most of them within the
// limit.
var familyRecipes = []recipe{
	{family: "sudoku"},
	{family: "ksat", values: families.Values{"vars": 100}},
	{family: "ksat", values: families.Values{"vars": 45, "k": 5}},
	{family: "planted", values: families.Values{"vars": 120}},
	{family: "coloring", values: families.Values{"vertices": 60}},
	{family: "queens", values: families.Values{"size": 12}, fixed: true},
	{family: "qwh", values: families.Values{"order": 12}},
	{family: "langford", values: families.Values{"numbers": 7}, fixed: true},
	{family: "php", values: families.Values{"holes": 6}, fixed: true},
	{family: "tseitin", values: families.Values{"vertices": 12}},
	{family: "parity", values: families.Values{"bits": 8}},
	{family: "ordering", values: families.Values{"elements": 8}, fixed: true},
	{family: "pebbling", values: families.Values{"height": 8}, fixed: true},
	{family: "multiplier", values: families.Values{"bits": 10}},
	{family: "vdw", values: families.Values{"numbers": 20}, fixed: true},
}

func familiesStudy() *Study {
	return &Study{
		Name: "families",
		Help: "whether heuristics rank the same on other formulas than those of Sudoku",
		Description: `Formulas of many families are solved by DPLL with each heuristic, and by clause
learning. The report ranks the heuristics on each formula and says how the ranks
go together with those on Sudoku: the paper that "sator study givens" repeats proposes the
question.`,
		Factors: []Factor{
			{Name: "heuristic", Help: "what DPLL decides, and cdcl for clause learning", Default: append(heuristicNames(), "cdcl"), Levels: append(heuristicNames(), "cdcl")},
		},
		Subject:   "number",
		About:     formulaColumns,
		CountHelp: "make `N` formulas of each kind of which there are several",
		Count:     10,
		Conflicts: 20_000,
		subjects: func(ctx context.Context, o *Options) ([]*Subject, error) {
			o.Source = "formulas of \"sator generate\""
			return makeFormulas(ctx, familyRecipes, o.Seed, o.Count)
		},
		measure: func(ctx context.Context, _ *bench, r *Run, _ *Weights) Outcome {
			var o Outcome
			if h := r.level("heuristic"); h == "cdcl" {
				o = r.learningRun(ctx, cdcl.DefaultOptions())
			} else {
				o = r.classicRun(ctx, h)
			}
			o.About = r.aboutColumns()
			return o
		},
		tell: tellFamilies,
	}
}

func tellFamilies(x *Results, r *Report) error {
	heuristics := x.levelsOf("heuristic")
	r.heading("Ranks")
	r.say("For each kind of formula the heuristics in the order of the geometric mean of evaluations, 1 being the least; a run that was given up counts as much as the longest on that kind. Beside it is how these ranks go together with those on Sudoku.")
	header := append(append([]string{"formula"}, heuristics...), "rho with Sudoku", "p")
	sums := make([]float64, len(heuristics))
	var first []float64
	var rows [][]string
	formulas := x.valuesOf("formula")
	for _, formula := range formulas {
		own := x.where(func(row *Row) bool { return row.value("formula") == formula })
		took := own.ended(evaluations)
		var work []float64
		for _, h := range heuristics {
			work = append(work, mean(values(own.only("heuristic", h).rows, func(row *Row) float64 { return math.Log(took(row)) })))
		}
		row := []string{formula}
		for i, rank := range stat.Ranks(work) {
			row = append(row, number(rank))
			sums[i] += rank
		}
		if first == nil {
			first = work
			row = append(row, "", "")
		} else {
			c := stat.Spearman(first, work)
			row = append(row, coefficient(c.R), chance(c.P))
		}
		rows = append(rows, row)
	}
	total := []string{"mean"}
	for _, sum := range sums {
		total = append(total, number(sum/float64(len(formulas))))
	}
	r.table(header, append(rows, append(total, "", "")))
	return x.compare(r, comparison{by: "formula", what: "evaluations", of: evaluations, columns: []column{solved, meanSeconds}, apart: true})
}
