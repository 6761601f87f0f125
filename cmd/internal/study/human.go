package study

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"sator/dimacs"
	"sator/sudoku"
	"sator/twosat"
)

// Human solving rules as search heuristics. The paper that the study of givens
// replicates proposes to derive a heuristic from the way people solve. People
// look at cells and houses, not at clauses. This solver infers by singles and
// optionally more, and branches on a candidate: it first places the candidate,
// then eliminates it. The numbers of backtracks are comparable with those of
// DPLL, whose heuristics use only literals and clauses, because unit
// propagation on the extended encoding finds exactly the singles.

// An inference is a rule applied between two branches.
type inference struct {
	name  string
	words string // what a person sees

	// step eliminates or places candidates. changed reports whether it did, and
	// ok whether it found no contradiction. Singles are applied before and
	// after it.
	step func(*sudoku.Candidates) (changed, ok bool)
}

var inferences = []inference{
	{"singles", "A cell with one digit left gets it, and so does a digit with one place left in a row, column or box.", func(*sudoku.Candidates) (bool, bool) { return false, true }},
	{"locked", "Singles, and: if all places of a digit in a box are in one row or column, the digit is excluded from the rest of that row or column, and the other way round.", func(c *sudoku.Candidates) (bool, bool) { return c.Locked(), true }},
	{"pairs", "Singles, and: two cells of a house with the same two digits left exclude these from the other cells; two digits with the same two places exclude all others there.", pairs},
	{"2sat", "Singles, and all consequences of the statements with two alternatives: a cell with two digits left, a digit with two places left. People call parts of it coloring and chains.", twoSATRule},
}

// pairs eliminates the candidates excluded by naked and hidden pairs. A naked
// pair is two cells of a house with the same two candidates, which no other
// cell of the house can have. A hidden pair is two digits of a house with the
// same two cells, which can have no other digit. Houses with more cells than a
// word has bits are skipped.
func pairs(c *sudoku.Candidates) (changed, ok bool) {
	if c.Rules().Size() > 64 {
		return false, true
	}
	ok = true
	for _, house := range c.Rules().Houses() {
		p := newPairHouse(c, house.Cells)
		p.naked()
		p.hidden()
		changed, ok = changed || p.changed, ok && !p.broken
	}
	return changed, ok
}

// A pairHouse holds the candidates of a house as bit sets.
type pairHouse struct {
	*sudoku.Candidates
	cells  []int    // the cells without a digit
	digits []uint64 // by index in cells: the candidate digits
	places []uint64 // by digit: the possible cells, as indices in cells

	changed, broken bool
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

// strike eliminates digits from the cell with the given index in cells.
func (p *pairHouse) strike(cell int, digits uint64) {
	size := p.Rules().Size()
	for d := range size {
		if candidate := p.cells[cell]*size + d; digits>>d&1 != 0 && p.Has(candidate) {
			p.changed = true
			p.broken = !p.Eliminate(candidate) || p.broken
		}
	}
}

func (p *pairHouse) naked() {
	equalPairs(p.digits, func(i, j int) {
		for k := range p.cells {
			if k != i && k != j {
				p.strike(k, p.digits[i])
			}
		}
	})
}

func (p *pairHouse) hidden() {
	equalPairs(p.places, func(d, e int) {
		for k := range p.cells {
			if p.places[d]>>k&1 != 0 {
				p.strike(k, ^(1<<d | 1<<e))
			}
		}
	})
}

// equalPairs calls visit for all pairs of equal sets of size two.
func equalPairs(sets []uint64, visit func(i, j int)) {
	for i, set := range sets {
		for j := range i {
			if set == sets[j] && bits.OnesCount64(set) == 2 {
				visit(i, j)
			}
		}
	}
}

// twoSATRule eliminates and places the candidates that Eppstein's 2SAT rule
// forces.
func twoSATRule(c *sudoku.Candidates) (changed, ok bool) {
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
			changed, ok = true, c.Eliminate(candidate) && ok
		case !l.Neg() && c.Has(candidate):
			cell, digit := c.Rules().Split(candidate)
			if c.Digit(cell) != digit {
				changed, ok = true, c.Place(candidate) && ok
			}
		}
	}
	return changed, ok
}

// A branching chooses the candidate to branch on.
type branching struct {
	name   string
	words  string // what a person does
	choose func(*sudoku.Candidates, *rand.Rand) int
}

