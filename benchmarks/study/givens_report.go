package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sator/benchmarks/plot"
	"sator/benchmarks/stat"
)

// What is told of the study of givens.

// published is a line of the paper's Table 1: r and p of givens with evaluations
// and with backtracks, over 1011 puzzles.
type published struct {
	rEvaluations, pEvaluations, rBacktracks, pBacktracks float64
}

var publishedTable = map[string]published{
	"1_sided_jw":           {0.032, 0.312, 0.032, 0.313},
	"2_sided_jw":           {0.034, 0.278, 0.034, 0.277},
	"default_dpll":         {0.043, 0.167, 0.045, 0.157},
	"length_priority_max":  {0.141, 7.10e-6, 0.141, 6.31e-6},
	"mom":                  {0.110, 4.38e-4, 0.115, 2.56e-4},
	"weighted_occurrences": {0.026, 0.417, 0.025, 0.421},
}

// significant is the level below which the paper calls a correlation so.
const significant = 0.05

func tellGivens(x *Results, r *Report) error {
	_, count := givensOf(x.plan.subjects)
	tellData(x, r, count)
	plain := x.only("add", "0")
	if len(plain.rows) > 0 {
		tellPublished(plain, r)
		r.heading("Givens and search, across puzzles")
		r.say("Each number is over all puzzles as they are. r is Pearson's, of the counts as they stand; rho is Spearman's, of their ranks.")
		tellCorrelations(plain, r)
		if own := plain.where(minimal); len(own.rows) > 0 && len(own.rows) < len(plain.rows) {
			r.say("The same for the minimal puzzles alone.")
			tellCorrelations(own, r)
		}
		r.heading("How much search")
		plain.summary(r, append(distribution("evaluations", evaluations), column{"backtracks: mean", func(rows []*Row) string {
			return number(mean(values(rows, backtracks)))
		}}, straight, solved, meanSeconds)...)
		if err := tellByGivens(plain, r); err != nil {
			return err
		}
	}
	tellPairs(x, r)
	if len(x.levelsOf("add")) > 1 {
		if err := tellWithin(x, r); err != nil {
			return err
		}
	}
	tellAnswer(x, r)
	tellWhy(x, r)
	return nil
}

// minimal reports whether no given of the puzzle of a run can be left out.
func minimal(r *Row) bool { return r.value("minimal") == "yes" }

// tellAnswer answers the paper's question by what its own hypotheses are about.
func tellAnswer(x *Results, r *Report) {
	r.heading("Do more givens take less search?")
	plain := x.only("add", "0")
	if cells := plain.cells(); len(cells) > 0 {
		up, down := 0, 0
		for _, c := range cells {
			switch s := stat.Spearman(values(c.rows, about("givens")), values(c.rows, backtracks)); {
			case s.P < significant && s.R > 0:
				up++
			case s.P < significant && s.R < 0:
				down++
			}
		}
		r.sayf("Across puzzles, by ranks: of %d kinds of runs, %d take more backtracks for puzzles with more givens, %d fewer, and for %d there is no significant difference.", len(cells), up, down, len(cells)-up-down)
	}
	adds := x.levelsOf("add")
	if len(adds) < 2 {
		r.say("Within puzzles: not asked, see --add.")
		return
	}
	groups, fewer := x.groups("add"), 0
	most := adds[len(adds)-1]
	for _, g := range groups {
		u, v := g.matched(x.plan.study.factor("add"), adds[0], most, backtracks)
		if c := stat.Compare(u, v); c.P < significant && c.Effect > 0 {
			fewer++
		}
	}
	r.sayf("Within puzzles: with %s givens more than %s, %d of %d kinds of runs take fewer backtracks for the same puzzles, by the signed-rank test.", most, adds[0], fewer, len(groups))
}

