package generate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"sator/internal/infer"
	"sator/sudoku"
	"sator/sudoku/explain"
	"sator/sudoku/internal/bands"
	"sator/sudoku/technique"
)

// Options select the puzzles that a [Generator] makes.
type Options struct {
	Variant sudoku.Variant

	Jigsaw bool // each puzzle has random regions of its own, instead of boxes
	Killer bool // each puzzle has random cages of its own

	// Symmetry is the symmetry of the pattern of givens; nil stands for no
	// symmetry.
	Symmetry *Symmetry

	// MinGivens and MaxGivens are the bounds of the number of givens. If both are 0
	// and LimitGivens is false, there is no bound: the generator removes as many
	// givens as it can in one random order.
	MinGivens, MaxGivens int

	// LimitGivens makes MinGivens and MaxGivens bounds even if both are 0. A
	// killer puzzle may have no givens.
	LimitGivens bool

	// Minimal makes puzzles that have several solutions without any one of their
	// givens.
	Minimal bool

	// Class is the name of an [explain.Class]: up, fl or search. Empty selects
	// any class.
	Class string

	// MinRating and MaxRating are the bounds of the difficulty for people, see
	// [explain.NewPeopleRater] with the scale se. If both are 0, there is no bound.
	// Puzzles with cages, with relations or larger than [explain.RatedSize] have no rating.
	MinRating, MaxRating technique.Difficulty

	Seed uint64

	// Effort limits the number of solver calls for a puzzle. Other work that
	// takes as long as a call counts as a call. 0 stands for DefaultEffort.
	Effort int

	// counter returns the solver that proves that puzzles have one solution.
	// Nil stands for CounterFor with a node budget for each call, or without a
	// budget if Minimal is set. After a call that exceeds its budget a given
	// stays in the puzzle, even if it is redundant.
	counter func(*sudoku.Rules) Counter

	// Progress, if not nil, is called often while a puzzle is made, with the effort spent
	// on it so far, and why the last attempt failed. Generator.Each calls it from several
	// goroutines.
	Progress func(effort int, why string)
}

// DefaultEffort suffices for nearly all combinations of options for which
// puzzles exist. At size 9 it takes a few seconds.
const DefaultEffort = 100_000

// Puzzles in large grids have more givens than necessary, since a proof that the
// solution is unique takes too long there. Unless Minimal or Class select another
// property, givens are removed up to ProvedSize as long as the solution is unique,
// up to singlesSize as long as singles solve the puzzle, and in larger grids only if
// the digit is a single with respect to the remaining givens.
const (
	ProvedSize  = 16
	singlesSize = 36
)

// A Puzzle is a puzzle with one solution.
type Puzzle struct {
	*sudoku.Grid
	Solution []int
	Number   uint64 // argument of [Generator.Make]
}

// An Exhausted error reports that no puzzle with the selected properties was found
// within the effort. There may be no such puzzle.
type Exhausted struct {
	Number uint64
	why    string // why the last attempt failed
	effort int
}

func (e *Exhausted) Error() string {
	return fmt.Sprintf("no such puzzle found within an effort of %d: %s", e.effort, e.why)
}

// A Generator makes puzzles. It may be used by several goroutines.
type Generator struct {
	o     Options
	rules *sudoku.Rules // nil if each puzzle has its own
	class explain.Class

	makers sync.Pool // of *maker that make no puzzle now
}

// New returns a generator. The error reports invalid or contradictory options.
func New(o Options) (*Generator, error) {
	o.Symmetry = cmp.Or(o.Symmetry, Symmetries[0])
	o.Effort = cmp.Or(o.Effort, DefaultEffort)
	o.LimitGivens = o.LimitGivens || o.MinGivens > 0 || o.MaxGivens > 0
	if o.counter == nil {
		o.counter = boundedFor
		if o.Minimal {
			o.counter = CounterFor
		}
	}
	if o.Jigsaw {
		o.Variant.BoxRows, o.Variant.BoxCols, o.Variant.Regions = 0, 0, nil
	}
	g := &Generator{o: o}
	r, err := sudoku.New(o.Variant)
	if err != nil {
		return nil, err
	}
	if !o.Jigsaw && !o.Killer {
		g.rules = r
	}
	if o.Class != "" {
		if g.class, err = explain.ParseClass(o.Class); err != nil {
			return nil, err
		}
	}
	return g, o.check()
}

