package service

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"sator/dimacs"
	"sator/dimacs/circuit"
	"sator/internal/families"
)

// A Source describes the formula of a request: a text in DIMACS CNF or of Boolean formulas
// such as "door -> !(motor | brake)", a generated formula of a family, or, if both are empty, the
// attachment of the request. Texts are read as the command "sator solve --relaxed" does: a missing
// header is no error.
type Source struct {
	Text   string             `json:"text,omitempty"`
	Family string             `json:"family,omitempty"` // a name of families.Families
	Values map[string]float64 `json:"values,omitempty"` // parameters; missing ones have their defaults
	Seed   uint64             `json:"seed,omitempty"`
}

// A loaded formula has what a page shows about it.
type loaded struct {
	formula  *dimacs.Formula
	answer   dimacs.Status // by construction, or Unknown
	comments []string      // of a generated formula
	warnings []string      // about mistakes in a text

	names      *dimacs.Names
	statements *circuit.Graph // of a text of Boolean formulas; nil for DIMACS
}

// load returns the formula of a source. Syntax errors have positions.
func (s *Source) load(c *Call) (*loaded, error) {
	if s.Family != "" {
		return s.generate(c)
	}
	text := c.Attachment
	switch {
	case s.Text != "" && len(text) > 0:
		return nil, errors.New("a text and a file are two formulas")
	case s.Text != "":
		text = []byte(s.Text)
	case len(text) == 0:
		return nil, errors.New("no formula: paste a text, open a file or choose a family")
	}
	if circuit.AreExpressions(text) {
		return loadExpressions(text)
	}
	l := &loaded{names: new(dimacs.Names)}
	r := dimacs.Reader{Relaxed: true, Names: l.names, Warn: func(e *dimacs.SyntaxError) { l.warnings = append(l.warnings, e.Error()) }}
	var err error
	if l.formula, err = r.Read(&yieldingReader{bytes.NewReader(text), c}); err == nil {
		return l, nil
	}
	// Comments that look like names and are none are no error.
	l.names, l.warnings, r.Names = new(dimacs.Names), []string{err.Error()}, nil
	l.formula, err = r.Read(&yieldingReader{bytes.NewReader(text), c})
	return l, err
}

// loadExpressions returns the clauses of Boolean formulas. The variables that they name are the
// first ones.
func loadExpressions(text []byte) (*loaded, error) {
	g, err := circuit.ReadExpressions(bytes.NewReader(text), "")
	if err != nil {
		return nil, err
	}
	l := &loaded{formula: dimacs.NewFormula(0), statements: g}
	l.names, err = g.EncodeStatements(l.formula)
	return l, err
}

// falsified returns an error if a model falsifies a statement or a clause.
func (l *loaded) falsified(m dimacs.Model) error {
	if i := m.Falsified(l.formula); i >= 0 {
		return fmt.Errorf("this is an error of Sator itself: the model falsifies clause %d", i+1)
	}
	if l.statements == nil {
		return nil
	}
	if i := l.statements.FalseStatement(m); i >= 0 {
		return fmt.Errorf("this is an error of Sator itself: the model falsifies statement %d", i+1)
	}
	return nil
}

// generate returns a formula of a family.
func (s *Source) generate(c *Call) (*loaded, error) {
	if s.Text != "" || len(c.Attachment) > 0 {
		return nil, errors.New("a text and a family are two formulas")
	}
	family, ok := families.Find(s.Family)
	if !ok {
		return nil, fmt.Errorf("unknown family %q", s.Family)
	}
	inst, err := family.Make(s.Values, s.Seed)
	if err != nil {
		return nil, err
	}
	return &loaded{formula: inst.Formula, names: new(dimacs.Names), answer: inst.Answer, comments: inst.Comments}, nil
}

// A yieldingReader lets messages in between the blocks of an input, and fails when the
// request is canceled.
type yieldingReader struct {
	src  io.Reader
	call *Call
}

func (r *yieldingReader) Read(p []byte) (int, error) {
	if r.call.Yield() {
		return 0, r.call.Ctx.Err()
	}
	return r.src.Read(p)
}
