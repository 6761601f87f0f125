package portfolio

import (
	"context"
	"fmt"
	"slices"

	"sator/dimacs"
)

// Horn satisfiability by unit propagation takes linear time (Dowling and Gallier,
// "Linear-time algorithms for testing the satisfiability of propositional Horn
// formulae", JLP 1984). A clause of a Horn formula has at most one positive literal,
// its conclusion; the variables of its negative literals are its premises. Clauses are
// facts, rules, or constraints without a conclusion. When all premises of a clause are
// derived, propagation derives the conclusion, or a constraint is violated. The derived
// variables are the true variables of the least model. The same holds with all signs
// exchanged (dual Horn formulas). Clause learning decides these formulas too, but
// without a guarantee of linear time.
//
// Dowling and Gallier count for each clause the premises that are not derived. Here a
// clause watches its first premise that is not derived: derived variables stay derived,
// so the watch of a clause only moves forward, and all moves of a call together take
// linear time. Watches need no index of all premises.
//
// A positive assumption is a fact and a negative one is a constraint. A refutation is
// one RUP lemma, whose hints are the clauses that derived the premises of the violated
// clause, and the violated clause itself.
//
// Renamable Horn formulas, which become Horn formulas when the signs of some variables
// are exchanged, are decidable in linear time as well (Lewis, JACM 1978), by a 2-SAT
// formula with a clause for each pair of literals in a clause. Clause learning solves
// them here.

// hornSign returns the sign of conclusions: 0 if all clauses of f have at most one
// positive literal, and else 1 if all have at most one negative literal. It reports
// false if neither holds. The time is linear, and short if f has clauses early on that
// rule out both signs.
func hornSign(f *dimacs.Formula) (sign dimacs.Lit, ok bool) {
	for sign := range dimacs.Lit(2) {
		if atMostOne(f, sign) {
			return sign, true
		}
	}
	return 0, false
}

// atMostOne reports whether no clause of f has two different literals of a sign.
func atMostOne(f *dimacs.Formula, sign dimacs.Lit) bool {
	for _, c := range f.Clauses() {
		first := slices.IndexFunc(c, func(l dimacs.Lit) bool { return l&1 == sign })
		if first < 0 {
			continue
		}
		for _, l := range c[first+1:] {
			if l&1 == sign && l != c[first] {
				return false
			}
		}
	}
	return true
}

// IsHorn reports whether f is a formula for [NewHorn]: all clauses have at most one
// positive literal, or all clauses have at most one negative literal. It takes the
// time of [Choose].
func IsHorn(f *dimacs.Formula) bool {
	_, ok := hornSign(f)
	return ok
}

// A Horn solver decides a formula whose clauses all have at most one positive literal,
// or all at most one negative literal.
type Horn struct {
	f     *dimacs.Formula
	sign  dimacs.Lit   // of conclusions; premises have the other one
	proof dimacs.Proof // nil for none
	hints bool
	ids   idRanges // of the clauses in the proof

	// State of a call.
	watched []uint32     // by variable: the first clause that watches it as a premise
	watches []watch      // by clause
	reason  []uint32     // by variable: the clause that derived it, or a constant below
	derived []dimacs.Var // in the order of derivation; also the propagation queue
	model   dimacs.Model
	failed  []dimacs.Lit
	status  dimacs.Status

	refuted bool // without assumptions
	stats   HornStats
}

// A watch is the place of a clause in the list of a premise.
type watch struct {
	at   uint32 // position of the premise in the clause
	next uint32 // the next clause in the list, or noClause
}

// HornStats counts the work of a [Horn] solver since it was created.
type HornStats struct {
	Vars       int
	Clauses    int
	Premises   int   // literals that are not conclusions
	Propagated int64 // derived variables
	Chain      int   // clauses in the last refutation
}

// Values of Horn.reason for variables that no clause derived.
const (
	underived = ^uint32(0) - iota
	forbidden // by a negative assumption; not derived either
	assumed
)

// noClause ends a list of clauses.
const noClause = ^uint32(0)

// NewHorn returns a solver of f, or nil if f is no Horn formula. It logs the clauses of
// f and its lemmas in proof, which may be nil. The formula must not change any more.
// NewHorn takes linear time and memory.
func NewHorn(f *dimacs.Formula, proof dimacs.Proof) *Horn {
	sign, ok := hornSign(f)
	if !ok {
		return nil
	}
	h := &Horn{f: f, sign: sign, proof: proof, hints: proof != nil && proof.Hints()}
	h.ids = logOriginals(f, proof)
	h.stats = HornStats{Vars: f.Vars(), Clauses: f.Len()}
	for _, c := range f.Clauses() {
		for _, l := range c {
			h.stats.Premises += int(l&1 ^ sign)
		}
	}
	return h
}

// Solve looks for a model of the formula in which all assumptions are true. It takes
// linear time, and returns Unknown only if ctx ends.
func (h *Horn) Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	h.status, h.failed = dimacs.Unsatisfiable, nil
	if h.refuted || !h.begin(assumptions) {
		return h.status
	}
	switch violated, ok := h.propagate(ctx); {
	case !ok:
		h.refute(violated)
	case ctx.Err() != nil:
		h.status = dimacs.Unknown
	default:
		h.setModel()
		h.status = dimacs.Satisfiable
	}
	return h.status
}

