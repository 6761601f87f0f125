package formula

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"sator/cmd/internal/cli"
	"sator/dimacs"
	"sator/dimacs/circuit"
	"sator/dimacs/opb"
)

// Inputs of other formats that become formulas: circuits (AIGER), pseudo-Boolean problems (OPB)
// and Boolean formulas as text.

// A Source is the input behind a translated formula, or the names of its variables.
// Answers are printed in its terms.
type Source interface {
	// Answer appends the lines of the answer. It returns an error if a model of the formula
	// is no solution of the source.
	Answer(b []byte, status dimacs.Status, m dimacs.Model) ([]byte, error)
}

// BoundFlag returns the flag --bound.
func BoundFlag() cli.Flag {
	return &cli.IntFlag{Name: "bound", Category: cli.InputFlags, Usage: "ask for a bad state of a circuit (AIGER) within `K` steps"}
}

// BoundOf returns the value of --bound, or -1 if it is not set.
func BoundOf(c *cli.Context) (*int, error) {
	k := -1
	if c.IsSet("bound") {
		if k = c.Int("bound"); k < 0 || k > maxBound {
			return nil, cli.Invalid("bound", k, "a number of steps from 0 to %d", maxBound)
		}
	}
	return &k, nil
}

// maxBound is the largest number of steps.
const maxBound = 1_000_000

// NamesFlag returns the flag --names.
func NamesFlag() cli.Flag {
	return &cli.BoolFlag{Name: "names", Category: cli.InputFlags, Usage: "print names of variables, as in \"c 1 door\"; and accept them"}
}

// sourceKinds lists the formats by the first line that is not blank and no comment of DIMACS.
var sourceKinds = []struct {
	name  string
	looks func(head []byte, line string) bool
	read  func(r *Reader, in *Input, name string, src io.Reader) error
}{
	{"a circuit", begins(`a[ai]g\b`), (*Reader).circuit},
	{"a pseudo-Boolean problem", begins(`\*|(min|max):|[+-]\s*(\d+\s*)?~?x\d|\d+\s*~?x\d|~?x\d+\s*([+]|-[^>]|>=|<=?\s*[+-]?\d|=\s*[+-]?\d|[+-]?\d)`), (*Reader).pseudoBoolean},
	{"a formula as text", func(head []byte, _ string) bool { return circuit.AreExpressions(head) }, (*Reader).expressions},
}

// operatorSecond reports whether the first line is a formula as text with s or v as its first word.
var operatorSecond = begins(`[sv]\s*([&|^]|<?->|<?=>)`)

// source reads an input of one of these formats. If src is of another format, it returns a
// reader of all of src, and false. The first word may be that of a solution.
func (r *Reader) source(in *Input, name string, src io.Reader, alone, solution bool) (io.Reader, bool, error) {
	b, head, err := peek(src)
	if err != nil {
		return nil, false, err
	}
	line := firstLine(head)
	if strings.HasPrefix(line, "p cnf ") { // no expression needs to be compiled
		return b, false, nil
	}
	for _, k := range sourceKinds {
		if !k.looks(head, line) || solution && !operatorSecond(head, line) {
			continue
		}
		if !alone {
			return nil, true, fmt.Errorf("%s: %s cannot be combined with other files", cli.Shown(name), k.name)
		}
		return nil, true, k.read(r, in, name, b)
	}
	return b, false, nil
}

// peek returns a reader of src without a byte order mark, and its first bytes.
func peek(src io.Reader) (b *bufio.Reader, head []byte, err error) {
	b = bufio.NewReaderSize(src, headSize)
	if head, err = b.Peek(headSize); err != nil && err != io.EOF {
		return nil, nil, err
	}
	if mark := []byte("\xef\xbb\xbf"); bytes.HasPrefix(head, mark) {
		head = head[len(mark):]
		b.Discard(len(mark))
	}
	return b, head, nil
}

// A circuitSource is a circuit with the steps that its formula is about.
type circuitSource struct {
	circuit *circuit.Graph
	bounded *circuit.Bounded
}

