package commands

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dimacs/proof"
)

func checkCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "check",
		Category:    "Evidence",
		Usage:       "check a model or a proof of any solver",
		UsageText:   "sator check [flags] FORMULA... EVIDENCE",
		Description: checkDescription,
		Flags:       checkFlags(),
		Action: cli.RunAction(e, checkOptionsOf, func(o *checkOptions) cli.RunOptions {
			return cli.AnswerOptions(append(slices.Clone(o.formulas), o.evidence), o.outputs()...)
		}, check),
	}
}

const checkDescription = `Checks EVIDENCE: a solution of a satisfiable formula, a proof for an
unsatisfiable one, or a certificate of the number of models. The kind is
recognized by content, compressed or not, unless --from names it. Several files
before it are one conjunction. One file may be "-", standard input. Prints "s
VERIFIED" if the evidence is right, and "s NOT VERIFIED" with the reason in
comments if it is wrong.

A solution consists of "s" and "v" lines as solvers print them, or is the output
file of MiniSat or a list of literals. Every clause must have a true literal. In
an iCNF file the clauses count and the cubes are ignored.

A proof is in DRAT or LRAT, text or binary. Every required lemma must be RUP
(follow by unit propagation) or RAT on its first literal, and the proof must end
in the empty clause. DRAT proofs are checked backward, only the required lemmas,
so that the last wrong lemma is reported (--forward reports the first).
Deletions of unit clauses are ignored with a warning, as in other checkers. In
LRAT proofs each lemma is checked by its hints. With --assume the proof must
refute the formula under these assumptions: by a clause of their negations, or
by a conflict that follows from the assumptions by unit propagation at the end.
The cubes of an iCNF file do not count: a proof refutes the formula.

A certificate of a number of models, in CPOG, is a circuit with a proof that it
has the models of the formula. The number is printed in the lines of count, with
the weights in the formula.

A list of literals with a single 0 at its end may also be a proof of one lemma;
it is right if either reading is right. An empty EVIDENCE is a proof without
lemmas.

--core, --trim and --lrat write parts of a correct proof: the required clauses
of the formula (an unsatisfiable core), the required lemmas in the format of the
proof, and the same lemmas with hints. --draw draws a small proof: each required
clause with those from which it is derived. A wrong proof has no such files. A
proof that was checked with --strict-deletions and trimmed as DRAT must be
checked with --strict-deletions again.

Exit codes: 0 right, 4 wrong, 2 invalid command line, 1 any other failure: an
input that is unreadable or truncated, a solution without a model, an output
that cannot be written, and "s UNKNOWN" if a signal or --time ended the check.

Examples:
  minisat problem.cnf answer; sator check problem.cnf answer
  cadical problem.cnf | sator check problem.cnf -
  sator problem.cnf problem.drat.zst; sator check problem.cnf problem.drat.zst
  sator check problem.cnf proof --core core.cnf --lrat proof.lrat --proof-text`

func checkFlags() []cli.Flag {
	return []cli.Flag{
		cli.TimeFlag(),
		formula.RelaxedFlag(),
		formula.AssumeFlag(),
		cli.Choices(&cli.StringFlag{Name: "from", Category: cli.InputFlags, Usage: "read EVIDENCE in the form `NAME` (default: by content): " + strings.Join(evidenceFormatNames(), ", ")}, func() []cli.Choice { return cli.Names(evidenceFormatNames()...) }),
		&cli.BoolFlag{Name: "forward", Category: cli.ProofFlags, Usage: "check all lemmas of a DRAT proof in order (default: backward)"},
		&cli.BoolFlag{Name: "strict-deletions", Category: cli.ProofFlags, Usage: "do not ignore deletions of unit clauses in DRAT proofs"},
		cli.Writes(&cli.StringFlag{Name: "core", Category: cli.ProofFlags, Usage: "write the unsatisfiable core, a formula, to `FILE`"}, "cnf", "text"),
		cli.Writes(&cli.StringFlag{Name: "trim", Category: cli.ProofFlags, Usage: "write the required lemmas to `FILE`; in the format of the proof"}, "drat", "lrat", "proof", "text"),
		cli.Writes(&cli.StringFlag{Name: "lrat", Category: cli.ProofFlags, Usage: "write the required lemmas to `FILE`, in binary LRAT"}, "lrat", "proof", "text"),
		cli.Writes(&cli.StringFlag{Name: "draw", Category: cli.ProofFlags, Usage: "draw the required clauses to `FILE`, as SVG or DOT"}, "svg", "dot", "text"),
		cli.ProofTextFlag("write --trim and --lrat as text"),
		cli.OutputFlag(),
		cli.QuietFlag(),
	}
}

// checkOptions is the command line of check.
type checkOptions struct {
	formulas []string
	evidence string
	expected proof.Evidence // the value of --from
	assume   []dimacs.Lit
	output   string

	forward, strict        bool
	core, trim, lrat, draw string
	text                   bool
}

