package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"sator/dimacs"
	"sator/dimacs/proof"
)

// Proofs. With --proof the steps of a solver are written to a file. They are also checked, unless
// --no-verify is given: if the engine logs antecedents (hints), a checker follows the
// solver; otherwise a binary DRAT proof is kept in memory and checked at the end, if it is short or
// --verify is given. A resumed run of conquer keeps its proof in its directory instead (see conquer.go).

// A Verification is the wish of --verify and --no-verify.
type Verification int

const (
	VerifyCheaply Verification = iota // check refutations unless that takes much time or memory
	VerifyAlways                      // a refutation that is not checked is no answer
	VerifyNever
)

// VerifyFlags returns the flags of a [Verification].
func VerifyFlags() []Flag {
	return []Flag{
		&BoolFlag{Name: "verify", Category: ProofFlags, Usage: "give no refutation that is not checked"},
		&BoolFlag{Name: "no-verify", Category: ProofFlags, Usage: "do not check the refutation"},
	}
}

// VerificationOf reads the flags of a [Verification].
func VerificationOf(c *cli.Context) (Verification, error) {
	switch {
	case c.Bool("verify") && c.Bool("no-verify"):
		return 0, Exclusive("verify", "no-verify")
	case c.Bool("verify"):
		return VerifyAlways, nil
	case c.Bool("no-verify"):
		return VerifyNever, nil
	}
	return VerifyCheaply, nil
}

