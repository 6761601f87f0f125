package symmetry

import (
	"slices"

	"sator/dimacs"
)

// Symmetry breaking in DRAT: the variables are replaced by conditionally permuted copies
// (Heule, Hunt, Wetzler, "Expressing symmetry breaking in DRAT proofs", CADE 2015). Let σ be
// a symmetry that maps the literal x to y, and let s say that a model is permuted: y ∧ ¬x
// implies s, and s implies y. Each variable v that σ moves gets a successor
//
//	v' = if s then σ(v) else v.
//
// These definitions are extensions, and so RAT. Each clause C with a moved variable has a
// copy C' over the successors. It follows from the definitions by two steps of unit
// propagation: if s is true, C' falsifies σ(C), a clause of the formula, and otherwise C. Then C and the definitions are deleted, and the successors take the place of
// the variables. The solver does not notice, since [Renaming] changes the names.
//
// If s is true, then x' is, as σ(x) = y. So the copy of an earlier constraint of the level,
// (x ∨ ¬z), follows as well, although σ does not preserve the constraints. So does the new
// one: if x' is false, s is false; if y' is true then, y is, but x is false, so that s is
// true.
//
// A level takes a number of steps proportional to the clauses with moved variables, for each
// constraint. Heule, Hunt and Wetzler sort the literals of one involution instead.

// An involution with an order (order.go) is different: s says that its constraints are
// violated, so that s ∨ K for each constraint K, and then those of the image hold, ¬s ∨ σ(K).
// All resolvents of these clauses on s are tautologies, so that they define s. The
// constraints over the successors follow from them as C' follows from C and σ(C).

// A derivation derives the constraints of a level.
type derivation struct {
	*finder
	r       *Renaming
	l       *level
	ids     []int64  // of the constraints so far
	renewed []uint32 // clauses with a new id
	isNew   map[uint32]bool

	sign     dimacs.Lit            // s of the current permutation
	violated int64                 // s if y and not x
	selected int64                 // y if s
	implied  int64                 // x' if s
	defs     map[uint32]definition // by moved literal l, under the name of its successor
	deferred []deletion
	touched  []uint32 // scratch: clauses with moved literals
	chain    []int64
	lemma    []dimacs.Lit
}

// A definition of the successor of a literal l has the ids of the clauses by which a false
// successor makes σ(l) false if s is true, and l if s is false.
type definition struct {
	succ          dimacs.Lit
	swapped, kept int64
}

// A deletion is a clause of the proof that is deleted at the end of a swap.
type deletion struct {
	id   int64
	lits []dimacs.Lit
}

// derive derives the constraints of a level in the proof. It sets their ids and the new ids
// of the clauses.
func (f *finder) derive(r *Renaming, l *level, c *Constraints) {
	d := &derivation{finder: f, r: r, l: l, isNew: map[uint32]bool{}}
	for i, p := range l.perms {
		f.set(p)
		if l.order != nil {
			d.swapByOrder(c.Clauses)
		} else {
			d.swap(dimacs.Lit(l.below[i]))
		}
		f.forget()
	}
	for _, k := range d.renewed {
		c.Renewed = append(c.Renewed, Renewal{f.g.refs[k], f.g.ids[k]})
	}
	if l.clause != noClause {
		d.deriveUnit()
	}
	c.IDs = d.ids
}

// learn logs a clause of literals of the proof.
func (d *derivation) learn(hints []int64, lits ...dimacs.Lit) int64 {
	if !d.r.hints {
		hints = nil
	}
	return d.r.to.Learn(lits, hints)
}

// auxiliary logs a clause that is deleted at the end of the swap.
func (d *derivation) auxiliary(hints []int64, lits ...dimacs.Lit) int64 {
	id := d.learn(hints, lits...)
	d.deleteLater(id, lits)
	return id
}

func (d *derivation) deleteLater(id int64, lits []dimacs.Lit) {
	d.deferred = append(d.deferred, deletion{id, append([]dimacs.Lit(nil), lits...)})
}

