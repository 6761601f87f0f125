package replay

import (
	"math/rand/v2"
	"slices"

	"sator/dimacs"
)

// Generated traces: the ways in which programs use an incremental solver. Each exercises
// another cost: a new solver, the decisions for assumptions, the reuse of learned clauses,
// clauses added between calls, and refutations that need more than search.

// A Workload generates a trace.
type Workload struct {
	Name string
	Help string
	Make func(seed uint64, calls int) *Trace
}

// Workloads lists the workloads.
var Workloads = []Workload{
	{"fresh", "a new solver for each random 3-SAT formula of 20 variables", fresh},
	{"assumptions", "a random 3-SAT formula of 150 variables under 12 assumptions each", assumptions},
	{"growing", "3-coloring of a random graph, with edges added between calls", growing},
	{"selectors", "2,000 clauses with selectors, of which calls switch off some", selectors},
	{"pigeons", "pigeonhole formulas whose holes are closed by assumptions", guardedPigeons},
}

// source returns the random numbers of a workload.
func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x7e91a)) }

// random3 returns a random clause of three literals of different variables.
func random3(r *rand.Rand, vars int) []dimacs.Lit {
	c := make([]dimacs.Lit, 0, 3)
	for len(c) < 3 {
		l := dimacs.Lit(r.IntN(2 * vars))
		if !slices.Contains(c, l) && !slices.Contains(c, l.Not()) {
			c = append(c, l)
		}
	}
	return c
}

func fresh(seed uint64, calls int) *Trace {
	r, t := source(seed), new(Trace)
	for range calls {
		t.New()
		for range 80 {
			t.Add(random3(r, 20)...)
		}
		t.Solve()
	}
	return t
}

func assumptions(seed uint64, calls int) *Trace {
	r, t := source(seed), new(Trace)
	for range 570 {
		t.Add(random3(r, 150)...)
	}
	for range calls {
		var assumed []dimacs.Lit
		for range 12 {
			assumed = append(assumed, dimacs.Lit(r.IntN(2*150)))
		}
		t.Solve(assumed...)
	}
	return t
}

func growing(seed uint64, calls int) *Trace {
	const nodes, colors = 120, 3
	r, t := source(seed), new(Trace)
	color := func(node, c int) dimacs.Lit { return dimacs.Var(colors*node + c).Lit() }
	for node := range nodes {
		t.Add(color(node, 0), color(node, 1), color(node, 2))
	}
	for range calls {
		for range 3 {
			a, b := r.IntN(nodes), r.IntN(nodes-1)
			if b >= a {
				b++
			}
			for c := range colors {
				t.Add(color(a, c).Not(), color(b, c).Not())
			}
		}
		t.Solve()
	}
	return t
}

func selectors(seed uint64, calls int) *Trace {
	const vars, clauses = 520, 2000
	r, t := source(seed), new(Trace)
	var on []dimacs.Lit
	for i := range clauses {
		on = append(on, dimacs.Var(vars+i).Lit())
		t.Add(append(random3(r, vars), on[i].Not())...)
	}
	for range calls {
		assumed := append([]dimacs.Lit(nil), on...)
		for range r.IntN(200) {
			i := r.IntN(clauses)
			assumed[i] = on[i].Not()
		}
		t.Solve(assumed...)
	}
	return t
}

func guardedPigeons(_ uint64, calls int) *Trace {
	const holes = 7
	t := new(Trace)
	at := func(p, h int) dimacs.Lit { return dimacs.Var(p*holes + h).Lit() }
	guard := func(h int) dimacs.Lit { return dimacs.Var((holes+1)*holes + h).Lit() }
	for p := range holes + 1 {
		var somewhere []dimacs.Lit
		for h := range holes {
			somewhere = append(somewhere, at(p, h))
			for q := range p {
				t.Add(guard(h).Not(), at(p, h).Not(), at(q, h).Not())
			}
		}
		t.Add(somewhere...)
	}
	for call := range calls {
		var closed []dimacs.Lit
		for h := range holes - (calls-1-call)%(holes+1) {
			closed = append(closed, guard(h))
		}
		t.Solve(closed...)
	}
	return t
}
