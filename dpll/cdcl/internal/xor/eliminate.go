package xor

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/dpll/cdcl/internal/order"
	"sator/dpll/cdcl/internal/radix"
)

// Gaussian elimination modulo 2 of sparse constraints. A slot is a row of the matrix. At
// first it holds an original constraint. A step chooses a pivot, which is a variable of one
// slot, adds the constraint of this slot to all other slots that contain the variable,
// and removes the slot from the matrix. The remaining slots do not contain the pivot. Two
// rules keep the constraints short, and with them the proof:
//
//   - A variable that occurs in one slot only is a pivot without any addition. In most
//     formulas this rule removes all slots, and the time is linear.
//   - Otherwise the slot with the shortest constraint is next, and its pivot is the
//     variable that occurs in the fewest slots. For the constraints at the vertices of a
//     graph this rule merges the smallest components first, so that each edge takes part
//     in about log n additions.
//
// A sum is a new constraint with references to its summands. The variables of the
// replaced sum are dropped; the proof computes them again.

// An eliminator is the state of Gaussian elimination on a system.
type eliminator struct {
	host   inprocess.Host
	budget inprocess.Budget
	proof  dimacs.Proof
	*system
	additions     int64      // number of sums computed
	current       []int32    // by slot: its constraint
	occurs        [][]uint32 // by variable: the slots that contain it
	queue         order.Heap // slots in the matrix, the shortest constraint first
	singletons    []uint32   // variables that occurred in exactly one slot when they were pushed
	pivots        []pivot    // in order of elimination
	pivotOf       []int32    // by variable: its index in pivots, or noIndex
	contradiction int32      // a constraint 0 = 1, or noIndex
}

// A pivot is an eliminated variable with the constraint that defines it. The constraint
// contains no earlier pivot.
type pivot struct {
	v          uint32
	constraint int32
}

// newEliminator returns an eliminator with one slot for each constraint, or nil if the
// call was stopped.
func newEliminator(h inprocess.Host, sys *system, budget int64) *eliminator {
	e := &eliminator{host: h, budget: inprocess.NewBudget(h, budget), proof: h.Proof(), system: sys, contradiction: noIndex}
	e.current = make([]int32, len(sys.constraints))
	e.occurs = make([][]uint32, len(sys.outer))
	e.pivotOf = make([]int32, len(sys.outer))
	e.queue.Grow(len(sys.constraints))
	for i := range e.constraints {
		if inprocess.Pause(h, i+1) {
			return nil
		}
		e.current[i] = int32(i)
		for _, v := range e.constraints[i].vars {
			e.occurs[v] = append(e.occurs[v], uint32(i))
		}
		e.enqueue(uint32(i))
	}
	for v := range e.pivotOf {
		if inprocess.Pause(h, v+1) {
			return nil
		}
		e.pivotOf[v] = noIndex
		if len(e.occurs[v]) == 1 {
			e.singletons = append(e.singletons, uint32(v))
		}
	}
	return e
}

// enqueue updates the position of a slot in the queue after a change of its constraint.
func (e *eliminator) enqueue(slot uint32) {
	e.queue.Remove(slot)
	e.queue.Score[slot] = -float64(len(e.constraints[e.current[slot]].vars))
	e.queue.Push(slot)
}

// eliminate removes slots from the matrix until it is empty, the budget is used up, or a
// sum is 0 = 1.
func (e *eliminator) eliminate() {
	for e.contradiction == noIndex && !e.budget.Spent() {
		if n := len(e.singletons); n > 0 {
			v := e.singletons[n-1]
			e.singletons = e.singletons[:n-1]
			if len(e.occurs[v]) == 1 {
				e.addPivot(e.occurs[v][0], v)
			}
			continue
		}
		if len(e.queue.Items) == 0 {
			return
		}
		slot := e.queue.Items[0]
		v := e.rarest(e.constraints[e.current[slot]].vars)
		for _, other := range slices.Clone(e.occurs[v]) {
			if other != slot {
				e.addTo(other, slot)
			}
		}
		e.addPivot(slot, v)
	}
}

