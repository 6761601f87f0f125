package study

import (
	"context"
	"slices"
	"strings"
	"time"

	"sator/dimacs"
	"sator/dpll"
	"sator/dpll/cdcl"
	"sator/sudoku"
)

// A bench is what a worker keeps from run to run: formulas of rules, and solvers
// that are the same after a run as before it.
type bench struct {
	rules  map[ruleKey]*ruleFormula
	rounds map[roundKey]*rounds
}

type ruleKey struct {
	rules  *sudoku.Rules
	coding sudoku.Coding
}

type roundKey struct {
	ruleKey
	rule *roundRule
}

func newBench() *bench {
	return &bench{map[ruleKey]*ruleFormula{}, map[roundKey]*rounds{}}
}

// A ruleFormula is the formula of rules without givens, in two orders of clauses.
type ruleFormula struct {
	code *sudoku.Map

	// negative has the clauses that say "not both" first, in the order of their
	// first variables. So the heuristic first of package dpll makes the first open
	// variable false, as a program does that knows of no heuristic.
	negative *dimacs.Formula

	// published has the clauses in the order of the rules that the paper's program
	// reads: cell by cell, then each digit in each box, row and column, what must
	// be before what must not. Of equally good literals it takes the one that
	// comes first.
	published *dimacs.Formula
}

// formula returns the formula of a puzzle and its givens: literals of the rules'
// formula, or none where the encoding spends them.
func (b *bench) formula(g *sudoku.Grid, c sudoku.Coding) (*ruleFormula, []dimacs.Lit) {
	if spends(c.Encoding) {
		return orderFormula(must(g.Encode(c))), nil
	}
	key := ruleKey{g.Rules, c}
	f := b.rules[key]
	if f == nil {
		f = orderFormula(must(g.Rules.Encode(c)))
		b.rules[key] = f
	}
	return f, f.code.Givens(g)
}

// spends reports whether the formulas of an encoding depend on the givens.
func spends(encoding string) bool {
	i := slices.IndexFunc(sudoku.Encodings, func(e sudoku.Encoding) bool { return e.Name == encoding })
	return sudoku.Encodings[i].PropagatesGivens
}

// must returns a formula that can be made: the names were checked, and the
// puzzles are small.
func must(cnf *sudoku.CNF, err error) *sudoku.CNF {
	if err != nil {
		panic("study: " + err.Error())
	}
	return cnf
}

// orderFormula puts the clauses in both orders.
func orderFormula(cnf *sudoku.CNF) *ruleFormula {
	const last = 1 << 30
	place := placer(cnf.Map)
	return &ruleFormula{
		code: cnf.Map,
		negative: sorted(cnf.Formula, func(c []dimacs.Lit) int {
			if len(c) == 0 || slices.ContainsFunc(c, func(l dimacs.Lit) bool { return !l.Neg() }) {
				return last
			}
			return int(c[0].Var())
		}, false),
		published: sorted(cnf.Formula, func(c []dimacs.Lit) int {
			at := 2 * place(c)
			if len(c) > 0 && c[0].Neg() {
				at++
			}
			return at
		}, true),
	}
}

// placer returns a function that returns the place of the first group of
// candidates which has all those of a clause: a cell, or a digit in a house, boxes
// and the like before rows and columns. What is in no group comes behind all.
func placer(m *sudoku.Map) func([]dimacs.Lit) int {
	rules := m.Rules
	lines := 2 * rules.Size() * rules.Size() // the groups of rows and columns, which come first in the rules
	places := make([][]int, rules.Cells()*rules.Size())
	for g := range rules.Groups() {
		at := g
		switch house := g - rules.Cells(); {
		case house >= lines:
			at -= lines
		case house >= 0:
			at += rules.Groups() - rules.Cells() - lines
		}
		for _, candidate := range rules.Group(g, nil) {
			places[candidate] = append(places[candidate], at)
		}
	}
	candidates := map[dimacs.Var]int{}
	for candidate := range places {
		slices.Sort(places[candidate])
		if l, ok := m.Lit(candidate); ok {
			candidates[l.Var()] = candidate
		}
	}
	return func(c []dimacs.Lit) int {
		if len(c) == 0 {
			return rules.Groups()
		}
		for _, at := range places[candidates[c[0].Var()]] {
			outside := func(l dimacs.Lit) bool {
				candidate, known := candidates[l.Var()]
				return !known || !slices.Contains(places[candidate], at)
			}
			if !slices.ContainsFunc(c, outside) {
				return at
			}
		}
		return rules.Groups()
	}
}

