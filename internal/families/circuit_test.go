package families

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"sator/dimacs"
)

// gates lists the gates with their truth functions; input i is bit i of the
// row.
var gates = []struct {
	name   string
	inputs int
	make   func(c *circuit, in []dimacs.Lit) dimacs.Lit
	truth  func(a, b, d int) bool
}{
	{"and", 2, func(c *circuit, in []dimacs.Lit) dimacs.Lit { return c.and(in[0], in[1]) },
		func(a, b, _ int) bool { return a+b == 2 }},
	{"or", 2, func(c *circuit, in []dimacs.Lit) dimacs.Lit { return c.or(in[0], in[1]) },
		func(a, b, _ int) bool { return a+b > 0 }},
	{"parity1", 1, func(c *circuit, in []dimacs.Lit) dimacs.Lit { return c.parity(in[0]) },
		func(a, _, _ int) bool { return a == 1 }},
	{"parity2", 2, func(c *circuit, in []dimacs.Lit) dimacs.Lit { return c.parity(in[0], in[1]) },
		func(a, b, _ int) bool { return (a+b)%2 == 1 }},
	{"parity3", 3, func(c *circuit, in []dimacs.Lit) dimacs.Lit { return c.parity(in...) },
		func(a, b, d int) bool { return (a+b+d)%2 == 1 }},
	{"majority", 3, func(c *circuit, in []dimacs.Lit) dimacs.Lit { return c.majority(in[0], in[1], in[2]) },
		func(a, b, d int) bool { return a+b+d >= 2 }},
	{"choice", 3, func(c *circuit, in []dimacs.Lit) dimacs.Lit { return c.ite(in[0], in[1], in[2]) },
		func(s, a, b int) bool { return s*a+(1-s)*b == 1 }},
}

// TestGates applies each gate to all combinations of wires, negated wires,
// constants and inputs that are equal or complementary to the first or second
// input. The clauses must determine the output and contain no constant and no
// variable twice.
func TestGates(t *testing.T) {
	for _, g := range gates {
		for kinds := range 5 * 5 * 5 {
			for x := range 1 << g.inputs {
				c := &circuit{f: new(dimacs.Formula)}
				in := make([]dimacs.Lit, g.inputs)
				for i, kind := 0, kinds; i < g.inputs; i, kind = i+1, kind/5 {
					bit := x>>i&1 != 0
					switch kind % 5 {
					case 0:
						in[i] = c.wire(bit)
					case 1:
						in[i] = c.wire(!bit).Not()
					case 2:
						in[i] = constant(1, uint64(x>>i))[0]
					default:
						if i == 0 {
							in[0] = c.wire(bit)
						}
						in[i] = in[max(0, min(kind%5-3, i-1))]
						if c.value(in[i]) != bit {
							in[i] = in[i].Not()
						}
					}
				}
				wires := len(c.model)
				name := fmt.Sprintf("%s of %03b, kinds %d", g.name, x, kinds)
				z := g.make(c, in)
				if want := g.truth(x&1, x>>1&1, x>>2); c.value(z) != want {
					t.Errorf("%s is %v", name, c.value(z))
				}
				checkCircuit(t, name, c)
				if isConstant(z) || int(z.Var()) < wires {
					continue // the gate was simplified
				}
				c.model.Set(c.model.Lits()[z.Var()].Not())
				if c.model.Satisfies(c.f) && len(c.model) == wires+1 {
					t.Errorf("%s: the clauses allow the wrong output", name)
				}
			}
		}
	}
}

// checkCircuit fails unless the values of a circuit are a model.
func checkCircuit(t *testing.T, name string, c *circuit) {
	t.Helper()
	for _, clause := range c.f.Clauses() {
		if c.model.Clause(clause) != dimacs.True {
			t.Fatalf("%s falsifies %v", name, clause)
		}
	}
	for _, clause := range c.f.Clauses() {
		for i, l := range clause {
			if slices.ContainsFunc(clause[:i], func(k dimacs.Lit) bool { return k.Var() == l.Var() }) {
				t.Fatalf("%s has %v", name, clause)
			}
		}
	}
	if c.f.Vars() > len(c.model) {
		t.Fatalf("%s has %d variables, %d values", name, c.f.Vars(), len(c.model))
	}
}

// TestFaults makes each gate faulty in each row: the output must be wrong in
// that row and in no other.
func TestFaults(t *testing.T) {
	for _, g := range gates[3:] { // the gates that add clauses and do not negate their output
		for row := range uint(1) << g.inputs {
			for x := range uint(1) << g.inputs {
				c := &circuit{f: new(dimacs.Formula), fault: fault{1, row}}
				z := g.make(c, c.inputs(g.inputs, uint64(x)))
				want := g.truth(int(x&1), int(x>>1&1), int(x>>2)) != (x == row)
				name := fmt.Sprintf("%s of %03b, wrong in %03b,", g.name, x, row)
				if c.value(z) != want {
					t.Errorf("%s is %v", name, c.value(z))
				}
				checkCircuit(t, name, c)
				if c.gates != 1 || c.f.Len() != 1<<g.inputs {
					t.Errorf("%s is %d gates and %d clauses", name, c.gates, c.f.Len())
				}
			}
		}
	}
}

