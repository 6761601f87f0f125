// Package kitten implements an embedded CDCL sub-solver, for passes that solve many small
// parts of a formula: some hundred variables, some thousand clauses, one or two
// assumptions a call. It has the role of Kissat's kitten (Biere, Fazekas, Fleury and
// Heisinger, "CaDiCaL, Kissat, Paracooba, Plingeling and Treengeling", SAT Competition
// 2020; Fleury and Biere, "Mining definitions in Kissat with Kittens", FMSD 2023).
//
//	var k kitten.Solver
//	k.Reset(vars)                     // number of variables of the owner
//	k.Add([]dimacs.Lit{a, b}, 1)      // clauses in the owner's literals, with tags
//	k.Add([]dimacs.Lit{a, b.Not()}, 2)
//	if k.Solve(1000, k.Lit(a.Not())) == dimacs.Unsatisfiable {
//		fmt.Println(k.CoreTags(k.Refutation)) // tags 1 and 2: the clauses that refute ¬a
//	}
//
// Compared with a solver for long searches:
//
//   - Each learned clause keeps its antecedents, in the order in which they become unit
//     once the complement of the clause is assumed. So the solver can extract the core of
//     a refutation, the original clauses that it needs, and the owner can log a proof of
//     the learned clauses that it uses.
//   - A refutation under assumptions is a learned clause of the complements of failed
//     assumptions; without failed assumptions it is the empty clause.
//   - Memory is reused. Reset takes time linear in the previous subformula.
//
// kitten.go has the clauses and the search, analyze.go conflict analysis and cores.
package kitten

import (
	"sator/dimacs"
	"sator/dpll/cdcl/internal/order"
)

// A Solver is an embedded CDCL sub-solver for small subformulas. It learns the clause of
// the first unique implication point (UIP), decides variables in VMTF order (package
// order), and resumes from its learned clauses in the next call. It has no restarts, no
// clause deletion and no minimization, which only long searches need. The zero value must
// be initialized by Reset.
//
// Variables are numbered in the order in which Add and Lit meet them. Every literal that
// is assigned at the root has a unit clause as its reason, learned if necessary.
//
// Clauses lie in an arena of 32-bit words, at even references:
//
//	r          number of literals, shifted left by the bit that marks cores
//	r+1        number of antecedents; 0 for original clauses
//	r+2        the owner's tag
//	r+3 ...    the literals, the first two of which are watched, then the antecedents
//
// Reference 0 is no clause.
type Solver struct {
	// Ticks counts the cache lines touched since the solver was made.
	Ticks int64

	// Learned has the references of the learned clauses, each after its antecedents.
	Learned []uint32

	// Refutation is the clause that the last call of Solve derived to answer
	// Unsatisfiable: the complements of failed assumptions, or the empty clause.
	Refutation uint32

	arena []uint32
	units []uint32  // unit clauses that are not assigned yet
	lists [][]watch // by literal: the clauses that watch it
	empty uint32    // the empty clause, or 0

	outer []dimacs.Lit // by variable: the owner's positive literal
	index []uint32     // by variable of the owner: the variable plus 1, or 0

	vals   []int8 // by literal
	vars   []variable
	trail  []Lit
	levels []uint32 // trail positions where the levels above the root begin
	head   int      // literals of the trail before it are propagated
	queue  order.Queue
	random uint64

	// Scratch.
	marks  []bool // by variable
	seen   []Lit
	clause []Lit
	chain  []uint32
	roots  []uint32 // unit clauses in the chain
	core   []uint32
}

// A Lit is a literal of a Solver: twice its variable, plus 1 if it is negated.
type Lit uint32

// A variable is the state of an assigned variable, and the sign of its next decision.
type variable struct {
	level, reason, sign uint32
}

const (
	headerWords = 3
	coreBit     = 1 // in the first word: MarkCore marked the clause
)

// Reset deletes all variables and clauses. The owner has that many variables.
func (k *Solver) Reset(vars int) {
	for _, l := range k.outer {
		k.index[l>>1] = 0
	}
	k.outer, k.index = k.outer[:0], append(k.index, make([]uint32, max(0, vars-len(k.index)))...)
	for l := range k.vals {
		k.lists[l] = k.lists[l][:0]
	}
	k.arena = append(k.arena[:0], 0, 0)
	k.Learned, k.units = k.Learned[:0], k.units[:0]
	k.empty, k.Refutation = 0, 0
	k.vals, k.vars, k.marks = k.vals[:0], k.vars[:0], k.marks[:0]
	k.trail, k.levels, k.head = k.trail[:0], k.levels[:0], 0
	k.queue.Init()
	k.random = 0x9e3779b97f4a7c15
}

// Lit returns the literal of the solver for the owner's literal l. It adds a variable if
// l has none.
func (k *Solver) Lit(l dimacs.Lit) Lit {
	n := &k.index[l>>1]
	if *n == 0 {
		k.outer = append(k.outer, l&^1)
		k.grow()
		*n = uint32(len(k.outer))
	}
	return Lit(2*(*n-1)) | Lit(l&1)
}

