package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sator/dimacs"
	"sator/dimacs/file"
)

// A reading is the manner in which a command reads its input.
type reading struct {
	e       *env
	relaxed bool
	warn    func(error)
}

// reading returns the manner that a command's flags ask for. Warnings go to
// standard error.
func (e *env) reading(c *cli.Context) *reading {
	return &reading{e, c.Bool("relaxed"), func(err error) {
		fmt.Fprintf(e.stderr, "sator %s: warning: %v\n", nameOf(c.Command), err)
	}}
}

// An input is what the files of a command line hold: a formula, with cubes if
// it is a script, or a solution.
type input struct {
	formula  *dimacs.Formula
	cubes    []dimacs.Cube
	script   bool
	solution *dimacs.Solution // if not nil, there is nothing else
	took     time.Duration
}

// formula reads files as one formula. It returns the cause of ctx once that is
// done, even while a file gives nothing.
func (r *reading) formula(ctx context.Context, names ...string) (*input, error) {
	in, err := r.all(ctx, names...)
	if err == nil && in.solution != nil {
		return nil, fmt.Errorf("%s: this is a solution, not a formula", shown(names[0]))
	}
	return in, err
}

// all reads files of any kind.
func (r *reading) all(ctx context.Context, names ...string) (*input, error) {
	if i := slices.Index(names, "-"); i >= 0 && slices.Contains(names[i+1:], "-") {
		return nil, usagef("standard input can be read only once")
	}
	return await(ctx, func() (*input, error) {
		begin := time.Now()
		in := &input{formula: new(dimacs.Formula)}
		for _, name := range names {
			if err := r.next(ctx, in, name, len(names) == 1); err != nil {
				return nil, err
			}
		}
		in.took = time.Since(begin)
		return in, nil
	})
}

// next reads a file into in.
func (r *reading) next(ctx context.Context, in *input, name string, alone bool) error {
	src, err := r.e.open(ctx, name)
	if err != nil {
		return err
	}
	err = r.content(ctx, in, name, alone, src)
	if syntax := (*dimacs.SyntaxError)(nil); errors.As(err, &syntax) {
		err = cmp.Or(src.Drain(), err)
	}
	return cmp.Or(err, src.Close())
}

// content reads what src holds, by its kind.
func (r *reading) content(ctx context.Context, in *input, name string, alone bool, src io.Reader) error {
	reader := r.reader(ctx, name)
	kind, src, err := dimacs.Sniff(src)
	if err != nil {
		return err
	}
	switch {
	case kind == dimacs.KindScript && alone:
		script, err := reader.ReadScript(src)
		if err != nil {
			return err
		}
		in.formula, in.cubes, in.script = script.Formula, script.Cubes, true
		return nil
	case kind == dimacs.KindScript:
		return fmt.Errorf("%s: a script of cubes cannot be combined with other files", shown(name))
	case kind == dimacs.KindSolution && alone:
		in.solution, err = reader.ReadSolution(src)
		return err
	case kind == dimacs.KindSolution:
		return fmt.Errorf("%s: this is a solution, not a formula", shown(name))
	case kind == dimacs.KindReconstruction:
		return fmt.Errorf("%s: this is a reconstruction stack, not a formula", shown(name))
	}
	return reader.ReadInto(in.formula, src)
}

// reader returns a reader of one file. It does not warn any more when ctx is
// done, since the command may have gone on by then.
func (r *reading) reader(ctx context.Context, name string) *dimacs.Reader {
	return &dimacs.Reader{Name: shown(name), Relaxed: r.relaxed, Warn: func(err *dimacs.SyntaxError) {
		if ctx.Err() == nil {
			r.warn(err)
		}
	}}
}

// shown returns the name of a file for a message.
func shown(name string) string {
	if name == "-" {
		return "standard input"
	}
	return named(name)
}

// shownAll returns the names of files for a message.
func shownAll(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = shown(name)
	}
	return all
}

// named returns the name of a file as a message shows it: in quotes where it
// could not be seen otherwise.
func named(name string) string {
	if strings.TrimSpace(name) == "" {
		return strconv.Quote(name)
	}
	return name
}

// errNoName is the error of a file whose name is empty.
var errNoName = errors.New(`"" is no name of a file`)

// open opens a file, or standard input for "-", whatever the compression.
func (e *env) open(ctx context.Context, name string) (*stream, error) {
	if name != "-" {
		if name == "" {
			return nil, errNoName
		}
		f, err := file.Open(name)
		if err != nil {
			return nil, err
		}
		return &stream{ctx, f, ""}, nil
	}
	in, err := file.Decompress(e.stdin)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shown(name), err)
	}
	return &stream{ctx, in, shown(name)}, nil
}

// A stream fails once its context is done, so that a goroutine that nobody
// waits for any more does not go on for long.
type stream struct {
	ctx context.Context
	*file.File
	name string // what errors begin with, unless they name the file already
}

func (s *stream) Read(p []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, context.Cause(s.ctx)
	}
	n, err := s.File.Read(p)
	return n, s.named(err)
}

// Drain returns the error of an archive that is damaged: it may make a mistake
// in the formula before it is found out.
func (s *stream) Drain() error { return s.named(s.File.Drain()) }

func (s *stream) named(err error) error {
	if err == nil || err == io.EOF || s.name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", s.name, err)
}

// occurring returns how many variables a solver needs: those up to the highest
// that occurs in a clause, a cube or an assumption. A header may promise many
// more, which would take memory and say nothing.
func (in *input) occurring(assumptions []dimacs.Lit) int {
	n := max(occurring(in.formula), highest(assumptions))
	for _, c := range in.cubes {
		n = max(n, highest(c.Lits))
	}
	return n
}

// alone returns an error if there are cubes, which only solve takes.
func (in *input) alone(name string) error {
	if len(in.cubes) > 0 {
		return fmt.Errorf("%s: a script of cubes; only solve and check take one", shown(name))
	}
	return nil
}

// occurring returns the number of variables up to the highest in a clause.
func occurring(f *dimacs.Formula) int {
	n := 0
	for _, c := range f.Clauses() {
		n = max(n, highest(c))
	}
	return n
}

// highest returns the number of variables up to the highest of the literals.
func highest(ls []dimacs.Lit) int {
	n := 0
	for _, l := range ls {
		n = max(n, int(l.Var())+1)
	}
	return n
}

// complete returns a model over all variables of the formula: those that the
// solver did not have occur nowhere and are false.
func (in *input) complete(m dimacs.Model) dimacs.Model {
	if len(m) >= in.formula.Vars() {
		return m
	}
	full := make(dimacs.Model, in.formula.Vars())
	for v := copy(full, m); v < len(full); v++ {
		full[v] = dimacs.False
	}
	return full
}

// knows returns an error if an assumption is about a variable that the formula
// does not have.
func (in *input) knows(assumptions []dimacs.Lit) error { return in.has("assume", assumptions) }

// has returns an error if a literal of a flag is about a variable that the
// formula does not have.
func (in *input) has(flag string, ls []dimacs.Lit) error {
	for _, l := range ls {
		if int(l.Var()) >= in.formula.Vars() {
			return usagef("--%s: there is no variable %d; the formula has %d", flag, l.Var().Int(), in.formula.Vars())
		}
	}
	return nil
}
