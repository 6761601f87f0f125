package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/study"
	puzzles "sator/cmd/internal/sudoku"
	"sator/cmd/internal/versus"
	"sator/sudoku"
)

func studyCommand(e *cli.Env) *cli.Command {
	c := &cli.Command{
		Name:      "study",
		Category:  "Measure",
		Usage:     "experiments on search: tables, tests and figures",
		UsageText: "sator-lab study NAME [flags] [FILE|-]...",
		Description: `Runs an experiment. Each run is a row of a CSV file, and a report in Markdown
and HTML has tables, statistical tests, and figures as SVG and PNG. If a study
was interrupted, the same command resumes it.

Examples:
  sator-lab study givens
  sator-lab help study givens`,
		Action: cli.Action(func(*cli.Context) error {
			return cli.Usagef("name a study: %s", strings.Join(studyNames(), ", "))
		}),
	}
	for _, s := range study.Studies {
		c.Subcommands = append(c.Subcommands, oneStudyCommand(e, s))
	}
	return c
}

func studyNames() []string {
	var names []string
	for _, s := range study.Studies {
		names = append(names, s.Name)
	}
	return names
}

// studyFactors is the category of the factors of a study.
const studyFactors = "factors; lists are written as a,b,c"

// oneStudyCommand returns the command of a study, with a flag for each factor.
func oneStudyCommand(e *cli.Env, s *study.Study) *cli.Command {
	text := "sator-lab study " + s.Name + " [flags]"
	if s.TakesPuzzles() {
		text += " [FILE|-]..."
	}
	c := &cli.Command{Name: s.Name, Usage: s.Help, UsageText: text, Description: cli.WrapText(s.Description, cli.HelpWidth) + "\n\n" + studyOutput(s)}
	for i := range s.Factors {
		c.Flags = append(c.Flags, factorFlag(&s.Factors[i]))
	}
	if s.CountHelp != "" {
		c.Flags = append(c.Flags, &cli.IntFlag{Name: "count", Aliases: []string{"n"}, Category: cli.ParamFlags, Value: s.Count, Usage: s.CountHelp})
	}
	c.Flags = append(c.Flags,
		cli.SeedFlag(cli.ParamFlags),
		&cli.Int64Flag{Name: "conflicts", Category: cli.LimitFlags, Value: s.Conflicts, Usage: "end a run after `N` conflicts; 0 is no limit"},
		cli.TimeFlag(),
		cli.JobsFlag("; the counts do not depend on it"),
		&cli.BoolFlag{Name: "untimed", Category: cli.OutputFlags, Usage: "write 0 for times; the rows of two studies can then be compared"},
		cli.QuietFlag(),
		cli.OutputDir("study-"+s.Name))
	if s.TakesPuzzles() {
		c.Flags = append(c.Flags, puzzles.PuzzleFlags()...)
	}
	c.Action = cli.Action(func(c *cli.Context) error { return runStudy(e, s, c) })
	return c
}

// studyOutput describes the files of a study.
func studyOutput(s *study.Study) string {
	return `The output directory gets runs.csv with a row for each run, report.md,
report.html, the figures, and puzzles.txt if puzzles were generated. If the
directory exists, the command resumes the study in it.

Exit codes: 0 success; 1 a file that cannot be read or written, a directory with
another study, or an interruption by a limit or a signal; 2 bad command line, 3
an error of Sator itself.` + "\n\nExample:\n  sator-lab study " + s.Name + " -o " + s.Name
}

// factorFlag returns the flag of a factor.
func factorFlag(f *study.Factor) cli.Flag {
	if f.Switch {
		return &cli.BoolFlag{Name: f.Name, Category: studyFactors, Usage: f.Help}
	}
	usage := "`LIST`: " + f.Help
	if f.Levels != nil {
		usage += "; all, or of " + strings.Join(f.Levels, ", ")
	}
	shown := strings.Join(f.Default, ", ") // with spaces, so that help texts can wrap it
	if f.Levels != nil && len(f.Default) > 1 && len(f.Default) == len(f.Levels) {
		shown = "all"
	}
	return &cli.StringFlag{Name: f.Name, Category: studyFactors, Value: strings.Join(f.Default, ","), DefaultText: shown, Usage: usage}
}

