package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"sator/dimacs"
	"sator/dimacs/proof"
)

// What solve derives goes to a file with --proof, to a checker with --verify,
// to both or nowhere. If the engine tells antecedents, the checker follows each
// step as it is made; if not, the steps are kept, as a binary DRAT proof in
// memory, and the refutation is checked at its end. The steps of conquer are
// kept, too, if they continue those of earlier runs: in the folder of these
// (conquer.go).

// Evidence is what listens to the solver.
type Evidence struct {
	File    recipient      // nil if there is none
	checker *proof.Checker // nil if there is none
	Kept    keptProof      // nil if there is none
	Fault   error          // of a refutation, found by the checker
}

// A recipient is where a proof goes.
type recipient interface {
	// Start returns what the steps are told to, for a formula of so many clauses.
	Start(clauses int) dimacs.Proof
}

// A keptProof is a proof that is checked when it is whole.
type keptProof interface {
	recipient

	// Refutes returns an error if the steps so far do not refute the formula under
	// assumptions.
	Refutes(ctx context.Context, f *dimacs.Formula, assumptions []dimacs.Lit) error
}

// NewEvidence returns what listens to an engine that tells antecedents or not.
func NewEvidence(file *ProofFile, verify, hints bool) Evidence {
	var v Evidence
	if file != nil {
		v.File = file
	}
	switch {
	case verify && hints:
		v.checker = proof.NewChecker()
	case verify:
		v.Kept = new(proofInMemory)
	}
	return v
}

// Proof returns what the solver tells its steps, for a formula of so many
// clauses; nil if nobody listens.
func (v *Evidence) Proof(clauses int) dimacs.Proof {
	var to []dimacs.Proof
	if v.checker != nil {
		to = append(to, v.checker)
	}
	if v.Kept != nil {
		to = append(to, v.Kept.Start(clauses))
	}
	if v.File != nil {
		to = append(to, v.File.Start(clauses))
	}
	switch len(to) {
	case 0:
		return nil
	case 1:
		return to[0]
	}
	return proof.Tee(to...)
}

// Verifying reports whether refutations are checked.
func (v *Evidence) Verifying() bool { return v.checker != nil || v.Kept != nil }

// Refuted has the checker say whether it confirms that the clauses given so far,
// the first ones of f, have no model under assumptions. It returns the cause of
// ctx if that ends before it is known.
func (v *Evidence) Refuted(ctx context.Context, f *dimacs.Formula, clauses int, assumptions []dimacs.Lit) error {
	switch {
	case v.Fault != nil:
	case v.checker != nil:
		v.Fault = v.checker.Refutes(assumptions)
	case v.Kept != nil:
		v.Fault = v.Kept.Refutes(ctx, First(f, clauses), assumptions)
	}
	if ctx.Err() != nil && errors.Is(v.Fault, context.Cause(ctx)) {
		v.Fault = nil
		return context.Cause(ctx)
	}
	return nil
}

// Verify returns an internal error if the checker found a fault.
func (v *Evidence) Verify() error {
	if v.checker != nil {
		if err := v.checker.Err(); err != nil {
			return &InternalError{Msg: fmt.Sprintf("the derivation is wrong: %v", err)}
		}
	}
	if v.Fault != nil {
		return &InternalError{Msg: fmt.Sprintf("the refutation is not confirmed: %v", v.Fault)}
	}
	return nil
}

// A proofInMemory is a proof in memory.
type proofInMemory struct {
	bytes bytes.Buffer
	steps *proof.Writer
}

func (k *proofInMemory) Start(clauses int) dimacs.Proof {
	k.steps = proof.NewWriter(&k.bytes, proof.BinaryDRAT, clauses)
	return k.steps
}

