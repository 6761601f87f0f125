package cdcl

import (
	"slices"

	"sator/dimacs"
)

// Pigeons and holes: if each of some clauses needs a literal of some sets of which
// at most one literal is true, and there are more clauses than sets, the formula is
// refuted. Every proof of that by resolution is exponentially long (Haken, "The
// intractability of resolution", TCS 1985), and so is what clause learning takes.
// Here it is seen by counting, as all-different constraints are propagated (Régin,
// "A filtering algorithm for constraints of difference in CSPs", AAAI 1994; Hall,
// "On representatives of subsets", 1935), and proven with fresh variables
// (matching_proof.go).
//
// Clauses that play pigeons share no literal: else one literal could satisfy two of
// them. So the candidates, clauses all of whose literals exclude literals of other
// clauses, are colored greedily, in an order in which neighbors follow each other,
// and each color is a set of pigeons of its own. Where each literal is in two clauses
// and these fall into two classes, such as the black and the white squares of a
// chessboard to be covered with dominoes, the colors are these classes.
//
// Holes are cliques in the graph of the literals that exclude each other. They are
// found greedily too, with at most one literal of each pigeon and each literal in at
// most one; what one clause excludes within itself would be a hole for itself alone.
// A second lap finds cliques that share no two literals with those of the first, for
// literals that are in several. A literal without a clique is a hole of its own, and
// its clause no pigeon.
//
// Literals exclude each other if there is a binary clause which says so. If that
// leads to no contradiction all begins anew with those for which binary clauses say
// it along a path: all the usual ways to say "at most one" with further variables,
// ladders and commanders and products, have such paths.
//
// Pigeons are matched to holes along augmenting paths. If there is none for a pigeon,
// those that were met on the way are more than their holes.
//
// All this takes time in proportion to the edges, but for augmenting paths, and is
// bounded by a budget. A formula has such a structure from the start or never, but
// for what elimination brings to light: the pass runs in the first round, and again
// when a good part of the variables is gone.

// A matcher is a pass that matches clauses to at-most-one constraints.
type matcher struct {
	*Solver
	g     *implications
	limit int64 // ticks at which it ends
	deep  bool  // paths count, not edges alone

	slot  []uint32 // by literal: its seat, or 0
	seats []seat   // seats[0] is none

	// Candidates. Clause c has the seats at[c] up to at[c+1].
	at     []uint32
	sits   []uint32
	refs   []uint32 // where the clauses are
	gone   []bool   // no candidate any more
	colors []uint8  // by clause: its color, and 1; 0 for none
	occurs []uint32 // clauses of the seats, one seat after the other

	// A class of clauses, and its matching.
	pigeons []uint32 // clauses
	holes   uint32   // number of holes; they are counted from 1 on
	place   []uint32 // by clause: its hole, or 0
	holder  []uint32 // by hole: the clause in it, and 1
	from    []uint32 // by hole: the clause from which a search came to it

	reached []uint32 // by literal: the last search that reached it
	met     []uint32 // by hole or clause: the last clique or search with it
	stamp   uint32
	queue   []uint32 // scratch
	near    []uint32 // scratch
	other   []uint32 // scratch
}

// A seat is a literal of candidates.
type seat struct {
	lit    dimacs.Lit
	first  uint32 // of its clauses in occurs
	pigeon uint32 // the clause of the class that has it, and 1
	hole   uint32 // the clique that it is in, or 0
	before uint32 // and the one of the first lap
	count  uint32 // of members that exclude it, while a clique is made
	colors uint8  // of its clauses, a bit each
}

const (
	// colorsOfClauses bounds the sets of clauses that are tried.
	colorsOfClauses = 8
	// excludedAlong is how many literals a search for those that one excludes
	// goes on from.
	excludedAlong = 1000
)

// trials are ways to look at a formula: whether paths count or edges alone, and what
// length makes a clause a pigeon.
var trials = []struct {
	deep     bool
	shortest int
}{{false, 2}, {true, 3}, {true, 2}}

// match looks for clauses that need more literals than may be true.
func (s *Solver) match(budget int64) {
	if !s.matchable() {
		return
	}
	g := s.implications()
	if g == nil || len(g.heads) == 0 {
		return
	}
	m := &matcher{Solver: s, g: g, limit: s.stats.Ticks + budget}
	if !m.candidates() {
		return
	}
	m.listOccurrences()
	for _, t := range trials {
		m.deep = t.deep
		if m.contradiction(t.shortest) {
			s.stats.Pigeonholes++
			m.conclude()
			return
		}
	}
}

