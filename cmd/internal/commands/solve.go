package commands

import (
	"slices"

	"sator/cmd/internal/answer"
	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/formula"
)

func solveCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "solve",
		Category:    "Solve",
		Usage:       "find a model of a formula, or prove that there is no model",
		UsageText:   "sator solve [flags] [FILE|-]...\nsator solve [flags] FILE PROOF      short for --proof PROOF, see below",
		Description: solveDescription,
		Flags:       append(solveFlags(), engines.Flags()...),
		Action: cli.RunAction(e, solveOptionsOf, func(o *solveOptions) cli.RunOptions {
			return cli.AnswerOptions(o.Files, o.Proof, o.record)
		}, solve),
	}
}

const solveDescription = `Reads a formula in DIMACS CNF from files or from standard input ("-" or no
FILE), and decides whether it has a model. Files may be compressed by gzip,
bzip2, xz or zstd (recognized by content). Several files are one conjunction.
Prints one line "s SATISFIABLE", "s UNSATISFIABLE" or "s UNKNOWN". A model
follows in "v" lines, over the variables of the header; it is evaluated on the
formula as read before it is printed. Lines that begin with "c" are comments.

Other inputs are recognized by content, and have answers of their own form:
 - a circuit in AIGER (ASCII or binary): is a bad state, or a true output if
   the file has no bad states, reached within --bound K steps? The answer is
   that of AIGER: "1", the properties, the latches at the start, the inputs of
   each step and a dot; "0" if there is no bad state at all, and "2" if there is
   none within the bound, or no answer. There is no "s" line. The execution is
   simulated before it is printed.
 - pseudo-Boolean constraints in OPB: "v x1 -x2". An objective is not part of
   the question, see maxsat.
 - Boolean formulas as text, such as "door -> !(motor | brake)", one on a line,
   with the operators ! & ^ | -> <-> and # for comments: "v door -motor -brake".
   A text whose names --assume contains needs --names.
--names gives the answer of a formula in names of variables, which stand in
comments such as "c 1 door", and accepts them for --assume. Variables without a
name are omitted. A proof is that of the formula as "sator convert" writes it.

Exit codes: 10 satisfiable, 20 unsatisfiable, 0 unknown, 1 an input that cannot
be read or an output that cannot be written, 2 invalid command line, 3 internal
error of Sator.

SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU and the
limits end the run with "s UNKNOWN". Limits apply to the whole run; the time
includes reading. Before the hard limit of ulimit -t kills the process, the run
ends in the same way: a second for each processor before, or a quarter of a
small limit. A signal other than SIGINT and SIGTERM stays ignored if it was
ignored at the start, as SIGHUP under nohup. In its first millisecond, while the
Go runtime starts, a signal ends the process without a word.

Memory is always limited: by --memory, or by what the system provides if that
is less. The system provides the least of its available memory (without swap),
of the limits of the control groups (containers), and of ulimit -v and -d, all
measured at the start, less about 5 percent. Sator asks before it allocates a
large table. A simplification without memory is skipped; a search without memory
ends with a reason such as "memory limit of 688 MB (ulimit -v) reached in the
search". With ulimit -v, Go itself takes 0.8 GB of address space, which are not
memory and do not count for --memory.

Under assumptions, "s UNSATISFIABLE" means that no model makes all of them true.
A comment lists failed assumptions: a subset that is already inconsistent with
the formula.

A file with the header "p inccnf" (iCNF) contains clauses and cubes ("a" lines).
The answer is that of the formula, as of "sator conquer". One incremental solver
solves the cubes in order, each as assumptions and with all clauses. The first
satisfiable cube ends the run with its model. When all cubes are refuted, the
assignments outside of them are solved with the clauses that refute the cubes,
in one proof of the formula. If a limit stops the solver at a cube, the answer
is "s UNKNOWN".

--proof FILE writes a proof for "sator check" and other checkers, in binary
DRAT, or in binary LRAT if FILE ends with .lrat, unless --proof-format or
--proof-text selects another format. The file is complete before the answer is
printed. A write error ends the run with exit code 1 and without an answer; the
incomplete file is removed unless it is a pipe or a device. A process that is
killed leaves it, as .FILE.0a1b2c3d.tmp. If the answer is not unsatisfiable, the
file contains the steps so far.
Under assumptions the proof ends with the clause of the negated failed
assumptions, for "sator check --assume".

"sator solve FILE PROOF" means --proof PROOF. The second of two operands is the
proof if its name ends with .drat, .lrat, .proof or .pf (possibly followed by
.gz or the like) and the file does not exist, is empty, or contains a proof; or
if it is a pipe to be written or a character device such as /dev/null. Any other
operand is a formula, and one that does not exist is an error. Neither a proof
nor an answer ever replaces a formula. SAT competitions call a solver with the
name proof.out; the script benchmarks/competition/run.sh passes it with --proof.

Every answer is checked: a model against the clauses as read, a refutation by an
independent checker, which follows the steps of the engine, beside it if there
are several processors. "c verified" is printed if the check succeeds; if it
fails, there is no answer and the exit code is 3. If the memory does not suffice
for the checker, the search goes on without it, and "c not verified" has the
reason. The same holds for an engine that reports no antecedents (dpll): its
proof is checked at the end if it is short. With --verify there is no answer
that is not checked, however long the check takes: "s UNKNOWN" then.
--no-verify turns the check of refutations off.

The default engine is conflict-driven clause learning (CDCL). Formulas of a
class that is decidable in linear time are solved by twosat (no clause has more
than two different literals) or by horn (no clause has more than one positive
literal, or none has more than one negative literal). A formula with a few large
connected components is split, and each component is solved separately.
"c engine" reports the choice and the reason. --engine selects an engine, and
options of cdcl select cdcl. "sator twosat" explains answers for clauses of two
literals.

--threads N runs a portfolio of N CDCL solvers with different configurations,
which share learned clauses; the first answer ends the run. There are at most as
many solvers as processors, since further ones would slow down the others; "c
engine" tells their number. Limits apply to all solvers together, and there is
one proof. Runs are not reproducible unless --deterministic synchronizes the
solvers at fixed intervals; then there are N on every machine.

--engine dpll is the classic search without clause learning, for comparing
heuristics and for teaching; "sator trace" shows each step of the search. Proofs
of dpll are in DRAT only. A flag of another engine is an error.

--record FILE writes the course of the run as JSON lines: the state of each
solver every 2 million ticks, which take about 0.1 seconds, and a line for each
event, such as a mode switch, a reduction, a simplification with the formula
before and after, or an exchange of learned clauses. The file begins with the
machine, the options and the formula, and ends with the answer; the page
dpll/docs/recording.md describes it. The search is the same without a recording.
Like a proof the file is complete before the answer is printed, also if a limit
or a signal ends the run. Engines other than cdcl have no states and events.
"sator-lab report" draws a recording.

With --json, standard output is one document with the members version, status,
reason (why unknown), model (DIMACS integers), answer (lines in the form of the
input or with --names), failed_assumptions, cubes (number
and status of each), verified (whether a refutation was checked), files, engine,
variables, clauses, options, times (read, solve, check, total; in seconds),
memory (bytes in use at the end), statistics. Comments are omitted, and the
report lines of -v are printed to standard error.

-v prints the options that the command line sets, by flags or by presets, then a
legend of the events, and a report line for each event. The first character of a
report line is the letter of its event.

Examples:
  sator solve problem.cnf.xz
  sator problem.cnf --time 60 --stats
  zcat problem.cnf.gz | sator solve --no-model
  sator solve rules.cnf givens.cnf --assume "1 -2"
  sator solve problem.cnf --proof problem.lrat.zst
  sator solve problem.cnf --verify
  sator solve problem.cnf --engine dpll --heuristic positive --stats
  sator solve problem.cnf --record run.jsonl.zst
  sator solve model.aig --bound 20 -o witness
  sator solve features.cnf --names --assume "gui -sound"
  sator solve problem.cnf --json --quiet | jq .statistics.conflicts`

