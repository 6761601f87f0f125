package sudoku

import "math/bits"

// A search that has to guess is best served by a group of two, since one of its
// candidates is true and each excludes the other; and among groups of two by one
// whose candidates strike many others, so that much follows either way. On
// top1465 this leaves 11.5 dead ends a puzzle, where the first group of two leaves
// 18.9. What did not help: the product of what both strike, or the smaller number,
// instead of the sum; to count what they make single.

// manyChoices is how many groups Choose weighs. To weigh all leaves 10.8 dead ends
// and takes a fifth longer.
const manyChoices = 12

// Choose returns a candidate to branch on, -1 if no group has more than one left.
// It is of a group with fewest candidates left; among the first dozen of these,
// cells before digits in houses, of one whose candidates would strike most others.
// The choice depends on nothing but the candidates left.
func (c *Candidates) Choose() int {
	least := c.least()
	best, weight, weighed := -1, uint32(0), 0
	for g, group := range c.groups {
		if group>>countShift != least {
			continue
		}
		if candidate, w := c.weigh(g); w >= weight {
			best, weight = candidate, w
		}
		if weighed++; weighed == manyChoices {
			break
		}
	}
	return best
}

// least returns the smallest number of candidates, above one, that a group has
// left; more than MaxSize if there is none.
func (c *Candidates) least() uint32 {
	least := uint32(MaxSize + 1)
	for _, group := range c.groups {
		if left := group >> countShift; left > 1 && left < least {
			if left == 2 {
				return 2
			}
			least = left
		}
	}
	return least
}

// weigh returns how many candidates those of a group would strike, in all, and
// the last of these.
func (c *Candidates) weigh(group int) (candidate int, weight uint32) {
	l := c.layout
	if group < l.cells {
		for d := range l.size {
			if c.has(group, d) {
				candidate, weight = group*l.size+d, weight+c.struck(group, d)
			}
		}
		return candidate, weight
	}
	h, d := c.rules.house(group)
	alive := c.alive[d*l.words : (d+1)*l.words]
	for _, s := range l.spans[l.first[h]:l.first[h+1]] {
		for set := alive[s.word] & s.cells; set != 0; set &= set - 1 {
			cell := 64*int(s.word) + bits.TrailingZeros64(set)
			candidate, weight = cell*l.size+d, weight+c.struck(cell, d)
		}
	}
	return candidate, weight
}

// struck returns how many candidates one would strike. Where sets of peers are
// not kept it counts those in two houses twice.
func (c *Candidates) struck(cell, d int) uint32 {
	l := c.layout
	n := c.groups[cell] >> countShift
	if l.peers == nil {
		for _, base := range l.bases[l.start[cell]:l.start[cell+1]] {
			n += c.groups[int(base)+d] >> countShift
		}
		return n
	}
	alive := c.alive[d*l.words : (d+1)*l.words]
	for w, peers := range l.peers[cell*l.words : (cell+1)*l.words] {
		n += uint32(bits.OnesCount64(alive[w] & peers))
	}
	return n
}
