package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"sator/dimacs"
)

func checkCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "check a model that any solver gave",
		UsageText: "sator check [flags] FORMULA SOLUTION",
		Description: `Evaluates the formula under the model in SOLUTION: "s" and "v" lines as solvers
print them, the file that MiniSat writes, or a list of literals. Prints
"s VERIFIED" if every clause has a true literal. Otherwise it prints
"s NOT VERIFIED" and, in a comment, the first clause that has none, which is
false, or left open by a partial model. One of the two files may be "-",
standard input. Of an iCNF file the clauses count, not the cubes.

Exit codes: 0 right, 4 wrong, 1 unreadable, which includes a SOLUTION without a
model, 2 bad command line.

Examples:
  minisat problem.cnf answer; sator check problem.cnf answer
  cadical problem.cnf | sator check problem.cnf -`,
		Flags: []cli.Flag{
			relaxedFlag(),
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: outputFlags, Usage: "print no c lines"},
		},
		Action: action(func(c *cli.Context) error {
			if c.NArg() != 2 {
				return usagef("two operands are needed, FORMULA and SOLUTION")
			}
			if c.Args().Get(0) == "-" && c.Args().Get(1) == "-" {
				return usagef("only one of the files can be standard input")
			}
			return check(e, c)
		}),
	}
}

// relaxedFlag is the flag of all commands that read formulas.
func relaxedFlag() cli.Flag {
	return &cli.BoolFlag{Name: "relaxed", Category: inputFlags, Usage: "accept wrong or missing headers and a missing last 0, with warnings"}
}

func check(e *env, c *cli.Context) error {
	ctx, release := onSignal(context.Background())
	defer release()
	read := e.reading(c)
	in, err := read.formula(ctx, c.Args().Get(0))
	if err != nil {
		return err
	}
	answer, err := read.solution(ctx, c.Args().Get(1))
	if err != nil {
		return err
	}
	if !answer.HasModel {
		return fmt.Errorf("%s: there is no model to check", c.Args().Get(1))
	}
	right, remarks := judge(in.formula, answer.Model)
	return e.verdict(right, remarks, c.Bool("quiet"))
}

// judge evaluates a formula and says in words what it found.
func judge(f *dimacs.Formula, m dimacs.Model) (right bool, remarks []string) {
	open := 0
	for v := range f.Vars() {
		if m.Lit(dimacs.Var(v).Lit()) == dimacs.Unassigned {
			open++
		}
	}
	if open > 0 {
		remarks = append(remarks, fmt.Sprintf("the model is partial: it leaves %d of %d variables open", open, f.Vars()))
	}
	if n := beyond(f, m); n > 0 {
		remarks = append(remarks, fmt.Sprintf("the model gives values to %d variables that the formula does not have", n))
	}
	i := m.Falsified(f)
	if i < 0 {
		return true, append(remarks, fmt.Sprintf("each of the %d clauses has a true literal", f.Len()))
	}
	verdict := "is false"
	if m.Clause(f.Clause(i)) == dimacs.Unassigned {
		verdict = "is left open"
	}
	return false, append(remarks, fmt.Sprintf("clause %d %s: %s", i+1, verdict, clauseText(f.Clause(i))))
}

// beyond counts the values that a model has for other variables than those of
// the formula.
func beyond(f *dimacs.Formula, m dimacs.Model) int {
	n := 0
	for _, x := range m[min(f.Vars(), len(m)):] {
		if x != dimacs.Unassigned {
			n++
		}
	}
	return n
}

// clauseText writes a clause as its file does.
func clauseText(c []dimacs.Lit) string {
	if len(c) == 0 {
		return "0"
	}
	return spaced(c) + " 0"
}

// verdict prints what check found and returns its exit code.
func (e *env) verdict(right bool, remarks []string, quiet bool) error {
	p := newPrinter(e.stdout)
	for _, r := range remarks {
		if !quiet {
			p.comment("%s", r)
		}
	}
	word := "NOT VERIFIED"
	if right {
		word = "VERIFIED"
	}
	p.line("s " + word)
	if p.err != nil || right {
		return p.err
	}
	return exitCode(codeWrong)
}
