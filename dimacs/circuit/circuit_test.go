package circuit_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dimacs/circuit"
	"sator/dpll/cdcl"
	"sator/internal/effort"
)

// randomSignals returns signals of random gates above the given ones.
func randomSignals(rng *rand.Rand, g *circuit.Graph, ss []circuit.Signal, gates int) []circuit.Signal {
	ss = append(ss, circuit.True)
	pick := func() circuit.Signal {
		s := ss[rng.IntN(len(ss))]
		if rng.IntN(2) == 0 {
			s = ss[max(0, len(ss)-1-rng.IntN(4))] // deep circuits, too
		}
		return s ^ circuit.Signal(rng.IntN(2))
	}
	for range gates {
		var s circuit.Signal
		switch rng.IntN(7) {
		case 0:
			s = g.Xor(pick(), pick())
		case 1:
			s = g.Ite(pick(), pick(), pick())
		case 2:
			s = g.Majority(pick(), pick(), pick())
		case 3:
			s = g.Or(pick(), pick(), pick(), pick())
		case 4:
			s = g.Equal(pick(), g.Implies(pick(), pick()))
		default:
			s = g.And(pick(), pick())
		}
		ss = append(ss, s)
	}
	return ss
}

// bits returns the lowest bits of x.
func bits(x, n int) []bool {
	all := make([]bool, n)
	for i := range all {
		all[i] = x>>i&1 != 0
	}
	return all
}

// TestEncoder checks the clauses of random circuits against their evaluation, for each
// assignment of the inputs: asserted signals make them unsatisfiable if one is false, and the
// literals have the values of their signals. With Define, gates have one value each.
func TestEncoder(t *testing.T) {
	var asserted, excluded int
	for _, seed := range effort.Seeds(300, 20_000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		g := circuit.New()
		ss := g.Word("x", 1+rng.IntN(5))
		n := len(ss)
		s := cdcl.New(cdcl.Options{})
		e := circuit.NewEncoder(g, s)
		e.Define = rng.IntN(2) == 0
		for _, x := range ss {
			if rng.IntN(2) == 0 {
				e.Bind(x, s.NewVar().Lit()^dimacs.Lit(rng.IntN(2)))
			}
		}
		var truths []circuit.Signal
		lits := map[circuit.Signal]dimacs.Lit{}
		for range 1 + rng.IntN(4) {
			ss = randomSignals(rng, g, ss, rng.IntN(15))
			x := ss[rng.IntN(len(ss))] ^ circuit.Signal(rng.IntN(2))
			if rng.IntN(2) == 0 {
				e.Assert(x)
				truths = append(truths, x)
			} else {
				lits[x] = e.Lit(x)
			}
		}
		for i := range n { // all inputs, at last
			lits[ss[i]] = e.Lit(ss[i])
		}
		for input := range 1 << n {
			values := bits(input, n)
			var assumptions []dimacs.Lit
			for i, value := range values {
				l := lits[ss[i]]
				if !value {
					l = l.Not()
				}
				assumptions = append(assumptions, l)
			}
			want := dimacs.Satisfiable
			for _, x := range truths {
				asserted++
				if !g.Eval(values, nil).Of(x) {
					want = dimacs.Unsatisfiable
				}
			}
			got := s.Solve(context.Background(), assumptions...)
			if got != want {
				t.Fatalf("seed %d, inputs %v: got %v, want %v", seed, values, got, want)
			}
			if got != dimacs.Satisfiable {
				excluded++
				continue
			}
			m := s.Model()
			for x, l := range lits {
				if (m.Lit(l) == dimacs.True) != g.Eval(values, nil).Of(x) {
					t.Fatalf("seed %d, inputs %v: literal %v of signal %d is %v", seed, values, l, x, m.Lit(l))
				}
			}
			if e.Define {
				other := s.Clone()
				var clause []dimacs.Lit
				for _, l := range m.Lits() {
					clause = append(clause, l.Not())
				}
				other.Add(clause...)
				if got := other.Solve(context.Background(), assumptions...); got != dimacs.Unsatisfiable {
					t.Fatalf("seed %d, inputs %v: a gate has two values", seed, values)
				}
			}
		}
	}
	if excluded < asserted/10 || excluded > asserted*9/10 {
		t.Errorf("%d of %d assertions exclude the inputs", excluded, asserted)
	}
}

