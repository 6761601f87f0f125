package portfolio

import (
	"context"
	"fmt"
	"slices"

	"sator/dimacs"
)

// A Horn formula has clauses with one positive literal at most: facts, rules and
// constraints. If a rule's premises are true its conclusion is, and what does not
// follow from the facts in this way may be false. So unit propagation decides it, in
// linear time if each rule counts the premises that are still open (Dowling and
// Gallier, "Linear-time algorithms for testing the satisfiability of propositional
// Horn formulae", JLP 1984). The model that is found is the least one. The same holds
// with all signs exchanged. Clause learning would find that out as well, but for the
// proof that it takes linear time.
//
// Assumptions change nothing: they are facts and constraints. A refutation is one
// lemma, along the clauses by which the premises of the one that is violated came
// about.
//
// Formulas of which some renaming of variables makes Horn formulas can be decided in
// linear time as well (Lewis, JACM 1978), by a formula of two literals in a clause for
// each pair in one. They are left to clause learning.

// hornSign returns the sign that no clause of f has more than one literal of: 0 for
// positive ones, 1 for negative ones. It reports false if there is no such sign. The
// time is linear, and short where clauses of other kinds come early.
func hornSign(f *dimacs.Formula) (sign dimacs.Lit, ok bool) {
	could := [2]bool{true, true}
	for _, c := range f.Clauses() {
		for s := range could {
			could[s] = could[s] && !twoOf(c, dimacs.Lit(s))
		}
		if !could[0] && !could[1] {
			return 0, false
		}
	}
	if could[0] {
		return 0, true
	}
	return 1, true
}

// IsHorn reports whether f is a formula for [NewHorn]: all clauses have at most one
// positive literal, or all at most one negative one. The time is that of [Choose].
func IsHorn(f *dimacs.Formula) bool {
	_, ok := hornSign(f)
	return ok
}

// twoOf reports whether a clause has two different literals of a sign.
func twoOf(c []dimacs.Lit, sign dimacs.Lit) bool {
	first := -1
	for i, l := range c {
		switch {
		case l&1 != sign:
		case first < 0:
			first = i
		case c[first] != l:
			return true
		}
	}
	return false
}

// Horn decides a formula all of whose clauses have at most one positive literal, or
// all at most one negative literal.
type Horn struct {
	f     *dimacs.Formula
	sign  dimacs.Lit // of the literals that a clause has one of at most
	proof dimacs.Proof
	hints bool
	turns idRanges // ids of the clauses

	// By literal of the other sign, given by its variable: the clauses with it, as
	// often as it is in them, are uses[start[v]:start[v+1]].
	start, uses []uint32
	open        []uint32 // by clause: premises in it

	// Of a call.
	left   []uint32 // by clause: premises that do not hold yet
	reason []uint32 // by variable that holds: the clause, or assumed
	queue  []uint32 // variables that hold
	banned []bool   // by variable: assumed not to hold
	model  dimacs.Model
	failed []dimacs.Lit
	status dimacs.Status

	refuted bool
	stats   HornStats
}

// HornStats count what a [Horn] did since it was made.
type HornStats struct {
	Vars       int
	Clauses    int
	Premises   int   // literals but the one of a clause
	Propagated int64 // variables that were found to hold
	Chain      int   // clauses in the last refutation
}

// Reasons that are no clauses.
const (
	unknown = ^uint32(0)
	assumed = unknown - 1
)

// NewHorn returns a solver of f, which must not change any more, with proof told its
// clauses and what is derived; it may be nil. It returns nil if f is no Horn formula.
// Time and memory are linear.
func NewHorn(f *dimacs.Formula, proof dimacs.Proof) *Horn {
	sign, ok := hornSign(f)
	if !ok {
		return nil
	}
	h := &Horn{f: f, sign: sign, proof: proof}
	if proof != nil {
		h.hints = proof.Hints()
		for i, c := range f.Clauses() {
			h.turns.add(i, proof.Original(c))
		}
	}
	h.index()
	return h
}

// index finds the clauses of each premise.
func (h *Horn) index() {
	h.start = make([]uint32, h.f.Vars()+2)
	h.open = make([]uint32, h.f.Len())
	for i, c := range h.f.Clauses() {
		for _, l := range c {
			if l&1 != h.sign {
				h.start[l>>1+2]++
				h.open[i]++
			}
		}
	}
	for v := 2; v < len(h.start); v++ {
		h.start[v] += h.start[v-1]
	}
	h.uses = make([]uint32, h.start[len(h.start)-1])
	for i, c := range h.f.Clauses() {
		for _, l := range c {
			if l&1 != h.sign {
				h.uses[h.start[l>>1+1]] = uint32(i)
				h.start[l>>1+1]++
			}
		}
	}
	h.stats.Vars, h.stats.Clauses, h.stats.Premises = h.f.Vars(), h.f.Len(), len(h.uses)
}

// Solve looks for a model of the formula in which all assumptions are true, as
// engines do, in linear time.
func (h *Horn) Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	h.status = dimacs.Unknown
	if h.refuted {
		h.failed = nil
		h.status = dimacs.Unsatisfiable
		return h.status
	}
	h.begin(assumptions)
	violated, ok := h.suppose(assumptions)
	if ok {
		violated, ok = h.propagate(ctx)
	}
	switch {
	case !ok:
		h.refute(violated)
		h.status = dimacs.Unsatisfiable
	case ctx.Err() == nil:
		h.answer()
		h.status = dimacs.Satisfiable
	}
	return h.status
}

