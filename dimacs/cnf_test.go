package dimacs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"sator/dimacs/internal/scan"
)

// readCases are inputs of the CNF reader. strict is the error of a strict
// reader, or empty if it accepts the input. warnings are those of a relaxed
// reader, and relaxed is its error, or empty.
var readCases = []struct {
	name     string
	in       string
	vars     int
	clauses  string // of the formula, if a reader accepts the input
	strict   string
	warnings []string
	relaxed  string
}{
	{name: "plain", in: "p cnf 3 2\n1 -2 0\n2 3 0\n", vars: 3, clauses: "1 -2,2 3"},
	{name: "no newline at the end", in: "p cnf 3 2\n1 -2 0\n2 3 0", vars: 3, clauses: "1 -2,2 3"},
	{name: "nothing", in: "p cnf 0 0\n"},
	{name: "nothing, cut at the header", in: "p cnf 0 0"},
	{name: "variables without clauses", in: "p cnf 5 0\n", vars: 5},
	{name: "empty clause", in: "p cnf 3 2\n1 2 0\n0\n", vars: 3, clauses: "1 2,"},
	{name: "empty clause of nothing", in: "p cnf 0 1\n0", clauses: "-"},
	{name: "comments anywhere", vars: 3, clauses: "1 -2,2 3",
		in: "c first\nc\n\ncglued\np cnf 3 2\nc middle\n1 c in a clause 9 0\n  c again\n-2 0 c behind\n2 3 0\nc end\nc last"},
	{name: "comments behind the 0 of a clause", in: "p cnf 3 5\n1 0c\n2 000comment\n-1 3 0c 1 -2 0\r\n0cc\n3 0c the end, which is longer than any word of the format",
		vars: 3, clauses: "1,2,-1 3,,3"},
	{name: "CRLF", in: "c dos\r\np cnf 3 2\r\n1 -2 0\r\n\r\n2\r\n3 0\r\n", vars: 3, clauses: "1 -2,2 3"},
	{name: "tabs", in: "p\tcnf\t3\t2\t\n1\t-2\t0\n\t2\t3\t0\t\n\t", vars: 3, clauses: "1 -2,2 3"},
	{name: "blanks", in: "\n\n  p   cnf  3 \t 2  \n\n   1  -2   0 \n\n 2 3 0\n\n", vars: 3, clauses: "1 -2,2 3"},
	{name: "many on a line", in: "p cnf 2 4\n1 2 0 -1 2 0 1 -2 0 -1 -2 0\n", vars: 2, clauses: "1 2,-1 2,1 -2,-1 -2"},
	{name: "one over many lines", in: "p cnf 4 2\n1\n2\n\n3 0 -1\n-2 -3\n4\n0\n", vars: 4, clauses: "1 2 3,-1 -2 -3 4"},
	{name: "duplicates and tautologies", in: "p cnf 2 3\n1 1 2 1 0\n1 -1 0\n1 -1 0\n", vars: 2, clauses: "1 1 2 1,1 -1,1 -1"},
	{name: "leading zeros", in: "p cnf 02 001\n01 -0000000000000000000002 00\n", vars: 2, clauses: "1 -2"},
	{name: "trailer", in: "p cnf 2 1\n1 2 0\n%\n0\n\n", vars: 2, clauses: "1 2"},
	{name: "trailer without 0", in: "p cnf 2 1\n1 2 0\n%", vars: 2, clauses: "1 2"},
	{name: "trailer and comment", in: "p cnf 2 1\n1 2 0\n % \nc x\n0\nc y\n", vars: 2, clauses: "1 2"},
	{name: "byte order mark", in: "\xef\xbb\xbfp cnf 1 1\n1 0\n", vars: 1, clauses: "1"},
	{name: "largest variable", in: "p cnf 1073741823 1\n-1073741823 0\n", vars: MaxVars, clauses: "-1073741823"},
	{name: "eight digits", in: "p cnf 123456789 1\n12345678 -99999999 1234567 0\n                ", vars: 123456789, clauses: "12345678 -99999999 1234567"},

	{name: "empty file", in: "", strict: `1:1: neither the header "p cnf VARIABLES CLAUSES" nor clauses`,
		relaxed: `1:1: neither the header "p cnf VARIABLES CLAUSES" nor clauses`},
	{name: "comments alone", in: "c a\nc b\n", strict: `3:1: neither the header "p cnf VARIABLES CLAUSES" nor clauses`,
		relaxed: `3:1: neither the header "p cnf VARIABLES CLAUSES" nor clauses`},
	{name: "no header", in: "c a\n 1 -7 0\n-1 0\n", vars: 7, clauses: "1 -7,-1",
		strict:   `2:2: a clause before the header "p cnf VARIABLES CLAUSES"`,
		warnings: []string{`2:2: a clause before the header "p cnf VARIABLES CLAUSES"`}},
	{name: "fewer clauses", in: "p cnf 2 5\n1 2 0\n-1 0\n", vars: 2, clauses: "1 2,-1",
		strict:   `4:1: 2 clauses, but the header announces 5`,
		warnings: []string{`4:1: 2 clauses, but the header announces 5`}},
	{name: "no clauses", in: "p cnf 2 5", vars: 2,
		strict:   `1:10: 0 clauses, but the header announces 5`,
		warnings: []string{`1:10: 0 clauses, but the header announces 5`}},
	{name: "fewer before the trailer", in: "p cnf 2 2\n1 2 0\n%\n0\n", vars: 2, clauses: "1 2",
		strict:   `3:1: 1 clause, but the header announces 2`,
		warnings: []string{`3:1: 1 clause, but the header announces 2`}},
	{name: "more clauses", in: "p cnf 2 1\n1 2 0\nc\n -1 0 -2 0\n-1 0\n", vars: 2, clauses: "1 2,-1,-2,-1",
		strict:   `4:2: more clauses than the 1 announced`,
		warnings: []string{`4:2: more clauses than the 1 announced`}},
	{name: "an empty clause too many", in: "p cnf 2 1\n1 2 0 0\n", vars: 2, clauses: "1 2,",
		strict:   `2:7: more clauses than the 1 announced`,
		warnings: []string{`2:7: more clauses than the 1 announced`}},
	{name: "high literal", in: "p cnf 2 2\n1 2 0\n-7 3 9 0\n", vars: 9, clauses: "1 2,-7 3 9",
		strict:   `3:1: literal -7 is above the 2 announced variables`,
		warnings: []string{`3:1: literal -7 is above the 2 announced variables`}},
	{name: "last 0 missing", in: "p cnf 2 2\n1 2 0\n-1 2\n", vars: 2, clauses: "1 2,-1 2",
		strict:   `4:1: the last clause is not ended by 0`,
		warnings: []string{`4:1: the last clause is not ended by 0`}},
	{name: "last 0 missing before the trailer", in: "p cnf 2 2\n1 2 0\n-1 2 %\n0\n", vars: 2, clauses: "1 2,-1 2",
		strict:   `3:6: the last clause is not ended by 0`,
		warnings: []string{`3:6: the last clause is not ended by 0`}},
	{name: "cut and short", in: "p cnf 2 3\n1 2 0\n-1 2\n", vars: 2, clauses: "1 2,-1 2",
		strict:   `4:1: the last clause is not ended by 0`,
		warnings: []string{`4:1: the last clause is not ended by 0`, `4:1: 2 clauses, but the header announces 3`}},
	{name: "two headers", in: "p cnf 2 1\n1 2 0\np cnf 4 1\n-4 1 0\n", vars: 4, clauses: "1 2,-4 1",
		strict:   `3:1: a second header`,
		warnings: []string{`3:1: a second header`}},
	{name: "three headers", in: "p cnf 4 1\n1 2 0\np cnf 3 1\n-4 1 0\n p cnf 4 0", vars: 4, clauses: "1 2,-4 1",
		strict:   `3:1: a second header`,
		warnings: []string{`3:1: a second header`}},
	{name: "header after a trailer", in: "p cnf 2 1\n1 2 0\n%\n0\np cnf 2 1\n-1 0\n%\n0\n", vars: 2, clauses: "1 2,-1",
		strict:   `5:1: "p" after the "%" that ends the formula`,
		warnings: []string{`5:1: a second header`}},
	{name: "header after clauses", in: "1 2 0\np cnf 2 1\n-1 0\n", vars: 2, clauses: "1 2,-1",
		strict:   `1:1: a clause before the header "p cnf VARIABLES CLAUSES"`,
		warnings: []string{`1:1: a clause before the header "p cnf VARIABLES CLAUSES"`, `2:1: a second header`}},
	{name: "every repair", in: "1 2 0\np cnf 1 1\n-1 0 3\np cnf 0 7\n1", vars: 3, clauses: "1 2,-1,3,1",
		strict: `1:1: a clause before the header "p cnf VARIABLES CLAUSES"`,
		warnings: []string{`1:1: a clause before the header "p cnf VARIABLES CLAUSES"`, `2:1: a second header`,
			`3:6: more clauses than the 1 announced`, `3:6: literal 3 is above the 2 announced variables`, `4:1: the last clause is not ended by 0`}},

	{name: "carriage returns alone", in: "p cnf 2 1\r1 2 0\r", strict: `1:10: a carriage return without a line feed`,
		relaxed: `1:10: a carriage return without a line feed`},
	{name: "a carriage return alone", in: "p cnf 2 1\n1 \r2 0\n", strict: `2:3: a carriage return without a line feed`,
		relaxed: `2:3: a carriage return without a line feed`},
	{name: "a carriage return in a comment", in: "p cnf 2 1\nc a\r2 0\n1 0\n", strict: `2:4: a carriage return without a line feed`,
		relaxed: `2:4: a carriage return without a line feed`},
	{name: "a carriage return in the first comment", in: "c a\rp cnf 2 1\r1 2 0\r", strict: `1:4: a carriage return without a line feed`,
		relaxed: `1:4: a carriage return without a line feed`},
	{name: "a carriage return behind the 0 of a clause", in: "p cnf 2 1\n1 0c\r2 0\n", strict: `2:5: a carriage return without a line feed`,
		relaxed: `2:5: a carriage return without a line feed`},
	{name: "a carriage return at the end", in: "p cnf 2 1\n1 2 0\r", strict: `2:6: a carriage return without a line feed`,
		relaxed: `2:6: a carriage return without a line feed`},
	{name: "plus", in: "p cnf 2 1\n+1 2 0\n", strict: `2:1: "+1" is not a number`, relaxed: `2:1: "+1" is not a number`},
	{name: "minus zero", in: "p cnf 2 1\n1 2 -0\n", strict: `2:5: "-0" is not a literal`, relaxed: `2:5: "-0" is not a literal`},
	{name: "minus zeros", in: "p cnf 2 1\n1 2 -000                      \n", strict: `2:5: "-000" is not a literal`, relaxed: `2:5: "-000" is not a literal`},
	{name: "minus alone", in: "p cnf 2 1\n1 - 2 0\n", strict: `2:3: "-" is not a number`, relaxed: `2:3: "-" is not a number`},
	{name: "minus at the end", in: "p cnf 2 1\n1 -", strict: `2:3: "-" is not a number`, relaxed: `2:3: "-" is not a number`},
	{name: "two minuses", in: "p cnf 2 1\n--1 2 0\n", strict: `2:1: "--1" is not a number`, relaxed: `2:1: "--1" is not a number`},
	{name: "fraction", in: "p cnf 2 1\n1.5 2 0\n", strict: `2:1: "1.5" is not a number`, relaxed: `2:1: "1.5" is not a number`},
	{name: "letters", in: "p cnf 2 1\n1 b 0\n", strict: `2:3: "b" is not a number`, relaxed: `2:3: "b" is not a number`},
	{name: "glued comment", in: "p cnf 2 1\n1 2comment\n0\n", strict: `2:3: "2comment" is not a number`, relaxed: `2:3: "2comment" is not a number`},
	{name: "comment behind minus zero", in: "p cnf 2 1\n1 -0c\n0\n", strict: `2:3: "-0c" is not a number`, relaxed: `2:3: "-0c" is not a number`},
	{name: "comment behind a number with a 0", in: "p cnf 10 1\n1 10c\n0\n", strict: `2:3: "10c" is not a number`, relaxed: `2:3: "10c" is not a number`},
	{name: "percent behind the 0 of a clause", in: "p cnf 2 1\n1 0%\n0\n", strict: `2:3: "0%" is not a number`, relaxed: `2:3: "0%" is not a number`},
	{name: "comment in the header behind 0", in: "p cnf 0 0c no\n", strict: `1:9: "0c" is not a number`, relaxed: `1:9: "0c" is not a number`},
	{name: "comment behind one 0 too many", in: "p cnf 2 1\n1 0\n0c\n", vars: 2, clauses: "1,",
		strict:   `3:1: more clauses than the 1 announced`,
		warnings: []string{`3:1: more clauses than the 1 announced`}},
	{name: "long word", in: "p cnf 2 1\n1 2 0\nabcdefghijklmnopqrstuvwxyz\n", strict: `3:1: "abcdefghijklmnopqrstuvwx"... is not a number`,
		relaxed: `3:1: "abcdefghijklmnopqrstuvwx"... is not a number`},
	{name: "garbage behind", in: "p cnf 1 1\n1 0\nhello\n", strict: `3:1: "hello" is not a number`, relaxed: `3:1: "hello" is not a number`},
	{name: "zero byte", in: "p cnf 1 1\n1 \x00 0\n", strict: `2:3: "\x00" is not a number`, relaxed: `2:3: "\x00" is not a number`},
	{name: "zero byte behind", in: "p cnf 1 1\n1 0\x00                      \n", strict: `2:3: "0\x00" is not a number`, relaxed: `2:3: "0\x00" is not a number`},
	{name: "high byte", in: "p cnf 1 1\n1\x8a 0                         \n", strict: `2:1: "1\x8a" is not a number`, relaxed: `2:1: "1\x8a" is not a number`},
	{name: "half an order mark", in: "\xef\xbbp cnf 1 1\n1 0\n", strict: `1:1: "\xef\xbbp" where the header "p cnf VARIABLES CLAUSES" is expected`,
		relaxed: `1:1: "\xef\xbbp" where the header "p cnf VARIABLES CLAUSES" is expected`},
	{name: "exclusive or", in: "p cnf 2 1\nx1 2 0\n", strict: `2:1: "x1" is not a number: neither names nor XOR clauses are DIMACS`,
		relaxed: `2:1: "x1" is not a number: neither names nor XOR clauses are DIMACS`},
	{name: "cube", in: "p cnf 2 1\n1 2 0\na 1 0\n", strict: `3:1: "a" is not a number: quantifiers (QDIMACS) and cubes (iCNF) are not part of CNF`,
		relaxed: `3:1: "a" is not a number: quantifiers (QDIMACS) and cubes (iCNF) are not part of CNF`},
	{name: "solution", in: "s SATISFIABLE\nv 1 0\n", strict: `1:1: "s" where the header "p cnf VARIABLES CLAUSES" is expected`,
		relaxed: `1:1: "s" where the header "p cnf VARIABLES CLAUSES" is expected`},
	{name: "trailer first", in: "%\n0\n", strict: `1:1: "%" where the header "p cnf VARIABLES CLAUSES" is expected`,
		relaxed: `1:1: "%" where the header "p cnf VARIABLES CLAUSES" is expected`},
	{name: "text after the trailer", in: "p cnf 1 1\n1 0\n%\n0\n0\n", strict: `5:1: "0" after the "%" that ends the formula`,
		relaxed: `5:1: "0" after the "%" that ends the formula`},
	{name: "clause after the trailer", in: "p cnf 1 1\n1 0\n%\n1 0\n", strict: `4:1: "1" after the "%" that ends the formula`,
		relaxed: `4:1: "1" after the "%" that ends the formula`},
	{name: "percent with more", in: "p cnf 1 1\n1 0\n%%\n0\n", strict: `3:1: "%%" is not a number`, relaxed: `3:1: "%%" is not a number`},

	{name: "literal above all limits", in: "p cnf 2 1\n1073741824 0\n", strict: `2:1: literal "1073741824" is above the limit of 1073741823 variables`,
		relaxed: `2:1: literal "1073741824" is above the limit of 1073741823 variables`},
	{name: "literal modulo 2^32", in: "p cnf 2 1\n4294967297 2 0\n", strict: `2:1: literal "4294967297" is above the limit of 1073741823 variables`,
		relaxed: `2:1: literal "4294967297" is above the limit of 1073741823 variables`},
	{name: "least 32-bit integer", in: "p cnf 1073741823 1\n-2147483648 0\n", strict: `2:1: literal "-2147483648" is above the limit of 1073741823 variables`,
		relaxed: `2:1: literal "-2147483648" is above the limit of 1073741823 variables`},
	{name: "literal modulo 2^64", in: "p cnf 2 1\n-18446744073709551617 0\n", strict: `2:1: literal "-18446744073709551617" is above the limit of 1073741823 variables`,
		relaxed: `2:1: literal "-18446744073709551617" is above the limit of 1073741823 variables`},
	{name: "variables above the limit", in: "p cnf 1073741824 0\n", strict: `1:7: 1073741824 variables are more than 1073741823`,
		relaxed: `1:7: 1073741824 variables are more than 1073741823`},
	{name: "variables above 64 bits", in: "p cnf 99999999999999999999999999999 1\n1 0\n", strict: `1:7: 999999999999999999999999 variables are more than 1073741823`,
		relaxed: `1:7: 999999999999999999999999 variables are more than 1073741823`},
	{name: "clauses above the limit", in: "p cnf 1 9223372036854775808\n1 0\n", strict: `1:9: 9223372036854775808 clauses are more than 9223372036854775807`,
		relaxed: `1:9: 9223372036854775808 clauses are more than 9223372036854775807`},
	{name: "clauses above 64 bits", in: "p cnf 1 18446744073709551616\n1 0\n", strict: `1:9: 18446744073709551616 clauses are more than 9223372036854775807`,
		relaxed: `1:9: 18446744073709551616 clauses are more than 9223372036854775807`},
	{name: "as many clauses as can be", in: "p cnf 1 9223372036854775807\n1 0\n", vars: 1, clauses: "1",
		strict:   `3:1: 1 clause, but the header announces 9223372036854775807`,
		warnings: []string{`3:1: 1 clause, but the header announces 9223372036854775807`}},

	{name: "header of another format", in: "p wcnf 2 1 10\n10 1 2 0\n", strict: `1:3: the format is "wcnf", not cnf: the header is not "p cnf VARIABLES CLAUSES"`,
		relaxed: `1:3: the format is "wcnf", not cnf: the header is not "p cnf VARIABLES CLAUSES"`},
	{name: "script", in: "p inccnf\n1 2 0\na 1 0\n", strict: `1:3: the format is "inccnf", not cnf: the header is not "p cnf VARIABLES CLAUSES"`,
		relaxed: `1:3: the format is "inccnf", not cnf: the header is not "p cnf VARIABLES CLAUSES"`},
	{name: "header in capitals", in: "p CNF 2 1\n1 0\n", strict: `1:3: the format is "CNF", not cnf: the header is not "p cnf VARIABLES CLAUSES"`,
		relaxed: `1:3: the format is "CNF", not cnf: the header is not "p cnf VARIABLES CLAUSES"`},
	{name: "p alone", in: "p\n", strict: `1:2: the header is not "p cnf VARIABLES CLAUSES"`, relaxed: `1:2: the header is not "p cnf VARIABLES CLAUSES"`},
	{name: "p at the end", in: "p", strict: `1:2: the header is not "p cnf VARIABLES CLAUSES"`, relaxed: `1:2: the header is not "p cnf VARIABLES CLAUSES"`},
	{name: "p with more", in: "pcnf 1 1\n1 0\n", strict: `1:1: "pcnf" is not a number, nor the p of a header`, relaxed: `1:1: "pcnf" is not a number, nor the p of a header`},
	{name: "header without numbers", in: "p cnf\n1 0\n", strict: `1:6: no number of variables in the header`, relaxed: `1:6: no number of variables in the header`},
	{name: "header without clauses", in: "p cnf 5 \r\n1 0\n", strict: `1:9: no number of clauses in the header`, relaxed: `1:9: no number of clauses in the header`},
	{name: "header with words", in: "p cnf five 1\n1 0\n", strict: `1:7: "five" is not a number`, relaxed: `1:7: "five" is not a number`},
	{name: "header glued", in: "p cnf 42N0\n", strict: `1:7: "42N0" is not a number`, relaxed: `1:7: "42N0" is not a number`},
	{name: "negative variables", in: "p cnf -2 1\n1 0\n", strict: `1:7: "-2" is not a number of variables`, relaxed: `1:7: "-2" is not a number of variables`},
	{name: "negative clauses", in: "p cnf 2 -1\n1 0\n", strict: `1:9: "-1" is not a number of clauses`, relaxed: `1:9: "-1" is not a number of clauses`},
	{name: "three numbers", in: "p cnf 2 1 1\n1 0\n", strict: `1:11: "1" after the header`, relaxed: `1:11: "1" after the header`},
	{name: "comment in the header", in: "p cnf 0 0 c no\n", strict: `1:11: "c" after the header`, relaxed: `1:11: "c" after the header`},
	{name: "clause in the header", in: "p cnf 2 1 1 2 0\n", strict: `1:11: "1" after the header`, relaxed: `1:11: "1" after the header`},
}

