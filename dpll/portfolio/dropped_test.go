package portfolio

import (
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/internal/dplltest"
)

// A call of a race with OneShot may end while some solvers have introduced variables and others
// are not loaded. The solvers of the next call are new, and the variables that they introduce
// must be fresh in the proof, too.
func TestDroppedVariables(t *testing.T) {
	o := cdcl.Options{}
	o.OneShot, o.InprocessInterval, o.Lucky, o.NoFactor, o.NoCardinality, o.NoSymmetry = true, 5, cdcl.LuckyOff, true, true, true
	o.Proof = dplltest.NewRATRecorder(false)
	r := NewRace(Options{Threads: 2, Solver: o})
	const pigeons, holes = 8, 7
	for p := range pigeons {
		var some []dimacs.Lit
		for h := range holes {
			l := dimacs.Var(p*holes + h).Lit()
			some = append(some, l)
			for q := range p {
				r.Add(l.Not(), dimacs.Var(q*holes+h).Lit().Not())
			}
		}
		r.Add(some...)
	}
	r.SetLimits(cdcl.Limits{Rounds: 3})
	introduced := func(k int) dimacs.Lit {
		fresh := dimacs.Lit(2 * (len(r.simplified.leaderLits) + k))
		return r.proofs[1].renumbered([]dimacs.Lit{fresh})[0]
	}
	last := dimacs.Lit(0)
	for range 3 {
		if answer := r.Solve(t.Context()); answer != dimacs.Unknown || r.simplified == nil {
			t.Fatalf("%v, simplified: %v", answer, r.simplified != nil)
		}
		if first := introduced(0); first <= last {
			t.Fatalf("variable %v follows %v", first, last)
		}
		const n = 3
		r.solvers[1].Grow(len(r.simplified.leaderLits) + n) // as if it had introduced n variables
		last = introduced(n - 1)
		r.incomplete = true // as if another solver had not been loaded
	}
}
