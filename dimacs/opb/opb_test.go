package opb_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/dimacs/opb"
	"sator/dpll/cdcl"
	"sator/dpll/maxsat"
	"sator/internal/effort"
	"sator/internal/fuzztest"
)

// randomText returns a random problem as text.
func randomText(rng *rand.Rand, vars int) string {
	var b strings.Builder
	if rng.IntN(2) == 0 {
		fmt.Fprintf(&b, "* #variable= %d #constraint= 2\n", vars)
	}
	terms := func() {
		for range rng.IntN(6) {
			fmt.Fprintf(&b, "%+d %sx%d ", rng.IntN(15)-7, []string{"", "~"}[rng.IntN(2)], 1+rng.IntN(vars))
		}
	}
	switch rng.IntN(3) {
	case 0:
		b.WriteString("min: ")
		terms()
		b.WriteString(";\n")
	case 1:
		b.WriteString("max: ")
		terms()
		b.WriteString(";\n")
	}
	for range 2 {
		terms()
		relation, bound := []string{">=", ">", "<=", "<", "="}[rng.IntN(5)], rng.IntN(12)-9
		if relation[0] == '<' {
			bound = -bound
		}
		fmt.Fprintf(&b, "%s %d;\n", relation, bound)
	}
	return b.String()
}

// TestProblem checks clauses and optima of random problems against all assignments.
func TestProblem(t *testing.T) {
	var solutions, none, optima int
	seeds := effort.Seeds(300, 10_000)
	for _, seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 3))
		text := randomText(rng, 1+rng.IntN(5))
		p, err := opb.Read(strings.NewReader(text), "")
		if err != nil {
			t.Fatalf("seed %d: %v in %s", seed, err, text)
		}
		s := cdcl.New(cdcl.Options{})
		p.Encode(s)
		found := false
		var best int64
		for x := range 1 << p.Vars {
			m := make(dimacs.Model, p.Vars)
			assumptions := make([]dimacs.Lit, p.Vars)
			for v := range m {
				assumptions[v] = dimacs.Var(v).Lit() ^ dimacs.Lit(x>>v&1)
				m.Set(assumptions[v])
			}
			holds := p.Violated(m) < 0
			if got := s.Solve(context.Background(), assumptions...); (got == dimacs.Satisfiable) != holds {
				t.Fatalf("seed %d: %v is %v, but the clauses are %v:\n%s", seed, m.Lits(), holds, got, text)
			}
			if !holds {
				continue
			}
			solutions++
			other := s.Clone()
			var clause []dimacs.Lit
			for _, l := range s.Model().Lits() {
				clause = append(clause, l.Not())
			}
			other.Add(clause...)
			if got := other.Solve(context.Background(), assumptions...); got != dimacs.Unsatisfiable {
				t.Fatalf("seed %d: %v has two models:\n%s", seed, m.Lits(), text)
			}
			value := opb.Value(p.Objective, m)
			if !found || value < best != p.Maximize && value != best {
				best, found = value, true
			}
		}
		r := maxsat.Solve(context.Background(), p.Weighted(), maxsat.Options{})
		switch {
		case (r.Status == dimacs.Satisfiable) != found:
			t.Fatalf("seed %d: got %v:\n%s", seed, r.Status, text)
		case !found:
			none++
		case p.Violated(r.Model) >= 0 || opb.Value(p.Objective, r.Model) != best || p.ValueOf(r.Cost) != best:
			t.Fatalf("seed %d: optimum %d, want %d:\n%s", seed, opb.Value(p.Objective, r.Model), best, text)
		case p.Optimize:
			optima++
		}
	}
	if min(solutions, none, optima) < len(seeds)/8 {
		t.Errorf("%d solutions, %d problems without, %d optima", solutions, none, optima)
	}
}

