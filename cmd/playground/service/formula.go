package service

import (
	"bytes"
	"errors"
	"strconv"

	"sator/dimacs"
)

// The page of formulas: it loads a formula, solves it, and downloads what belongs to it.

// formulaHandlers returns the operations on formulas. The service keeps the formula that
// was loaded last.
func formulaHandlers() Handlers {
	f := &formulas{}
	return Handlers{
		"formula.load": handle(f.load),
		"formula.text": handle(f.text),
	}
}

// formulas is the state of the page of formulas.
type formulas struct {
	current *loaded // the last formula that was loaded, or nil
}

// errNotLoaded is the error of operations on the current formula without one.
var errNotLoaded = errors.New("no formula is loaded")

// A Summary describes a loaded formula.
type Summary struct {
	Vars     int      `json:"vars"`
	Clauses  int      `json:"clauses"`
	Literals int      `json:"literals"`
	Sizes    []int    `json:"sizes"` // clauses with 0, 1, 2, ... 9, and with 10 and more literals
	Answer   string   `json:"answer,omitempty"`
	Comments []string `json:"comments,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// load loads a formula and returns its summary. After an error there is no current formula.
func (f *formulas) load(c *Call, in Source) (*Summary, error) {
	f.current = nil
	l, err := in.load(c)
	if err != nil {
		return nil, err
	}
	f.current = l
	return summarize(l), nil
}

// summarize returns the summary of a formula, in time linear in its clauses.
func summarize(l *loaded) *Summary {
	s := &Summary{Vars: l.formula.Vars(), Clauses: l.formula.Len(), Literals: l.formula.Size(), Comments: l.comments, Warnings: l.warnings}
	s.Sizes = make([]int, 11)
	for _, c := range l.formula.Clauses() {
		s.Sizes[min(len(c), 10)]++
	}
	if l.answer != dimacs.Unknown {
		s.Answer = l.answer.String()
	}
	return s
}

// text attaches the current formula in DIMACS CNF, and returns its length.
func (f *formulas) text(c *Call, _ struct{}) (string, error) {
	if f.current == nil {
		return "", errNotLoaded
	}
	var b bytes.Buffer
	if err := dimacs.Write(&b, f.current.formula, f.current.comments...); err != nil {
		return "", err
	}
	c.Attach(b.Bytes())
	return strconv.Itoa(b.Len()), nil
}
