package proof

import (
	"bytes"
	"io"

	"sator/dimacs"
	"sator/dimacs/internal/scan"
)

// A Kind is a kind of evidence for the answer of a solver.
type Kind int

// The kinds of evidence.
const (
	KindUnknown  Kind = iota
	KindSolution      // see [dimacs.Reader.ReadSolution]
	KindLiterals      // literals and one 0: a solution, or a DRAT proof of one lemma
	KindProof         // see [Check]
	KindCount         // a certificate of a number of models, see [CheckCount]
)

// String returns a name for messages.
func (k Kind) String() string {
	switch k {
	case KindSolution:
		return "solution"
	case KindLiterals:
		return "list of literals"
	case KindProof:
		return "proof"
	case KindCount:
		return "certificate of a count"
	}
	return "unknown"
}

// Evidence describes evidence for the answer of a solver: a solution shows that
// a formula is satisfiable, and a proof that it is unsatisfiable.
type Evidence struct {
	Kind   Kind
	Format Format // of a proof, and of a list of literals that is read as a proof

	// Auto accepts the binary form of Format as well. [SniffEvidence] uses it in
	// its argument expected; nothing else does.
	Auto bool
}

// SniffEvidence recognizes the evidence in src by its content and returns a
// reader of the whole input. The name is for messages and may be empty.
//
// If expected is the zero Evidence, SniffEvidence recognizes solutions with
// [dimacs.Sniff], certificates of counts by their first line, and proofs with [Sniff]. A text with one lemma and without
// deletions has kind KindLiterals. A text that does not begin with a DRAT step has
// kind KindSolution, since a relaxed [dimacs.Reader] may repair it. For a formula or
// a reconstruction stack the error is a [*dimacs.SyntaxError].
//
// If expected has a kind, SniffEvidence returns expected. It then reads the
// input only if Auto is set, to replace DRAT or LRAT by its binary form if the
// input is binary.
//
// All other errors are those of src.
func SniffEvidence(src io.Reader, name string, expected Evidence) (Evidence, io.Reader, error) {
	if expected.Kind == KindUnknown {
		return sniffAny(src, name)
	}
	if expected.Kind != KindProof || !expected.Auto {
		return expected, src, nil
	}
	format, src, err := Sniff(src)
	if err != nil {
		return Evidence{}, nil, err
	}
	expected.Auto = false
	if format.Binary() {
		expected.Format = expected.Format.binary()
	}
	return expected, src, nil
}

// sniffAny recognizes evidence of any kind.
func sniffAny(src io.Reader, name string) (Evidence, io.Reader, error) {
	is := false
	src, err := scan.Prefix(src, sniffLen, func(b []byte, whole bool) (sure bool) {
		is, sure = isCPOG(b, whole)
		return sure
	})
	if err != nil || is {
		return Evidence{Kind: KindCount}, src, err
	}
	kind, src, err := dimacs.Sniff(src)
	if err != nil {
		return Evidence{}, nil, err
	}
	other := ""
	switch kind {
	case dimacs.KindSolution:
		return Evidence{Kind: KindSolution}, src, nil
	case dimacs.KindCNF, dimacs.KindScript:
		other = "a formula"
	case dimacs.KindReconstruction:
		other = "a reconstruction stack"
	}
	if other != "" {
		return Evidence{}, nil, &dimacs.SyntaxError{File: name, Msg: "this is " + other + ", neither a solution nor a proof"}
	}
	format, src, err := Sniff(src)
	if err != nil {
		return Evidence{}, nil, err
	}
	if format != DRAT {
		return Evidence{Kind: KindProof, Format: format}, src, nil
	}
	found, src := sniffDRAT(src)
	return Evidence{Kind: found, Format: DRAT}, src, nil
}

// sniffDRAT returns the kind of a text that may be a DRAT proof, by its first
// two steps.
func sniffDRAT(src io.Reader) (Kind, io.Reader) {
	var read bytes.Buffer
	r := NewReader(io.TeeReader(src, &read), "", DRAT)
	kind := func() Kind {
		first, err := r.Next()
		switch {
		case err == io.EOF:
			return KindProof
		case err != nil:
			return KindSolution
		case first.Delete || len(first.Lits) == 0:
			return KindProof
		}
		if _, err := r.Next(); err != io.EOF {
			return KindProof
		}
		return KindLiterals
	}()
	return kind, io.MultiReader(&read, src)
}
