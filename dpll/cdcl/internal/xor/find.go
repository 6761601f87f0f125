package xor

import (
	"math/bits"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/dpll/cdcl/internal/radix"
)

// XOR constraints have three forms in clauses:
//
//   - The 2^(k-1) clauses over k variables with an even number of negated literals. Each
//     clause excludes one assignment; together they exclude all assignments with an even
//     sum. The clauses with an odd number of negated literals exclude those with an odd
//     sum. Candidates have equal hashes of their sets of variables. The hash is the sum
//     of a random number for each variable. A first walk over the clauses counts the
//     hashes, a second one collects the clauses with hashes that are frequent enough, and
//     these clauses are sorted by hash.
//   - An exactly-one constraint: a clause of mutually exclusive literals. This is
//     stronger than an XOR constraint, but the XOR constraint suffices where the rest of
//     the formula consists of such constraints.
//   - Two binary clauses that make two literals equivalent. They are collected only among
//     variables of other constraints.
//
// The time is linear in the clauses and, for the second form, in the binary clauses of
// literals that have enough binary clauses.

const (
	// maxXORVars bounds the variables of a constraint of the first form. A constraint of n
	// variables has 2^(n-1) clauses. Encodings split longer constraints.
	maxXORVars = 10
	// maxExactlyOneVars bounds the variables of an exactly-one constraint. A constraint of
	// n variables has n(n-1)/2 binary clauses.
	maxExactlyOneVars = 256
)

// A constraint is an XOR constraint: the sum of its variables modulo 2 is given.
type constraint struct {
	vars    []uint32 // variables of the system, ascending; nil after dropVars
	size    int      // number of variables, also after dropVars
	odd     bool     // the sum
	parents [2]int32 // indices of the two summands; if original: noIndex and the index of the source
}

// noIndex stands for no constraint and for no pivot.
const noIndex = -1

// A source has the clauses of an original constraint.
type source struct {
	refs       []uint32 // indexed as xorClauses.ids, or the long clause of an exactly-one constraint
	exactlyOne bool
}

// A system is a set of XOR constraints. It numbers its variables in the order of the
// host.
type system struct {
	constraints []constraint            // the original ones, then sums
	sources     []source                // of original constraints
	outer       []uint32                // by variable of the system: the variable of the host, ascending
	graph       *inprocess.Implications // nil without binary clauses
}

// A finder detects the constraints of a system.
type finder struct {
	host  inprocess.Host
	ticks *int64
	system
	index []uint32 // by variable of the host: its number in the system plus 1, or 0
	seen  []uint32 // by literal: scratch
	stamp uint32   // the current mark in seen
}

// findSystem returns the system of the constraints in the formula, or nil if the call was
// stopped.
func findSystem(h inprocess.Host) *system {
	f := &finder{host: h, ticks: h.Ticks()}
	if !f.findXORs() {
		return nil
	}
	if h.Size().Binary > 0 {
		f.graph = h.Implications(true)
		if f.graph == nil {
			return nil
		}
		f.seen = make([]uint32, 2*h.Vars())
		if !f.findExactlyOnes(f.graph) {
			return nil
		}
	}
	if !f.indexVars() || f.graph != nil && !f.findEquivalences(f.graph) || !f.renumber() {
		return nil
	}
	return &f.system
}

// addConstraint adds an original constraint.
func (f *finder) addConstraint(vars []uint32, odd bool, from source) {
	f.constraints = append(f.constraints, constraint{slices.Clone(vars), len(vars), odd, [2]int32{noIndex, int32(len(f.sources))}})
	f.sources = append(f.sources, from)
}

// eachClause calls visit for the clauses of 3 to maxSize literals. It reports false if
// the call was stopped.
func (f *finder) eachClause(maxSize int, visit func(r uint32, lits []uint32)) bool {
	*f.ticks += int64(f.host.Size().Words >> 4)
	_, ok := f.host.EachClause(func(r uint32, lits []uint32) bool {
		if len(lits) <= maxSize {
			visit(r, lits)
		}
		return true
	})
	return ok
}

// findXORs finds constraints of the first form, of three and more variables.
func (f *finder) findXORs() bool {
	size := uint64(1) << min(24, bits.Len(uint(f.host.Size().Irredundant)+1))
	counts := make([]uint8, size)
	if !f.eachClause(maxXORVars, func(_ uint32, lits []uint32) {
		if c := &counts[setHash(lits)%size]; *c < 255 {
			*c++
		}
	}) {
		return false
	}
	keys, refs := inprocess.GrowingTable[uint64](f.host), inprocess.GrowingTable[uint32](f.host)
	if !f.eachClause(maxXORVars, func(r uint32, lits []uint32) {
		h := setHash(lits)
		if int(counts[h%size]) >= min(255, 1<<(len(lits)-1)) {
			keys = append(keys, h>>32<<32|uint64(len(refs)))
			refs = append(refs, r)
		}
	}) {
		return false
	}
	*f.ticks += int64(len(keys))
	if f.host.Poll() {
		return false
	}
	radix.Sort(keys, nil)
	for from, i := 0, 1; i <= len(keys); i++ {
		if inprocess.Pause(f.host, i+1) {
			return false
		}
		if i < len(keys) && keys[i]>>32 == keys[from]>>32 {
			continue
		}
		group := make([]uint32, 0, i-from)
		for _, k := range keys[from:i] {
			group = append(group, refs[uint32(k)])
		}
		f.splitGroup(group)
		from = i
	}
	return true
}

// setHash returns a hash of the set of variables of a clause.
func setHash(lits []uint32) uint64 {
	h := uint64(0)
	for _, w := range lits {
		h += hashVar(w >> 1)
	}
	return h
}