// TestWords checks the functions of words against arithmetic.
func TestWords(t *testing.T) {
	for n := range 4 {
		for k := range 4 {
			g := circuit.New()
			a, b := g.Word("a", n), g.Word("b", k)
			carry := g.Input("carry")
			sum, product := g.Add(a, b, carry), g.Multiply(a, b)
			less, equal, chosen := g.Less(a, b), g.EqualWords(a, b), g.Choose(carry, a, b)
			for x := range 1 << n {
				for y := range 1 << k {
					for c := range 2 {
						inputs := slices.Concat(bits(x, n), bits(y, k), bits(c, 1))
						number := func(word []circuit.Signal) (value int) {
							for i, s := range word {
								if g.Eval(inputs, nil).Of(s) {
									value |= 1 << i
								}
							}
							return value
						}
						choice := y
						if c == 1 {
							choice = x
						}
						if number(sum) != x+y+c || number(product) != x*y || g.Eval(inputs, nil).Of(less) != (x < y) || g.Eval(inputs, nil).Of(equal) != (x == y) || number(chosen) != choice {
							t.Fatalf("%d bits, %d bits: %d and %d: sum %d, product %d", n, k, x, y, number(sum), number(product))
						}
					}
				}
			}
		}
	}
	if got := circuit.Constant(5, 4); !slices.Equal(got, []circuit.Signal{1, 0, 1, 0}) {
		t.Errorf("the constant 5 is %v", got)
	}
}

// TestHashing checks that equal gates are one.
func TestHashing(t *testing.T) {
	g := circuit.New()
	a, b, c := g.Input("a"), g.Input("b"), g.Input("c")
	for _, x := range []struct {
		name      string
		got, want circuit.Signal
	}{
		{"order", g.And(a, b), g.And(b, a)},
		{"De Morgan", g.Or(a, b), g.And(a.Not(), b.Not()).Not()},
		{"signs of xor", g.Xor(a.Not(), b), g.Xor(a, b).Not()},
		{"order of xor", g.Xor(b, a), g.Xor(a, b)},
		{"xor of itself", g.Xor(a, a), circuit.False},
		{"complement", g.And(a, a.Not()), circuit.False},
		{"constant", g.Ite(circuit.True, b, c), b},
		{"ite as xor", g.Ite(a, b, b.Not()), g.Equal(a, b)},
		{"no signal", g.And(), circuit.True},
		{"no sum", g.Xor(), circuit.False},
	} {
		if x.got != x.want {
			t.Errorf("%s: %d and %d", x.name, x.got, x.want)
		}
	}
	if g.Gates() != 5 {
		t.Errorf("%d gates, want 5", g.Gates())
	}
}

// randomSequential returns a small sequential circuit.
func randomSequential(rng *rand.Rand) *circuit.Graph {
	g := circuit.New()
	ss := g.Word("in put", rng.IntN(3))
	latches := rng.IntN(4)
	for i := range latches {
		name := ""
		if i > 0 {
			name = "latch"
		}
		ss = append(ss, g.Latch(name, []circuit.Signal{circuit.False, circuit.False, circuit.True, circuit.Free}[rng.IntN(4)]))
	}
	ss = randomSignals(rng, g, ss, rng.IntN(15))
	pick := func() circuit.Signal { return ss[rng.IntN(len(ss))] ^ circuit.Signal(rng.IntN(2)) }
	counter := rng.IntN(2) == 0 // long executions
	carry := circuit.True
	for _, l := range g.Latches {
		switch {
		case counter:
			g.SetNext(l.Signal, g.Xor(l.Signal, carry))
			carry = g.And(carry, l.Signal)
		case rng.IntN(5) > 0:
			g.SetNext(l.Signal, pick())
		}
	}
	for range 1 + rng.IntN(2) {
		p := circuit.Port{Name: "p", Signal: g.And(pick(), pick(), pick())}
		if rng.IntN(3) == 0 {
			g.Outputs = append(g.Outputs, p)
		} else {
			g.Bad = append(g.Bad, p)
		}
	}
	for range rng.IntN(3) {
		g.Constraints = append(g.Constraints, circuit.Port{Signal: g.Or(pick(), pick())})
	}
	return g
}

