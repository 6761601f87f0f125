package sudoku

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
)

func ExampleGrid_EncodeNotes() {
	g := NewGrid(Must(Standard(4)))
	g.Cells[0] = 3
	cnf, notes, err := g.EncodeNotes(context.Background(), Coding{Encoding: "minimal"})
	if err != nil {
		fmt.Println(err)
		return
	}
	var out strings.Builder
	dimacs.WriteNotes(&out, cnf.Formula, notes)
	for line := range strings.Lines(out.String()) {
		if line[0] == 'c' {
			os.Stdout.WriteString(line)
		}
	}
	// Output:
	// c 16 clauses: each cell has a digit
	// c   R1C1 is 1 or R1C1 is 2 or R1C1 is 3 or R1C1 is 4
	// c 96 clauses: no row has a digit twice
	// c   R1C1 is not 1 or R1C2 is not 1
	// c 96 clauses: no column has a digit twice
	// c   R1C1 is not 1 or R2C1 is not 1
	// c 32 clauses: no box has a digit twice
	// c   R1C1 is not 1 or R2C2 is not 1
	// c 1 clause: givens, and candidates that the pencil marks exclude
	// c   R1C1 is 3
}

// TestEncodeNotes checks, for all encodings and variants, that notes change nothing but
// the order of the clauses, that each kind has one note, and that the clauses of a kind
// are as many as the note says.
func TestEncodeNotes(t *testing.T) {
	variants := map[string]Variant{
		"standard": Standard(4), "latin": Latin(4), "x": {Size: 4, BoxRows: 2, BoxCols: 2, X: true},
		"knights": {Size: 4, BoxRows: 2, BoxCols: 2, AntiKnight: true}, "hyper": {Size: 9, BoxRows: 3, BoxCols: 3, Hyper: true},
		"cages":   {Size: 4, BoxRows: 2, BoxCols: 2, Cages: []Cage{{Sum: 7, Cells: []int{0, 1, 4}}, {Sum: 5, Cells: []int{11, 14}}}},
		"regions": {Size: 4, Regions: []int{0, 1, 2, 3, 1, 0, 3, 2, 2, 3, 0, 1, 3, 2, 1, 0}},
	}
	for name, v := range variants {
		for _, e := range Encodings {
			for _, amo := range []string{"pairs", "commander"} {
				g := NewGrid(Must(v))
				g.Cells[3] = 2
				c := Coding{Encoding: e.Name, AtMostOne: amo}
				want, err := g.Encode(c)
				if err != nil {
					t.Fatal(err)
				}
				got, notes, err := g.EncodeNotes(context.Background(), c)
				if err != nil {
					t.Fatal(err)
				}
				if a, b := sortedClauses(got.Formula), sortedClauses(want.Formula); !slices.Equal(a, b) || got.Formula.Vars() != want.Formula.Vars() {
					t.Errorf("%s, %s: %d clauses differ from %d without notes", name, e.Name, len(a), len(b))
				}
				checkNotes(t, name+", "+e.Name, got.Formula, notes)
			}
		}
	}
}

// sortedClauses returns the clauses of a formula as text, in ascending order.
func sortedClauses(f *dimacs.Formula) []string {
	var all []string
	for _, c := range f.Clauses() {
		all = append(all, fmt.Sprint(c))
	}
	slices.Sort(all)
	return all
}

// checkNotes checks that the notes divide a formula into kinds, each once.
func checkNotes(t *testing.T, name string, f *dimacs.Formula, notes []dimacs.Note) {
	seen := make(map[string]bool)
	next := 0
	for _, n := range notes {
		count, kind, is := strings.Cut(n.Text, ": ")
		var clauses int
		if _, err := fmt.Sscan(count, &clauses); !is || strings.HasPrefix(n.Text, " ") || err != nil {
			continue
		}
		if n.Clause != next || seen[kind] || strings.Contains(kind, "%") {
			t.Errorf("%s: the note %q is at clause %d, want %d", name, n.Text, n.Clause, next)
		}
		seen[kind] = true
		next += clauses
	}
	if next != f.Len() {
		t.Errorf("%s: the notes have %d clauses, want %d", name, next, f.Len())
	}
}

// TestEncodeNotesEnd checks the errors, and a puzzle with contradictory givens.
func TestEncodeNotesEnd(t *testing.T) {
	g := NewGrid(Must(Standard(4)))
	if _, _, err := g.EncodeNotes(context.Background(), Coding{Encoding: "none"}); err == nil {
		t.Error("no error of an unknown encoding")
	}
	reason := errors.New("stop")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(reason)
	if _, _, err := g.EncodeNotes(ctx, Coding{}); err != reason {
		t.Errorf("error %v, want %v", err, reason)
	}
	g.Cells[0], g.Cells[1] = 1, 1
	cnf, notes, err := g.EncodeNotes(context.Background(), Coding{Encoding: "reduced"})
	if err != nil || cnf.Formula.Len() != 1 || len(notes) != 1 || notes[0].Text != "1 clause: "+string(contradiction) {
		t.Errorf("notes %v of a contradiction, error %v", notes, err)
	}
}
