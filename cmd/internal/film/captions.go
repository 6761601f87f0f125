package film

import (
	"fmt"
	"slices"
	"strings"

	"sator/dimacs"
	"sator/dpll/classic"
	"sator/sudoku"
)

// The texts of frames, below or beside the grid.

// A Readout has the texts and counters of a frame.
type Readout struct {
	Caption string                 `json:"caption"` // the event
	Path    string                 `json:"path"`    // the path from the root: a filled circle for a first branch, a hollow one for a second branch
	Level   int                    `json:"level"`   // decision level
	Counts  [len(CounterNames)]int `json:"counts"`  // by [CounterNames]
}

// Readout returns the readout of the frame that was shown last.
func (b *Board) Readout(fr Frame) Readout {
	return Readout{b.f.caption(fr), b.pathText(), len(b.path), b.counts}
}

// A Still is a frame for a script that shows it.
type Still struct {
	Readout
	Weight  int   `json:"weight"`            // duration, relative to the shortest frames
	Branch  bool  `json:"branch,omitempty"`  // the frame has a decision or a backtrack
	Changes []int `json:"changes,omitempty"` // pairs of a slot and its value
}

// Stills returns frames for a script.
func (f *Recording) Stills(frames []Frame) []Still {
	b := NewBoard(f)
	var stills []Still
	for _, fr := range frames {
		var changes []int
		for _, c := range b.Advance(fr) {
			changes = append(changes, c.Slot, int(c.Value))
		}
		stills = append(stills, Still{b.Readout(fr), fr.Weight, fr.Branch, changes})
	}
	return stills
}

// symbols has the symbol before the text of an event, which resembles its shape
// on the grid.
var symbols = [...]string{
	classic.Assume:      "●",
	classic.Decide:      "●",
	classic.Propagate:   "►",
	classic.PureLiteral: "◊",
	classic.Conflict:    "×",
	classic.Backtrack:   "○",
	classic.Solution:    "■",
}

// caption returns the line about a frame.
func (f *Recording) caption(fr Frame) string {
	events := f.events[fr.from:fr.to]
	switch {
	case fr.closing:
		return f.closingCaption()
	case fr.omitted:
		nodes := 0
		for _, e := range events {
			if e.startsNode() {
				nodes++
			}
		}
		return fmt.Sprintf("… %s left out here", plural(nodes, "node"))
	case len(events) == 0:
		return fmt.Sprintf("the puzzle: %s", plural(f.Puzzle.Givens(), "given"))
	}
	return f.eventsCaption(events)
}

// eventsCaption returns the line about the events of a frame. It describes the first
// event that is not inferred, or the last event if all are inferred, and counts the
// others.
func (f *Recording) eventsCaption(events []event) string {
	lead := slices.IndexFunc(events, func(e event) bool { return !e.inferred() })
	if lead < 0 {
		lead = len(events) - 1
	}
	var also []string
	followed := 0
	for i, e := range events {
		switch {
		case i == lead:
		case e.inferred():
			followed++
		default:
			also = append(also, e.kind.String())
		}
	}
	e := events[lead]
	line := symbols[e.kind] + " " + f.eventText(e, followed == 0 && len(also) == 0)
	if followed > 0 {
		line += fmt.Sprintf(", and %d propagated", followed)
	}
	if len(also) > 0 {
		line += ", then " + strings.Join(also, ", ")
	}
	return line
}

// closingCaption returns the line about a search that ended without a solution.
func (f *Recording) closingCaption() string {
	switch {
	case f.Truncated:
		return fmt.Sprintf("■ cut off after %d events", len(f.events))
	case f.Status == dimacs.Unsatisfiable:
		return "■ no solution: all branches have failed"
	case f.Status == dimacs.Satisfiable:
		return "■ a model of the formula, but no solution"
	}
	return "■ the search was stopped"
}

// eventText returns the text of an event. With why it includes the reason of a
// propagation.
func (f *Recording) eventText(e event, why bool) string {
	switch e.kind {
	case classic.Decide, classic.Assume:
		return "decision: " + f.literalText(e.lit)
	case classic.Backtrack:
		return "backtrack: " + f.literalText(e.lit)
	case classic.PureLiteral:
		return "pure literal: " + f.literalText(e.lit)
	case classic.Conflict:
		return f.conflictText(e)
	case classic.Solution:
		return "solution"
	}
	if why {
		return f.literalText(e.lit) + ": " + f.reason(e)
	}
	return f.literalText(e.lit)
}

// literalText returns the statement of a literal.
func (f *Recording) literalText(l dimacs.Lit) string {
	candidate := f.candidates[l.Var()]
	if candidate < 0 {
		return fmt.Sprintf("auxiliary literal %v", l)
	}
	cell, digit := f.Puzzle.Rules.Split(int(candidate))
	is := "is"
	if l.Neg() {
		is = "is not"
	}
	return fmt.Sprintf("%s %s %d", f.Puzzle.Rules.CellName(cell), is, digit)
}

