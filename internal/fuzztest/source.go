package fuzztest

import (
	"bytes"
	"errors"
	"hash/fnv"
	"io"
	"testing"
)

// A Source returns its bytes in pieces of various sizes, and then an error.
type Source struct {
	Ended bool // the error was returned

	in    []byte
	err   error
	state uint32 // decides about the next call
}

// Pieces returns a reader of in that does what an io.Reader may do: it returns few bytes
// or many, sometimes none and no error, and the end with the last bytes or after them.
// The pieces depend on in alone.
func Pieces(in []byte) *Source { return Broken(in, io.EOF) }

// Broken is like [Pieces] with another error in place of io.EOF. The source returns it
// once and then io.EOF, so that a reader that loses the error takes it for the end.
func Broken(in []byte, err error) *Source { return &Source{in: in, err: err, state: Hash(in) | 1} }

// ErrBroken is the error of the sources of CheckBroken.
var ErrBroken = errors.New("broken source")

// CheckBroken calls [CheckBrokenAt] for one place, a function of in.
func CheckBroken(t testing.TB, in []byte, read func(io.Reader) error) {
	t.Helper()
	at := 0
	if len(in) > 0 {
		at = int(Hash(in) % uint32(len(in)))
	}
	CheckBrokenAt(t, in, at, read)
}

// CheckBrokenAt checks that a reader returns the error of a source that fails after the
// first bytes of in, and does not take it for the end. The function read returns the
// error of the reader. If the reader finds an error before, it must be its error for the
// whole input.
func CheckBrokenAt(t testing.TB, in []byte, at int, read func(io.Reader) error) {
	t.Helper()
	src := Broken(in[:at], ErrBroken)
	err := read(src)
	switch {
	case !src.Ended || errors.Is(err, ErrBroken):
	case err == nil:
		t.Fatalf("the error of the source after %d bytes is taken for the end", at)
	default:
		if whole := read(bytes.NewReader(in)); whole == nil || whole.Error() != err.Error() {
			t.Fatalf("the source fails after %d bytes, and the error is %v; the whole input has %v", at, err, whole)
		}
	}
}

// Hash returns a number that depends on the bytes of in, for choices that must be the
// same for the same input.
func Hash(in []byte) uint32 {
	h := fnv.New32a()
	h.Write(in)
	return h.Sum32()
}

// Read implements [io.Reader].
func (p *Source) Read(b []byte) (int, error) {
	switch {
	case p.Ended:
		return 0, io.EOF
	case len(b) == 0:
		return 0, nil
	}
	p.state ^= p.state << 13 // xorshift
	p.state ^= p.state >> 17
	p.state ^= p.state << 5
	most := len(b)
	switch p.state % 8 {
	case 0:
		return 0, nil
	case 1, 2, 3:
		most = 1
	case 4, 5:
		most = min(most, 1+int(p.state>>8%16))
	}
	n := copy(b[:most], p.in)
	p.in = p.in[n:]
	if len(p.in) == 0 && (n == 0 || p.state&64 != 0) {
		p.Ended = true
		return n, p.err
	}
	return n, nil
}
