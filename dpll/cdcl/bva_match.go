package cdcl

import "sator/dimacs"

// A matchTable has the clauses of a literal for columns, the literals that might take the
// place of it for rows, and entries where they do.
type matchTable struct {
	lit        dimacs.Lit
	clauses    []matchedClause
	matches    []match       // column by column
	byLit      []clauseMatch // the entries row by row
	candidates []dimacs.Lit  // that may be chosen
	count      []uint32      // by literal: entries in the columns that are left
	spans      []span        // by literal: where in byRow its entries are
	seen       []uint32      // by literal: column of the last entry, plus 1
	mcls       []uint32      // columns
	mlit       []dimacs.Lit  // candidates, the literal itself in front
}

// A matchedClause of the table is a clause that has the literal.
type matchedClause struct {
	clause watch
	end    uint32 // of its entries
	kept   int    // candidates that were chosen while it was there
}

// An match says by which clause a row has a column.
type match struct {
	lit dimacs.Lit
	ref uint32
}

// A clauseMatch is an entry as its row has it.
type clauseMatch struct{ clause, ref uint32 }

type span struct{ start, end uint32 }

// maxMatches is how many entries a table has room for.
const maxMatches = 1 << 20

// findMatches makes the table of l. It reports false if that has nothing to choose
// from.
func (b *bvaPass) findMatches(l dimacs.Lit) bool {
	b.lit = l
	b.s.stats.Ticks += 1 + int64(len(b.occs[l])>>3)
	for _, w := range b.occs[l] {
		if len(b.matches) > maxMatches || b.spent() {
			break
		}
		begin, candidates := len(b.matches), len(b.candidates)
		switch {
		case w.binary():
			b.matchBinary(w.blocker())
		case !b.matchLong(w.ref()):
			b.undoMatches(begin, candidates)
			continue
		}
		if len(b.matches) > begin {
			b.clauses = append(b.clauses, matchedClause{w, uint32(len(b.matches)), 0})
		}
	}
	return len(b.clauses) > 1
}

// undoMatches takes out the entries from begin on, with the rows that were new.
func (b *bvaPass) undoMatches(begin, candidates int) {
	for _, e := range b.matches[begin:] {
		b.count[e.lit]--
		b.seen[e.lit] = 0
	}
	b.matches, b.candidates = b.matches[:begin], b.candidates[:candidates]
}

// matchBinary enters the clauses of o and another literal into the column of the
// clause of o and the literal of the table.
func (b *bvaPass) matchBinary(o dimacs.Lit) {
	ws := b.occs[o]
	b.s.stats.Ticks += 1 + int64(len(ws)>>3)
	for _, w := range ws {
		if w.binary() {
			b.addMatch(w.blocker(), w.ref())
		}
	}
}

