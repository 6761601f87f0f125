package dplltest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
)

func sprint(args ...any) string { return strings.TrimSuffix(fmt.Sprintln(args...), "\n") }

// A tampered proof stands between an engine that is right and the receiver of
// its proof.
type tampered struct {
	dimacs.Proof
	learn func(p dimacs.Proof, lits []dimacs.Lit, hints []int64) (id int64)
	drop  func(p dimacs.Proof, id int64, lits []dimacs.Lit)
	n     int // lemmas
}

func (p *tampered) Learn(lits []dimacs.Lit, hints []int64) int64 {
	if p.n++; p.learn != nil {
		return p.learn(p.Proof, lits, hints)
	}
	return p.Proof.Learn(lits, hints)
}

func (p *tampered) Delete(id int64, lits []dimacs.Lit) {
	if p.drop != nil {
		p.drop(p.Proof, id, lits)
		return
	}
	p.Proof.Delete(id, lits)
}

// prover returns a constructor of plain engines whose proofs are tampered with.
func prover(tamper func(p *tampered)) func(Setup) Engine {
	return func(s Setup) Engine {
		if s.Proof != nil {
			p := &tampered{Proof: s.Proof}
			tamper(p)
			s.Proof = p
		}
		return newPlain(s)
	}
}

// Every way of proving wrongly is found, though each answer is right.
func TestWrongProversAreFound(t *testing.T) {
	type (
		proof = dimacs.Proof
		lits  = []dimacs.Lit
		hints = []int64
	)
	tests := []struct {
		name    string
		tamper  func(*tampered)
		want    string // in the error
		clauses int    // in the shrunk formula at most
	}{
		{"learns what does not follow", func(p *tampered) {
			p.learn = func(to proof, ls lits, hs hints) int64 {
				if len(ls) > 0 {
					to.Learn(ls[:len(ls)-1], hs)
				}
				return to.Learn(ls, hs)
			}
		}, "learned", 2},
		{"leaves out lemmas", func(p *tampered) {
			p.learn = func(to proof, ls lits, hs hints) int64 {
				if len(ls) == 1 {
					return 1
				}
				return to.Learn(ls, hs)
			}
		}, "checker", 4},
		{"leaves out the last lemma", func(p *tampered) {
			p.learn = func(to proof, ls lits, hs hints) int64 {
				if len(ls) == 0 {
					return 1
				}
				return to.Learn(ls, hs)
			}
		}, "empty clause", 2},
		{"puts a literal too many into the last lemma", func(p *tampered) {
			p.learn = func(to proof, ls lits, hs hints) int64 {
				if len(ls) == 0 {
					ls = dimacs.Lits(3)
				}
				return to.Learn(ls, hs)
			}
		}, "empty clause", 2},
		{"reverses hints", func(p *tampered) {
			p.learn = func(to proof, ls lits, hs hints) int64 {
				slices.Reverse(hs)
				return to.Learn(ls, hs)
			}
		}, "along", 3},
		{"forgets a hint", func(p *tampered) {
			p.learn = func(to proof, ls lits, hs hints) int64 { return to.Learn(ls, hs[:max(0, len(hs)-1)]) }
		}, "along", 1},
		{"gives another id", func(p *tampered) {
			p.learn = func(to proof, ls lits, hs hints) int64 { return to.Learn(ls, hs) - int64(p.n%2) }
		}, "", 5},
		{"deletes what it needs", func(p *tampered) {
			p.learn = func(to proof, ls lits, hs hints) int64 {
				id := to.Learn(ls, hs)
				to.Delete(id, ls)
				return id
			}
			p.drop = func(proof, int64, lits) {}
		}, "", 4},
		{"deletes another clause", func(p *tampered) {
			p.drop = func(to proof, id int64, ls lits) { to.Delete(id-1, ls) }
		}, "delete", 4},
		{"deletes by other literals", func(p *tampered) {
			p.drop = func(to proof, id int64, ls lits) { to.Delete(id, ls[:len(ls)-1]) }
		}, "deleted clause", 4},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := firstFailure(prover(test.tamper), Config{}, 400)
			switch {
			case f == nil:
				t.Fatal("not found in 400 rounds")
			case !strings.Contains(f.Err.Error(), test.want):
				t.Errorf("found, but not for the reason %q:\n%v", test.want, f)
			case f.Case.Formula.Len() > test.clauses:
				t.Errorf("shrunk to %d clauses, want %d:\n%v", f.Case.Formula.Len(), test.clauses, f)
			case f.Proof == NoProof:
				t.Errorf("no proof was asked for:\n%v", f)
			}
			t.Logf("seed %d: %v", f.Seed, f)
		})
	}
}

// A proof without deletions is a proof.
func TestHoarderIsRight(t *testing.T) {
	hoarder := prover(func(p *tampered) { p.drop = func(dimacs.Proof, int64, []dimacs.Lit) {} })
	Run(t, hoarder, Config{Rounds: 60, Vars: 14})
}

// An engine that ignores that hints were asked for must say so.
func TestWithoutHints(t *testing.T) {
	silent := prover(func(p *tampered) {
		p.learn = func(to dimacs.Proof, lits []dimacs.Lit, _ []int64) int64 { return to.Learn(lits, nil) }
	})
	Run(t, silent, Config{Rounds: 60, Vars: 14, Proves: PlainProofs})
	if firstFailure(silent, Config{}, 100) == nil {
		t.Error("hints are missing, and nobody minds")
	}
}

// A purist learns for each call the literals that are pure in the formula,
// which is right as a RAT step, and forgets them again.
type purist struct{ *plain }

func (e purist) Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	if e.setup.Proof != nil {
		for l := range dimacs.Lit(2 * e.vars) {
			if !e.occurs(l.Not()) && e.occurs(l) {
				e.setup.Proof.Delete(e.setup.Proof.Learn([]dimacs.Lit{l}, nil), []dimacs.Lit{l})
			}
		}
	}
	return e.plain.Solve(ctx, assumptions...)
}

func (e purist) occurs(l dimacs.Lit) bool {
	return slices.ContainsFunc(e.clauses, func(c plainClause) bool { return slices.Contains(c.lits, l) })
}

func TestRATProofs(t *testing.T) {
	newEngine := func(s Setup) Engine { return purist{newPlain(s)} }
	Run(t, newEngine, Config{Vars: 14, Proves: RATProofs})
	f := firstFailure(newEngine, Config{Proves: PlainProofs}, 100)
	if f == nil || !strings.Contains(f.Err.Error(), "not implied") {
		t.Errorf("RAT steps pass for others: %v", f)
	}
}
