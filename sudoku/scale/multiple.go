package scale

import (
	"encoding/binary"
	"math/bits"
)

// Searches from several literals at once. A literal that follows from each digit of a cell,
// from each place of a digit in a house, or from a candidate on and off, is true. A literal that
// leads to a contradiction is false. Nishio chains are contradictions with one digit alone.

// searchMultiple finds the chains of all cells.
func (c *chainer) searchMultiple() {
	for cell, digits := range c.b.digits {
		size := count(digits)
		if !c.b.open[cell] || size < 2 || size == 2 && !c.dynamic {
			continue
		}
		if c.b.done() {
			return
		}
		var ons, offs []*reached
		for rest := digits; rest != 0; rest &= rest - 1 {
			start := candidate(9*cell + bits.TrailingZeros16(rest))
			toOn, toOff := c.take(), c.take()
			c.binary(start, toOn, toOff, size >= 3 && !c.nishio && c.dynamic)
			if !c.nishio {
				c.regions(start, toOn, toOff)
			}
			ons, offs = append(ons, toOn), append(offs, toOff)
		}
		if !c.nishio && (size == 2 || c.multiple) {
			c.agree(ons, on, chain{house: -1, cell: true, key: 5})
			c.agree(offs, off, chain{house: -1, cell: true, key: 5})
		}
		c.give(ons...)
		c.give(offs...)
	}
}

// binary searches from a candidate on and off. It adds contradictions if the search is dynamic, and,
// with reductions, the literals that follow from both.
func (c *chainer) binary(start candidate, toOn, toOff *reached, reductions bool) {
	offToOn, offToOff := c.take(), c.take()
	defer c.give(offToOn, offToOff)
	for _, from := range [2]struct {
		literal
		on, off *reached
	}{{on(start), toOn, toOff}, {off(start), offToOn, offToOff}} {
		x, y, contradiction := c.from(from.literal, from.on, from.off)
		if contradiction && c.dynamic {
			ch := chain{house: -1, key: 7, targets: []int32{x, y}}
			c.add(&ch, from.literal^1)
		}
	}
	if !reductions {
		return
	}
	both := func(a, b *reached, of func(candidate) literal) {
		for _, cand := range a.list {
			if b.has(cand) {
				ch := chain{house: -1, key: 1, targets: []int32{a.at[cand] - 1, b.at[cand] - 1}}
				c.add(&ch, of(cand))
			}
		}
	}
	both(toOn, offToOn, on)
	both(toOff, offToOff, off)
}

// regions searches from all places of a digit in the houses where a candidate is the first place. The
// sets of the candidate itself are known.
func (c *chainer) regions(start candidate, toOn, toOff *reached) {
	cell, digit := int(start)/9, int(start)%9
	for kind, house := range houseOf[cell] {
		spots := c.b.spots[house][digit]
		size := count(spots)
		if size < 2 || size > 2 && !c.multiple || bits.TrailingZeros16(spots) != placeIn[cell][kind] {
			continue
		}
		ons, offs := []*reached{toOn}, []*reached{toOff}
		for rest := spots & (spots - 1); rest != 0; rest &= rest - 1 {
			other := candidate(9*houses[house][bits.TrailingZeros16(rest)] + digit)
			otherOn, otherOff := c.take(), c.take()
			c.from(on(other), otherOn, otherOff)
			ons, offs = append(ons, otherOn), append(offs, otherOff)
		}
		c.agree(ons, on, chain{house: kind, key: 6})
		c.agree(offs, off, chain{house: kind, key: 6})
		c.give(ons[1:]...)
		c.give(offs[1:]...)
	}
}

// agree adds a chain for each candidate that all sets have.
func (c *chainer) agree(sets []*reached, of func(candidate) literal, like chain) {
candidates:
	for _, cand := range sets[0].list {
		for _, other := range sets[1:] {
			if !other.has(cand) {
				continue candidates
			}
		}
		ch := like
		for _, set := range sets {
			ch.targets = append(ch.targets, set.at[cand]-1)
		}
		c.add(&ch, of(cand))
	}
}

