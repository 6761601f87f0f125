package formula

import (
	"io"
	"os"
	"strings"
	"testing"

	"sator/dimacs/file"
)

// TestProofOperand checks which second operands are the output file of the proof.
func TestProofOperand(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, content := range map[string]string{
		"empty":             "",
		"empty.drat":        "",
		"drat":              "1 2 0\nd 1 2 0\n",
		"old.cnf":           "1 2 0\nd 1 2 0\n",
		"deletion.drat":     "1 2 0\nd 1 2 0\n",
		"clauses.drat":      "-2 0\n-1 0\n0\n",
		"comment.proof":     "c from a solver\n\nc\r\n1 0\r\n0\r\n",
		"text.lrat":         "5 1 0 1 2 0\n5 d 1 0\n6 0 5 3 0\n",
		"alone.lrat":        "5 1 0 1 2 0\n6 0 5 3 4 0\n",
		"long.pf":           strings.Repeat("1000 -2000 3000 0\n", 100_000),
		"binary.drat":       "a\x02\x00d\x02\x00",
		"high.drat":         "a\x80\x01\x00",
		"empty-clause.drat": "a\x00",
		"binary.lrat":       "a\x0a\x02\x00\x02\x04\x00a\x0c\x00\x0a\x06\x00",
		"large.drat":        strings.Repeat("a\x02\x80\x01\x00", 300_000), // the window ends inside a step

		"formula.drat":      "c a comment\np cnf 1 1\n1 0\n",
		"script.drat":       "p inccnf\n1 0\n",
		"solution.drat":     "s SATISFIABLE\n",
		"minisat.drat":      "SAT\n1 0\n",
		"one-line.drat":     "1 2 0 3 4 0\n5 6 0\n",
		"comments.drat":     "c nothing else\n",
		"comment-word.drat": "coffee\n0\n",
		"cut.drat":          "a\x02\x00d\x02",
		"words.drat":        "all of this\nd is no proof\n",
		"words-d.drat":      "d, as in dash\n",
		"unfinished.drat":   "1 2 0\nd 1 2\n",
		"bad.drat":          "1 2 0\nd 1 x 0\n",
		"names.drat":        "a.cnf\x00b.cnf\x00",
		"names-a.drat":      "a1\x00a2\x00d3\x00",
		"names-lrat.drat":   "ab\x00cd\x00",
		"names-utf.drat":    "a\u00e4\x00d\u00fc\x00",
		"sudoku.drat":       "530070000\n600195000\n098000060\n",
		"sudoku-dots.drat":  "53..7....\n6..195...\n",
		"sudoku-grid.drat":  "5 3 0 0 7 0 0 0 0\n6 0 0 1 9 5 0 0 0\n",
		"sudoku-rows.drat":  "1 2 3 4\n3 4 1 0\n2 1 4 3\n4 3 2 0\n",
	} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range map[string]string{
		"gz.drat.gz": "d 1 0\n", "xz.lrat.xz": "a\x02\x00", "zst.pf.zst": "", "named.zst": "d 1 0\n", "names.drat.gz": "a1\x00",
	} {
		w, err := file.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, content)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("damaged.drat.gz", []byte("\x1f\x8b\x08 and no archive"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("directory.drat", 0o777); err != nil {
		t.Fatal(err)
	}
	proofs := " new.drat new.LRAT new.proof new.pf new.drat.gz new.lrat.ZST f.cnf.proof empty.drat deletion.drat clauses.drat" +
		" comment.proof text.lrat alone.lrat long.pf binary.drat high.drat empty-clause.drat binary.lrat large.drat" +
		" gz.drat.gz xz.lrat.xz zst.pf.zst "
	others := " - new new.gz proof proof.out new.cnf new.cnf.gz new.dimacs no*.drat no?.drat damaged.drat.gz directory.drat "
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !strings.Contains(proofs, " "+entry.Name()+" ") {
			others += entry.Name() + " "
		}
	}
	for _, name := range append(strings.Fields(others), "") {
		if IsProofOperand(name) {
			t.Errorf("%q is a proof", name)
		}
	}
	for _, name := range strings.Fields(proofs) {
		if !IsProofOperand(name) {
			t.Errorf("%q is no proof", name)
		}
	}
}