// sorted returns a formula with its clauses by a key, and those with the same key
// in their order, or by their literals.
func sorted(f *dimacs.Formula, key func([]dimacs.Lit) int, byLits bool) *dimacs.Formula {
	type keyed struct {
		key  int
		lits []dimacs.Lit
	}
	clauses := make([]keyed, 0, f.Len())
	for _, c := range f.Clauses() {
		clauses = append(clauses, keyed{key(c), c})
	}
	slices.SortStableFunc(clauses, func(a, b keyed) int {
		if a.key != b.key || !byLits {
			return a.key - b.key
		}
		return slices.Compare(a.lits, b.lits)
	})
	g := dimacs.NewFormula(f.Vars())
	for _, c := range clauses {
		g.Add(c.lits...)
	}
	return g
}

// An engine takes clauses and solves them.
type engine interface {
	AddFormula(f *dimacs.Formula)
	Add(lits ...dimacs.Lit)
	Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status
}

// ask gives an engine a formula with givens and returns its answer, and the
// time of the search alone.
func ask(ctx context.Context, s engine, f *dimacs.Formula, givens []dimacs.Lit) (dimacs.Status, time.Duration) {
	s.AddFormula(f)
	for _, l := range givens {
		s.Add(l)
	}
	begin := time.Now()
	answer := s.Solve(ctx)
	return answer, time.Since(begin)
}

// classic runs package dpll on a formula with givens.
func classic(ctx context.Context, f *dimacs.Formula, givens []dimacs.Lit, o dpll.Options, limit int64) Outcome {
	s := dpll.New(o)
	s.SetLimits(dpll.Limits{Conflicts: limit})
	answer, took := ask(ctx, s, f, givens)
	st := s.Stats()
	return Outcome{
		Answer: answer, Evaluations: st.Nodes, Decisions: st.Decisions, Backtracks: st.Backtracks,
		Conflicts: st.Conflicts, Propagations: st.Propagations, Depth: st.Depth,
		Capped: answer == dimacs.Unknown, Seconds: took.Seconds(),
	}
}

// learning runs package cdcl on a formula with givens.
func learning(ctx context.Context, f *dimacs.Formula, givens []dimacs.Lit, o cdcl.Options, limit int64) Outcome {
	o.OneShot = true
	s := cdcl.New(o)
	s.SetLimits(cdcl.Limits{Conflicts: limit})
	answer, took := ask(ctx, s, f, givens)
	st := s.Stats()
	return Outcome{
		Answer: answer, Evaluations: 1 + st.Decisions + st.Conflicts, Decisions: st.Decisions, Backtracks: st.Conflicts,
		Conflicts: st.Conflicts, Propagations: st.Propagations,
		Capped: answer == dimacs.Unknown, Seconds: took.Seconds(),
	}
}

// inRounds runs the paper's program on a formula with givens.
func (b *bench) inRounds(ctx context.Context, key roundKey, f *dimacs.Formula, givens []dimacs.Lit, w *Weights, limit int64) Outcome {
	r := b.rounds[key]
	if r == nil {
		r = newRounds(f, key.rule)
		if !spends(key.coding.Encoding) {
			b.rounds[key] = r
		}
	}
	begin := time.Now()
	o := r.run(ctx, givens, w, limit)
	o.Seconds = time.Since(begin).Seconds()
	return o
}

// drawing reports whether a heuristic of package dpll draws.
func drawing(heuristic string) bool { return heuristic == "lph" || heuristic == "random" }

// heuristicNames returns the names of the heuristics of package dpll.
func heuristicNames() []string {
	var names []string
	for _, h := range dpll.Heuristics {
		names = append(names, h.Name)
	}
	return names
}

// encodingNames returns the names of the encodings whose models are the
// solutions.
func encodingNames() []string {
	var names []string
	for _, e := range sudoku.Encodings {
		if !strings.HasPrefix(e.Name, "2sat") {
			names = append(names, e.Name)
		}
	}
	return names
}
