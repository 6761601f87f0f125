package cdcl

import "sator/dimacs"

// A matchTable holds the clauses of a literal, the literals that match them, and the
// sets M_lit and M_cls.
type matchTable struct {
	lit        dimacs.Lit      // the literal whose clauses are matched
	clauses    []matchedClause // clauses of the literal that have a match
	matches    []dimacs.Lit    // literals of the matches, grouped by clause
	matchRefs  []uint32        // by match: the matching clause; empty while all are binaryWithoutID
	byLit      []uint32        // clauses of the matches, grouped by literal
	candidates []dimacs.Lit    // literals that may still be added to M_lit
	count      []uint32        // by literal: number of its matches in M_cls
	spans      []span          // by literal: range of its matches in byLit
	seen       []uint32        // by literal: clause of its last match, plus 1
	mcls       []uint32        // M_cls: indices of clauses
	mlit       []dimacs.Lit    // M_lit: lit comes first
}

// A matchedClause is a clause of the literal, with the end of its matches.
type matchedClause struct {
	clause watch  // watch of the clause
	end    uint32 // of its matches
	kept   int    // size of M_lit when the clause was last in M_cls
}

// binaryWithoutID is the reference of all irredundant binary clauses without a proof.
const binaryWithoutID = 1

// A span is a range of matches.
type span struct{ start, end uint32 }

// maxMatches bounds the matches of a table.
const maxMatches = 1 << 20

// findMatches computes the matches of the clauses of l. It reports false if fewer than
// two clauses have a match.
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

// undoMatches removes the matches and candidates from the given indices on.
func (b *bvaPass) undoMatches(begin, candidates int) {
	for _, l := range b.matches[begin:] {
		b.count[l]--
		b.seen[l] = 0
	}
	b.matches, b.candidates = b.matches[:begin], b.candidates[:candidates]
	b.matchRefs = b.matchRefs[:min(begin, len(b.matchRefs))]
}

// matchBinary adds the matches of the binary clause of lit and o: all binary clauses of
// o.
func (b *bvaPass) matchBinary(o dimacs.Lit) {
	ws := b.occs[o]
	b.s.stats.Ticks += 1 + int64(len(ws)>>3)
	for _, w := range ws {
		if w.binary() {
			b.addMatch(w.blocker(), w.ref())
		}
	}
}

// matchLong adds the matches of the clause at r: all clauses with another literal in
// place of lit. It reports false if the clause is a duplicate of an earlier one.
func (b *bvaPass) matchLong(r uint32) bool {
	s := b.s
	c := s.clauses.lits(r)
	s.stats.Ticks++
	bits := signature(c)
	rarest := b.rarest(c)
	for _, k := range c {
		s.analysis.marks[k>>1] = sign(k)
	}
	s.analysis.marks[b.lit>>1] = 0
	first := true
	ws := b.occs[rarest]
	s.stats.Ticks += 1 + int64(len(ws)>>3)
	for _, w := range ws {
		if w.binary() || w.ref() == r || !nearly(uint32(w.blocker()), bits) {
			continue
		}
		s.stats.Ticks++
		if d := s.clauses.lits(w.ref()); len(d) == len(c) {
			switch l := b.unmarked(d); {
			case l == b.lit:
				first = first && r < w.ref()
			case l != noLit:
				b.addMatch(l, w.ref())
			}
		}
	}
	for _, k := range c {
		s.analysis.marks[k>>1] = 0
	}
	return first
}

// nearly reports whether a clause with the signature a may have all but one of its
// variables in a clause with the signature b.
func nearly(a, b uint32) bool {
	a &^= b
	return a&(a-1) == 0
}

// rarest returns the literal of c, other than lit, with the fewest clauses.
func (b *bvaPass) rarest(c []uint32) dimacs.Lit {
	best := noLit
	for _, k := range c {
		if l := dimacs.Lit(k); l != b.lit && (best == noLit || len(b.occs[l]) < len(b.occs[best])) {
			best = l
		}
	}
	return best
}

// unmarked returns the literal of d that is not marked if there is exactly one, else
// noLit.
func (b *bvaPass) unmarked(d []uint32) dimacs.Lit {
	found := noLit
	for _, k := range d {
		if b.s.analysis.marks[k>>1] != sign(k) {
			if found != noLit {
				return noLit
			}
			found = dimacs.Lit(k)
		}
	}
	return found
}

// addMatch adds a match of the last clause. The complement of lit is no match: the two
// clauses could be resolved instead.
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
	b.matches = append(b.matches, l)
	if ref != binaryWithoutID || len(b.matchRefs) > 0 {
		for len(b.matchRefs) < len(b.matches)-1 {
			b.matchRefs = append(b.matchRefs, binaryWithoutID)
		}
		b.matchRefs = append(b.matchRefs, ref)
	}
}

// matchRef returns the reference of the clause of match i.
func (b *bvaPass) matchRef(i uint32) uint32 {
	if len(b.matchRefs) == 0 {
		return binaryWithoutID
	}
	return b.matchRefs[i]
}

// matchesOf returns the range of the matches of clause j.
func (b *bvaPass) matchesOf(j uint32) span {
	if j == 0 {
		return span{0, b.clauses[0].end}
	}
	return span{b.clauses[j-1].end, b.clauses[j].end}
}

// clearMatches clears the table.
func (b *bvaPass) clearMatches() {
	for _, l := range b.matches {
		b.count[l], b.seen[l] = 0, 0
	}
	b.clauses, b.candidates = b.clauses[:0], b.candidates[:0]
	b.matches, b.matchRefs = b.matches[:0], b.matchRefs[:0]
}

// sortByLit groups the matches by literal, those of a literal in the order of clauses.
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
			p := &b.spans[b.matches[i]].end
			b.byLit[*p] = uint32(j)
			*p++
		}
	}
}

// growSets adds literals to M_lit and removes clauses from M_cls. It returns the size
// of M_lit that saves most clauses, or 0 if every size saves too few.
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

// addComplete adds the candidates that match all clauses of M_cls to M_lit. The
// complements of added literals are no longer candidates.
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

// mostMatched returns the candidate that matches most clauses of M_cls, at least two,
// or noLit. Of several it returns the first one in the order of variables. Variables without a
// position come last: those in binary clauses alone, and fresh ones.
func (b *bvaPass) mostMatched() dimacs.Lit {
	b.s.stats.Ticks += 1 + int64(len(b.candidates)>>4)
	best, most := noLit, uint32(1)
	for _, l := range b.candidates {
		if n := b.count[l]; n > most || n == most && best != noLit && b.order[l>>1]-1 < b.order[best>>1]-1 {
			best, most = l, n
		}
	}
	return best
}

// restrict removes the clauses from M_cls that the literal does not match.
func (b *bvaPass) restrict(l dimacs.Lit) {
	p, size := b.spans[l], len(b.mlit)
	for _, j := range b.byLit[p.start:p.end] {
		if x := &b.clauses[j]; x.kept == size {
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

// removeClause subtracts the matches of clause j from the counts.
func (b *bvaPass) removeClause(j uint32) {
	p := b.matchesOf(j)
	for _, l := range b.matches[p.start:p.end] {
		if b.count[l] > 0 {
			b.count[l]--
		}
	}
	b.s.stats.Ticks += 1 + int64((p.end-p.start)>>3)
}
