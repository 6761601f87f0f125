package cardinality

import (
	"slices"

	"sator/dimacs"
)

// The detection of at-most-one and at-most-two constraints (see the package comment).

// findConstraints finds the constraints over the literals of the class.
func (f *finder) findConstraints() {
	f.slots = 0
	for _, c := range f.class {
		for _, n := range f.clause(c) {
			if f.budget.Spent() {
				return
			}
			switch {
			case f.nodes[n].slot != 0:
			case f.bound == 2:
				f.growAtMostTwo(n)
			default:
				f.growClique(n)
			}
		}
	}
}

// growClique makes an AMO constraint of a node and others, if the node is mutually
// exclusive with any of them.
func (f *finder) growClique(n uint32) {
	f.slots++
	slot, first := f.slots, &f.nodes[n]
	first.slot = slot
	f.stamp++
	mark := f.stamp
	f.marked[first.clause-1] = mark
	f.neighbors = f.exclusive(n, f.neighbors[:0])
	for _, k := range f.neighbors {
		f.nodes[k].count = 1
	}
	size := uint32(1)
	for _, k := range f.neighbors {
		x := &f.nodes[k]
		if x.count < size || x.slot != 0 || f.marked[x.clause-1] == mark {
			continue
		}
		x.slot = slot
		f.marked[x.clause-1] = mark
		size++
		f.common = f.exclusive(k, f.common[:0])
		for _, j := range f.common {
			if y := &f.nodes[j]; y.count == size-1 {
				y.count = size
			}
		}
	}
	for _, k := range f.neighbors {
		f.nodes[k].count = 0
	}
	if size == 1 {
		first.slot = 0
		f.slots--
	}
}

// exclusive appends to found the nodes of the class that are mutually exclusive with n.
func (f *finder) exclusive(n uint32, found []uint32) []uint32 {
	f.stamp++
	l := f.nodes[n].lit
	f.reached[l], f.reached[l^1] = f.stamp, f.stamp
	f.queue = append(f.queue[:0], uint32(l))
	for i := 0; i < len(f.queue); i++ {
		l := dimacs.Lit(f.queue[i])
		*f.budget.Ticks += 1 + int64(f.g.Degree(l)>>2)
		for _, h := range f.g.Heads[f.g.Start[l]:f.g.Start[l+1]] {
			if f.reached[h] == f.stamp {
				continue
			}
			f.reached[h] = f.stamp
			if k := f.nodeOf[h^1]; k != 0 && f.nodes[k].clause != 0 {
				found = append(found, k)
			}
			if f.paths && len(f.queue) < maxImplied {
				f.queue = append(f.queue, h)
			}
		}
	}
	return found
}

// A ternaryIndex lists the ternary clauses by literal. The clauses with the complement of
// l are refs[start[l]:start[l+1]].
type ternaryIndex struct {
	start []uint32
	refs  []uint32
}

// minTernary is the number of ternary clauses of a literal in an at-most-two constraint
// of five literals. Smaller constraints have at most two literals for each slot. Clauses
// have two literals or more, so that these slots suffice.
const minTernary = 6

// listTernary builds the index of ternary clauses. It reports false if the call was
// stopped.
func (f *finder) listTernary() bool {
	x := &f.ternary
	x.start = make([]uint32, len(f.vals)+2)
	if !f.eachTernary(func(r, l uint32) { x.start[l+2]++ }) {
		return false
	}
	for l := range x.start[1:] {
		x.start[l+1] += x.start[l]
	}
	x.refs = make([]uint32, x.start[len(x.start)-1])
	return f.eachTernary(func(r, l uint32) {
		x.refs[x.start[l+1]] = r
		x.start[l+1]++
	})
}

// eachTernary calls visit three times for each clause of three unassigned literals, with
// its reference and the complement of one of its literals. It reports false if the call
// was stopped.
func (f *finder) eachTernary(visit func(r, l uint32)) bool {
	visited, ok := f.host.EachClause(func(r uint32, c []uint32) bool {
		if len(c) == 3 && !slices.ContainsFunc(c, func(w uint32) bool { return f.vals[w] != 0 }) {
			for _, w := range c {
				visit(r, w^1)
			}
		}
		return true
	})
	*f.budget.Ticks += int64(visited)
	return ok
}

