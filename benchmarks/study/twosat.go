package study

import (
	"context"
	"fmt"
	"slices"
	"time"

	"sator/dimacs"
	"sator/sudoku/infer"
)

// David Eppstein's 2SAT rule ("Sudoku and 2SAT", 2009) infers what follows from
// the clauses of two literals that hold for the candidates left. He says of his
// program that it "still needs to backtrack on some puzzles, but many fewer", and
// gives no numbers. These are some.

func twosatStudy() *Study {
	return &Study{
		Name: "twosat",
		Help: "dead ends of Sudoku solving with and without the 2SAT rule",
		Description: `Puzzles are solved by singles, with or without locked candidates, and branching,
and the 2SAT rule of David Eppstein is used nowhere, before the first branch, or
at every node. A dead end is a contradiction after a branch; all solutions are
looked for, so that the one that there is is proved to be the only one. Without a
FILE puzzles are made, with as few givens as come out.`,
		Factors: []Factor{
			{Name: "locked", Help: "infer by locked candidates too", Default: []string{"no", "yes"}, Levels: []string{"no", "yes"}},
			{Name: "rule", Help: "where the 2SAT rule is used, and with the implications of trivalues", Default: []string{"never", "root", "every", "every-trivalue"}, Levels: []string{"never", "root", "root-trivalue", "every", "every-trivalue"}},
		},
		Subject:   "puzzle",
		About:     []string{"givens"},
		More:      []string{"nodes", "instances", "clauses", "forced", "contradictions"},
		CountHelp: "make `N` puzzles, if there is no FILE",
		Count:     200,
		puzzles:   true,
		subjects:  anyPuzzles,
		measure:   measureTwosat,
		tell: func(x *Results, r *Report) error {
			x.describeTwosat(r)
			return x.compare(r, comparison{by: "locked", what: "dead ends", of: backtracks, bounded: true, columns: []column{straight,
				{"forced by the rule: mean", func(rows []*Row) string { return number(mean(values(rows, more("forced")))) }},
				{"seconds: mean", meanSeconds.of}}})
		},
	}
}

// inferRules are the options of the levels of rule.
var inferRules = map[string]infer.Options{
	"never":          {Rule: infer.Never},
	"root":           {Rule: infer.Root},
	"root-trivalue":  {Rule: infer.Root, Trivalue: true},
	"every":          {Rule: infer.Every},
	"every-trivalue": {Rule: infer.Every, Trivalue: true},
}

func measureTwosat(ctx context.Context, b *bench, r *Run, _ *Weights) Outcome {
	options := inferRules[r.level("rule")]
	options.NoLocked = r.level("locked") == "no"
	options.DeadEnds = r.plan.conflicts
	g := r.subject.Puzzle
	s := infer.New(g.Rules, options)
	begin := time.Now()
	solutions, complete := s.Solutions(ctx, g, 0)
	took := time.Since(begin)
	st := s.Stats()
	o := Outcome{
		Answer: dimacs.Satisfiable, Evaluations: st.Nodes, Decisions: st.Branches, Backtracks: st.DeadEnds, Conflicts: st.DeadEnds,
		Capped: !complete, Seconds: took.Seconds(), About: []string{fmt.Sprint(g.Givens())},
		More: []int64{st.Nodes, st.Instances, st.Clauses, st.Forced, st.Contradictions},
	}
	switch {
	case len(solutions) == 0:
		o.Answer = dimacs.Unknown
	case !slices.Equal(solutions[0], r.subject.puzzle.solution) || len(solutions) > 1:
		panic("study: inference has found another solution than there is")
	}
	return o
}

// describeTwosat says what the columns are here.
func (x *Results) describeTwosat(r *Report) {
	r.heading("What is counted")
	r.say("Backtracks and conflicts are dead ends here: contradictions after a branch or on the way back. Puzzles without a dead end may have had a branch that led to the solution at once, and its other side was refuted by inference alone.")
}
