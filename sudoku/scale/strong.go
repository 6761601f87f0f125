package scale

import "slices"

// Strong links of a digit. If the places of a digit in a house are two groups, and no cell of the one has
// the digit, a cell of the other has. A group is a cell, or several cells that share two houses. Links form
// a path if the second group of each link lies in a house with the first group of the next link: not
// both groups have the digit. So the first or the last group of the path has it, and no cell that sees all
// cells of these two groups. If the first and the last group lie in a house as well, the path is a loop: the same
// holds for each two groups that lie in a house.
//
// Paths of two links are skyscrapers, two-string kites, turbot fish, and, with groups of several cells,
// empty rectangles.

// A strongLink links two groups of cells.
type strongLink struct {
	house   int
	cells   cellSet // of both groups
	ends    [2]group
	grouped bool // a group has several cells
}

// A group has cells of a house.
type group struct {
	houses uint32  // the houses that all of its cells lie in
	sees   cellSet // the cells that see all of its cells
}

// The thirds of a house: the rows and columns of a box, the boxes of a line.
var (
	inRow    = [3]uint16{0o7, 0o70, 0o700}
	inColumn = [3]uint16{0o111, 0o222, 0o444}
)

// halves returns the members of a set in two of its thirds, if it has none in the other.
func halves(set uint16, thirds *[3]uint16) (x, y uint16) {
	for i, third := range thirds {
		if set&third == 0 {
			return set & thirds[(i+1)%3], set & thirds[(i+2)%3]
		}
	}
	return 0, 0
}

// strongLinks appends the links of a digit in a house.
func (b *board) strongLinks(list []strongLink, digit, house int) []strongLink {
	spots := b.spots[house][digit]
	add := func(x, y uint16) {
		if x != 0 && y != 0 {
			l := strongLink{house: house, grouped: count(spots) > 2}
			l.ends = [2]group{l.group(x), l.group(y)}
			list = append(list, l)
		}
	}
	switch {
	case count(spots) < 2 || count(spots) > 6:
	case house >= rows && count(spots) == 2:
		add(spots&-spots, spots&(spots-1))
	case house >= rows:
		add(halves(spots, &inRow))
	default:
		if x, y, ok := cross(spots); ok {
			add(x, y)
		} else {
			add(halves(spots, &inRow))
			add(halves(spots, &inColumn))
		}
	}
	return list
}

// cross returns the places in a column and those in a row of a box, if there are no others. The place
// in both goes to each group of several cells, but to one if there is no such group.
func cross(spots uint16) (x, y uint16, ok bool) {
	for i := range 9 {
		heart := uint16(1) << i
		x, y = spots&inColumn[i%3]&^heart, spots&inRow[i/3]&^heart
		if spots&^(x|y|heart) != 0 {
			continue
		}
		heart &= spots
		if one := count(y) == 1; !one && count(x) > 1 {
			x, y = x|heart, y|heart
		} else if one {
			x |= heart
		} else {
			y |= heart
		}
		return x, y, true
	}
	return 0, 0, false
}

// group returns the group of cells at places, and adds the cells to the link.
func (l *strongLink) group(places uint16) group {
	g := group{houses: 1<<27 - 1, sees: cellSet{^uint64(0), ^uint64(0)}}
	for place, cell := range houses[l.house] {
		if places>>place&1 != 0 {
			l.cells.add(cell)
			g.sees = g.sees.and(seen[cell])
			var in uint32
			for _, house := range houseOf[cell] {
				in |= 1 << house
			}
			g.houses &= in
		}
	}
	return g
}

// An easiest is the step of the lowest rating that a technique has found, and the one with the most eliminations
// among these.
type easiest struct{ step }

// offer keeps a step that eliminates candidates if it is easier.
func (e *easiest) offer(s step) {
	if len(s.off) > 0 && (e.name == "" || s.rating < e.rating || s.rating == e.rating && len(s.off) > len(e.off)) {
		e.step = s
	}
}

// yield yields the step, if there is one.
func (e *easiest) yield(yield func(*step) bool) {
	if e.name != "" {
		yield(&e.step)
	}
}

// A linkPath is a path of links, each with the end that comes first.
type linkPath struct {
	with   [9]cellSet // by digit: the cells that can have it
	digit  int
	links  []strongLink
	path   []int
	firsts []int
	cells  cellSet // of its links
	easiest
}

// strongLinks finds paths of n links.
func strongLinks(n int) finder {
	return func(b *board, yield func(*step) bool) {
		p := linkPath{with: b.cellsWith()}
		for p.digit = range 9 {
			p.links = p.links[:0]
			for _, first := range [3]int{boxes, rows, columns} {
				for house := first; house < first+9; house++ {
					p.links = b.strongLinks(p.links, p.digit, house)
				}
			}
			p.extend(n)
		}
		p.yield(yield)
	}
}

// at returns the first or, if last is 1, the second group of the link at an index of the path.
func (p *linkPath) at(i, last int) *group { return &p.links[p.path[i]].ends[p.firsts[i]^last] }

// extend adds n links to the path in all ways. Links of a path have no cell in common.
func (p *linkPath) extend(n int) {
	if n == 0 {
		p.conclude()
		return
	}
	for i := range p.links {
		l := &p.links[i]
		if p.cells.and(l.cells) != (cellSet{}) {
			continue
		}
		for first, g := range l.ends {
			if len(p.path) > 0 && g.houses&p.at(len(p.path)-1, 1).houses == 0 {
				continue
			}
			before := p.cells
			p.cells = before.or(l.cells)
			p.path, p.firsts = append(p.path, i), append(p.firsts, first)
			p.extend(n - 1)
			p.path, p.firsts = p.path[:len(p.path)-1], p.firsts[:len(p.firsts)-1]
			p.cells = before
		}
	}
}

// conclude offers the step of the path: once for both directions, and once for all links that a loop may begin
// with.
func (p *linkPath) conclude() {
	last := len(p.path) - 1
	loop := p.at(0, 0).houses&p.at(last, 1).houses != 0
	if p.path[0] > p.path[last] || loop && (p.firsts[0] != 0 || p.path[0] > slices.Min(p.path)) {
		return
	}
	victims := p.at(0, 0).sees.and(p.at(last, 1).sees)
	for i := 1; loop && i <= last; i++ {
		victims = victims.or(p.at(i-1, 1).sees.and(p.at(i, 0).sees))
	}
	s := step{name: linkNames[len(p.path)], rating: p.rating(), placed: -1}
	for cell := range victims.and(p.with[p.digit]).all() {
		s.off = append(s.off, candidate(9*cell+p.digit))
	}
	p.offer(s)
}

var linkNames = [5]string{2: "two strong links", 3: "three strong links", 4: "four strong links"}

// rating returns the rating of the path: by its number of links, and more for groups of several cells or
// houses of several kinds.
func (p *linkPath) rating() float64 {
	grouped := false
	var has [3]bool
	for _, i := range p.path {
		grouped = grouped || p.links[i].grouped
		has[p.links[i].house/9] = true
	}
	rating := [5]float64{2: 4.0, 3: 5.4, 4: 5.8}[len(p.path)]
	switch mixed := has[1] && has[2]; {
	case grouped:
		return rating + 0.3
	case has[0] && mixed:
		return rating + 0.2
	case has[0] || mixed:
		return rating + 0.1
	}
	return rating
}
