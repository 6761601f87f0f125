package scale

import "encoding/binary"

// Steps within dynamic chains. When a search comes to rest, it applies patterns, and at higher levels
// chains, to the board that it left. Their eliminations follow from the candidates that had to leave the
// board for them.

// newChainer returns the search of a level, with the searches that it uses within.
func newChainer(b *board, name string, multiple, dynamic, nishio bool, level int, rating float64) *chainer {
	c := &chainer{b: b, multiple: multiple, dynamic: dynamic, nishio: nishio, level: level, name: name, rating: rating, ids: make(map[string]int)}
	if level >= 2 && level < 4 {
		c.inner = append(c.inner, newChainer(b, "", false, false, false, 0, 0))
	}
	if level == 3 {
		c.inner = append(c.inner, newChainer(b, "", true, false, false, 0, 0))
	}
	if level >= 4 {
		c.inner = append(c.inner, newChainer(b, "", true, true, false, 0, 0))
	}
	if level >= 5 {
		c.inner = append(c.inner, newChainer(b, "", true, true, false, level-3, 0))
	}
	return c
}

// patternsWithin are the patterns that dynamic chains use.
var patternsWithin = [4]finder{locked, hiddenSets(2), nakedSets(2), fish(2)}

// advance adds the eliminations of the first technique that has new ones. It returns false if no
// technique has.
func (c *chainer) advance(toOff *reached) bool {
	before := len(toOff.list)
	applied := false
	for _, find := range patternsWithin {
		find(c.b, func(s *step) bool {
			applied = c.apply(s, toOff, s.premise, 0) || applied
			return true
		})
		if applied {
			return len(toOff.list) > before
		}
	}
	for _, inner := range c.inner {
		seen := make(map[string]bool)
		chains := inner.search()
		for i := range chains {
			ch := &chains[i]
			c.key = c.key[:0]
			for _, cand := range ch.off {
				c.key = binary.LittleEndian.AppendUint16(c.key, uint16(cand))
			}
			if seen[string(c.key)] {
				continue
			}
			seen[string(c.key)] = true
			applied = c.applyChain(inner, ch, toOff) || applied
		}
		if applied {
			return len(toOff.list) > before
		}
	}
	return false
}

// apply adds the eliminations of a step, if one of its premises has left the board during the search;
// otherwise the step has nothing to do with the search.
func (c *chainer) apply(s *step, toOff *reached, premise []candidate, nested int32) bool {
	var parents []int32
	for _, cand := range premise {
		if c.source.has(cand) && !c.b.has(cand) {
			parents = append(parents, toOff.at[cand]-1)
		}
	}
	if len(parents) == 0 {
		return false
	}
	for _, cand := range s.off {
		if !toOff.has(cand) {
			n := c.newNode(off(cand), byNested, parents[0])
			for _, p := range parents[1:] {
				c.addParent(n, p)
			}
			c.nodes[n].nested = nested
			toOff.add(cand, n)
		}
	}
	return true
}

// applyChain adds the eliminations of a chain of an inner search.
func (c *chainer) applyChain(inner *chainer, ch *chain, toOff *reached) bool {
	var premise []candidate
	has := make(map[candidate]bool)
	for _, target := range ch.targets {
		for _, n := range inner.walk(target) {
			cause := inner.nodes[n].cause
			if cause == byNone {
				switch {
				case ch.cell:
					cause = byCell
				case ch.house >= 0:
					cause = int8(ch.house)
				}
			}
			if inner.nodes[n].isOff() || cause == byNone {
				continue
			}
			c.b.removedFrom(&c.source, inner.nodes[n].candidate(), cause, func(removed candidate) {
				if !has[removed] {
					has[removed] = true
					premise = append(premise, removed)
				}
			})
		}
	}
	if len(premise) == 0 {
		return false
	}
	c.key = inner.literals(ch, c.key[:0])
	id, ok := c.ids[string(c.key)]
	if !ok {
		id = len(c.ids) + 1
		c.ids[string(c.key)] = id
	}
	c.nested = append(c.nested, nestedChain{id, ch.complexity})
	return c.apply(&ch.step, toOff, premise, int32(len(c.nested)-1))
}
