package scale

import (
	"math/bits"
	"slices"

	"sator/sudoku/technique"
)

// Chains of implications between literals. A literal says that a candidate is true (on) or false (off).
// If a candidate is on, the other digits of its cell and its digit in the cells that it sees are off. If
// it is off, and its cell or one of its houses has one other candidate left, that one is on.
//
// With a search from one literal, chains are forcing chains or cycles, in this file. With searches from
// all digits of a cell, all places of a house or both literals of a candidate, see multiple.go. If a
// search is dynamic, candidates that are off leave the board, so that an implication can have several
// parents.

// A literal is 2*candidate, plus 1 if the candidate is off.
type literal int16

func on(c candidate) literal { return literal(2 * c) }

func off(c candidate) literal { return literal(2*c + 1) }

func (l literal) candidate() candidate { return candidate(l >> 1) }

func (l literal) isOff() bool { return l&1 != 0 }

// Causes of a literal: a kind of house, the cell, or no implication.
const (
	byCell   = 3
	byNone   = -1
	byNested = 4
)

// A node is a literal of a search with the nodes that imply it.
type node struct {
	literal
	cause  int8
	nested int32 // the step within the chain that implies it, an index into chainer.nested, or 0
	first  int32 // its only parent, or the first of several in chainer.parents
	count  int32 // the number of its parents
}

// A nestedChain is a chain within a chain.
type nestedChain struct {
	id         int // equal for equal chains
	complexity int
}

// A reached set has the literals of one polarity that a search reached, in order.
type reached struct {
	at   [729]int32 // by candidate: its node plus 1, or 0
	list []candidate
}

func (r *reached) add(c candidate, n int32) {
	r.at[c] = n + 1
	r.list = append(r.list, c)
}

func (r *reached) has(c candidate) bool { return r.at[c] != 0 }

// A chainKind selects the implications of a chain.
type chainKind struct {
	name         string  // of a chain or a cycle
	cells        bool    // within cells
	lines        bool    // within houses
	key          int     // the order among equally hard chains
	cycle, chain float64 // the rating of the shortest one
}

var chainKinds = [3]chainKind{
	{name: "X-", lines: true, key: 2, cycle: 6.5, chain: 6.6},
	{name: "XY-", cells: true, key: 3, cycle: 6.5, chain: 6.6},
	{name: "alternating inference ", cells: true, lines: true, key: 4, cycle: 7.0, chain: 7.0},
}

// A chain is a conclusion of a search.
type chain struct {
	step
	targets    []int32 // the nodes that it follows from
	house      int     // the kind of house if the chains start at the places of one, or -1
	cell       bool    // the digits of a cell start the chains
	complexity int
	key        int
}

// A chainer searches for chains of one sort.
type chainer struct {
	b        *board
	multiple bool // start from all digits of a cell and all places of a house
	dynamic  bool
	nishio   bool // contradictions with one digit
	level    int  // of dynamic chains: from 1 on they use patterns, from 2 on chains
	name     string

	nodes   []node
	parents []int32
	nested  []nestedChain
	ids     map[string]int // of nested chains, by their literals
	source  position       // the board before a dynamic search
	links   *links         // of a search from single literals
	free    []*reached
	chains  []chain
	inner   []*chainer
	rating  float64 // of the shortest chain

	stamp  [2 * 729]int32 // scratch of walk
	now    int32
	walked []int32
	key    []byte
}

// newNode appends a node with a parent, or without one if that is -1.
func (c *chainer) newNode(l literal, cause int8, parent int32) int32 {
	n := node{literal: l, cause: cause, first: parent}
	if parent >= 0 {
		n.count = 1
	}
	c.nodes = append(c.nodes, n)
	return int32(len(c.nodes) - 1)
}

// addParent adds a further parent to the last node.
func (c *chainer) addParent(n, parent int32) {
	at := &c.nodes[n]
	if at.count == 1 {
		c.parents = append(c.parents, at.first)
		at.first = int32(len(c.parents) - 1)
	}
	c.parents = append(c.parents, parent)
	at.count++
}

