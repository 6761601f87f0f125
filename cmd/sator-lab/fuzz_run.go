package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sator/cmd/internal/cli"
	"sator/internal/dplltest"
)

// A fuzzRun is a run of fuzz.
type fuzzRun struct {
	*cli.Run
	o       *fuzzOptions
	fuzzer  *dplltest.Fuzzer
	next    atomic.Uint64   // number of the next round, from 0
	rounds  uint64          // number of reported rounds
	total   dplltest.Counts // of this run
	counts  *fuzzCounts     // of all runs with the same file, this one included
	builds  []fuzzBuild     // of the runs before
	file    countsFile
	found   int       // number of failures in this run
	saveErr error     // the first error of saving a failure or the counts
	lineAt  time.Time // time of the last progress line
	stop    context.CancelFunc
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
		if now := time.Now(); h.file.due(now) {
			h.keepCounts(now)
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
	if round != nil {
		round.Seed = seed
	}
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
	h.counts.take(r)
	if r.Err == nil {
		return
	}
	h.found++
	h.Out.Line("FAILURE " + h.report(r))
	h.keepCounts(time.Now())
	if h.found == maxFailures {
		h.Out.Line(fmt.Sprintf("stopped after %s", cli.Count(h.found, "failure")))
		h.stop()
	}
}

// writeCounts writes the file of counts, if there is one.
func (h *fuzzRun) writeCounts(now time.Time) error {
	h.counts.work(h.builds, int64(h.rounds), cli.ProcessorTime(), now.Sub(h.Begin))
	return h.file.write(h.counts, now)
}

// keepCounts writes the file of counts. An error ends the run.
func (h *fuzzRun) keepCounts(now time.Time) {
	if err := h.writeCounts(now); err != nil && h.saveErr == nil {
		h.saveErr = err
		h.stop()
	}
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
		fmt.Sprintf("%s and %s (%.0f/s)", cli.Count(t.Formulas, "formula"), cli.Count(t.Traces, "trace"), cli.PerSecond(t.Formulas+t.Traces, after)),
		cli.Count(t.Refutations, "proof"),
		cli.Count(f.found, "failure"),
	}
}

func (f *fuzzFigures) Header() string            { return "" }
func (f *fuzzFigures) Line(time.Duration) string { return "" }

// summary prints the counts of all runs with the same file.
func (h *fuzzRun) summary() {
	c := h.counts
	h.Out.Write(func(w io.Writer) error {
		count := func(name string, n int64) {
			fmt.Fprintf(w, "%-28s %12d\n", name, n)
		}
		count("first seed", int64(c.FirstSeed))
		count("rounds", c.rounds())
		for _, kind := range slices.Sorted(maps.Keys(c.Rounds)) {
			count("  "+kind, c.Rounds[kind])
		}
		for _, row := range new(dplltest.Counts).Rows() {
			count(row.Label(), c.Counts[row.Name])
		}
		fmt.Fprintln(w, "rounds with success of")
		for _, technique := range fuzzTechniques {
			count("  "+technique.name, c.Techniques[technique.name])
		}
		count("failures", int64(len(c.Failed)))
		cpu, wall := c.spent()
		formulas := c.Counts["formulas"] + c.Counts["traces"]
		_, err := fmt.Fprintf(w, "%-28s %12.0f\n%-28s %12.0f\n%-28s %12.0f\n%-28s %12.0f\n",
			"seconds", wall.Seconds(), "seconds of processor", cpu.Seconds(),
			"formulas and traces a second", cli.PerSecond(formulas, wall),
			"  a second of processor", cli.PerSecond(formulas, cpu))
		return err
	})
}
