package proof

import (
	"context"
	"strings"
	"testing"

	"sator/dimacs"
)

// A certificate of (1 or 2): 1, or not 1 and 2.
const orCertificate = `c comment
3 p 3 -1 2 0
6 s 4 1 3 4 0
r 4
9 a 4 1 0 8 3 1 0
10 a 4 0 7 9 0
d 9 10 0
d 1 5 6 10 0
`

// TestCheckCount checks certificates with mistakes of all kinds.
func TestCheckCount(t *testing.T) {
	f := dimacs.NewFormula(2)
	f.AddInts(1, 2)
	for _, tt := range []struct{ from, to, want string }{
		{"", "", "3/1"},
		{"c comment\n", "\n", "3/1"},
		{"3 p", "x p", `1:1: "x" is not the number of a clause`},
		{"3 p 3", "3 q 3", `1:3: "q" is not a kind of step: want a, p or s`},
		{"p 3 -1", "p 3 -y", `1:7: "-y" is not a number`},
		{"-1 2 0", "-1 2", "1:11: want 0 at the end of the product"},
		{"6 s 4 1 3 4 0", "6 s 4 1 3 4", "2:12: want 0 at the end of the hints"},
		{"6 s 4 1 3 4 0", "6 s 4 1", "2:8: want a sum of two literals"},
		{"r 4", "r", "3:2: want one root"},
		{"r 4", "r 4\nr 4", "4: the root is 4 already"},
		{"r 4\n", "", "no line has the root"},
		{"r 4", "r 3", "the clause 10 is left, so that the root may have models that the formula has not"},
		{"r 4", "q", `3:1: "q" is not a step`},
		{"p 3 -1", "p 3 -2", "1: the arguments of a product share the variable 2"},
		{"p 3 -1", "p 2 -1", "1: 2 is a variable or a node already"},
		{"s 4 1 3 4", "s 4 1 7 4", "2: 7 is neither a variable nor a node"},
		{"s 4 1 3 4", "s 4 1 3 5", "2: the hints do not end with a falsified clause"},
		{"d 9 10 0", "d 9 3 10 0", "6: the hint 3 is neither unit nor falsified"},
		{"s 4 1 3 4", "s 4 1 3 1", "2: the hint 1 is not a clause, or not one that defines a node"},
		{"9 a 4 1 0 8 3 1 0", "9 a 4 1 0 8 0", "4: the hints do not end with a falsified clause"},
		{"9 a 4 1 0 8 3 1 0", "9 a 4 1 8 0", "4:12: want literals, 0, hints and 0"},
		{"10 a 4", "9 a 4", "5: the number 9 of a clause is used twice"},
		{"d 1 5 6 10", "d 3 5 6 10", "7: the clause 3 cannot be deleted: it is not there or defines a node"},
		{"d 1 5 6 10 0\n", "", "the clause 1 is left, so that the root may have models that the formula has not"},
		{"d 1 5 6 10 0", "d 1", "7:4: want a clause, hints and 0"},
		{"10 a 4 0 7 9 0\nd 9 10 0\nd 1 5 6 10 0\n", "", ""},
	} {
		text := strings.TrimPrefix(orCertificate, "c comment\n")
		if !strings.Contains(orCertificate, tt.from) {
			t.Fatalf("no %q", tt.from)
		}
		if strings.HasPrefix(tt.from, "c") {
			text = orCertificate
		}
		text = strings.Replace(text, tt.from, tt.to, 1)
		count, err := CheckCount(context.Background(), f, strings.NewReader(text), "", nil)
		got := ""
		switch {
		case err != nil:
			got = err.Error()
		default:
			got = count.Models.String()
		}
		if got != tt.want && (tt.want != "" || err == nil) {
			t.Errorf("%q for %q: got %s, want %s", tt.to, tt.from, got, tt.want)
		}
	}
	empty, err := CheckCount(context.Background(), dimacs.NewFormula(3), strings.NewReader("1 p 4 0\nr 4\n2 a 4 0 1 0"), "", nil)
	if err != nil || empty.Models.String() != "8/1" {
		t.Errorf("no clauses: %v, %v", empty, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := CheckCount(ctx, f, strings.NewReader(orCertificate), "", nil); err != context.Canceled {
		t.Errorf("canceled: %v", err)
	}
}