// Outer returns the owner's literal for l.
func (k *Solver) Outer(l Lit) dimacs.Lit { return k.outer[l>>1] | dimacs.Lit(l&1) }

// grow adds a variable.
func (k *Solver) grow() {
	k.vals = append(k.vals, 0, 0)
	if len(k.lists) < len(k.vals) {
		k.lists = append(k.lists, nil, nil)
	}
	k.vars = append(k.vars, variable{})
	k.marks = append(k.marks, false)
	k.queue.Grow(len(k.vars))
}

// Add adds a clause with a tag before the first call of Solve. The clause must not be a
// tautology nor contain a literal twice.
func (k *Solver) Add(c []dimacs.Lit, tag uint32) {
	k.clause = k.clause[:0]
	for _, l := range c {
		k.clause = append(k.clause, k.Lit(l))
	}
	r := k.alloc(k.clause, nil, tag)
	switch len(c) {
	case 0:
		k.empty = r
	case 1:
		k.units = append(k.units, r)
	default:
		k.watch(r)
	}
}

// alloc appends a clause to the arena.
func (k *Solver) alloc(c []Lit, antecedents []uint32, tag uint32) uint32 {
	r := uint32(len(k.arena))
	k.arena = append(k.arena, uint32(len(c))<<1, uint32(len(antecedents)), tag)
	for _, l := range c {
		k.arena = append(k.arena, uint32(l))
	}
	k.arena = append(k.arena, antecedents...)
	if len(k.arena)&1 != 0 {
		k.arena = append(k.arena, 0)
	}
	return r
}

// derive adds a clause that follows from the antecedents in the chain.
func (k *Solver) derive(c []Lit) uint32 {
	r := k.alloc(c, k.chain, 0)
	k.Learned = append(k.Learned, r)
	return r
}

// Lits returns the literals of the clause at r.
func (k *Solver) Lits(r uint32) []uint32 {
	n := k.arena[r] >> 1
	return k.arena[r+headerWords : r+headerWords+n]
}

// Antecedents returns the references of the antecedents of the clause at r.
func (k *Solver) Antecedents(r uint32) []uint32 {
	at := r + headerWords + k.arena[r]>>1
	return k.arena[at : at+k.arena[r+1]]
}

// Original reports whether the clause at r was added, not learned.
func (k *Solver) Original(r uint32) bool { return k.arena[r+1] == 0 }

// Tag returns the tag of the clause at r, 0 for a learned clause without one.
func (k *Solver) Tag(r uint32) uint32 { return k.arena[r+2] }

// SetTag sets the tag of the clause at r.
func (k *Solver) SetTag(r, tag uint32) { k.arena[r+2] = tag }

// watch adds the clause at r to the watch lists of its first two literals.
func (k *Solver) watch(r uint32) {
	c := k.Lits(r)
	v, w := mkWatch(0, r), mkWatch(0, r)
	if len(c) == 2 {
		v, w = mkWatch(Lit(c[1]), r|1), mkWatch(Lit(c[0]), r|1)
	}
	k.lists[c[0]] = append(k.lists[c[0]], v)
	k.lists[c[1]] = append(k.lists[c[1]], w)
}

// Solve searches for a model in which the assumptions, of different variables, are true.
// It returns Unknown when it has spent the budget of ticks. When there is no model,
// Refutation is the clause that excludes it.
func (k *Solver) Solve(budget int64, assumptions ...Lit) dimacs.Status {
	k.backtrack(0)
	limit := k.Ticks + budget
	k.shuffle()
	k.assignUnits()
	for {
		if k.empty != 0 {
			k.Refutation = k.empty
			return dimacs.Unsatisfiable
		}
		if k.Ticks >= limit {
			return dimacs.Unknown
		}
		if c := k.propagate(); c != 0 {
			k.analyze(c)
		} else if answer := k.decide(assumptions); answer != dimacs.Unknown {
			return answer
		}
	}
}

// shuffle draws the sign of each variable's next decision, so that models differ in many
// variables.
func (k *Solver) shuffle() {
	for v := range k.vars {
		k.random ^= k.random << 13
		k.random ^= k.random >> 7
		k.random ^= k.random << 17
		k.vars[v].sign = uint32(k.random >> 63)
	}
}

// assignUnits assigns the unit clauses added since the last call.
func (k *Solver) assignUnits() {
	for _, r := range k.units {
		switch l := Lit(k.Lits(r)[0]); {
		case k.vals[l] == 0:
			k.assign(l, r)
		case k.vals[l] < 0 && k.empty == 0:
			k.chain = append(k.chain[:0], k.vars[l>>1].reason, r)
			k.empty = k.derive(nil)
		}
	}
	k.units = k.units[:0]
}

