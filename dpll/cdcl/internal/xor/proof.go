package xor

import (
	"fmt"
	"math/bits"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

// The proof of a sum of XOR constraints in clauses. A constraint of k variables has
// 2^(k-1) clauses, which are too many. The proof represents a constraint in prefix form
// instead. For the sum of the first two variables, of the first three and so on, in a
// fixed order of all variables, it defines an extension variable. The constraint itself
// is then two clauses: the prefix of all variables but the last is equal to the last
// variable, or to its complement. (Tseitin, "On the complexity of derivation in
// propositional calculus", 1968, has XOR constraints as an example for extension. The
// prefix form is what ordered binary decision diagrams of XOR constraints amount to:
// Bryant and Heule, "Generating extended resolution proofs with a BDD-based SAT solver",
// TACAS 2021. Philipp and Rebola-Pardo, "DRAT proofs for XOR reasoning", JELIA 2016,
// split constraints in another way.)
//
// Equal prefixes share one extension variable. The addition of two constraints (see
// sum.go) takes a constant number of proof steps for each variable, so that a proof is
// linear in the lengths of the added constraints.
//
// Extension variables are numbered from the host's number of variables on. All clauses
// with extension variables are deleted before the pass ends, and until then no unit
// clause may be learned: it could fix extension variables, and checkers that ignore the
// deletion of unit clauses, as is usual for DRAT, would then keep clauses of their
// definitions. So as long as extension variables exist, a split unit represents a unit
// clause l: the two clauses (l ∨ w) and (l ∨ ¬w) with some other variable w. Unit
// propagation finds a conflict from ¬l, but does not derive l.

// xorClauses is a small XOR constraint with its clauses in the proof. The index of a
// clause is the bit set of the negated variables without the lowest bit, which follows
// from the others. A constraint of one variable has the two clauses of a split unit.
type xorClauses struct {
	vars  []uint32 // variables of the proof
	odd   bool     // the sum
	ids   []int64  // of the clauses in the proof
	owned bool     // the clauses are deleted with the constraint
}

// clause appends the clause with index i to c. The constraint has two or more variables.
func (x *xorClauses) clause(c []dimacs.Lit, i int) []dimacs.Lit {
	negated := uint32(i) << 1
	if bits.OnesCount32(negated)&1 == 1 == x.odd {
		negated |= 1
	}
	for j, v := range x.vars {
		c = append(c, dimacs.Lit(v<<1|negated>>j&1))
	}
	return c
}

// A prefix is the sum of the first variables of a constraint. Index 0 is the empty
// prefix.
type prefix struct {
	parent uint32     // the prefix without the last variable
	last   uint32     // the last variable
	v      uint32     // the variable equal to the sum; last in a prefix of one variable
	def    xorClauses // the definition of v; empty if the prefix has one variable
	uses   int        // references from prefixes and prefix forms
}

// A prefixForm is a constraint in the proof: prefix ⊕ last variable = odd.
type prefixForm struct {
	vars   []uint32   // variables of the host, ascending
	odd    bool       // the sum
	prefix uint32     // of all variables but the last
	final  xorClauses // of the prefix and the last variable
	uses   int        // pending additions and results that use the form
}

// A prover derives constraints in prefix form.
type prover struct {
	*eliminator
	prefixes   []prefix
	unique     map[[2]uint32]uint32 // by prefix and next variable: the longer prefix
	spare      []uint32             // unused indices of prefixes
	nextVar    uint32               // the next extension variable
	forms      []prefixForm         // by constraint
	vals       []int8               // by variable: 1 or -1 if assumed or implied, or 0
	trail      []uint32             // variables with a value
	lits       []dimacs.Lit         // scratch: a clause
	splitUnits []xorClauses         // of results with one variable
	chain      []int64              // antecedents of the clause under construction
}

// newProver returns a prover without derived constraints.
func newProver(e *eliminator) *prover {
	n := e.host.Vars()
	p := &prover{eliminator: e, unique: make(map[[2]uint32]uint32), nextVar: uint32(n)}
	p.prefixes = make([]prefix, 1)
	p.forms = make([]prefixForm, len(e.constraints))
	p.vals = make([]int8, n)
	return p
}

// markNeeded counts the uses of all constraints on which the targets depend. It returns
// the total length of the summands in their derivation.
func (p *prover) markNeeded(targets []int32) int {
	for _, r := range targets {
		p.forms[r].uses++
	}
	total := 0
	for r, x := range slices.Backward(p.constraints) {
		if p.forms[r].uses > 0 && x.parents[0] != noIndex {
			p.forms[x.parents[0]].uses++
			p.forms[x.parents[1]].uses++
			total += p.constraints[x.parents[0]].size + p.constraints[x.parents[1]].size
		}
	}
	return total
}

// deriveAll derives all needed constraints in order, and deletes each one after its last
// use. It ends with the constraint 0 = 1, if that is derived. If the call was stopped, it
// deletes all derived clauses and reports false.
func (p *prover) deriveAll() bool {
	steps := 0
	for r := range p.constraints {
		if p.forms[r].uses == 0 {
			continue
		}
		c := &p.constraints[r]
		if c.parents[0] == noIndex {
			p.deriveOriginal(r)
			continue
		}
		p.proveSum(r, int(c.parents[0]), int(c.parents[1]))
		if p.host.Refuted() {
			return true
		}
		steps += len(p.forms[r].vars)
		p.releaseForm(int(c.parents[0]))
		p.releaseForm(int(c.parents[1]))
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

// abandon deletes the clauses of all prefix forms.
func (p *prover) abandon() {
	for r := range p.forms {
		if t := &p.forms[r]; len(t.vars) > 0 {
			t.uses = 1
			p.releaseForm(r)
		}
	}
}

// releaseForm decrements the uses of the prefix form of constraint r. After the last use
// it deletes the form.
func (p *prover) releaseForm(r int) {
	t := &p.forms[r]
	if t.uses--; t.uses == 0 {
		p.deleteClauses(&t.final)
		p.releasePrefix(t.prefix)
		*t = prefixForm{}
	}
}

// hints returns the antecedents of the clause under construction, or nil if the proof has
// no hints.
func (p *prover) hints() []int64 {
	if !p.host.Hints() {
		return nil
	}
	return p.chain
}

// deleteClauses deletes the clauses of x from the proof if x owns them.
func (p *prover) deleteClauses(x *xorClauses) {
	if !x.owned {
		return
	}
	for i, id := range x.ids {
		p.proof.Delete(id, p.clauseOf(x, i))
	}
	x.owned = false
}

// clauseOf returns the clause of x with index i.
func (p *prover) clauseOf(x *xorClauses, i int) []dimacs.Lit {
	if len(x.vars) == 1 {
		return p.splitUnit(x, i)
	}
	p.lits = x.clause(p.lits[:0], i)
	return p.lits
}

// splitUnit returns one of the two clauses that represent the unit clause of x.
func (p *prover) splitUnit(x *xorClauses, i int) []dimacs.Lit {
	p.lits = append(p.lits[:0], x.unit(), dimacs.Lit(p.otherVar(x.vars[0])<<1|uint32(i)))
	return p.lits
}

// unit returns the literal that a constraint of one variable implies.
func (x *xorClauses) unit() dimacs.Lit {
	if x.odd {
		return dimacs.Lit(x.vars[0] << 1)
	}
	return dimacs.Lit(x.vars[0]<<1 | 1)
}

// otherVar returns a variable of the system other than v.
func (p *prover) otherVar(v uint32) uint32 {
	if p.outer[0] != v {
		return p.outer[0]
	}
	return p.outer[1]
}

// extend returns the prefix that continues parent with v, and increments its uses.
func (p *prover) extend(parent, v uint32) uint32 {
	key := [2]uint32{parent, v}
	n, ok := p.unique[key]
	if !ok {
		n = p.define(parent, v)
		p.unique[key] = n
		p.prefixes[parent].uses++
	}
	p.prefixes[n].uses++
	return n
}

// define adds a prefix. Four RAT clauses define its variable. The first two contain its
// complement; at this time no clause contains the variable. The resolvents of the other
// two with the first two are tautologies.
func (p *prover) define(parent, v uint32) (n uint32) {
	x := prefix{parent: parent, last: v, v: v}
	if parent != 0 {
		x.v = p.nextVar
		p.nextVar++
		p.vals = append(p.vals, 0)
		d := xorClauses{vars: []uint32{x.v, p.prefixes[parent].v, v}, ids: make([]int64, 4), owned: true}
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

// releasePrefix decrements the uses of prefix n. After the last use it deletes the prefix
// and releases its parent.
func (p *prover) releasePrefix(n uint32) {
	for n != 0 {
		x := &p.prefixes[n]
		if x.uses--; x.uses > 0 {
			return
		}
		p.deleteClauses(&x.def)
		delete(p.unique, [2]uint32{x.parent, x.last})
		p.spare = append(p.spare, n)
		n = x.parent
	}
}

// derive derives the clauses of the constraint over vars from the premises, by a case
// split on the variable v.
func (p *prover) derive(vars []uint32, odd bool, v uint32, premises ...*xorClauses) xorClauses {
	x := xorClauses{vars: vars, odd: odd, owned: true, ids: make([]int64, max(2, 1<<(len(vars)-1)))}
	for i := range x.ids {
		x.ids[i] = p.prove(slices.Clone(p.clauseOf(&x, i)), v, premises)
	}
	return x
}

// prove derives the clause c from the premises and returns its id. If propagation alone
// finds no conflict, prove derives c ∨ v first.
func (p *prover) prove(c []dimacs.Lit, v uint32, premises []*xorClauses) int64 {
	p.chain = p.chain[:0]
	p.assume(c)
	if p.propagate(premises) {
		return p.learn(c)
	}
	l := dimacs.Lit(v << 1)
	p.assign(v, -1)
	if !p.propagate(premises) {
		p.unproved(c)
	}
	either := append(slices.Clone(c), l)
	id := p.learn(either)
	p.chain = append(p.chain[:0], id)
	p.assume(c)
	p.assign(v, 1)
	if !p.propagate(premises) {
		p.unproved(c)
	}
	learned := p.learn(c)
	p.proof.Delete(id, either)
	return learned
}

// unproved panics if invariants are checked: a clause has no proof.
func (p *prover) unproved(c []dimacs.Lit) {
	if inprocess.Checking {
		panic(fmt.Sprintf("xor: no proof of %v", c))
	}
}

// learn adds a clause to the proof and unassigns all variables.
func (p *prover) learn(c []dimacs.Lit) int64 {
	for _, v := range p.trail {
		p.vals[v] = 0
	}
	p.trail = p.trail[:0]
	return p.proof.Learn(c, p.hints())
}

// assume assigns false to the literals of a clause.
func (p *prover) assume(c []dimacs.Lit) {
	for _, l := range c {
		p.assign(uint32(l>>1), 2*int8(l&1)-1)
	}
}

// assign assigns a value to v.
func (p *prover) assign(v uint32, value int8) {
	p.vals[v] = value
	p.trail = append(p.trail, v)
}

// propagate performs unit propagation over the premises. It appends antecedents to the
// chain and reports whether there is a conflict. Without a conflict all assignments stay.
// Few rounds suffice, since no premise has more than two relevant unassigned variables.
func (p *prover) propagate(premises []*xorClauses) bool {
	for again := true; again; {
		again = false
		for _, x := range premises {
			free, set, sum := p.evaluate(x)
			switch {
			case free == 0 && sum != x.odd:
				p.appendConflict(x, set)
				return true
			case free == 1 && len(x.vars) > 1:
				p.imply(x, set, sum)
				again = true
			}
		}
	}
	return false
}

// evaluate returns the number of unassigned variables of x, the true variables as a bit
// set of indices, and the sum of the assigned variables.
func (p *prover) evaluate(x *xorClauses) (free int, set uint32, sum bool) {
	for i, v := range x.vars {
		switch p.vals[v] {
		case 0:
			free++
		case 1:
			set |= 1 << i
			sum = !sum
		}
	}
	return free, set, sum
}

// imply assigns the last unassigned variable of x.
func (p *prover) imply(x *xorClauses, set uint32, sum bool) {
	for i, v := range x.vars {
		if p.vals[v] != 0 {
			continue
		}
		if sum == x.odd { // false, by the clause that excludes true
			p.assign(v, -1)
			set |= 1 << i
		} else {
			p.assign(v, 1)
		}
	}
	p.chain = append(p.chain, x.ids[set>>1])
}

// appendConflict appends to the chain the clause of x that excludes the values of its
// variables. For a split unit the value of the other variable determines the clause; if
// it is unassigned, both clauses are appended.
func (p *prover) appendConflict(x *xorClauses, set uint32) {
	if len(x.vars) > 1 {
		p.chain = append(p.chain, x.ids[set>>1])
		return
	}
	switch p.vals[p.otherVar(x.vars[0])] {
	case 0:
		p.chain = append(p.chain, x.ids...)
	case -1:
		p.chain = append(p.chain, x.ids[0])
	case 1:
		p.chain = append(p.chain, x.ids[1])
	}
}

// deriveOriginal derives the prefix form of the original constraint r. It replaces the first
// two variables by their sum until two variables remain.
func (p *prover) deriveOriginal(r int) {
	t := &p.forms[r]
	t.odd = p.constraints[r].odd
	t.vars = p.outerVars(p.constraints[r].vars)
	t.prefix = p.extend(0, t.vars[0])
	from := &p.sources[p.constraints[r].parents[1]]
	if from.exactlyOne {
		p.deriveExactlyOne(t, from.refs[0])
		return
	}
	t.final = xorClauses{vars: t.vars, odd: t.odd}
	for _, ref := range from.refs {
		t.final.ids = append(t.final.ids, p.host.ClauseID(ref))
	}
	for len(t.final.vars) > 2 {
		v := t.final.vars[1]
		n := p.extend(t.prefix, v)
		x := &p.prefixes[n]
		next := p.derive(append([]uint32{x.v}, t.final.vars[2:]...), t.odd, v, &x.def, &t.final)
		p.deleteClauses(&t.final)
		p.releasePrefix(t.prefix)
		t.final, t.prefix = next, n
	}
}

// outerVars returns the host's variables for variables of the system.
func (p *prover) outerVars(vars []uint32) []uint32 {
	outer := make([]uint32, len(vars))
	for i, v := range vars {
		outer[i] = p.outer[v]
	}
	return outer
}

// deriveExactlyOne derives the prefix form of an exactly-one constraint with the long
// clause at ref. Let S be the sum of all literals but the last. Each of these literals
// implies S, since it makes the others false. So the long clause yields S ∨ last. The
// last literal makes all others false, and with them S, which yields ¬S ∨ ¬last.
func (p *prover) deriveExactlyOne(t *prefixForm, ref uint32) {
	var c []dimacs.Lit
	for _, w := range p.host.Lits(ref) {
		c = append(c, dimacs.Lit(w))
	}
	slices.Sort(c)
	last := len(c) - 1
	excludes := p.exclusionIDs(c)
	var defs []uint32
	negated := c[0] & 1
	for _, l := range c[1:last] {
		n := p.extend(t.prefix, uint32(l>>1))
		p.releasePrefix(t.prefix)
		t.prefix = n
		defs = append(defs, n)
		negated ^= l & 1
	}
	premises := make([]*xorClauses, len(defs))
	for i, n := range defs {
		premises[i] = &p.prefixes[n].def
	}
	sum := dimacs.Lit(p.prefixes[t.prefix].v<<1) | negated

	implied := make([]int64, last)
	for j := range implied {
		implied[j] = p.proveExclusive([]dimacs.Lit{sum, c[j] ^ 1}, c[:last], j, excludes[j], premises)
	}
	p.chain = append(append(p.chain[:0], implied...), p.host.ClauseID(ref))
	either := p.proof.Learn([]dimacs.Lit{sum, c[last]}, p.hints())
	neither := p.proveExclusive([]dimacs.Lit{sum ^ 1, c[last] ^ 1}, c[:last], last, excludes[last], premises)
	for j, id := range implied {
		p.proof.Delete(id, []dimacs.Lit{sum, c[j] ^ 1})
	}
	t.final = xorClauses{vars: []uint32{uint32(sum >> 1), uint32(c[last] >> 1)}, odd: t.odd, ids: []int64{either, neither}, owned: true}
	if c[last]&1 != 0 {
		slices.Reverse(t.final.ids)
	}
}

// exclusionIDs returns, for each pair of literals of c, the id of the binary clause of
// their complements. The literals of c are sorted.
func (p *prover) exclusionIDs(c []dimacs.Lit) [][]int64 {
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

// proveExclusive derives a clause whose negation makes one literal of an exactly-one
// constraint true: the literal with this index. The other literals of c are then false by
// the binary clauses with the ids in excludes, which leads to a conflict in the premises.
func (p *prover) proveExclusive(clause, c []dimacs.Lit, index int, excludes []int64, premises []*xorClauses) int64 {
	p.chain = p.chain[:0]
	p.assume(clause)
	for i, l := range c {
		if i != index {
			p.chain = append(p.chain, excludes[i])
			p.assign(uint32(l>>1), 2*int8(l&1)-1)
		}
	}
	if !p.propagate(premises) {
		p.unproved(clause)
	}
	return p.learn(clause)
}
