package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sator/cmd/internal/plot"
	"sator/cmd/internal/stat"
)

// The report of the study of the mechanism.

// blank is the number of cells that propagating the givens leaves without a
// digit.
var blank = extra("blank")

// givensBefore is the number of givens before any were added.
var givensBefore = attribute("before")

// logBacktracks is the binary logarithm of 1 + backtracks.
func logBacktracks(r *Row) float64 { return math.Log2(1 + float64(r.Backtracks)) }

// plain returns the runs of the puzzles as they are.
func (x *Results) plain() *Results { return x.only("add", "0").only("fill", "0") }

func reportMechanism(x *Results, r *Report) error {
	count := givensOf(x.plan.subjects)
	reportPredictions(x, r)
	reportData(x, r, count)
	plain := x.plain()
	reportSigns(plain, r)
	reportContrasts(plain, r)
	if err := reportBlank(plain, r); err != nil {
		return err
	}
	reportMediation(plain, r)
	reportSameGrid(plain, r)
	reportAdded(x.only("fill", "0"), r)
	reportFilled(x.only("add", "0"), r)
	return nil
}

// A sign is a correlation of givens and backtracks for a set of clauses and a
// kind of run.
type sign struct {
	clauses, kind string
	capped        float64 // fraction of runs at the conflict limit
	median        float64
	stat.Correlation
	holm float64
}

// signs returns the rank correlations of givens and backtracks, with Holm's
// correction over all of them.
func (x *Results) signs() []sign {
	var all []sign
	var pValues []float64
	of := x.censored(backtracks)
	for _, g := range x.groups("clauses") {
		for _, clauses := range g.levelsOf("clauses") {
			own := g.only("clauses", clauses)
			c := stat.Spearman(values(own.rows, attribute("givens")), values(own.rows, of))
			if math.IsNaN(c.R) {
				continue
			}
			all = append(all, sign{clauses, g.label, share(own.rows, isCapped),
				stat.Quantiles(values(own.rows, backtracks), 0.5)[0], c, 0})
			pValues = append(pValues, c.P)
		}
	}
	for i, p := range stat.Holm(pValues) {
		all[i].holm = p
	}
	return all
}

// byClauses arranges cells of a table: a row for each kind of run, a column for
// each set of clauses.
func byClauses(x *Results, all []sign, of func(sign) string) (header []string, rows [][]string) {
	header = append([]string{"runs of"}, x.levelsOf("clauses")...)
	for _, s := range all {
		i := slices.IndexFunc(rows, func(row []string) bool { return row[0] == s.kind })
		if i < 0 {
			i = len(rows)
			rows = append(rows, append([]string{s.kind}, slices.Repeat([]string{"-"}, len(header)-1)...))
		}
		rows[i][slices.Index(header, s.clauses)] = of(s)
	}
	return header, rows
}

// reportSigns adds the correlations of givens and backtracks.
func reportSigns(x *Results, r *Report) {
	r.heading("The sign by clauses, program and heuristic")
	all := x.signs()
	header, rows := byClauses(x, all, func(s sign) string {
		star := ""
		if s.holm < significant {
			star = " †"
		}
		return fmt.Sprintf("%+.2f (%s)%s", s.R, interval(s.Low, s.High), star)
	})
	n := len(x.plan.subjects)
	r.captioned(fmt.Sprintf("Spearman's rank correlation of givens and backtracks with its 95 %% interval; n = %d puzzles each; † p < %g after Holm's correction for %d tests. A run at the conflict limit ranks with the longest.", n, significant, len(all)), header, rows)
	r.heading("Backtracks and runs at the limit")
	header, rows = byClauses(x, all, func(s sign) string { return fmt.Sprintf("%s (%s)", number(s.median), percent(s.capped)) })
	r.captioned(fmt.Sprintf("Median backtracks, and in parentheses the runs at the limit of %d conflicts; n = %d puzzles each.", x.plan.conflicts, n), header, rows)
}

// A contrast compares the runs with some levels of a factor with the runs with
// the other levels.
type contrast struct {
	name, less, more string
	of               func(*Row) bool // the runs that the factor applies to
	has              func(*Row) bool // the runs with the levels of more
}

