package study

import (
	"context"
	"math"

	"sator/benchmarks/families"
	"sator/benchmarks/stat"
	"sator/dpll/cdcl"
)

// Heuristics on other formulas. The paper that the study of givens replicates
// proposes to apply the same algorithm to other problems. The formulas are
// small enough for search without learning and of many kinds: random, planted,
// combinatorial, parity, arithmetic.

// familyRecipes lists the formulas. Most heuristics solve most of them within
// the limit.
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
		Help: "rank correlation of DPLL heuristics between Sudoku and other formulas",
		Description: `Solves formulas of many families by DPLL with each heuristic and by clause
learning (CDCL). The report ranks the heuristics on each kind of formula and
correlates the ranks with those on Sudoku, a question proposed by the paper that
the study "givens" replicates.`,
		Factors: []Factor{
			{Name: "heuristic", Help: "DPLL heuristics, or cdcl for clause learning", Default: append(heuristicNames(), "cdcl"), Levels: append(heuristicNames(), "cdcl")},
		},
		Subject:    "number",
		Attributes: formulaColumns,
		CountHelp:  "generate `N` formulas of each kind that is random",
		Count:      10,
		Conflicts:  20_000,
		subjects: func(ctx context.Context, o *Options) ([]*Subject, error) {
			o.Source = "formulas of \"sator generate\""
			return makeFormulas(ctx, familyRecipes, o.Seed, o.Count)
		},
		measure: func(ctx context.Context, _ *cache, r *Run, _ *Weights) Outcome {
			var o Outcome
			if h := r.level("heuristic"); h == "cdcl" {
				o = r.learningRun(ctx, cdcl.DefaultOptions())
			} else {
				o = r.classicRun(ctx, h)
			}
			o.Attributes = r.attributeValues()
			return o
		},
		report: reportFamilies,
	}
}

func reportFamilies(x *Results, r *Report) error {
	heuristics := x.levelsOf("heuristic")
	r.heading("Ranks")
	r.text("Ranks of the heuristics on each kind of formula by the geometric mean of evaluations; rank 1 has the fewest. A run at the conflict limit counts as the longest run on that kind. The last columns are Spearman's rank correlation with the ranks on Sudoku.")
	header := append(append([]string{"formula"}, heuristics...), "rho with Sudoku", "p")
	sums := make([]float64, len(heuristics))
	var first []float64
	var rows [][]string
	formulas := x.valuesOf("formula")
	for _, formula := range formulas {
		own := x.where(func(row *Row) bool { return row.value("formula") == formula })
		took := own.censored(evaluations)
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
			row = append(row, coefficient(c.R), pValue(c.P))
		}
		rows = append(rows, row)
	}
	total := []string{"mean"}
	for _, sum := range sums {
		total = append(total, number(sum/float64(len(formulas))))
	}
	r.table(header, append(rows, append(total, "", "")))
	return x.compare(r, comparison{by: "formula", quantity: "evaluations", of: evaluations, columns: []column{solved, meanSeconds}, unpaired: true})
}
