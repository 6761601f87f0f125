package study

import (
	"context"
	"slices"

	"sator/benchmarks/families"
	"sator/dpll/cdcl"
)

// What is each technique of clause learning worth? Every knob of package cdcl
// that is a switch is turned over, one at a time: off if it is on by default, on
// if it is off. The same formulas are solved so and with the defaults. A
// simplification that comes to the engine with a knob is here without a further
// line. A technique that does the work of another where that is off seems to be
// worth nothing; what all of them are worth together is the knob simplify.

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

// switches returns the knobs that can be off: 0 is off and there are few other
// values, or it is an amount that is known to be so.
func switches() []cdcl.Knob {
	return slices.DeleteFunc(slices.Clone(cdcl.Knobs), func(k cdcl.Knob) bool {
		return k.Min > 0 || k.Max > 3 && k.Name != "chrono"
	})
}

// The names of levels: nothing is changed, or a technique is off or on that
// otherwise is not.
const (
	asItIs  = "default"
	without = "without "
	with    = "with "
)

// passLevels are the names of the levels.
func passLevels() []string {
	levels := []string{asItIs}
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
		Help: "what each technique of clause learning is worth: each off, or on",
		Description: `Formulas of many families are solved by the engine cdcl as it is, and with each
of its techniques turned over by its knob (see "sator help solve"): off if it is on
by default, else on. The tests are paired: the same formula with and without.`,
		Factors: []Factor{
			{Name: "technique", Help: "what is off, or on", Default: passLevels(), Levels: passLevels()},
		},
		Subject:   "number",
		About:     formulaColumns,
		CountHelp: "make `N` formulas of each kind of which there are several",
		Count:     5,
		Conflicts: 100_000,
		subjects: func(ctx context.Context, o *Options) ([]*Subject, error) {
			o.Source = "formulas of \"sator generate\""
			return makeFormulas(ctx, passRecipes, o.Seed, o.Count)
		},
		measure: func(ctx context.Context, _ *bench, r *Run, _ *Weights) Outcome {
			o := r.learningRun(ctx, passOptions(r.level("technique")))
			o.About = r.aboutColumns()
			return o
		},
		tell: tellPasses,
	}
}

func tellPasses(x *Results, r *Report) error {
	tellAgainst(x, r, "technique", asItIs)
	return x.compare(r, comparison{by: "formula", what: "conflicts", of: func(row *Row) float64 { return float64(row.Conflicts) }, columns: []column{solved, meanSeconds}, apart: true, bounded: true})
}
