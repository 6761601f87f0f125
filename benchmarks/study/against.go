package study

import (
	"fmt"
	"strconv"

	"sator/benchmarks/stat"
)

// reportAgainst compares every level of a factor with the level base on the
// same subjects: geometric means of ratios, and the paired test with Holm's
// correction.
func reportAgainst(x *Results, r *Report, factor, base string) {
	r.heading("Against " + base)
	f := x.plan.study.factor(factor)
	conflicts := x.censored(func(row *Row) float64 { return float64(row.Conflicts) })
	capped := func(level string) string {
		return strconv.Itoa(len(x.only(factor, level).where(func(row *Row) bool { return row.Capped }).rows))
	}
	r.textf("Each run is compared with the run of the same subject with %s: geometric mean of the ratios of conflicts + 1 and of propagations + 1, with bootstrap intervals; a ratio above 1 is more than with %s. The test compares conflicts. With %s, %s of %d runs reached the conflict limit.", base, base, base, capped(base), len(x.only(factor, base).rows))
	ratio := func(u, v []float64) string {
		for i := range u {
			u[i], v[i] = u[i]+1, v[i]+1
		}
		m, low, high := stat.GeoMeanRatio(u, v, 1)
		return fmt.Sprintf("%.2f (%.2f-%.2f)", m, low, high)
	}
	var rows [][]string
	var pValues []float64
	for _, level := range x.levelsOf(factor) {
		if level == base {
			continue
		}
		u, v := x.matched(f, level, base, conflicts)
		if len(u) == 0 {
			continue
		}
		c := stat.Compare(u, v)
		p, q := x.matched(f, level, base, func(row *Row) float64 { return float64(row.Propagations) })
		rows = append(rows, []string{level, strconv.Itoa(len(u)), ratio(u, v), ratio(p, q), strconv.Itoa(c.More), strconv.Itoa(c.Less), capped(level), pValue(c.P)})
		pValues = append(pValues, c.P)
	}
	for i, p := range stat.Holm(pValues) {
		rows[i] = append(rows[i], pValue(p))
	}
	r.table([]string{factor, "pairs", "conflicts", "propagations", "more conflicts", "fewer conflicts", "at the limit", "p", "after Holm"}, rows)
}
