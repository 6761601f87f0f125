package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dimacs/proof"
)

// A target is a formula under assumptions, which a proof must refute.
type target struct {
	label   string // prefix of the remarks
	formula *dimacs.Formula
	assume  []dimacs.Lit
}

// targets returns the targets of a proof: the formula, or each cube with the clauses
// before it.
func (k *checkRun) targets() []target {
	if len(k.in.Cubes) == 0 {
		return []target{{"", k.in.Formula, k.o.assume}}
	}
	var qs []target
	f := k.in.Formula
	for i, cube := range k.in.Cubes {
		if i == 0 || f.Len() != cube.Clauses {
			f = cli.First(k.in.Formula, cube.Clauses)
		}
		qs = append(qs, target{fmt.Sprintf("cube %d: ", i+1), f, slices.Concat(k.o.assume, cube.Lits)})
	}
	return qs
}

// checkProof checks a proof.
func (k *checkRun) checkProof(ctx context.Context, x *evidenceFile) (*verdict, error) {
	qs := k.targets()
	if len(qs) > 1 && k.refutesFormula(ctx, x.Evidence) {
		qs = []target{{"", k.in.Formula, k.o.assume}}
	}
	if len(qs) > 1 && k.o.trims() {
		return nil, fmt.Errorf("%s has %s; --core, --trim and --lrat need a single refutation", cli.Shown(k.o.formulas[0]), cli.Count(len(qs), "cube"))
	}
	if len(qs) > 1 && !readableAgain(k.o.evidence) {
		return nil, fmt.Errorf("%s: the proof must be a regular file, since it is read for each of the %s", cli.Shown(k.o.evidence), cli.Count(len(qs), "cube"))
	}
	written := "drat"
	if x.Format.Hints() {
		written = "lrat"
	}
	if err := cli.CheckName("trim", k.o.trim, written, "proof", "text"); err != nil {
		return nil, err
	}
	v := new(verdict)
	v.remark("the proof is in %v", x.Format)
	for i, q := range qs {
		if i > 0 {
			again, err := k.openEvidence(ctx)
			if err != nil {
				return nil, err
			}
			again.Evidence = x.Evidence
			x = again
		}
		result, err := k.checkTarget(ctx, x, q)
		if wrong := (*proof.CheckError)(nil); errors.As(err, &wrong) {
			v.remarkWrong(q, wrong)
			return v, nil
		} else if err != nil {
			return nil, err
		}
		v.remarkRight(q, result, k.o.trims())
		if err := k.writeOutputs(ctx, q, result); err != nil {
			return nil, err
		}
	}
	v.right = true
	v.remark("refutation checked after %.2f s", time.Since(k.Begin).Seconds())
	return v, nil
}

// refutesFormula reports whether all cubes follow the last clause and the proof derives
// the empty clause, as a proof of conquer does. Such a proof refutes the formula and
// thereby every cube, and is read only once. It returns false for an unreadable proof; checking
// the proof reports the error.
func (k *checkRun) refutesFormula(ctx context.Context, evidence proof.Evidence) bool {
	if k.in.Interleaved() || !readableAgain(k.o.evidence) {
		return false
	}
	x, err := k.openEvidence(ctx)
	if err != nil {
		return false
	}
	x.Evidence = evidence
	empty, err := cli.Await(ctx, func() (bool, error) {
		defer x.close()
		r := proof.NewReader(x.whole, cli.Shown(k.o.evidence), x.Format)
		for {
			step, err := r.Next()
			if err != nil || !step.Delete && len(step.Lits) == 0 {
				return err == nil, nil
			}
		}
	})
	return err == nil && empty
}