// circuit reads an AIGER file.
func (r *Reader) circuit(in *Input, name string, src io.Reader) error {
	g, err := circuit.ReadAIGER(src, cli.Shown(name))
	if err != nil {
		return err
	}
	in.Circuit = g
	switch {
	case r.Circuits:
		return nil
	case len(g.Latches) > 0 && *r.Unroll < 0:
		return fmt.Errorf("%s: a circuit with %s needs --bound: within how many steps is a bad state asked for?", cli.Shown(name), plural(len(g.Latches), "latch", "latches"))
	case len(g.Latches) == 0 && *r.Unroll >= 0:
		r.warn(fmt.Errorf("%s has no latches, so that --bound has no effect", cli.Shown(name)))
	}
	b, err := circuit.NewBounded(g, in.Formula)
	if err != nil {
		return fmt.Errorf("%s: %w", cli.Shown(name), err)
	}
	b.Within(*r.Unroll)
	in.Source = &circuitSource{g, b}
	in.Comments = append(in.Comments, fmt.Sprintf("%s in %s of a circuit with %s", plural(b.Properties(), "property", "properties"), cli.Count(b.Steps(), "step"), cli.Count(g.Gates(), "gate")))
	return nil
}

// plural returns a number with a noun that has an irregular plural.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}

// Answer appends the witness of a bad state, or for each property, 0 without a witness, and 2 if
// the answer is unknown, or true for the bound alone.
func (s *circuitSource) Answer(b []byte, status dimacs.Status, m dimacs.Model) ([]byte, error) {
	if status == dimacs.Satisfiable {
		w, err := s.bounded.Witness(m)
		if err != nil {
			return nil, err
		}
		buf := bytes.NewBuffer(b)
		err = w.Write(buf)
		return buf.Bytes(), err
	}
	code := '2'
	switch {
	case status == dimacs.Unsatisfiable && len(s.circuit.Latches) == 0:
		code = '0'
	case status == dimacs.Unsatisfiable:
		b = fmt.Appendf(b, "c no bad state within %s\n", cli.Count(s.bounded.Steps()-1, "step"))
	}
	for i := range s.bounded.Properties() {
		b = fmt.Appendf(b, "%c\nb%d\n.\n", code, i)
	}
	return b, nil
}

// A problemSource is a pseudo-Boolean problem.
type problemSource struct{ *opb.Problem }

// pseudoBoolean reads an OPB file.
func (r *Reader) pseudoBoolean(in *Input, name string, src io.Reader) error {
	p, err := opb.Read(src, cli.Shown(name))
	if err != nil {
		return err
	}
	p.Encode(in.Formula)
	in.Source = problemSource{p}
	if p.Optimize {
		r.warn(fmt.Errorf("%s: the objective is not part of the formula; \"sator maxsat\" finds an optimum", cli.Shown(name)))
	}
	return nil
}

// Answer appends the lines of the pseudo-Boolean competitions.
func (s problemSource) Answer(b []byte, status dimacs.Status, m dimacs.Model) ([]byte, error) {
	b = fmt.Appendf(b, "s %v\n", status)
	if status != dimacs.Satisfiable {
		return b, nil
	}
	if i := s.Violated(m); i >= 0 {
		return nil, fmt.Errorf("the model violates constraint %d", i+1)
	}
	return cli.AppendWords(b, s.Values(m)), nil
}

// A nameSource has names of variables, and the circuit of a formula as text or nil.
type nameSource struct {
	names   *dimacs.Names
	circuit *circuit.Graph
}

// expressions reads Boolean formulas as text.
func (r *Reader) expressions(in *Input, name string, src io.Reader) error {
	g, err := circuit.ReadExpressions(src, cli.Shown(name))
	if err != nil {
		return err
	}
	in.Names, err = g.EncodeStatements(in.Formula)
	in.Source = &nameSource{in.Names, g}
	return err
}

// Answer appends the status, and the literals of the variables that have names.
func (s *nameSource) Answer(b []byte, status dimacs.Status, m dimacs.Model) ([]byte, error) {
	b = fmt.Appendf(b, "s %v\n", status)
	if status != dimacs.Satisfiable {
		return b, nil
	}
	if err := s.check(m); err != nil {
		return nil, err
	}
	return cli.AppendWords(b, NamedValues(s.names, m)), nil
}

// NamedValues returns the literals of variables with names in a model.
func NamedValues(names *dimacs.Names, m dimacs.Model) (words []string) {
	for _, v := range names.Vars() {
		l := v.Lit()
		if m.Lit(l) != dimacs.True {
			l = l.Not()
		}
		words = append(words, names.Text(l))
	}
	return words
}

