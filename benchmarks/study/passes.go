package study

import (
	"context"
	"slices"
	"strings"

	"sator/benchmarks/families"
	"sator/dpll/cdcl"
)

// What is each technique of clause learning worth? Every knob of package cdcl
// that is on by default and can be off is switched off, one at a time, and the
// same formulas are solved with and without it. A simplification that comes to
// the engine with a knob is here without a further line.

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

// switches returns the knobs that are on by default and can be off: 0 is off and
// there are few other values, or it is an amount that is known to be so.
func switches() []cdcl.Knob {
	return slices.DeleteFunc(slices.Clone(cdcl.Knobs), func(k cdcl.Knob) bool {
		return k.Default == 0 || k.Min > 0 || k.Max > 3 && k.Name != "chrono"
	})
}

// without names a technique switched off.
const without = "without "

// passLevels are the names of the levels: all on, and each knob off.
func passLevels() []string {
	levels := []string{"all"}
	for _, k := range switches() {
		levels = append(levels, without+k.Name)
	}
	return levels
}

func passesStudy() *Study {
	return &Study{
		Name: "passes",
		Help: "what each technique of clause learning is worth: all on, and each off",
		Description: `Formulas of many families are solved by the engine cdcl as it is, and with each
of its techniques switched off by its knob (see "sator help solve"). The tests are
paired: the same formula with and without.`,
		Factors: []Factor{
			{Name: "technique", Help: "what is switched off", Default: passLevels(), Levels: passLevels()},
		},
		Subject:   "number",
		About:     formulaColumns,
		Counts:    "make `N` formulas of each kind of which there are several",
		Count:     5,
		Conflicts: 100_000,
		subjects: func(ctx context.Context, o *Options) ([]*Subject, error) {
			o.Source = "formulas of \"sator generate\""
			return makeFormulas(ctx, passRecipes, o.Seed, o.Count)
		},
		measure: func(ctx context.Context, _ *bench, r *Run, _ *Weights) Outcome {
			options := cdcl.DefaultOptions()
			if name, off := strings.CutPrefix(r.level("technique"), without); off {
				for _, k := range cdcl.Knobs {
					if k.Name == name {
						*k.Field(&options) = 0
					}
				}
			}
			o := r.learningRun(ctx, options)
			o.About = r.aboutColumns()
			return o
		},
		tell: tellPasses,
	}
}

func tellPasses(x *Results, r *Report) error {
	tellAgainst(x, r, "technique", "all")
	return x.compare(r, comparison{by: "formula", what: "conflicts", of: func(row *Row) float64 { return float64(row.Conflicts) }, columns: []column{solved, meanSeconds}, apart: true})
}
