// Package congruence implements clausal congruence closure (Biere, Fazekas, Fleury and
// Froleyks, "Clausal congruence closure", SAT 2024): it finds gates in a formula and
// merges the outputs of gates that have the same kind and the same inputs.
//
// Formulas that encode circuits have many such pairs of gates, because several parts
// of a circuit compute the same function. A search derives each equivalence by way of
// conflicts. Congruence closure finds all of them in nearly linear time. According to
// the paper it made the difference in the SAT Competition of 2024.
//
//	f := dimacs.NewFormula(4)
//	for out := 3; out <= 4; out++ { // two AND gates with the inputs 1 and 2
//		f.Add(dimacs.Lits(out, -1, -2)...)
//		f.Add(dimacs.Lits(-out, 1)...)
//		f.Add(dimacs.Lits(-out, 2)...)
//	}
//	h := inprocess.NewPlain(f, nil) // without a proof; an engine passes itself
//	var c congruence.Closer         // keeps the schedule of passes
//	st := c.Run(h, 1e6)             // the budget is in ticks
//	fmt.Println(st.Ands, st.Merged) // 2 1: the host now has the binary clauses of 3 = 4
//
// # Algorithm
//
// The pass finds gates in the irredundant clauses and in all binary clauses, and
// stores them in a hash table by kind and inputs. Gates with the same kind and inputs
// are congruent: their outputs are merged. Gates that have a merged output as an input
// may then become congruent too, and so on (Downey, Sethi and Tarjan, "Variations on
// the common subexpression problem", JACM 1980). The kinds of gates are:
//
//   - AND gates with any number of inputs. An OR gate is an AND gate with complemented
//     output and inputs.
//   - XOR gates with up to four inputs. An XOR gate is stored as a parity constraint, so
//     that any of its variables may be the output. It has a table entry for each choice.
//   - If-then-else (ITE) gates.
//   - Majority gates with three inputs. These are not in the paper; they are the carries
//     of adders, if an encoder writes a carry as six clauses.
//
// Equivalent literals form a class with a representative, in a union-find forest with
// path compression. When two classes merge, the one with fewer gate occurrences is
// renamed. A worklist has the gates to be rewritten, each at most once: gates with a
// variable that was assigned or that is no longer a representative. So a pass takes
// nearly linear time in the size of the clauses, plus for each merge the gates of the
// renamed class.
//
// Rewriting replaces the inputs of a gate with their representatives. If inputs are
// fixed, equal or complementary, the result is a smaller gate, a unit or an
// equivalence.
//
// The results of a pass are units, and two redundant binary clauses for each merge.
// Equivalent literal substitution, the next pass of the engine, replaces one of the two
// literals with the other.
//
// # Proofs
//
// A binary clause of a merge follows by unit propagation (RUP) from the clauses of AND
// gates. For the other kinds of gates the proof splits cases: it derives lemmas and
// deletes them afterwards. The clauses of a gate are not copied as long as its inputs
// are only renamed: one binary clause, derived by path compression, leads from a
// literal to its representative. Only gates that changed in size or kind need new
// clauses. These are lemmas, deleted from the proof when the pass ends.
//
// # Effort
//
// The pass takes about 5% of the ticks on formulas where it merges few literals.
//
// Tried: a budget that is halved after each pass that learns neither a unit nor an
// equivalence (no gain).
//
// # Files
//
// congruence.go has the pass and its worklist, merge.go the union-find forest,
// hashtable.go the hash table of gates, proof.go the RUP chains. Gates are found by
// find.go (AND) and short.go (XOR, ITE, majority), and rewritten by rewrite.go,
// and.go, xor.go, ite.go and maj.go.
package congruence

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

