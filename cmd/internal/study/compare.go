package study

import (
	"slices"
	"strconv"
	"strings"

	"sator/cmd/internal/plot"
)

// A comparison describes the report of a study that compares the levels of its
// last factor on the same subjects.
type comparison struct {
	by         string // groups the runs: a column of Study.Attributes or a factor
	title      string // of the figure, without the quantity: "by size and heuristic"
	horizontal string // label of the x axis
	quantity   string // name of the compared quantity, as "backtracks"
	of         func(*Row) float64
	columns    []column // additional columns of the tables, after the distribution of the quantity
	base       string   // the level that the others are tested against; empty for all pairs
}

// value returns the value of a column of Study.Attributes, or the level of a
// factor.
func (r *Row) value(name string) string {
	if i := slices.Index(r.plan.study.Attributes, name); i >= 0 {
		return r.Outcome.Attributes[i]
	}
	return r.level(name)
}

// valuesOf returns the distinct values of a column, sorted if all are numbers,
// else in order of first occurrence.
func (x *Results) valuesOf(name string) []string {
	var all []string
	numbers := true
	for _, r := range x.rows {
		if v := r.value(name); !slices.Contains(all, v) {
			all = append(all, v)
			_, err := strconv.ParseFloat(v, 64)
			numbers = numbers && err == nil
		}
	}
	if numbers {
		slices.SortFunc(all, func(a, b string) int {
			x, _ := strconv.ParseFloat(a, 64)
			y, _ := strconv.ParseFloat(b, 64)
			return int(x*1000) - int(y*1000)
		})
	}
	return all
}

// learned reports whether a run is one of clause learning.
func learned(r *Row) bool { return slices.Contains(r.levels, clauseLearning) }

func conflicts(r *Row) float64 { return float64(r.Conflicts) }

// searched returns the runs of search without learning.
func (x *Results) searched() *Results { return x.where(func(r *Row) bool { return !learned(r) }) }

// compare adds tables, paired tests and a figure. Backtracks and nodes of a search
// tree and conflicts of clause learning are different quantities, so they have tables
// and figures of their own.
func (x *Results) compare(r *Report, c comparison) error {
	r.heading("Comparison")
	if err := x.searched().compareOne(r, c, "comparison"); err != nil {
		return err
	}
	own := x.where(learned)
	if len(own.rows) == 0 {
		return nil
	}
	r.heading("Clause learning")
	r.text("Conflicts of clause learning are not compared with backtracks: a conflict also adds a clause and may undo many decisions.")
	c.quantity, c.of, c.base = "conflicts", conflicts, ""
	c.columns = slices.DeleteFunc(slices.Clone(c.columns), func(column column) bool { return column.name == noBacktracks.name })
	return own.compareOne(r, c, "learning")
}

// compareOne adds the tables, tests and figure of quantities of one kind.
func (x *Results) compareOne(r *Report, c comparison, name string) error {
	if len(x.rows) == 0 {
		return nil
	}
	x.summary(r, append(distribution(c.quantity, c.of), c.columns...)...)
	if err := r.figure(name, x.boxes(c)); err != nil {
		return err
	}
	x.pairs(r, c)
	return nil
}

func capitalized(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// boxes returns a box plot of the distributions: a group of boxes for each level of
// the last factor, and the values of c.by along the axis. A run at the conflict limit
// counts as the limit.
func (x *Results) boxes(c comparison) *plot.Figure {
	var groups []plot.Group
	for _, g := range x.groups(c.by) {
		group := plot.Group{Name: x.named(g.rows[0].levels, x.varied(), c.by)}
		for _, v := range x.valuesOf(c.by) {
			var own []float64
			for _, row := range g.rows {
				switch {
				case row.value(c.by) != v:
				case row.Capped:
					own = append(own, float64(x.plan.conflicts))
				default:
					own = append(own, c.of(row))
				}
			}
			if len(own) > 0 {
				group.Boxes = append(group.Boxes, plot.Sample{Label: v, Values: own})
			}
		}
		groups = append(groups, group)
	}
	f := plot.Boxes(capitalized(c.quantity)+" "+c.title, c.horizontal, c.quantity, groups)
	if note := x.cappedNote(); note != "" {
		f.Note += note
		f.Limit = float64(x.plan.conflicts)
	}
	return f
}
