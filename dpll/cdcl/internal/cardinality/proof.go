package cardinality

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

// The proof by extended resolution that n+1 pigeons do not fit into n holes reduces n to
// n-1 (Cook, "A short proof of the pigeon hole principle using extended resolution",
// SIGACT News 1976). The literal p(i,k) says that pigeon i is in hole k. A step
// eliminates a pigeon a and a hole h that a may use. Any other pigeon i that is in h
// moves to the hole of a. That i is now in hole k is an extension variable,
//
//	q(i,k) = p(i,k) ∨ (p(i,h) ∧ p(a,k)).
//
// Then each pigeon has a hole again, and no hole has two pigeons. The proof of the latter
// takes two steps for pigeons i and j that may both move: first i moves, then j. In the
// end the clause of some pigeon is empty.
//
// Cook's proof is for pigeons that may use all holes. If each pigeon may use only a few,
// as on a chessboard, a step changes only the holes that a may use, for the pigeons that
// may use h: elimination in a sparse matrix of pigeons and holes. A step only has to
// preserve that there are more pigeons than holes, so that the order is free. The proof
// eliminates a pigeon with the fewest holes, and of its holes the one with the fewest
// pigeons, as in the minimum degree ordering of sparse matrices. The proof has about
// n^4/3 clauses for n holes that all pigeons may use, and about n^4 for an n×n
// chessboard. A choice by the number of clauses to be derived made no shorter proofs.
//
// The definitions of a step are deleted at its end, and the clauses of a pigeon or a hole
// when the step replaces or eliminates them. The extension variables are numbered from the
// number of variables of the formula on.

// noLit stands for no literal.
const noLit = ^dimacs.Lit(0)

// maxProofClauses bounds the clauses of a proof. The derivation of so many takes about half
// a minute.
const maxProofClauses = 1 << 23

// A clauseID is the proof id of a clause. It is negative if the proof derived the clause
// and has to delete it.
type clauseID int64

// id returns the proof id.
func (l clauseID) id() int64 { return max(int64(l), -int64(l)) }

// A prover derives the empty clause from more pigeons than holes.
type prover struct {
	host      inprocess.Host
	ticks     *int64
	pigeons   []pigeon
	holes     []hole
	nextLit   dimacs.Lit   // of the next extension variable
	learned   int          // clauses learned so far
	place     []int32      // by pigeon: its place in a hole; -1 between uses
	holeIndex []int32      // by hole: its index in step.holes plus 1; 0 between uses
	chain     []int64      // scratch: antecedents
	scratch   []dimacs.Lit // scratch: a clause for the proof
}

// A pigeon is a clause with one literal for each hole that the pigeon may use.
type pigeon struct {
	holes      []int32
	lits       []dimacs.Lit // by index in holes
	id         clauseID
	eliminated bool
}

// A hole is a set of mutually exclusive literals, one for each pigeon that may use the
// hole. The index of a pigeon in the hole is its place.
type hole struct {
	pigeons []int32      // by place
	lits    []dimacs.Lit // by place
	pairs   []clauseID   // by pairIndex: the binary clause of the complements of two literals
}

// pairIndex returns the index of the clause of two different places in hole.pairs.
func pairIndex(x, y int32) int32 {
	if x < y {
		x, y = y, x
	}
	return x*(x-1)/2 + y
}

// A definition is the extension q = old ∨ (left ∧ right), or q = left ∧ right without
// old. In a step, old says that the pigeon was in the hole already, left that it was in
// the eliminated hole, and right that the eliminated pigeon was in this hole.
type definition struct {
	q, old, left, right dimacs.Lit // old may be noLit
	oldOrLeft           int64      // id of ¬q ∨ old ∨ left
	oldOrRight          int64      // id of ¬q ∨ old ∨ right
	ifOld               int64      // id of q ∨ ¬old, if there is old
	ifBoth              int64      // id of q ∨ ¬left ∨ ¬right
}

