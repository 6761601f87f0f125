package circuit

import (
	"fmt"
	"io"
	"strconv"

	"sator/dimacs"
	"sator/dimacs/internal/scan"
)

// AIGER files, versions 1.0 and 1.9 (Biere, "The AIGER And-Inverter Graph (AIG) Format",
// 2007; Biere, Heljanko and Wieringa, "AIGER 1.9 and beyond", 2011). Both begin with the
// numbers of variables, inputs, latches, outputs, gates and, since 1.9, bad states,
// constraints, justice properties and fairness constraints:
//
//	aag 3 2 0 1 1     the ASCII form: a half adder's carry
//	2                 an input, the variable 1
//	4
//	6                 an output
//	6 4 2             the gate 6 is the conjunction of 4 and 2
//	i0 x              optional names
//	c                 a comment up to the end of the file
//
// In the binary form, which begins with aig, inputs are not listed, latches have no left side,
// and a gate, whose inputs come before it, is two differences in groups of 7 bits. Justice
// and fairness are about infinite executions, which no bound decides; such files are refused.

// A section of an AIGER file.
type section int

const (
	inputs section = iota
	latches
	outputs
	ands
	bad
	constraints
	justice
	fairness
	sections
)

// An aigerReader is the state of ReadAIGER.
type aigerReader struct {
	scan.Scanner
	name   string
	binary bool
	most   uint64 // the highest variable of the header
	count  [sections]uint64

	g       *Graph
	signals map[uint64]Signal // of variables, in the ASCII form
	listed  []Signal          // of variables, in the binary form
	gates   map[uint64]*gate  // by variable, in the ASCII form
	order   []reference       // the gates as they come
	next    []reference       // of latches
	ports   [sections][]reference
}

// A gate is an AND gate as read.
type gate struct {
	a, b reference
	open bool // its inputs are on the stack of build
}

// A reference is a literal that may be defined further down.
type reference struct {
	lit  uint64
	mark scan.Mark
}

// ReadAIGER reads a circuit in the ASCII or the binary form. Errors of the format are of type
// [*dimacs.SyntaxError], with the line and column, or the offset among the gates of the
// binary form; name is the file in them.
func ReadAIGER(src io.Reader, name string) (*Graph, error) {
	r := &aigerReader{Scanner: scan.New(src), name: name, g: New(), signals: map[uint64]Signal{}, gates: map[uint64]*gate{}}
	err := r.read()
	if broken := r.Err(); err != nil && broken != nil {
		err = broken
	}
	if err != nil {
		return nil, err
	}
	return r.g, nil
}

func (r *aigerReader) read() error {
	steps := []func() error{r.header, r.inputs, r.latches, r.listing(outputs), r.listing(bad), r.listing(constraints), r.readGates, r.connect, r.symbols}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return r.Err()
}

// errorf returns an error at the mark.
func (r *aigerReader) errorf(format string, args ...any) error {
	return r.errorAt(r.Mark, format, args...)
}

func (r *aigerReader) errorAt(m scan.Mark, format string, args ...any) error {
	e := &dimacs.SyntaxError{File: r.name, Line: m.Line, Col: m.Col, Msg: fmt.Sprintf(format, args...)}
	if m.Line == 0 {
		e.Msg = fmt.Sprintf("byte %d: %s", r.Offset(), e.Msg)
	}
	return e
}

// header reads the first line.
func (r *aigerReader) header() error {
	r.Gap()
	switch word := r.Word(); word {
	case "aag":
	case "aig":
		r.binary = true
	default:
		return r.errorf("%s is not aag or aig", r.Quoted())
	}
	numbers := []*uint64{&r.most}
	for i := range r.count {
		numbers = append(numbers, &r.count[i])
	}
	for i, n := range numbers {
		if i > int(ands)+1 && r.atEnd() {
			break
		}
		if err := r.number(n, maxNode); err != nil {
			return err
		}
	}
	if r.count[justice] > 0 || r.count[fairness] > 0 {
		return r.errorf("justice properties and fairness constraints are not supported")
	}
	if n := r.count[inputs] + r.count[latches] + r.count[ands]; n > r.most || r.binary && n != r.most {
		return r.errorf("%d inputs, latches and gates, but %d variables", n, r.most)
	}
	if r.binary {
		r.listed = append(r.listed, False)
	}
	return r.endLine()
}

// atEnd reports whether the rest of the line is blank.
func (r *aigerReader) atEnd() bool {
	c := r.NextInLine()
	return c == '\n' || c == scan.EOF
}

// number reads a number up to a limit on the current line.
func (r *aigerReader) number(n *uint64, most uint64) error {
	if r.atEnd() {
		return r.errorf("a number is missing")
	}
	value, neg, ok := r.Number()
	switch {
	case !ok || neg:
		return r.errorf("%s is not a number", r.Quoted())
	case value > most:
		return r.errorf("%s exceeds %d", r.Quoted(), most)
	}
	*n = value
	return nil
}

