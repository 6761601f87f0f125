package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/grid/simulate"
	"sator/cmd/internal/journal"
	"sator/cmd/internal/plot"
)

// The command simulate predicts how a run scales, by package simulate. It needs no server.

func simulateCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "simulate",
		Category:    "Prepare",
		Usage:       "predict the efficiency of a run with many workers",
		UsageText:   "sator-grid simulate --run DIR [flags]",
		Description: simulateDescription(),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "run", Category: cli.InputFlags, Usage: "take the times of cubes from the results in `DIR`; of \"sator conquer --run\""},
			&cli.StringFlag{Name: "workers", Category: cli.ParamFlags, Value: "1,3,10,30,100,300,1000,3000,10000", Usage: "numbers of workers, as `LIST` a,b,c"},
			&cli.IntFlag{Name: "cubes", Category: cli.ParamFlags, DefaultText: "those of the run", Usage: "draw `N` cubes at random from the run; each with its splits"},
			&cli.Float64Flag{Name: "scale", Category: cli.ParamFlags, Value: 1, Usage: "multiply times of cubes and sizes of proofs by `X`"},
			cli.SeedFlag(cli.ParamFlags),
			&cli.IntFlag{Name: "checkers", Category: cli.ParamFlags, Value: 1, Usage: "use `N` checkers; 0: check no proofs, as with --trust"},
			&cli.IntFlag{Name: "per-checker", Category: cli.ParamFlags, Usage: "use at least one checker for each `N` workers"},
			&cli.BoolFlag{Name: "proof", Category: cli.ParamFlags, Usage: "with --checkers 0: workers send proofs nevertheless"},
			&cli.StringSliceFlag{Name: "set", Category: cli.ParamFlags, Usage: "set a cost, as `NAME=VALUE`; may be repeated"},
			&cli.BoolFlag{Name: "live", Category: cli.ParamFlags, Usage: "also run workers that sleep, and compare; with an embedded server and real connections"},
			cli.Writes(&cli.StringFlag{Name: "figure", Category: cli.OutputFlags, Usage: "draw efficiency, lost time and load to `FILE`; SVG or PNG"}, "svg", "png"),
			cli.TextOrJSON(""), cli.JSONFlag(),
			cli.OutputFlag(),
		},
		Action: cli.RunAction(e, simulateOptionsOf, func(o *simulateOptions) cli.RunOptions {
			return cli.RunOptions{Outputs: []string{o.figure}, Redirect: true, NoLimits: true}
		}, simulateRun),
	}
}

// simulateDescription returns the description of simulate with the table of costs.
func simulateDescription() string {
	var costs strings.Builder
	for _, p := range simulate.Parameters {
		value := strconv.FormatFloat(p.Default, 'g', -1, 64)
		fmt.Fprintf(&costs, "  %-15s %8s %-4s %s\n", p.Name, value, p.Unit, p.Help)
	}
	return fmt.Sprintf(simulateText, costs.String())
}

const simulateText = `Simulates a run of a grid event by event: each cube takes the time that it took
in a finished run of "sator conquer", each message takes the measured time at
the server, on its disk, on its line, at the coordinator and at the checkers,
and waits for the messages before it. The same input and flags give the same
output.

For each number of workers the table has the time of the run, the efficiency,
which is the sum of the times of the cubes divided by the time of all workers,
and the share of that time which workers lose while they wait for each resource.
"splits" is the time without open cubes, when all cubes that are left are being
solved. "free" is the efficiency if messages and checks cost nothing. "limit" is
the resource for which workers lose most.

The times are those of the finished run on its machine. --scale stands for
harder cubes or another machine, and --cubes for a formula with more cubes.

--live checks the prediction: it runs a coordinator, an embedded server and a
connection for each worker in this process, with solvers that sleep for the
times of the cubes. This takes as long as the run that it predicts. The workers
and the server share the processors of this machine, so choose cubes long enough
that the messages are a small part of their time: with two processors at most
some hundred cubes a second. If the machine has other work, start the command by
"chrt -f 1", so that sleepers wake up in time. There is no network and no proof
in this comparison.

The costs are

%s
An MB is 10^6 bytes. Times of messages are times of a processor. "go doc
sator/cmd/internal/grid/simulate Costs" names the benchmark that measured each.

Exit codes: 0 success; 1 a file that cannot be read or written, 2 bad command
line, 3 an error of Sator itself.

Examples:
  sator conquer problem.icnf -j 1 --proof p.lrat --run p.run
  sator-grid simulate --run p.run
  sator-grid simulate --run p.run --cubes 100000 --per-checker 10 --figure f.svg
  sator-grid simulate --run p.run --workers 1000 --set sync=2e-3 --json
  sator-grid simulate --run p.run --workers 10,100 --cubes 1000 --live`

