package generate

import (
	"fmt"
	"slices"
	"strings"

	"sator/sudoku"
)

// A Symmetry is a subgroup of the dihedral group of the square, the group of its
// rotations and reflections. A pattern of givens has the symmetry if each motion of
// the group maps givens to givens. [Symmetries] has all ten subgroups.
type Symmetry struct {
	Name       string
	Help       string
	generators []motion
}

// A motion maps a place to another one: it exchanges row and column, and then counts rows, columns
// or both from the other end.
type motion struct{ transpose, rows, cols bool }

var (
	half          = motion{false, true, true}
	quarter       = motion{true, false, true}
	upsideDown    = motion{false, true, false}
	leftToRight   = motion{false, false, true}
	transpose     = motion{true, false, false}
	antitranspose = motion{true, true, true}
)

// to returns the place that the motion maps a place to.
func (m motion) to(at sudoku.Place, p *sudoku.Plan) sudoku.Place {
	if m.transpose {
		at.Row, at.Col = at.Col, at.Row
	}
	if m.rows {
		at.Row = p.Rows - 1 - at.Row
	}
	if m.cols {
		at.Col = p.Cols - 1 - at.Col
	}
	return at
}

// Symmetries lists all symmetries. The first one is the trivial group, "none".
var Symmetries = []*Symmetry{
	{"none", "no symmetry", nil},
	{"rotate180", "half a turn", []motion{half}},
	{"rotate90", "a quarter of a turn", []motion{quarter}},
	{"horizontal", "a mirror between upper and lower half", []motion{upsideDown}},
	{"vertical", "a mirror between left and right half", []motion{leftToRight}},
	{"both", "both these mirrors", []motion{upsideDown, leftToRight}},
	{"diagonal", "a mirror from the top left corner to the bottom right one", []motion{transpose}},
	{"antidiagonal", "a mirror from the top right corner to the bottom left one", []motion{antitranspose}},
	{"diagonals", "both these mirrors", []motion{transpose, antitranspose}},
	{"full", "all mirrors and turns", []motion{quarter, transpose}},
}

// ParseSymmetry returns the symmetry with a name.
func ParseSymmetry(name string) (*Symmetry, error) {
	var names []string
	for _, s := range Symmetries {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return nil, fmt.Errorf("there is no symmetry %q; there are %s", name, strings.Join(names, ", "))
}

// orbits returns the orbits of the cells of a grid: the sets of cells that the
// motions map to each other. A pattern is symmetric if it has all or no cells of
// each orbit. The orbits are ordered by their first cells, and the cells of each
// orbit are ascending. It returns an error if a motion leads out of several grids.
func (s *Symmetry) orbits(p *sudoku.Plan) (orbits [][]int, err error) {
	seen := make([]bool, p.Cells())
	for cell := range seen {
		if !seen[cell] {
			orbit := s.orbit(cell, p, seen)
			if orbit == nil {
				return nil, fmt.Errorf("the grids lack the symmetry %s", s.Name)
			}
			orbits = append(orbits, orbit)
		}
	}
	return orbits, nil
}

// orbit returns the orbit of a cell, or nil if a motion leads out of the grids.
func (s *Symmetry) orbit(cell int, p *sudoku.Plan, seen []bool) []int {
	orbit := []int{cell}
	seen[cell] = true
	for i := 0; i < len(orbit); i++ {
		for _, move := range s.generators {
			at := move.to(p.Place(orbit[i]), p)
			switch to := p.Cell(at.Row, at.Col); {
			case to < 0:
				return nil
			case !seen[to]:
				seen[to] = true
				orbit = append(orbit, to)
			}
		}
	}
	slices.Sort(orbit)
	return orbit
}
