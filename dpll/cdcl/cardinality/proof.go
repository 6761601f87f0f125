package cardinality

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/inprocess"
)

// The proof that n+1 pigeons do not fit into n holes goes from n to n-1, with fresh
// variables (Cook, "A short proof of the pigeon hole principle using extended
// resolution", SIGACT News 1976). A pigeon a and a hole h that it may use leave. Any
// other pigeon i that is in h takes the hole of a instead: that it is in the hole k now
// is a fresh variable,
//
//	q(i,k) = p(i,k) or p(i,h) and p(a,k).
//
// Each pigeon has a hole again, and no hole has two. The second takes two steps where
// both pigeons may change, i first and then j. In the end there is a pigeon without a
// hole, whose clause is empty.
//
// This was made for pigeons that may use all holes. Where each may use a few, as on a
// chessboard, only those holes change that a may use, for those pigeons that may use h:
// it is elimination in a sparse matrix of pigeons and holes. To have more pigeons than
// holes is all that it has to preserve, so that the order is free. A pigeon that may use
// the fewest holes goes first, and of its holes the one that the fewest may use, as in
// the minimum degree ordering of sparse matrices. For n holes that all may use there are
// about n^4/3 clauses in the proof, for a board of n times n squares some n^4 too: to
// choose pairs by the number of clauses to come made these no fewer.
//
// A definition goes when all clauses with its variable are derived, and clauses go with
// their pigeons and holes. So variables of the proof take numbers from the first that
// the formula does not have.

// noLit is no literal.
const noLit = ^dimacs.Lit(0)

// lemmasOfMatching bounds the clauses of a proof. So many take about half a minute.
const lemmasOfMatching = 1 << 23

// A lemma is the proof id of a clause: negative if the clause is to be deleted when
// it is not needed any more.
type lemma int64

func (l lemma) id() int64 { return max(int64(l), -int64(l)) }

// A counting is a proof that there are more pigeons than holes.
type counting struct {
	host    inprocess.Host
	ticks   *int64
	pigeons []pigeon
	holes   []hole
	fresh   dimacs.Lit // of the next variable that is not in use
	lemmas  int
	at      []int32      // by pigeon: its place in a hole, or -1; -1 between uses
	turn    []int32      // by hole: its place among those of a move, and 1; 0 between uses
	chain   []int64      // scratch: antecedents
	scratch []dimacs.Lit // a clause for the proof
}

// A pigeon is a clause: the holes that it may use, and the literals that say so.
type pigeon struct {
	holes []int32
	lits  []dimacs.Lit
	id    lemma
	gone  bool
}

// A hole is the pigeons that may use it, the literals that say so, and for each two
// of them the clause that not both do.
type hole struct {
	pigeons []int32
	lits    []dimacs.Lit
	pairs   []lemma
}

// pair returns where the clause of two pigeons is among the pairs of a hole, by
// their different places there.
func pair(x, y int32) int32 {
	if x < y {
		x, y = y, x
	}
	return x*(x-1)/2 + y
}

// A definition says that q is old, or away and freed: the pigeon was in the hole
// already, or it was in the one that goes and the pigeon that goes was here.
type definition struct {
	q, old, away, freed dimacs.Lit // old is noLit if the pigeon could not be here
	oldOrAway           int64      // ids of the clauses: that q implies away or old,
	oldOrFreed          int64      // freed or old,
	ifOld               int64      // that it is implied by old
	ifBoth              int64      // and by away and freed
}

// prove derives the empty clause from the pigeons in the queue. It reports false if that
// takes too long.
func (m *matcher) prove() bool {
	p := &counting{host: m.host, ticks: m.budget.Ticks, fresh: dimacs.Lit(len(m.vals))}
	if !m.arrange(p) {
		return false
	}
	p.at = slices.Repeat([]int32{-1}, len(p.pigeons))
	p.turn = make([]int32, len(p.holes))
	for {
		a := p.narrowest()
		h := p.loneliest(a)
		if p.eliminate(a, h) {
			return true
		}
		if p.lemmas > lemmasOfMatching || p.fresh > 2*(dimacs.MaxVars-1<<20) || p.host.Poll() {
			p.abandon()
			return false
		}
	}
}

// narrowest returns a pigeon that may use the fewest holes.
func (p *counting) narrowest() int32 {
	best := int32(-1)
	for i := range p.pigeons {
		x := &p.pigeons[i]
		if !x.gone && (best < 0 || len(x.holes) < len(p.pigeons[best].holes)) {
			best = int32(i)
		}
	}
	return best
}

// loneliest returns the hole of a pigeon that the fewest pigeons may use.
func (p *counting) loneliest(a int32) int32 {
	return slices.MinFunc(p.pigeons[a].holes, func(h, k int32) int {
		return len(p.holes[h].pigeons) - len(p.holes[k].pigeons)
	})
}

// A move is what happens when the pigeon a and the hole h leave.
type move struct {
	*counting
	a, h   int32
	holes  []int32      // that a may use besides
	freed  []dimacs.Lit // what says that it does
	places []int32      // in h, of the pigeons that may use it besides
	defs   []definition // for each of the holes, one for each of the places
}

