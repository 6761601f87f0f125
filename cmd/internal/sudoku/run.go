package sudoku

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"sator/cmd/internal/cli"
	"sator/internal/infer"
	sudokusolve "sator/sudoku/solve"
	"sator/sudoku/text"
)

// The common part of the commands that solve puzzles: flags, and a run over all puzzles of
// the command line.

// solveFlags returns the flags of these commands.
func solveFlags() []cli.Flag {
	return slices.Concat([]cli.Flag{
		cli.TimeFlag(),
		cli.JobsFlag("; the output does not depend on it"),
		cli.Strict(&cli.StringFlag{Name: "engine", Category: cli.EngineFlags, Value: sudokusolve.Engines[0].Name, Usage: "`NAME` of the engine: " + cli.ChoiceHelp(engineChoices())}, engineChoices),
		cli.Strict(&cli.StringFlag{Name: "encoding", Category: cli.EngineFlags, Usage: "encoding `NAME` for cdcl and dpll; see \"sator help --all sudoku encode\" (default: by the engine)"}, rateEncodingChoices),
		cli.Strict(&cli.StringFlag{Name: "amo", Category: cli.EngineFlags, Usage: "encode at-most-one constraints by `NAME`"}, amoChoices),
		cli.Strict(&cli.StringFlag{Name: "heuristic", Category: cli.EngineFlags, Value: "positive", Usage: "decision heuristic `NAME` of dpll; see \"sator help --all solve\""}, cli.HeuristicChoices),
		cli.Strict(&cli.StringFlag{Name: "rule", Category: cli.EngineFlags, Value: infer.Auto.String(), Usage: "apply the 2SAT rule of infer `WHEN`: " + strings.Join(infer.ScheduleNames, ", ")}, func() []cli.Choice { return cli.Names(infer.ScheduleNames...) }),
		&cli.BoolFlag{Name: "no-trivalue", Category: cli.EngineFlags, Usage: "omit cells with three candidates from the 2SAT rule"},
		&cli.BoolFlag{Name: "no-locked", Category: cli.EngineFlags, Usage: "infer by singles, without locked candidates"},
		&cli.BoolFlag{Name: "stats", Category: cli.OutputFlags, Usage: "print statistics of the search on standard error; for cdcl they depend on --jobs"},
		cli.QuietFlag(),
		batchFlag(),
		cli.OutputFlag(),
	}, cli.RecordingFlags([]string{"read", "solve", "write"}), PuzzleFlags())
}

// solveOptions is the common part of their command lines.
type solveOptions struct {
	input   *puzzleInput
	options sudokusolve.Options
	jobs    int
	quiet   bool
	stats   bool
	limit   int // of --limit, in the command that has it; 0 is no limit

	evidence  *proofOptions // nil without --cnf
	recording cli.Recording
}

func solveOptionsOf(c *cli.Context) (*solveOptions, error) {
	o := &solveOptions{
		options: sudokusolve.Options{Engine: c.String("engine"), Coding: codingOf(c)},
		quiet:   c.Bool("quiet"),
		stats:   c.Bool("stats"),
	}
	var err error
	if c.IsSet("heuristic") {
		o.options.Heuristic = c.String("heuristic")
	}
	if o.jobs, err = cli.JobsOf(c); err != nil {
		return nil, err
	}
	rule := slices.Index(infer.ScheduleNames, c.String("rule"))
	o.options.Infer = infer.Options{Rule: infer.Schedule(rule), Trivalue: !c.Bool("no-trivalue"), NoLocked: c.Bool("no-locked")}
	for _, f := range []struct{ flag, engines string }{{"heuristic", "dpll"}, {"encoding", "cdcl dpll"}, {"amo", "cdcl dpll"}, {"rule", "infer auto"}, {"no-trivalue", "infer auto"}, {"no-locked", "infer auto"}} {
		engines := strings.Fields(f.engines)
		switch {
		case !c.IsSet(f.flag) || slices.Contains(engines, o.options.Engine):
		case c.IsSet("engine"):
			return nil, cli.Usagef("--%s has no effect with --engine %s", f.flag, o.options.Engine)
		default:
			o.options.Engine = engines[0]
		}
	}
	if err := o.options.Check(); err != nil {
		return nil, cli.Usagef("%v", err)
	}
	if o.recording, err = cli.RecordingOf(c); err != nil {
		return nil, err
	}
	if o.evidence, err = proofOptionsOf(c); err != nil {
		return nil, err
	}
	limit, err := cli.Positive(c, "limit", 1)
	switch {
	case err != nil:
		return nil, err
	case c.Bool("all") && c.IsSet("limit"):
		return nil, cli.Exclusive("all", "limit")
	case !c.Bool("all"):
		o.limit = int(min(limit, math.MaxInt))
	}
	o.input, err = PuzzleInputOf(c)
	return o, err
}

