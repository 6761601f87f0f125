package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sator/cmd/internal/plot"
	"sator/cmd/internal/stat"
)

// The report of the study of givens.

// A paperRow is a row of the paper's Table 1: Pearson's r and p of givens with
// evaluations and with backtracks, over 1011 puzzles.
type paperRow struct {
	rEvaluations, pEvaluations, rBacktracks, pBacktracks float64
}

// paperTable is the paper's Table 1 by heuristic.
var paperTable = map[string]paperRow{
	"1_sided_jw":           {0.032, 0.312, 0.032, 0.313},
	"2_sided_jw":           {0.034, 0.278, 0.034, 0.277},
	"default_dpll":         {0.043, 0.167, 0.045, 0.157},
	"length_priority_max":  {0.141, 7.10e-6, 0.141, 6.31e-6},
	"mom":                  {0.110, 4.38e-4, 0.115, 2.56e-4},
	"weighted_occurrences": {0.026, 0.417, 0.025, 0.421},
}

// significant is the significance level of the paper.
const significant = 0.05

func reportGivens(x *Results, r *Report) error {
	count := givensOf(x.plan.subjects)
	reportData(x, r, count)
	if plain := x.only("add", "0"); len(plain.rows) > 0 {
		reportPaperTable(plain, r)
		r.heading("Givens and search, across puzzles")
		r.text("Correlations over all puzzles, without added givens. r is Pearson's coefficient of the counts, rho is Spearman's coefficient of their ranks.")
		reportCorrelations(plain, r)
		if own := plain.where(minimal); len(own.rows) > 0 && len(own.rows) < len(plain.rows) {
			r.text("The same for the minimal puzzles only.")
			reportCorrelations(own, r)
		}
		r.heading("How much search")
		plain.summary(r, append(distribution("evaluations", evaluations), meanOf("backtracks", backtracks), noBacktracks, solved)...)
	}
	if len(x.levelsOf("add")) > 1 {
		return reportWithin(x, r)
	}
	return nil
}

// minimal reports whether the puzzle of a run is minimal: without any one of
// its givens it has several solutions.
func minimal(r *Row) bool { return r.value("minimal") == "yes" }

// answerGivens answers the paper's question in three sentences.
func answerGivens(x *Results) string {
	text := ""
	if cells := x.only("add", "0").cells(); len(cells) > 0 {
		up, down := 0, 0
		var pValues []float64
		var tests []stat.Correlation
		for _, c := range cells {
			if s := stat.Spearman(values(c.rows, attribute("givens")), values(c.rows, x.censored(backtracks))); !math.IsNaN(s.P) {
				tests, pValues = append(tests, s), append(pValues, s.P)
			}
		}
		for i, p := range stat.Holm(pValues) {
			switch {
			case p < significant && tests[i].R > 0:
				up++
			case p < significant:
				down++
			}
		}
		text = fmt.Sprintf("Compared with each other, puzzles with more givens take more backtracks in %d of %d kinds of runs, fewer in %d, and show no significant difference in %d (rank correlation, Holm's correction). ", up, len(cells), down, len(cells)-up-down)
	}
	if adds := x.levelsOf("add"); len(adds) > 1 {
		fewer := x.savings()
		text += fmt.Sprintf("Compared with themselves, the same puzzles with %s added givens instead of %s take fewer backtracks in %d of %d kinds of runs (signed-rank test). ", adds[len(adds)-1], adds[0], fewer.significant, fewer.tests)
	} else {
		text += "The same puzzles with added givens were not solved. "
	}
	return text + "The sign between puzzles depends on the clauses and on how the puzzles were selected, which the study \"mechanism\" shows."
}

// reportData describes the puzzles.
func reportData(x *Results, r *Report, count map[int]int) {
	r.heading("The puzzles")
	minimal := x.plan.minimal()
	header, row := []string{"givens"}, []string{"puzzles"}
	for n := range 10_000 {
		if count[n] > 0 {
			header, row = append(header, strconv.Itoa(n)), append(row, strconv.Itoa(count[n]))
		}
	}
	r.table(header, [][]string{row})
	r.textf("All puzzles have one solution. %d of %d are minimal: without any one of their givens they have several.", minimal, len(x.plan.subjects))
}

// savings compares the same puzzles with the most and with the fewest added givens, for each
// kind of run. It counts the kinds in which added givens save backtracks.
func (x *Results) savings() (fewer tally) {
	adds := x.levelsOf("add")
	for _, g := range x.groups("add") {
		u, v := g.matched("add", adds[0], adds[len(adds)-1], g.censored(backtracks))
		c := stat.Compare(u, v)
		fewer.add(c.Effect > 0, c.P)
	}
	return fewer
}

// levelsOf returns the levels of a factor in the rows.
func (x *Results) levelsOf(factor string) []string {
	f := x.plan.study.factor(factor)
	var levels []string
	for _, r := range x.rows {
		if !slices.Contains(levels, r.levels[f]) {
			levels = append(levels, r.levels[f])
		}
	}
	return levels
}

// A group is the results with equal levels of some factors.
type group struct {
	label string
	*Results
}

// groups groups the results by the levels of all factors except those in but.
func (x *Results) groups(but ...string) []group {
	var groups []group
	at := map[string]int{}
	varied := x.varied()
	for _, r := range x.rows {
		levels := slices.Clone(r.levels)
		for _, factor := range but {
			levels[x.plan.study.factor(factor)] = "-"
		}
		label := x.describe(levels, varied, but...)
		if _, ok := at[label]; !ok {
			at[label] = len(groups)
			groups = append(groups, group{label, &Results{plan: x.plan}})
		}
		g := groups[at[label]]
		g.rows = append(g.rows, r)
	}
	return groups
}

