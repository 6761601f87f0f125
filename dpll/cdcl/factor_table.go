package cdcl

import "sator/dimacs"

// A table has the clauses of a literal for columns, the literals that might take the
// place of it for rows, and entries where they do.
type table struct {
	lit     dimacs.Lit
	columns []column
	entries []entry      // column by column
	byRow   []cell       // the entries row by row
	rows    []dimacs.Lit // that may be chosen
	count   []uint32     // by literal: entries in the columns that are left
	spans   []span       // by literal: where in byRow its entries are
	seen    []uint32     // by literal: column of the last entry, plus 1
	left    []uint32     // columns
	chosen  []dimacs.Lit // rows, the literal itself in front
}

// A column of the table is a clause that has the literal.
type column struct {
	clause watch
	end    uint32 // of its entries
	age    int    // rows that were chosen while it was there
}

// An entry says by which clause a row has a column.
type entry struct {
	row dimacs.Lit
	ref uint32
}

// A cell is an entry as its row has it.
type cell struct{ column, ref uint32 }

type span struct{ start, end uint32 }

// tableEntries is how many entries a table has room for.
const tableEntries = 1 << 20

// tabulate makes the table of l. It reports false if that has nothing to choose
// from.
func (f *factorizer) tabulate(l dimacs.Lit) bool {
	f.lit = l
	f.s.stats.Ticks += 1 + int64(len(f.occs[l])>>3)
	for _, w := range f.occs[l] {
		if len(f.entries) > tableEntries || f.spent() {
			break
		}
		begin, rows := len(f.entries), len(f.rows)
		switch {
		case w.binary():
			f.enterBinary(w.blocker())
		case !f.enterLong(w.ref()):
			f.takeBack(begin, rows)
			continue
		}
		if len(f.entries) > begin {
			f.columns = append(f.columns, column{w, uint32(len(f.entries)), 0})
		}
	}
	return len(f.columns) > 1
}

// takeBack takes out the entries from begin on, with the rows that were new.
func (f *factorizer) takeBack(begin, rows int) {
	for _, e := range f.entries[begin:] {
		f.count[e.row]--
		f.seen[e.row] = 0
	}
	f.entries, f.rows = f.entries[:begin], f.rows[:rows]
}

// enterBinary enters the clauses of o and another literal into the column of the
// clause of o and the literal of the table.
func (f *factorizer) enterBinary(o dimacs.Lit) {
	ws := f.occs[o]
	f.s.stats.Ticks += 1 + int64(len(ws)>>3)
	for _, w := range ws {
		if w.binary() {
			f.enter(w.blocker(), w.ref())
		}
	}
}

// enterLong enters the clauses that the one at r becomes with another literal for
// that of the table. It reports false if the clause itself is there twice, and this
// is not the first.
func (f *factorizer) enterLong(r uint32) bool {
	c := f.s.lits(r)
	f.s.stats.Ticks++
	bits := signature(c)
	rarest := f.rarest(c)
	for _, k := range c {
		f.s.marks[k>>1] = sign(k)
	}
	f.s.marks[f.lit>>1] = 0
	first := true
	ws := f.occs[rarest]
	f.s.stats.Ticks += 1 + int64(len(ws)>>3)
	for _, w := range ws {
		if w.binary() || w.ref() == r || !nearly(uint32(w.blocker()), bits) {
			continue
		}
		f.s.stats.Ticks++
		if d := f.s.lits(w.ref()); len(d) == len(c) {
			switch row := f.unmarked(d); {
			case row == f.lit:
				first = first && r < w.ref()
			case row != noLit:
				f.enter(row, w.ref())
			}
		}
	}
	for _, k := range c {
		f.s.marks[k>>1] = 0
	}
	return first
}

// nearly reports whether a clause with the signature a may be one with the
// signature b but for one literal.
func nearly(a, b uint32) bool {
	a &^= b
	return a&(a-1) == 0
}

// rarest returns the literal of c with the fewest clauses, of those other than that
// of the table.
func (f *factorizer) rarest(c []uint32) dimacs.Lit {
	best := noLit
	for _, k := range c {
		if l := dimacs.Lit(k); l != f.lit && (best == noLit || len(f.occs[l]) < len(f.occs[best])) {
			best = l
		}
	}
	return best
}

