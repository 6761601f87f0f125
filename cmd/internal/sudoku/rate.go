package sudoku

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sator/cmd/internal/cli"
	"sator/dimacs"
	"sator/internal/pipeline"
	"sator/sudoku"
	"sator/sudoku/explain"
	"sator/sudoku/technique"
	"sator/sudoku/text"
)

func rateCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "rate",
		Category:    "Explain",
		Usage:       "rate the difficulty of puzzles",
		UsageText:   "sator sudoku rate [flags] [FILE|-]...",
		Description: sudokuRateDescription,
		Flags: append([]cli.Flag{
			cli.TimeFlag(),
			&cli.Int64Flag{Name: "conflicts", Category: cli.LimitFlags, Value: explain.DefaultConflicts, Usage: "stop an engine after `N` conflicts"},
			cli.JobsFlag("; the output does not depend on it"),
			batchFlag(),
			cli.ListOf(&cli.StringFlag{Name: "engine", Category: cli.EngineFlags, Value: strings.Join(explain.Engines(), ","), Usage: "`NAMES` of the engines to run, or none"}, func() []cli.Choice { return cli.Names(append(explain.Engines(), "none")...) }),
			cli.ListOf(&cli.StringFlag{Name: "encoding", Category: cli.EngineFlags, Value: "minimal,efficient,extended", Usage: "`NAMES` of the encodings for the engines: " + strings.Join(explain.RateEncodings(), ", ")}, rateEncodingChoices),
			cli.Strict(&cli.StringFlag{Name: "heuristic", Category: cli.EngineFlags, Value: "positive", Usage: "decision heuristic `NAME` of dpll; see \"sator help --all solve\""}, cli.HeuristicChoices),
			cli.Strict(&cli.StringFlag{Name: "scale", Category: cli.EngineFlags, Value: "se", Usage: "`NAME` of the scale of difficulty for people"}, func() []cli.Choice { return cli.Names(explain.Scales()...) }),
			cli.ListOf(&cli.StringFlag{Name: "without", Category: cli.EngineFlags, Usage: "techniques `NAMES` that are not used"}, func() []cli.Choice { return cli.Names(hyphened(explain.ScaleTechniques("se"))...) }),
			cli.TextOrJSON("(json: a document per line)", cli.Names("csv")...), cli.JSONFlag(),
			cli.QuietFlag(),
			cli.OutputFlag(),
		}, PuzzleFlags()...),
		Action: cli.RunAction(e, rateOptionsOf, func(o *rateOptions) cli.RunOptions {
			return cli.RunOptions{Inputs: o.input.files, Redirect: true, Status: true}
		}, ratePuzzles),
	}
}

