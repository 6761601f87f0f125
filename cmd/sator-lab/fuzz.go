package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sator/cmd/internal/cli"
	"sator/dpll"
	"sator/dpll/cdcl"
	"sator/dpll/dplltest"
)

func fuzzCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "fuzz",
		Usage:       "test the engines with random formulas",
		UsageText:   "sator-lab fuzz [flags]",
		Description: fuzzDescription,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "time", Category: cli.LimitFlags, Usage: "stop after `T`, in seconds (2.5) or with units (1h30m)"},
			&cli.Int64Flag{Name: "rounds", Category: cli.LimitFlags, Usage: "stop after `N` rounds"},
			&cli.Uint64Flag{Name: "seed", Category: cli.ParamFlags, DefaultText: "drawn and printed", Usage: "start with round `N`"},
			&cli.IntFlag{Name: "vars", Category: cli.ParamFlags, Value: 250, Usage: "make formulas of up to about `N` variables"},
			&cli.IntFlag{Name: "traces", Category: cli.ParamFlags, Value: 25, Usage: "replay a random trace of API calls in `N` of 100 rounds"},
			&cli.IntFlag{Name: "workers", Category: cli.ParamFlags, DefaultText: "one for each processor", Usage: "use `N` workers"},
			&cli.StringFlag{Name: "out", Category: cli.OutputFlags, Value: ".", Usage: "save failures in directory `DIR`"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: cli.OutputFlags, Usage: "print failures and the final counts only"},
		},
		Action: cli.Action(func(c *cli.Context) error {
			o, err := fuzzOptionsOf(c)
			if err != nil {
				return err
			}
			return e.Run(c, cli.RunOptions{Status: true}, func(r *cli.Run) error { return fuzz(r, o) })
		}),
	}
}

const fuzzDescription = `For developers of Sator. Each round draws a random formula, from a few variables
to some hundred, or a random trace, a program of API calls; an engine with
values for its knobs; and a proof format. The engine solves several times: under
assumptions, with clauses added between calls, canceled during the search,
beside other engines. Models are evaluated. Answers are compared with those of a
naive search that shares no code with the engines, and with those of the other
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

Exit codes: 0 no failure, 4 a failure, 1 a file that cannot be written, 2 bad
command line.

Examples:
  sator-lab fuzz --time 10m
  sator-lab fuzz --seed 17 --rounds 1
  sator-lab fuzz --vars 60 --traces 0 --out failures`

const (
	// roundLimit is the time after which a round is reported as not returning.
	// Rounds take milliseconds, or seconds on a busy machine. An engine that
	// can be canceled is reported earlier, by the round itself.
	roundLimit = 10 * time.Minute

	// shrinkLimit is the time limit for shrinking a failure.
	shrinkLimit = 10 * time.Minute

	// maxFailures is the number of failures after which a run ends. More
	// failures would give little information.
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
	quiet   bool
}

func fuzzOptionsOf(c *cli.Context) (*fuzzOptions, error) {
	if err := cli.NoOperands(c); err != nil {
		return nil, err
	}
	o := &fuzzOptions{
		seed:    c.Uint64("seed"),
		vars:    c.Int("vars"),
		traces:  c.Int("traces"),
		workers: c.Int("workers"),
		out:     c.String("out"),
		quiet:   c.Bool("quiet"),
	}
	if !c.IsSet("seed") {
		o.seed = rand.Uint64N(1e12)
	}
	if !c.IsSet("workers") {
		o.workers = runtime.GOMAXPROCS(0)
	}
	for _, f := range []struct {
		name          string
		value, lo, hi int
	}{
		{"vars", o.vars, 0, 1000},
		{"traces", o.traces, 0, 100},
		{"workers", o.workers, 1, 1000},
	} {
		if f.value < f.lo || f.value > f.hi {
			return nil, cli.Invalid(f.name, f.value, "%d to %d", f.lo, f.hi)
		}
	}
	rounds, err := cli.Positive(c, "rounds", 1)
	o.rounds = uint64(rounds)
	return o, err
}

// repeat returns the command line that reproduces a round.
func (o *fuzzOptions) repeat(seed uint64) string {
	return fmt.Sprintf("sator-lab fuzz --seed %d --rounds 1 --vars %d --traces %d", seed, o.vars, o.traces)
}

