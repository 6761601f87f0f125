package classic

import (
	"slices"

	"sator/dimacs"
)

// Decision heuristics (branching rules). A heuristic chooses the literal of the
// first branch; the second branch has its complement. It depends on the formula of
// the node alone: on the unassigned literals of the open clauses, which are the
// clauses without a true literal. Propagation is complete, so that each open clause
// has at least two unassigned literals. A heuristic uses neither the order of the trail nor the
// watches, and therefore makes the same tree in any DPLL program, such as the
// plain one of the tests.
//
// When no clause is open there is no decision, and the assignment is a model for
// all values of the unassigned variables.
//
// To add a heuristic, write a function and add a row to the table.

// A Heuristic is a rule for decisions.
type Heuristic struct {
	Name    string // in lower case
	Help    string // one line about its choice
	Formula string // the function that it maximizes, if there is one: c is an open clause, |c| its length
	Source  string // its origin, as a reference

	counts   bool                                  // it needs the lengths of clauses
	positive bool                                  // only clauses without negations are candidates
	weight   func(length int) uint64               // the weight of an open clause in the scores of its literals, or nil
	occurs   bool                                  // it needs occurrence lists
	choose   func(*Solver) (l dimacs.Lit, ok bool) // the choice; false if no clause is open
}

// Heuristics lists the heuristics by name.
var Heuristics = []Heuristic{
	{
		Name:    "dlcs",
		Help:    "the variable with most occurrences in open clauses, as the literal with more of them",
		Formula: "occ(x) + occ(-x), where occ(l) = |{c : l in c}|",
		Source:  "dynamic largest combined sum: Marques-Silva, The impact of branching heuristics in propositional satisfiability algorithms, EPIA 1999",
		counts:  true, weight: one, choose: (*Solver).maxVariable,
	},
	{
		Name:    "dlis",
		Help:    "the literal with most occurrences in open clauses",
		Formula: "occ(l) = |{c : l in c}|",
		Source:  "dynamic largest individual sum: Marques-Silva, The impact of branching heuristics in propositional satisfiability algorithms, EPIA 1999",
		counts:  true, weight: one, choose: (*Solver).maxLiteral,
	},
	{
		Name:   "first",
		Help:   "the first literal of the first open clause, both as they were given",
		Source: "DPLL without a heuristic",
		choose: (*Solver).first,
	},
	{
		Name:    "jw1",
		Help:    "the literal with most weight in open clauses, short ones weighing more",
		Formula: "J(l) = sum of 2^-|c| over c with l in c",
		Source:  "Jeroslow and Wang, Solving propositional satisfiability problems, Annals of Mathematics and AI 1, 1990",
		counts:  true, weight: jeroslowWang, choose: (*Solver).maxLiteral,
	},
	{
		Name:    "jw2",
		Help:    "the variable with most weight in open clauses, as the literal with more of it",
		Formula: "J(x) + J(-x), where J(l) = sum of 2^-|c| over c with l in c",
		Source:  "two-sided Jeroslow-Wang: Hooker and Vinay, Branching rules for satisfiability, Journal of Automated Reasoning 15, 1995",
		counts:  true, weight: jeroslowWang, choose: (*Solver).maxVariable,
	},
	{
		Name:    "lph",
		Help:    "a literal of a shortest open clause, drawn at random among all such literals",
		Formula: "1/|c| for l in c",
		Source:  "length priority: the study of DPLL heuristics on Sudokus, Vrije Universiteit Amsterdam",
		counts:  true, choose: (*Solver).lengthPriority,
	},
	{
		Name:    "moh",
		Help:    "the literal with fewest occurrences in open clauses, but at least one",
		Formula: "-occ(l), where occ(l) = |{c : l in c}| > 0",
		Source:  "minimum occurrences: the study of DPLL heuristics on Sudokus, Vrije Universiteit Amsterdam, with counts of the node and not of the whole run",
		counts:  true, weight: one, choose: (*Solver).minLiteral,
	},
	{
		Name:    "mom",
		Help:    "the variable with most occurrences in shortest open clauses, both literals if possible",
		Formula: "(f(x) + f(-x)) 2^k + f(x) f(-x), where f(l) = |{c : l in c, |c| least}|",
		Source:  "maximum occurrences in clauses of minimum size: Freeman, Improvements to propositional satisfiability search algorithms, PhD thesis, 1995",
		counts:  true, choose: (*Solver).maximumMinimum,
	},
	{
		Name:   "positive",
		Help:   "the first literal of the shortest open clause that has no negations",
		Source: "Cohen's Sudoku solver; Knuth's choice of a column in exact cover, arXiv cs/0011047",
		counts: true, positive: true, choose: (*Solver).shortestPositive,
	},
	{
		Name:   "random",
		Help:   "a variable of an open clause, and its value, drawn at random",
		Source: "what others are compared with",
		occurs: true, choose: (*Solver).randomLiteral,
	},
	{
		Name:   "shortest",
		Help:   "the first literal of the shortest open clause, of any kind",
		Source: "Davis, Logemann, Loveland, A machine program for theorem-proving, CACM 5, 1962, where one-literal clauses come first",
		counts: true, choose: (*Solver).shortestAny,
	},
}

