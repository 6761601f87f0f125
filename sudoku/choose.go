package sudoku

import "math/bits"

// manyChoices is how many groups Choose weighs. Beyond the first few it does not
// find better ones fast enough to pay.
const manyChoices = 8

// Choose returns a candidate to branch on, -1 if every group has one candidate
// left. It is of a group with fewest candidates left; among the first of these,
// cells before digits in houses, of one whose candidates have most others in
// their own groups. The choice depends on nothing but the candidates left.
func (c *Candidates) Choose() int {
	least := c.least()
	best, weight, weighed := -1, uint32(0), 0
	for g, group := range c.groups {
		if group>>countShift != least {
			continue
		}
		if candidate, w := c.weigh(g); w > weight {
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

// weigh returns how many candidates are left in the groups of those of a group,
// and the last of these.
func (c *Candidates) weigh(group int) (candidate int, weight uint32) {
	l := c.layout
	if group < l.cells {
		for d := range l.size {
			if c.has(group, d) {
				candidate, weight = group*l.size+d, weight+c.around(group, d)
			}
		}
		return candidate, weight
	}
	h, d := c.rules.house(group)
	alive := c.alive[d*l.words : (d+1)*l.words]
	for _, s := range l.spans[l.first[h]:l.first[h+1]] {
		for set := alive[s.word] & s.cells; set != 0; set &= set - 1 {
			cell := 64*int(s.word) + bits.TrailingZeros64(set)
			candidate, weight = cell*l.size+d, weight+c.around(cell, d)
		}
	}
	return candidate, weight
}

// around returns how many candidates are left in the groups of one.
func (c *Candidates) around(cell, d int) uint32 {
	l := c.layout
	weight := c.groups[cell] >> countShift
	for _, base := range l.bases[l.start[cell]:l.start[cell+1]] {
		weight += c.groups[int(base)+d] >> countShift
	}
	return weight
}
