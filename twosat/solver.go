package twosat

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"sator/dimacs"
)

// A Solver holds clauses with at most two literals and decides them. Clauses may
// be added at any time. The solver keeps results until a clause is added, and
// then computes them again in linear time. One goroutine at a time may use a
// solver; different solvers share no memory.
//
// A solver has up to 2^30-1 variables and 2^31-1 clauses.
type Solver struct {
	proof dimacs.Proof
	hints bool // the proof needs antecedents

	vars  int
	pairs []pair
	ids   []int64 // proof ids of pairs, if there is a proof
	empty bool    // there is an empty clause

	// Results about the clauses; adding a clause invalidates them.
	status     dimacs.Status
	model      dimacs.Model // values of the variables in clauses
	graph      *Graph       // the implication graph
	refutation *Refutation  // computed from kernel and clash on demand
	kernel     *kernel      // of a contradiction
	clash      dimacs.Var   // contradictory variable of the kernel

	// Results of the last call of Solve.
	answer    dimacs.Status
	assumed   *propagator // literals that the assumptions imply
	failed    []dimacs.Lit
	conflict  Chain // between the failed assumptions
	stats     Stats
	stopwatch time.Time // of the last call of elapsed
}

// A pair is a clause of two different variables with the smaller literal first,
// or a unit clause as twice the same literal.
type pair [2]dimacs.Lit

// New returns a solver without clauses. A proof that is not nil receives every
// clause and every refutation. Derived clauses follow by unit propagation (RUP),
// with hints if the proof needs them. The solver deletes only clauses about
// failed assumptions.
func New(proof dimacs.Proof) *Solver {
	s := &Solver{proof: proof}
	if proof != nil {
		s.hints = proof.Hints()
	}
	return s
}

// A LongClauseError reports a clause that a 2-SAT solver cannot hold.
type LongClauseError struct {
	Index  int          // of the clause, from 0
	Clause []dimacs.Lit // with three or more different literals
}

func (e *LongClauseError) Error() string {
	return fmt.Sprintf("clause %d has %d literals, more than 2", e.Index+1, len(e.Clause))
}

// From returns a solver with the clauses of f; for the proof see [New]. The
// error is a [*LongClauseError] if a clause that is not a tautology has more than
// two different literals; then the proof has received nothing. The time is
// linear.
func From(f *dimacs.Formula, proof dimacs.Proof) (*Solver, error) {
	if i := firstLong(f); i >= 0 {
		return nil, &LongClauseError{i, slices.Clone(f.Clause(i))}
	}
	s := New(proof)
	s.Grow(f.Vars())
	s.Reserve(f.Len())
	for _, c := range f.Clauses() {
		s.Add(c...)
	}
	return s, nil
}

// Is2SAT reports whether f is an instance of 2-SAT, that is, whether [From]
// returns no error. The time is linear in the clauses up to the first long one.
func Is2SAT(f *dimacs.Formula) bool { return firstLong(f) < 0 }

// firstLong returns the index of the first clause with more than two different
// literals, or -1.
func firstLong(f *dimacs.Formula) int {
	for i, c := range f.Clauses() {
		if len(c) > 2 && !short(c) {
			return i
		}
	}
	return -1
}

// BinaryPart returns a solver with those clauses of f that have at most two
// different literals, and the number of longer clauses, tautologies excluded.
// The solver has the variables up to the highest that occurs in a clause, long
// ones included. A refutation of the solver refutes f; literals that are forced
// or equivalent in the solver are so in f. The converse holds only if f has no
// longer clauses. BinaryPart returns nil if ctx ends first. The time is linear.
func BinaryPart(ctx context.Context, f *dimacs.Formula) (s *Solver, longer int) {
	binary := 0
	for _, c := range f.Clauses() {
		if len(c) <= 2 {
			binary++
		}
	}
	s = New(nil)
	s.Reserve(binary)
	for i, c := range f.Clauses() {
		if i%addInterval == 0 && ended(ctx) {
			return nil, 0
		}
		if short(c) {
			s.Add(c...)
			continue
		}
		longer++
		s.growTo(c)
	}
	return s, longer
}

// addInterval is the number of clauses that BinaryPart adds between two checks
// of its context: some milliseconds.
const addInterval = 1 << 16

// growTo adds the variables of a clause to the solver.
func (s *Solver) growTo(c []dimacs.Lit) {
	for _, l := range c {
		s.Grow(int(l>>1) + 1)
	}
}

// short reports whether a clause has at most two different literals or is a
// tautology.
func short(c []dimacs.Lit) bool {
	_, kind := simplify(c)
	return kind != long
}

// A kind classifies a clause by its different literals.
type kind uint8

const (
	tautology kind = iota
	empty
	single
	double
	long
)

