package xor

import (
	"fmt"
	"math/bits"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/inprocess"
)

// How sums are told to a proof that knows clauses alone. A row of k variables is
// 2^(k-1) of them, which is too many. Instead there is a new variable for the sum of
// the first two variables of the row, the first three and so on, in a fixed order of
// all variables, and what the row says is that the sum of all but the last equals the
// last, or its complement: two clauses. (Tseitin, "On the complexity of derivation in
// propositional calculus", 1968, has sums as an example of what such definitions are
// good for. What follows is what ordered binary decision diagrams of sums come to:
// Bryant and Heule, "Generating extended resolution proofs with a BDD-based SAT
// solver", TACAS 2021; Philipp and Rebola-Pardo, "DRAT proofs for XOR reasoning",
// JELIA 2016, cut rows up otherwise.)
//
// To add two rows, one goes through the variables of both in order. Up to each of
// them there is a prefix of either row and one of their sum, and the third is the sum
// of the first two: four clauses of three variables. The next four follow from these
// and two definitions when the cases of the variable are told apart, eight steps in
// all. At the end the prefixes are what the rows say, which gives that of the sum. So
// a proof is linear in the lengths of the rows that are added.
//
// Equal prefixes are one variable. So where one of the three sums is empty the other
// two are the same, and there is nothing to say.
//
// New variables are numbered from the solver's own on, and all clauses with them go
// before the pass ends. No unit clause may be learned before: then it would fix some of
// them, and checkers that keep unit clauses, as is usual for DRAT, would keep their
// definitions. So a row of a single variable is told by two clauses, with another
// variable in one and its complement in the other, as long as it takes. Propagation
// finds that they contradict a wrong value, but not the value.

// A relation says that the sum of its variables is odd or even. Its clauses are
// indexed by which variables are negated, as bits; the lowest, which follows from
// the others, is left out. A relation of one variable has two clauses all the same.
type relation struct {
	vars []uint32
	odd  bool
	ids  []int64
	own  bool // its clauses are nobody else's
}

// clause appends to c the clause with an index, of a relation of two or more
// variables.
func (x *relation) clause(c []dimacs.Lit, i int) []dimacs.Lit {
	negated := uint32(i) << 1
	if bits.OnesCount32(negated)&1 == 1 == x.odd {
		negated |= 1
	}
	for j, v := range x.vars {
		c = append(c, dimacs.Lit(v<<1|negated>>j&1))
	}
	return c
}

// A prefix is the sum of the first variables of a row. Number 0 is the empty one.
type prefix struct {
	of   uint32 // the prefix without the last variable
	last uint32
	v    uint32   // the variable that is the sum: last itself if it is alone
	def  relation // if it is not
	uses int
}

// A statement is a row in the proof: the prefix of all variables but the last, and a
// relation of the two.
type statement struct {
	vars   []uint32 // of the solver, ascending
	odd    bool
	prefix uint32
	end    relation
	uses   int
}

// A rowProver derives statements.
type rowProver struct {
	*gauss
	prefixes   []prefix
	index      map[[2]uint32]uint32 // by prefix and variable: the prefix of both
	spare      []uint32             // prefixes not in use
	fresh      uint32               // the next new variable
	statements []statement          // by row
	bound      []int8               // by variable: a value that is assumed, or follows
	binding    []uint32             // variables that have one
	lits       []dimacs.Lit         // scratch
	softUnits  []relation           // of statements that were kept
	chain      []int64              // antecedents of the clause under construction
}

func newRowProver(g *gauss) *rowProver {
	n := g.host.Vars()
	p := &rowProver{gauss: g, index: make(map[[2]uint32]uint32), fresh: uint32(n)}
	p.prefixes = make([]prefix, 1)
	p.statements = make([]statement, len(g.rows))
	p.bound = make([]int8, n)
	return p
}

// extent returns how many variables the rows have that are added for some, and marks
// all by how often they are used.
func (p *rowProver) extent(wanted []int32) int {
	for _, r := range wanted {
		p.statements[r].uses++
	}
	total := 0
	for r, x := range slices.Backward(p.rows) {
		if p.statements[r].uses > 0 && x.of[0] != noRow {
			p.statements[x.of[0]].uses++
			p.statements[x.of[1]].uses++
			total += p.rows[x.of[0]].size + p.rows[x.of[1]].size
		}
	}
	return total
}

