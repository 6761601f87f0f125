package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/commands"
	"sator/cmd/internal/commandtest"
)

// fuzzCommandFlags are the flags of fuzz --commands that the engine fuzz does not have.
func fuzzCommandFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "commands", Category: cli.ParamFlags, Usage: "test the commands of sator instead of the engines"},
		&cli.StringFlag{Name: "only", Category: cli.ParamFlags, Usage: "with --commands: run the rounds of test `NAME`: " + strings.Join(commandtest.Tests(), ", ")},
		&cli.StringFlag{Name: "sator", Category: cli.ParamFlags, DefaultText: "built by go build", Usage: "with --commands: `PROGRAM` of rounds of processes"},
	}
}

// A commandFuzz is a run of fuzz --commands.
type commandFuzz struct {
	*cli.Run
	seed    uint64
	rounds  uint64 // limit on the number of rounds; 0 is no limit
	workers int
	out     string
	quiet   bool
	sator   string // program of the rounds that start processes; empty to build it
	fuzzer  *commandtest.Fuzzer

	next   atomic.Uint64 // number of the next round, from 0
	total  commandtest.Counts
	found  int
	lineAt time.Time
}

// newCommandFuzz reads the flags.
func newCommandFuzz(c *cli.Context) (*commandFuzz, error) {
	if err := cli.NoOperands(c); err != nil {
		return nil, err
	}
	for _, name := range []string{"vars", "traces", "counts"} {
		if c.IsSet(name) {
			return nil, cli.Exclusive(name, "commands")
		}
	}
	h := &commandFuzz{
		seed: c.Uint64("seed"), workers: c.Int("jobs"), out: c.String("output"), quiet: c.Bool("quiet"), sator: c.String("sator"),
		fuzzer: &commandtest.Fuzzer{Program: commandtest.InProcess(commands.Program), Only: c.String("only")},
	}
	if !c.IsSet("seed") {
		h.seed = rand.Uint64N(1e12)
	}
	if !c.IsSet("jobs") {
		h.workers = runtime.GOMAXPROCS(0)
	}
	if h.workers < 1 || h.workers > 1000 {
		return nil, cli.Invalid("jobs", h.workers, "1 to 1000")
	}
	if c.IsSet("only") && !slices.Contains(commandtest.Tests(), h.fuzzer.Only) {
		return nil, cli.InvalidName("only", h.fuzzer.Only, commandtest.Tests())
	}
	rounds, err := cli.Positive(c, "rounds", 1)
	h.rounds = uint64(rounds)
	return h, err
}

// run runs rounds until a limit or a signal and reports failures.
func (h *commandFuzz) run(r *cli.Run) error {
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(fuzzCollectorPercent))
	}
	h.Run, h.lineAt = r, r.Begin
	dir, err := os.MkdirTemp("", "sator-lab-fuzz-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if h.sator == "" {
		if h.sator, err = buildSator(r.Ctx, dir); err != nil {
			return err
		}
	}
	if h.sator, err = exec.LookPath(h.sator); err != nil {
		return err
	}
	if h.sator, err = filepath.Abs(h.sator); err != nil {
		return err
	}
	h.fuzzer.Process, h.fuzzer.Temp = commandtest.Process(h.sator), dir
	if !h.quiet {
		h.Out.Line(fmt.Sprintf("seed %d, %s, tests %s", h.seed, cli.Count(h.workers, "worker"), strings.Join(commandtest.Tests(), " ")))
	}
	if err := h.runAll(); err != nil {
		return err
	}
	h.Progress.Close()
	h.summary()
	if h.Out.Err == nil && h.found > 0 {
		return cli.ExitCode(cli.CodeWrong)
	}
	return h.Out.Err
}

// buildSator builds the program sator in a folder and returns its name.
func buildSator(ctx context.Context, dir string) (string, error) {
	root, err := moduleRoot(ctx)
	if err != nil {
		return "", fmt.Errorf("%w; --sator names a program that is built", err)
	}
	name := filepath.Join(dir, "sator")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", name, "./cmd/sator")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return name, nil
}

