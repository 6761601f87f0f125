package proof

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
)

// full has all clauses over two variables. It is the smallest unsatisfiable
// formula that needs a lemma.
const full = "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n"

func formula(t testing.TB, text string) *dimacs.Formula {
	t.Helper()
	f, err := dimacs.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestDRAT checks small proofs in all modes.
func TestDRAT(t *testing.T) {
	tests := []struct {
		name, formula, proof string
		assume               []int
		forward, strict      string // part of the error, or empty; "=" is the same as forward
		backward             string
	}{
		{"a lemma", full, "1 0\n0\n", nil, "", "=", ""},
		{"a lemma and no empty clause", full, "1 0\n", nil, "", "=", ""},
		{"nothing", full, "", nil, "without having refuted the formula", "=", "without having refuted"},
		{"the empty clause alone", full, "0\n", nil, "1: the empty clause does not follow", "=", "1: the empty clause"},
		{"a formula that propagation refutes", "p cnf 1 2\n1 0\n-1 0\n", "", nil, "", "=", ""},
		{"the empty clause in the formula", "p cnf 1 2\n1 0\n0\n", "", nil, "", "=", ""},
		{"no formula", "p cnf 0 0\n", "0\n", nil, "1: the empty clause", "=", "1: the empty clause"},
		{"a lemma that does not follow, and is needed", "p cnf 2 2\n1 2 0\n-1 2 0\n", "-2 0\n0\n", nil, "1: the clause does not follow", "=", "1: the clause"},
		{"a lemma that does not follow, and is not needed", "p cnf 4 5\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n3 4 0\n", "-3 0\n1 0\n", nil, "1: the clause does not follow", "=", ""},
		{"after the end", full, "1 0\n0\n5 0\n", nil, "", "=", ""},

		{"deletion", full, "1 0\nd 1 2 0\nd -2 1 0\n0\n", nil, "", "=", ""},
		{"deletion of what is needed", full, "d 2 1 0\n1 0\n0\n", nil, "2: the clause does not follow", "=", "2: the clause"},
		{"one of two copies is deleted", full + "", "1 2 0\nd 2 1 0\n1 0\n", nil, "", "=", ""},
		{"deletion of what is not there", full, "d 1 3 0\nd 1 0\n1 0\n", nil, "", "=", ""},
		{"deletion of a unit clause", "p cnf 3 5\n1 0\n-1 2 3 0\n-1 2 -3 0\n-1 -2 3 0\n-1 -2 -3 0\n", "d 1 0\n2 0\n", nil, "", "without having refuted", ""},
		{"deletion of a reason", "p cnf 4 6\n1 0\n-1 2 0\n-2 3 4 0\n-2 3 -4 0\n-2 -3 4 0\n-2 -3 -4 0\n", "d 2 -1 0\n3 0\n", nil, "", "without having refuted", ""},
		{"deletion of one reason of two", "p cnf 5 7\n1 0\n-1 2 0\n2 5 0\n-2 3 4 0\n-2 3 -4 0\n-2 -3 4 0\n-2 -3 -4 0\n", "5 2 0\n2 0\nd -1 2 0\nd 1 0\n3 0\n", nil, "", "", ""},

		{"a blocked clause", "p cnf 3 1\n1 2 0\n", "-1 -2 0\n", nil, "without having refuted", "=", "without having refuted"},
		{"a definition", full, "3 -1 -2 0\n-3 1 0\n-3 2 0\n1 0\n", nil, "", "=", ""},
		{"the pivot is first", "p cnf 2 2\n1 2 0\n-1 2 0\n", "-2 1 0\n-2 -1 0\n0\n", nil, "1: the clause does not follow by unit propagation, and is not RAT on -2 because of the clause 2 ", "=", "does not follow"},
		{"RAT that is needed", "p cnf 4 8\n1 2 -3 0\n-1 -2 3 0\n2 3 -4 0\n-2 -3 4 0\n-1 -3 -4 0\n1 3 4 0\n-1 2 4 0\n1 -2 -4 0\n", "-1 0\nd -1 -2 3 0\nd -1 -3 -4 0\nd -1 2 4 0\n2 0\n0\n", nil, "", "=", ""},

		{"an assumption", "p cnf 2 2\n1 2 0\n1 -2 0\n", "1 0\n", []int{-1}, "", "=", ""},
		{"an assumption that propagation refutes", "p cnf 2 2\n1 2 0\n-2 0\n", "", []int{-1}, "", "=", ""},
		{"an assumption that the formula does not have", full, "", []int{9}, "without having refuted the formula under the assumptions", "=", "under the assumptions"},
		{"assumptions that exclude each other", "p cnf 1 0\n", "", []int{1, -1}, "", "=", ""},
		{"a clause of the formula", "p cnf 3 1\n-1 -2 0\n", "", []int{1, 3, 2}, "", "=", ""},
		{"fewer assumptions than the lemma has", "p cnf 3 2\n-1 -2 3 0\n-1 -2 -3 0\n", "-1 -2 0\nd -1 -2 0\n", []int{1}, "without having refuted", "=", "without having refuted"},

		{"a RAT step against an assumption", "p cnf 1 0\n", "-1 0\n", []int{1}, "not RAT on -1, the complement of an assumption", "=", "not RAT on -1"},
		{"a RAT step besides an assumption", "p cnf 2 2\n1 2 0\n1 -2 0\n", "3 0\n1 0\n", []int{-1}, "", "=", ""},

		{"a tautology", full, "3 -3 0\n1 0\n", nil, "", "=", ""},
		{"literals twice", full, "1 1 0\nd 1 2 1 2 0\n0\n", nil, "", "=", ""},
		{"the largest variable", full, "1073741823 1 0\n1 0\n", nil, "", "=", ""},
	}
	for _, test := range tests {
		strict := test.strict
		if strict == "=" {
			strict = test.forward
		}
		for _, mode := range []struct {
			name string
			opts Options
			want string
		}{
			{"forward", Options{Forward: true}, test.forward},
			{"forward strict", Options{Forward: true, StrictDeletions: true}, strict},
			{"backward", Options{}, test.backward},
			{"backward trimmed", Options{Trim: true}, test.backward},
			{"forward trimmed", Options{Forward: true, Trim: true}, test.forward},
		} {
			t.Run(test.name+"/"+mode.name, func(t *testing.T) {
				mode.opts.Assumptions = dimacs.Lits(test.assume...)
				mode.opts.Format = DRAT
				f := formula(t, test.formula)
				got, err := Check(context.Background(), f, strings.NewReader(test.proof), mode.opts)
				if mode.want != "" {
					wantCheckError(t, err, mode.want)
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if mode.opts.Trim {
					replayed(t, f, got, mode.opts.Assumptions)
				}
			})
		}
	}
}

func wantCheckError(t *testing.T, err error, want string) {
	t.Helper()
	if r := (*CheckError)(nil); !errors.As(err, &r) || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want a CheckError with %q", err, want)
	}
}

// replayed checks the trimmed proof in each format.
func replayed(t *testing.T, f *dimacs.Formula, r *Result, assumptions []dimacs.Lit) {
	t.Helper()
	for _, format := range []Format{DRAT, BinaryDRAT, LRAT, BinaryLRAT} {
		var text strings.Builder
		w := NewWriter(&text, format, f.Len())
		r.Replay(w)
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if _, err := Check(context.Background(), f, strings.NewReader(text.String()), Options{Format: format, Assumptions: assumptions}); err != nil {
			t.Errorf("%v: %v\n%s", format, err, text.String())
		}
	}
}

// TestDeletedWatches has enough deletions for the removal of their watches.
func TestDeletedWatches(t *testing.T) {
	const n = 300_000
	f := dimacs.NewFormula(5)
	for _, c := range [][]int{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}, {3, 4, 5}} {
		f.AddInts(c...)
	}
	var b strings.Builder
	for range n {
		b.WriteString("3 4 5 1 0\nd 3 4 5 1 0\n")
	}
	b.WriteString("1 0\n")
	for _, forward := range []bool{false, true} {
		r, err := Check(context.Background(), f, strings.NewReader(b.String()), Options{Forward: forward, Trim: true})
		if err != nil {
			t.Fatal(err)
		}
		if r.Lemmas != n+1 || r.Deleted != n || !slices.Equal(r.Core(), []int{0, 1, 2, 3}) {
			t.Errorf("forward %v: %+v, core %v", forward, r, r.Core())
		}
	}
}