const sudokuRateDescription = `Rates the difficulty of puzzles and prints a line for each:

  class   the inference that solves the puzzle or proves that it has no
          solution: up unit propagation on the extended encoding (naked and
          hidden singles); fl failed literals in addition: assume each digit and
          exclude it if propagation leads to a contradiction, until nothing
          changes; search otherwise
  given   number of givens
  up      cells without a given that propagation fills
  2sat    cells that propagation and the 2SAT rule fill, see "sator sudoku
          solve", without branching
  fl      cells that propagation and failed literals fill
  sols    solutions: 0, 1, or 2 for more than one
  ER/EP/ED
          difficulty for people: the ratings of the hardest step, of the hardest
          step up to the first digit (pearl), and of the first step (diamond),
          if each step uses the easiest technique that applies; "-" without a
          single solution, with cages or relations, or above size 9. In CSV
          these are the columns rating, pearl and diamond
  sum     the ratings of all steps, added up
  hardest the technique of the hardest step

The scale se has the techniques, the order and the numbers of Sudoku Explainer
1.2.1, which the numbers are usually taken from: from 1.0 for a last cell to 11
and more for chains inside of chains. The scale sukaku is that of its successor
Sukaku Explainer, which finds strong links of a digit and WXYZ-wings before
chains. Both know the usual puzzles of size 9, for which techniques that assume
a single solution are used since this is proved; those with other rules are
rated with the scale all: the techniques and numbers of "sator sudoku hint".
With the scale none there is no rating. A technique left out (--without, with
hyphens for spaces) is not used by itself, but may still be a part of dynamic
chains.

For each encoding and engine there follow the decisions and, after a slash, the
conflicts until the engine finds a solution or a refutation; > marks a run that
a limit ended. Each run uses a new solver, so that the numbers of a puzzle
depend neither on other puzzles nor on the machine. With --engine none there are
no runs; with --scale none, too, a puzzle of size 9 takes a fraction of a
millisecond.

An invalid puzzle is reported on standard error, and has a line with its number
and the reason in its place, in CSV with the class "invalid" and the reason as
its label; --keep-going=false, and a puzzle typed at a terminal, ends the run
there.

Exit codes: 0 success; 1 an input, or a puzzle of it, that cannot be read, an
output that cannot be written, or a limit or signal that ended the run; 2
invalid command line, 3 internal error of Sator.

Examples:
  sator sudoku rate puzzles.txt
  sator sudoku rate --engine none --format csv 17clue.txt -o classes.csv
  sator sudoku rate --without unique-rectangle,unique-loop puzzles.txt
  sator sudoku rate --encoding extended,triad --engine cdcl --json hard.txt`

// rateOptions is the command line of rate.
type rateOptions struct {
	input     *puzzleInput
	options   explain.RateOptions
	encodings []string // encodings of the runs
	engines   []string
	jobs      int
	quiet     bool
}

func rateOptionsOf(c *cli.Context) (*rateOptions, error) {
	o := &rateOptions{
		encodings: cli.NamesOf(c.String("encoding")),
		engines:   cli.NamesOf(c.String("engine")),
		quiet:     c.Bool("quiet"),
	}
	var err error
	if o.jobs, err = cli.JobsOf(c); err != nil {
		return nil, err
	}
	if slices.Equal(o.engines, []string{"none"}) {
		if c.IsSet("encoding") {
			return nil, cli.Useless("encoding", "engine")
		}
		o.engines, o.encodings = nil, []string{}
	}
	if c.IsSet("heuristic") && !slices.Contains(o.engines, "dpll") {
		return nil, cli.Useless("heuristic", "engine dpll")
	}
	o.options = explain.RateOptions{
		Encodings: o.encodings, Engines: o.engines, Heuristic: c.String("heuristic"), Scale: c.String("scale"),
	}
	without, techniques := cli.NamesOf(c.String("without")), explain.ScaleTechniques(o.options.Scale)
	for i, name := range hyphened(techniques) {
		if slices.Contains(without, name) {
			o.options.Without = append(o.options.Without, techniques[i])
		}
	}
	if o.options.Scale == "none" && c.IsSet("without") {
		return nil, cli.Useless("without", "scale")
	}
	err = cmp.Or(checkNames("encoding", explain.RateEncodings(), o.encodings), checkNames("engine", explain.Engines(), o.engines),
		checkNames("without", hyphened(techniques), without))
	if err != nil {
		return nil, err
	}
	if o.options.Conflicts, err = cli.Positive(c, "conflicts", 1); err != nil {
		return nil, err
	}
	o.input, err = PuzzleInputOf(c)
	return o, err
}

// hyphened returns names with hyphens for spaces.
func hyphened(names []string) []string {
	return cli.Of(names, func(name string) string { return strings.ReplaceAll(name, " ", "-") })
}

// checkNames returns an error if a value of a flag is not one of the names.
func checkNames(flag string, names, values []string) error {
	for _, v := range values {
		if !slices.Contains(names, v) {
			return cli.InvalidName(flag, v, names)
		}
	}
	return nil
}

