package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"sator/dimacs"
	"sator/dimacs/proof"
)

// Proofs of the page of formulas. A proof is kept in memory while the engine writes it, up to
// a limit that the request sets. It is there after a stop as well, for what the engine has
// derived so far.

// proofFormats are the formats of proofs by the names of requests.
var proofFormats = []struct {
	name   string
	format proof.Format
	file   string // the end of file names
}{
	{"drat", proof.DRAT, "drat"},
	{"binary-drat", proof.BinaryDRAT, "drat"},
	{"lrat", proof.LRAT, "lrat"},
	{"binary-lrat", proof.BinaryLRAT, "lrat"},
}

// A keptProof is a proof in memory.
type keptProof struct {
	format proof.Format
	file   string // the end of file names
	limit  int64  // bytes
	blocks [][]byte
	size   int64
	lemmas int64
	full   bool // the limit was exceeded, and the proof was dropped
	writer *proof.Writer
}

// blockSize is the size of the blocks of a kept proof. Blocks are not copied when the proof
// grows.
const blockSize = 1 << 18

// newProof returns an empty proof for a formula with this number of clauses. The name is
// one of proofFormats.
func newProof(name string, limit int64, clauses int) (*keptProof, error) {
	for _, f := range proofFormats {
		if f.name == name {
			p := &keptProof{format: f.format, file: f.file, limit: limit}
			p.writer = proof.NewWriter(p, f.format, clauses)
			return p, nil
		}
	}
	return nil, fmt.Errorf("unknown format of proofs %q", name)
}

var errProofFull = errors.New("the proof exceeds its limit")

// Write stores a part of the proof, which its writer has encoded.
func (p *keptProof) Write(b []byte) (int, error) {
	if p.size+int64(len(b)) > p.limit {
		// A part of a proof that nobody can continue is of no use, and takes memory that the
		// engine may need.
		p.full, p.blocks, p.size = true, nil, 0
		return 0, errProofFull
	}
	p.size += int64(len(b))
	for rest := b; len(rest) > 0; {
		if len(p.blocks) == 0 || len(p.blocks[len(p.blocks)-1]) == blockSize {
			p.blocks = append(p.blocks, make([]byte, 0, blockSize))
		}
		last := &p.blocks[len(p.blocks)-1]
		n := min(len(rest), blockSize-len(*last))
		*last = append(*last, rest[:n]...)
		rest = rest[n:]
	}
	return len(b), nil
}

// The methods of dimacs.Proof pass the steps to the writer, and count lemmas.

func (p *keptProof) Hints() bool                      { return p.writer.Hints() }
func (p *keptProof) Original(lits []dimacs.Lit) int64 { return p.writer.Original(lits) }
func (p *keptProof) Delete(id int64, l []dimacs.Lit)  { p.writer.Delete(id, l) }

func (p *keptProof) Learn(lits []dimacs.Lit, hints []int64) int64 {
	p.lemmas++
	return p.writer.Learn(lits, hints)
}

// finish completes the last step. Write reports errors in p.full.
func (p *keptProof) finish() { p.writer.Flush() }

// reader returns a reader of the whole proof.
func (p *keptProof) reader() io.Reader {
	parts := make([]io.Reader, len(p.blocks))
	for i, b := range p.blocks {
		parts[i] = bytes.NewReader(b)
	}
	return io.MultiReader(parts...)
}

// A ProofInfo describes a kept proof.
type ProofInfo struct {
	Format   string `json:"format"`
	File     string `json:"file"` // the end of a file name
	Bytes    int64  `json:"bytes"`
	Lemmas   int64  `json:"lemmas"`
	Complete bool   `json:"complete"` // it refutes the formula
	Full     bool   `json:"full"`     // it exceeded the limit and was dropped
}

func (p *keptProof) info(status dimacs.Status) *ProofInfo {
	if p == nil {
		return nil
	}
	return &ProofInfo{
		Format: p.format.String(), File: p.file, Bytes: p.size, Lemmas: p.lemmas, Full: p.full,
		Complete: status == dimacs.Unsatisfiable && !p.full,
	}
}

// A ProofReport is the result of a check.
type ProofReport struct {
	Lemmas  int     `json:"lemmas"`
	Checked int     `json:"checked"` // lemmas that were checked; a DRAT check skips those that are not needed
	RAT     int     `json:"rat"`     // lemmas that are not RUP
	Core    int     `json:"core"`    // clauses of the formula that the refutation needs
	Seconds float64 `json:"seconds"`
}

// check checks the proof of the last run against the formula as read, with the checker of
// package proof, which shares no code with the engine.
func (f *formulas) check(c *Call, _ struct{}) (*ProofReport, error) {
	l, run, err := f.begin()
	if err != nil {
		return nil, err
	}
	defer f.end(l, run)
	if run == nil || !run.proof.info(run.status).complete() {
		return nil, errors.New("there is no proof of unsatisfiability")
	}
	start, last := time.Now(), time.Now()
	opts := proof.Options{Format: run.proof.format, Memory: memory, Trim: true, Progress: func(p proof.Progress) {
		if time.Since(last) > progressInterval {
			last = time.Now()
			c.Progress(p)
		}
	}}
	r, err := proof.Check(c.Context(), l.formula, run.proof.reader(), opts)
	if errors.Is(err, context.Canceled) {
		return nil, errors.New("the check was stopped")
	}
	if err != nil {
		return nil, err
	}
	return &ProofReport{r.Lemmas, r.Checked, r.RAT, len(r.Core()), time.Since(start).Seconds()}, nil
}

func (p *ProofInfo) complete() bool { return p != nil && p.Complete }

// progressInterval is the time between progress messages.
const progressInterval = 100 * time.Millisecond

// download attaches the proof of the last run and returns its description.
func (f *formulas) download(c *Call, _ struct{}) (*ProofInfo, error) {
	_, run := f.last()
	if run == nil || run.proof == nil || run.proof.full {
		return nil, errors.New("there is no proof")
	}
	c.Attach(slices.Clone(run.proof.blocks)...)
	return run.proof.info(run.status), nil
}

// memoryLimit bounds the memory of the program, in bytes. WebAssembly has addresses of 32
// bits. When the heap cannot grow any more the program ends, with everything in it; a
// refused table ends only the request.
const memoryLimit = 3 << 30

// memory is the limit of the tables of engines, readers and checkers.
func memory(bytes int64) bool {
	if bytes < 1<<20 {
		return true
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	// The collector lets garbage grow beside what is in use.
	return int64(m.HeapAlloc)+bytes <= memoryLimit*3/4
}
