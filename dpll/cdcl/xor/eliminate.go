package xor

import (
	"sator/dimacs"
	"sator/dpll/cdcl/inprocess"
	"sator/dpll/cdcl/order"
	"sator/dpll/cdcl/radix"
	"slices"
)

// Elimination modulo 2 of sparse rows. Rows of given constraints sit in slots. A step
// chooses a pivot, a variable of a row, adds the row to all others that contain the
// variable, and puts it aside. So the rows that are left are about the other
// variables. Two rules keep them short, and the log with them, from which a proof
// is made:
//
//   - A variable that is in one row alone takes that row aside without any addition.
//     Of most formulas nothing is left then, and the time is linear.
//   - Otherwise it is the turn of a shortest row, with the variable in it that fewest
//     others contain. On the sums over vertices of a graph this joins the smallest
//     parts first, so that each edge is carried along some log n times.
//
// A sum is a new row that remembers what it is the sum of. The variables of the old
// one are forgotten then; they can be computed again.

// A gauss is a system under elimination.
type gauss struct {
	host   inprocess.Host
	budget inprocess.Budget
	proof  dimacs.Proof
	*system
	sums   int64      // of two rows
	at     []int32    // by slot: its row
	occurs [][]uint32 // by variable: slots that contain it
	queue  order.Heap // slots, the shortest row first
	single []uint32   // variables that were in one slot alone when they came here
	pivots []pivot    // in the order in which they were chosen
	order  []int32    // by variable: index in pivots, or noRow
	empty  int32      // a row that says 0 = 1, or noRow
}

// A pivot is a variable and the row that was put aside for it: it has no variable
// that was the pivot of a row before.
type pivot struct {
	v   uint32
	row int32
}

func newGauss(h inprocess.Host, sys *system, budget int64) *gauss {
	g := &gauss{host: h, budget: inprocess.NewBudget(h, budget), proof: h.Proof(), system: sys, empty: noRow}
	g.at = make([]int32, len(sys.rows))
	g.occurs = make([][]uint32, len(sys.names))
	g.order = make([]int32, len(sys.names))
	g.queue.Grow(len(sys.rows))
	for i := range g.rows {
		g.at[i] = int32(i)
		for _, v := range g.rows[i].vars {
			g.occurs[v] = append(g.occurs[v], uint32(i))
		}
		g.enqueue(uint32(i))
	}
	for v := range g.order {
		g.order[v] = noRow
		if len(g.occurs[v]) == 1 {
			g.single = append(g.single, uint32(v))
		}
	}
	return g
}

// enqueue puts a slot where it belongs by the length of its row.
func (g *gauss) enqueue(slot uint32) {
	g.queue.Remove(slot)
	g.queue.Score[slot] = -float64(len(g.rows[g.at[slot]].vars))
	g.queue.Push(slot)
}

// eliminate puts rows aside until none is left, the budget is used up, or a row says
// 0 = 1.
func (g *gauss) eliminate() {
	for g.empty == noRow && !g.budget.Spent() {
		if n := len(g.single); n > 0 {
			v := g.single[n-1]
			g.single = g.single[:n-1]
			if len(g.occurs[v]) == 1 {
				g.putAside(g.occurs[v][0], v)
			}
			continue
		}
		if len(g.queue.Items) == 0 {
			return
		}
		slot := g.queue.Items[0]
		v := g.rarest(g.rows[g.at[slot]].vars)
		for _, other := range slices.Clone(g.occurs[v]) {
			if other != slot {
				g.addTo(other, slot)
			}
		}
		g.putAside(slot, v)
	}
}

// rarest returns the variable that is in the fewest slots.
func (g *gauss) rarest(vars []uint32) uint32 {
	best := vars[0]
	for _, v := range vars {
		if len(g.occurs[v]) < len(g.occurs[best]) {
			best = v
		}
	}
	*g.budget.Ticks += int64(1 + len(vars)>>2)
	return best
}

// putAside takes the row of a slot out of the elimination, as that of the pivot v.
func (g *gauss) putAside(slot, v uint32) {
	r := g.at[slot]
	g.order[v] = int32(len(g.pivots))
	g.pivots = append(g.pivots, pivot{v, r})
	g.queue.Remove(slot)
	for _, u := range g.rows[r].vars {
		g.leave(slot, u)
	}
}

// leave notes that v is not in a slot any more.
func (g *gauss) leave(slot, v uint32) {
	ss := g.occurs[v]
	i := slices.Index(ss, slot)
	*g.budget.Ticks += int64(1 + i>>4)
	last := len(ss) - 1
	ss[i] = ss[last]
	g.occurs[v] = ss[:last]
	if last == 1 {
		g.single = append(g.single, v)
	}
}

// addTo adds the row of a slot to that of another one.
func (g *gauss) addTo(to, slot uint32) {
	old := g.at[to]
	r := g.sum(old, g.at[slot])
	was, is := g.rows[old].vars, g.rows[r].vars
	for i, j := 0, 0; i < len(was) || j < len(is); {
		switch {
		case j == len(is) || i < len(was) && was[i] < is[j]:
			g.leave(to, was[i])
			i++
		case i == len(was) || is[j] < was[i]:
			g.occurs[is[j]] = append(g.occurs[is[j]], to)
			j++
		default:
			i++
			j++
		}
	}
	g.forget(old)
	if g.at[to] = r; len(is) > 0 {
		g.enqueue(to)
		return
	}
	g.queue.Remove(to)
	if g.rows[r].odd {
		g.empty = r
	}
}

