package main

import (
	"context"
	"fmt"

	"sator/dimacs"
	"sator/dimacs/proof"
)

// What solve derives goes to a file with --proof, to a checker with --verify,
// to both or nowhere.
//
// The rules for the file: it is whole before an answer is printed, of whatever
// kind, and it is there only if it is whole. So an answer stands on standard
// output only if the steps that led to it are on the disk. When the answer is a
// model, or there is none, the steps so far stay as well, since each of them
// follows from the formula. When writing fails, the search ends at once, there
// is no answer and, where that can be had, no file.

// evidence is what listens to the solver.
type evidence struct {
	file    *proofFile     // nil if there is none
	checker *proof.Checker // nil if there is none
	fault   error          // of a refutation, found by the checker
}

// proof returns what the solver tells its steps, for a formula of so many
// clauses; nil if nobody listens.
func (v *evidence) proof(clauses int) dimacs.Proof {
	var to []dimacs.Proof
	if v.checker != nil {
		to = append(to, v.checker)
	}
	if v.file != nil {
		to = append(to, v.file.start(clauses))
	}
	switch len(to) {
	case 0:
		return nil
	case 1:
		return to[0]
	}
	return proof.Tee(to...)
}

// refuted has the checker say whether it confirms that the clauses given so
// far have no model under assumptions.
func (v *evidence) refuted(assumptions []dimacs.Lit) {
	if v.checker != nil && v.fault == nil {
		v.fault = v.checker.Refutes(assumptions)
	}
}

// verify returns an internal error if the checker found a fault.
func (v *evidence) verify() error {
	if v.checker == nil {
		return nil
	}
	if err := v.checker.Err(); err != nil {
		return &internalError{msg: fmt.Sprintf("the derivation is wrong: %v", err)}
	}
	if v.fault != nil {
		return &internalError{msg: fmt.Sprintf("the refutation is not confirmed: %v", v.fault)}
	}
	return nil
}

// A proofFile is the file for the proof.
type proofFile struct {
	name   string
	format proof.Format
	out    output
	steps  *proof.Writer // nil until the formula is read
	bytes  int64         // before compression
	err    error         // the first one of out
	failed func(error)   // called with it, ends the search
}

// startProof begins to make the file that the options ask for, if any, and
// returns a context that ends when writing to it fails.
func (e *env) startProof(parent context.Context, o *solveOptions) (context.Context, *proofFile, error) {
	if !o.hasProof {
		return parent, nil, nil
	}
	out, err := e.create(parent, o.proof)
	if err != nil {
		return parent, nil, err
	}
	ctx, cancel := context.WithCancelCause(parent)
	return ctx, &proofFile{name: o.proof, format: o.proofFormat, out: out, failed: cancel}, nil
}

// start returns a writer of the steps for a formula of so many clauses.
func (p *proofFile) start(clauses int) dimacs.Proof {
	p.steps = proof.NewWriter(p, p.format, clauses)
	return p.steps
}

// Write passes on what the writer of steps gathers.
func (p *proofFile) Write(b []byte) (int, error) {
	n, err := p.out.Write(b)
	p.bytes += int64(n)
	if err != nil {
		p.fail(err)
	}
	return n, err
}

// fail keeps the first error.
func (p *proofFile) fail(err error) {
	if p.err == nil {
		p.err = fmt.Errorf("the proof cannot be written: %w", err)
		p.failed(p.err)
	}
}

// close completes the file. If that, or a write before, failed, it returns the
// error and there is no file.
func (p *proofFile) close() error {
	if p == nil {
		return nil
	}
	if p.steps != nil {
		p.steps.Flush() // its error is in p.err
	}
	if p.err == nil {
		if err := p.out.Close(); err != nil {
			p.fail(err)
		}
	}
	p.abort()
	return p.err
}

// abort removes what there is of the file, unless it was closed before, and
// ends its context.
func (p *proofFile) abort() {
	if p != nil {
		p.out.Abort()
		p.failed(nil)
	}
}
