// Package formula reads the formulas of a command line, and computes features of
// formulas. A read ends with its context even if it blocks; warnings are printed to
// standard error.
//
// Files:
//   - input: input.go, flags.go (flags for formulas and literals)
//   - recognition of a proof operand: competition.go; of inputs that are no formulas:
//     mistaken.go
//   - features: features.go
package formula

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"sator/cmd/internal/cli"
	"sator/dimacs"
	"sator/dimacs/circuit"
)

// A Reader reads the inputs of a command.
type Reader struct {
	e        *cli.Env
	memory   *cli.Budget
	command  string
	relaxed  bool
	canRelax bool // the command has the flag --relaxed
	warn     func(error)

	// Counting makes Formula, CNF and All read the lines about counting models. To other
	// questions they are comments.
	Counting bool

	// Unroll, if not nil, makes All read circuits, with the value of --bound or -1 as the
	// bound, pseudo-Boolean problems and formulas as text. With Circuits, a circuit is read
	// as it is, and has no formula.
	Unroll   *int
	Circuits bool

	names bool // --names is given
}

// NewReader returns a reader for a run. It honors --relaxed, and prints warnings
// to standard error.
func NewReader(r *cli.Run) *Reader {
	canRelax := r.Flags.Command != nil && slices.ContainsFunc(r.Flags.Command.Flags, func(f cli.Flag) bool { return f.Names()[0] == "relaxed" })
	return &Reader{e: r.Env, memory: r.Memory, command: r.Command, relaxed: r.Flags.Bool("relaxed"), names: r.Flags.Bool("names"), canRelax: canRelax, warn: r.Warn}
}

// keptComment is the first word of the comments that are kept: "sator sudoku encode"
// describes the variables in them.
const keptComment = "sudoku"

// An Input is the content of the files of a command line: a formula, with cubes
// in the case of an iCNF script, or a solution.
type Input struct {
	Formula  *dimacs.Formula
	Cubes    []dimacs.Cube
	Script   bool
	Solution *dimacs.Solution // if not nil, the other fields are empty
	Comments []string         // comments about the variables; they begin with keptComment
	Counting *dimacs.Counting // nil unless Reader.Counting is set
	Names    *dimacs.Names    // nil unless --names is given or the input is text, see NameInputs
	Source   Source           // the input behind the formula, or the names; or nil
	Circuit  *circuit.Graph   // of an AIGER file
	Took     time.Duration
	Memory   dimacs.MemoryLimit // of the run
}

// Formula reads files as one formula. It returns the cause of ctx as soon as ctx
// is done, even if a read blocks.
func (r *Reader) Formula(ctx context.Context, names ...string) (*Input, error) {
	in, err := r.All(ctx, names...)
	if err == nil && in.Solution != nil {
		return nil, fmt.Errorf("%s: this is a solution, not a formula", cli.Shown(names[0]))
	}
	return in, err
}

// CNF reads files as one formula without cubes.
func (r *Reader) CNF(ctx context.Context, names ...string) (*Input, error) {
	in, err := r.Formula(ctx, names...)
	if err == nil && len(in.Cubes) > 0 {
		return nil, fmt.Errorf("%s: this is a script of cubes, which only solve, conquer, check and convert read", cli.Shown(names[0]))
	}
	return in, err
}

// All reads files of any kind.
func (r *Reader) All(ctx context.Context, names ...string) (*Input, error) {
	if err := cli.CheckStdin(names); err != nil {
		return nil, err
	}
	in, err := cli.Await(ctx, func() (*Input, error) {
		begin := time.Now()
		in := &Input{Formula: new(dimacs.Formula), Memory: r.memory.Allows}
		if r.Counting {
			in.Counting = new(dimacs.Counting)
		}
		if r.names {
			in.Names = new(dimacs.Names)
		}
		for _, name := range names {
			if err := r.next(ctx, in, name, len(names) == 1); err != nil {
				return nil, err
			}
		}
		if r.names {
			if err := r.useNames(in, names); err != nil {
				return nil, err
			}
		}
		in.Took = time.Since(begin)
		return in, nil
	})
	return in, r.memory.Catch(err)
}

// next reads a file into in.
func (r *Reader) next(ctx context.Context, in *Input, name string, alone bool) error {
	src, err := r.e.Open(ctx, name)
	if err != nil {
		return err
	}
	input := &headReader{src: src}
	err = r.content(ctx, in, name, alone, input)
	if syntax := (*dimacs.SyntaxError)(nil); errors.As(err, &syntax) {
		head := input.line()
		err = cmp.Or(src.Drain(), r.explain(err, head))
	}
	return cmp.Or(err, src.Close())
}

