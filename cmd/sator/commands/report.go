package commands

import (
	"cmp"
	"fmt"
	"path/filepath"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dimacs"
)

// A report prints the progress and the result of a run of solve or conquer.
type report struct {
	*cli.Run
	o *solveOptions
}

// comment prints "c" lines, except with --quiet or --json.
func (r *report) comment(format string, args ...any) {
	if !r.o.quiet && !r.o.json {
		r.Out.Comment(format, args...)
	}
}

// printHeader prints the version and, with --verbose, the options.
func (r *report) printHeader(prof *cli.Profiler) {
	r.comment("sator %s", cli.Version())
	if r.o.verbose {
		for _, p := range r.options() {
			r.comment("option %s %v", p.Name, p.Value)
		}
	}
	if prof != nil {
		r.comment("recording profile %s", prof.File)
	}
	if r.Typing && r.o.files[0] == "-" && !r.o.quiet {
		r.Say("reading from the terminal; Ctrl-D ends the formula")
	}
}

func (r *report) printInput(in *formula.Input) {
	cubes := ""
	if in.Script {
		cubes = fmt.Sprintf(", %d cubes", len(in.Cubes))
	}
	r.comment("%s%s", in.Summary(r.o.files), cubes)
}

// printEngine prints the engine if it was chosen by the formula.
func (r *report) printEngine() {
	c := r.o.chosen
	switch {
	case c.Name == r.o.engine.Name:
	case c.Why == "":
		r.comment("engine %s", c.Name)
	default:
		r.comment("engine %s: %s", c.Name, c.Why)
	}
}

// finish prints the result and returns its exit code.
func (r *report) finish(got *result) error {
	got.total = time.Since(r.Begin)
	r.Progress.Close()
	return exit(got.status, r.printResult(got))
}

// exit returns err, or else the exit code of a status. An unknown status is success.
func exit(status dimacs.Status, err error) error {
	if err != nil || status == dimacs.Unknown {
		return err
	}
	return cli.ExitCode(status)
}

// printResult prints the answer.
func (r *report) printResult(got *result) error {
	if r.o.json {
		return cli.WriteJSON(r.Stdout, r.document(got))
	}
	if r.o.stats {
		for _, p := range got.statistics() {
			r.Out.Comment("%s", p.Row())
		}
	}
	r.comment("%s", got.remark(r.o))
	if p := got.proof; p != nil {
		r.comment("wrote the proof to %s: %s, %d bytes%s", cli.ShownOutput(p.Name), p.Format, p.Bytes, beforeCompression(p.Name))
	}
	if t := got.trace; t != nil {
		r.comment("wrote the trace to %s: %d bytes%s", cli.ShownOutput(t.Name), t.Bytes, beforeCompression(t.Name))
	}
	if got.verified {
		r.comment("verified")
	}
	var m dimacs.Model
	if got.status == dimacs.Satisfiable && !r.o.noModel {
		m = got.input.Complete(got.model)
	}
	r.Out.Answer(got.status, m)
	return r.Out.Err
}

// remark returns the comment before the answer.
func (got *result) remark(o *solveOptions) string {
	after := fmt.Sprintf("after %.2f s", got.total.Seconds())
	switch {
	case got.status == dimacs.Unknown:
		return "stopped " + after + ": " + cmp.Or(got.reason, "no reason known")
	case got.status == dimacs.Satisfiable:
		return "model found and checked " + after
	case len(got.cubes) > 0 && len(got.failed) == 0:
		return "every cube refuted " + after
	}
	return refutedRemark(after, o.assume, got.failed)
}

// refutedRemark returns the comment before an unsatisfiable answer.
func refutedRemark(after string, assumptions, failed []dimacs.Lit) string {
	switch {
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
