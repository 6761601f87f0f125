package lookahead

import (
	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/dpll/internal/lists"
)

// The clauses are in lists by literal, with the other literals in place, so that
// propagation looks at values alone. It needs no watches and no counters: in a formula that such a
// search can refute a literal is in few clauses, and to undo an assignment takes no more than to
// forget the value.

// A reason says why a literal is assigned: it is the number of a clause, or ^n for lemma n, or
// decision.
type reason int32

const decision reason = 1<<31 - 1

// A single is the rest of a clause of two literals.
type single struct {
	a      dimacs.Lit
	clause reason
}

// A pair is the rest of a clause of three literals.
type pair struct {
	a, b   dimacs.Lit
	clause reason
}

// New returns a search for a model of the irredundant clauses of the host, or nil if the call was
// stopped. The host must not change these clauses while the search goes on.
func New(h inprocess.Host) *Search {
	if !h.FixedRemoved() {
		h.RemoveFixed()
	}
	s := &Search{host: h, log: h.Proof(), begins: []uint32{0}, numbers: make([]dimacs.Var, h.Vars())}
	visited, ok := h.EachClause(func(r uint32, lits []uint32) bool {
		s.add(h.ClauseID(r), lits...)
		return true
	})
	*h.Ticks() += int64(visited)
	g := h.Implications(true)
	if !ok || g == nil {
		return nil
	}
	for l := range dimacs.Lit(2 * h.Vars()) {
		for i := g.Start[l]; i < g.Start[l+1]; i++ {
			if m, r := g.Heads[i], g.Refs[i]; uint32(l^1) < m && r&2 == 0 {
				s.add(h.ClauseID(r), uint32(l^1), m)
			}
		}
	}
	h.ReleaseImplications()
	n := len(s.names)
	s.vals, s.reasons, s.levels, s.marks = make([]int8, 2*n), make([]reason, n), make([]int32, n), make([]bool, n)
	return s
}

// add adds a clause of the host.
func (s *Search) add(id int64, lits ...uint32) {
	for _, x := range lits {
		v := dimacs.Lit(x).Var()
		if s.numbers[v] == 0 {
			s.names = append(s.names, v)
			s.numbers[v] = dimacs.Var(len(s.names))
		}
		s.lits = append(s.lits, (s.numbers[v]-1).Lit()|dimacs.Lit(x)&1)
	}
	s.begins = append(s.begins, uint32(len(s.lits)))
	s.ids = append(s.ids, id)
}

// external returns the host's literal.
func (s *Search) external(l dimacs.Lit) dimacs.Lit { return s.names[l.Var()].Lit() | l&1 }

// clause returns the literals of a clause.
func (s *Search) clause(c reason) []dimacs.Lit { return s.lits[s.begins[c]:s.begins[c+1]] }

// connect makes the lists.
func (s *Search) connect() {
	literals := len(s.vals)
	s.singles = lists.New(literals, func(yield func(dimacs.Lit, single)) {
		s.eachOf(2, 2, func(i int, c []dimacs.Lit, r reason) { yield(c[i], single{c[1-i], r}) })
	})
	s.pairs = lists.New(literals, func(yield func(dimacs.Lit, pair)) {
		s.eachOf(3, 3, func(i int, c []dimacs.Lit, r reason) { yield(c[i], pair{c[(i+1)%3], c[(i+2)%3], r}) })
	})
	s.longer = lists.New(literals, func(yield func(dimacs.Lit, uint32)) {
		s.eachOf(4, len(s.lits), func(i int, c []dimacs.Lit, r reason) {
			yield(c[i], uint32(r))
			yield(c[i], uint32(len(c)-1))
			for k := 1; k < len(c); k++ {
				yield(c[i], uint32(c[(i+k)%len(c)]))
			}
		})
	})
}

// eachOf calls f for each literal c[i] of the clauses of least to most literals.
func (s *Search) eachOf(least, most int, f func(i int, c []dimacs.Lit, r reason)) {
	for r := range reason(len(s.ids)) {
		if c := s.clause(r); least <= len(c) && len(c) <= most {
			for i := range c {
				f(i, c, r)
			}
		}
	}
}

// assign makes l true.
func (s *Search) assign(l dimacs.Lit, why reason) {
	s.vals[l], s.vals[l^1] = 1, -1
	s.reasons[l.Var()] = why
	s.trail = append(s.trail, l)
}

// undo shortens the trail to n literals.
func (s *Search) undo(n int) {
	for _, l := range s.trail[n:] {
		s.vals[l], s.vals[l^1] = 0, 0
	}
	s.trail = s.trail[:n]
}

// propagate propagates the literals of the trail from index from on. It adds the weights of the
// clauses that this shortens to s.gain. At a conflict it sets s.conflict to a clause of false
// literals, and returns false.
func (s *Search) propagate(from int) bool {
	vals, weights := s.vals, s.weights
	for i := from; i < len(s.trail); i++ {
		l := s.trail[i] ^ 1
		singles, pairs, longer := s.singles.Of(l), s.pairs.Of(l), s.longer.Of(l)
		s.steps += int64(len(singles)+len(pairs)) + int64(len(longer))/4
		for _, x := range singles {
			switch vals[x.a] {
			case -1:
				s.conflict = x.clause
				return false
			case 0:
				s.assign(x.a, x.clause)
			}
		}
		for _, x := range pairs {
			a, b := vals[x.a], vals[x.b]
			switch {
			case a > 0 || b > 0:
			case a|b == 0:
				s.gain += float64(weights[x.a] * weights[x.b])
			case a == 0:
				s.assign(x.a, x.clause)
			case b == 0:
				s.assign(x.b, x.clause)
			default:
				s.conflict = x.clause
				return false
			}
		}
		for ws := longer; len(ws) > 0; ws = ws[2+ws[1]:] {
			if !s.visit(reason(ws[0]), ws[2:2+ws[1]]) {
				return false
			}
		}
	}
	return true
}

// visit does the same for one of the longer clauses, with the literals rest besides the false one.
func (s *Search) visit(r reason, rest []uint32) bool {
	open, last := 0, uint32(0)
	for _, k := range rest {
		switch v := s.vals[k]; {
		case v > 0:
			return true
		case v == 0:
			last = k
			open++
		}
	}
	switch open {
	case 0:
		s.conflict = r
		return false
	case 1:
		s.assign(dimacs.Lit(last), r)
		return true
	}
	weight := lengthWeights[min(open, mostLength)]
	for _, k := range rest {
		if s.vals[k] == 0 {
			weight *= s.weights[k]
		}
	}
	s.gain += weight
	return true
}
