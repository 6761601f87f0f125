package proof

import (
	"bytes"
	"encoding/binary"
	"io"
	"strconv"

	"sator/dimacs/internal/scan"
)

// A Format is a format of proofs.
type Format int

// The formats. The package documentation describes them.
const (
	FormatUnknown Format = iota
	DRAT
	BinaryDRAT
	LRAT
	BinaryLRAT
)

// Hints reports whether lemmas have hints: the ids of their antecedents.
func (f Format) Hints() bool { return f == LRAT || f == BinaryLRAT }

// Binary reports whether f is a binary format.
func (f Format) Binary() bool { return f == BinaryDRAT || f == BinaryLRAT }

// binary returns the binary form of f.
func (f Format) binary() Format {
	switch f {
	case DRAT:
		return BinaryDRAT
	case LRAT:
		return BinaryLRAT
	}
	return f
}

// String returns a name for messages.
func (f Format) String() string {
	switch f {
	case DRAT:
		return "DRAT"
	case BinaryDRAT:
		return "binary DRAT"
	case LRAT:
		return "LRAT"
	case BinaryLRAT:
		return "binary LRAT"
	}
	return "unknown"
}

// A Place is the position where a step of a proof begins. The zero Place is
// unknown.
type Place struct {
	Line   int   // the line in a text, from 1
	Offset int64 // the byte in a binary proof, from 1 as in cmp(1)
}

func (p Place) set() bool { return p.Line > 0 || p.Offset > 0 }

// String returns the number of the line, as in "12", or of the byte, as in
// "byte 345".
func (p Place) String() string {
	if p.Line > 0 {
		return strconv.Itoa(p.Line)
	}
	return "byte " + strconv.FormatInt(p.Offset, 10)
}

// sniffLen is the maximum number of bytes that Sniff reads.
const sniffLen = 1 << 20

// Sniff recognizes the format of the proof in src by its content, and returns a
// reader of the whole input. It reads only as far as necessary, and at most a
// megabyte. The error is that of src.
//
// An input that begins with the byte a is binary. An input that begins with d
// is binary if there is a zero byte in that megabyte, since text has no zero
// bytes. All other inputs are text.
//
// The first line of a text that is neither blank nor a comment determines its
// format. It is LRAT if its second word is d, or if it begins with a positive
// number and has exactly two zeros, the second of them at its end. All other
// texts, and empty inputs, are DRAT.
//
// Sniff reads a binary proof as DRAT and as LRAT, and returns the format that
// remains valid for longer, or DRAT if both are valid up to the end. In LRAT,
// ids must ascend and be above the ids in their hints.
//
// So Sniff is wrong about a DRAT text with two steps on its first line, as in
// "1 2 0 -1 0". It is wrong about binary LRAT without lemmas, or with 50 or -48
// as the first hint of each lemma, since their codes are the bytes d and a;
// such proofs have very few steps. It is wrong about a binary proof that begins
// with a deletion of a megabyte, and about a text that begins with d and has
// zero bytes in its comments. Callers that know the format should not use
// Sniff.
func Sniff(src io.Reader) (Format, io.Reader, error) {
	var format Format
	all, err := scan.Prefix(src, sniffLen, func(b []byte, whole bool) (sure bool) {
		format, sure = sniff(b, whole)
		return sure
	})
	if err != nil {
		return FormatUnknown, nil, err
	}
	return format, all, nil
}

// sniff returns the format of a proof that begins with b. sure reports whether
// more of the proof cannot change it. whole reports that b is the whole proof,
// or all that may be read.
func sniff(b []byte, whole bool) (format Format, sure bool) {
	switch {
	case len(b) == 0:
		return DRAT, false
	case b[0] == 'a':
		return sniffBinary(b)
	case b[0] == 'd':
		if bytes.IndexByte(b, 0) >= 0 {
			return sniffBinary(b)
		}
		return DRAT, false
	}
	for {
		line, rest, ended := bytes.Cut(b, []byte("\n"))
		line = bytes.Trim(line, " \t\r")
		if (len(line) == 0 || line[0] == 'c') && ended {
			b = rest
			continue
		}
		return sniffLine(line, ended || whole)
	}
}