// A rateRun is a run of rate over all puzzles.
type rateRun struct {
	*cli.Run
	o     *rateOptions
	out   *bufio.Writer
	table *csv.Writer // writes to out
	count rateSummary
	begun bool // the column names are written

	warned bool // of pencil marks, which the output does not have
	others bool // of rules that the scale does not have

	columns []rateColumn // before the columns of the runs
}

// A rateResult is the result of a worker for a puzzle.
type rateResult struct {
	rating *explain.Rating
	err    error
}

func ratePuzzles(run *cli.Run, o *rateOptions) error {
	r := &rateRun{Run: run, o: o, out: bufio.NewWriterSize(run.Stdout, 1<<16)}
	r.table = csv.NewWriter(r.out)
	r.columns = rateColumns
	switch {
	case o.options.Scale == "none":
	case r.Format == "csv":
		r.columns = slices.Concat(rateColumns, pearlColumns, peopleColumns)
	default:
		r.columns = slices.Concat(rateColumns, forumColumn, peopleColumns)
	}
	src := NewPuzzles(run, o.input)
	err := r.run(r.Ctx, src)
	r.Progress.Close()
	if flushing := r.flush(); err == nil {
		err = flushing
	}
	if !o.quiet && err == nil {
		r.Say("%s", r.count.summary(time.Since(r.Begin)))
	}
	if err == nil {
		err = readCode(src)
	}
	return err
}

func (r *rateRun) run(ctx context.Context, src *text.FileReader) error {
	if r.o.jobs == 1 {
		src.BeforeRead = r.flush
	}
	run := pipeline.Map[*puzzle, rateResult]{
		Jobs:      r.o.jobs,
		Next:      src.Next,
		NewWorker: r.worker,
		Deliver: func(p *puzzle, a rateResult) error {
			if err := r.head(); err != nil {
				return err
			}
			if p.Err != nil {
				r.count.invalid++
				r.Say("%v", p.Err)
				return r.writeInvalid(p)
			}
			if a.err != nil && ctx.Err() == nil {
				return fmt.Errorf("%v: %w", p, a.err)
			} else if a.err != nil {
				return a.err
			}
			if p.Marks != nil && r.Format != "text" && !r.warned {
				r.warned = true
				r.Warn(fmt.Errorf("%v: pencil marks are rated, but digits has none of them", p))
			}
			if a.rating.Scale != r.o.options.Scale && a.rating.Scale == "all" && !r.others {
				r.others = true
				r.Warn(fmt.Errorf("%v: the scale %s has no puzzles with these rules: rated with --scale all", p, r.o.options.Scale))
			}
			r.count.add(a.rating)
			r.Progress.Event(cli.NoLine, puzzleProgress(r.count.puzzles))
			return r.writeRating(p, a.rating)
		},
		Idle: r.flush,
	}
	return run.Run(ctx)
}

// worker returns a function that rates puzzles. It reuses its rater while the rules stay
// the same.
func (r *rateRun) worker() func(context.Context, *puzzle) rateResult {
	var rater *explain.Rater
	var rules *sudoku.Rules
	return func(ctx context.Context, p *puzzle) rateResult {
		if p.Err != nil {
			return rateResult{}
		}
		if p.Rules != rules {
			rules, rater = p.Rules, explain.NewRater(p.Rules, r.o.options)
		}
		rating, err := rater.Rate(ctx, p.Grid)
		return rateResult{rating, err}
	}
}

// flush writes the buffered lines to standard output.
func (r *rateRun) flush() error {
	r.table.Flush()
	if r.out.Buffered() == 0 {
		return nil
	}
	r.Progress.Hide()
	return r.out.Flush()
}

// A rateColumn is a column of the table. The value is nil if it is missing.
type rateColumn struct {
	name  string
	width int
	value func(p *puzzle, r *explain.Rating) any
}

