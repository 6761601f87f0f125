// Package symmetry detects symmetries of a formula and breaks them by clauses, with proof.
//
// A symmetry is a permutation of the literals that maps the clauses of the formula onto
// themselves. It maps models to models. Where literals x and y are in one orbit, some
// permutation maps x to y. A model with y true and x false has an image with x true. So the
// clause (x ∨ ¬y) keeps a formula satisfiable. The pass adds such clauses for a literal x and
// many literals y of its orbit. If all other literals of a clause with x are among the y, then
// x is true. Afterwards the formula has the symmetries
// that fix x, and the pass looks for the next literal. That is a chain of stabilizers, as in
// the Schreier-Sims algorithm (Crawford, Ginsberg, Luks, Roy, "Symmetry-breaking predicates
// for search problems", KR 1996; binary clauses of orbits: Devriendt, Bogaerts, Bruynooghe,
// Denecker, "Improved static symmetry breaking for SAT", SAT 2016). On pigeonhole formulas,
// relativized ones and the formulas that no graph has a clique and a coloring of fewer
// colors, the unit clauses alone are a refutation.
//
//	func level(h inprocess.Host, names *symmetry.Renaming) {
//		c, _ := symmetry.Run(h, inprocess.NewBudget(h, 1e6), names)
//		if c != nil {
//			// ... set the proof ids c.Renewed, delete learned clauses, and add c.Clauses
//		}
//	}
//
// The clauses do not follow from the formula. Proofs exchange the literals instead: see
// swap.go. So the clauses are part of any DRAT or LRAT proof, and checkers need no notion
// of symmetry.
//
// graph.go has the graph whose automorphisms are the symmetries, partition.go and refine.go
// its equitable partition, automorphism.go the search for automorphisms, symmetry.go the
// choice of literals, swap.go and renaming.go the proof.
package symmetry

