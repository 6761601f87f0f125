package study

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/classic"
	"sator/internal/families"
)

// A recipe is a family with parameter values.
type recipe struct {
	family string
	values families.Values
	fixed  bool // not random: the formula does not depend on the seed
}

// name returns the family and the values, as "php holes=6".
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

// makeFormulas generates count formulas for each recipe, with different seeds,
// and one for a fixed recipe.
func makeFormulas(ctx context.Context, recipes []recipe, seed uint64, count int) ([]*Subject, error) {
	var subjects []*Subject
	for i := range recipes {
		r := &recipes[i]
		n := count
		if r.fixed {
			n = 1
		}
		for k := range n {
			s, err := r.make(ctx, seed<<20+uint64(k))
			if err != nil {
				return nil, err
			}
			subjects = append(subjects, s)
		}
	}
	return subjects, nil
}

// make generates the formula of a recipe with a seed. It returns the cause of ctx if
// that is done.
func (r *recipe) make(ctx context.Context, seed uint64) (*Subject, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	f, ok := families.Find(r.family)
	if !ok {
		panic("study: unknown family " + r.family)
	}
	inst, err := f.Make(r.values, seed)
	if err != nil {
		return nil, fmt.Errorf("%s: %v", r.name(), err)
	}
	return formulaSubject(inst.Comments[0], r.family, r.name(), inst.Formula), nil
}

// formulaSubject returns a formula with the values of formulaColumns.
func formulaSubject(text, family, name string, f *dimacs.Formula) *Subject {
	return &Subject{Text: text, Formula: f, Attributes: map[string]string{
		"family":  family,
		"formula": name,
		"vars":    strconv.Itoa(f.Vars()),
		"clauses": strconv.Itoa(f.Len()),
	}}
}

// formulaColumns are the attributes of formulas.
var formulaColumns = []string{"family", "formula", "vars", "clauses"}

// attributeValues returns the attributes of the subject in the order of the
// columns of the study.
func (r *Run) attributeValues() []string {
	var attributes []string
	for _, name := range r.plan.study.Attributes {
		attributes = append(attributes, r.subject.Attributes[name])
	}
	return attributes
}

// clauseLearning is the level of the factors "engine" and "heuristic" that stands for
// package cdcl; the others are heuristics of package classic.
const clauseLearning = "cdcl"

// engineNames returns the heuristics of package classic, and clauseLearning.
func engineNames() []string { return append(heuristicNames(), clauseLearning) }

// solve solves a formula with givens by clause learning, or by package classic with a
// heuristic and without pure literals. The random seed depends on the seed of the study
// and, for package classic, on the number of the subject.
func (r *Run) solve(ctx context.Context, engine string, f *dimacs.Formula, givens []dimacs.Lit) Outcome {
	if engine == clauseLearning {
		o := cdcl.Options{}
		o.Seed = r.plan.seed
		return runLearning(ctx, f, givens, o, r.plan.conflicts)
	}
	o := classic.DefaultOptions()
	o.Heuristic, o.Pure = engine, classic.PureOff
	o.Seed = r.plan.seed<<32 + uint64(r.subject.Number)
	return runClassic(ctx, f, givens, o, r.plan.conflicts)
}
