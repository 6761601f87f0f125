package proof_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"sator/dimacs"
	"sator/dimacs/proof"
)

// formula returns the formula with clauses of DIMACS integers, each with a 0 at
// its end.
func formula(ints ...int) *dimacs.Formula {
	f := new(dimacs.Formula)
	for len(ints) > 0 {
		end := slices.Index(ints, 0)
		f.AddInts(ints[:end]...)
		ints = ints[end+1:]
	}
	return f
}

// both returns a formula with a refutation of two lemmas.
func both() *dimacs.Formula {
	return formula(1, 2, 0, 1, -2, 0, -1, 2, 0, -1, -2, 0)
}

// TestLRAT checks text proofs, their errors and warnings.
func TestLRAT(t *testing.T) {
	tests := []struct {
		name     string
		f        *dimacs.Formula
		assume   []dimacs.Lit
		proof    string
		want     string // the error, or empty
		warnings string
	}{
		{name: "right", f: both(), proof: "5 1 0 1 2 0\n6 0 5 3 4 0\n"},
		{name: "gaps between ids", f: both(), proof: "50 1 0 1 2 0\n6000000000000000 0 50 3 4 0\n"},
		{name: "far ids", f: both(), proof: "100000000000000000 1 0 1 2 0\n100000000000000009 2 0 100000000000000000 3 0\n100000000000000010 0 100000000000000000 100000000000000009 4 0\n"},
		{name: "far variables", f: formula(1073741823, 0, -1073741823, 0), proof: "3 0 1 2 0\n"},
		{name: "true again", f: both(), proof: "5 1 0 1 2 0\n6 0 5 5 3 4 0\n"},
		{name: "more than enough hints", f: both(), proof: "5 1 0 1 2 99 0\n6 0 5 3 4 77 0\n"},
		{name: "a literal twice", f: both(), proof: "5 1 1 0 1 2 0\n6 0 5 3 4 0\n"},
		{name: "the empty clause is given", f: formula(1, 0, 0), proof: ""},
		{name: "nonsense after the end", f: both(), proof: "5 1 0 1 2 0\n6 0 5 3 4 0\nnonsense",
			warnings: "p:3:1: \"nonsense\" is not a number; the refutation is complete before that"},

		{name: "empty", f: both(), want: "p: the proof ends without the empty clause"},
		{name: "no end", f: both(), proof: "5 1 0 1 2 0\n", want: "p: the proof ends without the empty clause"},
		{name: "hint missing", f: both(), proof: "5 1 0 1 0\n6 0 5 3 4 0\n",
			want: "p:1: the hints end without a falsified clause, and clause 3 (-1 2) with -1 has no group of hints"},
		{name: "hints of the empty clause missing", f: both(), proof: "5 1 0 1 2 0\n6 0 5 3 0\n",
			want: "p:2: the hints end without a falsified clause"},
		{name: "not unit", f: both(), proof: "5 1 0 1 2 0\n6 0 3 5 4 0\n", want: "p:2: hint 1, clause 3 (-1 2), is not unit"},
		{name: "deleted", f: both(), proof: "5 1 0 1 2 0\n5 d 3 0\n6 0 5 3 4 0\n", want: "p:3: hint 2, clause 3, was deleted"},
		{name: "not there", f: both(), proof: "5 1 0 1 2 0\n6 0 5 7 4 0\n", want: "p:2: hint 2, clause 7, does not exist"},
		{name: "itself", f: both(), proof: "5 1 0 5 0\n", want: "p:1: hint 1, clause 5, does not exist"},
		{name: "in a gap", f: both(), proof: "9 1 0 1 2 0\n12 0 9 7 0\n", want: "p:2: hint 2, clause 7, does not exist"},
		{name: "id again", f: both(), proof: "5 1 0 1 2 0\n5 0 5 3 4 0\n", want: "p:2: id 5 is not above 5, the one before it"},
		{name: "id of the formula", f: both(), proof: "4 1 0 1 2 0\n", want: "p:1: id 4 is that of a clause of the formula"},

		{name: "deletes what is not there", f: both(), proof: "5 1 0 1 2 0\n5 d 9 9 0\n5 d 8 1 1 0\n6 0 5 3 4 0\n",
			warnings: "2: cannot delete clause 9: it does not exist|2: cannot delete clause 9: it does not exist|3: cannot delete clause 8: it does not exist|deletions of unknown clauses: 4"},
		{name: "a tautology", f: both(), proof: "5 1 -1 0 0\n6 1 0 1 2 0\n7 0 6 3 4 0\n",
			warnings: "1: lemma 5 has a literal and its complement"},

		{name: "definition", f: both(), proof: "5 3 -1 0 0\n6 -3 1 0 -5 0\n7 1 0 1 2 0\n8 0 7 3 4 0\n"},
		{name: "definition, a group is missing", f: both(), proof: "5 3 -1 0 0\n6 -3 1 0 0\n",
			want: "p:2: the hints end without a falsified clause, and clause 5 (3 -1) with 3 has no group of hints"},
		{name: "a group is cut", f: formula(-1, 2, 3, 0, 2, -3, 0, 1, 4, 0), proof: "4 1 -4 0 -1 0\n",
			want: "p:1: the hints for clause 1 (-1 2 3) end without a falsified clause"},
		{name: "a group is wrong", f: formula(-1, 2, 3, 0, 2, -3, 0, 1, 4, 5, 0), proof: "4 1 -4 0 -1 3 0\n",
			want: "p:1: hint 2, clause 3 (1 4 5), is not unit"},
		{name: "a group of a clause that is not there", f: both(), proof: "5 3 -1 0 0\n5 d 5 0\n6 -3 1 0 -5 0\n",
			want: "p:3: hint 1, a group for clause 5, which was deleted"},
		{name: "a group too many", f: both(), proof: "5 3 -1 0 0\n6 -3 1 0 -1 2 -5 0\n7 1 0 1 2 0\n8 0 7 3 4 0\n",
			warnings: "2: lemma 6 has hints for clauses without the complement of its first literal: 1"},
		{name: "RAT after a deletion", f: formula(1, 2, 0, -1, 3, 0, -2, 0), proof: "4 d 2 0\n4 1 0 0\n",
			want: "p: the proof ends without the empty clause"},

		{name: "under assumptions", f: formula(-1, -2, 3, 0, -3, 0), assume: dimacs.Lits(2, 1), proof: "3 -2 -1 0 2 1 0\n"},
		{name: "under assumptions, given", f: formula(1, 2, 0, -3, -1, 0), assume: dimacs.Lits(1, 2, 3)},
		{name: "under assumptions that exclude each other", f: formula(1, 2, 0), assume: dimacs.Lits(1, 2, -1)},
		{name: "under other assumptions", f: formula(-1, -2, 3, 0, -3, 0), assume: dimacs.Lits(1), proof: "3 -2 -1 0 2 1 0\n",
			want: "p: the proof ends without a clause that refutes the assumptions"},
		{name: "RAT on the complement of an assumption", f: formula(2, 3, 0), assume: dimacs.Lits(1), proof: "2 -1 0 0\n",
			want: "p:1: the hints end without a falsified clause, and the complement of -1 is an assumption"},

		{name: "long clauses are not quoted in full", f: long(100), proof: "2 0 1 0\n",
			want: "p:1: hint 1, clause 1 (1 2 3 4 5 6 7 8 9 10 11 12 ... of 100), is not unit"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, trim := range []bool{false, true} {
				var warnings []string
				_, err := proof.Check(context.Background(), test.f, strings.NewReader(test.proof), proof.Options{
					Name: "p", Format: proof.LRAT, Assumptions: test.assume, Trim: trim,
					Warn: func(msg string) { warnings = append(warnings, msg) },
				})
				got := ""
				if err != nil {
					got = err.Error()
				}
				if got != test.want {
					t.Errorf("got error %q, want %q", got, test.want)
				}
				if got := strings.Join(warnings, "|"); got != test.warnings {
					t.Errorf("got warnings %q, want %q", got, test.warnings)
				}
			}
		})
	}
}