var contrasts = []contrast{
	{"every digit in a house", "without (minimal, efficient)", "with (places, extended)", nodeWeights, func(r *Row) bool { return r.level("clauses") == "places" || r.level("clauses") == "extended" }},
	{"at most one digit in a cell", "without (minimal, places)", "with (efficient, extended)", nodeWeights, func(r *Row) bool { return r.level("clauses") == "efficient" || r.level("clauses") == "extended" }},
	{"both kinds of clauses", "other three sets", "extended", nodeWeights, func(r *Row) bool { return r.level("clauses") == "extended" }},
	{"propagation", "single-round", "fixpoint", nodeWeights, func(r *Row) bool { return r.level("propagation") == "fixpoint" }},
	{"weights", "node", "accumulated", func(r *Row) bool { return findRoundRule(r.level("heuristic")).weight != nil }, func(r *Row) bool { return r.level("weights") == "accumulated" }},
}

func nodeWeights(r *Row) bool { return r.level("weights") == "node" }

// reportContrasts adds the slopes of the logarithm of backtracks by the levels of
// each factor, in the paper's program, where the factors are crossed.
func reportContrasts(x *Results, r *Report) {
	paper := x.only("program", "paper")
	var rows tests
	for _, c := range contrasts {
		own := paper.where(c.of)
		with, without := own.where(c.has), own.where(func(r *Row) bool { return !c.has(r) })
		if len(with.rows) == 0 || len(without.rows) == 0 {
			continue
		}
		givens, a, b := perPuzzle(without, with)
		d := make([]float64, len(a))
		for i := range a {
			d[i] = b[i] - a[i]
		}
		change := stat.Fit(givens, d)
		rows.add(change.P, c.name, c.less+": "+slope(stat.Fit(givens, a)), c.more+": "+slope(stat.Fit(givens, b)), slope(change))
	}
	if len(rows.p) == 0 {
		return
	}
	r.heading("Slopes by factor")
	r.text("In the paper's program the factors are crossed. For each puzzle, the binary logarithm of 1 + backtracks is averaged over all runs with a level of the factor. A slope of +0.1 means that each given multiplies backtracks by 2 to the power 0.1, 7 % more. The difference of the averages per puzzle is regressed on the givens; in a balanced design with repeated measures this is the test of the interaction in a mixed model with random puzzles.")
	r.captioned(fmt.Sprintf("Slope of log2(1 + backtracks) per given, with 95 %% intervals; n = %d puzzles; t test of the difference; Holm's correction for %d tests.", len(x.plan.subjects), len(rows.p)),
		[]string{"factor", "level", "level", "difference", "p", "after Holm"}, rows.corrected())
}

func slope(l stat.Line) string { return fmt.Sprintf("%+.3f (%+.3f to %+.3f)", l.Slope, l.Low, l.High) }

// perPuzzle returns for each puzzle its givens, and the means of logBacktracks in
// both results.
func perPuzzle(a, b *Results) (givens, u, v []float64) {
	means := func(x *Results) map[int]float64 {
		sum, n := map[int]float64{}, map[int]float64{}
		for _, r := range x.rows {
			sum[r.subject.Number] += logBacktracks(r)
			n[r.subject.Number]++
		}
		for k := range sum {
			sum[k] /= n[k]
		}
		return sum
	}
	first, second := means(a), means(b)
	for _, s := range a.plan.subjects {
		if w, ok := second[s.Number]; ok {
			givens, u, v = append(givens, float64(s.Puzzle.Givens())), append(u, first[s.Number]), append(v, w)
		}
	}
	return givens, u, v
}

// oncePerPuzzle returns one run for each puzzle and set of clauses: the blank
// cells do not depend on the rest.
func (x *Results) oncePerPuzzle() *Results {
	known := map[string]bool{}
	return x.where(func(r *Row) bool {
		key := fmt.Sprint(r.subject.Number, r.level("clauses"), r.level("add"), r.level("fill"))
		first := !known[key]
		known[key] = true
		return first
	})
}

