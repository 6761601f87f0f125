package lookahead

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/dpll/internal/lists"
)

// A search assigns literals on a trail. In each node of its tree it looks ahead (look.go). This
// either closes the node or gives a decision.
//
// Each conflict is resolved back to the decisions that it needs. The result is a clause of
// complements of decisions, a lemma. It is the reason for the complement of a failed literal, and
// for that of a decision whose node is closed. The node of the latest decision in the lemma is
// closed, so that decisions between them that the conflict does not need are skipped.
//
// Most failed literals matter to no other lemma. So the lemmas of a node wait with their hints,
// and are logged when a lemma that is logged needs them.

// A Search is a search for a model of a formula.
type Search struct {
	host    inprocess.Host
	log     dimacs.Proof // or nil
	names   []dimacs.Var // the host's variables
	numbers []dimacs.Var // by the host's variable: one more than its number here, or 0
	lits    []dimacs.Lit // of the clauses, one after the other
	begins  []uint32     // by clause, and one more: where its literals begin
	ids     []int64      // by clause: in the proof
	singles lists.Lists[single]
	pairs   lists.Lists[pair]
	longer  lists.Lists[uint32] // by clause: its number, the number of its other literals, and these

	vals     []int8 // by literal: 1 if it is true, -1 if it is false
	trail    []dimacs.Lit
	reasons  []reason // by variable
	levels   []int32  // by variable, if it is decided: the number of decisions up to it
	nodes    []node   // the root, and one for each decision
	lemmas   []lemma  // of these nodes
	conflict reason
	marks    []bool   // by variable; scratch of explain
	chain    []reason // the hints of the latest lemma

	tables     [][]float64 // weights by literal: above the root, and of each node
	weights    []float64   // of the current node
	gain       float64     // weight of the clauses that propagation shortened
	threshold  float64     // of double look-ahead
	candidates []candidate
	keys       []uint64 // scratch of rank

	steps  int64   // clauses visited
	closed float64 // share of the tree
	stats  Stats
}

// A node is a node of the tree that is not closed.
type node struct {
	trail, lemmas int     // their lengths before the decision
	share         float64 // of the tree, without nodes below
}

// A lemma is a clause of complements of decisions.
type lemma struct {
	lits  []dimacs.Lit
	hints []reason
	id    int64 // in the proof, or 0
}

// Stats are counters of a search.
type Stats struct {
	Nodes  int64 // decisions
	Failed int64 // failed literals
}

// Stats returns the counters.
func (s *Search) Stats() Stats { return s.stats }

// Model returns the true literals after Run returned Satisfiable.
func (s *Search) Model() []dimacs.Lit { return s.externals(s.trail) }

// Estimate estimates the steps of the whole search by the share of the tree that is closed.
func (s *Search) Estimate() float64 { return float64(s.steps) / s.closed }

// StepTicks is the number of steps that take as long as a tick of the host.
const StepTicks = 8

// Run searches until there is an answer, the search has more steps than limit, or the call is
// stopped. A step is the visit of a clause. The next call of Run continues. If the formula
// is refuted, the host knows, too.
func (s *Search) Run(limit float64) dimacs.Status {
	ticks := s.host.Ticks()
	begin := *ticks - s.steps/StepTicks
	refuted := false
	if s.nodes == nil {
		s.connect()
		s.nodes, s.weights = []node{{share: 1}}, make([]float64, len(s.vals))
	}
	for !refuted && float64(s.steps) <= limit && !s.host.Stopped() {
		l, ok := s.look()
		switch {
		case ok && len(s.trail) == len(s.names):
			return dimacs.Satisfiable
		case ok:
			s.decide(l)
			ok = s.propagate(len(s.trail) - 1)
		}
		refuted = !ok && !s.close()
		*ticks = begin + s.steps/StepTicks
	}
	if refuted {
		s.host.Refute()
		return dimacs.Unsatisfiable
	}
	return dimacs.Unknown
}

