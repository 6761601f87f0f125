package cdcl

import (
	"cmp"
	"slices"

	"sator/dimacs"
)

// Vivification asks propagation which literals of a clause it could do without
// (Piette, Hamadi, Saïs, "Vivifying propositional clausal formulae", ECAI 2008;
// of learned clauses, as done here: Luo, Li, Xiao, Manyà, Lü, "An effective
// learnt clause minimization approach for CDCL SAT solvers", IJCAI 2017; of all
// kinds: Li, Xiao, Luo, Manyà, Lü, Li, "Clause vivification by approximate
// residual entailment", AIJ 2020).
//
// The complements of its literals are decided one after the other while the
// clause itself is ignored, until one of these things happens:
//
//   - A clause is falsified. Analysis follows its literals back to the decisions;
//     their complements are a clause, which is part of the candidate.
//   - A literal of the candidate becomes true. With the complements of the
//     decisions that imply it, it is such a clause too.
//   - All are false. Those that were implied can go.
//
// If nothing can go, the first two still say that the other clauses imply the
// candidate, by propagation alone. Then it is dropped, unless it is of the formula
// and learned clauses took part: these may be dropped as well one day. And if
// analysis meets a clause all of whose literals are in the candidate, the
// candidate is subsumed.
//
// Decisions are what this costs. Literals are decided in the order of how often
// they occur in the candidates, and candidates are tried in the order of the
// literals so arranged. So one often begins as the one before it did, and those
// decisions are kept (as in CaDiCaL).
//
// Learned clauses are worth more effort the better they are, so that they come
// in tiers (reduce.go), each with a share of the budget; what a tier leaves the
// next ones have. The candidates of a tier that were not tried yet come first.
// When all were, a new lap begins. They come in batches, since a tier may have many
// more than there is budget for.
//
// On circuits about a third of the clauses of the better two tiers that were tried
// got shorter, for as long as the search went on. On seven formulas (pipelines, an
// arbiter, MD5, a miter of multipliers), with two seeds each and with the other
// passes on, 20 % of the ticks of search spared 18 % of them; conflicts were as
// many, and cheaper. 10 % spared 9 %. With the one seed tried, 30 % spared less
// than 20 %, and without the clauses of the formula 20 % spared next to nothing.

// A vivifyTier is a kind of candidates.
type vivifyTier int

const (
	vivifyTier1 vivifyTier = iota
	vivifyTier2
	vivifyTier3
	vivifyIrredundant
	vivifyTiers
)

// vivifyShares are what the tiers have of the budget.
var vivifyShares = [vivifyTiers]int64{3, 3, 1, 3}

// candidateMark is the mark of the variable of a candidate's literal, the bit
// above it that of the variable of a negated one.
const candidateMark = 1 << 6

// A vivifier is one run of the pass.
type vivifier struct {
	s        *Solver
	limit    int64        // ticks at which the present tier ends
	counts   []uint32     // by literal: occurrences in the candidates
	schedule []candidate  // of the present tier
	lits     []dimacs.Lit // their literals
	learned  bool         // redundant clauses took part in what analysis found
}

// A candidate is a clause to be vivified; its literals are arranged[from:to].
type candidate struct{ ref, from, to uint32 }

func (s *Solver) vivify(budget int64) {
	v := vivifier{s: s, counts: make([]uint32, len(s.watches))}
	end := s.stats.Ticks + budget
	shares := int64(0)
	for _, n := range vivifyShares {
		shares += n
	}
	for t, n := range vivifyShares {
		v.limit = s.stats.Ticks + (end-s.stats.Ticks)*n/shares
		shares -= n
		v.run(vivifyTier(t))
		if s.stopped || s.inconsistent {
			return
		}
	}
}

// run vivifies candidates of a tier until its budget is used or all were tried.
func (v *vivifier) run(t vivifyTier) {
	for lap := true; v.s.stats.Ticks < v.limit && v.choose(t, lap); lap = false {
		v.sortCandidates()
		for i := range v.schedule {
			if v.s.stats.Ticks >= v.limit || v.s.stopped || v.s.inconsistent {
				break
			}
			v.try(&v.schedule[i])
		}
		v.s.backtrack(0)
		for _, l := range v.lits {
			v.counts[l] = 0
		}
		if v.s.stopped || v.s.inconsistent {
			return
		}
	}
}

// To sort a candidate costs about as much as a few cache misses. A batch has not
// many more candidates than there is budget for, and never so many that sorting
// them keeps a call from being stopped.
const (
	candidateTicks = 8
	batchTicks     = 64 // of the budget, for each candidate
	largestBatch   = 1 << 14
)

// choose fills the schedule with candidates that were not tried in this lap, or if
// there are none and a lap may begin, with those that have been. It reports whether
// there are any.
func (v *vivifier) choose(t vivifyTier, lap bool) bool {
	most := int(min((v.limit-v.s.stats.Ticks)/batchTicks+1, largestBatch))
	v.schedule = v.schedule[:0]
	tried := 0
	v.eachCandidate(t, func(r uint32) bool {
		if v.s.arena[r]&triedBit != 0 {
			tried++
			return true
		}
		v.schedule = append(v.schedule, candidate{ref: r})
		return len(v.schedule) < most
	})
	if len(v.schedule) > 0 || tried == 0 || !lap {
		return len(v.schedule) > 0
	}
	v.eachCandidate(t, func(r uint32) bool {
		v.s.arena[r] &^= triedBit
		if len(v.schedule) < most {
			v.schedule = append(v.schedule, candidate{ref: r})
		}
		return true
	})
	return true
}

