package generate

import (
	"fmt"
	"slices"
	"strings"
)

// A Symmetry is a subgroup of the dihedral group of the square, the group of its
// rotations and reflections. A pattern of givens has the symmetry if each motion of
// the group maps givens to givens. [Symmetries] has all ten subgroups.
type Symmetry struct {
	Name       string
	Help       string
	generators []motion
}

// A motion maps a cell of a grid to another cell. The grid has rows and columns 0 to
// m.
type motion func(row, col, m int) (int, int)

func half(row, col, m int) (int, int)          { return m - row, m - col }
func quarter(row, col, m int) (int, int)       { return col, m - row }
func upsideDown(row, col, m int) (int, int)    { return m - row, col }
func leftToRight(row, col, m int) (int, int)   { return row, m - col }
func transpose(row, col, _ int) (int, int)     { return col, row }
func antitranspose(row, col, m int) (int, int) { return m - col, m - row }

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
// orbit are ascending.
func (s *Symmetry) orbits(size int) [][]int {
	var orbits [][]int
	seen := make([]bool, size*size)
	for cell := range seen {
		if !seen[cell] {
			orbits = append(orbits, s.orbit(cell, size, seen))
		}
	}
	return orbits
}

// orbit returns the orbit of a cell.
func (s *Symmetry) orbit(cell, size int, seen []bool) []int {
	orbit := []int{cell}
	seen[cell] = true
	for i := 0; i < len(orbit); i++ {
		for _, move := range s.generators {
			row, col := move(orbit[i]/size, orbit[i]%size, size-1)
			if to := row*size + col; !seen[to] {
				seen[to] = true
				orbit = append(orbit, to)
			}
		}
	}
	slices.Sort(orbit)
	return orbit
}
