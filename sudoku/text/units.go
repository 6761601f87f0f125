package text

import (
	"bytes"
	"math"
	"strings"

	"sator/sudoku"
)

// Unit clauses in DIMACS: a true candidate is a given, a false one is excluded.
// Longer clauses are not read, so that a formula with the rules and the givens
// is read as the puzzle. A warning tells of clauses that are not among the rules, and of
// headers with another number of clauses.
//
// Comments written by [sudoku.Map] define the variables. Without such comments
// the number of variables in the header defines them: n*n*n selects the
// numbering without gaps, and the largest concatenation of row, column and
// digit (999 for size 9, or 16,16,16 in base 17 for size 16) selects
// concatenation. With any other header the reader tries concatenation for size
// 9 and then for size 16, or for the size that is stated.
//
// A formula extends to the end of the input or to the next formula. Files of
// rules and files of givens are often concatenated, each with its header.
// Therefore a new puzzle begins only where unit clauses follow a header and
// there were unit clauses before that header. A header with 0 clauses is an
// empty puzzle.

// units is the state of reading a formula.
type units struct {
	begun    bool
	line     line
	section          // the current section
	next     section // a section after the unit clauses of the puzzle
	more     bool    // next is set
	found    []unit
	clause   []unit       // the literals read of the current clause, at most mostLiterals
	m        *variableMap // the map for longer clauses; nil before the first one
	others   int          // number of longer clauses that are no rules of the puzzle
	other    int          // the line of the first one
	finished bool         // after a line "%", which ends the formula in some collections
}

// A section is a header with the comments before it.
type section struct {
	variables int // 0 without a header
	announced int // number of clauses in the headers
	clauses   int // number of clauses
	empty     bool
	headed    bool
	comments  []string
}

// A unit is a literal and its position.
type unit struct {
	literal int64
	symbol  symbol // its position; the other fields are unused
}

// mostLiterals limits the length of clauses that are compared with the rules.
const mostLiterals = sudoku.MaxSize + 1

// leastRcd is the least variable of concatenated row, column and digit.
const leastRcd = 111

// beginsUnits reports whether a line belongs to a formula. Within a formula
// this holds for every line, except that comments alone are no formula.
func (r *Reader) beginsUnits(l line) bool {
	text := bytes.TrimSpace(l.text)
	switch u := &r.units; {
	case bytes.HasPrefix(text, []byte("p cnf")):
		return true
	case u.begun && (u.headed || len(u.found) > 0 || len(u.clause) > 0 || isClause(text)):
		return true
	}
	if len(text) > 0 && text[0] == 'c' && (len(text) == 1 || text[1] == ' ' || text[1] == '\t') {
		return !r.isLetters(l)
	}
	words := strings.Fields(string(text[:min(len(text), 40)]))
	if len(words) != 2 || words[1] != "0" {
		return false
	}
	n, ok := integer([]byte(words[0]))
	return ok && (n >= leastRcd || n <= -leastRcd)
}

// isClause reports whether a line is a clause. A clause can follow comments
// without a header.
func isClause(text []byte) bool {
	words := bytes.Fields(text)
	for i, word := range words {
		if n, ok := integer(word); !ok || (n == 0) != (i == len(words)-1) {
			return false
		}
	}
	return true
}

// isLetters reports whether a line that begins with c is a row of letters.
func (r *Reader) isLetters(l line) bool {
	var w row
	w.scan(l)
	return w.bad < 0 && len(w.tokens) >= minRow && len(w.tokens) == len(w.symbols)
}