// matchable reports whether the formula is new or differs much from the one that
// the pass has seen.
func (s *Solver) matchable() bool {
	vars := len(s.vars) - s.roots - s.retired
	if s.matched > 0 && 4*vars > 3*s.matched {
		return false
	}
	s.matched = vars
	return true
}

func (m *matcher) over() bool {
	t := m.stats.Ticks
	return m.stopped || t >= m.limit || t >= m.pollAt && m.poll(t)
}

// candidates collects the clauses of the formula all of whose literals imply
// others. It reports whether there are any, unless the call is stopped.
func (m *matcher) candidates() bool {
	m.slot = make([]uint32, len(m.vals))
	m.seats = make([]seat, 1)
	m.at = make([]uint32, 1)
	steps := 0
	m.eachClause(2, func(r uint32) bool {
		if steps++; m.pausing(steps) {
			return false
		}
		m.stats.Ticks++
		if m.arena[r]&(garbageBit|redundantBit) == 0 {
			m.enter(r, m.lits(r)...)
		}
		return true
	})
	for l := range dimacs.Lit(len(m.vals)) {
		if m.stopped || m.pausing(int(l)+1) {
			return false
		}
		for j := m.g.start[l]; j < m.g.start[l+1]; j++ {
			if h, ref := m.g.heads[j], m.g.refs[j]; uint32(l^1) < h && ref&2 == 0 {
				m.enter(ref, uint32(l^1), h)
			}
		}
	}
	m.gone = make([]bool, len(m.refs))
	return len(m.refs) > 0
}

// enter makes a clause a candidate, unless it is true or one of its literals
// excludes nothing.
func (m *matcher) enter(ref uint32, lits ...uint32) {
	for _, w := range lits {
		if m.vals[w] > 0 || m.vals[w] == 0 && m.g.degree(dimacs.Lit(w)) == 0 {
			return
		}
	}
	for _, w := range lits {
		if m.vals[w] < 0 {
			continue
		}
		if m.slot[w] == 0 {
			m.slot[w] = uint32(len(m.seats))
			m.seats = append(m.seats, seat{lit: dimacs.Lit(w)})
		}
		m.sits = append(m.sits, m.slot[w])
	}
	m.at = append(m.at, uint32(len(m.sits)))
	m.refs = append(m.refs, ref)
}

// clause returns the seats of a candidate.
func (m *matcher) clause(c uint32) []uint32 { return m.sits[m.at[c]:m.at[c+1]] }

// clauses returns the candidates of a seat.
func (m *matcher) clauses(t uint32) []uint32 {
	end := uint32(len(m.occurs))
	if int(t)+1 < len(m.seats) {
		end = m.seats[t+1].first
	}
	return m.occurs[m.seats[t].first:end]
}

func (m *matcher) listOccurrences() {
	m.stats.Ticks += int64(len(m.sits) / 4)
	for _, t := range m.sits {
		m.seats[t].first++
	}
	sum := uint32(0)
	for t := range m.seats {
		sum += m.seats[t].first
		m.seats[t].first = sum
	}
	m.occurs = make([]uint32, len(m.sits))
	for c := len(m.refs) - 1; c >= 0; c-- {
		for _, t := range m.clause(uint32(c)) {
			m.seats[t].first--
			m.occurs[m.seats[t].first] = uint32(c)
		}
	}
	m.reached = make([]uint32, len(m.vals))
	m.met = make([]uint32, max(len(m.refs), len(m.seats))+1)
	m.place = make([]uint32, len(m.refs))
	m.holder = make([]uint32, len(m.seats)+1)
	m.from = make([]uint32, len(m.seats)+1)
}

// contradiction looks for pigeons without a hole. Those that prove it are in the
// queue then.
func (m *matcher) contradiction(shortest int) bool {
	for c := range m.gone {
		m.gone[c] = len(m.clause(uint32(c))) < shortest
	}
	if !m.deep {
		m.peel()
	}
	m.colorClauses()
	for x := range uint8(colorsOfClauses) {
		if m.seatPigeons(x + 1); len(m.pigeons) < 2 {
			continue
		}
		for lap := range 2 {
			if m.over() {
				return false
			}
			if m.dig(lap); m.holes == 0 {
				break
			}
			if m.stats.Matchings++; !m.matching() {
				return true
			}
		}
	}
	return false
}

