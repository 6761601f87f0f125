package formula

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sator/cmd/internal/cli"
	"sator/dimacs"
	"sator/dimacs/file"
	"sator/dimacs/proof"
)

// Command lines of the SAT competitions. There a solver has two operands, a formula and
// the output file of the proof, whereas several operands of solve are one conjunction.
// A mistyped name of a formula must not become the name of a proof, because then the
// answer ignores a formula. Therefore the second of two operands is the proof only if it
// cannot be a formula:
//
//   - The name ends with .drat, .lrat, .proof or .pf, and perhaps with the extension of
//     a compression. The file does not exist, is empty, or contains a proof.
//   - The file is a pipe or a character device, such as /dev/null, and its name does not
//     end like the name of a formula. However, a descriptor that is open for reading is
//     a formula: the shell passes the pipe of <(command) to be read, and that of
//     >(command) to be written.
//
// Any other operand is a formula, and one that does not exist is an error. --proof writes
// a proof to a file of any name, such as proof.out of the competitions.

// proofEndings are the endings of the names of proofs.
var proofEndings = cli.Suffixes("drat", "lrat", "proof")

// formulaEndings are the endings of names that are never the name of a proof.
var formulaEndings = cli.Suffixes("cnf", "icnf")

// IsProofOperand reports whether the second of two operands is the output file of the
// proof.
func IsProofOperand(name string) bool {
	ending := cli.Extension(name)
	switch info, err := os.Stat(name); {
	case name == "-" || slices.Contains(formulaEndings, ending):
		return false
	case err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeCharDevice) != 0:
		return !cli.IsInput(name)
	case !slices.Contains(proofEndings, ending):
		return false
	case errors.Is(err, fs.ErrNotExist):
		return !strings.ContainsAny(name, "*?") // a pattern without a match
	case err != nil || !info.Mode().IsRegular():
		return false
	case info.Size() == 0:
		return true
	}
	return holdsProof(name)
}

// CheckLast returns an error if the last of several operands is a formula that does not
// exist. In case the user meant a proof, or the answer as MiniSat writes it, the error explains
// how to write one.
func CheckLast(files []string) error {
	name := files[len(files)-1]
	if len(files) == 1 || name == "-" || name == "" {
		return nil
	}
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if slices.Contains(formulaEndings, cli.Extension(name)) {
		return fmt.Errorf("%s: no such file", cli.Named(name))
	}
	if len(files) > 2 && slices.Contains(proofEndings, cli.Extension(name)) {
		return fmt.Errorf("%s: no such file; with several formulas, --proof %[1]s writes a proof", cli.Named(name))
	}
	return fmt.Errorf("%s: no such file; to write the answer, use -o %[1]s; to write a proof, give it a name that ends with %[2]s, or use --proof %[1]s", cli.Named(name), cli.OneOf(proofEndings))
}

// proofWindow is the number of bytes that holdsProof reads.
const proofWindow = 1 << 20

// holdsProof reports whether a file contains a proof, or nothing after decompression. It
// returns false for an unreadable file; reading it as a formula reports the error.
func holdsProof(name string) bool {
	f, err := file.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, proofWindow))
	return err == nil && (len(head) == 0 || isProof(head, len(head) < proofWindow))
}

// isProof reports whether b is a proof and no other kind of file. If b is not the whole
// file, its last step may be cut off.
func isProof(b []byte, whole bool) bool {
	if kind, _, err := dimacs.Sniff(bytes.NewReader(b)); err != nil || kind != dimacs.KindUnknown {
		return false
	}
	format, _, err := proof.Sniff(bytes.NewReader(b))
	if err != nil {
		return false
	}
	if format.Binary() {
		return !isNames(b) && hasSteps(b, format, whole)
	}
	if !whole {
		b = b[:bytes.LastIndexByte(b, '\n')+1]
	}
	return hasLines(b) && hasSteps(b, format, true)
}

// hasSteps reports whether b consists of steps, at most one on a line of a text.
func hasSteps(b []byte, format proof.Format, whole bool) bool {
	line := 0
	r := proof.NewReader(bytes.NewReader(b), "", format)
	for steps := 0; ; steps++ {
		step, err := r.Next()
		switch {
		case err == io.EOF:
			return steps > 0
		case err != nil:
			return !whole && r.Bytes() == int64(len(b))
		case !format.Binary() && step.Place.Line == line:
			return false
		}
		line = step.Place.Line
	}
}

// hasLines reports whether each line of a text ends with the 0 of a step, or is blank or
// a comment. Lines of a Sudoku do so too if only their last cells are empty.
func hasLines(b []byte) bool {
	for line := range bytes.Lines(b) {
		words := bytes.Fields(line)
		if n := len(words); n > 0 && string(words[0]) != "c" && string(words[n-1]) != "0" {
			return false
		}
	}
	return true
}

// isNames reports whether b is a list of names that end with zero bytes, as from find
// -print0: text without control characters. A binary proof contains such characters, or
// bytes that are not UTF-8, if it contains one of the variables 1 to 15 or 64 to 8191.
// The proof that is the empty clause alone is no list of names.
func isNames(b []byte) bool {
	control := func(r rune) bool { return r != 0 && unicode.IsControl(r) }
	return string(b) != "a\x00" && utf8.Valid(b) && bytes.IndexFunc(b, control) < 0
}