// long returns a formula with one clause of n literals.
func long(n int) *dimacs.Formula {
	f := dimacs.NewFormula(n)
	var c []dimacs.Lit
	for v := range n {
		c = append(c, dimacs.Var(v).Lit())
	}
	f.Add(c...)
	return f
}

// TestLRATResult checks the counters of a result.
func TestLRATResult(t *testing.T) {
	const p = "5 3 -1 0 0\n6 -3 1 0 -5 0\n6 d 5 6 9 0\n7 1 0 1 2 0\n8 0 7 3 4 0\n9 9 0 0\n"
	r, err := proof.Check(context.Background(), both(), strings.NewReader(p), proof.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(r.Format, r.Lemmas, r.Deleted, r.Ignored, r.Checked, r.RAT)
	if want := "LRAT 4 2 1 4 2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestLRATTrim checks trimmed proofs. Their RAT steps have groups only for
// clauses that exist.
func TestLRATTrim(t *testing.T) {
	const short = "5 1 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n"
	tests := []struct {
		name, proof, core, trimmed string
		f                          *dimacs.Formula
		assume                     []dimacs.Lit
	}{
		{"nothing to trim", "5 1 0 1 2 0\n6 0 5 3 4 0\n", "[0 1 2 3]", short, both(), nil},
		{"a lemma", "5 1 2 0 1 0\n6 1 0 1 2 0\n7 0 6 3 4 0\n", "[0 1 2 3]", short, both(), nil},
		{"hints", "5 1 0 1 1 2 0\n6 0 5 5 3 4 3 0\n", "[0 1 2 3]", short, both(), nil},
		{"ids", "7 1 0 1 2 0\n9 0 7 3 4 0\n", "[0 1 2 3]", short, both(), nil},
		{"clauses", "4 0 2 3 0\n", "[1 2]", "3 d 1 0\n4 0 2 3 0\n", formula(1, 2, 0, 1, 0, -1, 0), nil},
		{"all", "", "[1]", "4 0 2 0\n", formula(1, 2, 0, 0, -1, 0), nil},
		{"under assumptions", "", "[1]", "2 d 1 0\n3 -1 -2 0 2 0\n", formula(1, 2, 0, -1, -2, 0), dimacs.Lits(2, 3, 1)},
		{
			// Variable 3 is defined as variable 1. Clause 5 is not needed, and so its
			// group is not needed.
			"a group", "5 3 -1 0 0\n6 -3 1 0 -5 0\n7 1 0 1 2 0\n8 -3 2 0 6 3 0\n9 0 7 3 4 0\n", "[0 1 2 3]",
			short, both(), nil,
		},
		{
			// Clause 5 is a candidate of lemma 8, but no lemma needs it.
			"a group that is not needed", "8 5 1 0 -5 6 7 0\n9 -5 1 0 1 2 0\n10 1 0 8 9 0\n11 0 10 3 4 0\n", "[0 1 2 3]",
			"7 d 5 6 7 0\n8 5 1 0 0\n9 -5 1 0 1 2 0\n9 d 1 2 0\n10 1 0 8 9 0\n10 d 8 9 0\n11 0 10 3 4 0\n", formula(1, 2, 0, 1, -2, 0, -1, 2, 0, -1, -2, 0, -5, 3, 0, 3, 4, 0, 3, -4, 0), nil,
		},
		{
			// Here lemma 9 needs clause 5.
			"a group that is needed", "8 5 1 0 -5 6 7 0\n9 -5 1 0 5 1 2 0\n10 1 0 8 9 0\n11 0 10 3 4 0\n", "[0 1 2 3 4 5 6]",
			"8 5 1 0 -5 6 7 0\n8 d 6 7 0\n9 -5 1 0 5 1 2 0\n9 d 1 2 5 0\n10 1 0 8 9 0\n10 d 8 9 0\n11 0 10 3 4 0\n", formula(1, 2, -3, 0, 1, -2, 0, -1, 2, 0, -1, -2, 0, -5, 3, 0, 3, 4, 0, 3, -4, 0), nil,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			res, err := proof.Check(context.Background(), test.f, strings.NewReader(test.proof), proof.Options{Format: proof.LRAT, Assumptions: test.assume, Trim: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(res.Core()); got != test.core {
				t.Errorf("got core %s, want %s", got, test.core)
			}
			var b strings.Builder
			w := proof.NewWriter(&b, proof.LRAT, test.f.Len())
			res.Replay(w)
			w.Flush()
			if got := b.String(); got != test.trimmed {
				t.Errorf("got\n%swant\n%s", got, test.trimmed)
			}
		})
	}
}

// TestLRATSparse checks that large gaps between ids and between variables take
// no memory.
func TestLRATSparse(t *testing.T) {
	f := both()
	var b strings.Builder
	id, v := int64(4), 2
	for i := range 1000 {
		id += 1 << 52
		v += 1 << 20
		fmt.Fprintf(&b, "%d %d 1 0 1 2 0\n", id, v)
		if i%2 == 0 {
			fmt.Fprintf(&b, "%d d %d 0\n", id, id)
		}
	}
	fmt.Fprintf(&b, "%d %d 0 1 2 0\n%d 0 %d 3 4 0\n", id+1, 1, id+2, id+1)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := proof.Check(context.Background(), f, strings.NewReader(b.String()), proof.Options{Format: proof.LRAT, Trim: true}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
		t.Errorf("%d bytes were allocated", n)
	}
}

// TestLRATStops checks that the context ends a check with its cause, and that
// the check reports progress.
func TestLRATStops(t *testing.T) {
	var b strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&b, "%d 1 0 1 2 0\n", i+5)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	enough := errors.New("enough")
	var done []int64
	_, err := proof.Check(ctx, both(), strings.NewReader(b.String()), proof.Options{Progress: func(p proof.Progress) {
		if done = append(done, p.Done); len(done) == 3 {
			cancel(enough)
		}
	}})
	if err != enough {
		t.Errorf("error %v", err)
	}
	if len(done) != 3 || !slices.IsSorted(done) || done[2] >= 50_000 {
		t.Errorf("progress: %v", done)
	}
}

// TestLRATReadError checks that an error of the source is not taken for the end
// of the proof.
func TestLRATReadError(t *testing.T) {
	broken := errors.New("broken")
	src := io.MultiReader(strings.NewReader("5 1 0 1 2 0\n"), iotest.ErrReader(broken))
	if _, err := proof.Check(context.Background(), both(), src, proof.Options{Format: proof.LRAT}); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}