// begin resets the state of a call and derives the positive assumptions. It reports
// false if an assumption is the complement of another.
func (h *Horn) begin(assumptions []dimacs.Lit) bool {
	vars := h.f.Vars()
	for _, l := range assumptions {
		vars = max(vars, int(l>>1)+1)
	}
	h.watches = make([]watch, h.f.Len())
	h.watched = slices.Repeat([]uint32{noClause}, vars)
	h.reason = slices.Repeat([]uint32{underived}, vars)
	h.derived = h.derived[:0]
	for _, l := range assumptions {
		if l&1 != h.sign {
			h.reason[l>>1] = forbidden
		}
	}
	for _, l := range assumptions {
		if l&1 == h.sign && !h.derive(l.Var(), assumed) {
			h.failed = []dimacs.Lit{l.Not(), l}
			return false
		}
	}
	return true
}

// derive adds a variable to the model for a reason, if it is not there. It reports
// false if a negative assumption forbids the variable.
func (h *Horn) derive(v dimacs.Var, reason uint32) bool {
	if h.reason[v] == underived {
		h.reason[v] = reason
		h.derived = append(h.derived, v)
		h.stats.Propagated++
	}
	return h.reason[v] != forbidden
}

// conclusion returns the conclusion of clause i. It reports false if the clause has no
// conclusion.
func (h *Horn) conclusion(i uint32) (l dimacs.Lit, ok bool) {
	for _, l := range h.f.Clause(int(i)) {
		if l&1 == h.sign {
			return l, true
		}
	}
	return 0, false
}

// propagate derives all consequences of the clauses and the assumptions. It reports
// false and returns the clause if one is violated. When ctx ends it stops early.
func (h *Horn) propagate(ctx context.Context) (violated uint32, ok bool) {
	for i := range uint32(h.f.Len()) {
		if !h.watch(i) {
			return i, false
		}
	}
	steps := 0
	for at := 0; at < len(h.derived); at++ {
		for i := h.watched[h.derived[at]]; i != noClause; {
			if steps++; steps&0xffff == 0 && ctx.Err() != nil {
				return 0, true
			}
			next := h.watches[i].next
			if !h.watch(i) {
				return i, false
			}
			i = next
		}
	}
	return 0, true
}

// watch moves the watch of clause i to the next premise that is not derived. If all
// premises are derived, it derives the conclusion instead. It reports false if the
// clause is violated: it has no conclusion, or an assumption forbids that.
func (h *Horn) watch(i uint32) bool {
	w, c := &h.watches[i], h.f.Clause(int(i))
	for ; int(w.at) < len(c); w.at++ {
		if l := c[w.at]; l&1 != h.sign && h.reason[l>>1] >= forbidden {
			w.next, h.watched[l>>1] = h.watched[l>>1], i
			return true
		}
	}
	l, ok := h.conclusion(i)
	return ok && h.derive(l.Var(), i)
}

// setModel makes the derived variables true and all others false, or the other way
// round with signs exchanged.
func (h *Horn) setModel() {
	h.model = make(dimacs.Model, len(h.reason))
	for v, r := range h.reason {
		l := dimacs.Lit(2*v) | h.sign
		if r >= forbidden {
			l = l.Not()
		}
		h.model.Set(l)
	}
}

// refute finds the assumptions and clauses that led to a violated clause, and logs a
// lemma: the clause of the failed assumptions, or the empty clause. No later step uses
// the lemma.
func (h *Horn) refute(violated uint32) {
	needed := make([]bool, len(h.reason))
	var chain []uint32
	use := func(i uint32) {
		chain = append(chain, i)
		for _, l := range h.f.Clause(int(i)) {
			if l&1 != h.sign {
				needed[l>>1] = true
			}
		}
	}
	use(violated)
	if l, ok := h.conclusion(violated); ok { // an assumption forbids it
		h.failed = append(h.failed, l.Not())
	}
	for _, v := range slices.Backward(h.derived) {
		switch r := h.reason[v]; {
		case !needed[v]:
		case r == assumed:
			h.failed = append(h.failed, dimacs.Lit(2*v)|h.sign)
		default:
			use(r)
		}
	}
	h.stats.Chain = len(chain)
	h.refuted = len(h.failed) == 0
	if h.proof == nil {
		return
	}
	var lemma []dimacs.Lit
	for _, l := range h.failed {
		lemma = append(lemma, l.Not())
	}
	var hints []int64
	if h.hints {
		for _, i := range slices.Backward(chain) {
			hints = append(hints, h.ids.id(int(i)))
		}
	}
	id := h.proof.Learn(lemma, hints)
	if len(lemma) > 0 {
		h.proof.Delete(id, lemma)
	}
}

// Model returns the model that the last call of Solve found. It panics unless that call
// returned Satisfiable.
func (h *Horn) Model() dimacs.Model {
	h.must(dimacs.Satisfiable, "Model")
	return h.model
}

// Failed returns the assumptions that the last call of Solve refuted. It panics unless
// that call returned Unsatisfiable.
func (h *Horn) Failed() []dimacs.Lit {
	h.must(dimacs.Unsatisfiable, "Failed")
	return slices.Clone(h.failed)
}

func (h *Horn) must(status dimacs.Status, call string) {
	if h.status != status {
		panic(fmt.Sprintf("portfolio: %s after %v", call, h.status))
	}
}

// Stats returns the statistics.
func (h *Horn) Stats() HornStats { return h.stats }

// HornFootprint returns about how many bytes a [Horn] solver allocates for a formula of
// this size.
func HornFootprint(vars, clauses int) int64 { return 14*int64(vars) + 8*int64(clauses) }
