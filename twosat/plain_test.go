package twosat_test

import (
	"math/rand/v2"

	"sator/twosat"
)

// plainTarjan finds the components as textbooks do, with a stack of its own in
// place of recursion: it is what Condense is tested against, and what solving
// is compared with. Index, lowlink and "is on the stack" are separate tables.
// It returns the component of each vertex, in reverse topological order, and
// their number.
func plainTarjan(g *twosat.Graph) (of []uint32, count int) {
	n := g.Len()
	of = make([]uint32, n)
	index := make([]uint32, n) // 0 before the vertex is found
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

// randomGraph draws edges, some of them twice and some from a vertex to itself.
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

// randomDAG draws edges between vertices in a hidden order.
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

// reached marks what can be reached from u, by depth-first search.
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
