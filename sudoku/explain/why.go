package explain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/sudoku"
)

// A Question asks why a cell has a digit, or cannot have it.
type Question struct {
	Cell  int
	Digit int  // 0 asks for the digit that the cell has
	Not   bool // why it cannot be this digit
}

// ParseQuestion reads a question about a cell: R3C5 asks for its digit whatever
// that is, R3C5=7 why it is 7, R3C5<>7 why it is not.
func ParseQuestion(r *sudoku.Rules, text string) (Question, error) {
	name, number, isNot := strings.Cut(text, "<>")
	if !isNot {
		name, number, isNot = strings.Cut(text, "!=")
	}
	is := false
	if !isNot {
		name, number, is = strings.Cut(text, "=")
	}
	cell, err := r.Cell(strings.TrimSpace(name))
	if err != nil {
		return Question{}, err
	}
	q := Question{Cell: cell, Not: isNot}
	if is || isNot {
		q.Digit, err = strconv.Atoi(strings.TrimSpace(number))
		if err != nil || q.Digit < 1 || q.Digit > r.Size() {
			return Question{}, fmt.Errorf("%q: digits are 1 to %d", text, r.Size())
		}
	}
	return q, nil
}

// Statement says what the question is about, as "R3C5=7". The digit must be
// known.
func (q Question) Statement(r *sudoku.Rules) string {
	return statement(r, r.Candidate(q.Cell, q.Digit), !q.Not)
}

// WhyOptions say how hard to look for a smallest set.
type WhyOptions struct {
	// Effort is how many questions are put to the engine at most once a minimal
	// set is known; 0 is DefaultEffort. With a negative one the first minimal
	// set is returned.
	Effort int

	// coarse takes what the engine has used, which need not be minimal.
	coarse bool
}

// DefaultEffort settles most puzzles of size 9 within seconds.
const DefaultEffort = 20_000

// A Reason is a set of givens that forces what was asked about: with the rules
// and the marks of the puzzle, but without its other givens.
type Reason struct {
	Question       // with the digit filled in
	Givens   []int // their cells, ascending

	Minimal bool  // without any one of them it would not be forced
	AtLeast int   // no set with fewer givens forces it
	Class   Class // what it takes to see it from these givens alone
	Calls   int   // questions put to the engine
}

// Smallest reports whether it is proved that no set with fewer givens forces it.
func (r *Reason) Smallest() bool { return r.AtLeast == len(r.Givens) }

// Puzzle returns the puzzle with the givens of the reason alone.
func (r *Reason) Puzzle(g *sudoku.Grid) *sudoku.Grid {
	cells := make([]int, len(g.Cells))
	for _, cell := range r.Givens {
		cells[cell] = g.Cells[cell]
	}
	return g.With(cells)
}

// A NotForced error says that what was asked about is not so, or not in all
// solutions.
type NotForced struct {
	Question  Question
	Solutions [][]int // one in which it does not hold, and then, if there is one, one in which it does
	text      string
}

func (e *NotForced) Error() string { return e.text }

// A Contradiction error says that a puzzle has no solution.
type Contradiction struct {
	Conflict *sudoku.Conflict // the givens that break a rule as they stand, nil if none do
}

func (e *Contradiction) Error() string {
	if e.Conflict != nil {
		return "the puzzle has no solution: " + e.Conflict.Error()
	}
	return "the puzzle has no solution"
}

// Why returns a set of givens that forces what is asked about, if possible with
// as few as there are. The error is a [*Contradiction] if the puzzle has no
// solution, a [*NotForced] if it is not so in all, and else that of ctx. If ctx
// ends after it is known that the givens force what is asked about, the smallest
// set found by then is returned together with the error; its class is not known.
//
// Each question to the engine takes about 0.1 ms at size 9; there may be as many
// as the options allow.
func Why(ctx context.Context, g *sudoku.Grid, q Question, o WhyOptions) (*Reason, error) {
	if c := g.Conflict(); c != nil {
		return nil, &Contradiction{c}
	}
	f, err := newForcer(g)
	if err != nil {
		return nil, err
	}
	reason, err := f.why(ctx, q, o)
	if err == nil {
		reason.Class, err = f.class(ctx, reason)
	}
	return reason, err
}