import (
	"cmp"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

const (
	mostLiterals = 200_000 // in the clauses of a formula: larger ones take too much time and memory
	mostBases    = 8       // literals that a level tries
	mostBelow    = 128     // constraints of a level
)

// Constraints are the clauses that break symmetries of one level.
type Constraints struct {
	Clauses [][]dimacs.Lit
	IDs     []int64 // proof ids of the clauses, or nil without a proof

	// Renewed are the clauses of the formula that have new proof ids.
	Renewed []Renewal
}

// A Renewal is the new proof id of a clause.
type Renewal struct {
	Ref uint32 // the reference of the clause in the host
	ID  int64
}

// Run finds constraints for one literal, and derives them in the proof if names is not nil.
// The irredundant clauses of the host must have no fixed literals. With the constraints they
// stay satisfiable if they are. The caller must delete redundant clauses before it
// adds them, in the proof too, and every later step of the proof must use names.
//
// Run returns nil if it finds no symmetry within the budget. Then more reports whether it
// found some of the symmetries that a unit clause needs, so that a larger budget may help.
func Run(h inprocess.Host, b inprocess.Budget, names *Renaming) (c *Constraints, more bool) {
	g := newGraph(h, mostLiterals)
	if g == nil || b.Spent() {
		return nil, false
	}
	f := newFinder(g, b.Ticks, b.Limit())
	if f == nil || f.asymmetric() {
		return nil, false
	}
	f.prepare()
	for _, o := range f.bases() {
		l := f.findLevel(o, &b)
		switch {
		case l.complete():
			c := &Constraints{Clauses: l.clauses()}
			if names != nil {
				f.derive(names, l, c)
			}
			return c, false
		case b.Spent():
			return nil, l.clause != noClause && len(l.below) > 0
		}
	}
	return nil, false
}

// A base is a literal x and literals in its cell for which constraints are looked for. If
// clause is not noClause, the literals are those of the clause.
type base struct {
	x      uint32
	others []uint32
	clause uint32
}

const noClause = ^uint32(0)

// bases returns the literals to be tried, best first: literals of clauses that are subsets of
// a cell, one for each cell of clauses, and then one for each cell of literals. A clause is better if it is longer, a literal if it occurs more often. So the
// variables of a clique of a coloring problem are fixed one after the other, because the
// neighbors of a fixed vertex have shorter clauses in one cell.
func (f *finder) bases() []base {
	clauses := f.clauseBases()
	cells := f.cellBases()
	return slices.Concat(clauses[:min(len(clauses), mostBases)], cells[:min(len(cells), mostBases)])
}

// clauseBases returns the bases of clauses.
func (f *finder) clauseBases() []base {
	var bases []base
	seen := map[[2]uint32]bool{} // cells of the literals and of the clause
	for c := range uint32(len(f.g.refs)) {
		lits := f.g.clause(c)
		cell := f.left.cell[lits[0]]
		if slices.ContainsFunc(lits, func(l uint32) bool { return f.left.cell[l] != cell }) {
			continue
		}
		of := uint32(0) // cell 0 has literals, so that all binary clauses are of one kind
		if c >= f.g.binaries {
			of = f.left.cell[f.g.vertex(c)]
		}
		if k := [2]uint32{cell, of}; !seen[k] {
			seen[k] = true
			bases = append(bases, base{lits[0], lits[1:], c})
		}
	}
	f.sortBases(bases)
	return bases
}

// cellBases returns the bases of cells of literals. Of two cells with complementary
// literals, it takes the one with more occurrences in long clauses.
func (f *finder) cellBases() []base {
	var bases []base
	for c := uint32(0); c < f.g.literals; c += f.left.size[c] {
		m := f.left.members(c)
		if len(m) < 2 || f.g.degree(m[0]) == 0 {
			continue
		}
		x := slices.Min(m)
		if f.weight(x) < f.weight(x^1) || f.weight(x) == f.weight(x^1) && x&1 != 0 {
			continue
		}
		if f.left.cell[x^1] == c {
			bases = append(bases, base{x, []uint32{x ^ 1}, noClause})
			continue
		}
		others := slices.DeleteFunc(slices.Sorted(slices.Values(m)), func(l uint32) bool { return l == x })
		bases = append(bases, base{x, others[:min(len(others), mostBelow)], noClause})
	}
	f.sortBases(bases)
	return bases
}

// sortBases sorts bases by decreasing number of literals, then of occurrences.
func (f *finder) sortBases(bases []base) {
	slices.SortStableFunc(bases, func(a, b base) int {
		return cmp.Or(cmp.Compare(len(b.others), len(a.others)), cmp.Compare(f.g.degree(b.x), f.g.degree(a.x)))
	})
}

// weight returns the number of literals in the clauses of l.
func (f *finder) weight(l uint32) (n int) {
	for _, c := range f.g.occurrences(l) {
		n += len(f.g.clause(c)) - 2
	}
	return n
}

// A permutation lists the literals that a symmetry moves, with their images.
type permutation struct{ lits, images []uint32 }

// A level is the symmetries by which the literal x is made at least as true as others.
type level struct {
	x      uint32
	below  []uint32      // y: the clause of x and the complement of y is a constraint
	perms  []permutation // by index in below: it maps x to y
	clause uint32        // its literals are x and below if that is complete, so that x is true; or noClause
	wanted int           // number of literals that were tried
	share  float64       // of the variables that the symmetries move, without a clause
	order  [][2]uint32   // a chain of pairs of literals of an involution; see order.go
}

// findLevel looks for the symmetries that map the literal of a base to the others. It ends
// early if the literals are those of a clause and a symmetry is missing.
func (f *finder) findLevel(o base, b *inprocess.Budget) *level {
	l := &level{x: o.x, clause: o.clause, wanted: len(o.others)}
	for _, y := range o.others {
		if b.Spent() {
			break
		}
		if f.automorphism(o.x, y) {
			l.below = append(l.below, y)
			l.perms = append(l.perms, f.permutation())
			f.forget()
		} else if o.clause != noClause {
			break
		}
	}
	if o.clause == noClause {
		l.share = f.share(l.perms)
		if len(l.below) == 1 {
			f.chooseOrder(l)
		}
	}
	return l
}

// Constraints without a unit must be about a good part of the formula: the least share of
// variables that their symmetries move, for one symmetry and for more.
//
// Tried: a lower share (a loss on queues and caches).
const (
	leastShareOfOne  = 0.5
	leastShareOfMany = 0.25
)

// share returns the share of variables that at least one of the symmetries moves.
func (f *finder) share(perms []permutation) float64 {
	now, moved, all := f.nextStamp(), 0, 0
	for _, p := range perms {
		for _, l := range p.lits {
			if f.stamp[l>>1] != now {
				f.stamp[l>>1] = now
				moved++
			}
		}
	}
	for l := uint32(0); l < f.g.literals; l += 2 {
		if f.g.degree(l) > 0 {
			all++
		}
	}
	return float64(moved) / float64(all)
}

// complete reports whether the level has constraints to be added.
func (l *level) complete() bool {
	switch {
	case l.clause != noClause:
		return len(l.below) == l.wanted
	case len(l.below) == 1 && l.below[0] == l.x^1: // a unit clause
		return true
	case len(l.below) == 1:
		return l.share >= leastShareOfOne
	}
	return len(l.below) > 1 && l.share >= leastShareOfMany
}

// clauses returns the constraints of a level.
func (l *level) clauses() (cs [][]dimacs.Lit) {
	switch {
	case l.clause != noClause:
		return [][]dimacs.Lit{{dimacs.Lit(l.x)}}
	case l.order != nil:
		return orderClauses(l.order)
	}
	for _, y := range l.below {
		cs = append(cs, clause(dimacs.Lit(l.x), dimacs.Lit(y^1)))
	}
	return cs
}

// permutation returns the current permutation.
func (f *finder) permutation() permutation {
	p := permutation{lits: slices.Clone(f.moved)}
	for _, l := range p.lits {
		p.images = append(p.images, f.image[l])
	}
	return p
}

// set makes p the current permutation.
func (f *finder) set(p permutation) {
	for i, l := range p.lits {
		f.image[l] = p.images[i]
	}
	f.moved = append(f.moved[:0], p.lits...)
}