// simulateOptions is the command line of simulate.
type simulateOptions struct {
	run     string
	workers []int
	cubes   int // 0 for those of the run
	scale   float64
	seed    uint64
	model   simulate.Options
	live    bool
	figure  string
	json    bool
}

// maxLive bounds the number of real connections, by the limits of the server.
const maxLive = 5000

// maxSimulated bounds numbers of workers, checkers and cubes. More would take hours.
const maxSimulated = 10_000_000

func simulateOptionsOf(c *cli.Context) (*simulateOptions, error) {
	if err := cli.NoOperands(c); err != nil {
		return nil, err
	}
	o := &simulateOptions{
		run: c.String("run"), cubes: c.Int("cubes"), scale: c.Float64("scale"), seed: c.Uint64("seed"),
		live: c.Bool("live"), figure: c.String("figure"), json: cli.AsJSON(c),
		model: simulate.Options{Checkers: c.Int("checkers"), PerChecker: c.Int("per-checker"), Proof: c.Bool("proof")},
	}
	if o.run == "" {
		return nil, cli.Invalid("run", o.run, "the directory of a run")
	}
	for _, name := range []string{"cubes", "checkers", "per-checker"} {
		if n := c.Int(name); n < 0 || n > maxSimulated || n == 0 && c.IsSet(name) && name != "checkers" {
			return nil, cli.Invalid(name, n, "a number up to %d", maxSimulated)
		}
	}
	if o.model.Proof && o.model.Checkers > 0 {
		return nil, cli.Useless("proof", "checkers 0")
	}
	if !(o.scale > 0) || o.scale > 1e9 {
		return nil, cli.Invalid("scale", o.scale, "a positive number up to 1e9")
	}
	if o.figure != "" && !slices.Contains(cli.Suffixes("svg", "png"), cli.Extension(o.figure)) {
		return nil, cli.Invalid("figure", o.figure, "a name that ends with .svg or .png")
	}
	if err := o.setWorkers(c.String("workers")); err != nil {
		return nil, err
	}
	if n := slices.Max(o.workers); o.live && n > maxLive {
		return nil, cli.Invalid("workers", n, "at most %d with --live", maxLive)
	}
	return o, o.setCosts(c.StringSlice("set"))
}

// setWorkers parses --workers.
func (o *simulateOptions) setWorkers(list string) error {
	for _, text := range cli.NamesOf(list) {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > maxSimulated {
			return cli.Invalid("workers", list, "positive numbers up to %d, with commas between them", maxSimulated)
		}
		o.workers = append(o.workers, n)
	}
	if len(o.workers) == 0 {
		return cli.Invalid("workers", list, "at least one number")
	}
	return nil
}

