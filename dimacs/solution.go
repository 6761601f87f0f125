package dimacs

import "io"

// A Solution is what a solver says of a formula.
type Solution struct {
	Status   Status
	Model    Model // as far as the values say, up to the largest variable named
	HasModel bool  // whether there are values; an empty model has none to name
}

// words are the ways in which solvers write their answers: on the "s" line of
// the competitions, and alone on the first line as MiniSat does in its file
// and on its screen.
var words = []struct {
	word   string
	status Status
	line   bool // on an "s" line
}{
	{"SATISFIABLE", Satisfiable, true},
	{"UNSATISFIABLE", Unsatisfiable, true},
	{"UNKNOWN", Unknown, true},
	{"INDETERMINATE", Unknown, true},
	{"SAT", Satisfiable, false},
	{"UNSAT", Unsatisfiable, false},
	{"INDET", Unknown, false},
}

// ReadSolution reads a solver's answer in one of these forms:
//
//   - as in the competitions, a line "s SATISFIABLE", "s UNSATISFIABLE" or "s
//     UNKNOWN", and the literals that are true, on any number of lines that
//     begin with "v", with a 0 after the last;
//   - as in MiniSat's output file, SAT, UNSAT or INDET, and the literals on the
//     following lines, with a 0 after the last;
//   - either without the status, or without the literals: values alone claim
//     that they are a model.
//
// Comments are accepted anywhere. The values may be partial. An error is what
// is neither, a second status, a literal whose complement came before it,
// values that are not ended by 0 (accepted by a relaxed reader) or go on after
// it, values of what is unsatisfiable, and an input that says nothing.
//
// The model takes a byte for each variable up to the largest that is named.
func (r *Reader) ReadSolution(src io.Reader) (*Solution, error) {
	p := &solutionParser{
		scanner: newScanner(src, r.Name),
		repairs: repairs{relaxed: r.Relaxed, warn: r.Warn},
	}
	p.skipOrderMark()
	if err := p.parse(); err != nil {
		return nil, err
	}
	return &p.solution, nil
}

// A solutionParser reads one solution.
type solutionParser struct {
	scanner
	repairs
	solution Solution
	status   bool // a status was read
	ended    bool // the 0 after the values was read
	marked   bool // there are "v" lines
	bare     bool // there are values on other lines
	onValues int  // the line that began with "v" last
	first    mark // of the values
}

// parse reads tokens up to the end.
func (p *solutionParser) parse() error {
	line := 0 // of the token before
	for {
		c, err := p.next()
		switch {
		case err != nil:
			return err
		case c == eof:
			return p.end()
		case c == 'c':
			p.skipLine()
		case c == '-' || '0' <= c && c <= '9':
			err = p.value()
		default:
			err = p.keyword(p.mark.line > line)
		}
		if err != nil {
			return err
		}
		line = p.mark.line
	}
}

// keyword reads the word at the mark, which may be the first of its line.
func (p *solutionParser) keyword(first bool) error {
	word := p.word()
	switch {
	case !first:
		return p.errorf("%s is not a number", p.quoted())
	case word == "v":
		return p.valueLine()
	case word == "s":
		if c := p.gap(); c == '\n' || c == '\r' || c == eof {
			return p.errorf("no answer after s")
		}
		word = p.word()
		if err := p.setStatus(word, true); err != nil {
			return err
		}
		if c := p.gap(); c != '\n' && c != '\r' && c != eof {
			p.word()
			return p.errorf("%s after the answer", p.quoted())
		}
		return nil
	}
	return p.setStatus(word, false)
}

// setStatus takes the answer in the word that was read last.
func (p *solutionParser) setStatus(word string, line bool) error {
	for _, w := range words {
		if w.word != word || line && !w.line {
			continue
		}
		if p.status {
			return p.errorf("a second answer, %s", p.quoted())
		}
		p.status, p.solution.Status = true, w.status
		return nil
	}
	return p.errorf("%s is not an answer", p.quoted())
}

// valueLine begins a "v" line.
func (p *solutionParser) valueLine() error {
	if p.bare {
		return p.errorf("values on a line with v after values on lines without")
	}
	p.marked, p.onValues = true, p.mark.line
	p.hasValues()
	return nil
}

// hasValues notes that there are values.
func (p *solutionParser) hasValues() {
	if !p.solution.HasModel {
		p.solution.HasModel, p.solution.Model, p.first = true, Model{}, p.mark
	}
}

// value reads the number at the mark: a literal, or the 0 that ends them.
func (p *solutionParser) value() error {
	n, neg, err := p.number()
	switch {
	case err != nil:
		return err
	case n == 0 && neg:
		return p.errorf("%s is not a literal", p.quoted())
	case n > MaxVars:
		return p.errorf("literal %s is above the limit of %d variables", p.quoted(), MaxVars)
	case p.marked && p.onValues != p.mark.line:
		return p.errorf("%s on a line that does not begin with v", p.quoted())
	case p.ended:
		return p.errorf("%s after the 0 that ends the values", p.quoted())
	}
	if !p.marked {
		p.bare = true
	}
	p.hasValues()
	if n == 0 {
		p.ended = true
		return nil
	}
	l := Lit(n-1) << 1
	if neg {
		l |= 1
	}
	return p.set(l)
}

// set makes l true in the model.
func (p *solutionParser) set(l Lit) error {
	m := &p.solution.Model
	if v := int(l.Var()); v >= len(*m) {
		*m = m.grown(v + 1)
	}
	if m.Lit(l) == False {
		return p.errorf("literal %s after its complement", p.text)
	}
	m.Set(l)
	return nil
}

// grown returns m with n variables. Memory that was never written to is not
// touched, so that a single high variable costs little.
func (m Model) grown(n int) Model {
	if n <= cap(m) {
		return m[:n]
	}
	g := make(Model, n, max(n, min(2*cap(m), MaxVars)))
	copy(g, m)
	return g
}

// end is called at the end of the input.
func (p *solutionParser) end() error {
	s := &p.solution
	if s.HasModel && !p.ended {
		if err := p.forgive(noLastZero, p.errorAt(p.mark, "the values are not ended by 0")); err != nil {
			return err
		}
	}
	switch {
	case !p.status && !s.HasModel:
		return p.errorf("neither an answer nor values")
	case !p.status:
		s.Status = Satisfiable
	case s.Status == Unsatisfiable && s.HasModel:
		return p.errorAt(p.first, "values of what is unsatisfiable")
	}
	return nil
}
