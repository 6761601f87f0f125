package generate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"sator/sudoku"
	"sator/sudoku/explain"
	"sator/sudoku/infer"
)

// Options say what puzzles to make.
type Options struct {
	Variant sudoku.Variant

	Jigsaw bool // each puzzle has random regions of its own, in place of boxes
	Killer bool // each puzzle has random cages of its own

	// Symmetry of the pattern of givens; nil is none.
	Symmetry *Symmetry

	// MinGivens and MaxGivens are the number of givens. With both 0 there are as few as
	// come out when givens are taken out in random order.
	MinGivens, MaxGivens int
	LimitGivens          bool // MinGivens and MaxGivens say something although they are 0

	// Minimal puzzles have several solutions without any one of the givens.
	Minimal bool

	// Class is that of explain.Rate: up, fl or search; empty for any.
	Class string

	Seed uint64

	// Effort is how many questions to solvers one puzzle may take at most;
	// 0 is DefaultEffort.
	Effort int

	// Counter makes the solver that proves that puzzles have one solution. Nil
	// is CounterFor, but unless puzzles are to be minimal a question that takes
	// very long is given up, and a given stays that might have gone.
	Counter func(*sudoku.Rules) Counter
}

// DefaultEffort is what a puzzle that is made takes seldom, and a few seconds at
// size 9.
const DefaultEffort = 100_000

// Puzzles with few givens for their size are out of reach in large grids: to
// prove that the last givens are needed takes too long. Unless the options ask
// for more, givens of grids up to ProvedSize go as long as there is one
// solution, up to SinglesSize as long as singles find it, and beyond as long as
// one look at the givens around shows that they do.
const (
	ProvedSize  = 16
	SinglesSize = 36
)

// A Puzzle is a puzzle with one solution.
type Puzzle struct {
	*sudoku.Grid
	Solution []int
	Number   uint64 // by which it was made, with the seed
}

// An Exhausted error says that the effort did not find a puzzle as it was asked
// for, which may be since there is none.
type Exhausted struct {
	Number uint64
	Why    string // what was met most
	Effort int
}

func (e *Exhausted) Error() string {
	return fmt.Sprintf("no such puzzle found within an effort of %d: %s", e.Effort, e.Why)
}

// A Generator makes puzzles. It may be used by several goroutines.
type Generator struct {
	o     Options
	rules *sudoku.Rules // nil if each puzzle has its own
	class explain.Class
}

