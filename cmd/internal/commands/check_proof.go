package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/trace"
)

// checkProof checks a proof of the formula, under the assumptions. The cubes of a script do not
// count: a proof that refutes them is not one of the formula.
func (k *checkRun) checkProof(ctx context.Context, x *evidenceFile) (*verdict, error) {
	written := "drat"
	if x.Format.Hints() {
		written = "lrat"
	}
	if err := cli.CheckName("trim", k.o.trim, written, "proof", "text"); err != nil {
		return nil, err
	}
	v := new(verdict)
	v.remark("the proof is in %v", x.Format)
	result, err := k.checkSteps(ctx, x)
	if wrong := (*proof.CheckError)(nil); errors.As(err, &wrong) {
		v.remarkWrong(wrong)
		return v, nil
	} else if err != nil {
		return nil, err
	}
	v.remark("lemmas: %d, checked %d, RAT %d", result.Lemmas, result.Checked, result.RAT)
	v.remark("deletions: %d, ignored %d", result.Deleted, result.Ignored)
	if k.o.trims() {
		v.remark("core: %d of %s", len(result.Core()), cli.Count(k.in.Formula.Len(), "clause"))
	}
	if err := k.writeOutputs(ctx, result); err != nil {
		return nil, err
	}
	v.right = true
	v.remark("refutation checked after %.2f s", time.Since(k.Begin).Seconds())
	return v, nil
}

// checkSteps checks the steps of a proof.
func (k *checkRun) checkSteps(ctx context.Context, x *evidenceFile) (*proof.Result, error) {
	opts := proof.Options{
		Name:            cli.Shown(k.o.evidence),
		Format:          x.Format,
		Assumptions:     k.o.assume,
		Forward:         k.o.forward,
		StrictDeletions: k.o.strict,
		Trim:            k.o.trims(),
		Memory:          k.Memory.Allows,
		Progress:        func(p proof.Progress) { k.Progress.Doing(progressText(p)) },
		Warn: func(msg string) {
			if ctx.Err() == nil {
				k.Say("warning: %s: %s", cli.Shown(k.o.evidence), msg)
			}
		},
	}
	defer x.close()
	result, err := proof.Check(ctx, k.in.Formula, x.whole, opts)
	return result, k.Memory.Catch(x.archiveError(err))
}

// progressText returns the progress of a check for the status line.
func progressText(p proof.Progress) string {
	if p.Total <= 0 {
		return fmt.Sprintf("%s: %s", p.Phase, cli.Count(p.Done, "step"))
	}
	return fmt.Sprintf("%s: %d of %s (%d%%)", p.Phase, p.Done, cli.Count(p.Total, "step"), 100*p.Done/p.Total)
}

// remarkWrong adds remarks about a wrong proof.
func (v *verdict) remarkWrong(r *proof.CheckError) {
	v.remark("%v", r)
	if r.Place != (proof.Place{}) {
		v.remark("its clause is %s", formula.ClauseText(r.Clause))
	}
}

// writeOutputs writes the files of --core, --trim, --lrat and --draw.
func (k *checkRun) writeOutputs(ctx context.Context, r *proof.Result) error {
	if k.o.core != "" {
		if err := k.Write(ctx, k.o.core, func(w io.Writer) error { return k.writeCore(w, r) }); err != nil {
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
	if err := k.writeTrimmed(ctx, k.o.lrat, format, r); err != nil || k.o.draw == "" {
		return err
	}
	return k.drawProof(ctx, r)
}

// drawProof writes the file of --draw.
func (k *checkRun) drawProof(ctx context.Context, r *proof.Result) error {
	var steps []trace.Step
	r.Replay(trace.NewProof(func(s trace.Step) { steps = append(steps, s) }))
	d, err := trace.ProofGraph(steps, "proof "+cli.Shown(k.o.evidence))
	if err != nil {
		return fmt.Errorf("%s: %w", k.o.draw, err)
	}
	write := d.SVG
	if cli.FormatByName(k.o.draw, []string{"svg", "dot"}) == "dot" {
		write = d.DOT
	}
	return k.Write(ctx, k.o.draw, write)
}

// textOf returns the text format with the hints of a format.
func textOf(f proof.Format) proof.Format {
	if f.Hints() {
		return proof.LRAT
	}
	return proof.DRAT
}

// writeTrimmed writes the required lemmas of a proof, unless the name is empty.
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
func (k *checkRun) writeCore(w io.Writer, r *proof.Result) error {
	core := dimacs.NewFormula(k.in.Formula.Vars())
	for _, i := range r.Core() {
		core.Add(k.in.Formula.Clause(i)...)
	}
	var comments []string
	if len(k.o.assume) > 0 {
		comments = append(comments, "unsatisfiable under the assumptions "+cli.Spaced(k.o.assume))
	}
	return dimacs.Write(w, core, comments...)
}