// parent returns the first parent of a node, or -1.
func (c *chainer) parent(n int32) int32 {
	if at := &c.nodes[n]; at.count < 2 {
		return at.first
	}
	return c.parents[c.nodes[n].first]
}

// take returns an empty set.
func (c *chainer) take() *reached {
	if n := len(c.free); n > 0 {
		r := c.free[n-1]
		c.free = c.free[:n-1]
		return r
	}
	return new(reached)
}

// give returns sets that are not needed any more.
func (c *chainer) give(sets ...*reached) {
	for _, r := range sets {
		for _, cand := range r.list {
			r.at[cand] = 0
		}
		r.list = r.list[:0]
		c.free = append(c.free, r)
	}
}

// search returns the chains of the board, easiest first. They are valid until the next search.
func (c *chainer) search() []chain {
	c.nodes, c.parents, c.nested, c.chains = c.nodes[:0], c.parents[:0], append(c.nested[:0], nestedChain{}), c.chains[:0]
	clear(c.ids)
	if c.multiple || c.dynamic {
		c.searchMultiple()
	} else {
		for i := range chainKinds {
			c.searchSingle(&chainKinds[i])
		}
	}
	slices.SortStableFunc(c.chains, func(a, b chain) int {
		switch {
		case a.rating < b.rating:
			return -1
		case a.rating > b.rating:
			return 1
		case a.complexity != b.complexity:
			return a.complexity - b.complexity
		}
		return a.key - b.key
	})
	return c.chains
}

// A link is a candidate that becomes on or off, and why.
type link struct {
	candidate
	cause int8
}

// links has the implications of a board. Chains go through candidates with a partner alone.
type links struct {
	partners [729][4]link // by candidate: it is off, so these are on
	count    [729]int8    // by candidate: the number of its partners
	excludes [729][]link  // by candidate: it is on, so these are off; only candidates with a partner
}

// set makes l the links of a board.
func (l *links) set(b *board, kind *chainKind) {
	l.count = [729]int8{}
	for cell, digits := range b.digits {
		for ; digits != 0; digits &= digits - 1 {
			cand := candidate(9*cell + bits.TrailingZeros16(digits))
			list, n := b.onOf(cand, kind.cells, kind.lines)
			for i, p := range list[:n] {
				if !slices.ContainsFunc(list[:i], func(q link) bool { return q.candidate == p.candidate }) {
					l.partners[cand][l.count[cand]] = p
					l.count[cand]++
				}
			}
		}
	}
	for cell, digits := range b.digits {
		for ; digits != 0; digits &= digits - 1 {
			cand := candidate(9*cell + bits.TrailingZeros16(digits))
			list := l.excludes[cand][:0]
			b.offOf(cand, kind.cells, func(other link) bool {
				if l.count[other.candidate] > 0 {
					list = append(list, other)
				}
				return true
			})
			l.excludes[cand] = list
		}
	}
}

// searchSingle finds chains and cycles from single literals.
func (c *chainer) searchSingle(kind *chainKind) {
	if c.links == nil {
		c.links = new(links)
	}
	c.links.set(c.b, kind)
	for cell, digits := range c.b.digits {
		if !c.b.open[cell] || count(digits) < 2 || count(digits) > 2 && !kind.lines {
			continue
		}
		if c.b.done() {
			return
		}
		for ; digits != 0; digits &= digits - 1 {
			start := candidate(9*cell + bits.TrailingZeros16(digits))
			c.cycles(kind, start)
			if kind.lines {
				c.forcing(kind, on(start))
				c.forcing(kind, off(start))
			}
		}
	}
}

// offOf calls use for the candidates that are off if one is on, until use returns false.
func (b *board) offOf(cand candidate, cells bool, use func(link) bool) {
	cell, digit := int(cand)/9, int(cand)%9
	if cells {
		for rest := b.digits[cell] &^ (1 << digit); rest != 0; rest &= rest - 1 {
			if !use(link{candidate(9*cell + bits.TrailingZeros16(rest)), byCell}) {
				return
			}
		}
	}
	for _, p := range &peers[cell] {
		if b.digits[p.cell]>>digit&1 != 0 && !use(link{candidate(9*p.cell + digit), p.kind}) {
			return
		}
	}
}

