package cdcl

import (
	"cmp"
	"slices"

	"sator/dimacs"
)

// Clause minimization removes literals from the learned clause that its other
// literals imply: a literal is implied if its reason consists of literals of the clause
// and, recursively, of implied literals (Sörensson and Biere, "Minimizing learned
// clauses", SAT 2009). The search is depth first and marks its results: removable
// variables are implied by the clause, poison variables are not. It fails early at a
// level where the clause has no literal before the current one, since such a literal
// cannot be implied by the clause (Knuth), and at a depth beyond which few literals were
// ever found implied.
//
// For a proof with hints the implied variables are listed. Each follows those of its reason,
// since literals are tried in the order of their levels, and on one level in the order of the
// trail (see shrink).
//
// Tried: removing literals by binary clauses of the UIP, as in Glucose (no gain).

// minimize removes implied literals from a.clause.
func (a *analysis) minimize() {
	kept := a.clause[:1]
	for _, l := range a.clause[1:] {
		if a.implied(l, 0) {
			a.stats.MinimizedLits++
		} else {
			kept = append(kept, l)
		}
	}
	a.clause = kept
	if a.proof.hints { // the literals were not tried in that order
		slices.SortFunc(a.removed, func(v, w uint32) int { return cmp.Compare(a.trail.vars[v].trail, a.trail.vars[w].trail) })
	}
}

// implied reports whether the false literal l is implied by the other literals of the
// clause being false. At depth 0, l is a literal of the clause.
func (a *analysis) implied(l dimacs.Lit, depth int) bool {
	v := uint32(l >> 1)
	x := &a.trail.vars[v]
	m := a.marks[v]
	if x.level == 0 || m&removableMark != 0 || depth > 0 && m&seenMark != 0 {
		return true
	}
	if x.reason == 0 || m&poisonMark != 0 || int(x.level) == len(a.trail.levels)-1 {
		return false
	}
	lev := &a.trail.levels[x.level]
	if lev.seen == 0 || depth == 0 && lev.seen < 2 || x.trail <= lev.first || depth > a.opts.MinimizeDepth {
		return false
	}
	found := a.reasonImplied(l, x.reason, depth)
	if found {
		a.marks[v] |= removableMark
		if a.proof.hints {
			a.removed = append(a.removed, v)
		}
	} else {
		a.marks[v] |= poisonMark
	}
	a.minimized = append(a.minimized, v)
	return found
}

// reasonImplied reports whether all literals of the reason w of l's complement, except
// that complement, are implied.
func (a *analysis) reasonImplied(l dimacs.Lit, w watch, depth int) bool {
	if w.binary() {
		return a.implied(w.blocker(), depth+1)
	}
	for _, x := range a.clauses.lits(w.ref()) {
		if k := dimacs.Lit(x); k != l^1 && !a.implied(k, depth+1) {
			return false
		}
	}
	return true
}
