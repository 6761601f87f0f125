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

// A Question asks why a cell must have a digit, or cannot have it.
type Question struct {
	Cell  int
	Digit int  // 0 stands for the digit of the cell in the solution
	Not   bool // ask why the cell cannot have the digit
}

// ParseQuestion parses a question about a cell: R3C5 asks why it has its digit,
// R3C5=7 why it must be 7, R3C5<>7 why it cannot be 7.
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

// Statement returns the statement that the question is about, such as "R3C5=7".
// The digit must not be 0.
func (q Question) Statement(r *sudoku.Rules) string {
	return statement(r, r.Candidate(q.Cell, q.Digit), !q.Not)
}

// WhyOptions limit the search for a smallest set.
type WhyOptions struct {
	// Effort is the largest number of solver calls after the first minimal set is
	// found; 0 is DefaultEffort. If it is negative, Why returns that set.
	Effort int

	// coarse makes Why return the failed assumptions of the first solver call,
	// which need not be minimal.
	coarse bool
}

// DefaultEffort finds a smallest set in most puzzles of size 9, within seconds.
const DefaultEffort = 20_000

// A Reason is a set of givens that forces the answer to a question: the answer
// follows from these givens, the rules, and the marks of the puzzle.
type Reason struct {
	Question       // with the digit filled in
	Givens   []int // cells of the givens, ascending

	Minimal bool  // no proper subset forces the answer
	AtLeast int   // no set with fewer givens than this forces the answer
	Class   Class // class of the inference that derives the answer from these givens
	calls   int   // number of solver calls
}

// Smallest reports whether no set with fewer givens forces the answer.
func (r *Reason) Smallest() bool { return r.AtLeast == len(r.Givens) }

// Puzzle returns the puzzle with no other givens than those of the reason.
func (r *Reason) Puzzle(g *sudoku.Grid) *sudoku.Grid {
	cells := make([]int, len(g.Cells))
	for _, cell := range r.Givens {
		cells[cell] = g.Cells[cell]
	}
	return g.With(cells)
}

// A NotForced error reports that the statement of a question is false in some
// solution.
type NotForced struct {
	Question Question

	// Solutions has a solution in which the statement is false, and then, if
	// there is one, a solution in which it is true.
	Solutions [][]int

	text string
}

func (e *NotForced) Error() string { return e.text }

// A Contradiction error reports that a puzzle has no solution.
type Contradiction struct {
	Conflict *sudoku.Conflict // the rule that the givens break; nil if they break no rule
}

func (e *Contradiction) Error() string {
	if e.Conflict != nil {
		return "the puzzle has no solution: " + e.Conflict.Error()
	}
	return "the puzzle has no solution"
}

// Why returns a set of givens that forces the answer to a question, if possible
// a smallest one. The error is a [*Contradiction] if the puzzle has no
// solution, a [*NotForced] if the statement of the question is not true in all
// solutions, and otherwise the cause of ctx. If ctx ends after the statement is
// proved, Why returns the smallest set found by then together with the error;
// the class of that set is not valid.
//
// A solver call takes about 0.1 ms at size 9; the options limit their number.
func Why(ctx context.Context, g *sudoku.Grid, q Question, o WhyOptions) (*Reason, error) {
	if c := g.Conflict(); c != nil {
		return nil, &Contradiction{c}
	}
	f, err := newForcer(ctx, g)
	if err != nil {
		return nil, err
	}
	reason, err := f.why(ctx, q, o)
	if err == nil {
		reason.Class, err = f.class(ctx, reason)
	}
	return reason, err
}

// A forcer finds forcing sets: sets of givens that refute the goal, the negated
// statement of a question. The rules and the marks are the clauses of a solver,
// and the givens are assumptions.
type forcer struct {
	puzzle *sudoku.Grid
	codec  *sudoku.Map
	solver *cdcl.Solver
	cells  []int              // cells of the givens
	lits   []dimacs.Lit       // literals of the givens
	index  map[dimacs.Lit]int // by literal of a given: its index in lits
	goal   dimacs.Lit
	calls  int // number of solver calls
	buf    []dimacs.Lit

	question Question
	c        *sudoku.Candidates // scratch of refuted
	some     *sudoku.Grid       // scratch of refuted: the puzzle with some of its givens
}