// fuzzSubjects returns the tested engines. Most rounds test cdcl, the most
// complex engine.
var fuzzSubjects = func() []*dplltest.Subject {
	const small = 50 // variables: dpll solves such formulas in milliseconds with any heuristic
	return []*dplltest.Subject{
		{
			Name:  "cdcl",
			New:   func(s dplltest.Setup) dplltest.Engine { return traced{cdcl.New(testedOptions(s))} },
			Knobs: testedKnobs(),
			Share: 8,
		},
		{
			Name:   "cdcl-once",
			New:    func(s dplltest.Setup) dplltest.Engine { return traced{cdcl.New(testedOnce(s))} },
			Knobs:  testedKnobs(),
			Proves: dplltest.RATProofs,
			Share:  4,
		},
		{
			Name:   "dpll",
			New:    func(s dplltest.Setup) dplltest.Engine { return dpll.New(classicOptions(s)) },
			Knobs:  classicKnobs(),
			Proves: dplltest.PlainProofs,
			Vars:   small,
		},
		twosatSubject(),
		hornSubject(),
		raceSubject(),
		raceOnceSubject(),
	}
}

// classicKnobs returns the options of the engine dpll. Options with named values
// are numbered.
func classicKnobs() []dplltest.Knob {
	o := dpll.DefaultOptions()
	heuristic := slices.IndexFunc(dpll.Heuristics, func(h dpll.Heuristic) bool { return h.Name == o.Heuristic })
	return []dplltest.Knob{
		{Name: "heuristic", Default: heuristic, Min: 0, Max: len(dpll.Heuristics) - 1},
		{Name: "mom-k", Default: o.MomK, Min: 0, Max: 30},
		{Name: "pure", Default: int(o.Pure), Min: int(dpll.PureOff), Max: int(dpll.PureEvery)},
	}
}

func classicOptions(setup dplltest.Setup) dpll.Options {
	o := dpll.DefaultOptions()
	for _, s := range setup.Settings {
		switch s.Name {
		case "heuristic":
			o.Heuristic = dpll.Heuristics[s.Value].Name
		case "mom-k":
			o.MomK = s.Value
		case "pure":
			o.Pure = dpll.Pure(s.Value)
		}
	}
	o.Seed, o.Proof = setup.Seed, setup.Proof
	return o
}

func testedKnobs() []dplltest.Knob {
	var knobs []dplltest.Knob
	for _, k := range cdcl.Knobs {
		knobs = append(knobs, dplltest.Knob{Name: k.Name, Default: k.Default, Min: k.Min, Max: k.Max})
	}
	return knobs
}

func testedOptions(setup dplltest.Setup) cdcl.Options {
	o := cdcl.DefaultOptions()
	for _, s := range setup.Settings {
		for _, k := range cdcl.Knobs {
			if k.Name == s.Name {
				*k.Field(&o) = s.Value
			}
		}
	}
	o.Seed, o.Proof, o.Learned = setup.Seed, setup.Proof, setup.Learned
	return o
}

// testedOnce returns the options for a single call of Solve. OneShot matters only
// with a proof; without a proof the round makes more calls.
func testedOnce(setup dplltest.Setup) cdcl.Options {
	o := testedOptions(setup)
	o.OneShot = setup.Proof != nil
	return o
}

// A traced solver adds the method Limit, which random traces call.
type traced struct{ *cdcl.Solver }

func (t traced) Limit(conflicts, decisions, propagations int64) {
	t.SetLimits(cdcl.Limits{Conflicts: conflicts, Decisions: decisions, Propagations: propagations})
}

// A fuzzRun is a run of fuzz.
type fuzzRun struct {
	*cli.Run
	o       *fuzzOptions
	fuzzer  *dplltest.Fuzzer
	next    atomic.Uint64 // number of the next round, from 0
	rounds  uint64        // number of reported rounds
	total   dplltest.Counts
	found   int       // number of failures
	saveErr error     // the first error of saving a failure
	lineAt  time.Time // time of the last progress line
	stop    context.CancelFunc
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
	}
	if !o.quiet {
		h.Out.Line(fmt.Sprintf("seed %d, %d workers, engines %s", o.seed, o.workers, h.names()))
	}
	r.Progress.Doing("starting")
	h.runAll(ctx)
	r.Progress.Close()
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

func (h *fuzzRun) names() string {
	var names []string
	for _, s := range h.fuzzer.Subjects {
		names = append(names, s.Name)
	}
	return strings.Join(names, "; ")
}

// A numberedRound is a round with its index, from 0. The round is nil if it was
// abandoned at the end of the command.
type numberedRound struct {
	number uint64
	round  *dplltest.Round
}

