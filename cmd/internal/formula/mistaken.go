package formula

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"sator/dimacs/proof"
)

// Inputs that are no formulas. If the parser rejects an input that has no header, the
// error says what the input looks like, and which command reads it.

// headSize is the number of bytes that are kept of an input without a header.
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

// explain extends the error of the parser if the input looks like something else.
func (h *headReader) explain(err error) error {
	switch {
	case len(h.head) == 0:
		return fmt.Errorf("%w; the input is empty", err)
	case looksLikeSudoku(h.head):
		return fmt.Errorf(`%w; this looks like a Sudoku, which "sator sudoku solve" reads`, err)
	case looksLikeProof(h.head):
		return fmt.Errorf(`%w; this looks like a proof, which "sator check FORMULA PROOF" checks`, err)
	}
	return err
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
