package inprocess

import (
	"slices"

	"sator/dimacs"
)

// A Plain is a [Host] without an engine: a formula with naive unit propagation, for
// tests and examples of passes. A step of propagation takes time linear in the formula.
// A plain host never stops a pass. The live clauses of its proof are those of
// [Plain.Formula].
type Plain struct {
	vals     []int8
	trail    []dimacs.Lit
	unitIDs  []int64
	clauses  []plainClause // of three and more literals
	binaries []plainClause
	proof    dimacs.Proof
	hints    bool // the proof needs antecedents
	refuted  bool
	ticks    int64
}

// A plainClause has no literal twice and is no tautology.
type plainClause struct {
	lits      []uint32
	id        int64
	redundant bool
}

// NewPlain returns a host of the formula f after unit propagation. If proof is not nil,
// the host logs the clauses of f and all later steps to it.
func NewPlain(f *dimacs.Formula, proof dimacs.Proof) *Plain {
	h := &Plain{vals: make([]int8, 2*f.Vars()), unitIDs: make([]int64, f.Vars()), proof: proof}
	if proof != nil {
		h.hints = proof.Hints()
	}
	var ids []int64
	for _, c := range f.Clauses() {
		id := int64(0)
		if proof != nil {
			id = proof.Original(c)
		}
		ids = append(ids, id)
	}
	var units []Unit
	for i, c := range f.Clauses() {
		lits, ok := normalize(c)
		if !ok {
			h.delete(ids[i], c)
			continue
		}
		if u, ok := h.addClause(lits, h.replace(c, ids[i], lits, nil), false); ok {
			units = append(units, u)
		}
	}
	if !h.refuted {
		h.AddUnits(units)
	}
	return h
}

// normalize returns the literals of c without duplicates. It reports false if c is a
// tautology.
func normalize(c []dimacs.Lit) (lits []dimacs.Lit, ok bool) {
	for _, l := range c {
		if slices.Contains(lits, l^1) {
			return nil, false
		}
		if !slices.Contains(lits, l) {
			lits = append(lits, l)
		}
	}
	return lits, true
}

// addClause adds a clause with this proof id. It returns a unit clause instead, for
// AddUnits.
func (h *Plain) addClause(lits []dimacs.Lit, id int64, redundant bool) (u Unit, ok bool) {
	c := plainClause{make([]uint32, len(lits)), id, redundant}
	for i, l := range lits {
		c.lits[i] = uint32(l)
	}
	switch len(lits) {
	case 0:
		h.refuted = true
	case 1:
		return Unit{lits[0], id}, true
	case 2:
		h.binaries = append(h.binaries, c)
	default:
		h.clauses = append(h.clauses, c)
	}
	return u, false
}

// replace replaces the clause c, with this proof id, by a subset of its literals in the
// proof. The units falsify the other literals. It returns the id of the subset, or the
// id of c if they are the same.
func (h *Plain) replace(c []dimacs.Lit, id int64, subset []dimacs.Lit, units []int64) int64 {
	if len(subset) == len(c) || h.proof == nil {
		return id
	}
	learned := h.learn(subset, append(units, id))
	h.delete(id, c)
	return learned
}

// Formula returns the formula: the units and all clauses, and the empty clause if the
// host is refuted.
func (h *Plain) Formula() *dimacs.Formula {
	f := dimacs.NewFormula(h.Vars())
	for _, l := range h.trail {
		f.Add(l)
	}
	for _, c := range slices.Concat(h.binaries, h.clauses) {
		f.Add(c.literals()...)
	}
	if h.refuted {
		f.Add()
	}
	return f
}

// literals returns a copy of the literals of c.
func (c *plainClause) literals() []dimacs.Lit {
	lits := make([]dimacs.Lit, len(c.lits))
	for i, w := range c.lits {
		lits[i] = dimacs.Lit(w)
	}
	return lits
}

// Vars implements [Formula].
func (h *Plain) Vars() int { return len(h.unitIDs) }

// Values implements [Formula].
func (h *Plain) Values() []int8 { return h.vals }

// Trail implements [Formula].
func (h *Plain) Trail() []dimacs.Lit { return h.trail }

// FixedRemoved implements [Formula].
func (h *Plain) FixedRemoved() bool {
	return !slices.ContainsFunc(slices.Concat(h.binaries, h.clauses), h.hasFixed)
}

// hasFixed reports whether a literal of c is assigned.
func (h *Plain) hasFixed(c plainClause) bool {
	return slices.ContainsFunc(c.lits, func(w uint32) bool { return h.vals[w] != 0 })
}

// Size implements [Formula].
func (h *Plain) Size() Size {
	s := Size{Binary: len(h.binaries)}
	for _, c := range h.clauses {
		s.Words += len(c.lits)
		s.Irredundant++
	}
	for _, c := range h.binaries {
		if c.redundant {
			s.Redundant++
		} else {
			s.Irredundant++
		}
	}
	return s
}

// Space implements [Memory]: it returns nil, so that the tables of passes are on the heap.
func (h *Plain) Space(uint64, uint64) []byte { return nil }

// EachClause implements [Formula].
func (h *Plain) EachClause(f func(r uint32, lits []uint32) bool) (visited int, ok bool) {
	for i := range h.clauses {
		visited++
		if !f(uint32(2*i+2), h.clauses[i].lits) {
			break
		}
	}
	return visited, true
}

