package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sator/cmd/internal/stat"
	"sator/dimacs"
)

// Results are the rows of a study, with queries for its report.
type Results struct {
	plan *Plan
	rows []*Row
}

// A cell is the rows with equal levels.
type cell struct {
	levels []string
	rows   []*Row
}

// cells groups the rows by their levels, in the order of the plan.
func (x *Results) cells() []*cell {
	var cells []*cell
	known := map[string]*cell{}
	for _, r := range x.rows {
		key := strings.Join(r.levels, "\t")
		if known[key] == nil {
			known[key] = &cell{levels: r.levels}
			cells = append(cells, known[key])
		}
		known[key].rows = append(known[key].rows, r)
	}
	return cells
}

// only returns the results with the given level of a factor.
func (x *Results) only(factor, level string) *Results {
	return x.where(func(r *Row) bool { return r.level(factor) == level })
}

// where returns the results that satisfy a predicate.
func (x *Results) where(is func(*Row) bool) *Results {
	y := &Results{plan: x.plan}
	for _, r := range x.rows {
		if is(r) {
			y.rows = append(y.rows, r)
		}
	}
	return y
}

// varied returns the indices of the factors that have several levels in the
// rows.
func (x *Results) varied() []int {
	var factors []int
	for f := range x.plan.study.Factors {
		level := ""
		if slices.ContainsFunc(x.rows, func(r *Row) bool {
			switch {
			case r.levels[f] == "-":
				return false
			case level == "":
				level = r.levels[f]
			}
			return r.levels[f] != level
		}) {
			factors = append(factors, f)
		}
	}
	return factors
}

// everything is the name of a combination of levels if no factor varies.
const everything = "all"

