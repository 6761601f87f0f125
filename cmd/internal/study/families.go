package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"sator/cmd/internal/stat"
	"sator/internal/families"
)

// Heuristics on other formulas. The paper that the study of givens replicates
// proposes to apply the same algorithm to other problems. The formulas are
// small enough for search without learning and of many kinds: random, planted,
// combinatorial, parity, arithmetic, proof complexity.

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
	{family: "clique-binary", values: families.Values{"vertices": 8, "clique": 4}},
	{family: "clique-coloring", values: families.Values{"vertices": 5, "clique": 3}, fixed: true},
	{family: "counting", values: families.Values{"elements": 7}, fixed: true},
	{family: "dominating", values: families.Values{"vertices": 12}},
	{family: "even-coloring", values: families.Values{"vertices": 9}},
	{family: "matching", values: families.Values{"vertices": 9}},
	{family: "php-bit", values: families.Values{"holes": 4}, fixed: true},
	{family: "php-relativized", values: families.Values{"pigeons": 3}, fixed: true},
	{family: "stone", values: families.Values{"height": 2, "stones": 3}, fixed: true},
	{family: "subset-cardinality", values: families.Values{"rows": 8}},
	{family: "tiling", values: families.Values{"rows": 6}, fixed: true},
	{family: "window", values: families.Values{"vars": 14, "window": 4}, fixed: true},
}

func familiesStudy() *Study {
	return &Study{
		Name: "families",
		Help: "rank correlation of DPLL heuristics between Sudoku and other formulas",
		Description: `Solves formulas of many families by DPLL with each heuristic and by clause
learning (CDCL). The report ranks the heuristics of DPLL on each kind of formula and
correlates the ranks with those on Sudoku, a question proposed by the paper that
the study "givens" replicates.`,
		Factors: []Factor{
			{Name: "heuristic", Help: "DPLL heuristics, or cdcl for clause learning", Default: engineNames(), Levels: engineNames()},
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
			o := r.solve(ctx, r.level("heuristic"), r.subject.Formula, nil)
			o.Attributes = r.attributeValues()
			return o
		},
		answer: answerFamilies,
		report: reportFamilies,
	}
}

// A ranking is the ranks of the DPLL heuristics on a kind of formula.
type ranking struct {
	formula string
	work    []float64 // by heuristic: the mean logarithm of the nodes
	ranks   []float64
	capped  float64 // fraction of runs at the conflict limit
	sudoku  stat.Correlation
}

// rankings ranks the heuristics of DPLL on each kind of formula. The first kind
// is Sudoku.
func (x *Results) rankings() (heuristics []string, all []ranking) {
	x = x.searched()
	heuristics = x.levelsOf("heuristic")
	for _, formula := range x.valuesOf("formula") {
		own := x.where(func(row *Row) bool { return row.value("formula") == formula })
		took := own.censored(evaluations)
		k := ranking{formula: formula, capped: share(own.rows, isCapped)}
		for _, h := range heuristics {
			k.work = append(k.work, mean(values(own.only("heuristic", h).rows, func(row *Row) float64 { return math.Log(took(row)) })))
		}
		k.ranks = stat.Ranks(k.work)
		if len(all) > 0 {
			k.sudoku = stat.Spearman(all[0].work, k.work)
		}
		all = append(all, k)
	}
	return heuristics, all
}

func reportFamilies(x *Results, r *Report) error {
	heuristics, all := x.rankings()
	r.heading("Ranks")
	header := append(append([]string{"formula"}, heuristics...), "at the limit", "rho with Sudoku", "p", "after Holm")
	sums := make([]float64, len(heuristics))
	var rows [][]string
	var pValues []float64
	for i, k := range all {
		row := []string{k.formula}
		for h, rank := range k.ranks {
			row = append(row, number(rank))
			sums[h] += rank
		}
		row = append(row, percent(k.capped))
		if i == 0 {
			row = append(row, "", "", "")
		} else {
			row = append(row, coefficient(k.sudoku.R), pValue(k.sudoku.P))
			if !math.IsNaN(k.sudoku.P) {
				pValues = append(pValues, k.sudoku.P)
			}
		}
		rows = append(rows, row)
	}
	corrected := stat.Holm(pValues)
	for i := range rows[min(1, len(rows)):] {
		if p := "-"; math.IsNaN(all[i+1].sudoku.P) {
			rows[i+1] = append(rows[i+1], p)
		} else {
			rows[i+1] = append(rows[i+1], pValue(corrected[0]))
			corrected = corrected[1:]
		}
	}
	total := []string{"mean"}
	for _, sum := range sums {
		total = append(total, number(sum/float64(len(all))))
	}
	r.captioned(fmt.Sprintf("Ranks of the heuristics of DPLL on each kind of formula, by the geometric mean of the nodes of the search tree; rank 1 has the fewest. A run at the limit of %d conflicts counts as the longest on that kind. Rho is Spearman's rank correlation with the means on Sudoku, n = %d heuristics, exact up to 9; Holm's correction for %d tests.", x.plan.conflicts, len(heuristics), len(pValues)),
		header, append(rows, append(total, "", "", "", "")))
	return nil
}

// answerFamilies answers the question of the study in three sentences.
func answerFamilies(x *Results) string {
	heuristics, all := x.rankings()
	if len(all) < 2 || len(heuristics) < 3 {
		return "Ranks need several heuristics of DPLL and several kinds of formulas."
	}
	var pValues []float64
	positive, negative := 0, 0
	wins := map[string]int{}
	for i, k := range all {
		if slices.Min(k.work) < slices.Max(k.work) {
			for h, work := range k.work {
				if work == slices.Min(k.work) {
					wins[heuristics[h]]++
				}
			}
		}
		if i == 0 || math.IsNaN(k.sudoku.R) {
			continue
		}
		pValues = append(pValues, k.sudoku.P)
		if k.sudoku.R > 0 {
			positive++
		} else {
			negative++
		}
	}
	significantAfter := 0
	for _, p := range stat.Holm(pValues) {
		if p < significant {
			significantAfter++
		}
	}
	var winners []string
	for _, h := range heuristics {
		if wins[h] > 0 {
			winners = append(winners, fmt.Sprintf("%s on %d", h, wins[h]))
		}
	}
	return fmt.Sprintf("Heuristics perform differently on different problems: the best or equally best one is %s of %d kinds of formulas. The rank correlation with Sudoku is positive for %d kinds and negative for %d, and %d of these %d correlations are significant after Holm's correction. With %d heuristics only a strong correlation could be, and kinds that are not random have a single formula.",
		strings.Join(winners, ", "), len(all), positive, negative, significantAfter, len(pValues), len(heuristics))
}
