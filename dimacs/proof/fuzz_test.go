package proof

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/internal/fuzztest"
)

// proofWords are the words of the formats, of text and of binary proofs.
var proofWords = []string{
	"d", "c", "0", "1 2 0\n", "d 1 2 0\n", "3 1 0 1 2 0\n", "4 d 1 0\n", "5 0 3 4 0\n", "\r\n", "\t", "0 0",
	"a", "a\x02\x00", "d\x02\x04\x00", "a\x06\x02\x00\x02\x04\x00", "\x00", "\x80", "\xff\xff\xff\xff\x0f", "\x80\x00", "\x02", "\x03",
}

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

// TestBrokenSource checks that the error of the source is returned at any place, also if
// it cuts a word off.
func TestBrokenSource(t *testing.T) {
	try := func(in []byte, format Format) {
		for at := range min(len(in), 60) {
			fuzztest.CheckBrokenAt(t, in, at, func(src io.Reader) error { return drain(NewReader(src, "", format)) })
		}
	}
	seedProofs(try)
	try([]byte("2 delete 1 0\n"), LRAT)
	try([]byte("delete 1 0\n"), DRAT)
}

// FuzzRead checks four properties. A proof is read with the same steps and the same
// error whole and in pieces. An error of the source is not taken for the end. The position of an error is in the input.
// The steps stay the same when they are written and read again.
func FuzzRead(f *testing.F) {
	// The first byte of an input chooses the format.
	var seeds [][]byte
	seedProofs(func(in []byte, format Format) { seeds = append(seeds, append([]byte{byte(format - DRAT)}, in...)) })
	fuzztest.Run(f, seeds, proofWords, func(t testing.TB, in []byte) {
		if len(in) == 0 {
			return
		}
		format := formats[in[0]%4]
		in = in[1:]
		steps, err := readAll(NewReader(bytes.NewReader(in), "", format))
		steps2, err2 := readAll(NewReader(fuzztest.Pieces(in), "", format))
		if steps != steps2 || message(err) != message(err2) {
			t.Fatalf("at once: %q, %v;\nin pieces: %q, %v", steps, err, steps2, err2)
		}
		fuzztest.CheckBroken(t, in, func(src io.Reader) error { return drain(NewReader(src, "", format)) })
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
		if fuzztest.Hash(in)%4 != 0 {
			return // what follows takes three quarters of the time
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
	var seeds [][]byte
	seedProofs(func(in []byte, format Format) { seeds = append(seeds, in) })
	fuzztest.Run(f, seeds, proofWords, func(t testing.TB, in []byte) {
		format, r, err := Sniff(bytes.NewReader(in))
		if err != nil {
			t.Fatal(err)
		}
		back, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(back, in) {
			t.Fatalf("the input is not whole: %v", err)
		}
		format2, r, err := Sniff(fuzztest.Pieces(in))
		if err != nil || format != format2 {
			t.Fatalf("at once: %v; in pieces: %v, %v", format, format2, err)
		}
		if back, err := io.ReadAll(r); err != nil || !bytes.Equal(back, in) {
			t.Fatalf("in pieces: the input is not whole: %v", err)
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
