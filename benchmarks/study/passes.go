package study

import (
	"context"
	"slices"

	"sator/benchmarks/families"
	"sator/dpll/cdcl"
)

// Ablation study of clause learning. Every switch of package cdcl is toggled,
// one at a time, and the same formulas are solved with the default options and
// with the toggled switch. Switches are derived from the knobs of the engine,
// so a new simplification needs no code here. A technique whose work is done by
// another one when it is off shows no effect here; the knob simplify measures
// all simplifications together.

// passRecipes are formulas that take clause learning some thousand conflicts.
var passRecipes = []recipe{
	{family: "ksat", values: families.Values{"vars": 180}},
	{family: "planted", values: families.Values{"vars": 250}},
	{family: "coloring", values: families.Values{"vertices": 180}},
	{family: "qwh", values: families.Values{"order": 28}},
	{family: "php", values: families.Values{"holes": 8}, fixed: true},
	{family: "tseitin", values: families.Values{"vertices": 18}},
	{family: "parity", values: families.Values{"bits": 14}},
	{family: "ordering", values: families.Values{"elements": 40}, fixed: true},
	{family: "pebbling", values: families.Values{"height": 30}, fixed: true},
	{family: "multiplier", values: families.Values{"bits": 22}},
	{family: "miter-adder", values: families.Values{"bits": 16}, fixed: true},
	{family: "langford", values: families.Values{"numbers": 9}, fixed: true},
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
	options := cdcl.DefaultOptions()
	for _, k := range switches() {
		switch level {
		case without + k.Name:
			*k.Field(&options) = 0
		case with + k.Name:
			*k.Field(&options) = 1
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
if it is on by default, else on. The tests are paired: the same formula with and
without.`,
		Factors: []Factor{
			{Name: "technique", Help: "technique that is off, or on", Default: passLevels(), Levels: passLevels()},
		},
		Subject:    "number",
		Attributes: formulaColumns,
		CountHelp:  "generate `N` formulas of each kind that is random",
		Count:      5,
		Conflicts:  100_000,
		subjects: func(ctx context.Context, o *Options) ([]*Subject, error) {
			o.Source = "formulas of \"sator generate\""
			return makeFormulas(ctx, passRecipes, o.Seed, o.Count)
		},
		measure: func(ctx context.Context, _ *cache, r *Run, _ *Weights) Outcome {
			o := r.learningRun(ctx, passOptions(r.level("technique")))
			o.Attributes = r.attributeValues()
			return o
		},
		report: reportPasses,
	}
}

func reportPasses(x *Results, r *Report) error {
	reportAgainst(x, r, "technique", defaultLevel)
	return x.compare(r, comparison{by: "formula", quantity: "conflicts", of: func(row *Row) float64 { return float64(row.Conflicts) }, columns: []column{solved, meanSeconds}, unpaired: true, bounded: true})
}
