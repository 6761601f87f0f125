package congruence

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/inprocess"
)

// Two gates of the same kind with the same inputs have the same output. Formulas of
// circuits have many such pairs, since more than one part of a circuit computes the
// same, and a search finds each of them by conflicts. Congruence closure finds
// all of them at once: the gates are looked for among the clauses and kept in a table
// by their inputs; if a gate is there already, the outputs are equal. Then gates
// that have these outputs as inputs may be equal too, and so on. (Biere, Fazekas,
// Fleury, Froleyks, "Clausal congruence closure", SAT 2024, for whom it made the
// difference in that year's competition; the closure itself is from Downey, Sethi,
// Tarjan, "Variations on the common subexpression problem", JACM 1980.)
//
// The gates are conjunctions of any number of inputs, exclusive ors of up to
// four, if-then-elses, and, which the paper has not, majorities of three: the carries
// of adders, where an encoder writes one in six clauses. Negated outputs and
// inputs make disjunctions of conjunctions. An exclusive or is kept as what it is, an
// equation in which each variable may be the output, so that it is in the table once
// for each. congruence_find.go has how they are found, congruence_rules.go what becomes of a
// gate when inputs are constant, equal or complements of each other: a smaller gate,
// a unit, or an equivalence.
//
// Literals that were found equal are in one class, which one of them represents, in
// a forest with path compression. The gates to be looked at again are those with a
// variable that was assigned or lost its place as a representative; they wait in a
// queue, once each. Of two classes that become one, that goes which is in fewer gates.
// So a pass takes time near to linear in the size of the clauses, plus for each merge
// the gates of one of two.
//
// What the pass leaves is units, and two learned binary clauses for each merge.
// Substitution (substitute.go), which comes after it, makes one of two literals.
// Gates are those of the formula, but for learned binary clauses.
//
// In the proof, a clause of a merge follows by unit propagation if the gates are
// conjunctions; the others need splits, for which clauses are derived and deleted
// again. The clauses of a gate are taken as they are as long as its inputs are just
// renamed: from a literal to its representative leads one clause, derived when
// a path is compressed. Rewritten gates have clauses of their own, which the proof
// alone knows, until the pass ends. See congruence_proof.go.
//
// Conflicts to the answer with the pass, over those without it, in the sum of three
// seeds: a collision of MD4 0.11, since the first pass refutes it; a pipeline 0.85, caches
// and a processor 0.89; SHA-3 1.06. What the pass takes is some 5% of the ticks where it
// merges little; there, as in multipliers of different architecture, it does not help.
type closure struct {
	host      inprocess.Host
	budget    inprocess.Budget
	stats     *Stats
	vals      []int8 // by literal, at the root
	proof     dimacs.Proof
	hints     bool
	gates     []gate
	inputs    []dimacs.Lit // of all gates, as in their clauses
	reps      []dimacs.Lit // at the same places, their representatives when the gate was looked at last
	ids       []int64      // proof ids of the clauses of gates
	table     hashTable    // gates by kind and inputs
	entries   []gateEntry  // of the table
	worklist  []uint32     // gates to be looked at, in this order
	trailHead int          // what is on the trail up to here is known to the gates

	parent    []dimacs.Lit // by literal: one that it equals, itself if it represents its class
	occs      []occList    // by variable that represents: its gates
	links     []occLink    // the lists of these
	parentIDs []int64      // by literal, with a proof: id of the clause by which it implies its parent
	proofOnly []bool       // by literal: the proof alone has that clause
	path      []dimacs.Lit // scratch of find

	chain      chain
	caseLemmas []lemma      // for the clause in the making
	gateLemmas []lemma      // clauses of rewritten gates, to be deleted from the proof
	scratch    []dimacs.Lit // of rewriteAnd, and of what finds gates
	refs       []uint32     // of collectInputs

	antecedents []int64      // of the clause under construction
	proofLits   []dimacs.Lit // scratch: a clause for the proof
}

// noLit is no literal.
const noLit = ^dimacs.Lit(0)

// A gate says that its output equals a function of its inputs.
type gate struct {
	kind       gateKind
	odd        bool       // the sum of an exclusive or
	oddReps    bool       // that of the representatives
	garbage    bool       // nothing more can come of it
	queued     bool       // it is to be looked at
	indexed    bool       // it is in the table with the representatives that it has
	out        dimacs.Lit // no literal in an exclusive or
	inputStart uint32     // where its inputs are
	arity      uint32     // how many there are
	rhsSize    uint32     // how many are left of them
	idStart    uint32     // where the ids of its clauses are
}

