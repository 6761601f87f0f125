package infer

import (
	"context"
	"math/bits"

	"sator/dimacs"
	"sator/sudoku"
)

// Incremental transitive closure of the implication graph. The search applies the
// 2SAT rule (rule.go) at every node, and a node differs from the one above it by a
// few candidates. An implication that holds at a node holds at all nodes below it, so
// the table of reachability only grows on a path of the search. It is kept, and not
// computed again:
//
//   - A table has, for each literal, the bit set of the literals that it implies. The
//     literals are those of the candidates left when the table was made.
//   - At a node, only the groups that have lost candidates are visited for new
//     clauses: a group with two candidates left is a clause, and so is a candidate
//     that leaves its digit one place in a house. At most one digit of a cell, and of
//     two peers, is known from the start.
//   - A new edge from a to b adds the row of b to the rows of all literals that imply
//     a (Italiano, "Amortized efficiency of a path retrieval data structure", 1986).
//     These are the complements of the literals in the row of the complement of a,
//     because each clause is two edges.
//   - A literal whose row gets its own complement is false. A literal that has become
//     true makes all literals of its row true.
//   - Changed words are logged, and the search undoes them when it backtracks. A level
//     of the search has a copy of the numbers of candidates in the groups.
//
// The table takes n*n/2 bytes for n candidates. If it were larger than maxClosure,
// the graph is built at each node (see instance).
//
// At a fixpoint the table has all implications of the graph of the node, and more: it also
// has those by clauses whose candidates were eliminated since.
type closure struct {
	active bool // the table belongs to the current run

	half       int      // index of the first negative literal; a multiple of 64
	words      int      // length of a row in words
	rows       []uint64 // by literal: the set of literals that it implies, with itself
	fixed      []uint64 // set of literals that are true or false
	counts     []uint16 // by group: number of candidates left when it was visited last
	numbers    []int32  // by candidate: its variable, or -1
	candidates []int    // by variable: its candidate

	implier *sudoku.GroupImplier
	clauses int64    // clauses found since the table was made
	forced  []uint32 // literals found to be true
	fresh   []uint32 // scratch of update: literals that have become true
	log     []change
	logging bool // changes of rows can be undone
}

// A change is a word of a row before it was changed.
type change struct {
	index uint32
	old   uint64
}

// A mark is the state of a closure at a level of the search.
type mark struct {
	log    int
	fixed  []uint64
	counts []uint16
}

// maxClosure is the size of the largest table in bytes. It suffices for 8,000
// candidates left.
const maxClosure = 1 << 25

// unvisited is the number of candidates of a group that was not visited yet.
const unvisited = 1<<16 - 1

// begin makes the table of the candidates left, with the clauses that exclude one of
// two candidates. It returns false if the table would be too large.
func (k *closure) begin(c *sudoku.Candidates, limit int64) bool {
	r := c.Rules()
	k.numberCandidates(c)
	vars := len(k.candidates)
	k.half = (vars + 63) &^ 63
	k.words = k.half / 32
	size := 2 * k.half * k.words
	if int64(size)*8 > limit {
		return false
	}
	if k.implier == nil {
		k.implier = sudoku.NewGroupImplier(r)
		k.counts = make([]uint16, r.Groups())
	}
	k.rows = cleared(k.rows, size)
	k.fixed = cleared(k.fixed, k.words)
	for i := range k.counts {
		k.counts[i] = unvisited
	}
	k.log, k.logging, k.clauses, k.active = k.log[:0], false, 0, true
	for v := range vars {
		k.set(uint32(v), uint32(v))
		k.set(uint32(k.half+v), uint32(k.half+v))
	}
	k.implier.Exclusions(c, func(a, b dimacs.Lit) {
		k.clauses++
		x, y := k.lit(a), k.lit(b)
		k.set(x, y)
		k.set(k.not(y), k.not(x))
	})
	return true
}

// numberCandidates assigns variables to the candidates of open cells.
func (k *closure) numberCandidates(c *sudoku.Candidates) {
	n := c.Rules().Size()
	if k.numbers == nil {
		k.numbers = make([]int32, c.Rules().Cells()*n)
	}
	k.candidates = k.candidates[:0]
	for candidate := range k.numbers {
		k.numbers[candidate] = -1
		if c.Digit(candidate/n) == 0 && c.Has(candidate) {
			k.numbers[candidate] = int32(len(k.candidates))
			k.candidates = append(k.candidates, candidate)
		}
	}
}

// cleared returns a slice of n zeros, in the given memory if it suffices.
func cleared(words []uint64, n int) []uint64 {
	if cap(words) < n {
		return make([]uint64, n)
	}
	words = words[:n]
	clear(words)
	return words
}

// lit returns the index of a literal of a candidate.
func (k *closure) lit(l dimacs.Lit) uint32 {
	v := uint32(k.numbers[l.Var()])
	if l.Neg() {
		return v + uint32(k.half)
	}
	return v
}

// not returns the complement of a literal.
func (k *closure) not(l uint32) uint32 {
	if l < uint32(k.half) {
		return l + uint32(k.half)
	}
	return l - uint32(k.half)
}

