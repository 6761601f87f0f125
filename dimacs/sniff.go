package dimacs

import (
	"bytes"
	"io"

	"sator/dimacs/internal/scan"
)

// A Kind is a kind of input.
type Kind int

// The kinds of inputs. KindUnknown includes numbers without a header, which may
// be clauses or values.
const (
	KindUnknown        Kind = iota
	KindCNF                 // "p cnf", see [Read]
	KindScript              // "p inccnf", see [Reader.ReadScript]
	KindSolution            // see [Reader.ReadSolution]
	KindReconstruction      // "p stack", see [Reader.ReadReconstruction]
)

// String returns a name for messages.
func (k Kind) String() string {
	switch k {
	case KindCNF:
		return "CNF"
	case KindScript:
		return "iCNF"
	case KindSolution:
		return "solution"
	case KindReconstruction:
		return "reconstruction stack"
	}
	return "unknown"
}

// sniffLen is the maximum number of bytes that Sniff reads.
const sniffLen = 1 << 20

// Sniff recognizes the kind of src by the first word that is not in a comment,
// and returns a reader of the whole input. It reads only as far as necessary.
// After a megabyte of comments it gives up and returns KindUnknown. The error
// is that of src.
func Sniff(src io.Reader) (Kind, io.Reader, error) {
	var kind Kind
	all, err := scan.Prefix(src, sniffLen, func(b []byte, _ bool) (sure bool) {
		kind, sure = sniff(b)
		return sure
	})
	if err != nil {
		return KindUnknown, nil, err
	}
	return kind, all, nil
}

// sniff returns the kind of an input that begins with b. sure reports whether
// more input cannot change the kind.
func sniff(b []byte) (kind Kind, sure bool) {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	b = bytes.TrimLeft(b, " \t\r\n")
	for len(b) > 0 && b[0] == 'c' {
		_, rest, _ := bytes.Cut(b, []byte("\n"))
		b = bytes.TrimLeft(rest, " \t\r\n")
	}
	first, rest, sure := cutWord(b)
	switch first {
	case "p":
		second, _, sure := cutWord(rest)
		switch second {
		case "cnf":
			return KindCNF, sure
		case "inccnf":
			return KindScript, sure
		case "stack":
			return KindReconstruction, sure
		}
		return KindUnknown, sure
	case "s", "v":
		return KindSolution, sure
	}
	for _, w := range words {
		if w.word == first {
			return KindSolution, sure
		}
	}
	return KindUnknown, sure || len(first) > scan.TextLen
}

// cutWord returns the first word of b and the rest of b. whole reports whether
// a blank or a line end follows the word.
func cutWord(b []byte) (word string, rest []byte, whole bool) {
	b = bytes.TrimLeft(b, " \t")
	i := bytes.IndexAny(b, " \t\r\n")
	if i < 0 {
		return string(b[:min(len(b), scan.TextLen+1)]), nil, false
	}
	return string(b[:min(i, scan.TextLen+1)]), b[i:], true
}