// tellData says what the puzzles are.
func tellData(x *Results, r *Report, count map[int]int) {
	r.heading("The puzzles")
	minimal := 0
	for _, s := range x.plan.subjects {
		if s.puzzle.minimal() {
			minimal++
		}
	}
	header, row := []string{"givens"}, []string{"puzzles"}
	for n := range 10_000 {
		if count[n] > 0 {
			header, row = append(header, strconv.Itoa(n)), append(row, strconv.Itoa(count[n]))
		}
	}
	r.table(header, [][]string{row})
	r.sayf("All have one solution. %d of %d are minimal: without any one of the givens there would be several.", minimal, len(x.plan.subjects))
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

// A group is the results with the same levels of some factors.
type group struct {
	label string
	*Results
}

// groups splits the results by the levels of all factors but some.
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

// tellPublished puts the paper's table beside ours, if its program was run.
func tellPublished(x *Results, r *Report) {
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
		p := publishedTable[rule.paper]
		e := stat.Pearson(values(own.rows, about("givens")), values(own.rows, evaluations))
		b := stat.Pearson(values(own.rows, about("givens")), values(own.rows, backtracks))
		rows = append(rows, []string{rule.paper + " (" + rule.name + ")",
			coefficient(p.rEvaluations), coefficient(e.R), chance(p.pEvaluations), chance(e.P),
			coefficient(p.rBacktracks), coefficient(b.R), chance(p.pBacktracks), chance(b.P)})
		if p.pEvaluations < significant && p.pBacktracks < significant {
			theirs = append(theirs, rule.name)
		}
		if e.P < significant && b.P < significant {
			ours = append(ours, rule.name)
		}
	}
	r.table([]string{"heuristic", "r of evaluations: paper", "ours", "p: paper", "ours", "r of backtracks: paper", "ours", "p: paper", "ours"}, rows)
	r.sayf("Significant at %g in the paper: %s. Here: %s.", significant, listed(theirs), listed(ours))
	if len(x.only("accumulate", "yes").rows) == 0 {
		r.say("The weights of jw1, jw2 and moh are those of each node here. In the paper's program they are summed up over the whole search: --accumulate.")
	}
}

// listed joins names in a sentence.
func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// tellCorrelations adds a table of how givens go with what is counted.
func tellCorrelations(x *Results, r *Report) {
	varied := x.varied()
	for _, m := range []struct {
		name string
		of   func(*Row) float64
	}{{"evaluations", evaluations}, {"backtracks", backtracks}} {
		var rows [][]string
		for _, c := range x.cells() {
			g, v := values(c.rows, about("givens")), values(c.rows, m.of)
			p, s := stat.Pearson(g, v), stat.Spearman(g, v)
			rows = append(rows, []string{x.describe(c.levels, varied), strconv.Itoa(p.N),
				coefficient(p.R), interval(p.Low, p.High), chance(p.P),
				coefficient(s.R), interval(s.Low, s.High), chance(s.P)})
		}
		r.table([]string{"givens and " + m.name, "puzzles", "r", "interval", "p", "rho", "interval", "p"}, rows)
	}
}

// tellByGivens adds medians by the number of givens, and the figures.
func tellByGivens(x *Results, r *Report) error {
	r.heading("By the number of givens")
	for i, g := range x.groups("heuristic", "accumulate", "across", "draw") {
		varied := g.varied()
		cells := g.cells()
		header := []string{"givens", "puzzles"}
		for _, c := range cells {
			header = append(header, g.describe(c.levels, varied))
		}
		var rows [][]string
		for _, n := range g.valuesOf("givens") {
			row := []string{n, ""}
			for _, c := range cells {
				var v []float64
				for _, run := range c.rows {
					if run.value("givens") == n {
						v = append(v, evaluations(run))
					}
				}
				row[1] = strconv.Itoa(len(v))
				q := stat.Quantiles(v, 0.25, 0.5, 0.75)
				row = append(row, fmt.Sprintf("%s (%s-%s)", number(q[1]), number(q[0]), number(q[2])))
			}
			rows = append(rows, row)
		}
		r.say(titled("Evaluations", g.label) + ": median, and quartiles in parentheses.")
		r.table(header, rows)
		above := g.boxes("", "givens", "evaluations", about("givens"), evaluations)
		figure := plot.Stack(titled("Search by the number of givens", g.label), above,
			g.boxes("", "givens", "backtracks", about("givens"), backtracks))
		figure.Note = above.Note + g.gaveUp()
		if err := r.figure("givens-"+strconv.Itoa(i+1), figure); err != nil {
			return err
		}
		if len(cells) > 1 {
			if err := r.figure("scatter-"+strconv.Itoa(i+1), scatterHeuristics(g)); err != nil {
				return err
			}
		}
	}
	return nil
}

// spread is how far points of whole numbers are moved about.
const spread = 0.3

// titled adds a label to a title, if it says something.
func titled(title, label string) string {
	if label == everything {
		return title
	}
	return title + ", " + label
}

// scatterHeuristics shows every puzzle as a point for each heuristic, against the
// one that takes least.
func scatterHeuristics(g group) *plot.Figure {
	varied := g.varied()
	cells := g.cells()
	logarithm := func(r *Row) float64 { return math.Log(evaluations(r)) }
	least := slices.MinFunc(cells, func(a, b *cell) int {
		return cmp.Compare(mean(values(a.rows, logarithm)), mean(values(b.rows, logarithm)))
	})
	name := g.describe(least.levels, varied)
	var series []plot.Series
	for _, c := range cells {
		if c != least && len(c.rows) == len(least.rows) {
			series = append(series, plot.Series{Name: g.describe(c.levels, varied), X: values(least.rows, evaluations), Y: values(c.rows, evaluations)})
		}
	}
	f := plot.Versus(titled("Evaluations for the same puzzle", g.label), "evaluations of "+name, "evaluations of others", series, 0)
	f.X.Jitter, f.Y.Jitter = spread, spread
	f.Note = "Points are spread a little, so that equal ones can be seen." + g.gaveUp()
	return f
}