// swap replaces the moved variables by their successors and derives the constraint of y.
func (d *derivation) swap(y dimacs.Lit) {
	d.newSign()
	d.defineSign(y)
	d.defineSuccessors()
	x := d.successor(d.l.x)
	d.implied = d.auxiliary([]int64{d.selected, x.swapped}, x.succ, d.sign^1)
	d.copyClauses()
	d.copyConstraints()
	d.constrainTo(y)
	d.finish()
}

// swapByOrder replaces the moved variables by their successors and derives the constraints of
// an order.
func (d *derivation) swapByOrder(constraints [][]dimacs.Lit) {
	d.newSign()
	kept, swapped := d.defineByOrder(constraints)
	d.defineSuccessors()
	d.copyClauses()
	for i, c := range constraints {
		var lits []uint32
		for _, l := range c {
			lits = append(lits, uint32(l))
		}
		d.ids = append(d.ids, d.copyClause(lits, kept[i], swapped[i]))
	}
	d.finish()
}

// newSign introduces s.
func (d *derivation) newSign() {
	d.deferred = d.deferred[:0]
	d.sign = d.r.next.Lit()
	d.r.next++
}

// finish deletes the auxiliary and the old clauses, and gives the successors the places of
// the variables.
func (d *derivation) finish() {
	for _, k := range d.deferred {
		d.r.to.Delete(k.id, k.lits)
	}
	for _, l := range d.moved {
		if l&1 == 0 {
			d.r.names[l>>1] = d.defs[l].succ.Var()
		}
	}
}

// defineByOrder defines s. It returns the ids of the clauses s ∨ K and ¬s ∨ σ(K) of the
// constraints K.
func (d *derivation) defineByOrder(constraints [][]dimacs.Lit) (kept, swapped []int64) {
	var blocked []int64
	for _, c := range constraints {
		id := d.auxiliary(nil, append([]dimacs.Lit{d.sign}, d.r.renamed(c)...)...)
		kept, blocked = append(kept, id), append(blocked, -id)
	}
	for _, c := range constraints {
		lits := []dimacs.Lit{d.sign ^ 1}
		for _, l := range c {
			lits = append(lits, d.r.Lit(dimacs.Lit(d.image[l])))
		}
		swapped = append(swapped, d.auxiliary(blocked, lits...))
	}
	return kept, swapped
}

// defineSign defines s. It is true if y ∧ ¬x, and false if ¬y; no step needs its value if x
// and y are true.
func (d *derivation) defineSign(y dimacs.Lit) {
	x, y := d.r.Lit(dimacs.Lit(d.l.x)), d.r.Lit(y)
	d.violated = d.auxiliary(nil, append([]dimacs.Lit{d.sign}, clause(x, y^1)...)...)
	d.selected = d.auxiliary([]int64{-d.violated}, d.sign^1, y)
}

// defineSuccessors defines the successors of the moved variables.
func (d *derivation) defineSuccessors() {
	d.defs = make(map[uint32]definition, len(d.moved))
	for _, l := range d.moved {
		if l&1 != 0 {
			continue
		}
		v, s := d.r.next.Lit(), d.sign
		d.r.next++
		old, image := d.r.Lit(dimacs.Lit(l)), d.r.Lit(dimacs.Lit(d.image[l]))
		pos := definition{succ: v}
		pos.swapped = d.auxiliary(nil, v, s^1, image^1)
		pos.kept = d.auxiliary(nil, v, s, old^1)
		blocked := []int64{-pos.swapped, -pos.kept}
		neg := definition{succ: v ^ 1}
		neg.swapped = d.auxiliary(blocked, v^1, s^1, image)
		neg.kept = d.auxiliary(blocked, v^1, s, old)
		d.defs[l], d.defs[l^1] = pos, neg
	}
}

// successor returns the definition of the successor of l. A literal that is not moved is its
// own successor, with ids 0.
func (d *derivation) successor(l uint32) definition {
	if x, ok := d.defs[l]; ok {
		return x
	}
	return definition{succ: d.r.Lit(dimacs.Lit(l))}
}

