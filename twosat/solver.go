package twosat

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"sator/dimacs"
)

// A Solver holds clauses with at most two literals, and answers questions about
// them. Clauses may be added at any time. What was found out is kept until the
// next one is added; then it is found out anew, in linear time. A Solver is used
// by one goroutine at a time; different solvers share nothing.
//
// It takes up to 2^30-1 variables and 2^31-1 clauses.
type Solver struct {
	proof dimacs.Proof
	hints bool // the proof wants antecedents

	vars  int
	pairs []pair
	ids   []int64 // of the pairs in the proof, if there is one
	empty bool    // the empty clause was given

	// What is known of the clauses as they are; Add drops it.
	status     dimacs.Status
	model      dimacs.Model // covers the variables of the clauses
	graph      *Graph       // all implications
	refutation *Refutation  // made when it is asked for, from
	kernel     *kernel      // where the contradiction was found
	clash      dimacs.Var

	// The last call of Solve.
	answer    dimacs.Status
	assumed   *propagator // what its assumptions imply, on trail
	failed    []dimacs.Lit
	conflict  Chain
	stats     Stats
	stopwatch time.Time
}

// A pair is a clause of two different variables, the lower one first, or a unit
// clause, twice the same literal.
type pair [2]dimacs.Lit

// New returns a solver without clauses. If proof is not nil, it is told every
// clause and every refutation: steps follow by unit propagation, with hints if
// it wants them, and no clause is deleted but those that tell of assumptions.
func New(proof dimacs.Proof) *Solver {
	s := &Solver{proof: proof}
	if proof != nil {
		s.hints = proof.Hints()
	}
	return s
}

// A LongClauseError says that a formula is not an instance of 2-SAT.
type LongClauseError struct {
	Index  int          // of the clause, from 0
	Clause []dimacs.Lit // it has three or more different literals
}

func (e *LongClauseError) Error() string {
	return fmt.Sprintf("clause %d has %d literals, more than 2", e.Index+1, len(e.Clause))
}

// From returns a solver with the clauses of f; see [New] for the proof. The
// error is a [*LongClauseError] if a clause has more than two different
// literals and is not a tautology; the proof has then been told nothing. The
// time is linear.
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

// Is2SAT reports whether f is an instance of 2-SAT: whether [From] has no
// error. The time is linear; for most other formulas it is constant.
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
// longer clauses. BinaryPart returns nil if ctx ends before. The time is linear.
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

// A kind is what a clause is without its duplicate literals.
type kind uint8

const (
	tautology kind = iota
	empty
	single
	double
	long
)

// simplify returns the first two different literals of a clause, and what it
// is.
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
			return p, longOr(c[i:])
		}
	}
	return p, k
}