var branchings = []branching{
	{"first-cell", "the first empty cell, and its smallest digit left", func(c *sudoku.Candidates, _ *rand.Rand) int { return fewest(c, cellsOf(c), 1<<30) }},
	{"random-cell", "an empty cell and one of its digits at random", func(c *sudoku.Candidates, r *rand.Rand) int {
		cells := slices.DeleteFunc(cellsOf(c), func(g int) bool { return c.Left(g) < 2 })
		live := c.Live(cells[r.IntN(len(cells))], nil)
		return live[r.IntN(len(live))]
	}},
	{"fewest-digits", "the first cell with the fewest digits left", func(c *sudoku.Candidates, _ *rand.Rand) int { return fewest(c, cellsOf(c), 2) }},
	{"fewest-places", "the first digit and house with the fewest places left", func(c *sudoku.Candidates, _ *rand.Rand) int { return fewest(c, placesOf(c), 2) }},
	{"fewest-of-both", "a cell or a house, whichever has the fewest possibilities", func(c *sudoku.Candidates, _ *rand.Rand) int { return fewest(c, append(cellsOf(c), placesOf(c)...), 2) }},
	{"fewest-and-most-struck", "the same, and among equal ones the candidate that excludes the most others", func(c *sudoku.Candidates, _ *rand.Rand) int { return c.Choose() }},
}

// cellsOf returns the groups of candidates that are cells.
func cellsOf(c *sudoku.Candidates) []int {
	groups := make([]int, c.Rules().Cells())
	for g := range groups {
		groups[g] = g
	}
	return groups
}

// placesOf returns the groups of candidates that are the places of a digit in a
// house.
func placesOf(c *sudoku.Candidates) []int {
	r := c.Rules()
	groups := make([]int, r.Groups()-r.Cells())
	for g := range groups {
		groups[g] = r.Cells() + g
	}
	return groups
}

// fewest returns the first candidate of the first group with the fewest
// candidates, at least two. It stops at the first group with at most enough
// candidates.
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

// A humanSolver searches with human inference rules.
type humanSolver struct {
	ctx       context.Context
	infer     *inference
	branching *branching
	random    *rand.Rand
	limit     int64
	outcome   Outcome
	levels    []*sudoku.Candidates // by depth: the candidates before the branch
}