// row returns the literals that a literal implies.
func (k *closure) row(l uint32) []uint64 { return k.rows[int(l)*k.words:][:k.words] }

func (k *closure) set(a, b uint32) { k.rows[int(a)*k.words+int(b/64)] |= 1 << (b % 64) }

func (k *closure) has(a, b uint32) bool { return k.rows[int(a)*k.words+int(b/64)]>>(b%64)&1 != 0 }

func (k *closure) isFixed(l uint32) bool { return k.fixed[l/64]>>(l%64)&1 != 0 }

// fix records that a literal is true.
func (k *closure) fix(l uint32) {
	k.fixed[l/64] |= 1 << (l % 64)
	l = k.not(l)
	k.fixed[l/64] |= 1 << (l % 64)
}

// update adds the clauses of the candidates left, and collects the forced literals in
// k.forced. If ctx ends, it returns early, with some of them.
func (k *closure) update(ctx context.Context, c *sudoku.Candidates, trivalue bool) {
	k.forced = k.forced[:0]
	k.fixDecided(c)
	cells, changed := c.Rules().Cells(), false
	for g, before := range k.counts {
		left := uint16(c.Left(g))
		if left == before {
			continue
		}
		k.counts[g] = left
		changed = changed || g < cells
		if g%256 == 0 && ctx.Err() != nil {
			return
		}
		k.implier.Group(c, g, k.imply)
	}
	if trivalue && changed {
		k.implier.Trivalues(c, k.imply)
	}
}

// fixDecided fixes the literals of candidates that were placed or eliminated since the
// last call. The literals that they imply are forced.
func (k *closure) fixDecided(c *sudoku.Candidates) {
	n := c.Rules().Size()
	k.fresh = k.fresh[:0]
	for v, candidate := range k.candidates {
		switch l := uint32(v); {
		case k.isFixed(l):
		case !c.Has(candidate):
			k.fresh = append(k.fresh, k.not(l))
		case c.Digit(candidate/n) != 0:
			k.fresh = append(k.fresh, l)
		}
	}
	for _, l := range k.fresh {
		k.fix(l)
	}
	for _, l := range k.fresh {
		for w, set := range k.row(l) {
			for set &^= k.fixed[w]; set != 0; set &= set - 1 {
				k.forced = append(k.forced, uint32(64*w+bits.TrailingZeros64(set)))
			}
		}
	}
}

// imply adds a clause: if a is true, b is true. The literals are those of candidates.
func (k *closure) imply(a, b dimacs.Lit) {
	k.clauses++
	x, y := k.lit(a), k.lit(b)
	if !k.has(x, y) {
		k.join(x, y)
		k.join(k.not(y), k.not(x))
	}
}

// join adds the row of b to the rows of all literals that imply a. Literals that
// become false are added to k.forced as their complements.
func (k *closure) join(a, b uint32) {
	for w, set := range k.row(k.not(a)) {
		for set &^= k.fixed[w]; set != 0; set &= set - 1 {
			l := k.not(uint32(64*w + bits.TrailingZeros64(set)))
			if k.has(l, b) {
				continue
			}
			no := k.not(l)
			failed := k.has(l, no)
			k.unite(l, b)
			if !failed && k.has(l, no) {
				k.forced = append(k.forced, no)
			}
		}
	}
}

// unite adds the row of b to the row of a. It is the loop in which the rule spends its
// time.
func (k *closure) unite(a, b uint32) {
	base := int(a) * k.words
	to := k.rows[base:][:k.words]
	from := k.row(b)[:len(to)]
	if !k.logging {
		for w, word := range from {
			to[w] |= word
		}
		return
	}
	for w, word := range from {
		if old := to[w]; word&^old != 0 {
			k.log = append(k.log, change{uint32(base + w), old})
			to[w] = old | word
		}
	}
}

// save stores the state for a level of the search.
func (k *closure) save(m *mark) {
	k.logging = true
	m.log = len(k.log)
	m.fixed = append(m.fixed[:0], k.fixed...)
	m.counts = append(m.counts[:0], k.counts...)
}

// restore undoes all changes since save.
func (k *closure) restore(m *mark) {
	for i := len(k.log) - 1; i >= m.log; i-- {
		k.rows[k.log[i].index] = k.log[i].old
	}
	k.log = k.log[:m.log]
	copy(k.fixed, m.fixed)
	copy(k.counts, m.counts)
}

// choose returns the candidate that maximizes the smaller number of literals implied
// by its two literals, or -1 if all are fixed.
func (k *closure) choose() int {
	best, most := -1, 0
	for v, candidate := range k.candidates {
		l := uint32(v)
		if k.isFixed(l) {
			continue
		}
		if n := k.count(l); n > most {
			if n = min(n, k.count(k.not(l))); n > most {
				best, most = candidate, n
			}
		}
	}
	return best
}

// count returns the number of open literals that a literal implies.
func (k *closure) count(l uint32) int {
	n := 0
	for w, set := range k.row(l) {
		n += bits.OnesCount64(set &^ k.fixed[w])
	}
	return n
}