func solveFlags() []cli.Flag {
	return slices.Concat([]cli.Flag{
		cli.TimeFlag(),
		&cli.Int64Flag{Name: "conflicts", Category: cli.LimitFlags, Usage: "stop after `N` conflicts"},
		cli.MemoryFlag(),
	}, answer.Flags(), cli.VerifyFlags(), []cli.Flag{
		cli.Writes(&cli.StringFlag{Name: "record", Category: cli.OutputFlags, Usage: "write the course of the run to `FILE` as JSON lines; compressed if it ends with .gz, .xz or .zst; - is standard output and needs --output"}, "lines of json", "text"),
		formula.RelaxedFlag(),
		formula.NamesFlag(),
		formula.BoundFlag(),
		formula.AssumeFlag(),
		cli.Choices(&cli.StringFlag{Name: "engine", Category: cli.EngineFlags, Value: "auto", Usage: "`NAME` of the engine: " + engines.Help()}, engines.Choices),
		cli.SeedFlag(cli.EngineFlags),
	}, cli.RecordingFlags(slices.Concat([]string{"read", "choose", "add", "solve", "check"}, engines.Phases())))
}

// solveOptions is the command line of solve.
type solveOptions struct {
	*answer.Options
	record    string
	recording cli.Recording
}

func solveOptionsOf(c *cli.Context) (*solveOptions, error) {
	o := &solveOptions{Options: answer.OptionsOf(c), record: c.String("record")}
	if !o.HasProof && len(o.Files) == 2 && formula.IsProofOperand(o.Files[1]) {
		o.HasProof, o.Proof, o.Files = true, o.Files[1], o.Files[:1]
		if err := cli.CheckName("proof", o.Proof, "drat", "lrat", "proof"); err != nil {
			return nil, err
		}
	}
	if !o.HasProof {
		if err := formula.CheckLast(o.Files); err != nil {
			return nil, err
		}
	}
	var err error
	if o.recording, err = cli.RecordingOf(c); err != nil {
		return nil, err
	}
	return o, o.parse(c)
}

// parse parses and checks the other flags.
func (o *solveOptions) parse(c *cli.Context) (err error) {
	if o.Engine, err = engines.Find(c.String("engine")); err != nil {
		return err
	}
	o.Choice.Engine = o.Engine.Name
	if o.Choice.Setup, err = o.Engine.ReadSetup(c); err != nil {
		return err
	}
	err = cli.CheckOutput(c, "record", "the recording", "answer")
	if err != nil {
		return err
	}
	if o.Conflicts, err = cli.Positive(c, "conflicts", 1); err != nil {
		return err
	}
	if o.ProofFormat, err = o.Format(c, o.Engine.Name, o.Engine.Hints); err != nil {
		return err
	}
	if o.Verify, err = cli.VerificationOf(c); err != nil {
		return err
	}
	if o.Unroll, err = formula.BoundOf(c); err != nil || c.Bool("names") {
		return err // names among the assumptions are known when the formula is read
	}
	o.Assume, err = formula.Literals(c.StringSlice("assume"))
	return err
}
