package proof

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"sator/dimacs"
)

// logAll logs steps of all kinds: lemmas after deletions of originals,
// successive deletions, an original after lemmas, a RAT step, a lemma without
// hints, an empty clause and its deletion.
func logAll(t *testing.T, w *Writer) {
	lits := dimacs.Lits
	id := func(got, want int64) {
		if got != want {
			t.Errorf("id %d, want %d", got, want)
		}
	}
	id(w.Original(lits(1, 2)), 1)
	id(w.Original(lits(-1, 2)), 2)
	w.Delete(1, lits(1, 2))
	w.Delete(2, lits(-1, 2))
	id(w.Learn(lits(64, -65), []int64{2, 1}), 6)
	id(w.Original(lits(-2)), 3)
	w.Delete(6, lits(64, -65))
	id(w.Learn(lits(-3), []int64{1, 63, 64, -2, 3, -5}), 7)
	id(w.Learn(lits(dimacs.MaxVars, -dimacs.MaxVars), nil), 8)
	w.Delete(7, lits(-3))
	id(w.Original(lits(4)), 4)
	w.Delete(8, nil)
	id(w.Original(lits(5)), 5)
	id(w.Learn(nil, []int64{1 << 62, 123456789, 100000000, 99999999}), 9)
	w.Delete(9, nil)
}

func TestWriter(t *testing.T) {
	for format, want := range map[Format]string{
		DRAT: "d 1 2 0\nd -1 2 0\n64 -65 0\nd 64 -65 0\n-3 0\n" +
			"1073741823 -1073741823 0\nd -3 0\nd 0\n0\nd 0\n",
		BinaryDRAT: "d\x02\x04\x00d\x03\x04\x00a\x80\x01\x83\x01\x00d\x80\x01\x83\x01\x00a\x07\x00" +
			"a\xfe\xff\xff\xff\x07\xff\xff\xff\xff\x07\x00d\x07\x00d\x00a\x00d\x00",
		LRAT: "5 d 1 2 0\n6 64 -65 0 2 1 0\n6 d 6 0\n7 -3 0 1 63 64 -2 3 -5 0\n" +
			"8 1073741823 -1073741823 0 0\n8 d 7 8 0\n" +
			"9 0 4611686018427387904 123456789 100000000 99999999 0\n9 d 9 0\n",
		BinaryLRAT: "d\x02\x04\x00a\x0c\x80\x01\x83\x01\x00\x04\x02\x00d\x0c\x00" +
			"a\x0e\x07\x00\x02\x7e\x80\x01\x05\x06\x0b\x00" +
			"a\x10\xfe\xff\xff\xff\x07\xff\xff\xff\xff\x07\x00\x00d\x0e\x10\x00" +
			"a\x12\x00\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01\xaa\xb4\xde\x75\x80\x84\xaf\x5f\xfe\x83\xaf\x5f\x00d\x12\x00",
	} {
		var b bytes.Buffer
		w := NewWriter(&b, format, 5)
		if w.Hints() != format.Hints() {
			t.Errorf("%v: Hints is %v", format, w.Hints())
		}
		logAll(t, w)
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); got != want {
			t.Errorf("%v: got\n%q\nwant\n%q", format, got, want)
		}
		if err := w.Flush(); err != nil || b.Len() != len(want) {
			t.Errorf("%v: flushed again: error %v, %d bytes, want %d", format, err, b.Len(), len(want))
		}
	}
}

// TestWriterFlush checks that steps may follow Flush, which ends a line of
// deletions.
func TestWriterFlush(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b, LRAT, 2)
	w.Delete(1, nil)
	w.Flush()
	w.Delete(2, nil)
	w.Flush()
	w.Learn(nil, []int64{1})
	w.Flush()
	if got, want := b.String(), "2 d 1 0\n2 d 2 0\n3 0 1 0\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPutText compares putText with strconv on numbers of all lengths, at both