// reportBlank shows what propagation determines before the search.
func reportBlank(x *Results, r *Report) error {
	r.heading("Cells that unit propagation leaves blank")
	r.text("A blank cell has no digit after the givens are propagated to the fixpoint. A puzzle without blank cells is solved without search.")
	once := x.oncePerPuzzle()
	all := once.levelsOf("clauses")
	var correlations tests
	for _, clauses := range all {
		own := once.only("clauses", clauses).rows
		c := stat.Spearman(values(own, attribute("givens")), values(own, blank))
		line := stat.Fit(values(own, attribute("givens")), values(own, blank))
		correlations.add(c.P, clauses, number(mean(values(own, blank))), percent(share(own, func(r *Row) bool { return blank(r) == 0 })),
			fmt.Sprintf("%+.2f (%s)", c.R, interval(c.Low, c.High)), fmt.Sprintf("%+.2f (%s)", line.Slope, interval(line.Low, line.High)))
	}
	rows := correlations.rows
	header := []string{"clauses", "blank cells: mean", "without blank cells", "rho with givens", "slope", "p of rho"}
	if len(rows) > 1 && !slices.ContainsFunc(correlations.p, math.IsNaN) {
		header, rows = append(header, "after Holm"), correlations.corrected()
	}
	r.captioned(fmt.Sprintf("Givens and blank cells; n = %d puzzles; rank correlation with 95 %% interval and t test; slope in cells per given%s.", len(x.plan.subjects), correction(len(rows))), header, rows)
	header = slices.Concat([]string{"givens", "puzzles"}, all)
	header = append(header, "solved by propagation: "+all[len(all)-1])
	rows = nil
	var series []plot.Series
	for _, clauses := range all {
		series = append(series, plot.Series{Name: clauses})
	}
	for _, n := range once.valuesOf("givens") {
		row := []string{n, ""}
		solved := ""
		for i, clauses := range all {
			own := values(once.where(func(r *Row) bool { return r.value("givens") == n && r.level("clauses") == clauses }).rows, blank)
			row[1] = strconv.Itoa(len(own))
			m, low, high := stat.Mean(own, 1)
			row = append(row, number(m))
			zero := 0
			for _, cells := range own {
				if cells == 0 {
					zero++
				}
			}
			solved = percent(float64(zero) / float64(len(own)))
			if at, _ := strconv.ParseFloat(n, 64); len(own) >= 5 {
				s := &series[i]
				s.X, s.Y, s.Low, s.High = append(s.X, at), append(s.Y, m), append(s.Low, low), append(s.High, high)
			}
		}
		rows = append(rows, append(row, solved))
	}
	r.captioned("Mean number of blank cells by givens, and the fraction of puzzles that propagation solves.", header, rows)
	if slices.ContainsFunc(series, func(s plot.Series) bool { return len(s.X) == 0 }) {
		return nil
	}
	f := plot.Lines("Cells that unit propagation leaves blank", "givens", "cells without a digit, mean", series)
	f.Note = "After propagating the givens, before the search. Bands are 95 % bootstrap intervals; numbers of givens with fewer than 5 puzzles are left out."
	return r.figure("blank", f)
}

// correction names Holm's correction for n tests at the end of a caption. A single
// test has none.
func correction(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf("; Holm's correction for %d tests", n)
}

// A mediation is a correlation of givens and backtracks, and the same with the blank
// cells held constant.
type mediation struct {
	kind           string
	whole, partial stat.Correlation
}

// mediations returns the correlations with propagation to the fixpoint and the
// weights of the node.
func (x *Results) mediations() (all []mediation) {
	of := x.censored(backtracks)
	own := x.only("propagation", "fixpoint").only("weights", "node")
	for _, c := range own.cells() {
		g, k, b := values(c.rows, attribute("givens")), values(c.rows, blank), values(c.rows, of)
		m := mediation{own.describe(c.levels, own.varied()), stat.Spearman(g, b), stat.PartialSpearman(g, b, k)}
		if !math.IsNaN(m.whole.R) && !math.IsNaN(m.partial.R) {
			all = append(all, m)
		}
	}
	return all
}

// reportMediation shows how much of the correlation the blank cells explain.
func reportMediation(x *Results, r *Report) {
	all := x.mediations()
	if len(all) == 0 {
		return
	}
	r.heading("How much the blank cells explain")
	var rows [][]string
	for _, m := range all {
		rows = append(rows, []string{m.kind, estimate(m.whole), estimate(m.partial)})
	}
	r.captioned(fmt.Sprintf("Rank correlations, propagation to the fixpoint; n = %d puzzles; 95 %% intervals, no correction. The last column is the partial correlation of givens and backtracks with the blank cells held constant.", len(x.plan.subjects)),
		[]string{"runs of", "givens and backtracks", "the same, blank cells held constant"}, rows)
}

// A gridTest is the correlation of givens with a quantity within solutions.
type gridTest struct {
	clauses, quantity string
	stat.Correlation
}

