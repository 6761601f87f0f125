package circuit_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"sator/dimacs/circuit"
	"sator/internal/fuzztest"
)

// TestReadAIGER checks what the reader accepts, and errors with their positions.
func TestReadAIGER(t *testing.T) {
	tests := []struct{ in, want string }{
		{"aag 0 0 0 0 0\n", "aag 0 0 0 0 0\n"},
		{"aag 3 2 0 1 1\n2\n4\n6\n6 2 4\ni0 x y\no0 and\nc\nanything\x00", "aag 3 2 0 1 1\n2\n4\n6\n6 4 2\ni0 x y\no0 and\n"},
		{"aag 7 2 0 1 3\r\n8\r\n6\r\n15\r\n14 13 3\r\n12 6 8\r\n2 1 8\r\n", "aag 4 2 0 1 2\n2\n4\n9\n6 4 2\n8 7 3\n"}, // gates in any order, with a constant
		{"aig 3 2 0 1 1\n6\n\x02\x02", "aag 3 2 0 1 1\n2\n4\n6\n6 4 2\n"},
		{"aag 2 0 2 0 0 1 1\n2 4 1\n4 3 4\n2\n5\nl1 b\nc0 c0\n", "aag 2 0 2 0 0 1 1\n2 4 1\n4 3 4\n2\n5\nl1 b\nc0 c0\n"},
		{"aig 2 0 2 0 0 1\n4 1\n3\n2\n", "aag 2 0 2 0 0 1\n2 4 1\n4 3\n2\n"},
		{"", `f:1:1: "" is not aag or aig`},
		{"p cnf 1 1\n", `f:1:1: "p" is not aag or aig`},
		{"aag 1 2 0 0\n", "f:1:12: a number is missing"},
		{"aag 1 1 0 0 x\n", `f:1:13: "x" is not a number`},
		{"aag 1 1 0 0 0 0 0 0 0 1\n", `f:1:23: "1" after the end of the line was expected`},
		{"aag 1 1 0 0 0 0 0 1\n", "f:1:20: justice properties and fairness constraints are not supported"},
		{"aag 1 2 0 0 0\n2\n4\n", "f:1:14: 2 inputs, latches and gates, but 1 variables"},
		{"aig 3 2 0 0 0\n", "f:1:14: 2 inputs, latches and gates, but 3 variables"},
		{"aag 9999999999 2 0 0 0\n", `f:1:5: "9999999999" exceeds 2147483646`},
		{"aag 2 2 0 0 0\n2\n3\n", "f:3:1: 3 is not the literal of a variable"},
		{"aag 2 2 0 0 0\n2\n2\n", "f:3:1: 2 is defined twice"},
		{"aag 2 2 0 0 0\n2\n6\n", `f:3:1: "6" exceeds 5`},
		{"aag 2 2 0 0 0\n2\n", "f:3:1: a number is missing"},
		{"aag 2 1 0 1 0\n2\n4\n", "f:3:1: 4 is not defined"},
		{"aag 2 1 1 0 0\n2\n4 5 2\n", "f:3:5: the reset is 2, and not 0, 1 or the latch 4"},
		{"aag 2 1 1 0 0\n2\n4 -5\n", `f:3:3: "-5" is not a number`},
		{"aag 3 1 0 0 2\n2\n4 6 2\n6 2 5\n", "f:4:5: gate 4 depends on itself"},
		{"aag 3 1 0 0 1\n2\n4 6 2\n", "f:3:3: 6 is not defined"},
		{"aag 2 1 0 0 1\n2\n2 1 1\n", "f:3:1: 2 is defined twice"},
		{"aag 2 1 0 0 1\n2\n4 1\n", "f:3:4: a number is missing"},
		{"aag 2 1 0 0 1\n2\n4 1 1 1\n", `f:3:7: "1" after the end of the line was expected`},
		{"aig 3 2 0 1 1\n6\n\x02", "f: byte 17: the file ends within the gates"},
		{"aig 3 2 0 1 1\n6\n\x00\x01", "f: byte 17: gate 6 is its own input"},
		{"aig 3 2 0 1 1\n6\n\x07\x01", "f: byte 17: a difference exceeds the literal 6"},
		{"aig 3 2 0 1 1\n6\n\xff\xff\xff\xff\xff\xff\x01", "f: byte 17: a difference exceeds the literal 6"},
		{"aag 1 1 0 0 0\n2\ni1 x\n", `f:3:1: "i1" is not an input, latch, output, bad state or constraint of the circuit`},
		{"aag 1 1 0 0 0\n2\nx0 x\n", `f:3:1: "x0" is not an input, latch, output, bad state or constraint of the circuit`},
		{"aag 1 1 0 0 0\n2\ni+0 x\n", `f:3:1: "i+0" is not an input, latch, output, bad state or constraint of the circuit`},
		{"aag 1 1 0 0 0\n2\ni0 x\ni0 y\n", "f:4:1: i0 has a name already"},
		{"aag 1 1 0 0 0\n2\ni0\n", "f:3:3: i0 has no name"},
		{"aag 1 1 0 0 0\n2\n\ri0 x\n", "f:3:1: a carriage return without a line feed"},
	}
	for _, tt := range tests {
		g, err := circuit.ReadAIGER(strings.NewReader(tt.in), "f")
		var got strings.Builder
		if err != nil {
			got.WriteString(err.Error())
		} else if err := g.WriteAIGER(&got, false); err != nil {
			t.Fatal(err)
		}
		if got.String() != tt.want {
			t.Errorf("%q: got %q, want %q", tt.in, got.String(), tt.want)
		}
	}
	g := circuit.New()
	g.Input("a\nb")
	if err := g.WriteAIGER(new(strings.Builder), true); err == nil {
		t.Error("a name with a line end is written")
	}
}

