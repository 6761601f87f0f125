package cdcl

import (
	"slices"

	"sator/dimacs"
)

// A replacement holds scratch memory for replacing clauses by those of a fresh
// variable.
type replacement struct {
	refs     []uint32     // replaced clauses, grouped by literal of M_lit
	ids      []int64      // proof ids of the clauses (x or l)
	clause   []dimacs.Lit // scratch
	role     []uint8      // by literal: its roles in the replaced clauses
	roleLits []dimacs.Lit // literals with a role
}

const (
	litRole    = 1 << iota // literal of M_lit
	otherRole              // other literal of a binary clause
	memberRole             // literal of a longer clause
)

// replace introduces a variable for the first n literals of M_lit and the clauses that
// were in M_cls then. It returns the number of clauses that this saves.
func (b *bvaPass) replace(n int) (saved int) {
	lits := b.mlit[:n]
	b.mcls = b.mcls[:0]
	for j := range b.clauses {
		if b.clauses[j].kept >= n {
			b.mcls = append(b.mcls, uint32(j))
		}
	}
	b.collectRefs(lits)
	x := b.introduce(lits)
	b.addLitClauses(x, lits)
	b.addRestClauses(x ^ 1)
	b.deleteReplaced(lits)
	b.unlistDeleted()
	b.reschedule(x)
	b.reschedule(x ^ 1)
	b.s.stats.Factored++
	saved = n*len(b.mcls) - n - len(b.mcls)
	b.s.stats.FactoredAway += int64(saved)
	return saved
}

// collectRefs collects the clauses to be replaced, grouped by literal. The counts of matches are
// not needed any more; those of the literals become their positions.
func (b *bvaPass) collectRefs(lits []dimacs.Lit) {
	n := len(b.mcls)
	b.refs = lengthen(b.refs[:0], n*len(lits))
	for i, j := range b.mcls {
		b.refs[i] = b.clauses[j].clause.ref()
		p := b.matchesOf(j)
		for _, l := range b.matches[p.start:p.end] {
			b.count[l] = 0
		}
	}
	for k, l := range lits[1:] {
		b.count[l] = uint32(k + 1)
	}
	found := n
	for i, j := range b.mcls {
		p := b.matchesOf(j)
		for at := p.start; at < p.end; at++ {
			if k := int(b.count[b.matches[at]]); k > 0 {
				b.refs[k*n+i] = b.matchRef(at)
				found++
			}
		}
	}
	if checking && found != len(b.refs) {
		fault("%d clauses match for %d literals and %d clauses", found, len(lits), n)
	}
}

// introduce adds a variable and returns its literal. Its saved phase is true unless the
// saved phases make all literals of lits true.
func (b *bvaPass) introduce(lits []dimacs.Lit) dimacs.Lit {
	s := b.s
	v := len(s.trail.vars)
	s.grow(v + 1)
	s.removal.introduced++
	b.growTables()
	s.decisions.phases.saved[v] = -1
	for _, l := range lits {
		if literal(uint32(l>>1), s.decisions.phases.saved[l>>1]) != l {
			s.decisions.phases.saved[v] = 1
		}
	}
	return dimacs.Lit(2 * v)
}

// addLitClauses adds the clause (x or l) for each literal.
func (b *bvaPass) addLitClauses(x dimacs.Lit, lits []dimacs.Lit) {
	b.ids = b.ids[:0]
	for _, l := range lits {
		b.s.proof.chain = b.s.proof.chain[:0]
		b.ids = append(b.ids, b.add(x, l))
	}
}

// addRestClauses adds the clause (x or C) for each C of M_cls, where x is the
// complement of the fresh variable.
func (b *bvaPass) addRestClauses(x dimacs.Lit) {
	s := b.s
	for i, j := range b.mcls {
		s.proof.chain = s.proof.chain[:0]
		for k, id := range b.ids {
			s.proof.chain = append(s.proof.chain, -id, s.clauses.refID(b.refs[k*len(b.mcls)+i]))
		}
		w := b.clauses[j].clause
		if w.binary() {
			b.add(x, w.blocker())
			continue
		}
		b.clause = append(b.clause[:0], x)
		for _, k := range s.clauses.lits(w.ref()) {
			if dimacs.Lit(k) != b.lit {
				b.clause = append(b.clause, dimacs.Lit(k))
			}
		}
		b.add(b.clause...)
	}
}

