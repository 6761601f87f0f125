package cdcl

import (
	"sator/dimacs"
	"sator/dpll/cdcl/internal/radix"
)

// Clause database reduction: most learned clauses are useful for a short time and slow
// the search down afterwards, so from time to time the less promising ones are
// deleted. The measures are glue and recent use (Oh, PhD thesis 2016): a clause of
// tier 1 is kept while it is used at all, a clause of tier 2 if it was used since the
// last reduction but one. Of all others, a fixed share with the highest glue is
// deleted, longer clauses first.
//
// The tier limits are computed from the use of clauses: glue up to tier 1 has half of all
// uses, glue up to tier 2 nine tenths, in each mode (as in Kissat 4). But a clause is not
// special when most clauses are like it. On random formulas, whose glue is high throughout,
// these limits keep nearly all clauses. So a limit above the option's value is also bounded
// by a share of the average glue. On circuits that changes little.
//
// Tried: no such bound (a loss); a share of deleted clauses that grows from a half, as in
// Kissat (a loss), or of 65 %; the limits of focused mode in both modes, as in Kissat (no
// gain); counts of uses instead of glue (Cai and others, "Rethinking clause management for CDCL
// SAT solvers", arXiv 2602.20829, 2026), keeping what was used since the last reduction
// (losses); the order by size (no gain).
//
// In long runs intervals grow to 15,000 conflicts, and the clauses of the tiers accumulate.
//
// Tried: intervals that stop growing after 25 or 45 reductions, deleting 90 % in long runs
// (no gain).

// A tiers value holds the tier limits of one mode and the counts from which they are computed.
type tiers struct {
	one, two int       // highest glue of tier 1 and of tier 2
	used     [64]int64 // number of uses by glue; the last entry is for all higher glue
}

// updateTiers recomputes the tier limits when they are due, at intervals that double
// up to 2^16 conflicts.
func (h *schedule) updateTiers() {
	if h.stats.Conflicts < h.due.tiers {
		return
	}
	h.due.tiers += min(h.stats.Conflicts, 1<<16)
	t := &h.tier[h.decisions.mode()]
	total := int64(0)
	for _, n := range t.used {
		total += n
	}
	if total < 1000 {
		return
	}
	sum := int64(0)
	one, two := 0, 0
	for glue, n := range t.used {
		if sum += n; one == 0 && 2*sum >= total {
			one = max(glue, 1)
		}
		if 10*sum >= 9*total {
			two = max(glue, one)
			break
		}
	}
	glue := int(h.avg[h.decisions.mode()].glueSlow.value)
	t.one = min(one, max(h.opts.Tier1, glue/3))
	t.two = max(t.one, min(two, max(h.opts.Tier2, glue*3/4)))
}

func (h *schedule) reducing() bool { return h.stats.Conflicts >= h.due.reduce }

// reduce deletes learned clauses and collects the garbage. If there are new units and the last
// full collection is long ago, the collection is a full one, which needs the root.
func (s *Solver) reduce() {
	s.opts.enter("reduce")
	s.stats.Reductions++
	s.schedule.due.reduce = s.stats.Conflicts + int64(s.opts.ReduceInterval)*isqrt(100*s.stats.Reductions)/10
	full := s.trail.roots > s.trail.rootsRemoved && s.stats.Ticks-s.schedule.due.lastFull > int64(s.clauses.size()/4)
	if full && !s.toRoot() {
		return
	}
	s.protectReasons(true)
	s.deleteWorst()
	s.protectReasons(false)
	s.report(Reduce)
	s.collect(full)
	s.opts.enter(s.decisions.searchName())
}

// protectReasons sets or clears the reason bit of the clauses that are reasons.
func (s *Solver) protectReasons(on bool) {
	for _, l := range s.trail.lits {
		w := s.trail.vars[l>>1].reason
		if w == 0 || w.binary() {
			continue
		}
		if on {
			s.clauses.arena[w.ref()] |= reasonBit
		} else {
			s.clauses.arena[w.ref()] &^= reasonBit
		}
	}
}

// deleteWorst deletes the candidates with the highest glue.
func (s *Solver) deleteWorst() {
	t := &s.schedule.tier[s.decisions.mode()]
	s.analysis.keys = dimacs.Extend(s.opts.Memory, s.analysis.keys[:0], s.stats.Redundant)
	s.clauses.eachClause(s.clauses.learnedStart, func(r uint32) bool {
		h := s.clauses.arena[r]
		if h&(redundantBit|garbageBit|reasonBit) != redundantBit {
			return true
		}
		used, glue := h&usedMask>>usedShift, int(h>>glueShift)
		if used > 0 {
			s.clauses.setUsed(r, used-1)
		}
		if glue <= t.one && used > 0 || glue <= t.two && used >= maxUsed-1 {
			return true
		}
		// By glue, then by size, then the younger clause first.
		key := uint64(min(glue, 1<<12-1))<<20 | uint64(min(s.clauses.arena[r+1], 1<<20-1))
		s.analysis.keys = append(s.analysis.keys, key<<32|uint64(r))
		return true
	})
	s.analysis.keys2 = radix.Sort(s.analysis.keys, s.analysis.keys2)
	n := len(s.analysis.keys) * s.opts.ReduceFraction / 100
	for _, k := range s.analysis.keys[len(s.analysis.keys)-n:] {
		s.clauses.deleteClause(uint32(k))
	}
	s.stats.ReducedClauses += int64(n)
}

// tierOf returns the tier of a clause with the header h.
func tierOf(h uint32, limits *tiers) vivifyTier {
	glue := int(h >> glueShift)
	switch {
	case h&redundantBit == 0:
		return vivifyIrredundant
	case glue <= limits.one:
		return vivifyTier1
	case glue <= limits.two:
		return vivifyTier2
	}
	return vivifyTier3
}
