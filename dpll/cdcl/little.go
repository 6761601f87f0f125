package cdcl

import (
	"sator/dimacs"
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
type little struct {
	ticks int64 // cache lines touched since it was made

	arena   []uint32
	learned []uint32 // references, each behind those of its antecedents
	units   []uint32 // unit clauses that may not be assigned yet
	lists   [][]watch
	empty   uint32 // the empty clause, once it is learned
	proved  uint32 // the clause that the last refutation has learned

	names   []dimacs.Lit // by variable: the literal that it stands for
	numbers []uint32     // by variable of the owner: that here, plus 1; 0 if it has none

	vals   []int8 // by literal
	vars   []littleVar
	trail  []inner
	levels []uint32 // where on the trail they begin, but for the root's
	head   int
	queue  queue
	random uint64

	// Scratch.
	marks  []bool // by variable
	seen   []inner
	clause []inner
	chain  []uint32
	roots  []uint32 // unit clauses in the chain
	core   []uint32
}

// An inner literal is one of a little solver.
type inner uint32

// A littleVar is what there is to know of an assigned variable, and the sign with
// which it is to be decided otherwise.
type littleVar struct {
	level, reason, sign uint32
}

const (
	littleHeader = 3
	coreBit      = 1 // of the first word
)

// clear forgets all variables and clauses, for an owner with so many variables.
func (k *little) clear(vars int) {
	for _, l := range k.names {
		k.numbers[l>>1] = 0
	}
	k.names, k.numbers = k.names[:0], lengthen(k.numbers, vars)
	for l := range k.vals {
		k.lists[l] = k.lists[l][:0]
	}
	k.arena = append(k.arena[:0], 0, 0)
	k.learned, k.units = k.learned[:0], k.units[:0]
	k.empty, k.proved = 0, 0
	k.vals, k.vars, k.marks = k.vals[:0], k.vars[:0], k.marks[:0]
	k.trail, k.levels, k.head = k.trail[:0], k.levels[:0], 0
	k.queue.links, k.queue.stamp = k.queue.links[:0], 0
	k.queue.init()
	k.random = 0x9e3779b97f4a7c15
}

// lit returns what l is here, after making a variable for it if there is none.
func (k *little) lit(l dimacs.Lit) inner {
	n := &k.numbers[l>>1]
	if *n == 0 {
		k.names = append(k.names, l&^1)
		k.grow()
		*n = uint32(len(k.names))
	}
	return inner(2*(*n-1)) | inner(l&1)
}

// name returns the literal of the owner that l stands for.
func (k *little) name(l inner) dimacs.Lit { return k.names[l>>1] | dimacs.Lit(l&1) }

// grow makes one more variable.
func (k *little) grow() {
	k.vals = append(k.vals, 0, 0)
	if len(k.lists) < len(k.vals) {
		k.lists = append(k.lists, nil, nil)
	}
	k.vars = append(k.vars, littleVar{})
	k.marks = append(k.marks, false)
	k.queue.grow(len(k.vars))
}

// add adds a clause that is no tautology and has no literal twice, with a note,
// before the first call of solve.
func (k *little) add(c []dimacs.Lit, note uint32) {
	k.clause = k.clause[:0]
	for _, l := range c {
		k.clause = append(k.clause, k.lit(l))
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
func (k *little) alloc(c []inner, antecedents []uint32, note uint32) uint32 {
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
func (k *little) learn(c []inner) uint32 {
	r := k.alloc(c, k.chain, 0)
	k.learned = append(k.learned, r)
	return r
}

func (k *little) lits(r uint32) []uint32 {
	n := k.arena[r] >> 1
	return k.arena[r+littleHeader : r+littleHeader+n]
}

func (k *little) antecedents(r uint32) []uint32 {
	at := r + littleHeader + k.arena[r]>>1
	return k.arena[at : at+k.arena[r+1]]
}

// given reports whether the clause was given and not learned.
func (k *little) given(r uint32) bool { return k.arena[r+1] == 0 }

func (k *little) note(r uint32) uint32 { return k.arena[r+2] }

func (k *little) setNote(r, note uint32) { k.arena[r+2] = note }

// watch makes the first two literals of the clause watch it.
func (k *little) watch(r uint32) {
	c := k.lits(r)
	v, w := mkWatch(0, r), mkWatch(0, r)
	if len(c) == 2 {
		v, w = mkWatch(dimacs.Lit(c[1]), r|1), mkWatch(dimacs.Lit(c[0]), r|1)
	}
	k.lists[c[0]] = append(k.lists[c[0]], v)
	k.lists[c[1]] = append(k.lists[c[1]], w)
}

// solve looks for a model in which the assumptions, of different variables, are
// true, for so many ticks at most. When there is none, proved is the clause that
// says so.
func (k *little) solve(budget int64, assumptions ...inner) dimacs.Status {
	k.backtrack(0)
	limit := k.ticks + budget
	k.shuffle()
	k.assignUnits()
	for {
		if k.empty != 0 {
			k.proved = k.empty
			return dimacs.Unsatisfiable
		}
		if k.ticks >= limit {
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
func (k *little) shuffle() {
	for v := range k.vars {
		k.random ^= k.random << 13
		k.random ^= k.random >> 7
		k.random ^= k.random << 17
		k.vars[v].sign = uint32(k.random >> 63)
	}
}

// assignUnits assigns the unit clauses that were added since the last call.
func (k *little) assignUnits() {
	for _, r := range k.units {
		switch l := inner(k.lits(r)[0]); {
		case k.vals[l] == 0:
			k.assign(l, r)
		case k.vals[l] < 0 && k.empty == 0:
			k.chain = append(k.chain[:0], k.vars[l>>1].reason, r)
			k.empty = k.learn(nil)
		}
	}
	k.units = k.units[:0]
}

// decide opens a level for the next assumption or a variable. It returns Unknown
// unless an assumption is false or everything is assigned.
func (k *little) decide(assumptions []inner) dimacs.Status {
	for len(k.levels) < len(assumptions) {
		switch a := assumptions[len(k.levels)]; {
		case k.vals[a] < 0:
			k.blame(a)
			return dimacs.Unsatisfiable
		case k.vals[a] > 0:
			k.levels = append(k.levels, uint32(len(k.trail)))
		default:
			k.open(a)
			return dimacs.Unknown
		}
	}
	if len(k.trail) == len(k.vars) {
		return dimacs.Satisfiable
	}
	q := &k.queue
	for k.vals[2*q.next] != 0 {
		q.next = q.links[q.next].prev
	}
	k.open(inner(2*q.next | k.vars[q.next].sign))
	return dimacs.Unknown
}

func (k *little) open(l inner) {
	k.levels = append(k.levels, uint32(len(k.trail)))
	k.assign(l, 0)
}

// assign makes l true. At the root its reason becomes a unit clause.
func (k *little) assign(l inner, reason uint32) {
	if len(k.levels) == 0 && len(k.lits(reason)) > 1 {
		reason = k.learnUnit(l, reason)
	}
	k.vals[l], k.vals[l^1] = 1, -1
	x := &k.vars[l>>1]
	x.level, x.reason = uint32(len(k.levels)), reason
	k.trail = append(k.trail, l)
}

// learnUnit learns the unit clause of l, which its reason implies at the root.
func (k *little) learnUnit(l inner, reason uint32) uint32 {
	k.chain = k.chain[:0]
	for _, w := range k.lits(reason) {
		if w != uint32(l) {
			k.chain = append(k.chain, k.vars[w>>1].reason)
		}
	}
	k.chain = append(k.chain, reason)
	k.clause = append(k.clause[:0], l)
	return k.learn(k.clause)
}

// backtrack takes back the levels above this one.
func (k *little) backtrack(level int) {
	if len(k.levels) <= level {
		return
	}
	at := k.levels[level]
	q := &k.queue
	for _, l := range k.trail[at:] {
		k.vals[l], k.vals[l^1] = 0, 0
		k.vars[l>>1].sign = uint32(l & 1)
		if v := uint32(l >> 1); q.links[v].stamp > q.links[q.next].stamp {
			q.next = v
		}
	}
	k.trail, k.levels, k.head = k.trail[:at], k.levels[:level], int(at)
}

// propagate returns a falsified clause, or 0 if there is none.
func (k *little) propagate() uint32 {
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
func (k *little) falsify(l inner) (falsified uint32) {
	ws := k.lists[l]
	kept := ws[:0]
	k.ticks += 1 + int64(len(ws)>>3)
	for i, w := range ws {
		other, r := inner(w.blocker()), w.ref()&^1
		if !w.binary() {
			k.ticks++
			c := k.lits(r)
			other = inner(c[0]^c[1]) ^ l
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
func (k *little) rewatch(c []uint32, l, other inner, w watch) bool {
	for i := 2; i < len(c); i++ {
		if x := c[i]; k.vals[x] >= 0 {
			c[0], c[1], c[i] = uint32(other), x, uint32(l)
			k.lists[x] = append(k.lists[x], w)
			return true
		}
	}
	return false
}
