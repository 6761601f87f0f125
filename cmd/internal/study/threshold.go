package study

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"sator/cmd/internal/plot"
	"sator/cmd/internal/stat"
	"sator/dimacs"
	"sator/internal/families"
)

// The phase transition of random k-SAT. Random formulas with few clauses per
// variable are satisfiable, and those with many are unsatisfiable. The
// transition is at a ratio that hardly depends on the size, and formulas at
// this ratio are the hardest (Cheeseman, Kanefsky and Taylor, "Where the really
// hard problems are", 1991; Mitchell, Selman and Levesque, "Hard and easy
// distributions of SAT problems", 1992). For k=3 the ratio is 4.267 (Mezard,
// Parisi and Zecchina, 2002).

// defaultRatios are the ratios of the curve for k=3, in hundredths, denser
// around the threshold.
func defaultRatios() []string {
	var list []string
	for _, r := range []int{200, 250, 300, 325, 350, 375, 400, 410, 420, 430, 440, 450, 475, 500, 550, 600, 700, 800} {
		list = append(list, strconv.Itoa(r))
	}
	return list
}

func thresholdStudy() *Study {
	return &Study{
		Name: "threshold",
		Help: "random k-SAT around its threshold: the easy-hard-easy curve",
		Description: `Solves random formulas with clauses of --k distinct variables by DPLL and by
clause learning (CDCL), for several ratios of clauses to variables. The fraction
of satisfiable formulas falls from 1 to 0, for k=3 and many variables at about
4.27, and near that ratio the search is longest.`,
		Factors: []Factor{
			{Name: "k", Help: "literals per clause", Default: []string{"3"}, Min: 2, Max: 10},
			{Name: "vars", Help: "number of variables", Default: []string{"50", "100"}, Min: 10, Max: 1000},
			{Name: "ratio", Help: "clauses per hundred variables", Default: defaultRatios(), Min: 1, Max: 100_000},
			{Name: "engine", Help: "DPLL heuristics, or cdcl for clause learning", Default: []string{"mom", "cdcl"}, Levels: engineNames()},
		},
		Subject:    "number",
		Attributes: []string{"clauses"},
		CountHelp:  "generate `N` formulas for each point of the curve",
		Count:      50,
		Conflicts:  1_000_000,
		subjects: func(_ context.Context, o *Options) ([]*Subject, error) {
			o.Source = "random formulas, by seed and number"
			return numbered(o.Count), nil
		},
		measure: measureThreshold,
		answer:  answerThreshold,
		report:  reportThreshold,
	}
}

// numbered returns subjects that are only numbers, used as random seeds.
func numbered(count int) []*Subject {
	var subjects []*Subject
	for i := range count {
		subjects = append(subjects, &Subject{Text: strconv.Itoa(i + 1)})
	}
	return subjects
}

func measureThreshold(ctx context.Context, _ *cache, r *Run, _ *Weights) Outcome {
	var n [3]float64
	for i, name := range []string{"k", "vars", "ratio"} {
		n[i], _ = strconv.ParseFloat(r.level(name), 64)
	}
	f, _ := families.Find("ksat")
	inst, err := f.Make(families.Values{"k": n[0], "vars": n[1], "ratio": n[2] / 100}, r.plan.seed<<20+uint64(r.subject.Number))
	if err != nil {
		panic("study: " + err.Error())
	}
	o := r.solve(ctx, r.level("engine"), inst.Formula, nil)
	o.Attributes = []string{strconv.Itoa(inst.Formula.Len())}
	return o
}

func reportThreshold(x *Results, r *Report) error {
	models := func(rows []*Row) float64 {
		return share(rows, func(row *Row) bool { return row.Answer == dimacs.Satisfiable })
	}
	decided := x.where(func(row *Row) bool { return row.Answer != dimacs.Unknown })
	ratios := x.valuesOf("ratio")
	if err := decided.curve(r, ratios, "models", "Satisfiable random formulas", "fraction", plot.Linear, models, "engine"); err != nil {
		return err
	}
	median := func(of func(*Row) float64) func([]*Row) float64 {
		return func(rows []*Row) float64 { return stat.Quantiles(values(rows, of), 0.5)[0] }
	}
	if own := x.searched(); len(own.rows) > 0 {
		if err := own.curve(r, ratios, "evaluations", "DPLL on random formulas", "nodes of the search tree, median", plot.Log, median(evaluations)); err != nil {
			return err
		}
	}
	if own := x.where(learned); len(own.rows) > 0 {
		if err := own.curve(r, ratios, "conflicts", "Clause learning on random formulas", "conflicts, median", plot.Log1p, median(conflicts)); err != nil {
			return err
		}
	}
	x.summaryOfCaps(r)
	return nil
}