// eachCandidate calls f with the clauses of a tier until it says false.
func (v *vivifier) eachCandidate(t vivifyTier, f func(r uint32) bool) {
	start := v.s.learnedStart
	if t == vivifyIrredundant {
		start = 2
	}
	steps := 0
	limits := &v.s.tier[v.s.mode()]
	v.s.eachClause(start, func(r uint32) bool {
		if steps++; v.s.pausing(steps) {
			return false
		}
		h := v.s.arena[r]
		return h&garbageBit != 0 || tierOf(h, limits) != t || f(r)
	})
	v.s.stats.Ticks += int64(steps >> 3)
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

// sortCandidates sorts the literals of each candidate by the number of candidates they
// are in, and the schedule by these literals.
func (v *vivifier) sortCandidates() {
	v.lits = v.lits[:0]
	for i := range v.schedule {
		c := &v.schedule[i]
		c.from = uint32(len(v.lits))
		for _, w := range v.s.lits(c.ref) {
			v.lits = append(v.lits, dimacs.Lit(w))
			v.counts[w]++
		}
		c.to = uint32(len(v.lits))
	}
	for i := range v.schedule {
		slices.SortFunc(v.litsOf(&v.schedule[i]), v.compareLits)
	}
	slices.SortFunc(v.schedule, func(a, b candidate) int {
		return slices.CompareFunc(v.litsOf(&a), v.litsOf(&b), v.compareLits)
	})
	v.s.stats.Ticks += candidateTicks * int64(len(v.schedule))
}

// litsOf returns the literals of a candidate as arranged.
func (v *vivifier) litsOf(c *candidate) []dimacs.Lit { return v.lits[c.from:c.to] }

// compareLits tells which of two literals is decided first.
func (v *vivifier) compareLits(a, b dimacs.Lit) int {
	if c := cmp.Compare(v.counts[b], v.counts[a]); c != 0 {
		return c
	}
	return cmp.Compare(a, b)
}

// try vivifies a candidate.
func (v *vivifier) try(c *candidate) {
	lits := v.litsOf(c)
	v.s.arena[c.ref] |= triedBit
	if v.satisfied(lits) {
		return
	}
	v.s.stats.VivifyTried++
	for _, l := range lits {
		v.s.mark(uint32(l>>1), candidateMark<<(l&1))
	}
	v.reuseDecisions(c.ref, lits)
	v.s.ignored = c.ref
	v.learned = false
	implied, falsified := v.falsify(lits)
	if !v.s.stopped {
		v.conclude(c.ref, implied, falsified)
	}
	v.unignore()
	v.s.unmark()
}

// satisfied reports whether a literal is true at the root.
func (v *vivifier) satisfied(lits []dimacs.Lit) bool {
	return slices.ContainsFunc(lits, func(l dimacs.Lit) bool {
		return v.s.vals[l] > 0 && v.s.vars[l>>1].level == 0
	})
}

// inCandidate reports whether l is inCandidate the candidate.
func (v *vivifier) inCandidate(l dimacs.Lit) bool { return v.s.marks[l>>1]&(candidateMark<<(l&1)) != 0 }

// reuseDecisions goes back to where all decisions are complements of literals of the
// candidate at r, and it implies nothing.
func (v *vivifier) reuseDecisions(r uint32, lits []dimacs.Lit) {
	for i := 1; i < len(v.s.levels); i++ {
		if !v.inCandidate(v.s.levels[i].decision ^ 1) {
			v.s.backtrack(i - 1)
			break
		}
	}
	for _, l := range lits {
		if x := &v.s.vars[l>>1]; v.s.vals[l] > 0 && x.reason == mkWatch(0, r) {
			v.s.backtrack(int(x.level) - 1)
			break
		}
	}
	v.s.stats.VivifyKept += int64(len(v.s.levels) - 1)
}

// falsify decides complements of literals until one of them is implied, a clause
// is falsified, or none is left. It returns the true one if there is any.
func (v *vivifier) falsify(lits []dimacs.Lit) (implied dimacs.Lit, falsified bool) {
	for _, l := range lits {
		switch {
		case v.s.vals[l] > 0:
			return l, false
		case v.s.vals[l] < 0:
			continue
		}
		v.s.decideLit(l ^ 1)
		v.s.stats.VivifyDecisions++
		if !v.s.propagate() {
			return noLit, true
		}
		if v.s.stopped {
			break
		}
	}
	return noLit, false
}

// unignore makes the candidate take part in propagation again, at levels that do
// not make it unit.
func (v *vivifier) unignore() {
	r := v.s.ignored
	v.s.ignored = 0
	if r == 0 || v.s.arena[r]&garbageBit != 0 {
		return
	}
	for _, w := range v.s.lits(r)[:2] {
		if lev := v.s.vars[w>>1].level; v.s.vals[w] < 0 && lev > 0 {
			v.s.backtrack(int(lev) - 1)
		}
	}
}
