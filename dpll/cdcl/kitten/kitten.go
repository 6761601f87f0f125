package kitten

import (
	"sator/dimacs"
	"sator/dpll/cdcl/order"
)

// A little solver answers questions about parts of a formula: some hundred
// variables, some thousand clauses, many short calls with one or two assumptions.
// It is to passes what Kissat has Kitten for (Biere, Fazekas, Fleury, Heisinger,
// "CaDiCaL, Kissat, Paracooba, Plingeling and Treengeling", SAT Competition 2020;
// Fleury and Biere, "Mining definitions in Kissat with Kittens", FMSD 2023).
//
// It learns by first unique implication points, takes variables by when they last
// met a conflict (queue.go), and has nothing else that a solver for long searches
// needs: no restarts, no reductions, no minimization. What it has instead:
//
//   - Each learned clause keeps its antecedents, in the order in which they become
//     unit once its complement is assumed. So there is the core of a refutation, the
//     clauses given that it needs, and a proof of everything learned, from which the
//     owner takes what it uses.
//   - A refutation under assumptions is a learned clause like all others: of their
//     complements, or of nothing.
//   - A literal of a model can be flipped, if no clause objects, which the clauses
//     that watch it tell. This finds many more models without any search. For this
//     there are no blockers: each clause of a model is satisfied by a literal that
//     watches it.
//   - All tables are made for the largest part there ever was, and clearing them
//     takes time linear in what was in them.
//
// Its variables are numbered in the order in which they are met. What is assigned
// without assumptions has a unit clause as its reason, learned if need be.
//
// Its clauses are in an arena of their own, at even words:
//
//	r          number of literals, shifted by the bit that marks cores
//	r+1        number of antecedents; 0 for clauses given
//	r+2        what the owner notes
//	r+3 ...    the literals, the first two of which are watched, then antecedents
//
// Watches are those of watch.go, with nothing in the place of the blocker unless the
// clause is binary. Word 0 is no clause.
type Solver struct {
	// Ticks counts the cache lines touched since the solver was made.
	Ticks int64

	// Learned has the references of the learned clauses, each behind those of its
	// antecedents.
	Learned []uint32

	// Refutation is the clause that the last call of Solve derived to answer
	// Unsatisfiable: the complements of failed assumptions, or the empty clause.
	Refutation uint32

	arena []uint32
	units []uint32 // unit clauses that may not be assigned yet
	lists [][]watch
	empty uint32 // the empty clause, once it is learned

	outer []dimacs.Lit // by variable: the literal that it stands for
	index []uint32     // by variable of the owner: that here, plus 1; 0 if it has none

	vals   []int8 // by literal
	vars   []variable
	trail  []Lit
	levels []uint32 // where on the trail they begin, but for the root's
	head   int
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

// An Lit literal is one of a little solver.
type Lit uint32

// A variable is what there is to know of an assigned variable, and the sign with
// which it is to be decided otherwise.
type variable struct {
	level, reason, sign uint32
}

const (
	headerWords = 3
	coreBit     = 1 // of the first word
)

// clear forgets all variables and clauses, for an owner with so many variables.
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

// lit returns what l is here, after making a variable for it if there is none.
func (k *Solver) Lit(l dimacs.Lit) Lit {
	n := &k.index[l>>1]
	if *n == 0 {
		k.outer = append(k.outer, l&^1)
		k.grow()
		*n = uint32(len(k.outer))
	}
	return Lit(2*(*n-1)) | Lit(l&1)
}

// name returns the literal of the owner that l stands for.
func (k *Solver) Outer(l Lit) dimacs.Lit { return k.outer[l>>1] | dimacs.Lit(l&1) }

// grow makes one more variable.
func (k *Solver) grow() {
	k.vals = append(k.vals, 0, 0)
	if len(k.lists) < len(k.vals) {
		k.lists = append(k.lists, nil, nil)
	}
	k.vars = append(k.vars, variable{})
	k.marks = append(k.marks, false)
	k.queue.Grow(len(k.vars))
}

// add adds a clause that is no tautology and has no literal twice, with a note,
// before the first call of solve.
func (k *Solver) Add(c []dimacs.Lit, note uint32) {
	k.clause = k.clause[:0]
	for _, l := range c {
		k.clause = append(k.clause, k.Lit(l))
	}
	r := k.alloc(k.clause, nil, note)
	switch len(c) {
	case 0:
		k.empty = r
	case 1:
		k.units = append(k.units, r)
	default:
		k.watch(r)
	}
}

// alloc puts a clause into the arena.
func (k *Solver) alloc(c []Lit, antecedents []uint32, note uint32) uint32 {
	r := uint32(len(k.arena))
	k.arena = append(k.arena, uint32(len(c))<<1, uint32(len(antecedents)), note)
	for _, l := range c {
		k.arena = append(k.arena, uint32(l))
	}
	k.arena = append(k.arena, antecedents...)
	if len(k.arena)&1 != 0 {
		k.arena = append(k.arena, 0)
	}
	return r
}

// learn adds a clause that follows along the chain from those before.
func (k *Solver) derive(c []Lit) uint32 {
	r := k.alloc(c, k.chain, 0)
	k.Learned = append(k.Learned, r)
	return r
}

func (k *Solver) Lits(r uint32) []uint32 {
	n := k.arena[r] >> 1
	return k.arena[r+headerWords : r+headerWords+n]
}

func (k *Solver) Antecedents(r uint32) []uint32 {
	at := r + headerWords + k.arena[r]>>1
	return k.arena[at : at+k.arena[r+1]]
}

// given reports whether the clause was given and not learned.
func (k *Solver) Original(r uint32) bool { return k.arena[r+1] == 0 }

func (k *Solver) Tag(r uint32) uint32 { return k.arena[r+2] }

func (k *Solver) SetTag(r, note uint32) { k.arena[r+2] = note }

// watch makes the first two literals of the clause watch it.
func (k *Solver) watch(r uint32) {
	c := k.Lits(r)
	v, w := mkWatch(0, r), mkWatch(0, r)
	if len(c) == 2 {
		v, w = mkWatch(Lit(c[1]), r|1), mkWatch(Lit(c[0]), r|1)
	}
	k.lists[c[0]] = append(k.lists[c[0]], v)
	k.lists[c[1]] = append(k.lists[c[1]], w)
}

// solve looks for a model in which the assumptions, of different variables, are
// true, for so many ticks at most. When there is none, proved is the clause that
// says so.
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

// shuffle makes the value with which variables are decided a random one, so that
// models differ in many.
func (k *Solver) shuffle() {
	for v := range k.vars {
		k.random ^= k.random << 13
		k.random ^= k.random >> 7
		k.random ^= k.random << 17
		k.vars[v].sign = uint32(k.random >> 63)
	}
}

// assignUnits assigns the unit clauses that were added since the last call.
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

// decide opens a level for the next assumption or a variable. It returns Unknown
// unless an assumption is false or everything is assigned.
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

func (k *Solver) decideLit(l Lit) {
	k.levels = append(k.levels, uint32(len(k.trail)))
	k.assign(l, 0)
}

// assign makes l true. At the root its reason becomes a unit clause.
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

// backtrack takes back the levels above this one.
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

// propagate returns a falsified clause, or 0 if there is none.
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

// falsify visits the clauses that l watches, which is false, and returns one that
// is falsified. It stays in one piece since it is the loop in which time goes.
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

// rewatch makes a literal of the clause c that is not false watch it instead of l,
// beside other. It reports false if there is none.
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

// Known reports whether the variable of the owner's literal l has a variable here, and
// which.
func (k *Solver) Known(l dimacs.Lit) (v uint32, ok bool) {
	n := k.index[l>>1]
	return n - 1, n != 0
}

// InCore reports whether MarkCore marked the clause at r.
func (k *Solver) InCore(r uint32) bool { return k.arena[r]&coreBit != 0 }

// A watch is a reference of a clause in the upper half, with bit 0 set if the clause is
// binary, and in the lower half the other literal of a binary clause.
type watch uint64

func mkWatch(other Lit, ref uint32) watch { return watch(other) | watch(ref)<<32 }

func (w watch) other() Lit   { return Lit(w) }
func (w watch) ref() uint32  { return uint32(w >> 32) }
func (w watch) binary() bool { return w>>32&1 != 0 }
