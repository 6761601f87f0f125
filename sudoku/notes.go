package sudoku

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sator/dimacs"
)

// Notes for readers of a formula, for example in a course: a comment before the
// clauses of each kind says which rule they encode, and shows the first one in words.
//
//	c 81 clauses: each cell has a digit
//	c   R1C1 is 1 or R1C1 is 2 or ... or R1C1 is 9
//
// The encodings write some kinds in turn, cell by cell or digit by digit. With notes
// the clauses are grouped by kind, in the order in which the kinds occur first;
// within a kind they keep their order.

// A clauseKind is a text of a note.
type clauseKind string

// The kinds of clauses. Those with %s have the kind of a house.
const (
	cellHasDigit   clauseKind = "each cell has a digit"
	cellHasOne     clauseKind = "no cell has two digits"
	houseDiffers   clauseKind = "no %s has a digit twice"
	houseHasDigits clauseKind = "each %s has every digit"
	triadHasDigit  clauseKind = "a variable for a digit in a triad, the cells that a line and a block share: the digit is in one of them"
	triadHasOne    clauseKind = "no triad has a digit twice"
	triadsDiffer   clauseKind = "no %s has a digit in two triads"
	triadsHave     clauseKind = "each %s has every digit in one of its triads"
	movesDiffer    clauseKind = "cells that see each other without a common house differ"
	cageDiffers    clauseKind = "no cage has a digit twice"
	cageHasDigit   clauseKind = "a variable for a digit in a cage: the digit is in one of its cells"
	cageHasSum     clauseKind = "the digits of each cage have its sum"
	implication    clauseKind = "implications of the 2SAT rule between candidates"
	givenDigit     clauseKind = "givens, and candidates that the pencil marks exclude"
	contradiction  clauseKind = "the givens contradict each other: the empty clause"
)

// A noteTaker records the kind of each clause. A nil noteTaker does nothing.
type noteTaker struct {
	kinds   []clauseKind       // in the order of their first clauses
	numbers map[clauseKind]int // index in kinds
	current int                // number of the kind of the next clauses
	clauses []int              // by clause: the number of its kind
}

// begin sets the kind of the clauses that follow.
func (n *noteTaker) begin(k clauseKind) {
	if n == nil {
		return
	}
	number, known := n.numbers[k]
	if !known {
		number = len(n.kinds)
		n.kinds, n.numbers[k] = append(n.kinds, k), number
	}
	n.current = number
}

// beginHouse is like begin for a kind of clauses of houses.
func (n *noteTaker) beginHouse(k clauseKind, h *House) {
	if n != nil {
		n.begin(clauseKind(fmt.Sprintf(string(k), h.Kind)))
	}
}

// add records the kind of new clauses.
func (n *noteTaker) add(clauses int) {
	if n != nil {
		n.clauses = append(n.clauses, slices.Repeat([]int{n.current}, clauses)...)
	}
}

// restart forgets all clauses.
func (n *noteTaker) restart() {
	if n != nil {
		n.clauses = n.clauses[:0]
	}
}

// EncodeNotes is like [Grid.EncodeContext] and returns notes for
// [sator/dimacs.WriteNotes]: one before the first clause of each kind. The clauses are
// grouped by kind; otherwise the formula is the same. The time and memory for the
// notes are linear in the size of the formula.
func (g *Grid) EncodeNotes(ctx context.Context, c Coding) (*CNF, []dimacs.Note, error) {
	notes := &noteTaker{numbers: make(map[clauseKind]int)}
	cnf, err := g.encode(ctx, c, notes)
	if err != nil {
		return nil, nil, err
	}
	var texts []dimacs.Note
	cnf.Formula, texts = notes.group(cnf)
	return cnf, texts, context.Cause(ctx)
}

// GivensNotes returns the notes of a formula that has only the givens of a puzzle.
func (m *Map) GivensNotes(f *dimacs.Formula) []dimacs.Note {
	notes := &noteTaker{numbers: make(map[clauseKind]int)}
	notes.begin(givenDigit)
	notes.add(f.Len())
	_, texts := notes.group(&CNF{f, m})
	return texts
}