// Lits implements [Formula].
func (h *Plain) Lits(r uint32) []uint32 { return h.clauses[r/2-1].lits }

// ReleaseImplications implements [Formula].
func (h *Plain) ReleaseImplications() {}

// Implications implements [Formula]. A row has the clauses in the order of their
// addition.
func (h *Plain) Implications(refs bool) *Implications {
	rows := make([][][2]uint32, len(h.vals))
	for i, c := range h.binaries {
		a, b := c.lits[0], c.lits[1]
		if h.vals[a] != 0 || h.vals[b] != 0 {
			continue
		}
		ref := uint32(i)<<2 | 1
		if c.redundant {
			ref |= 2
		}
		rows[a^1] = append(rows[a^1], [2]uint32{b, ref})
		rows[b^1] = append(rows[b^1], [2]uint32{a, ref})
	}
	g := &Implications{Start: make([]uint32, 1, len(rows)+1)}
	for _, row := range rows {
		for _, e := range row {
			g.Heads = append(g.Heads, e[0])
			if refs {
				g.Refs = append(g.Refs, e[1])
			}
		}
		g.Start = append(g.Start, uint32(len(g.Heads)))
	}
	return g
}

// Proof implements [Logger].
func (h *Plain) Proof() dimacs.Proof { return h.proof }

// Hints implements [Logger].
func (h *Plain) Hints() bool { return h.hints }

// UnitID implements [Logger].
func (h *Plain) UnitID(v uint32) int64 { return h.unitIDs[v] }

// ClauseID implements [Logger].
func (h *Plain) ClauseID(ref uint32) int64 {
	if ref&1 != 0 {
		return h.binaries[ref>>2].id
	}
	return h.clauses[ref/2-1].id
}

// AddUnits implements [Sink].
func (h *Plain) AddUnits(units []Unit) bool {
	for _, u := range units {
		switch {
		case h.vals[u.Lit] == 0:
			h.assign(u)
		case h.vals[u.Lit] > 0:
			h.delete(u.ID, []dimacs.Lit{u.Lit})
		default:
			h.refute([]int64{h.unitIDs[u.Lit>>1], u.ID})
			return false
		}
	}
	for h.propagate() {
	}
	return !h.refuted
}

func (h *Plain) assign(u Unit) {
	h.vals[u.Lit], h.vals[u.Lit^1] = 1, -1
	h.unitIDs[u.Lit>>1] = u.ID
	h.trail = append(h.trail, u.Lit)
}

// propagate derives the units of one walk over the clauses. It reports whether there
// were any.
func (h *Plain) propagate() (found bool) {
	for _, c := range slices.Concat(h.binaries, h.clauses) {
		if h.refuted {
			return false
		}
		found = h.propagateClause(&c) || found
	}
	return found
}

// propagateClause reports whether the clause implied a literal.
func (h *Plain) propagateClause(c *plainClause) bool {
	var open []dimacs.Lit
	var hints []int64
	for _, w := range c.lits {
		switch {
		case h.vals[w] > 0:
			return false
		case h.vals[w] == 0:
			open = append(open, dimacs.Lit(w))
		default:
			hints = append(hints, h.unitIDs[w>>1])
		}
	}
	hints = append(hints, c.id)
	switch len(open) {
	case 0:
		h.refute(hints)
	case 1:
		h.assign(Unit{open[0], h.learn(open, hints)})
		return true
	}
	return false
}

func (h *Plain) learn(lits []dimacs.Lit, hints []int64) int64 {
	switch {
	case h.proof == nil:
		return 0
	case !h.hints:
		hints = nil
	}
	return h.proof.Learn(lits, hints)
}

func (h *Plain) delete(id int64, lits []dimacs.Lit) {
	if h.proof != nil {
		h.proof.Delete(id, lits)
	}
}

func (h *Plain) refute(hints []int64) {
	h.learn(nil, hints)
	h.refuted = true
}

// AddBinary implements [Sink].
func (h *Plain) AddBinary(a, b dimacs.Lit, id int64) {
	h.binaries = append(h.binaries, plainClause{[]uint32{uint32(a), uint32(b)}, id, true})
}

// Refute implements [Sink].
func (h *Plain) Refute() { h.refuted = true }

// Refuted implements [Sink].
func (h *Plain) Refuted() bool { return h.refuted }

// RemoveFixed implements [Sink].
func (h *Plain) RemoveFixed() {
	old := slices.Concat(h.binaries, h.clauses)
	h.binaries, h.clauses = nil, nil
	for i := range old {
		h.addUnfixed(&old[i])
	}
}

// addUnfixed adds the clause without its false literals, or deletes it from the proof if
// it is satisfied. Since all units are propagated, two or more literals are unassigned.
func (h *Plain) addUnfixed(c *plainClause) {
	lits := c.literals()
	var open []dimacs.Lit
	var units []int64
	for _, l := range lits {
		switch {
		case h.vals[l] > 0:
			h.delete(c.id, lits)
			return
		case h.vals[l] == 0:
			open = append(open, l)
		default:
			units = append(units, h.unitIDs[l>>1])
		}
	}
	h.addClause(open, h.replace(lits, c.id, open, units), c.redundant)
}

// Ticks implements [Clock].
func (h *Plain) Ticks() *int64 { return &h.ticks }

// Poll implements [Clock].
func (h *Plain) Poll() bool { return false }

// Stopped implements [Clock].
func (h *Plain) Stopped() bool { return false }

var _ Host = (*Plain)(nil)
