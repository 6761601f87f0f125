package cdcl

import (
	"cmp"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/radix"
)

// Vivification removes literals and clauses that are redundant by propagation (Piette,
// Hamadi, Saïs, "Vivifying propositional clausal formulae", ECAI 2008; of learned
// clauses, as here: Luo, Li, Xiao, Manyà, Lü, "An effective learnt clause minimization
// approach for CDCL SAT solvers", IJCAI 2017; of all kinds: Li, Xiao, Luo, Manyà, Lü,
// Li, "Clause vivification by approximate residual entailment", AIJ 2020).
//
// The complements of a candidate's literals are decided one after the other, while
// propagation ignores the candidate, until one of these cases occurs:
//
//   - A clause is falsified. Analysis follows its literals back to decisions. The
//     complements of these decisions are a clause, a subset of the candidate.
//   - A literal of the candidate becomes true. This literal and the complements of the
//     decisions that imply it are a clause, again a subset of the candidate.
//   - All literals are false. The implied ones can be removed.
//
// If no literal can be removed in the first two cases, the other clauses imply the
// candidate by propagation alone. Then it is deleted, unless it is irredundant and
// learned clauses were used, since these may be deleted later. If analysis meets a
// clause all of whose literals are in the candidate, that clause subsumes the
// candidate.
//
// Decisions dominate the cost. Literals are decided in the order of their number of
// occurrences in the candidates, and candidates are sorted by their literals in this
// order. So candidates often share a prefix with the previous one, and its decisions
// are reused (as in CaDiCaL).
//
// Better learned clauses deserve more effort. They are vivified in tiers (reduce.go),
// each with a share of the budget; later tiers get the unused budget of earlier ones.
// In each tier, candidates that were not tried yet come first; when all were tried, a
// new round begins. Candidates are chosen in batches, since a tier may have many more
// than the budget allows.
//
// On circuits, about a third of the tried clauses of the better two tiers get shorter,
// throughout the search.
//
// Tried: half the budget and half as much again, none for irredundant clauses (losses).
//
// Tried: keeping implied learned candidates, as in Kissat; larger least budgets;
// instantiation, as in Kissat; the share of the better tiers for tier 3 (no gain).

// A vivifyTier is a class of candidates.
type vivifyTier int

const (
	vivifyTier1 vivifyTier = iota
	vivifyTier2
	vivifyTier3
	vivifyIrredundant
	vivifyTiers
)

// vivifyShares are the shares of the tiers in the budget.
var vivifyShares = [vivifyTiers]int64{3, 3, 1, 3}

// candidateMark marks the variable of a positive literal of the candidate; the next
// higher bit marks that of a negative literal.
const candidateMark = 1 << 6

// A vivifier is a pass of vivification.
type vivifier struct {
	s        *Solver
	limit    int64        // end of the budget of the current tier, in ticks
	ranks    []uint32     // by literal: occurrences in the candidates, then rank by these
	schedule []candidate  // candidates of the current batch
	lits     []dimacs.Lit // sorted literals of the candidates
	learned  bool         // analysis has used a learned clause
}

// A candidate is a clause to be vivified, with the literals lits[from:to] of the
// vivifier. The ranks of the first two, as one number, decide most comparisons of candidates.
type candidate struct {
	ref, from, to uint32
	first         uint64
}

// vivify vivifies the clauses of all tiers.
func (s *Solver) vivify(budget int64) {
	v := vivifier{s: s, ranks: make([]uint32, len(s.clauses.watches))}
	end := s.stats.Ticks + budget
	shares := int64(0)
	for _, n := range vivifyShares {
		shares += n
	}
	for t, n := range vivifyShares {
		v.limit = s.stats.Ticks + (end-s.stats.Ticks)*n/shares
		shares -= n
		v.run(vivifyTier(t))
		if s.call.stopped || s.inconsistent {
			return
		}
	}
}