// content reads src according to its kind.
func (r *Reader) content(ctx context.Context, in *Input, name string, alone bool, src io.Reader) error {
	reader := r.File(ctx, name)
	reader.Counting, reader.Names = in.Counting, in.Names
	defer func() { in.Comments = append(in.Comments, reader.Kept...) }()
	kind, src, err := dimacs.Sniff(src)
	if err != nil {
		return err
	}
	if r.Unroll != nil && (kind == dimacs.KindUnknown || kind == dimacs.KindSolution) { // "s | t" is a formula
		rest, done, err := r.source(in, name, src, alone, kind == dimacs.KindSolution)
		if done || err != nil {
			return err
		}
		src = rest
	}
	switch {
	case kind == dimacs.KindScript && alone:
		script, err := reader.ReadScript(src)
		if err != nil {
			return err
		}
		in.Formula, in.Cubes, in.Script = script.Formula, script.Cubes, true
		return nil
	case kind == dimacs.KindScript:
		return fmt.Errorf("%s: a script of cubes cannot be combined with other files", cli.Shown(name))
	case kind == dimacs.KindSolution && alone:
		in.Solution, err = reader.ReadSolution(src)
		return err
	case kind == dimacs.KindSolution:
		return fmt.Errorf("%s: this is a solution, not a formula; -o writes the answer to a file", cli.Shown(name))
	case kind == dimacs.KindReconstruction:
		return fmt.Errorf("%s: this is a reconstruction stack, not a formula", cli.Shown(name))
	}
	return reader.ReadInto(in.Formula, src)
}

// File returns a reader of one file. It does not warn after ctx is done.
func (r *Reader) File(ctx context.Context, name string) *dimacs.Reader {
	return &dimacs.Reader{Name: cli.Shown(name), Keep: keptComment, Relaxed: r.relaxed, Memory: r.memory.Allows, Warn: func(err *dimacs.SyntaxError) {
		if ctx.Err() == nil {
			r.warn(err)
		}
	}}
}

// Occurring returns the number of variables up to the highest one in a clause, a
// cube or an assumption. Solvers get only these, since a header may declare many more
// and each takes memory.
func (in *Input) Occurring(assumptions []dimacs.Lit) int {
	n := max(occurring(in.Formula), Highest(assumptions))
	for _, c := range in.Cubes {
		n = max(n, Highest(c.Lits))
	}
	return n
}

// Summary returns a line about an input: its files, the time to read it, and its
// size.
func (in *Input) Summary(names []string) string {
	return fmt.Sprintf("read %s in %.2f s: %s, %s, %s", strings.Join(cli.ShownAll(names), ", "),
		in.Took.Seconds(), cli.Count(in.Formula.Vars(), "variable"), cli.Count(in.Formula.Len(), "clause"), cli.Count(in.Formula.Size(), "literal"))
}

// occurring returns the number of variables up to the highest one in a clause.
func occurring(f *dimacs.Formula) int {
	n := 0
	for _, c := range f.Clauses() {
		n = max(n, Highest(c))
	}
	return n
}

// Highest returns the number of variables up to the highest one of the literals.
func Highest(ls []dimacs.Lit) int {
	n := 0
	for _, l := range ls {
		n = max(n, int(l.Var())+1)
	}
	return n
}

// Complete returns a model over all variables of the formula. Variables that the
// solver does not have occur nowhere; they are false.
func (in *Input) Complete(m dimacs.Model) dimacs.Model {
	if len(m) >= in.Formula.Vars() {
		return m
	}
	full := make(dimacs.Model, in.Formula.Vars())
	for v := copy(full, m); v < len(full); v++ {
		full[v] = dimacs.False
	}
	return full
}

// CheckAssumptions returns an error for an assumption about a variable that is
// not in the formula.
func (in *Input) CheckAssumptions(assumptions []dimacs.Lit) error {
	return in.CheckLiterals("assume", assumptions)
}

// CheckLiterals returns an error for a literal of a flag if the formula does not have its
// variable.
func (in *Input) CheckLiterals(flag string, ls []dimacs.Lit) error {
	for _, l := range ls {
		if int(l.Var()) >= in.Formula.Vars() {
			return cli.Invalid(flag, l.Int(), "literals of the formula, which has %s", cli.Count(in.Formula.Vars(), "variable"))
		}
	}
	return nil
}

// ClauseText returns a clause in DIMACS format.
func ClauseText(c []dimacs.Lit) string {
	if len(c) == 0 {
		return "0"
	}
	return cli.Spaced(c) + " 0"
}

// ReadFile reads a file with a method of dimacs.Reader.
func ReadFile[T any](ctx context.Context, r *Reader, name string, read func(*dimacs.Reader, io.Reader) (T, error)) (content T, err error) {
	defer func() { err = r.memory.Catch(err) }()
	src, err := r.e.Open(ctx, name)
	if err != nil {
		return content, err
	}
	input := &headReader{src: src}
	content, err = read(r.File(ctx, name), input)
	if syntax := (*dimacs.SyntaxError)(nil); errors.As(err, &syntax) {
		head := input.line()
		err = cmp.Or(src.Drain(), r.explain(err, head))
	}
	return content, cmp.Or(err, src.Close())
}

// About returns the comments that a rewritten formula keeps.
func (in *Input) About() []string {
	lines := slices.Clip(in.Comments)
	if in.Names != nil {
		lines = append(lines, in.Names.Comments()...)
	}
	if in.Counting != nil {
		lines = append(lines, in.Counting.Comments()...)
	}
	return lines
}
