package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/versus"
	"sator/dimacs"
	"sator/dimacs/file"
)

func benchCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "bench",
		Category:    "Measure",
		Usage:       "compare solvers on files: time, memory, answers",
		UsageText:   "sator-lab bench [flags] FILE|DIR|@LIST...\nsator-lab bench --show --csv FILE",
		Description: benchDescription(),
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "solver", Aliases: []string{"s"}, Category: cli.ParamFlags, DefaultText: "all known solvers that are installed", Usage: "run `SOLVER`, a known name or NAME=COMMAND; may be repeated"},
			&cli.StringFlag{Name: "sator", Category: cli.ParamFlags, DefaultText: "sator beside this program, or in PATH", Usage: "use `PROGRAM` for the word sator in commands"},
			&cli.IntFlag{Name: "repeat", Category: cli.ParamFlags, Value: 1, Usage: "run everything `N` times"},
			&cli.IntFlag{Name: "pin", Category: cli.ParamFlags, DefaultText: "any", Usage: "run solvers on core `N` only, from 0 (Linux)"},
			cli.Choices(&cli.StringFlag{Name: "clock", Category: cli.ParamFlags, Value: "cpu", Usage: "measure `CLOCK` time: cpu, or wall for parallel solvers"}, func() []cli.Choice { return cli.Names("cpu", "wall") }),
			&cli.BoolFlag{Name: "proofs", Category: cli.ParamFlags, Usage: "request and check proofs; of solvers that can write them"},
			&cli.BoolFlag{Name: "decompress", Category: cli.ParamFlags, Usage: "decompress files for all solvers"},
			&cli.StringFlag{Name: "root", Category: cli.InputFlags, DefaultText: "that of the list", Usage: "directory `DIR` of the files in lists"},
			&cli.StringFlag{Name: "timeout", Category: cli.LimitFlags, Value: "60", Usage: "end each run after `T`, as 2.5 (seconds) or 1h30m"},
			&cli.StringFlag{Name: "wall", Category: cli.LimitFlags, DefaultText: "several times --timeout", Usage: "with --clock cpu, end a run after `T` of wall-clock time"},
			&cli.Int64Flag{Name: "memory", Category: cli.LimitFlags, Usage: "end a run that holds more than `N` MB"},
			&cli.StringFlag{Name: "check-time", Category: cli.LimitFlags, DefaultText: "ten times --timeout", Usage: "end the check of a model or proof after `T`"},
			cli.Writes(&cli.StringFlag{Name: "csv", Category: cli.OutputFlags, Usage: "append runs to `FILE`, and skip the runs in it"}, "csv", "text"),
			&cli.BoolFlag{Name: "show", Category: cli.OutputFlags, Usage: "report on the runs in --csv, without new runs"},
			&cli.StringFlag{Name: "base", Category: cli.OutputFlags, DefaultText: "the first", Usage: "compare with solver `NAME`"},
			cli.FormatFlag("text", "", cli.Names("text", "markdown", "json", "rows")...),
			&cli.StringFlag{Name: "figures", Category: cli.OutputFlags, Usage: "write figures to directory `DIR`, as SVG and PNG"},
			cli.VerboseFlag(),
			cli.QuietFlag(),
			cli.OutputFlag(),
		},
		Action: cli.RunAction(e, benchOptionsOf, func(o *benchOptions) cli.RunOptions {
			return cli.RunOptions{Inputs: o.files(), Outputs: []string{o.csv}, Redirect: true, Status: true, NoLimits: true}
		}, bench),
	}
}

// benchDescription returns the description of bench with the list of known
// solvers.
func benchDescription() string {
	var known strings.Builder
	for _, s := range versus.KnownSolvers {
		fmt.Fprintf(&known, "  %s\n", s.Command)
	}
	return fmt.Sprintf(benchText, known.String())
}