// A forcer finds sets of givens that force something. Sets of givens are
// assumptions for an engine that has the rules and the marks as its clauses.
type forcer struct {
	puzzle *sudoku.Grid
	codec  *sudoku.Map
	solver *cdcl.Solver
	cells  []int        // of the givens
	lits   []dimacs.Lit // of the givens
	index  map[dimacs.Lit]int
	goal   dimacs.Lit // the denial of what is to be forced
	calls  int
	buf    []dimacs.Lit

	asked Question
	c     *sudoku.Candidates // of refuted
	some  *sudoku.Grid       // likewise, with some of the givens
}

func newForcer(g *sudoku.Grid) (*forcer, error) {
	bare := sudoku.NewGrid(g.Rules)
	bare.Marks = g.Marks
	cnf, err := bare.Encode(sudoku.Coding{})
	if err != nil {
		return nil, err
	}
	f := &forcer{puzzle: g, codec: cnf.Map, solver: cdcl.New(cdcl.DefaultOptions()), index: make(map[dimacs.Lit]int)}
	f.solver.AddFormula(cnf.Formula)
	for cell, digit := range g.Cells {
		if digit != 0 {
			l := f.lit(cell, digit)
			f.index[l] = len(f.lits)
			f.cells, f.lits = append(f.cells, cell), append(f.lits, l)
		}
	}
	return f, nil
}

// lit returns the literal of a candidate. The encoding extended has one for
// each.
func (f *forcer) lit(cell, digit int) dimacs.Lit {
	l, ok := f.codec.Lit(f.puzzle.Rules.Candidate(cell, digit))
	if !ok {
		panic("explain: a candidate without a variable")
	}
	return l
}

// why answers a question.
func (f *forcer) why(ctx context.Context, q Question, o WhyOptions) (*Reason, error) {
	q, err := f.settle(ctx, q)
	if err != nil {
		return nil, err
	}
	reason := &Reason{Question: q}
	best := f.all()
	if o.coarse {
		best, _, err = f.forces(ctx, best)
	} else {
		best, err = f.minimal(ctx, best, nil)
		reason.Minimal = err == nil
	}
	if reason.Minimal && o.Effort >= 0 {
		best, reason.AtLeast, err = f.smallest(ctx, best, o)
	}
	for _, i := range best.elements(nil) {
		reason.Givens = append(reason.Givens, f.cells[i])
	}
	reason.Calls = f.calls
	return reason, err
}

// settle finds the digit that a question is about and whether it is so in all
// solutions, and sets the goal.
func (f *forcer) settle(ctx context.Context, q Question) (Question, error) {
	switch status := f.solver.Solve(ctx, f.lits...); status {
	case dimacs.Unsatisfiable:
		return q, &Contradiction{}
	case dimacs.Unknown:
		return q, f.stopped(ctx)
	}
	first := f.solution()
	if q.Digit == 0 {
		q.Digit = first[q.Cell]
		if q.Not {
			panic("explain: a question why a cell is not a digit names the digit")
		}
	}
	f.asked = q
	f.goal = f.lit(q.Cell, q.Digit)
	if !q.Not {
		f.goal = f.goal.Not()
	}
	switch status := f.solver.Solve(ctx, append(slices.Clone(f.lits), f.goal)...); status {
	case dimacs.Unsatisfiable:
		f.prefer(first)
		return q, nil
	case dimacs.Unknown:
		return q, f.stopped(ctx)
	}
	return q, f.notForced(q, first, f.solution())
}

