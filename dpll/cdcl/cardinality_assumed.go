package cdcl

import (
	"math"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/cardinality"
	"sator/dpll/cdcl/internal/inprocess"
)

// Cardinality detection under assumptions. A program that switches constraints on by
// assumptions has at-most-one constraints in clauses with one more literal, which package
// cardinality does not recognize at the root. So the search looks at the formula under its
// assumptions: without the clauses that they satisfy and the literals that they falsify. A
// pigeonhole contradiction there refutes the assumptions. Then the pass leaves out
// assumptions, in chunks of half their number, of a quarter and so on (Zeller and
// Hildebrandt, "Simplifying and isolating failure-inducing input", TSE 2002), while the rest
// is still refuted, and learns the clause of the complements of those that remain.
//
// A call reaches the pass after half the conflicts of a first simplification round, so that
// short calls do not pay for it, or before a round, which may eliminate variables of the
// constraints. Each pass without success doubles that number, also for later calls; a success
// resets it. The refutation needs extension variables, and so there is no such pass with a proof.

const (
	assumedDelays = 12        // the interval doubles at most so often
	assumedTicks  = 4         // budget of a pass, per word of the formula
	assumedTrials = 10        // budget of leaving out assumptions, in passes
	assumedLeast  = 5_000_000 // ticks that it may take in any case
)

// scheduleAssumed computes when the call looks for pigeonholes under its assumptions.
func (s *Solver) scheduleAssumed() {
	s.schedule.due.assumed = math.MaxInt64
	if len(s.call.assumptions) > 0 && s.proof.log == nil && !s.opts.NoCardinality && !s.opts.NoSimplify {
		s.schedule.due.assumed = s.stats.Conflicts + max(1, int64(s.opts.InprocessInterval/2))<<s.passes.assumedDelay
	}
}

// assumedDue reports whether the pass is due. All assumptions must be decided.
func (s *Solver) assumedDue() bool {
	return s.stats.Conflicts >= s.schedule.due.assumed && len(s.trail.levels) > len(s.call.assumptions)
}

// assumedFirst makes the pass due at once, before a round, unless it was in vain. It reports whether
// the round must wait.
func (s *Solver) assumedFirst() bool {
	due := &s.schedule.due.assumed
	if *due == math.MaxInt64 || s.passes.assumedDelay > 0 {
		return false
	}
	*due = min(*due, s.stats.Conflicts)
	return true
}

// refuteAssumptions runs the pass.
func (s *Solver) refuteAssumptions() {
	s.backtrack(len(s.call.assumptions))
	if !s.propagate() {
		s.analyze()
		return
	}
	s.passes.assumedDelay = min(s.passes.assumedDelay+1, assumedDelays)
	s.scheduleAssumed()
	if s.call.stopped || !s.opts.Memory.Allows(64*int64(len(s.trail.vars)+s.clauses.size()+s.stats.Binary)) {
		return
	}
	s.opts.enter("cardinality")
	s.reports.beginPass("cardinality", 0, assumedTicks*int64(s.clauses.size()+2*s.stats.Binary))
	before := s.stats.Ticks
	s.decisions.quiet = true
	if s.pigeonholeAssumed(math.MaxInt64) && !s.call.stopped {
		s.passes.assumedDelay = 0
		s.stats.Pigeonholes++
		s.learnRefuted(s.shortenRefuted(s.stats.Ticks - before))
	}
	s.decisions.quiet = false
	s.stats.PassTicks += s.stats.Ticks - before
	s.stats.Ticks, s.call.pollAt = before, before
	s.reports.endPass()
	s.opts.enter(s.decisions.searchName())
}

// pigeonholeAssumed reports whether the formula under the assumptions on the trail has a
// pigeonhole contradiction that is found within the budget of a pass and this number of
// ticks.
func (s *Solver) pigeonholeAssumed(ticks int64) bool {
	h := &assumedHost{host: host{s}}
	if !h.collect() {
		return false
	}
	var d cardinality.Detector
	size := h.Size()
	st := d.Run(h, len(s.trail.vars)-len(s.trail.lits)-s.removal.removed, min(ticks, assumedTicks*int64(size.Words+2*size.Binary)))
	s.stats.Matchings += st.Matchings
	return h.refuted
}