// FuzzReadExpressions checks that formulas as text are read or refused.
func FuzzReadExpressions(f *testing.F) {
	seeds := [][]byte{[]byte("door -> !(motor | brake)\nmotor ^ brake # x"), []byte("a <-> (b\n& c); true")}
	words := []string{"a", "b", "!", "&", "|", "^", "->", "<->", "(", ")", ";", "\n", "1", "#"}
	fuzztest.Run(f, seeds, words, func(t testing.TB, in []byte) {
		if g, err := circuit.ReadExpressions(fuzztest.Pieces(in), ""); err == nil && len(g.Constraints) == 0 {
			t.Fatal("no formula, and no error")
		}
	})
}

// FuzzReadAIGER checks that a circuit that is read stays the same when it is written, in both
// forms, and read again.
func FuzzReadAIGER(f *testing.F) {
	var seeds [][]byte
	for seed := range uint64(8) {
		var b bytes.Buffer
		randomSequential(rand.New(rand.NewPCG(seed, 4))).WriteAIGER(&b, seed%2 == 0)
		seeds = append(seeds, b.Bytes())
	}
	words := []string{"aag", "aig", "0", "1", "2", "3", "6", "\n", "i0", "c"}
	fuzztest.Run(f, seeds, words, func(t testing.TB, in []byte) {
		g, err := circuit.ReadAIGER(fuzztest.Pieces(in), "")
		if err != nil {
			return
		}
		var texts [3]bytes.Buffer
		for i, binary := range []bool{false, true, false} {
			if err := g.WriteAIGER(&texts[i], binary); err != nil {
				t.Fatal(err)
			}
			if g, err = circuit.ReadAIGER(bytes.NewReader(texts[i].Bytes()), ""); err != nil {
				t.Fatalf("written as %q: %v", &texts[i], err)
			}
		}
		if texts[0].String() != texts[2].String() {
			t.Fatalf("%q becomes %q", &texts[0], &texts[2])
		}
	})
}

// A tree is a random Boolean formula as text, and its value.
type tree struct {
	text  string
	level int // of precedence: 0 equals, 1 implies, 2 or, 3 xor, 4 and, 5 a name or complement
	value func(x int) bool
}