// prove derives the empty clause from the Hall violator in the queue. It reports false if
// the proof is too long or the call was stopped.
func (f *finder) prove() bool {
	p := &prover{host: f.host, ticks: f.budget.Ticks, nextLit: dimacs.Lit(len(f.vals))}
	if !f.loadPremises(p) {
		return false
	}
	p.place = slices.Repeat([]int32{-1}, len(p.pigeons))
	p.holeIndex = make([]int32, len(p.holes))
	for {
		a := p.choosePigeon()
		h := p.chooseHole(a)
		if p.eliminate(a, h) {
			return true
		}
		if p.learned > maxProofClauses || p.nextLit > 2*(dimacs.MaxVars-1<<20) || p.host.Poll() {
			p.abandon()
			return false
		}
	}
}

// choosePigeon returns a pigeon with the fewest holes.
func (p *prover) choosePigeon() int32 {
	best := int32(-1)
	for i := range p.pigeons {
		x := &p.pigeons[i]
		if !x.eliminated && (best < 0 || len(x.holes) < len(p.pigeons[best].holes)) {
			best = int32(i)
		}
	}
	return best
}

// chooseHole returns the hole of a pigeon with the fewest pigeons.
func (p *prover) chooseHole(a int32) int32 {
	return slices.MinFunc(p.pigeons[a].holes, func(h, k int32) int {
		return len(p.holes[h].pigeons) - len(p.holes[k].pigeons)
	})
}

// A step eliminates the pigeon a and the hole h.
type step struct {
	*prover
	a, h   int32
	holes  []int32      // the other holes of a
	freed  []dimacs.Lit // by index in holes: the literal of a
	places []int32      // in h, of the other pigeons
	defs   []definition // see def
}

// eliminate eliminates the pigeon a and the hole h. It reports whether the clause of a
// pigeon is empty.
func (p *prover) eliminate(a, h int32) bool {
	s := &step{prover: p, a: a, h: h}
	for i, k := range p.pigeons[a].holes {
		if k != h {
			s.holes = append(s.holes, k)
			s.freed = append(s.freed, p.pigeons[a].lits[i])
			p.holeIndex[k] = int32(len(s.holes))
		}
	}
	for i, b := range p.holes[h].pigeons {
		if b != a {
			s.places = append(s.places, int32(i))
		}
	}
	s.define()
	for n := range s.places {
		if !s.updatePigeon(n) {
			return true
		}
	}
	for n, k := range s.holes {
		s.updateHole(n)
		p.holeIndex[k] = 0
	}
	s.deleteEliminated()
	return false
}

// define adds the definitions: one for each other hole of a and each other pigeon of h.
func (s *step) define() {
	from := &s.prover.holes[s.h]
	for n, k := range s.holes {
		to := &s.prover.holes[k]
		s.setPlaces(to)
		for _, i := range s.places {
			d := definition{old: noLit, left: from.lits[i], right: s.freed[n]}
			if x := s.place[from.pigeons[i]]; x >= 0 {
				d.old = to.lits[x]
			}
			s.addDefinition(&d)
			s.defs = append(s.defs, d)
		}
		s.clearPlaces(to)
	}
}

// addDefinition makes q an extension variable with the given definition. Each clause is
// RAT: the clauses with the complement of q are first, and their resolvents with the
// other clauses are tautologies.
func (p *prover) addDefinition(d *definition) {
	d.q = p.nextLit
	p.nextLit += 2
	if d.old == noLit {
		d.oldOrLeft = p.learn(nil, d.q^1, d.left)
		d.oldOrRight = p.learn(nil, d.q^1, d.right)
	} else {
		d.oldOrLeft = p.learn(nil, d.q^1, d.old, d.left)
		d.oldOrRight = p.learn(nil, d.q^1, d.old, d.right)
		d.ifOld = p.learn([]int64{-d.oldOrLeft, -d.oldOrRight}, d.q, d.old^1)
	}
	d.ifBoth = p.learn([]int64{-d.oldOrLeft, -d.oldOrRight}, d.q, d.left^1, d.right^1)
}

// setPlaces sets the places of the pigeons of a hole.
func (p *prover) setPlaces(h *hole) {
	for i, b := range h.pigeons {
		p.place[b] = int32(i)
	}
}

