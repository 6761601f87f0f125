package proof

import (
	"bytes"
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
// a reader of the whole of it. It reads no more than it needs and at most a
// megabyte: what follows knows no more than that window. The error is that of
// src.
//
// An input that begins with the byte a is binary; one that begins with d is
// binary if a zero byte follows, which text never has; all others are text.
//
// Of a text, the first line that is neither blank nor a comment tells. It is
// LRAT if its second word is d, or if it begins with a positive number and has
// two zeros, the second at its end: the step of an LRAT proof is a line, and
// that is what a line of a DRAT proof is not, unless it holds two steps. All
// else is DRAT, an empty input too.
//
// A binary proof is read as both. It is of the format that makes sense for
// longer, and DRAT if there is no difference. In LRAT, ids have to ascend and
// to be above those of their hints.
//
// So Sniff takes for LRAT a text DRAT proof with two steps on its first line,
// such as "1 2 0 -1 0". It takes for DRAT a binary LRAT proof in which each
// lemma has 50, the code of which is the byte d, as its first hint (a single
// lemma may), and for text a binary proof that begins with a deletion that
// covers the window.
// Who knows the format had better say so.
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

// sniffLine tells the format of a text whose first step begins with line.
func sniffLine(line []byte, whole bool) (format Format, sure bool) {
	words := bytes.Fields(line)
	if len(words) > 0 && words[0][0] == 'd' {
		return DRAT, true
	}
	if len(words) > 1 && string(words[1]) == "d" && (len(words) > 2 || whole) {
		return LRAT, true
	}
	zeros := 0
	for _, w := range words {
		if string(w) == "0" {
			zeros++
		}
	}
	if whole && zeros == 2 && words[0][0] > '0' && words[0][0] <= '9' && string(words[len(words)-1]) == "0" {
		return LRAT, true
	}
	return DRAT, whole
}

// sniffBinary tells the format of a binary proof that begins with b.
func sniffBinary(b []byte) (format Format, sure bool) {
	drat, lrat := senseDRAT(b), senseLRAT(b)
	if lrat > drat {
		return BinaryLRAT, true
	}
	return BinaryDRAT, lrat < drat
}

// A senser reads numbers of a binary proof as long as they make sense.
type senser struct {
	b   []byte
	pos int
	bad bool // buf[pos:] makes no sense, or is not there
}

// number reads a number that is at most so large.
func (s *senser) number(most uint64) uint64 {
	n, shift := uint64(0), 0
	for i := s.pos; i < len(s.b) && !s.bad; i++ {
		n |= uint64(s.b[i]&0x7f) << shift
		shift += 7
		if s.b[i] < 0x80 {
			s.bad = n > most || n == 1 || s.b[i] == 0 && shift > 7
			if !s.bad {
				s.pos = i + 1
			}
			return n
		}
		s.bad = shift >= 63
	}
	if !s.bad {
		s.pos, s.bad = len(s.b), true
	}
	return 0
}

// list reads numbers up to 0, and returns how many there were before it.
func (s *senser) list(most uint64) int {
	n := 0
	for !s.bad && s.number(most) != 0 {
		n++
	}
	return n
}

// kind reads the byte that a step begins with.
func (s *senser) kind() byte {
	if s.pos == len(s.b) {
		s.bad = true
		return 0
	}
	c := s.b[s.pos]
	s.bad = c != 'a' && c != 'd'
	if !s.bad {
		s.pos++
	}
	return c
}

// senseDRAT returns how many bytes of b make sense as binary DRAT.
func senseDRAT(b []byte) int {
	s := senser{b: b}
	for !s.bad {
		s.kind()
		s.list(maxLitCode)
	}
	return s.pos
}

// senseLRAT returns how many bytes of b make sense as binary LRAT.
func senseLRAT(b []byte) int {
	s := senser{b: b}
	latest := uint64(0) // as a code
	for !s.bad {
		at := s.pos
		if s.kind() == 'd' {
			s.ids(maxCode, 0)
			continue
		}
		id := s.number(maxCode)
		if !s.bad && (id <= latest || id&1 != 0) {
			return at
		}
		latest = id
		rat := uint64(0)
		if s.list(maxLitCode) > 0 {
			rat = 1
		}
		s.ids(id, rat)
	}
	return s.pos
}

// ids reads ids below most up to 0. With neg they may be negative.
func (s *senser) ids(most, neg uint64) {
	for !s.bad {
		at := s.pos
		c := s.number(most - 1)
		if c == 0 {
			return
		}
		if c&1 > neg {
			s.pos, s.bad = at, true
		}
	}
}