// Evidence connects a solver with the sinks of its proof: a file, a checker, both
// or neither.
type Evidence struct {
	File      sink         // nil for no file
	checker   *proof.Batch // checks the steps; nil if it does not run
	Kept      keptProof    // a proof that is checked at the end; nil if the checker runs or no check is requested
	Fault     error        // the error of a wrong refutation, or nil
	Unchecked string       // why a refutation was not checked, although --no-verify is not given
	always    bool
	memory    *Budget
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

// NewEvidence returns the evidence of an engine that solves f, or else the first clauses of f and then the others. With
// hints the engine logs antecedents. The checks keep the memory limit.
func NewEvidence(file *ProofFile, f *dimacs.Formula, verify Verification, hints bool, memory *Budget) Evidence {
	v := Evidence{always: verify == VerifyAlways, memory: memory}
	if file != nil {
		v.File = file
	}
	switch {
	case verify == VerifyNever:
	case hints:
		v.checker = proof.NewBatch(f, memory.Allows)
	case v.always:
		v.Kept = &proofInMemory{memory: memory, most: math.MaxInt}
	default:
		v.Kept = &proofInMemory{memory: memory, most: shortProof}
	}
	return v
}

// shortProof is the size in bytes of a proof in memory that is checked without --verify. A check of
// DRAT can take longer than the search.
const shortProof = 128 << 10

// Concurrently lets the checks run beside the solver from now on. The formula must not be packed
// anymore.
func (v *Evidence) Concurrently() {
	if v.checker != nil {
		v.checker.Concurrently()
	}
}

// Allows is the memory limit of a solver with one goroutine. If the memory does not suffice for the
// solver and the checker, the check ends, unless --verify is given.
func (v *Evidence) Allows(bytes int64) bool {
	if v.memory.Allows(bytes) {
		return true
	}
	if v.checker == nil || v.always {
		return false
	}
	v.checker.End()
	return v.memory.Allows(bytes)
}

// Spent returns the time of the checks beside the search.
func (v *Evidence) Spent() time.Duration {
	if v.checker == nil {
		return 0
	}
	return v.checker.Spent()
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

// Requested reports whether refutations are checked, as far as they were not too long or too large.
func (v *Evidence) Requested() bool { return v.checker != nil || v.Kept != nil }

// Confirm checks that f, the formula given to the solver, has no model under the
// assumptions. Err returns the result. Confirm itself returns the cause of ctx if ctx ends
// the check.
func (v *Evidence) Confirm(ctx context.Context, f *dimacs.Formula, assumptions []dimacs.Lit) error {
	switch {
	case v.Fault != nil:
	case v.checker != nil:
		v.Fault = v.checker.Refutes(assumptions)
	case v.Kept != nil:
		v.Fault = v.Kept.Refutes(ctx, f, assumptions)
	}
	switch {
	case v.always:
	case errors.As(v.Fault, new(*dimacs.MemoryError)):
		v.Unchecked, v.Fault = "the memory does not suffice for the checker", nil
	case errors.Is(v.Fault, errLongProof):
		v.Unchecked, v.Fault = "the proof has no hints and is long; --verify checks it", nil
	}
	err := v.memory.Catch(v.Fault)
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		v.Fault = nil
		return context.Cause(ctx)
	}
	return nil
}

// Err returns an internal error if the checker found a fault.
func (v *Evidence) Err() error {
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
	most   int // number of bytes above which the proof is dropped
	long   bool
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
	if k.long = k.long || len(k.bytes)+len(p) > k.most; k.long {
		k.bytes = nil
		return len(p), nil
	}
	k.bytes = append(dimacs.Extend(k.memory.Allows, k.bytes, len(p)), p...)
	return len(p), nil
}

var errLongProof = errors.New("the proof is too long")

func (k *proofInMemory) Refutes(ctx context.Context, f *dimacs.Formula, assumptions []dimacs.Lit) error {
	if err := k.steps.Flush(); err != nil {
		return err
	}
	if k.long {
		return errLongProof
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
	Format string // may be empty
	Bytes  int64  // number of bytes written, before compression
	out    output
	err    error       // the first error of out
	lose   func(error) // ends the run, with the first error
}

// CreateOutput creates a file. A write error ends the contexts of the run. The caller passes the
// file, or what embeds it, to [Run.Keep].
func (r *Run) CreateOutput(what, name string) (*OutputFile, error) {
	if name == "" {
		return nil, ErrNoName
	}
	if err := keepFormula(what, name); err != nil {
		return nil, err
	}
	out, err := r.create(r.Ctx, name)
	if err != nil {
		return nil, err
	}
	f := &OutputFile{what: what, Name: name, out: out, lose: r.lose}
	r.Files = append(r.Files, f)
	return f, nil
}

// Write writes to the file and counts the bytes.
func (f *OutputFile) Write(b []byte) (int, error) {
	n, err := f.out.Write(b)
	f.Bytes += int64(n)
	return n, f.check(err)
}

// check stores the first error and ends the run. It returns err.
func (f *OutputFile) check(err error) error {
	if err != nil && f.err == nil {
		f.err = fmt.Errorf("cannot write the %s: %w", f.what, err)
		f.lose(f.err)
	}
	return err
}

// Close completes the file. After a write error it removes the file and returns
// the error.
func (f *OutputFile) Close() error {
	if f.err == nil {
		f.check(f.out.Close())
	}
	f.Abort()
	return f.err
}

// Abort removes the file, unless it is closed.
func (f *OutputFile) Abort() { f.out.Abort() }

// Summary returns a line about the complete file.
func (f *OutputFile) Summary() string {
	text := fmt.Sprintf("wrote the %s to %s: ", f.what, ShownOutput(f.Name))
	if f.Format != "" {
		text += f.Format + ", "
	}
	text += Count(f.Bytes, "byte")
	if IsPacking(filepath.Ext(f.Name)) {
		text += " before compression"
	}
	return text
}

// A ProofFile is the file of a proof.
type ProofFile struct {
	*OutputFile
	format proof.Format
	steps  *proof.Writer // nil until the formula is read
}

// ProofOptions are the flags about a proof.
type ProofOptions struct {
	HasProof    bool
	Proof       string // name of the proof file
	ProofFormat proof.Format
}

// CreateProof creates the file of --proof. Without the flag it returns nil.
func (r *Run) CreateProof(o ProofOptions) (*ProofFile, error) {
	if !o.HasProof {
		return nil, nil
	}
	f, err := r.CreateOutput("proof", o.Proof)
	if err != nil {
		return nil, err
	}
	f.Format = o.ProofFormat.String()
	p := &ProofFile{OutputFile: f, format: o.ProofFormat}
	r.Keep(p)
	return p, nil
}

// Start returns a writer of steps for a formula with the given number of clauses.
func (p *ProofFile) Start(clauses int) dimacs.Proof {
	p.steps = proof.NewWriter(p, p.format, clauses)
	return p.steps
}

// Close completes the file, as OutputFile.Close does.
func (p *ProofFile) Close() error {
	if p.steps != nil {
		p.steps.Flush() // p.err has its error
	}
	return p.OutputFile.Close()
}

// Format reads the flags about the format of the proof.
func (o *ProofOptions) Format(c *cli.Context, engine string, hints bool) (proof.Format, error) {
	if !o.HasProof {
		for _, name := range []string{"proof-format", "proof-text"} {
			if c.IsSet(name) {
				return 0, Useless(name, "proof")
			}
		}
	}
	if err := CheckOutput(c, "proof", "the proof", "answer"); err != nil {
		return 0, err
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