// A closure is the state of one pass.
type closure struct {
	host      inprocess.Host
	budget    inprocess.Budget
	stats     *Stats
	vals      []int8 // by literal: its value at the root
	proof     dimacs.Proof
	hints     bool         // the proof has antecedents
	gates     []gate       // gates[0] is unused
	inputs    []dimacs.Lit // inputs of all gates, as they occur in the clauses
	reps      []dimacs.Lit // by index of an input: right-hand sides of all gates
	ids       []int64      // proof ids of the clauses of all gates
	table     hashTable    // of gates, by kind and right-hand side
	entries   []gateEntry  // by number in the table
	worklist  []uint32     // gates to be rewritten, first in, first out
	trailHead int          // the gates of the trail before this position have been queued

	parent    []dimacs.Lit // by literal: its parent in the forest; a representative is its own parent
	occs      []occList    // by variable of a representative: gates with a literal of its class
	links     []occLink    // elements of the occurrence lists; links[0] is unused
	parentIDs []int64      // by literal, with a proof: id of the clause by which it implies its parent
	proofOnly []bool       // by literal, with a proof: the clause of parentIDs is a lemma
	path      []dimacs.Lit // scratch of find

	chain       chain        // of the clause under construction
	antecedents []int64      // of the chain
	caseLemmas  []lemma      // lemmas for the clause under construction
	gateLemmas  []lemma      // clauses of rewritten gates
	proofLits   []dimacs.Lit // scratch: literals of a proof step

	scratch []dimacs.Lit // right-hand side under construction
	refs    []uint32     // scratch of collectInputs: references of the binary clauses
	keys    []uint64     // scratch of sortRow
}

// noLit is no literal. It is the output of XOR gates.
const noLit = ^dimacs.Lit(0)

// A gate says that its output equals a function of its inputs. The inputs of an XOR
// gate are all variables of its parity constraint; any of them may be the output.
type gate struct {
	kind       gateKind
	odd        bool       // of an XOR gate: the sum of the inputs is odd
	oddReps    bool       // of an XOR gate: the sum of the right-hand side is odd
	garbage    bool       // the gate is no longer used
	queued     bool       // the gate is in the worklist
	indexed    bool       // the gate is in the table with its current right-hand side
	out        dimacs.Lit // output, or left-hand side; noLit in an XOR gate
	inputStart uint32     // index of the first input
	arity      uint32     // number of inputs
	rhsSize    uint32     // number of literals in the right-hand side
	idStart    uint32     // index of the first clause id
}

// A gateKind is the function that a gate computes.
type gateKind uint8

const (
	andGate gateKind = iota // the output is the conjunction of the inputs
	xorGate                 // the sum of the inputs modulo 2 is the parity of the gate
	iteGate                 // the output is the second input if the first is true, otherwise the third
	majGate                 // the output is the value of at least two of the three inputs
)

// An occList is an occurrence list of gates: its first and last link, and its length.
type occList struct{ first, last, n uint32 }

// An occLink is an element of an occurrence list. The index of the next element is 0
// at the end.
type occLink struct{ gate, next uint32 }

// maxWords bounds the formula: if its clauses take more words of memory there is no
// pass. Finding gates takes about ten seconds for 20 million clauses.
const maxWords = 1 << 27

// Stats counts the results of a pass.
type Stats struct {
	Ands, Ifs, Majs, Xors int64 // gates found, by kind
	Merged                int64 // merged literals
	Reduced               int64 // gates rewritten to smaller gates
	Short                 int64 // binary clauses learned to find gates
	Units                 int64 // unit clauses learned
}

// A Closer runs passes of congruence closure and keeps their schedule. The zero value
// is ready for use.
//
// Finding gates takes linear time, and is not interrupted if that exceeds the budget.
// Then the next calls of Run return at once until their budgets have covered the
// excess.
type Closer struct {
	credit  int64 // unused budget in ticks; negative if a pass took more than its budget
	clauses int   // irredundant clauses at the end of the last pass
	roots   int   // assigned variables at the end of the last pass
}