// studyOptionsOf reads the flags of a study.
func studyOptionsOf(s *study.Study, c *cli.Context) (o study.Options, err error) {
	o = study.Options{Levels: map[string]string{}, Dir: c.String("output"), Seed: c.Uint64("seed")}
	for _, f := range s.Factors {
		switch {
		case !c.IsSet(f.Name):
		case f.Switch && c.Bool(f.Name):
			o.Levels[f.Name] = "yes"
		case !f.Switch:
			o.Levels[f.Name] = c.String(f.Name)
		}
	}
	if s.CountHelp != "" {
		if o.Count = c.Int("count"); o.Count < 1 {
			return o, cli.Invalid("count", o.Count, "a positive number")
		}
	}
	if o.Conflicts = c.Int64("conflicts"); o.Conflicts < 0 {
		return o, cli.Invalid("conflicts", o.Conflicts, "0 or more")
	} else if o.Conflicts == 0 {
		o.Conflicts = -1 // no limit
	}
	if c.NArg() > 0 && !s.TakesPuzzles() {
		return o, cli.Usagef("unexpected operand %q", c.Args().First())
	}
	if c.NArg() > 0 && s.TakesPuzzles() && c.IsSet("count") {
		return o, cli.Usagef("--count has no effect with puzzles of a file")
	}
	if c.String("output") == "" || c.String("output") == "-" {
		return o, cli.Invalid("output", c.String("output"), "the name of a directory")
	}
	return o, nil
}

// runStudy runs the command.
func runStudy(e *cli.Env, s *study.Study, c *cli.Context) error {
	o, err := studyOptionsOf(s, c)
	if err != nil {
		return err
	}
	jobs, err := cli.JobsOf(c)
	if err != nil {
		return err
	}
	return e.Run(c, cli.RunOptions{Status: true}, func(r *cli.Run) error { return doStudy(r, s, o, jobs) })
}

// doStudy runs a study and writes its report.
func doStudy(r *cli.Run, s *study.Study, o study.Options, jobs int) (err error) {
	ctx, c, p := r.Ctx, r.Flags, r.Progress
	if c.NArg() > 0 {
		if o.Puzzles, err = studyPuzzles(r); err != nil {
			return err
		}
		o.Source = strings.Join(cli.ShownAll(cli.Operands(c)), ", ")
	}
	p.Doing("preparing the instances")
	plan, err := cli.Await(ctx, func() (*study.Plan, error) { return study.NewPlan(ctx, s, o) })
	if wrong := (*study.OptionError)(nil); errors.As(err, &wrong) {
		return cli.Usagef("%v", wrong)
	} else if err != nil {
		return err
	}
	dir := c.String("output")
	begin, before := time.Now(), -1
	runner := &study.Runner{Plan: plan, Dir: dir, Disk: r.Disk, Jobs: jobs, Untimed: c.Bool("untimed"), Build: studyBuild(jobs), Progress: func(done int) {
		if before < 0 {
			before = done
		}
		p.Event(cli.NoLine, &studyProgress{done: done, before: before, all: plan.Len(), begin: begin})
	}}
	rows, err := runner.Do(ctx)
	if err != nil {
		return err
	}
	p.Doing("writing the report")
	if err := study.Write(r.Disk, plan, rows, dir, studyLine(c)); err != nil {
		return err
	}
	p.Close()
	for _, name := range []string{"runs.csv", "report.md", "report.html"} {
		if _, err := fmt.Fprintln(r.Stdout, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// studyBuild describes the program and the machine of the runs.
func studyBuild(jobs int) string {
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	return fmt.Sprintf("sator %s, %s, %s, %d at once", cli.Version(), runtime.Version(), versus.Machine(), jobs)
}

// studyPuzzles reads all puzzles of the command line.
func studyPuzzles(r *cli.Run) ([]*sudoku.Grid, error) {
	how, err := puzzles.PuzzleInputOf(r.Flags)
	if err != nil {
		return nil, err
	}
	var all []*sudoku.Grid
	for p, err := range puzzles.NewPuzzles(r, how).All() {
		if err != nil {
			return nil, err
		}
		all = append(all, p.Grid)
	}
	return all, nil
}

// studyLine returns the command line of a study, with all flags that affect the results.
func studyLine(c *cli.Context) string {
	words := strings.Fields(cli.NameOf(c.Command))
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		switch {
		case !c.IsSet(name) || name == "jobs" || name == "quiet" || name == "time":
		case !cli.TakesValue(f):
			words = append(words, "--"+name)
		default:
			words = append(words, "--"+name, fmt.Sprint(c.Value(name)))
		}
	}
	return commandLine(append(words, c.Args().Slice()...))
}

// studyProgress are the figures in the status line of a study.
type studyProgress struct {
	done, before, all int // runs finished, runs of earlier calls, all runs
	begin             time.Time
}

// barWidth is the length of the bar in characters.
const barWidth = 20

func (s *studyProgress) Fields(time.Duration) []string {
	full := s.done * barWidth / s.all
	bar := "[" + strings.Repeat("#", full) + strings.Repeat(".", barWidth-full) + "]"
	fields := []string{fmt.Sprintf("%s %d of %s", bar, s.done, cli.Count(s.all, "run"))}
	took := time.Since(s.begin)
	if now := s.done - s.before; now > 0 && took > time.Second {
		left := took * time.Duration(s.all-s.done) / time.Duration(now)
		fields = append(fields, fmt.Sprintf("%.0f s to go", left.Seconds()))
	}
	return fields
}

func (s *studyProgress) Header() string            { return "" }
func (s *studyProgress) Line(time.Duration) string { return "" }