// notForced returns the error of a question to which there is a solution that
// denies it. Another one may affirm it: the first that was found.
func (f *forcer) notForced(q Question, first, denial []int) error {
	r := f.puzzle.Rules
	e := &NotForced{Question: q, Solutions: [][]int{denial}}
	was, is := first[q.Cell], denial[q.Cell]
	if (was == q.Digit) != q.Not {
		e.Solutions = append(e.Solutions, first)
		e.text = fmt.Sprintf("%s is not forced: it is %d in one solution and %d in another", r.CellName(q.Cell), was, is)
	} else {
		e.text = fmt.Sprintf("%s is not so: %s", q.Statement(r), equation(r, r.Candidate(q.Cell, is)))
	}
	return e
}

// solution returns the grid that the engine has found.
func (f *forcer) solution() []int {
	r := f.puzzle.Rules
	cells := make([]int, r.Cells())
	for cell := range cells {
		for digit := 1; digit <= r.Size(); digit++ {
			if f.solver.Value(f.lit(cell, digit)) == dimacs.True {
				cells[cell] = digit
			}
		}
	}
	return cells
}

// prefer has the engine try the digits of a solution first: the grids that it
// finds without some of the givens then differ from it in few places.
func (f *forcer) prefer(solution []int) {
	for cell, digit := range solution {
		f.solver.SetPhase(f.lit(cell, digit))
	}
}

// all returns the set of all givens.
func (f *forcer) all() bitset {
	set := newBitset(len(f.lits))
	for i := range f.lits {
		set.add(i)
	}
	return set
}

// refuted reports whether singles refute the goal, given a set of givens. It is
// much faster than the engine.
func (f *forcer) refuted(set bitset) bool {
	if f.c == nil {
		f.c = sudoku.NewCandidates(f.puzzle.Rules)
		f.some = f.puzzle.Clone()
	}
	for i, cell := range f.cells {
		f.some.Cells[cell] = 0
		if set.has(i) {
			f.some.Cells[cell] = f.puzzle.Cells[cell]
		}
	}
	candidate := f.puzzle.Rules.Candidate(f.asked.Cell, f.asked.Digit)
	ok := f.c.Load(f.some)
	if f.asked.Not {
		ok = ok && f.c.Place(candidate)
	} else {
		ok = ok && f.c.Eliminate(candidate)
	}
	return !ok || !f.c.Singles()
}

// forces reports whether a set of givens forces the goal. If so, it returns
// those of them that the engine used, and else those givens that hold in the
// grid it has found, which are more than the set.
func (f *forcer) forces(ctx context.Context, set bitset) (bitset, bool, error) {
	f.calls++
	f.buf = append(f.buf[:0], f.goal)
	for _, i := range set.elements(nil) {
		f.buf = append(f.buf, f.lits[i])
	}
	out := newBitset(len(f.lits))
	switch f.solver.Solve(ctx, f.buf...) {
	case dimacs.Unsatisfiable:
		for _, l := range f.solver.Failed() {
			if i, ok := f.index[l]; ok && set.has(i) {
				out.add(i)
			}
		}
		return out, true, nil
	case dimacs.Satisfiable:
		for i, l := range f.lits {
			if f.solver.Value(l) == dimacs.True {
				out.add(i)
			}
		}
		return out, false, nil
	}
	return nil, false, f.stopped(ctx)
}

func (f *forcer) stopped(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return errors.New("explain: the engine gave up")
}

// class returns what it takes to see the reason.
func (f *forcer) class(ctx context.Context, reason *Reason) (Class, error) {
	r := f.puzzle.Rules
	c := sudoku.NewCandidates(r)
	candidate := r.Candidate(reason.Cell, reason.Digit)
	seen := func() bool {
		if reason.Not {
			return !c.Has(candidate)
		}
		return c.Digit(reason.Cell) == reason.Digit
	}
	c.Load(reason.Puzzle(f.puzzle))
	if !c.Singles() || seen() {
		return ByPropagation, nil
	}
	consistent, err := NewProber(r).Probe(ctx, c)
	if err != nil || !consistent || seen() {
		return ByProbing, err
	}
	return BySearch, nil
}