// onOf returns the candidates that are on if one is off, up to four, with repetitions.
func (b *board) onOf(cand candidate, cells, lines bool) (list [4]link, n int) {
	cell, digit := int(cand)/9, int(cand)%9
	if digits := b.digits[cell]; cells && count(digits) == 2 {
		list[0], n = link{candidate(9*cell + bits.TrailingZeros16(digits&^(1<<digit))), byCell}, 1
	}
	if lines {
		for kind, house := range houseOf[cell] {
			if spots := b.spots[house][digit]; count(spots) == 2 {
				other := houses[house][bits.TrailingZeros16(spots&^(1<<placeIn[cell][kind]))]
				list[n] = link{candidate(9*other + digit), int8(kind)}
				n++
			}
		}
	}
	return list, n
}

// follows reports whether a literal is among the first parents of a node.
func (c *chainer) follows(n int32, l literal) bool {
	for n = c.parent(n); n >= 0; n = c.parent(n) {
		if c.nodes[n].literal == l {
			return true
		}
	}
	return false
}

// cycles finds cycles through a candidate that is on: each link holds in both directions, so that one
// of any two neighbours is on.
func (c *chainer) cycles(kind *chainKind, start candidate) {
	reachedOn := c.take()
	defer c.give(reachedOn)
	reachedOn.add(start, c.newNode(on(start), byNone, -1))
	var found []int32
	for head, depth := 0, 1; head < len(reachedOn.list); depth++ {
		for end := len(reachedOn.list); head < end; head++ {
			cand := reachedOn.list[head]
			n := reachedOn.at[cand] - 1
			for _, other := range c.links.excludes[cand] {
				if c.follows(n, off(other.candidate)) {
					continue
				}
				mid := c.newNode(off(other.candidate), other.cause, n)
				for _, p := range c.links.partners[other.candidate][:c.links.count[other.candidate]] {
					if depth > 1 && p.candidate == start {
						found = append(found, c.newNode(on(start), p.cause, mid))
					}
					if !reachedOn.has(p.candidate) {
						reachedOn.add(p.candidate, c.newNode(on(p.candidate), p.cause, mid))
					}
				}
			}
		}
	}
	for _, last := range found {
		c.addCycle(kind, last)
	}
}

// addCycle adds a cycle: a candidate that sees an on and an off candidate of its digit is off.
func (c *chainer) addCycle(kind *chainKind, last int32) {
	var cells cellSet
	var forward, backward [729]bool
	for n := last; c.parent(n) >= 0; n = c.parent(n) {
		cells.add(int(c.nodes[n].candidate()) / 9)
	}
	ch := chain{step: step{name: kind.name + "cycle", rating: kind.cycle, placed: -1}, house: -1, key: kind.key}
	for n := last; c.parent(n) >= 0; n = c.parent(n) {
		cell, digit := int(c.nodes[n].candidate())/9, int(c.nodes[n].candidate())%9
		for _, p := range &peers[cell] {
			other := candidate(9*p.cell + digit)
			if cells.has(p.cell) || !c.b.has(other) {
				continue
			}
			if c.nodes[n].isOff() {
				backward[other] = true
			} else {
				forward[other] = true
			}
		}
	}
	for other := range candidate(729) {
		if forward[other] && backward[other] {
			ch.off = append(ch.off, other)
		}
	}
	if len(ch.off) == 0 {
		return
	}
	ch.targets = []int32{last}
	c.finish(&ch)
	ch.targets = append(ch.targets, c.reversed(last))
	c.chains = append(c.chains, ch)
}

// reversed returns the first node of a cycle in the other direction.
func (c *chainer) reversed(last int32) int32 {
	var path []int32
	for n := last; n >= 0; n = c.parent(n) {
		path = append(path, n)
	}
	next := int32(-1)
	for _, n := range path {
		next = c.newNode(c.nodes[n].literal^1, c.nodes[n].cause, next)
	}
	return next
}