// longOr returns what a clause is that has three different literals and goes on
// like this: it may still be a tautology.
func longOr(c []dimacs.Lit) kind {
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

// Grow makes the solver know variables 0 to vars-1, which a model then covers.
// It panics if vars exceeds [dimacs.MaxVars].
func (s *Solver) Grow(vars int) {
	if vars > dimacs.MaxVars {
		panic(fmt.Sprintf("twosat: %d variables", vars))
	}
	s.vars = max(s.vars, vars)
}

// Reserve makes room for so many more clauses.
func (s *Solver) Reserve(clauses int) {
	s.pairs = slices.Grow(s.pairs, clauses)
	if s.proof != nil {
		s.ids = slices.Grow(s.ids, clauses)
	}
}

// Vars returns the number of variables.
func (s *Solver) Vars() int { return s.vars }

// Add adds a clause, growing the solver to its variables. Duplicate literals,
// tautologies and the empty clause are allowed. It panics if more than two
// different literals remain, and if there are too many clauses.
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

// Imply adds the implication from a to b: the clause that a is false or b is
// true.
func (s *Solver) Imply(a, b dimacs.Lit) {
	if s.proof == nil && a>>1 != b>>1 {
		s.push(pair{a ^ 1, b}, 0) // Add would allocate its clause
		return
	}
	s.Add(a.Not(), b)
}

// Reset makes the solver as new, without clauses and variables, and keeps the
// room that clauses took. It panics if there is a proof.
func (s *Solver) Reset() {
	if s.proof != nil {
		panic("twosat: a proof cannot begin again")
	}
	*s = Solver{pairs: s.pairs[:0]}
}

// push adds a clause in the form in which it is kept.
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

// hintsOf returns the hints if the proof wants any.
func (s *Solver) hintsOf(ids ...int64) []int64 {
	if !s.hints {
		return nil
	}
	return ids
}

// forget drops what was known of the clauses before one was added. A refutation
// stays.
func (s *Solver) invalidate() {
	s.answer = dimacs.Unknown
	s.graph, s.assumed, s.model = nil, nil, nil
	if s.status == dimacs.Satisfiable {
		s.status = dimacs.Unknown
	}
}

// Graph returns the implication graph: its vertices are the literals of all
// variables, and for a clause (a or b) it has the edges from not a to b and
// from not b to a; for a unit clause it has one edge, from its complement to
// it. The graph is made by the first call after a change, in linear time.
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

// Model returns a copy of the model that the last call of Solve found. It
// panics unless that call said Satisfiable and nothing was added since.
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

// Failed returns those assumptions of the last call of Solve that were used to
// refute it, at most two: there is no solution in which they are all true. It is
// empty if there is none at all. It panics unless that call said Unsatisfiable
// and nothing was added since.
func (s *Solver) Failed() []dimacs.Lit {
	s.requireAnswer(dimacs.Unsatisfiable, "Failed")
	return slices.Clone(s.failed)
}

// FailedChain returns why the assumptions failed: a chain of implications, as
// short as there is, from one of them to the complement of itself or of the
// other. It is nil if they are complements, or if there is no solution at all.
// It panics as Failed does.
func (s *Solver) FailedChain() Chain {
	s.requireAnswer(dimacs.Unsatisfiable, "FailedChain")
	return slices.Clone(s.conflict)
}

// Refutation returns why there is no solution, if the last call of Solve said
// Unsatisfiable whatever the assumptions, and else nil. The first call takes
// time linear in the clauses. It panics as Failed does.
func (s *Solver) Refutation() *Refutation {
	s.requireAnswer(dimacs.Unsatisfiable, "Refutation")
	if s.status != dimacs.Unsatisfiable {
		return nil
	}
	return s.refute()
}

// refute returns the refutation, which exists.
func (s *Solver) refute() *Refutation {
	if s.refutation == nil {
		s.refutation, s.kernel = s.kernel.refute(s.clash), nil
	}
	return s.refutation
}

func (s *Solver) requireAnswer(answer dimacs.Status, call string) {
	if s.answer != answer {
		panic("twosat: " + call + " needs another answer of Solve")
	}
}

// Stats tell what the last decision about the clauses took.
type Stats struct {
	Vars    int
	Clauses int // without tautologies and the empty clause

	Rounds        int // of peeling
	KernelVars    int // variables and clauses that peeling left
	KernelClauses int
	Propagated    int  // literals made true in the kernel, those taken back included
	Unassigned    int  // of these, literals unassigned again after a contradiction
	Condensed     bool // too many were: components had to decide

	Peel, Build, Decide time.Duration // peeling, building the kernel, deciding it
}

// Stats returns the statistics of the last decision. Calls of Solve that only
// add assumptions to clauses decided before leave them as they are.
func (s *Solver) Stats() Stats { return s.stats }

// lap returns the time since the last lap.
func (s *Solver) elapsed() time.Duration {
	before := s.stopwatch
	s.stopwatch = time.Now()
	return s.stopwatch.Sub(before)
}

// Footprint returns about how many bytes a solver takes at most to decide so
// many clauses. Most formulas take half of that.
func Footprint(vars, clauses int) int64 {
	// For a variable: counts, model, name, number, rows, value and trail, and
	// what a search for components needs. For a clause: as it was given, as it
	// was left, and its edges.
	const perVar = 2 + 1 + 8 + 4 + 8 + 1 + 4 + 24
	const perClause = 8 + 8 + 8
	return perVar*int64(vars) + perClause*int64(clauses)
}

// over reports whether ctx has ended.
func ended(ctx context.Context) bool { return ctx.Err() != nil }