// run derives all statements that are needed, in order, and drops each when it was
// used for the last time. It ends with a row that says 0 = 1. It reports false if the
// call is stopped, with nothing left.
func (p *rowProver) run() bool {
	steps := 0
	for r := range p.rows {
		if p.statements[r].uses == 0 {
			continue
		}
		x := &p.rows[r]
		if x.of[0] == noRow {
			p.state(r)
			continue
		}
		p.add(r, int(x.of[0]), int(x.of[1]))
		if p.host.Refuted() {
			return true
		}
		steps += len(p.statements[r].vars)
		p.unuse(int(x.of[0]))
		p.unuse(int(x.of[1]))
		if steps > 1000 {
			steps = 0
			if p.host.Poll() {
				p.abandon()
				return false
			}
		}
	}
	return true
}

// abandon drops all statements.
func (p *rowProver) abandon() {
	for r := range p.statements {
		if t := &p.statements[r]; len(t.vars) > 0 {
			t.uses = 1
			p.unuse(r)
		}
	}
}

func (p *rowProver) unuse(r int) {
	t := &p.statements[r]
	if t.uses--; t.uses == 0 {
		p.disown(&t.end)
		p.release(t.prefix)
		*t = statement{}
	}
}

// hints returns the chain if the proof wants it.
func (p *rowProver) hints() []int64 {
	if !p.host.Hints() {
		return nil
	}
	return p.chain
}

// disown deletes the clauses of a relation that are its own.
func (p *rowProver) disown(x *relation) {
	if !x.own {
		return
	}
	for i, id := range x.ids {
		p.proof.Delete(id, p.clauseOf(x, i))
	}
	x.own = false
}

// clauseOf returns the clause of a relation that has an index.
func (p *rowProver) clauseOf(x *relation, i int) []dimacs.Lit {
	if len(x.vars) == 1 {
		return p.soft(x, i)
	}
	p.lits = x.clause(p.lits[:0], i)
	return p.lits
}

// soft returns one of the two clauses that take the place of a unit clause.
func (p *rowProver) soft(x *relation, i int) []dimacs.Lit {
	p.lits = append(p.lits[:0], x.unit(), dimacs.Lit(p.beside(x.vars[0])<<1|uint32(i)))
	return p.lits
}

// unit returns the literal that a relation of one variable says is true.
func (x *relation) unit() dimacs.Lit {
	if x.odd {
		return dimacs.Lit(x.vars[0] << 1)
	}
	return dimacs.Lit(x.vars[0]<<1 | 1)
}

// beside returns a variable other than v.
func (p *rowProver) beside(v uint32) uint32 {
	if p.names[0] != v {
		return p.names[0]
	}
	return p.names[1]
}

// extend returns the prefix that has v as its last variable after another prefix,
// and uses it once more.
func (p *rowProver) extend(of, v uint32) uint32 {
	key := [2]uint32{of, v}
	n, there := p.index[key]
	if !there {
		n = p.define(of, v)
		p.index[key] = n
		p.prefixes[of].uses++
	}
	p.prefixes[n].uses++
	return n
}

// define makes a prefix. The definition of its variable are four clauses. Nothing
// contains the complement of the first pivot; with the clauses that contain that of
// the second one, all resolvents are tautologies.
func (p *rowProver) define(of, v uint32) (n uint32) {
	x := prefix{of: of, last: v, v: v}
	if of != 0 {
		x.v = p.fresh
		p.fresh++
		p.bound = append(p.bound, 0)
		d := relation{vars: []uint32{x.v, p.prefixes[of].v, v}, ids: make([]int64, 4), own: true}
		p.chain = p.chain[:0]
		for _, negated := range [2]dimacs.Lit{1, 0} {
			for i := range d.ids {
				if c := p.clauseOf(&d, i); c[0]&1 == negated {
					d.ids[i] = p.proof.Learn(c, p.hints())
				}
			}
			for _, id := range d.ids {
				if id != 0 {
					p.chain = append(p.chain, -id)
				}
			}
		}
		x.def = d
	}
	if last := len(p.spare) - 1; last >= 0 {
		n, p.spare = p.spare[last], p.spare[:last]
		p.prefixes[n] = x
		return n
	}
	p.prefixes = append(p.prefixes, x)
	return uint32(len(p.prefixes) - 1)
}