// A ClauseKind has the clauses of a kind that are about a cell.
type ClauseKind struct {
	Text    string // the rule that they encode, as in a note
	Clauses []CellClause
}

// A CellClause is a clause in words, with the cells of its candidates.
type CellClause struct {
	Text  string
	Cells []int
}

// EncodeCell encodes a puzzle and returns the clauses that have a candidate of a cell, by kind.
func (g *Grid) EncodeCell(ctx context.Context, c Coding, cell int) ([]ClauseKind, error) {
	notes := &noteTaker{numbers: make(map[clauseKind]int)}
	cnf, err := g.encode(ctx, c, notes)
	if err != nil {
		return nil, err
	}
	kinds := make([]ClauseKind, len(notes.kinds))
	for i, kind := range notes.kinds {
		kinds[i].Text = string(kind)
	}
	candidates, words := cnf.Map.candidates(), cnf.Map.words()
	for i, kind := range notes.clauses {
		clause := cnf.Formula.Clause(i)
		var cells []int
		for _, l := range clause {
			if candidate, known := candidates[l.Var()]; known {
				if at, _ := g.Rules.Split(candidate); !slices.Contains(cells, at) {
					cells = append(cells, at)
				}
			}
		}
		if slices.Contains(cells, cell) {
			kinds[kind].Clauses = append(kinds[kind].Clauses, CellClause{words(clause), cells})
		}
	}
	return slices.DeleteFunc(kinds, func(k ClauseKind) bool { return len(k.Clauses) == 0 }), context.Cause(ctx)
}

// group returns the formula with its clauses grouped by kind, and the notes.
func (n *noteTaker) group(cnf *CNF) (*dimacs.Formula, []dimacs.Note) {
	grouped := dimacs.NewFormula(cnf.Formula.Vars())
	byKind := make([][]int, len(n.kinds))
	for i, kind := range n.clauses {
		byKind[kind] = append(byKind[kind], i)
	}
	words := cnf.Map.words()
	var notes []dimacs.Note
	for kind, clauses := range byKind {
		if len(clauses) == 0 {
			continue
		}
		count := "1 clause"
		if len(clauses) > 1 {
			count = fmt.Sprintf("%d clauses", len(clauses))
		}
		notes = append(notes, dimacs.Note{Clause: grouped.Len(), Text: fmt.Sprintf("%s: %s", count, n.kinds[kind])})
		if first := cnf.Formula.Clause(clauses[0]); len(first) > 0 {
			notes = append(notes, dimacs.Note{Clause: grouped.Len(), Text: "  " + words(first)})
		}
		for _, i := range clauses {
			grouped.Add(cnf.Formula.Clause(i)...)
		}
	}
	return grouped, notes
}

// maxWords is the largest number of literals that words writes.
const maxWords = 10

// candidates returns the candidates of the variables that stand for one.
func (m *Map) candidates() map[dimacs.Var]int {
	candidates := make(map[dimacs.Var]int)
	for candidate := range m.Rules.Cells() * m.Rules.Size() {
		if l, ok := m.Lit(candidate); ok {
			candidates[l.Var()] = candidate
		}
	}
	return candidates
}

// words returns a function that writes a clause in words: "R1C1 is 1 or R1C2 is not 1".
// Variables that are no candidates are written as x with their number.
func (m *Map) words() func([]dimacs.Lit) string {
	candidates := m.candidates()
	word := func(l dimacs.Lit) string {
		not := ""
		candidate, known := candidates[l.Var()]
		switch {
		case l.Neg() && known:
			not = "not "
		case l.Neg():
			not = "not x"
		case !known:
			not = "x"
		}
		if !known {
			return fmt.Sprint(not, int(l.Var())+1)
		}
		cell, digit := m.Rules.Split(candidate)
		return fmt.Sprintf("%s is %s%d", m.Rules.CellName(cell), not, digit)
	}
	return func(clause []dimacs.Lit) string {
		var parts []string
		for i, l := range clause {
			if len(clause) > maxWords && i == maxWords-2 {
				parts = append(parts, "...", word(clause[len(clause)-1]))
				break
			}
			parts = append(parts, word(l))
		}
		return strings.Join(parts, " or ")
	}
}
