package commands

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"sator/cmd/internal/answer"
	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dpll/cdcl"
)

func simplifyCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "simplify",
		Category:    "Transform",
		Usage:       "preprocess a formula for any solver",
		UsageText:   "sator simplify [flags] [FILE|-]... -o SIMPLE",
		Description: simplifyDescription,
		Flags:       simplifyFlags(),
		Action: cli.RunAction(e, simplifyOptionsOf, func(o *simplifyOptions) cli.RunOptions {
			return cli.RunOptions{Inputs: o.Files, Outputs: []string{o.Output, o.stack, o.Proof}}
		}, simplify),
	}
}

const simplifyDescription = `Preprocesses a formula: runs the simplifications of cdcl without search and
writes the simplified formula as DIMACS CNF. It is satisfiable if and only if
the original formula is. Variables keep their numbers: a variable with a known
value is a unit clause, and an eliminated or substituted variable does not
occur. A refuted formula becomes the empty clause. Bounded variable addition
introduces new variables after the variables of the formula; --factor 0 prevents
that. Comments summarize the simplifications. Several files are one conjunction.
The flags that turn single simplifications on and off are those of solve.

The number of models may change, unless the formula has lines about counting
models (see count): these stay, and simplifications keep the count. Variables of
the projection, or all variables if there is none, are then neither eliminated
nor substituted, and no variables are introduced.

A model of the simplified formula has no values of eliminated variables. --stack
FILE writes the reconstruction stack, from which "sator extend" reconstructs a
model of the original formula. It is a text file with the header "p stack
VARIABLES RECORDS" and the deleted clauses, written as in CNF, in the order of
their deletion. Each clause begins with its witness literal. To reconstruct a
model, process the clauses from the last to the first, and make the witness true
if no literal of the clause is true.

--proof FILE writes the derivation of the simplified formula. A refutation of
the simplified formula by any solver, appended to it, is a refutation of the
original formula, if both are text DRAT or both are binary DRAT.

The run ends when a round of simplifications changes nothing, after --rounds, or
after --time, which includes reading; the formula as simplified so far is then
written. A signal, or a limit during reading, ends the run without files. The
same input and flags give the same files, except with --time.

A line on standard error compares the sizes.

Examples:
  sator simplify problem.cnf.xz -o simple.cnf
  sator simplify problem.cnf -o simple.cnf --stack stack
  minisat simple.cnf answer; sator extend stack answer --formula problem.cnf
  sator simplify problem.cnf -o simple.cnf --proof first.drat
  sator solve simple.cnf second.drat; cat first.drat second.drat > proof.drat`

func simplifyFlags() []cli.Flag {
	return append([]cli.Flag{
		cli.TimeFlag(),
		&cli.IntFlag{Name: "rounds", Category: cli.LimitFlags, Value: 10, Usage: "stop after `N` rounds"},
		cli.OutputFlag("cnf", "text"),
		cli.Writes(&cli.StringFlag{Name: "stack", Category: cli.OutputFlags, Usage: "write the reconstruction stack to `FILE`"}, "text"),
		cli.QuietFlag(),
		&cli.BoolFlag{Name: "stats", Category: cli.OutputFlags, Usage: "print statistics on standard error, even with --quiet"},
		cli.ProofFlag("write the derivation to `FILE`; compressed if it ends with .gz, .xz or .zst; - is standard output and needs --output"),
		cli.Choices(&cli.StringFlag{Name: "proof-format", Category: cli.ProofFlags, Value: "drat", Usage: "`NAME` of the proof format: drat, lrat"}, cli.ProofFormats),
		cli.ProofTextFlag("write the derivation as text instead of binary"),
		formula.RelaxedFlag(),
	}, engines.KnobFlags(cdcl.PassKnobs(), passFlags)...)
}

// passFlags is the category of the flags that turn simplifications on and off.
const passFlags = "simplifications"

// simplifyOptions is the command line of simplify.
type simplifyOptions struct {
	*answer.Options
	stack   string
	rounds  int
	options cdcl.Options
}

func simplifyOptionsOf(c *cli.Context) (*simplifyOptions, error) {
	o := &simplifyOptions{Options: answer.OptionsOf(c), stack: c.String("stack"), rounds: c.Int("rounds")}
	if o.rounds < 0 {
		return nil, cli.Invalid("rounds", o.rounds, "0 or more")
	}
	var err error
	o.options, err = engines.CDCLOptionsOf(c)
	return o, cmp.Or(cli.CheckOutput(c, "stack", "the stack", "formula"), o.UseCDCL(c), err)
}

// A simplifyRun is a run of simplify.
type simplifyRun struct {
	*cli.Run
	o     *simplifyOptions
	proof *cli.ProofFile
	in    *formula.Input
	after *dimacs.Formula
	stack *dimacs.Formula
	stats cdcl.Stats
}

// simplify runs the command.
func simplify(r *cli.Run, o *simplifyOptions) error {
	cli.SaveMoreMemory()
	p := &simplifyRun{Run: r, o: o}
	p.Do(cli.NoPhase, p.create)
	p.Do("read", p.read)
	p.Do("simplify", p.simplify)
	if p.Err() != nil {
		return p.Err()
	}
	return p.Finish(p.write)
}

// create creates the file of --proof.
func (p *simplifyRun) create(context.Context) (err error) {
	p.proof, err = p.CreateProof(p.o.ProofOptions)
	return err
}

// read reads the formula.
func (p *simplifyRun) read(ctx context.Context) (err error) {
	r := formula.NewReader(p.Run)
	r.Counting = true
	p.in, err = r.CNF(ctx, p.o.Files...)
	return err
}