// A clauseKind is the Sudoku rule that a clause states.
type clauseKind int

const (
	otherClause clauseKind = iota
	unitClause             // one literal
	cellClause             // a cell has a digit
	houseClause            // a digit has a place in a house
	cellPair               // a cell does not have both digits
	digitPair              // two cells do not both have a digit
)

// classify returns the kind of a clause, and the house of a houseClause.
func (f *Recording) classify(clause []dimacs.Lit) (clauseKind, *sudoku.House) {
	r := f.Puzzle.Rules
	negative, sameCell, sameDigit := 0, true, true
	var cells []int
	for _, l := range clause {
		if f.candidates[l.Var()] < 0 {
			return otherClause, nil
		}
		if l.Neg() {
			negative++
		}
		cell, digit := r.Split(int(f.candidates[l.Var()]))
		firstCell, firstDigit := r.Split(int(f.candidates[clause[0].Var()]))
		sameCell, sameDigit = sameCell && cell == firstCell, sameDigit && digit == firstDigit
		cells = append(cells, cell)
	}
	switch {
	case len(clause) == 1:
		return unitClause, nil
	case negative == 0 && sameCell:
		return cellClause, nil
	case negative == 0 && sameDigit:
		if house := commonHouse(r, cells); house != nil {
			return houseClause, house
		}
	case negative == 2 && len(clause) == 2 && sameCell:
		return cellPair, nil
	case negative == 2 && len(clause) == 2 && sameDigit:
		return digitPair, nil
	}
	return otherClause, nil
}

// commonHouse returns the first house that contains all cells, or nil if there
// is no such house. Several houses can contain them only if the encoding
// propagates the givens.
func commonHouse(r *sudoku.Rules, cells []int) *sudoku.House {
	if len(cells) == 0 {
		return nil
	}
	for _, h := range r.HousesOf(cells[0]) {
		house := &r.Houses()[h]
		if !slices.ContainsFunc(cells, func(c int) bool { return !slices.Contains(house.Cells, c) }) {
			return house
		}
	}
	return nil
}

// reason returns the reason of a propagation, in terms of the rule that its clause
// states.
func (f *Recording) reason(e event) string {
	clause := f.formula.Clause(int(e.clause))
	kind, house := f.classify(clause)
	switch kind {
	case unitClause:
		if e.lit.Neg() {
			return "excluded"
		}
		return "given"
	case cellClause:
		return "no other digit is left"
	case houseClause:
		return "no other place in " + house.String()
	case cellPair, digitPair:
		other := clause[0]
		if other == e.lit {
			other = clause[1]
		}
		return f.literalText(other.Not())
	}
	return fmt.Sprintf("clause %d", e.clause+1)
}

// conflictText returns the text of a conflict: the rule that the falsified clause
// states.
func (f *Recording) conflictText(e event) string {
	if e.clause < 0 {
		return "conflict"
	}
	clause := f.formula.Clause(int(e.clause))
	if len(clause) == 0 {
		return "conflict: the givens contradict each other"
	}
	kind, house := f.classify(clause)
	if kind == otherClause {
		return fmt.Sprintf("conflict in clause %d", e.clause+1)
	}
	r := f.Puzzle.Rules
	cell, digit := r.Split(int(f.candidates[clause[0].Var()]))
	name := r.CellName(cell)
	if kind == cellClause {
		return fmt.Sprintf("conflict: no digit is left for %s", name)
	}
	if kind == houseClause {
		return fmt.Sprintf("conflict: no place for %d in %v", digit, house)
	}
	if kind == unitClause {
		return fmt.Sprintf("conflict: a unit clause requires that %s", f.literalText(clause[0]))
	}
	otherCell, otherDigit := r.Split(int(f.candidates[clause[1].Var()]))
	if kind == cellPair {
		return fmt.Sprintf("conflict: %s is both %d and %d", name, digit, otherDigit)
	}
	return fmt.Sprintf("conflict: %s and %s are both %d", name, r.CellName(otherCell), digit)
}

// maxPathLevels is the largest number of levels in the text of a path, which
// has the deepest levels.
const maxPathLevels = 26

// pathText returns the path from the root: one circle for each level, filled for a
// first branch and hollow for a second one.
func (b *Board) pathText() string {
	var line strings.Builder
	from := max(0, len(b.path)-maxPathLevels)
	if from > 0 {
		line.WriteString("…")
	}
	for _, second := range b.path[from:] {
		if second {
			line.WriteString("○")
		} else {
			line.WriteString("●")
		}
	}
	return line.String()
}

// CounterNames has the names of the counters of a [Readout].
var CounterNames = [...]string{"decisions", "backtracks", "conflicts", "propagations", "pure literals", "assigned"}

// counted has the kinds of events that the counters count, except for the last counter: it
// has the number of literals assigned.
var counted = [...]classic.Kind{classic.Decide, classic.Backtrack, classic.Conflict, classic.Propagate, classic.PureLiteral}

// plural returns a number with a noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
