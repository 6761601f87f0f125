package service

import (
	"bytes"
	"errors"
	"slices"
	"sync"

	"sator/dimacs"
)

// The page of formulas: it loads a formula, solves it, and downloads what belongs to it.

// formulaHandlers returns the operations on formulas. The service keeps the formula that
// was loaded last.
func formulaHandlers() Handlers {
	f := &formulas{}
	return Handlers{
		"source.text":   handle(sourceText),
		"formula.load":  handle(f.load),
		"formula.text":  handle(f.text),
		"formula.solve": handle(f.solve),
		"formula.check": handle(f.check),
		"formula.core":  handle(f.core),
		"formula.model": handle(f.solution),
		"formula.proof": handle(f.download),
	}
}

// formulas is the state of the page of formulas.
type formulas struct {
	mu      sync.Mutex // held for the fields below, never during work
	current *loaded    // the last formula that was loaded, or nil
	solved  *solved    // its last run, or nil
	busy    bool       // an operation that replaces or needs them is going on
}

// errNotLoaded is the error of operations on the current formula without one.
var errNotLoaded = errors.New("no formula is loaded")

// errBusy is the error of an operation while another one is going on.
var errBusy = errors.New("another operation on the formula is going on")

// begin starts an operation that nothing else may disturb, and returns the formula and its
// last run, which may be nil. The operation calls end.
func (f *formulas) begin() (*loaded, *solved, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.busy {
		return nil, nil, errBusy
	}
	f.busy = true
	return f.current, f.solved, nil
}

// end ends an operation and stores its results.
func (f *formulas) end(l *loaded, run *solved) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.current, f.solved, f.busy = l, run, false
}

// last returns the formula and its last run, which may be nil. They are not changed any
// more.
func (f *formulas) last() (*loaded, *solved) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.current, f.solved
}

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
	if _, _, err := f.begin(); err != nil {
		return nil, err
	}
	var current *loaded
	defer func() { f.end(current, nil) }()
	l, err := in.load(c)
	if err != nil {
		return nil, err
	}
	current = l
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

// textLimit is the largest size in literals of a formula that a page shows as text.
const textLimit = 100_000

// sourceText returns the summary of a formula, and attaches it in DIMACS CNF unless it is too
// large to be shown.
func sourceText(c *Call, in Source) (*Summary, error) {
	l, err := in.load(c)
	if err != nil {
		return nil, err
	}
	s := summarize(l)
	if s.Literals+s.Clauses > textLimit {
		return s, nil
	}
	text, err := textOf(l)
	c.Attach(text)
	return s, err
}

// text attaches the current formula in DIMACS CNF.
func (f *formulas) text(c *Call, _ struct{}) (string, error) {
	l, _ := f.last()
	if l == nil {
		return "", errNotLoaded
	}
	text, err := textOf(l)
	c.Attach(text)
	return "", err
}

func textOf(l *loaded) ([]byte, error) {
	var b bytes.Buffer
	err := dimacs.Write(&b, l.formula, slices.Concat(l.comments, l.names.Comments())...)
	return b.Bytes(), err
}
