package study

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"sator/benchmarks/families"
	"sator/dpll"
	"sator/dpll/cdcl"
)

// A recipe is a formula of a family.
type recipe struct {
	family string
	values families.Values
	fixed  bool // nothing is drawn: one formula is all there are
}

// name returns the family with the values, as "php holes=6".
func (r *recipe) name() string {
	name := r.family
	for _, key := range slices.Sorted(maps.Keys(r.values)) {
		if v := r.values[key]; v == 1 && key != "colors" {
			name += " " + key
		} else {
			name += fmt.Sprintf(" %s=%s", key, strconv.FormatFloat(v, 'f', -1, 64))
		}
	}
	return name
}

// make makes formulas by recipes: of each as many as count says, with different
// seeds.
func makeFormulas(ctx context.Context, recipes []recipe, seed uint64, count int) ([]*Subject, error) {
	var subjects []*Subject
	for i := range recipes {
		r := &recipes[i]
		f, ok := families.Find(r.family)
		if !ok {
			panic("study: there is no family " + r.family)
		}
		n := count
		if r.fixed {
			n = 1
		}
		for k := range n {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			inst, err := f.Make(r.values, seed<<20+uint64(k))
			if err != nil {
				return nil, fmt.Errorf("%s: %v", r.name(), err)
			}
			subjects = append(subjects, &Subject{Text: inst.Comments[0], Formula: inst.Formula, About: map[string]string{
				"family":  r.family,
				"formula": r.name(),
				"vars":    strconv.Itoa(inst.Formula.Vars()),
				"clauses": strconv.Itoa(inst.Formula.Len()),
			}})
		}
	}
	return subjects, nil
}

// formulaColumns are what is told of formulas.
var formulaColumns = []string{"family", "formula", "vars", "clauses"}

// aboutColumns returns what is known of a subject in the order of the columns of
// its study.
func (r *Run) aboutColumns() []string {
	var about []string
	for _, name := range r.plan.study.About {
		about = append(about, r.subject.About[name])
	}
	return about
}

// classicRun runs package dpll with a heuristic on the formula of a subject. What
// is drawn depends on the seed of the study and the number of the subject.
func (r *Run) classicRun(ctx context.Context, heuristic string) Outcome {
	o := dpll.DefaultOptions()
	o.Heuristic, o.Pure = heuristic, dpll.PureOff
	o.Seed = r.plan.seed<<32 + uint64(r.subject.Number)
	return classic(ctx, r.subject.Formula, nil, o, r.plan.conflicts)
}

// learningRun runs package cdcl on the formula of a subject.
func (r *Run) learningRun(ctx context.Context, o cdcl.Options) Outcome {
	o.Seed = r.plan.seed
	return learning(ctx, r.subject.Formula, nil, o, r.plan.conflicts)
}
