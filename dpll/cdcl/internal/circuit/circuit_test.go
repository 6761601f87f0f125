package circuit

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/internal/dplltest"
)

// A random circuit has gates of up to five inputs with random truth tables, and wide AND gates. The
// clauses of a gate are all clauses of its table, or prime ones.
func randomCircuit(rng *rand.Rand, inputs, gates int) *dimacs.Formula {
	f := dimacs.NewFormula(inputs + gates)
	var clauses [][]dimacs.Lit
	for v := inputs; v < inputs+gates; v++ {
		out := dimacs.Lit(2*v + rng.IntN(2))
		in := rng.Perm(v)
		if rng.IntN(10) == 0 && v > 8 {
			long := []dimacs.Lit{out}
			for _, w := range in[:6+rng.IntN(v-7)] {
				l := dimacs.Lit(2*w + rng.IntN(2))
				long = append(long, l^1)
				clauses = append(clauses, []dimacs.Lit{out ^ 1, l})
			}
			clauses = append(clauses, long)
			continue
		}
		n := 2 + rng.IntN(4)
		table := rng.Uint32()
		for m := range 1 << n {
			c := []dimacs.Lit{out ^ dimacs.Lit(^table>>m&1)}
			for k := range n {
				c = append(c, dimacs.Lit(2*in[k]+m>>k&1))
			}
			clauses = append(clauses, c)
		}
	}
	rng.Shuffle(len(clauses), func(i, j int) { clauses[i], clauses[j] = clauses[j], clauses[i] })
	for _, c := range clauses {
		f.Add(c...)
	}
	return f
}

// TestCircuits recognizes random circuits. Nearly all gates are found; if all are, the simulated
// values satisfy all clauses.
func TestCircuits(t *testing.T) {
	found, all, complete := 0, 0, 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		inputs, gates := 5+rng.IntN(5), 1+rng.IntN(40)
		f := randomCircuit(rng, inputs, gates)
		n, _ := Find(inprocess.NewPlain(f, nil), 1e9)
		checkOrder(t, n)
		found += n.Gates()
		all += gates
		if n.Gates() == gates {
			complete++
			checkValues(t, n, f)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if found < all*95/100 || complete < 100 {
		t.Errorf("%d of %d gates, all of them in %d circuits", found, all, complete)
	}
}

// checkOrder checks that each gate comes after its inputs, once.
func checkOrder(t *testing.T, n *Network) {
	t.Helper()
	for i, v := range n.Sorted {
		if n.Place(v) != i {
			t.Errorf("variable %d has place %d, want %d", v, n.Place(v), i)
		}
		for _, l := range n.Inputs(v) {
			if p := n.Place(uint32(l >> 1)); p < 0 || p >= i {
				t.Errorf("variable %d at %d has an input at %d", v, i, p)
			}
		}
		if n.Defined(v) != (n.Inputs(v) != nil) {
			t.Errorf("variable %d: defined %v, inputs %v", v, n.Defined(v), n.Inputs(v))
		}
	}
}

// checkValues checks that simulated values satisfy all clauses.
func checkValues(t *testing.T, n *Network, f *dimacs.Formula) {
	t.Helper()
	const words = 2
	x := n.NewValues(inprocess.NewPlain(f, nil), words)
	random := rand.NewPCG(1, 2)
	for _, v := range n.Sorted {
		x.Simulate(v, random)
	}
	for _, c := range f.Clauses() {
		for i := range words {
			all := uint64(0)
			for _, l := range c {
				all |= x.word(l, i)
			}
			if all != ^uint64(0) {
				t.Fatalf("clause %v is false in patterns %x", c, ^all)
			}
		}
	}
}

// TestImplied checks that the formula implies the gates: in each model of a random formula the
// output of each gate is the value of its function.
func TestImplied(t *testing.T) {
	gates, wide := 0, 0
	for seed := range uint64(2000) {
		_, c := dplltest.RandomCase(seed, 0)
		h := inprocess.NewPlain(c.Formula, nil)
		if h.Refuted() || c.Formula.Vars() > 14 {
			continue
		}
		n, _ := Find(h, 1e9)
		if n == nil {
			continue
		}
		checkOrder(t, n)
		x := n.NewValues(h, 1)
		for bits := range uint32(1) << c.Formula.Vars() {
			truth := func(l dimacs.Lit) uint64 { return -uint64(bits>>(l>>1)&1 ^ uint32(l&1)) }
			if slices.ContainsFunc(clausesOf(c.Formula), func(d []dimacs.Lit) bool {
				return !slices.ContainsFunc(d, func(l dimacs.Lit) bool { return truth(l) != 0 })
			}) {
				continue
			}
			for _, v := range n.Sorted {
				x.Of(v)[0] = truth(dimacs.Lit(2 * v))
			}
			for _, v := range n.Sorted {
				if !n.Defined(v) {
					continue
				}
				gates++
				if len(n.Inputs(v)) > maxInputs {
					wide++
				}
				want := x.Of(v)[0]
				if x.Simulate(v, nil); x.Of(v)[0] != want {
					t.Fatalf("seed %d: variable %d is %x in a model, its gate %x", seed, v, want, x.Of(v)[0])
				}
			}
		}
	}
	if gates < 1000 {
		t.Errorf("%d gates in models", gates)
	}
	t.Logf("%d gates in models, %d of them wide", gates, wide)
}

func clausesOf(f *dimacs.Formula) (list [][]dimacs.Lit) {
	for _, c := range f.Clauses() {
		list = append(list, c)
	}
	return list
}

// TestEvaluate compares values with truth tables.
func TestEvaluate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for range 2000 {
		inputs := make([]uint64, 1+rng.IntN(maxInputs))
		for k := range inputs {
			inputs[k] = rng.Uint64()
		}
		table := rng.Uint32() & (^uint32(0) >> (32 - 1<<len(inputs)))
		if rng.IntN(4) == 0 { // parity
			table = 0
			for m := range uint32(1) << len(inputs) {
				table |= (m ^ m>>1 ^ m>>2 ^ m>>3 ^ m>>4) & 1 << m
			}
		}
		got := evaluate(table, inputs)
		for p := range 64 {
			m := 0
			for k, w := range inputs {
				m |= int(w>>p&1) << k
			}
			if got>>p&1 != uint64(table>>m&1) {
				t.Fatalf("table %x, inputs %x: pattern %d is wrong", table, inputs, p)
			}
		}
	}
}

