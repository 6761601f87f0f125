package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"sator/dimacs"
	"sator/internal/infer"
)

// David Eppstein's 2SAT rule ("Sudoku and 2SAT", 2009) infers the consequences
// of the binary clauses that hold for the remaining candidates. He writes that
// his program "still needs to backtrack on some puzzles, but many fewer",
// without numbers. This study measures them.

func twosatStudy() *Study {
	return &Study{
		Name: "twosat",
		Help: "dead ends of Sudoku search with and without the 2SAT rule",
		Description: `Solves puzzles by singles, with or without locked candidates, and branching. The
2SAT rule of David Eppstein is applied never, before the first branch, or at
every node. A dead end is a contradiction after a branch. The search enumerates
all solutions, so it includes the proof of uniqueness. Without a FILE, minimal
puzzles are generated.`,
		Factors: []Factor{
			{Name: "locked", Help: "infer by locked candidates", Default: []string{"no", "yes"}, Levels: []string{"no", "yes"}},
			{Name: "rule", Help: "where the 2SAT rule is applied; trivalue: with the implications of cells with three candidates", Default: []string{"never", "root", "every", "every-trivalue"}, Levels: []string{"never", "root", "root-trivalue", "every", "every-trivalue"}},
		},
		Subject:    "puzzle",
		Attributes: []string{"givens"},
		Extra:      []string{"nodes", "instances", "clauses", "forced", "contradictions"},
		CountHelp:  "without a FILE, generate `N` puzzles",
		Count:      200,
		puzzles:    true,
		subjects:   anyPuzzles,
		measure:    measureTwosat,
		answer:     answerTwosat,
		report: func(x *Results, r *Report) error {
			x.reportTwosatNotes(r)
			return x.compare(r, comparison{by: "locked", title: "with and without locked candidates, by the use of the 2SAT rule", horizontal: "locked candidates", quantity: "dead ends", of: backtracks, columns: []column{noBacktracks,
				meanOf("forced by the rule", extra("forced")), meanOf("CPU seconds", seconds)}})
		},
	}
}

// ruleUses are the levels of the factor rule: options, and words for sentences.
var ruleUses = map[string]struct {
	infer.Options
	words string
}{
	"never":          {infer.Options{Rule: infer.Never}, "without the rule"},
	"root":           {infer.Options{Rule: infer.Root}, "before the first branch"},
	"root-trivalue":  {infer.Options{Rule: infer.Root, Trivalue: true}, "before the first branch with trivalues"},
	"every":          {infer.Options{Rule: infer.Every}, "at every node"},
	"every-trivalue": {infer.Options{Rule: infer.Every, Trivalue: true}, "at every node with trivalues"},
}

func measureTwosat(ctx context.Context, b *cache, r *Run, _ *Weights) Outcome {
	options := ruleUses[r.level("rule")].Options
	options.NoLocked = r.level("locked") == "no"
	options.DeadEnds = r.plan.conflicts
	g := r.subject.Puzzle
	s := infer.New(g.Rules, options)
	begin := processorTime()
	solutions, complete := s.Solutions(ctx, g, 0)
	took := processorTime() - begin
	st := s.Stats()
	o := Outcome{
		Answer: dimacs.Satisfiable, Evaluations: st.Nodes, Decisions: st.Branches, Backtracks: st.DeadEnds, Conflicts: st.DeadEnds,
		Capped: !complete, Seconds: took.Seconds(), Attributes: []string{fmt.Sprint(g.Givens())},
		Extra: []int64{st.Nodes, st.Instances, st.Clauses, st.Forced, st.Contradictions},
	}
	switch {
	case len(solutions) == 0:
		o.Answer = dimacs.Unknown
	case !slices.Equal(solutions[0], r.subject.puzzle.solution) || len(solutions) > 1:
		panic("study: inference found a wrong solution")
	}
	return o
}

// reportTwosatNotes explains the columns of this study.
func (x *Results) reportTwosatNotes(r *Report) {
	r.heading("Counts")
	r.text("Backtracks and conflicts are dead ends here: contradictions after a branch or after returning from one. A puzzle without a dead end may have a branch that leads to the solution at once and whose other side is refuted by inference.")
}

// answerTwosat answers the question of the study in three sentences: dead ends,
// puzzles without one, and the price in processor time.
func answerTwosat(x *Results) string {
	var ends, free, times []string
	least := math.Inf(1)
	for _, locked := range x.levelsOf("locked") {
		g := x.only("locked", locked)
		where := map[string]string{"no": "without locked candidates", "yes": "with locked candidates"}[locked]
		base := g.only("rule", "never")
		var ownEnds, ownFree, ownTimes []string
		for _, rule := range g.levelsOf("rule") {
			own, name := g.only("rule", rule), ruleUses[rule].words
			ownEnds = append(ownEnds, number(mean(values(own.rows, backtracks)))+" "+name)
			ownFree = append(ownFree, percent(share(own.rows, func(r *Row) bool { return r.Backtracks == 0 }))+" "+name)
			if rule != "never" && len(base.rows) > 0 && mean(values(base.rows, seconds)) > 0 {
				ratio := mean(values(own.rows, seconds)) / mean(values(base.rows, seconds))
				least = min(least, ratio)
				ownTimes = append(ownTimes, number(ratio)+" "+name)
			}
		}
		ends = append(ends, where+" "+strings.Join(ownEnds, ", "))
		free = append(free, where+" "+strings.Join(ownFree, ", "))
		if len(ownTimes) > 0 {
			times = append(times, where+" "+strings.Join(ownTimes, ", "))
		}
	}
	text := fmt.Sprintf("The mean number of dead ends of a puzzle is, %s. The share of puzzles without a dead end is, %s.", strings.Join(ends, "; "), strings.Join(free, "; "))
	switch {
	case len(times) == 0:
		return text + " Times were not measured."
	case least > 1:
		text += " The rule costs more time than it saves"
	default:
		text += " The rule does not always cost time"
	}
	return text + fmt.Sprintf(": the mean CPU time divided by that without the rule is, %s.", strings.Join(times, "; "))
}