// peel takes out clauses with a literal that excludes no literal of another clause,
// until there are none, or for as long as that goes fast.
func (m *matcher) peel() {
	for range 10 {
		gone := false
		for c := range uint32(len(m.refs)) {
			if m.over() {
				return
			}
			if !m.gone[c] && slices.ContainsFunc(m.clause(c), m.idle) {
				m.gone[c], gone = true, true
			}
		}
		if !gone {
			return
		}
	}
}

// idle reports whether the literal of a seat excludes no literal of another clause.
func (m *matcher) idle(t uint32) bool {
	l := m.seats[t].lit
	for j := m.g.start[l]; j < m.g.start[l+1]; j++ {
		m.stats.Ticks++
		if k := m.slot[m.g.heads[j]^1]; k != 0 && k != t && m.apart(t, k) {
			return false
		}
	}
	return true
}

// apart reports whether there is a candidate with the second seat, but not the
// first.
func (m *matcher) apart(t, k uint32) bool {
	for _, c := range m.clauses(k) {
		m.stats.Ticks++
		if !m.gone[c] && !slices.Contains(m.clauses(t), c) {
			return true
		}
	}
	return false
}

// colorClauses gives colors to the candidates so that no two of a color share a
// literal, in an order that is breadth first along shared literals. Clauses for which
// there is no color stay without one.
func (m *matcher) colorClauses() {
	m.colors = make([]uint8, len(m.refs))
	for t := range m.seats {
		m.seats[t].colors = 0
	}
	queued := make([]bool, len(m.refs))
	for c := range uint32(len(m.refs)) {
		if m.gone[c] || queued[c] {
			continue
		}
		queued[c] = true
		m.queue = append(m.queue[:0], c)
		for i := 0; i < len(m.queue) && !m.over(); i++ {
			m.color(m.queue[i])
			for _, t := range m.clause(m.queue[i]) {
				for _, d := range m.clauses(t) {
					m.stats.Ticks++
					if !m.gone[d] && !queued[d] {
						queued[d] = true
						m.queue = append(m.queue, d)
					}
				}
			}
		}
	}
}

// color gives the first color to a clause that none of its neighbors has.
func (m *matcher) color(c uint32) {
	used := uint8(0)
	for _, t := range m.clause(c) {
		used |= m.seats[t].colors
	}
	for x := range uint8(colorsOfClauses) {
		if used>>x&1 == 0 {
			m.colors[c] = x + 1
			for _, t := range m.clause(c) {
				m.seats[t].colors |= 1 << x
			}
			return
		}
	}
}

// seatPigeons makes the clauses of a color those that are to be matched.
func (m *matcher) seatPigeons(color uint8) {
	for t := range m.seats {
		m.seats[t].pigeon, m.seats[t].hole, m.seats[t].before = 0, 0, 0
	}
	m.stats.Ticks += int64(len(m.seats)/2 + len(m.colors)/64)
	m.pigeons = m.pigeons[:0]
	for c, x := range m.colors {
		if x == color {
			m.pigeons = append(m.pigeons, uint32(c))
			for _, t := range m.clause(uint32(c)) {
				m.seats[t].pigeon = uint32(c) + 1
			}
		}
	}
}

// dig finds cliques that are to be the holes of the pigeons.
func (m *matcher) dig(lap int) {
	m.holes = 0
	if lap > 0 {
		for t := range m.seats {
			m.seats[t].before, m.seats[t].hole = m.seats[t].hole, 0
		}
	}
	for _, c := range m.pigeons {
		for _, t := range m.clause(c) {
			if m.over() {
				return
			}
			if m.seats[t].hole == 0 {
				m.clique(t)
			}
		}
	}
}