const benchText = `Runs solvers on files, one at a time, and compares instances solved, time and
memory as measured by the operating system, and the correctness of the answers.
DIR stands for the formulas in a directory and below, those with a header "p
cnf". @LIST is a file with the name of a formula per line, relative to the
directory of the list, and optionally the expected answer, SAT, UNSAT or ?, and
after it a word for the family of the formula.

The known solvers are

%s
Words in brackets are used with --proofs only. Other solvers are written as
NAME=COMMAND, where {file} stands for the formula, {proof} for the file of the
proof, {model} for the file of the answer, if it is not printed, and {seed} for
the number of the round of --repeat, from 0: then each file and seed counts, not
the median. The word sator stands for the program of --sator. A solver answers
by exit code 10 or 20, or by a line "s SATISFIABLE" or "s UNSATISFIABLE". Files
are decompressed for solvers that cannot read them.

The solvers run in turn on each file. A run ends after --timeout seconds of CPU
time, user and system, including child processes. Memory is the peak of one
process. On Linux the limits of memory and CPU time end a run; elsewhere they
are compared with the totals after the run. A run that writes a file of more
than 4 GB ends too.

Models are evaluated, proofs are checked, and answers are compared among solvers
and with the lists. The report begins with wrong answers and a summary. Its
tables have, for each solver, the files solved, with UNSAT counted apart with
and without a checked proof; PAR-2 and, relative to the first solver, the
geometric means of the ratios of time and memory, with 95 %% bootstrap
intervals; the virtual best solver, which has the fastest result on each file,
and what it loses without the solver; paired tests of each two solvers, with
Holm's correction; and files solved and PAR-2 by family. The family of a file
is that of the list, else the part of its name before "__", else its directory
if there are several, else the beginning of its name. The figures are a cactus
plot and a scatter plot for each solver. Of repeated runs the median counts. If
solvers print "c conflicts N" and "c ticks N", as Sator with --stats, there are
ratios of them, too. --format rows has a line for each solver but the base, for
a table of experiments, as dpll/docs/tried.md is one.

A warning, also a note of the report, says if other processes loaded the
machine before or during the runs: then times are too long, CPU times to a
lesser degree.

--csv FILE gets a line after each run. If the command is interrupted, the same
command resumes it.

Exit codes: 0 success; 1 a file that cannot be read or written, or a signal; 2
bad command line, 3 an error of Sator itself, 4 a wrong answer or contradictory
answers.

Examples:
  sator-lab bench *.cnf
  sator-lab bench @list.txt --timeout 100 --csv runs.csv --figures figures
  sator-lab bench @list.txt -s sator -s cadical --repeat 3 --pin 1 --proofs
  sator-lab bench a.cnf -s sator -s "false=sator solve -q --set phase=0 {file}"
  sator-lab bench @list.txt --repeat 5 -f rows \
      -s "base=sator solve -q --stats --seed {seed}" \
      -s "no-walks=sator solve -q --stats --seed {seed} --set walk=0"
  sator-lab bench --show --csv runs.csv --format markdown -o report.md`

// benchOutput is the limit on the size of files that a solver writes.
const benchOutput = 4 << 30

// benchOptions are the flags and operands of bench.
type benchOptions struct {
	operands []string
	solvers  []string
	sator    string
	root     string
	clock    versus.Clock
	bench    versus.Bench // with the settings of the runs

	csv     string
	show    bool
	base    string
	figures string
	output  string
	verbose bool
}