// solveAction returns the action of these commands.
func solveAction(e *cli.Env, do func(*puzzleRun) error) func(*cli.Context) error {
	return cli.RunAction(e, solveOptionsOf, func(o *solveOptions) cli.RunOptions {
		return cli.RunOptions{Inputs: o.input.files, Outputs: o.evidence.outputs(), Redirect: true, Status: true}
	}, func(r *cli.Run, o *solveOptions) error { return do(newPuzzleRun(r, o)) })
}

// A puzzleRun is a run over all puzzles of a command line.
type puzzleRun struct {
	*cli.Run
	o      *solveOptions
	out    *bufio.Writer
	count  puzzleSummary
	failed bool // a puzzle failed the check of the command
	batch  sudokusolve.Batch[*portion, struct{}]

	// What was delivered, and its memory can be used again.
	portions, results sync.Pool

	// limit returns the maximum number of solutions to count; 0 is no limit.
	limit func(*puzzle) int

	// examine, if not nil, computes other properties of a puzzle with the solver of
	// the worker.
	examine func(context.Context, *sudokusolve.Solver, *puzzle, *puzzleResult)

	// line, if not nil, appends the output for a puzzle of a plain line on the goroutine of a
	// worker. It returns nil if the puzzle needs report.
	line func(to []byte, p *puzzle, x *puzzleResult) []byte

	// report writes the result of a puzzle.
	report func(*puzzle, *puzzleResult) error

	// invalid, if not nil, writes the placeholder for an invalid puzzle; otherwise that is a
	// line with the error.
	invalid func(*puzzle) error

	src *text.FileReader
}

// A puzzleResult is the result of a worker for a puzzle.
type puzzleResult struct {
	sudokusolve.Answer
	redundant []int // redundant givens
	compared  bool  // redundant was computed
}

// A portion is what a worker takes at once: a puzzle or, if puzzleRun.line is set, perhaps a run
// of lines; and then its results.
type portion struct {
	puzzle *puzzle // nil if there are lines
	lines  text.Lines

	out   []byte              // the output for puzzles of lines
	count sudokusolve.Summary // of these puzzles
	rest  []reported          // other puzzles
}

// mostLines is the largest number of lines in a portion. More do not save time.
const mostLines = 32

// reported is a puzzle that is yet to be reported, behind so many bytes of portion.out.
type reported struct {
	at     int
	puzzle *puzzle
	result *puzzleResult
}

func newPuzzleRun(r *cli.Run, o *solveOptions) *puzzleRun {
	return &puzzleRun{
		Run: r, o: o, out: bufio.NewWriterSize(r.Stdout, 1<<16),
		portions: sync.Pool{New: func() any { return new(portion) }}, results: sync.Pool{New: func() any { return new(puzzleResult) }},
	}
}

