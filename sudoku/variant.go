package sudoku

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The text form of a variant is one line. A formula contains it in its
// comments, so that a model can be decoded without the puzzle:
//
//	9 boxes 3x3 x hyper anti-knight
//	9 regions 1,1,1,2,2,2,3,3,3,...
//	9 boxes 3x3 cages 15:R1C1+R1C2,8:R1C3
//	9 boxes 3x3 grids R1C1,R7C7
//	9 boxes 3x3 thermo R1C1+R1C2+R2C2 arrow R5C5+R5C6+R4C6 sum 10:R8C8+R8C9
//
// The size is first; the other words can be in any order. Boxes are given as
// rows by columns.

// String returns the variant as text that [ParseVariant] reads.
func (v Variant) String() string {
	var b strings.Builder
	fmt.Fprint(&b, v.Size)
	if v.BoxRows > 0 {
		fmt.Fprintf(&b, " boxes %dx%d", v.BoxRows, v.BoxCols)
	}
	plan := v.Plan()
	for i := range v.Grids {
		at := v.Grids[i]
		fmt.Fprintf(&b, "%sR%dC%d", separator(i == 0, " grids ", ","), at.Row+1, at.Col+1)
	}
	for i, region := range v.Regions {
		b.WriteString(separator(i == 0, " regions ", ","))
		fmt.Fprint(&b, region+1)
	}
	for _, word := range v.AllWords() {
		if *word.on {
			b.WriteString(" " + word.Name)
		}
	}
	for i, cage := range v.Cages {
		cells := Relation{Cells: cage.Cells}
		fmt.Fprintf(&b, "%s%d:%s", separator(i == 0, " cages ", ","), cage.Sum, cells.text(plan))
	}
	for _, k := range RelationKinds {
		first := true
		for _, r := range v.Relations {
			if r.Kind == k.Name {
				b.WriteString(separator(first, " "+k.Name+" ", ",") + r.text(plan))
				first = false
			}
		}
	}
	return b.String()
}

// String returns the text of the variant, see [Variant.String]. Rules are equal
// if their texts are equal.
func (r *Rules) String() string { return r.variant.String() }

func separator(first bool, before, between string) string {
	if first {
		return before
	}
	return between
}

// A Word is a rule of the whole grid, which is either on or off.
type Word struct {
	Name, Help string
	Houses     bool // the rule adds houses, and nothing else
	on         *bool
}

// AllWords lists the rules of the whole grid, whether they are on or off.
func (v *Variant) AllWords() []Word {
	return []Word{
		{"x", "both diagonals have every digit", true, &v.X},
		{"hyper", "the windows inside the boxes have every digit", true, &v.Hyper},
		{"disjoint", "cells at the same place of all boxes have every digit", true, &v.Disjoint},
		{"anti-knight", "cells a knight's move apart differ", false, &v.AntiKnight},
		{"anti-king", "cells a king's move apart differ", false, &v.AntiKing},
		{"non-consecutive", "cells that share a side are not consecutive, unless a difference or ratio is given", false, &v.NonConsecutive},
		{"all-ratios", "of cells that share a side none is twice the other, unless a difference or ratio is given", false, &v.AllRatios},
		{"all-sums", "cells that share a side do not add up to 5 or 10, unless a sum is given", false, &v.AllSums},
	}
}

// Words returns the rules of the whole grid that are on.
func (v Variant) Words() []Word {
	return slices.DeleteFunc(v.AllWords(), func(w Word) bool { return !*w.on })
}

// Notes describes the rules of the whole grid and the relations in words, one by one.
func (v Variant) Notes() (notes []string) {
	for _, w := range v.Words() {
		notes = append(notes, w.Help)
	}
	for _, r := range v.Relations {
		notes = append(notes, r.Text(v.Plan())+": "+r.Help())
	}
	return notes
}

// Set turns a rule of the whole grid on or off. It reports whether there is a rule of this name.
func (v *Variant) Set(name string, on bool) bool {
	for _, w := range v.AllWords() {
		if w.Name == name {
			*w.on = on
			return true
		}
	}
	return false
}

// ruleNames returns the words of the text of a variant that stand for rules.
func ruleNames() []string {
	names := []string{"boxes", "grids", "samurai", "regions", "cages"}
	for _, k := range RelationKinds {
		names = append(names, k.Name)
	}
	for _, w := range new(Variant).AllWords() {
		names = append(names, w.Name)
	}
	return names
}

// helpOf describes a rule in words.
func helpOf(name string) string {
	if k := kindOf(name); k != nil {
		return k.Help
	}
	words := new(Variant).AllWords()
	return words[slices.IndexFunc(words, func(w Word) bool { return w.Name == name })].Help
}

// ParseVariant parses the text that [Variant.String] writes. A size without
// further words is a Latin square.
func ParseVariant(text string) (Variant, error) {
	words := strings.Fields(text)
	var v Variant
	if len(words) == 0 {
		return v, errors.New("no size: want a variant such as 9 boxes 3x3")
	}
	var err error
	if v.Size, err = strconv.Atoi(words[0]); err != nil {
		return v, fmt.Errorf("invalid size %q", words[0])
	}
	for i := 1; i < len(words); i++ {
		argument := ""
		if slices.Contains([]string{"boxes", "grids", "regions", "cages"}, words[i]) || kindOf(words[i]) != nil {
			if i+1 == len(words) {
				return v, fmt.Errorf("no value after %q", words[i])
			}
			argument = words[i+1]
		}
		if err := v.parse(words[i], argument); err != nil {
			return v, err
		}
		if argument != "" {
			i++
		}
	}
	return v, v.check()
}