// Named returns literals as words: names, or DIMACS integers if names is nil.
func Named(names *dimacs.Names, ls []dimacs.Lit) []string {
	if names == nil {
		names = new(dimacs.Names)
	}
	words := make([]string, len(ls))
	for i, l := range ls {
		words[i] = names.Text(l)
	}
	return words
}

// Weighted reads a formula of MaxSAT: in WCNF or CNF, or a pseudo-Boolean problem. It returns the
// problem, too. The names are nil unless --names is given.
func (r *Reader) Weighted(ctx context.Context, file string) (w *dimacs.Weighted, p *opb.Problem, names *dimacs.Names, err error) {
	if r.names {
		names = new(dimacs.Names)
	}
	w, err = ReadFile(ctx, r, file, func(reader *dimacs.Reader, src io.Reader) (*dimacs.Weighted, error) {
		reader.Names = names
		b, head, err := peek(src)
		if err != nil {
			return nil, err
		}
		if !sourceKinds[1].looks(head, firstLine(head)) {
			return reader.ReadWeighted(b)
		}
		if p, err = opb.Read(b, reader.Name); err != nil {
			return nil, err
		}
		if !p.Optimize {
			r.warn(fmt.Errorf("%s: no objective: all solutions are optimal", reader.Name))
		}
		return p.Weighted(), nil
	})
	if err == nil && names != nil && p != nil {
		err = cli.Usagef("--names is for formulas; the variables of OPB have names of their own")
	}
	if err == nil {
		r.checkNames(names, file)
	}
	return w, p, names, err
}

// Grouped reads a formula with groups of clauses. The names are nil unless --names is given.
func (r *Reader) Grouped(ctx context.Context, file string) (g *dimacs.Grouped, names *dimacs.Names, err error) {
	if r.names {
		names = new(dimacs.Names)
	}
	g, err = ReadFile(ctx, r, file, func(reader *dimacs.Reader, src io.Reader) (*dimacs.Grouped, error) {
		reader.Names = names
		return reader.ReadGrouped(src)
	})
	if err == nil {
		r.checkNames(names, file)
	}
	return g, names, err
}

// checkNames warns if --names is given and there are no names.
func (r *Reader) checkNames(names *dimacs.Names, files ...string) {
	if names != nil && names.Len() == 0 {
		r.warn(fmt.Errorf("%s: no names of variables, in comments such as \"c 1 door\"", strings.Join(cli.ShownAll(files), ", ")))
	}
}

// check evaluates the formula as text.
func (s *nameSource) check(m dimacs.Model) error {
	if s.circuit == nil {
		return nil
	}
	if i := s.circuit.FalseStatement(m); i >= 0 {
		return fmt.Errorf("the model falsifies statement %d", i+1)
	}
	return nil
}

// useNames prints the answer of a formula by its names.
func (r *Reader) useNames(in *Input, files []string) error {
	switch in.Source.(type) {
	case nil:
		r.checkNames(in.Names, files...)
		if in.Solution == nil {
			in.Source = &nameSource{names: in.Names}
		}
	case *nameSource:
	default:
		return cli.Usagef("--names is for formulas; circuits and OPB have names of their own")
	}
	return nil
}

// NameInputs names variables as the circuit's inputs.
func (in *Input) NameInputs() {
	if s, ok := in.Source.(*circuitSource); ok {
		in.Names = s.bounded.Names()
	}
}

// Literals reads the value of a flag: DIMACS integers, or names of variables if the input has
// names.
func (in *Input) Literals(flag string, lists []string) ([]dimacs.Lit, error) {
	var ls []dimacs.Lit
	for _, word := range words(lists) {
		l, ok := in.literal(word)
		if !ok {
			return nil, cli.Invalid(flag, word, "literals such as \"1 -2\", or names of the input")
		}
		ls = append(ls, l)
	}
	return ls, nil
}

// literal returns the literal of a number or of a name, with a minus sign if it is negated.
func (in *Input) literal(word string) (dimacs.Lit, bool) {
	if ls, err := LiteralsOf("", []string{word}); err == nil {
		return ls[0], true
	}
	name, negated := strings.CutPrefix(word, "-")
	v, ok := in.Names.Var(name)
	if negated {
		return v.Lit().Not(), ok
	}
	return v.Lit(), ok
}