// solve searches for a solution and stops at the first.
func (s *humanSolver) solve(c *sudoku.Candidates, ok bool, depth int) dimacs.Status {
	s.outcome.Evaluations++
	s.outcome.Depth = max(s.outcome.Depth, int64(depth))
	if !ok || !s.propagate(c) {
		s.outcome.Conflicts++
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
	candidate := s.branching.choose(c, s.random)
	s.outcome.Decisions++
	if answer := s.solve(c, c.Place(candidate), depth+1); answer != dimacs.Unsatisfiable {
		return answer
	}
	s.outcome.Backtracks++
	c.CopyFrom(before)
	return s.solve(c, c.Eliminate(candidate), depth+1)
}

// propagate applies singles and the inference to the fixpoint. It reports
// whether no contradiction arose.
func (s *humanSolver) propagate(c *sudoku.Candidates) bool {
	for {
		if !c.Singles() {
			return false
		}
		if c.Solved() {
			return true
		}
		changed, ok := s.infer.step(c)
		if !ok {
			return false
		}
		if !changed {
			return true
		}
		s.outcome.Propagations++
	}
}

func (s *humanSolver) stopped() bool {
	if s.limit > 0 && s.outcome.Conflicts >= s.limit {
		s.outcome.Capped = true
		return true
	}
	return s.ctx.Err() != nil
}

func humanStudy() *Study {
	ways := names(branchings, func(g branching) string { return g.name })
	inferred := names(inferences, func(i inference) string { return i.name })
	return &Study{
		Name: "human",
		Help: "human solving rules as search heuristics for Sudoku",
		Description: `Solves puzzles by inference and branching on a candidate that a person would
choose, in a cell or house with the fewest candidates, and by DPLL with its
heuristics, as proposed by the paper that the study "givens" replicates.
Inference is singles only, equivalent to unit propagation on the extended
encoding, or singles and locked candidates, naked and hidden pairs, or the 2SAT
rule. Without a FILE, minimal puzzles are generated.`,
		Factors: []Factor{
			{Name: "infer", Help: "inference before a branch; DPLL has singles only", Default: inferred, Levels: inferred},
			{Name: "choose", Help: "branching: a human rule, or a heuristic of DPLL", Default: slices.Concat(ways, []string{"first", "mom", "jw1", "positive"}), Levels: slices.Concat(ways, heuristicNames())},
		},
		Subject:    "puzzle",
		Attributes: []string{"givens"},
		CountHelp:  "without a FILE, generate `N` puzzles",
		Count:      200,
		Conflicts:  20_000,
		puzzles:    true,
		subjects:   anyPuzzles,
		normalize: func(r *Run) bool {
			return slices.Contains(ways, r.level("choose")) || r.level("infer") == "singles"
		},
		measure: measureHuman,
		answer:  answerHuman,
		report: func(x *Results, r *Report) error {
			reportRules(r)
			return x.compare(r, comparison{by: "infer", title: "by what is inferred and where the search guesses", horizontal: "inference before a guess", quantity: "backtracks", of: backtracks, columns: []column{noBacktracks, solved}, base: "fewest-digits"})
		},
	}
}

func measureHuman(ctx context.Context, b *cache, r *Run, _ *Weights) Outcome {
	way := slices.IndexFunc(branchings, func(g branching) bool { return g.name == r.level("choose") })
	if way < 0 {
		o := b.puzzleRun(ctx, r, r.level("choose"), sudoku.Coding{Encoding: "extended"})
		o.Attributes = o.Attributes[:1]
		return o
	}
	g := r.subject.Puzzle
	s := &humanSolver{ctx: ctx, branching: &branchings[way], limit: r.plan.conflicts, random: rand.New(rand.NewPCG(r.plan.seed, uint64(r.subject.Number)))}
	for i := range inferences {
		if inferences[i].name == r.level("infer") {
			s.infer = &inferences[i]
		}
	}
	c := sudoku.NewCandidates(g.Rules)
	begin := time.Now()
	answer := s.solve(c, c.Load(g), 0)
	s.outcome.Seconds = time.Since(begin).Seconds()
	if answer == dimacs.Satisfiable && !slices.Equal(c.Cells(), r.subject.puzzle.solution) {
		panic("study: inference found a wrong solution")
	}
	s.outcome.Answer = answer
	s.outcome.Attributes = []string{fmt.Sprint(g.Givens())}
	return s.outcome
}

// reportRules tells the rules in words.
func reportRules(r *Report) {
	r.heading("The rules in words")
	var rows [][]string
	for _, i := range inferences {
		rows = append(rows, []string{i.name, i.words})
	}
	r.table([]string{"infer", "before a guess"}, rows)
	rows = nil
	for _, b := range branchings {
		rows = append(rows, []string{b.name, b.words})
	}
	r.table([]string{"choose", "the guess"}, rows)
	r.text("The other names are heuristics of DPLL on the extended encoding, which look at literals and clauses: see \"sator help solve\".")
}

// answerHuman answers the question of the study in three sentences.
func answerHuman(x *Results) string {
	human := func(r *Row) bool {
		return slices.ContainsFunc(branchings, func(b branching) bool { return b.name == r.level("choose") })
	}
	means := func(x *Results) (least, most string) {
		low, high := math.Inf(1), math.Inf(-1)
		for _, g := range x.groups() {
			m := mean(values(g.rows, backtracks))
			entry := fmt.Sprintf("%s (%s)", number(m), g.rows[0].level("choose"))
			if m < low {
				low, least = m, entry
			}
			if m > high {
				high, most = m, entry
			}
		}
		return least, most
	}
	var parts, free []string
	for _, i := range x.levelsOf("infer") {
		own := x.only("infer", i).where(human)
		if len(own.rows) == 0 {
			continue
		}
		least, most := means(own)
		parts = append(parts, fmt.Sprintf("with %s from %s to %s", i, least, most))
		free = append(free, fmt.Sprintf("%s with %s", percent(share(own.rows, func(r *Row) bool { return r.Backtracks == 0 })), i))
	}
	text := ""
	if len(parts) > 0 {
		text = fmt.Sprintf("The human rules take, as the mean number of backtracks, %s. Without a backtrack are %s.", strings.Join(parts, ", "), strings.Join(free, ", "))
	}
	if own := x.where(func(r *Row) bool { return !human(r) }); len(own.rows) > 0 {
		least, most := means(own)
		text += fmt.Sprintf(" The heuristics of DPLL, which infer singles only, take from %s to %s.", least, most)
	}
	return strings.TrimSpace(text)
}
