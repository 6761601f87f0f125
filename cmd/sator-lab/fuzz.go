package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"sator/cmd/internal/cli"
	"sator/internal/dplltest"
)

func fuzzCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "fuzz",
		Category:    "Test",
		Usage:       "test the engines, or the commands, with random formulas",
		UsageText:   "sator-lab fuzz [flags]",
		Description: fuzzDescription,
		Flags: append([]cli.Flag{
			cli.TimeFlag(),
			&cli.Int64Flag{Name: "rounds", Category: cli.LimitFlags, Usage: "stop after `N` rounds"},
			firstRound(),
			&cli.IntFlag{Name: "vars", Category: cli.ParamFlags, Value: 250, Usage: "make formulas of up to about `N` variables"},
			&cli.IntFlag{Name: "traces", Category: cli.ParamFlags, Value: 25, Usage: "replay a random trace of API calls in `N` of 100 rounds"},
			cli.JobsFlag(""),
			cli.OutputDir("."),
			cli.Writes(&cli.StringFlag{Name: "counts", Category: cli.OutputFlags, Usage: "keep the counts in `FILE`; and continue after its last round"}, "json", "text"),
			cli.QuietFlag(),
		}, fuzzCommandFlags()...),
		Action: cli.Action(func(c *cli.Context) error {
			if c.Bool("commands") {
				h, err := newCommandFuzz(c)
				if err != nil {
					return err
				}
				return e.Run(c, cli.RunOptions{Status: true}, h.run)
			}
			for _, name := range []string{"only", "sator"} {
				if c.IsSet(name) {
					return cli.Useless(name, "commands")
				}
			}
			o, err := fuzzOptionsOf(c)
			if err != nil {
				return err
			}
			return e.Run(c, cli.RunOptions{Status: true}, func(r *cli.Run) error { return fuzz(r, o) })
		}),
	}
}

// firstRound returns the flag --seed. Its value is the number of the first round.
func firstRound() cli.Flag {
	seed := cli.SeedFlag(cli.ParamFlags)
	seed.DefaultText = "drawn and printed"
	return seed
}

const fuzzDescription = `For developers of Sator. Each round draws a random formula, from a few variables
to some hundred, or a random trace, a program of API calls; an engine with
values for its knobs; and a proof format. The engine solves several times: under
assumptions, with clauses added between calls, canceled during the search,
beside other engines. Models are evaluated. Answers are compared with those of a
naive search that shares no code with the engines, and with the answers of other
engines. Refutations are proved, in DRAT and LRAT, text and binary, and the
proofs are checked by all checkers.

The round of a seed is always the same. Rounds have the seeds N, N+1 and so on
and are reported in that order, for any number of workers. Without --rounds and
--time the command runs until SIGINT or SIGTERM.

A failure is shrunk, to a smallest formula or trace and to settings close to the
defaults, and saved as fuzz-SEED.cnf or fuzz-SEED.trace, with the settings, the
failure and the commands that reproduce it in comments. A panic of an engine is
a failure, and so is a call that does not return within five minutes. After
twenty failures the command ends.

With --counts FILE the counts of rounds, answers and proofs are kept in FILE, in
JSON: a further command with the same file continues after its last round, also
after a kill, and no round is counted twice. FILE is written every few seconds.

--commands tests the commands of sator instead: random small formulas with
comments, tautologies, unused variables, mistakes and compression go through
solve, enumerate, count, check, simplify, extend, cube, conquer, twosat,
convert, info, trace, generate and sudoku. Answers, exit codes, outputs and
messages are compared with brute force. The commands run in this process, and in
one of eight rounds as processes of the program sator. Some of these are killed
and resumed. A failure is saved in the directory fuzz-commands-SEED, with its
files and command lines. Files are in the directory of TMPDIR; one in memory,
such as /dev/shm, makes the rounds several times as fast.

Exit codes: 0 no failure, 4 a failure, 1 a file that cannot be written or a
damaged file of counts, 2 bad command line.

Examples:
  sator-lab fuzz --time 10m
  sator-lab fuzz --seed 17 --rounds 1
  sator-lab fuzz --vars 60 --traces 0 -o failures
  sator-lab fuzz --time 1h --counts counts.json
  TMPDIR=/dev/shm sator-lab fuzz --commands --time 10m`

