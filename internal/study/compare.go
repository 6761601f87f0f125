package study

import (
	"slices"
	"strconv"
	"strings"

	"sator/internal/plot"
)

// A comparison describes the report of a study that compares the levels of its
// last factor on the same subjects.
type comparison struct {
	// by groups the runs: a column of Study.Attributes or a factor; empty for
	// no grouping.
	by string

	title      string // of the figure, without the quantity: "by size and heuristic"; empty for the names of the factors
	horizontal string // label of the x axis; empty for by

	quantity string // name of the compared quantity, as "backtracks"
	of       func(*Row) float64
	columns  []column // additional columns of the tables, after the distribution of the quantity
	remark   string   // a remark for the report; may be empty
	base     string   // the level that the others are tested against; empty for all pairs
	unpaired bool     // no paired tests
	bounded  bool     // the conflict limit bounds the quantity
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
func learned(r *Row) bool { return slices.Contains(r.levels, "cdcl") }

func conflicts(r *Row) float64 { return float64(r.Conflicts) }

// searched returns the runs of search without learning.
func (x *Results) searched() *Results { return x.where(func(r *Row) bool { return !learned(r) }) }

// compare adds a table, paired tests and a figure. Backtracks and nodes of a
// search tree and conflicts of clause learning are different quantities, so
// they have tables and figures of their own.
func (x *Results) compare(r *Report, c comparison) error {
	r.heading("Comparison")
	if c.remark != "" {
		r.text(c.remark)
	}
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
	last := x.plan.study.Factors[len(x.plan.study.Factors)-1].Name
	columns := append(distribution(c.quantity, c.of), c.columns...)
	if c.by == "" {
		x.summary(r, columns...)
		if !c.unpaired {
			x.pairs(r, last, c.base, c.quantity+" with", c.of)
		}
	} else {
		for _, v := range x.valuesOf(c.by) {
			own := x.where(func(row *Row) bool { return row.value(c.by) == v })
			r.textf("%s %s, %d runs.", strings.ToUpper(c.by[:1])+c.by[1:], v, len(own.rows))
			own.summary(r, columns...)
			if !c.unpaired {
				own.pairs(r, last, c.base, c.quantity+" with", c.of)
			}
		}
	}
	title := "by " + last
	if c.title != "" {
		title = c.title
	} else if c.by != "" {
		title = "by " + c.by + " and " + last
	}
	return r.figure(name, x.boxesOf(strings.ToUpper(c.quantity[:1])+c.quantity[1:]+" "+title, c))
}

// boxesOf returns a box plot of the distributions: a group of boxes for each
// level of the last factor, and the values of c.by along the axis.
func (x *Results) boxesOf(title string, c comparison) *plot.Figure {
	varied := x.varied()
	at := []string{"all"}
	if c.by != "" {
		at = x.valuesOf(c.by)
	}
	var groups []plot.Group
	known := map[string]int{}
	for _, cell := range x.cells() {
		name := x.named(cell.levels, varied, c.by)
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
	if c.horizontal != "" {
		horizontal = c.horizontal
	}
	if c.by == "" {
		horizontal = x.plan.study.Factors[len(x.plan.study.Factors)-1].Name
		for i := range groups {
			groups[i].Boxes[0].Label = groups[i].Name
		}
	}
	f := plot.Boxes(title, horizontal, c.quantity, groups)
	if note := x.cappedNote(); note != "" {
		f.Note += note
		if c.bounded {
			f.Limit = float64(x.plan.conflicts)
		}
	}
	return f
}
