package fuzztest

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

var testSeeds = [][]byte{[]byte("p cnf 2 1\n1 -2 0\n"), {}, bytes.Repeat([]byte("x"), 3*maxLen)}

// TestInputs checks that an input is a function of its number, that most inputs are short, and
// that few are the same.
func TestInputs(t *testing.T) {
	g, again := newGenerator(testSeeds, []string{"cnf"}), newGenerator(testSeeds, []string{"cnf"})
	different := make(map[string]bool)
	again.input(1)
	long := 0
	for number := range uint64(5000) {
		in := g.input(number)
		if other := again.input(number); !bytes.Equal(in, other) {
			t.Fatalf("input %d: %q, then %q", number, in, other)
		}
		if len(in) > longest {
			t.Fatalf("input %d has %d bytes", number, len(in))
		}
		if len(in) > maxLen {
			long++
		}
		different[string(in)] = true
	}
	if long < 100 || long > 400 {
		t.Errorf("%d of 5000 inputs are long", long)
	}
	if len(different) < 3000 {
		t.Errorf("%d different inputs of 5000", len(different))
	}
}

// TestFails checks that each way to report a failure counts, and that a skipped input
// does not fail.
func TestFails(t *testing.T) {
	for want, checks := range map[bool][]func(testing.TB, []byte){
		true: {
			func(t testing.TB, _ []byte) { t.Error("deliberate") },
			func(t testing.TB, _ []byte) { t.Errorf("deliberate") },
			func(t testing.TB, _ []byte) { t.Fatal("deliberate") },
			func(t testing.TB, _ []byte) { t.Fatalf("deliberate") },
			func(testing.TB, []byte) { panic("deliberate") },
		},
		false: {
			func(testing.TB, []byte) {},
			func(t testing.TB, _ []byte) { t.Skip("deliberate") },
		},
	} {
		for i, check := range checks {
			if got := fails(t, check, nil); got != want {
				t.Errorf("check %d: failed %v, want %v", i, got, want)
			}
		}
	}
}

// TestShrink checks that the part of an input that fails is found.
func TestShrink(t *testing.T) {
	got := shrink([]byte("some text with a fault and more"), func(in []byte) bool { return bytes.Contains(in, []byte("fault")) })
	if string(got) != "fault" {
		t.Errorf("got %q", got)
	}
}

// TestPieces checks that a source returns all bytes, in different pieces, and its error.
func TestPieces(t *testing.T) {
	empty, early := 0, 0
	for i := range byte(200) {
		in := bytes.Repeat([]byte{i, i + 1}, 40)
		src := Broken(in, ErrBroken)
		var got []byte
		for !src.Ended {
			b := make([]byte, 50)
			n, err := src.Read(b)
			got = append(got, b[:n]...)
			switch {
			case n == 0 && err == nil:
				empty++
			case n > 0 && err != nil:
				early++
			}
			if err != nil && err != ErrBroken {
				t.Fatal(err)
			}
		}
		if n, err := src.Read(make([]byte, 1)); !bytes.Equal(got, in) || n != 0 || err != io.EOF {
			t.Fatalf("got %q, then %d bytes and %v", got, n, err)
		}
	}
	if empty == 0 || early < 50 || early > 150 {
		t.Errorf("%d reads without bytes, and %d of 200 ends with the last bytes", empty, early)
	}
}

// TestCheckBroken checks that readers that lose an error are found, and right ones not.
func TestCheckBroken(t *testing.T) {
	right := func(src io.Reader) error {
		_, err := io.ReadAll(src)
		return err
	}
	for _, c := range []struct {
		name string
		read func(io.Reader) error
		want bool
	}{
		{"the error is returned", right, false},
		{"the error is wrapped", func(src io.Reader) error { return errors.Join(right(src), io.ErrUnexpectedEOF) }, false},
		{"the error is taken for the end", func(src io.Reader) error { right(src); return nil }, true},
		{"a syntax error replaces it", func(src io.Reader) error { return syntaxIf(right(src) != nil) }, true},
		{"a syntax error comes before it", func(src io.Reader) error { right(src); return syntaxIf(true) }, false},
		{"the input is not read to its end", func(io.Reader) error { return nil }, false},
	} {
		check := func(t testing.TB, in []byte) { CheckBroken(t, in, c.read) }
		if got := fails(t, check, []byte("text")); got != c.want {
			t.Errorf("%s: failed %v, want %v", c.name, got, c.want)
		}
	}
}

// syntaxIf returns an error of syntax if the input is cut off.
func syntaxIf(cut bool) error {
	if cut {
		return errors.New("unexpected end")
	}
	return nil
}