// eliminate takes the pigeon a and the hole h out. It reports whether a pigeon is left
// without a hole.
func (p *counting) eliminate(a, h int32) bool {
	v := &move{counting: p, a: a, h: h}
	for i, k := range p.pigeons[a].holes {
		if k != h {
			v.holes = append(v.holes, k)
			v.freed = append(v.freed, p.pigeons[a].lits[i])
			p.turn[k] = int32(len(v.holes))
		}
	}
	for i, b := range p.holes[h].pigeons {
		if b != a {
			v.places = append(v.places, int32(i))
		}
	}
	v.define()
	for n := range v.places {
		if !v.resettle(n) {
			return true
		}
	}
	for n, k := range v.holes {
		v.share(n)
		p.turn[k] = 0
	}
	v.leave()
	return false
}

// define introduces for each pigeon that may use the hole that goes, and each hole
// that is freed, the variable which says that the pigeon is there then.
func (v *move) define() {
	from := &v.counting.holes[v.h]
	for n, k := range v.holes {
		to := &v.counting.holes[k]
		v.locate(to)
		for _, i := range v.places {
			d := definition{old: noLit, away: from.lits[i], freed: v.freed[n]}
			if x := v.at[from.pigeons[i]]; x >= 0 {
				d.old = to.lits[x]
			}
			v.introduce(&d)
			v.defs = append(v.defs, d)
		}
		v.forget(to)
	}
}

// introduce makes q a fresh variable with this definition. Each clause has the RAT
// property: those with the complement of q come first, and the others have tautologies
// as resolvents with them.
func (p *counting) introduce(d *definition) {
	d.q = p.fresh
	p.fresh += 2
	if d.old == noLit {
		d.oldOrAway = p.learn(nil, d.q^1, d.away)
		d.oldOrFreed = p.learn(nil, d.q^1, d.freed)
	} else {
		d.oldOrAway = p.learn(nil, d.q^1, d.old, d.away)
		d.oldOrFreed = p.learn(nil, d.q^1, d.old, d.freed)
		d.ifOld = p.learn([]int64{-d.oldOrAway, -d.oldOrFreed}, d.q, d.old^1)
	}
	d.ifBoth = p.learn([]int64{-d.oldOrAway, -d.oldOrFreed}, d.q, d.away^1, d.freed^1)
}

// locate notes the places of the pigeons of a hole, and forget ends that.
func (p *counting) locate(h *hole) {
	for i, b := range h.pigeons {
		p.at[b] = int32(i)
	}
}

func (p *counting) forget(h *hole) {
	for _, b := range h.pigeons {
		p.at[b] = -1
	}
}

// resettle derives the clause of the n-th pigeon that may use the hole that goes: it is
// in another one now. It reports false if there is none.
func (v *move) resettle(n int) bool {
	from := &v.counting.holes[v.h]
	v.locate(from)
	place := v.places[n]
	together := from.pairs[pair(place, v.at[v.a])].id()
	v.forget(from)
	b := &v.pigeons[from.pigeons[place]]

	v.chain = v.chain[:0]
	for i := range v.holes {
		if d := v.def(i, n); d.old != noLit {
			v.chain = append(v.chain, d.ifOld)
		}
	}
	v.chain = append(v.chain, b.id.id(), together)
	for i := range v.holes {
		v.chain = append(v.chain, v.def(i, n).ifBoth)
	}
	v.chain = append(v.chain, v.pigeons[v.a].id.id())

	moved := pigeon{}
	for i, k := range b.holes {
		switch t := v.turn[k]; {
		case k == v.h:
		case t > 0:
			moved.add(k, v.def(int(t-1), n).q)
		default:
			moved.add(k, b.lits[i])
		}
	}
	for i, k := range v.holes {
		if d := v.def(i, n); d.old == noLit {
			moved.add(k, d.q)
		}
	}
	moved.id = -lemma(v.learn(v.chain, moved.lits...))
	v.delete(b.id, b.lits...)
	*b = moved
	return len(b.lits) > 0
}

func (x *pigeon) add(h int32, l dimacs.Lit) {
	x.holes = append(x.holes, h)
	x.lits = append(x.lits, l)
}

// def returns the definition for the i-th hole and the n-th pigeon.
func (v *move) def(i, n int) *definition { return &v.defs[i*len(v.places)+n] }

// share derives that the n-th hole that is freed has at most one pigeon, those that may
// move there included.
func (v *move) share(n int) {
	from, to := &v.counting.holes[v.h], &v.counting.holes[v.holes[n]]
	defs := v.defs[n*len(v.places) : (n+1)*len(v.places)]
	stays := v.stays(from, to)
	var now hole
	for i, x := range stays {
		now.pigeons = append(now.pigeons, to.pigeons[x])
		now.lits = append(now.lits, to.lits[x])
		for _, y := range stays[:i] {
			now.pairs = append(now.pairs, to.pairs[pair(x, y)])
		}
	}
	v.locate(to)
	for i := range defs {
		now.pigeons = append(now.pigeons, from.pigeons[v.places[i]])
		now.lits = append(now.lits, defs[i].q)
		for _, y := range stays {
			now.pairs = append(now.pairs, -lemma(v.apart(to, &defs[i], v.places[i], y)))
		}
		for j := range defs[:i] {
			now.pairs = append(now.pairs, -lemma(v.bothApart(to, defs, i, j)))
		}
	}
	v.forget(to)
	v.deletePairs(to, stays)
	*to = now
}