// clearPlaces resets the places of the pigeons of a hole to -1.
func (p *prover) clearPlaces(h *hole) {
	for _, b := range h.pigeons {
		p.place[b] = -1
	}
}

// updatePigeon derives the clause of the n-th other pigeon of h without h. It reports
// false if the clause is empty.
func (s *step) updatePigeon(n int) bool {
	from := &s.prover.holes[s.h]
	s.setPlaces(from)
	x := s.places[n]
	together := from.pairs[pairIndex(x, s.place[s.a])].id()
	s.clearPlaces(from)
	b := &s.pigeons[from.pigeons[x]]

	s.chain = s.chain[:0]
	for i := range s.holes {
		if d := s.def(i, n); d.old != noLit {
			s.chain = append(s.chain, d.ifOld)
		}
	}
	s.chain = append(s.chain, b.id.id(), together)
	for i := range s.holes {
		s.chain = append(s.chain, s.def(i, n).ifBoth)
	}
	s.chain = append(s.chain, s.pigeons[s.a].id.id())

	updated := pigeon{}
	for i, k := range b.holes {
		switch j := s.holeIndex[k]; {
		case k == s.h:
		case j > 0:
			updated.add(k, s.def(int(j-1), n).q)
		default:
			updated.add(k, b.lits[i])
		}
	}
	for i, k := range s.holes {
		if d := s.def(i, n); d.old == noLit {
			updated.add(k, d.q)
		}
	}
	updated.id = -clauseID(s.learn(s.chain, updated.lits...))
	s.delete(b.id, b.lits...)
	*b = updated
	return len(b.lits) > 0
}

// add adds a hole with its literal.
func (x *pigeon) add(h int32, l dimacs.Lit) {
	x.holes = append(x.holes, h)
	x.lits = append(x.lits, l)
}

// def returns the definition for the i-th hole and the n-th pigeon.
func (s *step) def(i, n int) *definition { return &s.defs[i*len(s.places)+n] }

// updateHole derives the binary clauses of the n-th other hole of a, with the pigeons
// that may move to it.
func (s *step) updateHole(n int) {
	from, to := &s.prover.holes[s.h], &s.prover.holes[s.holes[n]]
	defs := s.defs[n*len(s.places) : (n+1)*len(s.places)]
	unchanged := s.unchanged(from, to)
	var updated hole
	for i, x := range unchanged {
		updated.pigeons = append(updated.pigeons, to.pigeons[x])
		updated.lits = append(updated.lits, to.lits[x])
		for _, y := range unchanged[:i] {
			updated.pairs = append(updated.pairs, to.pairs[pairIndex(x, y)])
		}
	}
	s.setPlaces(to)
	for i := range defs {
		updated.pigeons = append(updated.pigeons, from.pigeons[s.places[i]])
		updated.lits = append(updated.lits, defs[i].q)
		for _, y := range unchanged {
			updated.pairs = append(updated.pairs, -clauseID(s.exclude(to, &defs[i], s.places[i], y)))
		}
		for j := range defs[:i] {
			updated.pairs = append(updated.pairs, -clauseID(s.excludeBoth(to, defs, i, j)))
		}
	}
	s.clearPlaces(to)
	s.deletePairs(to, unchanged)
	*to = updated
}

// unchanged returns the places in the hole to whose literals stay the same: the places of
// pigeons that may not use the hole from.
func (s *step) unchanged(from, to *hole) []int32 {
	s.setPlaces(from)
	var unchanged []int32
	for i, b := range to.pigeons {
		if s.place[b] < 0 {
			unchanged = append(unchanged, int32(i))
		}
	}
	s.clearPlaces(from)
	return unchanged
}

// exclude derives ¬q ∨ ¬l, where q is the variable of a definition for the hole to, and l
// is the literal at place y of this hole. The pigeon of the definition has the place at
// in h.
func (s *step) exclude(to *hole, d *definition, at, y int32) int64 {
	s.chain = s.chain[:0]
	if d.old != noLit {
		x := s.place[s.prover.holes[s.h].pigeons[at]]
		s.chain = append(s.chain, to.pairs[pairIndex(x, y)].id())
	}
	s.chain = append(s.chain, d.oldOrRight, to.pairs[pairIndex(s.place[s.a], y)].id())
	return s.learn(s.chain, d.q^1, to.lits[y]^1)
}