type gateKind uint8

const (
	andGate gateKind = iota // the output is the conjunction of the inputs
	xorGate                 // the sum of the inputs, modulo 2, is odd or it is not
	iteGate                 // the output is the second input if the first is true, and else the third
	majGate                 // the output is what two of three inputs are
)

// A gateEntry of the table is a gate, and in an exclusive or the input that is its
// output.
type gateEntry struct{ gate, output uint32 }

// A gateList is the gates of a class: a list, and its length.
type occList struct{ first, last, n uint32 }

// A gateLink is a gate in the list of a class.
type occLink struct{ gate, next uint32 }

// maxWords is the size of the largest clauses in words that gates are looked for
// in: 20 million clauses take some ten seconds.
const maxWords = 1 << 27

// Stats counts the work of passes.
type Stats struct {
	Ands, Ifs, Majs, Xors int64 // gates found, by kind
	Merged                int64 // equivalent literals
	Reduced               int64 // gates that became smaller ones
	Short                 int64 // binary clauses learned to find gates
	Units                 int64 // unit clauses learned
}

// A Closer runs passes of congruence closure, and remembers what they leave to the next
// pass. The zero value is ready for use.
//
// To find the gates takes linear time, whatever the budget is: if that exceeds the
// budget, the next rounds pay for it.
type Closer struct {
	credit  int64 // ticks
	clauses int   // irredundant ones at the end of the last pass
	roots   int   // assigned variables then
}

// Run merges the outputs of gates that have the same inputs, if the formula has
// changed since the last pass.
func (d *Closer) Run(h inprocess.Host, budget int64) (st Stats) {
	size := h.Size()
	if d.credit += budget; d.credit < 0 || size.Words > maxWords || d.clauses == size.Irredundant && d.roots == len(h.Trail()) {
		return st
	}
	if !h.FixedRemoved() {
		// An assigned literal would hide the gates of its clauses.
		if h.Sweep(); h.Stopped() || h.Refuted() {
			return st
		}
	}
	ticks := h.Ticks()
	before := *ticks
	if c := newClosure(h, budget, &st); c != nil {
		c.run()
		c.end()
	}
	d.credit = min(d.credit, budget) - (*ticks - before)
	d.clauses, d.roots = h.Size().Irredundant, len(h.Trail())
	return st
}

// newClosure finds the gates. It returns nil if there are none or the call is
// stopped.
func newClosure(h inprocess.Host, budget int64, st *Stats) *closure {
	c := &closure{host: h, stats: st, vals: h.Values(), proof: h.Proof(), hints: h.Hints(), trailHead: len(h.Trail())}
	c.budget = inprocess.NewBudget(h, 0)
	c.parent = make([]dimacs.Lit, len(c.vals))
	for l := range c.parent {
		c.parent[l] = dimacs.Lit(l)
	}
	c.occs = make([]occList, h.Vars())
	c.links = make([]occLink, 1)
	c.gates = []gate{{garbage: true}} // so that 0 is none
	c.entries = make([]gateEntry, 1)
	c.table = newHashTable(1024)
	if c.proof != nil {
		c.parentIDs = make([]int64, len(c.vals))
		c.proofOnly = make([]bool, len(c.vals))
		c.chain.assigned = make([]uint32, len(c.vals))
	}
	if !c.findGates() {
		c.end()
		return nil
	}
	c.budget = inprocess.NewBudget(h, budget)
	return c
}

// run looks at one gate after the other until none waits or the budget is used up.
func (c *closure) run() {
	for at := 0; at < len(c.worklist); at++ {
		if c.host.Refuted() || c.budget.Spent() {
			return
		}
		if at >= 1<<16 && 2*at >= len(c.worklist) {
			c.worklist = c.worklist[:copy(c.worklist, c.worklist[at:])]
			at = 0
		}
		i := c.worklist[at]
		g := &c.gates[i]
		g.queued = false
		if !g.garbage {
			c.rewrite(i)
		}
	}
}

// end deletes from the proof what the pass needed for itself.
func (c *closure) end() {
	if c.proof == nil || c.host.Refuted() {
		return
	}
	for _, r := range c.gateLemmas {
		c.proof.Delete(r.id, r.lits)
	}
	for l, derived := range c.proofOnly {
		if derived {
			c.deleteClause(c.parentIDs[l], dimacs.Lit(l^1), c.parent[l])
		}
	}
}

