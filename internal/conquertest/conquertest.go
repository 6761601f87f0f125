package conquertest

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
)

// A Problem is a formula with its cubes and the conditions of the run.
type Problem struct {
	Formula *dimacs.Formula
	Cubes   [][]dimacs.Lit
	Workers int
	Budget  int64 // conflicts after which a cube is split; 0 is no limit
	Share   bool  // workers share learned clauses

	// Proof is the format of the proof, or FormatUnknown if no proof is asked for.
	Proof proof.Format

	// Solver has the options of the solvers, without Proof and Exchange.
	Solver cdcl.Options

	// Progress, if not nil, is called after results, but perhaps not after each. No two
	// calls overlap.
	Progress func(portfolio.ConquerStats)
}

// An Answer is the end of an attempt.
type Answer struct {
	Status dimacs.Status
	Model  dimacs.Model           // of the formula, if Status is Satisfiable
	Stats  portfolio.ConquerStats // at the end
}

// Attempts are attempts at one problem. They keep results from one attempt to the next.
type Attempts interface {
	// Solve solves the problem, or continues the attempt before. If ctx ends before
	// there is an answer, the status is Unknown and the error nil. It is an error if
	// the formula of a later attempt is another one.
	Solve(ctx context.Context, p Problem) (Answer, error)

	// Proof returns the proof in the format of the problem after an attempt has returned
	// Unsatisfiable.
	Proof() ([]byte, error)
}

// A Transport is a transport under test.
type Transport struct {
	// Start returns the attempts at a new problem. It registers its clean-up with t.
	Start func(t *testing.T) Attempts

	// Rounds is the number of random formulas. A test solves each a few times. With -short
	// there are a quarter of them.
	Rounds int
}

// patience is longer than any wait in a test that does not fail, on any machine.
const patience = 5 * time.Minute

// Run tests a transport, each behavior in a subtest.
func Run(t *testing.T, transport Transport) {
	if testing.Short() {
		transport.Rounds /= 4
	}
	for _, test := range []struct {
		name string
		run  func(*testing.T, Transport)
	}{
		{"answers", testAnswers},
		{"options", testOptions},
		{"missing", testMissing},
		{"proofs", testProofs},
		{"attempts", testAttempts},
		{"covered", testCovered},
		{"formula", testOtherFormula},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, transport) })
	}
}

// solve makes the first attempt at a problem and checks its answer.
func (tr Transport) solve(t *testing.T, p Problem) (Answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	a := tr.Start(t)
	got, err := a.Solve(ctx, p)
	if err == nil {
		err = check(a, &p, &got)
	}
	return got, err
}

// check returns an error if the model or the proof of an answer is wrong.
func check(a Attempts, p *Problem, got *Answer) error {
	switch {
	case got.Status == dimacs.Satisfiable && got.Model.Falsified(p.Formula) >= 0:
		return errors.New("the model is wrong")
	case got.Status == dimacs.Unsatisfiable && p.Proof != proof.FormatUnknown:
		steps, err := a.Proof()
		if err == nil {
			_, err = proof.Check(context.Background(), p.Formula, bytes.NewReader(steps), proof.Options{Format: p.Proof})
		}
		return err
	}
	return nil
}
