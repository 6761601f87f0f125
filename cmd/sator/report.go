package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dimacs"
)

// A report tells a person, or a program, how a run of solve goes.
type report struct {
	*cli.Run
	o *solveOptions
}

// comment prints "c" lines where they are wanted.
func (r *report) comment(format string, args ...any) {
	if !r.o.quiet && !r.o.json {
		r.Out.Comment(format, args...)
	}
}

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
		r.Say("reading the terminal; Ctrl-D ends the formula")
	}
}

func (r *report) printInput(in *formula.Input) {
	cubes := ""
	if in.Script {
		cubes = fmt.Sprintf(", %d cubes", len(in.Cubes))
	}
	r.comment("read %s in %.2f s: %d variables, %d clauses, %d literals%s", strings.Join(cli.ShownAll(r.o.files), ", "),
		in.Took.Seconds(), in.Formula.Vars(), in.Formula.Len(), in.Formula.Size(), cubes)
}

// printEngine tells the engine, if the formula has decided.
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

func (r *report) printCube(i int, s dimacs.Status) { r.comment("cube %d: %v", i+1, s) }

// printResult prints the answer.
func (r *report) printResult(got *result) error {
	if r.o.json {
		return cli.WriteJSON(r.Stdout, r.document(got))
	}
	if r.o.stats {
		for _, p := range got.statistics() {
			r.Out.Comment("%-20s %15s", strings.ReplaceAll(p.Name, "_", " "), p.Text())
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

// remark says what the answer's word does not.
func (got *result) remark(o *solveOptions) string {
	after := fmt.Sprintf("after %.2f s", got.total.Seconds())
	switch {
	case got.status == dimacs.Unknown:
		return "stopped " + after + ": " + cmp.Or(got.reason, "no reason known")
	case got.status == dimacs.Satisfiable:
		return "model found and checked " + after
	case len(got.failed) > 0:
		return "refuted " + after + ": the formula excludes the assumptions " + cli.Spaced(got.failed)
	case len(got.cubes) > 0:
		return "every cube refuted " + after
	case len(o.assume) > 0:
		return "refuted " + after + ", without any assumption"
	}
	return "refuted " + after
}

// beforeCompression says that a number of bytes is that before compression.
func beforeCompression(name string) string {
	if cli.IsPacking(filepath.Ext(name)) {
		return " before compression"
	}
	return ""
}
