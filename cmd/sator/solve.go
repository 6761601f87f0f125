package main

import (
	"slices"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/formula"
	"sator/dimacs"
)

func solveCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "solve",
		Usage:       "find a model of a formula, or find that there is none",
		UsageText:   "sator solve [flags] [FILE|-]...\nsator solve [flags] FILE PROOF      short for --proof PROOF, see below",
		Description: solveDescription,
		Flags:       append(solveFlags(), engines.Flags()...),
		Action: cli.Action(func(c *cli.Context) error {
			o, err := solveOptionsOf(c)
			if err != nil {
				return err
			}
			frame := cli.RunOptions{Inputs: o.files, Outputs: []string{o.Proof, o.trace}, Redirect: true, Status: true}
			return e.Run(c, frame, func(r *cli.Run) error { return solve(r, o) })
		}),
	}
}

const solveDescription = `Reads a formula in DIMACS CNF, plain or compressed by gzip, bzip2, xz or zstd
(recognized by content), from files or from standard input ("-", or no FILE).
Several files are one conjunction. Prints one line "s SATISFIABLE",
"s UNSATISFIABLE" or "s UNKNOWN"; a model follows in "v" lines, over the
variables of the header. Lines with "c" are comments. The model is checked
against the formula as it was read before it is printed.

Exit codes: 10 satisfiable, 20 unsatisfiable, 0 unknown, 1 an input that cannot
be read or an output that cannot be written, 2 bad command line, 3 an error of
Sator itself.

SIGINT, SIGTERM, SIGHUP and the limits end the run with "s UNKNOWN". Limits hold
for the whole run; time counts from its start, with reading.

With assumptions, "s UNSATISFIABLE" means that no model makes all of them true;
a comment names assumptions that already exclude each other.

A file with "p inccnf" (iCNF) holds clauses and cubes ("a" lines). Its cubes are
solved in turn, each as assumptions and with the clauses that stand before it,
by one solver that keeps what it learns. The first satisfiable cube ends the run
with its model and "s SATISFIABLE". "s UNSATISFIABLE" says that each cube was
refuted; the formula itself then has no model if the cubes cover all cases, as
those of cube-and-conquer do, and that is not checked. A cube left open by a
limit makes the answer "s UNKNOWN". Without cubes the clauses alone are solved.

--proof FILE writes a proof that "sator check" and other checkers accept: binary
DRAT, unless --proof-format and --proof-text say otherwise. The file is complete
before the answer is printed. If it cannot be written the run ends at once with
exit code 1, without an answer and, unless it is a pipe or a device, without the
file. With an answer other than unsatisfiable it has the steps so far. Under
assumptions the proof ends with the clause of those that failed, for "sator
check --assume"; of a file with cubes it has such a clause for each.

As in the competitions, "sator solve FILE PROOF" stands for --proof PROOF. Of
two operands the second is the proof if it does not end with .cnf, .icnf or
.dimacs (and .gz or the like), and no file has that name; or it is a file that
is empty, or that begins, in its first megabyte, as a proof that no formula can
be: a binary one, or one with a deletion. Everything else is a formula, and no
formula is ever overwritten.

--verify checks each step of the derivation by an independent checker as it is
made; those of an engine that tells no antecedents are kept in memory and
checked at the end, if they are a refutation. "c verified" is printed only if it
holds; if a step is wrong there is no answer and the exit code is 3. A check
that a limit or a signal ends leaves the answer "s UNKNOWN".

The engine is clause learning, unless the formula is of a kind that is decided
in linear time: by twosat, if no clause has more than two different literals, or
by horn, if none has more than one positive literal, or none more than one
negative one. A formula made of a few large parts that have no variable in
common is split, and each part solved by itself. "c engine" says what was chosen
and why. --engine asks for one, and so do options of clause learning. Files with
clauses after a cube are left to clause learning. "sator twosat" tells more of
clauses of two literals.

With --threads N, N solvers of clause learning with different configurations
race and share what they learn; the first answer ends the run. Limits hold for
all of them together, and there is one proof. Runs differ from one to the next,
unless --deterministic has the solvers wait for one another at intervals.

--engine dpll is the classic search, without learning, as heuristics are
compared on it and for seeing how it works: --trace FILE writes each of its
steps, by the rules for proofs, and "sator trace" draws its tree. Its proofs are
in DRAT alone. A flag that is about another engine is an error.

With --json, standard output is one document with these members: version,
status, reason (why unknown), model (DIMACS integers), failed_assumptions,
cubes (number and status of each), verified (with --verify: whether a refutation
was checked), files, engine, variables, clauses, options, times (read, solve,
total; in seconds), memory (bytes held at the end), statistics.
Comments are left out and the report lines of -v go to standard error.

The lines of -v show at the left why they are printed: * start, { } focused
mode, [ ] stable mode, - learned clauses reduced, C clauses swept, B F I O
phases reset, i a variable fixed, 1 satisfiable, 0 unsatisfiable, ? stopped; of
dpll, . a second has passed.

Examples:
  sator solve problem.cnf.xz
  sator problem.cnf --time 60 --stats
  zcat problem.cnf.gz | sator solve --no-model
  sator solve rules.cnf givens.cnf --assume "1 -2"
  sator solve problem.cnf --proof problem.lrat.zst --proof-format lrat
  sator solve problem.cnf --verify
  sator solve problem.cnf --engine dpll --heuristic positive --trace t.jsonl
  sator solve problem.cnf --json --quiet | jq .statistics.conflicts`