// tellPairs adds the paired tests between heuristics.
func tellPairs(x *Results, r *Report) {
	if len(x.levelsOf("heuristic")) < 2 {
		return
	}
	r.heading("Heuristics on the same puzzles")
	r.say("Wilcoxon's signed-rank test of the backtracks that two heuristics take for the same puzzle. The effect is the matched-pairs rank-biserial correlation: -1 if the first always takes less, +1 if the second does.")
	draws := x.levelsOf("draw")
	draw := draws[len(draws)-1]
	if i := slices.IndexFunc(draws, func(d string) bool { return d != "-" }); i >= 0 {
		draw = draws[i] // the first stands beside what does not draw
	}
	for _, g := range x.groups("heuristic", "draw", "accumulate", "across") {
		if g.label != everything {
			r.sayf("Runs of %s.", g.label)
		}
		levelled := &Results{plan: x.plan}
		for _, row := range g.rows {
			run := *row.Run
			run.levels = slices.Clone(run.levels)
			run.set("accumulate", "-") // jw1 with weights kept is still the run beside first
			run.set("across", "-")
			if run.level("draw") == draw {
				run.set("draw", "-")
			}
			levelled.rows = append(levelled.rows, &Row{&run, row.Outcome})
		}
		levelled.pairs(r, "heuristic", "", "backtracks of", backtracks)
	}
}

// tellWithin tells of the same puzzles with more givens.
func tellWithin(x *Results, r *Report) error {
	r.heading("Givens and search, within puzzles")
	r.say("The same puzzles with k of their other digits given: what a given more does, with everything else the same. p against none is that of the signed-rank test of k more and none for the same puzzle. r and rho are over all these runs together, as if each were another puzzle: so their p is smaller than it should be.")
	for _, g := range x.groups("add") {
		var rows [][]string
		adds := g.levelsOf("add")
		for _, k := range adds {
			own := g.only("add", k)
			row := []string{g.label + ", +" + k, number(mean(values(own.rows, evaluations))), number(mean(values(own.rows, backtracks))), straight.of(own.rows), "", "", "-"}
			if k != adds[0] {
				u, v := g.matched(x.plan.study.factor("add"), adds[0], k, backtracks)
				row[6] = chance(stat.Compare(u, v).P)
			}
			rows = append(rows, row)
		}
		p := stat.Pearson(values(g.rows, about("givens")), values(g.rows, backtracks))
		s := stat.Spearman(values(g.rows, about("givens")), values(g.rows, backtracks))
		rows[0][4], rows[0][5] = coefficient(p.R)+" (p "+chance(p.P)+")", coefficient(s.R)+" (p "+chance(s.P)+")"
		r.table([]string{"runs of", "evaluations: mean", "backtracks: mean", straight.name, "r of givens and backtracks", "rho", "p against none"}, rows)
	}
	return r.figure("within", within(x))
}

// within draws a line for each combination of levels over what was added.
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

// tellWhy says why the paper came to what it says.
func tellWhy(x *Results, r *Report) {
	r.heading("Why the paper came to its conclusion")
	r.say("The paper reads a positive correlation of givens with evaluations as: puzzles that are easier for people take more search. Four things stand behind it.")
	r.say("One round of unit propagation a call. Its program propagates the units that are there when a call begins and decides before it propagates what became a unit by that. So evaluations count rounds, and more implications are more evaluations; and decisions are made, and taken back, where there was nothing to decide.")
	r.say("Weights that are not reset. Jeroslow-Wang and minimum occurrences go by sums over all nodes of the search so far, not by the clauses that are open. So these three are other heuristics than those of that name, and worse ones.")
	minimal := 0
	for _, s := range x.plan.subjects {
		if s.puzzle.minimal() {
			minimal++
		}
	}
	r.sayf("Minimal puzzles. Of the puzzles here %d of %d are minimal. A minimal puzzle with 28 givens has not been told more than one with 22: each needs all it has. So the comparison is one between different puzzles, and says nothing of what another given would do. That is what --add asks.", minimal, len(x.plan.subjects))
	r.say("Small coefficients over heavy tails. With a thousand puzzles r = 0.07 is significant, and explains half a percent of the variance; Pearson's r of such counts is moved by a handful of puzzles. Ranks, and medians by givens, show what there is.")
}
