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

// Command lines of the SAT competitions. There a solver has two operands, a formula and
// the output file of the proof, whereas several operands of solve are one conjunction.
// The second of two operands is therefore inspected. If in doubt it is a formula, so
// that no mistake overwrites or ignores a formula:
//
//   - A name that ends like the name of a formula is a formula. If the file does not
//     exist, the name is probably mistyped, and an error.
//   - Any other name of a file that does not exist is the proof.
//   - An empty file is the proof. So is a file that contains a proof and cannot be a
//     formula. Clauses without a header may be a text proof or a formula; only a
//     deletion distinguishes them.
//   - Any other operand is a formula. This includes "-", pipes and devices, which cannot
//     be inspected without consuming input.
//
// --proof avoids these rules.

// formulaEndings are the endings of names that are never the name of a proof.
var formulaEndings = []string{".cnf", ".icnf", ".dimacs"}

// IsProofOperand reports whether the second of two operands is the output file of the
// proof.
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

// proofWindow is the number of bytes that holdsProof parses.
const proofWindow = 1 << 20

// holdsProof reports whether a file contains a proof and cannot be a formula. It
// returns false for an unreadable file; reading it as a formula reports the error.
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