// describe returns a name for a combination of levels. The name has the levels
// of the factors in varied, except those in but.
func (x *Results) describe(levels []string, varied []int, but ...string) string {
	var parts []string
	for _, f := range varied {
		if name := x.plan.study.Factors[f].Name; levels[f] != "-" && !slices.Contains(but, name) {
			part := levels[f]
			if x.plan.study.Factors[f].Levels == nil {
				part = name + " " + part
			} else if x.plan.study.Factors[f].Switch {
				if part == "no" {
					continue
				}
				part = name
			}
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return everything
	}
	return strings.Join(parts, ", ")
}

// named is describe with the level of the last factor for runs that do not
// differ.
func (x *Results) named(levels []string, varied []int, but ...string) string {
	if label := x.describe(levels, varied, but...); label != everything {
		return label
	}
	return levels[len(levels)-1]
}

// values returns a column of rows.
func values(rows []*Row, of func(*Row) float64) []float64 {
	v := make([]float64, len(rows))
	for i, r := range rows {
		v[i] = of(r)
	}
	return v
}

// Columns used by several reports.
func evaluations(r *Row) float64 { return float64(r.Evaluations) }
func backtracks(r *Row) float64  { return float64(r.Backtracks) }
func seconds(r *Row) float64     { return r.Seconds }

// attribute returns a column of attributes, as numbers.
func attribute(name string) func(*Row) float64 {
	return func(r *Row) float64 {
		v, err := strconv.ParseFloat(r.Outcome.Attributes[slices.Index(r.plan.study.Attributes, name)], 64)
		if err != nil {
			return math.NaN()
		}
		return v
	}
}

// extra returns a column of extra counts.
func extra(name string) func(*Row) float64 {
	return func(r *Row) float64 { return float64(r.Extra[slices.Index(r.plan.study.Extra, name)]) }
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// share returns the fraction of rows that satisfy a predicate.
func share(rows []*Row, is func(*Row) bool) float64 {
	n := 0
	for _, r := range rows {
		if is(r) {
			n++
		}
	}
	return float64(n) / float64(len(rows))
}

// Formats of numbers in tables.

// number formats a number with three significant digits, integers without a
// fraction.
func number(x float64) string {
	switch {
	case math.IsNaN(x):
		return "-"
	case x == math.Trunc(x) || math.Abs(x) >= 100:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case math.Abs(x) >= 10:
		return strconv.FormatFloat(x, 'f', 1, 64)
	case math.Abs(x) >= 0.01:
		return strconv.FormatFloat(x, 'f', 2, 64)
	}
	return strconv.FormatFloat(x, 'g', 2, 64)
}

// percent formats a fraction. Only 0 is shown as 0 % and only 1 as 100 %.
func percent(x float64) string {
	switch {
	case x > 0 && x < 0.005:
		return "< 1 %"
	case x >= 0.995 && x < 1:
		return "> 99 %"
	}
	return fmt.Sprintf("%.0f %%", 100*x)
}

// coefficient formats a correlation coefficient.
func coefficient(r float64) string {
	if math.IsNaN(r) {
		return "-"
	}
	return fmt.Sprintf("%+.3f", r)
}

// pValue formats a p-value.
func pValue(p float64) string {
	switch {
	case math.IsNaN(p):
		return "-"
	case p < 1e-12:
		return "< 1e-12"
	case p < 0.001:
		return strconv.FormatFloat(p, 'e', 1, 64)
	}
	return fmt.Sprintf("%.3f", p)
}

// estimate formats a correlation coefficient with its interval.
func estimate(c stat.Correlation) string {
	return fmt.Sprintf("%s (%s)", coefficient(c.R), interval(c.Low, c.High))
}

func interval(low, high float64) string {
	if math.IsNaN(low) {
		return "-"
	}
	return fmt.Sprintf("%+.2f to %+.2f", low, high)
}

// isCapped reports whether a run reached the conflict limit.
func isCapped(r *Row) bool { return r.Capped }

// capped returns the number of runs that reached the conflict limit.
func (x *Results) capped() int { return len(x.where(isCapped).rows) }

// cappedNote returns a sentence for the note of a figure if runs reached the
// conflict limit.
func (x *Results) cappedNote() string {
	n := x.capped()
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" %d of %d runs reached the conflict limit and count with their values at that point.", n, len(x.rows))
}

// reportSetup describes the study, the levels and the program.
func (x *Results) reportSetup(r *Report, command string, builds []string) {
	p := x.plan
	r.code(command)
	limit := "There is no conflict limit."
	if p.conflicts > 0 {
		limit = fmt.Sprintf("The limit of a run is %d conflicts; %d of %d runs reached it.", p.conflicts,
			x.capped(), len(x.rows))
	}
	r.textf("%d subjects (%s), %d runs, seed %d. %s Each run is a row of %s.", len(p.subjects), p.source, len(x.rows), p.seed, limit, rowsFile)
	switch len(builds) {
	case 0:
	case 1:
		r.textf("Made by %s.", builds[0])
	default:
		r.textf("Made by several builds: %s.", strings.Join(builds, "; "))
	}
}

// reportReadingNotes explains the counts and tests.
func (x *Results) reportReadingNotes(r *Report) {
	r.heading("How to read the numbers")
	r.text("Evaluations are nodes of the search tree; for the paper's program, calls; for clause learning, decisions and conflicts. " +
		"Backtracks are second branches; for clause learning, conflicts. Their distributions have heavy tails, so medians and ranks are more robust than means and Pearson's r. " +
		"In paired tests and ranks, a run at the conflict limit counts as much as the longest run. Intervals are 95 % confidence intervals; p-values are two-sided, and corrected where stated. Seconds are " + clockName + ".")
}

// summary adds a table with a row per combination of levels.
func (x *Results) summary(r *Report, columns ...column) {
	varied := x.varied()
	header := []string{"runs of"}
	for _, c := range columns {
		header = append(header, c.name)
	}
	var rows [][]string
	for _, c := range x.cells() {
		row := []string{x.named(c.levels, varied)}
		for _, column := range columns {
			row = append(row, column.of(c.rows))
		}
		rows = append(rows, row)
	}
	r.table(header, rows)
}

// A column is a column of a summary.
type column struct {
	name string
	of   func([]*Row) string
}

// distribution returns columns with mean, median and maximum of a count.
func distribution(name string, of func(*Row) float64) []column {
	at := func(q float64) func([]*Row) string {
		return func(rows []*Row) string { return number(stat.Quantiles(values(rows, of), q)[0]) }
	}
	return []column{
		meanOf(name, of), {"median", at(0.5)}, {"maximum", at(1)},
	}
}

// meanOf returns a column with the mean of a count.
func meanOf(name string, of func(*Row) float64) column {
	return column{name + ": mean", func(rows []*Row) string { return number(mean(values(rows, of))) }}
}

// noBacktracks is the fraction of runs without backtracks.
var noBacktracks = column{"without a backtrack", func(rows []*Row) string {
	return percent(share(rows, func(r *Row) bool { return r.Backtracks == 0 }))
}}

// solved is the fraction of runs with an answer.
var solved = column{"solved", func(rows []*Row) string {
	return percent(share(rows, func(r *Row) bool { return r.Answer != dimacs.Unknown }))
}}

// tests are the rows of a table that has a p-value in the last column.
type tests struct {
	rows [][]string
	p    []float64
}

// add adds a row with a test.
func (t *tests) add(p float64, cells ...string) {
	t.rows, t.p = append(t.rows, append(cells, pValue(p))), append(t.p, p)
}

// corrected returns the rows with a further column, the p-values after Holm's correction.
func (t *tests) corrected() [][]string {
	for i, p := range stat.Holm(t.p) {
		t.rows[i] = append(t.rows[i], pValue(p))
	}
	return t.rows
}

// pairs adds a table of paired tests between all pairs of levels of the last factor
// or, if c.base is not empty, between c.base and the other levels, with Holm's
// correction for each value of c.by. The two runs of a pair have the same subject and
// the same levels of the other factors. Values whose pairs are all equal are left out.
func (x *Results) pairs(r *Report, c comparison) {
	last := x.plan.study.Factors[len(x.plan.study.Factors)-1].Name
	var all [][]string
	for _, v := range x.levelsOf(c.by) {
		own := x.only(c.by, v)
		of := own.censored(c.of)
		levels := own.levelsOf(last)
		var rows tests
		differ := false
		for i, a := range levels {
			for _, b := range levels[i+1:] {
				u, w := own.matched(last, a, b, of)
				if len(u) == 0 || c.base != "" && a != c.base && b != c.base {
					continue
				}
				p := stat.Compare(u, w)
				differ = differ || p.Equal < p.N
				rows.add(p.P, v+": "+a+" and "+b, strconv.Itoa(p.Less), strconv.Itoa(p.More), coefficient(p.Effect))
			}
		}
		if differ {
			all = append(all, rows.corrected()...)
		}
	}
	if len(all) == 0 {
		return
	}
	r.heading("Paired tests of " + c.quantity)
	r.text("Pairs are compared by Wilcoxon's signed-rank test on the same subjects, two-sided; the effect is the matched-pairs rank-biserial correlation, -1 if the first always has fewer; Holm's correction is for the rows with the same value before the colon.")
	r.table([]string{c.quantity + " with", "first is less", "second is less", "effect", "p", "after Holm"}, all)
}

// censored returns a count for ranking: the count of a run at the conflict
// limit is a lower bound, so it is replaced by the maximum of all runs.
func (x *Results) censored(of func(*Row) float64) func(*Row) float64 {
	most := 0.0
	for _, r := range x.rows {
		most = max(most, of(r))
	}
	return func(r *Row) float64 {
		if r.Capped {
			return most
		}
		return of(r)
	}
}

// matched returns the paired values of the runs with levels a and b of a factor
// that have the same subject and the same levels of the other factors.
func (x *Results) matched(factor, a, b string, of func(*Row) float64) (u, v []float64) {
	f := x.plan.study.factor(factor)
	key := func(r *Row) string {
		levels := slices.Clone(r.levels)
		levels[f] = ""
		return strconv.Itoa(r.subject.Number) + "\t" + strings.Join(levels, "\t")
	}
	first := map[string]float64{}
	for _, r := range x.rows {
		if r.levels[f] == a {
			first[key(r)] = of(r)
		}
	}
	for _, r := range x.rows {
		if w, ok := first[key(r)]; ok && r.levels[f] == b {
			u, v = append(u, w), append(v, of(r))
		}
	}
	return u, v
}
