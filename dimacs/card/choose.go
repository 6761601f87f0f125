package card

import (
	"math"

	"sator/dimacs"
)

// The choice of an encoding. Let n be the number of literals and k the smaller one of the
// bound and its complement: at least n-k are at most k of the complements.
//
// At most one is pairwise up to pairsMost literals and commander beyond. Up to this
// number solvers are faster with pairs, which cost no variables and no steps of
// propagation: on Sudokus of 100x100, whose groups have up to about 30 candidates, they
// take 0.4 s with pairs and 1 to 1.8 s with any other encoding used from 16 literals on.
// Commander then has the fewest clauses.
//
// For larger k, pairs are taken as long as they have at most 2nk clauses, as many as the
// sequential counter, which is so for few literals only. These are the clauses of the
// bound at most k, with the new variables in parentheses (TestSizes compares them):
//
//	  n    k       sequential          totalizer             modulo            network
//	 20    2        90     (37)       104     (49)       131     (68)       125     (77)
//	 20    5       180     (85)       166     (66)       141     (67)       209    (134)
//	 20   10       290    (145)       234     (79)       168     (69)       259    (169)
//	100    2       490    (197)       556    (261)       691    (360)       681    (421)
//	100   10      1970    (945)      1472    (437)       948    (365)      1577   (1021)
//	100   50      7450   (3725)      4398    (623)      1552    (433)      2901   (1917)
//	500    5      5460   (2485)      4730   (1750)      3753   (1635)      5693   (3630)
//	500   50     47850  (23725)     27428   (3253)      8728   (2333)     16115  (10593)
//
// The sequential counter has the fewest clauses for small k, and is chosen up to
// sequentialMost. The totalizer is chosen for larger k while its clauses are not too
// many: it has a third of the variables of the network, and shorter chains of
// propagation. From totalizerClauses on, where it has nearly twice the clauses of the
// network, the network is chosen. The modulo totalizer has the fewest clauses for large
// k, but does not propagate, and is never chosen.

const (
	pairsMost        = 32   // at most one: the largest number of literals with pairs
	sequentialMost   = 3    // the largest k for the sequential counter
	totalizerClauses = 5000 // about; n*k/4 of them is the estimate
)

// auto writes a constraint in the encoding that choose returns.
func (e *Encoder) auto(lits []dimacs.Lit, low, high int) {
	n := len(lits)
	switch {
	case high == n && n-low < low: // at most n-low of the complements
		lits, low, high = negated(lits), 0, n-low
	case low > 0 && high < n && n-low < high:
		lits, low, high = negated(lits), n-high, n-low
	}
	if high == 1 { // the lower bound is a clause, if there is one
		e.most1(lits)
		e.least(lits, low)
		return
	}
	choose(n, low, high)(e, lits, low, high)
}

// least writes the clause of a lower bound of 1, and nothing for 0.
func (e *Encoder) least(lits []dimacs.Lit, low int) {
	if low == 1 {
		e.add(lits...)
	}
}

// most1 writes that at most one of the literals is true.
func (e *Encoder) most1(lits []dimacs.Lit) {
	if len(lits) <= pairsMost {
		e.pairs(lits, 0, 1)
		return
	}
	e.commander(lits)
}

// choose returns the function of an encoding, for bounds that are not at most one.
func choose(n, low, high int) func(*Encoder, []dimacs.Lit, int, int) {
	k := high
	if high == n {
		k = low
	}
	switch {
	case pairsClauses(n, low, high) <= 2*float64(n*k):
		return (*Encoder).pairs
	case k <= sequentialMost:
		return (*Encoder).sequential
	case float64(n)*float64(k)/4 <= totalizerClauses:
		return (*Encoder).totalizer
	}
	return (*Encoder).network
}

// pairsClauses returns the number of clauses of the pairwise encoding.
func pairsClauses(n, low, high int) float64 {
	sum := 0.0
	if high < n {
		sum += binomial(n, high+1)
	}
	if low > 0 {
		sum += binomial(n, n-low+1)
	}
	return sum
}

// binomial returns the number of subsets of k of n elements, or infinity.
func binomial(n, k int) float64 {
	ways := 1.0
	for i := range min(k, n-k) {
		ways = ways * float64(n-i) / float64(i+1)
		if ways > 1e9 {
			return math.Inf(1)
		}
	}
	return math.Round(ways)
}
