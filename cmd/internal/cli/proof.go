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

// Proofs. With --proof the steps of a solver are written to a file; with
// --verify they are checked. If the engine logs antecedents (hints), the
// checker follows each step; otherwise a binary DRAT proof is kept in memory
// and checked at the end. A resumed run of conquer keeps its proof in its
// directory instead (see conquer.go).

// Evidence connects a solver with the sinks of its proof: a file, a checker, both
// or neither.
type Evidence struct {
	File    sink           // nil for no file
	checker *proof.Checker // checks each step; nil if it does not run
	Kept    keptProof      // a proof that is checked at the end; nil if the checker runs or no check is requested
	Fault   error          // the error of a wrong refutation, or nil
	memory  *Budget
}

// A sink receives a proof.
type sink interface {
	// Start returns the receiver of the steps, for a formula with the given
	// number of clauses.
	Start(clauses int) dimacs.Proof
}

// A keptProof is stored while the solver runs, and checked at the end.
type keptProof interface {
	sink

	// Refutes returns an error if the steps so far do not refute the formula
	// under the assumptions.
	Refutes(ctx context.Context, f *dimacs.Formula, assumptions []dimacs.Lit) error
}

// NewEvidence returns the evidence of an engine. With hints the engine logs
// antecedents. The checks keep the memory limit.
func NewEvidence(file *ProofFile, verify, hints bool, memory *Budget) Evidence {
	v := Evidence{memory: memory}
	if file != nil {
		v.File = file
	}
	switch {
	case verify && hints:
		v.checker = proof.NewCheckerWithin(memory.Allows)
	case verify:
		v.Kept = &proofInMemory{memory: memory}
	}
	return v
}

// Proof returns the receiver of the steps for a formula with the given number of
// clauses, or nil if there is neither a file nor a checker.
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

// Refuted checks that the first clauses of f, those given to the solver, have no
// model under the assumptions. Verify returns the result. Refuted itself returns
// the cause of ctx if ctx ends the check.
func (v *Evidence) Refuted(ctx context.Context, f *dimacs.Formula, clauses int, assumptions []dimacs.Lit) error {
	switch {
	case v.Fault != nil:
	case v.checker != nil:
		v.Fault = v.checker.Refutes(assumptions)
	case v.Kept != nil:
		v.Fault = v.Kept.Refutes(ctx, First(f, clauses), assumptions)
	}
	err := v.memory.Catch(v.Fault)
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		v.Fault = nil
		return context.Cause(ctx)
	}
	return nil
}

// Verify returns an internal error if the checker found a fault.
func (v *Evidence) Verify() error {
	if v.checker != nil {
		if err := v.checker.Err(); err != nil && !errors.As(err, new(*dimacs.MemoryError)) {
			return &InternalError{Msg: fmt.Sprintf("the derivation is wrong: %v", err)}
		}
	}
	if v.Fault != nil {
		return &InternalError{Msg: fmt.Sprintf("the refutation is not confirmed: %v", v.Fault)}
	}
	return nil
}

// A proofInMemory is a keptProof in memory.
type proofInMemory struct {
	memory *Budget
	bytes  []byte
	steps  *proof.Writer
}

func (k *proofInMemory) Start(clauses int) dimacs.Proof {
	k.steps = proof.NewWriter(k, proof.BinaryDRAT, clauses)
	return k.steps
}

// Write appends p to the proof. It panics with a [*dimacs.MemoryError] if that exceeds the
// memory limit.
func (k *proofInMemory) Write(p []byte) (int, error) {
	k.bytes = append(dimacs.Extend(k.memory.Allows, k.bytes, len(p)), p...)
	return len(p), nil
}

func (k *proofInMemory) Refutes(ctx context.Context, f *dimacs.Formula, assumptions []dimacs.Lit) error {
	if err := k.steps.Flush(); err != nil {
		return err
	}
	_, err := proof.Check(ctx, f, bytes.NewReader(k.bytes), proof.Options{
		Name:        "the derivation",
		Format:      proof.BinaryDRAT,
		Memory:      k.memory.Allows,
		Assumptions: assumptions,
	})
	return err
}

// Output files of a run, for a proof and for a trace. A file is complete before
// the answer is printed, and an incomplete file is removed. So an answer
// implies a complete proof on the disk. If the answer is not unsatisfiable, the
// file has the steps so far; each follows from the formula. A write error ends
// the search without an answer.