func benchOptionsOf(c *cli.Context) (*benchOptions, error) {
	o := &benchOptions{
		operands: c.Args().Slice(),
		sator:    c.String("sator"),
		root:     c.String("root"),
		bench:    versus.Bench{Rounds: c.Int("repeat"), Core: -1, Proofs: c.Bool("proofs"), Decompress: c.Bool("decompress")},
		csv:      c.String("csv"),
		show:     c.Bool("show"),
		base:     c.String("base"),
		figures:  c.String("figures"),
		output:   c.String("output"),
		verbose:  c.Bool("verbose"),
	}
	for _, s := range c.StringSlice("solver") {
		if strings.Contains(s, "=") {
			o.solvers = append(o.solvers, s)
		} else {
			o.solvers = append(o.solvers, cli.NamesOf(s)...)
		}
	}
	if c.IsSet("pin") {
		if o.bench.Core = c.Int("pin"); o.bench.Core < 0 {
			return nil, cli.Invalid("pin", o.bench.Core, "a core, 0 or more")
		}
	}
	switch {
	case o.bench.Rounds < 1:
		return nil, cli.Invalid("repeat", o.bench.Rounds, "a positive number")
	case o.csv == "-":
		return nil, cli.Invalid("csv", o.csv, "a file")
	case o.show && o.csv == "":
		return nil, cli.Useless("show", "csv")
	case o.show && len(o.operands) > 0:
		return nil, cli.Usagef("--show runs no solver: unexpected operand %s", cli.Shown(o.operands[0]))
	case o.show:
		for _, name := range []string{"sator", "repeat", "pin", "proofs", "decompress", "root", "timeout", "wall", "memory", "check-time"} {
			if c.IsSet(name) {
				return nil, cli.Exclusive(name, "show")
			}
		}
	case len(o.operands) == 0:
		return nil, &cli.UsageError{Msg: "no file to solve", Hint: `Write FILE, DIR or @LIST.`}
	}
	if c.IsSet("root") && !slices.ContainsFunc(o.operands, func(s string) bool { return strings.HasPrefix(s, "@") }) {
		return nil, cli.Usagef("--root has no effect without @LIST")
	}
	return o, o.readLimits(c)
}

// readLimits reads the clock and the limits of a run.
func (o *benchOptions) readLimits(c *cli.Context) error {
	limit, err := cli.DurationOf(c, "timeout")
	if err != nil {
		return err
	}
	wall, err := cli.DurationOf(c, "wall")
	if err != nil {
		return err
	}
	limits := &o.bench.Limits
	switch clock := c.String("clock"); {
	case clock == "wall" && wall > 0:
		return cli.Exclusive("wall", "clock wall")
	case clock == "wall":
		o.clock, limits.Wall = versus.Wall, limit
	case clock == "cpu":
		o.clock, limits.CPU, limits.Wall = versus.CPU, limit, wall
		if wall == 0 {
			limits.Wall = versus.WallFactor * limit
		}
	default:
		return cli.InvalidName("clock", clock, []string{"cpu", "wall"})
	}
	if limits.Memory, err = cli.Positive(c, "memory", 1<<20); err != nil {
		return err
	}
	limits.Output = benchOutput
	if o.bench.CheckTime, err = cli.DurationOf(c, "check-time"); err == nil && o.bench.CheckTime == 0 {
		o.bench.CheckTime = 10 * limit
	}
	return err
}

// files returns the names of the input files.
func (o *benchOptions) files() []string {
	var names []string
	for _, name := range o.operands {
		names = append(names, strings.TrimPrefix(name, "@"))
	}
	return names
}

// bench runs the command.
func bench(r *cli.Run, o *benchOptions) error {
	var report *versus.Report
	var err error
	if o.show {
		report, err = o.recorded()
	} else {
		report, err = o.run(r)
	}
	if err != nil {
		return err
	}
	var pictures []versus.Picture
	if o.figures != "" {
		if pictures, err = o.draw(r.Ctx, r.Env, report); err != nil {
			return err
		}
	}
	switch r.Format {
	case "markdown":
		err = report.WriteMarkdown(r.Stdout, pictures, o.folder())
	case "json":
		err = report.WriteJSON(r.Stdout)
	case "rows":
		err = report.WriteRows(r.Stdout)
	default:
		err = report.WriteText(r.Stdout)
	}
	if err != nil {
		return err
	}
	if len(report.Faults) > 0 {
		return cli.ExitCode(cli.CodeWrong)
	}
	return nil
}

// recorded returns the report on the runs in the CSV file.
func (o *benchOptions) recorded() (*versus.Report, error) {
	runs, comments, err := versus.ReadLog(o.csv)
	if err != nil {
		return nil, err
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("%s: there are no runs", o.csv)
	}
	for _, name := range append(slices.Clone(o.solvers), o.base) {
		if name != "" && !slices.ContainsFunc(runs, func(r versus.Run) bool { return r.Solver == name }) {
			return nil, cli.Usagef("%s has no runs of a solver %q", o.csv, name)
		}
	}
	report := versus.NewReport(runs, o.solvers, o.base, o.clock)
	report.Notes = comments
	return report, nil
}