func newForcer(ctx context.Context, g *sudoku.Grid) (*forcer, error) {
	bare := sudoku.NewGrid(g.Rules)
	bare.Marks = g.Marks
	cnf, err := bare.EncodeContext(ctx, sudoku.Coding{})
	if err != nil {
		return nil, err
	}
	f := &forcer{puzzle: g, codec: cnf.Map, solver: cdcl.New(cdcl.Options{}), index: make(map[dimacs.Lit]int)}
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

// lit returns the literal of a candidate. The encoding extended has a variable
// for each candidate.
func (f *forcer) lit(cell, digit int) dimacs.Lit {
	l, ok := f.codec.Lit(f.puzzle.Rules.Candidate(cell, digit))
	if !ok {
		panic("explain: a candidate without a variable")
	}
	return l
}

// why answers a question.
func (f *forcer) why(ctx context.Context, q Question, o WhyOptions) (*Reason, error) {
	q, err := f.setGoal(ctx, q)
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
	reason.calls = f.calls
	return reason, err
}

// setGoal returns the question with its digit filled in, and sets the goal. The
// error is a [*NotForced] if the statement is not true in all solutions.
func (f *forcer) setGoal(ctx context.Context, q Question) (Question, error) {
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
			panic("explain: a question with Not requires a digit")
		}
	}
	f.question = q
	f.goal = f.lit(q.Cell, q.Digit)
	if !q.Not {
		f.goal = f.goal.Not()
	}
	switch status := f.solver.Solve(ctx, append(slices.Clone(f.lits), f.goal)...); status {
	case dimacs.Unsatisfiable:
		f.setPhases(first)
		return q, nil
	case dimacs.Unknown:
		return q, f.stopped(ctx)
	}
	return q, f.notForced(q, first, f.solution())
}

// notForced returns the error of a question whose statement is false in the
// solution denial. In the solution first, which was found before, it may be
// true.
func (f *forcer) notForced(q Question, first, denial []int) error {
	r := f.puzzle.Rules
	e := &NotForced{Question: q, Solutions: [][]int{denial}}
	was, is := first[q.Cell], denial[q.Cell]
	if (was == q.Digit) != q.Not {
		e.Solutions = append(e.Solutions, first)
		e.text = fmt.Sprintf("%s is not forced: it is %d in one solution and %d in another", r.CellName(q.Cell), was, is)
	} else {
		e.text = fmt.Sprintf("%s is not so: %s", q.Statement(r), statement(r, r.Candidate(q.Cell, is), true))
	}
	return e
}

// solution returns the digits of the model.
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

// setPhases sets the phases of the solver to a solution. Then models without some
// of the givens differ from it in few cells.
func (f *forcer) setPhases(solution []int) {
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

// refuted reports whether singles refute the goal with a set of givens. It is much
// faster than a solver call.
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
	candidate := f.puzzle.Rules.Candidate(f.question.Cell, f.question.Digit)
	ok := f.c.Load(f.some)
	if f.question.Not {
		ok = ok && f.c.Place(candidate)
	} else {
		ok = ok && f.c.Eliminate(candidate)
	}
	return !ok || !f.c.Singles()
}

// forces reports whether a set of givens is forcing. If so, it returns the failed
// assumptions, a subset of the set; otherwise it returns all givens that are true
// in the model, a superset of the set.
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
	return errors.New("explain: the solver gave up")
}

// class returns the class of the inference that derives the answer from the givens
// of the reason.
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
	consistent, err := NewProber(r).probe(ctx, c)
	if err != nil || !consistent || seen() {
		return ByProbing, err
	}
	return BySearch, nil
}
