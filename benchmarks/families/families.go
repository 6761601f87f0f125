// Package families generates formulas by seed, with the answer where the way
// in which they are made gives it: random, planted, combinatorial and
// arithmetic ones. The same parameters and seed make the same formula on every
// machine.
//
// [Families] is the table of what there is. A program that lets its users
// choose makes its flags from it: a [Family] has a name, a help text and a
// table of parameters, and a [Param] has a name, a kind, a default, a range and
// a help text. It puts what the user has set into [Values], leaves out the
// rest, and calls [Family.Make]:
//
//	fam, ok := families.Find("ksat")
//	inst, err := fam.Make(families.Values{"vars": 100, "ratio": 4.26}, 7)
//	err = dimacs.Write(w, inst.Formula, inst.Comments...)
//
// Make checks the names and ranges, so that a program need not. Its errors name
// the parameter as the user knows it and are complete sentences but for the
// prefix that says where they arose. The comments of the instance begin with
// the command line of the program sator that makes it again.
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

// A Kind says what values a parameter takes.
type Kind int

// The kinds of parameters. A switch is 0 or 1, and 0 by default: a flag without
// a value.
const (
	Int Kind = iota
	Real
	Switch
)

// A Param is a parameter of a family. The numbers are float64 for all kinds:
// integers are at most 2^53 and exact.
type Param struct {
	Name     string // lower case, words joined by hyphens
	Kind     Kind
	Default  float64
	Min, Max float64 // inclusive
	Help     string  // a phrase without a full stop
}

// Values are parameters by name: integers as such, switches as 0 and 1.
// Parameters that are missing take their defaults.
type Values map[string]float64

func (v Values) int(name string) int { return int(v[name]) }
func (v Values) on(name string) bool { return v[name] != 0 }

// A Family is a way to make formulas.
type Family struct {
	Name   string
	Help   string  // a phrase without a full stop
	Source string  // where it comes from: the paper or the textbook
	Params []Param // in the order of help texts and command lines

	// build makes the formula. The values are complete and in their ranges;
	// what was left open it sets and what does not matter it deletes, so that
	// the command line tells what does. The comments that it returns say what
	// the formula is.
	build func(v Values, r *source) (*Instance, error)
}

// An Instance is a formula that a family made.
type Instance struct {
	Formula *dimacs.Formula

	// Answer is Unknown if the construction does not give it.
	Answer dimacs.Status

	// Model satisfies the formula. It is nil unless the answer is Satisfiable,
	// and also if that is known but no model is: from a paper.
	Model dimacs.Model

	// Comments are lines for the head of a file: the command line that makes
	// the instance, what it is, and the answer if it is known.
	Comments []string
}

// Families is the table of the families, sorted by name. To add one, write its
// file and add a line here.
var Families = []*Family{
	twoSAT,
	blocks,
	bmcCounter,
	bmcLFSR,
	chessboard,
	cliqueColoring,
	coloring,
	hamilton,
	horn,
	ksat,
	langford,
	md4,
	adderMiter,
	multiplierMiter,
	multiplier,
	ordering,
	parityLearning,
	pebbling,
	php,
	planted,
	pythagorean,
	queens,
	qwh,
	ramsey,
	schur,
	sudokuPuzzle,
	tseitin,
	vanDerWaerden,
}

// Find returns the family of that name.
func Find(name string) (*Family, bool) {
	for _, f := range Families {
		if f.Name == name {
			return f, true
		}
	}
	return nil, false
}

// Make generates an instance. The same values and seed give the same instance
// on every machine; families without random choices ignore the seed. It
// returns an error if a value is not a parameter of the family or out of its
// range, or if there is no formula with such parameters.
func (f *Family) Make(v Values, seed uint64) (*Instance, error) {
	full, err := f.complete(v)
	if err != nil {
		return nil, err
	}
	inst, err := f.build(full, newSource(seed))
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

// complete returns the checked values with the defaults of those that are
// missing.
func (f *Family) complete(v Values) (Values, error) {
	full := make(Values, len(f.Params))
	for _, p := range f.Params {
		full[p.Name] = p.Default
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if _, ok := full[name]; !ok {
			return nil, fmt.Errorf("%s has no parameter %q", f.Name, name)
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

func (p *Param) check(x float64) error {
	switch {
	case !(p.Min <= x && x <= p.Max): // also if it is no number
		return fmt.Errorf("%s is %s, not between %s and %s", p.Name, decimal(x), decimal(p.Min), decimal(p.Max))
	case p.Kind != Real && x != math.Trunc(x):
		return fmt.Errorf("%s is %s, not an integer", p.Name, decimal(x))
	}
	return nil
}

// command returns the command line that makes the instance. It tells every
// parameter that matters, since defaults may change, but those that are 0 by
// default and by choice: switches that are off and numbers that are not set.
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

// decimal writes a number as people do: no exponent, no digit too many.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