// ends of each length and at random.
func TestPutText(t *testing.T) {
	check := func(x int64) {
		var b [32]byte
		got := string(b[:putText(b[:], code(x))])
		if want := strconv.FormatInt(x, 10) + " "; got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for p := int64(1); p > 0 && p <= 1e18; p *= 10 {
		for d := range int64(3) {
			check(p - 1 + d)
			check(1 - p - d)
		}
	}
	check(maxID)
	check(-maxID)
	for range 100_000 {
		x := rng.Int64N(maxID) >> rng.IntN(62)
		check(x)
		check(-x)
	}
}

func TestDigits(t *testing.T) {
	for v := uint64(0); v < 1e8; v += 1 + v/50_000 {
		d := digits(v)
		got := uint64(0)
		for i := range 8 {
			got = 10*got + d>>(8*i)&0xff
		}
		if got != v {
			t.Fatalf("got %d, want %d", got, v)
		}
	}
}

// TestWriterBuffer writes steps longer than the buffer, and steps of two bytes.
func TestWriterBuffer(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	long := &randomProof{originals: 1 << 30, vars: dimacs.MaxVars}
	id := int64(long.originals)
	for range 4 {
		id++
		s := Step{ID: id}
		for range 30_000 + rng.IntN(100) {
			s.Lits = append(s.Lits, dimacs.Lit(rng.IntN(2*long.vars)))
			s.Hints = append(s.Hints, 1+rng.Int64N(id-1))
		}
		long.steps = append(long.steps, s)
	}
	short := &randomProof{originals: 1}
	for i := range int64(100_000) {
		short.steps = append(short.steps, Step{ID: 2 + i})
	}
	deletions := &randomProof{originals: 1 << 30}
	for range 60_000 {
		deletions.steps = append(deletions.steps, Step{Delete: true, Hints: []int64{1 + rng.Int64N(1<<30)}})
	}
	for _, p := range []*randomProof{long, short, deletions} {
		for _, format := range formats {
			if p == deletions && !format.Hints() {
				continue
			}
			got, err := showFile(bytes.NewReader(p.file(format)), format)
			if err != nil {
				t.Fatalf("%v: %v", format, err)
			}
			if p == deletions {
				got = strings.Join(strings.Fields(got), " ")
				want := []string{}
				for _, s := range p.steps {
					want = append(want, strconv.FormatInt(s.Hints[0], 10))
				}
				if !strings.Contains(got, "["+strings.Join(want, " ")+"]") {
					t.Fatalf("%v: deletions differ", format)
				}
			} else if got != p.show(format) {
				t.Fatalf("%v: steps differ", format)
			}
		}
	}
}

// A failing writer accepts the given number of bytes and then fails.
type failing struct {
	left  int
	err   error
	calls int // the number of calls after the error
}

func (f *failing) Write(b []byte) (int, error) {
	if f.left < 0 {
		f.calls++
	}
	n := min(max(f.left, 0), len(b))
	f.left -= len(b)
	if n < len(b) {
		f.left = -1
		return n, f.err
	}
	return n, nil
}

// TestWriterErrors checks that the first error is returned, and that nothing is
// written after it. A short write without an error is an error too.
func TestWriterErrors(t *testing.T) {
	full := errors.New("full")
	for _, c := range []struct{ give, want error }{{full, full}, {nil, io.ErrShortWrite}} {
		for _, format := range formats {
			f := &failing{left: 3 * writeLen, err: c.give}
			w := NewWriter(f, format, 1)
			lits := dimacs.Lits(1, -2, 3000)
			steps := 0
			for ; w.Err() == nil && steps < 1_000_000; steps++ {
				w.Learn(lits, []int64{1})
				w.Delete(1, lits)
			}
			if w.Err() != c.want {
				t.Fatalf("%v: after %d steps: got %v, want %v", format, steps, w.Err(), c.want)
			}
			for range 100_000 {
				w.Learn(lits, []int64{1})
			}
			if err := w.Flush(); err != c.want || w.Err() != c.want {
				t.Errorf("%v: got %v, %v", format, err, w.Err())
			}
			if f.calls > 0 {
				t.Errorf("%v: %d writes after the error", format, f.calls)
			}
		}
	}
	w := NewWriter(&failing{err: full}, DRAT, 1)
	w.Learn(nil, nil)
	if w.Err() != nil {
		t.Error("got an error before the first write")
	}
	if err := w.Flush(); err != full {
		t.Errorf("got %v, want %v", err, full)
	}
}

func TestWriterMisuse(t *testing.T) {
	for want, misuse := range map[string]func(){
		"proof: 0 is no format to write": func() { NewWriter(io.Discard, FormatUnknown, 1) },
		"proof: 5 is no format to write": func() { NewWriter(io.Discard, BinaryLRAT+1, 1) },
		"proof: a formula of -1 clauses": func() { NewWriter(io.Discard, DRAT, -1) },
		"proof: 0 is no format to read":  func() { NewReader(strings.NewReader(""), "", FormatUnknown) },
		"proof: more than the 1 original clauses": func() {
			w := NewWriter(io.Discard, DRAT, 1)
			w.Original(nil)
			w.Original(nil)
		},
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("got panic %v, want %q", got, want)
				}
			}()
			misuse()
		}()
	}
}

func TestWriterAllocations(t *testing.T) {
	lits, hints := dimacs.Lits(1, -2, 3), []int64{1, 2, 3}
	for _, format := range formats {
		w := NewWriter(io.Discard, format, 1)
		if n := testing.AllocsPerRun(100, func() {
			for range 1000 {
				w.Learn(lits, hints)
				w.Delete(1, lits)
			}
		}); n > 0 {
			t.Errorf("%v: %v allocations", format, n)
		}
	}
}