// growAtMostTwo makes an at-most-two constraint of a node and others, if any three of
// them have a ternary clause. A duplicate clause is counted twice; ternaryComplete
// detects this.
func (f *finder) growAtMostTwo(n uint32) {
	slot := f.slots + 1
	f.stamp++
	mark := f.stamp
	f.addMember(n, slot, mark)
	size := uint32(1)
	f.neighbors = f.ternaryNeighbors(n, f.neighbors[:0])
	for _, k := range f.neighbors {
		x := &f.nodes[k]
		if x.count < size*(size-1)/2 || x.slot != 0 || f.marked[x.clause-1] == mark {
			continue
		}
		f.addMember(k, slot, mark)
		size++
	}
	for _, k := range f.neighbors {
		f.nodes[k].count = 0
		if size < 3 && f.nodes[k].slot == slot {
			f.nodes[k].slot = 0
		}
	}
	if size < 3 {
		f.nodes[n].slot = 0
	} else {
		f.slots += 2
	}
}

// addMember adds a node to the constraint with this slot and this mark. For each node
// outside it increments the count once for each ternary clause with n and another member.
func (f *finder) addMember(n, slot, mark uint32) {
	f.nodes[n].slot = slot
	f.marked[f.nodes[n].clause-1] = mark
	f.eachTernaryOf(n, func(j, k uint32) {
		switch {
		case f.nodes[j].slot == slot && f.nodes[k].slot != slot:
			f.nodes[k].count++
		case f.nodes[k].slot == slot && f.nodes[j].slot != slot:
			f.nodes[j].count++
		}
	})
}

// ternaryNeighbors appends to found the nodes of the class that have a ternary clause
// with n.
func (f *finder) ternaryNeighbors(n uint32, found []uint32) []uint32 {
	f.stamp++
	f.eachTernaryOf(n, func(j, k uint32) {
		for _, i := range [2]uint32{j, k} {
			if l := f.nodes[i].lit; f.reached[l] != f.stamp {
				f.reached[l] = f.stamp
				found = append(found, i)
			}
		}
	})
	return found
}

// eachTernaryOf calls visit for each ternary clause of n with two more nodes of the
// class.
func (f *finder) eachTernaryOf(n uint32, visit func(j, k uint32)) {
	l := uint32(f.nodes[n].lit)
	for _, r := range f.ternary.refs[f.ternary.start[l]:f.ternary.start[l+1]] {
		*f.budget.Ticks++
		var others [2]uint32
		i := 0
		for _, w := range f.host.Lits(r) {
			if w != l^1 {
				others[i] = f.nodeOf[w^1]
				i++
			}
		}
		if j, k := others[0], others[1]; f.nodes[j].clause != 0 && f.nodes[k].clause != 0 {
			visit(j, k)
		}
	}
}

// ternaryComplete reports whether any three literals of the clauses in the queue that are
// in the same constraint have a ternary clause. Otherwise growAtMostTwo has counted a
// duplicate.
func (f *finder) ternaryComplete() bool {
	members := make([][]dimacs.Lit, f.slots+2)
	for _, c := range f.queue {
		for _, n := range f.clause(c) {
			x := &f.nodes[n]
			members[x.slot] = append(members[x.slot], x.lit)
		}
	}
	for _, lits := range members {
		if n := len(lits); len(f.ternaryAmong(lits)) != n*(n-1)*(n-2)/6 {
			return false
		}
	}
	return true
}

// ternaryAmong returns the ternary clauses of complements of the given literals.
func (f *finder) ternaryAmong(lits []dimacs.Lit) map[[3]uint32]uint32 {
	found := make(map[[3]uint32]uint32)
	f.stamp++
	for _, l := range lits {
		f.reached[l] = f.stamp
	}
	for _, l := range lits {
		for _, r := range f.ternary.refs[f.ternary.start[l]:f.ternary.start[l+1]] {
			*f.budget.Ticks++
			c := f.host.Lits(r)
			if !slices.ContainsFunc(c, func(w uint32) bool { return f.reached[w^1] != f.stamp }) {
				found[sortedTriple(c[0], c[1], c[2])] = r
			}
		}
	}
	return found
}

// sortedTriple returns three literals in ascending order.
func sortedTriple(a, b, c uint32) [3]uint32 {
	t := [3]uint32{a, b, c}
	slices.Sort(t[:])
	return t
}