// New returns a generator, or says what is wrong with the options.
func New(o Options) (*Generator, error) {
	o.Symmetry = cmp.Or(o.Symmetry, Symmetries[0])
	o.Effort = cmp.Or(o.Effort, DefaultEffort)
	o.LimitGivens = o.LimitGivens || o.MinGivens > 0 || o.MaxGivens > 0
	if o.Counter == nil {
		o.Counter = boundedFor
		if o.Minimal {
			o.Counter = CounterFor
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
	cells := o.Variant.Size * o.Variant.Size
	switch {
	case o.LimitGivens && (o.MinGivens < 0 || o.MinGivens > o.MaxGivens):
		return fmt.Errorf("%d to %d givens: the range is empty", o.MinGivens, o.MaxGivens)
	case o.LimitGivens && o.MaxGivens > cells:
		return fmt.Errorf("%d givens: the grid has %d cells", o.MaxGivens, cells)
	case o.Killer && len(o.Variant.Cages) > 0:
		return errors.New("the variant has cages; there are none to be made at random")
	case o.Effort < 0:
		return fmt.Errorf("an effort of %d", o.Effort)
	}
	return nil
}

// A maker makes one puzzle.
type maker struct {
	*Generator
	rng     *rand.Rand
	effort  int // left
	rules   *sudoku.Rules
	counter Counter
	prober  *explain.Prober
	why     string // why the last attempt failed
}

// Make makes the puzzle of a number: the same seed and number give the same
// puzzle. The error is an [*Exhausted] or the cause of ctx.
func (g *Generator) Make(ctx context.Context, number uint64) (*Puzzle, error) {
	m := &maker{Generator: g, rng: rand.New(rand.NewPCG(g.o.Seed, number)), effort: g.o.Effort, why: "no solution of the rules found"}
	for m.effort > 0 && ctx.Err() == nil {
		m.effort -= m.walk()
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

// deadEndsAQuestion is how many dead ends of the search for a solution take as
// long as a question to a solver.
const deadEndsAQuestion = 8

// classlessSize is the size up to which puzzles are hardly ever harder than
// probing, so that they need not be kept that easy while givens go.
const classlessSize = 9

// nodesAQuestion is how many nodes of a search count as one more question.
const nodesAQuestion = 50

// walk is the effort of going over all cells without asking a solver.
func (m *maker) walk() int { return 1 + m.o.Variant.Size*m.o.Variant.Size/16 }

// fill makes the rules of the puzzle, unless all have the same, and a solution.
func (m *maker) fill(ctx context.Context) []int {
	rules, v := m.Generator.rules, m.o.Variant
	if m.o.Jigsaw {
		v.Regions = regions(v.Size, m.rng)
	}
	if rules == nil {
		rules = sudoku.Must(v)
	}
	full, deadEnds := solution(ctx, rules, m.rng)
	m.effort -= deadEnds / deadEndsAQuestion
	if full == nil && !m.o.Jigsaw && ctx.Err() == nil {
		possible := true
		if full, possible = learned(ctx, rules, m.rng); !possible {
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
		m.rules, m.counter, m.prober = rules, m.o.Counter(rules), nil
	}
	return full
}

// attempt takes givens out of a full grid. It returns nil if the puzzle is not as
// it should be.
func (m *maker) attempt(ctx context.Context, full []int) *Puzzle {
	if m.o.Killer && m.o.MinGivens == 0 {
		if p, last := m.bare(ctx, full); p != nil || last {
			return p
		}
	}
	r := newRemover(sudoku.NewGrid(m.rules).With(full), full)
	r.keeps = m.counting(m.property(r))
	orbits := m.o.Symmetry.Orbits(m.rules.Size())
	m.shuffle(orbits)
	least := 0
	if m.o.LimitGivens && !m.o.Minimal {
		least = m.o.MinGivens + m.rng.IntN(m.o.MaxGivens-m.o.MinGivens+1)
	}
	r.tryAll(ctx, orbits, least)
	if m.o.LimitGivens {
		m.lower(ctx, r, orbits)
	}
	if ctx.Err() != nil || !m.fits(ctx, r) {
		return nil
	}
	return &Puzzle{Grid: r.grid, Solution: full}
}

// bare tries a puzzle of cages without any given, and reports whether the
// attempt is over. If there may be no givens, cages are cut until they do.
func (m *maker) bare(ctx context.Context, full []int) (p *Puzzle, last bool) {
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
		m.cut(full, solutions)
	}
	m.why = "the cages of the last one leave several solutions"
	return nil, true
}

// cut changes the cages so that one of the solutions is none any more.
func (m *maker) cut(full []int, solutions [][]int) {
	other := solutions[0]
	if slices.Equal(other, full) {
		other = solutions[1]
	}
	v := m.rules.Variant()
	v.Cages = cut(v.Size, v.Cages, full, other, m.rng)
	m.rules = sudoku.Must(v)
	m.counter, m.prober = m.o.Counter(m.rules), nil
}

func (m *maker) shuffle(orbits [][]int) {
	m.rng.Shuffle(len(orbits), func(i, k int) { orbits[i], orbits[k] = orbits[k], orbits[i] })
}

// property returns what the puzzle keeps while givens go: the property that the
// class asks for, or one that it implies. Nil is that a single brings each back.
func (m *maker) property(r *remover) func(context.Context, []int) bool {
	small := m.rules.Size() <= classlessSize
	switch {
	case m.o.Minimal, m.o.Class == "" && m.rules.Size() <= ProvedSize,
		m.o.Class == explain.BySearch.String(), m.o.Class == explain.ByProbing.String() && small:
		return r.unique(m.counter)
	case m.o.Class == explain.ByProbing.String():
		return func(ctx context.Context, _ []int) bool { return m.classOf(ctx, r) <= explain.ByProbing }
	}
	if m.o.Class == "" && m.rules.Size() > SinglesSize {
		return nil
	}
	left := sudoku.NewCandidates(m.rules)
	return func(context.Context, []int) bool { return left.Load(r.grid) && left.Singles() && left.Solved() }
}

// counting returns the same property; each question to it is effort.
func (m *maker) counting(keeps func(context.Context, []int) bool) func(context.Context, []int) bool {
	if keeps == nil {
		return nil
	}
	return func(ctx context.Context, gone []int) bool {
		if m.effort <= 0 {
			return false
		}
		before := m.nodes()
		kept := keeps(ctx, gone)
		m.effort -= 1 + int(m.nodes()-before)/nodesAQuestion
		return kept
	}
}

// nodes returns how many nodes the solver has searched, if it tells.
func (m *maker) nodes() int64 {
	if s, is := m.counter.(interface{ Stats() infer.Stats }); is {
		return s.Stats().Nodes
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

// fits reports whether a puzzle is as it should be.
func (m *maker) fits(ctx context.Context, r *remover) bool {
	switch {
	case m.o.LimitGivens && (r.filled < m.o.MinGivens || r.filled > m.o.MaxGivens):
		m.why = fmt.Sprintf("the last one has %d givens", r.filled)
		return false
	case m.o.Class != "" && m.classOf(ctx, r) != m.class:
		m.why = fmt.Sprintf("the last one is of class %s", m.classOf(ctx, r))
		return false
	case m.o.Minimal && !m.minimal(ctx, r):
		m.why = "the last one is not minimal"
		return false
	}
	return true
}

// minimal reports whether no single given can go. Without a symmetry the attempt
// has made sure of that.
func (m *maker) minimal(ctx context.Context, r *remover) bool {
	for cell, digit := range r.grid.Cells {
		if m.o.Symmetry == Symmetries[0] {
			break
		}
		if digit != 0 && r.try(ctx, []int{cell}) {
			r.put(cell)
			return false
		}
	}
	return m.effort > 0
}

// Puzzles with few givens are rare among those that come out when givens go in
// random order: of 20,000 at size 9, with 24.4 on average, 55 had 21 and none 20.
// So where there are too many, some that were taken out are put back, and all
// others are tried again before these. The puzzle that is left has about as many
// givens as before, one less now and then. A puzzle with 20 takes 0.1 s so.

// lowerPatience is how many times in a row that may be in vain; lowerBy is how
// many orbits are put back at most.
const (
	lowerPatience = 300
	lowerBy       = 3
)

// lower lowers the number of givens to the most that there may be, if it can.
func (m *maker) lower(ctx context.Context, r *remover, orbits [][]int) {
	for vain := 0; r.filled > m.o.MaxGivens && vain < lowerPatience && m.effort > 0 && ctx.Err() == nil; vain++ {
		m.effort -= m.walk()
		before, filled := slices.Clone(r.grid.Cells), r.filled
		m.shuffle(orbits)
		putBack(r, orbits, 1+m.rng.IntN(lowerBy))
		r.tryAll(ctx, orbits, m.o.MinGivens)
		switch {
		case r.filled < filled:
			vain = 0
		case r.filled > filled:
			r.reset(before)
		}
	}
}

// putBack puts so many orbits back and moves them to the end.
func putBack(r *remover, orbits [][]int, count int) {
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
