package proof

import (
	"bytes"
	"encoding/binary"
	"io"
	"strconv"
)

// A Format is a format of proofs.
type Format int

// The formats; see the package's documentation for what they look like.
const (
	FormatUnknown Format = iota
	DRAT
	BinaryDRAT
	LRAT
	BinaryLRAT
)

// Hints reports whether lemmas have hints: their antecedents, by id.
func (f Format) Hints() bool { return f == LRAT || f == BinaryLRAT }

// Binary reports whether the format is not text.
func (f Format) Binary() bool { return f == BinaryDRAT || f == BinaryLRAT }

// binary returns the binary form of the format.
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

// A Place is where a step of a proof begins. The zero Place is nowhere.
type Place struct {
	Line   int   // of a text proof, from 1
	Offset int64 // of a byte of a binary proof, from 1 as cmp(1) counts them
}

func (p Place) set() bool { return p.Line > 0 || p.Offset > 0 }

// String returns the number of the line, as in "12", or the byte, as in
// "byte 345".
func (p Place) String() string {
	if p.Line > 0 {
		return strconv.Itoa(p.Line)
	}
	return "byte " + strconv.FormatInt(p.Offset, 10)
}

// sniffLen is how much Sniff reads at most.
const sniffLen = 1 << 20

// Sniff tells the format of the proof that src holds, by content, and returns
// a reader of the whole of it. It reads no more than it needs, and a megabyte
// at most. The error is that of src.
//
// An input that begins with the byte a is binary. One that begins with d is
// binary if there is a zero byte in that megabyte, since text has none. All
// others are text.
//
// Of a text, the first line that is neither blank nor a comment tells. It is
// LRAT if its second word is d, or if it begins with a positive number and has
// two zeros, the second at its end. All else is DRAT, and so is an empty input.
//
// A binary proof is read as both, and is of the format that makes sense for
// longer; of DRAT if both do up to the end. In LRAT, ids have to ascend and to
// be above those of the hints.
//
// So Sniff is wrong about a text in DRAT with two steps on its first line, as
// in "1 2 0 -1 0". It is wrong about binary LRAT where each lemma has as its
// first hint 50 or -48, the codes of which are the bytes d and a, or where there
// is no lemma; this takes a proof of very few steps. And it is wrong about a
// binary proof that begins with a deletion of a megabyte, and about a text that
// begins with d and has zero bytes in its comments. Who knows the format should
// say it.
func Sniff(src io.Reader) (Format, io.Reader, error) {
	var buf []byte
	for {
		n := len(buf)
		if cap(buf)-n < 512 {
			buf = append(make([]byte, 0, 2*n+4096), buf...)
		}
		m, err := src.Read(buf[n:min(cap(buf), sniffLen)])
		buf = buf[:n+m]
		if err != nil && err != io.EOF {
			return FormatUnknown, nil, err
		}
		whole := err == io.EOF || len(buf) >= sniffLen
		if format, sure := sniff(buf, whole); sure || whole {
			return format, io.MultiReader(bytes.NewReader(buf), src), nil
		}
	}
}

// sniff tells the format of a proof that begins with b. It is sure if more of
// the proof would not change that; whole says that there is no more.
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

// sniffLine tells the format of a text whose first step begins with line. Of a
// line that is not whole two words may tell.
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

// isZero reports whether a word is the 0 that ends a list.
func isZero(word []byte) bool { return len(bytes.TrimLeft(word, "0")) == 0 }

// sniffBinary tells the format of a binary proof that begins with b.
func sniffBinary(b []byte) (format Format, sure bool) {
	drat, lrat := senser{b: b}, senser{b: b}
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

// A senser reads a binary proof as long as it makes sense. It stops before the
// first number or step that makes none, or that is not there as a whole.
type senser struct {
	b    []byte
	pos  int
	bad  bool // it makes no sense
	stop bool // as bad, or because there is no more
}

// drat reads steps of DRAT.
func (s *senser) drat() {
	for s.kind() != 0 {
		s.list(maxLitCode, 1)
	}
}

// lrat reads steps of LRAT.
func (s *senser) lrat() {
	latest := uint64(0) // id, as a code
	for {
		switch s.kind() {
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
			s.list(id-1, 0) // no pivot, no RAT
		}
		latest = id
	}
}

// kind reads the byte that begins a step, and returns 0 if that is not there.
func (s *senser) kind() byte {
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

// list reads codes of numbers up to 0 and returns how many came before it. With
// neg they may be negative.
func (s *senser) list(most, neg uint64) int {
	n := 0
	for s.number(0, most, neg) != 0 {
		n++
	}
	return n
}

// number reads the code of a number, and returns 0 if it has stopped.
func (s *senser) number(least, most, neg uint64) uint64 {
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