// Run merges the outputs of gates with the same kind and inputs. It does nothing if
// the formula has not changed since the last pass or is too large.
func (d *Closer) Run(h inprocess.Host, budget int64) (st Stats) {
	size := h.Size()
	if d.credit += budget; d.credit < 0 || size.Words > maxWords || d.clauses == size.Irredundant && d.roots == len(h.Trail()) {
		return st
	}
	if !h.FixedRemoved() {
		// Gates in clauses with assigned literals would not be found.
		if h.RemoveFixed(); h.Stopped() || h.Refuted() {
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

// newClosure finds the gates. It returns nil if there are no gates, or if the call is
// stopped.
func newClosure(h inprocess.Host, budget int64, st *Stats) *closure {
	c := &closure{host: h, stats: st, vals: h.Values(), proof: h.Proof(), hints: h.Hints(), trailHead: len(h.Trail())}
	c.budget = inprocess.NewBudget(h, 0)
	c.parent = inprocess.Table[dimacs.Lit](h, len(c.vals))
	for l := range c.parent {
		c.parent[l] = dimacs.Lit(l)
	}
	c.occs = inprocess.Table[occList](h, h.Vars())
	c.links = append(inprocess.GrowingTable[occLink](h), occLink{})
	c.gates = append(inprocess.GrowingTable[gate](h), gate{garbage: true})
	c.inputs, c.reps = inprocess.GrowingTable[dimacs.Lit](h), inprocess.GrowingTable[dimacs.Lit](h)
	c.worklist = inprocess.GrowingTable[uint32](h)
	c.entries = append(inprocess.GrowingTable[gateEntry](h), gateEntry{})
	c.table = newHashTable(h, 1024)
	if c.proof != nil {
		c.ids = inprocess.GrowingTable[int64](h)
		c.parentIDs = inprocess.Table[int64](h, len(c.vals))
		c.proofOnly = inprocess.Table[bool](h, len(c.vals))
		c.chain.assigned = inprocess.Table[uint32](h, len(c.vals))
	}
	if !c.findGates() {
		c.end()
		return nil
	}
	c.budget = inprocess.NewBudget(h, budget)
	return c
}

// run rewrites gates until the worklist is empty or the budget is used up.
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

// end deletes the lemmas of the pass from the proof.
func (c *closure) end() {
	if c.proof == nil || c.host.Refuted() {
		return
	}
	for _, r := range c.gateLemmas {
		c.proof.Delete(r.id, r.lits)
	}
	for l, proofOnly := range c.proofOnly {
		if proofOnly {
			c.deleteClause(c.parentIDs[l], dimacs.Lit(l^1), c.parent[l])
		}
	}
}

// deleteClause deletes a clause from the proof.
func (c *closure) deleteClause(id int64, lits ...dimacs.Lit) {
	c.proofLits = append(c.proofLits[:0], lits...)
	c.proof.Delete(id, c.proofLits)
}

// addGate adds a gate and queues it. The ids of its clauses are in the order that the
// kind of the gate prescribes (see rewriteAnd, rewriteXor, rewriteIte and rewriteMaj).
func (c *closure) addGate(kind gateKind, out dimacs.Lit, inputs []dimacs.Lit, ids []int64) uint32 {
	i := uint32(len(c.gates))
	n := uint32(len(inputs))
	c.gates = append(c.gates, gate{kind: kind, out: out, inputStart: uint32(len(c.inputs)), arity: n, idStart: uint32(len(c.ids))})
	c.inputs = append(c.inputs, inputs...)
	c.reps = slices.Grow(c.reps, len(inputs))[:len(c.inputs)] // written when the gate is rewritten
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

// reserve reserves memory for this many more gates without outputs and for their inputs.
// The tables of a large formula would otherwise move several times, and each move takes
// longer than a canceled call may last.
func (c *closure) reserve(gates, inputs int) {
	c.gates = slices.Grow(c.gates, gates)
	c.worklist = slices.Grow(c.worklist, gates)
	c.inputs = slices.Grow(c.inputs, inputs)
	c.reps = slices.Grow(c.reps, inputs)
	c.links = slices.Grow(c.links, inputs)
	if c.proof != nil {
		c.ids = slices.Grow(c.ids, 2*inputs)
	}
}

// addOccurrence adds gate i to the occurrence list of the class of l.
func (c *closure) addOccurrence(l dimacs.Lit, i uint32) {
	o := &c.occs[c.find(l)>>1]
	c.links = append(c.links, occLink{i, 0})
	c.concat(o, occList{uint32(len(c.links) - 1), uint32(len(c.links) - 1), 1})
}

// concat appends the list p to o.
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

// enqueue appends gate i to the worklist, unless it is there already.
func (c *closure) enqueue(i uint32) {
	if g := &c.gates[i]; !g.queued && !g.garbage {
		g.queued = true
		c.worklist = append(c.worklist, i)
	}
}

// enqueueGates appends the gates in the occurrence list of v to the worklist.
func (c *closure) enqueueGates(v uint32) {
	for i := c.occs[v].first; i != 0; i = c.links[i].next {
		c.enqueue(c.links[i].gate)
	}
	*c.budget.Ticks += 1 + int64(c.occs[v].n>>2)
}

// enqueueAssigned appends the gates of newly assigned variables to the worklist.
func (c *closure) enqueueAssigned() {
	for ; c.trailHead < len(c.host.Trail()); c.trailHead++ {
		c.enqueueGates(uint32(c.host.Trail()[c.trailHead] >> 1))
	}
}