// shortenRefuted leaves out assumptions as long as the others are refuted, too. A pass took
// that number of ticks. It returns the assumptions that remain.
func (s *Solver) shortenRefuted(ticks int64) []dimacs.Lit {
	core, all := slices.Clone(s.call.assumptions), slices.Clone(s.call.assumptions)
	limit := s.stats.Ticks + max(assumedTrials*ticks, assumedLeast)
	for chunk := (len(core) + 1) / 2; chunk > 0; chunk /= 2 {
		for i := 0; i < len(core) && s.stats.Ticks < limit && !s.call.stopped && !s.inconsistent; {
			rest := slices.Delete(slices.Clone(core), i, min(i+chunk, len(core)))
			s.backtrack(0)
			s.call.assume(rest)
			if !s.propagateAssumptions() || s.pigeonholeAssumed(limit-s.stats.Ticks) {
				core = rest
			} else {
				i += chunk
			}
		}
	}
	s.backtrack(0)
	s.call.assume(all)
	return core
}

// learnRefuted learns at the root that the assumptions are not all true.
func (s *Solver) learnRefuted(assumptions []dimacs.Lit) {
	if s.call.stopped || s.inconsistent || !s.toRoot() {
		return
	}
	for i := range assumptions {
		assumptions[i] ^= 1
	}
	c, redundant := s.analysis.normalize(assumptions)
	switch {
	case redundant: // the trials have learned it
	case len(c) == 0:
		s.inconsistent = true
	case len(c) == 1:
		s.assignRoot(c[0], 0)
	default:
		s.clauses.addClause(c, true, len(c)-1, 0)
	}
}

// An assumedHost presents the formula under the assumptions on the trail to package
// cardinality, which reads clauses, values and implications and reports a refutation.
type assumedHost struct {
	host
	words   []uint32    // each clause of three and more literals: their number, and they
	pairs   [][2]uint32 // binary clauses
	refuted bool
}

// collect lists the clauses, the literals of which are unassigned. It returns false if the
// call is stopped.
func (h *assumedHost) collect() bool {
	s := h.s
	h.words = append(h.words, 0, 0) // references are even and not 0
	for l := range s.clauses.watches {
		if s.pausing(l) {
			return false
		}
		if s.trail.vals[l] != 0 {
			continue
		}
		s.stats.Ticks++
		for _, w := range s.clauses.list(dimacs.Lit(l)) {
			if b := w.blocker(); w.binary() && dimacs.Lit(l) < b && s.trail.vals[b] == 0 {
				h.pairs = append(h.pairs, [2]uint32{uint32(l), uint32(b)})
			}
		}
	}
	visited, ok := h.host.EachClause(func(_ uint32, lits []uint32) bool {
		start := len(h.words)
		h.words = append(h.words, 0)
		for _, w := range lits {
			switch {
			case s.trail.vals[w] > 0:
				h.words = h.words[:start]
				return true
			case s.trail.vals[w] == 0:
				h.words = append(h.words, w)
			}
		}
		n := len(h.words) - start - 1
		if n == 2 {
			h.pairs = append(h.pairs, [2]uint32{h.words[start+1], h.words[start+2]})
		}
		if n < 3 {
			h.words = h.words[:start]
			return true
		}
		h.words[start] = uint32(n)
		if len(h.words)&1 != 0 {
			h.words = append(h.words, 0)
		}
		return true
	})
	s.stats.Ticks += int64(visited)
	return ok
}

func (h *assumedHost) Size() inprocess.Size {
	return inprocess.Size{Words: len(h.words), Irredundant: len(h.words) / 4, Binary: len(h.pairs)}
}

func (h *assumedHost) EachClause(f func(r uint32, lits []uint32) bool) (visited int, ok bool) {
	for r := 2; r < len(h.words); r += (int(h.words[r]) + 2) &^ 1 {
		if visited++; h.s.pausing(visited) {
			return visited, false
		}
		if !f(uint32(r), h.Lits(uint32(r))) {
			break
		}
	}
	return visited, true
}

func (h *assumedHost) Lits(r uint32) []uint32 {
	end := r + 1 + h.words[r]
	return h.words[r+1 : end : end]
}

func (h *assumedHost) Implications(bool) *inprocess.Implications {
	lits := 2 * len(h.s.trail.vars)
	g := &inprocess.Implications{Start: make([]uint32, lits+1)}
	for _, p := range h.pairs {
		g.Start[p[0]^1]++
		g.Start[p[1]^1]++
	}
	end := uint32(0)
	for l := range g.Start {
		end += g.Start[l]
		g.Start[l] = end
	}
	g.Heads, g.Refs = make([]uint32, end), make([]uint32, end)
	for _, p := range h.pairs {
		for side := range p {
			from := p[side] ^ 1
			g.Start[from]--
			g.Heads[g.Start[from]], g.Refs[g.Start[from]] = p[1-side], 1
		}
	}
	h.s.stats.Ticks += int64(lits>>4 + 2*len(h.pairs)>>2)
	return g
}

func (h *assumedHost) Space(uint64, uint64) []byte { return nil } // not in a pass

func (h *assumedHost) Refute()       { h.refuted = true }
func (h *assumedHost) Refuted() bool { return h.refuted }