// runAll runs rounds on all workers and reports them in the order of their seeds,
// so that the report does not depend on the scheduling.
func (h *fuzzRun) runAll(ctx context.Context) {
	results := make(chan numberedRound)
	var workers sync.WaitGroup
	for range h.o.workers {
		workers.Go(func() { h.work(ctx, results) })
	}
	go func() {
		workers.Wait()
		close(results)
	}()
	early := make(map[uint64]*dplltest.Round)
	for r := range results {
		early[r.number] = r.round
		for round, ok := early[h.rounds]; ok && round != nil && h.found < maxFailures; round, ok = early[h.rounds] {
			delete(early, h.rounds)
			h.take(round)
		}
		h.status()
	}
}

// work runs rounds until the limit of rounds or the end of ctx.
func (h *fuzzRun) work(ctx context.Context, results chan<- numberedRound) {
	for ctx.Err() == nil {
		n := h.next.Add(1) - 1
		if h.o.rounds > 0 && n >= h.o.rounds {
			return
		}
		results <- numberedRound{n, h.round(ctx, h.o.seed+n)}
	}
}

// round runs a round and shrinks its failure. It returns nil if ctx ends during a
// long round. A goroutine with an engine that does not return is abandoned.
func (h *fuzzRun) round(ctx context.Context, seed uint64) *dplltest.Round {
	round, over := within(ctx, roundLimit, func() *dplltest.Round { return h.fuzzer.Round(seed) })
	switch {
	case over:
		return h.fuzzer.Hang(seed)
	case round == nil || round.Err == nil:
		return round
	}
	small, over := within(ctx, shrinkLimit, func() *dplltest.Round {
		r := *round
		r.Shrink()
		return &r
	})
	if over || small == nil {
		return round
	}
	return small
}

// patience is the time that a round may continue after the end of ctx.
const patience = 2 * time.Second

// within calls f in a new goroutine and returns its result. over reports that the
// limit was exceeded. If ctx ends and f continues for more than patience, the
// result is nil.
func within(ctx context.Context, limit time.Duration, f func() *dplltest.Round) (r *dplltest.Round, over bool) {
	done := make(chan *dplltest.Round, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- &dplltest.Round{Err: fmt.Errorf("panic of the test itself: %v\n%s", p, debug.Stack())}
			}
		}()
		done <- f()
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case r := <-done:
		return r, false
	case <-timer.C:
		return nil, true
	case <-ctx.Done():
	}
	timer.Reset(patience)
	select {
	case r := <-done:
		return r, false
	case <-timer.C:
		return nil, false
	}
}

// take counts a round and reports its failure.
func (h *fuzzRun) take(r *dplltest.Round) {
	h.rounds++
	h.total.Add(&r.Counts)
	if r.Err == nil {
		return
	}
	h.found++
	h.Out.Line("FAILURE " + h.report(r))
	if h.found == maxFailures {
		h.Out.Line(fmt.Sprintf("%d failures are enough", h.found))
		h.stop()
	}
}

// report saves a failure and returns the report on it.
func (h *fuzzRun) report(r *dplltest.Round) string {
	seed := h.o.seed + h.rounds - 1
	repeat := h.o.repeat(seed)
	var name, text, msg string
	switch {
	case r.Failure != nil:
		name = filepath.Join(h.o.out, fmt.Sprintf("fuzz-%d.cnf", seed))
		text = comment("c", repeat, settingsOf(r.Failure)+solveLine(name, r.Failure), r.Failure.Err.Error()) + r.Failure.Case.String()
		msg = fmt.Sprintf("engine %s, %v", r.Subject, r.Failure)
	case r.Trace != nil:
		name = filepath.Join(h.o.out, fmt.Sprintf("fuzz-%d.trace", seed))
		text = comment("#", repeat, "engine "+r.Subject, r.Err.Error()) + r.Trace.String()
		msg = fmt.Sprintf("engine %s, seed %d: %v\nshrunk to:\n%v", r.Subject, seed, r.Err, r.Trace)
	default:
		return fmt.Sprintf("seed %d: %v\nrepeat: %s", seed, r.Err, repeat)
	}
	saved := "saved: " + name
	if err := save(name, text); err != nil {
		saved = "not saved: " + err.Error()
		if h.saveErr == nil {
			h.saveErr = err
		}
	}
	return fmt.Sprintf("%s%s\nrepeat: %s", msg, saved, repeat)
}

// comment returns texts as comment lines.
func comment(mark string, texts ...string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.Join(texts, "\n")) {
		fmt.Fprintf(&b, "%s %s\n", mark, strings.TrimRight(line, "\n"))
	}
	return b.String()
}

