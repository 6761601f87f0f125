package service

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"sator/dimacs"
	"sator/internal/families"
)

// A Source describes the formula of a request: a text in DIMACS CNF, a generated formula of
// a family, or, if both are empty, the attachment of the request. Texts are read as the
// command "sator solve --relaxed" does: a missing header is no error.
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
}

// load returns the formula of a source. Syntax errors have positions.
func (s *Source) load(c *Call) (*loaded, error) {
	if s.Family != "" {
		return s.generate(c)
	}
	var src io.Reader = bytes.NewReader(c.Attachment)
	switch {
	case s.Text != "" && len(c.Attachment) > 0:
		return nil, errors.New("a text and a file are two formulas")
	case s.Text != "":
		src = strings.NewReader(s.Text)
	case len(c.Attachment) == 0:
		return nil, errors.New("no formula: paste a text in DIMACS CNF, open a file or choose a family")
	}
	l := &loaded{}
	r := dimacs.Reader{Relaxed: true, Warn: func(e *dimacs.SyntaxError) { l.warnings = append(l.warnings, e.Error()) }}
	var err error
	l.formula, err = r.Read(&yieldingReader{src, c})
	return l, err
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
	return &loaded{formula: inst.Formula, answer: inst.Answer, comments: inst.Comments}, nil
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