// readableAgain reports whether a file can be read more than once.
func readableAgain(name string) bool {
	if name == "-" {
		return false
	}
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// checkTarget checks the proof against one target.
func (k *checkRun) checkTarget(ctx context.Context, x *evidenceFile, q target) (*proof.Result, error) {
	opts := proof.Options{
		Name:            cli.Shown(k.o.evidence),
		Format:          x.Format,
		Assumptions:     q.assume,
		Forward:         k.o.forward,
		StrictDeletions: k.o.strict,
		Trim:            k.o.trims(),
		Memory:          k.Memory.Allows,
		Progress:        func(p proof.Progress) { k.Progress.Doing(q.label + progressText(p)) },
		Warn: func(msg string) {
			if ctx.Err() == nil {
				k.Say("warning: %s%s: %s", q.label, cli.Shown(k.o.evidence), msg)
			}
		},
	}
	result, err := cli.Await(ctx, func() (*proof.Result, error) {
		defer x.close()
		result, err := proof.Check(ctx, q.formula, x.whole, opts)
		return result, x.archiveError(err)
	})
	return result, k.Memory.Catch(err)
}

// progressText returns the progress of a check for the status line.
func progressText(p proof.Progress) string {
	if p.Total <= 0 {
		return fmt.Sprintf("%s: %s", p.Phase, cli.Count(p.Done, "step"))
	}
	return fmt.Sprintf("%s: %d of %s (%d%%)", p.Phase, p.Done, cli.Count(p.Total, "step"), 100*p.Done/p.Total)
}

// remarkRight adds remarks about a correct proof.
func (v *verdict) remarkRight(q target, r *proof.Result, trimmed bool) {
	v.remark("%slemmas: %d, checked %d, RAT %d", q.label, r.Lemmas, r.Checked, r.RAT)
	v.remark("%sdeletions: %d, ignored %d", q.label, r.Deleted, r.Ignored)
	if trimmed {
		v.remark("%score: %d of %s", q.label, len(r.Core()), cli.Count(q.formula.Len(), "clause"))
	}
}

// remarkWrong adds remarks about a wrong proof.
func (v *verdict) remarkWrong(q target, r *proof.CheckError) {
	v.remark("%s%v", q.label, r)
	if r.Place != (proof.Place{}) {
		v.remark("%sits clause is %s", q.label, formula.ClauseText(r.Clause))
	}
}

// writeOutputs writes the files of --core, --trim and --lrat.
func (k *checkRun) writeOutputs(ctx context.Context, q target, r *proof.Result) error {
	if k.o.core != "" {
		if err := k.Write(ctx, k.o.core, func(w io.Writer) error { return writeCore(w, q, r) }); err != nil {
			return err
		}
	}
	format := r.Format
	if k.o.text {
		format = textOf(format)
	}
	if err := k.writeTrimmed(ctx, k.o.trim, format, r); err != nil {
		return err
	}
	if format = proof.BinaryLRAT; k.o.text {
		format = proof.LRAT
	}
	return k.writeTrimmed(ctx, k.o.lrat, format, r)
}

// textOf returns the text format with the hints of a format.
func textOf(f proof.Format) proof.Format {
	if f.Hints() {
		return proof.LRAT
	}
	return proof.DRAT
}

// writeTrimmed writes the required lemmas of a proof, unless the name is empty. Lemmas
// are numbered after all clauses of the formula, also after those behind a cube.
func (k *checkRun) writeTrimmed(ctx context.Context, name string, format proof.Format, r *proof.Result) error {
	if name == "" {
		return nil
	}
	return k.Write(ctx, name, func(w io.Writer) error {
		steps := proof.NewWriter(cli.Raw(w), format, k.in.Formula.Len())
		r.Replay(steps)
		return steps.Flush()
	})
}

// writeCore writes the clauses of the formula that the proof requires.
func writeCore(w io.Writer, q target, r *proof.Result) error {
	core := dimacs.NewFormula(q.formula.Vars())
	for _, i := range r.Core() {
		core.Add(q.formula.Clause(i)...)
	}
	var comments []string
	if len(q.assume) > 0 {
		comments = append(comments, "unsatisfiable under the assumptions "+cli.Spaced(q.assume))
	}
	return dimacs.Write(w, core, comments...)
}
