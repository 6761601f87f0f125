package cardinality

import (
	"slices"

	"sator/dimacs"
)

// The holes of matching.go: sets of literals of which one may be true, or two.

// dig finds cliques that are to be the holes of the pigeons.
func (m *matcher) dig() {
	m.holes = 0
	for _, c := range m.pigeons {
		for _, t := range m.clause(c) {
			if m.budget.Spent() {
				return
			}
			switch {
			case m.seats[t].hole != 0:
			case m.room == 2:
				m.crowd(t)
			default:
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
		if x.count < size || x.hole != 0 || m.met[x.pigeon-1] == clique {
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
		*m.budget.Ticks += 1 + int64(m.g.Degree(l)>>2)
		for _, h := range m.g.Heads[m.g.Start[l]:m.g.Start[l+1]] {
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

// Excluders are the clauses of three literals of the formula. Those with the complement
// of l are refs[start[l]:start[l+1]].
type excluders struct {
	start []uint32
	refs  []uint32
}

// leastTriples is how many clauses a literal has in a hole of five pigeons. In smaller
// ones there is room for two on average, as each pigeon may use two holes or more.
const leastTriples = 6

// listTriples reports whether the call goes on.
func (m *matcher) listTriples() bool {
	x := &m.triples
	x.start = make([]uint32, len(m.vals)+2)
	if !m.eachTriple(func(r, l uint32) { x.start[l+2]++ }) {
		return false
	}
	for l := range x.start[1:] {
		x.start[l+1] += x.start[l]
	}
	x.refs = make([]uint32, x.start[len(x.start)-1])
	return m.eachTriple(func(r, l uint32) {
		x.refs[x.start[l+1]] = r
		x.start[l+1]++
	})
}

// eachTriple calls f with each clause of three unassigned literals and the complement
// of each of them. It reports false if the call is stopped.
func (m *matcher) eachTriple(f func(r, l uint32)) bool {
	visited, ok := m.host.EachClause(func(r uint32, c []uint32) bool {
		if len(c) == 3 && !slices.ContainsFunc(c, func(w uint32) bool { return m.vals[w] != 0 }) {
			for _, w := range c {
				f(r, w^1)
			}
		}
		return true
	})
	*m.budget.Ticks += int64(visited)
	return ok
}

// crowd makes a hole of the literal of a seat and of others, if any three of them
// exclude each other. It takes two numbers, one for each pigeon that it has room for. A
// clause that is there twice is counted twice: see crowdsAreRight.
func (m *matcher) crowd(t uint32) {
	h := m.holes + 1
	m.stamp++
	crowd := m.stamp
	m.join(t, h, crowd)
	size := uint32(1)
	m.near = m.company(t, m.near[:0])
	for _, k := range m.near {
		x := &m.seats[k]
		if x.count < size*(size-1)/2 || x.hole != 0 || m.met[x.pigeon-1] == crowd {
			continue
		}
		m.join(k, h, crowd)
		size++
	}
	for _, k := range m.near {
		m.seats[k].count = 0
		if size < 3 && m.seats[k].hole == h {
			m.seats[k].hole = 0
		}
	}
	if size < 3 {
		m.seats[t].hole = 0
	} else {
		m.holes += 2
	}
}

// join puts a seat into the hole h and counts, for those that are not in it, the pairs
// of members with which they have a clause.
func (m *matcher) join(t, h, crowd uint32) {
	m.seats[t].hole = h
	m.met[m.seats[t].pigeon-1] = crowd
	m.eachPair(t, func(j, k uint32) {
		switch {
		case m.seats[j].hole == h && m.seats[k].hole != h:
			m.seats[k].count++
		case m.seats[k].hole == h && m.seats[j].hole != h:
			m.seats[j].count++
		}
	})
}

// company appends the seats of the class that have a clause of three literals with t.
func (m *matcher) company(t uint32, found []uint32) []uint32 {
	m.stamp++
	m.eachPair(t, func(j, k uint32) {
		for _, i := range [2]uint32{j, k} {
			if l := m.seats[i].lit; m.reached[l] != m.stamp {
				m.reached[l] = m.stamp
				found = append(found, i)
			}
		}
	})
	return found
}

// eachPair calls f with each two seats of the class that are not both true if that of t
// is.
func (m *matcher) eachPair(t uint32, f func(j, k uint32)) {
	l := uint32(m.seats[t].lit)
	for _, r := range m.triples.refs[m.triples.start[l]:m.triples.start[l+1]] {
		*m.budget.Ticks++
		var others [2]uint32
		i := 0
		for _, w := range m.host.Lits(r) {
			if w != l^1 {
				others[i] = m.slot[w^1]
				i++
			}
		}
		if j, k := others[0], others[1]; m.seats[j].pigeon != 0 && m.seats[k].pigeon != 0 {
			f(j, k)
		}
	}
}

// crowdsAreRight reports whether there is a clause for each three literals that the
// pigeons in the queue have in a hole. Else one was counted twice.
func (m *matcher) crowdsAreRight() bool {
	members := make([][]dimacs.Lit, m.holes+2)
	for _, c := range m.queue {
		for _, t := range m.clause(c) {
			x := &m.seats[t]
			members[x.hole] = append(members[x.hole], x.lit)
		}
	}
	for _, lits := range members {
		if n := len(lits); len(m.triplesAmong(lits)) != n*(n-1)*(n-2)/6 {
			return false
		}
	}
	return true
}

// triplesAmong returns the clauses of the complements of three of some literals.
func (m *matcher) triplesAmong(lits []dimacs.Lit) map[[3]uint32]uint32 {
	among := make(map[[3]uint32]uint32)
	m.stamp++
	for _, l := range lits {
		m.reached[l] = m.stamp
	}
	for _, l := range lits {
		for _, r := range m.triples.refs[m.triples.start[l]:m.triples.start[l+1]] {
			*m.budget.Ticks++
			c := m.host.Lits(r)
			if !slices.ContainsFunc(c, func(w uint32) bool { return m.reached[w^1] != m.stamp }) {
				among[triple(c[0], c[1], c[2])] = r
			}
		}
	}
	return among
}

// triple returns three literals in order.
func triple(a, b, c uint32) [3]uint32 {
	t := [3]uint32{a, b, c}
	slices.Sort(t[:])
	return t
}
