package formula

import (
	"errors"
	"io"
	"os"
	"slices"

	"sator/cmd/internal/cli"
	"sator/dimacs"
	"sator/dimacs/file"
	"sator/dimacs/proof"
)

// In the competitions a solver is called with two operands, the formula and the
// file for the proof. To solve, several operands are one conjunction. So the
// second of two is looked at, and what may be a formula is taken for one: a
// mistake must neither overwrite a formula nor lose it.
//
//   - A name that ends as formulas' names do is never the proof's. Where nothing
//     has it, it is most likely mistyped, and an error.
//   - Where nothing has another name, it is the proof's.
//   - An empty file is the proof's, and so is one that holds a proof already and
//     cannot hold a formula. Clauses without a header are a text proof as much
//     as a formula; only a deletion tells them apart.
//   - Everything else is a formula: "-", pipes and devices too, which cannot be
//     looked at without taking from them.
//
// --proof has none of these doubts.

// formulaEndings are those of names that are never taken for a proof's.
var formulaEndings = []string{".cnf", ".icnf", ".dimacs"}

// IsProofOperand reports whether an operand that follows one other is the file
// for the proof.
func IsProofOperand(name string) bool {
	if name == "-" || name == "" || slices.Contains(formulaEndings, cli.Extension(name)) {
		return false
	}
	switch info, err := os.Stat(name); {
	case errors.Is(err, os.ErrNotExist):
		return true
	case err != nil || !info.Mode().IsRegular():
		return false
	case info.Size() == 0:
		return true
	}
	return holdsProof(name)
}

// How much of a file is read as a proof, in bytes.
const proofWindow = 1 << 20

// holdsProof reports whether a file holds a proof and cannot hold a formula. A
// file that cannot be read is left to those who say why.
func holdsProof(name string) bool {
	f, err := file.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	kind, src, err := dimacs.Sniff(f)
	if err != nil || kind != dimacs.KindUnknown {
		return false
	}
	format, src, err := proof.Sniff(src)
	if err != nil {
		return false
	}
	sure := false
	for r := proof.NewReader(src, name, format); r.Bytes() < proofWindow; {
		step, err := r.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			return false
		}
		sure = sure || format.Binary() || step.Delete
	}
	return sure
}