// counted returns the literals whose values must stay free for the number of models to stay
// the same: none if the input does not say that its models are counted, and the variables
// of the projection, or all variables, if it does.
func (p *simplifyRun) counted() []dimacs.Lit {
	c := p.in.Counting
	var lits []dimacs.Lit
	switch {
	case c.Project != nil:
		for _, v := range c.Project {
			lits = append(lits, v.Lit())
		}
		for _, w := range c.Weights {
			lits = append(lits, w.Lit)
		}
	case c.Type != "" || c.Weights != nil:
		for v := range p.in.Formula.Vars() {
			lits = append(lits, dimacs.Var(v).Lit())
		}
	}
	return lits
}

// simplify simplifies the formula within the limits.
func (p *simplifyRun) simplify(ctx context.Context) error {
	o := p.o.options
	o.OneShot = true
	if p.proof != nil {
		o.Proof = p.proof.Start(p.in.Formula.Len())
	}
	frozen := p.counted()
	if frozen != nil {
		o.NoFactor = true // the values of new variables may not follow from the others
	}
	s, err := simplified(ctx, p.Run, p.in, o, p.o.rounds, frozen)
	switch {
	case err != nil:
		return err
	case s == nil:
		return context.Cause(ctx)
	}
	p.stats = s.Stats()
	vars := max(p.in.Formula.Vars(), p.stats.Vars)
	p.after = collect(vars, s.Simplified()) // may log further steps
	p.stack = collect(vars, s.ReconstructionStack())
	return cmp.Or(s.Err(), context.Cause(p.Signals))
}

// collect returns the formula of some clauses.
func collect(vars int, clauses iter.Seq[[]dimacs.Lit]) *dimacs.Formula {
	f := dimacs.NewFormula(vars)
	for c := range clauses {
		f.Add(c...)
	}
	return f
}

// simplified returns a solver that has simplified a formula for up to some rounds, but neither
// eliminated nor substituted the frozen literals. It returns nil if ctx ends before its clauses are added.
func simplified(ctx context.Context, r *cli.Run, in *formula.Input, o cdcl.Options, rounds int, frozen []dimacs.Lit) (*cdcl.Solver, error) {
	vars := in.Occurring(frozen)
	o.Memory = r.Memory.Allows
	if err := engines.CheckMemory(r, vars, in.Formula, &engines.CDCLSetup{Options: o}); err != nil {
		return nil, err
	}
	s := cdcl.New(o)
	if !engines.Fill(ctx, s, in.Formula, vars, 0, in.Formula.Len()) {
		return nil, nil
	}
	if len(frozen) > 0 {
		s.Freeze(frozen...)
	}
	s.Simplify(ctx, rounds)
	return s, s.Err()
}

// write writes the files, the formula last, and the line on standard error.
func (p *simplifyRun) write() error {
	if p.o.stack != "" {
		err := p.Write(p.Signals, p.o.stack, func(w io.Writer) error {
			return dimacs.WriteReconstruction(w, p.stack, append([]string{p.head("reconstruction stack")}, p.in.Comments...)...)
		})
		if err != nil {
			return err
		}
	}
	err := p.Write(p.Signals, p.o.Output, func(w io.Writer) error {
		return dimacs.Write(w, p.after, append([]string{p.head("simplified"), p.summary()}, p.in.About()...)...)
	})
	if err != nil {
		return err
	}
	if p.o.Stats {
		for _, row := range append((&engines.CDCLStatistics{Stats: p.stats}).List(), engines.Property{Name: "total_seconds", Value: time.Since(p.Begin).Seconds()}).Rows() {
			fmt.Fprintln(p.Stderr, row)
		}
	}
	p.Note("%s, after %.2f s", p.line(), time.Since(p.Begin).Seconds())
	return nil
}

// head returns the first comment of a file.
func (p *simplifyRun) head(what string) string {
	return fmt.Sprintf("sator %s simplify: %s, of %s", cli.Version(), what, strings.Join(cli.ShownAll(p.o.Files), ", "))
}

// summary returns the comment lines about the simplification.
func (p *simplifyRun) summary() string {
	text := fmt.Sprintf("before: %s\nafter: %s\nrounds: %d", sizes(p.in.Formula), sizes(p.after), p.stats.Rounds)
	if p.stats.Fixed+p.stats.Removed > 0 {
		text += fmt.Sprintf("\nvariables fixed: %d, eliminated or substituted: %d", p.stats.Fixed, p.stats.Removed)
	}
	switch {
	case p.refuted():
		text += "\nrefuted: there is no model"
	case p.solved():
		text += "\nsolved: the stack extends the unit clauses to a model"
	case p.Why() != "":
		text += "\nstopped: " + p.Why()
	}
	return text
}

// line returns the line on standard error.
func (p *simplifyRun) line() string {
	switch {
	case p.refuted():
		return "refuted"
	case p.solved():
		return "solved: the formula is satisfiable"
	}
	return cmp.Or(p.Why(), "done") + ": " + sizes(p.in.Formula) + "; simplified: " + sizes(p.after)
}

func (p *simplifyRun) refuted() bool {
	return p.after.Len() == 1 && p.after.Size() == 0
}

func (p *simplifyRun) solved() bool { return p.after.Len() == p.stats.Fixed && !p.refuted() }

// sizes returns the numbers of occurring variables, of clauses and of literals.
func sizes(f *dimacs.Formula) string {
	var s formula.Features
	s.CountSigns(f)
	return fmt.Sprintf("%s, %s, %s", cli.Count(f.Vars()-s.Unused, "variable"), cli.Count(f.Len(), "clause"), cli.Count(f.Size(), "literal"))
}
