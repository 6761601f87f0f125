package text

import (
	"fmt"
	"slices"
	"strconv"

	"sator/sudoku"
)

// appendGame writes a grid as a game id.
func appendGame(b []byte, g *sudoku.Grid) ([]byte, error) {
	v := g.Rules.Variant()
	switch {
	case beyond(v, "x", "cages") != "":
		return nil, fmt.Errorf("game ids cannot express the rule %s", beyond(v, "x", "cages"))
	case v.Regions == nil && (v.BoxRows < 2 || v.BoxCols < 2):
		return nil, fmt.Errorf("game ids require boxes of at least two rows and columns, or regions")
	case v.Regions != nil:
		b = append(strconv.AppendInt(b, int64(v.Size), 10), 'j')
	default:
		b = append(strconv.AppendInt(b, int64(v.BoxRows), 10), 'x')
		b = strconv.AppendInt(b, int64(v.BoxCols), 10)
	}
	if v.X {
		b = append(b, 'x')
	}
	if len(v.Cages) > 0 {
		b = append(b, 'k')
	}
	b = appendNumbers(append(b, ':'), g.Cells)
	if v.Regions != nil {
		if !areConnected(v.Size, v.Regions) {
			return nil, fmt.Errorf("game ids require connected regions")
		}
		b = appendWalls(append(b, ','), v.Size, v.Regions)
	}
	if len(v.Cages) == 0 {
		return b, nil
	}
	cages, sums := cageTable(v)
	if !areConnected(v.Size, cages) {
		return nil, fmt.Errorf("game ids require connected cages")
	}
	return appendNumbers(append(appendWalls(append(b, ','), v.Size, cages), ','), sums), nil
}

// cageTable returns two tables by cell. cages has the number of the cage, a
// unique number for a cell without a cage. sums has the sum of a cage at its
// first cell, else 0.
func cageTable(v sudoku.Variant) (cages, sums []int) {
	cages, sums = make([]int, v.Size*v.Size), make([]int, v.Size*v.Size)
	for cell := range cages {
		cages[cell] = len(v.Cages) + cell
	}
	for i, cage := range v.Cages {
		for _, cell := range cage.Cells {
			cages[cell] = i
		}
		sums[cage.Cells[0]] = cage.Sum
	}
	return cages, sums
}

// appendNumbers writes numbers and runs of blanks.
func appendNumbers(b []byte, cells []int) []byte {
	run := 0
	for i, digit := range append(cells[:len(cells):len(cells)], 0) {
		if digit == 0 && i < len(cells) {
			if run++; run == 26 {
				b, run = append(b, 'z'), 0
			}
			continue
		}
		if run > 0 {
			b, run = append(b, byte('a'+run-1)), 0
		} else if i > 0 && i < len(cells) && cells[i-1] > 0 {
			b = append(b, '_')
		}
		if digit > 0 {
			b = strconv.AppendInt(b, int64(digit), 10)
		}
	}
	return b
}

// appendWalls writes the walls between regions.
func appendWalls(b []byte, n int, regions []int) []byte {
	run := 0
	for i := range 2*n*(n-1) + 1 {
		if i < 2*n*(n-1) {
			if x, y := edge(n, i); regions[x] == regions[y] {
				run++
				continue
			}
		}
		for ; run > 25; run -= 25 {
			b = append(b, 'z')
		}
		if run == 0 {
			b = append(b, '_')
		} else {
			b = append(b, byte('a'+run-1))
		}
		run = 0
	}
	return b
}

// areConnected reports whether each region is connected.
func areConnected(n int, regions []int) bool {
	p := newCellSets(n * n)
	for i := range 2 * n * (n - 1) {
		if a, b := edge(n, i); regions[a] == regions[b] {
			p.join(a, b)
		}
	}
	first := make(map[int]int)
	for cell, region := range regions {
		if f, ok := first[region]; ok && f != p.first(cell) {
			return false
		}
		first[region] = p.first(cell)
	}
	return true
}

// beyond returns the name of a rule, other than boxes and regions, that is not among the known ones, or "".
func beyond(v sudoku.Variant, known ...string) string {
	var names []string
	for _, w := range v.Words() {
		names = append(names, w.Name)
	}
	for _, r := range v.Relations {
		names = append(names, r.Kind)
	}
	if len(v.Cages) > 0 {
		names = append(names, "cages")
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return name
		}
	}
	return ""
}
