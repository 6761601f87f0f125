package main

import (
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
		Usage:       "check a model or a proof that any solver gave",
		UsageText:   "sator check [flags] FORMULA... EVIDENCE",
		Description: checkDescription,
		Flags:       checkFlags(),
		Action: cli.Action(func(c *cli.Context) error {
			o, err := checkOptionsOf(c)
			if err != nil {
				return err
			}
			frame := cli.RunOptions{Inputs: c.Args().Slice(), Outputs: o.outputs(), Redirect: true, Status: true}
			return e.Run(c, frame, func(r *cli.Run) error { return check(r, o) })
		}),
	}
}

const checkDescription = `EVIDENCE is a solution, for a formula that has a model, or a proof, for one that
has none. What it is, is told by its content, compressed or not, unless --format
says so. Several files before it are one conjunction. One file may be "-",
standard input. Prints "s VERIFIED" if the evidence is right, and
"s NOT VERIFIED" with the reason in comments if it is wrong.

A solution is "s" and "v" lines as solvers print them, the file that MiniSat
writes, or a list of literals. Every clause has to have a true literal. Of an
iCNF file the clauses count, not the cubes.

A proof is in DRAT or LRAT, as text or binary. Every lemma that counts must
follow by unit propagation or have the property RAT on its first literal, up to
the empty clause. For DRAT, lemmas are checked backward and only those that turn
out to be needed, so that the last wrong one is named (--forward finds the
first), and deletions of clauses that are unit are ignored, with a
warning, as other checkers do. For LRAT each lemma is checked along its hints.
With --assume the proof has to refute the formula under these assumptions: by a
clause of complements of assumptions, or so that propagation of the assumptions
leads to a conflict in the end. Of a file with cubes (iCNF) every cube has to be
refuted like that, with the clauses that stand before it; the proof is read
anew for each, unless it has the empty clause and all cubes stand at the end.

A list of literals with one 0 at its end may also be a proof of one lemma; it is
right if it is right as one of the two. An empty EVIDENCE is a proof without
lemmas.

--core, --trim and --lrat write what a right proof needs: the clauses of the
formula, the lemmas as a proof in the format of the one given, and the same with
hints. Nothing is written for a wrong one. What was checked with
--strict-deletions and trimmed as DRAT has to be checked so again.

Exit codes: 0 right, 4 wrong, 2 bad command line, 1 anything else: unreadable or
cut off, a solution without a model, an output that cannot be written, and
"s UNKNOWN" when a signal or --time ended the check.

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
		&cli.StringFlag{Name: "format", Category: cli.InputFlags, Usage: "`NAME` of the format of EVIDENCE: " + evidenceFormatNames()},
		&cli.BoolFlag{Name: "forward", Category: cli.ProofFlags, Usage: "check all lemmas of a DRAT proof, from the first on"},
		&cli.BoolFlag{Name: "strict-deletions", Category: cli.ProofFlags, Usage: "obey all deletions of a DRAT proof, those of units too"},
		&cli.StringFlag{Name: "core", Category: cli.ProofFlags, Usage: "write the clauses that are needed, a formula, to `FILE`"},
		&cli.StringFlag{Name: "trim", Category: cli.ProofFlags, Usage: "write the lemmas that are needed, in the format of the proof, to `FILE`"},
		&cli.StringFlag{Name: "lrat", Category: cli.ProofFlags, Usage: "write the lemmas that are needed, in binary LRAT, to `FILE`"},
		cli.ProofTextFlag("write --trim and --lrat as text"),
		cli.OutputFlagOf("write to `FILE` what goes to standard output otherwise"),
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: cli.OutputFlags, Usage: "print no c lines and no status line"},
	}
}

// checkOptions are the command line of check.
type checkOptions struct {
	formulas []string
	evidence string
	expected proof.Evidence // the value of --format
	assume   []dimacs.Lit
	output   string

	forward, strict  bool
	core, trim, lrat string
	text             bool
	quiet            bool
}

func checkOptionsOf(c *cli.Context) (*checkOptions, error) {
	n := c.NArg()
	if n < 2 {
		return nil, cli.Usagef("at least two operands are needed, FORMULA and EVIDENCE")
	}
	files := c.Args().Slice()
	if i := slices.Index(files, "-"); i >= 0 && slices.Contains(files[i+1:], "-") {
		return nil, cli.Usagef("only one of the files can be standard input")
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
		text:     c.Bool("proof-text"),
		quiet:    c.Bool("quiet"),
	}
	return o, o.parse(c)
}

// parse reads the flags whose values need reading.
func (o *checkOptions) parse(c *cli.Context) (err error) {
	if o.expected, err = expectedEvidence(c.String("format")); err != nil {
		return err
	}
	for _, name := range []string{"core", "trim", "lrat"} {
		switch {
		case c.IsSet(name) && c.String(name) == "":
			return cli.ErrNoName
		case c.String(name) == "-" && o.output == "-":
			return &cli.UsageError{Msg: fmt.Sprintf("--%s cannot go where the verdict goes, to standard output", name), Hint: "Send the verdict to a file by --output."}
		}
	}
	if o.text && o.trim == "" && o.lrat == "" {
		return cli.Useless("proof-text", "trim or --lrat")
	}
	o.assume, err = formula.Literals(c.StringSlice("assume"))
	return err
}

// outputs lists the files that are outputs of a right proof.
func (o *checkOptions) outputs() []string { return []string{o.core, o.trim, o.lrat} }

// trims reports whether there are any.
func (o *checkOptions) trims() bool { return o.core+o.trim+o.lrat != "" }

// A checkRun is a run of check.
type checkRun struct {
	*cli.Run
	o  *checkOptions
	in *formula.Input
}

// A verdict is what a check found, with remarks for a person.
type verdict struct {
	right   bool
	remarks []string
}

func (v *verdict) remark(format string, args ...any) {
	v.remarks = append(v.remarks, fmt.Sprintf(format, args...))
}

func check(r *cli.Run, o *checkOptions) error {
	cli.SetCollector()
	k := &checkRun{Run: r, o: o}
	v, err := k.evaluate(r.Ctx)
	if why, is := cli.Stopped(r.Ctx); is && err != nil {
		return k.printUnknown(why)
	} else if err != nil {
		return err
	}
	return k.printVerdict(v)
}

// evaluate reads the formula and the evidence and compares them.
func (k *checkRun) evaluate(ctx context.Context) (*verdict, error) {
	in, err := formula.NewReader(k.Run).Formula(ctx, k.o.formulas...)
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
	}
	return k.checkProof(ctx, x)
}

// checkLiterals judges numbers with a single 0: a solution, or a proof of one lemma. No
// formula makes both right.
func (k *checkRun) checkLiterals(ctx context.Context, x *evidenceFile) (*verdict, error) {
	text, err := cli.Await(ctx, func() (string, error) {
		defer x.close()
		text, err := io.ReadAll(x.whole)
		return string(text), err
	})
	if err != nil {
		return nil, err
	}
	v, err := k.checkSolution(ctx, &evidenceFile{whole: strings.NewReader(text)})
	if err == nil && v.right {
		return v, nil
	}
	w, other := k.checkProof(ctx, &evidenceFile{Evidence: x.Evidence, whole: strings.NewReader(text)})
	if other == nil && (w.right || err != nil) {
		return w, nil
	}
	return v, err
}

// printVerdict prints a verdict and returns its exit code.
func (k *checkRun) printVerdict(v *verdict) error {
	for _, r := range v.remarks {
		if !k.o.quiet {
			k.Out.Comment("%s", r)
		}
	}
	word := "NOT VERIFIED"
	if v.right {
		word = "VERIFIED"
	}
	k.Out.Line("s " + word)
	if k.Out.Err != nil || v.right {
		return k.Out.Err
	}
	return cli.ExitCode(cli.CodeWrong)
}

// printUnknown prints that the check did not come to its end. The exit code is no
// success, which a caller would take for a verdict.
func (k *checkRun) printUnknown(why string) error {
	if !k.o.quiet {
		k.Out.Comment("stopped after %.2f s: %s", time.Since(k.Begin).Seconds(), why)
	}
	k.Out.Line("s UNKNOWN")
	return cmp.Or(k.Out.Err, error(cli.ExitCode(cli.CodeInput)))
}