// show returns the clauses of f as the tables have them. A single empty clause
// is "-".
func show(f *Formula) string {
	var all []string
	for _, c := range f.Clauses() {
		all = append(all, strings.Trim(fmt.Sprint(c), "[]"))
	}
	if len(all) == 1 && all[0] == "" {
		return "-"
	}
	return strings.Join(all, ",")
}

// message returns the text of err, or "".
func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestRead(t *testing.T) {
	for _, c := range readCases {
		t.Run(c.name, func(t *testing.T) {
			f, err := Read(strings.NewReader(c.in))
			if got := message(err); got != c.strict {
				t.Errorf("strict: got error %q, want %q", got, c.strict)
			}
			if err == nil && (f.Vars() != c.vars || show(f) != c.clauses) {
				t.Errorf("strict: got %d variables, %q; want %d, %q", f.Vars(), show(f), c.vars, c.clauses)
			}
			var warnings []string
			r := &Reader{Relaxed: true, Warn: func(e *SyntaxError) { warnings = append(warnings, e.Error()) }}
			f, err = r.Read(strings.NewReader(c.in))
			if got := message(err); got != c.relaxed {
				t.Errorf("relaxed: got error %q, want %q", got, c.relaxed)
			}
			if err == nil && (f.Vars() != c.vars || show(f) != c.clauses) {
				t.Errorf("relaxed: got %d variables, %q; want %d, %q", f.Vars(), show(f), c.vars, c.clauses)
			}
			if err == nil && !slices.Equal(warnings, c.warnings) {
				t.Errorf("got warnings %q, want %q", warnings, c.warnings)
			}
		})
	}
}

