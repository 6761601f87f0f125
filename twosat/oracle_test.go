package twosat_test

import (
	"math/rand/v2"

	"sator/twosat"
)

// plainTarjan is the textbook's version of Tarjan's algorithm, with an explicit
// stack instead of recursion. Index, lowlink and "is on the stack" are separate
// tables. It is the oracle of Condense, and the benchmarks compare solving with
// it. It returns the component of each vertex, in reverse topological order, and
// the number of components.
func plainTarjan(g *twosat.Graph) (of []uint32, count int) {
	n := g.Len()
	of = make([]uint32, n)
	index := make([]uint32, n) // 0 before discovery
	low := make([]uint32, n)
	onStack := make([]bool, n)
	next := uint32(1)
	type call struct{ v, i uint32 }
	var calls []call
	var stack []uint32
	visit := func(v uint32) {
		index[v], low[v] = next, next
		next++
		stack = append(stack, v)
		onStack[v] = true
		calls = append(calls, call{v, 0})
	}
	for root := range uint32(n) {
		if index[root] != 0 {
			continue
		}
		visit(root)
		for len(calls) > 0 {
			c := &calls[len(calls)-1]
			v := c.v
			if row := g.Row(v); int(c.i) < len(row) {
				w := row[c.i]
				c.i++
				if index[w] == 0 {
					visit(w)
				} else if onStack[w] {
					low[v] = min(low[v], index[w])
				}
				continue
			}
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				u := calls[len(calls)-1].v
				low[u] = min(low[u], low[v])
			}
			if low[v] != index[v] {
				continue
			}
			for {
				w := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				onStack[w] = false
				of[w] = uint32(count)
				if w == v {
					break
				}
			}
			count++
		}
	}
	return of, count
}

// randomGraph returns a graph of random edges with parallel edges and loops.
func randomGraph(seed uint64, vertices, edges int) *twosat.Graph {
	r := rand.New(rand.NewPCG(seed, 1))
	var es []twosat.Edge
	for range edges {
		e := twosat.Edge{uint32(r.IntN(vertices)), uint32(r.IntN(vertices))}
		es = append(es, e)
		if r.IntN(8) == 0 {
			es = append(es, e)
		}
	}
	return twosat.NewGraph(vertices, es)
}

// randomDAG returns a graph of random edges along a hidden order of the vertices.
func randomDAG(seed uint64, vertices, edges int) *twosat.Graph {
	r := rand.New(rand.NewPCG(seed, 2))
	order := r.Perm(vertices)
	var es []twosat.Edge
	for range edges {
		a, b := r.IntN(vertices), r.IntN(vertices)
		if a != b {
			es = append(es, twosat.Edge{uint32(order[min(a, b)]), uint32(order[max(a, b)])})
		}
	}
	return twosat.NewGraph(vertices, es)
}

// reached marks the vertices that u reaches, by depth-first search.
func reached(g *twosat.Graph, u uint32) []bool {
	marked := make([]bool, g.Len())
	marked[u] = true
	for stack := []uint32{u}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, w := range g.Row(v) {
			if !marked[w] {
				marked[w] = true
				stack = append(stack, w)
			}
		}
	}
	return marked
}
