package study

import (
	"context"
	"slices"
	"strings"
	"time"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/classic"
	"sator/sudoku"
)

// A cache holds formulas and solvers that a worker reuses in later runs. A
// reused solver has the same state before each run.
type cache struct {
	rules  map[ruleKey]*ruleFormula
	rounds map[roundKey]*roundSolver
}

type ruleKey struct {
	rules  *sudoku.Rules
	coding sudoku.Coding
	loose  bool // without the clauses that a cell has at most one digit
}

type roundKey struct {
	ruleKey
	rule     *roundRule
	fixpoint bool
}

func newCache() *cache {
	return &cache{map[ruleKey]*ruleFormula{}, map[roundKey]*roundSolver{}}
}

// A ruleFormula is the formula of Sudoku rules without givens, in two clause
// orders.
type ruleFormula struct {
	code *sudoku.Map

	// negative has the purely negative clauses first, sorted by their first
	// variable. Thus the heuristic first of package classic sets the first open
	// variable to false, as a program without heuristics does.
	negative *dimacs.Formula

	// paperOrder has the clauses in the order of the paper's input files: cell
	// by cell, then each digit in each box, row and column; positive clauses
	// before negative ones. The paper's program breaks ties by the first
	// occurrence.
	paperOrder *dimacs.Formula
}

// formula returns the formula of a puzzle and its givens as unit literals. If
// the encoding embeds the givens in the formula, the list of givens is empty.
func (b *cache) formula(g *sudoku.Grid, c sudoku.Coding) (*ruleFormula, []dimacs.Lit) {
	if embedsGivens(c.Encoding) {
		return orderFormula(must(g.Encode(c))), nil
	}
	f := b.ruleFormula(ruleKey{g.Rules, c, false})
	return f, f.code.Givens(g)
}

// ruleFormula returns the formula of rules without givens. The encoding must
// not embed the givens.
func (b *cache) ruleFormula(key ruleKey) *ruleFormula {
	f := b.rules[key]
	if f == nil {
		cnf := must(key.rules.Encode(key.coding))
		if key.loose {
			cnf = withoutCellPairs(cnf)
		}
		f = orderFormula(cnf)
		b.rules[key] = f
	}
	return f
}

// embedsGivens reports whether the formulas of an encoding depend on the
// givens.
func embedsGivens(encoding string) bool {
	i := slices.IndexFunc(sudoku.Encodings, func(e sudoku.Encoding) bool { return e.Name == encoding })
	return sudoku.Encodings[i].PropagatesGivens
}

// must returns cnf, and panics if err is not nil. No error is possible: the
// names are already checked, and the puzzles are small.
func must(cnf *sudoku.CNF, err error) *sudoku.CNF {
	if err != nil {
		panic("study: " + err.Error())
	}
	return cnf
}

// orderFormula sorts the clauses in both orders.
func orderFormula(cnf *sudoku.CNF) *ruleFormula {
	const last = 1 << 30
	place := groupIndex(cnf.Map)
	return &ruleFormula{
		code: cnf.Map,
		negative: sorted(cnf.Formula, func(c []dimacs.Lit) int {
			if len(c) == 0 || slices.ContainsFunc(c, func(l dimacs.Lit) bool { return !l.Neg() }) {
				return last
			}
			return int(c[0].Var())
		}, false),
		paperOrder: sorted(cnf.Formula, func(c []dimacs.Lit) int {
			at := 2 * place(c)
			if len(c) > 0 && c[0].Neg() {
				at++
			}
			return at
		}, true),
	}
}

// groupIndex returns a function that maps a clause to the first group that
// contains all its candidates. Groups are the cells, and the places of a digit
// in a house; boxes come before rows and columns. A clause without such a group
// comes last.
func groupIndex(m *sudoku.Map) func([]dimacs.Lit) int {
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

// sorted returns a formula with its clauses sorted by key. If byLits is true,
// ties are broken by the literals; else the sort is stable.
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

// An engine solves a formula.
type engine interface {
	AddFormula(f *dimacs.Formula)
	Add(lits ...dimacs.Lit)
	Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status
}

// solveFormula adds a formula and givens to an engine and solves it. It returns
// the answer and the processor time of the search, without loading.
func solveFormula(ctx context.Context, s engine, f *dimacs.Formula, givens []dimacs.Lit) (dimacs.Status, time.Duration) {
	s.AddFormula(f)
	for _, l := range givens {
		s.Add(l)
	}
	begin := processorTime()
	answer := s.Solve(ctx)
	return answer, processorTime() - begin
}

// runClassic runs package classic on a formula with givens.
func runClassic(ctx context.Context, f *dimacs.Formula, givens []dimacs.Lit, o classic.Options, limit int64) Outcome {
	s := classic.New(o)
	s.SetLimits(classic.Limits{Conflicts: limit})
	answer, took := solveFormula(ctx, s, f, givens)
	st := s.Stats()
	return Outcome{
		Answer: answer, Evaluations: st.Nodes, Decisions: st.Decisions, Backtracks: st.Backtracks,
		Conflicts: st.Conflicts, Propagations: st.Propagations, Depth: st.Depth,
		Capped: answer == dimacs.Unknown, Seconds: took.Seconds(),
	}
}

// runLearning runs package cdcl on a formula with givens.
func runLearning(ctx context.Context, f *dimacs.Formula, givens []dimacs.Lit, o cdcl.Options, limit int64) Outcome {
	o.OneShot = true
	s := cdcl.New(o)
	s.SetLimits(cdcl.Limits{Conflicts: limit})
	answer, took := solveFormula(ctx, s, f, givens)
	st := s.Stats()
	return Outcome{
		Answer: answer, Evaluations: 1 + st.Decisions + st.Conflicts, Decisions: st.Decisions, Backtracks: st.Conflicts,
		Conflicts: st.Conflicts, Propagations: st.Propagations,
		Capped: answer == dimacs.Unknown, Seconds: took.Seconds(),
	}
}

// inRounds runs the paper's program on a formula with givens.
func (b *cache) inRounds(ctx context.Context, key roundKey, f *dimacs.Formula, givens []dimacs.Lit, w *Weights, limit int64) Outcome {
	r := b.roundSolver(key, f)
	begin := processorTime()
	o := r.run(ctx, givens, w, limit)
	o.Seconds = (processorTime() - begin).Seconds()
	return o
}

// roundSolver returns the paper's program for a formula.
func (b *cache) roundSolver(key roundKey, f *dimacs.Formula) *roundSolver {
	r := b.rounds[key]
	if r == nil {
		r = newRoundSolver(f, key.rule)
		r.fixpoint = key.fixpoint
		if !embedsGivens(key.coding.Encoding) {
			b.rounds[key] = r
		}
	}
	return r
}

// randomized reports whether a heuristic of package classic is randomized.
func randomized(heuristic string) bool { return heuristic == "lph" || heuristic == "random" }

// heuristicNames returns the names of the heuristics of package classic.
func heuristicNames() []string {
	return names(classic.Heuristics, func(h classic.Heuristic) string { return h.Name })
}

// names returns the names of the elements of a table.
func names[T any](table []T, name func(T) string) []string {
	var all []string
	for _, x := range table {
		all = append(all, name(x))
	}
	return all
}

// encodingNames returns the names of the encodings whose models are exactly the
// solutions.
func encodingNames() []string {
	all := names(sudoku.Encodings, func(e sudoku.Encoding) string { return e.Name })
	return slices.DeleteFunc(all, func(name string) bool { return strings.HasPrefix(name, "2sat") })
}