// copyClauses derives the copies of the clauses with moved literals. All are derived before
// their ids change, because σ maps one clause to another.
func (d *derivation) copyClauses() {
	d.touched = d.touched[:0]
	now := d.nextStamp()
	for _, l := range d.moved {
		for _, c := range d.g.occurrences(l) {
			if d.stamp[c] != now {
				d.stamp[c] = now
				d.touched = append(d.touched, c)
			}
		}
	}
	ids := make([]int64, 0, len(d.touched))
	for _, c := range d.touched {
		image, ok := d.imageOf(c)
		if !ok {
			panic("symmetry: a checked permutation is no automorphism")
		}
		ids = append(ids, d.copyClause(d.g.clause(c), d.g.ids[c], d.g.ids[image]))
		d.deleteLater(d.g.ids[c], d.named(d.g.clause(c)))
	}
	for i, c := range d.touched {
		d.g.ids[c] = ids[i]
		if !d.isNew[c] {
			d.isNew[c] = true
			d.renewed = append(d.renewed, c)
		}
	}
}

// named returns the literals in the proof.
func (d *derivation) named(lits []uint32) (named []dimacs.Lit) {
	for _, l := range lits {
		named = append(named, d.r.Lit(dimacs.Lit(l)))
	}
	return named
}

// copyClause derives the copy of a clause, from the id of the clause and that of its image:
// first the weakening of the copy by ¬s, then the copy.
func (d *derivation) copyClause(lits []uint32, kept, swapped int64) int64 {
	d.lemma, d.chain = d.lemma[:0], d.chain[:0]
	for _, l := range lits {
		x := d.successor(l)
		d.lemma = append(d.lemma, x.succ)
		if x.swapped != 0 {
			d.chain = append(d.chain, x.swapped)
		}
	}
	d.lemma = append(d.lemma, d.sign^1)
	weak := d.learn(append(d.chain, swapped), d.lemma...)
	d.chain = append(d.chain[:0], weak)
	for _, l := range lits {
		if x := d.successor(l); x.kept != 0 {
			d.chain = append(d.chain, x.kept)
		}
	}
	id := d.learn(append(d.chain, kept), d.lemma[:len(d.lemma)-1]...)
	d.r.to.Delete(weak, d.lemma)
	return id
}

// copyConstraints derives the copies of the constraints of the level so far.
func (d *derivation) copyConstraints() {
	x := d.successor(d.l.x)
	for i, old := range d.ids {
		z := d.l.below[i] ^ 1
		succ := d.successor(z)
		chain := []int64{d.implied, x.kept}
		if succ.kept != 0 && z != d.l.x {
			chain = append(chain, succ.kept)
		}
		d.ids[i] = d.learn(append(chain, old), clause(x.succ, succ.succ)...)
		d.deleteLater(old, clause(d.r.Lit(dimacs.Lit(d.l.x)), d.r.Lit(dimacs.Lit(z))))
	}
}

// clause returns the clause of two literals. They may be the same.
func clause(a, b dimacs.Lit) []dimacs.Lit {
	if a == b {
		return []dimacs.Lit{a}
	}
	return []dimacs.Lit{a, b}
}

// constrainTo derives the constraint of y over the successors.
func (d *derivation) constrainTo(y dimacs.Lit) {
	x, z := d.successor(d.l.x), d.successor(uint32(y^1))
	chain := []int64{d.implied, x.kept}
	if uint32(y) != d.l.x^1 {
		chain = append(chain, z.kept)
	}
	d.ids = append(d.ids, d.learn(append(chain, d.violated), clause(x.succ, z.succ)...))
}

// deriveUnit derives the unit clause of x from the constraints and the clause, and deletes the
// constraints.
func (d *derivation) deriveUnit() {
	x := d.r.Lit(dimacs.Lit(d.l.x))
	unit := d.learn(append(slices.Clip(d.ids), d.g.ids[d.l.clause]), x)
	for i, id := range d.ids {
		d.r.to.Delete(id, clause(x, d.r.Lit(dimacs.Lit(d.l.below[i]^1))))
	}
	d.ids = []int64{unit}
}
