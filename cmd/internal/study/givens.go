package study

import (
	"context"
	"fmt"
	"strconv"

	"sator/dpll/classic"
	"sator/sudoku"
	"sator/sudoku/generate"
)

// Givens and search. The paper that this study replicates reports that
// evaluations and backtracks of DPLL grow with the number of givens. It
// compares different puzzles that are all minimal, so a puzzle with more givens
// does not contain more information; paperdpll.go describes the program. This
// study compares puzzles with each other, by the paper's program and by DPLL,
// and also compares each puzzle with the same puzzle plus some of its other
// digits.

func givensStudy() *Study {
	return &Study{
		Name: "givens",
		Help: "search by the number of givens of a Sudoku",
		Description: `Solves puzzles by DPLL with several heuristics and counts evaluations and
backtracks by the number of givens. With --propagation single-round --accumulate
this replicates "Influence of initial Sudoku variables on the computational
performance of a DPLL implementation" (Vrije Universiteit Amsterdam); on the
puzzles of the paper, the correlations equal its Table 1. With --add, the same
puzzles are solved with more digits given. Without a FILE, puzzles with 21 to 29
givens are generated, the same number of each.`,
		Factors: []Factor{
			{Name: "encoding", Help: "Sudoku encoding", Default: []string{"extended"}, Levels: encodingNames()},
			{Name: "pairs", Help: "inequalities of two cells in a box and a line; one or two. Most published encodings repeat it, which changes heuristics that count occurrences; the paper's program drops the duplicate", Default: []string{"once"}, Levels: []string{"once", "twice"}},
			{Name: "engine", Help: "DPLL, or clause learning (CDCL), which has none of the heuristics", Default: []string{"dpll"}, Levels: []string{"dpll", "cdcl"}},
			{Name: "propagation", Help: "unit propagation to the fixpoint or one round per call; single-round as in the paper's program", Default: []string{"fixpoint"}, Levels: []string{"fixpoint", "single-round"}},
			{Name: "accumulate", Help: "with single-round: sum the weights over all nodes; of jw1, jw2 and moh, as in the paper's program", Default: []string{"no"}, Levels: []string{"no", "yes"}, Switch: true},
			{Name: "across", Help: "with --accumulate: sum over all puzzles too; as a single process would, so that runs depend on earlier runs", Default: []string{"no"}, Levels: []string{"no", "yes"}, Switch: true},
			{Name: "pure", Help: "pure literal elimination, with fixpoint", Default: []string{"off"}, Levels: classic.PureNames()},
			{Name: "add", Help: "correct givens added to each puzzle; in random cells", Default: []string{"0"}, Max: 10_000},
			{Name: "draw", Help: "seeds of the randomized heuristics, lph and random", Default: []string{"1"}, Max: 1 << 30},
			{Name: "heuristic", Help: "DPLL heuristics, see \"sator help solve\"", Default: []string{"first", "mom", "jw1", "jw2", "lph", "moh", "positive", "random"}, Levels: heuristicNames()},
		},
		Subject:    "puzzle",
		Attributes: []string{"givens", "minimal"},
		CountHelp:  "without a FILE: `N` puzzles for each number of givens; from 21 to 29",
		Count:      20,
		Conflicts:  100_000,
		puzzles:    true,
		subjects:   givensSubjects,
		normalize:  normalizeGivens,
		chain:      givensChain,
		measure:    measureGivens,
		answer:     answerGivens,
		report:     reportGivens,
	}
}

// The range of givens of generated puzzles is that of the paper's data.
const (
	fewestGivens = 21
	mostGivens   = 29
)

// givensSubjects returns the puzzles of the options as subjects, or generates
// puzzles. Each number of givens has its own seed, because equal seeds give
// equal solution grids.
func givensSubjects(ctx context.Context, o *Options) ([]*Subject, error) {
	if o.Puzzles == nil {
		for n := fewestGivens; n <= mostGivens; n++ {
			made, err := makePuzzles(ctx, generate.Options{Variant: sudoku.Standard(9), MinGivens: n, MaxGivens: n, LimitGivens: true, Seed: o.Seed<<8 + uint64(n)}, o.Count)
			if err != nil {
				return nil, err
			}
			o.Puzzles = append(o.Puzzles, made...)
		}
		o.Source = fmt.Sprintf("generated puzzles with %d to %d givens, %d of each", fewestGivens, mostGivens, o.Count)
	}
	return puzzleSubjects(ctx, o.Puzzles, o.Seed)
}

// normalizeGivens sets factors without influence on a run to "-" or to the
// default, so equal runs are done once.
func normalizeGivens(r *Run) bool {
	h := r.level("heuristic")
	switch {
	case r.level("engine") == clauseLearning:
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
	if !randomized(h) {
		r.set("draw", "-")
	}
	return true
}

// givensChain returns the chain of a run that shares its weights with earlier
// runs, or "".
func givensChain(r *Run) string {
	if r.level("across") != "yes" {
		return ""
	}
	return r.level("encoding") + " add " + r.level("add") + " " + r.level("heuristic")
}

// measureGivens does a run.
func measureGivens(ctx context.Context, b *cache, r *Run, w *Weights) Outcome {
	extra, _ := strconv.Atoi(r.level("add"))
	g := r.subject.with(extra)
	coding := sudoku.Coding{Encoding: r.level("encoding"), Repeat: r.level("pairs") == "twice"}
	f, givens := b.formula(g, coding)
	var o Outcome
	switch {
	case r.level("engine") == clauseLearning:
		o = r.solve(ctx, clauseLearning, f.negative, givens)
	case r.level("propagation") == "single-round":
		rule := findRoundRule(r.level("heuristic"))
		if w == nil && r.level("accumulate") == "yes" {
			w = new(Weights)
		}
		key := roundKey{ruleKey{g.Rules, coding, false}, rule, false}
		o = b.inRounds(ctx, key, f.paperOrder, givens, w, r.plan.conflicts)
	default:
		options := classic.DefaultOptions()
		options.Heuristic = r.level("heuristic")
		options.Pure, _ = classic.ParsePure(r.level("pure"))
		if draw, err := strconv.ParseUint(r.level("draw"), 10, 64); err == nil {
			options.Seed = r.plan.seed<<32 + draw<<20 + uint64(r.subject.Number)
		}
		o = runClassic(ctx, f.negative, givens, options, r.plan.conflicts)
	}
	o.Attributes = puzzleAttributes(r.subject, g, extra)
	return o
}