// unmarked returns the literal of d that is not marked if there is just one.
func (f *factorizer) unmarked(d []uint32) dimacs.Lit {
	found := noLit
	for _, k := range d {
		if f.s.marks[k>>1] != sign(k) {
			if found != noLit {
				return noLit
			}
			found = dimacs.Lit(k)
		}
	}
	return found
}

// enter makes an entry of the last column. The complement of the literal of the
// table has none: resolution has more to say there.
func (f *factorizer) enter(row dimacs.Lit, ref uint32) {
	column := uint32(len(f.columns)) + 1
	if row>>1 == f.lit>>1 || f.seen[row] == column {
		return
	}
	f.seen[row] = column
	if f.count[row] == 0 {
		f.rows = append(f.rows, row)
	}
	f.count[row]++
	f.entries = append(f.entries, entry{row, ref})
}

// forgetTable leaves everything as it was before the table.
func (f *factorizer) forgetTable() {
	for _, e := range f.entries {
		f.count[e.row], f.seen[e.row] = 0, 0
	}
	f.columns, f.entries, f.rows = f.columns[:0], f.entries[:0], f.rows[:0]
}

// sortRows sorts the entries by row, those of a row by column.
func (f *factorizer) sortRows() {
	f.s.stats.Ticks += int64(len(f.entries)>>2 + len(f.rows)>>3)
	end := uint32(0)
	for _, l := range f.rows {
		f.spans[l] = span{end, end}
		end += f.count[l]
	}
	f.byRow = lengthen(f.byRow[:0], int(end))
	i := uint32(0)
	for j, c := range f.columns {
		for ; i < c.end; i++ {
			e := f.entries[i]
			p := &f.spans[e.row].end
			f.byRow[*p] = cell{uint32(j), e.ref}
			*p++
		}
	}
}

// choose chooses rows one after the other, and returns how many of them, with the
// literal of the table, make the best set; 0 if none is good enough.
func (f *factorizer) choose() (best int) {
	f.left = f.left[:0]
	for j := range f.columns {
		f.left = append(f.left, uint32(j))
	}
	f.chosen = append(f.chosen[:0], f.lit)
	most := f.bound
	for len(f.left) > 1 && !f.spent() {
		f.takeFull()
		n, m := len(f.chosen), len(f.left)
		if gain := n*m - n - m; gain > most {
			best, most = n, gain
		}
		row := f.pick()
		if row == noLit {
			break
		}
		f.take(row)
	}
	return best
}

// takeFull chooses the rows that have entries in all columns that are left. The
// complement of a row that was chosen is not chosen any more.
func (f *factorizer) takeFull() {
	f.s.stats.Ticks += 1 + int64(len(f.rows)>>4) + int64(len(f.left)>>3)
	kept := f.rows[:0]
	for _, l := range f.rows {
		switch n := int(f.count[l]); {
		case n == len(f.left):
			f.chosen = append(f.chosen, l)
			f.count[l], f.count[l^1] = 0, 0
		case n > 1:
			kept = append(kept, l)
		}
	}
	f.rows = kept
	for _, j := range f.left {
		f.columns[j].age = len(f.chosen)
	}
}

// pick returns the row with the most entries, of those with two at least, or noLit.
func (f *factorizer) pick() dimacs.Lit {
	f.s.stats.Ticks += 1 + int64(len(f.rows)>>4)
	best, most := noLit, uint32(1)
	for _, l := range f.rows {
		if n := f.count[l]; n > most {
			best, most = l, n
		}
	}
	return best
}

// take leaves only the columns that have an entry of the row, which is full then.
func (f *factorizer) take(row dimacs.Lit) {
	p, age := f.spans[row], len(f.chosen)
	for _, c := range f.byRow[p.start:p.end] {
		if x := &f.columns[c.column]; x.age == age {
			x.age++
		}
	}
	f.s.stats.Ticks += 1 + int64((p.end-p.start)>>3) + int64(len(f.left)>>3)
	kept := f.left[:0]
	for _, j := range f.left {
		if f.columns[j].age > age {
			kept = append(kept, j)
			continue
		}
		f.leave(j)
	}
	f.left = kept
}

// leave takes the entries of a column out of the counts.
func (f *factorizer) leave(j uint32) {
	begin, end := uint32(0), f.columns[j].end
	if j > 0 {
		begin = f.columns[j-1].end
	}
	for _, e := range f.entries[begin:end] {
		if f.count[e.row] > 0 {
			f.count[e.row]--
		}
	}
	f.s.stats.Ticks += 1 + int64((end-begin)>>3)
}
