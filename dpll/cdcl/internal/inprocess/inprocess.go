// Package inprocess defines the contract between the CDCL engine and the inprocessing
// techniques that have packages of their own: congruence closure, XOR constraints,
// cardinality detection and symmetry breaking.
//
// Between two decisions of the search the engine runs passes, which simplify the formula
// (inprocessing: Järvisalo, Heule and Biere, "Inprocessing rules", IJCAR 2012). A pass
// that needs no more of the engine than its clauses, its binary implications and a few
// services is written against a [Host]:
//
//	func Run(h inprocess.Host, budget int64) {
//		b := inprocess.NewBudget(h, budget)
//		g := h.Implications(false) // nil if the call was stopped
//		for l := dimacs.Lit(0); g != nil && int(l) < 2*h.Vars() && !b.Spent(); l++ {
//			*b.Ticks += g.Cost(l)
//			// ... read g.Row(l), then add results:
//			// h.AddUnits(units), h.AddBinary(a, b, id), h.Refute()
//		}
//	}
//
// A pass runs at decision level 0 (the root) after unit propagation. It logs every clause
// that it derives to [Host.Proof] before it adds the clause to the host, and deletes its
// auxiliary clauses from the proof at the end. It counts its effort in ticks, about one
// for each cache line touched, so that runs are the same on every machine.
//
// [Plain] is a host without an engine, for tests and examples.
package inprocess

import "sator/dimacs"

// A Host is the interface of the engine to a pass: the formula for reading, the proof, a
// sink for results, and a clock. Its methods must not be called after the pass has ended.
// Variables are numbered from 0. A proof may use variables from Vars() on as extension
// variables, if the pass deletes their clauses before it ends.
//
// A clause of three and more literals has an even reference other than 0, a binary clause
// an odd one. A reference of a longer clause is valid until RemoveFixed or the end of the pass.
type Host interface {
	Formula
	Logger
	Sink
	Clock
	Memory
}

// A Formula is the formula at the root. Its clauses may be satisfied or contain false
// literals, unless FixedRemoved returns true.
type Formula interface {
	// Vars returns the number of variables.
	Vars() int

	// Values returns the assignment at the root by literal: 1 true, -1 false, 0
	// unassigned. The slice must not be changed. It is valid until the pass ends, and
	// AddUnits updates it.
	Values() []int8

	// Trail returns the true literals at the root, in order of assignment. The slice
	// must not be changed. AddUnits appends literals: call Trail again to get them.
	Trail() []dimacs.Lit

	// FixedRemoved reports whether no clause contains an assigned literal. It is true
	// after a complete RemoveFixed until AddUnits assigns a literal.
	FixedRemoved() bool

	// Size returns the current size of the formula.
	Size() Size

	// EachClause calls f with the reference and the literals of each irredundant
	// clause of three and more literals, in the order of memory, until f returns
	// false. The literals are those of Lits. The function f may call all methods but
	// RemoveFixed. EachClause returns the number of clauses visited, including redundant and
	// deleted ones, and false if the call was stopped. It adds no ticks; the pass adds
	// them by the number of clauses.
	EachClause(f func(r uint32, lits []uint32) bool) (visited int, ok bool)

	// Lits returns the literals of the clause of three and more literals at r. The
	// slice must not be changed. It is valid until RemoveFixed, but AddUnits may change the
	// order of the literals.
	Lits(r uint32) []uint32

	// Implications returns the binary clauses, irredundant and redundant, as a graph
	// over the unassigned literals, or nil if the call was stopped. The graph is a new
	// one, which AddUnits, AddBinary and RemoveFixed do not change, and the pass may. Without
	// refs it takes half the memory, and Refs is nil. The time is linear in the formula, and
	// its ticks are added.
	Implications(refs bool) *Implications

	// ReleaseImplications releases the memory of the last graph, which must not be used any
	// more. A pass calls it before it makes other large tables.
	ReleaseImplications()
}

// A Size is the size of a formula.
type Size struct {
	Words       int // words of memory of the clauses of three and more literals, redundant ones included
	Irredundant int // irredundant clauses, the binary ones included
	Redundant   int // redundant clauses, the binary ones included
	Binary      int // binary clauses, redundant ones included
}