// forget deletes a clause from the proof.
func (c *closure) deleteClause(id int64, lits ...dimacs.Lit) {
	c.proofLits = append(c.proofLits[:0], lits...)
	c.proof.Delete(id, c.proofLits)
}

// addGate adds a gate with these inputs, and has it looked at. Ids are those of its
// clauses, in the order that its kind asks for.
func (c *closure) addGate(kind gateKind, out dimacs.Lit, inputs []dimacs.Lit, ids []int64) uint32 {
	i := uint32(len(c.gates))
	n := uint32(len(inputs))
	c.gates = append(c.gates, gate{kind: kind, out: out, inputStart: uint32(len(c.inputs)), arity: n, idStart: uint32(len(c.ids))})
	c.inputs = append(c.inputs, inputs...)
	c.reps = append(c.reps, inputs...)
	if c.proof != nil {
		c.ids = append(c.ids, ids...)
	}
	for _, l := range inputs {
		c.addOccurrence(l, i)
	}
	if out != noLit {
		c.addOccurrence(out, i)
	}
	*c.budget.Ticks += 1 + int64(n>>3)
	c.enqueue(i)
	return i
}

// occur puts a gate on the list of the class of l.
func (c *closure) addOccurrence(l dimacs.Lit, i uint32) {
	o := &c.occs[c.find(l)>>1]
	c.links = append(c.links, occLink{i, 0})
	c.concat(o, occList{uint32(len(c.links) - 1), uint32(len(c.links) - 1), 1})
}

// join appends the list p to o.
func (c *closure) concat(o *occList, p occList) {
	switch {
	case p.n == 0:
	case o.n == 0:
		*o = p
	default:
		c.links[o.last].next = p.first
		o.last, o.n = p.last, o.n+p.n
	}
}

// enqueue has a gate looked at.
func (c *closure) enqueue(i uint32) {
	if g := &c.gates[i]; !g.queued && !g.garbage {
		g.queued = true
		c.worklist = append(c.worklist, i)
	}
}

// disturb has the gates of v looked at again.
func (c *closure) enqueueGates(v uint32) {
	for i := c.occs[v].first; i != 0; i = c.links[i].next {
		c.enqueue(c.links[i].gate)
	}
	*c.budget.Ticks += 1 + int64(c.occs[v].n>>2)
}

// find returns the literal that represents the class of l. Those on the way have it
// as their parent then.
func (c *closure) find(l dimacs.Lit) dimacs.Lit {
	p := c.parent[l]
	if c.parent[p] == p {
		return p
	}
	c.path = c.path[:0]
	for ; c.parent[l] != l; l = c.parent[l] {
		c.path = append(c.path, l)
	}
	for i := len(c.path) - 2; i >= 0; i-- {
		q := c.path[i]
		if c.hints {
			c.compressEdge(q, l)
			c.compressEdge(q^1, l^1)
		}
		c.parent[q], c.parent[q^1] = l, l^1
	}
	return l
}

// unite makes one class of those of x and y, which are different and unassigned.
// The clauses with these ids say that each of them implies the other; they are derived
// if the proof alone has them.
func (c *closure) union(x, y dimacs.Lit, forth, back int64, derived bool) {
	if c.occs[x>>1].n > c.occs[y>>1].n {
		x, y, forth, back = y, x, back, forth
	}
	c.parent[x], c.parent[x^1] = y, y^1
	if c.proof != nil {
		c.parentIDs[x], c.parentIDs[x^1] = forth, back
		c.proofOnly[x], c.proofOnly[x^1] = derived, derived
	}
	c.enqueueGates(uint32(x >> 1))
	c.concat(&c.occs[y>>1], c.occs[x>>1])
	c.occs[x>>1] = occList{}
	c.stats.Merged++
}

// equate learns that x and y, which represent classes, are equal. Explain makes the
// chain of the clause that says that the first implies the second, if forth, or else the
// second the first; it is not called if the clause is true. If one of them turns out
// to be fixed its gates are looked at again, since there may be more to it.
func (c *closure) merge(x, y dimacs.Lit, addSteps func(forth bool, goal []dimacs.Lit)) {
	if x == y {
		return
	}
	before := len(c.host.Trail())
	forth := c.learnClause(true, []dimacs.Lit{x ^ 1, y}, addSteps)
	if len(c.host.Trail()) > before || c.host.Refuted() {
		return
	}
	back := c.learnClause(false, []dimacs.Lit{x, y ^ 1}, addSteps)
	if len(c.host.Trail()) == before && !c.host.Refuted() && !c.host.Stopped() && c.vals[x] == 0 {
		c.union(x, y, forth, back, false)
	}
}