// sameGrid compares puzzles with the same solution with each other. It returns
// the numbers of these puzzles and solutions, and no test of fewer than five
// solutions.
func (x *Results) sameGrid() (puzzles, solutions int, tests []gridTest) {
	count := map[string]int{}
	for _, s := range x.plan.subjects {
		count[s.Attributes["grid"]]++
	}
	for _, n := range count {
		if n > 1 {
			solutions++
			puzzles += n
		}
	}
	if solutions < 5 {
		return puzzles, solutions, nil
	}
	shared := x.where(func(r *Row) bool { return count[r.value("grid")] > 1 })
	add := func(clauses, quantity string, rows []*Row, of func(*Row) float64) {
		strata := make([]int, len(rows))
		for i, r := range rows {
			strata[i], _ = strconv.Atoi(r.value("grid"))
		}
		c := stat.StratifiedSpearman(values(rows, attribute("givens")), values(rows, of), strata, 1)
		if !math.IsNaN(c.R) {
			tests = append(tests, gridTest{clauses, quantity, c})
		}
	}
	once, of := shared.oncePerPuzzle(), x.censored(backtracks)
	for _, clauses := range x.levelsOf("clauses") {
		add(clauses, "blank cells", once.only("clauses", clauses).rows, blank)
	}
	for _, g := range shared.groups("clauses") {
		for _, clauses := range g.levelsOf("clauses") {
			add(clauses, "backtracks, "+g.label, g.only("clauses", clauses).rows, of)
		}
	}
	return puzzles, solutions, tests
}

func reportSameGrid(x *Results, r *Report) {
	puzzles, solutions, grids := x.sameGrid()
	if len(grids) == 0 {
		return
	}
	r.heading("Puzzles with the same solution")
	var rows tests
	for _, t := range grids {
		rows.add(t.P, t.clauses+": "+t.quantity, estimate(t.Correlation))
	}
	r.captioned(fmt.Sprintf("Rank correlation of givens with the quantity within solutions: %d puzzles of %d solutions; intervals by bootstrap over solutions, p by 9999 permutations within solutions, Holm's correction for %d tests.", puzzles, solutions, len(grids)),
		[]string{"quantity", "rho within solutions", "p", "after Holm"}, rows.corrected())
}

// expected is the sign that the hypothesis predicts for a set of clauses, 0 for
// none.
func expected(clauses string) float64 {
	switch clauses {
	case "minimal", "efficient":
		return -1
	case "extended":
		return 1
	}
	return 0
}

// A tally counts the tests of a prediction.
type tally struct{ tests, right, significant int }

func (t *tally) add(right bool, p float64) {
	t.tests++
	if right {
		t.right++
		if p < significant {
			t.significant++
		}
	}
}

// reportPredictions counts how often the predictions of the hypothesis hold.
func reportPredictions(x *Results, r *Report) {
	plain := x.plain()
	var t [7]tally
	for _, s := range plain.signs() {
		if e := expected(s.clauses); e != 0 {
			t[1].add(s.R*e > 0, s.P)
		}
	}
	once := plain.oncePerPuzzle()
	for _, clauses := range plain.levelsOf("clauses") {
		own := once.only("clauses", clauses).rows
		if c, e := stat.Spearman(values(own, attribute("givens")), values(own, blank)), expected(clauses); e != 0 && !math.IsNaN(c.R) {
			t[2].add(c.R*e > 0, c.P)
		}
	}
	for _, m := range plain.mediations() {
		t[3].add(math.Abs(m.partial.R) < math.Abs(m.whole.R), math.NaN())
	}
	if adds := x.levelsOf("add"); len(adds) > 1 {
		t[4] = x.only("fill", "0").savings()
	}
	_, _, grids := plain.sameGrid()
	for _, g := range grids {
		if e := expected(g.clauses); e != 0 {
			t[5].add(g.R*e > 0, g.P)
		}
	}
	for _, fill := range x.levelsOf("fill") {
		own := x.only("fill", fill).oncePerPuzzle().only("clauses", "extended").rows
		if c := stat.Spearman(values(own, givensBefore), values(own, blank)); fill != "0" && !math.IsNaN(c.R) {
			t[6].add(c.R > 0, c.P)
		}
	}
	names := []string{"", "1. givens and backtracks: negative with minimal and efficient, positive with extended", "2. givens and blank cells: the same signs",
		"3. closer to 0 with the blank cells held constant", "4. added givens save backtracks", "5. the signs of 1 and 2 within solutions", "6. filled puzzles: positive with extended"}
	var rows [][]string
	for i := 1; i < len(t); i++ {
		if t[i].tests > 0 {
			certain := strconv.Itoa(t[i].significant)
			if i == 3 {
				certain = "-" // not a test
			}
			rows = append(rows, []string{names[i], strconv.Itoa(t[i].tests), strconv.Itoa(t[i].right), certain})
		}
	}
	r.heading("The predictions of the hypothesis")
	r.captioned(fmt.Sprintf("Tests of each prediction, how many have the predicted sign, and how many of these have p < %g, two-sided and without correction. The hypothesis is in the source of the study, mechanism.go.", significant),
		[]string{"prediction", "tests", "as predicted", "significant"}, rows)
}