// FindHeuristic returns the heuristic with that name.
func FindHeuristic(name string) (*Heuristic, bool) {
	i := slices.IndexFunc(Heuristics, func(h Heuristic) bool { return h.Name == name })
	if i < 0 {
		return nil, false
	}
	return &Heuristics[i], true
}

// one is the weight that makes scores numbers of occurrences.
func one(int) uint64 { return 1 }

// jeroslowWangScale is the binary logarithm of the factor that makes the weights
// 2^-length integers. Clauses longer than it have the weight 1. Open clauses have at
// least two literals, so that sums over fewer than 2^26 clauses fit in 64 bits.
const jeroslowWangScale = 40

// jeroslowWang is the weight of Jeroslow and Wang, 2^-length, scaled.
func jeroslowWang(length int) uint64 {
	return 1 << max(0, jeroslowWangScale-length)
}

// first chooses the first unassigned literal of the first open clause.
func (s *Solver) first() (dimacs.Lit, bool) {
	if !s.advanceCursor() {
		return 0, false
	}
	return s.unassigned(s.cursor), true
}

// advanceCursor moves the cursor to the first open clause. Clauses before the
// cursor are satisfied at this node and below it. It reports false if no clause is
// open.
func (s *Solver) advanceCursor() bool {
	from := s.cursor
	n := uint32(len(s.starts) - 1)
	for s.cursor < n && !s.open(s.cursor) {
		s.cursor++
	}
	s.spend(int(s.cursor - from))
	return s.cursor < n
}

// unassigned returns the first unassigned literal of an open clause.
func (s *Solver) unassigned(c uint32) dimacs.Lit {
	lits := s.at(c)
	return lits[slices.IndexFunc(lits, func(l dimacs.Lit) bool { return s.vals[l] == 0 })]
}

// randomLiteral draws a variable that occurs in an open clause, uniformly, and one
// of its literals. It draws from all variables until the variable occurs in an
// open clause; after drawTries draws it lists the candidates.
func (s *Solver) randomLiteral() (dimacs.Lit, bool) {
	if !s.advanceCursor() {
		return 0, false
	}
	candidate := func(v int) bool {
		l := dimacs.Lit(2 * v)
		return s.vals[l] == 0 && (s.inOpenClause(l) || s.inOpenClause(l^1))
	}
	for range drawTries {
		if v := s.random.IntN(len(s.reasons)); candidate(v) {
			return dimacs.Lit(2*v + s.random.IntN(2)), true
		}
	}
	var all []int
	for v := range s.reasons {
		if candidate(v) {
			all = append(all, v)
		}
	}
	s.spend(len(s.reasons))
	v := all[s.random.IntN(len(all))]
	return dimacs.Lit(2*v + s.random.IntN(2)), true
}

// drawTries is the number of draws of the heuristic random before it lists the
// candidates.
const drawTries = 32

// shortestAny chooses the first unassigned literal of the first of the shortest open
// clauses.
//
// On Sudokus this rule is said to be no better than brute force (Sudoku: Cohen vs
// my reading ability, 2012): the at-most-one clauses have two literals from the
// start and always win, and each decision only removes a digit from a cell. That
// depends on how ties are broken. In all 2465 puzzles of the measurement, at every
// decision, propagation had left a positive clause with two literals: a cell with
// two digits, or a digit with two cells in a house. If the positive clauses are
// first in the formula, they win the ties, and the rule decides as the heuristic
// positive does. If the negative clauses are first, it decides as the heuristic
// first: brute force. With the clauses shuffled it is worse than brute force.
// Backtracks for 1000 puzzles with 17 givens and for the 1465 puzzles of the list
// top1465, each with mean and 90th percentile:
//
//	positive                             4.7     8     27    61
//	shortest, positive clauses first     4.7     8     27    61
//	shortest, negative clauses first    12      26     41    90
//	shortest, clauses shuffled       16-21   22-32   177-184 383-404
//	lph: a random literal of them        8.4    16     67   165
//	first, negative clauses first       12      26     41    90
//
// Half of the puzzles with 17 givens take no backtrack with any of these rules.
// TestSudokuFigures computes the distributions.
func (s *Solver) shortestAny() (dimacs.Lit, bool) {
	at, length := s.counts.shortest()
	if length >= excluded {
		return 0, false
	}
	return s.unassigned(s.counts.ids[at]), true
}

