package journal

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io"

	"sator/dimacs"
	"sator/dimacs/file"
	"sator/dimacs/proof"
	"sator/dpll/portfolio"
)

// A proofWriter writes the steps of a run behind those of earlier runs, and records the
// last id.
type proofWriter struct {
	*proof.Writer
	out  *proofFile
	last int64 // id of the last clause
}

// A proofFile is the proof as a writer. It computes the checksum of all bytes.
type proofFile struct {
	to   *file.Handle
	size int64
	hash hash.Hash
	fail func(error) // is called with errors of writing
}

// Proof returns the proof to which a run logs its steps, in the given format and for a
// formula with the given number of clauses. New steps follow the last known result. The
// directory must have been opened for a run with a proof.
func (j *Journal) Proof(format proof.Format, clauses int) dimacs.Proof {
	last := max(j.position.Last, int64(clauses)) // the ids of new lemmas follow
	out := &proofFile{to: j.proof, size: j.position.Bytes, hash: j.hash, fail: j.fail}
	j.writer = &proofWriter{proof.NewWriter(out, format, int(last)), out, last}
	return j.writer
}

// Learn implements [dimacs.Proof].
func (w *proofWriter) Learn(lits []dimacs.Lit, hints []int64) int64 {
	w.last = w.Writer.Learn(lits, hints)
	return w.last
}

// Write implements [io.Writer].
func (f *proofFile) Write(b []byte) (int, error) {
	n, err := f.to.WriteAt(b, f.size)
	f.hash.Write(b[:n])
	f.size += int64(n)
	f.fail(err)
	return n, err
}

// Position flushes the proof and returns the position of its end. It must be called
// after [Journal.Proof].
func (j *Journal) Position() (portfolio.ProofPosition, error) {
	w := j.writer
	err := w.Flush()
	return portfolio.ProofPosition{Bytes: w.out.size, Last: w.last, Sum: sumOf(w.out.hash).String()}, err
}

// Steps returns a reader of the whole proof and the name of its file. At the end the
// reader returns an error if the file does not have the bytes that were written. Steps
// must be called after [Journal.Proof].
func (j *Journal) Steps() (r io.Reader, name string, err error) {
	end, err := j.Position()
	name = j.proof.Name()
	return &stepReader{io.NewSectionReader(j.proof, 0, end.Bytes), sha256.New(), end, name}, name, err
}

// A stepReader reads a proof and compares its checksum.
type stepReader struct {
	steps *io.SectionReader
	hash  hash.Hash
	end   portfolio.ProofPosition
	name  string
}

// Read implements [io.Reader].
func (r *stepReader) Read(b []byte) (int, error) {
	n, err := r.steps.Read(b)
	r.hash.Write(b[:n])
	if err == io.EOF && sumOf(r.hash).String() != r.end.Sum {
		err = fmt.Errorf("%s was changed after it was written", r.name)
	}
	return n, err
}