// reportAdded compares the same puzzles with more givens.
func reportAdded(x *Results, r *Report) {
	adds := x.levelsOf("add")
	if len(adds) < 2 {
		return
	}
	r.heading("The same puzzles with more givens")
	var rows [][]string
	for _, g := range x.groups("add") {
		row := []string{g.label}
		for _, k := range adds {
			own := g.only("add", k)
			cell := number(math.Exp2(mean(values(own.rows, logBacktracks))) - 1)
			if k != adds[0] {
				u, v := g.matched("add", adds[0], k, g.censored(backtracks))
				c := stat.Compare(u, v)
				cell += fmt.Sprintf(" (%s, p %s)", coefficient(-c.Effect), pValue(c.P))
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	header := []string{"runs of"}
	for _, k := range adds {
		header = append(header, "+"+k)
	}
	r.captioned(fmt.Sprintf("Geometric mean of 1 + backtracks, minus 1, with digits added at random; n = %d puzzles. In parentheses the signed-rank test against the first column: the rank-biserial effect, -1 if every puzzle takes fewer, and p without correction.", len(x.plan.subjects)), header, rows)
}

// reportFilled compares puzzles that were filled up to the same number of givens.
func reportFilled(x *Results, r *Report) {
	for _, fill := range x.levelsOf("fill") {
		if fill == "0" {
			continue
		}
		r.heading("Puzzles filled up to " + fill + " givens")
		own := x.only("fill", fill)
		var rows [][]string
		for _, clauses := range own.levelsOf("clauses") {
			once := own.oncePerPuzzle().only("clauses", clauses).rows
			c := stat.Spearman(values(once, givensBefore), values(once, blank))
			rows = append(rows, []string{clauses, number(mean(values(once, blank))), estimate(c), pValue(c.P)})
		}
		r.captioned(fmt.Sprintf("All puzzles have %s givens; the correlation is with their number before filling; n = %d puzzles; 95 %% intervals, t test.", fill, len(x.plan.subjects)),
			[]string{"clauses", "blank cells: mean", "rho of givens before and blank cells", "p"}, rows)
	}
}

// answerMechanism answers the question in three sentences.
func answerMechanism(x *Results) string {
	plain := x.plain()
	all := plain.signs()
	var parts, cells []string
	once := plain.oncePerPuzzle()
	for _, clauses := range plain.levelsOf("clauses") {
		low, high := math.Inf(1), math.Inf(-1)
		for _, s := range all {
			if s.clauses == clauses {
				low, high = min(low, s.R), max(high, s.R)
			}
		}
		if low <= high {
			parts = append(parts, fmt.Sprintf("%+.2f to %+.2f with %s", low, high, clauses))
		}
		own := once.only("clauses", clauses).rows
		cells = append(cells, fmt.Sprintf("%+.2f with %s", stat.Spearman(values(own, attribute("givens")), values(own, blank)).R, clauses))
	}
	text := fmt.Sprintf("Over %d kinds of runs the rank correlation of givens and backtracks is %s. ", len(plain.groups("clauses")), strings.Join(parts, ", "))
	if len(parts) > 1 {
		text = fmt.Sprintf("The correlation of givens and backtracks depends on the clauses: over %d kinds of runs the rank correlation is %s. ", len(plain.groups("clauses")), strings.Join(parts, ", "))
	}
	text += fmt.Sprintf("The cells that unit propagation leaves without a digit before the search correlate with the givens by %s", strings.Join(cells, ", "))
	if all := plain.mediations(); len(all) > 0 {
		byPartial := func(a, b mediation) int { return cmp.Compare(a.partial.R, b.partial.R) }
		text += fmt.Sprintf("; with these cells held constant, the correlation of givens and backtracks is %+.2f to %+.2f",
			slices.MinFunc(all, byPartial).partial.R, slices.MaxFunc(all, byPartial).partial.R)
	}
	text += ". "
	if adds := x.levelsOf("add"); len(adds) > 1 {
		fewer := x.only("fill", "0").savings()
		return text + fmt.Sprintf("Givens added to the same puzzles save search in %d of %d kinds of runs, so a correlation between puzzles that is not negative comes from how the puzzles were selected, not from their givens.", fewer.significant, fewer.tests)
	}
	minimal := x.plan.minimal()
	return text + fmt.Sprintf("%d of the %d puzzles are minimal, so these are correlations between different puzzles, not effects of adding a given.", minimal, len(x.plan.subjects))
}
