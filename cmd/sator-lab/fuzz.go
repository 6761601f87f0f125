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
		Usage:       "hunt for errors of Sator with random formulas",
		UsageText:   "sator-lab fuzz [flags]",
		Description: fuzzDescription,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "time", Category: cli.LimitFlags, Usage: "stop after `T`, in seconds (2.5) or with units (1h30m)"},
			&cli.Int64Flag{Name: "rounds", Category: cli.LimitFlags, Usage: "stop after `N` rounds"},
			&cli.Uint64Flag{Name: "seed", Category: cli.ParamFlags, DefaultText: "drawn and printed", Usage: "begin with the round of seed `N`"},
			&cli.IntFlag{Name: "vars", Category: cli.ParamFlags, Value: 250, Usage: "let the largest formulas have about `N` variables"},
			&cli.IntFlag{Name: "traces", Category: cli.ParamFlags, Value: 25, Usage: "replay a trace of calls in `N` of 100 rounds"},
			&cli.IntFlag{Name: "workers", Category: cli.ParamFlags, DefaultText: "one for each processor", Usage: "run `N` rounds at a time"},
			&cli.StringFlag{Name: "out", Category: cli.OutputFlags, Value: ".", Usage: "save what fails in directory `DIR`"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: cli.OutputFlags, Usage: "print failures and the counts at the end alone"},
		},
		Action: cli.Action(func(c *cli.Context) error {
			o, err := fuzzOptionsOf(c)
			if err != nil {
				return err
			}
			return e.Run(c, cli.RunOptions{}, func(r *cli.Run) error { return fuzz(r, o) })
		}),
	}
}

const fuzzDescription = `For those who work on Sator itself. Each round draws a formula, from a few
variables to some hundred, or a trace, which is a program of calls of an
engine; it draws an engine, values for its knobs and a kind of proof. Then the
engine solves, again and again: under assumptions, with clauses added between
calls, canceled in the middle, beside other engines. Models are evaluated.
Answers are held against those of a plain search that shares no code with the
engines, and against those of the other engines. Refutations are proven, in
DRAT and LRAT, text and binary, and the proofs checked in all ways there are.

The round of a seed is always the same; rounds have the seeds N, N+1 and so on,
and are reported in that order, whatever the number of workers. Without --rounds
and --time, rounds follow until SIGINT or SIGTERM ends the command.

What fails is shrunk, to a smallest formula or trace and to settings as near to
the defaults as can be, and saved as fuzz-SEED.cnf or fuzz-SEED.trace, with the
settings, the failure and the commands that repeat it in comments. That the
engine panics is a failure, too, and so is that it does not return within two
minutes. After twenty failures the command ends.

Exit codes: 0 nothing was found, 4 something was, 1 a file that cannot be
written, 2 bad command line.

Examples:
  sator-lab fuzz --time 10m
  sator-lab fuzz --seed 17 --rounds 1
  sator-lab fuzz --vars 60 --traces 0 --out findings`

const (
	// roundLimit is how long a round may take before its engine counts as one
	// that does not return. It takes milliseconds, or seconds on a busy machine,
	// and an engine that can be stopped is found before.
	roundLimit = 10 * time.Minute

	// shrinkLimit is how long shrinking may take before it is given up.
	shrinkLimit = 10 * time.Minute

	// mostFindings is how many failures end the hunt: more tell little.
	mostFindings = 20
)

// fuzzOptions are the command line of fuzz.
type fuzzOptions struct {
	seed    uint64
	rounds  uint64 // 0 for any number
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

// repeat returns the command line of the round of a seed.
func (o *fuzzOptions) repeat(seed uint64) string {
	return fmt.Sprintf("sator-lab fuzz --seed %d --rounds 1 --vars %d --traces %d", seed, o.vars, o.traces)
}

// fuzzSubjects returns the engines as they are tested. Most rounds are for the one
// that has most to get wrong.
var fuzzSubjects = func() []*dplltest.Subject {
	const small = 50 // variables: what tree search does in milliseconds with any heuristic
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

// classicKnobs are the options of the classic engine, with those numbered that
// have names.
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

// testedOnce is testedOptions for what is asked once. Without a proof the option
// changes nothing, and more is asked than it allows.
func testedOnce(setup dplltest.Setup) cdcl.Options {
	o := testedOptions(setup)
	o.OneShot = setup.Proof != nil
	return o
}

// A traced solver has its limits set as traces do it.
type traced struct{ *cdcl.Solver }

func (t traced) Limit(conflicts, decisions, propagations int64) {
	t.SetLimits(cdcl.Limits{Conflicts: conflicts, Decisions: decisions, Propagations: propagations})
}

// A hunt is a run of fuzz.
type hunt struct {
	e       *cli.Env
	o       *fuzzOptions
	fuzzer  *dplltest.Fuzzer
	begin   time.Time
	out     *cli.Printer
	next    atomic.Uint64 // round, from 0
	rounds  uint64        // done
	total   dplltest.Counts
	found   int
	saving  error // the first error of saving a finding
	said    time.Time
	shown   int // length of the status line
	stopped context.CancelFunc
}

// fuzzCollectorPercent is the pace of garbage collection, unless the environment
// sets one. Hardly anything is alive, and what is made in a second goes in a
// second: at Go's 100, half of the time is spent on collections.
const fuzzCollectorPercent = 1000

// fuzz runs rounds until it is told to stop, and reports.
func fuzz(r *cli.Run, o *fuzzOptions) error {
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(fuzzCollectorPercent))
	}
	ctx, cancel := context.WithCancel(r.Ctx)
	defer cancel()

	h := &hunt{
		e: r.Env, o: o, begin: r.Begin, out: r.Out, stopped: cancel,
		fuzzer: &dplltest.Fuzzer{Subjects: fuzzSubjects(), Vars: o.vars, Traces: o.traces},
	}
	h.out.Before = h.hide
	h.said = h.begin
	if !o.quiet {
		h.out.Line(fmt.Sprintf("seed %d, %d workers, engines %s", o.seed, o.workers, h.names()))
	}
	h.run(ctx)
	h.hide()
	h.summary()
	switch {
	case h.saving != nil:
		return h.saving
	case h.out.Err != nil:
		return h.out.Err
	case h.found > 0:
		return cli.ExitCode(cli.CodeWrong)
	}
	return nil
}