func solveFlags() []cli.Flag {
	return slices.Concat([]cli.Flag{
		cli.TimeFlag(),
		&cli.Int64Flag{Name: "conflicts", Category: cli.LimitFlags, Usage: "stop after `N` conflicts"},
		cli.MemoryFlag(),
	}, answerFlags("print options, and report lines while solving"), []cli.Flag{
		formula.RelaxedFlag(),
		formula.AssumeFlag(),
		&cli.StringFlag{Name: "engine", Category: cli.EngineFlags, Value: "auto", Usage: "`NAME` of the engine: " + engines.Help()},
		&cli.Uint64Flag{Name: "seed", Category: cli.EngineFlags, Usage: "start the random generator with `N`"},
		&cli.StringFlag{Name: "profile", Category: cli.ProfileFlags, Usage: "record the profile `KIND`: " + cli.ProfileNames()},
		&cli.StringFlag{Name: "profile-dir", Category: cli.ProfileFlags, Value: ".", Usage: "write the profile to directory `DIR`"},
	})
}

// answerFlags are about what is printed of an answer and written of a proof. Verbose
// says what --verbose adds.
func answerFlags(verbose string) []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "no-model", Category: cli.OutputFlags, Usage: "print no v lines"},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: cli.OutputFlags, Usage: "print no c lines and no status line"},
		&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Category: cli.OutputFlags, Usage: verbose},
		&cli.BoolFlag{Name: "stats", Category: cli.OutputFlags, Usage: "print statistics at the end, as c lines even with --quiet"},
		&cli.BoolFlag{Name: "json", Category: cli.OutputFlags, Usage: "print one JSON document instead of lines"},
		cli.OutputFlagOf("write to `FILE` what goes to standard output otherwise"),
		&cli.StringFlag{Name: "proof", Category: cli.ProofFlags, Usage: "write the proof to `FILE`, compressed if it ends with .gz, .xz or .zst; - is standard output and needs --output"},
		&cli.StringFlag{Name: "proof-format", Category: cli.ProofFlags, Value: "drat", Usage: "`NAME` of the proof's format: drat, lrat"},
		cli.ProofTextFlag("write the proof as text instead of binary"),
		&cli.BoolFlag{Name: "verify", Category: cli.ProofFlags, Usage: "check the refutation by an independent checker"},
	}
}

// solveOptions are the command line of solve.
type solveOptions struct {
	files     []string
	conflicts int64
	assume    []dimacs.Lit
	engine    *engines.Engine // that was asked for
	setup     engines.Setup
	chosen    engines.Chosen // the engine that answers, once the formula is known
	seed      uint64

	cli.ProofOptions
	output string
	verify bool
	trace  string

	noModel, quiet, verbose, stats, json, relaxed bool
	profile, profileDir                           string
}

func solveOptionsOf(c *cli.Context) (*solveOptions, error) {
	o := &solveOptions{
		files:        c.Args().Slice(),
		seed:         c.Uint64("seed"),
		noModel:      c.Bool("no-model"),
		quiet:        c.Bool("quiet"),
		verbose:      c.Bool("verbose"),
		stats:        c.Bool("stats"),
		json:         c.Bool("json"),
		relaxed:      c.Bool("relaxed"),
		profile:      c.String("profile"),
		profileDir:   c.String("profile-dir"),
		output:       c.String("output"),
		ProofOptions: cli.ProofOptions{HasProof: c.IsSet("proof"), Proof: c.String("proof")},
		verify:       c.Bool("verify"),
		trace:        c.String("trace"),
	}
	if !o.HasProof && len(o.files) == 2 && isProofOperand(o.files[1]) {
		o.HasProof, o.Proof, o.files = true, o.files[1], o.files[:1]
	}
	if len(o.files) == 0 {
		o.files = []string{"-"}
	}
	if o.quiet && o.verbose {
		return nil, cli.Exclusive("quiet", "verbose")
	}
	if c.IsSet("profile-dir") && o.profile == "" {
		return nil, cli.Useless("profile-dir", "profile")
	}
	return o, o.parse(c)
}

// parse reads the flags whose values need reading.
func (o *solveOptions) parse(c *cli.Context) (err error) {
	if o.engine, err = engines.Find(c.String("engine")); err != nil {
		return err
	}
	o.chosen.Name = o.engine.Name
	if o.setup, err = o.engine.ReadSetup(c); err != nil {
		return err
	}
	if c.IsSet("trace") {
		if err := o.checkTrace(); err != nil {
			return err
		}
	}
	if o.conflicts, err = cli.Positive(c, "conflicts", 1); err != nil {
		return err
	}
	if o.ProofFormat, err = o.Format(c, o.output, o.engine.Name, o.engine.Hints); err != nil {
		return err
	}
	o.assume, err = formula.Literals(c.StringSlice("assume"))
	return err
}

// checkTrace returns an error if the trace has no place to go.
func (o *solveOptions) checkTrace() error {
	switch {
	case o.trace == "":
		return cli.ErrNoName
	case o.trace == "-" && o.output == "-":
		return &cli.UsageError{Msg: "the trace cannot go where the answer goes, to standard output", Hint: "Send the answer to a file by --output."}
	}
	return nil
}
