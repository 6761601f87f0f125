package xor

import (
	"math/bits"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/inprocess"
	"sator/dpll/cdcl/radix"
)

// Where clauses say that a sum is odd or even, in three forms:
//
//   - All clauses over some variables in which an even number of literals are
//     negated: each of them excludes one assignment, and together they exclude
//     those of even sum. With an odd number, those of odd sum are excluded.
//     Candidates are found by a hash of their sets of variables, the sum of a
//     number for each: clauses whose hash is too rare are not looked at again, and
//     the others are sorted by it.
//   - A clause all pairs of whose literals exclude each other: exactly one of them
//     is true. This says more than that their sum is odd, but where the rest of the
//     formula asks about parity that is what counts.
//   - Two binary clauses that make two literals equal. They are looked for among
//     the variables of other constraints alone.
//
// The time is linear in the clauses and, for the second form, in the binary clauses
// of literals that have enough of them.

const (
	// xorVars is the number of variables of the longest exclusive or, of which there
	// are 2^(xorVars-1) clauses. Encodings cut longer ones.
	xorVars = 10
	// exactlyVars is the same for exactly-one constraints, whose binary clauses are
	// their square.
	exactlyVars = 256
)

// A row is a constraint: the sum of its variables, modulo 2.
type row struct {
	vars []uint32 // ascending, as numbered in the system
	size int      // how many, also when they are forgotten
	odd  bool
	of   [2]int32 // the rows that this is the sum of; of a given one noRow and which
}

const noRow = -1

// A source is what clauses a given row stands in.
type source struct {
	refs    []uint32 // of an exclusive or, as relation.ids has them; or the long clause
	exactly bool
}

// A system is the rows over some variables.
type system struct {
	rows    []row
	sources []source
	names   []uint32                // the variables by their numbers in the system, ascending
	graph   *inprocess.Implications // nil without binary clauses
}

// A finder looks for the rows of a system.
type finder struct {
	host  inprocess.Host
	ticks *int64
	system
	number []uint32 // by variable: its number in the system, plus 1
	seen   []uint32 // by literal, scratch
	time   uint32   // of what is in seen
}

// findSystem returns the system that the clauses contain, or nil if the call is
// stopped.
func findSystem(h inprocess.Host) *system {
	f := &finder{host: h, ticks: h.Ticks()}
	if !f.findXors() {
		return nil
	}
	if h.Size().Binary > 0 {
		f.graph = h.Implications()
		if f.graph == nil {
			return nil
		}
		f.seen = make([]uint32, 2*h.Vars())
		if !f.findExactlyOnes(f.graph) {
			return nil
		}
		f.nameVars()
		f.findEquivalences(f.graph)
	} else {
		f.nameVars()
	}
	f.renumber()
	return &f.system
}

// give adds a row.
func (f *finder) give(vars []uint32, odd bool, from source) {
	f.rows = append(f.rows, row{slices.Clone(vars), len(vars), odd, [2]int32{noRow, int32(len(f.sources))}})
	f.sources = append(f.sources, from)
}

// eachSized calls do with the clauses of the formula that have 3 to most literals.
// It reports false if the call is stopped.
func (f *finder) eachSized(most int, do func(r uint32, lits []uint32)) bool {
	*f.ticks += int64(f.host.Size().Words >> 4)
	_, ok := f.host.EachClause(func(r uint32, lits []uint32) bool {
		if len(lits) <= most {
			do(r, lits)
		}
		return true
	})
	return ok
}