// add adds a clause whose first literal is the RAT pivot, and returns its proof id.
func (b *bvaPass) add(c ...dimacs.Lit) (id int64) {
	s := b.s
	if s.proof.log != nil {
		id = s.proof.log.Learn(c, s.proof.hintChain())
	}
	ref := s.clauses.addClause(c, false, 0, id)
	if len(c) > 2 {
		b.addOccurrences(ref)
		return id
	}
	b.occs[c[0]] = append(b.occs[c[0]], mkWatch(c[1], ref))
	b.occs[c[1]] = append(b.occs[c[1]], mkWatch(c[0], ref))
	s.stats.Ticks += 2
	return id
}

// deleteReplaced deletes the replaced clauses, and records the roles of their literals.
func (b *bvaPass) deleteReplaced(lits []dimacs.Lit) {
	b.s.stats.Ticks += int64(len(b.refs))
	for i, ref := range b.refs {
		l := lits[i/len(b.mcls)]
		b.addRole(l, litRole)
		if ref&1 != 0 {
			o := b.clauses[b.mcls[i%len(b.mcls)]].clause.blocker()
			b.addRole(o, otherRole)
			b.s.clauses.binaryDeleted(l, o, mkWatch(o, ref))
			b.markStale(l)
			b.markStale(o)
			continue
		}
		c := b.s.clauses.lits(ref)
		for _, k := range c {
			b.addRole(dimacs.Lit(k), memberRole)
		}
		b.s.clauses.deleteClause(ref)
		b.markStale(dimacs.Lit(c[0]))
		b.markStale(dimacs.Lit(c[1]))
	}
}

// addRole records a role of l.
func (b *bvaPass) addRole(l dimacs.Lit, role uint8) {
	if b.role[l] == 0 {
		b.roleLits = append(b.roleLits, l)
	}
	b.role[l] |= role
}

// markStale records that the watch list of l has deleted clauses.
func (b *bvaPass) markStale(l dimacs.Lit) {
	if !b.staleWatches[l] {
		b.staleWatches[l] = true
		b.staleLits = append(b.staleLits, l)
	}
}

// unlistDeleted removes the deleted clauses from the lists of occurrences.
func (b *bvaPass) unlistDeleted() {
	for _, l := range b.roleLits {
		ws := b.occs[l]
		b.s.stats.Ticks += 1 + int64(len(ws)>>3)
		b.occs[l] = slices.DeleteFunc(ws, func(w watch) bool {
			if w.binary() {
				return (b.role[l]|b.role[w.blocker()])&(litRole|otherRole) == litRole|otherRole
			}
			return b.s.clauses.arena[w.ref()]&garbageBit != 0
		})
		b.reschedule(l)
	}
	for _, l := range b.roleLits {
		b.role[l] = 0
	}
	b.roleLits = b.roleLits[:0]
}

// finish removes deleted clauses from the watch lists, and moves the fresh variables to
// the front of the VMTF queue, so that they are decided last.
func (b *bvaPass) finish() {
	for _, l := range b.staleLits {
		b.unwatchDeleted(l)
	}
	if b.firstIntroduced < len(b.s.trail.vars) {
		b.s.decisions.queue.Bury(uint32(b.firstIntroduced))
	}
}

// unwatchDeleted removes deleted clauses from the watch list of l: binary clauses that
// its list of occurrences no longer has, and clauses with the garbage bit.
func (b *bvaPass) unwatchDeleted(l dimacs.Lit) {
	s := b.s
	for _, w := range b.occs[l] {
		if w.binary() {
			s.analysis.marks[w.blocker()>>1] |= sign(uint32(w.blocker()))
		}
	}
	ws := s.clauses.list(l)
	s.stats.Ticks += 1 + int64(len(ws)>>3)
	kept := slices.DeleteFunc(ws, func(w watch) bool {
		if !w.binary() {
			return s.clauses.arena[w.ref()]&garbageBit != 0
		}
		o := w.blocker()
		return !w.redundant() && s.trail.vals[o] == 0 && s.analysis.marks[o>>1]&sign(uint32(o)) == 0
	})
	s.clauses.watches[l].len = uint32(len(kept))
	for _, w := range b.occs[l] {
		if w.binary() {
			s.analysis.marks[w.blocker()>>1] = 0
		}
	}
}
