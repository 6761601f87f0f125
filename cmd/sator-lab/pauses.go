package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"sator/cmd/internal/cli"
	"sator/dimacs"
	"sator/dpll/cdcl"
)

// The command pauses measures how quickly a run of the engine cdcl can be canceled. The
// engine polls its context, so the time between two polls is the time that a signal may
// have to wait. A context that counts its polls (a pauseMeter) measures it, by the
// processor time of the thread where the system has that clock: other processes then
// do not lengthen pauses.

func pausesCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:      "pauses",
		Category:  "Measure",
		Usage:     "measure the times between polls of a context by cdcl",
		UsageText: "sator-lab pauses [flags] [FILE]",
		Description: `For developers of Sator. Solves a formula with the engine cdcl, and measures the
processor time between two polls of the context: as long, at most, a signal or a
limit waits before it ends the run. A table has a row for each activity: the
time in it, the number of polls, the longest pause, the time within which 99.9 %
of signals at random moments are noticed, and the most memory that the program
held when an activity began or ended.

--trace 20ms prints the calls of the engine when a pause has lasted that long.

Examples:
  sator-lab pauses --time 60 big.cnf.zst
  sator generate ksat --vars 3000000 --ratio 3.5 | sator-lab pauses`,
		Flags: []cli.Flag{
			cli.TimeFlag(),
			cli.MemoryFlag(),
			&cli.Int64Flag{Name: "conflicts", Category: cli.LimitFlags, Usage: "stop after `N` conflicts"},
			cli.SeedFlag(cli.EngineFlags),
			&cli.StringFlag{Name: "trace", Category: cli.OutputFlags, Usage: "print the calls of the engine in pauses of `T` or more"},
		},
		Action: cli.RunAction(e, readPauses, func(o *pausesOptions) cli.RunOptions { return cli.RunOptions{Inputs: []string{o.file}} }, pauses),
	}
}

// pausesOptions are the flags of pauses.
type pausesOptions struct {
	file      string
	conflicts int64
	seed      uint64
	trace     time.Duration // 0: no pause is traced
}

func readPauses(c *cli.Context) (*pausesOptions, error) {
	names := cli.Operands(c)
	if len(names) > 1 {
		return nil, cli.Usagef("pauses measures one formula")
	}
	conflicts, err := cli.Positive(c, "conflicts", 1)
	if err != nil {
		return nil, err
	}
	trace, err := cli.DurationOf(c, "trace")
	return &pausesOptions{names[0], conflicts, c.Uint64("seed"), trace}, err
}

// pauses runs the command.
func pauses(r *cli.Run, o *pausesOptions) error {
	cli.SaveMemory()
	f, err := readFormula(r, o.file)
	if err != nil {
		return err
	}
	runtime.LockOSThread() // the clock is that of one thread
	defer runtime.UnlockOSThread()
	m := &pauseMeter{Context: r.Ctx, clock: threadClock()}
	if o.trace > 0 {
		ctx, stop := context.WithCancel(r.Ctx)
		defer stop()
		go m.sample(ctx, o.trace)
	}
	options := cdcl.Options{}
	options.Seed, options.OneShot, options.Memory = o.seed, true, r.Memory.Allows
	options.Activity = func(name string) { m.enter(cmp.Or(name, "end")) }
	s := cdcl.New(options)
	s.SetLimits(cdcl.Limits{Conflicts: o.conflicts})

	m.begin("add")
	answer := dimacs.Unknown
	if addPolled(m, s, f) {
		answer = s.Solve(m)
	}
	if answer == dimacs.Satisfiable && !s.Model().Satisfies(f) {
		return &cli.InternalError{Msg: "the model does not satisfy the formula"}
	}
	m.enter("")
	m.report(r.Out)
	r.Out.Line(fmt.Sprintf("%v after %s", answer, cli.Count(s.Stats().Conflicts, "conflict")))
	return r.Out.Err
}

// readFormula reads a formula in DIMACS CNF.
func readFormula(r *cli.Run, name string) (*dimacs.Formula, error) {
	src, err := r.Open(r.Ctx, name)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	reader := dimacs.Reader{Name: cli.Shown(name), Memory: r.Memory.Allows}
	return reader.Read(io.Reader(src))
}

// addPolled adds a formula to a solver, as the command solve does. It returns false if ctx
// ends first.
func addPolled(ctx context.Context, s *cdcl.Solver, f *dimacs.Formula) bool {
	s.Grow(f.Vars())
	if ctx.Err() != nil {
		return false
	}
	s.Reserve(f.Len(), f.Size())
	for i, c := range f.Clauses() {
		if i&(1<<12-1) == 0 && ctx.Err() != nil {
			return false
		}
		s.Add(c...)
	}
	return true
}

// A pauseMeter is a context that measures the time between polls.
type pauseMeter struct {
	context.Context
	clock func() time.Duration
	polls atomic.Int64 // time of the last poll

	last       time.Duration // time of the last poll
	name       string        // the current activity
	since      time.Duration // time at its begin
	activities []*pauseRow
}

