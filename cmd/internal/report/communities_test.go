package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sator/cmd/internal/record"
	"sator/dimacs"
)

// planted returns binary and ternary clauses of which most are within one of k groups.
func planted(seed uint64, vars, k, clauses int) *dimacs.Formula {
	rng := rand.New(rand.NewPCG(seed, 1))
	f := dimacs.NewFormula(vars)
	for i := range clauses {
		group, lits := rng.IntN(k), []int{}
		for len(lits) < 2+i%2 {
			v := 1 + rng.IntN(vars)
			if rng.IntN(20) > 0 {
				v = 1 + group + k*rng.IntN(vars/k)
			}
			if !slices.Contains(lits, v) {
				lits = append(lits, v)
			}
		}
		f.AddInts(lits...)
	}
	return f
}

// slowModularity computes Q from its definition, with a matrix.
func slowModularity(p *Partition) float64 {
	n := len(p.Community)
	matrix, degree, total := make([]float64, n*n), make([]float64, n), 0.0
	for _, e := range p.edges {
		a, b, w := int(e.a), int(e.b), float64(e.weight)
		matrix[a*n+b] += w
		matrix[b*n+a] += w
		degree[a] += w
		degree[b] += w
		total += 2 * w
	}
	q := 0.0
	for a := range n {
		for b := range n {
			if p.Community[a] == p.Community[b] {
				q += matrix[a*n+b]/total - degree[a]*degree[b]/total/total
			}
		}
	}
	return q
}

func TestCommunities(t *testing.T) {
	f := planted(1, 80, 4, 600)
	p, err := Communities(f)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Sizes) != 4 || slices.Min(p.Sizes) != 20 {
		t.Fatalf("communities of %v variables, want four of 20", p.Sizes)
	}
	for v, c := range p.Community {
		if c != p.Community[v%4] {
			t.Errorf("variable %d is not in the community of %d", v+1, v%4+1)
		}
	}
	if p.Modularity < 0.6 {
		t.Errorf("modularity %.2f", p.Modularity)
	}
}

// TestModularity compares the modularity with its definition on random formulas, and checks
// that no move of one variable makes it larger.
func TestModularity(t *testing.T) {
	for seed := range uint64(20) {
		p, err := Communities(planted(seed, 24, 1+int(seed%5), 10+4*int(seed)))
		if err != nil {
			t.Fatal(err)
		}
		if want := slowModularity(p); math.Abs(p.Modularity-want) > 1e-9 {
			t.Fatalf("seed %d: modularity %.6f, want %.6f", seed, p.Modularity, want)
		}
		sum := 0
		for _, n := range p.Sizes {
			sum += n
		}
		connected := 0
		for _, c := range p.Community {
			if c >= 0 {
				connected++
			}
		}
		if sum != connected || !slices.IsSortedFunc(p.Sizes, func(a, b int) int { return b - a }) {
			t.Fatalf("seed %d: sizes %v of %d variables", seed, p.Sizes, connected)
		}
	}
}

func TestCommunitiesOfSmallFormulas(t *testing.T) {
	for _, c := range []struct {
		clauses [][]int
		sizes   string
	}{
		{nil, "[]"},
		{[][]int{{1}, {2}}, "[]"},
		{[][]int{{1, -1}}, "[]"},
		{[][]int{{1, 2}}, "[2]"},
		{[][]int{{1, 2}, {3, 4, 5}}, "[3 2]"},
	} {
		f := dimacs.NewFormula(5)
		for _, clause := range c.clauses {
			f.AddInts(clause...)
		}
		p, err := Communities(f)
		if err != nil || fmt.Sprint(p.Sizes) != c.sizes {
			t.Errorf("%v: sizes %v, error %v, want %s", c.clauses, p.Sizes, err, c.sizes)
		}
		if m := p.Matrix(); (m == "") != (c.sizes == "[]") {
			t.Errorf("%v: matrix %q", c.clauses, m)
		}
	}
}

func TestCommunitiesOfLargeFormulas(t *testing.T) {
	if _, err := Communities(dimacs.NewFormula(MostVariables + 1)); err == nil || !strings.Contains(err.Error(), "20,001 variables") {
		t.Errorf("error %v", err)
	}
}

// TestMatrix checks that the cells of the picture are those of the edges: the path has a
// rectangle of one row for each run of cells.
func TestMatrix(t *testing.T) {
	f := dimacs.NewFormula(4)
	f.AddInts(1, 3)
	f.AddInts(2, 4)
	p, err := Communities(f)
	if err != nil {
		t.Fatal(err)
	}
	m := string(p.Matrix())
	for _, want := range []string{`viewBox="0 0 4 4"`, "M1 0h1v1h-1M0 1h1v1h-1M3 2h1v1h-1M2 3h1v1h-1", "2 communities; modularity 0.50"} {
		if !strings.Contains(m, want) {
			t.Errorf("no %s in %s", want, m)
		}
	}
}

func TestMatches(t *testing.T) {
	f := planted(1, 20, 2, 30)
	l := record.Describe(f)
	l.Hash = "12"
	if !Matches(f, l) {
		t.Error("a formula does not match its description")
	}
	f.AddInts(1, 2)
	if Matches(f, l) {
		t.Error("another formula matches")
	}
}

func BenchmarkCommunities(b *testing.B) {
	for _, vars := range []int{1000, 10_000} {
		f := planted(1, vars, 20, 5*vars)
		b.Run(fmt.Sprintf("planted/n=%d", vars), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if p, err := Communities(f); err != nil || p.Modularity < 0.5 {
					b.Fatal("no communities")
				}
			}
		})
	}
}
