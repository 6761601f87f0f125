package answer

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dpll/cdcl"
)

// A Report prints the progress and the result of a run.
type Report struct {
	*cli.Run
	Options *Options
}

// Comment prints "c" lines, except with --quiet or --json.
func (r *Report) Comment(format string, args ...any) {
	if !r.Options.Quiet && !r.Options.JSON {
		r.Out.Comment(format, args...)
	}
}

// Header prints the version and, with --verbose, the options that the command line sets, and the
// legend of report lines.
func (r *Report) Header(prof *cli.Profiler, legend []string) {
	r.Comment("%s %s", r.ProgramName(), cli.Version())
	r.Preface(r.Reports.Comment, r.set(), legend)
	if prof != nil {
		r.Comment("recording profile %s", prof.File)
	}
	if r.Typing && r.Options.Files[0] == "-" && !r.Options.Quiet {
		r.Say("reading from the terminal; Ctrl-D ends the formula")
	}
}

// set returns the options that the command line sets, by flags or by presets.
func (r *Report) set() []string {
	set := map[string]bool{}
	for _, name := range cli.GivenFlags(r.Flags) {
		set[name] = true
		set[strings.TrimPrefix(name, "no-")] = true // --no-sharing is sharing false
		for _, p := range cdcl.Presets {
			for _, s := range p.Settings {
				if p.Name == name {
					set[s.Knob] = true
				}
			}
		}
	}
	var list []string
	for _, p := range r.options() {
		if set[strings.ReplaceAll(p.Name, "_", "-")] {
			list = append(list, fmt.Sprintf("%s %v", p.Name, p.Value))
		}
	}
	return list
}

// PrintInput prints the names and the size of the input.
func (r *Report) PrintInput(in *formula.Input) {
	cubes := ""
	if in.Script {
		cubes = fmt.Sprintf(", %s", cli.Count(len(in.Cubes), "cube"))
	}
	r.Comment("%s%s", in.Summary(r.Options.Files), cubes)
}

// PrintEngine prints the engine if it was chosen by the formula, or has a reason.
func (r *Report) PrintEngine() {
	c := r.Options.Chosen
	switch {
	case c.Why != "":
		r.Comment("engine %s: %s", c.Name, c.Why)
	case c.Name != r.Options.Engine.Name:
		r.Comment("engine %s", c.Name)
	}
}

// Finish prints the result and returns its exit code.
func (r *Report) Finish(got *Result) error {
	got.Total = time.Since(r.Begin)
	r.Progress.Close()
	return Exit(got.Status, r.printResult(got))
}

// Exit returns err, or else the exit code of a status. An unknown status is success.
func Exit(status dimacs.Status, err error) error {
	if err != nil || status == dimacs.Unknown {
		return err
	}
	return cli.ExitCode(status)
}

// printResult prints the answer.
func (r *Report) printResult(got *Result) error {
	if r.Options.JSON {
		return cli.WriteJSON(r.Stdout, r.document(got))
	}
	if r.Options.Stats {
		for _, p := range got.statistics() {
			r.Out.Comment("%s", p.Row())
		}
	}
	r.Comment("%s", got.remark(r.Options))
	if got.Input != nil {
		for _, c := range got.Input.Comments {
			r.Comment("%s", c)
		}
	}
	if p := got.Proof; p != nil {
		r.Comment("wrote the proof to %s: %s, %s%s", cli.ShownOutput(p.Name), p.Format, cli.Count(p.Bytes, "byte"), beforeCompression(p.Name))
	}
	if t := got.Trace; t != nil {
		r.Comment("wrote the trace to %s: %s%s", cli.ShownOutput(t.Name), cli.Count(t.Bytes, "byte"), beforeCompression(t.Name))
	}
	if f := got.Record; f != nil {
		r.Comment("wrote the recording to %s: %s%s", cli.ShownOutput(f.Name), cli.Count(f.Bytes, "byte"), beforeCompression(f.Name))
	}
	if got.Verified {
		r.Comment("verified")
	}
	var m dimacs.Model
	if got.Status == dimacs.Satisfiable && !r.Options.NoModel {
		m = got.Input.Complete(got.Model)
	}
	r.Out.Answer(got.Status, m)
	return r.Out.Err
}

// remark returns the comment before the answer.
func (got *Result) remark(o *Options) string {
	after := fmt.Sprintf("after %.2f s", got.Total.Seconds())
	switch {
	case got.Status == dimacs.Unknown:
		return "stopped " + after + ": " + cmp.Or(got.Reason, "no reason known")
	case got.Status == dimacs.Satisfiable:
		return "model found and checked " + after
	case len(got.Cubes) > 0 && len(got.Failed) == 0:
		return "every cube refuted " + after
	}
	return RefutedRemark(after, o.Assume, got.Failed)
}

// RefutedRemark returns the comment before an unsatisfiable answer.
func RefutedRemark(after string, assumptions, failed []dimacs.Lit) string {
	switch {
	case len(failed) == 2 && failed[0] == failed[1].Not():
		return "refuted " + after + ": the assumptions " + cli.Spaced(failed) + " contradict each other"
	case len(failed) > 0:
		return "refuted " + after + ": the formula excludes the assumptions " + cli.Spaced(failed)
	case len(assumptions) > 0:
		return "refuted " + after + ", without any assumption"
	}
	return "refuted " + after
}

// beforeCompression qualifies the size of a compressed file.
func beforeCompression(name string) string {
	if cli.IsPacking(filepath.Ext(name)) {
		return " before compression"
	}
	return ""
}
