package maxsat

import (
	"slices"

	"sator/dimacs"
)

// Stratification and hardening (Ansótegui, Bonet, Gabàs and Levy, "Improving SAT-based
// weighted MaxSAT solvers", CP 2012).
//
// The literals of the objective are assumed in strata, those of large weight first. A
// stratum has the weights above half of its largest one, so that a core in it costs at
// least half of the weight of each of its literals, and there are at most as many strata
// as bits in a weight. (A stratum by diversity, as in the paper, is everything at once if
// all weights differ: on 400 random clauses of 80 variables, with weights up to 10^6, the
// lower bound then rose to 108,834 in 10 s. With this rule the optimum, 335,594, took
// 0.1 s.) The models of a stratum bound the optimum from above. A literal whose weight is
// not below the distance of both bounds is true in every better model, and is fixed.

// nextLevel returns the level of the next stratum: weights from it on are assumed. It is 1
// if these are all.
func (s *search) nextLevel(level int64) int64 {
	largest := int64(0)
	for _, w := range s.weights {
		if w < level {
			largest = max(largest, w)
		}
	}
	return largest/2 + 1
}

// harden fixes the literals that every better model satisfies.
func (s *search) harden() {
	if s.o.NoHarden {
		return
	}
	var fixed []dimacs.Lit
	for l, w := range s.weights {
		if w >= s.upper-s.lower {
			fixed = append(fixed, l)
		}
	}
	slices.Sort(fixed)
	for _, l := range fixed {
		s.solver.Add(l)
		delete(s.weights, l)
	}
}
