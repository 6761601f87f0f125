package proof

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"sator/dimacs"
	"sator/dimacs/internal/scan"
)

// readCases are inputs of the readers. The steps are in the form of stepText,
// and err is the error after them.
var readCases = []struct {
	name   string
	format Format
	in     string
	steps  string
	err    string
}{
	{name: "nothing", format: DRAT},
	{name: "plain", format: DRAT, in: "1 -2 0\nd 1 2 3 0\n0\n", steps: "1: 1 -2; 2: d 1 2 3; 3:"},
	{name: "no newline at the end", format: DRAT, in: "1 -2 0\n0", steps: "1: 1 -2; 2:"},
	{name: "deletion of the empty clause", format: DRAT, in: "d 0\n", steps: "1: d"},
	{name: "comments", format: DRAT, in: "c first\n\nc\ncglued\n1 0 c behind 0\n  c d 1 0\nd c inside\n 1 c\n-2 0\nc last",
		steps: "5: 1; 7: d 1 -2"},
	{name: "comments alone", format: DRAT, in: "c a\nc b"},
	{name: "comment with carriage returns", format: DRAT, in: "c a\r\n1 0\n", steps: "2: 1"},
	{name: "CRLF", format: DRAT, in: "1 0\r\n\r\nd\r\n1\r\n-2 0\r\n0\r\n", steps: "1: 1; 3: d 1 -2; 6:"},
	{name: "tabs and blanks", format: DRAT, in: " \t1\t-2  0 \t\n\n\td\t1\t0\t\n \t", steps: "1: 1 -2; 3: d 1"},
	{name: "many on a line", format: DRAT, in: "1 0 d 1 2 0 -1 -2 0 0\n0\n", steps: "1: 1; 1: d 1 2; 1: -1 -2; 1:; 2:"},
	{name: "one over many lines", format: DRAT, in: "1\n\n2\n0 d\n1\n0\n", steps: "1: 1 2; 4: d 1"},
	{name: "leading zeros", format: DRAT, in: "01 -0000000000000000000000002 00\n", steps: "1: 1 -2"},
	{name: "largest variable", format: DRAT, in: "1073741823 -1073741823 0\n", steps: "1: 1073741823 -1073741823"},
	{name: "all lengths", format: DRAT, in: "1 -12 123 -1234 12345 -123456 1234567 -12345678 123456789 -1073741823 0\n",
		steps: "1: 1 -12 123 -1234 12345 -123456 1234567 -12345678 123456789 -1073741823"},

	{name: "cut in a step", format: DRAT, in: "1 0\n1 2", steps: "1: 1", err: "2:4: the last step is not ended by 0"},
	{name: "cut behind a line", format: DRAT, in: "1 0\n1 2\n", steps: "1: 1", err: "3:1: the last step is not ended by 0"},
	{name: "cut at a minus", format: DRAT, in: "1 -", err: `1:3: "-" is not a number`},
	{name: "cut at a d", format: DRAT, in: "d", err: "1:2: the last step is not ended by 0"},
	{name: "d without a blank", format: DRAT, in: "d1 0\n", err: `1:1: "d1" is not a number, nor the d of a deletion`},
	{name: "d in a step", format: DRAT, in: "1 d 2 0\n", err: `1:3: "d" is not a number`},
	{name: "two ds", format: DRAT, in: "d d 1 0\n", err: `1:3: "d" is not a number`},
	{name: "a letter", format: DRAT, in: "1 0\na 1 0\n", steps: "1: 1", err: `2:1: "a" is not a number`},
	{name: "a header", format: DRAT, in: "p cnf 1 1\n1 0\n", err: `1:1: "p" is not a number`},
	{name: "a letter in a number", format: DRAT, in: "12 3x4 0                        \n", err: `1:4: "3x4" is not a number`},
	{name: "a zero byte", format: DRAT, in: "1 2\x00 0                        \n", err: `1:3: "2\x00" is not a number`},
	{name: "a high byte", format: DRAT, in: "1 2\x8a 0                        \n", err: `1:3: "2\x8a" is not a number`},
	{name: "a long word", format: DRAT, in: "1 abcdefghijklmnopqrstuvwxyz 0\n", err: `1:3: "abcdefghijklmnopqrstuvwx"... is not a number`},
	{name: "plus", format: DRAT, in: "+1 0\n", err: `1:1: "+1" is not a number`},
	{name: "two minuses", format: DRAT, in: "--1 0\n", err: `1:1: "--1" is not a number`},
	{name: "minus zero", format: DRAT, in: "1 -0                        \n", err: `1:3: "-0" is not a literal`},
	{name: "above the variables", format: DRAT, in: "1 0\n 1073741824 0                        \n", steps: "1: 1",
		err: `2:2: literal "1073741824" is above the limit of 1073741823 variables`},
	{name: "modulo 2^32", format: DRAT, in: "-4294967297 0                        \n",
		err: `1:1: literal "-4294967297" is above the limit of 1073741823 variables`},
	{name: "modulo 2^64", format: DRAT, in: "1 18446744073709551617 0                        \n",
		err: `1:3: literal "18446744073709551617" is above the limit of 1073741823 variables`},
	{name: "modulo 2^63", format: DRAT, in: "1 9223372036854775809 0                        \n",
		err: `1:3: literal "9223372036854775809" is above the limit of 1073741823 variables`},
	{name: "carriage returns alone", format: DRAT, in: "1 0\r2 0\r", steps: "1: 1",
		err: "1:4: a carriage return without a line feed"},
	{name: "a carriage return in a comment", format: DRAT, in: "1 0\nc a\r2 0\n", steps: "1: 1",
		err: "2:4: a carriage return without a line feed"},
	{name: "a carriage return at the end", format: DRAT, in: "1 0\r", steps: "1: 1",
		err: "1:4: a carriage return without a line feed"},
	{name: "binary as text", format: DRAT, in: "a\x02\x00", err: `1:1: "a\x02\x00" is not a number`},

	{name: "nothing", format: LRAT},
	{name: "plain", format: LRAT, in: "5 1 -2 0 1 -2 3 0\n5 d 1 2 0\n7 0 5 4 0\n",
		steps: "1: 5 1 -2 0 1 -2 3; 2: 5 d 1 2; 3: 7 0 5 4"},
	{name: "without hints", format: LRAT, in: "5 1 -1 0 0\n6 0 0", steps: "1: 5 1 -1 0; 2: 6 0"},
	{name: "empty deletion", format: LRAT, in: "5 d 0\n", steps: "1: 5 d"},
	{name: "blanks and comments", format: LRAT, in: "c a\n\n\t5  1 0\t2 0 \r\n  c b\r\n 6\td 5 \t0 c c\n7 0 1 0",
		steps: "3: 5 1 0 2; 5: 6 d 5; 6: 7 0 1"},
	{name: "largest ids", format: LRAT, in: "4611686018427387904 1 0 4611686018427387904 -4611686018427387904 0                \n",
		steps: "1: 4611686018427387904 1 0 4611686018427387904 -4611686018427387904"},
	{name: "all lengths", format: LRAT, in: "2 1 0 123456789 -1234567890 12345678901 -123456789012 1234567890123 -12345678901234 123456789012345 -1234567890123456 12345678901234567 -123456789012345678 1234567890123456789 0\n",
		steps: "1: 2 1 0 123456789 -1234567890 12345678901 -123456789012 1234567890123 -12345678901234 123456789012345 -1234567890123456 12345678901234567 -123456789012345678 1234567890123456789"},
	{name: "cut behind the id", format: LRAT, in: "5", err: "1:2: the last step is not ended by 0"},
	{name: "cut behind the literals", format: LRAT, in: "5 1 0", err: "1:6: the last step is not ended by 0"},
	{name: "cut in the hints", format: LRAT, in: "5 1 0 3", err: "1:8: the last step is not ended by 0"},
	{name: "cut in a deletion", format: LRAT, in: "5 d 3", err: "1:6: the last step is not ended by 0"},
	{name: "a line without hints", format: LRAT, in: "5 1 0\n6 0 1 0\n", err: "1:6: the line ends before its step is ended by 0"},
	{name: "a line of an id", format: LRAT, in: "5 \r\n", err: "1:4: the line ends before its step is ended by 0"},
	{name: "a deletion over two lines", format: LRAT, in: "5 d 1\n2 0\n", err: "1:6: the line ends before its step is ended by 0"},
	{name: "two on a line", format: LRAT, in: "5 1 0 1 0 6 0 1 0\n", err: `1:11: "6" after the end of a step`},
	{name: "letters behind", format: LRAT, in: "5 1 0 1 0 x\n", err: `1:11: "x" after the end of a step`},
	{name: "DRAT", format: LRAT, in: "d 1 0\n", err: `1:1: "d" is not a number`},
	{name: "DRAT lemma", format: LRAT, in: "-1 2 0\n", err: `1:1: "-1" is not an id`},
	{name: "id 0", format: LRAT, in: "0 1 0 2 0\n", err: `1:1: "0" is not an id`},
	{name: "id -0", format: LRAT, in: "-0 1 0 2 0\n", err: `1:1: "-0" is not an id`},
	{name: "id above the limit", format: LRAT, in: "4611686018427387905 1 0 2 0\n", err: `1:1: id "4611686018427387905" is above the limit of 2^62`},
	{name: "deletion of a negative id", format: LRAT, in: "5 d 1 -2 0                        \n", err: `1:7: "-2" is not an id`},
	{name: "hint above the limit", format: LRAT, in: "5 1 0 -4611686018427387905 0                        \n",
		err: `1:7: hint "-4611686018427387905" is above the limit of 2^62`},
	{name: "hint of twenty digits", format: LRAT, in: "5 1 0 46116860184273879040 0                        \n",
		err: `1:7: hint "46116860184273879040" is above the limit of 2^62`},
	{name: "hint -0", format: LRAT, in: "5 1 0 -0 0                        \n", err: `1:7: "-0" is not a hint`},
	{name: "literal -0", format: LRAT, in: "5 -0 0 2 0\n", err: `1:3: "-0" is not a literal`},
	{name: "literal above", format: LRAT, in: "5 1073741824 0 2 0                        \n",
		err: `1:3: literal "1073741824" is above the limit of 1073741823 variables`},
	{name: "d without a blank", format: LRAT, in: "5 d1 0\n", err: `1:3: "d1" is not a number, nor the d of a deletion`},
	{name: "comment in a step", format: LRAT, in: "5 1 0 c 2 0\n", err: `1:7: "c" is not a number`},
	{name: "a carriage return alone", format: LRAT, in: "5 1 0 2 0\r6 0 1 0\n", steps: "1: 5 1 0 2", err: "1:10: a carriage return without a line feed"},

	{name: "nothing", format: BinaryDRAT},
	// The example in the documentation of drat-trim, and the empty clause.
	{name: "plain", format: BinaryDRAT, in: "d\x7f\x83\x80\x01\x00a\x82\x02\xff\x7f\x00a\x00d\x00",
		steps: "byte 1: d -63 -8193; byte 7: 129 -8191; byte 13:; byte 15: d"},
	{name: "largest variable", format: BinaryDRAT, in: "a\xfe\xff\xff\xff\x07\xff\xff\xff\xff\x07\x00                        ",
		steps: "byte 1: 1073741823 -1073741823", err: "byte 13: a step begins with 0x20, neither a nor d"},
	{name: "above the variables", format: BinaryDRAT, in: "a\x02\x80\x80\x80\x80\x08\x00                        ",
		err: "byte 3: literal 1073741824 is above the limit of 1073741823 variables"},
	{name: "far above the variables", format: BinaryDRAT, in: "a\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00                        ",
		err: "byte 3: literal -9223372036854775807 is above the limit of 1073741823 variables"},
	{name: "above 64 bits", format: BinaryDRAT, in: "a\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02\x00                        ",
		err: "byte 3: a number of more than 64 bits"},
	{name: "no end of a number", format: BinaryDRAT, in: "a\x02\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80",
		err: "byte 3: a number of more than 64 bits"},
	{name: "two bytes for 0", format: BinaryDRAT, in: "a\x02\x80\x00                        ", err: "byte 3: a number of more bytes than it needs"},
	{name: "two bytes for 1", format: BinaryDRAT, in: "a\x02\x82\x00\x00                        ", err: "byte 3: a number of more bytes than it needs"},
	{name: "minus zero", format: BinaryDRAT, in: "a\x02\x01\x00                        ", err: "byte 3: -0 is not a literal"},
	{name: "cut behind the a", format: BinaryDRAT, in: "a\x00a", steps: "byte 1:", err: "byte 4: the last step is not ended by 0"},
	{name: "cut in a step", format: BinaryDRAT, in: "a\x02", err: "byte 3: the last step is not ended by 0"},
	{name: "cut in a number", format: BinaryDRAT, in: "a\x82", err: "byte 3: the last step is not ended by 0"},
	{name: "another step", format: BinaryDRAT, in: "a\x00e\x02\x00", steps: "byte 1:", err: "byte 3: a step begins with 0x65, neither a nor d"},
	{name: "a zero byte", format: BinaryDRAT, in: "\x00", err: "byte 1: a step begins with 0x00, neither a nor d"},

	{name: "nothing", format: BinaryLRAT},
	{name: "plain", format: BinaryLRAT, in: "a\x0a\x02\x05\x00\x02\x05\x06\x00d\x02\x04\x00a\x0e\x00\x0a\x08\x00",
		steps: "byte 1: 5 1 -2 0 1 -2 3; byte 10: 0 d 1 2; byte 14: 7 0 5 4"},
	{name: "largest ids", format: BinaryLRAT, in: "a\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01\x00\x81\x80\x80\x80\x80\x80\x80\x80\x80\x01\x00d\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01\x00",
		steps: "byte 1: 4611686018427387904 0 -4611686018427387904; byte 24: 0 d 4611686018427387904"},
	{name: "ids of eight and nine bytes", format: BinaryLRAT, in: "a\x0a\x00\xff\xff\xff\xff\xff\xff\xff\x7f\x80\x80\x80\x80\x80\x80\x80\x80\x01\x00                        ",
		steps: "byte 1: 5 0 -36028797018963967 36028797018963968", err: "byte 22: a step begins with 0x20, neither a nor d"},
	{name: "id above the limit", format: BinaryLRAT, in: "a\x82\x80\x80\x80\x80\x80\x80\x80\x80\x01\x00\x00",
		err: "byte 2: id 4611686018427387905 is above the limit of 2^62"},
	{name: "hint above the limit", format: BinaryLRAT, in: "a\x02\x00\x83\x80\x80\x80\x80\x80\x80\x80\x80\x01\x00\x00",
		err: "byte 4: hint -4611686018427387905 is above the limit of 2^62"},
	{name: "id 0", format: BinaryLRAT, in: "a\x00\x02\x00\x02\x00", err: "byte 2: 0 is not an id"},
	{name: "negative id", format: BinaryLRAT, in: "a\x0b\x02\x00\x02\x00", err: "byte 2: -5 is not an id"},
	{name: "deletion of a negative id", format: BinaryLRAT, in: "d\x02\x0b\x00                        ", err: "byte 3: -5 is not an id"},
	{name: "hint -0", format: BinaryLRAT, in: "a\x0a\x02\x00\x01\x00                        ", err: "byte 5: -0 is not a hint"},
	{name: "cut behind the literals", format: BinaryLRAT, in: "a\x0a\x02\x00", err: "byte 5: the last step is not ended by 0"},
	{name: "cut in the hints", format: BinaryLRAT, in: "a\x0a\x02\x00\x02", err: "byte 6: the last step is not ended by 0"},
	{name: "cut in a deletion", format: BinaryLRAT, in: "d\x0a", err: "byte 3: the last step is not ended by 0"},
}