// answerThreshold says where half of the formulas are satisfiable, and where the
// search is longest.
func answerThreshold(x *Results) string {
	var half, peaks []string
	for _, g := range x.groups("ratio", "engine") {
		for _, ratio := range g.valuesOf("ratio") {
			own := g.only("ratio", ratio).where(func(row *Row) bool { return row.Answer != dimacs.Unknown })
			if share(own.rows, func(row *Row) bool { return row.Answer == dimacs.Satisfiable }) <= 0.5 {
				half = append(half, fmt.Sprintf("%s (%s)", inHundredths(ratio), g.label))
				break
			}
		}
	}
	for _, g := range x.groups("ratio") {
		of, most, at := evaluations, -1.0, ""
		if learned(g.rows[0]) {
			of = conflicts
		}
		for _, ratio := range g.valuesOf("ratio") {
			if m := stat.Quantiles(values(g.only("ratio", ratio).rows, of), 0.5)[0]; m > most {
				most, at = m, ratio
			}
		}
		peaks = append(peaks, fmt.Sprintf("%s (%s)", inHundredths(at), g.label))
	}
	return fmt.Sprintf("The first ratio at which at most half of the formulas are satisfiable is %s. The median search is longest at %s. With this few variables both are above or near the threshold of large formulas, 4.267 for k=3, and only the ratios of the table are known.",
		strings.Join(half, ", "), strings.Join(peaks, ", "))
}

// inHundredths formats a level of the factor ratio.
func inHundredths(level string) string {
	n, _ := strconv.ParseFloat(level, 64)
	return fmt.Sprintf("%.2f", n/100)
}

// curve adds a table and a figure of a quantity by ratio, with a line for each
// combination of levels of the other factors, except those in but.
func (x *Results) curve(r *Report, ratios []string, name, title, vertical string, scale plot.Scale, of func([]*Row) float64, but ...string) error {
	r.heading(title)
	groups := x.groups(append(but, "ratio")...)
	header := []string{"ratio"}
	var series []plot.Series
	for _, g := range groups {
		s := plot.Series{Name: g.label}
		if g.label == everything {
			s.Name = "" // a single line
		}
		header, series = append(header, cmp.Or(s.Name, vertical)), append(series, s)
	}
	if len(groups) == 0 {
		r.text("No run has an answer.")
		return nil
	}
	var rows [][]string
	for _, ratio := range ratios {
		hundredths, _ := strconv.ParseFloat(ratio, 64)
		row := []string{inHundredths(ratio)}
		for i, g := range groups {
			v := math.NaN() // a gap: no run has an answer
			if own := g.only("ratio", ratio).rows; len(own) > 0 {
				v = of(own)
			}
			row = append(row, number(v))
			series[i].X, series[i].Y = append(series[i].X, hundredths/100), append(series[i].Y, v)
		}
		rows = append(rows, row)
	}
	r.table(header, rows)
	f := plot.Lines(title, "clauses per variable", vertical, series)
	f.Y.Scale = scale
	if k := x.levelsOf("k"); len(k) == 1 && k[0] == "3" {
		f.Marks = []plot.Mark{{At: 4.267, Text: "4.267"}}
	}
	return r.figure(name, f)
}

// summaryOfCaps adds the number of runs at the conflict limit, if any.
func (x *Results) summaryOfCaps(r *Report) {
	if n := x.capped(); n > 0 {
		r.textf("%d of %d runs reached the conflict limit and count with their values at that point. Their formulas are excluded from the fraction of satisfiable formulas, unless another engine decided them.", n, len(x.rows))
	}
}
