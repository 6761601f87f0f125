package sudoku

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// The text form of a variant is one line. A formula contains it in its
// comments, so that a model can be decoded without the puzzle:
//
//	9 boxes 3x3 x hyper anti-knight
//	9 regions 1,1,1,2,2,2,3,3,3,...
//	9 boxes 3x3 cages 15:R1C1+R1C2,8:R1C3
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
	for i, region := range v.Regions {
		b.WriteString(separator(i, " regions ", ","))
		fmt.Fprint(&b, region+1)
	}
	for _, word := range v.words() {
		if *word.on {
			b.WriteString(" " + word.name)
		}
	}
	for i, cage := range v.Cages {
		b.WriteString(separator(i, " cages ", ","))
		fmt.Fprintf(&b, "%d", cage.Sum)
		for k, cell := range cage.Cells {
			fmt.Fprintf(&b, "%sR%dC%d", separator(k, ":", "+"), cell/v.Size+1, cell%v.Size+1)
		}
	}
	return b.String()
}

// String returns the text of the variant, see [Variant.String]. Rules are equal
// if their texts are equal.
func (r *Rules) String() string { return r.variant.String() }

func separator(i int, first, next string) string {
	if i == 0 {
		return first
	}
	return next
}

// words lists the rules that are either on or off.
func (v *Variant) words() []struct {
	name string
	on   *bool
} {
	return []struct {
		name string
		on   *bool
	}{{"x", &v.X}, {"hyper", &v.Hyper}, {"anti-knight", &v.AntiKnight}}
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
		switch words[i] {
		case "boxes", "regions", "cages":
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
		return v.parseCages(argument)
	}
	for _, w := range v.words() {
		if w.name == word {
			*w.on = true
			return nil
		}
	}
	return fmt.Errorf("unknown rule %q: want boxes, regions, cages, x, hyper or anti-knight", word)
}

func (v *Variant) parseCages(text string) error {
	if v.Size < 1 || v.Size > MaxSize {
		return v.check()
	}
	names := Rules{variant: *v}
	for _, cage := range strings.Split(text, ",") {
		sum, cells, _ := strings.Cut(cage, ":")
		n, err := strconv.Atoi(sum)
		if err != nil {
			return fmt.Errorf("invalid sum of a cage %q", sum)
		}
		c := Cage{Sum: n}
		for _, name := range strings.Split(cells, "+") {
			cell, err := names.Cell(name)
			if err != nil {
				return err
			}
			c.Cells = append(c.Cells, cell)
		}
		v.Cages = append(v.Cages, c)
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
	case v.Regions != nil && v.BoxRows > 0:
		return errors.New("regions replace boxes: a variant cannot have both")
	}
	if err := v.checkRegions(); err != nil {
		return err
	}
	return v.checkCages()
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

func (v *Variant) checkCages() error {
	n := v.Size
	caged := make(map[int]bool)
	for i, cage := range v.Cages {
		k := len(cage.Cells)
		if k < 1 || k > n {
			return fmt.Errorf("cage %d has %d cells: the digits of a cage differ, want 1 to %d cells", i+1, k, n)
		}
		for _, cell := range cage.Cells {
			switch {
			case cell < 0 || cell >= n*n:
				return fmt.Errorf("cage %d has a cell outside the grid", i+1)
			case caged[cell]:
				return fmt.Errorf("cell R%dC%d is in two cages", cell/n+1, cell%n+1)
			}
			caged[cell] = true
		}
		if low, high := k*(k+1)/2, k*(2*n-k+1)/2; cage.Sum < low || cage.Sum > high {
			return fmt.Errorf("cage %d: %d different digits add up to %d to %d, not %d", i+1, k, low, high, cage.Sum)
		}
	}
	return nil
}
