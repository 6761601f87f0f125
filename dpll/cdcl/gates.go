package cdcl

import (
	"slices"

	"sator/dimacs"
)

// Gate detection for bounded variable elimination (BVE). Some clauses of a variable may
// define it as the output of a gate: an equivalence, an AND or OR, an if-then-else
// (ITE), or an XOR of few inputs, as encodings of circuits have them (Eén and Biere,
// SAT 2005). Elimination then substitutes the gate for the variable, with fewer
// resolvents; see eliminate.go. Each kind of gate is searched among the gathered
// clauses, and its clauses are moved to the front.

const (
	// itePairs bounds the pairs of ternary clauses in the search for an ITE. The search
	// takes time proportional to their number times the number of ternary clauses.
	itePairs = 400
	// xorClauses bounds the number of clauses of the variable in the search for an XOR.
	xorClauses = 100
	// xorSize is the length of the clauses of the longest XOR. It has 2^(xorSize-1)
	// clauses.
	xorSize = 5
)

// findGate looks for a gate with the variable of l as output.
func (e *eliminator) findGate(l dimacs.Lit) {
	switch {
	case e.findAnd(l, e.pos, e.neg, &e.posGate, &e.negGate):
	case e.findAnd(l^1, e.neg, e.pos, &e.negGate, &e.posGate):
	case e.findXor(): // before ITE, since an XOR of two inputs is also an ITE
	case e.findITE(l):
	}
}

// moveToFront moves watch i to the gate clauses at the front.
func moveToFront(ws []watch, i int, gate *int) {
	ws[*gate], ws[i] = ws[i], ws[*gate]
	*gate++
}

// findAnd looks for an AND gate: out is the conjunction of some literals. The base clause
// has out and the complements of these literals; each implied clause is binary, with the
// complement of out and one of these literals. An equivalence is an AND of one literal.
func (e *eliminator) findAnd(out dimacs.Lit, base, implied []watch, baseGate, impliedGate *int) bool {
	for _, w := range implied {
		if w.binary() {
			e.s.analysis.marks[w.blocker()>>1] |= sign(uint32(w.blocker()))
		}
	}
	found := slices.IndexFunc(base, func(w watch) bool { return e.negationsMarked(out, w) })
	for _, w := range implied {
		if w.binary() {
			e.s.analysis.marks[w.blocker()>>1] = 0
		}
	}
	if found < 0 {
		return false
	}
	moveToFront(base, found, baseGate)
	e.moveImplied(out, base[0], implied, impliedGate)
	return true
}

// negationsMarked reports whether the complements of all literals of the clause except
// out are marked.
func (e *eliminator) negationsMarked(out dimacs.Lit, w watch) bool {
	e.s.stats.Ticks++
	for _, k := range e.clauseOf(out, w) {
		if k != uint32(out) && e.s.analysis.marks[k>>1]&sign(k^1) == 0 {
			return false
		}
	}
	return true
}

// moveImplied moves the binary clauses of an AND gate to the front, one for each other
// literal of the base clause.
func (e *eliminator) moveImplied(out dimacs.Lit, base watch, implied []watch, gate *int) {
	for _, k := range e.clauseOf(out, base) {
		if k == uint32(out) {
			continue
		}
		for i := *gate; i < len(implied); i++ {
			if w := implied[i]; w.binary() && uint32(w.blocker()) == k^1 {
				moveToFront(implied, i, gate)
				break
			}
		}
	}
}

// findITE looks for an ITE gate: l equals one literal if a condition holds, and another
// one if it does not.
func (e *eliminator) findITE(l dimacs.Lit) bool {
	if e.countTernary(e.pos)*e.countTernary(e.neg) > itePairs {
		return false
	}
	for i, p := range e.pos {
		x, y, ok := e.ternary(l, p)
		if !ok {
			continue
		}
		for range 2 {
			if e.findElse(l, i, x, y) {
				return true
			}
			x, y = y, x
		}
	}
	return false
}

// countTernary returns the number of ternary clauses.
func (e *eliminator) countTernary(ws []watch) int {
	n := 0
	for _, w := range ws {
		if !w.binary() && len(e.lits(w.ref())) == 3 {
			n++
		}
	}
	return n
}

