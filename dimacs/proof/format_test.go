package proof

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"sator/dimacs"
)

var formats = []Format{DRAT, BinaryDRAT, LRAT, BinaryLRAT}

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		format        Format
		hints, binary bool
		name          string
	}{
		{FormatUnknown, false, false, "unknown"},
		{DRAT, false, false, "DRAT"},
		{BinaryDRAT, false, true, "binary DRAT"},
		{LRAT, true, false, "LRAT"},
		{BinaryLRAT, true, true, "binary LRAT"},
		{BinaryLRAT + 1, false, false, "unknown"},
	} {
		if f := c.format; f.Hints() != c.hints || f.Binary() != c.binary || f.String() != c.name {
			t.Errorf("%d: got %v, %v, %q; want %v, %v, %q", f, f.Hints(), f.Binary(), f, c.hints, c.binary, c.name)
		}
	}
}

func TestPlace(t *testing.T) {
	for _, c := range []struct {
		place Place
		set   bool
		text  string
	}{
		{Place{}, false, "byte 0"},
		{Place{Line: 12}, true, "12"},
		{Place{Offset: 345}, true, "byte 345"},
		{Place{Offset: 1}, true, "byte 1"},
	} {
		if c.place.set() != c.set || c.place.String() != c.text {
			t.Errorf("%+v: got %v, %q", c.place, c.place.set(), c.place)
		}
	}
}

// A randomProof has random steps for a formula with the given numbers of
// clauses and variables. It is well-formed but proves nothing.
type randomProof struct {
	originals, vars int
	steps           []Step
}

func newRandomProof(rng *rand.Rand, steps int) *randomProof {
	p := &randomProof{originals: 1 + rng.IntN(1<<rng.IntN(28)), vars: 1 + rng.IntN(1<<rng.IntN(31))}
	p.vars = min(p.vars, dimacs.MaxVars)
	latest := int64(p.originals)
	id := func() int64 { return 1 + rng.Int64N(latest) }
	for range steps {
		s := Step{Delete: rng.IntN(3) == 0}
		for range 1 + rng.IntN(1+rng.IntN(12)) {
			s.Lits = append(s.Lits, dimacs.Lit(rng.IntN(2*p.vars)))
		}
		if s.Delete {
			s.Hints = []int64{id()}
		} else {
			for range 1 + rng.IntN(8) {
				s.Hints = append(s.Hints, id())
			}
			if rng.IntN(4) == 0 {
				s.Hints = append(s.Hints, -id(), -id(), id())
			}
			latest++
			s.ID = latest
		}
		p.steps = append(p.steps, s)
	}
	return p
}

// replay logs the steps to w.
func (p *randomProof) replay(w dimacs.Proof) {
	for _, s := range p.steps {
		if s.Delete {
			w.Delete(s.Hints[0], s.Lits)
		} else {
			w.Learn(s.Lits, s.Hints)
		}
	}
}

