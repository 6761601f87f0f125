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

// The report of the study of passes.
//
// The effect of a technique is the geometric mean of the ratios of the runs with the
// technique toggled to the default runs, paired by formula and seed. Shufflings and seeds
// of one kind of formula are not independent, so the logarithms of the ratios are
// averaged over the formulas of a kind first, and the kinds are the observations of the
// intervals and tests: they say what to expect of other kinds of formulas, not of other
// seeds. All techniques are compared with the same default runs, so the intervals are
// simultaneous (see [stat.Simultaneous]), and the p-values have Holm's correction.

// A quantity is a measure of the effort of a run.
type quantity struct {
	name  string
	of    func(*Row) float64
	least float64 // values below are raised to it
}

// The quantities of the report; ticks is the main one.
var effortQuantities = []quantity{
	{"ticks", extra("ticks"), 1},
	{"CPU time", seconds, 1e-6},
	{"conflicts", conflicts, 1},
}

// limitPenalty multiplies the effort of a run that reached the limit.
const limitPenalty = 2

// penalized returns the effort of a run in a quantity.
func (q *quantity) penalized(r *Row) float64 {
	v := max(q.least, q.of(r))
	if r.Capped {
		v *= limitPenalty
	}
	return v
}

// An effect is the effect of toggling a technique.
type effect struct {
	level   string
	differ  int             // formulas with another number of ticks than by default
	ratios  []stat.Estimate // by quantity
	p, holm float64         // of the ticks
	capped  int             // runs at the limit
}

// helps reports whether the default is better than the toggled technique; harms
// reports the contrary. Neither holds if the interval of the ticks includes 1.
func (e *effect) helps() bool { return e.ratios[0].Low > 1 }
func (e *effect) harms() bool { return e.ratios[0].High < 1 }

// logRatios returns the mean logarithms of the ratios of a level to the default level,
// by value of the column by.
func (x *Results) logRatios(level, by string, values []string, q *quantity) []float64 {
	sum, n := make([]float64, len(values)), make([]float64, len(values))
	place := map[string]int{}
	for i, v := range values {
		place[v] = i
	}
	base := map[int]float64{}
	for _, r := range x.only("technique", defaultLevel).rows {
		base[r.subject.Number] = q.penalized(r)
	}
	for _, r := range x.only("technique", level).rows {
		if b, ok := base[r.subject.Number]; ok {
			i := place[r.value(by)]
			sum[i] += math.Log(q.penalized(r) / b)
			n[i]++
		}
	}
	for i := range sum {
		sum[i] /= n[i]
	}
	return sum
}

// toggled returns the levels other than the default level.
func (x *Results) toggled() []string {
	return slices.DeleteFunc(x.levelsOf("technique"), func(level string) bool { return level == defaultLevel })
}

// effects returns the effects of all techniques, the largest ratio of ticks first, and
// the number of kinds of formulas.
func (x *Results) effects() ([]*effect, int) {
	kinds := x.valuesOf("formula")
	if len(x.only("technique", defaultLevel).rows) == 0 {
		return nil, len(kinds)
	}
	var all []*effect
	var pValues []float64
	for _, level := range x.toggled() {
		e := &effect{level: level, capped: x.only("technique", level).capped()}
		u, v := x.matched("technique", level, defaultLevel, effortQuantities[0].of)
		for i := range u {
			if u[i] != v[i] {
				e.differ++
			}
		}
		all = append(all, e)
	}
	for k := range effortQuantities {
		var logs [][]float64
		for _, e := range all {
			logs = append(logs, x.logRatios(e.level, "formula", kinds, &effortQuantities[k]))
		}
		estimates, _ := stat.Simultaneous(logs, 1)
		for j, e := range all {
			t := estimates[j]
			e.ratios = append(e.ratios, stat.Estimate{Mean: math.Exp(t.Mean), Low: math.Exp(t.Low), High: math.Exp(t.High)})
			if k == 0 {
				e.p = stat.Compare(logs[j], make([]float64, len(kinds))).P
				pValues = append(pValues, e.p)
			}
		}
	}
	for j, p := range stat.Holm(pValues) {
		all[j].holm = p
	}
	slices.SortStableFunc(all, func(a, b *effect) int { return cmp.Compare(b.ratios[0].Mean, a.ratios[0].Mean) })
	return all, len(kinds)
}