// parse parses one word with its argument.
func (v *Variant) parse(word, argument string) error {
	switch word {
	case "boxes":
		rows, columns, ok := strings.Cut(argument, "x")
		var err1, err2 error
		v.BoxRows, err1 = strconv.Atoi(rows)
		v.BoxCols, err2 = strconv.Atoi(columns)
		if !ok || err1 != nil || err2 != nil {
			return fmt.Errorf("invalid boxes %q: want rows by columns, such as 2x3", argument)
		}
		return nil
	case "grids", "samurai":
		if v.Grids != nil || len(v.Cages)+len(v.Relations) > 0 {
			return fmt.Errorf("%s must be given once, and before cells", word)
		}
		if word == "samurai" {
			return v.makeSamurai()
		}
		for name := range strings.SplitSeq(argument, ",") {
			corner, err := parsePlace(name)
			if err != nil {
				return err
			}
			v.Grids = append(v.Grids, corner)
		}
		return v.check()
	case "regions":
		v.Regions = []int{}
		for _, number := range strings.Split(argument, ",") {
			region, err := strconv.Atoi(number)
			if err != nil {
				return fmt.Errorf("invalid region %q: want a number", number)
			}
			v.Regions = append(v.Regions, region-1)
		}
		return nil
	case "cages":
		return v.parseSets(argument, -1, func(sum int, cells []int) { v.Cages = append(v.Cages, Cage{sum, cells}) })
	}
	if k := kindOf(word); k != nil {
		usual := 0
		if k.Usual != nil {
			usual = k.Usual(v.Size)
		}
		return v.parseSets(argument, usual, func(value int, cells []int) {
			v.Relations = append(v.Relations, Relation{word, value, cells})
		})
	}
	if !v.Set(word, true) {
		return fmt.Errorf("unknown rule %q: want %s", word, strings.Join(ruleNames(), ", "))
	}
	return nil
}

// parseSets parses sets of cells such as 15:R1C1+R1C2,8:R1C3 and calls use for each. The value usual
// stands for one that is not stated, unless it is -1.
func (v *Variant) parseSets(text string, usual int, use func(value int, cells []int)) error {
	if v.Size < 1 || v.Size > MaxSize {
		return v.check()
	}
	plan := v.Plan()
	for _, set := range strings.Split(text, ",") {
		value := usual
		number, list, stated := strings.Cut(set, ":")
		if n, err := strconv.Atoi(number); stated && err == nil && n >= 0 {
			value = n
		} else if stated || usual < 0 {
			return fmt.Errorf("invalid value %q: want a number and cells, such as 10:R1C1+R1C2", number)
		} else {
			list = set
		}
		var cells []int
		for _, name := range strings.Split(list, "+") {
			cell, err := plan.named(name)
			if err != nil {
				return err
			}
			cells = append(cells, cell)
		}
		use(value, cells)
	}
	return nil
}

// check returns an error if the variant is invalid.
func (v *Variant) check() error {
	n := v.Size
	switch {
	case n < 1 || n > MaxSize:
		return fmt.Errorf("invalid size %d: want 1 to %d", n, MaxSize)
	case (v.BoxRows != 0 || v.BoxCols != 0) && (v.BoxRows < 1 || n%v.BoxRows != 0 || v.BoxCols != n/v.BoxRows):
		return fmt.Errorf("invalid boxes %dx%d: a box has %d cells", v.BoxRows, v.BoxCols, n)
	case v.Hyper && (v.BoxRows != v.BoxCols || v.BoxRows < 2):
		return errors.New("hyper wants square boxes of at least 2x2, as in 9 boxes 3x3 hyper")
	case v.Disjoint && v.BoxRows < 1:
		return errors.New("disjoint wants boxes, as in 9 boxes 3x3 disjoint")
	case v.Regions != nil && v.BoxRows > 0:
		return errors.New("regions replace boxes: a variant cannot have both")
	}
	if err := v.checkRegions(); err != nil {
		return err
	}
	if err := v.checkGrids(); err != nil {
		return err
	}
	plan := v.Plan()
	for _, r := range v.Relations {
		if err := r.check(plan); err != nil {
			return err
		}
	}
	return v.checkCages(plan)
}

func (v *Variant) checkRegions() error {
	n := v.Size
	if v.Regions == nil {
		return nil
	}
	if len(v.Regions) != n*n {
		return fmt.Errorf("%d cells in the regions, want %d", len(v.Regions), n*n)
	}
	sizes := make([]int, n)
	for cell, region := range v.Regions {
		if region < 0 || region >= n {
			return fmt.Errorf("cell R%dC%d is in region %d: want 1 to %d", cell/n+1, cell%n+1, region+1, n)
		}
		sizes[region]++
	}
	for region, size := range sizes {
		if size != n {
			return fmt.Errorf("region %d has %d cells, want %d", region+1, size, n)
		}
	}
	return nil
}

func (v *Variant) checkCages(plan *Plan) error {
	n := v.Size
	caged := make(map[int]bool)
	for i, cage := range v.Cages {
		k := len(cage.Cells)
		if k < 1 || k > n {
			return fmt.Errorf("cage %d has %d cells: the digits of a cage differ, want 1 to %d cells", i+1, k, n)
		}
		for _, cell := range cage.Cells {
			switch {
			case cell < 0 || cell >= plan.Cells():
				return fmt.Errorf("cage %d has a cell outside the grid", i+1)
			case caged[cell]:
				return fmt.Errorf("cell %s is in two cages", plan.Name(cell))
			}
			caged[cell] = true
		}
		if low, high := k*(k+1)/2, k*(2*n-k+1)/2; cage.Sum < low || cage.Sum > high {
			return fmt.Errorf("cage %d: %d different digits add up to %d to %d, not %d", i+1, k, low, high, cage.Sum)
		}
	}
	return nil
}
