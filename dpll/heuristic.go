package dpll

import (
	"slices"

	"sator/dimacs"
)

// A heuristic chooses the literal that is tried first at a node; its complement
// is tried if that fails. What it goes by is the formula as it stands at the
// node: the open clauses, which have no true literal, each with its unassigned
// literals. Propagation is complete there, so that every open clause has two or
// more of them. A heuristic sees nothing else: not the order of the trail, nor
// how clauses are watched. That is why it makes the same tree in any DPLL, the
// plain one of the tests included.
//
// When no clause is open there is nothing to choose, and what is assigned is a
// model whatever becomes of the other variables.
//
// To add a heuristic, write a function and a line in the table.

// A Heuristic is a rule for decisions.
type Heuristic struct {
	Name    string   // lower case
	Aliases []string // other names for it
	Help    string   // what it does, in a line
	Formula string   // what it maximizes, if that can be said so: c is an open clause, |c| its length
	Source  string   // where it comes from

	counts   bool                    // it goes by the lengths of clauses
	positive bool                    // only clauses without negations are candidates
	weight   func(length int) uint64 // of an open clause in the scores of its literals
	occurs   bool                    // it asks in which clauses a literal occurs
	choose   func(*Solver) (l dimacs.Lit, ok bool)
}

// Heuristics lists the heuristics by name.
var Heuristics = []Heuristic{
	{
		Name:    "dlcs",
		Help:    "the variable with most occurrences in open clauses, as the literal with more of them",
		Formula: "occ(x) + occ(-x), where occ(l) = |{c : l in c}|",
		Source:  "dynamic largest combined sum: Marques-Silva, The impact of branching heuristics in propositional satisfiability algorithms, EPIA 1999",
		counts:  true, weight: one, choose: (*Solver).combined,
	},
	{
		Name:    "dlis",
		Help:    "the literal with most occurrences in open clauses",
		Formula: "occ(l) = |{c : l in c}|",
		Source:  "dynamic largest individual sum: Marques-Silva, The impact of branching heuristics in propositional satisfiability algorithms, EPIA 1999",
		counts:  true, weight: one, choose: (*Solver).individual,
	},
	{
		Name:   "first",
		Help:   "the first literal of the first open clause, both as they were given",
		Source: "DPLL without a heuristic",
		choose: (*Solver).first,
	},
	{
		Name:    "jw1",
		Aliases: []string{"jw"},
		Help:    "the literal with most weight in open clauses, short ones weighing more",
		Formula: "J(l) = sum of 2^-|c| over c with l in c",
		Source:  "Jeroslow and Wang, Solving propositional satisfiability problems, Annals of Mathematics and AI 1, 1990",
		counts:  true, weight: jeroslowWang, choose: (*Solver).individual,
	},
	{
		Name:    "jw2",
		Help:    "the variable with most weight in open clauses, as the literal with more of it",
		Formula: "J(x) + J(-x), where J(l) = sum of 2^-|c| over c with l in c",
		Source:  "two-sided Jeroslow-Wang: Hooker and Vinay, Branching rules for satisfiability, Journal of Automated Reasoning 15, 1995",
		counts:  true, weight: jeroslowWang, choose: (*Solver).combined,
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
		Aliases: []string{"weighted", "weighted_occurrences"},
		Help:    "the literal with fewest occurrences in open clauses, but at least one",
		Formula: "-occ(l), where occ(l) = |{c : l in c}| > 0",
		Source:  "minimum occurrences: the study of DPLL heuristics on Sudokus, Vrije Universiteit Amsterdam, with counts of the node and not of the whole run",
		counts:  true, weight: one, choose: (*Solver).fewest,
	},
	{
		Name:    "mom",
		Aliases: []string{"moms"},
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
		occurs: true, choose: (*Solver).drawn,
	},
	{
		Name:   "shortest",
		Help:   "the first literal of the shortest open clause, of any kind",
		Source: "Davis, Logemann, Loveland, A machine program for theorem-proving, CACM 5, 1962, where one-literal clauses come first",
		counts: true, choose: (*Solver).shortestAny,
	},
}

// FindHeuristic returns the heuristic with a name or an alias.
func FindHeuristic(name string) (*Heuristic, bool) {
	i := slices.IndexFunc(Heuristics, func(h Heuristic) bool {
		return h.Name == name || slices.Contains(h.Aliases, name)
	})
	if i < 0 {
		return nil, false
	}
	return &Heuristics[i], true
}

// one is the weight for which scores are numbers of occurrences.
func one(int) uint64 { return 1 }

// jeroslowWangScale makes whole numbers of the weights 2^-length. Longer clauses
// weigh as much as one of this length, and sums stay within 64 bits for 2^26
// short clauses.
const jeroslowWangScale = 40

func jeroslowWang(length int) uint64 {
	return 1 << max(0, jeroslowWangScale-length)
}

// first chooses the first unassigned literal of the first open clause. Clauses
// before the cursor are not open at this node nor below it.
func (s *Solver) first() (dimacs.Lit, bool) {
	if !s.seekOpen() {
		return 0, false
	}
	return s.unassigned(s.cursor), true
}

