package main

import (
	"errors"
	"fmt"
	"io"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/record"
	"sator/cmd/internal/report"
	"sator/dimacs"
)

func reportCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:      "report",
		Category:  "Watch",
		Usage:     "draw recorded runs of sator solve as a page",
		UsageText: "sator-lab report [flags] RECORDING...",
		Description: `Reads recordings that "sator solve --record" wrote and writes one HTML page
without anything external: what the run was like in words, the formula and the
communities of its variables, the search over time, where the time went, cost
and benefit of each pass, clauses and memory. Two or more recordings are shown
side by side, with differences marked. A recording of a killed run is drawn as
far as it goes.

The picture of the communities needs the formula. It is read from the path in
the recording if that is one file that matches the description in it, or from
--formula. The page says why a picture is missing.

Examples:
  sator solve --record run.jsonl f.cnf
  sator-lab report run.jsonl -o report.html
  sator-lab report before.jsonl after.jsonl --formula f.cnf -o report.html`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "formula", Category: cli.InputFlags, Usage: "read the formula of the recordings from `FILE`"},
			cli.OutputFlag("html"),
		},
		Action: cli.RunAction(e, reportOptionsOf, func(o *reportOptions) cli.RunOptions {
			return cli.RunOptions{Inputs: o.inputs(), Redirect: true, NoLimits: true}
		}, writeReport),
	}
}

// reportOptions are the flags and operands of report.
type reportOptions struct {
	files   []string
	formula string // may be empty
}

func reportOptionsOf(c *cli.Context) (*reportOptions, error) {
	o := &reportOptions{files: c.Args().Slice(), formula: c.String("formula")}
	if len(o.files) == 0 {
		return nil, &cli.UsageError{Msg: "no recording", Hint: `"sator solve --record FILE" writes one.`}
	}
	standard := 0
	for _, name := range o.inputs() {
		if name == "-" {
			standard++
		}
	}
	if standard > 1 {
		return nil, cli.Usagef("standard input can be read once")
	}
	return o, nil
}

func (o *reportOptions) inputs() []string {
	if o.formula == "" {
		return o.files
	}
	return append([]string{o.formula}, o.files...)
}

// writeReport runs the command.
func writeReport(r *cli.Run, o *reportOptions) error {
	var sources []report.Source
	for _, name := range o.files {
		s, err := readRecording(r, name)
		if err != nil {
			return err
		}
		sources = append(sources, s)
	}
	if o.formula == "" {
		for i := range sources {
			findFormula(r, &sources[i])
		}
	} else if err := giveFormula(r, o.formula, sources); err != nil {
		return err
	}
	return report.Write(r.Stdout, sources)
}

// readRecording reads a recording. A truncated one is not an error if its first line is
// there.
func readRecording(r *cli.Run, name string) (report.Source, error) {
	src, err := r.Open(r.Ctx, name)
	if err != nil {
		return report.Source{}, err
	}
	defer src.Close()
	all, err := record.Read(cli.Shown(name), io.Reader(src))
	if all != nil {
		for _, w := range all.Warnings {
			r.Warn(w)
		}
	}
	if cut := (*record.TruncatedError)(nil); errors.As(err, &cut) && all != nil {
		return report.Source{Name: cli.Shown(name), Recording: all, Cause: err}, nil
	}
	if bad := (*dimacs.SyntaxError)(nil); errors.As(err, &bad) && bad.Line == 1 && bad.Col == 1 {
		err = fmt.Errorf(`%w; want a recording that "sator solve --record FILE" wrote`, err)
	}
	return report.Source{Name: cli.Shown(name), Recording: all}, err
}

// findFormula reads the formula of a recording from the path in it, or sets the reason why
// there is none.
func findFormula(r *cli.Run, s *report.Source) {
	l, files := s.Recording.Formula, s.Recording.Run.Files
	switch {
	case l == nil:
		s.NoFormula = "the recording does not describe the formula"
		return
	case l.Vars > report.MostVariables:
		s.NoFormula = fmt.Sprintf("the formula has %s, more than %d", cli.Count(l.Vars, "variable"), report.MostVariables)
		return
	case len(files) != 1 || files[0] == "-":
		s.NoFormula = "the run did not read the formula from one file (see --formula)"
		return
	}
	f, err := readFormula(r, files[0])
	switch {
	case err != nil:
		s.NoFormula = fmt.Sprintf("the formula cannot be read (%v)", err)
	case !report.Matches(f, l):
		s.NoFormula = fmt.Sprintf("the formula in %s is another one now", cli.Shown(files[0]))
	default:
		s.Formula = f
	}
}

// giveFormula reads a formula and gives it to the recordings that it matches. There must be
// one.
func giveFormula(r *cli.Run, name string, sources []report.Source) error {
	f, err := readFormula(r, name)
	if err != nil {
		return err
	}
	found := false
	for i := range sources {
		s := &sources[i]
		if l := s.Recording.Formula; l != nil && report.Matches(f, l) {
			s.Formula, found = f, true
		} else {
			s.NoFormula = cli.Shown(name) + " is not the formula of this recording"
		}
	}
	if !found {
		return fmt.Errorf("%s: not the formula of a recording: it has %s and %s", cli.Shown(name), cli.Count(f.Vars(), "variable"), cli.Count(f.Len(), "clause"))
	}
	return nil
}
