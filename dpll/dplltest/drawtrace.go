package dplltest

import (
	"math/rand/v2"

	"sator/dimacs"
)

// RandomTrace draws the trace of a seed: the clauses of a small formula in
// portions, and between them calls of all kinds. It ends with a call of Solve
// without limits. The settings are of these knobs, and the proof is one that
// the engine can give.
func RandomTrace(seed uint64, knobs []Knob, proves ProofSupport) *Trace {
	r := source(seed, forTrace)
	if proves == RATProofs {
		proves = NoProofs // clauses are still to come
	}
	t := &Trace{
		Settings: RandomSettings(r, knobs),
		Seed:     r.Uint64N(4),
		Proof:    drawProof(r, proves),
	}
	f := Families[r.IntN(len(Families))].Make(r, 1+r.IntN(14))
	for r.IntN(2) == 0 {
		f = blemishes[r.IntN(len(blemishes))](r, f)
	}
	for _, c := range f.Clauses() {
		t.add(Op{Name: "add", Lits: c})
		if r.IntN(1+f.Len()) < 3 {
			t.drawCalls(r, f.Vars())
		}
	}
	t.drawCalls(r, f.Vars())
	t.add(Op{Name: "limit", Numbers: []int{0, 0, 0}})
	t.add(Op{Name: "solve"})
	t.add(Op{Name: "model"})
	t.add(Op{Name: "failed"})
	return t
}

func (t *Trace) add(op Op) { t.Ops = append(t.Ops, op) }

// drawCalls appends a few calls, among them one or two of Solve.
func (t *Trace) drawCalls(r *rand.Rand, vars int) {
	vars = max(1, vars)
	for r.IntN(4) > 0 {
		switch r.IntN(8) {
		case 0:
			t.add(Op{Name: "grow", Numbers: []int{r.IntN(vars + 4)}})
		case 1:
			t.add(Op{Name: "phase", Lits: []dimacs.Lit{literal(r, vars+2)}})
		case 2:
			t.add(Op{Name: "limit", Numbers: drawLimits(r)})
		case 3:
			t.add(Op{Name: "limit", Numbers: []int{0, 0, 0}})
		default:
			t.add(drawSolve(r, vars))
		}
		for r.IntN(2) == 0 {
			t.add(drawRead(r, vars))
		}
	}
}

// drawLimits draws small limits of some kinds.
func drawLimits(r *rand.Rand) []int {
	limits := make([]int, 3)
	for i := range limits {
		if r.IntN(2) == 0 {
			limits[i] = 1 + r.IntN(1+r.IntN(30))
		}
	}
	return limits
}

func drawSolve(r *rand.Rand, vars int) Op {
	assumptions := drawAssumptions(r, vars)
	switch r.IntN(6) {
	case 0:
		return Op{Name: "cancelled", Lits: assumptions}
	case 1:
		return Op{Name: "cancel", Numbers: []int{1 + r.IntN(5)}, Lits: assumptions}
	}
	return Op{Name: "solve", Lits: assumptions}
}

func drawRead(r *rand.Rand, vars int) Op {
	switch r.IntN(4) {
	case 0:
		return Op{Name: "value", Lits: []dimacs.Lit{literal(r, vars+2)}}
	case 1:
		return Op{Name: "failed"}
	}
	return Op{Name: "model"}
}
