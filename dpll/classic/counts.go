package classic

import (
	"math"

	"sator/dimacs"
)

// Clause lengths and literal scores for heuristics. Most heuristics choose by the
// lengths of the open clauses, which is their number of unassigned literals. Watched
// literals do not provide lengths, so counters are kept for the heuristics that need
// them.
//
// One key contains the length of a clause and the number of its true literals:
//
//	unassigned literals + excluded * true literals
//
// An assignment of a literal is then one addition for each clause of the literal
// and of its complement, without reading the clause, and the shortest open clause
// is the one with the least key. The keys are updated only when a decision is due:
// most nodes of a search tree are leaves with a conflict, and their literals are
// never counted.
//
// Heuristics by occurrences also need a score for each literal, the sum of a
// weight over the open clauses with the literal. Weights are integers that depend
// on the length of the clause, so that backtracking subtracts exactly the numbers
// that were added.
//
// Tried: a scan of the formula at each decision (slower; BenchmarkCounting).

// excluded is added to the key of a clause for each literal that excludes the clause
// from the candidates: for true literals and, in the heuristic positive, for unassigned
// negative literals.
const excluded = 1 << 32

// counts are the keys of the clauses and the scores of the literals.
type counts struct {
	head    int // index on the trail of the first literal that is not counted
	clauses int // number of clauses when the tables were built, or -1 under construction

	ids     []uint32   // the clauses with a key
	keys    []uint64   // their keys
	lists   [][]uint32 // by literal: its clauses, as indices of ids
	onTrue  [2]uint64  // by sign of a literal: what it adds to the keys of its clauses when it becomes true
	onFalse [2]uint64  // by sign of a literal: what it subtracts from these keys when it becomes false

	weights []uint64 // by length; nil if there are no scores
	scores  []uint64 // by literal
}

// prepare prepares the counts for a call, before the first assignment. It reports
// false if the call was stopped.
func (k *counts) prepare(s *Solver) bool {
	n := len(s.starts) - 1
	if !s.heuristic.counts || k.clauses == n && len(k.lists) == len(s.vals) {
		return true
	}
	if !k.build(s, s.heuristic) {
		return false
	}
	k.clauses = n
	return true
}

// build builds the tables. Unit clauses are left out, since they are satisfied
// when a decision is due. It reports false if the call was stopped.
func (k *counts) build(s *Solver, h *Heuristic) bool {
	*k = counts{clauses: -1, onTrue: [2]uint64{excluded - 1, excluded - 1}, onFalse: [2]uint64{1, 1}}
	if h.positive {
		k.onTrue[1], k.onFalse[1] = 0, excluded
	}
	longest := 0
	sizes := make([]int, len(s.vals))
	for c := range uint32(len(s.starts) - 1) {
		lits := s.at(c)
		if !s.spend(1 + len(lits)) {
			return false
		}
		if len(lits) < 2 || h.positive && negative(lits) == len(lits) {
			continue
		}
		k.ids = append(k.ids, c)
		longest = max(longest, len(lits))
		for _, l := range lits {
			sizes[l]++
		}
	}
	k.lists = make([][]uint32, len(s.vals))
	allocate(k.lists, sizes)
	k.keys = make([]uint64, len(k.ids))
	k.makeWeights(h, longest, len(s.vals))
	for i := range k.ids {
		lits := s.at(k.ids[i])
		if !s.spend(1 + len(lits)) {
			return false
		}
		k.add(uint32(i), lits, h.positive)
	}
	return true
}

// makeWeights makes the tables of weights and scores, if the heuristic has a
// weight.
func (k *counts) makeWeights(h *Heuristic, longest, literals int) {
	if h.weight == nil {
		return
	}
	k.weights = make([]uint64, longest+1)
	for n := range k.weights {
		k.weights[n] = h.weight(n)
	}
	k.scores = make([]uint64, literals)
}

// add adds clause k.ids[i], which has no assigned literals, to the tables.
func (k *counts) add(i uint32, lits []dimacs.Lit, positive bool) {
	k.keys[i] = uint64(len(lits))
	if n := negative(lits); positive {
		k.keys[i] = uint64(len(lits)-n) + excluded*uint64(n)
	}
	for _, l := range lits {
		k.lists[l] = append(k.lists[l], i)
		if k.weights != nil {
			k.scores[l] += k.weights[len(lits)]
		}
	}
}

