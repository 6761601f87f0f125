package study

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"time"

	"sator/dimacs"
	"sator/sudoku"
	"sator/twosat"
)

// The paper proposes to find a heuristic in the way people solve. People look at
// cells and houses, not at clauses. Here a solver does: it infers by singles and
// perhaps more, and branches on a candidate chosen as a person would, the other
// side of the branch being that the candidate is struck. So its numbers of
// backtracks can stand beside those of DPLL, whose heuristics know of literals and
// clauses alone: with the extended encoding, unit propagation finds exactly the
// singles.

// An inference is what is looked for between two branches.
type inference struct {
	name string

	// step infers something, and reports whether it did, and whether there was
	// no contradiction. Singles come before and behind it.
	step func(*sudoku.Candidates) (news, ok bool)
}

var inferences = []inference{
	{"singles", func(*sudoku.Candidates) (bool, bool) { return false, true }},
	{"locked", func(c *sudoku.Candidates) (bool, bool) { return c.Locked(), true }},
	{"pairs", pairs},
	{"2sat", implied},
}

// pairs strikes what naked and hidden pairs exclude. A naked pair is two cells of
// a house with the same two digits, which its other cells cannot have; a hidden
// pair is two digits of a house with the same two cells, which can have no other.
// Houses of more cells than a word has bits are left alone.
func pairs(c *sudoku.Candidates) (news, ok bool) {
	if c.Rules().Size() > 64 {
		return false, true
	}
	ok = true
	for _, house := range c.Rules().Houses() {
		p := newPairHouse(c, house.Cells)
		p.naked()
		p.hidden()
		news, ok = news || p.news, ok && !p.broken
	}
	return news, ok
}

// A pairHouse is what is left of the candidates of a house, as sets of bits.
type pairHouse struct {
	*sudoku.Candidates
	cells  []int    // those without a digit
	digits []uint64 // that each of them may have
	places []uint64 // of each digit, in cells

	news, broken bool
}

func newPairHouse(c *sudoku.Candidates, cells []int) *pairHouse {
	size := c.Rules().Size()
	p := &pairHouse{Candidates: c, places: make([]uint64, size)}
	for _, cell := range cells {
		if c.Digit(cell) != 0 {
			continue
		}
		var digits uint64
		for d := range size {
			if c.Has(cell*size + d) {
				digits |= 1 << d
				p.places[d] |= 1 << len(p.cells)
			}
		}
		p.cells, p.digits = append(p.cells, cell), append(p.digits, digits)
	}
	return p
}

// strike rules out digits of the cell with a number in the house.
func (p *pairHouse) strike(cell int, digits uint64) {
	size := p.Rules().Size()
	for d := range size {
		if candidate := p.cells[cell]*size + d; digits>>d&1 != 0 && p.Has(candidate) {
			p.news = true
			p.broken = !p.Eliminate(candidate) || p.broken
		}
	}
}

func (p *pairHouse) naked() {
	twins(p.digits, func(i, j int) {
		for k := range p.cells {
			if k != i && k != j {
				p.strike(k, p.digits[i])
			}
		}
	})
}

func (p *pairHouse) hidden() {
	twins(p.places, func(d, e int) {
		for k := range p.cells {
			if p.places[d]>>k&1 != 0 {
				p.strike(k, ^(1<<d | 1<<e))
			}
		}
	})
}

// twins visits all pairs of equal sets that have two elements.
func twins(sets []uint64, visit func(i, j int)) {
	for i, set := range sets {
		for j := range i {
			if set == sets[j] && bits.OnesCount64(set) == 2 {
				visit(i, j)
			}
		}
	}
}

// implied strikes and places what the 2SAT rule forces.
func implied(c *sudoku.Candidates) (news, ok bool) {
	s := twosat.New(nil)
	c.Implications(true, func(a, b dimacs.Lit) { s.Add(a.Not(), b) })
	forced, status := s.Forced(context.Background())
	if status == dimacs.Unsatisfiable {
		return false, false
	}
	ok = true
	for _, l := range forced.Lits() {
		candidate := int(l.Var())
		switch {
		case l.Neg() && c.Has(candidate):
			news, ok = true, c.Eliminate(candidate) && ok
		case !l.Neg() && c.Has(candidate):
			cell, digit := c.Rules().Split(candidate)
			if c.Digit(cell) != digit {
				news, ok = true, c.Place(candidate) && ok
			}
		}
	}
	return news, ok
}

// A glance is a way to choose the candidate of a branch.
type glance struct {
	name   string
	choose func(*sudoku.Candidates, *rand.Rand) int
}

var glances = []glance{
	{"first-cell", func(c *sudoku.Candidates, _ *rand.Rand) int { return fewest(c, cellsOf(c), 1<<30) }},
	{"random-cell", func(c *sudoku.Candidates, r *rand.Rand) int {
		cells := slices.DeleteFunc(cellsOf(c), func(g int) bool { return c.Left(g) < 2 })
		live := c.Live(cells[r.IntN(len(cells))], nil)
		return live[r.IntN(len(live))]
	}},
	{"fewest-digits", func(c *sudoku.Candidates, _ *rand.Rand) int { return fewest(c, cellsOf(c), 2) }},
	{"fewest-places", func(c *sudoku.Candidates, _ *rand.Rand) int { return fewest(c, placesOf(c), 2) }},
	{"fewest-of-both", func(c *sudoku.Candidates, _ *rand.Rand) int { return fewest(c, append(cellsOf(c), placesOf(c)...), 2) }},
	{"fewest-and-most-struck", func(c *sudoku.Candidates, _ *rand.Rand) int { return c.Choose() }},
}