// rateColumns are the columns before the rating by techniques.
var rateColumns = []rateColumn{
	{"puzzle", 7, func(p *puzzle, _ *explain.Rating) any { return p.Number }},
	{"class", -6, func(_ *puzzle, r *explain.Rating) any { return r.Class }},
	{"given", 5, func(p *puzzle, _ *explain.Rating) any { return p.Givens() }},
	{"up", 4, func(_ *puzzle, r *explain.Rating) any { return r.Propagation }},
	{"2sat", 4, func(_ *puzzle, r *explain.Rating) any { return r.TwoSAT }},
	{"fl", 4, func(_ *puzzle, r *explain.Rating) any { return r.Probing }},
	{"sols", 4, func(_ *puzzle, r *explain.Rating) any { return r.Solutions }},
}

// forumColumn has the rating as the forum writes it, pearlColumns its parts.
var (
	forumColumn = []rateColumn{{"ER/EP/ED", -13, people(func(t *technique.Rating) any {
		return fmt.Sprintf("%v/%v/%v", t.Hardest, t.Pearl, t.Diamond)
	})}}
	pearlColumns = []rateColumn{
		{"rating", 6, people(func(t *technique.Rating) any { return t.Hardest })},
		{"pearl", 5, people(func(t *technique.Rating) any { return t.Pearl })},
		{"diamond", 7, people(func(t *technique.Rating) any { return t.Diamond })},
	}
)

// peopleColumns are the last columns: the sum and the hardest technique.
var peopleColumns = []rateColumn{
	{"sum", 6, people(func(t *technique.Rating) any { return t.Sum })},
	{"hardest", -27, func(p *puzzle, r *explain.Rating) any {
		if r.People != nil && !r.People.Solved {
			return "not solved by techniques"
		}
		return people(func(t *technique.Rating) any { return t.Technique })(p, r)
	}},
}

// people returns the value of a column of the rating by techniques, nil without a rating.
func people(value func(*technique.Rating) any) func(*puzzle, *explain.Rating) any {
	return func(_ *puzzle, r *explain.Rating) any {
		if r.People == nil || !r.People.Solved {
			return nil
		}
		return value(r.People)
	}
}

// values returns the values of the columns. The blank stands for nil.
func (r *rateRun) values(p *puzzle, rating *explain.Rating, blank string) []any {
	return cli.Of(r.columns, func(c rateColumn) any { return cmp.Or(c.value(p, rating), any(blank)) })
}

// columnsWidth is the width of the columns before the columns of the runs.
func (r *rateRun) columnsWidth() int {
	width := 0
	for _, c := range r.columns {
		width += max(c.width, -c.width) + 1
	}
	return width
}

// runWidth is the width of a column of a run.
const runWidth = 13

// head writes the column names, once. They wait for the first puzzle: an input without a
// puzzle is an error, and has no table.
func (r *rateRun) head() error {
	if r.begun {
		return nil
	}
	r.begun = true
	switch {
	case r.Format == "csv":
		return r.table.Write(r.names())
	case r.Format == "json" || r.o.quiet:
		return nil
	}
	var line strings.Builder
	if len(r.o.encodings) > 0 && !r.stacked() {
		fmt.Fprintf(&line, "%*s", r.columnsWidth(), "")
		for _, encoding := range r.o.encodings {
			fmt.Fprintf(&line, "  %*s", len(r.o.engines)*(runWidth+2)-2, encoding)
		}
		line.WriteByte('\n')
	}
	for _, c := range r.columns {
		fmt.Fprintf(&line, "%*s ", c.width, c.name)
	}
	for range r.o.encodings {
		for _, engine := range r.o.engines {
			if !r.stacked() {
				fmt.Fprintf(&line, "  %*s", runWidth, engine)
			}
		}
	}
	_, err := fmt.Fprintln(r.out, strings.TrimRight(line.String(), " "))
	return err
}

// names returns the column names of the CSV table.
func (r *rateRun) names() []string {
	names := []string{"file", "line", "label", "digits", "rules"}
	for _, c := range r.columns {
		names = append(names, c.name)
	}
	for _, encoding := range r.o.encodings {
		for _, engine := range r.o.engines {
			at := encoding + "_" + engine + "_"
			names = append(names, at+"status", at+"decisions", at+"conflicts")
		}
	}
	return names
}

