package cdcl

import "sator/dimacs"

// tabulate makes the table of l. It reports false if that has nothing to choose
// from.
func (f *factorizer) tabulate(l dimacs.Lit) bool {
	f.lit = l
	f.stats.Ticks += 1 + int64(len(f.occs[l])>>3)
	for _, w := range f.occs[l] {
		if len(f.entries) > factorEntries || f.spent() {
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
		f.stamp[e.row] = 0
	}
	f.entries, f.rows = f.entries[:begin], f.rows[:rows]
}

// enterBinary enters the clauses of o and another literal into the column of the
// clause of o and the literal of the table.
func (f *factorizer) enterBinary(o dimacs.Lit) {
	ws := f.occs[o]
	f.stats.Ticks += 1 + int64(len(ws)>>3)
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
	c := f.lits(r)
	f.stats.Ticks++
	bits := signature(c)
	rarest := f.rarest(c)
	for _, k := range c {
		f.marks[k>>1] = sign(k)
	}
	f.marks[f.lit>>1] = 0
	first := true
	ws := f.occs[rarest]
	f.stats.Ticks += 1 + int64(len(ws)>>3)
	for _, w := range ws {
		if w.binary() || w.ref() == r || !nearly(uint32(w.blocker()), bits) {
			continue
		}
		f.stats.Ticks++
		if d := f.lits(w.ref()); len(d) == len(c) {
			switch row := f.unmarked(d); {
			case row == f.lit:
				first = first && r < w.ref()
			case row != noLit:
				f.enter(row, w.ref())
			}
		}
	}
	for _, k := range c {
		f.marks[k>>1] = 0
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
		if f.marks[k>>1] != sign(k) {
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
	if row>>1 == f.lit>>1 || f.stamp[row] == column {
		return
	}
	f.stamp[row] = column
	if f.count[row] == 0 {
		f.rows = append(f.rows, row)
	}
	f.count[row]++
	f.entries = append(f.entries, entry{row, ref})
}

// forgetTable leaves everything as it was before the table.
func (f *factorizer) forgetTable() {
	for _, e := range f.entries {
		f.count[e.row], f.stamp[e.row] = 0, 0
	}
	f.columns, f.entries, f.rows = f.columns[:0], f.entries[:0], f.rows[:0]
}

// sortRows sorts the entries by row, those of a row by column.
func (f *factorizer) sortRows() {
	f.stats.Ticks += int64(len(f.entries)>>2 + len(f.rows)>>3)
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
		f.columns[j].age = 1
		f.left = append(f.left, uint32(j))
	}
	f.chosen = append(f.chosen[:0], f.lit)
	most := f.bound
	for row := f.pick(); row != noLit; row = f.pick() {
		f.take(row)
		n, m := len(f.chosen), len(f.left)
		if gain := n*m - n - m; gain > most {
			best, most = n, gain
		}
	}
	return best
}

// pick returns the row with the most entries, of those with two at least, or noLit.
func (f *factorizer) pick() dimacs.Lit {
	f.stats.Ticks += 1 + int64(len(f.rows)>>4)
	best, most := noLit, uint32(1)
	kept := f.rows[:0]
	for _, l := range f.rows {
		n := f.count[l]
		if n < 2 {
			continue
		}
		kept = append(kept, l)
		if n > most {
			best, most = l, n
		}
	}
	f.rows = kept
	return best
}

// take chooses a row and leaves only the columns that have an entry of it. The
// complement of the row is not chosen any more.
func (f *factorizer) take(row dimacs.Lit) {
	f.chosen = append(f.chosen, row)
	f.count[row], f.count[row^1] = 0, 0
	age := len(f.chosen)
	p := f.spans[row]
	for _, c := range f.byRow[p.start:p.end] {
		if x := &f.columns[c.column]; x.age == age-1 {
			x.age = age
		}
	}
	f.stats.Ticks += 1 + int64((p.end-p.start)>>3) + int64(len(f.left)>>3)
	kept := f.left[:0]
	for _, j := range f.left {
		if f.columns[j].age == age {
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
	f.stats.Ticks += 1 + int64((end-begin)>>3)
}