// simplify returns the first two different literals of a clause and its kind.
func simplify(c []dimacs.Lit) (pair, kind) {
	var p pair
	k := empty
	for i, l := range c {
		switch {
		case k != empty && p[0] == l, k == double && p[1] == l:
		case slices.Contains(c[i+1:], l^1):
			return p, tautology
		case k == empty:
			p, k = pair{l, l}, single
		case k == single:
			p[1], k = l, double
		default:
			return p, longKind(c[i:])
		}
	}
	return p, k
}

// longKind returns the kind of a clause with three different literals: c has the
// literals from the third on. The clause is long or a tautology.
func longKind(c []dimacs.Lit) kind {
	if len(c) == 1 {
		return long
	}
	sorted := slices.Clone(c)
	slices.Sort(sorted)
	for i := 1; i < len(sorted); i++ {
		if sorted[i] == sorted[i-1]^1 {
			return tautology
		}
	}
	return long
}

// Grow adds variables up to vars-1, which models then cover. It panics if vars
// exceeds [dimacs.MaxVars].
func (s *Solver) Grow(vars int) {
	if vars > dimacs.MaxVars {
		panic(fmt.Sprintf("twosat: %d variables", vars))
	}
	s.vars = max(s.vars, vars)
}

// Reserve allocates memory for the given number of further clauses.
func (s *Solver) Reserve(clauses int) {
	s.pairs = slices.Grow(s.pairs, clauses)
	if s.proof != nil {
		s.ids = slices.Grow(s.ids, clauses)
	}
}

// Vars returns the number of variables.
func (s *Solver) Vars() int { return s.vars }

// Add adds a clause and its variables. Duplicate literals, tautologies and the
// empty clause are allowed. Add panics if a clause that is not a tautology has
// more than two different literals, and if there are too many clauses.
func (s *Solver) Add(lits ...dimacs.Lit) {
	if len(lits) == 2 && lits[0]>>1 != lits[1]>>1 && s.proof == nil {
		s.push(pair{lits[0], lits[1]}, 0)
		return
	}
	p, k := simplify(lits)
	if k == long {
		panic(fmt.Sprintf("twosat: a clause of %d literals", len(lits)))
	}
	id := int64(0)
	if s.proof != nil {
		id = s.proof.Original(lits)
	}
	switch k {
	case tautology:
		s.growTo(lits)
		return
	case empty:
		s.empty = true
		s.invalidate()
		return
	}
	if c := p.lits(); s.proof != nil && len(c) < len(lits) {
		id = s.proof.Learn(c, s.hintsOf(id))
	}
	s.push(p, id)
}

// Imply adds the implication from a to b, the clause (not a or b).
func (s *Solver) Imply(a, b dimacs.Lit) {
	if s.proof == nil && a>>1 != b>>1 {
		s.push(pair{a ^ 1, b}, 0) // Add would allocate its clause
		return
	}
	s.Add(a.Not(), b)
}

// Reset removes all clauses and variables and keeps the memory of the clauses for
// reuse. It panics if there is a proof.
func (s *Solver) Reset() {
	if s.proof != nil {
		panic("twosat: Reset of a solver with a proof")
	}
	*s = Solver{pairs: s.pairs[:0]}
}

// push adds a clause in its stored form.
func (s *Solver) push(p pair, id int64) {
	if p[0] > p[1] {
		p[0], p[1] = p[1], p[0]
	}
	if int(p[1]>>1) >= s.vars {
		s.Grow(int(p[1]>>1) + 1)
	}
	if uint64(len(s.pairs)) >= math.MaxInt32 {
		panic("twosat: more than 2^31-1 clauses")
	}
	s.pairs = append(s.pairs, p)
	if s.proof != nil {
		s.ids = append(s.ids, id)
	}
	if s.status != dimacs.Unknown || s.graph != nil {
		s.invalidate()
	}
}

// lits returns the literals of the clause.
func (p pair) lits() []dimacs.Lit {
	if p[0] == p[1] {
		return []dimacs.Lit{p[0]}
	}
	return []dimacs.Lit{p[0], p[1]}
}

// hintsOf returns ids if the proof needs hints, and otherwise nil.
func (s *Solver) hintsOf(ids ...int64) []int64 {
	if !s.hints {
		return nil
	}
	return ids
}

// invalidate drops all results about the clauses except a refutation.
func (s *Solver) invalidate() {
	s.answer = dimacs.Unknown
	s.graph, s.assumed, s.model = nil, nil, nil
	if s.status == dimacs.Satisfiable {
		s.status = dimacs.Unknown
	}
}