// TestOrientation checks that an adder of two numbers is oriented from the numbers to the sum,
// although its parity constraints define the numbers, too.
func TestOrientation(t *testing.T) {
	const bits = 8
	f := dimacs.NewFormula(0)
	xor := func(a, b, c int) { // c = a + b
		f.AddInts(-a, -b, -c)
		f.AddInts(-a, b, c)
		f.AddInts(a, -b, c)
		f.AddInts(a, b, -c)
	}
	carry := 3*bits + 1
	for i := range bits {
		a, b, sum, half, next := 1+i, 1+bits+i, 1+2*bits+i, carry+1, carry+2
		xor(a, b, half)
		xor(half, carry, sum)
		for _, c := range [][3]int{{a, b, -next}, {a, carry, -next}, {b, carry, -next}} {
			f.AddInts(c[0], c[1], c[2])
			f.AddInts(-c[0], -c[1], -c[2])
		}
		carry = next
	}
	n, _ := Find(inprocess.NewPlain(f, nil), 1e9)
	if got := len(n.Sorted) - n.Gates(); got != 2*bits+1 {
		t.Errorf("%d inputs, want %d", got, 2*bits+1)
	}
	checkOrder(t, n)
	checkValues(t, n, f)
}

// TestCost checks that the estimate is right within a factor of three, and that it is a limit.
func TestCost(t *testing.T) {
	f := randomCircuit(rand.New(rand.NewPCG(7, 4)), 20, 3000)
	h := inprocess.NewPlain(f, nil)
	before := *h.Ticks()
	n, cost := Find(h, 1e12)
	if spent := *h.Ticks() - before; n == nil || spent > 3*cost || spent < cost/3 {
		t.Errorf("%d ticks, estimated %d", spent, cost)
	}
	if n, again := Find(h, cost-1); n != nil || again != cost {
		t.Errorf("a limit of %d ticks: %v, cost %d", cost-1, n, again)
	}
}
