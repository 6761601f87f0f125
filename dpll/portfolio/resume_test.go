package portfolio_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/portfolio"
	"sator/internal/cdcltest"
	"sator/internal/conquertest"
	"sator/internal/dplltest"
)

// A storedProof is a proof in memory that a later run continues.
type storedProof struct {
	*proof.Writer
	bytes bytes.Buffer
	last  int64 // id of the last clause
}

// newStoredProof returns a proof that begins with the steps of an earlier run, of which
// the last clause has the given id.
func newStoredProof(format proof.Format, steps []byte, last int64) *storedProof {
	p := &storedProof{last: last}
	p.bytes.Write(steps)
	p.Writer = proof.NewWriter(&p.bytes, format, int(last))
	return p
}

// from returns the proof of a run that continues with the results of earlier runs. p is the
// proof of the last one, or nil.
func (p *storedProof) from(format proof.Format, known []portfolio.Result, f *dimacs.Formula) *storedProof {
	if len(known) == 0 {
		return newStoredProof(format, nil, int64(f.Len()))
	}
	at := known[len(known)-1].Proof
	return newStoredProof(format, p.bytes.Bytes()[:at.Bytes], at.Last)
}

func (p *storedProof) Learn(lits []dimacs.Lit, hints []int64) int64 {
	p.last = p.Writer.Learn(lits, hints)
	return p.last
}

func (p *storedProof) position() (portfolio.ProofPosition, error) {
	err := p.Flush()
	return portfolio.ProofPosition{Bytes: int64(p.bytes.Len()), Last: p.last}, err
}

// The proof of a run that is stopped after any result and resumed with any number of
// solvers is right, with formulas of all families and random options. If solvers of cubes
// added extension variables, resumed runs would define these again, which no checker
// accepts.
func TestResumedProofs(t *testing.T) {
	rounds := uint64(150)
	if testing.Short() {
		rounds = 50
	}
	resumed := 0
	for seed := range rounds {
		rng := rand.New(rand.NewPCG(seed, 11))
		family := dplltest.Families[rng.IntN(len(dplltest.Families))]
		f := family.Make(rng, 10+rng.IntN(60))
		var lits [][]dimacs.Lit
		if f.Vars() >= 10 {
			lits, _ = conquertest.Cubes(rng, f)
		}
		settings := dplltest.RandomSettings(rng, cdcltest.Knobs())
		format := []proof.Format{proof.BinaryDRAT, proof.LRAT}[rng.IntN(2)]
		var known []portfolio.Result
		stored := newStoredProof(format, nil, int64(f.Len()))
		for round := range 3 {
			o := hasty(1 + rng.IntN(3))
			set(&o.Solver, settings)
			o.Solver.Seed, o.Solver.Proof, o.Position, o.Known = seed, stored, stored.position, known
			var results []portfolio.Result
			o.Keep = func(r portfolio.Result) error {
				results = append(results, r)
				return nil
			}
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			got, _, err := portfolio.Conquer(ctx, f, cubesOf(f, lits), o)
			cancel()
			if err == nil && got == dimacs.Unsatisfiable {
				stored.Flush()
				_, err = proof.Check(context.Background(), f, bytes.NewReader(stored.bytes.Bytes()), proof.Options{Format: format})
			}
			if err != nil {
				t.Fatalf("seed %d, %s, run %d, cubes %v, %v: %v", seed, family.Name, round, lits, settings, err)
			}
			if got == dimacs.Satisfiable {
				break
			}
			resumed += min(1, len(known))
			known = append(known, results[:rng.IntN(len(results)+1)]...)
			stored = stored.from(format, known, f)
		}
	}
	if resumed < int(rounds)/10 {
		t.Errorf("only %d runs were resumed", resumed)
	}
}
