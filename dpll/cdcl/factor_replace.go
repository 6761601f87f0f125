package cdcl

import (
	"slices"

	"sator/dimacs"
)

// A replacement puts a sum in the place of a product.
type replacement struct {
	refs []uint32     // of the clauses that go, row by row
	ids  []int64      // of the new clauses of rows
	rest []dimacs.Lit // scratch
	role []uint8      // by literal: what it is in the clauses that go
	cast []dimacs.Lit // those that are something
}

const (
	rowRole    = 1 << iota // one of those that the fresh variable stands for
	columnRole             // the other literal of binary clauses
	memberRole             // in longer ones
)

// replace introduces a variable for the first n rows that were chosen and the
// columns that were left then.
func (f *factorizer) replace(n int) {
	rows := f.chosen[:n]
	f.left = f.left[:0]
	for j := range f.columns {
		if f.columns[j].age >= n {
			f.left = append(f.left, uint32(j))
		}
	}
	f.collectRefs(rows)
	x := f.introduce(rows)
	f.addRows(x, rows)
	f.addColumns(x^1, len(rows))
	f.dropReplaced(rows)
	f.unlistReplaced()
	f.rank(x)
	f.rank(x ^ 1)
	f.s.stats.Factored++
	f.s.stats.FactoredAway += int64(n*len(f.left) - n - len(f.left))
}

// collectRefs collects the clauses that go, row by row.
func (f *factorizer) collectRefs(rows []dimacs.Lit) {
	f.refs = f.refs[:0]
	for _, j := range f.left {
		f.refs = append(f.refs, f.columns[j].clause.ref())
	}
	for _, l := range rows[1:] {
		p := f.spans[l]
		for _, c := range f.byRow[p.start:p.end] {
			if f.columns[c.column].age >= len(rows) {
				f.refs = append(f.refs, c.ref)
			}
		}
	}
	if checking && len(f.refs) != len(rows)*len(f.left) {
		f.s.fault("%d clauses are a product of %d literals and %d clauses", len(f.refs), len(rows), len(f.left))
	}
}

// introduce makes a variable, which is true unless the saved phases make all of the
// rows true, and returns its literal.
func (f *factorizer) introduce(rows []dimacs.Lit) dimacs.Lit {
	v := len(f.s.vars)
	f.s.grow(v + 1)
	f.s.introduced++
	f.makeRoom()
	f.s.phases.saved[v] = -1
	for _, l := range rows {
		if literal(uint32(l>>1), f.s.phases.saved[l>>1]) != l {
			f.s.phases.saved[v] = 1
		}
	}
	return dimacs.Lit(2 * v)
}

// addRows adds the clauses of x and each row.
func (f *factorizer) addRows(x dimacs.Lit, rows []dimacs.Lit) {
	f.ids = f.ids[:0]
	for _, l := range rows {
		f.s.chain = f.s.chain[:0]
		f.ids = append(f.ids, f.add(x, l))
	}
}

// addColumns adds the clauses of x, the complement of the variable, and what each
// column has beside the rows, of which there are n.
func (f *factorizer) addColumns(x dimacs.Lit, n int) {
	for i, j := range f.left {
		f.s.chain = f.s.chain[:0]
		for k, id := range f.ids {
			f.s.chain = append(f.s.chain, -id, f.s.refID(f.refs[k*len(f.left)+i]))
		}
		w := f.columns[j].clause
		if w.binary() {
			f.add(x, w.blocker())
			continue
		}
		f.rest = append(f.rest[:0], x)
		for _, k := range f.s.lits(w.ref()) {
			if dimacs.Lit(k) != f.lit {
				f.rest = append(f.rest, dimacs.Lit(k))
			}
		}
		f.add(f.rest...)
	}
}

// add adds a clause whose first literal is the pivot, and returns its proof id.
func (f *factorizer) add(c ...dimacs.Lit) (id int64) {
	if f.s.proof != nil {
		id = f.s.proof.Learn(c, f.s.hintChain())
	}
	ref := f.s.addClause(c, false, 0, id)
	if len(c) > 2 {
		f.enlist(ref)
		return id
	}
	f.occs[c[0]] = append(f.occs[c[0]], mkWatch(c[1], ref))
	f.occs[c[1]] = append(f.occs[c[1]], mkWatch(c[0], ref))
	f.s.stats.Ticks += 2
	return id
}

// dropReplaced drops the clauses that go, and says what part literals have in them.
func (f *factorizer) dropReplaced(rows []dimacs.Lit) {
	f.s.stats.Ticks += int64(len(f.refs))
	for i, ref := range f.refs {
		row := rows[i/len(f.left)]
		f.play(row, rowRole)
		if ref&1 != 0 {
			o := f.columns[f.left[i%len(f.left)]].clause.blocker()
			f.play(o, columnRole)
			f.s.binaryDeleted(row, o, mkWatch(o, ref))
			f.markStale(row)
			f.markStale(o)
			continue
		}
		c := f.s.lits(ref)
		for _, k := range c {
			f.play(dimacs.Lit(k), memberRole)
		}
		f.s.deleteClause(ref)
		f.markStale(dimacs.Lit(c[0]))
		f.markStale(dimacs.Lit(c[1]))
	}
}

func (f *factorizer) play(l dimacs.Lit, role uint8) {
	if f.role[l] == 0 {
		f.cast = append(f.cast, l)
	}
	f.role[l] |= role
}

func (f *factorizer) markStale(l dimacs.Lit) {
	if !f.stale[l] {
		f.stale[l] = true
		f.staleList = append(f.staleList, l)
	}
}

// unlistReplaced takes what was dropped out of the lists of clauses.
func (f *factorizer) unlistReplaced() {
	for _, l := range f.cast {
		ws := f.occs[l]
		f.s.stats.Ticks += 1 + int64(len(ws)>>3)
		f.occs[l] = slices.DeleteFunc(ws, func(w watch) bool {
			if w.binary() {
				return (f.role[l]|f.role[w.blocker()])&(rowRole|columnRole) == rowRole|columnRole
			}
			return f.s.arena[w.ref()]&garbageBit != 0
		})
		f.rank(l)
	}
	for _, l := range f.cast {
		f.role[l] = 0
	}
	f.cast = f.cast[:0]
}

// settle takes what was dropped out of the watches, and puts the fresh variables
// where they are decided last.
func (f *factorizer) settle() {
	for _, l := range f.staleList {
		f.unwatchDropped(l)
	}
	if f.firstFresh < len(f.s.vars) {
		f.s.queue.Bury(uint32(f.firstFresh))
	}
}

// unwatchDropped keeps of the binary clauses that l watches those that its list has
// too.
func (f *factorizer) unwatchDropped(l dimacs.Lit) {
	for _, w := range f.occs[l] {
		if w.binary() {
			f.s.marks[w.blocker()>>1] |= sign(uint32(w.blocker()))
		}
	}
	ws := f.s.list(l)
	f.s.stats.Ticks += 1 + int64(len(ws)>>3)
	kept := slices.DeleteFunc(ws, func(w watch) bool {
		if !w.binary() {
			return f.s.arena[w.ref()]&garbageBit != 0
		}
		b := w.blocker()
		return !w.redundant() && f.s.vals[b] == 0 && f.s.marks[b>>1]&sign(uint32(b)) == 0
	})
	f.s.watches[l].len = uint32(len(kept))
	for _, w := range f.occs[l] {
		if w.binary() {
			f.s.marks[w.blocker()>>1] = 0
		}
	}
}
