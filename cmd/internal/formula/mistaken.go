package formula

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"sator/dimacs"
	"sator/dimacs/proof"
)

// Inputs of other formats. If a parser rejects an input, the error names the format that the input
// resembles, and the command for it.

// mistaken lists these formats. The functions are given the start of the input, and its
// first line that is not blank and no comment.
var mistaken = []struct {
	name    string
	remedy  string // the command for it, with a verb
	command string // the commands for it: their errors name no other format
	looks   func(head []byte, line string) bool
}{
	{"a Sudoku", `"sator sudoku solve" reads`, "", func(head []byte, _ string) bool { return looksLikeSudoku(head) }},
	{"a proof", `"sator check FORMULA PROOF" checks`, "", func(head []byte, _ string) bool { return looksLikeProof(head) }},
	{"WCNF", `"sator maxsat" reads`, "maxsat", begins(`p\s+wcnf\b|h(\s+-?\d+)+\s*$`)},
	{"GCNF", `"sator mus" reads`, "mus", begins(`p\s+gcnf\b`)},
	{"a formula for projected model counting", `"sator count" reads and "sator convert" rewrites`, "count", begins(`p\s+pcnf\b`)},
	{"a pseudo-Boolean formula (OPB)", "\"sator solve\", \"sator maxsat\" and \"sator convert\" read", "solve maxsat convert", begins(`\*\s*#variable=|(min:|max:)?\s*([+-]?\d+\s+~?x\d+\s*)+(>=|=|<=|;)`)},
	{"a circuit (AIGER)", "\"sator solve\" and \"sator convert\" read", "solve convert", begins(`a[ai]g( \d+){5,}`)},
	{"SMT-LIB", "sator does not read", "", begins(`\(\s*(set-|declare-|define-|assert|check-sat|push)|;`)},
	{"a formula or a graph of another kind", "sator does not read", "", begins(`p\s+(edge|col|sat|satx|sate|satex|pmc|aux|knf|dnf|cnf\+)\b`)},
}

// begins returns a function that reports whether the line begins like the expression.
func begins(pattern string) func([]byte, string) bool {
	re := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^(" + pattern + ")") })
	return func(_ []byte, line string) bool { return re().MatchString(line) }
}

// headSize is the number of bytes that are kept of an input.
const headSize = 4096

// A headReader keeps the first bytes that are read from an input.
type headReader struct {
	src  io.Reader
	head []byte
}

func (h *headReader) Read(p []byte) (int, error) {
	n, err := h.src.Read(p)
	h.head = append(h.head, p[:min(n, headSize-len(h.head))]...)
	return n, err
}

// line reads on until the head has a whole line. The first read of an input may be short.
func (h *headReader) line() []byte {
	for p := make([]byte, 512); len(h.head) < headSize && bytes.IndexByte(h.head, '\n') < 0; {
		if n, err := h.Read(p); n == 0 || err != nil {
			break
		}
	}
	return h.head
}

// explain extends the error of a parser if the input looks like something else, or if
// --relaxed accepts it.
func (r *Reader) explain(err error, head []byte) error {
	var syntax *dimacs.SyntaxError
	switch {
	case !errors.As(err, &syntax):
		return err
	case len(head) == 0:
		return fmt.Errorf("%w; the input is empty", err)
	}
	line := firstLine(head)
	for _, m := range mistaken {
		if m.looks(head, line) && !slices.Contains(strings.Fields(m.command), r.command) {
			return fmt.Errorf("%w; this looks like %s, which %s", err, m.name, m.remedy)
		}
	}
	if syntax.Relaxed && r.canRelax {
		return fmt.Errorf("%w; --relaxed accepts that", err)
	}
	return err
}

// firstLine returns the first line that is not blank and no comment of DIMACS.
func firstLine(head []byte) string {
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); len(line) > 0 && !bytes.HasPrefix(line, []byte("c ")) && string(line) != "c" {
			return string(line)
		}
	}
	return ""
}

// looksLikeSudoku reports whether the first line that is no comment consists of the cells
// of a grid of size 4, 9, 16 or 25, one character each.
func looksLikeSudoku(head []byte) bool {
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' || line[0] == 'c' {
			continue
		}
		size := map[int]int{16: 4, 81: 9, 256: 16, 625: 25}[len(line)]
		const digits = "123456789ABCDEFGHIJKLMNOP"
		return size > 0 && strings.Trim(strings.ToUpper(string(line)), digits[:size]+".0_*?") == ""
	}
	return false
}

// looksLikeProof reports whether an input without a header is a binary proof, or contains
// deletions. Other clauses without a header are rather a formula.
func looksLikeProof(head []byte) bool {
	if !isProof(head, len(head) < headSize) {
		return false
	}
	format, _, err := proof.Sniff(bytes.NewReader(head))
	return err == nil && (format.Binary() || bytes.HasPrefix(head, []byte("d ")) || bytes.Contains(head, []byte("\nd ")))
}
