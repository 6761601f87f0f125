package dimacs

import (
	"io"
	"slices"
	"strconv"
	"strings"
)

// Write writes f in DIMACS CNF: the comments, each line after "c", the header,
// and one clause a line. [Read] returns an equal formula for this output. The
// error is that of w.
func Write(w io.Writer, f *Formula, comments ...string) error {
	return write(w, "cnf", f, comments)
}

// head writes the comments and the header of a formula.
func (p *printer) head(format string, f *Formula, comments []string) {
	p.comments(comments)
	p.text("p ")
	p.text(format)
	p.text(" ")
	p.int(f.Vars())
	p.text(" ")
	p.int(f.Len())
	p.text("\n")
}

// write writes f with a header of the given format.
func write(w io.Writer, format string, f *Formula, comments []string) error {
	p := newPrinter(w)
	p.head(format, f, comments)
	for _, c := range f.Clauses() {
		p.lits(c)
	}
	return p.flush()
}

// A Note is a comment before a clause of a formula.
type Note struct {
	Clause int    // index of the clause, from 0; the number of clauses for a comment at the end
	Text   string // each line is written after "c"
}

// WriteNotes writes f like [Write], with notes between the clauses. Other solvers read
// such comments as well. It panics if the notes are not in the order of their clauses,
// or behind the end.
func WriteNotes(w io.Writer, f *Formula, notes []Note, comments ...string) error {
	inOrder := func(a, b Note) int { return a.Clause - b.Clause }
	if n := len(notes); n > 0 && (!slices.IsSortedFunc(notes, inOrder) || notes[0].Clause < 0 || notes[n-1].Clause > f.Len()) {
		panic("dimacs: the notes of a formula are out of order")
	}
	p := newPrinter(w)
	p.head("cnf", f, comments)
	for i, c := range f.Clauses() {
		notes = p.notes(notes, i)
		p.lits(c)
	}
	p.notes(notes, f.Len())
	return p.flush()
}

// notes writes the notes before a clause, and returns the others.
func (p *printer) notes(notes []Note, clause int) []Note {
	for len(notes) > 0 && notes[0].Clause == clause {
		p.comments([]string{notes[0].Text})
		notes = notes[1:]
	}
	return notes
}

// WriteScript writes s in the iCNF format, with comments as in [Write]. The comment
// "c p variables N" follows these if the formula has variables above the largest
// literal, so that [Reader.ReadScript] returns as many. WriteScript panics if the
// cubes are not in the order of their Clauses, or if a cube has more Clauses than
// the formula.
func WriteScript(w io.Writer, s *Script, comments ...string) error {
	inOrder := func(a, b Cube) int { return a.Clauses - b.Clauses }
	if n := len(s.Cubes); n > 0 &&
		(!slices.IsSortedFunc(s.Cubes, inOrder) || s.Cubes[0].Clauses < 0 || s.Cubes[n-1].Clauses > s.Formula.Len()) {
		panic("dimacs: the cubes of a script are out of order")
	}
	p := newPrinter(w)
	p.comments(comments)
	if n := s.Formula.Vars(); n > s.occurring() {
		p.text("c p variables ")
		p.int(n)
		p.text("\n")
	}
	p.text("p inccnf\n")
	cubes := s.Cubes
	for i, c := range s.Formula.Clauses() {
		cubes = p.cubes(cubes, i)
		p.lits(c)
	}
	p.cubes(cubes, s.Formula.Len())
	return p.flush()
}

// WriteSolution writes the comments as [Write] does, the line "s STATUS" and, if m is not nil, the true
// literals of m and a 0 on lines that begin with "v" and have at most 78 bytes.
// It leaves out unassigned variables. It panics if s is Unsatisfiable and m is
// not nil.
func WriteSolution(w io.Writer, s Status, m Model, comments ...string) error {
	if s == Unsatisfiable && m != nil {
		panic("dimacs: a model of an unsatisfiable formula")
	}
	p := newPrinter(w)
	p.comments(comments)
	p.text("s ")
	p.text(s.String())
	p.text("\n")
	if m != nil {
		p.model(m)
	}
	return p.flush()
}

const (
	// printLen is the number of bytes that a printer buffers.
	printLen = 64 << 10

	// lineLen is the maximum length of "v" lines.
	lineLen = 78
)

// A printer writes text through a buffer. After an error it writes nothing
// more.
type printer struct {
	w   io.Writer
	buf []byte
	err error
}

func newPrinter(w io.Writer) *printer {
	return &printer{w: w, buf: make([]byte, 0, printLen+64)}
}

// flush writes the buffer.
func (p *printer) flush() error {
	if p.err == nil && len(p.buf) > 0 {
		_, p.err = p.w.Write(p.buf)
	}
	p.buf = p.buf[:0]
	return p.err
}

// text writes s.
func (p *printer) text(s string) {
	p.buf = append(p.buf, s...)
	p.spill()
}

// int writes n.
func (p *printer) int(n int) {
	p.buf = strconv.AppendInt(p.buf, int64(n), 10)
	p.spill()
}

// spill flushes a full buffer. The buffer then has capacity for a number.
func (p *printer) spill() {
	if len(p.buf) >= printLen {
		p.flush()
	}
}

// comments writes each line of each text as a comment.
func (p *printer) comments(texts []string) {
	for _, text := range texts {
		for line := range strings.SplitSeq(text, "\n") {
			p.text("c")
			if line != "" {
				p.text(" ")
				p.text(line)
			}
			p.text("\n")
		}
	}
}

// lits writes the literals of a clause or a cube and ends the line.
func (p *printer) lits(c []Lit) {
	for _, l := range c {
		p.buf = append(strconv.AppendInt(p.buf, int64(l.Int()), 10), ' ')
		p.spill()
	}
	p.buf = append(p.buf, '0', '\n')
	p.spill()
}

// cubes writes the cubes before clause i and returns the rest of the cubes.
func (p *printer) cubes(cubes []Cube, i int) []Cube {
	for len(cubes) > 0 && cubes[0].Clauses == i {
		p.text("a ")
		p.lits(cubes[0].Lits)
		cubes = cubes[1:]
	}
	return cubes
}

// model writes the true literals of m on "v" lines.
func (p *printer) model(m Model) {
	p.text("v")
	column := 1
	number := func(n int) {
		var digits [16]byte
		d := strconv.AppendInt(digits[:0], int64(n), 10)
		if column+1+len(d) > lineLen {
			p.text("\nv")
			column = 1
		}
		p.buf = append(append(p.buf, ' '), d...)
		p.spill()
		column += 1 + len(d)
	}
	for v, x := range m {
		switch x {
		case True:
			number(v + 1)
		case False:
			number(-v - 1)
		}
	}
	number(0)
	p.text("\n")
}