// negative returns the number of negative literals.
func negative(lits []dimacs.Lit) int {
	n := 0
	for _, l := range lits {
		n += int(l & 1)
	}
	return n
}

// countDue reports whether the heuristic needs counts and there are literals to
// count.
func (s *Solver) countDue() bool {
	return s.heuristic.counts && s.counts.head < len(s.trail) && len(s.trail) < len(s.reasons)
}

// updateCounts counts the literals that were assigned since the last update. It
// returns early if the call is stopped.
func (s *Solver) updateCounts() {
	k := &s.counts
	for ; k.head < len(s.trail); k.head++ {
		l := s.trail[k.head]
		if !s.spend(1 + len(k.lists[l]) + len(k.lists[l^1])) {
			return
		}
		if k.weights != nil {
			s.countWeighted(l)
			continue
		}
		onTrue, onFalse := k.onTrue[l&1], k.onFalse[^l&1]
		for _, i := range k.lists[l] {
			k.keys[i] += onTrue
		}
		for _, i := range k.lists[l^1] {
			k.keys[i] -= onFalse
		}
	}
	if checking {
		s.checkCounts()
	}
}

// undoCounts undoes the counting of the literals on the trail from index to on.
func (s *Solver) undoCounts(to int) {
	k := &s.counts
	for k.head > to {
		k.head--
		l := s.trail[k.head]
		if k.weights != nil {
			s.undoWeighted(l)
			continue
		}
		onTrue, onFalse := k.onTrue[l&1], k.onFalse[^l&1]
		for _, i := range k.lists[l] {
			k.keys[i] -= onTrue
		}
		for _, i := range k.lists[l^1] {
			k.keys[i] += onFalse
		}
	}
}

// countWeighted counts l and updates the scores. A clause that l satisfies no
// longer adds to the scores of its literals. A clause with the complement of l
// becomes shorter and adds the weight of the new length. No clause has both
// literals, so that the order of the loops does not matter.
func (s *Solver) countWeighted(l dimacs.Lit) {
	k := &s.counts
	for _, i := range k.lists[l] {
		if n := k.keys[i]; n < excluded {
			s.score(i, -k.weights[n])
		}
		k.keys[i] += excluded - 1
	}
	for _, i := range k.lists[l^1] {
		if n := k.keys[i]; n < excluded {
			s.score(i, k.weights[n-1]-k.weights[n])
		}
		k.keys[i]--
	}
}

// undoWeighted is the inverse of countWeighted.
func (s *Solver) undoWeighted(l dimacs.Lit) {
	k := &s.counts
	for _, i := range k.lists[l] {
		k.keys[i] -= excluded - 1
		if n := k.keys[i]; n < excluded {
			s.score(i, k.weights[n])
		}
	}
	for _, i := range k.lists[l^1] {
		k.keys[i]++
		if n := k.keys[i]; n < excluded {
			s.score(i, k.weights[n]-k.weights[n-1])
		}
	}
}

// score adds gain, which wraps around if it is negative, to the scores of the
// literals of clause k.ids[i].
func (s *Solver) score(i uint32, gain uint64) {
	if gain == 0 {
		return
	}
	scores := s.counts.scores
	for _, l := range s.at(s.counts.ids[i]) {
		scores[l] += gain
	}
}

// shortest returns the first of the shortest candidates, as an index of ids, and
// its length. If there is no candidate, the length is above all lengths. When a
// decision is due, no open clause is shorter than two.
func (k *counts) shortest() (at int, length uint64) {
	length = math.MaxUint64
	for i, key := range k.keys {
		if key < length {
			at, length = i, key
			if key == 2 {
				break
			}
		}
	}
	if length >= excluded {
		length = math.MaxUint64
	}
	return at, length
}

// bytes returns the size of the tables.
func (k *counts) bytes() int64 {
	n := 4*int64(len(k.ids)) + 8*int64(len(k.keys)+len(k.scores)) + 24*int64(len(k.lists))
	for _, list := range k.lists {
		n += 4 * int64(len(list))
	}
	return n
}