// run runs the solvers.
func (o *benchOptions) run(r *cli.Run) (*versus.Report, error) {
	ctx, e := r.Ctx, r.Env
	instances, err := o.instances(ctx, e)
	if err != nil {
		return nil, err
	}
	solvers, err := o.find()
	if err != nil {
		return nil, err
	}
	load, known := versus.LoadAverage()
	if known && versus.Busy(load) {
		r.Warn(fmt.Errorf("the load average is %.2f: other processes lengthen the times", load))
	}
	notes := provenance(solvers, o.bench.Proofs)
	if known {
		notes = append(notes, fmt.Sprintf("load average before the first run: %.2f", load))
	}
	log, notes, err := o.open(e.Disk, notes)
	if err != nil {
		return nil, err
	}
	b := &o.bench
	b.Solvers, b.Instances, b.Log = solvers, instances, log
	b.Progress = func(p versus.Progress) { o.showProgress(r, p) }
	r.Preface(r.Say, r.SetOptions(), []string{"lines: run, solver, file, answer, CPU and wall time, memory"})
	runs, err := b.Run(ctx)
	if log != nil {
		err = cmp.Or(err, log.Close())
	}
	if r.Why() != "" && log != nil && err != nil {
		return nil, fmt.Errorf("%w; run the same command to resume", err)
	} else if err != nil {
		return nil, err
	}
	r.Progress.Close()
	report := versus.NewReport(runs, namesOfSolvers(solvers), o.base, o.clock)
	report.Notes = notes
	if report.Load.Heavy() {
		r.Warn(fmt.Errorf("the machine was loaded: %v", report.Load))
	}
	return report, nil
}

// open opens the CSV file, if there is one, and appends notes on the new runs. It
// returns all notes of the file.
func (o *benchOptions) open(disk *file.Disk, notes []string) (*versus.Log, []string, error) {
	if o.csv == "" {
		return nil, notes, nil
	}
	log, err := versus.OpenLog(disk, o.csv)
	if err != nil {
		return nil, nil, err
	}
	for _, line := range notes {
		if err := log.Comment(line); err != nil {
			log.Close()
			return nil, nil, err
		}
	}
	return log, log.Comments(), nil
}

func namesOfSolvers(solvers []*versus.Solver) []string {
	names := make([]string, len(solvers))
	for i, s := range solvers {
		names[i] = s.Name
	}
	return names
}

// instances returns the formulas of the operands.
func (o *benchOptions) instances(ctx context.Context, e *cli.Env) ([]versus.Instance, error) {
	var all []versus.Instance
	for _, operand := range o.operands {
		list, is := strings.CutPrefix(operand, "@")
		if !is {
			in, err := o.named(operand)
			if err != nil {
				return nil, err
			}
			all = append(all, in...)
			continue
		}
		more, err := o.list(ctx, e, list)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	if len(all) == 0 {
		return nil, errors.New("the lists name no files")
	}
	return versus.Distinct(all)
}

// named returns the formula in a file, or those in a directory and below.
func (o *benchOptions) named(operand string) (all []versus.Instance, err error) {
	if info, err := os.Stat(operand); err != nil || !info.IsDir() {
		in, err := versus.NewInstance(operand)
		return []versus.Instance{in}, err
	}
	err = filepath.WalkDir(operand, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
			return err
		}
		f, err := file.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		kind, _, err := dimacs.Sniff(f)
		if err != nil || kind != dimacs.KindCNF {
			return err
		}
		in, err := versus.NewInstance(name)
		all = append(all, in)
		return err
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s: no formulas in this directory", cli.Named(operand))
	}
	return all, err
}

// list reads a list of formulas.
func (o *benchOptions) list(ctx context.Context, e *cli.Env, name string) ([]versus.Instance, error) {
	src, err := e.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	root := o.root
	if root == "" && name != "-" {
		root = filepath.Dir(name)
	}
	return versus.ReadList(src, cli.Shown(name), root)
}

