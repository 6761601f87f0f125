package dimacs

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestSniff(t *testing.T) {
	comments := strings.Repeat("c "+strings.Repeat("p cnf ", 20)+"\n", 2000)
	for _, c := range []struct {
		in   string
		want Kind
	}{
		{"p cnf 1 1\n1 0\n", KindCNF},
		{"c x\r\n\r\n \tp \t cnf 1 1\n1 0\n", KindCNF},
		{"\xef\xbb\xbfp cnf", KindCNF},
		{comments + "p cnf 1 1\n1 0\n", KindCNF},
		{comments + "p inccnf\n1 0\n", KindScript},
		{"c\np inccnf\na 1 0\n", KindScript},
		{"c\np stack 2 1\n1 -2 0\n", KindReconstruction},
		{"p stacks 2 1\n1 -2 0\n", KindUnknown},
		{"c\ns SATISFIABLE\n", KindSolution},
		{"v 1 0\n", KindSolution},
		{"SAT\n1 0\n", KindSolution},
		{"UNSAT", KindSolution},
		{"INDET\n", KindSolution},
		{"", KindUnknown},
		{"c", KindUnknown},
		{comments, KindUnknown},
		{"1 2 0\n", KindUnknown},
		{"p wcnf 1 1 1\n", KindUnknown},
		{"p\ncnf 1 1\n", KindUnknown},
		{"p", KindUnknown},
		{"SATURN\n", KindUnknown},
		{"sSATISFIABLE\n", KindUnknown},
		{strings.Repeat("x", 10000), KindUnknown},
	} {
		for _, src := range []io.Reader{strings.NewReader(c.in), iotest.OneByteReader(strings.NewReader(c.in)),
			iotest.DataErrReader(strings.NewReader(c.in))} {
			kind, r, err := Sniff(src)
			if err != nil {
				t.Fatal(err)
			}
			if kind != c.want {
				t.Errorf("%.40q: got %v, want %v", c.in, kind, c.want)
			}
			if all, err := io.ReadAll(r); err != nil || string(all) != c.in {
				t.Errorf("%.40q: the input is not whole", c.in)
			}
			if len(c.in) > 1<<16 {
				break // one byte at a time takes too long
			}
		}
	}
}

// TestSniffStops checks that Sniff returns without waiting for more input than
// necessary, and that it stops in endless comments.
func TestSniffStops(t *testing.T) {
	wait := &counter{r: strings.NewReader("p cnf 1 1\n" + strings.Repeat("1 0\n", 1<<20))}
	if kind, _, err := Sniff(wait); kind != KindCNF || err != nil || wait.n > 8192 {
		t.Errorf("got %v, %v after %d bytes", kind, err, wait.n)
	}
	endless := &counter{r: strings.NewReader(strings.Repeat("c\n", 4<<20))}
	if kind, _, err := Sniff(endless); kind != KindUnknown || err != nil || endless.n > 4*sniffLen {
		t.Errorf("got %v, %v after %d bytes", kind, err, endless.n)
	}
	if _, _, err := Sniff(iotest.ErrReader(io.ErrClosedPipe)); err != io.ErrClosedPipe {
		t.Errorf("got %v, want %v", err, io.ErrClosedPipe)
	}
	for k, want := range map[Kind]string{KindUnknown: "unknown", KindCNF: "CNF", KindScript: "iCNF", KindSolution: "solution", KindReconstruction: "reconstruction stack"} {
		if k.String() != want {
			t.Errorf("got %s, want %s", k, want)
		}
	}
}

// A counter counts the bytes that are read from r.
type counter struct {
	r io.Reader
	n int
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}