// seekOpen moves the cursor to the first open clause. It reports false if there
// is none.
func (s *Solver) seekOpen() bool {
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

// drawn draws a variable that occurs in an open clause, each with the same
// probability, and one of its literals. It draws from all variables until it
// meets one; when that takes long, it lists those that there are.
func (s *Solver) drawn() (dimacs.Lit, bool) {
	if !s.seekOpen() {
		return 0, false
	}
	candidate := func(v int) bool {
		l := dimacs.Lit(2 * v)
		return s.vals[l] == 0 && (s.needed(l) || s.needed(l^1))
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

// drawTries is how often the heuristic random draws a variable before it lists
// the candidates.
const drawTries = 32

// shortestAny chooses the first unassigned literal of the first among the
// shortest open clauses.
//
// On Sudokus, that is said to be no better than brute force (Sudoku: Cohen vs my
// reading ability, 2012): the clauses that say "not both" have two literals
// from the start, always win, and then each step only takes a digit from a
// cell. That is true, but it is a matter of ties. With propagation to its
// fixpoint, in all 2465 puzzles that were tried there was a positive clause of
// two literals, two places left for something, whenever there was something to
// decide. If the positive clauses come first, they win the ties, and the rule
// decides as the heuristic positive does. If the negative ones come first, they
// do, and it decides as the heuristic first: brute force. With the clauses
// shuffled it is worse than that. Backtracks for a thousand puzzles with 17
// givens and for the 1465 of the list top1465, mean and 90th percentile:
//
//	positive                             4.7     8     27    61
//	shortest, positive clauses first     4.7     8     27    61
//	shortest, negative clauses first    12      26     41    90
//	shortest, clauses shuffled       16-21   22-32   177-184 383-404
//	lph: any literal of them, drawn      8.4    16     67   165
//	first, negative clauses first       12      26     41    90
//
// Half of the puzzles with 17 givens take no backtrack with any of these.
// TestSudokuFigures has the distributions.
func (s *Solver) shortestAny() (dimacs.Lit, bool) {
	at, length := s.counts.shortest()
	if length >= taken {
		return 0, false
	}
	return s.unassigned(s.counts.ids[at]), true
}

// shortestPositive chooses the first unassigned literal of the first among the
// shortest open clauses whose unassigned literals are all positive. When there
// is none, making every variable false that is left is a model, and the first
// negation of the first open clause is a step on this way.
//
// In an exact cover problem, rows are variables, and columns are clauses that say
// that one of these rows is chosen; that at most one is, takes clauses with
// negations. So the shortest positive clause is Knuth's column with the fewest
// rows. On Sudokus with the extended encoding, the columns are the cells, and
// the digits in each row, column and box; with the minimal and the efficient
// encoding, the cells alone, as in solvers that branch on the cell with the
// fewest digits.
func (s *Solver) shortestPositive() (dimacs.Lit, bool) {
	at, length := s.counts.shortest()
	if length < taken {
		return s.unassigned(s.counts.ids[at]), true
	}
	if !s.seekOpen() {
		return 0, false
	}
	for _, l := range s.at(s.cursor) {
		if l.Neg() && s.vals[l] == 0 {
			return l, true
		}
	}
	panic("dpll: an open clause without negations is no candidate of the heuristic positive")
}

// lengthPriority draws from the literals of all shortest open clauses, each with
// the same probability however many of these it is in.
func (s *Solver) lengthPriority() (dimacs.Lit, bool) {
	_, length := s.counts.shortest()
	if length >= taken {
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

// eachShortest visits the unassigned literals of all open clauses of a length.
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

// maximumMinimum chooses the variable with the greatest value of the formula of
// mom, the first of them, as the literal that is in more of the shortest open
// clauses, or the positive one.
func (s *Solver) maximumMinimum() (best dimacs.Lit, ok bool) {
	_, length := s.counts.shortest()
	if length >= taken {
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

// greater returns the positive literal l, with the value p, or its complement if
// that has a greater one.
func greater(l dimacs.Lit, p, n uint64) dimacs.Lit {
	if n > p {
		return l ^ 1
	}
	return l
}

// individual chooses the unassigned literal with the highest score, the first of
// them.
func (s *Solver) individual() (best dimacs.Lit, ok bool) {
	most := uint64(0)
	for l, score := range s.counts.scores {
		if score > most && s.vals[l] == 0 {
			best, most = dimacs.Lit(l), score
		}
	}
	return best, most > 0
}

// combined chooses the unassigned variable with the highest sum of scores, the
// first of them, as the literal with the higher one, or the positive one.
func (s *Solver) combined() (best dimacs.Lit, ok bool) {
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

// fewest chooses the unassigned literal with the lowest score above zero, the
// first of them.
func (s *Solver) fewest() (best dimacs.Lit, ok bool) {
	least := uint64(taken)
	for l, score := range s.counts.scores {
		if 0 < score && score < least && s.vals[l] == 0 {
			best, least = dimacs.Lit(l), score
		}
	}
	return best, least < taken
}
