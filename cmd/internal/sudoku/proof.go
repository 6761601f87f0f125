package sudoku

import (
	"context"
	"fmt"
	"io"

	"sator/cmd/internal/cli"
	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/sudoku"
	sudokusolve "sator/sudoku/solve"
	"sator/sudoku/text"
)

// Evidence that a puzzle has no solution or no second solution: a formula and a
// refutation. To verify it independently, read the formula, whose comments describe the
// variables, and check the refutation with another program.

const proofDescription = `--cnf FILE writes, for a single puzzle, a formula that states that there is a
solution, or another solution if one was found: the rules, the givens as unit
clauses, and a clause that blocks the solution found. --proof FILE writes a
refutation of it, in binary DRAT, or in binary LRAT if FILE ends with .lrat,
unless --proof-format or --proof-text selects another format. The refutation is
checked before the result is printed; "sator check CNF PROOF" and other checkers
accept it. With several solutions there is nothing to prove.`

// proofFlags returns the flags for evidence.
func proofFlags() []cli.Flag {
	return []cli.Flag{
		cli.Writes(&cli.StringFlag{Name: "cnf", Category: cli.ProofFlags, Usage: "write the formula of a solution to `FILE`; it states that there is one (or another one)"}, "cnf", "text"),
		cli.ProofFlag("write a refutation of this formula to `FILE`"),
		cli.Choices(&cli.StringFlag{Name: "proof-format", Category: cli.ProofFlags, Value: "drat", Usage: "`NAME` of the proof format: drat, lrat"}, cli.ProofFormats),
		cli.ProofTextFlag("write the refutation as text instead of binary"),
	}
}

// proofOptions are the values of these flags.
type proofOptions struct {
	formula, proof string // names of files; proof may be empty
	format         proof.Format
}

func proofOptionsOf(c *cli.Context) (*proofOptions, error) {
	if cli.Find(c.Command.Flags, "cnf") == nil {
		return nil, nil
	}
	o := cli.ProofOptions{HasProof: c.IsSet("proof"), Proof: c.String("proof")}
	var err error
	p := &proofOptions{formula: c.String("cnf"), proof: o.Proof}
	if p.format, err = o.Format(c, "cdcl", true); err != nil {
		return nil, err
	}
	switch {
	case o.HasProof && !c.IsSet("cnf"):
		return nil, cli.Useless("proof", "cnf")
	case c.IsSet("cnf"):
		return p, nil
	}
	return nil, nil
}

// outputs returns the names of the files.
func (p *proofOptions) outputs() []string {
	if p == nil {
		return nil
	}
	return []string{p.formula, p.proof}
}

// prove writes the evidence for the answer to a puzzle.
func (p *proofOptions) prove(ctx context.Context, r *cli.Run, g *sudoku.Grid, c sudoku.Coding, a *sudokusolve.Answer) error {
	var solution []int
	if a.Count > 0 {
		solution = a.Solutions[0]
	}
	cnf, err := sudokusolve.Refutation(g, c, solution)
	if err != nil {
		return err
	}
	err = r.Write(ctx, p.formula, func(w io.Writer) error {
		return dimacs.Write(w, cnf.Formula, append(cnf.Map.Comments(), statementOf(a))...)
	})
	if err != nil || p.proof == "" {
		return err
	}
	return p.refute(ctx, r, cnf.Formula)
}

// statementOf returns the comment about the meaning of the formula.
func statementOf(a *sudokusolve.Answer) string {
	if a.Count > 0 {
		return "the last clause blocks a solution: a model would be another solution"
	}
	return "a model would be a solution"
}

// refute writes a refutation of the formula and checks it.
func (p *proofOptions) refute(ctx context.Context, r *cli.Run, f *dimacs.Formula) error {
	file, err := r.CreateProof(cli.ProofOptions{HasProof: true, Proof: p.proof, ProofFormat: p.format})
	if err != nil {
		return err
	}
	v := cli.NewEvidence(file, f, cli.VerifyAlways, true, nil)
	switch sudokusolve.Prove(ctx, f, v.Proof(f.Len())) {
	case dimacs.Satisfiable:
		return &cli.InternalError{Msg: "the formula to be refuted has a model"}
	case dimacs.Unknown:
		return context.Cause(ctx)
	}
	if err := v.Confirm(ctx, f, nil); err != nil {
		return err
	}
	if err := v.Err(); err != nil {
		return err
	}
	return file.Close()
}

// proveOne solves the only puzzle of the input, prints the answer and writes the
// evidence for it.
func (r *puzzleRun) proveOne(ctx context.Context, src *text.FileReader) error {
	src.KeepGoing = false
	only, second, err := src.Only()
	if err != nil {
		return err
	}
	if second != nil {
		return fmt.Errorf("%v: --cnf and --proof need an input with a single puzzle; this is the second", second)
	}
	r.batch.Next = func() (*portion, error) {
		if only == nil {
			return nil, io.EOF
		}
		p := only
		only = nil
		return &portion{puzzle: p}, nil
	}
	r.batch.Deliver = func(all *portion, _ struct{}) error {
		one := all.rest[0]
		if err := r.deliver(ctx, one.puzzle, one.result); err != nil {
			return err
		}
		return r.proveAnswer(ctx, one.puzzle, one.result)
	}
	return r.batch.Run(ctx)
}

// proveAnswer writes the evidence for an answer.
func (r *puzzleRun) proveAnswer(ctx context.Context, p *puzzle, x *puzzleResult) error {
	if !x.Complete || x.Count > 1 {
		r.fail("%v: nothing to prove: there are several solutions", p)
		return nil
	}
	if err := r.o.evidence.prove(ctx, r.Run, p.Grid, r.o.options.Coding, &x.Answer); err != nil {
		return err
	}
	if r.o.evidence.proof != "" {
		what := "no solution"
		if x.Count > 0 {
			what = "no other solution"
		}
		r.Say("%v: %s; the refutation was checked", p, what)
	}
	return nil
}