// ratioText formats a ratio with its interval.
func ratioText(e stat.Estimate) string {
	return fmt.Sprintf("%s (%s-%s)", ratioNumber(e.Mean), ratioNumber(e.Low), ratioNumber(e.High))
}

// ratioNumber formats a ratio with two decimals, or two digits if it is small.
func ratioNumber(x float64) string {
	if x < 0.095 {
		return strconv.FormatFloat(x, 'g', 2, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// answerPasses answers the question of the study in three sentences.
func answerPasses(x *Results) string {
	effects, kinds := x.effects()
	if len(effects) == 0 {
		return "No technique was compared with the default options."
	}
	list := func(is func(*effect) bool) (named []string) {
		for _, e := range effects {
			if is(e) {
				named = append(named, fmt.Sprintf("%s %s", e.level, ratioText(e.ratios[0])))
			}
		}
		return named
	}
	helps, harms := list((*effect).helps), list((*effect).harms)
	text := fmt.Sprintf("Of %d techniques of clause learning that are toggled one at a time, the number that take more ticks on average is %d, on %d formulas of %d kinds", len(effects), len(helps), len(x.plan.subjects), kinds)
	if len(helps) > 0 {
		text += ", as factors with simultaneous 95 % intervals: " + strings.Join(helps, ", ")
	}
	text += fmt.Sprintf(". The number that take fewer ticks is %d", len(harms))
	if len(harms) > 0 {
		text += ": " + strings.Join(harms, ", ")
	}
	text += fmt.Sprintf("; the intervals of the other %d include 1.", len(effects)-len(helps)-len(harms))
	families := x.valuesOf("family")
	most, where, level := 0.0, "", ""
	for _, e := range effects {
		for i, v := range x.logRatios(e.level, "family", families, &effortQuantities[0]) {
			if v > most {
				most, where, level = v, families[i], e.level
			}
		}
	}
	if where == "" {
		return text + " No technique takes more ticks in any family."
	}
	return text + fmt.Sprintf(" The largest factor in one family is %s (%s, %s), so an average over families says little about one of them.", number(math.Exp(most)), where, level)
}

func reportPasses(x *Results, r *Report) error {
	x.reportPassMethod(r)
	effects, kinds := x.effects()
	if len(effects) > 0 {
		if err := x.reportEffects(r, effects, kinds); err != nil {
			return err
		}
		x.reportByFamily(r, effects)
	}
	return nil
}

// reportPassMethod explains the quantities and the statistics.
func (x *Results) reportPassMethod(r *Report) {
	r.heading("Method")
	limit := "Runs have no limit in ticks."
	if x.plan.ticks > 0 {
		limit = fmt.Sprintf("A run ends at %d ticks.", x.plan.ticks)
	}
	r.textf("A tick is a unit of effort of the solver, about one cache line touched; it does not depend on the machine, as the CPU time does. %s A run that reaches a limit counts with %d times its effort.", limit, limitPenalty)
	r.text("A ratio is the effort with a technique toggled divided by that with the default options, for the same formula and seed; above 1 the default is better. Ratios are geometric means over the formulas of a kind, then over the kinds, which are the observations of intervals and tests. The intervals are simultaneous over all techniques (max-t bootstrap over the kinds). The tests are Wilcoxon's signed-rank tests of the mean logarithms of the kinds: a technique that saves a little in nearly all kinds can be significant with an interval that includes 1, and one that saves much in a few kinds has a wide interval and no significant test.")
	if base := x.only("technique", defaultLevel); len(base.rows) > 0 {
		r.textf("The default runs take %s ticks in the median and at most %s, so a run has few rounds of simplification. The study does not show what a technique saves in runs of minutes.", number(stat.Quantiles(values(base.rows, extra("ticks")), 0.5)[0]), number(stat.Quantiles(values(base.rows, extra("ticks")), 1)[0]))
	}
}

// reportEffects adds the table and the forest plot of all techniques.
func (x *Results) reportEffects(r *Report, effects []*effect, kinds int) error {
	r.heading("Effect of each technique")
	var rows [][]string
	shown := effortQuantities
	if timed := slices.ContainsFunc(x.rows, func(row *Row) bool { return row.Seconds > 0 }); !timed {
		shown = slices.Delete(slices.Clone(shown), 1, 2)
	}
	header := []string{"technique", "formulas that differ"}
	for _, q := range shown {
		header = append(header, q.name)
	}
	header = append(header, "at the limit", "p", "after Holm")
	var names []string
	series := make([]plot.Series, 2)
	for i, e := range effects {
		names = append(names, e.level)
		row := []string{e.level, strconv.Itoa(e.differ)}
		for k, q := range effortQuantities {
			if slices.ContainsFunc(shown, func(s quantity) bool { return s.name == q.name }) {
				row = append(row, ratioText(e.ratios[k]))
			}
			if k < len(series) {
				s := &series[k]
				s.Name = q.name
				s.X, s.Y = append(s.X, e.ratios[k].Mean), append(s.Y, float64(i))
				s.Low, s.High = append(s.Low, e.ratios[k].Low), append(s.High, e.ratios[k].High)
			}
		}
		rows = append(rows, append(row, strconv.Itoa(e.capped), pValue(e.p), pValue(e.holm)))
	}
	if len(shown) < len(effortQuantities) {
		series = series[:1]
	}
	base := x.only("technique", defaultLevel)
	r.captioned(fmt.Sprintf("Ratios to the default options with simultaneous 95 %% intervals (max-t bootstrap over %d kinds of formulas, %d techniques), %d pairs each; p of Wilcoxon's signed-rank test of the ticks over the kinds, and after Holm's correction for %d tests. With the default options %d of %d runs reached the limit.",
		kinds, len(effects), len(base.rows), len(effects), base.capped(), len(base.rows)), header, rows)
	f := plot.Forest("Effort with a technique toggled, relative to the default options", "ratio to the default options (geometric mean, logarithmic axis)", "technique", names, series)
	f.Note = fmt.Sprintf("%d formulas of %d kinds, paired by formula and seed; simultaneous 95 %% intervals (max-t bootstrap over kinds, %d techniques). Right of 1 the default options take less. Hollow: the interval includes 1.", len(base.rows), kinds, len(effects))
	return r.figure("effects", f)
}

// shownRatio is the least factor between families and techniques that the report lists.
const shownRatio = 2

// reportByFamily adds a table of the extremes.
func (x *Results) reportByFamily(r *Report, effects []*effect) {
	r.heading("By family")
	families := x.valuesOf("family")
	slices.Sort(families)
	var rows [][]string
	for _, e := range effects {
		logs := x.logRatios(e.level, "family", families, &effortQuantities[0])
		high, low := slices.Index(logs, slices.Max(logs)), slices.Index(logs, slices.Min(logs))
		if max(logs[high], -logs[low]) >= math.Log(shownRatio) {
			rows = append(rows, []string{e.level, families[high], number(math.Exp(logs[high])), families[low], number(math.Exp(logs[low]))})
		}
	}
	r.captioned(fmt.Sprintf("Geometric mean ratio of ticks to the default options in the families where it is largest and smallest, of %d families; without tests. Techniques that change the ticks by less than a factor of %d in every family are left out.", len(families), shownRatio),
		[]string{"technique", "largest in", "ratio", "smallest in", "ratio"}, rows)
}
