package kitten

import (
	"cmp"
	"slices"

	"sator/dpll/cdcl/internal/order"
)

// Conflict analysis, final analysis of failed assumptions, and cores of refutations.

// analyze learns the first-UIP clause of a falsified clause, and backtracks to the level
// where the learned clause becomes unit.
func (k *Solver) analyze(r uint32) {
	k.begin()
	if len(k.levels) == 0 {
		k.resolve(r)
		k.endChain()
		k.empty = k.derive(nil)
		k.end()
		return
	}
	k.clause = append(k.clause, 0)
	open := k.resolve(r)
	at := len(k.trail) - 1
	for {
		for !k.marks[k.trail[at]>>1] {
			at--
		}
		if open--; open == 0 {
			break
		}
		open += k.resolve(k.vars[k.trail[at]>>1].reason)
		at--
	}
	k.clause[0] = k.trail[at] ^ 1
	k.endChain()
	k.bump()
	k.end()
	k.learn()
}

// begin empties the chain and the clause under construction.
func (k *Solver) begin() {
	k.clause, k.chain, k.roots = k.clause[:0], k.chain[:0], k.roots[:0]
}

// resolve adds the clause at r to the chain. Its literals of lower levels become literals
// of the learned clause. It returns the number of new literals of the current level.
func (k *Solver) resolve(r uint32) (open int) {
	k.chain = append(k.chain, r)
	k.Ticks++
	for _, w := range k.Lits(r) {
		if l := Lit(w); k.see(l) {
			switch k.vars[l>>1].level {
			case 0:
				k.roots = append(k.roots, k.vars[l>>1].reason)
			case uint32(len(k.levels)):
				open++
			default:
				k.clause = append(k.clause, l)
			}
		}
	}
	return open
}

// see marks the variable of l and reports whether it was unmarked.
func (k *Solver) see(l Lit) bool {
	if k.marks[l>>1] {
		return false
	}
	k.marks[l>>1] = true
	k.seen = append(k.seen, l)
	return true
}

// endChain puts the chain into propagation order: the unit clauses, then the resolved
// clauses, the last one first.
func (k *Solver) endChain() {
	k.chain = append(k.chain, k.roots...)
	slices.Reverse(k.chain)
}

// end removes the marks.
func (k *Solver) end() {
	for _, l := range k.seen {
		k.marks[l>>1] = false
	}
	k.seen = k.seen[:0]
}

// bump moves the variables that analysis saw to the end of the VMTF queue, in their
// previous order.
func (k *Solver) bump() {
	q := &k.queue
	slices.SortFunc(k.seen, func(a, b Lit) int {
		return cmp.Compare(q.Links[a>>1].Stamp, q.Links[b>>1].Stamp)
	})
	for _, l := range k.seen {
		v := uint32(l >> 1)
		q.Remove(v)
		q.Enqueue(v)
		if q.Next == order.None { // v is the only one
			q.Next = v
		}
	}
}

// learn adds k.clause, backtracks to the level at which the clause is unit, and assigns its
// first literal.
func (k *Solver) learn() {
	c := k.clause
	r := k.derive(c)
	if len(c) == 1 {
		k.backtrack(0)
		k.assign(c[0], r)
		return
	}
	// The second watch is the literal with the highest level.
	lits, top := k.Lits(r), 1
	for i := 2; i < len(c); i++ {
		if k.vars[c[i]>>1].level > k.vars[c[top]>>1].level {
			top = i
		}
	}
	lits[1], lits[top] = lits[top], lits[1]
	k.backtrack(int(k.vars[c[top]>>1].level))
	k.watch(r)
	k.assign(c[0], r)
}

// analyzeFinal learns the clause of the assumptions that imply the complement of the
// assumption a.
func (k *Solver) analyzeFinal(a Lit) {
	k.begin()
	k.see(a)
	k.clause = append(k.clause, a^1)
	for at := len(k.trail) - 1; at >= 0; at-- {
		l := k.trail[at]
		if !k.marks[l>>1] {
			continue
		}
		switch x := k.vars[l>>1]; {
		case x.level == 0:
			k.roots = append(k.roots, x.reason)
		case x.reason == 0:
			k.clause = append(k.clause, l^1)
		default:
			k.chain = append(k.chain, x.reason)
			for _, w := range k.Lits(x.reason) {
				k.see(Lit(w))
			}
		}
	}
	k.endChain()
	k.end()
	k.backtrack(0)
	r := k.derive(k.clause)
	if len(k.clause) == 1 {
		k.units = append(k.units, r)
	} else {
		k.watch(r)
	}
	k.Refutation = r
}

// MarkCore marks the learned clause r and all clauses from which it was derived, except
// the antecedents of tagged learned clauses. UnmarkCore removes the marks.
func (k *Solver) MarkCore(r uint32) {
	k.arena[r] |= coreBit
	for _, n := range slices.Backward(k.Learned) {
		if k.arena[n]&coreBit != 0 && k.Tag(n) == 0 {
			for _, a := range k.Antecedents(n) {
				k.arena[a] |= coreBit
			}
		}
	}
}

// UnmarkCore removes the marks of MarkCore.
func (k *Solver) UnmarkCore() {
	for _, n := range k.Learned {
		if k.arena[n]&coreBit != 0 {
			k.arena[n] &^= coreBit
			for _, a := range k.Antecedents(n) {
				if k.Original(a) {
					k.arena[a] &^= coreBit
				}
			}
		}
	}
}

// CoreTags returns the tags of the original clauses from which the clause r was derived:
// the tag of r if r is an original clause itself, such as an empty one. The slice is valid
// until the next call.
func (k *Solver) CoreTags(r uint32) []uint32 {
	k.core = k.core[:0]
	if k.Original(r) {
		k.core = append(k.core, k.Tag(r))
		return k.core
	}
	k.MarkCore(r)
	for _, n := range k.Learned {
		if k.arena[n]&coreBit == 0 {
			continue
		}
		for _, a := range k.Antecedents(n) {
			if k.Original(a) && k.arena[a]&coreBit != 0 {
				k.arena[a] &^= coreBit
				k.core = append(k.core, k.Tag(a))
			}
		}
	}
	k.UnmarkCore()
	return k.core
}
