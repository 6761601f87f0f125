package dimacs

import (
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
)

// TestCounting reads lines about counting. want has the lines as Comments returns them, or
// the error; relaxed the warnings or the error of a relaxed reader, if it differs, and
// notes the warnings of both.
func TestCounting(t *testing.T) {
	for _, c := range []struct{ in, want, relaxed, notes string }{
		{in: "p cnf 5 1\n1 2 0\n", want: ""},
		{in: "c p show 1 2 0\np cnf 5 1\nc a comment\n1 2\nc  p\tshow 5 2 0 \r\n3 0c p show 4 0\n", want: "p show 1 2 4 5 0"},
		{in: "p cnf 2 1\nc p show 0\n1 2 0\n", want: "p show 0"},
		{in: "c ind 3 1 0\np cnf 3 1\n1 2 0\nc ind 2 0", want: "p show 1 2 3 0"},
		{in: "p pcnf 3 1 2\nvp 3 0\n1 2 0\nvp 3 1 0\n", want: "p show 1 3 0"},
		{in: "p pcnf 3 1 0\n1 2 0\n", want: "p show 0"},
		{in: "c t pmc\np cnf 3 1\nc p show 3 0\n1 2 0\n", want: "t pmc|p show 3 0"},
		{in: "c t pwmc\nc t pwmc\np cnf 3 1\nc p show 3 0\nc p weight -3 0.25 0\nc p weight 3 3/4 0\n1 2 0\n", want: "t pwmc|p show 3 0|p weight -3 0.25 0|p weight 3 3/4 0"},
		{in: "c t wmc\np cnf 3 1\nc p weight 1 1e-400000000 0\n1 2 0\n", want: "t wmc|p weight 1 1e-400000000 0"},
		{in: "c t mc\np cnf 1 0\nc ind: 7\nc tt\nc pshow 1\ncp show 9\nc p cnf 1 2 3\nc\nc p", want: "t mc", notes: `9:4: "" is neither show nor weight; the line is skipped`},
		{in: "p inccnf\nc p show 4 0\na 1 c p show 3 0\n2 0c p show 2 0\n", want: "p show 2 3 4 0"},

		{in: "c p show 1 x 0\np cnf 2 1\n1 2 0\n", want: `1:12: "x" is not a number: want "c p show VARIABLES 0"`},
		{in: "c p show -1 0\np cnf 2 1\n1 2 0\n", want: `1:10: "-1" is not a variable: want "c p show VARIABLES 0"`},
		{in: "c p show -0\np cnf 2 1\n1 2 0\n", want: `1:10: "-0" is not a variable: want "c p show VARIABLES 0"`},
		{in: "c p show 1073741824 0\np cnf 2 1\n1 2 0\n", want: `1:10: variable "1073741824" is above the limit of 1073741823 variables`},
		{in: "c p show 1 0 2\np cnf 2 1\n1 2 0\n", want: `1:14: "2" after the 0 that ends the line`},
		{in: "c p show 1 2\np cnf 2 1\n1 2 0\n", want: `1:13: no 0 at the end of the line: want "c p show VARIABLES 0"`, relaxed: "p show 1 2 0"},
		{in: "c ind 1", want: `1:8: no 0 at the end of the line: want "c ind VARIABLES 0"`, relaxed: `1:8: neither the header "p cnf VARIABLES CLAUSES" nor clauses`},
		{in: "c p show 2 9 3 0\np cnf 2 1\n1 2 0\n", want: `1:12: variable 9 is above the 2 announced variables`, relaxed: "p show 2 3 9 0"},
		{in: "c p weight 7 1 0\np cnf 2 1\n1 2 0\n", want: `1:12: variable 7 is above the 2 announced variables`, relaxed: "p weight 7 1 0"},
		{in: "c p weight 0 1 0\np cnf 2 1\n1 2 0\n", want: `1:12: "0" is not a literal: want "c p weight LITERAL WEIGHT 0"`},
		{in: "c p weight 1 x 0\np cnf 2 1\n1 2 0\n", want: `1:14: "x" is not a weight: want "c p weight LITERAL WEIGHT 0"`},
		{in: "c p weight 1 1/2/3 0\np cnf 2 1\n1 2 0\n", want: `1:14: "1/2/3" is not a weight: want "c p weight LITERAL WEIGHT 0"`},
		{in: "c p weight 1\np cnf 2 1\n1 2 0\n", want: `1:13: "" is not a weight: want "c p weight LITERAL WEIGHT 0"`},
		{in: "c p weight 1 0.5 3\np cnf 2 1\n1 2 0\n", want: `1:18: "3" where the line ends with 0: want "c p weight LITERAL WEIGHT 0"`},
		{in: "c t pmc\nc t mc\n", want: `2:5: the type is mc, but line 1 says pmc`},
		{in: "c t mc 3\n", want: `1:8: "3" after the mc that ends the line`},
		{in: "c t mc\np cnf 2 1\nc p show 1 0\n1 2 0\n", want: `1:3: the type is mc, but there is a projection`},
		{in: "c t pmc\np cnf 2 1\n1 2 0\n", want: `1:3: the type is pmc, but no line lists the variables of the projection`},
		{in: "c t mc\np cnf 2 1\nc p weight 1 1 0\n1 2 0\n", want: `1:3: the type is mc, but literals have weights`},
		{in: "c t amc\np cnf 1 0\n", notes: `1:5: "amc" is not a type of counting, mc, wmc, pmc or pwmc; the line is skipped`},
		{in: "c p shw 1 0\np cnf 1 0\n", notes: `1:5: "shw" is neither show nor weight; the line is skipped`},
		{in: "c MUST MULTIPLY BY 4 0\np cnf 1 0\n", notes: `1:3: a factor of the number of models is not supported; the line is skipped`},
		{in: "p pcnf 3 1 2\nvp 3 0\n1 2 0\n", want: `4:1: 1 variable of the projection, but the header announces 2`, relaxed: "p show 3 0"},
		{in: "p pcnf 3 1\n1 2 0\n", want: `1:11: no number of projected variables in the header`},
		{in: "p pcnf 3 1 1\nvp 1\n1 2 0\n", want: `2:5: no 0 at the end of the line: want "vp VARIABLES 0"`, relaxed: "p show 1 0"},
		{in: "p cnf 3 1\nw 1 0.5\n1 2 0\n", want: `2:1: "w" is not a number: weights of models are not supported in lines such as "w LITERAL WEIGHT"`},
	} {
		for _, relaxed := range []bool{false, true} {
			want := c.want
			if relaxed && c.relaxed != "" {
				want = c.relaxed
			}
			var warnings []string
			counting := new(Counting)
			r := &Reader{Relaxed: relaxed, Counting: counting, Warn: func(e *SyntaxError) { warnings = append(warnings, e.Error()) }}
			var err error
			if src := iotest.OneByteReader(strings.NewReader(c.in)); strings.Contains(c.in, "inccnf") {
				_, err = r.ReadScript(src)
			} else {
				_, err = r.Read(src)
			}
			got := message(err)
			if err == nil {
				got = strings.Join(counting.Comments(), "|")
			}
			if got != want {
				t.Errorf("%q, relaxed %t: got %s, want %s", c.in, relaxed, got, want)
			}
			notes := c.notes
			if relaxed && c.relaxed != "" {
				notes = c.want
			}
			if got := strings.Join(warnings, "|"); got != notes && (err == nil || !relaxed) {
				t.Errorf("%q, relaxed %t: got warnings %q, want %q", c.in, relaxed, got, notes)
			}
		}
	}
}

