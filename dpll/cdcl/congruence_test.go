package cdcl

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dpll/dplltest"
)

// A circuit is random gates, each of which has inputs before it.
type circuit struct {
	inputs int
	gates  []circuitGate
}

type circuitGate struct {
	kind gateKind
	in   []dimacs.Lit // of gates and inputs, counted from 0
}

func randomCircuit(rng *rand.Rand, inputs, gates int) *circuit {
	c := &circuit{inputs: inputs}
	for len(c.gates) < gates {
		g := circuitGate{kind: gateKind(rng.IntN(4))}
		n := 3
		switch g.kind {
		case andGate:
			n = 2 + rng.IntN(2)*rng.IntN(4)
		case xorGate:
			n = 2 + rng.IntN(3)
		}
		before := inputs + len(c.gates)
		if n > before {
			continue
		}
		for _, v := range rng.Perm(before)[:n] {
			g.in = append(g.in, dimacs.Lit(2*v+rng.IntN(2)))
		}
		c.gates = append(c.gates, g)
	}
	return c
}

// value computes a gate.
func (g *circuitGate) value(in []bool) bool {
	ones := 0
	for _, x := range in {
		if x {
			ones++
		}
	}
	switch g.kind {
	case andGate:
		return ones == len(in)
	case xorGate:
		return ones&1 != 0
	case iteGate:
		return in[0] && in[1] || !in[0] && in[2]
	}
	return ones >= 2
}

// primes returns the clauses of a gate over its inputs and its output, which comes
// last: all that follow and have no part that follows, but for those that an
// encoding of an if-then-else leaves out.
func (g *circuitGate) primes() [][]int {
	n := len(g.in)
	if p := primesOf[g.kind][n]; p != nil {
		return p
	}
	var primes [][]int
	pow := 1
	for range n + 1 {
		pow *= 3
	}
	for size := 1; size <= n+1; size++ {
		for code := range pow {
			var c []int // 1 + variable, negative if the literal is
			for v, x := 0, code; v <= n; v, x = v+1, x/3 {
				switch x % 3 {
				case 1:
					c = append(c, v+1)
				case 2:
					c = append(c, -v-1)
				}
			}
			if len(c) != size || !g.implies(c) || slices.ContainsFunc(primes, func(p []int) bool {
				return !slices.ContainsFunc(p, func(l int) bool { return !slices.Contains(c, l) })
			}) {
				continue
			}
			primes = append(primes, c)
		}
	}
	if g.kind == iteGate {
		primes = slices.DeleteFunc(primes, func(c []int) bool {
			return !slices.Contains(c, 1) && !slices.Contains(c, -1)
		})
	}
	primesOf[g.kind][n] = primes
	return primes
}

// primesOf has what was computed of gates, by kind and number of inputs.
var primesOf [4][6][][]int

func (g *circuitGate) implies(c []int) bool {
	n := len(g.in)
	for x := range 1 << n {
		in := make([]bool, n, n+1)
		for k := range in {
			in[k] = x>>k&1 != 0
		}
		in = append(in, g.value(in))
		if !slices.ContainsFunc(c, func(l int) bool { return l > 0 && in[l-1] || l < 0 && !in[-l-1] }) {
			return false
		}
	}
	return true
}

// encode appends the clauses of the circuit, with gates from variable next on, some of
// which stand for the complement, and returns the literals of all its wires.
func (c *circuit) encode(rng *rand.Rand, next int, clauses [][]dimacs.Lit) ([]dimacs.Lit, [][]dimacs.Lit) {
	var wires []dimacs.Lit
	for v := range c.inputs {
		wires = append(wires, dimacs.Lit(2*v))
	}
	for i, g := range c.gates {
		at := []dimacs.Lit{}
		for _, l := range g.in {
			at = append(at, wires[l>>1]^l&1)
		}
		out := dimacs.Lit(2*(next+i) + rng.IntN(2))
		wires = append(wires, out)
		at = append(at, out)
		for _, p := range g.primes() {
			var d []dimacs.Lit
			for _, l := range p {
				d = append(d, at[max(l, -l)-1]^dimacs.Lit(b2i(l < 0)))
			}
			rng.Shuffle(len(d), func(i, j int) { d[i], d[j] = d[j], d[i] })
			clauses = append(clauses, d)
		}
	}
	return wires, clauses
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// miterOf holds two copies of a circuit against each other, which have inputs in
// common, some of these fixed or equal.
func miterOf(rng *rand.Rand, c *circuit, fixed, equal int) *dimacs.Formula {
	first, clauses := c.encode(rng, c.inputs, nil)
	next := c.inputs + len(c.gates)
	second, clauses := c.encode(rng, next, clauses)
	next += len(c.gates)
	var differ []dimacs.Lit
	for i := c.inputs; i < len(first); i++ {
		x, y, z := first[i], second[i], dimacs.Lit(2*next)
		next++
		clauses = append(clauses, []dimacs.Lit{x, y, z ^ 1}, []dimacs.Lit{x ^ 1, y ^ 1, z ^ 1}, []dimacs.Lit{x ^ 1, y, z}, []dimacs.Lit{x, y ^ 1, z})
		differ = append(differ, z)
	}
	clauses = append(clauses, differ)
	for range fixed {
		clauses = append(clauses, []dimacs.Lit{dimacs.Lit(rng.IntN(2 * c.inputs))})
	}
	for range equal {
		x, y := dimacs.Lit(rng.IntN(2*c.inputs)), dimacs.Lit(rng.IntN(2*c.inputs))
		clauses = append(clauses, []dimacs.Lit{x, y ^ 1}, []dimacs.Lit{x ^ 1, y})
	}
	rng.Shuffle(len(clauses), func(i, j int) { clauses[i], clauses[j] = clauses[j], clauses[i] })
	f := dimacs.NewFormula(next)
	for _, d := range clauses {
		f.Add(d...)
	}
	return f
}

// Of two copies of a circuit nothing is left, with a proof that is right.
func TestCongruenceMiter(t *testing.T) {
	var sum Stats
	for seed := range uint64(400) {
		for _, p := range []*dplltest.Recorder{nil, dplltest.NewRecorder(false), dplltest.NewRecorder(true)} {
			rng := rand.New(rand.NewPCG(seed, 0xc0))
			c := randomCircuit(rng, 2+rng.IntN(8), 1+rng.IntN(25))
			f := miterOf(rng, c, rng.IntN(3)/2, rng.IntN(3)/2)
			o := plain()
			if p != nil {
				o.Proof = p
			}
			s := New(o)
			s.AddFormula(f)
			if s.settled() {
				s.congruence(1e9)
				sum.CongruenceMerged += s.stats.CongruenceMerged
				sum.CongruenceUnits += s.stats.CongruenceUnits
				sum.CongruenceReduced += s.stats.CongruenceReduced
			}
			if p != nil && p.Err() != nil {
				t.Fatalf("seed %d: %v", seed, p.Err())
			}
			if !s.inconsistent {
				t.Fatalf("seed %d: there is something left: %+v %v %+v", seed, c, p != nil, s.stats)
			}
			if p != nil && !p.Refuted() {
				t.Fatalf("seed %d: not refuted in the proof", seed)
			}
		}
	}
	if sum.CongruenceMerged == 0 || sum.CongruenceUnits == 0 || sum.CongruenceReduced == 0 {
		t.Errorf("%d merged, %d units, %d gates rewritten", sum.CongruenceMerged, sum.CongruenceUnits, sum.CongruenceReduced)
	}
}