// sum adds a row that is the sum of two.
func (g *gauss) sum(a, b int32) int32 {
	x, y := &g.rows[a], &g.rows[b]
	vars := symmetricDifference(make([]uint32, 0, len(x.vars)+len(y.vars)), x.vars, y.vars)
	g.rows = append(g.rows, row{slices.Clip(vars), len(vars), x.odd != y.odd, [2]int32{a, b}})
	*g.budget.Ticks += int64(2 + (len(x.vars)+len(y.vars))>>2)
	g.sums++
	return int32(len(g.rows) - 1)
}

// forget drops the variables of a row that is a sum.
func (g *gauss) forget(r int32) {
	if g.rows[r].of[0] != noRow {
		g.rows[r].vars = nil
	}
}

// symmetricDifference appends to c what is in one of the ascending a and b alone.
func symmetricDifference(c, a, b []uint32) []uint32 {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			c, a = append(c, a[0]), a[1:]
		case b[0] < a[0]:
			c, b = append(c, b[0]), b[1:]
		default:
			a, b = a[1:], b[1:]
		}
	}
	return append(append(c, a...), b...)
}

// Once rows are put aside, each pivot is a sum of variables that are none, which
// substitution from the last pivot back would find. The sums may be long. But what
// is of use is only which of them are empty, so that the pivot is a unit, and which
// are equal to one another or to a single variable. So fingerprints take their
// place: a random number for each variable that is no pivot, and for the others what
// the sum of these makes. This is linear in the rows. Each finding is then made sure
// of, and derived, by substitution for the one or two variables that it is about: from
// the last pivot back, so that what was found before is put to use.

// fingerprints returns the sums for which the variables stand.
func (g *gauss) fingerprints() []uint64 {
	prints := make([]uint64, len(g.names))
	for v := range prints {
		if g.order[v] == noRow {
			prints[v] = scramble(uint32(v))
		}
	}
	for _, p := range slices.Backward(g.pivots) {
		vars := g.rows[p.row].vars
		*g.budget.Ticks += int64(1 + len(vars)>>2)
		for _, u := range vars {
			if u != p.v {
				prints[p.v] ^= prints[u]
			}
		}
	}
	return prints
}

// short derives rows of one and of two variables, as far as the budget goes.
func (g *gauss) short() []int32 {
	prints := g.fingerprints()
	vars := g.latestFirst()
	first := g.groups(vars, prints)
	known := g.equalities()
	var found []int32
	for i, v := range vars {
		r, u := int32(noRow), vars[first[i]]
		switch {
		case g.budget.Spent():
			return found
		case prints[v] == 0:
			r = g.combine(v)
		case u != v && prints[u] == prints[v] && known.join(u, v):
			r = g.combine(u, v)
		}
		if r != noRow {
			found = append(found, r)
			g.pivots[g.order[v]].row = r
		}
	}
	return found
}

// latestFirst returns the variables that are no pivots, and then those that are, the
// last one first.
func (g *gauss) latestFirst() []uint32 {
	var vars []uint32
	for v := range g.order {
		if g.order[v] == noRow {
			vars = append(vars, uint32(v))
		}
	}
	for _, p := range slices.Backward(g.pivots) {
		vars = append(vars, p.v)
	}
	return vars
}

// groups returns for each of the variables the index of the first one with the same
// fingerprint, or with one that is half the same.
func (g *gauss) groups(vars []uint32, prints []uint64) []uint32 {
	keys := make([]uint64, len(vars))
	for i, v := range vars {
		keys[i] = prints[v]>>32<<32 | uint64(i)
	}
	*g.budget.Ticks += int64(len(keys))
	radix.Sort(keys, nil)
	first := make([]uint32, len(vars))
	from := uint64(0)
	for _, k := range keys {
		if k>>32 != from>>32 || from == 0 {
			from = k
		}
		first[uint32(k)] = uint32(from)
	}
	return first
}

// combine derives the row of these variables alone, in which they are substituted
// one pivot after the other. It returns noRow if that is not what follows, or if it is
// given.
func (g *gauss) combine(vars ...uint32) int32 {
	var used []int32
	rest := slices.Clone(vars)
	slices.Sort(rest)
	for len(rest) > 0 && !g.budget.Spent() {
		first := int32(noRow)
		for _, v := range rest {
			if at := g.order[v]; at != noRow && (first == noRow || at < first) {
				first = at
			}
		}
		if first == noRow {
			return noRow
		}
		r := g.pivots[first].row
		used = append(used, r)
		*g.budget.Ticks += int64(2 + (len(rest)+len(g.rows[r].vars))>>2)
		rest = symmetricDifference(nil, rest, g.rows[r].vars)
	}
	if len(rest) > 0 {
		return noRow
	}
	sum := used[0]
	for _, r := range used[1:] {
		next := g.sum(sum, r)
		if sum != used[0] {
			g.forget(sum)
		}
		sum = next
	}
	if g.rows[sum].of[0] == noRow {
		return noRow
	}
	return sum
}

// equalities has the variables together that given rows make equal.
func (g *gauss) equalities() partition {
	p := make(partition, len(g.names))
	for v := range p {
		p[v] = uint32(v)
	}
	for i := range g.rows {
		if r := &g.rows[i]; r.of[0] == noRow && len(r.vars) == 2 {
			p.join(r.vars[0], r.vars[1])
		}
	}
	return p
}

// A partition has for each element another one that is with it, or itself.
type partition []uint32

func (p partition) find(x uint32) uint32 {
	for p[x] != x {
		p[x] = p[p[x]]
		x = p[x]
	}
	return x
}

// join reports whether x and y were apart.
func (p partition) join(x, y uint32) bool {
	x, y = p.find(x), p.find(y)
	p[max(x, y)] = min(x, y)
	return x != y
}