// release uses a prefix once less.
func (p *rowProver) release(n uint32) {
	for n != 0 {
		x := &p.prefixes[n]
		if x.uses--; x.uses > 0 {
			return
		}
		p.disown(&x.def)
		delete(p.index, [2]uint32{x.of, x.last})
		p.spare = append(p.spare, n)
		n = x.of
	}
}

// derive derives the clauses of a relation, which follow from the others where the
// cases of the variable v are told apart.
func (p *rowProver) derive(vars []uint32, odd bool, v uint32, from ...*relation) relation {
	x := relation{vars: vars, odd: odd, own: true, ids: make([]int64, max(2, 1<<(len(vars)-1)))}
	for i := range x.ids {
		x.ids[i] = p.prove(slices.Clone(p.clauseOf(&x, i)), v, from)
	}
	return x
}

// prove derives a clause.
func (p *rowProver) prove(c []dimacs.Lit, v uint32, from []*relation) int64 {
	p.chain = p.chain[:0]
	p.assume(c)
	if p.refute(from) {
		return p.learnUnbound(c)
	}
	l := dimacs.Lit(v << 1)
	p.bind(v, -1)
	if !p.refute(from) {
		p.missing(c)
	}
	either := append(slices.Clone(c), l)
	id := p.learnUnbound(either)
	p.chain = append(p.chain[:0], id)
	p.assume(c)
	p.bind(v, 1)
	if !p.refute(from) {
		p.missing(c)
	}
	learned := p.learnUnbound(c)
	p.proof.Delete(id, either)
	return learned
}

func (p *rowProver) missing(c []dimacs.Lit) {
	if inprocess.Checking {
		panic(fmt.Sprintf("xor: no proof of %v", c))
	}
}

// learnUnbound tells the proof a clause, and takes back what was assumed for it.
func (p *rowProver) learnUnbound(c []dimacs.Lit) int64 {
	for _, v := range p.binding {
		p.bound[v] = 0
	}
	p.binding = p.binding[:0]
	return p.proof.Learn(c, p.hints())
}

// assume makes the literals of a clause false.
func (p *rowProver) assume(c []dimacs.Lit) {
	for _, l := range c {
		p.bind(uint32(l>>1), 2*int8(l&1)-1)
	}
}

func (p *rowProver) bind(v uint32, value int8) {
	p.bound[v] = value
	p.binding = append(p.binding, v)
}

// refute propagates through the relations, and puts into the chain what it meets. It
// reports whether one of them is contradicted. None has more than two unbound
// variables to begin with that matter, so that a few rounds do; when no relation
// gives anything new, what was assumed is still bound.
func (p *rowProver) refute(from []*relation) bool {
	for again := true; again; {
		again = false
		for _, x := range from {
			free, set, sum := p.look(x)
			switch {
			case free == 0 && sum != x.odd:
				p.cite(x, set)
				return true
			case free == 1 && len(x.vars) > 1:
				p.imply(x, set, sum)
				again = true
			}
		}
	}
	return false
}

// look returns how many variables of a relation are unbound, which are true, and
// their sum.
func (p *rowProver) look(x *relation) (free int, set uint32, sum bool) {
	for i, v := range x.vars {
		switch p.bound[v] {
		case 0:
			free++
		case 1:
			set |= 1 << i
			sum = !sum
		}
	}
	return free, set, sum
}

// imply binds the last unbound variable of a relation.
func (p *rowProver) imply(x *relation, set uint32, sum bool) {
	for i, v := range x.vars {
		if p.bound[v] != 0 {
			continue
		}
		if sum == x.odd { // it is false: the clause excludes that it is true
			p.bind(v, -1)
			set |= 1 << i
		} else {
			p.bind(v, 1)
		}
	}
	p.chain = append(p.chain, x.ids[set>>1])
}

// cite puts the clause into the chain that excludes an assignment of all variables.
func (p *rowProver) cite(x *relation, set uint32) {
	if len(x.vars) > 1 {
		p.chain = append(p.chain, x.ids[set>>1])
		return
	}
	switch p.bound[p.beside(x.vars[0])] {
	case 0:
		p.chain = append(p.chain, x.ids...)
	case -1:
		p.chain = append(p.chain, x.ids[0])
	case 1:
		p.chain = append(p.chain, x.ids[1])
	}
}