// writeRating writes the rating of a puzzle.
func (r *rateRun) writeRating(p *puzzle, rating *explain.Rating) error {
	switch r.Format {
	case "csv":
		return r.table.Write(r.record(p, rating))
	case "json":
		return cli.WriteJSON(r.out, documentOf(p, rating))
	}
	var line strings.Builder
	for i, value := range r.values(p, rating, "-") {
		fmt.Fprintf(&line, "%*v ", r.columns[i].width, value)
	}
	if !r.stacked() {
		for _, run := range rating.Runs {
			fmt.Fprintf(&line, "  %*s", runWidth, runText(&run))
		}
	}
	if rating.Conflict != nil {
		fmt.Fprintf(&line, "  %s", rating.Conflict.Msg)
	}
	if _, err := fmt.Fprintln(r.out, strings.TrimRight(line.String(), " ")); err != nil || !r.stacked() {
		return err
	}
	return r.writeRuns(rating.Runs)
}

// stacked reports whether the columns of the runs do not fit the terminal. Then the runs
// stand on lines of their own below the puzzle, one for each encoding.
func (r *rateRun) stacked() bool {
	runs := len(r.o.encodings) * len(r.o.engines) * (runWidth + 2)
	return r.PageWidth() > 0 && r.columnsWidth()+runs > r.PageWidth()
}

// writeRuns writes the runs on lines of their own.
func (r *rateRun) writeRuns(runs []explain.Run) error {
	indent := rateColumns[0].width + 1
	for len(runs) > 0 {
		encoding := runs[0].Encoding
		line := fmt.Sprintf("%*s%-10s", indent, "", encoding)
		for len(runs) > 0 && runs[0].Encoding == encoding {
			line += fmt.Sprintf(" %s %s,", runs[0].Engine, runText(&runs[0]))
			runs = runs[1:]
		}
		if _, err := fmt.Fprintln(r.out, cli.Hanging(strings.TrimRight(line, ","), indent+10, r.PageWidth())); err != nil {
			return err
		}
	}
	return nil
}

// runText returns the decisions and the conflicts of a run.
func runText(run *explain.Run) string {
	mark := ""
	if run.Status == dimacs.Unknown {
		mark = ">"
	}
	return fmt.Sprintf("%s%d/%d", mark, run.Decisions, run.Conflicts)
}

// writeInvalid writes the row of an invalid puzzle.
func (r *rateRun) writeInvalid(p *puzzle) error {
	switch r.Format {
	case "csv":
		record := make([]string, len(r.names()))
		copy(record, []string{p.File, "", p.Err.Error(), "", "", strconv.Itoa(p.Number), "invalid"})
		return r.table.Write(record)
	case "json":
		return cli.WriteJSON(r.out, invalidDocument{p.File, p.Number, p.Err.Error()})
	}
	_, err := fmt.Fprintf(r.out, "%*d %s", rateColumns[0].width, p.Number, errorLine(p))
	return err
}

// An invalidDocument is a line of the output of --json for an invalid puzzle.
type invalidDocument struct {
	File   string `json:"file"`
	Puzzle int    `json:"puzzle"`
	Error  string `json:"error"`
}

// record returns a line of the CSV table.
func (r *rateRun) record(p *puzzle, rating *explain.Rating) []string {
	record := []string{p.File, strconv.Itoa(p.Line), p.Label, text.Line(p.Grid), p.Rules.String()}
	for _, value := range r.values(p, rating, "") {
		record = append(record, fmt.Sprint(value))
	}
	for _, run := range rating.Runs {
		record = append(record, run.Status.String(), fmt.Sprint(run.Decisions), fmt.Sprint(run.Conflicts))
	}
	return record
}