// forcing finds a chain from a literal to its negation: the negation is true.
func (c *chainer) forcing(kind *chainKind, start literal) {
	sets := [2]*reached{c.take(), c.take()} // on and off
	defer c.give(sets[:]...)
	sets[start&1].add(start.candidate(), c.newNode(start, byNone, -1))
	for head := [2]int{}; head[0] < len(sets[0].list) || head[1] < len(sets[1].list); {
		for ; head[0] < len(sets[0].list); head[0]++ {
			cand := sets[0].list[head[0]]
			n := sets[0].at[cand] - 1
			if cause, ok := c.b.excludes(cand, start, kind.cells); ok {
				c.addForcing(kind, c.newNode(start^1, cause, n))
				return
			}
			for _, other := range c.links.excludes[cand] {
				if !sets[1].has(other.candidate) && !c.follows(n, off(other.candidate)) {
					sets[1].add(other.candidate, c.newNode(off(other.candidate), other.cause, n))
				}
			}
		}
		for ; head[1] < len(sets[1].list); head[1]++ {
			cand := sets[1].list[head[1]]
			n := sets[1].at[cand] - 1
			for _, p := range c.links.partners[cand][:c.links.count[cand]] {
				if off(p.candidate) == start {
					c.addForcing(kind, c.newNode(on(p.candidate), p.cause, n))
					return
				}
				if !sets[0].has(p.candidate) {
					sets[0].add(p.candidate, c.newNode(on(p.candidate), p.cause, n))
				}
			}
		}
	}
}

// excludes reports whether a candidate that is on contradicts the literal start, and why.
func (b *board) excludes(cand candidate, start literal, cells bool) (cause int8, ok bool) {
	if start.isOff() || start.candidate() == cand {
		return 0, false
	}
	from, to := int(cand)/9, int(start.candidate())/9
	if from == to {
		return byCell, cells
	}
	if cand%9 != start.candidate()%9 {
		return 0, false
	}
	for kind, house := range houseOf[from] {
		if houseOf[to][kind] == house {
			return int8(kind), true
		}
	}
	return 0, false
}

// addForcing adds a chain to the negation of its first literal.
func (c *chainer) addForcing(kind *chainKind, target int32) {
	ch := chain{step: step{name: kind.name + "chain", rating: kind.chain, placed: -1}, house: -1, key: kind.key, targets: []int32{target}}
	c.concludes(&ch, c.nodes[target].literal)
	c.finish(&ch)
	c.chains = append(c.chains, ch)
}

// concludes enters a literal as the conclusion of a chain.
func (c *chainer) concludes(ch *chain, l literal) {
	cand := l.candidate()
	if l.isOff() {
		ch.off = append(ch.off, cand)
		return
	}
	ch.placed = cand
	ch.off = addDigits(ch.off, int(cand)/9, c.b.digits[cand/9]&^(1<<(cand%9)))
}

// finish counts the literals of a chain, with the chains within it, and adds to the rating for their
// number, less two.
func (c *chainer) finish(ch *chain) {
	var ids []int
	for _, target := range ch.targets {
		walked := c.walk(target)
		ch.complexity += len(walked)
		for _, n := range walked {
			if nested := c.nodes[n].nested; nested != 0 && !slices.Contains(ids, c.nested[nested].id) {
				ids = append(ids, c.nested[nested].id)
				ch.complexity += c.nested[nested].complexity
			}
		}
	}
	added := 0.0 // added up as the program does, for the same order of equal ratings
	for range technique.LengthMore(ch.complexity - 2) {
		added += 0.1
	}
	ch.rating += added
}

// walk returns the nodes that a node follows from, with itself, nearest first; each literal once. The
// list is valid until the next walk.
func (c *chainer) walk(n int32) []int32 {
	c.now++
	c.walked = append(c.walked[:0], n)
	c.stamp[c.nodes[n].literal] = c.now
	for i := 0; i < len(c.walked); i++ {
		switch at := c.nodes[c.walked[i]]; {
		case at.count == 1:
			c.reach(at.first)
		case at.count > 1:
			for _, p := range c.parents[at.first : at.first+at.count] {
				c.reach(p)
			}
		}
	}
	return c.walked
}

// reach adds a node to the walk, unless its literal is there.
func (c *chainer) reach(n int32) {
	if l := c.nodes[n].literal; c.stamp[l] != c.now {
		c.stamp[l] = c.now
		c.walked = append(c.walked, n)
	}
}
