package cdcl

import (
	"context"
	"math/rand/v2"
	"testing"

	"sator/dimacs"
)

// An extensionLog is a proof that finds variables which are defined twice: all their clauses were
// deleted, and then they occur again.
type extensionLog struct {
	t       *testing.T
	vars    dimacs.Var // of the formula
	last    int64
	live    map[dimacs.Var]int
	deleted map[dimacs.Var]bool
}

func (p *extensionLog) Hints() bool { return true }

func (p *extensionLog) Original([]dimacs.Lit) int64 { p.last++; return p.last }

func (p *extensionLog) Learn(lits []dimacs.Lit, _ []int64) int64 {
	for _, l := range lits {
		if l.Var() >= p.vars {
			p.live[l.Var()]++
			if p.deleted[l.Var()] {
				p.t.Fatalf("lemma %d, %v: variable %v is defined again", p.last+1, lits, l.Var().Lit())
			}
		}
	}
	p.last++
	return p.last
}

func (p *extensionLog) Delete(_ int64, lits []dimacs.Lit) {
	for _, l := range lits {
		if l.Var() >= p.vars {
			p.live[l.Var()]--
			p.deleted[l.Var()] = p.live[l.Var()] == 0
		}
	}
}

// TestExtensionsOnce checks that no variable is defined twice in a proof, in runs with many passes
// that define some.
func TestExtensionsOnce(t *testing.T) {
	const vars = 63
	seen := 0
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 2))
		f := dimacs.NewFormula(vars)
		for range 4 {
			clauses, _ := randomSystem(rng, 16)
			shift := dimacs.Lit(2 * rng.IntN(vars-15))
			for _, c := range clauses {
				for i := range c {
					c[i] += shift
				}
				f.Add(c...)
			}
		}
		for range 3 * vars {
			p := rng.Perm(vars)
			f.Add(dimacs.Lit(2*p[0]+rng.IntN(2)), dimacs.Lit(2*p[1]+rng.IntN(2)), dimacs.Lit(2*p[2]+rng.IntN(2)))
		}
		p := &extensionLog{t: t, vars: vars, live: map[dimacs.Var]int{}, deleted: map[dimacs.Var]bool{}}
		o := Options{}
		o.OneShot, o.Proof, o.InprocessInterval, o.Lucky, o.Seed = true, p, 2, LuckyOff, seed
		s := New(o)
		s.AddFormula(f)
		s.Solve(context.Background())
		seen += len(p.deleted)
	}
	if seen == 0 {
		t.Error("no run has extension variables")
	}
}