// literal reads a literal on the current line.
func (r *aigerReader) literal() (x reference, err error) {
	err = r.number(&x.lit, 2*r.most+1)
	x.mark = r.Mark
	return x, err
}

// endLine reads the end of the line.
func (r *aigerReader) endLine() error {
	if !r.atEnd() {
		r.ReadWord()
		return r.errorf("%s after the end of the line was expected", r.Quoted())
	}
	if r.Peek() == '\n' {
		r.Newline()
	}
	return nil
}

// define gives the variable of a literal a signal. The signal is that of the positive literal.
func (r *aigerReader) define(x reference, s Signal) error {
	if r.binary {
		r.listed = append(r.listed, s)
		return nil
	}
	if err := r.undefined(x); err != nil {
		return err
	}
	r.signals[x.lit/2] = s
	return nil
}

// undefined returns an error if the literal cannot be that of a new input, latch or gate.
func (r *aigerReader) undefined(x reference) error {
	_, isSignal := r.signals[x.lit/2]
	_, isGate := r.gates[x.lit/2]
	switch {
	case x.lit < 2 || x.lit%2 != 0:
		return r.errorAt(x.mark, "%d is not the literal of a variable", x.lit)
	case isSignal || isGate:
		return r.errorAt(x.mark, "%d is defined twice", x.lit)
	}
	return nil
}

// inputs reads the lines of inputs of the ASCII form; the binary form has no such lines.
func (r *aigerReader) inputs() error {
	for range r.count[inputs] {
		var x reference
		if !r.binary {
			var err error
			if x, err = r.literal(); err != nil {
				return err
			}
			if err := r.endLine(); err != nil {
				return err
			}
		}
		if err := r.define(x, r.g.Input("")); err != nil {
			return err
		}
	}
	return nil
}

// latches reads the lines of latches: a literal in the ASCII form, the next value, and a reset
// (0 by default).
func (r *aigerReader) latches() error {
	for range r.count[latches] {
		x := reference{lit: 2 * uint64(len(r.listed))}
		var err error
		if !r.binary {
			if x, err = r.literal(); err != nil {
				return err
			}
		}
		next, err := r.literal()
		if err != nil {
			return err
		}
		reset := False
		if !r.atEnd() {
			y, err := r.literal()
			switch {
			case err != nil:
				return err
			case y.lit == x.lit:
				reset = Free
			case y.lit > 1:
				return r.errorf("the reset is %d, and not 0, 1 or the latch %d", y.lit, x.lit)
			default:
				reset = Signal(y.lit)
			}
		}
		if err := r.endLine(); err != nil {
			return err
		}
		if err := r.define(x, r.g.Latch("", reset)); err != nil {
			return err
		}
		r.next = append(r.next, next)
	}
	return nil
}

// listing returns a function that reads the lines of a section with one literal each.
func (r *aigerReader) listing(n section) func() error {
	return func() error {
		for range r.count[n] {
			x, err := r.literal()
			if err != nil {
				return err
			}
			if err := r.endLine(); err != nil {
				return err
			}
			r.ports[n] = append(r.ports[n], x)
		}
		return nil
	}
}

// readGates reads the gates.
func (r *aigerReader) readGates() error {
	if r.binary {
		return r.binaryGates()
	}
	if err := r.asciiGates(); err != nil {
		return err
	}
	for _, x := range r.order {
		if err := r.build(x); err != nil {
			return err
		}
	}
	return nil
}

// asciiGates reads the lines of gates, in any order.
func (r *aigerReader) asciiGates() error {
	for range r.count[ands] {
		var line [3]reference
		for i := range line {
			var err error
			if line[i], err = r.literal(); err != nil {
				return err
			}
		}
		if err := r.endLine(); err != nil {
			return err
		}
		if err := r.undefined(line[0]); err != nil {
			return err
		}
		r.gates[line[0].lit/2] = &gate{a: line[1], b: line[2]}
		r.order = append(r.order, line[0])
	}
	return nil
}

// binaryGates reads the differences of gates.
func (r *aigerReader) binaryGates() error {
	r.Mark = scan.Mark{} // positions are offsets from here on
	for range r.count[ands] {
		x := 2 * uint64(len(r.listed))
		a, err := r.difference(x)
		if err == nil && a == x {
			err = r.errorf("gate %d is its own input", x)
		}
		if err != nil {
			return err
		}
		b, err := r.difference(a)
		if err != nil {
			return err
		}
		r.listed = append(r.listed, r.g.and(r.listed[a/2]^Signal(a&1), r.listed[b/2]^Signal(b&1)))
	}
	return nil
}