// reportPaperTable compares the paper's table with ours, if the paper's program
// was run.
func reportPaperTable(x *Results, r *Report) {
	rounds := x.where(func(row *Row) bool {
		return row.level("propagation") == "single-round" && row.level("encoding") == "extended"
	})
	if len(rounds.rows) == 0 {
		return
	}
	r.heading("The paper's Table 1 beside ours")
	var rows [][]string
	var theirs, ours []string
	for _, rule := range roundRules {
		own := rounds.only("heuristic", rule.name)
		if kept := own.only("accumulate", "yes"); len(kept.rows) > 0 {
			own = kept
		}
		if len(own.rows) == 0 {
			continue
		}
		p := paperTable[rule.paper]
		e := stat.Pearson(values(own.rows, attribute("givens")), values(own.rows, evaluations))
		b := stat.Pearson(values(own.rows, attribute("givens")), values(own.rows, backtracks))
		rows = append(rows, []string{rule.paper + " (" + rule.name + ")",
			coefficient(p.rEvaluations), coefficient(e.R), pValue(p.pEvaluations), pValue(e.P),
			coefficient(p.rBacktracks), coefficient(b.R), pValue(p.pBacktracks), pValue(b.P)})
		if p.pEvaluations < significant && p.pBacktracks < significant {
			theirs = append(theirs, rule.name)
		}
		if e.P < significant && b.P < significant {
			ours = append(ours, rule.name)
		}
	}
	r.table([]string{"heuristic", "r of evaluations: paper", "ours", "p: paper", "ours", "r of backtracks: paper", "ours", "p: paper", "ours"}, rows)
	if pooled := paperRuns(rounds); len(pooled) > 0 {
		givens := values(pooled, attribute("givens"))
		e, b := stat.Pearson(givens, values(pooled, evaluations)), stat.Pearson(givens, values(pooled, backtracks))
		r.textf("Over all runs of the six heuristics together the paper reports r(6064) = 0.027, p = 0.035 for both counts. Here: r(%d) = %.3f, p = %s for evaluations, and r = %.3f, p = %s for backtracks. The test takes the six runs of a puzzle for independent, which they are not.", e.N-2, e.R, pValue(e.P), b.R, pValue(b.P))
	}
	r.textf("Significant at %g in the paper: %s. Here: %s.", significant, listed(theirs), listed(ours))
	if len(x.only("accumulate", "yes").rows) == 0 {
		r.text("Here the weights of jw1, jw2 and moh are computed at each node. The paper's program sums them over the whole search: see --accumulate.")
	}
}

// paperRuns returns the runs that the paper pools: all of its heuristics, with
// accumulated weights where a heuristic has weights. It returns nil unless all
// were done.
func paperRuns(rounds *Results) []*Row {
	var all []*Row
	for _, rule := range roundRules {
		accumulate := "no"
		if rule.weight != nil {
			accumulate = "yes"
		}
		own := rounds.only("heuristic", rule.name).only("accumulate", accumulate).only("across", "no").rows
		if len(own) == 0 {
			return nil
		}
		all = append(all, own...)
	}
	return all
}

// listed joins names for a sentence.
func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// reportCorrelations adds a table of the correlations of givens with backtracks.
func reportCorrelations(x *Results, r *Report) {
	var rows [][]string
	for _, c := range x.cells() {
		g, v := values(c.rows, attribute("givens")), values(c.rows, backtracks)
		p, s := stat.Pearson(g, v), stat.Spearman(g, v)
		rows = append(rows, []string{x.describe(c.levels, x.varied()), strconv.Itoa(p.N),
			coefficient(p.R), interval(p.Low, p.High), pValue(p.P),
			coefficient(s.R), interval(s.Low, s.High), pValue(s.P)})
	}
	r.table([]string{"givens and backtracks", "puzzles", "r", "interval", "p", "rho", "interval", "p"}, rows)
}

// reportWithin compares the same puzzles with and without added givens.
func reportWithin(x *Results, r *Report) error {
	r.heading("Givens and search, within puzzles")
	r.text("The same puzzles with k more of their digits given. p is that of the signed-rank test of the backtracks with k added givens against those with the fewest, on the same puzzles.")
	var rows [][]string
	for _, g := range x.groups("add") {
		adds := g.levelsOf("add")
		for _, k := range adds {
			own := g.only("add", k)
			row := []string{g.label + ", +" + k, number(mean(values(own.rows, evaluations))), number(mean(values(own.rows, backtracks))), noBacktracks.of(own.rows), "-"}
			if k != adds[0] {
				u, v := g.matched("add", adds[0], k, backtracks)
				row[4] = pValue(stat.Compare(u, v).P)
			}
			rows = append(rows, row)
		}
	}
	r.table([]string{"runs of", "evaluations: mean", "backtracks: mean", noBacktracks.name, "p"}, rows)
	return r.figure("within", within(x))
}

// within plots the mean number of backtracks over the number of added givens, a
// line per combination of levels.
func within(x *Results) *plot.Figure {
	var series []plot.Series
	for _, g := range x.groups("add") {
		s := plot.Series{Name: g.label}
		for _, k := range g.levelsOf("add") {
			own := values(g.only("add", k).rows, backtracks)
			_, low, high := stat.Mean(own, 1)
			n, _ := strconv.ParseFloat(k, 64)
			s.X, s.Y, s.Low, s.High = append(s.X, n), append(s.Y, mean(own)), append(s.Low, low), append(s.High, high)
		}
		series = append(series, s)
	}
	f := plot.Lines("The same puzzles with more givens", "givens added", "backtracks, mean", series)
	f.Y.Scale = plot.Log1p
	f.Note = "Bands are bootstrap intervals of 95 %."
	return f
}
