package cardinality

import (
	"math/bits"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/inprocess"
)

// The clauses that may play pigeons in matching.go: which they are, and which of them
// share no literal.

// candidates collects the clauses of the formula all of whose literals exclude
// something. It reports whether there are any, unless the call is stopped.
func (m *matcher) candidates() bool {
	m.slot = make([]uint32, len(m.vals))
	m.seats = make([]seat, 1)
	m.at = make([]uint32, 1)
	visited, ok := m.host.EachClause(func(r uint32, lits []uint32) bool {
		m.enter(r, lits...)
		return true
	})
	*m.budget.Ticks += int64(visited)
	for l := range dimacs.Lit(len(m.vals)) {
		if !ok || inprocess.Pause(m.host, int(l)+1) {
			return false
		}
		for j := m.g.Start[l]; j < m.g.Start[l+1]; j++ {
			if h, ref := m.g.Heads[j], m.g.Refs[j]; uint32(l^1) < h && ref&2 == 0 {
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
		if m.vals[w] > 0 || m.vals[w] == 0 && !m.excludes(dimacs.Lit(w)) {
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

// excludes reports whether there are clauses for a hole with l.
func (m *matcher) excludes(l dimacs.Lit) bool {
	if m.room == 2 {
		return m.triples.start[l+1]-m.triples.start[l] >= leastTriples
	}
	return m.g.Degree(l) > 0
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
	*m.budget.Ticks += int64(len(m.sits) / 4)
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

// peel takes out clauses with a literal that excludes no literal of another clause,
// and with luck all those that could match only these.
func (m *matcher) peel() {
	for range 3 {
		gone := false
		for c := range uint32(len(m.refs)) {
			if m.budget.Spent() {
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
	for j := m.g.Start[l]; j < m.g.Start[l+1]; j++ {
		*m.budget.Ticks++
		if k := m.slot[m.g.Heads[j]^1]; k != 0 && k != t && m.apart(t, k) {
			return false
		}
	}
	return true
}

// apart reports whether there is a candidate with the second seat, but not the
// first.
func (m *matcher) apart(t, k uint32) bool {
	for _, c := range m.clauses(k) {
		*m.budget.Ticks++
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
	for c := range uint32(len(m.refs)) {
		if m.gone[c] || m.colors[c] != 0 {
			continue
		}
		m.color(c)
		m.queue = append(m.queue[:0], c)
		for i := 0; i < len(m.queue) && !m.budget.Spent(); i++ {
			m.colorNeighbors(m.queue[i])
		}
	}
}

// colorNeighbors gives colors to the clauses that share a literal with c, and puts them
// into the queue. The list of each literal is read once.
func (m *matcher) colorNeighbors(c uint32) {
	for _, t := range m.clause(c) {
		if m.seats[t].colors&listedColor != 0 {
			continue
		}
		m.seats[t].colors |= listedColor
		for _, d := range m.clauses(t) {
			*m.budget.Ticks++
			if !m.gone[d] && m.colors[d] == 0 {
				m.color(d)
				m.queue = append(m.queue, d)
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
	x := min(bits.TrailingZeros8(^used), colorsOfClauses)
	m.colors[c] = uint8(x) + 1
	for _, t := range m.clause(c) {
		m.seats[t].colors |= 1 << x &^ listedColor
	}
}

// seatPigeons makes the clauses of a color those that are to be matched.
func (m *matcher) seatPigeons(color uint8) {
	for _, c := range m.pigeons {
		for _, t := range m.clause(c) {
			m.seats[t].pigeon, m.seats[t].hole = 0, 0
		}
	}
	*m.budget.Ticks += int64(len(m.colors) / 64)
	m.pigeons = m.pigeons[:0]
	for c, x := range m.colors {
		if x == color {
			*m.budget.Ticks++
			m.pigeons = append(m.pigeons, uint32(c))
			for _, t := range m.clause(uint32(c)) {
				m.seats[t].pigeon = uint32(c) + 1
			}
		}
	}
}
