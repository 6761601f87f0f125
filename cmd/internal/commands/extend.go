package commands

import (
	"context"
	"errors"
	"fmt"
	"io"

	"sator/cmd/internal/answer"
	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dimacs/file"
)

func extendCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "extend",
		Category:    "Transform",
		Usage:       "extend a model of a simplified formula to the original",
		UsageText:   "sator extend [flags] STACK MODEL",
		Description: extendDescription,
		Flags: []cli.Flag{
			cli.OutputFlag(),
			&cli.StringSliceFlag{Name: "formula", Category: cli.InputFlags, Usage: "evaluate the model on `FILE`, the original formula"},
			formula.RelaxedFlag(),
		},
		Action: cli.Action(func(c *cli.Context) error {
			if c.NArg() != 2 {
				return cli.Usagef("want two operands, STACK and MODEL")
			}
			formulas := c.StringSlice("formula")
			inputs := append(c.Args().Slice(), formulas...)
			if err := cli.CheckStdin(inputs); err != nil {
				return err
			}
			frame := cli.RunOptions{Inputs: inputs, Outputs: []string{c.String("output")}}
			return e.Run(c, frame, func(r *cli.Run) error {
				return extend(r, c.Args().Get(0), c.Args().Get(1), formulas, c.String("output"))
			})
		}),
	}
}

const extendDescription = `Reconstructs a model of a formula from a model of its simplified formula. MODEL
is the answer of any solver for a formula written by "sator simplify": "s" and
"v" lines, or the output file of MiniSat. STACK is the reconstruction stack that
--stack of the same run of simplify wrote. Prints the answer for the original
formula as solve does: "s SATISFIABLE" and a model in "v" lines, or
"s UNSATISFIABLE" or "s UNKNOWN" as in MODEL. Variables that the model leaves
unassigned are false.

With --formula the model is evaluated on the original formula, which may be
several files, one conjunction; there is no answer if the model falsifies it.
Variables that simplify introduced are then omitted.

Exit codes: 10 satisfiable, 20 unsatisfiable, 0 unknown, 1 an input that cannot
be read or an output that cannot be written, 2 invalid command line, 4 the model
does not satisfy --formula.

Examples:
  sator simplify problem.cnf -o simple.cnf --stack stack
  minisat simple.cnf answer; sator extend stack answer
  cadical simple.cnf | sator extend stack - --formula problem.cnf`

// extend runs the command.
func extend(run *cli.Run, stack, model string, formulas []string, output string) error {
	ctx, r := run.Ctx, formula.NewReader(run)
	var comments []string // about the variables
	clauses, err := formula.ReadFile(ctx, r, stack, func(d *dimacs.Reader, src io.Reader) (*dimacs.Formula, error) {
		clauses, err := d.ReadReconstruction(src)
		comments = d.Kept
		return clauses, err
	})
	if err != nil {
		return stackError(err, stack)
	}
	solution, err := formula.ReadFile(ctx, r, model, (*dimacs.Reader).ReadSolution)
	if err != nil {
		return err
	}
	var m dimacs.Model
	if solution.Status == dimacs.Satisfiable {
		if !run.Memory.HasRoom(int64(clauses.Vars())) {
			run.Progress.Doing("extending the model")
			return run.Memory.Stop()
		}
		if m, err = extended(clauses, solution); err != nil {
			return fmt.Errorf("%s: %w", cli.Shown(model), err)
		}
		vars, wrong, err := falsifiedClause(r, ctx, m, formulas)
		if err != nil {
			return err
		}
		if wrong != "" {
			run.Say("%s: the model does not satisfy %s; it is not a model of the simplified formula, or %s belongs to another formula", cli.Shown(model), wrong, cli.Shown(stack))
			return cli.ExitCode(cli.CodeWrong)
		}
		m = m[:min(len(m), vars)]
	}
	err = run.Write(ctx, output, func(w io.Writer) error { return dimacs.WriteSolution(w, solution.Status, m, comments...) })
	return answer.Exit(solution.Status, err)
}

// stackError says where the stack comes from if the file is of another kind.
func stackError(err error, stack string) error {
	var syntax *dimacs.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	src, fault := file.Open(stack)
	if fault != nil {
		return err
	}
	defer src.Close()
	if kind, _, fault := dimacs.Sniff(src); fault != nil || kind == dimacs.KindReconstruction {
		return err
	}
	return fmt.Errorf(`%w; STACK is the file that --stack of "sator simplify" writes, and stands before MODEL`, err)
}

// extended returns the model of the original formula.
func extended(clauses *dimacs.Formula, answer *dimacs.Solution) (dimacs.Model, error) {
	if !answer.HasModel {
		return nil, errors.New("there is no model to extend")
	}
	for v := clauses.Vars(); v < len(answer.Model); v++ {
		if answer.Model[v] != dimacs.Unassigned {
			return nil, fmt.Errorf("the model has variable %d, but the formula has %s", v+1, cli.Count(clauses.Vars(), "variable"))
		}
	}
	return answer.Model[:min(len(answer.Model), clauses.Vars())].Reconstruct(clauses), nil
}

// falsifiedClause reads the original formula, and returns its number of variables and
// the text of a clause that the model falsifies. The text is empty if the model is right
// or there are no files.
func falsifiedClause(r *formula.Reader, ctx context.Context, m dimacs.Model, files []string) (vars int, clause string, err error) {
	if len(files) == 0 {
		return len(m), "", nil
	}
	in, err := r.Formula(ctx, files...)
	if err != nil {
		return 0, "", err
	}
	if i := m.Falsified(in.Formula); i >= 0 {
		clause = fmt.Sprintf("clause %d, %s", i+1, formula.ClauseText(in.Formula.Clause(i)))
	}
	return in.Formula.Vars(), clause, nil
}
