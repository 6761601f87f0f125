package proof

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"sator/dimacs"
)

func TestSniffEvidence(t *testing.T) {
	var (
		solution = Evidence{Kind: KindSolution}
		literals = Evidence{Kind: KindLiterals, Format: DRAT}
		unread   = Evidence{Kind: KindSolution, Format: DRAT} // no DRAT step at the beginning
		drat     = Evidence{Kind: KindProof, Format: DRAT}
		binary   = Evidence{Kind: KindProof, Format: BinaryDRAT}
		lrat     = Evidence{Kind: KindProof, Format: LRAT}
	)
	for _, c := range []struct {
		in             string
		expected, want Evidence
	}{
		{"s SATISFIABLE\nv 1 0\n", Evidence{}, solution},
		{"c\nSAT\n1 0\n", Evidence{}, solution},
		{"1 2 0\n", Evidence{}, literals},
		{"1 2\n3 0", Evidence{}, literals},
		{"1 2", Evidence{}, unread},
		{"x\n", Evidence{}, unread},
		{"", Evidence{}, drat},
		{"c\n", Evidence{}, drat},
		{"0\n", Evidence{}, drat},
		{"d 1 0\n", Evidence{}, drat},
		{"1 0\n2 0\n", Evidence{}, drat},
		{"1 0\nx\n", Evidence{}, drat},
		{"5 1 0 2 0\n", Evidence{}, lrat},
		{"a\x02\x00", Evidence{}, binary},
		{"a\x04\x02\x00\x02\x00", Evidence{}, Evidence{Kind: KindProof, Format: BinaryLRAT}},

		// A kind or a format that is expected is not changed.
		{"1 2 0\n", solution, solution},
		{"p cnf 1 1\n1 0\n", solution, solution},
		{"s SATISFIABLE\n", drat, drat},
		{"a\x02\x00", drat, drat},
		{"1 2 0\n", binary, binary},
		{"1 2 0\n", literals, literals},

		// Auto selects the text or the binary form.
		{"1 2 0\n", Evidence{KindProof, DRAT, true}, drat},
		{"a\x02\x00", Evidence{KindProof, DRAT, true}, binary},
		{"1 2 0\n", Evidence{KindProof, LRAT, true}, lrat},
		{"a\x02\x00", Evidence{KindProof, LRAT, true}, Evidence{Kind: KindProof, Format: BinaryLRAT}},
		{"1 2 0\n", Evidence{KindProof, BinaryLRAT, true}, Evidence{Kind: KindProof, Format: BinaryLRAT}},
	} {
		for _, src := range []io.Reader{strings.NewReader(c.in), iotest.OneByteReader(strings.NewReader(c.in))} {
			got, whole, err := SniffEvidence(src, "e", c.expected)
			if err != nil || got != c.want {
				t.Errorf("%q, expected %+v: got %+v, %v; want %+v", c.in, c.expected, got, err, c.want)
				continue
			}
			if back, err := io.ReadAll(whole); err != nil || string(back) != c.in {
				t.Errorf("%q: read back as %q, %v", c.in, back, err)
			}
		}
	}
}

func TestSniffEvidenceErrors(t *testing.T) {
	for in, want := range map[string]string{
		"p cnf 1 1\n1 0\n":   "e: this is a formula, neither a solution nor a proof",
		"p inccnf\n1 0\n":    "e: this is a formula, neither a solution nor a proof",
		"p stack 1 1\n1 0\n": "e: this is a reconstruction stack, neither a solution nor a proof",
	} {
		_, _, err := SniffEvidence(strings.NewReader(in), "e", Evidence{})
		if syntax := (*dimacs.SyntaxError)(nil); !errors.As(err, &syntax) || err.Error() != want {
			t.Errorf("%q: got %v, want %s", in, err, want)
		}
	}
	broken := errors.New("broken")
	for _, expected := range []Evidence{{}, {KindProof, DRAT, true}} {
		if _, _, err := SniffEvidence(iotest.ErrReader(broken), "e", expected); err != broken {
			t.Errorf("expected %+v: got %v, want %v", expected, err, broken)
		}
	}
	// dimacs.Sniff stops before the error, and Sniff reads on up to it.
	src := io.MultiReader(iotest.OneByteReader(strings.NewReader("1 2 0")), iotest.ErrReader(broken))
	if _, _, err := SniffEvidence(src, "e", Evidence{}); err != broken {
		t.Errorf("got %v, want %v", err, broken)
	}
}

func TestKindString(t *testing.T) {
	for kind, want := range map[Kind]string{
		KindUnknown: "unknown", KindSolution: "solution", KindLiterals: "list of literals", KindProof: "proof", KindCount: "certificate of a count", KindCount + 1: "unknown",
	} {
		if got := kind.String(); got != want {
			t.Errorf("%d: got %q, want %q", kind, got, want)
		}
	}
}