// setCosts parses --set.
func (o *simulateOptions) setCosts(settings []string) error {
	o.model.Costs = simulate.DefaultCosts()
	given := map[string]string{}
	for _, setting := range settings {
		name, text, _ := strings.Cut(setting, "=")
		i := slices.IndexFunc(simulate.Parameters, func(p simulate.Parameter) bool { return p.Name == name })
		if i < 0 {
			return cli.Invalid("set", setting, "the name of a cost, \"=\" and a number")
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return cli.Invalid("set", setting, "a number behind \"=\"")
		}
		if before, is := given[name]; is && before != text {
			return cli.Usagef("--set %s has two values, %q and %q", name, before, text)
		}
		given[name] = text
		*simulate.Parameters[i].Of(&o.model.Costs) = v
	}
	if err := o.model.Costs.Validate(); err != nil {
		return cli.Usagef("--set: %v", err)
	}
	return nil
}

// simulateReport is the JSON document of simulate.
type simulateReport struct {
	Run      string         `json:"run"`
	Cubes    int            `json:"cubes"`
	Splits   int            `json:"splits"`
	Work     float64        `json:"work"`         // seconds
	Critical float64        `json:"criticalPath"` // seconds
	Bytes    int64          `json:"proofBytes"`
	Rows     []simulate.Row `json:"rows"`
	Live     []liveRow      `json:"live,omitempty"`
}

// A liveRow compares a live run with its prediction.
type liveRow struct {
	simulate.Measurement
	Predicted simulate.Outcome `json:"predicted"`
	Ratio     float64          `json:"ratio"` // measured makespan / predicted makespan
}

// simulateRun runs the command.
func simulateRun(r *cli.Run, o *simulateOptions) error {
	w, err := o.workload()
	if err != nil {
		return err
	}
	report := &simulateReport{
		Run: o.run, Cubes: len(w.Cubes), Splits: w.Splits(), Work: w.Work(), Critical: w.CriticalPath(), Bytes: w.Bytes(),
	}
	for _, n := range o.workers {
		if err := report.add(r, o, w, n); err != nil {
			return err
		}
	}
	if o.figure != "" {
		f, draw := report.figure(o), (*plot.Figure).SVG
		if cli.Extension(o.figure) == ".png" {
			draw = (*plot.Figure).PNG
		}
		if err := r.Write(r.Ctx, o.figure, func(w io.Writer) error { return draw(f, cli.Raw(w)) }); err != nil {
			return err
		}
	}
	if o.json {
		return cli.WriteJSON(r.Stdout, report)
	}
	_, err = r.Stdout.Write(report.table())
	return err
}

// add adds the rows of a number of workers.
func (s *simulateReport) add(r *cli.Run, o *simulateOptions, w *simulate.Workload, workers int) error {
	if r.Ctx.Err() != nil {
		return context.Cause(r.Ctx)
	}
	r.Progress.Doing(cli.Count(workers, "worker"))
	s.Rows = append(s.Rows, simulate.Sweep(w, o.model, []int{workers})...)
	if !o.live {
		return nil
	}
	dir, err := os.MkdirTemp("", "sator-grid-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	m, err := simulate.Live(r.Ctx, w, simulate.LiveOptions{Workers: workers, Dir: filepath.Join(dir, "store")})
	if err != nil {
		return err
	}
	p := m.Predict(w, o.model.Costs)
	s.Live = append(s.Live, liveRow{m, p, m.Makespan / p.Makespan})
	return nil
}

// workload returns the workload of the run, sampled and scaled.
func (o *simulateOptions) workload() (*simulate.Workload, error) {
	_, results, err := journal.Read(o.run)
	if err != nil {
		return nil, err
	}
	w, err := simulate.New(results)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.run, err)
	}
	if o.cubes > 0 {
		w = w.Sampled(o.cubes, o.seed)
	}
	if o.live {
		w = w.Closed()
	}
	return w.Scaled(o.scale), nil
}