// Graph returns the implication graph. Its vertices are the literals of all
// variables. A clause (a or b) gives the edges from not a to b and from not b to
// a; a unit clause gives one edge, from the complement of its literal to the
// literal. The first call after a change builds the graph in linear time.
func (s *Solver) Graph() *Graph {
	if s.graph == nil || s.graph.Len() < 2*s.vars {
		s.graph = implications(s.vars, s.pairs)
	}
	return s.graph
}

// implications returns the implication graph of clauses.
func implications(vars int, pairs []pair) *Graph {
	b := newRowBuilder(2*vars, 2*len(pairs))
	for _, p := range pairs {
		b.count(uint32(p[0] ^ 1))
		if p[0] != p[1] {
			b.count(uint32(p[1] ^ 1))
		}
	}
	b.open()
	for _, p := range pairs {
		b.put(uint32(p[0]^1), uint32(p[1]))
		if p[0] != p[1] {
			b.put(uint32(p[1]^1), uint32(p[0]))
		}
	}
	return b.graph()
}

// Model returns a copy of the model that the last call of Solve found. It panics
// unless that call returned Satisfiable and no clause was added since.
func (s *Solver) Model() dimacs.Model {
	s.requireAnswer(dimacs.Satisfiable, "Model")
	m := make(dimacs.Model, s.vars)
	for v := copy(m, s.model); v < len(m); v++ {
		m[v] = dimacs.False
	}
	if s.assumed != nil {
		for _, l := range s.assumed.trail {
			m.Set(l)
		}
	}
	return m
}

// Failed returns the failed assumptions of the last call of Solve, at most two:
// no solution makes all of them true. The slice is empty if the clauses are
// unsatisfiable without assumptions. Failed panics unless that call returned
// Unsatisfiable and no clause was added since.
func (s *Solver) Failed() []dimacs.Lit {
	s.requireAnswer(dimacs.Unsatisfiable, "Failed")
	return slices.Clone(s.failed)
}

// FailedChain returns a shortest chain of implications from one failed assumption
// to the complement of the other, or of itself. It is nil if the assumptions are
// complements, or if the clauses are unsatisfiable without assumptions.
// FailedChain panics as Failed does.
func (s *Solver) FailedChain() Chain {
	s.requireAnswer(dimacs.Unsatisfiable, "FailedChain")
	return slices.Clone(s.conflict)
}

// Refutation returns a contradictory cycle if the last call of Solve found the
// clauses unsatisfiable without assumptions, and otherwise nil. The first call
// takes time linear in the clauses. Refutation panics as Failed does.
func (s *Solver) Refutation() *Refutation {
	s.requireAnswer(dimacs.Unsatisfiable, "Refutation")
	if s.status != dimacs.Unsatisfiable {
		return nil
	}
	return s.refute()
}

// refute returns the refutation of unsatisfiable clauses.
func (s *Solver) refute() *Refutation {
	if s.refutation == nil {
		s.refutation, s.kernel = s.kernel.refute(s.clash), nil
	}
	return s.refutation
}

// requireAnswer panics if the last answer of Solve is another one.
func (s *Solver) requireAnswer(answer dimacs.Status, call string) {
	if s.answer != answer {
		panic("twosat: " + call + " needs another answer of Solve")
	}
}

// Stats are the statistics of a decision about the clauses.
type Stats struct {
	Vars    int
	Clauses int // without tautologies and the empty clause

	Rounds        int  // of peeling
	KernelVars    int  // variables left by peeling
	KernelClauses int  // clauses left by peeling
	Propagated    int  // literals assigned in the kernel, including unassigned ones
	Unassigned    int  // literals unassigned again after a contradiction
	Condensed     bool // strongly connected components decided the kernel

	Peel, Build, Decide time.Duration // peeling, building the kernel, deciding it
}

// Stats returns the statistics of the last decision. Calls of Solve that only
// add assumptions do not change them.
func (s *Solver) Stats() Stats { return s.stats }

// elapsed returns the time since its last call.
func (s *Solver) elapsed() time.Duration {
	before := s.stopwatch
	s.stopwatch = time.Now()
	return s.stopwatch.Sub(before)
}

// Footprint returns the approximate maximum number of bytes that a solver needs
// for a decision about the given numbers of variables and clauses. Most formulas
// need half of that.
func Footprint(vars, clauses int) int64 {
	// Per variable: counts, model, original variable, index, rows, value, trail
	// and the search for components. Per clause: the given clause, its copy in
	// the kernel, and its edges.
	const perVar = 2 + 1 + 8 + 4 + 8 + 1 + 4 + 24
	const perClause = 8 + 8 + 8
	return perVar*int64(vars) + perClause*int64(clauses)
}

// ended reports whether ctx has ended.
func ended(ctx context.Context) bool { return dimacs.Canceled(ctx) }
