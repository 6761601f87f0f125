package families

import "slices"

// Shortest plans in the blocks world. A block is in place if it is on what it is
// on in the end, and so is everything below. Each of the others has to be moved,
// and some of them twice: first to the table, since something below is needed
// before its own place is ready. If it is known which ones, a plan is found by
// doing what can be done: no move of these two kinds spoils another. So a
// shortest plan is a smallest set of blocks to be put aside (Slaney and
// Thiébaux, Blocks World Revisited, 2001), and sets are tried by their size.

// A move puts a block onto another one, or onto the table.
type move struct{ block, thing int }

// A task is to get from a state to another one: what each block is on.
type task struct{ start, goal []int }

// task returns a random task of n blocks that takes two moves at least, the best
// plan that was found, and a bound below which there is none. The bound is the
// length of the plan unless there are very many sets to try.
func (r *source) task(n int) (t task, plan []move, least int) {
	for least < 2 {
		t = task{r.towers(n), r.towers(n)}
		plan, least = t.shortest(effort)
	}
	return t, plan, least
}

// towers returns a random state: the blocks come in random order, and each is
// put on the table or on one of the towers, with the same probability.
func (r *source) towers(n int) []int {
	order := make([]int, n)
	for x := range order {
		order[x] = x
	}
	shuffle(r, order)
	state := make([]int, n)
	tops := []int{n} // the table, and the highest block of each tower
	for _, x := range order {
		i := r.below(uint64(len(tops)))
		state[x] = tops[i]
		if i == 0 {
			tops = append(tops, x)
		} else {
			tops[i] = x
		}
	}
	return state
}

// effort bounds the search for a shortest plan: the number of sets tried, times
// the square of the number of blocks.
const effort = 20_000_000

// shortest returns the best plan it finds, and a length below which there is no
// plan.
func (t task) shortest(effort int) (plan []move, least int) {
	n := len(t.start)
	var movable []int // blocks that it may help to put aside
	misplaced := 0
	for x := range n {
		if !t.inPlace(t.start, x) {
			misplaced++
			if t.start[x] != n {
				movable = append(movable, x)
			}
		}
	}
	tries := effort / (n * n)
	for size := range len(movable) + 1 {
		aside := make([]bool, n)
		plan, tries = t.try(aside, movable, size, tries)
		if plan != nil {
			return plan, len(plan)
		}
		if tries <= 0 {
			least = misplaced + size
			break
		}
	}
	aside := make([]bool, n)
	for _, x := range movable {
		aside[x] = true
	}
	return t.follow(aside), least
}

// try looks for a plan that puts aside, in addition to those blocks, size of the
// movable ones. It returns nil if there is none or no try is left, and the tries
// that are left.
func (t task) try(aside []bool, movable []int, size, tries int) ([]move, int) {
	if tries <= 0 {
		return nil, 0
	}
	if size == 0 {
		return t.follow(aside), tries - 1
	}
	for i, x := range movable {
		if len(movable)-i < size {
			break
		}
		aside[x] = true
		plan, left := t.try(aside, movable[i+1:], size-1, tries)
		aside[x] = false
		if tries = left; plan != nil {
			return plan, tries
		}
	}
	return nil, tries
}

// inPlace reports whether a block and all below it are where they belong.
func (t task) inPlace(state []int, x int) bool {
	for ; x < len(state); x = state[x] {
		if state[x] != t.goal[x] {
			return false
		}
	}
	return true
}

// follow returns a plan that moves blocks to their final places, and those to be
// put aside to the table before if need be. It returns nil if it gets stuck.
func (t task) follow(aside []bool) []move {
	state := slices.Clone(t.start)
	var plan []move
	for m, ok := t.next(state, aside); ok; m, ok = t.next(state, aside) {
		state[m.block] = m.thing
		plan = append(plan, m)
	}
	if !slices.Equal(state, t.goal) {
		return nil
	}
	return plan
}

// next returns a move to a final place if there is one, and else one that puts a
// block aside, if there is one.
func (t task) next(state []int, aside []bool) (m move, ok bool) {
	table := len(state)
	for x := range state {
		place := t.goal[x]
		switch {
		case slices.Contains(state, x) || t.inPlace(state, x):
			// It cannot move, or need not.
		case place == table || t.inPlace(state, place) && !slices.Contains(state, place):
			return move{x, place}, true
		case !ok && aside[x] && state[x] != table:
			m, ok = move{x, table}, true
		}
	}
	return m, ok
}