// stays returns the places of a hole whose literals stay the same: those of pigeons
// that neither go nor may move there.
func (v *move) stays(from, to *hole) []int32 {
	v.locate(from)
	var stays []int32
	for i, b := range to.pigeons {
		if v.at[b] < 0 {
			stays = append(stays, int32(i))
		}
	}
	v.forget(from)
	return stays
}

// apart derives that the pigeon of a definition, whose place was the one given, is not
// in a hole with the one whose place there is y and whose literal is as it was.
func (v *move) apart(to *hole, d *definition, place, y int32) int64 {
	v.chain = v.chain[:0]
	if d.old != noLit {
		x := v.at[v.counting.holes[v.h].pigeons[place]]
		v.chain = append(v.chain, to.pairs[pair(x, y)].id())
	}
	v.chain = append(v.chain, d.oldOrFreed, to.pairs[pair(v.at[v.a], y)].id())
	return v.learn(v.chain, d.q^1, to.lits[y]^1)
}

// bothApart derives that the pigeons of two definitions are not in a hole.
func (v *move) bothApart(to *hole, defs []definition, i, j int) int64 {
	if defs[i].old == noLit {
		i, j = j, i
	}
	d, e := &defs[i], &defs[j]
	from := &v.counting.holes[v.h]
	step := int64(0)
	if e.old != noLit {
		step = v.apart(to, d, v.places[i], v.at[from.pigeons[v.places[j]]])
	}
	v.chain = v.chain[:0]
	if step != 0 {
		v.chain = append(v.chain, step)
	}
	v.chain = append(v.chain, e.oldOrAway)
	if d.old != noLit {
		v.chain = append(v.chain, e.oldOrFreed)
	}
	v.chain = append(v.chain, from.pairs[pair(v.places[i], v.places[j])].id(), d.oldOrAway)
	if d.old != noLit {
		x := v.at[from.pigeons[v.places[i]]]
		v.chain = append(v.chain, to.pairs[pair(x, v.at[v.a])].id())
	}
	id := v.learn(v.chain, d.q^1, e.q^1)
	if step != 0 {
		v.delete(-lemma(step), d.q^1, e.old^1)
	}
	return id
}

// leave deletes what says of the pigeon and the hole that they are there.
func (v *move) leave() {
	for i := range v.defs {
		v.undefine(&v.defs[i])
	}
	from, a := &v.counting.holes[v.h], &v.pigeons[v.a]
	v.deletePairs(from, nil)
	*from = hole{}
	v.delete(a.id, a.lits...)
	*a = pigeon{gone: true}
}

// undefine deletes the clauses of a definition.
func (p *counting) undefine(d *definition) {
	if d.old == noLit {
		p.delete(-lemma(d.oldOrAway), d.q^1, d.away)
		p.delete(-lemma(d.oldOrFreed), d.q^1, d.freed)
	} else {
		p.delete(-lemma(d.oldOrAway), d.q^1, d.old, d.away)
		p.delete(-lemma(d.oldOrFreed), d.q^1, d.old, d.freed)
		p.delete(-lemma(d.ifOld), d.q, d.old^1)
	}
	p.delete(-lemma(d.ifBoth), d.q, d.away^1, d.freed^1)
}

// deletePairs deletes the clauses of two pigeons of a hole, unless they are both in
// the places that stay, which are in order.
func (p *counting) deletePairs(h *hole, stay []int32) {
	n := 0
	for x := range h.pigeons {
		_, staysX := slices.BinarySearch(stay, int32(x))
		for y := range x {
			if _, staysY := slices.BinarySearch(stay, int32(y)); !staysX || !staysY {
				p.delete(h.pairs[n], h.lits[x]^1, h.lits[y]^1)
			}
			n++
		}
	}
}

// abandon deletes what the proof has derived.
func (p *counting) abandon() {
	for i := range p.pigeons {
		if x := &p.pigeons[i]; !x.gone {
			p.delete(x.id, x.lits...)
		}
	}
	for i := range p.holes {
		p.deletePairs(&p.holes[i], nil)
	}
}

// learn tells the proof of a clause.
func (p *counting) learn(hints []int64, lits ...dimacs.Lit) int64 {
	p.lemmas++
	*p.ticks++
	if !p.host.Hints() {
		hints = nil
	}
	p.scratch = append(p.scratch[:0], lits...)
	return p.host.Proof().Learn(p.scratch, hints)
}

// delete tells the proof that a clause is gone, if it is one of its own.
func (p *counting) delete(c lemma, lits ...dimacs.Lit) {
	if c < 0 {
		p.scratch = append(p.scratch[:0], lits...)
		p.host.Proof().Delete(c.id(), p.scratch)
	}
}