// shortestPositive chooses the first unassigned literal of the first of the shortest
// positive clauses: open clauses whose unassigned literals are all positive. If there
// is no positive clause, making all other variables false gives a model; it then
// chooses the first unassigned negation of the first open clause.
//
// In the encoding of an exact cover problem, a variable is a row and a positive
// clause is a column: at least one of its rows is chosen. Clauses with negations
// say that at most one is. The shortest positive clause is then Knuth's column
// with the fewest rows. In the extended encoding of Sudoku, the columns are the
// cells and the digits of each row, column and box. In the minimal and the
// efficient encoding they are the cells alone, as in solvers that branch on the
// cell with the fewest digits.
func (s *Solver) shortestPositive() (dimacs.Lit, bool) {
	at, length := s.counts.shortest()
	if length < excluded {
		return s.unassigned(s.counts.ids[at]), true
	}
	if !s.advanceCursor() {
		return 0, false
	}
	for _, l := range s.at(s.cursor) {
		if l.Neg() && s.vals[l] == 0 {
			return l, true
		}
	}
	panic("classic: an open clause without negations is no candidate of the heuristic positive")
}

// lengthPriority draws uniformly from the set of unassigned literals of the
// shortest open clauses.
func (s *Solver) lengthPriority() (dimacs.Lit, bool) {
	_, length := s.counts.shortest()
	if length >= excluded {
		return 0, false
	}
	candidates := s.clause[:0]
	s.eachShortest(length, func(l dimacs.Lit) {
		if bit := uint8(1) << (l & 1); s.marks[l>>1]&bit == 0 {
			s.marks[l>>1] |= bit
			candidates = append(candidates, l)
		}
	})
	for _, l := range candidates {
		s.marks[l>>1] = 0
	}
	s.clause = candidates
	slices.Sort(candidates)
	return candidates[s.random.IntN(len(candidates))], true
}

// eachShortest calls visit for the unassigned literals of all open clauses of the
// least length, clause by clause.
func (s *Solver) eachShortest(length uint64, visit func(dimacs.Lit)) {
	for i, key := range s.counts.keys {
		if key != length {
			continue
		}
		for _, l := range s.at(s.counts.ids[i]) {
			if s.vals[l] == 0 {
				visit(l)
			}
		}
	}
}

// maximumMinimum chooses the first variable with the greatest value of the formula
// of mom, with the literal that is in more of the shortest open clauses; the
// positive literal wins ties.
func (s *Solver) maximumMinimum() (best dimacs.Lit, ok bool) {
	_, length := s.counts.shortest()
	if length >= excluded {
		return 0, false
	}
	f := lengthen(s.counts.scores[:0], len(s.vals))
	s.counts.scores = f
	clear(f)
	s.eachShortest(length, func(l dimacs.Lit) { f[l]++ })
	most := uint64(0)
	for l := 0; l < len(f); l += 2 {
		p, n := f[l], f[l+1]
		if value := (p+n)<<s.opts.MomK + p*n; value > most {
			best, most = greater(dimacs.Lit(l), p, n), value
		}
	}
	return best, true
}

// greater returns the positive literal l, which has the value p, or its complement
// if the value n of the complement is greater.
func greater(l dimacs.Lit, p, n uint64) dimacs.Lit {
	if n > p {
		return l ^ 1
	}
	return l
}

// maxLiteral chooses the first unassigned literal with the highest score.
func (s *Solver) maxLiteral() (best dimacs.Lit, ok bool) {
	most := uint64(0)
	for l, score := range s.counts.scores {
		if score > most && s.vals[l] == 0 {
			best, most = dimacs.Lit(l), score
		}
	}
	return best, most > 0
}

// maxVariable chooses the first unassigned variable with the highest sum of the
// scores of its literals, with the literal of the higher score; the positive
// literal wins ties.
func (s *Solver) maxVariable() (best dimacs.Lit, ok bool) {
	most := uint64(0)
	scores := s.counts.scores
	for l := 0; l < len(scores); l += 2 {
		p, n := scores[l], scores[l+1]
		if p+n > most && s.vals[l] == 0 {
			best, most = greater(dimacs.Lit(l), p, n), p+n
		}
	}
	return best, most > 0
}

// minLiteral chooses the first unassigned literal with the lowest score above
// zero.
func (s *Solver) minLiteral() (best dimacs.Lit, ok bool) {
	least := uint64(excluded)
	for l, score := range s.counts.scores {
		if 0 < score && score < least && s.vals[l] == 0 {
			best, least = dimacs.Lit(l), score
		}
	}
	return best, least < excluded
}
