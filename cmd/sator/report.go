package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"sator/dimacs"
)

// A report tells a person, or a program, how a run of solve goes.
type report struct {
	e        *env
	o        *solveOptions
	out      *printer // "c", "s" and "v" lines; with --json, report lines alone
	progress *progress
}

func newReport(e *env, o *solveOptions, begin time.Time) *report {
	r := &report{e: e, o: o, out: newPrinter(e.stdout)}
	if o.json {
		r.out = newPrinter(e.stderr)
	}
	r.progress = newProgress(e, o.quiet, o.verbose, begin, r.out)
	r.out.before = r.progress.hide
	return r
}

// close takes the status line away for good.
func (r *report) close() { r.progress.close() }

// comment prints "c" lines where they are wanted.
func (r *report) comment(format string, args ...any) {
	if !r.o.quiet && !r.o.json {
		r.out.comment(format, args...)
	}
}

// reading returns how the input is read: the status line makes place for
// warnings.
func (r *report) reading() *reading {
	return &reading{e: r.e, relaxed: r.o.relaxed, warn: func(err error) {
		r.progress.hide()
		fmt.Fprintf(r.e.stderr, "sator solve: warning: %v\n", err)
	}}
}

func (r *report) banner(prof *profiler) {
	r.comment("sator %s", version())
	if r.o.verbose {
		for _, p := range r.o.list() {
			r.comment("option %s %v", p.name, p.value)
		}
	}
	if prof != nil {
		r.comment("recording profile %s", prof.file)
	}
	if r.e.typing && r.o.files[0] == "-" && !r.o.quiet {
		fmt.Fprintln(r.e.stderr, "sator solve: reading the terminal; Ctrl-D ends the formula")
	}
}

func (r *report) read(in *input) {
	cubes := ""
	if in.script {
		cubes = fmt.Sprintf(", %d cubes", len(in.cubes))
	}
	r.comment("read %s in %.2f s: %d variables, %d clauses, %d literals%s", strings.Join(shownAll(r.o.files), ", "),
		in.took.Seconds(), in.formula.Vars(), in.formula.Len(), in.formula.Size(), cubes)
}

// settled tells the engine, if the formula has decided.
func (r *report) settled() {
	c := r.o.chosen
	switch {
	case c.name == r.o.engine.name:
	case c.why == "":
		r.comment("engine %s", c.name)
	default:
		r.comment("engine %s: %s", c.name, c.why)
	}
}

func (r *report) cube(i int, s dimacs.Status) { r.comment("cube %d: %v", i+1, s) }

// outcome prints the answer.
func (r *report) outcome(got *outcome) error {
	if r.o.json {
		return writeJSON(r.e.stdout, r.document(got))
	}
	if r.o.stats {
		for _, p := range got.list() {
			r.out.comment("%-20s %15s", strings.ReplaceAll(p.name, "_", " "), p.text())
		}
	}
	r.comment("%s", got.remark(r.o))
	if p := got.proof; p != nil {
		r.comment("wrote the proof to %s: %s, %d bytes%s", shownOutput(p.name), p.format, p.bytes, packed(p.name))
	}
	if t := got.trace; t != nil {
		r.comment("wrote the trace to %s: %d bytes%s", shownOutput(t.name), t.bytes, packed(t.name))
	}
	if got.verified {
		r.comment("verified")
	}
	var m dimacs.Model
	if got.status == dimacs.Satisfiable && !r.o.noModel {
		m = got.input.complete(got.model)
	}
	r.out.answer(got.status, m)
	return r.out.err
}

// remark says what the answer's word does not.
func (got *outcome) remark(o *solveOptions) string {
	after := fmt.Sprintf("after %.2f s", got.total.Seconds())
	switch {
	case got.status == dimacs.Unknown:
		return "stopped " + after + ": " + cmp.Or(got.reason, "no reason known")
	case got.status == dimacs.Satisfiable:
		return "model found and checked " + after
	case len(got.failed) > 0:
		return "refuted " + after + ": the formula excludes the assumptions " + spaced(got.failed)
	case len(got.cubes) > 0:
		return "every cube refuted " + after
	case len(o.assume) > 0:
		return "refuted " + after + ", without any assumption"
	}
	return "refuted " + after
}

// packed says that a number of bytes is that before compression.
func packed(name string) string {
	if isPacking(filepath.Ext(name)) {
		return " before compression"
	}
	return ""
}

func spaced(ls []dimacs.Lit) string {
	words := make([]string, len(ls))
	for i, l := range ls {
		words[i] = l.String()
	}
	return strings.Join(words, " ")
}
