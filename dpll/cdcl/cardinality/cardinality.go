package cardinality

import (
	"iter"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/inprocess"
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
// A literal without a clique is a hole of its own, and its clause no pigeon. To look
// for other cliques of literals that are in several found nothing more.
//
// Literals exclude each other if there is a binary clause which says so. If that
// leads to no contradiction all begins anew with those for which binary clauses say
// it along a path: all the usual ways to say "at most one" with further variables,
// ladders and commanders and products, have such paths.
//
// Some holes have room for two (Biere, "Two pigeons per hole problem", SAT Competition
// 2013). Then clauses of three literals exclude them, and in cliques there are such
// clauses for each three members. A hole of this kind counts twice.
//
// Pigeons are matched to holes along augmenting paths. If there is none for a pigeon,
// those that were met on the way are more than their holes.
//
// All this takes time in proportion to the edges, but for augmenting paths, and is
// bounded by a budget. A formula has such a structure from the start or never, but
// for what elimination brings to light: the pass runs in the first round, before
// elimination takes holes apart, and again when a good part of the variables is gone.
// Where the budget was not enough the next one has twice as much.

// A matcher is a pass that matches clauses to at-most-one constraints.
type matcher struct {
	host   inprocess.Host
	vals   []int8 // by literal, at the root
	g      *inprocess.Implications
	budget inprocess.Budget
	stats  *Stats
	room   uint32 // for pigeons in a hole
	deep   bool   // paths count, not edges alone

	triples excluders // with room for two

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
	count  uint32 // of members that exclude it, while a clique is made
	colors uint8  // of its clauses, a bit each
}

const (
	// colorsOfClauses bounds the sets of clauses that are tried. Clauses that have no
	// color among these have the next one, which is none.
	colorsOfClauses = 4
	// listedColor marks literals whose clauses are in the queue for colors.
	listedColor = 1 << 7
	// The first pass has at least so many ticks for each word of the formula, up to
	// the most. That suffices for boards of 50 rows and for 100 holes, and what
	// elimination leaves of these is not recognized later.
	firstMatching     = 4
	mostFirstMatching = 2_500_000
	// excludedAlong is how many literals a search for those that one excludes
	// goes on from.
	excludedAlong = 1000
)

// trials are ways to look at a formula: how many pigeons a hole has room for, whether
// paths count or edges alone, and what length makes a clause a pigeon.
var trials = []struct {
	room     uint32
	deep     bool
	shortest int
}{{1, false, 2}, {2, false, 2}, {1, true, 3}, {1, true, 2}}

// Stats counts the work of passes.
type Stats struct {
	Matchings   int64 // bipartite matchings of clauses to at-most-one constraints
	Pigeonholes int64 // refutations
}

// A Detector finds pigeonhole contradictions, and remembers between passes how much of
// the formula it has seen. The zero value is ready for use.
type Detector struct {
	budget int64 // of rounds in which it did not run
	used   int64 // by the last pass, if it was not enough
	seen   int   // variables, when a pass had seen the whole formula
}

// Run looks for clauses that need more literals than may be true, if that is due, with
// the budget of this round and of the rounds before in which it did not run. If the
// clauses do, it derives the empty clause. A proof must allow extension variables. The
// number of active variables, neither assigned nor eliminated, says whether to look
// again.
func (d *Detector) Run(h inprocess.Host, active int, budget int64) (st Stats) {
	if d.seen == 0 && d.used == 0 {
		size := h.Size()
		budget = max(budget, min(firstMatching*int64(size.Words+2*size.Binary), mostFirstMatching))
	}
	if d.budget += budget; !d.due(active) {
		return st
	}
	d.used = d.budget
	g := h.Implications()
	if g == nil {
		return st
	}
	m := &matcher{host: h, vals: h.Values(), g: g, budget: inprocess.NewBudget(h, d.budget), stats: &st}
	d.budget = 0
	for _, t := range trials {
		if m.room != t.room {
			m.prepare(t.room)
		}
		m.deep = t.deep
		if len(m.refs) > 0 && m.contradiction(t.shortest) {
			st.Pigeonholes++
			if h.Proof() == nil || m.prove() {
				h.Refute()
			}
			break
		}
		if m.budget.Spent() {
			return st
		}
	}
	d.used, d.seen = 0, active
	return st
}

// due reports whether a pass may find something now that the last one did not find.
func (d *Detector) due(active int) bool {
	if d.used > 0 {
		return d.budget >= 2*d.used
	}
	return d.seen == 0 || 4*active <= 3*d.seen
}

// prepare collects what may be pigeons for holes with this room.
func (m *matcher) prepare(room uint32) {
	m.room = room
	m.refs, m.sits, m.pigeons = nil, nil, nil
	if (room == 1 || m.listTriples()) && m.candidates() {
		m.listOccurrences()
	} else {
		m.refs = nil
	}
}

// contradiction looks for pigeons without a hole. Those that prove it are in the
// queue then.
func (m *matcher) contradiction(shortest int) bool {
	for c := range m.gone {
		m.gone[c] = len(m.clause(uint32(c))) < shortest
	}
	if m.room == 1 && !m.deep {
		m.peel()
	}
	m.colorClauses()
	for x := range uint8(colorsOfClauses) {
		if m.seatPigeons(x + 1); len(m.pigeons) < 2 {
			continue
		}
		if m.budget.Spent() {
			return false
		}
		if m.dig(); m.holes == 0 {
			continue
		}
		if m.stats.Matchings++; !m.matching() {
			return true
		}
	}
	return false
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
		if m.budget.Spent() {
			return true
		}
		if !m.augment(c) && m.believable() {
			return false
		}
	}
	return true
}

// believable reports whether the pigeons in the queue are a refutation that can be
// proven. Those that have a literal and its complement are one, but its proof would have
// steps that end earlier than others. And holes with room for two may have lost their
// way.
func (m *matcher) believable() bool {
	m.stamp++
	for _, c := range m.queue {
		for _, t := range m.clause(c) {
			l := m.seats[t].lit
			if m.reached[l^1] == m.stamp {
				return false
			}
			m.reached[l] = m.stamp
		}
	}
	return m.room == 1 || m.crowdsAreRight()
}

// numbers iterates over the numbers of the hole that a seat is in.
func (m *matcher) numbers(t uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		h := m.seats[t].hole
		_ = yield(h) && m.room == 2 && yield(h+1)
	}
}

func (m *matcher) free(t uint32) bool { return m.seats[t].hole == 0 }

// settle puts a pigeon into a hole that is empty, if there is one for it.
func (m *matcher) settle(c uint32) bool {
	for _, t := range m.clause(c) {
		*m.budget.Ticks++
		for h := range m.numbers(t) {
			if m.holder[h] == 0 {
				m.holder[h], m.place[c] = c+1, h
				return true
			}
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
			*m.budget.Ticks++
			for h := range m.numbers(t) {
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