// ternary returns the other two literals of a ternary clause of l.
func (e *eliminator) ternary(l dimacs.Lit, w watch) (x, y dimacs.Lit, ok bool) {
	if w.binary() {
		return 0, 0, false
	}
	c := e.lits(w.ref())
	e.s.stats.Ticks++
	if len(c) != 3 {
		return 0, 0, false
	}
	rest := [2]dimacs.Lit{}
	n := 0
	for _, k := range c {
		if k != uint32(l) {
			rest[n] = dimacs.Lit(k)
			n++
		}
	}
	return rest[0], rest[1], true
}

// findTernary returns the index of the clause of l, x and y, or -1.
func (e *eliminator) findTernary(ws []watch, l, x, y dimacs.Lit) int {
	for i, w := range ws {
		if a, b, ok := e.ternary(l, w); ok && (a == x && b == y || a == y && b == x) {
			return i
		}
	}
	return -1
}

// findElse looks for an ITE gate that has clause i of l. The condition is x^1, so that
// l equals y^1 where x is false.
func (e *eliminator) findElse(l dimacs.Lit, i int, x, y dimacs.Lit) bool {
	j := e.findTernary(e.neg, l^1, x, y^1)
	if j < 0 {
		return false
	}
	for k, p := range e.pos {
		a, z, ok := e.ternary(l, p)
		if !ok || a != x^1 && z != x^1 {
			continue
		}
		if z == x^1 {
			z = a
		}
		if m := e.findTernary(e.neg, l^1, x^1, z^1); m >= 0 {
			e.moveTwoToFront(e.pos, i, k, &e.posGate)
			e.moveTwoToFront(e.neg, j, m, &e.negGate)
			return true
		}
	}
	return false
}

// moveTwoToFront moves two watches to the front.
func (e *eliminator) moveTwoToFront(ws []watch, i, j int, gate *int) {
	moveToFront(ws, min(i, j), gate)
	moveToFront(ws, max(i, j), gate)
}

// findXor looks for an XOR gate: all clauses that result from one clause
// by complementing an even number of its literals.
func (e *eliminator) findXor() bool {
	if len(e.pos)+len(e.neg) > xorClauses {
		return false
	}
	for _, p := range e.pos {
		if p.binary() {
			continue
		}
		c := e.lits(p.ref())
		if len(c) > xorSize {
			continue
		}
		half := 1 << (len(c) - 2)
		if len(e.pos) < half || len(e.neg) < half {
			continue
		}
		if e.moveFlippedToFront(c, e.pos, half, &e.posGate) && e.moveFlippedToFront(c, e.neg, half, &e.negGate) {
			e.xor = true
			return true
		}
		e.posGate, e.negGate = 0, 0
	}
	return false
}

// moveFlippedToFront moves the clauses that are c with an even number of literals
// complemented to the front, each once. It reports whether there are as many as wanted.
func (e *eliminator) moveFlippedToFront(c []uint32, ws []watch, want int, gate *int) bool {
	bits := signature(c)
	seen := uint32(0) // bit i: the clause with flips i was found
	for i, w := range ws {
		if w.binary() || bits&^uint32(w.blocker()) != 0 {
			continue
		}
		e.s.stats.Ticks++
		flips, ok := flipped(c, e.lits(w.ref()))
		if ok && seen>>flips&1 == 0 {
			seen |= 1 << flips
			moveToFront(ws, i, gate)
		}
	}
	return *gate == want
}

// flipped returns the set of literals of c that are complemented in d, as bits. It
// reports false unless d is c apart from these literals, and their number is even.
func flipped(c, d []uint32) (flips int, ok bool) {
	if len(c) != len(d) {
		return 0, false
	}
	even := true
	for i, w := range c {
		switch at := indexVar(d, w>>1); {
		case at < 0:
			return 0, false
		case d[at] != w:
			flips |= 1 << i
			even = !even
		}
	}
	return flips, even
}

// indexVar returns the index of the literal of v in c, or -1.
func indexVar(c []uint32, v uint32) int {
	for i, w := range c {
		if w>>1 == v {
			return i
		}
	}
	return -1
}