// runAll runs rounds on all workers, and reports them in the order of their seeds.
func (h *commandFuzz) runAll() error {
	ctx, stop := context.WithCancel(h.Ctx)
	defer stop()
	results := make(chan *commandtest.Round)
	var workers sync.WaitGroup
	for range h.workers {
		workers.Go(func() { h.work(ctx, results) })
	}
	go func() {
		workers.Wait()
		close(results)
	}()
	var failed error
	done := uint64(0)
	early := map[uint64]*commandtest.Round{}
	for r := range results {
		early[r.Seed] = r
		for r := early[h.seed+done]; r != nil && failed == nil && h.found < maxFailures; r = early[h.seed+done] {
			delete(early, h.seed+done)
			done++
			if failed = h.take(r); failed != nil || h.found == maxFailures {
				stop()
			}
		}
		h.status()
	}
	return failed
}

// work runs rounds until the limit of rounds or the end of ctx. A failure after the end is
// dropped: a signal ends the commands too.
func (h *commandFuzz) work(ctx context.Context, results chan<- *commandtest.Round) {
	for ctx.Err() == nil {
		n := h.next.Add(1) - 1
		if h.rounds > 0 && n >= h.rounds {
			return
		}
		r := h.fuzzer.Round(h.seed + n)
		if r.Failure != nil {
			time.Sleep(signalDelay)
			if ctx.Err() == nil {
				r.Shrink()
			}
			if ctx.Err() != nil {
				return
			}
		}
		results <- r
	}
}

// signalDelay is more than the time between the arrival of a signal at a command and at
// this program.
const signalDelay = 100 * time.Millisecond

// take counts a round, and saves and reports its failure. It returns an error of saving.
func (h *commandFuzz) take(r *commandtest.Round) error {
	h.total.Add(&r.Counts)
	if r.Failure == nil {
		return nil
	}
	h.found++
	repeat := fmt.Sprintf("repeat: sator-lab fuzz --commands --seed %d --rounds 1", r.Seed)
	if h.fuzzer.Only != "" {
		repeat += " --only " + h.fuzzer.Only
	}
	dir := filepath.Join(h.out, fmt.Sprintf("fuzz-commands-%d", r.Seed))
	h.Out.Line(fmt.Sprintf("FAILURE test %s, seed %d: %ssaved: %s\n%s", r.Test, r.Seed, r.Failure.Report(), dir, repeat))
	return r.Failure.Save(dir, repeat)
}

// status prints a line after each lineInterval.
func (h *commandFuzz) status() {
	if now := time.Now(); !h.quiet && now.Sub(h.lineAt) >= lineInterval {
		h.lineAt = now
		h.Out.Line(fmt.Sprintf("%.0f s, %s, %s", now.Sub(h.Begin).Seconds(), cli.Count(h.total.Commands, "command"), cli.Count(h.found, "failure")))
	}
}

// summary prints the counts.
func (h *commandFuzz) summary() {
	h.Out.Write(func(w io.Writer) error {
		count := func(name string, n int64) { fmt.Fprintf(w, "%-28s %12d\n", name, n) }
		rounds := int64(0)
		for _, n := range h.total.Rounds {
			rounds += n
		}
		count("first seed", int64(h.seed))
		count("rounds", rounds)
		for _, name := range slices.Sorted(maps.Keys(h.total.Rounds)) {
			count("  "+name, h.total.Rounds[name])
		}
		count("commands", h.total.Commands)
		count("  as processes", h.total.Processes)
		for _, code := range slices.Sorted(maps.Keys(h.total.Codes)) {
			count(fmt.Sprintf("  exit code %d", code), h.total.Codes[code])
		}
		count("failures", int64(h.found))
		took := time.Since(h.Begin)
		_, err := fmt.Fprintf(w, "%-28s %12.0f\n%-28s %12.0f\n", "seconds", took.Seconds(), "commands a second", cli.PerSecond(h.total.Commands, took))
		return err
	})
}