// TestAdders adds all pairs of short numbers with all adders.
func TestAdders(t *testing.T) {
	for x := range uint64(16) {
		for y := range uint64(16) {
			c := &circuit{f: new(dimacs.Formula)}
			a, b := c.inputs(4, x), c.inputs(4, y)
			for name, got := range map[string][]dimacs.Lit{
				"add":          c.add(a, b),
				"addShort":     append(c.add(a[:3], b[:3]), zero),
				"addCarry":     c.addCarry(a, b, zero),
				"addWord":      append(c.addWord(a, b), zero),
				"addLookahead": c.addLookahead(a, b),
				"addSelect":    c.addSelect(a, b),
				"increment":    c.addCarry(a, constant(4, 0), one),
				"add5":         c.addCarry(a, constant(4, 5), zero),
			} {
				want := map[string]uint64{"addShort": x&7 + y&7, "addWord": (x + y) & 15, "increment": x + 1, "add5": x + 5}
				if _, ok := want[name]; !ok {
					want[name] = x + y
				}
				if c.number(got) != want[name] || len(got) != 5 {
					t.Errorf("%s: %d and %d give %d in %d bits", name, x, y, c.number(got), len(got))
				}
			}
			checkCircuit(t, fmt.Sprint(x, "+", y), c)
		}
	}
}

// TestMultipliers multiplies all pairs of short numbers, and some long ones,
// with all multipliers.
func TestMultipliers(t *testing.T) {
	try := func(n, m int, x, y uint64) {
		c := &circuit{f: new(dimacs.Formula)}
		a, b := c.inputs(n, x), c.inputs(m, y)
		for name, got := range map[string][]dimacs.Lit{
			"array": c.multiply(a, b), "tree": c.multiplyTree(a, b), "Booth": c.multiplyBooth(a, b),
		} {
			if c.number(got) != x*y || len(got) != n+m {
				t.Errorf("%s: %d times %d is %d in %d bits", name, x, y, c.number(got), len(got))
			}
		}
		checkCircuit(t, fmt.Sprint(x, "*", y), c)
	}
	for n := 2; n <= 4; n++ {
		for m := 2; m <= 4; m++ {
			for x := range uint64(1) << n {
				for y := range uint64(1) << m {
					try(n, m, x, y)
				}
			}
		}
	}
	r := newRNG(1)
	for range 50 {
		n := 5 + int(r.below(28))
		try(n, n, r.below(1<<n), r.below(1<<n))
	}
	try(32, 32, 1<<32-1, 1<<32-1)
}

// TestPopcount counts ones, and compares the count with every bound.
func TestPopcount(t *testing.T) {
	for n := 1; n <= 9; n++ {
		for x := range uint64(1) << n {
			c := &circuit{f: new(dimacs.Formula)}
			got := c.popcount(c.inputs(n, x))
			if want := uint64(bits.OnesCount64(x)); c.number(got) != want {
				t.Fatalf("%b has %d ones, not %d", x, want, c.number(got))
			}
			checkCircuit(t, "sumOf", c)
		}
	}
	for x := range uint64(16) {
		for k := range uint64(16) {
			c := &circuit{f: new(dimacs.Formula)}
			c.atMost(c.inputs(4, x), k)
			if c.model.Satisfies(c.f) != (x <= k) {
				t.Errorf("%d at most %d is %v", x, k, x > k)
			}
		}
	}
}

// TestMiterFaults: a fault changes an output in the model; circuits without a
// fault have equal outputs.
func TestMiterFaults(t *testing.T) {
	for seed := range uint64(30) {
		for _, v := range []Values{{"bits": 9}, {"bits": 9, "select": 1}} {
			v["fault"] = 1
			inst := mustMake(t, "miter-adder", v, seed)
			check(t, inst.Comments[0], inst)
		}
		for _, v := range []Values{{"bits": 5}, {"bits": 5, "booth": 1}, {"bits": 5, "commuted": 1}} {
			v["fault"] = 1
			inst := mustMake(t, "miter-multiplier", v, seed)
			check(t, inst.Comments[0], inst)
		}
		m := compare(20, newRNG(seed), fault{}, (*circuit).add, (*circuit).addSelect)
		if m.differs || m.split >= m.gates {
			t.Errorf("seed %d: the sums differ: %v; %d of %d gates are the first adder's", seed, m.differs, m.split, m.gates)
		}
	}
	if slices.Equal(mustMake(t, "miter-adder", Values{"fault": 1}, 1).Model, mustMake(t, "miter-adder", Values{"fault": 1}, 2).Model) {
		t.Error("two seeds draw the same inputs")
	}
}
