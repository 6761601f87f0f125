package sudoku

import "sator/dimacs"

// The digits of a cage differ and have a given sum, which is a condition on the
// set of digits alone. So there is a variable for each digit that says whether
// the cage has it, and the sum is written over these.
//
// There are few sets of so many digits with that sum as a rule: at most 12 at
// size 9. Each gets a variable, and says which digits the cage has and which it
// does not; a digit needs one of the sets that have it, and a missing digit one
// of those that do not. Unit propagation then finds every digit that is in all
// of the sets still possible, or in none of them.
//
// Where there are more than maxSets, or where it takes too long to tell, they are
// not listed: a decision diagram
// takes the digits in order, and its nodes are what is left to be reached, so
// many digits with such a sum. This is sound and complete too, for no more than
// size * cells * sum nodes, but propagates from the front alone.

const (
	// maxSets is the number of sets from which a diagram is the smaller one: a
	// set takes a clause for each digit, a node two.
	maxSets = 256

	// maxSteps is how long sets are looked for. Where the digits have gaps, as
	// all even ones, there may be hardly any set and no end of attempts.
	maxSteps = 1 << 16

	// maxNodes is how large a diagram may become.
	maxNodes = 1 << 18
)

// A sum is what remains to be written of a cage.
type sum struct {
	digits []int        // that the cage can have, ascending
	used   []dimacs.Lit // whether it has them
	take   int          // how many it has
	total  int          // what they add up to
}

// cage writes that the digits of a cage differ and have its sum.
func (b *builder) cage(c *Cage) {
	s := sum{total: c.Sum}
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
	together := b.Rules.inHouse(cells)
	s.take = len(cells)
	for digit := 1; digit <= b.Rules.Size(); digit++ {
		if b.digit(cells, digit); len(b.lits) == 0 {
			continue
		}
		if !together {
			b.different(len(b.Rules.houses))
		}
		s.digits = append(s.digits, digit)
		s.used = append(s.used, b.either())
	}
	if sets, all := s.sets(); all {
		b.sets(&s, sets)
	} else {
		b.diagram(&s)
	}
}

// either returns a literal that is true if and only if one of the group is.
func (b *builder) either() dimacs.Lit {
	if len(b.lits) == 1 {
		return b.lits[0]
	}
	e := b.fresh()
	for _, l := range b.lits {
		b.clause(l.Not(), e)
	}
	b.clause(append(b.lits, e.Not())...)
	return e
}

// sets returns the sets of digits with that sum, as indices, unless they are too
// many or too hard to find.
func (s *sum) sets() (found [][]int, all bool) {
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
		for i := from; i < len(s.digits) && len(found) <= maxSets && steps < maxSteps; i++ {
			set = append(set, i)
			extend(i+1, take-1, total-s.digits[i])
			set = set[:len(set)-1]
		}
	}
	extend(0, s.take, s.total)
	return found, len(found) <= maxSets && steps < maxSteps
}

// feasible reports whether the total lies between those of the least and of the
// greatest digits from one on, so many being taken.
func (s *sum) feasible(from, take, total int) bool {
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

// sets writes that the digits of a cage are one of the sets.
func (b *builder) sets(s *sum, sets [][]int) {
	with, without := make([][]dimacs.Lit, len(s.digits)), make([][]dimacs.Lit, len(s.digits))
	chosen := b.freshes(len(sets))
	b.clause(chosen...)
	for i, set := range sets {
		for k, u := range s.used {
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
	for k, u := range s.used {
		b.clause(append(with[k], u.Not())...)
		b.clause(append(without[k], u)...)
	}
}

// The ends of a diagram: literals that no variable has.
const (
	reached = noLit - 1 - iota
	missed
)

// A diagram has the nodes written so far.
type diagram struct {
	*builder
	*sum
	nodes map[[3]int]dimacs.Lit
}

// diagram writes that the digits of a cage have its sum.
func (b *builder) diagram(s *sum) {
	d := diagram{b, s, make(map[[3]int]dimacs.Lit)}
	if root := d.node(0, s.take, s.total); root == missed {
		b.clause()
	} else {
		b.clause(root)
	}
}

// node returns the literal of a node, which implies that the cage takes so many
// digits from one on, with that total.
func (d *diagram) node(from, take, total int) dimacs.Lit {
	switch {
	case from == len(d.digits) && take == 0 && total == 0:
		return reached
	case from == len(d.digits) || !d.feasible(from, take, total):
		return missed
	case len(d.nodes) >= maxNodes:
		d.err = errCage
		return missed
	}
	key := [3]int{from, take, total}
	if l, ok := d.nodes[key]; ok {
		return l
	}
	yes := d.node(from+1, take-1, total-d.digits[from])
	no := d.node(from+1, take, total)
	l := missed
	if yes != missed || no != missed {
		l = d.fresh()
		d.branch(l, d.used[from].Not(), yes)
		d.branch(l, d.used[from], no)
	}
	d.nodes[key] = l
	return l
}

// branch writes that a node leads to another unless a literal is true.
func (d *diagram) branch(node, unless, to dimacs.Lit) {
	switch to {
	case reached:
	case missed:
		d.clause(node.Not(), unless)
	default:
		d.clause(node.Not(), unless, to)
	}
}