// find returns the solvers of the command line.
func (o *benchOptions) find() ([]*versus.Solver, error) {
	sator := o.sator
	if sator == "" {
		var err error
		if sator, err = findSator(); err != nil {
			return nil, err
		}
	}
	if len(o.solvers) == 0 {
		return o.based(versus.Installed(sator))
	}
	var solvers []*versus.Solver
	for _, text := range o.solvers {
		s, err := versus.Parse(text)
		if err != nil {
			return nil, cli.Usagef("invalid value %q for --solver: %v", text, err)
		}
		if slices.ContainsFunc(solvers, func(t *versus.Solver) bool { return t.Name == s.Name }) {
			return nil, cli.Invalid("solver", text, "different names of solvers")
		}
		if err := s.Find(sator); err != nil {
			return nil, cli.Usagef("%v", err)
		}
		solvers = append(solvers, s)
	}
	return o.based(solvers)
}

// findSator returns the file name of the program sator: beside this program, or
// in PATH.
func findSator() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	name := "sator" + strings.TrimPrefix(filepath.Base(self), "sator-lab")
	if beside := filepath.Join(filepath.Dir(self), name); isFile(beside) {
		return beside, nil
	}
	if found, err := exec.LookPath("sator"); err == nil {
		return found, nil
	}
	return "", &cli.UsageError{
		Msg:  "there is no program sator beside this one or in PATH",
		Hint: "Build it by go build ./cmd/sator, or name it by --sator PROGRAM.",
	}
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// based returns an error if --base does not name one of the solvers.
func (o *benchOptions) based(solvers []*versus.Solver) ([]*versus.Solver, error) {
	if o.base != "" && !slices.ContainsFunc(solvers, func(s *versus.Solver) bool { return s.Name == o.base }) {
		return nil, cli.Invalid("base", o.base, "one of the solvers")
	}
	return solvers, nil
}

// provenance describes the machine, the date, the command line and the solvers.
func provenance(solvers []*versus.Solver, proofs bool) []string {
	lines := []string{
		"machine: " + versus.Machine(),
		fmt.Sprintf("%s: %s", time.Now().Format(time.DateOnly), commandLine(os.Args[1:])),
	}
	for _, s := range solvers {
		lines = append(lines, s.About(proofs))
	}
	return lines
}

// commandLine returns arguments quoted for a shell.
func commandLine(args []string) string {
	words := []string{"sator-lab"}
	for _, a := range args {
		if a == "" || strings.ContainsAny(a, " \t\n'\"\\$`*?[]{}()<>|&;#~!") {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}

// showProgress shows the progress.
func (o *benchOptions) showProgress(r *cli.Run, p versus.Progress) {
	if p.Run == nil {
		r.Progress.Doing(fmt.Sprintf("run %d of %d, %s on %s", p.Done+1, p.Total, p.Solver, p.File))
		return
	}
	if !o.verbose {
		return
	}
	run := p.Run
	line := fmt.Sprintf("%d/%d %s %s: %s, %.2f s CPU, %.2f s wall, %d MB", p.Done, p.Total, run.Solver, run.File, run.Outcome, run.CPU.Seconds(), run.Wall.Seconds(), run.Memory>>20)
	for _, more := range []string{string(run.Check), run.Note} {
		if more != "" {
			line += ", " + more
		}
	}
	r.Say("%s", line)
}

// draw writes the figures and returns them.
func (o *benchOptions) draw(ctx context.Context, e *cli.Env, report *versus.Report) ([]versus.Picture, error) {
	if err := e.Disk.MkdirAll(o.figures); err != nil {
		return nil, err
	}
	pictures := report.Figures()
	for _, p := range pictures {
		name := filepath.Join(o.figures, p.Name)
		if err := e.Write(ctx, name+".svg", p.Figure.SVG); err != nil {
			return nil, err
		}
		if err := e.Write(ctx, name+".png", func(w io.Writer) error { return p.Figure.PNG(cli.Raw(w)) }); err != nil {
			return nil, err
		}
	}
	return pictures, nil
}

// folder returns the directory of the figures relative to that of the report, as the beginning of a link: empty, or
// with a slash at its end.
func (o *benchOptions) folder() string {
	folder := o.figures
	if o.output != "" && o.output != "-" {
		if relative, err := filepath.Rel(filepath.Dir(o.output), o.figures); err == nil {
			folder = relative
		}
	}
	folder = filepath.ToSlash(filepath.Clean(folder))
	if folder == "." {
		return ""
	}
	return folder + "/"
}