// shortest returns the number of the first step of g with a bad state and true constraints up
// to there, by a search of all states; or -1.
func shortest(g *circuit.Graph, bound int) int {
	properties := g.Bad
	if len(properties) == 0 {
		properties = g.Outputs
	}
	states := map[int]bool{}
	for x := range 1 << len(g.Latches) {
		possible := true
		for i, l := range g.Latches {
			possible = possible && (l.Reset == circuit.Free || (l.Reset == circuit.True) == (x>>i&1 != 0))
		}
		if possible {
			states[x] = true
		}
	}
	for step := range bound + 1 {
		after := map[int]bool{}
		for x := range states {
			for y := range 1 << len(g.Inputs) {
				values := g.Eval(bits(y, len(g.Inputs)), bits(x, len(g.Latches)))
				eval := func(s circuit.Signal) bool { return values.Of(s) }
				if slices.ContainsFunc(g.Constraints, func(p circuit.Port) bool { return !eval(p.Signal) }) {
					continue
				}
				if slices.ContainsFunc(properties, func(p circuit.Port) bool { return eval(p.Signal) }) {
					return step
				}
				next := 0
				for i, l := range g.Latches {
					if eval(l.Next) {
						next |= 1 << i
					}
				}
				after[next] = true
			}
		}
		states = after
	}
	return -1
}

// TestBounded checks answers and witnesses of random sequential circuits against a search of
// all states, and that they are the same after writing and reading the circuit.
func TestBounded(t *testing.T) {
	var steps [8]int
	never := 0
	seeds := effort.Seeds(500, 30_000)
	for _, seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 2))
		g := randomSequential(rng)
		bound := rng.IntN(8)
		want := shortest(g, bound)
		var b bytes.Buffer
		if err := g.WriteAIGER(&b, rng.IntN(2) == 0); err != nil {
			t.Fatal(err)
		}
		read, err := circuit.ReadAIGER(&b, "")
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if len(g.Inputs) > 0 && read.Inputs[0].Name != g.Inputs[0].Name || len(g.Bad) > 0 && read.Bad[0].Name != "p" {
			t.Fatalf("seed %d: names are lost", seed)
		}
		for _, g := range []*circuit.Graph{g, read} {
			s := cdcl.New(cdcl.Options{})
			b, err := circuit.NewBounded(g, s)
			if err != nil {
				t.Fatal(err)
			}
			got := dimacs.Unsatisfiable
			if rng.IntN(2) == 0 {
				b.Within(bound)
				got = s.Solve(context.Background())
			}
			for got == dimacs.Unsatisfiable && b.Steps() <= bound && (b.Steps() == 0 || len(g.Latches) > 0) {
				l := b.Step()
				got = s.Solve(context.Background(), l)
				if got == dimacs.Satisfiable && want != b.Steps()-1 {
					t.Fatalf("seed %d: a bad state at step %d, the first one is %d", seed, b.Steps()-1, want)
				}
			}
			if (got == dimacs.Satisfiable) != (want >= 0) {
				t.Fatalf("seed %d, bound %d: got %v, the shortest execution has %d steps", seed, bound, got, want)
			}
			if got != dimacs.Satisfiable {
				never++
				continue
			}
			w, err := b.Witness(s.Model())
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			last := len(w.Inputs) - 1
			if last < want || len(w.Bad) == 0 {
				t.Fatalf("seed %d: a witness of %d steps, the shortest has %d", seed, last, want)
			}
			steps[last]++
			w.Inputs = w.Inputs[:want] // one step less than the shortest
			if err := w.Run(g); err == nil {
				t.Fatalf("seed %d: a witness that is too short is accepted", seed)
			}
		}
	}
	if never < len(seeds)/5 || steps[2] < len(seeds)/100 || slices.Max(steps[4:]) == 0 {
		t.Errorf("%d without bad states, lengths %v", never, steps)
	}
}