// run reads and solves all puzzles, and reports each in the order of the input. If a limit
// or a signal ends it, it reports the partial results of the workers, and returns the
// cause.
func (r *puzzleRun) run() (err error) {
	if err = r.StartProfile(r.o.recording); err != nil {
		return err
	}
	err = r.all(r.Ctx)
	r.Progress.Close()
	if flushing := r.out.Flush(); err == nil {
		err = flushing
	}
	if r.o.stats && err == nil { // after an error, workers may still run
		r.printStatistics()
	}
	if !r.o.quiet && (err == nil || r.count.Puzzles > 0) {
		r.Say("%s", r.count.summary(time.Since(r.Begin)))
	}
	if r.Profile != nil && (err == nil || r.Why() != "") {
		err = cmp.Or(err, r.Profile.Close())
	}
	if err == nil {
		err = readCode(r.src)
	}
	if err == nil && r.failed {
		return cli.ExitCode(cli.CodeWrong)
	}
	return err
}

// printStatistics prints the statistics of the search.
func (r *puzzleRun) printStatistics() {
	all := r.batch.Effort()
	if i := all.Inference; i.Puzzles > 0 {
		r.Say("inference: %d of %s without a branch, %s, %s, %s", i.NoBranch, cli.Count(i.Puzzles, "puzzle"), cli.Count(i.Branches, "branch"), cli.Count(i.DeadEnds, "dead end"), cli.Count(i.Nodes, "node"))
		r.Say("2SAT rule: %s, %s, %s, %s", cli.Count(i.Instances, "instance"), cli.Count(i.Clauses, "clause"), cli.Count(i.Forced, "forced literal"), cli.Count(i.Contradictions, "contradiction"))
	}
	if b := all.Bands; b.Puzzles > 0 {
		r.Say("bands: %d of %s without a branch, %s, %s", b.NoBranch, cli.Count(b.Puzzles, "puzzle"), cli.Count(b.Branches, "branch"), cli.Count(b.DeadEnds, "dead end"))
	}
	if all.Propagations > 0 {
		r.Say("formulas: %s, %s, %s", cli.Count(all.Decisions, "decision"), cli.Count(all.Conflicts, "conflict"), cli.Count(all.Propagations, "propagation"))
	}
}

// grace is the time to wait, after a limit, for the partial result of a puzzle. A worker
// needs milliseconds, unless many processes compete for the processors.
const grace = 3 * time.Second

// all solves all puzzles, or with --cnf the only puzzle.
func (r *puzzleRun) all(ctx context.Context) error {
	r.src = NewPuzzles(r.Run, r.o.input)
	src := r.src
	if r.o.jobs == 1 {
		src.BeforeRead = r.flush
	}
	r.batch = sudokusolve.Batch[*portion, struct{}]{
		Options: r.o.options,
		Jobs:    r.o.jobs,
		Next: func() (*portion, error) {
			defer r.Phase("read")()
			return r.next(src)
		},
		Deliver: func(all *portion, _ struct{}) error {
			defer r.Phase("write")()
			return r.deliverAll(ctx, all)
		},
		Idle:   r.flush,
		Work:   r.solve,
		Grace:  grace,
		Detach: func(all *portion) bool { p := all.puzzle; return p != nil && p.Err == nil && p.Rules.Size() > mostSize },
	}
	if r.o.evidence != nil {
		return r.proveOne(ctx, src)
	}
	return r.batch.Run(ctx)
}

// next reads the next portion.
func (r *puzzleRun) next(src *text.FileReader) (*portion, error) {
	all := r.portions.Get().(*portion)
	all.puzzle = nil
	if r.line != nil && src.Lines(&all.lines, mostLines) {
		return all, nil
	}
	var err error
	all.puzzle, err = src.Next()
	return all, err
}

// solve solves the puzzles of a portion, on the goroutine of a worker.
func (r *puzzleRun) solve(ctx context.Context, s *sudokusolve.Solver, all *portion) (_ struct{}) {
	defer r.Phase("solve")()
	*all = portion{puzzle: all.puzzle, lines: all.lines, out: all.out[:0], rest: all.rest[:0]}
	if p := all.puzzle; p != nil {
		all.rest = append(all.rest, reported{0, p, r.answer(ctx, s, p, r.results.Get().(*puzzleResult))})
		return
	}
	p, x := new(puzzle), r.results.Get().(*puzzleResult)
	for all.lines.Next(p) {
		r.answer(ctx, s, p, x)
		if x.Err == nil && !x.Interrupted(r.limit(p)) {
			if out := r.line(all.out, p, x); out != nil {
				all.out = out
				all.count.Add(&x.Answer)
				continue
			}
		}
		all.rest = append(all.rest, reported{len(all.out), p, x})
		if ctx.Err() != nil {
			return // the report ends the run
		}
		p, x = new(puzzle), r.results.Get().(*puzzleResult)
	}
	r.results.Put(x)
	return
}