// TestReadInPieces checks that the fast loop and the careful path agree
// wherever the buffer ends: the same input in pieces of one byte, with much
// text after it, and with much text before it gives the same formula or the
// same error.
func TestReadInPieces(t *testing.T) {
	readers := map[string]func(io.Reader) io.Reader{
		"bytes":    iotest.OneByteReader,
		"halves":   iotest.HalfReader,
		"data+EOF": iotest.DataErrReader,
	}
	for _, c := range readCases {
		for name, wrap := range readers {
			f, err := Read(wrap(strings.NewReader(c.in)))
			if got := message(err); got != c.strict || err == nil && (f.Vars() != c.vars || show(f) != c.clauses) {
				t.Errorf("%s, %s: got error %q, want %q", c.name, name, got, c.strict)
			}
		}
		if c.strict == "" || strings.Contains(c.strict, "is not a") {
			in := strings.Repeat(" ", 3) + strings.TrimPrefix(c.in, "\xef\xbb\xbf") + strings.Repeat("\n", 40)
			if _, err := Read(strings.NewReader(in)); (err == nil) != (c.strict == "") {
				t.Errorf("%s, padded: got error %v, want %q", c.name, err, c.strict)
			}
		}
	}
}

// TestReadPositions checks the positions of errors after tokens at all offsets
// in the buffer.
func TestReadPositions(t *testing.T) {
	for length := scan.BufLen - 40; length < scan.BufLen+40; length++ {
		clause := "1 -2 0\n"
		n := length / len(clause)
		pad := length - n*len(clause)
		in := "p cnf 2 1000000\n" + strings.Repeat(clause, n) + strings.Repeat(" ", pad) + "-17 1 0\n"
		_, err := Read(strings.NewReader(in))
		want := fmt.Sprintf("%d:%d: literal -17 is above the 2 announced variables", n+2, pad+1)
		if message(err) != want {
			t.Fatalf("length %d: got %v, want %s", length, err, want)
		}
	}
}

