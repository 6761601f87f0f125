package dplltest

import (
	"math/rand/v2"

	"sator/dimacs"
)

// RandomTrace returns the trace of a seed: it adds the clauses of a small formula in
// portions, with calls of all kinds in between, and ends with a call of Solve without
// limits. It draws settings of the knobs and a kind of proof that proves allows.
func RandomTrace(seed uint64, knobs []Knob, proves ProofSupport) *Trace {
	r := randomSource(seed, forTrace)
	if proves == RATProofs {
		proves = NoProofs // a trace adds clauses between calls
	}
	t := &Trace{
		Settings: RandomSettings(r, knobs),
		Seed:     r.Uint64N(4),
		Proof:    randomProof(r, proves),
	}
	f := Families[r.IntN(len(Families))].Make(r, 1+r.IntN(14))
	for r.IntN(2) == 0 {
		f = irregularities[r.IntN(len(irregularities))](r, f)
	}
	for _, c := range f.Clauses() {
		t.add(Op{Name: "add", Lits: c})
		if r.IntN(1+f.Len()) < 3 {
			t.addRandomCalls(r, f.Vars())
		}
	}
	t.addRandomCalls(r, f.Vars())
	t.add(Op{Name: "limit", Numbers: []int{0, 0, 0}})
	t.add(Op{Name: "solve"})
	t.add(Op{Name: "model"})
	t.add(Op{Name: "failed"})
	return t
}

// add appends a call.
func (t *Trace) add(op Op) { t.Ops = append(t.Ops, op) }

// addRandomCalls appends a few calls, half of them of Solve, with reads of the answer.
func (t *Trace) addRandomCalls(r *rand.Rand, vars int) {
	vars = max(1, vars)
	for r.IntN(4) > 0 {
		switch r.IntN(8) {
		case 0:
			t.add(Op{Name: "grow", Numbers: []int{r.IntN(vars + 4)}})
		case 1:
			t.add(Op{Name: "phase", Lits: []dimacs.Lit{literal(r, vars+2)}})
		case 2:
			t.add(Op{Name: "limit", Numbers: randomLimits(r)})
		case 3:
			t.add(Op{Name: "limit", Numbers: []int{0, 0, 0}})
		default:
			t.add(randomSolve(r, vars))
		}
		for r.IntN(2) == 0 {
			t.add(randomRead(r, vars))
		}
	}
}

// randomLimits draws small limits of some kinds; the others are 0.
func randomLimits(r *rand.Rand) []int {
	limits := make([]int, 3)
	for i := range limits {
		if r.IntN(2) == 0 {
			limits[i] = 1 + r.IntN(1+r.IntN(30))
		}
	}
	return limits
}

// randomSolve draws a call of Solve, in a third of the cases canceled.
func randomSolve(r *rand.Rand, vars int) Op {
	assumptions := randomAssumptions(r, vars)
	switch r.IntN(6) {
	case 0:
		return Op{Name: "cancelled", Lits: assumptions}
	case 1:
		return Op{Name: "cancel", Numbers: []int{1 + r.IntN(5)}, Lits: assumptions}
	}
	return Op{Name: "solve", Lits: assumptions}
}

// randomRead draws a call that reads the answer.
func randomRead(r *rand.Rand, vars int) Op {
	switch r.IntN(4) {
	case 0:
		return Op{Name: "value", Lits: []dimacs.Lit{literal(r, vars+2)}}
	case 1:
		return Op{Name: "failed"}
	}
	return Op{Name: "model"}
}
