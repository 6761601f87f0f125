package study

import (
	"context"
	"fmt"
	"strconv"

	"sator/dpll"
	"sator/dpll/cdcl"
	"sator/sudoku"
	"sator/sudoku/generate"
)

// Do puzzles with more givens take less search? The paper that this study repeats
// says the contrary: that evaluations and backtracks of DPLL grow with the
// number of givens. It looked at different puzzles, all of them minimal, so that
// a puzzle with more givens is not one that tells more; see rounds.go for what
// its program does. Here both can be asked: the question across puzzles, by the
// paper's program or by DPLL, and the question within a puzzle, which is given
// some of its digits more.

func givensStudy() *Study {
	return &Study{
		Name: "givens",
		Help: "what the number of givens of a Sudoku has to do with search",
		Description: `Puzzles are solved by DPLL under several heuristics, and it is counted how many
evaluations and backtracks that takes, by the number of givens. With the paper's
program, --propagation single-round --accumulate, this repeats "Influence of
initial Sudoku variables on the computational performance of a DPLL
implementation" (Vrije Universiteit Amsterdam), whose Table 1 stands beside ours:
on the paper's puzzles, it comes out the same.
With --add the same puzzles are solved with more of their digits given. Without a
FILE, puzzles with 21 to 29 givens are made, as many of each.`,
		Factors: []Factor{
			{Name: "encoding", Help: "how rules become a formula", Default: []string{"extended"}, Levels: encodingNames()},
			{Name: "pairs", Help: "write two cells that share a box and a line as different once, or twice, as most rules for Sudoku do: it weighs with heuristics that count. The paper's program drops the second", Default: []string{"once"}, Levels: []string{"once", "twice"}},
			{Name: "engine", Help: "what searches: DPLL, or clause learning, which knows no heuristics", Default: []string{"dpll"}, Levels: []string{"dpll", "cdcl"}},
			{Name: "propagation", Help: "of units to the fixpoint, or a single round a call, as in the paper's program", Default: []string{"fixpoint"}, Levels: []string{"fixpoint", "single-round"}},
			{Name: "accumulate", Help: "with single-round, do not reset the weights of jw1, jw2 and moh from node to node, as in the paper's program", Default: []string{"no"}, Levels: []string{"no", "yes"}, Switch: true},
			{Name: "across", Help: "with --accumulate, nor from puzzle to puzzle, as if one process had done all: a run depends on those before", Default: []string{"no"}, Levels: []string{"no", "yes"}, Switch: true},
			{Name: "pure", Help: "where pure literals are assigned, with fixpoint", Default: []string{"off"}, Levels: dpll.PureNames()},
			{Name: "add", Help: "how many correct givens are added to each puzzle, cells drawn by the seed", Default: []string{"0"}, Max: 10_000},
			{Name: "draw", Help: "seeds of the heuristics that draw, lph and random", Default: []string{"1"}, Max: 1 << 30},
			{Name: "heuristic", Help: "what is decided, see \"sator help solve\"", Default: []string{"first", "mom", "jw1", "jw2", "lph", "moh", "positive", "random"}, Levels: heuristicNames()},
		},
		Subject:   "puzzle",
		About:     []string{"givens", "minimal"},
		CountHelp: "make `N` puzzles for each number of givens from 21 to 29, if there is no FILE",
		Count:     20,
		Conflicts: 100_000,
		puzzles:   true,
		subjects:  givensSubjects,
		settle:    settleGivens,
		lane:      givensLane,
		measure:   measureGivens,
		tell:      tellGivens,
	}
}

// The numbers of givens of the puzzles made: those of the paper's data.
const (
	fewestGivens = 21
	mostGivens   = 29
)

// givensSubjects takes the puzzles of files or makes some. Each number of givens
// has a seed of its own, since the same seed fills the same grids.
func givensSubjects(ctx context.Context, o *Options) ([]*Subject, error) {
	if o.Puzzles == nil {
		for n := fewestGivens; n <= mostGivens; n++ {
			made, err := makePuzzles(ctx, generate.Options{Variant: sudoku.Standard(9), MinGivens: n, MaxGivens: n, LimitGivens: true, Seed: o.Seed<<8 + uint64(n)}, o.Count)
			if err != nil {
				return nil, err
			}
			o.Puzzles = append(o.Puzzles, made...)
		}
		o.Source = fmt.Sprintf("puzzles made with %d to %d givens, %d of each", fewestGivens, mostGivens, o.Count)
	}
	return puzzleSubjects(ctx, o.Puzzles, o.Seed)
}

// settleGivens puts to "-", or to the default, what does not matter to a run.
func settleGivens(r *Run) bool {
	h := r.level("heuristic")
	switch {
	case r.level("engine") == "cdcl":
		for _, factor := range []string{"propagation", "accumulate", "across", "pure", "heuristic", "draw"} {
			r.set(factor, "-")
		}
		return true
	case r.level("propagation") == "single-round":
		rule := findRoundRule(h)
		if rule == nil {
			return false
		}
		if rule.weight == nil {
			r.set("accumulate", "no")
		}
		if r.level("accumulate") == "no" {
			r.set("across", "no")
		}
		r.set("pairs", "once")
		r.set("pure", "-")
		r.set("draw", "-")
		return true
	}
	r.set("accumulate", "no")
	r.set("across", "no")
	if !drawing(h) {
		r.set("draw", "-")
	}
	return true
}

// givensLane names the lane of runs whose weights are kept from run to run.
func givensLane(r *Run) string {
	if r.level("across") != "yes" {
		return ""
	}
	return r.level("encoding") + " add " + r.level("add") + " " + r.level("heuristic")
}

// measureGivens does a run.
func measureGivens(ctx context.Context, b *bench, r *Run, w *Weights) Outcome {
	more, _ := strconv.Atoi(r.level("add"))
	g := r.subject.with(more)
	coding := sudoku.Coding{Encoding: r.level("encoding"), Repeat: r.level("pairs") == "twice"}
	f, givens := b.formula(g, coding)
	var o Outcome
	switch {
	case r.level("engine") == "cdcl":
		options := cdcl.DefaultOptions()
		options.Seed = r.plan.seed
		o = learning(ctx, f.negative, givens, options, r.plan.conflicts)
	case r.level("propagation") == "single-round":
		rule := findRoundRule(r.level("heuristic"))
		if w == nil && r.level("accumulate") == "yes" {
			w = new(Weights)
		}
		key := roundKey{ruleKey{g.Rules, coding}, rule}
		o = b.inRounds(ctx, key, f.published, givens, w, r.plan.conflicts)
	default:
		options := dpll.DefaultOptions()
		options.Heuristic = r.level("heuristic")
		options.Pure, _ = dpll.ParsePure(r.level("pure"))
		if draw, err := strconv.ParseUint(r.level("draw"), 10, 64); err == nil {
			options.Seed = r.plan.seed<<32 + draw<<20 + uint64(r.subject.Number)
		}
		o = classic(ctx, f.negative, givens, options, r.plan.conflicts)
	}
	o.About = aboutPuzzle(r.subject, g, more)
	return o
}
