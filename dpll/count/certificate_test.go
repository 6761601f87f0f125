package count

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/internal/effort"
)

// certificate returns the certificate of a formula, and its number of models.
func certificate(t *testing.T, f *dimacs.Formula, o Options) (string, *Result) {
	t.Helper()
	c, result := compile(context.Background(), f, o, int64(o.Seed%2)*quickTicks)
	var b bytes.Buffer
	if err := c.Certify(context.Background(), f, &b); err != nil {
		t.Fatal(err)
	}
	return b.String(), result
}

// TestCertificates checks certificates of random formulas, also weighted and refuted ones, and ones with an empty clause.
func TestCertificates(t *testing.T) {
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 4))
		vars := 1 + r.IntN(15)
		f, o := randomFormula(r, vars), randomOptions(r, vars)
		o.Project, o.Assume = nil, nil
		if seed%100 == 99 {
			f.Add()
		}
		text, result := certificate(t, f, o)
		got, err := proof.CheckCount(context.Background(), f, strings.NewReader(text), "", o.Weights)
		if err != nil || got.Models.Cmp(result.Models) != 0 {
			t.Fatalf("seed %d: %v, %v, want %v\n%s", seed, got, err, result.Models, text)
		}
	}
}

// TestLargeCertificates checks certificates of circuits with shared nodes, under propagation, learned clauses
// and simplification, and that they grow with the circuit.
func TestLargeCertificates(t *testing.T) {
	for _, seed := range effort.Seeds(8, 400) {
		r := rand.New(rand.NewPCG(seed, 6))
		f := dimacs.NewFormula(60)
		for range 70 + r.IntN(60) {
			near := r.IntN(54) // clauses are local, so that components arise
			f.Add(dimacs.Lit(2*near+r.IntN(12)), dimacs.Lit(2*near+r.IntN(12)), dimacs.Lit(2*near+r.IntN(12)))
		}
		for range 20 { // chains of equivalent variables
			v, w := r.IntN(60), r.IntN(60)
			f.Add(dimacs.Lit(2*v), dimacs.Lit(2*w+1), dimacs.Lit(r.IntN(120)))
			f.Add(dimacs.Lit(2*v+1), dimacs.Lit(2*w))
		}
		text, result := certificate(t, f, Options{Seed: seed})
		got, err := proof.CheckCount(context.Background(), f, strings.NewReader(text), "", nil)
		if err != nil || got.Models.Cmp(result.Models) != 0 {
			t.Fatalf("seed %d: %v, %v, want %v", seed, got, err, result.Models)
		}
		if got.Clauses > got.Nodes+150 {
			t.Errorf("seed %d: %d lemmas for %d nodes", seed, got.Clauses, got.Nodes)
		}
	}
}

// TestWrongCertificates changes one number or leaves out one line of certificates: whatever is still
// accepted must be right.
func TestWrongCertificates(t *testing.T) {
	refused := 0
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 5))
		f := randomFormula(r, 8)
		text, result := certificate(t, f, Options{})
		lines := strings.SplitAfter(text, "\n")
		i := r.IntN(len(lines) - 1)
		if words := strings.Fields(lines[i]); r.IntN(3) == 0 {
			lines[i] = ""
		} else {
			at := r.IntN(len(words))
			words[at] = []string{"0", "1", "-1", "2", "-3", "9", "-10", "14", "p", words[r.IntN(len(words))]}[r.IntN(10)]
			lines[i] = strings.Join(words, " ") + "\n"
		}
		got, err := proof.CheckCount(context.Background(), f, strings.NewReader(strings.Join(lines, "")), "", nil)
		switch {
		case err != nil:
			refused++
		case got.Models.Cmp(result.Models) != 0:
			t.Fatalf("seed %d: %v models, want %v\n%s", seed, got.Models, result.Models, strings.Join(lines, ""))
		}
	}
	if refused < 600 {
		t.Errorf("only %d of 1000 changed certificates were refused", refused)
	}
}