// hashVar returns a pseudorandom number for v.
func hashVar(v uint32) uint64 {
	x := (uint64(v) + 1) * 0x9e3779b97f4a7c15
	x = (x ^ x>>32) * 0xd6e8feb86659fd93
	return x ^ x>>29
}

// splitGroup adds the constraints of the first form among clauses whose sets of variables
// have the same hash. Different sets with the same hash are rare.
func (f *finder) splitGroup(group []uint32) {
	for len(group) > 3 {
		var vars []uint32
		for _, w := range f.host.Lits(group[0]) {
			vars = append(vars, w>>1)
		}
		slices.Sort(vars)
		rest := group[:0]
		var found [2]source
		var count [2]int
		for _, r := range group {
			negations, ok := f.negations(r, vars)
			if !ok {
				rest = append(rest, r)
				continue
			}
			parity := bits.OnesCount32(negations) & 1
			if found[parity].refs == nil {
				found[parity].refs = make([]uint32, 1<<(len(vars)-1))
			}
			if at := &found[parity].refs[negations>>1]; *at == 0 {
				*at = r
				count[parity]++
			}
		}
		for parity, n := range count {
			if n == 1<<(len(vars)-1) {
				f.addConstraint(vars, parity == 0, found[parity])
			}
		}
		group = rest
	}
}

// negations returns the negated variables of the clause at r, as a bit set of indices in
// vars. It reports false if the clause has other variables.
func (f *finder) negations(r uint32, vars []uint32) (set uint32, ok bool) {
	c := f.host.Lits(r)
	if len(c) != len(vars) {
		return 0, false
	}
	for _, w := range c {
		i, ok := slices.BinarySearch(vars, w>>1)
		if !ok {
			return 0, false
		}
		set |= w & 1 << i
	}
	return set, true
}

// findExactlyOnes finds clauses of mutually exclusive literals.
func (f *finder) findExactlyOnes(g *inprocess.Implications) bool {
	return f.eachClause(maxExactlyOneVars, func(r uint32, lits []uint32) {
		for _, w := range lits {
			if int(g.Degree(dimacs.Lit(w))) < len(lits)-1 {
				return
			}
		}
		if !f.mutuallyExclusive(g, lits) {
			return
		}
		odd := true
		vars := make([]uint32, len(lits))
		for i, w := range lits {
			vars[i] = w >> 1
			odd = odd != (w&1 != 0)
		}
		slices.Sort(vars)
		f.addConstraint(vars, odd, source{[]uint32{r}, true})
	})
}

// mutuallyExclusive reports whether each literal of a clause implies the complements of
// the others. It visits one literal after the other. The complements of literals that all
// visited literals imply have the current stamp as their mark, and each visit increments
// these marks and the stamp.
func (f *finder) mutuallyExclusive(g *inprocess.Implications, lits []uint32) bool {
	f.stamp++
	for _, w := range lits {
		f.seen[w^1] = f.stamp
	}
	for _, w := range lits {
		n := 1
		f.seen[w^1] = f.stamp + 1
		*f.ticks += g.Cost(dimacs.Lit(w))
		for _, h := range g.Heads[g.Start[w]:g.Start[w+1]] {
			if f.seen[h] == f.stamp {
				f.seen[h]++
				n++
			}
		}
		f.stamp++
		if n < len(lits) {
			return false
		}
	}
	return true
}

// indexVars numbers the variables of the constraints in ascending order. It reports false
// if the call was stopped.
func (f *finder) indexVars() bool {
	f.index = make([]uint32, f.host.Vars())
	for i := range f.constraints {
		if inprocess.Pause(f.host, i+1) {
			return false
		}
		for _, v := range f.constraints[i].vars {
			f.index[v] = 1
		}
	}
	for v := range f.index {
		if inprocess.Pause(f.host, v+1) {
			return false
		}
		if f.index[v] != 0 {
			f.outer = append(f.outer, uint32(v))
			f.index[v] = uint32(len(f.outer))
		}
	}
	return true
}

// findEquivalences finds pairs of binary clauses over variables of the constraints. It
// reports false if the call was stopped.
func (f *finder) findEquivalences(g *inprocess.Implications) bool {
	clear(f.seen)
	for n, v := range f.outer {
		if inprocess.Pause(f.host, n+1) {
			return false
		}
		l := dimacs.Lit(2 * v)
		*f.ticks += g.Cost(l) + g.Cost(l^1)
		from, to := g.Start[l], g.Start[l+1]
		for i := from; i < to; i++ {
			if h := g.Heads[i]; h>>1 > v && f.index[h>>1] != 0 {
				f.seen[h] = i + 1
			}
		}
		for j := g.Start[l+1]; j < g.Start[l+2]; j++ {
			h := g.Heads[j] ^ 1
			if i := f.seen[h]; i > from && i <= to {
				f.seen[h] = 0
				refs := []uint32{g.Refs[i-1], g.Refs[j]}
				if h&1 != 0 {
					slices.Reverse(refs)
				}
				f.addConstraint([]uint32{v, h >> 1}, h&1 != 0, source{refs, false})
			}
		}
	}
	return true
}

// renumber replaces the host's variables in the constraints by variables of the system.
// It reports false if the call was stopped.
func (f *finder) renumber() bool {
	for i := range f.constraints {
		if inprocess.Pause(f.host, i+1) {
			return false
		}
		for j, v := range f.constraints[i].vars {
			f.constraints[i].vars[j] = f.index[v] - 1
		}
	}
	return true
}