// TestCountingFiles reads several files into one Counting, and asks for weights.
func TestCountingFiles(t *testing.T) {
	var f Formula
	r := &Reader{Counting: new(Counting), Name: "f"}
	for _, in := range []string{"p pcnf 9 0 2\nvp 9 1 0\n", "p cnf 2 0\nc p show 2 1 0\n", "p pcnf 1 0 1\nvp 1 0"} {
		if err := r.ReadInto(&f, strings.NewReader(in)); err != nil {
			t.Fatal(err)
		}
	}
	if got := fmt.Sprint(r.Counting.Comments(), r.Counting.Unweighted()); got != "[p show 1 2 9 0] <nil>" {
		t.Errorf("got %s", got)
	}
	for in, want := range map[string]string{
		"c t wmc\np cnf 1 0\n": "f:1:3: the type is wmc: weights of models are not supported",
		"c t wmc\np cnf 1 0\nc p weight 1 1 0\nc p weight -1 1 0": "f:3:3: weights of models are not supported",
	} {
		r.Counting = new(Counting)
		if _, err := r.Read(strings.NewReader(in)); err != nil || message(r.Counting.Unweighted()) != want {
			t.Errorf("%q: got %v, %v, want %s", in, err, r.Counting.Unweighted(), want)
		}
	}
	many := make([]Var, 100)
	for i := range many {
		many[i] = Var(i)
	}
	var text strings.Builder
	Write(&text, NewFormula(100), (&Counting{Project: many}).Comments()...)
	r.Counting = new(Counting)
	if _, err := r.Read(strings.NewReader(text.String())); err != nil || len(r.Counting.Project) != 100 {
		t.Errorf("got %v, %v", r.Counting.Project, err)
	}
}

// TestLiteralWeights reads weights as numbers.
func TestLiteralWeights(t *testing.T) {
	for in, want := range map[string]string{
		"":                     "map[]",
		"1 0.5 0;-1 1/2 0":     "map[1:1/2 -1:1/2]",
		"1 2e-1 0;-1 .5/.25 0": "f:4:3: the weight .5/.25 of -1 is above 1, and no line \"c t wmc\" or \"c t pwmc\" says that weights are no probabilities",
		"1 1 0;-1 -0.5 0":      "f:4:3: the weight -0.5 of -1 is negative",
		"1 1 0":                "f:3:3: the weight of 1, but no line has that of -1",
		"1 1 0;1 0.5 0":        "f:4:3: the weight 0.5 of 1, which has the weight 1",
		"1 1e-10000 0":         "f:3:3: the weight 1e-10000 of 1 has a zero denominator or an exponent of more than four digits",
		"1 1/0 0":              "f:3:3: the weight 1/0 of 1 has a zero denominator or an exponent of more than four digits",
		"c t wmc;1 7 0;-1 3 0": "map[1:7 -1:3]",
	} {
		text := "c\np cnf 1 0\n"
		for line := range strings.SplitSeq(in, ";") {
			if line != "" && line[0] != 'c' {
				line = "c p weight " + line
			}
			text += line + "\n"
		}
		r := &Reader{Name: "f", Counting: new(Counting)}
		if _, err := r.Read(strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		weights, err := r.Counting.LiteralWeights()
		got := message(err)
		if err == nil {
			var list []string
			for _, l := range Lits(1, -1) {
				if w := weights[l]; w != nil {
					list = append(list, fmt.Sprint(l, ":", w.RatString()))
				}
			}
			got = fmt.Sprintf("map[%s]", strings.Join(list, " "))
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}
