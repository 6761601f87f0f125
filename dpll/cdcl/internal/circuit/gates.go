package circuit

import (
	"math/bits"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

const (
	maxInputs     = 5       // of a gate with a table
	maxCandidates = 64      // gates of a variable
	maxSteps      = 1 << 13 // comparisons of a clause of a variable, with another one or with a set
	maxWide       = 64      // literals of the clause of a wide AND gate
)

// A finder finds gates.
type finder struct {
	h      inprocess.Host
	n      *Network
	budget inprocess.Budget
	binary *inprocess.Implications
	wide   []uint32 // references of longer clauses
	short  []clause // binary clauses of the current variable
	long   []clause // its other clauses
	tried  []uint64 // hashes of the sets that were compared
	steps  int      // comparisons left for the current variable
	marks  []uint32 // by literal
	stamp  uint32
}

// A clause is a clause of the current variable without this variable: its other literals, a
// signature of their variables, and 1 if it has the variable complemented.
type clause struct {
	lits      [maxInputs]dimacs.Lit
	n         int
	signature uint64
	sign      dimacs.Lit
}

// A set is a sorted set of positive literals, with the signature of their variables.
type set struct {
	lits      [maxInputs]dimacs.Lit
	n         int
	signature uint64
}

// list lists the clauses by literal. It reports false if the call is stopped.
func (f *finder) list() bool {
	if f.binary = f.h.Implications(true); f.binary == nil {
		return false
	}
	if !f.eachClause(func(r uint32, lits []uint32) {
		for _, l := range lits {
			f.n.clauses.count(l)
		}
	}) {
		return false
	}
	f.n.clauses.sum()
	f.wide = f.wide[:0]
	return f.eachClause(func(r uint32, lits []uint32) {
		for _, l := range lits {
			f.n.clauses.add(l, r)
		}
	})
}

// cost estimates the ticks that find takes.
func (f *finder) cost() (ticks int64) {
	for l := dimacs.Lit(0); int(l) < 2*f.h.Vars(); l += 2 {
		n := int64(f.binary.Degree(l)+f.binary.Degree(l+1)) + int64(len(f.n.clauses.of(uint32(l)))+len(f.n.clauses.of(uint32(l+1))))
		ticks += n/8 + min(n*n*n/6, maxSteps)/8 // sets of one or two clauses, each compared with all clauses
	}
	return ticks + int64(len(f.wide))
}

// find finds the gates. It reports false if the call is stopped.
func (f *finder) find() bool {
	for v := range uint32(f.h.Vars()) {
		if f.h.Stopped() || inprocess.Pause(f.h, int(v)+1) {
			return false
		}
		if f.h.Values()[2*v] == 0 {
			f.findTables(v)
		}
	}
	f.marks = inprocess.Table[uint32](f.h, 2*f.h.Vars())
	for _, r := range f.wide {
		f.findWide(r)
	}
	return !f.h.Stopped()
}

// eachClause calls visit for the short clauses, and collects the wide ones.
func (f *finder) eachClause(visit func(r uint32, lits []uint32)) bool {
	visited, ok := f.h.EachClause(func(r uint32, lits []uint32) bool {
		switch n := len(lits); {
		case n <= maxInputs+1:
			visit(r, lits)
		case n <= maxWide:
			f.wide = append(f.wide, r)
		}
		return true
	})
	*f.budget.Ticks += int64(visited / 4)
	return ok
}

// findTables adds a gate for v, or candidates.
func (f *finder) findTables(v uint32) {
	f.collect(v)
	f.tried, f.steps = f.tried[:0], maxSteps
	candidates := 0
	try := func(s set) (done bool) {
		h := s.hash()
		if slices.Contains(f.tried, h) {
			return false
		}
		f.tried = append(f.tried, h)
		table, ok := f.table(&s)
		if !ok {
			return f.steps < 0
		}
		candidates++
		exact := !s.invertible(table)
		f.add(gate{out: dimacs.Lit(2 * v), table: table, exact: exact}, s.lits[:s.n])
		if exact { // most likely the only one, but a gate after v may define it, too
			f.steps = min(f.steps, 4*(len(f.short)+len(f.long)))
		}
		return candidates == maxCandidates
	}
	for i := range f.long {
		if try(f.long[i].set()) {
			return
		}
	}
	for distance := 1; distance < len(f.long); distance++ {
		for i := range len(f.long) - distance {
			if f.steps--; f.steps < 0 {
				return
			}
			c, d := &f.long[i], &f.long[i+distance]
			if bits.OnesCount64(c.signature|d.signature) > maxInputs {
				continue
			}
			if s, ok := c.set().with(d); ok && s.n > max(c.n, d.n) && try(s) {
				return
			}
		}
	}
}

// collect collects the clauses of v. The long ones are in their order in memory, where the clauses of
// a gate are near each other.
func (f *finder) collect(v uint32) {
	f.short, f.long = f.short[:0], f.long[:0]
	x, y := dimacs.Lit(2*v), dimacs.Lit(2*v+1)
	for _, l := range [2]dimacs.Lit{x, y} {
		for i, k := range f.binary.Row(l ^ 1) {
			if f.binary.Refs[f.binary.Start[l^1]+uint32(i)]&2 == 0 { // irredundant
				f.short = append(f.short, newClause(l, []uint32{k}))
			}
		}
	}
	p, n := f.n.clauses.of(uint32(x)), f.n.clauses.of(uint32(y))
	for len(p)+len(n) > 0 {
		if len(n) == 0 || len(p) > 0 && p[0] < n[0] {
			f.long = append(f.long, newClause(x, f.h.Lits(p[0])))
			p = p[1:]
		} else {
			f.long = append(f.long, newClause(y, f.h.Lits(n[0])))
			n = n[1:]
		}
	}
	*f.budget.Ticks += 1 + int64(len(f.short)+len(f.long))
}

// newClause returns the clause of l with these literals.
func newClause(l dimacs.Lit, lits []uint32) clause {
	c := clause{sign: l & 1}
	for _, k := range lits {
		if dimacs.Lit(k) != l {
			c.lits[c.n] = dimacs.Lit(k)
			c.n++
			c.signature |= signature(k >> 1)
		}
	}
	return c
}

func signature(v uint32) uint64 { return 1 << (v * 0x9e3779b1 >> 26) }

// table returns the truth table of the current variable over a set of inputs. It reports false
// if the clauses over the set do not define the variable, or exclude assignments of the inputs.
func (f *finder) table(s *set) (uint32, bool) {
	var forced [2]uint32 // assignments that force the variable to be true, and false
	*f.budget.Ticks += 1 + int64((len(f.short)+len(f.long))>>3)
	f.steps -= len(f.short) + len(f.long)
	for _, list := range [2][]clause{f.short, f.long} {
		for i := range list {
			if c := &list[i]; c.signature&^s.signature == 0 {
				if m, ok := s.falsify(c); ok {
					forced[c.sign] |= m
				}
			}
		}
	}
	all := ^uint32(0) >> (32 - 1<<s.n)
	return forced[0] & all, (forced[0]|forced[1])&all == all && forced[0]&forced[1]&all == 0
}

// columns[k] has the bits of the assignments in which input k is true.
var columns = [maxInputs]uint32{0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000}

// falsify returns the assignments that falsify the literals of the clause. It reports false if
// a variable is not in the set.
func (s *set) falsify(c *clause) (m uint32, ok bool) {
	m = ^uint32(0)
	for _, l := range c.lits[:c.n] {
		k := slices.Index(s.lits[:s.n], l&^1)
		switch {
		case k < 0:
			return 0, false
		case l.Neg():
			m &= columns[k]
		default:
			m &^= columns[k]
		}
	}
	return m, true
}

// invertible reports whether a change of some single input always changes the output.
func (s *set) invertible(table uint32) bool {
	all := ^uint32(0) >> (32 - 1<<s.n)
	for k := range s.n {
		if (table>>(1<<k)^table)&all&^columns[k] == all&^columns[k] {
			return true
		}
	}
	return false
}

// set returns the variables of the clause.
func (c *clause) set() (s set) {
	for _, l := range c.lits[:c.n] {
		s.insert(l &^ 1)
	}
	return s
}

// with returns the union with the variables of a clause, or false if it is too large.
func (s set) with(c *clause) (set, bool) {
	for _, l := range c.lits[:c.n] {
		if !slices.Contains(s.lits[:s.n], l&^1) {
			if s.n == maxInputs {
				return s, false
			}
			s.insert(l &^ 1)
		}
	}
	return s, true
}

func (s *set) insert(l dimacs.Lit) {
	i := s.n
	for ; i > 0 && s.lits[i-1] > l; i-- {
		s.lits[i] = s.lits[i-1]
	}
	s.lits[i] = l
	s.n++
	s.signature |= signature(uint32(l >> 1))
}

func (s *set) hash() (h uint64) {
	for _, l := range s.lits[:s.n] {
		h = (h ^ uint64(l) + 1) * 0x9e3779b97f4a7c15
	}
	return h
}

// add adds a gate with these inputs.
func (f *finder) add(g gate, inputs []dimacs.Lit) {
	g.start, g.n = uint32(len(f.n.inputs)), uint32(len(inputs))
	f.n.inputs = append(f.n.inputs, inputs...)
	f.n.gates = append(f.n.gates, g)
}

// findWide adds an AND gate for a literal of the wide clause at r that implies the complements of the
// others, if there is one.
func (f *finder) findWide(r uint32) {
	lits := f.h.Lits(r)
	for _, w := range lits {
		out := dimacs.Lit(w)
		*f.budget.Ticks++
		if int(f.binary.Degree(out)) < len(lits)-1 {
			continue
		}
		f.stamp++
		for _, k := range f.binary.Row(out) {
			f.marks[k] = f.stamp
		}
		*f.budget.Ticks += f.binary.Cost(out)
		inputs := make([]dimacs.Lit, 0, len(lits)-1)
		for _, k := range lits {
			if k != w && f.marks[k^1] == f.stamp {
				inputs = append(inputs, dimacs.Lit(k^1))
			}
		}
		if len(inputs) == len(lits)-1 {
			f.add(gate{out: out, wide: r, exact: true}, inputs)
			return
		}
	}
}