// cellsOf returns the groups that are cells, placesOf those that are a digit in a
// house.
func cellsOf(c *sudoku.Candidates) []int {
	groups := make([]int, c.Rules().Cells())
	for g := range groups {
		groups[g] = g
	}
	return groups
}

func placesOf(c *sudoku.Candidates) []int {
	r := c.Rules()
	groups := make([]int, r.Groups()-r.Cells())
	for g := range groups {
		groups[g] = r.Cells() + g
	}
	return groups
}

// fewest returns the first candidate of the first group with fewest candidates
// left, but more than one. It stops at a group with no more than enough.
func fewest(c *sudoku.Candidates, groups []int, enough int) int {
	best, least := -1, 1<<30
	for _, g := range groups {
		if n := c.Left(g); n > 1 && n < least {
			if best, least = g, n; n <= enough {
				break
			}
		}
	}
	return c.Live(best, nil)[0]
}

// A looker solves as people do.
type looker struct {
	ctx    context.Context
	infer  *inference
	glance *glance
	random *rand.Rand
	limit  int64
	took   Outcome
	levels []*sudoku.Candidates // by depth, to come back to
}

// solve looks for a solution and returns when it has one.
func (s *looker) solve(c *sudoku.Candidates, ok bool, depth int) dimacs.Status {
	s.took.Evaluations++
	s.took.Depth = max(s.took.Depth, int64(depth))
	if !ok || !s.settle(c) {
		s.took.Conflicts++
		if depth > 0 && s.stopped() {
			return dimacs.Unknown
		}
		return dimacs.Unsatisfiable
	}
	if c.Solved() {
		return dimacs.Satisfiable
	}
	if s.stopped() {
		return dimacs.Unknown
	}
	if len(s.levels) == depth {
		s.levels = append(s.levels, sudoku.NewCandidates(c.Rules()))
	}
	before := s.levels[depth]
	before.CopyFrom(c)
	candidate := s.glance.choose(c, s.random)
	s.took.Decisions++
	if answer := s.solve(c, c.Place(candidate), depth+1); answer != dimacs.Unsatisfiable {
		return answer
	}
	s.took.Backtracks++
	c.CopyFrom(before)
	return s.solve(c, c.Eliminate(candidate), depth+1)
}

// settle infers until nothing is news.
func (s *looker) settle(c *sudoku.Candidates) bool {
	for {
		if !c.Singles() {
			return false
		}
		if c.Solved() {
			return true
		}
		news, ok := s.infer.step(c)
		if !ok {
			return false
		}
		if !news {
			return true
		}
		s.took.Propagations++
	}
}

func (s *looker) stopped() bool {
	if s.limit > 0 && s.took.Conflicts >= s.limit {
		s.took.Capped = true
		return true
	}
	return s.ctx.Err() != nil
}

func humanStudy() *Study {
	var ways, inferred []string
	for _, g := range glances {
		ways = append(ways, g.name)
	}
	for _, i := range inferences {
		inferred = append(inferred, i.name)
	}
	return &Study{
		Name: "human",
		Help: "human rules as heuristics of search for Sudoku",
		Description: `Puzzles are solved by inference and branching on a candidate that is chosen as a
person would, in a cell or a house with fewest candidates, and beside that by DPLL
under its heuristics: the paper that "sator study givens" repeats proposes it.
Inference is singles alone, as unit propagation on the extended encoding, or also
locked candidates, naked and hidden pairs, or the 2SAT rule. Without a FILE
puzzles are made, with as few givens as come out.`,
		Factors: []Factor{
			{Name: "infer", Help: "what is inferred before a branch; of DPLL singles", Default: inferred, Levels: inferred},
			{Name: "choose", Help: "what is branched on: as a person would, or by a heuristic of DPLL", Default: slices.Concat(ways, []string{"first", "mom", "jw1", "positive"}), Levels: slices.Concat(ways, heuristicNames())},
		},
		Subject:   "puzzle",
		About:     []string{"givens"},
		CountHelp: "make `N` puzzles, if there is no FILE",
		Count:     200,
		Conflicts: 20_000,
		puzzles:   true,
		subjects:  anyPuzzles,
		settle: func(r *Run) bool {
			return slices.Contains(ways, r.level("choose")) || r.level("infer") == "singles"
		},
		measure: measureHuman,
		tell: func(x *Results, r *Report) error {
			return x.compare(r, comparison{by: "infer", what: "backtracks", of: backtracks, bounded: true, columns: []column{straight, solved, meanSeconds}, base: "fewest-digits"})
		},
	}
}

func measureHuman(ctx context.Context, b *bench, r *Run, _ *Weights) Outcome {
	way := slices.IndexFunc(glances, func(g glance) bool { return g.name == r.level("choose") })
	if way < 0 {
		o := b.puzzleRun(ctx, r, r.level("choose"), sudoku.Coding{Encoding: "extended"})
		o.About = o.About[:1]
		return o
	}
	g := r.subject.Puzzle
	s := &looker{ctx: ctx, glance: &glances[way], limit: r.plan.conflicts, random: rand.New(rand.NewPCG(r.plan.seed, uint64(r.subject.Number)))}
	for i := range inferences {
		if inferences[i].name == r.level("infer") {
			s.infer = &inferences[i]
		}
	}
	c := sudoku.NewCandidates(g.Rules)
	begin := time.Now()
	answer := s.solve(c, c.Load(g), 0)
	s.took.Seconds = time.Since(begin).Seconds()
	if answer == dimacs.Satisfiable && !slices.Equal(c.Cells(), r.subject.puzzle.solution) {
		panic("study: inference has found another solution than there is")
	}
	s.took.Answer = answer
	s.took.About = []string{fmt.Sprint(g.Givens())}
	return s.took
}
