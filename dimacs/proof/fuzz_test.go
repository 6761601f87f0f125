package proof

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"sator/dimacs"
)

// seedProofs adds the tables and small proofs to a corpus.
func seedProofs(add func(in []byte, format Format)) {
	for _, c := range readCases {
		add([]byte(c.in), c.format)
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for range 20 {
		p := newRandomProof(rng, 1+rng.IntN(5))
		for _, format := range formats {
			add(p.file(format), format)
		}
	}
}

// FuzzRead checks three properties. A proof is read with the same steps and the
// same error whole and byte by byte. The position of an error is in the input.
// The steps stay the same when they are written and read again.
func FuzzRead(f *testing.F) {
	seedProofs(func(in []byte, format Format) { f.Add(in, byte(format-DRAT)) })
	f.Fuzz(func(t *testing.T, in []byte, kind byte) {
		format := formats[kind%4]
		steps, err := readAll(NewReader(bytes.NewReader(in), "", format))
		steps2, err2 := readAll(NewReader(iotest.OneByteReader(bytes.NewReader(in)), "", format))
		if steps != steps2 || message(err) != message(err2) {
			t.Fatalf("at once: %q, %v;\nbyte by byte: %q, %v", steps, err, steps2, err2)
		}
		if err != nil {
			syntax, ok := err.(*dimacs.SyntaxError)
			if !ok {
				t.Fatalf("%v is not a syntax error", err)
			}
			lines := strings.SplitAfter(string(in), "\n")
			switch {
			case format.Binary():
				if syntax.Line != 0 || !strings.HasPrefix(syntax.Msg, "byte ") {
					t.Fatalf("%v: no place of a binary file", err)
				}
			case syntax.Line < 1 || syntax.Line > len(lines) || syntax.Col < 1 || syntax.Col > len(lines[syntax.Line-1])+1:
				t.Fatalf("%v: no place of the input", err)
			}
		}
		var first, second bytes.Buffer
		n := copyProof(&first, bytes.NewReader(in), format)
		if m := copyProof(&second, bytes.NewReader(first.Bytes()), format); m != n {
			t.Fatalf("%d steps were written, %d read back", n, m)
		}
		want, got := meaning(in, format), meaning(first.Bytes(), format)
		if want != got || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("written and read: %q, want %q; written again: %q, want %q", got, want, &second, &first)
		}
	})
}

// copyProof writes the steps of a proof up to an error, and returns the number
// of lemmas and deleted clauses.
func copyProof(dst io.Writer, src io.Reader, format Format) int {
	r, w := NewReader(src, "", format), NewWriter(dst, format, 1)
	n := 0
	for {
		s, err := r.Next()
		if err != nil {
			w.Flush()
			return n
		}
		switch {
		case s.Delete && !format.Hints():
			w.Delete(0, s.Lits)
			n++
		case s.Delete:
			for _, id := range s.Hints {
				w.Delete(id, nil)
				n++
			}
		default:
			w.endDeletion() // its line has the id of the previous lemma
			w.latest = s.ID - 1
			w.Learn(s.Lits, s.Hints)
			n++
		}
	}
}

// meaning returns the steps of a proof up to an error, without the properties
// that may change: places, the ids at the start of deletions, and the grouping
// of deletions.
func meaning(in []byte, format Format) string {
	var b strings.Builder
	r := NewReader(bytes.NewReader(in), "", format)
	for {
		s, err := r.Next()
		if err != nil {
			return b.String()
		}
		if s.Delete && format.Hints() {
			for _, id := range s.Hints {
				b.WriteString(showStep(&Step{Delete: true, Hints: []int64{id}}))
			}
			continue
		}
		b.WriteString(showStep(s))
	}
}

// FuzzSniff checks that Sniff does not change the input, does not depend on the
// sizes of reads, and recognizes what the readers accept, with the exceptions
// in its documentation.
func FuzzSniff(f *testing.F) {
	seedProofs(func(in []byte, format Format) { f.Add(in) })
	f.Fuzz(func(t *testing.T, in []byte) {
		format, r, err := Sniff(bytes.NewReader(in))
		if err != nil {
			t.Fatal(err)
		}
		back, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(back, in) {
			t.Fatalf("the input is not whole: %v", err)
		}
		format2, r, err := Sniff(iotest.OneByteReader(bytes.NewReader(in)))
		if err != nil || format != format2 {
			t.Fatalf("at once: %v; byte by byte: %v, %v", format, format2, err)
		}
		if back, err := io.ReadAll(r); err != nil || !bytes.Equal(back, in) {
			t.Fatalf("byte by byte: the input is not whole: %v", err)
		}
		for _, other := range formats {
			if other != format && len(in) > 0 && readable(in, other) && !excused(in, format, other) {
				t.Fatalf("%v, but it can be read as %v", format, other)
			}
		}
	})
}

func readable(in []byte, format Format) bool {
	return drain(NewReader(bytes.NewReader(in), "", format)) == nil
}

// excused reports whether the documentation of Sniff allows to take a proof in
// a format for another format.
func excused(in []byte, taken, format Format) bool {
	switch {
	case taken.Binary() != format.Binary():
		return bytes.IndexByte(in, 0) > bytes.IndexByte(in, 'c') // in a comment
	case taken == LRAT: // two steps on the first line
		r := NewReader(bytes.NewReader(in), "", DRAT)
		first, err := r.Next()
		if err != nil {
			return false
		}
		line := first.Place.Line
		second, err := r.Next()
		return err == nil && second.Place.Line == line
	case taken == DRAT: // blanks and comments alone
		_, err := NewReader(bytes.NewReader(in), "", LRAT).Next()
		return err == io.EOF
	case taken == BinaryDRAT:
		return readable(in, BinaryDRAT) || !orderly(in)
	}
	return false
}

// orderly reports whether the ids of a binary LRAT proof ascend and are above
// the ids in their hints, and empty lemmas have no negative hints.
func orderly(in []byte) bool {
	r := NewReader(bytes.NewReader(in), "", BinaryLRAT)
	latest := int64(0)
	for {
		s, err := r.Next()
		if err != nil {
			return err == io.EOF
		}
		if s.Delete {
			continue
		}
		if s.ID <= latest {
			return false
		}
		latest = s.ID
		for _, h := range s.Hints {
			if max(h, -h) >= s.ID || h < 0 && len(s.Lits) == 0 {
				return false
			}
		}
	}
}