// A Logger gives access to the proof and to the proof ids of clauses.
type Logger interface {
	// Proof returns the proof, or nil if there is no proof.
	Proof() dimacs.Proof

	// Hints reports whether there is a proof and its steps need antecedents. The pass
	// must not call the method of the same name of the proof, which may be called only
	// once.
	Hints() bool

	// UnitID returns the id of the unit clause of v, or 0 without a proof. The variable
	// must be assigned.
	UnitID(v uint32) int64

	// ClauseID returns the id of the clause with this reference, of EachClause or of
	// Implications.Refs. It is 0 without a proof.
	ClauseID(ref uint32) int64
}

// A Sink accepts the results of a pass. The pass has logged the clauses to the proof.
type Sink interface {
	// AddUnits assigns the literals at the root and propagates. It deletes the unit
	// clause of a true literal from the proof as a duplicate, and derives the empty
	// clause if a literal is false or propagation ends in a conflict. It reports whether
	// the pass may continue: the formula is not refuted and the call not stopped.
	AddUnits(units []Unit) bool

	// AddBinary adds the redundant clause of two unassigned literals of different
	// variables.
	AddBinary(a, b dimacs.Lit, id int64)

	// Refute records that the formula is unsatisfiable. The pass has logged the empty
	// clause and should return.
	Refute()

	// Refuted reports whether the formula is known to be unsatisfiable, by Refute or by
	// AddUnits.
	Refuted() bool

	// RemoveFixed deletes satisfied clauses and removes false literals from the others. It
	// makes all references and slices of literals invalid. If the call is stopped, it
	// may be incomplete.
	RemoveFixed()
}

// A Unit is a literal that is true in all models, with the proof id of its clause.
type Unit struct {
	Lit dimacs.Lit
	ID  int64
}

// A Clock counts ticks and reports when a pass must end.
type Clock interface {
	// Ticks returns the counter of the host. Passes add their effort to it.
	Ticks() *int64

	// Poll checks at once whether the call must stop, and reports the result.
	Poll() bool

	// Stopped reports the result of the last Poll, and polls again every few thousand
	// ticks.
	Stopped() bool
}

// Pause polls at every 1024th step of a long loop. It reports whether the loop must end.
func Pause(c Clock, step int) bool { return step&1023 == 0 && c.Poll() }

// A Budget bounds the effort of a pass.
type Budget struct {
	Ticks *int64 // the host's counter
	limit int64
	clock Clock
}

// NewBudget returns a budget of that many ticks, beginning with the next one.
func NewBudget(c Clock, ticks int64) Budget {
	t := c.Ticks()
	return Budget{Ticks: t, limit: *t + ticks, clock: c}
}

// Limit returns the value of the counter at which the budget is used up.
func (b *Budget) Limit() int64 { return b.limit }

// Spent reports whether the budget is used up or the call must stop.
func (b *Budget) Spent() bool { return *b.Ticks >= b.limit || b.clock.Stopped() }

// Implications is the implication graph of the binary clauses in compressed sparse
// rows. The clause (a ∨ b) is two edges, from the complement of a to b and from the
// complement of b to a. The edges that leave l are those with the indices Start[l] to
// Start[l+1]-1, in the order of the host's lists.
type Implications struct {
	Start []uint32 // by literal, and one more
	Heads []uint32 // by edge: the implied literal
	Refs  []uint32 // by edge: the reference of its clause; bit 0 is set, and bit 1 if the clause is redundant; or nil
}

// Row returns the literals that l implies.
func (g *Implications) Row(l dimacs.Lit) []uint32 { return g.Heads[g.Start[l]:g.Start[l+1]] }

// Degree returns the number of edges that leave l. As many edges end in the complement of
// l.
func (g *Implications) Degree(l dimacs.Lit) uint32 { return g.Start[l+1] - g.Start[l] }

// Cost returns the ticks of a walk over the edges that leave l.
func (g *Implications) Cost(l dimacs.Lit) int64 { return 1 + int64(g.Degree(l)>>4) }
