package explain

import (
	"context"
	"math/rand/v2"
	"testing"

	"sator/dimacs"
	"sator/internal/sudokutest"
	"sator/sudoku"
)

// A propagator does plain unit propagation on clauses.
type propagator struct {
	f     *dimacs.Formula
	occur [][]int // clauses, by literal
}

func newPropagator(f *dimacs.Formula) *propagator {
	p := &propagator{f: f, occur: make([][]int, 2*f.Vars())}
	for i, c := range f.Clauses() {
		for _, l := range c {
			p.occur[l] = append(p.occur[l], i)
		}
	}
	return p
}

// propagate makes literals and their consequences true in the model. It returns
// false if a clause is falsified.
func (p *propagator) propagate(m dimacs.Model, queue ...dimacs.Lit) bool {
	for len(queue) > 0 {
		l := queue[0]
		queue = queue[1:]
		switch m.Lit(l) {
		case dimacs.True:
			continue
		case dimacs.False:
			return false
		}
		m.Set(l)
		for _, i := range p.occur[l.Not()] {
			c := p.f.Clause(i)
			if m.Clause(c) != dimacs.Unassigned {
				if m.Clause(c) == dimacs.False {
					return false
				}
				continue
			}
			var open []dimacs.Lit
			for _, l := range c {
				if m.Lit(l) == dimacs.Unassigned {
					open = append(open, l)
				}
			}
			if len(open) == 1 {
				queue = append(queue, open[0])
			}
		}
	}
	return true
}

// probe assumes every literal in turn, and adds the complements of failed literals
// to the model, until no literal fails. It returns false at a contradiction.
func (p *propagator) probe(m dimacs.Model) bool {
	for changed := true; changed; {
		changed = false
		for l := range dimacs.Lit(2 * len(m)) {
			if m.Lit(l) != dimacs.Unassigned {
				continue
			}
			trial := append(dimacs.Model(nil), m...)
			if !p.propagate(trial, l) {
				if !p.propagate(m, l.Not()) {
					return false
				}
				changed = true
			}
		}
	}
	return true
}

// TestFailedLiterals compares the prober, which probes candidates as true only,
// with failed literals of both polarities on the formula, literal by literal. It
// also compares singles with unit propagation. Half of the puzzles have a wrong
// digit.
func TestFailedLiterals(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	var classes [3]int
	for _, k := range kinds {
		name, r := k.name, k.Rules
		if len(r.Cages()) > 0 {
			continue // propagation depends on the encoding of cages
		}
		cnf, err := r.Encode(sudoku.Coding{Encoding: "extended"})
		if err != nil {
			t.Fatal(err)
		}
		p, prober, c := newPropagator(cnf.Formula), NewProber(r), sudoku.NewCandidates(r)
		for i := range max(2, 600/r.Cells()) {
			g, _ := puzzle(rng, r, 1)
			if i%2 == 1 {
				spoil(rng, g)
			}
			m := make(dimacs.Model, cnf.Formula.Vars())
			want := p.propagate(m, cnf.Map.Givens(g)...)
			got := c.Load(g) && c.Singles()
			compare(t, name+", singles", cnf.Map, m, want, c, got)
			class, err := prober.Class(background, g)
			if err != nil {
				t.Fatal(err)
			}
			classes[class]++
			if settled := !want || !contains(m, dimacs.Unassigned); settled != (class == ByPropagation) {
				t.Errorf("%s: %v: the class is %v", name, g.Cells, class)
			}
			if want && got {
				want = p.probe(m)
				got, err = prober.probe(background, c)
				if err != nil {
					t.Fatal(err)
				}
				compare(t, name+", failed literals", cnf.Map, m, want, c, got)
				if settled := !want || !contains(m, dimacs.Unassigned); settled != (class <= ByProbing) {
					t.Errorf("%s: %v: the class is %v", name, g.Cells, class)
				}
			}
		}
	}
	if classes[ByPropagation] == 0 || classes[ByProbing] == 0 {
		t.Errorf("the puzzles do not have all classes: %v", classes)
	}
}

// spoil changes a given to a wrong digit that breaks no rule at once.
func spoil(rng *rand.Rand, g *sudoku.Grid) {
	for _, cell := range rng.Perm(len(g.Cells)) {
		was := g.Cells[cell]
		if was == 0 {
			continue
		}
		g.Cells[cell] = 0
		for _, digit := range sudokutest.Allowed(g, cell) {
			if digit != was {
				g.Cells[cell] = digit
				return
			}
		}
		g.Cells[cell] = was
	}
}

func contains(m dimacs.Model, v dimacs.Value) bool {
	for _, w := range m {
		if w == v {
			return true
		}
	}
	return false
}

// compare compares candidates with a partial model.
func compare(t *testing.T, name string, codec *sudoku.Map, m dimacs.Model, want bool, c *sudoku.Candidates, got bool) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: consistent is %v", name, got)
	}
	if !want {
		return
	}
	r := c.Rules()
	for candidate := range r.Cells() * r.Size() {
		l, _ := codec.Lit(candidate)
		cell, digit := r.Split(candidate)
		value := dimacs.Unassigned
		switch {
		case c.Digit(cell) == digit:
			value = dimacs.True
		case !c.Has(candidate):
			value = dimacs.False
		}
		if value != m.Lit(l) {
			t.Fatalf("%s: %s is %v, by clauses %v", name, statement(r, candidate, true), value, m.Lit(l))
		}
	}
}

