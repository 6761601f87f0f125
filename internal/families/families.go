// Package families generates CNF formulas by seed: random k-SAT, planted,
// combinatorial, cryptographic, verification and arithmetic benchmarks, with
// the answer where the construction gives it. Equal parameters and seeds give
// equal formulas on every machine.
//
//	fam, ok := families.Find("ksat")
//	if !ok {
//		return errors.New("unknown family")
//	}
//	inst, err := fam.Make(families.Values{"vars": 100, "ratio": 4.26}, 7)
//	if err != nil {
//		return err
//	}
//	err = dimacs.Write(w, inst.Formula, inst.Comments...)
//
// [Families] is the table of the families. A [Family] has a name, a help text
// and a table of parameters; a [Param] has a name, a kind, a default, a range
// and a help text. A command-line program can derive its flags from the table:
// it stores the parameters that the user has set in [Values] and calls
// [Family.Make], which checks names and ranges. Error messages name the
// parameter. The first comment of an instance is the command line of the
// program sator that generates it again.
//
// # Files
//
//   - families.go: the table of families. Each other file named after a family
//     generates it; blocks_plan.go has the planner for blocks.go.
//   - random.go: the random number generator.
//   - circuit.go, adder.go, product.go: gates, adders and multipliers, used by
//     all arithmetic and cryptographic families.
//   - colorings.go: coloring problems of Ramsey type.
//   - constraints.go: at-most-one, exactly-one and at-least constraints.
//   - substitution.go, shuffle.go: transformations of any formula, by [Gadget] and
//     [Shuffling].
package families

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"sator/dimacs"
)

// A Kind is the type of a parameter.
type Kind int

// The kinds of parameters. A Switch is 0 or 1 with default 0: a boolean flag.
const (
	Int Kind = iota
	Real
	Switch
)

// A Param is a parameter of a family. Numbers are float64 for all kinds;
// integers are at most 2^53 and therefore exact.
type Param struct {
	Name     string // lower case, words joined by hyphens
	Kind     Kind
	Default  float64
	Min, Max float64 // inclusive
	Help     string  // a phrase without a full stop
}

// Values maps parameter names to values; switches are 0 or 1. Missing
// parameters have their defaults.
type Values map[string]float64

func (v Values) int(name string) int { return int(v[name]) }
func (v Values) on(name string) bool { return v[name] != 0 }

// A Family is a generator of formulas.
type Family struct {
	Name   string
	Help   string  // a phrase without a full stop
	Source string  // a paper or textbook
	Params []Param // in the order of help texts and command lines

	// build generates the formula. The values are complete and within their
	// ranges. build stores derived defaults in v and deletes parameters without
	// effect, so that the command line lists exactly the effective ones. The
	// comments that it returns describe the formula.
	build func(v Values, r *rng) (*Instance, error)
}

// An Instance is a generated formula.
type Instance struct {
	Formula *dimacs.Formula

	// Answer is Unknown if the construction does not determine it.
	Answer dimacs.Status

	// Model satisfies the formula. It is nil if the answer is not Satisfiable,
	// or if satisfiability is known from the literature without a model.
	Model dimacs.Model

	// Comments are the comment lines of a DIMACS file: the command line, a
	// description, the source, and the answer if known.
	Comments []string
}

// newInstance returns an instance with a comment that describes it.
func newInstance(f *dimacs.Formula, answer dimacs.Status, description string, args ...any) *Instance {
	return &Instance{Formula: f, Answer: answer, Comments: []string{fmt.Sprintf(description, args...)}}
}

// with returns the instance with a model.
func (x *Instance) with(m dimacs.Model) *Instance {
	x.Answer, x.Model = dimacs.Satisfiable, m
	return x
}

// Families is the table of the families, sorted by name. To add one, write its
// file and add a line here.
var Families = []*Family{
	twoSAT,
	blocks,
	bmcCounter,
	bmcLFSR,
	chessboard,
	cliqueBinary,
	cliqueColoring,
	coloring,
	counting,
	dominating,
	evenColoring,
	hamilton,
	horn,
	ksat,
	kxor,
	langford,
	matching,
	md4,
	adderMiter,
	multiplierMiter,
	multiplier,
	ordering,
	parityLearning,
	pebbling,
	php,
	phpBit,
	phpRelativized,
	planted,
	pythagorean,
	queens,
	qwh,
	ramsey,
	schur,
	stone,
	subsetCardinality,
	sudokuPuzzle,
	tiling,
	tseitin,
	vanDerWaerden,
	window,
}

// Find returns the family with a name.
func Find(name string) (*Family, bool) {
	for _, f := range Families {
		if f.Name == name {
			return f, true
		}
	}
	return nil, false
}

// Make generates an instance. Equal values and seeds give equal instances on
// every machine; families without random choices ignore the seed. Make returns
// an error if a value is not a parameter of the family or not in its range, or
// if no formula has these parameters.
func (f *Family) Make(v Values, seed uint64) (*Instance, error) {
	full, err := f.complete(v)
	if err != nil {
		return nil, err
	}
	inst, err := f.build(full, newRNG(seed))
	if err != nil {
		return nil, err
	}
	inst.Comments = append([]string{f.command(full, seed)}, inst.Comments...)
	inst.Comments = append(inst.Comments, "source: "+f.Source)
	if inst.Answer != dimacs.Unknown {
		inst.Comments = append(inst.Comments, "known answer: "+inst.Answer.String())
	}
	return inst, nil
}

// complete returns the checked values with defaults for the missing ones.
func (f *Family) complete(v Values) (Values, error) {
	full := make(Values, len(f.Params))
	for _, p := range f.Params {
		full[p.Name] = p.Default
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if _, ok := full[name]; !ok {
			return nil, fmt.Errorf("unknown parameter %q of %s", name, f.Name)
		}
		full[name] = v[name]
	}
	for _, p := range f.Params {
		if err := p.check(full[p.Name]); err != nil {
			return nil, err
		}
	}
	return full, nil
}

// check returns an error if x is not a value of the parameter.
func (p *Param) check(x float64) error {
	switch {
	case !(p.Min <= x && x <= p.Max): // also if x is NaN
		return fmt.Errorf("invalid value %s for %s: want %s to %s", decimal(x), p.Name, decimal(p.Min), decimal(p.Max))
	case p.Kind != Real && x != math.Trunc(x):
		return fmt.Errorf("invalid value %s for %s: want an integer", decimal(x), p.Name)
	}
	return nil
}

// command returns the command line that generates the instance. It includes
// parameters with default values, because defaults may change, but omits values
// that are 0 by default: switches that are off and numbers that are not set.
func (f *Family) command(v Values, seed uint64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "sator generate %s", f.Name)
	for _, p := range f.Params {
		x, matters := v[p.Name]
		switch {
		case !matters || x == 0 && p.Default == 0:
		case p.Kind == Switch:
			fmt.Fprintf(&b, " --%s", p.Name)
		default:
			fmt.Fprintf(&b, " --%s %s", p.Name, decimal(x))
		}
	}
	fmt.Fprintf(&b, " --seed %d", seed)
	return b.String()
}

// decimal formats a number without exponent and with the fewest digits.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