func checkOptionsOf(c *cli.Context) (*checkOptions, error) {
	n := c.NArg()
	if n < 2 {
		return nil, cli.Usagef("want at least two operands, FORMULA and EVIDENCE")
	}
	files := c.Args().Slice()
	if err := cli.CheckStdin(files); err != nil {
		return nil, err
	}
	o := &checkOptions{
		formulas: files[:n-1],
		evidence: files[n-1],
		output:   c.String("output"),
		forward:  c.Bool("forward"),
		strict:   c.Bool("strict-deletions"),
		core:     c.String("core"),
		trim:     c.String("trim"),
		lrat:     c.String("lrat"),
		draw:     c.String("draw"),
		text:     c.Bool("proof-text"),
	}
	return o, o.parse(c)
}

// parse parses and checks the other flags.
func (o *checkOptions) parse(c *cli.Context) (err error) {
	if o.expected, err = expectedEvidence(c.String("from")); err != nil {
		return err
	}
	for _, name := range []string{"core", "trim", "lrat", "draw"} {
		if err := cli.CheckOutput(c, name, "--"+name, "verdict"); err != nil {
			return err
		}
	}
	if o.text && o.trim == "" && o.lrat == "" {
		return cli.Useless("proof-text", "trim or --lrat")
	}
	o.assume, err = formula.Literals(c.StringSlice("assume"))
	return err
}

// outputs returns the names of the files to write for a correct proof.
func (o *checkOptions) outputs() []string { return []string{o.core, o.trim, o.lrat, o.draw} }

// trims reports whether there are such files.
func (o *checkOptions) trims() bool { return o.core+o.trim+o.lrat+o.draw != "" }

// A checkRun is a run of check.
type checkRun struct {
	*cli.Run
	o  *checkOptions
	in *formula.Input
}

// A verdict is the result of a check, with remarks for the comments.
type verdict struct {
	right   bool
	remarks []string
	number  string // of models, with its form; empty without one
}

func (v *verdict) remark(format string, args ...any) {
	v.remarks = append(v.remarks, fmt.Sprintf(format, args...))
}

func check(r *cli.Run, o *checkOptions) error {
	cli.SaveMemory()
	k := &checkRun{Run: r, o: o}
	var v *verdict
	k.Do("check", func(ctx context.Context) (err error) {
		if v, err = k.evaluate(ctx); err != nil && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return err
	})
	return k.Finish(func() error {
		if k.Err() != nil {
			return k.printUnknown()
		}
		return k.printVerdict(v)
	})
}

// evaluate reads the formula and the evidence, and checks the evidence.
func (k *checkRun) evaluate(ctx context.Context) (*verdict, error) {
	in, err := k.readFormula(ctx, k.o.expected.Kind == proof.KindCount)
	if err != nil {
		return nil, err
	}
	if err := in.CheckAssumptions(k.o.assume); err != nil {
		return nil, err
	}
	k.in = in
	x, err := k.openEvidence(ctx)
	if err != nil {
		return nil, err
	}
	switch x.Kind {
	case proof.KindSolution:
		return k.checkSolution(ctx, x)
	case proof.KindLiterals:
		return k.checkLiterals(ctx, x)
	case proof.KindCount:
		return k.checkCount(ctx, x)
	}
	return k.checkProof(ctx, x)
}

// readFormula reads the formula, and its lines about counting if they matter.
func (k *checkRun) readFormula(ctx context.Context, counting bool) (*formula.Input, error) {
	r := formula.NewReader(k.Run)
	r.Counting = counting
	return r.Formula(ctx, k.o.formulas...)
}

// checkLiterals checks a list of literals with one 0, as a solution and as a proof of one
// lemma. No list is right in both readings.
func (k *checkRun) checkLiterals(ctx context.Context, x *evidenceFile) (*verdict, error) {
	defer x.close()
	text, err := io.ReadAll(x.whole)
	if err != nil {
		return nil, err
	}
	asSolution, solutionErr := k.checkSolution(ctx, &evidenceFile{whole: bytes.NewReader(text)})
	if solutionErr == nil && asSolution.right {
		return asSolution, nil
	}
	asProof, proofErr := k.checkProof(ctx, &evidenceFile{Evidence: x.Evidence, whole: bytes.NewReader(text)})
	if proofErr == nil && (asProof.right || solutionErr != nil) {
		return asProof, nil
	}
	return asSolution, solutionErr
}

// printVerdict prints the verdict and returns its exit code.
func (k *checkRun) printVerdict(v *verdict) error {
	for _, r := range v.remarks {
		k.Comment("%s", r)
	}
	word := "NOT VERIFIED"
	if v.right {
		word = "VERIFIED"
	}
	k.Out.Line("s " + word)
	if v.number != "" {
		k.Out.Line("c s exact " + v.number)
	}
	if k.Out.Err != nil || v.right {
		return k.Out.Err
	}
	return cli.ExitCode(cli.CodeWrong)
}

// printUnknown prints that the check was stopped. The exit code is that of an error,
// because a caller would take success for a verdict.
func (k *checkRun) printUnknown() error {
	k.Comment("stopped after %.2f s: %s", time.Since(k.Begin).Seconds(), k.Why())
	k.Out.Line("s UNKNOWN")
	return cmp.Or(k.Out.Err, error(cli.ExitCode(cli.CodeInput)))
}