func TestReadNames(t *testing.T) {
	r := &Reader{Name: "x.cnf"}
	_, err := r.Read(strings.NewReader("p cnf 1 1\n1 2 0\n"))
	var syntax *SyntaxError
	if !errors.As(err, &syntax) {
		t.Fatalf("got %v, want a syntax error", err)
	}
	if want := (SyntaxError{"x.cnf", 2, 3, "literal 2 is above the 1 announced variable", true}); *syntax != want {
		t.Errorf("got %+v, want %+v", *syntax, want)
	}
	for want, e := range map[string]SyntaxError{
		"f:2:3: m": {"f", 2, 3, "m", false}, "2:3: m": {"", 2, 3, "m", true}, "f: m": {"f", 0, 0, "m", false}, "m": {"", 0, 0, "m", false},
	} {
		if got := e.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestReadSourceError(t *testing.T) {
	broken := errors.New("broken")
	for in := range strings.SplitSeq("|p cnf|p cnf 1 1\n|p cnf 1 1\n1|p cnf 1 1\n1 0|p cnf 1 1\n1 0\nc", "|") {
		_, err := Read(io.MultiReader(strings.NewReader(in), iotest.ErrReader(broken)))
		if err == nil {
			t.Errorf("%q: no error", in)
		}
		if _, syntax := err.(*SyntaxError); err != broken && !syntax {
			t.Errorf("%q: got %v", in, err)
		}
	}
	if _, err := Read(iotest.ErrReader(broken)); err != broken {
		t.Errorf("got %v, want %v", err, broken)
	}
	if _, err := Read(stuck{}); err != io.ErrNoProgress {
		t.Errorf("got %v, want %v", err, io.ErrNoProgress)
	}
}

// stuck is a source that returns no bytes and no error.
type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestReadInto(t *testing.T) {
	var f Formula
	for _, in := range []string{"p cnf 2 1\n1 2 0\n", "p cnf 5 2\n-5 0\n0\n", "p cnf 1 1\n1 0\n"} {
		if err := new(Reader).ReadInto(&f, strings.NewReader(in)); err != nil {
			t.Fatal(err)
		}
	}
	if want := "1 2,-5,,1"; show(&f) != want || f.Vars() != 5 || f.Size() != 4 {
		t.Errorf("got %d variables, %d literals, %q; want 5, 4, %q", f.Vars(), f.Size(), show(&f), want)
	}
	// A header counts only its own file. Clauses before an error stay.
	err := new(Reader).ReadInto(&f, strings.NewReader("p cnf 1 3\n1 0\n1 1 3 0\n"))
	if want := "3:5: literal 3 is above the 1 announced variable"; message(err) != want {
		t.Errorf("got error %v, want %s", err, want)
	}
	f.AddInts(4)
	if want := "1 2,-5,,1,1,4"; show(&f) != want || f.Size() != 6 {
		t.Errorf("got %q, want %q", show(&f), want)
	}
}

func TestReadClauseTooLong(t *testing.T) {
	for _, in := range []string{"p cnf 1 1\n1 1 1 1 0\n", "p cnf 1 1\n1 1 1 1 0\n" + strings.Repeat("c\n", 20)} {
		p := new(Reader).parser(new(Formula), strings.NewReader(in))
		p.maxClause = 3
		if got := message(p.run(nil)); len(in) < 30 && got != "2:9: a clause of 4 literals is above the limit of 3" {
			t.Errorf("got %q", got)
		}
	}
}

// TestWriteReadWrite writes and reads formulas of many blocks with clauses of
// all sizes.
func TestWriteReadWrite(t *testing.T) {
	for _, size := range []int{0, 1, 3, 20, 200} {
		f := sample(size)
		var first, second bytes.Buffer
		if err := Write(&first, f, "one\ntwo", "", "three"); err != nil {
			t.Fatal(err)
		}
		g, err := Read(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		same(t, f, g)
		if err := Write(&second, g, "one", "two", "", "three"); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("size %d: the second output differs", size)
		}
	}
}

// sample returns a formula of several blocks, with clauses of up to size
// literals, some of them empty.
func sample(size int) *Formula {
	f := NewFormula(20_000_000)
	n := 3*blockLen + 17
	if size > 100 {
		n = blockLen + 17
	}
	state := uint32(size)
	var c []Lit
	for range n {
		c = c[:0]
		for range state >> 8 % uint32(size+1) {
			state = state*1664525 + 1013904223
			c = append(c, Lit(state>>(state>>28))%(2*20_000_000))
		}
		state = state*1664525 + 1013904223
		f.Add(c...)
	}
	return f
}

// same fails the test if the formulas differ, by iteration or by index.
func same(t testing.TB, f, g *Formula) {
	t.Helper()
	if f.Vars() != g.Vars() || f.Len() != g.Len() || f.Size() != g.Size() {
		t.Fatalf("%d variables, %d clauses, %d literals; want %d, %d, %d",
			g.Vars(), g.Len(), g.Size(), f.Vars(), f.Len(), f.Size())
	}
	size := 0
	for i, c := range f.Clauses() {
		size += len(c)
		if !slices.Equal(c, g.Clause(i)) || !slices.Equal(c, f.Clause(i)) {
			t.Fatalf("clause %d: %v and %v and %v", i, c, f.Clause(i), g.Clause(i))
		}
	}
	if size != f.Size() {
		t.Fatalf("%d literals, but Size is %d", size, f.Size())
	}
}

// A brokenWriter accepts the given number of bytes and then fails.
type brokenWriter struct{ left int }

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// TestWriteNotes checks the places of notes, and that they must be in order.
func TestWriteNotes(t *testing.T) {
	f := NewFormula(2)
	f.AddInts(1, 2)
	f.AddInts(-1)
	var out strings.Builder
	notes := []Note{{0, "first"}, {1, "second\nline"}, {1, "third"}, {2, "end"}}
	if err := WriteNotes(&out, f, notes, "head"); err != nil {
		t.Fatal(err)
	}
	if want := "c head\np cnf 2 2\nc first\n1 2 0\nc second\nc line\nc third\n-1 0\nc end\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for a note behind the end")
		}
	}()
	WriteNotes(io.Discard, f, []Note{{3, "behind"}})
}

func TestWriteError(t *testing.T) {
	f := sample(3)
	for _, left := range []int{0, 100, printLen, 3 * printLen} {
		if err := Write(&brokenWriter{left}, f); err != io.ErrShortWrite {
			t.Errorf("got %v, want %v", err, io.ErrShortWrite)
		}
	}
}