// stepText returns a step with its place as the table has it.
func stepText(s *Step) string {
	words := []string{s.Place.String() + ":"}
	add := func(x any) { words = append(words, fmt.Sprint(x)) }
	hinted := s.ID != 0 || len(s.Hints) > 0
	if hinted {
		add(s.ID)
	}
	if s.Delete {
		add("d")
	}
	for _, l := range s.Lits {
		add(l)
	}
	if hinted && !s.Delete {
		add(0)
	}
	for _, h := range s.Hints {
		add(h)
	}
	return strings.Join(words, " ")
}

// readAll returns the steps of a proof as the table has them, and the error
// after them.
func readAll(r *Reader) (string, error) {
	var steps []string
	for {
		s, err := r.Next()
		if err == io.EOF {
			return strings.Join(steps, "; "), nil
		}
		if err != nil {
			return strings.Join(steps, "; "), err
		}
		steps = append(steps, stepText(s))
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestRead(t *testing.T) {
	for _, c := range readCases {
		t.Run(c.format.String()+", "+c.name, func(t *testing.T) {
			r := NewReader(strings.NewReader(c.in), "", c.format)
			steps, err := readAll(r)
			if steps != c.steps || message(err) != c.err {
				t.Errorf("got %q, error %q;\nwant %q, error %q", steps, message(err), c.steps, c.err)
			}
			if _, syntax := err.(*dimacs.SyntaxError); err != nil && !syntax {
				t.Errorf("%T is not a syntax error", err)
			}
			if err == nil && r.Bytes() != int64(len(c.in)) {
				t.Errorf("%d bytes were read of %d", r.Bytes(), len(c.in))
			}
			_, again := r.Next()
			if err == nil && again != io.EOF || err != nil && again != err {
				t.Errorf("after %v: %v", err, again)
			}
		})
	}
}

// TestReadInPieces checks that the fast loops and the careful methods agree
// wherever the buffer ends: the same input in pieces, and with enough text
// after it for the fast loops, gives the same steps and the same error.
func TestReadInPieces(t *testing.T) {
	readers := map[string]func(io.Reader) io.Reader{
		"bytes":    iotest.OneByteReader,
		"halves":   iotest.HalfReader,
		"data+EOF": iotest.DataErrReader,
	}
	for _, c := range readCases {
		for name, wrap := range readers {
			steps, err := readAll(NewReader(wrap(strings.NewReader(c.in)), "", c.format))
			if steps != c.steps || message(err) != c.err {
				t.Errorf("%v, %s, %s: got %q, error %q;\nwant %q, error %q", c.format, c.name, name, steps, message(err), c.steps, c.err)
			}
		}
		if c.format.Binary() || strings.Contains(c.err, "last step") || strings.Contains(c.err, "return") {
			continue
		}
		in := c.in + "\n" + strings.Repeat(" ", 2*readSlack)
		steps, err := readAll(NewReader(strings.NewReader(in), "", c.format))
		if steps != c.steps || message(err) != c.err {
			t.Errorf("%v, %s, padded: got %q, error %q;\nwant %q, error %q", c.format, c.name, steps, message(err), c.steps, c.err)
		}
	}
}

// TestReadPositions checks that a step at any offset in the buffer is read, and
// that the position of an error in it is correct.
func TestReadPositions(t *testing.T) {
	for length := scan.BufLen - 30; length < scan.BufLen+30; length++ {
		step := "12 -345678901 0\n"
		n := length / len(step)
		pad := length - n*len(step)
		in := strings.Repeat(step, n) + strings.Repeat(" ", pad) + "-17 1073741823 -4 x 0\n"
		err := drain(NewReader(strings.NewReader(in), "", DRAT))
		if want := fmt.Sprintf(`%d:%d: "x" is not a number`, n+1, pad+19); message(err) != want {
			t.Fatalf("length %d: got %v, want %s", length, err, want)
		}
		n = length / 4
		in = strings.Repeat("a\x82\x02\x00", n) + strings.Repeat("d\x00", length%4) + "a\x82\x02\x06\xff\xff\xff\xff\x07\x01\x00"
		err = drain(NewReader(strings.NewReader(in), "", BinaryDRAT))
		if want := fmt.Sprintf("byte %d: -0 is not a literal", len(in)-1); message(err) != want {
			t.Fatalf("length %d: got %v, want %s", length, err, want)
		}
	}
}

func TestReadNames(t *testing.T) {
	_, err := readAll(NewReader(strings.NewReader("1 x 0\n"), "p.drat", DRAT))
	var syntax *dimacs.SyntaxError
	if want := (dimacs.SyntaxError{File: "p.drat", Line: 1, Col: 3, Msg: `"x" is not a number`}); !errors.As(err, &syntax) || *syntax != want {
		t.Errorf("got %+v, want %+v", err, want)
	}
	_, err = readAll(NewReader(strings.NewReader("ab"), "p.drat", BinaryDRAT))
	if got, want := message(err), "p.drat: byte 3: the last step is not ended by 0"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestReadSourceError checks that an error of the source is returned unchanged,
// unless there is an error in the input before it.
func TestReadSourceError(t *testing.T) {
	broken := errors.New("broken")
	for format, all := range map[Format][]string{
		DRAT:       {"", "1", "1 ", "1 -", "1 2 0", "1 0\n", "1 0\r", "d", "c", "1 0 c x", "\n"},
		LRAT:       {"", "5", "5 1 0", "5 1 0 2 0", "5 1 0 2 0\n", "5 d", "5 d 1", "5 1 0 2 0 c"},
		BinaryDRAT: {"", "a", "a\x82", "a\x02", "a\x02\x00"},
		BinaryLRAT: {"", "a", "a\x02", "a\x02\x00", "a\x02\x00\x00", "d\x02"},
	} {
		for _, in := range all {
			src := func() io.Reader { return io.MultiReader(strings.NewReader(in), iotest.ErrReader(broken)) }
			if _, err := readAll(NewReader(src(), "", format)); err != broken {
				t.Errorf("%v, %q: got %v", format, in, err)
			}
			if _, _, err := Sniff(src()); err != broken && len(in) < 2 && in != "d" {
				t.Errorf("Sniff, %q: got %v", in, err)
			}
		}
	}
	if _, err := readAll(NewReader(stuck{}, "", DRAT)); err != io.ErrNoProgress {
		t.Errorf("got %v, want %v", err, io.ErrNoProgress)
	}
	_, err := readAll(NewReader(io.MultiReader(strings.NewReader("x "), iotest.ErrReader(broken)), "", DRAT))
	if message(err) != `1:1: "x" is not a number` {
		t.Errorf("got %v", err)
	}
}

// A stuck source returns no bytes and no error.
type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// TestReadAllocations checks that the number of allocations depends on the
// longest step and not on the number of steps.
func TestReadAllocations(t *testing.T) {
	p := benchProof()
	for _, format := range formats {
		in := p.file(format)
		n := testing.AllocsPerRun(1, func() {
			if err := drain(NewReader(bytes.NewReader(in), "", format)); err != nil {
				t.Fatal(err)
			}
		})
		if n > 20 {
			t.Errorf("%v: %v allocations", format, n)
		}
	}
}

// drain reads a proof to its end and returns its error, or nil.
func drain(r *Reader) error {
	for {
		if _, err := r.Next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
