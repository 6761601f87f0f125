package technique

import (
	"fmt"
	"slices"
)

// Coloring. Links between two candidates, exactly one of them true, form components. Within a component
// the candidates take two colors in turn: all of one color are true, all of the other false. Two
// candidates of a color that exclude each other make the color false (wrap). Otherwise a candidate
// that both colors exclude is false (trap).
//
// Simple coloring has one digit, and links between the two places of houses. Remote pairs have two
// digits, and links between cells that see each other and have both digits alone.

// A coloring is a component: by color the members, which are candidates or cells, and the groups of
// its links.
type coloring struct {
	members [2][]int
	groups  []int
}

// colorings returns the components of a graph with the given nodes. next returns the neighbors of a
// node, and the groups that link them. Components that need three colors have no members.
func colorings(nodes []int, next func(int) (neighbors, groups []int)) []coloring {
	color := make(map[int]int)
	var all []coloring
	for _, start := range nodes {
		if _, known := color[start]; known {
			continue
		}
		var c coloring
		color[start] = 0
		odd := false
		for queue := []int{start}; len(queue) > 0; queue = queue[1:] {
			node := queue[0]
			at := color[node]
			c.members[at] = append(c.members[at], node)
			neighbors, groups := next(node)
			for i, other := range neighbors {
				c.groups = append(c.groups, groups[i])
				if found, known := color[other]; !known {
					color[other] = 1 - at
					queue = append(queue, other)
				} else if found == at {
					odd = true
				}
			}
		}
		if !odd {
			slices.Sort(c.groups)
			c.groups = slices.Compact(c.groups)
			all = append(all, c)
		}
	}
	return all
}

// simpleColoring finds wraps and traps of one digit.
func simpleColoring(b *Board, use func(*Step) bool) {
	g := newGraph(b, xChain)
	var nodes []int
	for _, candidate := range g.open {
		if len(g.partners[candidate]) > 0 {
			nodes = append(nodes, candidate)
		}
	}
	all := colorings(nodes, func(node int) (neighbors, groups []int) {
		for _, p := range g.partners[node] {
			neighbors, groups = append(neighbors, p.candidate), append(groups, p.group)
		}
		return neighbors, groups
	})
	for _, c := range all {
		if !b.colorSteps(&c, use) {
			return
		}
	}
}

// colorSteps finds the step of a component of candidates.
func (b *Board) colorSteps(c *coloring, use func(*Step) bool) bool {
	s := &Step{Placed: -1, groups: c.groups, extras: slices.Concat(c.members[0], c.members[1])}
	slices.Sort(s.extras)
	for color, members := range c.members {
		if b.clash(members) {
			s.kind, s.Eliminated = color+1, slices.Clone(members)
			slices.Sort(s.Eliminated)
			return use(s)
		}
	}
	excluded := func(candidate int) bool {
		sees := func(m int) bool { return b.excludes(candidate, m) }
		return slices.ContainsFunc(c.members[0], sees) && slices.ContainsFunc(c.members[1], sees)
	}
	digit := s.extras[0] % b.size
	for cell := range b.digits {
		if candidate := cell*b.size + digit; b.holds(candidate) && !slices.Contains(s.extras, candidate) && excluded(candidate) {
			s.Eliminated = append(s.Eliminated, candidate)
		}
	}
	return len(s.Eliminated) == 0 || use(s)
}

// clash reports whether two of some candidates exclude each other.
func (b *Board) clash(candidates []int) bool {
	for i, x := range candidates {
		if slices.ContainsFunc(candidates[i+1:], func(y int) bool { return b.excludes(x, y) }) {
			return true
		}
	}
	return false
}

func coloringReason(b *Board, s *Step) string {
	if s.kind > 0 {
		return fmt.Sprintf("%s are all true or all false, and two of them exclude each other", b.candidateNames(s.Eliminated))
	}
	return fmt.Sprintf("links between two places split %s into two halves; one half is true, and each excludes it", b.candidateNames(s.extras))
}

// remotePairs finds cells with the same two digits that see each other in turn. A cell that sees two
// of them with different colors has neither digit.
func remotePairs(b *Board, use func(*Step) bool) {
	byPair := make(map[uint64][]int)
	var pairs []uint64
	for cell, set := range b.digits {
		if set&(set-1) != 0 && set&(set-1)&(set&(set-1)-1) == 0 {
			if byPair[set] == nil {
				pairs = append(pairs, set)
			}
			byPair[set] = append(byPair[set], cell)
		}
	}
	for _, set := range pairs {
		cells := byPair[set]
		all := colorings(cells, func(cell int) (neighbors, groups []int) {
			for _, other := range cells {
				if b.sees(cell, other) {
					neighbors, groups = append(neighbors, other), append(groups, cell)
				}
			}
			return neighbors, groups
		})
		for _, c := range all {
			if len(c.members[0])+len(c.members[1]) >= 4 && !b.remotePair(&c, set, use) {
				return
			}
		}
	}
}

// remotePair finds the step of a component of cells.
func (b *Board) remotePair(c *coloring, set uint64, use func(*Step) bool) bool {
	s := &Step{Placed: -1, groups: c.groups, cells: slices.Concat(c.members[0], c.members[1]), digits: digitsOf(set)}
	slices.Sort(s.cells)
	for cell, digits := range b.digits {
		sees := func(other int) bool { return b.sees(cell, other) }
		if digits&set != 0 && !slices.Contains(s.cells, cell) && slices.ContainsFunc(c.members[0], sees) && slices.ContainsFunc(c.members[1], sees) {
			s.Eliminated = append(s.Eliminated, b.candidatesIn([]int{cell}, set)...)
		}
	}
	return len(s.Eliminated) == 0 || use(s)
}

func remotePairReason(b *Board, s *Step) string {
	return fmt.Sprintf("%s take %s in turn, so a cell that sees two different ones has neither", b.cellNames(s.cells), digitNames(s.digits))
}