// decide opens a level for the next assumption or the next variable. It returns Unknown
// unless an assumption is false or all variables are assigned.
func (k *Solver) decide(assumptions []Lit) dimacs.Status {
	for len(k.levels) < len(assumptions) {
		switch a := assumptions[len(k.levels)]; {
		case k.vals[a] < 0:
			k.analyzeFinal(a)
			return dimacs.Unsatisfiable
		case k.vals[a] > 0:
			k.levels = append(k.levels, uint32(len(k.trail)))
		default:
			k.decideLit(a)
			return dimacs.Unknown
		}
	}
	if len(k.trail) == len(k.vars) {
		return dimacs.Satisfiable
	}
	q := &k.queue
	for k.vals[2*q.Next] != 0 {
		q.Next = q.Links[q.Next].Prev
	}
	k.decideLit(Lit(2*q.Next | k.vars[q.Next].sign))
	return dimacs.Unknown
}

// decideLit opens a level with the decision l.
func (k *Solver) decideLit(l Lit) {
	k.levels = append(k.levels, uint32(len(k.trail)))
	k.assign(l, 0)
}

// assign makes l true. At the root the reason becomes a unit clause.
func (k *Solver) assign(l Lit, reason uint32) {
	if len(k.levels) == 0 && len(k.Lits(reason)) > 1 {
		reason = k.learnUnit(l, reason)
	}
	k.vals[l], k.vals[l^1] = 1, -1
	x := &k.vars[l>>1]
	x.level, x.reason = uint32(len(k.levels)), reason
	k.trail = append(k.trail, l)
}

// learnUnit learns the unit clause of l, which its reason implies at the root.
func (k *Solver) learnUnit(l Lit, reason uint32) uint32 {
	k.chain = k.chain[:0]
	for _, w := range k.Lits(reason) {
		if w != uint32(l) {
			k.chain = append(k.chain, k.vars[w>>1].reason)
		}
	}
	k.chain = append(k.chain, reason)
	k.clause = append(k.clause[:0], l)
	return k.derive(k.clause)
}

// backtrack unassigns the levels above this one.
func (k *Solver) backtrack(level int) {
	if len(k.levels) <= level {
		return
	}
	at := k.levels[level]
	q := &k.queue
	for _, l := range k.trail[at:] {
		k.vals[l], k.vals[l^1] = 0, 0
		k.vars[l>>1].sign = uint32(l & 1)
		if v := uint32(l >> 1); q.Links[v].Stamp > q.Links[q.Next].Stamp {
			q.Next = v
		}
	}
	k.trail, k.levels, k.head = k.trail[:at], k.levels[:level], int(at)
}

// propagate returns the reference of a falsified clause, or 0 if there is no conflict.
func (k *Solver) propagate() uint32 {
	for k.head < len(k.trail) {
		l := k.trail[k.head] ^ 1
		k.head++
		if r := k.falsify(l); r != 0 {
			return r
		}
	}
	return 0
}

// falsify visits the clauses that watch the false literal l, and returns a falsified one,
// or 0. It is one function because it is the inner loop of propagation.
func (k *Solver) falsify(l Lit) (falsified uint32) {
	ws := k.lists[l]
	kept := ws[:0]
	k.Ticks += 1 + int64(len(ws)>>3)
	for i, w := range ws {
		other, r := w.other(), w.ref()&^1
		if !w.binary() {
			k.Ticks++
			c := k.Lits(r)
			other = Lit(c[0]^c[1]) ^ l
			if k.vals[other] <= 0 && k.rewatch(c, l, other, w) {
				continue
			}
		}
		kept = append(kept, w)
		switch {
		case k.vals[other] == 0:
			k.assign(other, r)
		case k.vals[other] < 0:
			kept = append(kept, ws[i+1:]...)
			k.lists[l] = kept
			return r
		}
	}
	k.lists[l] = kept
	return 0
}

// rewatch replaces the watched literal l of the clause c by a literal that is not false.
// The other watched literal is other. It reports false if there is no such literal.
func (k *Solver) rewatch(c []uint32, l, other Lit, w watch) bool {
	for i := 2; i < len(c); i++ {
		if x := c[i]; k.vals[x] >= 0 {
			c[0], c[1], c[i] = uint32(other), x, uint32(l)
			k.lists[x] = append(k.lists[x], w)
			return true
		}
	}
	return false
}

// Vars returns the number of variables.
func (k *Solver) Vars() int { return len(k.vars) }

// Value returns the value of l: 1 true, -1 false, 0 unassigned.
func (k *Solver) Value(l Lit) int8 { return k.vals[l] }

// InCore reports whether MarkCore marked the clause at r.
func (k *Solver) InCore(r uint32) bool { return k.arena[r]&coreBit != 0 }

// A watch is the reference of a clause in the upper half, with bit 0 set if the clause is
// binary; the lower half is the other literal of a binary clause.
type watch uint64

func mkWatch(other Lit, ref uint32) watch { return watch(other) | watch(ref)<<32 }

func (w watch) other() Lit   { return Lit(w) }
func (w watch) ref() uint32  { return uint32(w >> 32) }
func (w watch) binary() bool { return w>>32&1 != 0 }