// sniffLine returns the format of a text with line at the start of its first step. If
// the line is not whole, its first two words may suffice.
func sniffLine(line []byte, whole bool) (format Format, sure bool) {
	if !whole {
		line = line[:min(len(line), 64)]
	}
	words := bytes.FieldsFunc(line, func(c rune) bool { return c == ' ' || c == '\t' || c == '\r' })
	zeros := 0
	for i, w := range words {
		if w[0] == 'c' {
			words = words[:i]
			break
		}
		if isZero(w) {
			zeros++
		}
	}
	n := len(words)
	switch {
	case n > 0 && words[0][0] == 'd':
		return DRAT, true
	case n > 1 && string(words[1]) == "d" && (n > 2 || whole):
		return LRAT, true
	case whole && zeros == 2 && '0' <= words[0][0] && words[0][0] <= '9' && !isZero(words[0]) && isZero(words[n-1]):
		return LRAT, true
	}
	return DRAT, whole
}

// isZero reports whether a word is a 0, the end of a list.
func isZero(word []byte) bool { return len(bytes.TrimLeft(word, "0")) == 0 }

// sniffBinary returns the format of a binary proof that begins with b. sure
// reports whether more of the proof cannot change it.
func sniffBinary(b []byte) (format Format, sure bool) {
	drat, lrat := sniffer{b: b}, sniffer{b: b}
	drat.drat()
	lrat.lrat()
	switch {
	case drat.bad && (lrat.pos > drat.pos || !lrat.bad):
		return BinaryLRAT, lrat.pos > drat.pos
	case lrat.bad:
		return BinaryDRAT, drat.pos > lrat.pos || drat.bad
	}
	return BinaryDRAT, false
}

// A sniffer reads a binary proof as long as it is valid. It stops before the
// first number or step that is invalid or cut off.
type sniffer struct {
	b    []byte
	pos  int
	bad  bool // the input at pos is invalid
	stop bool // the input at pos is invalid or cut off
}

// drat reads steps of DRAT.
func (s *sniffer) drat() {
	for s.stepByte() != 0 {
		s.list(maxLitCode, 1)
	}
}

// lrat reads steps of LRAT.
func (s *sniffer) lrat() {
	latest := uint64(0) // code of the latest id
	for {
		switch s.stepByte() {
		case 0:
			return
		case 'd':
			s.list(maxCode, 0)
			continue
		}
		id := s.number(latest+1, maxCode, 0)
		if s.list(maxLitCode, 1) > 0 {
			s.list(id-1, 1)
		} else {
			s.list(id-1, 0) // RAT needs a pivot
		}
		latest = id
	}
}

// stepByte reads the byte that begins a step. It returns 0 if there is no such
// byte.
func (s *sniffer) stepByte() byte {
	if s.stop || s.pos == len(s.b) {
		s.stop = true
		return 0
	}
	c := s.b[s.pos]
	if c != 'a' && c != 'd' {
		s.bad, s.stop = true, true
		return 0
	}
	s.pos++
	return c
}

// list reads codes of numbers up to 0 and returns how many numbers there are
// before the 0. If neg is 1, they may be negative.
func (s *sniffer) list(most, neg uint64) int {
	n := 0
	for s.number(0, most, neg) != 0 {
		n++
	}
	return n
}

// number reads the code of a number. It returns 0 if the sniffer has stopped.
func (s *sniffer) number(least, most, neg uint64) uint64 {
	if s.stop {
		return 0
	}
	c, n := binary.Uvarint(s.b[s.pos:])
	switch {
	case n == 0:
		s.stop = true
	case n < 0 || n > 1 && c>>(7*n-7) == 0 || c < least || c > most || c&1 > neg || c == 1:
		s.bad, s.stop = true, true
	default:
		s.pos += n
		return c
	}
	return 0
}