func (o *Options) check() error {
	plan := o.Variant.Plan()
	cells := plan.Cells()
	if _, err := o.Symmetry.orbits(plan); err != nil {
		return err
	}
	switch {
	case o.Variant.Grids != nil && (o.Killer || o.Jigsaw):
		return errors.New("random cages and regions are of one grid")
	case o.LimitGivens && (o.MinGivens < 0 || o.MinGivens > o.MaxGivens):
		return fmt.Errorf("%d to %d givens: the range is empty", o.MinGivens, o.MaxGivens)
	case o.LimitGivens && o.MaxGivens > cells:
		return fmt.Errorf("%d givens: the grid has %d cells", o.MaxGivens, cells)
	case o.MinRating < 0 || o.MinRating > o.MaxRating:
		return fmt.Errorf("ratings of %v to %v: the range is empty", o.MinRating, o.MaxRating)
	case o.MaxRating > 0 && (o.Killer || o.Variant.Size > explain.RatedSize || !onlyDiffers(o.Variant)):
		return fmt.Errorf("puzzles with cages, with relations or of a size above %d have no rating", explain.RatedSize)
	case o.Killer && len(o.Variant.Cages) > 0:
		return errors.New("the variant has cages; it cannot have random cages, too")
	case o.Effort < 0:
		return fmt.Errorf("invalid effort %d; want a positive number", o.Effort)
	}
	return nil
}

// onlyDiffers reports whether a variant has neither cages nor relations.
func onlyDiffers(v sudoku.Variant) bool {
	r, err := sudoku.New(v)
	return err != nil || r.OnlyDiffer() // an invalid variant is refused later
}

// A maker makes one puzzle after the other. It keeps memory for the next one.
type maker struct {
	*Generator
	rng         *rand.Rand
	effort      int // remaining effort
	rules       *sudoku.Rules
	counter     Counter
	prober      *explain.Prober
	filler      filler
	people      *explain.PeopleRater
	peopleRules *sudoku.Rules // of people
	why         string        // why the last attempt failed
}

// maker returns a maker for the puzzle with a number.
func (g *Generator) maker(number uint64) *maker {
	m, ok := g.makers.Get().(*maker)
	if !ok {
		m = &maker{Generator: g}
	}
	m.rng, m.effort = rand.New(rand.NewPCG(g.o.Seed, number)), g.o.Effort
	m.why = "no solution of the rules found"
	return m
}