const (
	// roundLimit is the time limit of a round. A longer round is reported as not
	// returning. Rounds take milliseconds, or seconds on a busy machine. An engine that
	// can be canceled is reported earlier, by the round itself.
	roundLimit = 10 * time.Minute

	// shrinkLimit is the time limit for shrinking a failure.
	shrinkLimit = 10 * time.Minute

	// maxFailures is the number of failures that ends a run. More failures would give
	// little information.
	maxFailures = 20
)

// fuzzOptions are the flags of fuzz.
type fuzzOptions struct {
	seed    uint64
	rounds  uint64 // 0 for no limit
	vars    int
	traces  int
	workers int
	out     string
	counts  string // name of the file of counts; empty: the counts are not stored
	quiet   bool

	before     *fuzzCounts // content of the file of counts; nil if there is no such file
	beforeText []byte
}

func fuzzOptionsOf(c *cli.Context) (*fuzzOptions, error) {
	if err := cli.NoOperands(c); err != nil {
		return nil, err
	}
	o := &fuzzOptions{
		seed:    c.Uint64("seed"),
		vars:    c.Int("vars"),
		traces:  c.Int("traces"),
		workers: c.Int("jobs"),
		out:     c.String("output"),
		counts:  c.String("counts"),
		quiet:   c.Bool("quiet"),
	}
	if !c.IsSet("seed") {
		o.seed = rand.Uint64N(1e12)
	}
	if !c.IsSet("jobs") {
		o.workers = runtime.GOMAXPROCS(0)
	}
	for _, f := range []struct {
		name          string
		value, lo, hi int
	}{
		{"vars", o.vars, 0, 1000},
		{"traces", o.traces, 0, 100},
		{"jobs", o.workers, 1, 1000},
	} {
		if f.value < f.lo || f.value > f.hi {
			return nil, cli.Invalid(f.name, f.value, "%d to %d", f.lo, f.hi)
		}
	}
	rounds, err := cli.Positive(c, "rounds", 1)
	o.rounds = uint64(rounds)
	if err == nil && o.counts != "" {
		err = o.resume(c.IsSet)
	}
	return o, err
}

// repeat returns the command line that reproduces a round.
func (o *fuzzOptions) repeat(seed uint64) string {
	return fmt.Sprintf("sator-lab fuzz --seed %d --rounds 1 --vars %d --traces %d", seed, o.vars, o.traces)
}

// fuzzCollectorPercent is the pace of garbage collection, unless the environment
// sets it. The live heap is small and garbage is created fast: at the default of
// 100, half of the time is spent on collections.
const fuzzCollectorPercent = 1000

// fuzz runs rounds until a limit or a signal and reports failures.
func fuzz(r *cli.Run, o *fuzzOptions) error {
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(fuzzCollectorPercent))
	}
	ctx, cancel := context.WithCancel(r.Ctx)
	defer cancel()

	h := &fuzzRun{
		Run: r, o: o, lineAt: r.Begin, stop: cancel,
		fuzzer: &dplltest.Fuzzer{Subjects: fuzzSubjects(), Vars: o.vars, Traces: o.traces},
		counts: o.before, file: countsFile{name: o.counts, disk: r.Disk, written: o.beforeText},
	}
	if h.counts == nil {
		h.counts = newFuzzCounts(o)
	}
	h.builds = h.counts.Builds
	if err := h.writeCounts(r.Begin); err != nil {
		return err
	}
	if !o.quiet {
		h.Out.Line(fmt.Sprintf("seed %d, %s, engines %s", o.seed, cli.Count(o.workers, "worker"), h.names()))
	}
	r.Progress.Doing("starting")
	h.runAll(ctx)
	r.Progress.Close()
	if h.saveErr == nil {
		h.saveErr = h.writeCounts(time.Now())
	}
	h.summary()
	switch {
	case h.saveErr != nil:
		return h.saveErr
	case h.Out.Err != nil:
		return h.Out.Err
	case h.found > 0:
		return cli.ExitCode(cli.CodeWrong)
	}
	return nil
}
