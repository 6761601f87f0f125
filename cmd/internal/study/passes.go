package study

import (
	"context"
	"fmt"
	"slices"

	"sator/dpll/cdcl"
	"sator/internal/families"
)

// Ablation study of clause learning. Every switch of package cdcl is toggled,
// one at a time, and the same formulas are solved with the default options and
// with the toggled switch. Switches are derived from the knobs of the engine,
// so a new simplification needs no code here. A technique whose work is done by
// another one when it is off shows no effect here; the knob simplify measures
// all simplifications together. The effort is measured in ticks, which do not depend
// on the machine; passes_report.go has the statistics.

// passRecipes are formulas that take the default options some thousand conflicts, and
// from 10 to 300 ms on a processor of 2024: passes begin after 2000 conflicts. Families
// that are too easy at any size (tilings) or whose difficulty varies too much with the
// seed (blocks) are left out.
var passRecipes = []recipe{
	{family: "ksat", values: families.Values{"vars": 170}},
	{family: "coloring", values: families.Values{"vertices": 250}},
	{family: "qwh", values: families.Values{"order": 33}},
	{family: "clique-binary", values: families.Values{"vertices": 14, "clique": 5, "density": 0.4}},
	{family: "schur", values: families.Values{"numbers": 43}, fixed: true},
	{family: "vdw", values: families.Values{"numbers": 27, "colors": 3, "length": 3}, fixed: true},
	{family: "hamilton", values: families.Values{"petersen": 11}, fixed: true},
	{family: "langford", values: families.Values{"numbers": 10}, fixed: true},
	{family: "php", values: families.Values{"holes": 10}, fixed: true},
	{family: "php", values: families.Values{"holes": 10, "functional": 1}, fixed: true},
	{family: "php-bit", values: families.Values{"holes": 8}, fixed: true},
	{family: "php-relativized", values: families.Values{"pigeons": 5}, fixed: true},
	{family: "chessboard", values: families.Values{"size": 14}, fixed: true},
	{family: "matching", values: families.Values{"vertices": 35}},
	{family: "counting", values: families.Values{"elements": 10}, fixed: true},
	{family: "clique-coloring", values: families.Values{"vertices": 8}, fixed: true},
	{family: "dominating", values: families.Values{"vertices": 20}},
	{family: "subset-cardinality", values: families.Values{"rows": 12}},
	{family: "window", values: families.Values{"vars": 60, "window": 8, "k": 4}, fixed: true},
	{family: "tseitin", values: families.Values{"vertices": 40, "degree": 4}},
	{family: "even-coloring", values: families.Values{"vertices": 21}},
	{family: "kxor", values: families.Values{"vars": 90, "k": 4}},
	{family: "parity", values: families.Values{"bits": 14}},
	{family: "ordering", values: families.Values{"elements": 30}, fixed: true},
	{family: "pebbling", values: families.Values{"height": 40}, fixed: true},
	{family: "stone", values: families.Values{"height": 5, "stones": 6}, fixed: true},
	{family: "multiplier", values: families.Values{"bits": 24}},
	{family: "miter-adder", values: families.Values{"bits": 40}, fixed: true},
	{family: "miter-multiplier", values: families.Values{"bits": 6, "commuted": 1}, fixed: true},
	{family: "bmc-counter", values: families.Values{"bits": 8}, fixed: true},
	{family: "bmc-lfsr", values: families.Values{"bits": 10}, fixed: true},
	{family: "md4", values: families.Values{"steps": 22}},
}

// switches returns the knobs that act as switches: 0 is off and there are at
// most three other values, or the knob is an amount for which 0 is off.
func switches() []cdcl.Knob {
	return slices.DeleteFunc(slices.Clone(cdcl.Knobs), func(k cdcl.Knob) bool {
		return k.Min > 0 || k.Max > 3 && k.Name != "chrono"
	})
}

// The names of levels: default options, a technique off, a technique on.
const (
	defaultLevel = "default"
	without      = "without "
	with         = "with "
)

// passLevels returns the names of the levels.
func passLevels() []string {
	levels := []string{defaultLevel}
	for _, k := range switches() {
		if k.Default == 0 {
			levels = append(levels, with+k.Name)
		} else {
			levels = append(levels, without+k.Name)
		}
	}
	return levels
}

// passOptions returns the options of a level.
func passOptions(level string) cdcl.Options {
	options := cdcl.Options{}
	for _, k := range switches() {
		switch level {
		case without + k.Name:
			options.Set(k.Name, 0)
		case with + k.Name:
			options.Set(k.Name, 1)
		}
	}
	return options
}

func passesStudy() *Study {
	return &Study{
		Name: "passes",
		Help: "ablation of clause learning: each technique off, or on",
		Description: `Solves formulas of many families by the engine cdcl with default options, and
with each of its techniques toggled by its option (see "sator help solve"): off
if it is on by default, else on. The pairs are of the same formula and seed. The
files, and those of a @LIST, are solved in addition to the generated formulas.`,
		Factors: []Factor{
			{Name: "technique", Help: "technique that is off, or on", Default: passLevels(), Levels: passLevels()},
		},
		Subject:    "number",
		Attributes: formulaColumns,
		Extra:      []string{"ticks"},
		CountHelp:  "generate `N` formulas of each kind, shuffled",
		Count:      7,
		Ticks:      10_000_000,
		subjects: func(ctx context.Context, o *Options) ([]*Subject, error) {
			subjects, err := makeShuffled(ctx, passRecipes, o.Seed, o.Count)
			if err != nil {
				return nil, err
			}
			o.Source = "formulas of \"sator generate\""
			if n := len(o.Formulas); n > 0 {
				o.Source += fmt.Sprintf(" and %d files", n)
			}
			return append(subjects, fileSubjects(o.Formulas)...), nil
		},
		formulas: true,
		measure:  measurePasses,
		answer:   answerPasses,
		report:   reportPasses,
	}
}

// measurePasses solves the formula of the subject. The seed of the solver depends on
// the seed of the study and the number of the subject, not on the technique.
func measurePasses(ctx context.Context, _ *cache, r *Run, _ *Weights) Outcome {
	options := passOptions(r.level("technique"))
	options.Seed = r.plan.seed<<32 + uint64(r.subject.Number)
	o, ticks := runLearning(ctx, r.subject.Formula, nil, options, r.plan.conflicts, r.plan.ticks)
	o.Attributes, o.Extra = r.attributeValues(), []int64{ticks}
	return o
}