// TestRead checks what a reader accepts, and errors with their positions.
func TestRead(t *testing.T) {
	tests := []struct{ in, want string }{
		{"x1 + 2 x2 -~x3>=1;", "3: [{1 1} {2 2} {-3 -1}] 0 1"},
		{"* #variable= 5 #constraint= 1\n* x\n+1 x1\n  +2x2 = -3 ;", "5: [{1 1} {2 2}] 2 -3"},
		{"* #variable=5\n-x1 < 0;", "5: [{1 -1}] 1 -1"},
		{" >= 0 ;", "0: [] 0 0"},
		{"min: ;", "0:"},
		{"", "0:"},
		{"* #variable= 2 #constraint= 1\n+1 x3 >= 1;", "f:1:1: #variable= 2, but there is the variable x3"},
		{"* #variable= 3 #constraint= 2\n+1 x3 >= 1;", "f:1:1: #constraint= 2, but there are 1"},
		{"* #variable= x\n", "f:1:1: #variable= is not followed by a number"},
		{"+1 x1 x2 >= 1;", `f:1:7: "x2" after a literal: products of literals are not supported, and a sum needs + or a coefficient`},
		{"soft: 3;", `f:1:1: "soft:" where a term or one of >= <= = is expected`},
		{"+1 x1 >= 1", "f:1:11: the end of the input where the ; of the constraint is expected"},
		{"+1 x1 >= ;", `f:1:10: ";" where an integer is expected`},
		{"+1 x1 ;", `f:1:7: ";" where a term or one of >= <= = is expected`},
		{"+1 x0 >= 1;", `f:1:4: "x0" is not a variable such as x1, nor its complement ~x1`},
		{"+1 x+1 >= 1;", `f:1:4: "x" is not a variable such as x1, nor its complement ~x1`},
		{"+1 y >= 1;", `f:1:4: "y" is not a variable such as x1, nor its complement ~x1`},
		{"+1 x99999999999999999999 >= 1;", `f:1:4: "x99999999999999999999" is above the limit of 1073741823 variables`},
		{"+9223372036854775808 x1 >= 1;", `f:1:1: "+9223372036854775808" exceeds 63 bits`},
		{"+9223372036854775807 x1 +1 x2 >= 1;", "f:1:1: the coefficients add up to 2^63 or more"},
		{"min: +9223372036854775807 x1 +1 x2;", "f:1:1: the coefficients add up to 2^63 or more"},
		{"x1 > 9223372036854775807;", "f:1:25: the bound exceeds 63 bits"},
		{"min: x1\n>= 1;", `f:2:1: ">=" where a term or ; is expected`},
		{"x1 >= 1;\nmin: x1;", `f:2:1: "min:" where a term or one of >= <= = is expected`},
		{"x1 >= 1;\r\n\rx2 >= 1;", "f:2:1: a carriage return without a line feed"},
	}
	for _, tt := range tests {
		p, err := opb.Read(strings.NewReader(tt.in), "f")
		var got string
		if err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprint(p.Vars, ":")
			for _, c := range p.Constraints {
				got += fmt.Sprint(" ", c.Terms, " ", int(c.Relation), " ", c.Bound)
			}
		}
		if got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.in, got, tt.want)
		}
	}
}

// FuzzRead checks that a problem that is read can be encoded unless it is too large.
func FuzzRead(f *testing.F) {
	seeds := [][]byte{[]byte("* #variable= 4 #constraint= 1\nmin: +1 x1 -2 ~x2;\n+1 x1 +3 x4 >= 2;\n"), []byte("max: x1;x1 + 2 x2 = 2;")}
	words := []string{"*", "min:", "+1", "-2", "x1", "~x2", ">=", "=", ";", "\n"}
	fuzztest.Run(f, seeds, words, func(t testing.TB, in []byte) {
		p, err := opb.Read(fuzztest.Pieces(in), "")
		if err != nil || p.Vars > 50 || len(in) > 300 {
			return
		}
		p.Encode(dimacs.NewFormula(0))
		p.Weighted()
	})
}

func Example() {
	p, err := opb.Read(strings.NewReader("min: 4 x1 3 x2 2 x3;\nx1 + x2 + x3 >= 2;\n2 x2 + x3 <= 2;"), "shop.opb")
	if err != nil {
		panic(err)
	}
	r := maxsat.Solve(context.Background(), p.Weighted(), maxsat.Options{})
	fmt.Println(r.Optimal, opb.Value(p.Objective, r.Model))
	fmt.Println(p.Values(r.Model))
	// Output:
	// true 6
	// [x1 -x2 x3]
}
