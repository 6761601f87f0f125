package cdcl

import (
	"slices"

	"sator/dimacs"
)

// Semantic definition extraction. The clauses of a variable may define it although they
// match none of the gate patterns of gates.go. Remove the variable from its clauses and
// from the clauses of its complement. If these shortened clauses have no model, the
// variable is defined: every assignment of the other variables falsifies a shortened
// clause, and so determines the value of the variable. The kitten decides this, and the
// core of its refutation contains enough clauses for a definition (Fleury and Biere,
// "Mining definitions in Kissat with Kittens", FMSD 2023).
//
// A resolvent of two clauses outside the core follows from other clauses: an assignment
// that falsifies it also falsifies a shortened clause of the core, and then the
// resolvent of that core clause with one of the two. Resolvents of two clauses of the
// core are tautologies if the core is a gate. In general they need not be, since a core
// may imply more than a definition, so elimination adds them. For the same reasons the
// reconstruction stack needs only the clauses of the core.
//
// A core may contain no clause of the complement. Then the clauses of the variable
// imply it, and it is a unit; likewise for the complement.

const (
	// definitionTicks bounds one call of the kitten.
	definitionTicks = 100_000
	// definitionLits bounds the literals in the clauses given to the kitten.
	definitionLits = 2000
	// definitionCores is the number of refutations. Each after the first has only the
	// last core as its clauses, and so yields a smaller core.
	definitionCores = 2
)

// findDefinition looks for a definition of the variable of l if no gate was found, and
// moves its clauses to the front. It reports whether it assigned the variable instead.
func (e *eliminator) findDefinition(l dimacs.Lit) (unit bool) {
	if e.s.opts.NoEliminateDefinitions || e.posGate+e.negGate > 0 || !e.definable(l) {
		return false
	}
	p := &e.kitten
	p.host = e.s
	core := make([]uint32, len(e.pos)+len(e.neg))
	for i := range core {
		core[i] = uint32(i)
	}
	for range definitionCores {
		e.loadWithout(l, core)
		if p.solveWithin(definitionTicks) != dimacs.Unsatisfiable {
			return false
		}
		core = append(core[:0], p.CoreTags(p.Refutation)...)
		slices.SortFunc(core, func(a, b uint32) int { return int(b) - int(a) })
	}
	e.s.stats.Definitions++
	n := uint32(len(e.pos))
	switch {
	case core[len(core)-1] >= n:
		return e.assignDefined(l ^ 1)
	case core[0] < n:
		return e.assignDefined(l)
	}
	e.moveCoreToFront(core)
	return false
}

// definable reports whether l has clauses of both signs, with at most definitionLits
// literals.
func (e *eliminator) definable(l dimacs.Lit) bool {
	if len(e.pos) == 0 || len(e.neg) == 0 {
		return false
	}
	size := 0
	for _, w := range e.pos {
		size += len(e.clauseOf(l, w))
	}
	for _, w := range e.neg {
		size += len(e.clauseOf(l^1, w))
	}
	return size <= definitionLits
}

// loadWithout gives clauses to the kitten, without the variable of l. The clauses have
// the given numbers, see clauseAt.
func (e *eliminator) loadWithout(l dimacs.Lit, numbers []uint32) {
	e.kitten.reset()
	e.kitten.fixed = 0 // clauses have no assigned literals here
	for _, i := range numbers {
		w := e.clauseAt(i)
		e.clause = e.clause[:0]
		for _, k := range e.clauseOf(l, w) {
			if k>>1 != uint32(l>>1) {
				e.clause = append(e.clause, dimacs.Lit(k))
			}
		}
		e.kitten.Add(e.clause, i)
		e.s.stats.Ticks++
	}
}

// clauseAt returns clause i, where the clauses of the variable are numbered before
// those of its complement.
func (e *eliminator) clauseAt(i uint32) watch {
	if n := uint32(len(e.pos)); i >= n {
		return e.neg[i-n]
	}
	return e.pos[i]
}

// moveCoreToFront moves the clauses of the core to the front. Their numbers must be
// sorted in descending order.
func (e *eliminator) moveCoreToFront(core []uint32) {
	e.definition = true
	n := uint32(len(e.pos))
	for _, i := range slices.Backward(core) {
		if i < n {
			moveToFront(e.pos, int(i), &e.posGate)
		} else {
			moveToFront(e.neg, int(i-n), &e.negGate)
		}
	}
}

// assignDefined assigns l at the root: the clauses of l in the core imply it.
func (e *eliminator) assignDefined(l dimacs.Lit) bool {
	p := &e.kitten
	p.omitted = l
	p.origin = func(i uint32) uint32 { return e.clauseAt(i).ref() }
	id := p.learn(p.Refutation)
	p.deleteAuxiliary()
	e.s.assignRoot(l, id)
	return true
}