// clique makes a hole of the literal of a seat and of others that exclude each
// other, if there are such.
func (m *matcher) clique(t uint32) {
	m.holes++
	h, first := m.holes, &m.seats[t]
	first.hole = h
	m.stamp++
	clique := m.stamp
	m.met[first.pigeon-1] = clique
	m.near = m.excluded(t, m.near[:0])
	for _, k := range m.near {
		m.seats[k].count = 1
	}
	size := uint32(1)
	for _, k := range m.near {
		x := &m.seats[k]
		if x.count < size || x.hole != 0 || x.before != 0 && x.before == first.before || m.met[x.pigeon-1] == clique {
			continue
		}
		x.hole = h
		m.met[x.pigeon-1] = clique
		size++
		m.other = m.excluded(k, m.other[:0])
		for _, j := range m.other {
			if y := &m.seats[j]; y.count == size-1 {
				y.count = size
			}
		}
	}
	for _, k := range m.near {
		m.seats[k].count = 0
	}
	if size == 1 {
		first.hole = 0
		m.holes--
	}
}

// excluded appends the seats of the class whose literals are false if that of t is
// true.
func (m *matcher) excluded(t uint32, found []uint32) []uint32 {
	m.stamp++
	l := m.seats[t].lit
	m.reached[l], m.reached[l^1] = m.stamp, m.stamp
	m.queue = append(m.queue[:0], uint32(l))
	for i := 0; i < len(m.queue); i++ {
		l := dimacs.Lit(m.queue[i])
		m.stats.Ticks += 1 + int64(m.g.degree(l)>>2)
		for _, h := range m.g.heads[m.g.start[l]:m.g.start[l+1]] {
			if m.reached[h] == m.stamp {
				continue
			}
			m.reached[h] = m.stamp
			if k := m.slot[h^1]; k != 0 && m.seats[k].pigeon != 0 {
				found = append(found, k)
			}
			if m.deep && len(m.queue) < excludedAlong {
				m.queue = append(m.queue, h)
			}
		}
	}
	return found
}

// matching gives each pigeon a hole of its own, but for those with a literal that is
// in none. It reports false if that is impossible: the pigeons in the queue are one
// more than the holes of their literals then.
func (m *matcher) matching() bool {
	clear(m.holder[:m.holes+1])
	var todo []uint32
	for _, c := range m.pigeons {
		m.place[c] = 0
		if !slices.ContainsFunc(m.clause(c), m.free) && !m.settle(c) {
			todo = append(todo, c)
		}
	}
	for _, c := range todo {
		if m.over() {
			return true
		}
		if !m.augment(c) && !m.complementary() {
			return false
		}
	}
	return true
}

// complementary reports whether the pigeons in the queue have a literal and its
// complement. They are as good a refutation, but its proof would have steps that end
// earlier than others.
func (m *matcher) complementary() bool {
	m.stamp++
	for _, c := range m.queue {
		for _, t := range m.clause(c) {
			l := m.seats[t].lit
			if m.reached[l^1] == m.stamp {
				return true
			}
			m.reached[l] = m.stamp
		}
	}
	return false
}

func (m *matcher) free(t uint32) bool { return m.seats[t].hole == 0 }

// settle puts a pigeon into a hole that is empty, if there is one for it.
func (m *matcher) settle(c uint32) bool {
	for _, t := range m.clause(c) {
		m.stats.Ticks++
		if h := m.seats[t].hole; m.holder[h] == 0 {
			m.holder[h], m.place[c] = c+1, h
			return true
		}
	}
	return false
}

// augment finds a hole for a pigeon by moving others.
func (m *matcher) augment(c uint32) bool {
	m.stamp++
	m.queue = append(m.queue[:0], c)
	for i := 0; i < len(m.queue); i++ {
		d := m.queue[i]
		for _, t := range m.clause(d) {
			m.stats.Ticks++
			h := m.seats[t].hole
			if m.met[h] == m.stamp {
				continue
			}
			m.met[h], m.from[h] = m.stamp, d
			if m.holder[h] == 0 {
				m.move(h, c)
				return true
			}
			m.queue = append(m.queue, m.holder[h]-1)
		}
	}
	return false
}

// move has the pigeons along a path to the hole h move on, beginning with c.
func (m *matcher) move(h, c uint32) {
	for {
		d := m.from[h]
		last := m.place[d]
		m.place[d], m.holder[h] = h, d+1
		if d == c {
			return
		}
		h = last
	}
}

// conclude refutes the formula by the pigeons in the queue, unless there has to be a
// proof that must not have fresh variables, or would be too long.
func (m *matcher) conclude() {
	if m.proof != nil && (!m.opts.OneShot || !m.prove(slices.Clone(m.queue))) {
		return
	}
	m.inconsistent = true
}