// file returns the proof as a file.
func (p *randomProof) file(format Format) []byte {
	var b bytes.Buffer
	w := NewWriter(&b, format, p.originals)
	p.replay(w)
	if err := w.Flush(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// show returns the steps as the reader returns them, without their places.
func (p *randomProof) show(format Format) string {
	var b strings.Builder
	latest, open := int64(p.originals), false
	for _, s := range p.steps {
		switch {
		case !format.Hints():
			s.ID, s.Hints = 0, nil
		case s.Delete && open:
			t := strings.TrimSuffix(b.String(), "]\n")
			b.Reset()
			fmt.Fprintf(&b, "%s %d]\n", t, s.Hints[0])
			continue
		case s.Delete:
			s.Lits = nil
			if format == LRAT {
				s.ID = latest
			}
		default:
			latest = s.ID
		}
		open = s.Delete && format.Hints()
		b.WriteString(showStep(&s))
	}
	return b.String()
}

func showStep(s *Step) string {
	return fmt.Sprintln(s.Delete, s.ID, s.Lits, s.Hints)
}

// showFile returns the steps of a proof.
func showFile(src io.Reader, format Format) (string, error) {
	var b strings.Builder
	r := NewReader(src, "", format)
	for {
		s, err := r.Next()
		if err == io.EOF {
			return b.String(), nil
		}
		if err != nil {
			return b.String(), err
		}
		b.WriteString(showStep(s))
	}
}

// TestRoundTrip checks that proofs that are written are read back.
func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for i := range 500 {
		p := newRandomProof(rng, rng.IntN(1+rng.IntN(40)))
		for _, format := range formats {
			in := p.file(format)
			got, err := showFile(bytes.NewReader(in), format)
			if want := p.show(format); err != nil || got != want {
				t.Fatalf("%d, %v: error %v, got\n%swant\n%s", i, format, err, got, want)
			}
			if got, err := showFile(iotest.OneByteReader(bytes.NewReader(in)), format); err != nil || got != p.show(format) {
				t.Fatalf("%d, %v: byte by byte: error %v, got\n%s", i, format, err, got)
			}
		}
	}
}

// TestSniff checks that the formats of proofs with steps are recognized, with
// the documented exceptions.
func TestSniff(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	fooled := 0
	for i := range 3000 {
		p := newRandomProof(rng, 1+rng.IntN(1+rng.IntN(12)))
		for _, format := range formats {
			in := p.file(format)
			want := format
			if format == BinaryLRAT && p.fools() {
				want = BinaryDRAT
				fooled++
			}
			if got, _, err := Sniff(bytes.NewReader(in)); got != want || err != nil {
				t.Fatalf("%d: got %v, %v; want %v of %q", i, got, err, want, in)
			}
		}
	}
	if fooled == 0 || fooled > 3000/5 {
		t.Errorf("%d proofs looked like others", fooled)
	}
}

// fools reports whether the proof in binary LRAT is also valid DRAT.
func (p *randomProof) fools() bool {
	for _, s := range p.steps {
		if !s.Delete && s.Hints[0] != 50 && s.Hints[0] != -48 {
			return false
		}
	}
	return true
}

func TestSniffCases(t *testing.T) {
	megabyte := strings.Repeat("5 ", sniffLen/2)
	for in, want := range map[string]Format{
		"":                                    DRAT,
		"\n\n":                                DRAT,
		"c only a comment":                    DRAT,
		"0\n":                                 DRAT,
		"0":                                   DRAT,
		"1 0\n":                               DRAT,
		"-1 2 0\n":                            DRAT,
		"d 1 0\n":                             DRAT,
		"  d 1 0\n":                           DRAT,
		"d 1":                                 DRAT,
		"1 2\n0\n":                            DRAT,
		"1 2 0 3\n0\n":                        DRAT,
		"-1 0 2 0\n":                          DRAT,
		"0 1 0\n":                             DRAT,
		"1 0 2 0 3 0\n":                       DRAT,
		"1 2 0 c 3 0\n":                       DRAT,
		"hello\n":                             DRAT,
		"c 5 1 0 2 0\n1 0\n":                  DRAT,
		"c 1 0\n\n\t5 1 0 2 0\n":              LRAT,
		"5 1 0 2 0\r\n":                       LRAT,
		"5 1 0 2 0 c x 1":                     LRAT,
		"05 1 00 2 000 \t\n":                  LRAT,
		"5 0 1 2 0":                           LRAT,
		"5 0 0":                               LRAT,
		"5 d 1 2 0\n":                         LRAT,
		"5 d":                                 LRAT,
		"5\td 0":                              LRAT,
		"5 d " + megabyte + "0\n":             LRAT,
		megabyte + "0\n":                      DRAT,
		"d " + megabyte + "0\n\x00":           DRAT,
		"a":                                   BinaryDRAT,
		"a\x02\x00":                           BinaryDRAT,
		"a\x00":                               BinaryDRAT,
		"d\x02\x00":                           BinaryDRAT,
		"d\x03\x00a\x04\x02\x00\x02\x00":      BinaryDRAT, // deletes a negative id
		"d\x02\x00a\x04\x02\x00\x02\x00":      BinaryLRAT,
		"a\x04\x02\x00\x02\x00":               BinaryLRAT,
		"a\x04\x02\x00\x02":                   BinaryLRAT, // cut off
		"a\xff\xff\xff\xff\x7f\x00\x02\x00":   BinaryDRAT, // neither, and more input would not help
		"a\x80\x00\x02\x00":                   BinaryDRAT, // neither
		"a\x66\x02\x00d\x00":                  BinaryDRAT, // the hint 50
		"a\x66\x02\x00d\x00a\x68\x00\x02\x00": BinaryLRAT,
		"1 0 -2 0\n":                          LRAT, // as documented
	} {
		whole, r, err := Sniff(strings.NewReader(in))
		if whole != want || err != nil {
			t.Errorf("%.40q: got %v, %v; want %v", in, whole, err, want)
			continue
		}
		if back, err := io.ReadAll(r); err != nil || string(back) != in {
			t.Errorf("%.40q: the input is not whole: %v", in, err)
		}
		if pieces, _, err := Sniff(iotest.HalfReader(strings.NewReader(in))); pieces != want || err != nil {
			t.Errorf("%.40q in pieces: got %v, %v; want %v", in, pieces, err, want)
		}
	}
}

// TestSniffWindow checks that Sniff reads only as far as necessary, and at most
// a megabyte.
func TestSniffWindow(t *testing.T) {
	for in, most := range map[string]int{
		"5 1 0 2 0\n": 16, "-1 2 0\n": 16, "a\x06\x02\x00\x02\x00": 16, "5 d 1 2 3 4 5 6": 8, "": sniffLen, "d 1 2 0\n": sniffLen,
	} {
		src := &endless{[]byte(in), 0}
		if _, _, err := Sniff(iotest.OneByteReader(io.LimitReader(src, 16))); err != nil || src.n > most {
			t.Errorf("%q: %d bytes were read: %v", in, src.n, err)
		}
		src.n = 0
		if _, _, err := Sniff(src); err != nil || src.n > sniffLen {
			t.Errorf("%q: %d bytes were read: %v", in, src.n, err)
		}
	}
}

// An endless source has some bytes and then endless blanks.
type endless struct {
	begin []byte
	n     int
}

func (e *endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
		if e.n < len(e.begin) {
			b[i] = e.begin[e.n]
		}
		e.n++
	}
	return len(b), nil
}