func (h *hunt) names() string {
	var names []string
	for _, s := range h.fuzzer.Subjects {
		names = append(names, s.Name)
	}
	return strings.Join(names, "; ")
}

// A numbered round has its place in the order, from 0; it is nil if it was
// given up because the command is to end.
type numberedRound struct {
	number uint64
	round  *dplltest.Round
}

// run has the workers do rounds and takes what they found in the order of the
// seeds, so that the report does not depend on who was faster.
func (h *hunt) run(ctx context.Context) {
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
		for round, ok := early[h.rounds]; ok && round != nil && h.found < mostFindings; round, ok = early[h.rounds] {
			delete(early, h.rounds)
			h.take(round)
		}
		h.status()
	}
}

// work does rounds until there are no more to do.
func (h *hunt) work(ctx context.Context, results chan<- numberedRound) {
	for ctx.Err() == nil {
		n := h.next.Add(1) - 1
		if h.o.rounds > 0 && n >= h.o.rounds {
			return
		}
		results <- numberedRound{n, h.round(ctx, h.o.seed+n)}
	}
}

// round runs a round and shrinks what it finds, or returns nil if ctx ends
// while that takes long. An engine that does not return is left behind.
func (h *hunt) round(ctx context.Context, seed uint64) *dplltest.Round {
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

// patience is how long a round may go on when the command is to end.
const patience = 2 * time.Second

// within calls f on a goroutine of its own and returns what it returns. It is
// over if that takes longer than the limit; if ctx ends before, and f goes on
// for a while, the result is nil.
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

// take counts a round and reports what it found.
func (h *hunt) take(r *dplltest.Round) {
	h.rounds++
	h.total.Add(&r.Counts)
	if r.Err == nil {
		return
	}
	h.found++
	h.out.Line("FAILURE " + h.report(r))
	if h.found == mostFindings {
		h.out.Line(fmt.Sprintf("%d failures are enough", h.found))
		h.stopped()
	}
}

// report saves a finding and returns what there is to say.
func (h *hunt) report(r *dplltest.Round) string {
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
		if h.saving == nil {
			h.saving = err
		}
	}
	return fmt.Sprintf("%s%s\nrepeat: %s", msg, saved, repeat)
}

// comment returns comment lines of texts.
func comment(mark string, texts ...string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.Join(texts, "\n")) {
		fmt.Fprintf(&b, "%s %s\n", mark, strings.TrimRight(line, "\n"))
	}
	return b.String()
}

// settingsOf says what broke and how the engine was set up.
func settingsOf(f *dplltest.Failure) string {
	text := fmt.Sprintf("property %q, engine %s, proof %v, seed %d", f.Property, f.Subject, f.Proof, f.Setup.Seed)
	for _, s := range f.Setup.Settings {
		text += fmt.Sprintf("\noption %s %d", s.Name, s.Value)
	}
	return text
}

// solveLine returns a line with the command that comes nearest to what failed: it
// solves once, and the laws do more than that.
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

// classicWords returns the flags that set the options of the classic engine.
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

// save makes a file, and its directory if there is none.
func save(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o666)
}

// sayInterval is how often a line tells how far the hunt is, where there is no
// terminal to show it on.
const sayInterval = time.Minute

// status tells how far the hunt is, now and then.
func (h *hunt) status() {
	now := time.Now()
	interval := sayInterval
	if h.e.Columns > 0 {
		interval = cli.StatusInterval
	}
	if h.o.quiet || now.Sub(h.said) < interval {
		return
	}
	h.said = now
	line := fmt.Sprintf("%.0f s, %d formulas and %d traces (%.0f/s), %d proofs, %d failures",
		now.Sub(h.begin).Seconds(), h.total.Formulas, h.total.Traces, h.rate(), h.total.Refutations, h.found)
	if h.e.Columns == 0 {
		h.out.Line(line)
		return
	}
	line = line[:min(len(line), h.e.Columns-1)]
	fmt.Fprintf(h.e.Stderr, "\r%-*s", h.shown, line)
	h.shown = max(h.shown, len(line))
}

// hide takes the status line off the screen.
func (h *hunt) hide() {
	if h.shown > 0 {
		fmt.Fprintf(h.e.Stderr, "\r%s\r", strings.Repeat(" ", h.shown))
		h.shown = 0
	}
}

// rate returns formulas and traces a second.
func (h *hunt) rate() float64 {
	return cli.PerSecond(h.total.Formulas+h.total.Traces, time.Since(h.begin))
}

// summary prints the counts.
func (h *hunt) summary() {
	t := &h.total
	h.out.Write(func(w io.Writer) error {
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
		_, err := fmt.Fprintf(w, "%-28s %12.0f\n%-28s %12.0f\n", "seconds", time.Since(h.begin).Seconds(), "formulas and traces a second", h.rate())
		return err
	})
}