// findXors finds exclusive ors of three and more variables.
func (f *finder) findXors() bool {
	size := uint64(1) << min(24, bits.Len(uint(f.host.Size().Irredundant)+1))
	counts := make([]uint8, size)
	if !f.eachSized(xorVars, func(_ uint32, lits []uint32) {
		if c := &counts[setHash(lits)%size]; *c < 255 {
			*c++
		}
	}) {
		return false
	}
	var keys []uint64
	var refs []uint32
	if !f.eachSized(xorVars, func(r uint32, lits []uint32) {
		h := setHash(lits)
		if int(counts[h%size]) >= min(255, 1<<(len(lits)-1)) {
			keys = append(keys, h>>32<<32|uint64(len(refs)))
			refs = append(refs, r)
		}
	}) {
		return false
	}
	*f.ticks += int64(len(keys))
	radix.Sort(keys, nil)
	for from, i := 0, 1; i <= len(keys); i++ {
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

// setHash returns a hash of the variables of a clause, whatever their order.
func setHash(lits []uint32) uint64 {
	h := uint64(0)
	for _, w := range lits {
		h += scramble(w >> 1)
	}
	return h
}

// scramble returns a number for v that looks random.
func scramble(v uint32) uint64 {
	x := (uint64(v) + 1) * 0x9e3779b97f4a7c15
	x = (x ^ x>>32) * 0xd6e8feb86659fd93
	return x ^ x>>29
}

// splitGroup looks for exclusive ors among clauses whose sets of variables have the
// same hash, and hardly ever differ.
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
			x := bits.OnesCount32(negations) & 1
			if found[x].refs == nil {
				found[x].refs = make([]uint32, 1<<(len(vars)-1))
			}
			if at := &found[x].refs[negations>>1]; *at == 0 {
				*at = r
				count[x]++
			}
		}
		for x, n := range count {
			if n == 1<<(len(vars)-1) {
				f.give(vars, x == 0, found[x])
			}
		}
		group = rest
	}
}

// negations returns which of the variables are negated in the clause at r, as bits.
// It reports false if the clause has other variables.
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

// findExactlyOnes finds clauses all pairs of whose literals exclude each other.
func (f *finder) findExactlyOnes(g *inprocess.Implications) bool {
	return f.eachSized(exactlyVars, func(r uint32, lits []uint32) {
		for _, w := range lits {
			if int(g.Degree(dimacs.Lit(w))) < len(lits)-1 {
				return
			}
		}
		if !f.exclusive(g, lits) {
			return
		}
		odd := true
		vars := make([]uint32, len(lits))
		for i, w := range lits {
			vars[i] = w >> 1
			odd = odd != (w&1 != 0)
		}
		slices.Sort(vars)
		f.give(vars, odd, source{[]uint32{r}, true})
	})
}

// exclusive reports whether each literal of a clause implies that the others are
// false: all complements are seen once more with each literal.
func (f *finder) exclusive(g *inprocess.Implications, lits []uint32) bool {
	f.time++
	for _, w := range lits {
		f.seen[w^1] = f.time
	}
	for _, w := range lits {
		n := 1
		f.seen[w^1] = f.time + 1
		*f.ticks += g.Cost(dimacs.Lit(w))
		for _, h := range g.Heads[g.Start[w]:g.Start[w+1]] {
			if f.seen[h] == f.time {
				f.seen[h]++
				n++
			}
		}
		f.time++
		if n < len(lits) {
			return false
		}
	}
	return true
}

// nameVars numbers the variables of the rows in ascending order.
func (f *finder) nameVars() {
	f.number = make([]uint32, f.host.Vars())
	for i := range f.rows {
		for _, v := range f.rows[i].vars {
			if f.number[v] == 0 {
				f.number[v] = 1
				f.names = append(f.names, v)
			}
		}
	}
	slices.Sort(f.names)
	for i, v := range f.names {
		f.number[v] = uint32(i) + 1
	}
}

// findEquivalences finds pairs of binary clauses over variables of the rows.
func (f *finder) findEquivalences(g *inprocess.Implications) {
	clear(f.seen)
	for _, v := range f.names {
		l := dimacs.Lit(2 * v)
		*f.ticks += g.Cost(l) + g.Cost(l^1)
		from, to := g.Start[l], g.Start[l+1]
		for i := from; i < to; i++ {
			if h := g.Heads[i]; h>>1 > v && f.number[h>>1] != 0 {
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
				f.give([]uint32{v, h >> 1}, h&1 != 0, source{refs, false})
			}
		}
	}
}

// renumber replaces the variables of the rows by their numbers.
func (f *finder) renumber() {
	for i := range f.rows {
		for j, v := range f.rows[i].vars {
			f.rows[i].vars[j] = f.number[v] - 1
		}
	}
}
