package cdcl

import (
	"slices"

	"sator/dimacs"
)

// A replacement puts a sum in the place of a product.
type replacement struct {
	refs     []uint32     // of the clauses that go, row by row
	ids      []int64      // of the new clauses of lits
	clause   []dimacs.Lit // scratch
	role     []uint8      // by literal: what it is in the clauses that go
	roleLits []dimacs.Lit // those that are something
}

const (
	litRole    = 1 << iota // one of those that the fresh variable stands for
	otherRole              // the other literal of binary clauses
	memberRole             // in longer ones
)

// replace introduces a variable for the first n lits that were chosen and the
// columns that were left then.
func (b *bvaPass) replace(n int) {
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
	b.addRestClauses(x^1, len(lits))
	b.dropReplaced(lits)
	b.unlistDropped()
	b.reschedule(x)
	b.reschedule(x ^ 1)
	b.s.stats.Factored++
	b.s.stats.FactoredAway += int64(n*len(b.mcls) - n - len(b.mcls))
}

// collectRefs collects the clauses that go, row by row.
func (b *bvaPass) collectRefs(lits []dimacs.Lit) {
	b.refs = b.refs[:0]
	for _, j := range b.mcls {
		b.refs = append(b.refs, b.clauses[j].clause.ref())
	}
	for _, l := range lits[1:] {
		p := b.spans[l]
		for _, c := range b.byLit[p.start:p.end] {
			if b.clauses[c.clause].kept >= len(lits) {
				b.refs = append(b.refs, c.ref)
			}
		}
	}
	if checking && len(b.refs) != len(lits)*len(b.mcls) {
		b.s.fault("%d clauses are a product of %d literals and %d clauses", len(b.refs), len(lits), len(b.mcls))
	}
}

// introduce makes a variable, which is true unless the saved phases make all of the
// lits true, and returns its literal.
func (b *bvaPass) introduce(lits []dimacs.Lit) dimacs.Lit {
	v := len(b.s.vars)
	b.s.grow(v + 1)
	b.s.introduced++
	b.growTables()
	b.s.phases.saved[v] = -1
	for _, l := range lits {
		if literal(uint32(l>>1), b.s.phases.saved[l>>1]) != l {
			b.s.phases.saved[v] = 1
		}
	}
	return dimacs.Lit(2 * v)
}

// addLitClauses adds the clauses of x and each row.
func (b *bvaPass) addLitClauses(x dimacs.Lit, lits []dimacs.Lit) {
	b.ids = b.ids[:0]
	for _, l := range lits {
		b.s.chain = b.s.chain[:0]
		b.ids = append(b.ids, b.add(x, l))
	}
}

// addRestClauses adds the clauses of x, the complement of the variable, and what each
// column has beside the lits, of which there are n.
func (b *bvaPass) addRestClauses(x dimacs.Lit, n int) {
	for i, j := range b.mcls {
		b.s.chain = b.s.chain[:0]
		for k, id := range b.ids {
			b.s.chain = append(b.s.chain, -id, b.s.refID(b.refs[k*len(b.mcls)+i]))
		}
		w := b.clauses[j].clause
		if w.binary() {
			b.add(x, w.blocker())
			continue
		}
		b.clause = append(b.clause[:0], x)
		for _, k := range b.s.lits(w.ref()) {
			if dimacs.Lit(k) != b.lit {
				b.clause = append(b.clause, dimacs.Lit(k))
			}
		}
		b.add(b.clause...)
	}
}

// add adds a clause whose first literal is the pivot, and returns its proof id.
func (b *bvaPass) add(c ...dimacs.Lit) (id int64) {
	if b.s.proof != nil {
		id = b.s.proof.Learn(c, b.s.hintChain())
	}
	ref := b.s.addClause(c, false, 0, id)
	if len(c) > 2 {
		b.addOccurrences(ref)
		return id
	}
	b.occs[c[0]] = append(b.occs[c[0]], mkWatch(c[1], ref))
	b.occs[c[1]] = append(b.occs[c[1]], mkWatch(c[0], ref))
	b.s.stats.Ticks += 2
	return id
}

// dropReplaced drops the clauses that go, and says what part literals have in them.
func (b *bvaPass) dropReplaced(lits []dimacs.Lit) {
	b.s.stats.Ticks += int64(len(b.refs))
	for i, ref := range b.refs {
		l := lits[i/len(b.mcls)]
		b.addRole(l, litRole)
		if ref&1 != 0 {
			o := b.clauses[b.mcls[i%len(b.mcls)]].clause.blocker()
			b.addRole(o, otherRole)
			b.s.binaryDeleted(l, o, mkWatch(o, ref))
			b.markStale(l)
			b.markStale(o)
			continue
		}
		c := b.s.lits(ref)
		for _, k := range c {
			b.addRole(dimacs.Lit(k), memberRole)
		}
		b.s.deleteClause(ref)
		b.markStale(dimacs.Lit(c[0]))
		b.markStale(dimacs.Lit(c[1]))
	}
}

func (b *bvaPass) addRole(l dimacs.Lit, role uint8) {
	if b.role[l] == 0 {
		b.roleLits = append(b.roleLits, l)
	}
	b.role[l] |= role
}

func (b *bvaPass) markStale(l dimacs.Lit) {
	if !b.staleWatches[l] {
		b.staleWatches[l] = true
		b.staleLits = append(b.staleLits, l)
	}
}

// unlistDropped takes what was dropped out of the lists of clauses.
func (b *bvaPass) unlistDropped() {
	for _, l := range b.roleLits {
		ws := b.occs[l]
		b.s.stats.Ticks += 1 + int64(len(ws)>>3)
		b.occs[l] = slices.DeleteFunc(ws, func(w watch) bool {
			if w.binary() {
				return (b.role[l]|b.role[w.blocker()])&(litRole|otherRole) == litRole|otherRole
			}
			return b.s.arena[w.ref()]&garbageBit != 0
		})
		b.reschedule(l)
	}
	for _, l := range b.roleLits {
		b.role[l] = 0
	}
	b.roleLits = b.roleLits[:0]
}

// finish takes what was dropped out of the watches, and puts the fresh variables
// where they are decided last.
func (b *bvaPass) finish() {
	for _, l := range b.staleLits {
		b.unwatchDropped(l)
	}
	if b.firstIntroduced < len(b.s.vars) {
		b.s.queue.Bury(uint32(b.firstIntroduced))
	}
}

// unwatchDropped keeps of the binary clauses that l watches those that its list has
// too.
func (b *bvaPass) unwatchDropped(l dimacs.Lit) {
	for _, w := range b.occs[l] {
		if w.binary() {
			b.s.marks[w.blocker()>>1] |= sign(uint32(w.blocker()))
		}
	}
	ws := b.s.list(l)
	b.s.stats.Ticks += 1 + int64(len(ws)>>3)
	kept := slices.DeleteFunc(ws, func(w watch) bool {
		if !w.binary() {
			return b.s.arena[w.ref()]&garbageBit != 0
		}
		o := w.blocker()
		return !w.redundant() && b.s.vals[o] == 0 && b.s.marks[o>>1]&sign(uint32(o)) == 0
	})
	b.s.watches[l].len = uint32(len(kept))
	for _, w := range b.occs[l] {
		if w.binary() {
			b.s.marks[w.blocker()>>1] = 0
		}
	}
}