// add adds a chain with a conclusion, unless it changes nothing.
func (c *chainer) add(ch *chain, l literal) {
	ch.name, ch.rating, ch.placed = c.name, c.rating, -1
	if c.concludes(ch, l); len(ch.off) == 0 {
		return
	}
	c.finish(ch)
	c.chains = append(c.chains, *ch)
}

// from adds all that follows from a literal to sets, and returns two nodes that contradict
// each other, if there are any.
func (c *chainer) from(start literal, toOn, toOff *reached) (x, y int32, contradiction bool) {
	if c.dynamic {
		c.source = c.b.position
		defer func() { c.b.position = c.source }()
	}
	first := c.newNode(start, byNone, -1)
	if start.isOff() {
		toOff.add(start.candidate(), first)
	} else {
		toOn.add(start.candidate(), first)
	}
	for headOn, headOff := 0, 0; ; {
		switch {
		case headOn < len(toOn.list):
			cand := toOn.list[headOn]
			headOn++
			n := toOn.at[cand] - 1
			c.b.offOf(cand, !c.nishio, func(other link) bool {
				switch {
				case toOn.has(other.candidate):
					x, y, contradiction = toOn.at[other.candidate]-1, c.newNode(off(other.candidate), other.cause, n), true
					return false
				case !toOff.has(other.candidate):
					toOff.add(other.candidate, c.newNode(off(other.candidate), other.cause, n))
				}
				return true
			})
		case headOff < len(toOff.list):
			cand := toOff.list[headOff]
			headOff++
			x, y, contradiction = c.offImplies(cand, toOn, toOff)
		case c.level == 0 || !c.advance(toOff):
			return 0, 0, false
		}
		if contradiction {
			return x, y, true
		}
	}
}

// offImplies adds the literals that a candidate that is off implies, and takes it from the board if the search is
// dynamic.
func (c *chainer) offImplies(cand candidate, toOn, toOff *reached) (x, y int32, contradiction bool) {
	list, n := c.b.onOf(cand, !c.nishio, true)
	for _, other := range list[:n] {
		if toOn.has(other.candidate) {
			continue
		}
		single := c.newNode(on(other.candidate), other.cause, toOff.at[cand]-1)
		c.addHidden(single, toOff)
		if toOff.has(other.candidate) {
			return single, toOff.at[other.candidate] - 1, true
		}
		toOn.add(other.candidate, single)
	}
	if c.dynamic {
		c.b.remove(cand)
	}
	return 0, 0, false
}

// addHidden adds, as parents of a single, the candidates of its cell or house that left the board
// during the search.
func (c *chainer) addHidden(n int32, toOff *reached) {
	if !c.dynamic {
		return
	}
	c.b.removedFrom(&c.source, c.nodes[n].candidate(), c.nodes[n].cause, func(removed candidate) {
		c.addParent(n, toOff.at[removed]-1)
	})
}

// removedFrom calls use for the candidates that were in a source and have left the board: of the cell
// of a candidate, or of its digit in its house of a kind.
func (b *board) removedFrom(source *position, cand candidate, cause int8, use func(candidate)) {
	cell, digit := int(cand)/9, int(cand)%9
	if cause == byCell {
		for rest := source.digits[cell] &^ b.digits[cell]; rest != 0; rest &= rest - 1 {
			use(candidate(9*cell + bits.TrailingZeros16(rest)))
		}
		return
	}
	house := houseOf[cell][cause]
	for rest := source.spots[house][digit] &^ b.spots[house][digit]; rest != 0; rest &= rest - 1 {
		use(candidate(9*houses[house][bits.TrailingZeros16(rest)] + digit))
	}
}

// literals appends the literals of the chains to the targets of a chain: equal chains have equal ones.
func (c *chainer) literals(ch *chain, key []byte) []byte {
	for _, target := range ch.targets {
		key = binary.LittleEndian.AppendUint16(key, uint16(c.nodes[target].literal))
	}
	for _, target := range ch.targets {
		key = append(key, 0xff, 0xff)
		for _, n := range c.walk(target) {
			key = binary.LittleEndian.AppendUint16(key, uint16(c.nodes[n].literal))
		}
	}
	return key
}
