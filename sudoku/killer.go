package sudoku

import (
	"errors"

	"sator/dimacs"
)

// Encoding of cages. The digits of a cage differ and have a given sum, so the
// constraint concerns the set of digits alone. The encoding has a variable for
// each digit that is true if the cage contains the digit, and writes the sum
// over these variables.
//
// In general few sets of digits have the given size and sum (the combinations
// of killer Sudoku): at most 12 at size 9. Each combination has a variable that
// implies the digits of the set and excludes the others. A digit in the cage
// implies one of the combinations with it, and a missing digit one of the
// combinations without it. Unit propagation then finds every digit that is in
// all combinations still possible, or in no such combination.
//
// If there are more than maxCombinations, or if they are too hard to enumerate,
// the sum is written as a decision diagram instead (see diagram). It reads the
// digits in order; a node stands for the number of digits and the sum so far.
// This encoding has at most size * cells * sum nodes, and propagates less.

const (
	// maxCombinations is the largest number of combinations that are written.
	// Beyond this number the diagram is smaller as a rule: a combination needs a
	// clause per digit.
	maxCombinations = 256

	// maxAttempts limits the enumeration of combinations. If the digits have
	// gaps, for example if all are even, there may be hardly any combination
	// and exponentially many attempts.
	maxAttempts = 1 << 16
)

// A cageSum is the part of a cage that the givens leave: a set of digits with a
// given size and sum.
type cageSum struct {
	digits  []int        // the digits that the cage can contain, ascending
	present []dimacs.Lit // by digit: true if the cage contains it
	take    int          // number of digits in the cage
	total   int          // sum of these digits
}

// writeCage encodes a cage: its digits differ and have its sum.
func (b *builder) writeCage(c *Cage) {
	s := cageSum{total: c.Sum}
	var cells []int
	for _, cell := range c.Cells {
		if b.left != nil && b.left.Digit(cell) != 0 {
			s.total -= b.left.Digit(cell)
		} else {
			cells = append(cells, cell)
		}
	}
	if len(cells) == 0 {
		return
	}
	together := b.Rules.inOneHouse(cells)
	s.take = len(cells)
	for digit := 1; digit <= b.Rules.Size(); digit++ {
		if b.gatherDigit(cells, digit); len(b.group) == 0 {
			continue
		}
		if !together {
			b.notes.begin(cageDiffers)
			b.writeDifferent(len(b.Rules.houses))
		}
		b.notes.begin(cageHasDigit)
		s.digits = append(s.digits, digit)
		s.present = append(s.present, b.equivalentToOr())
	}
	b.notes.begin(cageHasSum)
	if sets, all := s.combinations(); all {
		b.writeCombinations(&s, sets)
	} else {
		b.writeSum(&s)
	}
}

// equivalentToOr returns a literal that is equivalent to the disjunction of the
// current group.
func (b *builder) equivalentToOr() dimacs.Lit {
	if len(b.group) == 1 {
		return b.group[0]
	}
	e := b.newLit()
	for _, l := range b.group {
		b.clause(l.Not(), e)
	}
	b.clause(append(b.group, e.Not())...)
	return e
}

// combinations returns the sets of digits with the given size and sum, as
// indices. The second result is false if there are too many or if the
// enumeration takes too long.
func (s *cageSum) combinations() (found [][]int, all bool) {
	var set []int
	steps := 0
	var extend func(from, take, total int)
	extend = func(from, take, total int) {
		steps++
		switch {
		case take == 0 && total == 0:
			found = append(found, append([]int(nil), set...))
			return
		case !s.feasible(from, take, total):
			return
		}
		for i := from; i < len(s.digits) && len(found) <= maxCombinations && steps < maxAttempts; i++ {
			set = append(set, i)
			extend(i+1, take-1, total-s.digits[i])
			set = set[:len(set)-1]
		}
	}
	extend(0, s.take, s.total)
	return found, len(found) <= maxCombinations && steps < maxAttempts
}

// feasible reports whether the total is between the smallest and the largest
// sum of take digits from index from on.
func (s *cageSum) feasible(from, take, total int) bool {
	rest := s.digits[from:]
	if take <= 0 || take > len(rest) {
		return take == 0 && total == 0
	}
	low, high := 0, 0
	for i := range take {
		low += rest[i]
		high += rest[len(rest)-1-i]
	}
	return low <= total && total <= high
}

// writeCombinations writes that the digits of a cage are one of the
// combinations.
func (b *builder) writeCombinations(s *cageSum, sets [][]int) {
	with, without := make([][]dimacs.Lit, len(s.digits)), make([][]dimacs.Lit, len(s.digits))
	chosen := b.newLits(len(sets))
	b.clause(chosen...)
	for i, set := range sets {
		for k, u := range s.present {
			if len(set) > 0 && set[0] == k {
				set = set[1:]
				with[k] = append(with[k], chosen[i])
				b.clause(chosen[i].Not(), u)
			} else {
				without[k] = append(without[k], chosen[i])
				b.clause(chosen[i].Not(), u.Not())
			}
		}
	}
	for k, u := range s.present {
		b.clause(append(with[k], u.Not())...)
		b.clause(append(without[k], u)...)
	}
}

// trueNode and falseNode are the terminal nodes of a diagram. No variable has
// these literals.
const (
	trueNode = noLit - 1 - iota
	falseNode
)

// writeSum writes that the digits of a cage have its sum, as a diagram that reads the digits in order:
// 1 for a missing one, 2 for one in the cage.
func (b *builder) writeSum(s *cageSum) {
	base := s.total + 1
	d, err := newDiagram(&Relation{}, part{
		cells: make([]int, len(s.digits)),
		step: func(i, state, digit int) int {
			taken, sum := state/base, state%base
			if digit == 2 {
				taken, sum = taken+1, sum+s.digits[i]
			}
			if !s.feasible(i+1, s.take-taken, s.total-sum) {
				return reject
			}
			return taken*base + sum
		},
	}, 2)
	switch {
	case errors.Is(err, errNoDigits):
		b.clause()
	case err != nil:
		b.err = errCageTooLarge
	default:
		b.writeDiagram(d, 2, func(i, digit int) dimacs.Lit {
			if digit == 2 {
				return s.present[i]
			}
			return s.present[i].Not()
		})
	}
}