// integer parses a number with an optional minus sign.
func integer(word []byte) (int64, bool) {
	digits := bytes.TrimPrefix(word, []byte("-"))
	n := int64(0)
	for _, c := range digits {
		if c < '0' || c > '9' || n > math.MaxInt32 {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	if len(digits) < len(word) {
		n = -n
	}
	return n, len(digits) > 0
}

// readUnits reads a line of a formula. It returns the previous puzzle if the
// line begins the next one.
func (r *Reader) readUnits(l line) (*Puzzle, error) {
	u := &r.units
	if !u.begun {
		u.begun, u.line = true, line{nil, l.number, l.offset}
	}
	text := bytes.TrimSpace(l.text)
	switch {
	case len(text) == 0:
		return nil, nil
	case text[0] == 'c' && (len(text) == 1 || text[1] == ' ' || text[1] == '\t'):
		r.unitsComment(string(bytes.TrimSpace(text[1:])))
		return nil, nil
	case text[0] == 'p':
		return r.afterLast(l, r.unitsHeader)
	case u.finished:
		if string(text) != "0" {
			r.warnOnce(l.number, "lines behind %% in a formula are not read")
		}
		return nil, nil
	}
	return r.afterLast(l, r.unitsClauses)
}

// afterLast reads a header or clauses. If they are invalid and the formula before them
// is complete, it returns the puzzle of that formula; Next returns the error then.
func (r *Reader) afterLast(l line, read func(line) (*Puzzle, error)) (*Puzzle, error) {
	complete := len(r.units.found) > 0 && len(r.units.clause) == 0
	p, err := read(l)
	if err == nil || r.skipRest == nil || !complete || !r.units.more && l.text[0] != 'p' {
		return p, err
	}
	r.units.clause = nil
	r.pending = append(r.pending, result{nil, err, r.skipRest})
	r.skipRest = nil
	return r.endUnits()
}

// unitsComment stores a comment that defines the variables.
func (r *Reader) unitsComment(text string) {
	if strings.HasPrefix(text, "sudoku ") {
		s := r.units.openSection()
		s.comments = append(s.comments, text)
	}
}

// openSection returns the section that a comment or a header belongs to. It
// begins a new section after a header or a clause.
func (u *units) openSection() *section {
	switch {
	case u.more && !u.next.headed:
		return &u.next
	case !u.more && !u.headed && len(u.found) == 0:
		return &u.section
	}
	u.next, u.more = section{}, true
	return &u.next
}

// unitsHeader reads a "p cnf" line.
func (r *Reader) unitsHeader(l line) (*Puzzle, error) {
	u := &r.units
	words := bytes.Fields(l.text)
	if len(words) != 4 || string(words[1]) != "cnf" {
		r.skipRest = r.skipFormula
		return nil, r.in.at(l, 0, "%s: want \"p cnf\", the number of variables and the number of clauses", quoted(l.text))
	}
	variables, ok1 := integer(words[2])
	clauses, ok2 := integer(words[3])
	if !ok1 || !ok2 || variables < 0 || clauses < 0 {
		r.skipRest = r.skipFormula
		return nil, r.in.at(l, 0, "%s: want the number of variables and the number of clauses", quoted(l.text))
	}
	s := u.openSection()
	s.headed, s.variables, s.empty, s.announced = true, int(variables), clauses == 0, int(clauses)
	u.finished = false
	if s == &u.next && (s.empty || u.empty) {
		return r.nextUnits(l)
	}
	return nil, nil
}

// nextUnits returns the puzzle that ends before a line, and begins the next
// one.
func (r *Reader) nextUnits(l line) (*Puzzle, error) {
	next := r.units.next
	p, err := r.endUnits()
	r.units.begun, r.units.line, r.units.section = true, line{nil, l.number, l.offset}, next
	return p, err
}

// unitsClauses reads a line of clauses. The literals of a clause can be on
// several lines.
func (r *Reader) unitsClauses(l line) (*Puzzle, error) {
	u := &r.units
	var ended *Puzzle
	var failed error // of the puzzle before the clauses
	for i := 0; i < len(l.text); {
		if c := l.text[i]; c == ' ' || c == '\t' {
			i++
			continue
		}
		from := i
		for i < len(l.text) && l.text[i] != ' ' && l.text[i] != '\t' {
			i++
		}
		n, ok := integer(l.text[from:i])
		switch {
		case !ok:
			r.skipRest = r.skipFormula
			return nil, r.in.at(l, from, "invalid literal %s", quoted(l.text[from:i]))
		case n != 0 && len(u.clause) < mostLiterals:
			u.clause = append(u.clause, unit{n, symbol{line: int32(l.number), column: int32(l.offset + from + 1)}})
		}
		if n != 0 {
			continue
		}
		if len(u.clause) == 1 && u.more && len(u.found) > 0 {
			clause := u.clause[0]
			u.clause = u.clause[:0]
			ended, failed = r.nextUnits(l)
			u.clause = append(u.clause, clause)
		}
		if len(u.clause) == 1 {
			u.mergeNext()
			u.found = append(u.found, u.clause[0])
		} else {
			r.compareClause(l)
		}
		if u.more {
			u.next.clauses++
		} else {
			u.clauses++
		}
		u.clause = u.clause[:0]
	}
	return ended, failed
}

// mergeNext merges the next section into the current one. The current section
// has no unit clause, so it contains the rules.
func (u *units) mergeNext() {
	if !u.more {
		return
	}
	u.variables = max(u.variables, u.next.variables)
	u.announced, u.clauses = u.announced+u.next.announced, u.clauses+u.next.clauses
	u.comments = append(u.comments, u.next.comments...)
	u.next, u.more = section{headed: u.next.headed}, false
}

// endUnits ends the formula and returns its puzzle, or nil if there was no
// formula.
func (r *Reader) endUnits() (*Puzzle, error) {
	u := r.units
	r.units = units{}
	if len(u.clause) > 0 {
		s := u.clause[0].symbol
		return nil, r.in.errorf(int(s.line), int(s.column), "the last clause does not end in 0")
	}
	announced, clauses := u.announced, u.clauses
	if u.more {
		announced, clauses = announced+u.next.announced, clauses+u.next.clauses
	}
	if u.headed && announced != clauses {
		r.warnf(u.line.number, "the header of the formula says %d clauses, there are %d", announced, clauses)
	}
	if u.others > 0 {
		r.warnf(u.other, "%d clauses of the formula are no rules of the puzzle and not read, the first one in this line", u.others)
	}
	if u.headed || len(u.found) > 0 || len(u.comments) > 0 {
		return r.unitsPuzzle(&u)
	}
	return nil, nil
}

// unitsPuzzle makes a puzzle of the unit clauses.
func (r *Reader) unitsPuzzle(u *units) (*Puzzle, error) {
	m, err := r.unitsMap(u)
	if err != nil {
		return nil, err
	}
	p := r.newScattered(m.rules, u.line, "units")
	copy(p.Cells, m.given)
	for _, x := range u.found {
		candidate, ok := m.candidate(x.literal)
		if !ok {
			if m.hasOthers {
				r.warnOnce(int(x.symbol.line), "a unit clause of a variable that is no candidate is not read")
				continue
			}
			return nil, r.in.errorf(int(x.symbol.line), int(x.symbol.column), "literal %d is no candidate: want variables such as %s", x.literal, m.expected)
		}
		cell, digit := m.rules.Split(candidate)
		if x.literal > 0 {
			if err := r.setGiven(p, cell, digit, x.symbol); err != nil {
				return nil, err
			}
			continue
		}
		p.Exclude(candidate)
	}
	return p, nil
}
