package study

import (
	"fmt"
	"strconv"

	"sator/benchmarks/stat"
)

// tellAgainst compares every level of a factor with one of them, over all
// subjects: geometric means of ratios, and the paired test with Holm's
// correction.
func tellAgainst(x *Results, r *Report, factor, base string) {
	r.heading("Against " + base)
	f := x.plan.study.factor(factor)
	conflicts := x.ended(func(row *Row) float64 { return float64(row.Conflicts) })
	capped := func(level string) string {
		return strconv.Itoa(len(x.only(factor, level).where(func(row *Row) bool { return row.Capped }).rows))
	}
	r.sayf("Each run beside that of the same subject with %s: the geometric mean of the ratios of conflicts (one more than they are, since there may be none) and of propagations, with bootstrap intervals; above 1 it takes more than with %s. The test is of the conflicts. With %s %s of %d were given up.", base, base, base, capped(base), len(x.only(factor, base).rows))
	ratio := func(u, v []float64) string {
		for i := range u {
			u[i], v[i] = u[i]+1, v[i]+1
		}
		m, low, high := stat.GeoMeanRatio(u, v, 1)
		return fmt.Sprintf("%.2f (%.2f-%.2f)", m, low, high)
	}
	var rows [][]string
	var chances []float64
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
		rows = append(rows, []string{level, strconv.Itoa(len(u)), ratio(u, v), ratio(p, q), strconv.Itoa(c.More), strconv.Itoa(c.Less), capped(level), chance(c.P)})
		chances = append(chances, c.P)
	}
	for i, p := range stat.Holm(chances) {
		rows[i] = append(rows[i], chance(p))
	}
	r.table([]string{factor, "pairs", "conflicts", "propagations", "takes more", "takes less", "given up", "p", "after Holm"}, rows)
}
