package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"sator/dimacs"
	"sator/dimacs/proof"
)

// What solve derives goes to a file with --proof, to a checker with --verify,
// to both or nowhere. If the engine tells antecedents, the checker follows each
// step as it is made; if not, the steps are kept, as a binary DRAT proof in
// memory, and the refutation is checked at its end. The steps of conquer are
// kept, too, if they continue those of earlier runs: in the folder of these
// (conquer.go).

// evidence is what listens to the solver.
type evidence struct {
	file    recipient      // nil if there is none
	checker *proof.Checker // nil if there is none
	kept    keptProof      // nil if there is none
	fault   error          // of a refutation, found by the checker
}

// A recipient is where a proof goes.
type recipient interface {
	// start returns what the steps are told to, for a formula of so many clauses.
	start(clauses int) dimacs.Proof
}

// A keptProof is a proof that is checked when it is whole.
type keptProof interface {
	recipient

	// refutes returns an error if the steps so far do not refute the formula under
	// assumptions.
	refutes(ctx context.Context, f *dimacs.Formula, assumptions []dimacs.Lit) error
}

// newEvidence returns what listens to an engine that tells antecedents or not.
func newEvidence(file *proofFile, verify, hints bool) evidence {
	var v evidence
	if file != nil {
		v.file = file
	}
	switch {
	case verify && hints:
		v.checker = proof.NewChecker()
	case verify:
		v.kept = new(proofInMemory)
	}
	return v
}

