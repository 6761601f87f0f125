package versus

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sator/cmd/internal/tables"
)

// Summary answers the questions of the report in three sentences: which solver solves how much, how much faster or
// slower the others are than the base, and how the answers were checked. It is empty without common files.
func (p *Report) Summary() []string {
	if p.Files == 0 || len(p.Rows) == 0 {
		return nil
	}
	return []string{p.solvedSentence(), p.speedSentence(), p.evidenceSentence()}
}

// solvedSentence says how many files each solver solves.
func (p *Report) solvedSentence() string {
	var parts []string
	for i, row := range p.Rows {
		if i == 0 {
			parts = append(parts, fmt.Sprintf("%s solves %d", row.Solver, row.Solved()))
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %d", row.Solver, row.Solved()))
	}
	text := fmt.Sprintf("Of %s, %s within %g s of %s", plural(p.Files, "file"), listing(parts), p.Limit.Seconds(), p.clockName())
	if p.Best != nil {
		text += fmt.Sprintf("; the virtual best solver, the fastest of all on each file, solves %d", p.Best.Solved)
	}
	return text + "."
}

// speedSentence compares the times of the solvers with those of the base, and names the pairs with a significant
// difference.
func (p *Report) speedSentence() string {
	if len(p.Rows) == 1 {
		return fmt.Sprintf("Its mean time (PAR-2, an unsolved file counts twice the limit) is %s s.", p.Rows[0].PAR2)
	}
	var parts []string
	for _, row := range p.Rows {
		if row.Solver != p.Base && !math.IsNaN(row.TimeRatio.Value) {
			parts = append(parts, fmt.Sprintf("%s %s", row.Solver, row.TimeRatio))
		}
	}
	text := fmt.Sprintf("No file is solved by %s and another solver", p.Base)
	if parts != nil {
		text = fmt.Sprintf("Relative to the time of %s on the files that both solve, the time is, as a geometric mean with a 95 %% interval, %s", p.Base, listing(parts))
	}
	var different []string
	for _, pair := range p.Pairs {
		if pair.Holm < significance {
			different = append(different, pair.name())
		}
	}
	switch {
	case different == nil:
		text += "; the signed-rank tests find no significant difference of times"
	case len(different) == len(p.Pairs):
		text += fmt.Sprintf("; the signed-rank tests find the times of all pairs different (p < %g with Holm's correction)", significance)
	default:
		text += fmt.Sprintf("; the signed-rank tests find the times of %s different (p < %g with Holm's correction)", listing(different), significance)
	}
	return text + "."
}

// name returns the two names with a dash.
func (x *Pair) name() string { return x.A + "-" + x.B }

// evidenceSentence says which answers were checked.
func (p *Report) evidenceSentence() string {
	sat, noModel, unsat, proven := 0, 0, 0, 0
	for _, row := range p.Rows {
		sat += row.Sat
		noModel += row.NoModel
		unsat += row.Unsat
		proven += row.Proven
	}
	wrong := "No answer was found wrong"
	if n := len(p.Faults); n > 0 {
		wrong = fmt.Sprintf("There are wrong answers (%s)", plural(n, "message"))
	}
	text := fmt.Sprintf("%s: the models of %d of %d answers SATISFIABLE were checked", wrong, sat-noModel, sat)
	if !p.Proofs {
		return text + fmt.Sprintf(", and none of %d answers UNSATISFIABLE has a checked proof, because proofs were not requested (--proofs).", unsat)
	}
	return text + fmt.Sprintf(", and the proofs of %d of %d answers UNSATISFIABLE.", proven, unsat)
}

// clockName returns the clock in words.
func (p *Report) clockName() string {
	if p.Clock == Wall {
		return "wall-clock time"
	}
	return "CPU time"
}

// solvers returns the names of the solvers, best first.
func (p *Report) solvers() []string {
	var names []string
	for _, row := range p.Rows {
		names = append(names, row.Solver)
	}
	return names
}

// title returns the line above the tables: files, runs and limit.
func (p *Report) title() string {
	runs := plural(p.Rounds, "run") + " per file"
	if p.Seeded {
		runs = fmt.Sprintf("each a formula with one of %s", plural(p.Rounds, "seed"))
	}
	title := fmt.Sprintf("%s, %s, limit %g s of %s", plural(p.Files, "file"), runs, p.Limit.Seconds(), p.clockName())
	if p.Skipped > 0 {
		title += fmt.Sprintf("; %s skipped because not all solvers have run on them", plural(p.Skipped, "file"))
	}
	return title
}

// notes returns the notes with the load of the machine.
func (p *Report) notes() []string {
	load := p.Load.String()
	switch {
	case load == "":
		return p.Notes
	case p.Load.Heavy():
		load = fmt.Sprintf("WARNING: the machine was loaded: %s; %s", load, p.loadEffect())
	default:
		load = "load: " + load
	}
	return slices.Concat([]string{load}, p.Notes)
}

// loadEffect says what a load does to the times.
func (p *Report) loadEffect() string {
	if p.Clock == Wall {
		return "wall-clock time includes the waiting"
	}
	return "CPU time does not include the waiting, but other processes use the same caches and memory, which lengthens it"
}

// tables returns the tables. Those whose rows are all the same are left out.
func (p *Report) tables() []*table {
	if len(p.Rows) == 0 {
		return nil
	}
	all := []*table{p.solvedTable(), p.timeTable(), p.contributionTable(), p.pairTable(), p.familyTable()}
	return slices.DeleteFunc(all, func(t *table) bool { return len(t.rows) == 0 || tables.Uniform(t.rows) })
}

func (p *Report) solvedTable() *table {
	t := &table{
		title:   "Answers",
		columns: []string{"solver", "solved", "sat", "no model", "unsat proven", "unsat unproven", "wrong", "time out", "memory out", "gave up", "failed"},
	}
	for _, r := range p.Rows {
		t.add(r.Solver, r.Solved(), r.Sat, r.NoModel, r.Proven, r.Unsat-r.Proven, r.Wrong, r.TimeOuts, r.MemoryOuts, r.GaveUp, r.Failed)
	}
	t.dropEmpty("0", "no model", "wrong", "memory out", "gave up", "failed")
	t.caption = fmt.Sprintf("Number of files by outcome, n = %d. Solved = sat + unsat. Unsat proven are answers UNSATISFIABLE with a checked proof; no model are answers SATISFIABLE without a checked model; time out, memory out, gave up (UNKNOWN) and failed have no answer. Columns of zeros are left out.", p.Files)
	return t
}

func (p *Report) timeTable() *table {
	t := &table{title: "Time and memory", columns: []string{"solver", "PAR-2 (s)", "common", "time ratio", "memory ratio", "conflict ratio", "tick ratio"}}
	for _, r := range p.Rows {
		t.add(r.Solver, r.PAR2, r.Common, r.TimeRatio, r.SpaceRatio, r.ConflictRatio, r.TickRatio)
	}
	if p.Best != nil {
		t.add("virtual best", p.Best.PAR2, "-", "-", "-", "-", "-")
	}
	t.dropEmpty("-", "conflict ratio", "tick ratio")
	t.caption = fmt.Sprintf("PAR-2 is the mean time in seconds over n = %d files; an unsolved file counts twice the limit. Ratios are relative to %s, on the files that both solve (common): geometric means of time + %g s and memory + %d MB; less than 1 is better. In brackets: 95 %% percentile bootstrap intervals over the files.", p.Files, p.Base, timeShift, spaceShift>>20)
	return t
}

func (p *Report) contributionTable() *table {
	t := &table{title: "Contributions to the virtual best solver", columns: []string{"without", "only it solves", "fastest on", "PAR-2 of the rest (s)", "loss (s)"}}
	for _, c := range p.Contributions {
		t.add(c.Solver, c.Only, c.First, formatNumber(c.Without), formatNumber(c.Loss))
	}
	t.caption = fmt.Sprintf("The virtual best solver has the result of the fastest solver on each of n = %d files. Loss is the increase of its PAR-2 without the solver: its marginal contribution.", p.Files)
	return t
}

func (p *Report) pairTable() *table {
	t := &table{title: "Paired tests", columns: []string{"A-B", "n", "A faster", "B faster", "time A / time B", "p", "Holm", "only A", "only B", "p solved", "Holm solved"}}
	for _, x := range p.Pairs {
		t.add(x.name(), x.Files, x.Faster, x.Slower, x.Ratio, probability(x.P), probability(x.Holm), x.OnlyA, x.OnlyB, probability(x.PSolved), probability(x.HolmSolved))
	}
	t.caption = fmt.Sprintf("p is of the Wilcoxon signed-rank test of the logarithms of the times, on the n files that at least one of both solves; a run without an answer counts with the limit. p solved is of McNemar's exact test of the files that only A or only B solves. All tests are two-sided, and Holm's correction is over the %s, for each test apart. The ratio is as above.", plural(len(p.Pairs), "pair"))
	return t
}

func (p *Report) familyTable() *table {
	t := &table{title: "Families", columns: []string{"family", "files"}}
	if len(p.Families) < 2 || len(p.Families) == p.Files {
		return t
	}
	t.columns = append(t.columns, p.solvers()...)
	if p.Best != nil {
		t.columns = append(t.columns, "virtual best")
	}
	for _, f := range p.Families {
		cells := []any{f.Name, f.Files}
		for i := range p.Rows {
			cells = append(cells, fmt.Sprintf("%d: %s", f.Solved[i], formatNumber(f.PAR2[i])))
		}
		if p.Best != nil {
			cells = append(cells, formatNumber(f.Best))
		}
		t.add(cells...)
	}
	t.caption = "Files solved: PAR-2 in seconds. The family of a file is that of the list, else the part of its name before \"__\", else its directory, else the beginning of its name."
	return t
}

// probability formats a p-value with three decimals.
func probability(p float64) string {
	if p < 0.001 {
		return "<0.001"
	}
	return strings.TrimSpace(fmt.Sprintf("%.3f", p))
}
