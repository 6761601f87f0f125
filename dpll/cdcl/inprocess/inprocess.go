// Package inprocess is the contract between the CDCL engine and the simplification
// techniques that have packages of their own: congruence closure, XOR constraints and
// cardinality detection.
//
// Between two decisions of the search the engine runs passes, which simplify the formula
// (inprocessing: Järvisalo, Heule and Biere, "Inprocessing rules", IJCAR 2012). A pass
// that needs no more of the engine than its clauses, its binary implications and a few
// services is written against a [Host]:
//
//	func Run(h inprocess.Host, budget int64) {
//		b := inprocess.NewBudget(h, budget)
//		g := h.Implications() // nil if the call was stopped
//		for l := dimacs.Lit(0); g != nil && int(l) < 2*h.Vars() && !b.Spent(); l++ {
//			*b.Ticks += g.Cost(l)
//			// ... look at g.Row(l), then report results:
//			// h.AddUnits(units), h.AddBinary(a, b, id), h.Refute()
//		}
//	}
//
// A pass runs at decision level 0 with nothing left to propagate. It logs every clause
// that it derives to [Host.Proof] before it reports the clause to the host, and deletes
// its auxiliary clauses from the proof at the end. It counts its effort in ticks, about
// one for each cache line touched, so that runs are the same on every machine.
//
// [Plain] is a host without an engine, for tests and examples.
package inprocess

import "sator/dimacs"

// A Host is the engine, as a pass sees it: a read-only view of the formula, a receiver
// of results, and a clock. Variables are numbered from 0; a proof may use variables
// from Vars() on as extension variables, if their clauses are deleted before the pass
// ends.
type Host interface {
	Formula
	Logger
	Sink
	Clock
}

// A Formula is the formula at the root, as it stands: clauses may contain literals that
// are assigned unless Swept reports otherwise.
type Formula interface {
	// Vars returns the number of variables.
	Vars() int

	// Values returns the assignment at the root by literal: 1 true, -1 false, 0
	// unassigned. The slice belongs to the host and must not be changed. It shows the
	// assignments of AddUnits.
	Values() []int8

	// Trail returns the literals assigned at the root, in order of assignment.
	Trail() []dimacs.Lit

	// FixedRemoved reports whether no clause contains an assigned literal.
	FixedRemoved() bool

	// Size returns how large the formula is.
	Size() Size

	// EachClause calls f with the reference and the literals of each irredundant
	// clause of three and more literals, in the order of memory, until f returns
	// false. The literals must not be changed or kept. EachClause returns the number
	// of clauses visited, including redundant and deleted ones, so that a pass can
	// charge them as ticks, and false if the call was stopped.
	EachClause(f func(r uint32, lits []uint32) bool) (visited int, ok bool)

	// Lits returns the literals of the clause of three and more literals at r. They
	// must not be changed, and are valid until the host adds or moves clauses.
	Lits(r uint32) []uint32

	// Implications returns the binary clauses, irredundant and redundant, as a graph
	// over the unassigned literals, or nil if the call was stopped. The time is linear
	// in the formula.
	Implications() *Implications
}

// A Size is a measure of a formula.
type Size struct {
	Words       int // of the clauses of three and more literals in memory
	Irredundant int // irredundant clauses, the binary ones included
	Binary      int // binary clauses, redundant ones included
}

// A Logger has the proof of a run and the ids of clauses in it.
type Logger interface {
	// Proof returns the receiver of proof steps, or nil if none is wanted.
	Proof() dimacs.Proof

	// Hints reports whether the proof wants antecedents.
	Hints() bool

	// UnitID returns the id of the unit clause of v. The variable must be assigned.
	UnitID(v uint32) int64

	// ClauseID returns the id of the clause with this reference, of EachClause or of
	// Implications.Refs. It is 0 without a proof.
	ClauseID(ref uint32) int64
}

// A Sink receives the results of a pass. The clauses are in the proof already.
type Sink interface {
	// AddUnits assigns the literals and propagates. It reports whether the pass may
	// continue: the formula is not refuted and the call not stopped.
	AddUnits(units []Unit) bool

	// AddBinary adds the redundant clause of a and b.
	AddBinary(a, b dimacs.Lit, id int64)

	// Refute ends the search: the empty clause was derived.
	Refute()

	// Refuted reports whether the empty clause was derived.
	Refuted() bool

	// Sweep takes assigned literals out of all clauses. References change.
	Sweep()
}

// A Unit is a literal that is true in all models, with the proof id of its clause.
type Unit struct {
	Lit dimacs.Lit
	ID  int64
}

// A Clock counts ticks and says when a pass must end.
type Clock interface {
	// Ticks returns the counter of the host. Passes add their effort to it.
	Ticks() *int64

	// Poll looks whether the call is to stop, and reports it.
	Poll() bool

	// Stopped reports the result of the last Poll, and polls again every few thousand
	// ticks.
	Stopped() bool
}

// Pause polls at every 1024th step of a long loop and reports whether to end it.
func Pause(c Clock, step int) bool { return step&1023 == 0 && c.Poll() }

// A Budget bounds the effort of a pass.
type Budget struct {
	Ticks *int64 // the host's counter
	limit int64
	clock Clock
}

// NewBudget returns a budget of so many ticks from now on.
func NewBudget(c Clock, ticks int64) Budget {
	t := c.Ticks()
	return Budget{Ticks: t, limit: *t + ticks, clock: c}
}

// Spent reports whether the budget is used up or the call is to stop.
func (b *Budget) Spent() bool { return *b.Ticks >= b.limit || b.clock.Stopped() }

// Implications is the implication graph of the binary clauses in compressed sparse
// rows. The clause (a ∨ b) is two edges, from the complement of a to b and from the
// complement of b to a. The edges that leave l are those with the indices Start[l] to
// Start[l+1]-1, in the order of the host's lists.
type Implications struct {
	Start []uint32 // by literal, and one more
	Heads []uint32 // by edge: the literal that is implied
	Refs  []uint32 // by edge: the reference of its clause; bit 1 is set if it is redundant
}

// Row returns the literals that l implies.
func (g *Implications) Row(l dimacs.Lit) []uint32 { return g.Heads[g.Start[l]:g.Start[l+1]] }

// Degree returns how many edges leave l. As many end in its complement.
func (g *Implications) Degree(l dimacs.Lit) uint32 { return g.Start[l+1] - g.Start[l] }

// Cost returns the ticks that a walk over the edges that leave l takes.
func (g *Implications) Cost(l dimacs.Lit) int64 { return 1 + int64(g.Degree(l)>>4) }
