package dplltest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
)

// A tampered proof changes the steps of a correct engine on the way to the proof of the
// test.
type tampered struct {
	dimacs.Proof
	learn func(p dimacs.Proof, lits []dimacs.Lit, hints []int64) (id int64)
	drop  func(p dimacs.Proof, id int64, lits []dimacs.Lit)
	n     int // number of lemmas
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

// prover returns a constructor of plain engines with tampered proofs.
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

// TestWrongProversAreFound checks that wrong proofs of correct answers are found.
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
		{"learns a wrong lemma before each lemma", func(p *tampered) {
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
		{"learns a unit for the empty clause", func(p *tampered) {
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
		{"leaves out the last hint", func(p *tampered) {
			p.learn = func(to proof, ls lits, hs hints) int64 { return to.Learn(ls, hs[:max(0, len(hs)-1)]) }
		}, "along", 1},
		{"returns a wrong id", func(p *tampered) {
			p.learn = func(to proof, ls lits, hs hints) int64 { return to.Learn(ls, hs) - int64(p.n%2) }
		}, "", 5},
		{"deletes each lemma at once", func(p *tampered) {
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
		{"deletes with a literal missing", func(p *tampered) {
			p.drop = func(to proof, id int64, ls lits) { to.Delete(id, ls[:len(ls)-1]) }
		}, "deleted clause", 4},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := firstFailure(prover(test.tamper), Config{}, 400)
			checkFailure(t, f, test.want, test.clauses)
			if f.Proof == NoProof {
				t.Errorf("the failure is without a proof:\n%v", f)
			}
		})
	}
}

// A purist learns and deletes, in each call, the pure literals of the formula, which are
// RAT steps.
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

// TestRATProofs checks that RAT steps are accepted with RATProofs only.
func TestRATProofs(t *testing.T) {
	newEngine := func(s Setup) Engine { return purist{newPlain(s)} }
	Run(t, newEngine, Config{Vars: 14, Proves: RATProofs})
	f := firstFailure(newEngine, Config{Proves: PlainProofs}, 100)
	if f == nil || !strings.Contains(f.Err.Error(), "not implied") {
		t.Errorf("RAT steps are accepted for PlainProofs: %v", f)
	}
}
