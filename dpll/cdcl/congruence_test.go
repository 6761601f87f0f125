package cdcl

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/internal/dplltest"
)

// A gateKind is the function of a gate.
type gateKind uint8

const (
	andGate gateKind = iota
	xorGate
	iteGate // the first input selects one of the others
	majGate // majority of three inputs
)

// A testCircuit is a sequence of gates. The inputs of a gate are complemented or plain
// outputs of earlier gates and inputs of the circuit.
type testCircuit struct {
	inputs int
	gates  []circuitGate
}

type circuitGate struct {
	kind gateKind
	in   []dimacs.Lit // literals of wires: the inputs of the circuit from 0 on, then the gates
}

// randomCircuit returns a circuit of random gates. The inputs of a gate are among the latest wires,
// as many as reach.
func randomCircuit(rng *rand.Rand, inputs, gates, reach int) *testCircuit {
	c := &testCircuit{inputs: inputs}
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
		first := max(0, before-reach)
		for _, v := range rng.Perm(before - first)[:n] {
			g.in = append(g.in, dimacs.Lit(2*(first+v)+rng.IntN(2)))
		}
		c.gates = append(c.gates, g)
	}
	return c
}

// value returns the output of the gate for these inputs.
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

// primes returns the prime implicates of a gate: the minimal clauses over its inputs
// and its output, the last variable, that follow from the gate. As encodings do, it
// omits the prime implicates of an if-then-else gate without the condition.
func (g *circuitGate) primes() [][]int {
	n := len(g.in)
	if p := primeCache[g.kind][n]; p != nil {
		return p
	}
	var primes [][]int
	pow := 1
	for range n + 1 {
		pow *= 3
	}
	for size := 1; size <= n+1; size++ {
		for code := range pow {
			var c []int // literals as in DIMACS
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
	primeCache[g.kind][n] = primes
	return primes
}

// primeCache has the results of primes by kind and number of inputs.
var primeCache [4][6][][]int

// implies reports whether the clause c follows from the gate.
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

// encode appends the clauses of the circuit and returns the literals of its wires. The
// gates have the variables from next on; a random half of the variables are
// complements of the outputs.
func (c *testCircuit) encode(rng *rand.Rand, next int, clauses [][]dimacs.Lit) ([]dimacs.Lit, [][]dimacs.Lit) {
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

// miterOf returns a miter: two copies of a circuit with common inputs, and the
// constraint that an output differs. Some inputs are fixed, or equal or complementary
// to each other.
func miterOf(rng *rand.Rand, c *testCircuit, fixed, equal int) *dimacs.Formula {
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

// The pass refutes a miter of two copies of a circuit, with a valid proof.
func TestCongruenceMiter(t *testing.T) {
	var sum Stats
	for seed := range uint64(400) {
		for _, p := range []*dplltest.Recorder{nil, dplltest.NewRecorder(false), dplltest.NewRecorder(true)} {
			rng := rand.New(rand.NewPCG(seed, 0xc0))
			c := randomCircuit(rng, 2+rng.IntN(8), 1+rng.IntN(25), 100)
			f := miterOf(rng, c, rng.IntN(3)/2, rng.IntN(3)/2)
			o := plain()
			if p != nil {
				o.Proof = p
			}
			s := New(o)
			s.AddFormula(f)
			if s.propagateRoot() {
				s.closeCongruence(1e9)
				sum.CongruenceMerged += s.stats.CongruenceMerged
				sum.CongruenceUnits += s.stats.CongruenceUnits
				sum.CongruenceReduced += s.stats.CongruenceReduced
			}
			if p != nil && p.Err() != nil {
				t.Fatalf("seed %d: %v", seed, p.Err())
			}
			if !s.inconsistent {
				t.Fatalf("seed %d: not refuted: %+v", seed, c)
			}
			if p != nil && !p.Refuted() {
				t.Fatalf("seed %d: the proof has no empty clause", seed)
			}
		}
	}
	if sum.CongruenceMerged == 0 || sum.CongruenceUnits == 0 || sum.CongruenceReduced == 0 {
		t.Errorf("%d merged, %d units, %d gates rewritten", sum.CongruenceMerged, sum.CongruenceUnits, sum.CongruenceReduced)
	}
}

// The pass preserves the answer for a circuit, and for a circuit with a copy that
// differs in one gate.
func TestCongruenceKeeps(t *testing.T) {
	merged, satisfiable := int64(0), 0
	for seed := range uint64(500) {
		for _, p := range []*dplltest.Recorder{nil, dplltest.NewRecorder(false), dplltest.NewRecorder(true)} {
			rng := rand.New(rand.NewPCG(seed, 0xc1))
			c := randomCircuit(rng, 2+rng.IntN(3), 1+rng.IntN(6), 100)
			wires, clauses := c.encode(rng, c.inputs, nil)
			if rng.IntN(2) == 0 {
				i := rng.IntN(len(c.gates))
				c.gates[i].in[0] ^= 1
				_, clauses = c.encode(rng, c.inputs+len(c.gates), clauses)
			}
			f := dimacs.NewFormula(c.inputs + 2*len(c.gates))
			for range rng.IntN(4) {
				clauses = append(clauses, []dimacs.Lit{
					wires[rng.IntN(len(wires))] ^ dimacs.Lit(rng.IntN(2)), wires[rng.IntN(len(wires))] ^ dimacs.Lit(rng.IntN(2))})
			}
			rng.Shuffle(len(clauses), func(i, j int) { clauses[i], clauses[j] = clauses[j], clauses[i] })
			for _, d := range clauses {
				f.Add(d...)
			}
			o := plain()
			if p != nil {
				o.Proof = p
			}
			s := New(o)
			s.AddFormula(f)
			if !s.propagateRoot() {
				continue
			}
			s.closeCongruence(1e9)
			merged += s.stats.CongruenceMerged
			checkPass(t, s, f, p)
			if !s.inconsistent {
				satisfiable++
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if merged == 0 || satisfiable == 0 {
		t.Errorf("%d merged, %d satisfiable", merged, satisfiable)
	}
}

// congruenceRules has a case for each rule of congruence closure.
var congruenceRules = []struct {
	name  string
	gates []string // kind, output, inputs
	equal [][2]int // literals that are equal by binary clauses
	want  [][2]int // literals that the pass must find equal
	units []int    // literals that the pass must find true
}{
	{"and", []string{"and 4 1 2 -3", "and 5 -3 1 2"}, nil, [][2]int{{4, 5}}, nil},
	{"and with equal inputs", []string{"and 4 1 2", "and 5 1 2 3"}, [][2]int{{2, 3}}, [][2]int{{4, 5}}, nil},
	{"and of complementary inputs", []string{"and 4 1 2 3"}, [][2]int{{1, -2}}, nil, []int{-4}},
	{"and of one variable", []string{"and 4 1 2"}, [][2]int{{1, 2}}, [][2]int{{4, 1}}, nil},
	{"and, output complementary to an input", []string{"and 4 1 2 3"}, [][2]int{{4, -2}}, nil, []int{-4, 2}},
	{"and, output equal to an input", []string{"and 4 1 2 3", "and 5 2 3"}, [][2]int{{4, 1}}, nil, nil},
	{"and with a false input", []string{"and 4 1 2", "ite 5 4 1 3", "and 6 5 2"}, [][2]int{{1, -2}, {3, 4}}, nil, []int{-4, -5, -6}},
	{"xor", []string{"xor 5 1 -2 3 4", "xor 6 4 2 1 3"}, nil, [][2]int{{5, -6}}, nil},
	{"xor with equal outputs", []string{"xor 5 1 2 3", "xor 5 4 2 3"}, nil, [][2]int{{1, 4}}, nil},
	{"xor with equal inputs", []string{"xor 5 1 2 3"}, [][2]int{{1, 3}}, [][2]int{{5, 2}}, nil},
	{"xor with complementary inputs", []string{"xor 5 1 2 3"}, [][2]int{{1, -2}}, [][2]int{{5, -3}}, nil},
	{"xor with two pairs", []string{"xor 5 1 2 3 4"}, [][2]int{{1, -2}, {4, 3}}, nil, []int{5}},
	{"xor with a constant", []string{"and 4 1 2", "xor 5 4 1"}, [][2]int{{1, -2}}, [][2]int{{5, -2}}, nil},
	{"if", []string{"ite 4 1 2 3", "ite 5 -1 -3 -2"}, nil, [][2]int{{4, -5}}, nil},
	{"if with equal branches", []string{"ite 4 1 2 3"}, [][2]int{{2, 3}}, [][2]int{{4, 3}}, nil},
	{"if with complementary branches", []string{"ite 4 1 2 3", "xor 5 1 3"}, [][2]int{{2, -3}}, [][2]int{{4, 5}}, nil},
	{"if, then branch equal to the condition", []string{"ite 4 1 2 3", "and 5 -1 -3"}, [][2]int{{1, 2}}, [][2]int{{4, -5}}, nil},
	{"if, then branch complementary to the condition", []string{"ite 4 1 2 3", "and 5 -1 3"}, [][2]int{{1, -2}}, [][2]int{{4, 5}}, nil},
	{"if, else branch equal to the condition", []string{"ite 4 1 2 3", "and 5 1 2"}, [][2]int{{1, 3}}, [][2]int{{4, 5}}, nil},
	{"if, else branch complementary to the condition", []string{"ite 4 1 2 3", "and 5 1 -2"}, [][2]int{{1, -3}}, [][2]int{{4, -5}}, nil},
	{"if, output complementary to the then branch", []string{"ite 4 1 2 3"}, [][2]int{{4, -2}}, [][2]int{{4, 3}}, []int{-1}},
	{"if, output complementary to the else branch", []string{"ite 4 1 2 3"}, [][2]int{{4, -3}}, [][2]int{{4, 2}}, []int{1}},
	{"if, output equal to the condition", []string{"ite 4 1 2 3", "ite 5 1 2 3"}, [][2]int{{4, 1}}, nil, nil},
	{"if with a constant condition", []string{"and 6 1 -5", "ite 4 6 2 3", "ite 7 -6 2 3"}, [][2]int{{1, 5}}, [][2]int{{4, 3}, {7, 2}}, nil},
	{"if with a false branch", []string{"and 6 1 -5", "ite 4 2 6 3", "and 7 -2 3"}, [][2]int{{1, 5}}, [][2]int{{4, 7}}, nil},
	{"if with a true branch", []string{"and 6 1 -5", "ite 4 2 3 -6", "and 7 2 -3"}, [][2]int{{1, 5}}, [][2]int{{4, -7}}, nil},
	{"majority", []string{"maj 4 1 -2 3", "maj 5 2 -1 -3"}, nil, [][2]int{{4, -5}}, nil},
	{"majority of equal inputs", []string{"maj 4 1 2 3"}, [][2]int{{3, 1}}, [][2]int{{4, 1}}, nil},
	{"majority of complementary inputs", []string{"maj 4 1 2 3"}, [][2]int{{3, -1}}, [][2]int{{4, 2}}, nil},
	{"majority, output complementary to an input", []string{"maj 4 1 2 3"}, [][2]int{{4, -3}}, [][2]int{{4, 1}, {4, 2}}, nil},
	{"majority, output equal to an input", []string{"maj 4 1 2 3", "maj 5 1 2 3"}, [][2]int{{4, 3}}, nil, nil},
	{"majority with a false input", []string{"and 6 1 -5", "maj 4 2 6 3", "and 7 2 3"}, [][2]int{{1, 5}}, [][2]int{{4, 7}}, nil},
	{"majority with a true input", []string{"and 6 1 -5", "maj 4 2 -6 3", "and 7 -2 -3"}, [][2]int{{1, 5}}, [][2]int{{4, -7}}, nil},
	{"chain of merges", []string{"and 5 1 2", "and 6 2 1", "xor 7 5 3", "xor 8 3 6", "ite 9 7 4 1", "ite 10 8 4 1", "maj 11 9 2 3", "maj 12 2 3 10"},
		nil, [][2]int{{5, 6}, {7, 8}, {9, 10}, {11, 12}}, nil},
}

// Each rule finds its equivalences and units, with a valid proof.
func TestCongruenceRules(t *testing.T) {
	kinds := map[string]gateKind{"and": andGate, "xor": xorGate, "ite": iteGate, "maj": majGate}
	for _, test := range congruenceRules {
		f := dimacs.NewFormula(0)
		for _, g := range test.gates {
			fields := strings.Fields(g)
			var at []int
			for _, d := range fields[1:] {
				x, _ := strconv.Atoi(d)
				at = append(at, x)
			}
			at = append(at[1:], at[0])
			cg := circuitGate{kind: kinds[fields[0]], in: make([]dimacs.Lit, len(at)-1)}
			for _, p := range cg.primes() {
				var d []int
				for _, l := range p {
					d = append(d, at[max(l, -l)-1]*l/max(l, -l))
				}
				f.AddInts(d...)
			}
		}
		for _, e := range test.equal {
			f.AddInts(e[0], -e[1])
			f.AddInts(-e[0], e[1])
		}
		for _, p := range []*dplltest.Recorder{nil, dplltest.NewRecorder(false), dplltest.NewRecorder(true)} {
			o := plain()
			if p != nil {
				o.Proof = p
			}
			s := New(o)
			s.AddFormula(f)
			s.propagateRoot()
			s.closeCongruence(1e9)
			r := s.reach(true)
			for _, w := range test.want {
				x, y := dimacs.FromInt(w[0]), dimacs.FromInt(w[1])
				if !(r[x][y] && r[y][x]) && (s.trail.vals[x] == 0 || s.trail.vals[x] != s.trail.vals[y]) {
					t.Errorf("%s: %v does not equal %v", test.name, x, y)
				}
			}
			for _, d := range test.units {
				if s.trail.vals[dimacs.FromInt(d)] <= 0 {
					t.Errorf("%s: %d is not true", test.name, d)
				}
			}
			checkPass(t, s, f, p)
		}
	}
}

// A pass that is stopped leaves the solver and the proof with the same clauses.
func TestCongruenceInterrupted(t *testing.T) {
	stopped, done := 0, 0
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 0xc2))
		c := randomCircuit(rng, 20, 1000, 2000)
		wires, clauses := c.encode(rng, c.inputs, nil)
		_, clauses = c.encode(rng, len(wires), clauses)
		f := dimacs.NewFormula(2 * len(wires))
		for _, d := range clauses {
			f.Add(d...)
		}
		p := dplltest.NewRecorder(true)
		o := plain()
		o.Proof = p
		s := New(o)
		s.AddFormula(f)
		s.propagateRoot()
		s.call.ctx = &impatient{t.Context(), rng.IntN(600)}
		s.closeCongruence(1e9)
		if s.call.stopped {
			stopped++
		} else {
			done++
		}
		s.call.ctx, s.call.stopped = nil, false
		if got, want := p.Alive(2), s.stats.Irredundant+s.stats.Redundant; got != want {
			t.Fatalf("seed %d: the proof has %d clauses, the solver %d", seed, got, want)
		}
		if err := p.Err(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if stopped == 0 || done == 0 {
		t.Errorf("%d passes were stopped, %d done", stopped, done)
	}
}

// If a pass exceeds its budget, the next calls do nothing until their budgets cover
// the excess.
func TestCongruenceBudget(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0xc3))
	c := randomCircuit(rng, 20, 100, 200)
	_, clauses := c.encode(rng, c.inputs, nil)
	s := New(plain())
	for _, d := range clauses {
		s.Add(d...)
	}
	s.propagateRoot()
	s.closeCongruence(1)
	first := s.stats.Ticks
	s.Add(dimacs.Lit(2*len(s.trail.vars)), 1) // changes the formula
	s.propagateRoot()
	if s.closeCongruence(1); s.stats.Ticks != first {
		t.Errorf("%d ticks after the second call, %d after the first", s.stats.Ticks, first)
	}
	if s.closeCongruence(1e6); s.stats.Ticks == first {
		t.Error("the third call did nothing")
	}
}