// decide makes l true in a new node.
func (s *Search) decide(l dimacs.Lit) {
	s.stats.Nodes++
	above := &s.nodes[len(s.nodes)-1]
	above.share /= 2
	s.levels[l.Var()] = int32(len(s.nodes))
	s.nodes = append(s.nodes, node{trail: len(s.trail), lemmas: len(s.lemmas), share: above.share})
	s.assign(l, decision)
}

// close closes nodes as long as there is a conflict. It returns false if the formula is refuted.
func (s *Search) close() bool {
	for {
		lits := s.explain()
		id := s.learn(lits, s.chain)
		level := 0
		for _, l := range lits {
			level = max(level, int(s.levels[l.Var()]))
		}
		if level == 0 {
			return false
		}
		for _, n := range s.nodes[level:] {
			s.closed += n.share
		}
		n := s.nodes[level]
		l := s.trail[n.trail] ^ 1
		s.undo(n.trail)
		s.nodes = s.nodes[:level]
		s.drop(n.lemmas)
		s.assign(l, s.wait(lemma{lits: lits, id: id}))
		if s.propagate(n.trail) {
			return true
		}
	}
}

// explain resolves s.conflict with reasons back to decisions. It returns the lemma, and sets
// s.chain to its hints in the order of propagation.
func (s *Search) explain() (lits []dimacs.Lit) {
	s.chain = append(s.chain[:0], s.conflict)
	open := s.mark(s.conflict)
	for i := len(s.trail) - 1; open > 0; i-- {
		l := s.trail[i]
		if v := l.Var(); s.marks[v] {
			s.marks[v] = false
			open--
			if r := s.reasons[v]; r == decision {
				lits = append(lits, l^1)
			} else {
				s.chain = append(s.chain, r)
				open += s.mark(r)
			}
		}
	}
	slices.Reverse(s.chain)
	return lits
}

// mark marks the false variables of a clause or lemma, and returns the number of new marks.
func (s *Search) mark(r reason) (n int) {
	c := s.literals(r)
	for _, l := range c {
		if v := l.Var(); s.vals[l] < 0 && !s.marks[v] {
			s.marks[v] = true
			n++
		}
	}
	return n
}

// literals returns the literals of a clause or lemma.
func (s *Search) literals(r reason) []dimacs.Lit {
	if r < 0 {
		return s.lemmas[^r].lits
	}
	return s.clause(r)
}

// wait appends a lemma, and returns it as a reason.
func (s *Search) wait(m lemma) reason {
	s.lemmas = append(s.lemmas, m)
	return ^reason(len(s.lemmas) - 1)
}

// learn logs a lemma with its hints, after the lemmas among them that are not logged, and returns
// its id.
func (s *Search) learn(lits []dimacs.Lit, hints []reason) int64 {
	if s.log == nil {
		return 0
	}
	ids := make([]int64, len(hints))
	for i, r := range hints {
		if r >= 0 {
			ids[i] = s.ids[r]
			continue
		}
		m := &s.lemmas[^r]
		if m.id == 0 {
			m.id = s.learn(m.lits, m.hints)
		}
		ids[i] = m.id
	}
	if !s.host.Hints() {
		ids = nil
	}
	return s.log.Learn(s.externals(lits), ids)
}

// externals returns the host's literals.
func (s *Search) externals(lits []dimacs.Lit) []dimacs.Lit {
	to := make([]dimacs.Lit, len(lits))
	for i, l := range lits {
		to[i] = s.external(l)
	}
	return to
}

// drop drops the lemmas from index n on.
func (s *Search) drop(n int) {
	for _, m := range s.lemmas[n:] {
		if m.id != 0 {
			s.log.Delete(m.id, s.externals(m.lits))
		}
	}
	s.lemmas = s.lemmas[:n]
}

// Forget ends the search: it deletes the lemmas from the proof.
func (s *Search) Forget() { s.drop(0) }
