package infer

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/sudoku"
)

// TestClosure takes random paths of the search and compares the incremental closure
// with the graph that is built at each node: at a fixpoint the graph must force nothing
// more. It also checks that backtracking restores the table.
func TestClosure(t *testing.T) {
	all := variants()
	for name, v := range nines() {
		all[name] = v
	}
	nodes := 0
	for name, v := range all {
		rng := rand.New(rand.NewPCG(9, 9))
		r := sudoku.Must(v)
		solution := full(rng, r)
		for i := range 30 {
			g := emptied(rng, solution, r.Cells()*(4+rng.IntN(4))/8)
			s := New(r, Options{Rule: Every, Trivalue: i&1 != 0, NoLocked: i&2 != 0})
			s.run = run{rule: Every, fits: true}
			p := randomPath{t: t, name: name, s: s, rng: rng, oracle: new(instance)}
			c := s.candidatesAt(0)
			if !c.Load(g) {
				continue // there is no full grid with these rules
			}
			p.walk(c, 0)
			nodes += p.nodes
		}
	}
	if nodes < 1000 {
		t.Errorf("only %d nodes", nodes)
	}
}

// A randomPath is a search with random choices.
type randomPath struct {
	t      *testing.T
	name   string
	s      *Solver
	rng    *rand.Rand
	oracle *instance
	nodes  int
}

// walk infers at a node, and takes both branches of a random candidate.
func (p *randomPath) walk(c *sudoku.Candidates, depth int) {
	if p.nodes++; p.nodes > 40 || !p.s.propagate(background, c) || c.Solved() {
		return
	}
	if !p.s.closure.active {
		p.t.Fatalf("%s: no closure", p.name)
	}
	p.oracle.build(c, p.s.options.Trivalue)
	if forced, status := p.oracle.solver.Forced(background); status != dimacs.Satisfiable || len(forced.Lits()) > 0 {
		p.t.Fatalf("%s: the graph of a node forces more literals, status %v", p.name, status)
	}
	var open []int
	for candidate := range p.s.closure.numbers {
		if c.Has(candidate) && c.Digit(candidate/c.Rules().Size()) == 0 {
			open = append(open, candidate)
		}
	}
	choice := open[p.rng.IntN(len(open))]
	k, m := &p.s.closure, &p.s.levels[depth].mark
	k.save(m)
	rows := slices.Clone(k.rows)
	next := p.s.candidatesAt(depth + 1)
	next.CopyFrom(c)
	if next.Place(choice) {
		p.walk(next, depth+1)
	}
	if k.restore(&p.s.levels[depth].mark); !slices.Equal(rows, k.rows) {
		p.t.Fatalf("%s: backtracking does not restore the table", p.name)
	}
	if c.Eliminate(choice) {
		p.walk(c, depth)
	}
}
