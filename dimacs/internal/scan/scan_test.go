package scan

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
)

// TestDecimal compares Decimal with strconv on numbers of all lengths before all
// bytes.
func TestDecimal(t *testing.T) {
	for _, digits := range []string{"", "0", "7", "10", "99", "100", "12345", "654321", "1234567", "12345678", "00000009"} {
		for _, sign := range []string{"", "-"} {
			for end := range 256 {
				if '0' <= end && end <= '9' {
					continue
				}
				text := sign + digits
				b := append([]byte(text), byte(end), '5', '5', '5', '5', '5', '5', '5', '5')
				if text == "" && end == '-' {
					continue // a sign
				}
				v, n, neg := Decimal(binary.LittleEndian.Uint64(b))
				inWord := min(len(digits), 8-len(sign))
				if int(n) != inWord || int(neg) != len(sign) {
					t.Fatalf("%q: got %d digits and sign %d, want %d and %d", b, n, neg, inWord, len(sign))
				}
				if want, err := strconv.ParseUint(digits[:inWord], 10, 64); err == nil && v != want {
					t.Fatalf("%q: got %d, want %d", b, v, want)
				}
			}
		}
	}
}

// scanAll returns the tokens of src with their positions.
func scanAll(src io.Reader) string {
	var b strings.Builder
	s := New(src)
	s.SkipOrderMark()
	for {
		c := s.Next()
		fmt.Fprintf(&b, "%d:%d ", s.Mark.Line, s.Mark.Col)
		switch {
		case c == EOF:
			fmt.Fprintf(&b, "EOF %v", s.Err())
			return b.String()
		case c == '\r':
			b.WriteString("CR ")
		case c == 'c':
			s.SkipLine()
			b.WriteString("comment ")
		case c == '-' || '0' <= c && c <= '9':
			n, neg, ok := s.Number()
			fmt.Fprintf(&b, "%d %t %t %s ", n, neg, ok, s.Quoted())
		default:
			fmt.Fprintf(&b, "%s ", s.Word())
		}
	}
}

func TestScanner(t *testing.T) {
	broken := errors.New("broken")
	long := strings.Repeat("x", 2*TextLen)
	for _, c := range []struct {
		in   string
		err  error
		want string
	}{
		{"", io.EOF, "1:1 EOF <nil>"},
		{"\xef\xbb\xbfp", io.EOF, "1:4 p 1:5 EOF <nil>"},
		{" 1\t-2\r\n\n3x c\n", io.EOF, `1:2 1 false true "1" 1:4 2 true true "-2" 3:1 0 false false "3x" 3:4 comment 4:1 EOF <nil>`},
		{"c a\r\n b", io.EOF, "1:1 comment 2:2 b 2:3 EOF <nil>"},
		{"c a\rb", io.EOF, "1:1 comment 1:4 CR 1:5 b 1:6 EOF <nil>"},
		{"c a\r", io.EOF, "1:1 comment 1:4 CR 1:5 EOF <nil>"},
		{"c a\r", broken, "1:1 comment 1:4 EOF broken"},
		{"a\rb", io.EOF, "1:1 a 1:2 CR 1:3 b 1:4 EOF <nil>"},
		{"a\r", io.EOF, "1:1 a 1:2 CR 1:3 EOF <nil>"},
		{"a\r", broken, "1:1 a 1:2 EOF broken"},
		{"12", broken, `1:1 12 false true "12" 1:3 EOF broken`},
		{"18446744073709551614 18446744073709551616", io.EOF, fmt.Sprintf(`1:1 %d false true "18446744073709551614" 1:22 %d false true "18446744073709551616" 1:42 EOF <nil>`, uint64(math.MaxUint64-1), uint64(math.MaxUint64))},
		{long, io.EOF, fmt.Sprintf("1:1 %s 1:26 %s 1:49 EOF <nil>", long[:TextLen+1], long[TextLen+1:])},
		{"-" + long, io.EOF, fmt.Sprintf(`1:1 0 false false "-%s"... 1:26 %s 1:50 EOF <nil>`, long[:TextLen-1], long[:TextLen])},
	} {
		for _, src := range []io.Reader{strings.NewReader(c.in), iotest.OneByteReader(strings.NewReader(c.in))} {
			if got := scanAll(io.MultiReader(src, iotest.ErrReader(c.err))); got != c.want {
				t.Errorf("%q, %v: got\n%s\nwant\n%s", c.in, c.err, got, c.want)
			}
		}
	}
}