// proof returns what the solver tells its steps, for a formula of so many
// clauses; nil if nobody listens.
func (v *evidence) proof(clauses int) dimacs.Proof {
	var to []dimacs.Proof
	if v.checker != nil {
		to = append(to, v.checker)
	}
	if v.kept != nil {
		to = append(to, v.kept.start(clauses))
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

// verifying reports whether refutations are checked.
func (v *evidence) verifying() bool { return v.checker != nil || v.kept != nil }

// refuted has the checker say whether it confirms that the clauses given so far,
// the first ones of f, have no model under assumptions. It returns the cause of
// ctx if that ends before it is known.
func (v *evidence) refuted(ctx context.Context, f *dimacs.Formula, clauses int, assumptions []dimacs.Lit) error {
	switch {
	case v.fault != nil:
	case v.checker != nil:
		v.fault = v.checker.Refutes(assumptions)
	case v.kept != nil:
		v.fault = v.kept.refutes(ctx, first(f, clauses), assumptions)
	}
	if ctx.Err() != nil && errors.Is(v.fault, context.Cause(ctx)) {
		v.fault = nil
		return context.Cause(ctx)
	}
	return nil
}

// verify returns an internal error if the checker found a fault.
func (v *evidence) verify() error {
	if v.checker != nil {
		if err := v.checker.Err(); err != nil {
			return &internalError{msg: fmt.Sprintf("the derivation is wrong: %v", err)}
		}
	}
	if v.fault != nil {
		return &internalError{msg: fmt.Sprintf("the refutation is not confirmed: %v", v.fault)}
	}
	return nil
}

// A proofInMemory is a proof in memory.
type proofInMemory struct {
	bytes bytes.Buffer
	steps *proof.Writer
}

func (k *proofInMemory) start(clauses int) dimacs.Proof {
	k.steps = proof.NewWriter(&k.bytes, proof.BinaryDRAT, clauses)
	return k.steps
}

func (k *proofInMemory) refutes(ctx context.Context, f *dimacs.Formula, assumptions []dimacs.Lit) error {
	if err := k.steps.Flush(); err != nil {
		return err
	}
	_, err := proof.Check(ctx, f, bytes.NewReader(k.bytes.Bytes()), proof.Options{
		Name:        "the derivation",
		Format:      proof.BinaryDRAT,
		Assumptions: assumptions,
	})
	return err
}

// The files that solve makes while it works, of a proof and of a trace, follow
// these rules: a file is whole before an answer is printed, of whatever kind,
// and it is there only if it is whole. So an answer stands on standard output
// only if the steps that led to it are on the disk. When the answer is a model,
// or there is none, the steps so far stay as well, since each step of a proof
// follows from the formula. When writing fails, the search ends at once, there
// is no answer and, where that can be had, no file.

// A record is such a file.
type record struct {
	what   string // it is of, for messages
	name   string
	out    output
	bytes  int64       // before compression
	err    error       // the first one of out
	failed func(error) // called with it, ends the search
}

// startRecord begins to make a file and returns a context that ends when writing
// to it fails. No name, no file.
func (e *env) startRecord(parent context.Context, what, name string) (context.Context, *record, error) {
	if name == "" {
		return parent, nil, nil
	}
	out, err := e.create(parent, name)
	if err != nil {
		return parent, nil, err
	}
	ctx, cancel := context.WithCancelCause(parent)
	return ctx, &record{what: what, name: name, out: out, failed: cancel}, nil
}

// Write passes on what was gathered before.
func (r *record) Write(b []byte) (int, error) {
	n, err := r.out.Write(b)
	r.bytes += int64(n)
	if err != nil {
		r.fail(err)
	}
	return n, err
}

// fail keeps the first error.
func (r *record) fail(err error) {
	if r.err == nil {
		r.err = fmt.Errorf("the %s cannot be written: %w", r.what, err)
		r.failed(r.err)
	}
}

// close completes the file. If that, or a write before, failed, it returns the
// error and there is no file.
func (r *record) close() error {
	if r == nil {
		return nil
	}
	if r.err == nil {
		if err := r.out.Close(); err != nil {
			r.fail(err)
		}
	}
	r.abort()
	return r.err
}

// abort removes what there is of the file, unless it was closed before, and
// ends its context.
func (r *record) abort() {
	if r != nil {
		r.out.Abort()
		r.failed(nil)
	}
}

// A proofFile is the file for the proof.
type proofFile struct {
	*record
	format proof.Format
	steps  *proof.Writer // nil until the formula is read
}

// startProof begins to make the file that the options ask for, if any.
func (e *env) startProof(parent context.Context, o *solveOptions) (context.Context, *proofFile, error) {
	if !o.hasProof {
		return parent, nil, nil
	}
	if o.proof == "" {
		return parent, nil, errNoName
	}
	ctx, r, err := e.startRecord(parent, "proof", o.proof)
	if err != nil {
		return parent, nil, err
	}
	return ctx, &proofFile{record: r, format: o.proofFormat}, nil
}

// start returns a writer of the steps for a formula of so many clauses.
func (p *proofFile) start(clauses int) dimacs.Proof {
	p.steps = proof.NewWriter(p, p.format, clauses)
	return p.steps
}

// close completes the file, as that of a record.
func (p *proofFile) close() error {
	if p == nil {
		return nil
	}
	if p.steps != nil {
		p.steps.Flush() // its error is in p.err
	}
	return p.record.close()
}

func (p *proofFile) abort() {
	if p != nil {
		p.record.abort()
	}
}

// A traceFile is the file for the trace.
type traceFile struct {
	*record
	lines *bufio.Writer
}

// startTrace begins to make the file of that name, if there is one.
func (e *env) startTrace(parent context.Context, name string) (context.Context, *traceFile, error) {
	ctx, r, err := e.startRecord(parent, "trace", name)
	if r == nil || err != nil {
		return parent, nil, err
	}
	return ctx, &traceFile{r, bufio.NewWriterSize(r, 1<<16)}, nil
}

// writer returns what the lines of the trace are written to, nil if nobody
// wants them.
func (t *traceFile) writer() io.Writer {
	if t == nil {
		return nil
	}
	return t.lines
}

// close completes the file, as that of a record.
func (t *traceFile) close() error {
	if t == nil {
		return nil
	}
	t.lines.Flush() // its error is in t.err
	return t.record.close()
}

func (t *traceFile) abort() {
	if t != nil {
		t.record.abort()
	}
}