// rarest returns the variable that occurs in the fewest slots.
func (e *eliminator) rarest(vars []uint32) uint32 {
	best := vars[0]
	for _, v := range vars {
		if len(e.occurs[v]) < len(e.occurs[best]) {
			best = v
		}
	}
	*e.budget.Ticks += int64(1 + len(vars)>>2)
	return best
}

// addPivot removes a slot from the matrix and makes v the pivot of its constraint.
func (e *eliminator) addPivot(slot, v uint32) {
	r := e.current[slot]
	e.pivotOf[v] = int32(len(e.pivots))
	e.pivots = append(e.pivots, pivot{v, r})
	e.queue.Remove(slot)
	for _, u := range e.constraints[r].vars {
		e.removeOccurrence(slot, u)
	}
}

// removeOccurrence removes a slot from the occurrences of v.
func (e *eliminator) removeOccurrence(slot, v uint32) {
	ss := e.occurs[v]
	i := slices.Index(ss, slot)
	*e.budget.Ticks += int64(1 + i>>4)
	last := len(ss) - 1
	ss[i] = ss[last]
	e.occurs[v] = ss[:last]
	if last == 1 {
		e.singletons = append(e.singletons, v)
	}
}

// addTo replaces the constraint of slot to by its sum with the constraint of another
// slot.
func (e *eliminator) addTo(to, slot uint32) {
	old := e.current[to]
	r := e.sum(old, e.current[slot])
	before, after := e.constraints[old].vars, e.constraints[r].vars
	for i, j := 0, 0; i < len(before) || j < len(after); {
		switch {
		case j == len(after) || i < len(before) && before[i] < after[j]:
			e.removeOccurrence(to, before[i])
			i++
		case i == len(before) || after[j] < before[i]:
			e.occurs[after[j]] = append(e.occurs[after[j]], to)
			j++
		default:
			i++
			j++
		}
	}
	e.dropVars(old)
	if e.current[to] = r; len(after) > 0 {
		e.enqueue(to)
		return
	}
	e.queue.Remove(to)
	if e.constraints[r].odd {
		e.contradiction = r
	}
}

// sum adds the sum of two constraints to the system and returns its index.
func (e *eliminator) sum(a, b int32) int32 {
	x, y := &e.constraints[a], &e.constraints[b]
	vars := symmetricDifference(make([]uint32, 0, len(x.vars)+len(y.vars)), x.vars, y.vars)
	e.constraints = append(e.constraints, constraint{slices.Clip(vars), len(vars), x.odd != y.odd, [2]int32{a, b}})
	*e.budget.Ticks += int64(2 + (len(x.vars)+len(y.vars))>>2)
	e.additions++
	return int32(len(e.constraints) - 1)
}

// dropVars frees the variables of a constraint that is a sum.
func (e *eliminator) dropVars(r int32) {
	if e.constraints[r].parents[0] != noIndex {
		e.constraints[r].vars = nil
	}
}

// symmetricDifference appends to c the elements that are in exactly one of the ascending
// slices a and b.
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

// After elimination each pivot is a sum of other variables. Substitution from the last
// pivot back would compute these sums, which may be long. But only short results are of
// interest: a pivot whose sum is empty is a unit, and two variables with equal sums are
// equivalent. So the pass computes a fingerprint of each sum instead: a random number for
// each variable that is no pivot, and for a pivot the exclusive or of the fingerprints in
// its constraint. This takes time linear in the constraints. Then substitution verifies
// and derives each unit and each equivalence that the fingerprints show. It starts with
// the last pivot, so that later derivations use earlier results.

// fingerprints returns the fingerprints of the sums of all variables, or nil if the call
// was stopped.
func (e *eliminator) fingerprints() []uint64 {
	prints := make([]uint64, len(e.outer))
	for v := range prints {
		if inprocess.Pause(e.host, v+1) {
			return nil
		}
		if e.pivotOf[v] == noIndex {
			prints[v] = hashVar(uint32(v))
		}
	}
	for n, p := range slices.Backward(e.pivots) {
		if inprocess.Pause(e.host, n+1) {
			return nil
		}
		vars := e.constraints[p.constraint].vars
		*e.budget.Ticks += int64(1 + len(vars)>>2)
		for _, u := range vars {
			if u != p.v {
				prints[p.v] ^= prints[u]
			}
		}
	}
	return prints
}