// run vivifies candidates of a tier until its budget is used up or all were tried.
func (v *vivifier) run(t vivifyTier) {
	s := v.s
	for restart := true; s.stats.Ticks < v.limit && v.choose(t, restart); restart = false {
		if !v.sortCandidates() {
			return
		}
		for i := range v.schedule {
			if s.stats.Ticks >= v.limit || s.call.stopped || s.inconsistent {
				break
			}
			v.try(&v.schedule[i])
		}
		s.backtrack(0)
		for _, l := range v.lits {
			v.ranks[l] = 0
		}
		if s.call.stopped || s.inconsistent {
			return
		}
	}
}

const (
	candidateTicks = 8       // for sorting a candidate: a few cache misses
	batchTicks     = 64      // budget per candidate of a batch, so that most of a batch is tried
	largestBatch   = 1 << 14 // of candidates, which are sorted without a poll
	pollLits       = 1 << 15 // sorted between polls; a learned clause may have 300,000
)

// choose fills the schedule with candidates that were not tried in this round of the
// tier. If all were tried, and restart allows a new round, it chooses among all. It
// reports whether there are any.
func (v *vivifier) choose(t vivifyTier, restart bool) bool {
	most := int(min((v.limit-v.s.stats.Ticks)/batchTicks+1, largestBatch))
	v.schedule = v.schedule[:0]
	tried := 0
	v.eachCandidate(t, func(r uint32) bool {
		if v.s.clauses.arena[r]&triedBit != 0 {
			tried++
			return true
		}
		v.schedule = append(v.schedule, candidate{ref: r})
		return len(v.schedule) < most
	})
	if len(v.schedule) > 0 || tried == 0 || !restart {
		return len(v.schedule) > 0
	}
	v.eachCandidate(t, func(r uint32) bool {
		v.s.clauses.arena[r] &^= triedBit
		if len(v.schedule) < most {
			v.schedule = append(v.schedule, candidate{ref: r})
		}
		return true
	})
	return true
}

// eachCandidate calls f with the clauses of a tier until f returns false.
func (v *vivifier) eachCandidate(t vivifyTier, f func(r uint32) bool) {
	s := v.s
	start := s.clauses.learnedStart
	if t == vivifyIrredundant {
		start = 2
	}
	steps := 0
	limits := &s.schedule.tier[s.decisions.mode()]
	s.clauses.eachClause(start, func(r uint32) bool {
		if steps++; s.pausing(steps) {
			return false
		}
		h := s.clauses.arena[r]
		return h&garbageBit != 0 || tierOf(h, limits) != t || f(r)
	})
	s.stats.Ticks += int64(steps >> 3)
}

// sortCandidates sorts the literals of each candidate by decreasing number of candidates
// that contain them, then by literal, and the schedule lexicographically in this order. It
// replaces literals by their ranks in this order for the time of sorting: ranks are compared
// without a look at counts. It returns false if the call is stopped.
func (v *vivifier) sortCandidates() bool {
	s := v.s
	size := 0
	for i := range v.schedule {
		size += len(s.clauses.lits(v.schedule[i].ref))
	}
	if size > cap(v.lits) {
		v.lits = scratchTable[dimacs.Lit](s, size)
	}
	v.lits, s.analysis.keys = v.lits[:0], s.analysis.keys[:0]
	for i := range v.schedule {
		c := &v.schedule[i]
		c.from = uint32(len(v.lits))
		for _, w := range s.clauses.lits(c.ref) {
			v.lits = append(v.lits, dimacs.Lit(w))
			if v.ranks[w]++; v.ranks[w] == 1 {
				s.analysis.keys = append(s.analysis.keys, uint64(w)<<32)
			}
		}
		c.to = uint32(len(v.lits))
	}
	v.rankLits()
	sorted := 0 // literals since the last poll
	for i := range v.schedule {
		c := &v.schedule[i]
		ranks := v.litsOf(c)
		if sorted += len(ranks); sorted >= pollLits {
			if s.pausing(0) {
				return false
			}
			sorted = 0
		}
		for j, l := range ranks {
			ranks[j] = dimacs.Lit(v.ranks[l])
		}
		slices.Sort(ranks)
		c.first = uint64(ranks[0])<<32 | uint64(ranks[1])
	}
	slices.SortFunc(v.schedule, func(a, b candidate) int {
		if c := cmp.Compare(a.first, b.first); c != 0 {
			return c
		}
		return slices.Compare(v.litsOf(&a), v.litsOf(&b))
	})
	for i, rank := range v.lits {
		v.lits[i] = dimacs.Lit(s.analysis.keys[rank])
	}
	s.stats.Ticks += candidateTicks * int64(len(v.schedule))
	return true
}

