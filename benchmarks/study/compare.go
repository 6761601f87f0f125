package study

import (
	"slices"
	"strconv"
	"strings"

	"sator/benchmarks/plot"
)

// A comparison is how studies are told of that compare the levels of their last
// factor on the same subjects.
type comparison struct {
	// by is what subjects, or runs, are told apart by: a column of Study.About or
	// a factor; empty for nothing.
	by string

	what    string // what is compared, as "backtracks"
	of      func(*Row) float64
	columns []column // of the tables, besides the distribution of that
	remark  string   // what there is to know; may be empty
	base    string   // the level that others are tested against; empty for all pairs
	apart   bool     // there are no paired tests
	bounded bool     // the limit of conflicts is one of what is compared
}

// value returns what a run has in a column of Study.About or as the level of a
// factor.
func (r *Row) value(name string) string {
	if i := slices.Index(r.plan.study.About, name); i >= 0 {
		return r.Outcome.About[i]
	}
	return r.level(name)
}

// valuesOf returns the different values of a column, in the order in which they
// come, or by size if all are numbers.
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

// compare adds a table, paired tests and a figure.
func (x *Results) compare(r *Report, c comparison) error {
	last := x.plan.study.Factors[len(x.plan.study.Factors)-1].Name
	r.heading("Comparison")
	if c.remark != "" {
		r.say(c.remark)
	}
	columns := append(distribution(c.what, c.of), c.columns...)
	if c.by == "" {
		x.summary(r, columns...)
		if !c.apart {
			x.pairs(r, last, c.base, c.what+" with", c.of)
		}
	} else {
		for _, v := range x.valuesOf(c.by) {
			own := x.where(func(row *Row) bool { return row.value(c.by) == v })
			r.sayf("%s %s, %d runs.", strings.ToUpper(c.by[:1])+c.by[1:], v, len(own.rows))
			own.summary(r, columns...)
			if !c.apart {
				own.pairs(r, last, c.base, c.what+" with", c.of)
			}
		}
	}
	by := last
	if c.by != "" {
		by = c.by + " and " + last
	}
	return r.figure("comparison", x.boxesOf(strings.ToUpper(c.what[:1])+c.what[1:]+" by "+by, c))
}

// boxesOf draws the distributions: boxes for each level of the last factor, with
// what the comparison tells apart along the axis.
func (x *Results) boxesOf(title string, c comparison) *plot.Figure {
	varied := x.varied()
	at := []string{"all"}
	if c.by != "" {
		at = x.valuesOf(c.by)
	}
	var groups []plot.Group
	known := map[string]int{}
	for _, cell := range x.cells() {
		name := x.describe(cell.levels, varied, c.by)
		i, ok := known[name]
		if !ok {
			i = len(groups)
			known[name] = i
			groups = append(groups, plot.Group{Name: name})
		}
		for _, v := range at {
			var own []float64
			for _, row := range cell.rows {
				switch {
				case c.by != "" && row.value(c.by) != v:
				case c.bounded && row.Capped:
					own = append(own, float64(x.plan.conflicts))
				default:
					own = append(own, c.of(row))
				}
			}
			if len(own) > 0 {
				groups[i].Boxes = append(groups[i].Boxes, plot.Sample{Label: v, Values: own})
			}
		}
	}
	horizontal := c.by
	if horizontal == "" {
		horizontal = x.plan.study.Factors[len(x.plan.study.Factors)-1].Name
		for i := range groups {
			groups[i].Boxes[0].Label = groups[i].Name
		}
	}
	f := plot.Boxes(title, horizontal, c.what, groups)
	if note := x.gaveUp(); note != "" {
		f.Note += note
		if c.bounded {
			f.Limit = float64(x.plan.conflicts)
		}
	}
	return f
}