// TestStops checks that the context ends a check, and that it reports progress.
func TestStops(t *testing.T) {
	text := strings.Repeat("3 4 0\n", 10_000) + "1 0\n"
	f := formula(t, full)
	for _, phase := range []string{"reading", "backward"} {
		t.Run(phase, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(context.Background())
			defer cancel(nil)
			enough := errors.New("enough")
			_, err := Check(ctx, f, strings.NewReader(text), Options{Format: DRAT, Progress: func(p Progress) {
				if p.Phase == phase && p.Done > 5000 {
					cancel(enough)
				}
			}})
			if err != enough {
				t.Errorf("got %v, want the cause of the context", err)
			}
		})
	}
}

// TestWarnings checks the warnings about deletions without effect.
func TestWarnings(t *testing.T) {
	f := formula(t, "p cnf 2 5\n1 0\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 2 0\n")
	var got []string
	_, err := Check(context.Background(), f, strings.NewReader("d 1 0\nd 2 0\nd 1 2 3 0\n"),
		Options{Format: DRAT, Name: "p", Warn: func(msg string) { got = append(got, msg) }})
	wantCheckError(t, err, "p: the proof ends without having refuted the formula")
	if want := []string{"deletions of unknown clauses: 2", "ignored deletions of unit clauses: 1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestManyClauses checks that each clause is found after the hash table has
// grown.
func TestManyClauses(t *testing.T) {
	f := dimacs.NewFormula(0)
	var b strings.Builder
	const n = 5000
	for i := 1; i <= n; i++ {
		f.AddInts(i, i+1, -i-2)
		fmt.Fprintf(&b, "d %d %d %d 0\n", -i-2, i, i+1)
	}
	warned := false
	_, err := Check(context.Background(), f, strings.NewReader(b.String()), Options{Format: DRAT, Warn: func(string) { warned = true }})
	wantCheckError(t, err, "without having refuted")
	if warned {
		t.Error("a clause was not found")
	}
}