// derive learns a clause, which becomes one of the solver or, if a single literal is
// left of it, is assigned and propagated. It returns its id, or 0 if it was true. Once
// the call is stopped nothing follows any more, since units may not be propagated.
func (c *closure) learnClause(forth bool, lits []dimacs.Lit, addSteps func(forth bool, goal []dimacs.Lit)) int64 {
	if c.host.Stopped() || c.host.Refuted() || !c.beginChain(lits...) {
		return 0
	}
	if c.proof != nil {
		addSteps(forth, lits)
	}
	id := c.logGoal()
	for _, l := range c.caseLemmas {
		c.deleteLemma(l)
	}
	c.caseLemmas = c.caseLemmas[:0]
	switch goal := c.chain.goal; len(goal) {
	case 0:
		c.host.Refute()
	case 1:
		c.host.AddUnits([]inprocess.Unit{{Lit: goal[0], ID: id}})
		c.stats.Units++
		c.enqueueAssigned()
	default:
		c.host.AddBinary(goal[0], goal[1], id)
	}
	return id
}

// deriveUnit learns that l is true.
func (c *closure) learnUnit(l dimacs.Lit, addSteps func()) {
	c.learnClause(true, []dimacs.Lit{l}, func(bool, []dimacs.Lit) { addSteps() })
}

// notice has those gates looked at again whose variables were assigned.
func (c *closure) enqueueAssigned() {
	for ; c.trailHead < len(c.host.Trail()); c.trailHead++ {
		c.enqueueGates(uint32(c.host.Trail()[c.trailHead] >> 1))
	}
}

// rewrite puts representatives in the place of the inputs of a gate, draws the
// conclusions, and looks for one that is equal.
func (c *closure) rewrite(i uint32) {
	switch c.gates[i].kind {
	case andGate:
		c.rewriteAnd(i)
	case xorGate:
		c.rewriteXor(i)
	case iteGate:
		c.rewriteIte(i)
	case majGate:
		c.rewriteMaj(i)
	}
}

// key returns the inputs that are left of a gate, as they were when it was looked at
// last.
func (c *closure) rhs(g *gate) []dimacs.Lit { return c.reps[g.inputStart : g.inputStart+g.rhsSize] }

// seek looks for another gate with the same inputs, all of them but the one that is
// its output. It passes by gates that are to be looked at: these will find this one
// when their turn comes.
func (c *closure) lookup(i, output uint32) (e gateEntry, ok bool) {
	g := &c.gates[i]
	h := c.hash(g, output)
	for j := c.table.first(h); j != 0; j = c.table.next(j) {
		*c.budget.Ticks++
		e := c.entries[j]
		if o := &c.gates[e.gate]; e.gate != i && !o.garbage && !o.queued && c.congruent(g, output, o, e.output) {
			return e, true
		}
	}
	return gateEntry{}, false
}

// enter puts a gate into the table. Entries for inputs that it had before stay
// there: they are never equal to what is looked for, unless the gate is.
func (c *closure) insert(i, output uint32) {
	c.table.add(c.hash(&c.gates[i], output))
	c.entries = append(c.entries, gateEntry{i, output})
}

// noOutput stands for the output of a gate that has no choice of it.
const noOutput = ^uint32(0)

func (c *closure) hash(g *gate, output uint32) uint32 {
	h := uint32(g.kind)
	for k, l := range c.rhs(g) {
		if uint32(k) != output {
			h = mix(h, uint32(l))
		}
	}
	return h
}

// same reports whether two gates have the same inputs, but for the one that is the
// output of each.
func (c *closure) congruent(g *gate, output uint32, o *gate, other uint32) bool {
	if g.kind != o.kind || g.rhsSize != o.rhsSize {
		return false
	}
	a, b := c.rhs(g), c.rhs(o)
	if g.kind != xorGate {
		return slices.Equal(a, b)
	}
	for k, m := uint32(0), uint32(0); ; k, m = k+1, m+1 {
		if k == output {
			k++
		}
		if m == other {
			m++
		}
		switch {
		case k >= g.rhsSize || m >= g.rhsSize:
			return true
		case a[k] != b[m]:
			return false
		}
	}
}