// Make makes the puzzle with a number. The same seed and number give the same
// puzzle. The error is an [*Exhausted] or the cause of ctx.
func (g *Generator) Make(ctx context.Context, number uint64) (*Puzzle, error) {
	m := g.maker(number)
	defer g.makers.Put(m)
	for m.effort > 0 && ctx.Err() == nil {
		m.effort -= m.passEffort()
		m.report()
		full := m.fill(ctx)
		if full == nil {
			continue
		}
		if p := m.attempt(ctx, full); p != nil {
			p.Number = number
			return p, nil
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return nil, &Exhausted{number, m.why, g.o.Effort}
}

// report reports the effort so far.
func (m *maker) report() {
	if m.o.Progress != nil {
		m.o.Progress(m.o.Effort-m.effort, m.why)
	}
}

// deadEndsPerCall is the number of dead ends of the search for a full grid that
// take as long as a solver call.
const deadEndsPerCall = 8

// mostlyProbingSize is the largest size at which failed literals solve nearly
// all puzzles. Up to this size, removing givens for class fl keeps the solution
// unique, and the class is checked at the end; in larger grids each removal
// keeps the class.
const mostlyProbingSize = 9

// nodesPerCall is the number of search nodes that count as one more solver call.
const nodesPerCall = 50

// passEffort returns the effort of a pass over all cells without solver calls.
func (m *maker) passEffort() int { return 1 + m.o.Variant.Plan().Cells()/16 }

// fill makes the rules of the puzzle, unless all puzzles have the same, and returns
// a full grid.
func (m *maker) fill(ctx context.Context) []int {
	rules, v := m.Generator.rules, m.o.Variant
	if m.o.Jigsaw {
		v.Regions = regions(v.Size, m.rng)
	}
	if rules == nil {
		rules = sudoku.Must(v)
	}
	full, deadEnds := m.filler.solution(ctx, rules, m.rng)
	m.effort -= deadEnds / deadEndsPerCall
	if full == nil && !m.o.Jigsaw && ctx.Err() == nil {
		possible := true
		if full, possible = solutionByLearning(ctx, rules, m.rng); !possible {
			m.effort, m.why = 0, "the rules have no solution at all"
		}
	}
	if full == nil {
		return nil
	}
	if m.o.Killer {
		v.Cages = cages(v.Size, full, m.rng)
		rules = sudoku.Must(v)
	}
	if rules != m.rules {
		m.rules, m.counter, m.prober = rules, m.o.counter(rules), nil
	}
	return full
}

// attempt removes givens from a full grid. It returns nil if the puzzle does not
// have the properties of the options.
func (m *maker) attempt(ctx context.Context, full []int) *Puzzle {
	if m.o.Killer && m.o.MinGivens == 0 {
		if p, last := m.withoutGivens(ctx, full); p != nil || last {
			return p
		}
	}
	r := newRemover(sudoku.NewGrid(m.rules).With(full), full)
	r.keeps = m.counting(m.property(r))
	orbits, err := m.o.Symmetry.orbits(m.rules.Plan())
	if err != nil {
		panic(err) // Options.check has found none
	}
	m.shuffle(orbits)
	least := 0
	if m.o.LimitGivens && !m.o.Minimal {
		least = m.o.MinGivens + m.rng.IntN(m.o.MaxGivens-m.o.MinGivens+1)
	}
	if m.hides() && !m.hide(ctx, r, least) {
		m.why = "failed literals solve all puzzles of the last full grid"
		return nil
	}
	r.tryAll(ctx, orbits, least)
	if m.o.LimitGivens {
		m.reduceGivens(ctx, r, orbits)
	}
	if ctx.Err() != nil || !m.fits(ctx, r) {
		return nil
	}
	return &Puzzle{Grid: r.grid, Solution: full}
}

// withoutGivens tries to make a puzzle with cages and no givens. If the options
// allow no givens, it splits cages until the solution is unique. If p is nil, last
// reports whether the attempt has failed; if not, the attempt continues with givens.
func (m *maker) withoutGivens(ctx context.Context, full []int) (p *Puzzle, last bool) {
	for m.effort > 0 {
		r := newRemover(sudoku.NewGrid(m.rules), full)
		m.effort--
		solutions, complete := m.counter.Solutions(ctx, r.grid, 2)
		switch {
		case ctx.Err() != nil:
			return nil, true
		case complete && len(solutions) == 1 && m.fits(ctx, r):
			return &Puzzle{Grid: r.grid, Solution: full}, true
		case len(solutions) < 2:
			return nil, true
		case !m.o.LimitGivens || m.o.MaxGivens > 0:
			return nil, false
		}
		m.splitCage(full, solutions)
	}
	m.why = "the cages of the last puzzle leave several solutions"
	return nil, true
}

// splitCage splits a cage so that the sums of the parts exclude the solution that is
// not full.
func (m *maker) splitCage(full []int, solutions [][]int) {
	other := solutions[0]
	if slices.Equal(other, full) {
		other = solutions[1]
	}
	v := m.rules.Variant()
	v.Cages = split(v.Size, v.Cages, full, other, m.rng)
	m.rules = sudoku.Must(v)
	m.counter, m.prober = m.o.counter(m.rules), nil
}

// hides reports whether puzzles are made around a pattern, see hide.
func (m *maker) hides() bool {
	return m.o.Class == explain.BySearch.String() && m.rules.Plain9() && m.o.Symmetry == Symmetries[0]
}

func (m *maker) shuffle(orbits [][]int) {
	m.rng.Shuffle(len(orbits), func(i, k int) { orbits[i], orbits[k] = orbits[k], orbits[i] })
}

// property returns the property that the puzzle keeps while givens are removed.
// Every puzzle of the requested class has it. Nil stands for the property that
// each removed given is a single with respect to the remaining givens.
func (m *maker) property(r *remover) func(context.Context, []int) bool {
	small := m.rules.Size() <= mostlyProbingSize
	switch {
	case m.o.Minimal, m.o.Class == "" && m.rules.Size() <= ProvedSize,
		m.o.Class == explain.BySearch.String(), m.o.Class == explain.ByProbing.String() && small:
		return r.unique(m.counter)
	case m.o.Class == explain.ByProbing.String():
		return func(ctx context.Context, _ []int) bool { return m.classOf(ctx, r) <= explain.ByProbing }
	}
	if m.o.Class == "" && m.rules.Size() > singlesSize {
		return nil
	}
	left := sudoku.NewCandidates(m.rules)
	return func(context.Context, []int) bool { return left.Load(r.grid) && left.Singles() && left.Solved() }
}

// counting returns a property that counts its calls as effort and returns false
// if no effort is left.
func (m *maker) counting(keeps func(context.Context, []int) bool) func(context.Context, []int) bool {
	if keeps == nil {
		return nil
	}
	return func(ctx context.Context, removed []int) bool {
		if m.effort <= 0 {
			return false
		}
		before := m.nodes()
		kept := keeps(ctx, removed)
		m.effort -= 1 + int(m.nodes()-before)/nodesPerCall
		m.report()
		return kept
	}
}

// nodes returns the number of nodes that the solver has searched, of branches in
// package bands, or 0 if the solver does not report them.
func (m *maker) nodes() int64 {
	switch s := m.counter.(type) {
	case interface{ Stats() infer.Stats }:
		return s.Stats().Nodes
	case interface{ Stats() bands.Stats }:
		return s.Stats().Branches
	}
	return 0
}

func (m *maker) classOf(ctx context.Context, r *remover) explain.Class {
	if m.prober == nil {
		m.prober = explain.NewProber(m.rules)
	}
	class, err := m.prober.Class(ctx, r.grid)
	if err != nil {
		return explain.BySearch
	}
	return class
}

// fits reports whether a puzzle has the properties of the options. If not, fits
// sets why.
func (m *maker) fits(ctx context.Context, r *remover) bool {
	switch {
	case m.o.LimitGivens && (r.filled < m.o.MinGivens || r.filled > m.o.MaxGivens):
		m.why = fmt.Sprintf("the last puzzle has %d givens", r.filled)
		return false
	case m.o.Class != "" && m.classOf(ctx, r) != m.class:
		m.why = fmt.Sprintf("the last puzzle is of class %s", m.classOf(ctx, r))
		return false
	case m.o.Minimal && !m.minimal(ctx, r):
		m.why = "the last puzzle is not minimal"
		return false
	}
	return m.o.MaxRating == 0 || m.fitsRating(ctx, r)
}

// fitsRating reports whether the rating of a puzzle is within its bounds. If not,
// fitsRating sets why.
func (m *maker) fitsRating(ctx context.Context, r *remover) bool {
	if m.people == nil || m.peopleRules != m.rules {
		m.people, m.peopleRules = explain.NewPeopleRater(m.rules, "se", nil), m.rules
	}
	rating, err := m.people.Rate(ctx, r.grid)
	m.effort -= int(rating.Hardest) // a call takes about 10 µs, a rating 0.2 to 50 ms
	m.why = fmt.Sprintf("the last puzzle has the rating %v", rating.Hardest)
	return err == nil && rating.Solved && m.o.MinRating <= rating.Hardest && rating.Hardest <= m.o.MaxRating
}

// minimal reports whether no single given is redundant. Without a symmetry and a
// bound of givens, where the local search ends, the attempt has already tried to
// remove each one.
func (m *maker) minimal(ctx context.Context, r *remover) bool {
	for cell, digit := range r.grid.Cells {
		if m.o.Symmetry == Symmetries[0] && !m.o.LimitGivens {
			break
		}
		if digit != 0 && r.try(ctx, []int{cell}) {
			r.put(cell)
			return false
		}
	}
	return m.effort > 0
}

// Removing givens in random order rarely leads to few givens: of 20,000 puzzles
// of size 9, with 24.4 givens on average, 55 had 21 and no puzzle had 20. So if
// there are too many givens, local search follows: it restores some removed
// givens, tries to remove all others, and then tries to remove the restored
// givens. The result has about as many givens as before, and sometimes one
// less. A puzzle with 20 givens takes 0.1 s in this way.
const (
	maxFailedRounds = 300 // in a row, before the local search ends
	maxRestored     = 3   // orbits in a round
)

// reduceGivens tries to reduce the number of givens to the largest number that
// the options allow.
func (m *maker) reduceGivens(ctx context.Context, r *remover, orbits [][]int) {
	for failed := 0; r.filled > m.o.MaxGivens && failed < maxFailedRounds && m.effort > 0 && ctx.Err() == nil; failed++ {
		m.effort -= m.passEffort()
		before, filled := slices.Clone(r.grid.Cells), r.filled
		m.shuffle(orbits)
		restore(r, orbits, 1+m.rng.IntN(maxRestored))
		r.tryAll(ctx, orbits, m.o.MinGivens)
		switch {
		case r.filled < filled:
			failed = 0
		case r.filled > filled:
			r.reset(before)
		}
	}
}

// restore restores the givens of some removed orbits and moves these orbits to the
// end.
func restore(r *remover, orbits [][]int, count int) {
	end := len(orbits)
	for i := 0; i < end && count > 0; {
		if r.grid.Cells[orbits[i][0]] != 0 {
			i++
			continue
		}
		for _, cell := range orbits[i] {
			r.put(cell)
		}
		end--
		count--
		orbits[i], orbits[end] = orbits[end], orbits[i]
	}
}
