package dimacs

import (
	"io"

	"sator/dimacs/internal/scan"
)

// A Solution is the output of a solver for a formula.
type Solution struct {
	Status   Status
	Model    Model // the values, up to the largest variable in them
	HasModel bool  // whether there is a model, which may have no values
}

// words lists the answers as solvers write them: on the "s" line of the
// competitions, or alone on the first line as in the output file and on the
// screen of MiniSat.
var words = []struct {
	word   string
	status Status
	line   bool // allowed on an "s" line
}{
	{"SATISFIABLE", Satisfiable, true},
	{"UNSATISFIABLE", Unsatisfiable, true},
	{"UNKNOWN", Unknown, true},
	{"INDETERMINATE", Unknown, true},
	{"SAT", Satisfiable, false},
	{"UNSAT", Unsatisfiable, false},
	{"INDET", Unknown, false},
}

// ReadSolution reads the answer of a solver in one of these forms:
//
//   - the output format of the competitions: a line "s SATISFIABLE", "s
//     UNSATISFIABLE" or "s UNKNOWN", and the true literals on any number of
//     lines that begin with "v", with a 0 after the last literal;
//   - the output file of MiniSat: SAT, UNSAT or INDET, and the literals on the
//     following lines, with a 0 after the last literal;
//   - either form without the answer, which is then Satisfiable, or without the
//     literals.
//
// Comments may be anywhere. The values may be partial. Errors are text of
// another form, a second answer, a literal after its complement, values without
// a 0 at their end (a relaxed reader accepts that) or with numbers after it,
// values with the answer Unsatisfiable, and an input without answer and values.
//
// The model takes a byte for each variable up to the largest one in the values.
func (r *Reader) ReadSolution(src io.Reader) (*Solution, error) {
	p := &solutionParser{
		scanner: r.newScanner(src),
		repairs: repairs{relaxed: r.Relaxed, warn: r.Warn},
	}
	p.SkipOrderMark()
	p.memory = r.Memory
	if err := p.cause(catchRefusal(p.parse)); err != nil {
		return nil, err
	}
	return &p.solution, nil
}

// A solutionParser reads one solution.
type solutionParser struct {
	scanner
	repairs
	solution Solution
	memory   MemoryLimit
	status   bool      // the answer was read
	ended    bool      // the 0 after the values was read
	marked   bool      // there are "v" lines
	bare     bool      // there are values on other lines
	onValues int       // the number of the latest "v" line
	first    scan.Mark // the position of the first value
}

// parse reads tokens up to the end.
func (p *solutionParser) parse() error {
	line := 0 // of the previous token
	for {
		c, err := p.next()
		switch {
		case err != nil:
			return err
		case c == scan.EOF:
			return p.end()
		case c == 'c':
			p.comment()
		case c == '-' || '0' <= c && c <= '9':
			err = p.value()
		default:
			err = p.keyword(p.Mark.Line > line)
		}
		if err != nil {
			return err
		}
		line = p.Mark.Line
	}
}

// keyword reads the word at the mark. first reports whether it is the first
// word of its line.
func (p *solutionParser) keyword(first bool) error {
	word := p.Word()
	switch {
	case !first:
		return p.errorf("%s is not a number", p.Quoted())
	case word == "v":
		return p.valueLine()
	case word == "s":
		if c := p.Gap(); c == '\n' || c == '\r' || c == scan.EOF {
			return p.errorf("no answer after s")
		}
		word = p.Word()
		if err := p.setStatus(word, true); err != nil {
			return err
		}
		if c := p.Gap(); c != '\n' && c != '\r' && c != scan.EOF {
			p.ReadWord()
			return p.errorf("%s after the answer", p.Quoted())
		}
		return nil
	}
	return p.setStatus(word, false)
}

// setStatus sets the answer to the one that word stands for. line reports
// whether it is on an "s" line.
func (p *solutionParser) setStatus(word string, line bool) error {
	for _, w := range words {
		if w.word != word || line && !w.line {
			continue
		}
		if p.status {
			return p.errorf("a second answer, %s", p.Quoted())
		}
		p.status, p.solution.Status = true, w.status
		return nil
	}
	return p.errorf("%s is not an answer", p.Quoted())
}

// valueLine begins a "v" line.
func (p *solutionParser) valueLine() error {
	if p.bare {
		return p.errorf("values on a line with v after values on lines without")
	}
	p.marked, p.onValues = true, p.Mark.Line
	p.hasValues()
	return nil
}

// hasValues records that the solution has values.
func (p *solutionParser) hasValues() {
	if !p.solution.HasModel {
		p.solution.HasModel, p.solution.Model, p.first = true, Model{}, p.Mark
	}
}

// value reads the number at the mark: a literal, or the 0 after the last
// literal.
func (p *solutionParser) value() error {
	n, neg, err := p.number()
	switch {
	case err != nil:
		return err
	case n == 0 && neg:
		return p.errorf("%s is not a literal", p.Quoted())
	case n > MaxVars:
		return p.errorf("literal %s is above the limit of %d variables", p.Quoted(), MaxVars)
	case p.marked && p.onValues != p.Mark.Line:
		return p.errorf("%s on a line that does not begin with v", p.Quoted())
	case p.ended:
		return p.errorf("%s after the 0 that ends the values", p.Quoted())
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
		*m = m.grown(v+1, p.memory)
	}
	if m.Lit(l) == False {
		return p.errorf("literal %s after its complement", p.Text)
	}
	m.Set(l)
	return nil
}

// grown returns m with n variables, within a memory limit. It does not write to memory beyond m, so
// that a single high variable costs little physical memory.
func (m Model) grown(n int, limit MemoryLimit) Model {
	if n <= cap(m) {
		return m[:n]
	}
	g := make(Model, n, limit.Capacity(n, max(n, min(2*cap(m), MaxVars)), 1))
	copy(g, m)
	return g
}

// end checks the solution at the end of the input.
func (p *solutionParser) end() error {
	s := &p.solution
	if s.HasModel && !p.ended {
		if err := p.forgive(noLastZero, p.errorAt(p.Mark, "the values are not ended by 0")); err != nil {
			return err
		}
	}
	switch {
	case !p.status && !s.HasModel:
		return p.errorf("neither an answer nor values")
	case !p.status:
		s.Status = Satisfiable
	case s.Status == Unsatisfiable && s.HasModel:
		return p.errorAt(p.first, "values for an unsatisfiable formula")
	}
	return nil
}