// rankLits replaces the numbers of occurrences in v.ranks by the ranks of the literals. The
// literals are the keys of s.analysis.keys, which become values in the order of ranks.
func (v *vivifier) rankLits() {
	s := v.s
	s.analysis.keys2 = radix.Sort(s.analysis.keys, s.analysis.keys2)
	for i, k := range s.analysis.keys {
		l := k >> 32
		s.analysis.keys[i] = uint64(^v.ranks[l])<<32 | l
	}
	s.analysis.keys2 = radix.Sort(s.analysis.keys, s.analysis.keys2)
	for rank, k := range s.analysis.keys {
		v.ranks[uint32(k)] = uint32(rank)
	}
}

// litsOf returns the sorted literals of a candidate.
func (v *vivifier) litsOf(c *candidate) []dimacs.Lit { return v.lits[c.from:c.to] }

// try vivifies a candidate.
func (v *vivifier) try(c *candidate) {
	s := v.s
	lits := v.litsOf(c)
	s.clauses.arena[c.ref] |= triedBit
	if v.satisfied(lits) {
		return
	}
	s.stats.VivifyTried++
	for _, l := range lits {
		s.analysis.mark(uint32(l>>1), candidateMark<<(l&1))
	}
	v.reuseDecisions(c.ref, lits)
	s.clauses.ignored = c.ref
	v.learned = false
	implied, falsified := v.falsify(lits)
	if !s.call.stopped {
		v.conclude(c.ref, implied, falsified)
	}
	v.unignore()
	s.analysis.unmark()
}

// satisfied reports whether a literal is true at the root.
func (v *vivifier) satisfied(lits []dimacs.Lit) bool {
	return slices.ContainsFunc(lits, func(l dimacs.Lit) bool {
		return v.s.trail.vals[l] > 0 && v.s.trail.vars[l>>1].level == 0
	})
}

// inCandidate reports whether l is in the candidate.
func (v *vivifier) inCandidate(l dimacs.Lit) bool {
	return v.s.analysis.marks[l>>1]&(candidateMark<<(l&1)) != 0
}

// reuseDecisions backtracks until all decisions are complements of literals of the
// candidate at r, and the candidate is no reason.
func (v *vivifier) reuseDecisions(r uint32, lits []dimacs.Lit) {
	s := v.s
	for i := 1; i < len(s.trail.levels); i++ {
		if !v.inCandidate(s.trail.levels[i].decision ^ 1) {
			s.backtrack(i - 1)
			break
		}
	}
	for _, l := range lits {
		if x := &s.trail.vars[l>>1]; s.trail.vals[l] > 0 && x.reason == mkWatch(0, r) {
			s.backtrack(int(x.level) - 1)
			break
		}
	}
	s.stats.VivifyKept += int64(len(s.trail.levels) - 1)
}

// falsify decides complements of literals until one literal is implied, a clause is
// falsified, or all literals are false. It returns the implied true literal, or noLit.
func (v *vivifier) falsify(lits []dimacs.Lit) (implied dimacs.Lit, falsified bool) {
	s := v.s
	for _, l := range lits {
		switch {
		case s.trail.vals[l] > 0:
			return l, false
		case s.trail.vals[l] < 0:
			continue
		}
		s.decideLit(l ^ 1)
		s.stats.VivifyDecisions++
		if !s.propagate() {
			return noLit, true
		}
		if s.call.stopped {
			break
		}
	}
	return noLit, false
}

// unignore lets propagation use the candidate again, and backtracks to a level where
// the candidate is not unit.
func (v *vivifier) unignore() {
	s := v.s
	r := s.clauses.ignored
	s.clauses.ignored = 0
	if r == 0 || s.clauses.arena[r]&garbageBit != 0 {
		return
	}
	for _, w := range s.clauses.lits(r)[:2] {
		if lev := s.trail.vars[w>>1].level; s.trail.vals[w] < 0 && lev > 0 {
			s.backtrack(int(lev) - 1)
		}
	}
}
