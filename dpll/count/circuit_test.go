package count

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
)

// TestCircuit compares counts and marginals of circuits, under literals that are given, with
// brute force.
func TestCircuit(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 2))
		vars := 1 + r.IntN(8)
		f, o := randomFormula(r, vars), randomOptions(r, vars)
		c, result := compile(context.Background(), f, o, int64(seed%2)*quickTicks)
		if want := brute(f, &o); result.Models.Cmp(want) != 0 {
			t.Fatalf("seed %d: %v models, want %v", seed, result.Models, want)
		}
		given := []dimacs.Lit{dimacs.Lit(r.IntN(2 * vars))}
		if o.Project != nil && !slices.Contains(o.Project, given[0].Var()) {
			given = nil
		}
		assumed := o
		assumed.Assume = append(slices.Clone(o.Assume), given...)
		if got, want := c.Count(given...), brute(f, &assumed); got.Cmp(want) != 0 {
			t.Fatalf("seed %d: %v models with %v, want %v", seed, got, given, want)
		}
		c.Marginals(func(l dimacs.Lit, n *big.Rat) {
			with := assumed
			with.Assume = append(slices.Clone(assumed.Assume), l)
			if o.Project != nil && !slices.Contains(o.Project, l.Var()) {
				t.Fatalf("seed %d: a marginal of %v, which is not counted", seed, l)
			}
			if want := brute(f, &with); n.Cmp(want) != 0 {
				t.Fatalf("seed %d: %v models of %v with %v, want %v", seed, n, l, given, want)
			}
		}, given...)
	}
}

// TestSampler checks that models are drawn with their probabilities.
func TestSampler(t *testing.T) {
	f := dimacs.NewFormula(4)
	f.AddInts(1, 2)
	f.AddInts(-1, 3)
	o := Options{Weights: map[dimacs.Lit]*big.Rat{dimacs.FromInt(1): big.NewRat(1, 4), dimacs.FromInt(-1): big.NewRat(3, 4)}}
	c, result := Compile(context.Background(), f, o)
	drawn := map[string]int{}
	const draws = 20000
	sample := c.Sampler(rand.New(rand.NewPCG(1, 1)))
	for range draws {
		m := sample()
		if !m.Satisfies(f) {
			t.Fatalf("%v is no model", m.Lits())
		}
		drawn[fmt.Sprint(m.Lits())]++
	}
	if len(drawn) != 8 {
		t.Errorf("%d different models, want 8", len(drawn))
	}
	for m, n := range drawn {
		w := 0.75
		if strings.HasPrefix(m, "[1 ") {
			w = 0.25
		}
		total, _ := result.Models.Float64()
		if p := w / total; float64(n) < 0.9*p*draws || float64(n) > 1.1*p*draws {
			t.Errorf("%s was drawn %d times of %d, want %.0f", m, n, draws, p*draws)
		}
	}
}

// TestForms counts the models of written circuits by their text alone.
func TestForms(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 3))
		vars := 1 + r.IntN(8)
		f := randomFormula(r, vars)
		c, result := Compile(context.Background(), f, Options{})
		for _, form := range Forms {
			var b bytes.Buffer
			if err := form.Write(&b, c, vars); err != nil {
				t.Fatal(err)
			}
			text := b.String()
			n := int64(0)
			for m := range dimacs.Lit(1 << vars) {
				truth := func(l int) bool { x := dimacs.FromInt(l); return m>>x.Var()&1 != x&1 }
				if map[string]func(string, func(int) bool) bool{"c2d": trueC2D, "d4": trueD4}[form.Name](text, truth) {
					n++
				}
			}
			if result.Models.Cmp(big.NewRat(n, 1)) != 0 {
				t.Fatalf("seed %d, %s: %d models, want %v\n%s", seed, form.Name, n, result.Models, text)
			}
		}
	}
}

// trueC2D evaluates a circuit in the form of c2d, and panics if both sides of a choice are true.
func trueC2D(text string, truth func(int) bool) bool {
	var values []bool
	for s := bufio.NewScanner(strings.NewReader(text)); s.Scan(); {
		f := strings.Fields(s.Text())
		n := make([]int, len(f))
		for i := range f {
			fmt.Sscan(f[i], &n[i])
		}
		trues := 0
		switch f[0] {
		case "L":
			values = append(values, truth(n[1]))
		case "A":
			for _, i := range n[2:] {
				if values[i] {
					trues++
				}
			}
			values = append(values, trues == n[1])
		case "O":
			for _, i := range n[3:] {
				if values[i] {
					trues++
				}
			}
			if trues > 1 {
				panic("both sides of a choice are true")
			}
			values = append(values, trues == 1)
		}
	}
	return values[len(values)-1]
}

// trueD4 evaluates a circuit in the form of d4.
func trueD4(text string, truth func(int) bool) bool {
	kinds, edges := map[int]string{}, map[int][][]int{}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		n := make([]int, len(f))
		for i := range f {
			fmt.Sscan(f[i], &n[i])
		}
		if strings.ContainsAny(f[0], "oatf") {
			kinds[n[1]] = f[0]
		} else {
			edges[n[0]] = append(edges[n[0]], n[1:len(n)-1])
		}
	}
	var value func(i int) bool
	value = func(i int) bool {
		trues := 0
		for _, e := range edges[i] {
			right := value(e[0])
			for _, l := range e[1:] {
				right = right && truth(l)
			}
			if right {
				trues++
			}
		}
		switch kinds[i] {
		case "t":
			return true
		case "a":
			return trues == len(edges[i])
		case "o":
			if trues > 1 {
				panic("both sides of a choice are true")
			}
			return trues == 1
		}
		return false
	}
	return value(1)
}

// TestMisuse checks the panics.
func TestMisuse(t *testing.T) {
	f := dimacs.NewFormula(2)
	f.AddInts(1, 2)
	for want, misuse := range map[string]func(){
		"count: 2 is not a literal of a counted variable": func() {
			c, _ := Compile(context.Background(), f, Options{Project: []dimacs.Var{0}})
			c.Count(dimacs.FromInt(2))
		},
		"count: the weight -1/2 of -1 is negative": func() {
			Count(context.Background(), f, Options{Weights: map[dimacs.Lit]*big.Rat{dimacs.FromInt(-1): big.NewRat(-1, 2)}})
		},
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("got %v, want %s", got, want)
				}
			}()
			misuse()
		}()
	}
}