// TestCagesProbed compares the prober with assumptions of both polarities for all
// candidates, on puzzles with cages. It also checks that no candidate of the
// solution is eliminated.
func TestCagesProbed(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	large := killer9(rng)
	for i := range 60 {
		r := killer4
		if i >= 54 {
			r = large
		}
		g, solution := puzzle(rng, r, 1)
		want, c := sudoku.NewCandidates(r), sudoku.NewCandidates(r)
		want.Load(g)
		want.Singles()
		assumeAll(want)
		c.Load(g)
		if ok, err := NewProber(r).probe(background, c); !ok || err != nil {
			t.Fatalf("%v: %v, %v", g.Cells, ok, err)
		}
		for candidate := range r.Cells() * r.Size() {
			if c.Has(candidate) != want.Has(candidate) {
				t.Fatalf("%v: %s is left: %v", g.Cells, statement(r, candidate, true), c.Has(candidate))
			}
		}
		for cell, digit := range solution {
			if !c.Has(r.Candidate(cell, digit)) {
				t.Fatalf("%v: %s was eliminated", g.Cells, statement(r, r.Candidate(cell, digit), true))
			}
		}
	}
}

// assumeAll probes each candidate as true and as false until no assumption fails.
func assumeAll(c *sudoku.Candidates) {
	trial := sudoku.NewCandidates(c.Rules())
	for changed := true; changed; {
		changed = false
		for _, candidate := range open(c, nil) {
			if !c.Has(candidate) {
				continue
			}
			if trial.CopyFrom(c); !trial.Place(candidate) || !trial.Singles() {
				changed = true
				c.Eliminate(candidate)
				c.Singles()
			}
			if trial.CopyFrom(c); c.Has(candidate) && (!trial.Eliminate(candidate) || !trial.Singles()) {
				changed = true
				c.Place(candidate)
				c.Singles()
			}
		}
	}
}

// killer9 returns rules of size 9 with random cages, whose sums are those of a
// solution.
func killer9(rng *rand.Rand) *sudoku.Rules {
	solution := random(rng, sudoku.NewCandidates(nine))
	v := sudoku.Standard(9)
	for row := 0; row < 9; row++ {
		for column := 0; column < 9; {
			n := min(2+rng.IntN(3), 9-column)
			cage := sudoku.Cage{}
			for ; n > 0; n-- {
				cell := row*9 + column
				cage.Cells = append(cage.Cells, cell)
				cage.Sum += solution[cell]
				column++
			}
			v.Cages = append(v.Cages, cage)
		}
	}
	return sudoku.Must(v)
}

// unprobed has the puzzles of the list top1465 that failed literals do not solve.
var unprobed = []string{
	"7.....4...2..7..8...3..8..9...5..3...6..2..9...1..7..6...3..9...3..4..6...9..1..5",
	".9.....2...5..4.......61.....6...1.8...3...7.......6..23.9.........8.4..7........",
	".2.....74.98.1.............7..3.5..6....2.9..1..............83....6.7......4.....",
	"7.8...3.....2.1...5.........4.....263...8.......1...9..9.6....4....7.5...........",
	"7.8...3.....6.1...5.........4.....263...8.......1...9..9.2....4....7.5...........",
	".4.7...6...39............57.......3.2...8.....19...57.6...4.....5.1......2...6.84",
}

func TestBeyondFailedLiterals(t *testing.T) {
	p := NewProber(nine)
	for _, text := range unprobed {
		if class, err := p.Class(background, sudokutest.Parse(nine, text)); class != BySearch || err != nil {
			t.Errorf("%s: class %v, %v", text, class, err)
		}
	}
}

// TestCollections counts the classes of puzzles in well-known collections.
func TestCollections(t *testing.T) {
	for name, want := range map[string][3]int{
		"17clue-8000.txt": {4060, 3940, 0},
		"study-1011.txt":  {222, 789, 0},
		"top1465.txt":     {0, 1459, 6},
		"top95.txt":       {0, 95, 0},
		"damnhard-35.txt": {2, 33, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := NewProber(nine)
			var got [3]int
			for _, g := range sudokutest.List(t, name) {
				class, err := p.Class(background, g)
				if err != nil {
					t.Fatal(err)
				}
				got[class]++
			}
			if got != want {
				t.Errorf("%v puzzles by class, want %v", got, want)
			}
		})
	}
}

func TestClassNames(t *testing.T) {
	for i, name := range ClassNames() {
		if c, err := ParseClass(name); err != nil || c != Class(i) || c.String() != name {
			t.Errorf("%s is %v, %v", name, c, err)
		}
	}
	if _, err := ParseClass("hard"); err == nil {
		t.Error("hard is a class")
	}
}

func TestProbeStops(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := NewProber(nine).Class(ctx, sudokutest.Parse(nine, unprobed[0])); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

func BenchmarkClass(b *testing.B) {
	p, g := NewProber(nine), sudokutest.Parse(nine, unprobed[1])
	for b.Loop() {
		if class, err := p.Class(background, g); class != BySearch || err != nil {
			b.Fatal(class, err)
		}
	}
}