// A rateDocument is a line of the output of --json.
type rateDocument struct {
	File      string        `json:"file"`
	Line      int           `json:"line"`
	Label     string        `json:"label,omitempty"`
	Puzzle    int           `json:"puzzle"`
	Rules     string        `json:"rules"`
	Digits    string        `json:"digits"`
	Class     string        `json:"class"`
	Given     int           `json:"given"`
	Cells     int           `json:"cells"`
	Up        int           `json:"up"`
	TwoSAT    int           `json:"2sat"`
	Fl        int           `json:"fl"`
	Solutions int           `json:"solutions"`
	People    *peopleRating `json:"people,omitempty"`
	Conflict  string        `json:"conflict,omitempty"`
	Runs      []runDocument `json:"runs"`
}

// A peopleRating is the rating by techniques in a rateDocument.
type peopleRating struct {
	Scale   string          `json:"scale"`
	Rating  json.RawMessage `json:"rating"`
	Pearl   json.RawMessage `json:"pearl"`
	Diamond json.RawMessage `json:"diamond"`
	Sum     json.RawMessage `json:"sum"`
	Steps   int             `json:"steps"`
	Solved  bool            `json:"solved"`
	Hardest string          `json:"hardest"`
}

// A runDocument is a run of an engine in a rateDocument.
type runDocument struct {
	Encoding  string `json:"encoding"`
	Engine    string `json:"engine"`
	Status    string `json:"status"`
	Decisions int64  `json:"decisions"`
	Conflicts int64  `json:"conflicts"`
}

func documentOf(p *puzzle, r *explain.Rating) *rateDocument {
	d := &rateDocument{
		File: p.File, Line: p.Line, Label: p.Label, Puzzle: p.Number, Rules: p.Rules.String(), Digits: text.Line(p.Grid),
		Class: r.Class.String(), Given: p.Givens(), Cells: r.Cells, Up: r.Propagation, TwoSAT: r.TwoSAT, Fl: r.Probing,
		Solutions: r.Solutions, Runs: []runDocument{},
	}
	if r.Conflict != nil {
		d.Conflict = r.Conflict.Msg
	}
	if t := r.People; t != nil {
		tenths := func(d technique.Difficulty) json.RawMessage { return json.RawMessage(d.String()) }
		d.People = &peopleRating{
			Scale: r.Scale, Rating: tenths(t.Hardest), Pearl: tenths(t.Pearl), Diamond: tenths(t.Diamond), Sum: tenths(t.Sum),
			Steps: t.Steps, Solved: t.Solved, Hardest: t.Technique,
		}
	}
	for _, run := range r.Runs {
		d.Runs = append(d.Runs, runDocument{run.Encoding, run.Engine, run.Status.String(), run.Decisions, run.Conflicts})
	}
	return d
}

// A rateSummary counts puzzles by class and by number of solutions.
type rateSummary struct {
	puzzles int64
	classes [3]int64
	several int64
	none    int64
	invalid int64 // puzzles that could not be read, not among the others
}

func (c *rateSummary) add(r *explain.Rating) {
	c.puzzles++
	c.classes[r.Class]++
	switch r.Solutions {
	case 0:
		c.none++
	case 2:
		c.several++
	}
}

// summary returns the last line of the output of a run.
func (c *rateSummary) summary(after time.Duration) string {
	parts := []string{cli.Count(c.puzzles, "puzzle")}
	for i, name := range explain.ClassNames() {
		parts = append(parts, fmt.Sprintf("%d %s", c.classes[i], name))
	}
	if c.several > 0 {
		parts = append(parts, fmt.Sprintf("%d with several solutions", c.several))
	}
	if c.invalid > 0 {
		parts = append(parts, fmt.Sprintf("%d invalid", c.invalid))
	}
	if c.none > 0 {
		parts = append(parts, fmt.Sprintf("%d without a solution", c.none))
	}
	return fmt.Sprintf("%s, %.2f s", strings.Join(parts, ", "), after.Seconds())
}