// A pauseRow holds the pauses of an activity.
type pauseRow struct {
	name   string
	polls  int
	total  time.Duration
	pauses []time.Duration // those of noted or more
	memory int64           // most bytes held at a begin or an end
}

// noted is the length of the shortest pause that is stored.
const noted = time.Millisecond

func (m *pauseMeter) begin(activity string) {
	m.last = m.clock()
	m.since, m.name = m.last, activity
	m.row().memory = cli.Memory()
}

// Err is the poll of the context.
func (m *pauseMeter) Err() error {
	now := m.clock()
	m.note(now)
	m.last = m.clock()
	m.polls.Store(int64(m.last))
	return m.Context.Err()
}

// note adds the pause that ends now to the current activity.
func (m *pauseMeter) note(now time.Duration) {
	row, pause := m.row(), now-m.last
	row.polls++
	if pause >= noted {
		row.pauses = append(row.pauses, pause)
	}
}

// enter ends an activity and begins another one. A pause that goes on is counted for the
// activity in which it ends.
func (m *pauseMeter) enter(activity string) {
	now, memory := m.clock(), cli.Memory()
	row := m.row()
	row.total += now - m.since
	row.memory = max(row.memory, memory)
	if activity == "" {
		m.note(now)
		return
	}
	m.since, m.name = now, activity
	row = m.row()
	row.memory = max(row.memory, memory)
}

// row returns the row of the current activity.
func (m *pauseMeter) row() *pauseRow {
	for _, r := range m.activities {
		if r.name == m.name {
			return r
		}
	}
	r := &pauseRow{name: m.name}
	m.activities = append(m.activities, r)
	return r
}

// report prints the table.
func (m *pauseMeter) report(out *cli.Printer) {
	all := &pauseRow{name: "all"}
	out.Line(fmt.Sprintf("%-16s %8s %9s %11s %9s %9s", "activity", "seconds", "polls", "longest ms", "99.9 % ms", "memory MB"))
	for _, r := range m.activities {
		out.Line(r.line())
		all.polls += r.polls
		all.total += r.total
		all.pauses = append(all.pauses, r.pauses...)
		all.memory = max(all.memory, r.memory)
	}
	out.Line(all.line())
}

func (r *pauseRow) line() string {
	longest := time.Duration(0)
	if len(r.pauses) > 0 {
		longest = slices.Max(r.pauses)
	}
	return fmt.Sprintf("%-16s %8.2f %9d %11.1f %9.1f %9.0f", r.name, r.total.Seconds(), r.polls,
		milliseconds(longest), milliseconds(waiting(r.pauses, r.total, 0.001)), cli.Megabytes(r.memory))
}

// waiting returns the time that only this share of the signals at random moments of a
// run wait for the next poll. Within a pause of length p the moments with a longer wait
// than w take p-w.
func waiting(pauses []time.Duration, total time.Duration, share float64) time.Duration {
	slices.SortFunc(pauses, func(a, b time.Duration) int { return int(b - a) })
	late := share * float64(total)
	sum := 0.0
	for i, p := range pauses {
		// With a wait between pauses[i+1] and p, i+1 pauses are longer than the wait.
		sum += float64(p)
		w := (sum - late) / float64(i+1)
		if w < 0 {
			return 0
		}
		if i+1 == len(pauses) || w >= float64(pauses[i+1]) {
			return time.Duration(w)
		}
	}
	return 0
}

// sample prints to standard error the calls of the engine in each pause that lasts this
// long or longer.
func (m *pauseMeter) sample(ctx context.Context, least time.Duration) {
	ticker := time.NewTicker(least / 8)
	defer ticker.Stop()
	printed := int64(0)
	for ctx.Err() == nil {
		<-ticker.C
		last := m.polls.Load()
		if last > 0 && last != printed && int64(m.clock())-last >= int64(least) {
			printed = last
			fmt.Fprintln(os.Stderr, "pause:", engineCalls())
		}
	}
}

// engineCalls returns the functions of the engine that are being called, the innermost
// first.
func engineCalls() string {
	text := make([]byte, 1<<16)
	text = text[:runtime.Stack(text, true)]
	for _, goroutine := range strings.Split(string(text), "\n\n") {
		var names []string
		for line := range strings.Lines(goroutine) {
			if strings.Contains(line, "(") && !strings.HasPrefix(line, "\t") {
				name, _, _ := strings.Cut(line, "(0x")
				names = append(names, strings.TrimPrefix(strings.TrimSpace(name), "sator/dpll/"))
			}
		}
		if strings.Contains(goroutine, "pauseMeter") || !strings.Contains(goroutine, "main.pauses(") {
			continue
		}
		if i := slices.IndexFunc(names, func(name string) bool { return strings.HasPrefix(name, "main.") }); i >= 0 {
			names = names[:i+1]
		}
		return strings.Join(names, " < ")
	}
	return "none"
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