// table returns the report as text.
func (s *simulateReport) table() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s, %d of them split; work %.1f s, longest path of splits %.2f s, proof %.1f MB\n\n",
		cli.Count(s.Cubes, "cube"), s.Splits, s.Work, s.Critical, float64(s.Bytes)/1e6)
	fmt.Fprintf(&b, "%8s %8s %11s %10s %6s", "workers", "checkers", "seconds", "efficiency", "free")
	for _, c := range simulate.Causes {
		fmt.Fprintf(&b, " %11v", c)
	}
	fmt.Fprintf(&b, "  limit\n")
	for _, row := range s.Rows {
		seconds := fmt.Sprintf("%.2f", row.Makespan)
		if row.Overloaded != "" {
			seconds = "overloaded"
		}
		fmt.Fprintf(&b, "%8d %8d %11s %10.3f %6.3f", row.Workers, row.Checkers, seconds, row.Efficiency, row.Free)
		for _, c := range simulate.Causes {
			fmt.Fprintf(&b, " %10.1f%%", 100*row.Lost[c])
		}
		fmt.Fprintf(&b, "  %v\n", row.Limit)
	}
	if len(s.Live) > 0 {
		fmt.Fprintf(&b, "\nreal connections, sleeping workers, no network and no proof:\n")
		fmt.Fprintf(&b, "%8s %8s %11s %11s %6s %10s %10s\n", "workers", "cubes", "seconds", "predicted", "ratio", "efficiency", "predicted")
	}
	for _, l := range s.Live {
		fmt.Fprintf(&b, "%8d %8d %11.2f %11.2f %6.3f %10.3f %10.3f\n",
			l.Workers, l.Cubes, l.Makespan, l.Predicted.Makespan, l.Ratio, l.Efficiency, l.Predicted.Efficiency)
	}
	return b.Bytes()
}

// figure returns three panels over the number of workers: efficiency, lost time, and how
// busy the resources are.
func (s *simulateReport) figure(o *simulateOptions) *plot.Figure {
	column := func(name string, of func(simulate.Row) float64) plot.Series {
		line := plot.Series{Name: name}
		for _, r := range s.Rows {
			line.X, line.Y = append(line.X, float64(r.Workers)), append(line.Y, of(r))
		}
		return line
	}
	var lost, busy []plot.Series
	for _, c := range simulate.Causes {
		lost = append(lost, column(c.String(), func(r simulate.Row) float64 { return r.Lost[c] }))
		if c.Queued() {
			busy = append(busy, column(c.String(), func(r simulate.Row) float64 { return r.Busy[c] }))
		}
	}
	panels := []*plot.Figure{
		plot.Lines("Efficiency", "", "work / time of all workers", []plot.Series{
			column("with messages", func(r simulate.Row) float64 { return r.Efficiency }),
			column("messages free", func(r simulate.Row) float64 { return r.Free }),
		}),
		plot.Lines("Time that workers lose", "", "share of their time", lost),
		plot.Lines("Load of resources", "workers", "busy share of the run", busy),
	}
	for _, p := range panels {
		p.X.Scale = plot.Log
		p.Y.Min, p.Y.Max = 0, 1
		p.Height = 3.2
	}
	f := plot.Stack(fmt.Sprintf("%s of %.2f s on average", cli.Count(s.Cubes, "cube"), s.Work/float64(s.Cubes)), panels...)
	f.Note = s.note(o)
	return f
}

// note describes the checkers of a figure.
func (s *simulateReport) note(o *simulateOptions) string {
	m := &o.model
	switch {
	case m.PerChecker > 0:
		return fmt.Sprintf("A checker for each %s. Longest path of splits: %.1f s.", cli.Count(m.PerChecker, "worker"), s.Critical)
	case m.Checkers > 0:
		return fmt.Sprintf("Checkers: %d. Longest path of splits: %.1f s.", m.Checkers, s.Critical)
	case m.Proof:
		return fmt.Sprintf("Proofs are sent and not checked. Longest path of splits: %.1f s.", s.Critical)
	}
	return fmt.Sprintf("Without proofs. Longest path of splits: %.1f s.", s.Critical)
}
