package scan

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// A stuck source returns its text and then neither bytes nor an error.
type stuck struct{ text string }

func (s *stuck) Read(p []byte) (int, error) {
	n := copy(p, s.text)
	s.text = s.text[n:]
	return n, nil
}

// A hesitant source returns a byte in every fiftieth call of Read only.
type hesitant struct {
	src   io.Reader
	calls int
}

func (h *hesitant) Read(p []byte) (int, error) {
	if h.calls++; h.calls%50 != 0 {
		return 0, nil
	}
	return h.src.Read(p[:1])
}

// A terminal returns more text after each io.EOF.
type terminal struct{ lines []string }

func (r *terminal) Read(p []byte) (int, error) {
	if len(r.lines) == 0 || r.lines[0] == "" {
		r.lines = r.lines[min(1, len(r.lines)):]
		return 0, io.EOF
	}
	n := copy(p, r.lines[0])
	r.lines[0] = r.lines[0][n:]
	return n, nil
}

// atLine reports whether b has a whole line.
func atLine(b []byte, whole bool) bool { return whole || strings.Contains(string(b), "\n") }

// TestPrefixSources checks Prefix with sources of all kinds that an io.Reader may be.
func TestPrefixSources(t *testing.T) {
	const text = "first\nsecond\nthird"
	for name, source := range map[string]func(string) io.Reader{
		"whole":          func(s string) io.Reader { return strings.NewReader(s) },
		"bytes":          func(s string) io.Reader { return iotest.OneByteReader(strings.NewReader(s)) },
		"data and error": func(s string) io.Reader { return iotest.DataErrReader(strings.NewReader(s)) },
		"hesitant":       func(s string) io.Reader { return &hesitant{src: strings.NewReader(s)} },
		"terminal":       func(s string) io.Reader { return &terminal{[]string{s, "after the end"}} },
	} {
		for _, enough := range []func([]byte, bool) bool{
			atLine,
			func(_ []byte, whole bool) bool { return whole },
		} {
			r, err := Prefix(source(text), 1000, enough)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if name == "hesitant" {
				r = iotest.HalfReader(r)
			}
			if got, err := io.ReadAll(r); err != nil || !strings.HasPrefix(string(got), text) || name != "terminal" && string(got) != text {
				t.Errorf("%s: got %q, %v", name, got, err)
			}
		}
	}
	r, err := Prefix(&terminal{[]string{text, "after the end"}}, 1000, func(_ []byte, whole bool) bool { return whole })
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); err != nil || string(got) != text {
		t.Errorf("a terminal is asked for more after its end: got %q, %v", got, err)
	}
}

// TestPrefixErrors checks that an error of the source is returned, at any place, and is
// not taken for the end of the input, and that a stuck source does not keep Prefix
// forever.
func TestPrefixErrors(t *testing.T) {
	broken := errors.New("broken")
	never := func(_ []byte, whole bool) bool { return whole }
	for _, text := range []string{"", "first", "first\nsecond"} {
		for _, src := range []io.Reader{
			io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)),
			iotest.DataErrReader(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))),
		} {
			if _, err := Prefix(src, 1000, never); err != broken {
				t.Errorf("%q: error %v", text, err)
			}
		}
		if _, err := Prefix(&stuck{text}, 1000, never); err != io.ErrNoProgress {
			t.Errorf("%q of a stuck source: error %v", text, err)
		}
	}
	r, err := Prefix(io.MultiReader(strings.NewReader("first\n"), iotest.ErrReader(broken)), 1000, atLine)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); string(got) != "first\n" || err != broken {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestStuckScanner checks that the scanner reports a stuck source.
func TestStuckScanner(t *testing.T) {
	if got, want := scanAll(&stuck{"1"}), `1:1 1 false true "1" 1:2 EOF `+io.ErrNoProgress.Error(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestBuffers checks inputs that end near the sizes of the two buffers.
func TestBuffers(t *testing.T) {
	for _, size := range []int{firstLen, BufLen} {
		for length := size - 12; length < size+12; length++ {
			blanks := strings.Repeat(" ", length-8)
			for split := length - 12; split < length; split++ {
				in := blanks + "1 -23456 2x c\n"
				whole := scanAll(strings.NewReader(in))
				parts := scanAll(io.MultiReader(strings.NewReader(in[:split]), strings.NewReader(in[split:])))
				if whole != parts || !strings.Contains(whole, "23456 true true") {
					t.Fatalf("length %d, split at %d: got %s and %s", length, split, whole, parts)
				}
			}
		}
	}
}
