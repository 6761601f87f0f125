package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"sator/cmd/internal/cli"
	"sator/dimacs"
)

// A reading is the manner in which a command reads its input.
type reading struct {
	e       *cli.Env
	relaxed bool
	warn    func(error)
}

// newReading returns the manner that a command's flags ask for. Warnings go to
// standard error.
func newReading(e *cli.Env, c *cli.Context) *reading {
	return &reading{e, c.Bool("relaxed"), func(err error) {
		fmt.Fprintf(e.Stderr, "sator %s: warning: %v\n", cli.NameOf(c.Command), err)
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
		return nil, fmt.Errorf("%s: this is a solution, not a formula", cli.Shown(names[0]))
	}
	return in, err
}

// all reads files of any kind.
func (r *reading) all(ctx context.Context, names ...string) (*input, error) {
	if i := slices.Index(names, "-"); i >= 0 && slices.Contains(names[i+1:], "-") {
		return nil, cli.Usagef("standard input can be read only once")
	}
	return cli.Await(ctx, func() (*input, error) {
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
	src, err := r.e.Open(ctx, name)
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
		return fmt.Errorf("%s: a script of cubes cannot be combined with other files", cli.Shown(name))
	case kind == dimacs.KindSolution && alone:
		in.solution, err = reader.ReadSolution(src)
		return err
	case kind == dimacs.KindSolution:
		return fmt.Errorf("%s: this is a solution, not a formula", cli.Shown(name))
	case kind == dimacs.KindReconstruction:
		return fmt.Errorf("%s: this is a reconstruction stack, not a formula", cli.Shown(name))
	}
	return reader.ReadInto(in.formula, src)
}

// reader returns a reader of one file. It does not warn any more when ctx is
// done, since the command may have gone on by then.
func (r *reading) reader(ctx context.Context, name string) *dimacs.Reader {
	return &dimacs.Reader{Name: cli.Shown(name), Relaxed: r.relaxed, Warn: func(err *dimacs.SyntaxError) {
		if ctx.Err() == nil {
			r.warn(err)
		}
	}}
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
		return fmt.Errorf("%s: a script of cubes; only solve and check take one", cli.Shown(name))
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
			return cli.Usagef("--%s: there is no variable %d; the formula has %d", flag, l.Var().Int(), in.formula.Vars())
		}
	}
	return nil
}