// excludeBoth derives the binary clause of two definitions for the hole to. If both pigeons
// might use the hole before, it first derives the clause for the case that only one of them
// moves.
func (s *step) excludeBoth(to *hole, defs []definition, i, j int) int64 {
	if defs[i].old == noLit {
		i, j = j, i
	}
	d, e := &defs[i], &defs[j]
	from := &s.prover.holes[s.h]
	aux := int64(0)
	if e.old != noLit {
		aux = s.exclude(to, d, s.places[i], s.place[from.pigeons[s.places[j]]])
	}
	s.chain = s.chain[:0]
	if aux != 0 {
		s.chain = append(s.chain, aux)
	}
	s.chain = append(s.chain, e.oldOrLeft)
	if d.old != noLit {
		s.chain = append(s.chain, e.oldOrRight)
	}
	s.chain = append(s.chain, from.pairs[pairIndex(s.places[i], s.places[j])].id(), d.oldOrLeft)
	if d.old != noLit {
		x := s.place[from.pigeons[s.places[i]]]
		s.chain = append(s.chain, to.pairs[pairIndex(x, s.place[s.a])].id())
	}
	id := s.learn(s.chain, d.q^1, e.q^1)
	if aux != 0 {
		s.delete(-clauseID(aux), d.q^1, e.old^1)
	}
	return id
}

// deleteEliminated deletes the definitions of the step, the clause of a and the binary
// clauses of h.
func (s *step) deleteEliminated() {
	for i := range s.defs {
		s.deleteDefinition(&s.defs[i])
	}
	from, a := &s.prover.holes[s.h], &s.pigeons[s.a]
	s.deletePairs(from, nil)
	*from = hole{}
	s.delete(a.id, a.lits...)
	*a = pigeon{eliminated: true}
}

// deleteDefinition deletes the clauses of a definition.
func (p *prover) deleteDefinition(d *definition) {
	if d.old == noLit {
		p.delete(-clauseID(d.oldOrLeft), d.q^1, d.left)
		p.delete(-clauseID(d.oldOrRight), d.q^1, d.right)
	} else {
		p.delete(-clauseID(d.oldOrLeft), d.q^1, d.old, d.left)
		p.delete(-clauseID(d.oldOrRight), d.q^1, d.old, d.right)
		p.delete(-clauseID(d.ifOld), d.q, d.old^1)
	}
	p.delete(-clauseID(d.ifBoth), d.q, d.left^1, d.right^1)
}

// deletePairs deletes the binary clauses of a hole, except those of two kept places. The
// kept places are ascending.
func (p *prover) deletePairs(h *hole, kept []int32) {
	n := 0
	for x := range h.pigeons {
		_, keptX := slices.BinarySearch(kept, int32(x))
		for y := range x {
			if _, keptY := slices.BinarySearch(kept, int32(y)); !keptX || !keptY {
				p.delete(h.pairs[n], h.lits[x]^1, h.lits[y]^1)
			}
			n++
		}
	}
}

// abandon deletes all derived clauses.
func (p *prover) abandon() {
	for i := range p.pigeons {
		if x := &p.pigeons[i]; !x.eliminated {
			p.delete(x.id, x.lits...)
		}
	}
	for i := range p.holes {
		p.deletePairs(&p.holes[i], nil)
	}
}

// learn adds a clause to the proof and returns its id.
func (p *prover) learn(hints []int64, lits ...dimacs.Lit) int64 {
	p.learned++
	*p.ticks++
	if !p.host.Hints() {
		hints = nil
	}
	p.scratch = append(p.scratch[:0], lits...)
	return p.host.Proof().Learn(p.scratch, hints)
}

// delete deletes a clause from the proof if the proof derived it.
func (p *prover) delete(c clauseID, lits ...dimacs.Lit) {
	if c < 0 {
		p.scratch = append(p.scratch[:0], lits...)
		p.host.Proof().Delete(c.id(), p.scratch)
	}
}
