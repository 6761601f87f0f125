package commands

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"sator/cmd/internal/cli"
	"sator/dimacs/proof"
)

// checkCount checks a certificate of the number of models.
func (k *checkRun) checkCount(ctx context.Context, x *evidenceFile) (*verdict, error) {
	name := cli.Shown(k.o.evidence)
	if k.o.trims() || k.o.forward || k.o.strict || len(k.o.assume) > 0 {
		return nil, fmt.Errorf("%s: this is a certificate of a count; --assume, --core, --trim, --lrat, --draw, --forward and --strict-deletions need a proof", name)
	}
	if k.o.expected.Kind != proof.KindCount { // the formula was read without its weights
		if slices.Contains(k.o.formulas, "-") {
			return nil, fmt.Errorf("%s: this is a certificate of a count; with a formula on standard input it needs --from cpog", name)
		}
		in, err := k.readFormula(ctx, true)
		if err != nil {
			return nil, err
		}
		k.in = in
	}
	weights, err := k.in.Counting.LiteralWeights()
	if err != nil {
		return nil, err
	}
	if k.in.Counting.Project != nil {
		k.Say("warning: the certificate is about all variables, not about the projection of the formula")
	}
	defer x.close()
	count, err := proof.CheckCount(ctx, k.in.Formula, x.whole, name, weights)
	v, wrong := new(verdict), (*proof.CheckError)(nil)
	if err = x.archiveError(err); errors.As(err, &wrong) {
		v.remark("%v", wrong)
		return v, nil
	} else if err != nil {
		return nil, err
	}
	v.right = true
	v.remark("the certificate is in CPOG: %s, %s", cli.Count(count.Nodes, "node"), cli.Count(count.Clauses, "lemma"))
	v.number = "arb int " + count.Models.RatString()
	if len(weights) > 0 {
		v.number = "arb frac " + count.Models.RatString()
	}
	return v, nil
}