// settingsOf returns the violated property and the setup of the engine.
func settingsOf(f *dplltest.Failure) string {
	text := fmt.Sprintf("property %q, engine %s, proof %v, seed %d", f.Property, f.Subject, f.Proof, f.Setup.Seed)
	for _, s := range f.Setup.Settings {
		text += fmt.Sprintf("\noption %s %d", s.Name, s.Value)
	}
	return text
}

// solveLine returns a sator command close to the failed round: it solves once,
// while the property may make several calls.
func solveLine(name string, f *dplltest.Failure) string {
	words := []string{"\nsator solve", name, "--engine=" + strings.TrimSuffix(f.Subject, "-once"), "--verify"}
	if f.Setup.Seed != 0 {
		words = append(words, fmt.Sprintf("--seed=%d", f.Setup.Seed))
	}
	if f.Subject == "dpll" {
		words = append(words, classicWords(f.Setup)...)
	} else {
		for _, s := range f.Setup.Settings {
			words = append(words, fmt.Sprintf("--%s=%d", s.Name, s.Value))
		}
	}
	if len(f.Case.Assumptions) > 0 {
		words = append(words, fmt.Sprintf("--assume %q", cli.Spaced(f.Case.Assumptions)))
	}
	return strings.Join(words, " ")
}

// classicWords returns the flags for the options of the engine dpll.
func classicWords(setup dplltest.Setup) (words []string) {
	o, usual := classicOptions(setup), dpll.DefaultOptions()
	if o.Heuristic != usual.Heuristic {
		words = append(words, "--heuristic="+o.Heuristic)
	}
	if o.MomK != usual.MomK && o.Heuristic == "mom" {
		words = append(words, fmt.Sprintf("--mom-k=%d", o.MomK))
	}
	if o.Pure != usual.Pure {
		words = append(words, "--pure="+o.Pure.String())
	}
	return words
}

// save writes a file, and creates its directory if necessary.
func save(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o666)
}

// lineInterval is the time between two progress lines if there is no terminal.
const lineInterval = time.Minute

// status shows the progress: as the status line on a terminal, and as a line after
// each lineInterval elsewhere.
func (h *fuzzRun) status() {
	if h.Columns > 0 {
		h.Progress.Event(cli.NoLine, &fuzzFigures{h.total, h.found})
		return
	}
	if now := time.Now(); !h.o.quiet && now.Sub(h.lineAt) >= lineInterval {
		h.lineAt = now
		after := now.Sub(h.Begin)
		h.Out.Line(fmt.Sprintf("%.0f s, %s", after.Seconds(), strings.Join((&fuzzFigures{h.total, h.found}).Fields(after), ", ")))
	}
}

// fuzzFigures are the counts that the status line shows.
type fuzzFigures struct {
	total dplltest.Counts
	found int
}

func (f *fuzzFigures) Fields(after time.Duration) []string {
	t := &f.total
	return []string{
		fmt.Sprintf("%d formulas and %d traces (%.0f/s)", t.Formulas, t.Traces, cli.PerSecond(t.Formulas+t.Traces, after)),
		fmt.Sprintf("%d proofs", t.Refutations),
		fmt.Sprintf("%d failures", f.found),
	}
}

func (f *fuzzFigures) Header() string            { return "" }
func (f *fuzzFigures) Line(time.Duration) string { return "" }

// rate returns the number of formulas and traces per second.
func (h *fuzzRun) rate() float64 {
	return cli.PerSecond(h.total.Formulas+h.total.Traces, time.Since(h.Begin))
}

// summary prints the counts.
func (h *fuzzRun) summary() {
	t := &h.total
	h.Out.Write(func(w io.Writer) error {
		count := func(name string, n int64) {
			fmt.Fprintf(w, "%-28s %12d\n", name, n)
		}
		count("first seed", int64(h.o.seed))
		count("rounds", int64(h.rounds))
		count("formulas", t.Formulas)
		count("  satisfiable", t.Satisfiable)
		count("  unsatisfiable", t.Unsatisfiable)
		count("  given up as too slow", t.Slow)
		count("traces", t.Traces)
		count("answers", t.Answers)
		count("refutations", t.Refutations)
		for k, n := range t.Proofs {
			count("  proof "+dplltest.ProofKind(k).String(), n)
		}
		count("failures", int64(h.found))
		_, err := fmt.Fprintf(w, "%-28s %12.0f\n%-28s %12.0f\n", "seconds", time.Since(h.Begin).Seconds(), "formulas and traces a second", h.rate())
		return err
	})
}