// answer sets x, whose memory it uses again, to the result for a puzzle, and returns it.
func (r *puzzleRun) answer(ctx context.Context, s *sudokusolve.Solver, p *puzzle, x *puzzleResult) *puzzleResult {
	if p.Err != nil {
		return x
	}
	*x = puzzleResult{Answer: s.CountReusing(ctx, p.Grid, r.limit(p), x.Answer)}
	if r.examine != nil {
		r.examine(ctx, s, p, x)
	}
	return x
}

// flush writes the buffered lines to standard output.
func (r *puzzleRun) flush() error {
	if r.out.Buffered() == 0 {
		return nil
	}
	r.Progress.Hide()
	return r.out.Flush()
}

// deliverInvalid reports an invalid puzzle, on standard error and in its place.
func (r *puzzleRun) deliverInvalid(p *puzzle) error {
	r.count.invalid++
	r.Say("%v", p.Err)
	if r.invalid != nil {
		return r.invalid(p)
	}
	_, err := r.out.WriteString(errorLine(p))
	return err
}

// deliverAll writes the output for a portion.
func (r *puzzleRun) deliverAll(ctx context.Context, all *portion) error {
	r.count.Merge(&all.count)
	written := 0
	for _, one := range all.rest {
		if _, err := r.out.Write(all.out[written:one.at]); err != nil {
			return err
		}
		written = one.at
		if err := r.deliver(ctx, one.puzzle, one.result); err != nil {
			return err
		}
		r.results.Put(one.result)
	}
	r.Progress.Event(cli.NoLine, puzzleProgress(r.count.Puzzles))
	_, err := r.out.Write(all.out[written:])
	r.portions.Put(all)
	return err
}

// deliver counts and reports a puzzle.
func (r *puzzleRun) deliver(ctx context.Context, p *puzzle, x *puzzleResult) error {
	switch {
	case p.Err != nil:
		return r.deliverInvalid(p)
	case x.Err != nil && ctx.Err() != nil:
		return context.Cause(ctx)
	case x.Err != nil:
		return fmt.Errorf("%v: %w", p, x.Err)
	case x.Count == 0 && !x.Complete:
		return context.Cause(ctx)
	}
	r.count.Add(&x.Answer)
	if err := r.report(p, x); err != nil {
		return err
	}
	if x.Interrupted(r.limit(p)) {
		return context.Cause(ctx)
	}
	return nil
}

// fail prints the reason why a puzzle fails the check of the command.
func (r *puzzleRun) fail(format string, args ...any) {
	r.failed = true
	r.Say(format, args...)
}

// A puzzleSummary counts puzzles by their numbers of solutions.
type puzzleSummary struct {
	sudokusolve.Summary
	invalid int64 // puzzles that could not be read, not among the others
}

// summary returns the last line of the output of a run.
func (c *puzzleSummary) summary(after time.Duration) string {
	invalid := ""
	if c.invalid > 0 {
		invalid = fmt.Sprintf(", %d invalid", c.invalid)
	}
	return fmt.Sprintf("%v%s, %.2f s, %.0f puzzles/s", &c.Summary, invalid, after.Seconds(), cli.PerSecond(c.Puzzles, after))
}

// A puzzleProgress is the number of puzzles in the status line.
type puzzleProgress int64

func (puzzleProgress) Header() string            { return "" }
func (puzzleProgress) Line(time.Duration) string { return "" }
func (n puzzleProgress) Fields(after time.Duration) []string {
	return []string{cli.Count(int64(n), "puzzle"), fmt.Sprintf("%.0f/s", cli.PerSecond(int64(n), after))}
}