// matchLong enters the clauses that the one at r becomes with another literal for
// that of the table. It reports false if the clause itself is there twice, and this
// is not the first.
func (b *bvaPass) matchLong(r uint32) bool {
	c := b.s.lits(r)
	b.s.stats.Ticks++
	bits := signature(c)
	rarest := b.rarest(c)
	for _, k := range c {
		b.s.marks[k>>1] = sign(k)
	}
	b.s.marks[b.lit>>1] = 0
	first := true
	ws := b.occs[rarest]
	b.s.stats.Ticks += 1 + int64(len(ws)>>3)
	for _, w := range ws {
		if w.binary() || w.ref() == r || !nearly(uint32(w.blocker()), bits) {
			continue
		}
		b.s.stats.Ticks++
		if d := b.s.lits(w.ref()); len(d) == len(c) {
			switch l := b.unmarked(d); {
			case l == b.lit:
				first = first && r < w.ref()
			case l != noLit:
				b.addMatch(l, w.ref())
			}
		}
	}
	for _, k := range c {
		b.s.marks[k>>1] = 0
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
func (b *bvaPass) rarest(c []uint32) dimacs.Lit {
	best := noLit
	for _, k := range c {
		if l := dimacs.Lit(k); l != b.lit && (best == noLit || len(b.occs[l]) < len(b.occs[best])) {
			best = l
		}
	}
	return best
}

// unmarked returns the literal of d that is not marked if there is just one.
func (b *bvaPass) unmarked(d []uint32) dimacs.Lit {
	found := noLit
	for _, k := range d {
		if b.s.marks[k>>1] != sign(k) {
			if found != noLit {
				return noLit
			}
			found = dimacs.Lit(k)
		}
	}
	return found
}

// addMatch makes an entry of the last column. The complement of the literal of the
// table has none: resolution has more to say there.
func (b *bvaPass) addMatch(l dimacs.Lit, ref uint32) {
	clause := uint32(len(b.clauses)) + 1
	if l>>1 == b.lit>>1 || b.seen[l] == clause {
		return
	}
	b.seen[l] = clause
	if b.count[l] == 0 {
		b.candidates = append(b.candidates, l)
	}
	b.count[l]++
	b.matches = append(b.matches, match{l, ref})
}

// clearMatches leaves everything as it was before the table.
func (b *bvaPass) clearMatches() {
	for _, e := range b.matches {
		b.count[e.lit], b.seen[e.lit] = 0, 0
	}
	b.clauses, b.matches, b.candidates = b.clauses[:0], b.matches[:0], b.candidates[:0]
}

// sortByLit sorts the entries by row, those of a row by column.
func (b *bvaPass) sortByLit() {
	b.s.stats.Ticks += int64(len(b.matches)>>2 + len(b.candidates)>>3)
	end := uint32(0)
	for _, l := range b.candidates {
		b.spans[l] = span{end, end}
		end += b.count[l]
	}
	b.byLit = lengthen(b.byLit[:0], int(end))
	i := uint32(0)
	for j, c := range b.clauses {
		for ; i < c.end; i++ {
			e := b.matches[i]
			p := &b.spans[e.lit].end
			b.byLit[*p] = clauseMatch{uint32(j), e.ref}
			*p++
		}
	}
}

// growSets chooses rows one after the other, and returns how many of them, with the
// literal of the table, make the best set; 0 if none is good enough.
func (b *bvaPass) growSets() (best int) {
	b.mcls = b.mcls[:0]
	for j := range b.clauses {
		b.mcls = append(b.mcls, uint32(j))
	}
	b.mlit = append(b.mlit[:0], b.lit)
	most := b.bound
	for len(b.mcls) > 1 && !b.spent() {
		b.addComplete()
		n, m := len(b.mlit), len(b.mcls)
		if gain := n*m - n - m; gain > most {
			best, most = n, gain
		}
		l := b.mostMatched()
		if l == noLit {
			break
		}
		b.restrict(l)
	}
	return best
}

// addComplete chooses the rows that have entries in all columns that are left. The
// complement of a row that was chosen is not chosen any more.
func (b *bvaPass) addComplete() {
	b.s.stats.Ticks += 1 + int64(len(b.candidates)>>4) + int64(len(b.mcls)>>3)
	kept := b.candidates[:0]
	for _, l := range b.candidates {
		switch n := int(b.count[l]); {
		case n == len(b.mcls):
			b.mlit = append(b.mlit, l)
			b.count[l], b.count[l^1] = 0, 0
		case n > 1:
			kept = append(kept, l)
		}
	}
	b.candidates = kept
	for _, j := range b.mcls {
		b.clauses[j].kept = len(b.mlit)
	}
}

// mostMatched returns the row with the most entries, of those with two at least, or noLit.
func (b *bvaPass) mostMatched() dimacs.Lit {
	b.s.stats.Ticks += 1 + int64(len(b.candidates)>>4)
	best, most := noLit, uint32(1)
	for _, l := range b.candidates {
		if n := b.count[l]; n > most {
			best, most = l, n
		}
	}
	return best
}

// restrict leaves only the columns that have an entry of the row, which is full then.
func (b *bvaPass) restrict(l dimacs.Lit) {
	p, size := b.spans[l], len(b.mlit)
	for _, c := range b.byLit[p.start:p.end] {
		if x := &b.clauses[c.clause]; x.kept == size {
			x.kept++
		}
	}
	b.s.stats.Ticks += 1 + int64((p.end-p.start)>>3) + int64(len(b.mcls)>>3)
	kept := b.mcls[:0]
	for _, j := range b.mcls {
		if b.clauses[j].kept > size {
			kept = append(kept, j)
			continue
		}
		b.removeClause(j)
	}
	b.mcls = kept
}

// removeClause takes the entries of a column out of the counts.
func (b *bvaPass) removeClause(j uint32) {
	begin, end := uint32(0), b.clauses[j].end
	if j > 0 {
		begin = b.clauses[j-1].end
	}
	for _, e := range b.matches[begin:end] {
		if b.count[e.lit] > 0 {
			b.count[e.lit]--
		}
	}
	b.s.stats.Ticks += 1 + int64((end-begin)>>3)
}