// deriveShort derives constraints of one and of two variables within the budget, and
// returns them. A derived constraint replaces the constraint of its pivot.
func (e *eliminator) deriveShort() []int32 {
	prints := e.fingerprints()
	if prints == nil {
		return nil
	}
	vars := e.substitutionOrder()
	first := e.representatives(vars, prints)
	known := e.equalities()
	if e.host.Poll() {
		return nil
	}
	var found []int32
	for i, v := range vars {
		r, u := int32(noIndex), vars[first[i]]
		switch {
		case e.budget.Spent():
			return found
		case prints[v] == 0:
			r = e.combine(v)
		case u != v && prints[u] == prints[v] && known.union(u, v):
			r = e.combine(u, v)
		}
		if r != noIndex {
			found = append(found, r)
			e.pivots[e.pivotOf[v]].constraint = r
		}
	}
	return found
}

// substitutionOrder returns the variables that are no pivots, and then the pivots, the
// last one first.
func (e *eliminator) substitutionOrder() []uint32 {
	var vars []uint32
	for v := range e.pivotOf {
		if e.pivotOf[v] == noIndex {
			vars = append(vars, uint32(v))
		}
	}
	for _, p := range slices.Backward(e.pivots) {
		vars = append(vars, p.v)
	}
	return vars
}

// representatives returns for each index in vars the index of the first variable with the
// same upper half of the fingerprint, or nil if the call was stopped.
func (e *eliminator) representatives(vars []uint32, prints []uint64) []uint32 {
	keys := make([]uint64, len(vars))
	for i, v := range vars {
		keys[i] = prints[v]>>32<<32 | uint64(i)
	}
	*e.budget.Ticks += int64(len(keys))
	if e.host.Poll() {
		return nil
	}
	radix.Sort(keys, nil)
	if e.host.Poll() {
		return nil
	}
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

// combine derives the constraint over these variables alone, by substitution of their
// pivots in order of elimination. It returns noIndex if the constraint does not follow,
// is an original one, or exceeds the budget.
func (e *eliminator) combine(vars ...uint32) int32 {
	var used []int32
	rest := slices.Clone(vars)
	slices.Sort(rest)
	for len(rest) > 0 && !e.budget.Spent() {
		first := int32(noIndex)
		for _, v := range rest {
			if i := e.pivotOf[v]; i != noIndex && (first == noIndex || i < first) {
				first = i
			}
		}
		if first == noIndex {
			return noIndex
		}
		r := e.pivots[first].constraint
		used = append(used, r)
		*e.budget.Ticks += int64(2 + (len(rest)+len(e.constraints[r].vars))>>2)
		rest = symmetricDifference(nil, rest, e.constraints[r].vars)
	}
	if len(rest) > 0 {
		return noIndex
	}
	sum := used[0]
	for _, r := range used[1:] {
		next := e.sum(sum, r)
		if sum != used[0] {
			e.dropVars(sum)
		}
		sum = next
	}
	if e.constraints[sum].parents[0] == noIndex {
		return noIndex
	}
	return sum
}

// equalities returns the classes of variables that original constraints of two variables
// connect.
func (e *eliminator) equalities() partition {
	p := make(partition, len(e.outer))
	for v := range p {
		p[v] = uint32(v)
	}
	for i := range e.constraints {
		if r := &e.constraints[i]; r.parents[0] == noIndex && len(r.vars) == 2 {
			p.union(r.vars[0], r.vars[1])
		}
	}
	return p
}

// A partition is a union-find structure: each element has its parent, and a root has
// itself.
type partition []uint32

// find returns the representative of x.
func (p partition) find(x uint32) uint32 {
	for p[x] != x {
		p[x] = p[p[x]]
		x = p[x]
	}
	return x
}

// union merges the classes of x and y. It reports whether they were different.
func (p partition) union(x, y uint32) bool {
	x, y = p.find(x), p.find(y)
	p[max(x, y)] = min(x, y)
	return x != y
}