// difference reads a difference to a literal, and returns the literal below.
func (r *aigerReader) difference(from uint64) (uint64, error) {
	d := uint64(0)
	for shift := 0; ; shift += 7 {
		c := r.Peek()
		if c == scan.EOF {
			return 0, r.errorf("the file ends within the gates")
		}
		r.Pos++
		d |= uint64(c&127) << min(shift, 63)
		if d > from || shift > 28 {
			return 0, r.errorf("a difference exceeds the literal %d", from)
		}
		if c < 128 {
			return from - d, nil
		}
	}
}

// connect gives latches and ports their signals.
func (r *aigerReader) connect() error {
	for i, x := range r.next {
		s, err := r.signal(x)
		if err != nil {
			return err
		}
		r.g.Latches[i].Next = s
	}
	for _, to := range []struct {
		section section
		ports   *[]Port
	}{{outputs, &r.g.Outputs}, {bad, &r.g.Bad}, {constraints, &r.g.Constraints}} {
		for _, x := range r.ports[to.section] {
			s, err := r.signal(x)
			if err != nil {
				return err
			}
			*to.ports = append(*to.ports, Port{Signal: s})
		}
	}
	return nil
}

// signal returns the signal of a literal after build.
func (r *aigerReader) signal(x reference) (Signal, error) {
	if s, ok := r.known(x.lit / 2); ok {
		return s ^ Signal(x.lit&1), nil
	}
	return 0, r.errorAt(x.mark, "%d is not defined", x.lit)
}

// known returns the signal of a variable.
func (r *aigerReader) known(v uint64) (Signal, bool) {
	switch {
	case v == 0:
		return False, true
	case !r.binary:
		s, ok := r.signals[v]
		return s, ok
	case v < uint64(len(r.listed)):
		return r.listed[v], true
	}
	return 0, false
}

// build builds the gate of a literal and the gates below it.
func (r *aigerReader) build(x reference) error {
	stack := []reference{x}
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		v := x.lit / 2
		if _, ok := r.known(v); ok {
			stack = stack[:len(stack)-1]
			continue
		}
		gate := r.gates[v]
		if gate == nil {
			return r.errorAt(x.mark, "%d is not defined", x.lit)
		}
		a, builtA := r.known(gate.a.lit / 2)
		b, builtB := r.known(gate.b.lit / 2)
		switch {
		case builtA && builtB:
			r.signals[v] = r.g.and(a^Signal(gate.a.lit&1), b^Signal(gate.b.lit&1))
		case gate.open:
			return r.errorAt(x.mark, "gate %d depends on itself", 2*v)
		}
		gate.open = true
		if !builtA {
			stack = append(stack, gate.a)
		}
		if !builtB {
			stack = append(stack, gate.b)
		}
	}
	return nil
}

// symbols reads the names, up to the end of the file or the comment.
func (r *aigerReader) symbols() error {
	seen := map[string]bool{}
	for {
		c := r.Next()
		if c == '\r' {
			return r.errorf("a carriage return without a line feed")
		}
		word := r.Word()
		if c == scan.EOF || word == "c" {
			return nil
		}
		if err := r.symbol(word, seen); err != nil {
			return err
		}
	}
}

// symbol reads a name, after the word that says what has it.
func (r *aigerReader) symbol(word string, seen map[string]bool) error {
	to := r.g.symbol(word)
	switch {
	case to == nil:
		return r.errorf("%s is not an input, latch, output, bad state or constraint of the circuit", r.Quoted())
	case seen[word]:
		return r.errorf("%s has a name already", word)
	case r.atEnd():
		return r.errorf("%s has no name", word)
	}
	seen[word] = true
	*to = r.Rest()
	return nil
}

// symbol returns the name of what a word such as i0 means, or nil.
func (g *Graph) symbol(word string) *string {
	for _, x := range g.named() {
		if i, err := strconv.Atoi(word[1:]); err == nil && word[0] == x.letter && word[1] != '+' && 0 <= i && i < x.n {
			return x.name(i)
		}
	}
	return nil
}

// A named is a list of things with names in AIGER files.
type named struct {
	letter byte
	n      int
	name   func(i int) *string
}

func (g *Graph) named() []named {
	ports := func(ports []Port) func(int) *string { return func(i int) *string { return &ports[i].Name } }
	return []named{
		{'i', len(g.Inputs), ports(g.Inputs)},
		{'l', len(g.Latches), func(i int) *string { return &g.Latches[i].Name }},
		{'o', len(g.Outputs), ports(g.Outputs)},
		{'b', len(g.Bad), ports(g.Bad)},
		{'c', len(g.Constraints), ports(g.Constraints)},
	}
}