// state makes a statement of a given row.
func (p *rowProver) state(r int) {
	t := &p.statements[r]
	t.odd = p.rows[r].odd
	t.vars = p.named(p.rows[r].vars)
	t.prefix = p.extend(0, t.vars[0])
	from := &p.sources[p.rows[r].of[1]]
	if from.exactly {
		p.stateExactly(t, from.refs[0])
		return
	}
	t.end = relation{vars: t.vars, odd: t.odd}
	for _, ref := range from.refs {
		t.end.ids = append(t.end.ids, p.host.ClauseID(ref))
	}
	// The first two variables are replaced by their sum until no more are left.
	for len(t.end.vars) > 2 {
		v := t.end.vars[1]
		n := p.extend(t.prefix, v)
		x := &p.prefixes[n]
		next := p.derive(append([]uint32{x.v}, t.end.vars[2:]...), t.odd, v, &x.def, &t.end)
		p.disown(&t.end)
		p.release(t.prefix)
		t.end, t.prefix = next, n
	}
}

// named returns the solver's numbers of variables.
func (p *rowProver) named(vars []uint32) []uint32 {
	named := make([]uint32, len(vars))
	for i, v := range vars {
		named[i] = p.names[v]
	}
	return named
}

// stateExactly makes a statement of an exactly-one constraint, whose long clause is at
// ref. The sum of all literals but the last is true with each of them, since the others
// are false then. So by the long clause it is true, or the last literal is. And with the
// last literal all others are false, and so is their sum.
func (p *rowProver) stateExactly(t *statement, ref uint32) {
	var c []dimacs.Lit
	for _, w := range p.host.Lits(ref) {
		c = append(c, dimacs.Lit(w))
	}
	slices.Sort(c)
	last := len(c) - 1
	excludes := p.exclusions(c)
	var defs []uint32
	negated := c[0] & 1
	for _, l := range c[1:last] {
		n := p.extend(t.prefix, uint32(l>>1))
		p.release(t.prefix)
		t.prefix = n
		defs = append(defs, n)
		negated ^= l & 1
	}
	from := make([]*relation, len(defs))
	for i, n := range defs {
		from[i] = &p.prefixes[n].def
	}
	sum := dimacs.Lit(p.prefixes[t.prefix].v<<1) | negated

	implied := make([]int64, last)
	for j := range implied {
		implied[j] = p.proveExclusive([]dimacs.Lit{sum, c[j] ^ 1}, c[:last], j, excludes[j], from)
	}
	p.chain = append(append(p.chain[:0], implied...), p.host.ClauseID(ref))
	either := p.proof.Learn([]dimacs.Lit{sum, c[last]}, p.hints())
	neither := p.proveExclusive([]dimacs.Lit{sum ^ 1, c[last] ^ 1}, c[:last], last, excludes[last], from)
	for j, id := range implied {
		p.proof.Delete(id, []dimacs.Lit{sum, c[j] ^ 1})
	}
	t.end = relation{vars: []uint32{uint32(sum >> 1), uint32(c[last] >> 1)}, odd: t.odd, ids: []int64{either, neither}, own: true}
	if c[last]&1 != 0 {
		slices.Reverse(t.end.ids)
	}
}

// exclusions returns the ids of the binary clauses by which the literals of c exclude
// each other.
func (p *rowProver) exclusions(c []dimacs.Lit) [][]int64 {
	ids := make([][]int64, len(c))
	for i, l := range c {
		ids[i] = make([]int64, len(c))
		for k, h := range p.graph.Row(l) {
			if j, found := slices.BinarySearch(c, dimacs.Lit(h^1)); found {
				ids[i][j] = p.host.ClauseID(p.graph.Refs[p.graph.Start[l]+uint32(k)])
			}
		}
	}
	return ids
}

// proveExclusive derives a clause whose negation makes the literal with an index
// true, so that all others in c are false, and with them a definition.
func (p *rowProver) proveExclusive(clause, c []dimacs.Lit, index int, excludes []int64, from []*relation) int64 {
	p.chain = p.chain[:0]
	p.assume(clause)
	for i, l := range c {
		if i != index {
			p.chain = append(p.chain, excludes[i])
			p.bind(uint32(l>>1), 2*int8(l&1)-1)
		}
	}
	if !p.refute(from) {
		p.missing(clause)
	}
	return p.learnUnbound(clause)
}