// begin makes the tables of a call.
func (h *Horn) begin(assumptions []dimacs.Lit) {
	vars := h.f.Vars()
	for _, l := range assumptions {
		vars = max(vars, int(l>>1)+1)
	}
	h.left = append(h.left[:0], h.open...)
	h.reason = slices.Grow(h.reason[:0], vars)[:vars]
	h.banned = slices.Grow(h.banned[:0], vars)[:vars]
	clear(h.banned)
	for v := range h.reason {
		h.reason[v] = unknown
	}
	h.queue = h.queue[:0]
}

// A violation is a clause all of whose premises hold and that has no conclusion, or a
// variable that holds although it is assumed not to.
type violation struct {
	clause int // -1 if it is a variable
	banned uint32
}

// suppose makes the assumptions and the facts hold. It reports false if they
// contradict one another.
func (h *Horn) suppose(assumptions []dimacs.Lit) (violation, bool) {
	for _, l := range assumptions {
		if l&1 != h.sign {
			h.banned[l>>1] = true
		}
	}
	for _, l := range assumptions {
		if l&1 == h.sign {
			if v, ok := h.hold(uint32(l>>1), assumed); !ok {
				return v, false
			}
		}
	}
	for i, n := range h.open {
		if n == 0 {
			if v, ok := h.conclude(i); !ok {
				return v, false
			}
		}
	}
	return violation{}, true
}

// hold makes a variable hold for a reason, if it does not.
func (h *Horn) hold(v uint32, reason uint32) (violation, bool) {
	if h.reason[v] != unknown {
		return violation{}, true
	}
	h.reason[v] = reason
	h.queue = append(h.queue, v)
	h.stats.Propagated++
	return violation{-1, v}, !h.banned[v]
}

// conclude makes the conclusion of a clause hold, all of whose premises do.
func (h *Horn) conclude(clause int) (violation, bool) {
	for _, l := range h.f.Clause(clause) {
		if l&1 == h.sign {
			return h.hold(uint32(l>>1), uint32(clause))
		}
	}
	return violation{clause: clause}, false
}

// propagate makes hold what follows. It ends early when ctx does.
func (h *Horn) propagate(ctx context.Context) (violation, bool) {
	steps := 0
	for at := 0; at < len(h.queue); at++ {
		v := h.queue[at]
		if int(v) >= h.f.Vars() {
			continue
		}
		for _, i := range h.uses[h.start[v]:h.start[v+1]] {
			if steps++; steps&0xffff == 0 && ctx.Err() != nil {
				return violation{}, true
			}
			if h.left[i]--; h.left[i] > 0 {
				continue
			}
			if w, ok := h.conclude(int(i)); !ok {
				return w, false
			}
		}
	}
	return violation{}, true
}

// answer makes the model, in which only what has to hold does.
func (h *Horn) answer() {
	h.model = make(dimacs.Model, len(h.reason))
	holds, fails := dimacs.True, dimacs.False
	if h.sign != 0 {
		holds, fails = fails, holds
	}
	for v, r := range h.reason {
		h.model[v] = fails
		if r != unknown {
			h.model[v] = holds
		}
	}
}

// refute finds the assumptions that led to a violation, and tells the proof.
func (h *Horn) refute(by violation) {
	needed := make([]bool, len(h.reason))
	h.failed = h.failed[:0]
	var last uint32
	if by.clause >= 0 {
		last = uint32(by.clause)
	} else {
		h.failed = append(h.failed, dimacs.Lit(2*by.banned)|(h.sign^1))
		if last = h.reason[by.banned]; last == assumed { // and the other way round
			h.failed = append(h.failed, dimacs.Lit(2*by.banned)|h.sign)
			return
		}
	}
	h.need(needed, last)
	chain := []uint32{last}
	for _, v := range slices.Backward(h.queue) {
		switch r := h.reason[v]; {
		case !needed[v]:
		case r == assumed:
			h.failed = append(h.failed, dimacs.Lit(2*v)|h.sign)
		default:
			chain = append(chain, r)
			h.need(needed, r)
		}
	}
	slices.Reverse(chain)
	h.stats.Chain = len(chain)
	h.refuted = len(h.failed) == 0
	h.prove(chain)
}

// need marks the premises of a clause.
func (h *Horn) need(needed []bool, clause uint32) {
	for _, l := range h.f.Clause(int(clause)) {
		if l&1 != h.sign {
			needed[l>>1] = true
		}
	}
}

// prove tells the proof the clause that assumptions failed, or the empty one. Nothing
// else uses it.
func (h *Horn) prove(chain []uint32) {
	if h.proof == nil {
		return
	}
	var lemma []dimacs.Lit
	for _, l := range h.failed {
		lemma = append(lemma, l.Not())
	}
	var hints []int64
	if h.hints {
		for _, i := range chain {
			hints = append(hints, h.turns.id(int(i)))
		}
	}
	id := h.proof.Learn(lemma, hints)
	if len(lemma) > 0 {
		h.proof.Delete(id, lemma)
	}
}

// Model returns the model that the last call of Solve found. It panics if there is
// none.
func (h *Horn) Model() dimacs.Model {
	h.must(dimacs.Satisfiable, "Model")
	return h.model
}

// Failed returns the assumptions that the last call of Solve refuted. It panics if
// there was another answer.
func (h *Horn) Failed() []dimacs.Lit {
	h.must(dimacs.Unsatisfiable, "Failed")
	return slices.Clone(h.failed)
}

func (h *Horn) must(status dimacs.Status, call string) {
	if h.status != status {
		panic(fmt.Sprintf("portfolio: %s after %v", call, h.status))
	}
}

// Stats returns the statistics as they stand.
func (h *Horn) Stats() HornStats { return h.stats }

// HornFootprint returns about how many bytes a [Horn] takes for a formula of this
// size.
func HornFootprint(vars, clauses, literals int) int64 {
	return 15*int64(vars) + 8*int64(clauses) + 4*int64(literals)
}