// An OutputFile is a file that a solver writes while it runs.
type OutputFile struct {
	what   string // the content, for messages
	Name   string
	out    output
	Bytes  int64       // number of bytes written, before compression
	err    error       // the first error of out
	failed func(error) // called with the first error, to end the search
}

// StartOutput creates a file and returns a context that a write error cancels.
// For an empty name it returns nil.
func (e *Env) StartOutput(parent context.Context, what, name string) (context.Context, *OutputFile, error) {
	if name == "" {
		return parent, nil, nil
	}
	if err := keepFormula(what, name); err != nil {
		return parent, nil, err
	}
	out, err := e.create(parent, name)
	if err != nil {
		return parent, nil, err
	}
	ctx, cancel := context.WithCancelCause(parent)
	return ctx, &OutputFile{what: what, Name: name, out: out, failed: cancel}, nil
}

// Write writes to the file and counts the bytes.
func (r *OutputFile) Write(b []byte) (int, error) {
	n, err := r.out.Write(b)
	r.Bytes += int64(n)
	if err != nil {
		r.fail(err)
	}
	return n, err
}

// fail stores the first error and cancels the context.
func (r *OutputFile) fail(err error) {
	if r.err == nil {
		r.err = fmt.Errorf("cannot write the %s: %w", r.what, err)
		r.failed(r.err)
	}
}

// Close completes the file. After a write error it removes the file and returns
// the error.
func (r *OutputFile) Close() error {
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

// Abort removes the file, unless it is closed, and releases the context.
func (r *OutputFile) Abort() {
	if r != nil {
		r.out.Abort()
		r.failed(nil)
	}
}

// A ProofFile is the file of a proof.
type ProofFile struct {
	*OutputFile
	Format proof.Format
	steps  *proof.Writer // nil until the formula is read
}

// ProofOptions are the flags about a proof.
type ProofOptions struct {
	HasProof    bool
	Proof       string // name of the proof file
	ProofFormat proof.Format
}

// StartProof creates the file of --proof, if it is given.
func (e *Env) StartProof(parent context.Context, o ProofOptions) (context.Context, *ProofFile, error) {
	if !o.HasProof {
		return parent, nil, nil
	}
	if o.Proof == "" {
		return parent, nil, ErrNoName
	}
	ctx, r, err := e.StartOutput(parent, "proof", o.Proof)
	if err != nil {
		return parent, nil, err
	}
	return ctx, &ProofFile{OutputFile: r, Format: o.ProofFormat}, nil
}

// Start returns a writer of steps for a formula with the given number of clauses.
func (p *ProofFile) Start(clauses int) dimacs.Proof {
	p.steps = proof.NewWriter(p, p.Format, clauses)
	return p.steps
}

// Close completes the file, as OutputFile.Close does.
func (p *ProofFile) Close() error {
	if p == nil {
		return nil
	}
	if p.steps != nil {
		p.steps.Flush() // p.err has its error
	}
	return p.OutputFile.Close()
}

func (p *ProofFile) Abort() {
	if p != nil {
		p.OutputFile.Abort()
	}
}

// Format reads the flags about the format of the proof. The argument output is
// the name of the file for the answer.
func (o *ProofOptions) Format(c *cli.Context, output, engine string, hints bool) (proof.Format, error) {
	if !o.HasProof {
		for _, name := range []string{"proof-format", "proof-text"} {
			if c.IsSet(name) {
				return 0, Useless(name, "proof")
			}
		}
	}
	if o.Proof == "-" && output == "-" {
		return 0, &UsageError{Msg: "the proof and the answer cannot both be written to standard output", Hint: "Write the answer to a file by --output."}
	}
	text := c.Bool("proof-text")
	switch name := proofFormat(c, o.Proof); {
	case name == "lrat" && !hints:
		return 0, &UsageError{Msg: fmt.Sprintf("the engine %s logs no antecedents, so its proofs cannot be in LRAT", engine),
			Hint: `Write DRAT; "sator check --lrat" converts it to LRAT.`}
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

// proofFormat returns the value of --proof-format. Without the flag, a file with the
// extension .lrat is in LRAT.
func proofFormat(c *cli.Context, file string) string {
	if !c.IsSet("proof-format") && Extension(file) == ".lrat" {
		return "lrat"
	}
	return c.String("proof-format")
}

// First returns the formula of the first clauses of f.
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