func (k *proofInMemory) Refutes(ctx context.Context, f *dimacs.Formula, assumptions []dimacs.Lit) error {
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

// A Record is such a file.
type Record struct {
	what   string // it is of, for messages
	Name   string
	out    output
	Bytes  int64       // before compression
	err    error       // the first one of out
	failed func(error) // called with it, ends the search
}

// StartRecord begins to make a file and returns a context that ends when writing
// to it fails. No name, no file.
func (e *Env) StartRecord(parent context.Context, what, name string) (context.Context, *Record, error) {
	if name == "" {
		return parent, nil, nil
	}
	out, err := e.create(parent, name)
	if err != nil {
		return parent, nil, err
	}
	ctx, cancel := context.WithCancelCause(parent)
	return ctx, &Record{what: what, Name: name, out: out, failed: cancel}, nil
}

// Write passes on what was gathered before.
func (r *Record) Write(b []byte) (int, error) {
	n, err := r.out.Write(b)
	r.Bytes += int64(n)
	if err != nil {
		r.fail(err)
	}
	return n, err
}

// fail keeps the first error.
func (r *Record) fail(err error) {
	if r.err == nil {
		r.err = fmt.Errorf("the %s cannot be written: %w", r.what, err)
		r.failed(r.err)
	}
}

// Close completes the file. If that, or a write before, failed, it returns the
// error and there is no file.
func (r *Record) Close() error {
	if r == nil {
		return nil
	}
	if r.err == nil {
		if err := r.out.Close(); err != nil {
			r.fail(err)
		}
	}
	r.Abort()
	return r.err
}

// Abort removes what there is of the file, unless it was closed before, and
// ends its context.
func (r *Record) Abort() {
	if r != nil {
		r.out.Abort()
		r.failed(nil)
	}
}

// A ProofFile is the file for the proof.
type ProofFile struct {
	*Record
	Format proof.Format
	steps  *proof.Writer // nil until the formula is read
}

// ProofOptions are the flags about a proof.
type ProofOptions struct {
	HasProof    bool
	Proof       string // the file
	ProofFormat proof.Format
}

// StartProof begins to make the file that the options ask for, if any.
func (e *Env) StartProof(parent context.Context, o ProofOptions) (context.Context, *ProofFile, error) {
	if !o.HasProof {
		return parent, nil, nil
	}
	if o.Proof == "" {
		return parent, nil, ErrNoName
	}
	ctx, r, err := e.StartRecord(parent, "proof", o.Proof)
	if err != nil {
		return parent, nil, err
	}
	return ctx, &ProofFile{Record: r, Format: o.ProofFormat}, nil
}

// Start returns a writer of the steps for a formula of so many clauses.
func (p *ProofFile) Start(clauses int) dimacs.Proof {
	p.steps = proof.NewWriter(p, p.Format, clauses)
	return p.steps
}

// Close completes the file, as that of a record.
func (p *ProofFile) Close() error {
	if p == nil {
		return nil
	}
	if p.steps != nil {
		p.steps.Flush() // its error is in p.err
	}
	return p.Record.Close()
}

func (p *ProofFile) Abort() {
	if p != nil {
		p.Record.Abort()
	}
}

// Format reads the flags about the format of the proof. The answer goes to the
// file output.
func (o *ProofOptions) Format(c *cli.Context, output, engine string, hints bool) (proof.Format, error) {
	if !o.HasProof {
		for _, name := range []string{"proof-format", "proof-text"} {
			if c.IsSet(name) {
				return 0, Useless(name, "proof")
			}
		}
	}
	if o.Proof == "-" && output == "-" {
		return 0, &UsageError{"the proof cannot go where the answer goes, to standard output", "Send the answer to a file by --output."}
	}
	text := c.Bool("proof-text")
	switch name := c.String("proof-format"); {
	case name == "lrat" && !hints:
		return 0, &UsageError{fmt.Sprintf("the engine %s tells no antecedents, so that its proofs cannot be in LRAT", engine),
			`Write DRAT; "sator check --lrat" makes LRAT of it.`}
	case name == "drat" && text:
		return proof.DRAT, nil
	case name == "drat":
		return proof.BinaryDRAT, nil
	case name == "lrat" && text:
		return proof.LRAT, nil
	case name == "lrat":
		return proof.BinaryLRAT, nil
	default:
		return 0, InvalidName("proof-format", name, []string{"drat", "lrat"})
	}
}

// First returns a formula of the first clauses of f.
func First(f *dimacs.Formula, clauses int) *dimacs.Formula {
	if clauses == f.Len() {
		return f
	}
	part := dimacs.NewFormula(f.Vars())
	for i := range clauses {
		part.Add(f.Clause(i)...)
	}
	return part
}