// randomTree returns a random formula over a, b, c and d, which are the bits of x.
func randomTree(rng *rand.Rand, depth int) tree {
	if depth == 0 || rng.IntN(6) == 0 {
		if rng.IntN(8) == 0 {
			value := rng.IntN(2) == 0
			return tree{fmt.Sprint(value), 5, func(int) bool { return value }}
		}
		i := rng.IntN(4)
		return tree{string("abcd"[i]), 5, func(x int) bool { return x>>i&1 != 0 }}
	}
	if rng.IntN(4) == 0 {
		t := randomTree(rng, depth-1).within(5)
		return tree{[]string{"!", "~ "}[rng.IntN(2)] + t.text, 5, func(x int) bool { return !t.value(x) }}
	}
	level := rng.IntN(5)
	operator := [][]string{{"<->", "<=>"}, {"->", "=>"}, {"|", "||"}, {"^"}, {"&", "&&"}}[level]
	left, right := level, level+1 // all but implications associate to the left
	if level == 1 {
		left, right = 2, 1
	}
	a, b := randomTree(rng, depth-1).within(left), randomTree(rng, depth-1).within(right)
	blank := []string{" ", "", "  "}[rng.IntN(3)]
	return tree{a.text + blank + operator[rng.IntN(len(operator))] + []string{blank, "\n"}[rng.IntN(2)] + b.text, level, func(x int) bool {
		p, q := a.value(x), b.value(x)
		switch level {
		case 0:
			return p == q
		case 1:
			return !p || q
		case 2:
			return p || q
		case 3:
			return p != q
		default:
			return p && q
		}
	}}
}

// within returns t, in parentheses unless it binds as tightly as level.
func (t tree) within(level int) tree {
	if t.level < level {
		return tree{"(" + t.text + ")", 5, t.value}
	}
	return t
}

// TestReadExpressions checks the values of random formulas.
func TestReadExpressions(t *testing.T) {
	for seed := range uint64(3000) {
		want := randomTree(rand.New(rand.NewPCG(seed, 5)), 5)
		g, err := circuit.ReadExpressions(strings.NewReader("# first\n; "+want.text+" # last"), "f")
		if err != nil {
			t.Fatalf("%s: %v", want.text, err)
		}
		for x := range 16 {
			inputs := make([]bool, len(g.Inputs))
			for i, p := range g.Inputs {
				inputs[i] = x>>(p.Name[0]-'a')&1 != 0
			}
			if got := g.Eval(inputs, nil).Of(g.Constraints[0].Signal); got != want.value(x) {
				t.Fatalf("%s is %v for %04b", want.text, got, x)
			}
		}
	}
}

// TestExpressionErrors checks errors of formulas as text, with their positions.
func TestExpressionErrors(t *testing.T) {
	for in, want := range map[string]string{
		"":                                "f:1:1: no formula",
		" # a\n ;\n":                      "f:3:1: no formula",
		"a &":                             "f:1:4: the end of the input where a name, a parenthesis or ! is expected",
		"a & ; b":                         `f:1:5: ";" where a name, a parenthesis or ! is expected`,
		"a b":                             `f:1:3: "b" where an operator or the end of the statement is expected`,
		"a\n(b | c\n":                     "f:3:1: the end of the input where the ) for 2:1 is expected",
		"(a; b)":                          `f:1:3: ";" where the ) for 1:1 is expected`,
		"a)":                              `f:1:2: ")" where an operator or the end of the statement is expected`,
		"a + b":                           "f:1:3: '+' is not part of a formula",
		"a - > b":                         "f:1:3: '-' is not part of a formula",
		"ä & ö\n  & x":                    `f:2:3: "&" where a name, a parenthesis or ! is expected`,
		"1a":                              `f:1:2: "a" where an operator or the end of the statement is expected`,
		"a\r\rb":                          "f:1:2: '\\r' is not part of a formula",
		strings.Repeat("(", 20_000) + "a": "f:1:10001: more than 10000 nested parentheses and complements",
		strings.Repeat("!", 20_000) + "a": "f:1:10001: more than 10000 nested parentheses and complements",
	} {
		_, err := circuit.ReadExpressions(strings.NewReader(in), "f")
		if got := fmt.Sprint(err); got != want {
			t.Errorf("%.30q: got %s, want %s", in, got, want)
		}
	}
}
