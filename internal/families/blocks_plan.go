package families

import "slices"

// Shortest plans in the blocks world. A block is in place if it is on its goal
// and so are all blocks below it. Every other block must move, some of them
// twice: first to the table, because a block below is needed before its own
// goal is ready. If the set of blocks that move twice is known, a greedy
// planner finds a plan, because moves to the table and moves to a goal never
// obstruct each other. Finding a shortest plan is therefore finding a smallest
// set of blocks to put aside (Slaney and Thiébaux, Blocks World Revisited,
// 2001). Sets are tried by increasing size.

// A move puts a block onto another one, or onto the table.
type move struct{ block, thing int }

// A task is a planning task: the initial state and the goal. A state lists for
// each block the thing below it.
type task struct{ start, goal []int }

// task returns a random task of n blocks that takes at least two moves, the
// best plan found, and a lower bound on the length of plans. The bound equals
// the length of the plan unless the search exceeds its budget.
func (r *rng) task(n int) (t task, plan []move, bound int) {
	for bound < 2 {
		t = task{r.towers(n), r.towers(n)}
		plan, bound = t.shortest(planBudget)
	}
	return t, plan, bound
}

// towers returns a random state: the blocks are placed in random order, each on
// the table or on one of the towers with equal probability.
func (r *rng) towers(n int) []int {
	order := make([]int, n)
	for x := range order {
		order[x] = x
	}
	shuffle(r, order)
	state := make([]int, n)
	tops := []int{n} // the table, and the top block of each tower
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

// planBudget bounds the search for a shortest plan: the number of sets tried
// times the square of the number of blocks.
const planBudget = 20_000_000

// shortest returns the best plan found and a lower bound on the length of
// plans.
func (t task) shortest(planBudget int) (plan []move, bound int) {
	n := len(t.start)
	var movable []int // candidates for the set of blocks to put aside
	misplaced := 0
	for x := range n {
		if !t.inPlace(t.start, x) {
			misplaced++
			if t.start[x] != n {
				movable = append(movable, x)
			}
		}
	}
	budget := planBudget / (n * n)
	for size := range len(movable) + 1 {
		aside := make([]bool, n)
		plan, budget = t.search(aside, movable, size, budget)
		if plan != nil {
			return plan, len(plan)
		}
		if budget <= 0 {
			bound = misplaced + size
			break
		}
	}
	aside := make([]bool, n)
	for _, x := range movable {
		aside[x] = true
	}
	return t.greedyPlan(aside), bound
}

// search tries the sets that consist of the blocks in aside and size more of
// the movable blocks. It returns the first plan, or nil if it finds no plan
// within the budget, and the remaining budget.
func (t task) search(aside []bool, movable []int, size, budget int) ([]move, int) {
	if budget <= 0 {
		return nil, 0
	}
	if size == 0 {
		return t.greedyPlan(aside), budget - 1
	}
	for i, x := range movable {
		if len(movable)-i < size {
			break
		}
		aside[x] = true
		plan, left := t.search(aside, movable[i+1:], size-1, budget)
		aside[x] = false
		if budget = left; plan != nil {
			return plan, budget
		}
	}
	return nil, budget
}

// inPlace reports whether a block and all blocks below it are on their goals.
func (t task) inPlace(state []int, x int) bool {
	for ; x < len(state); x = state[x] {
		if state[x] != t.goal[x] {
			return false
		}
	}
	return true
}

// greedyPlan returns a plan that moves blocks to their goals and, where
// necessary, blocks of the set aside to the table first. It returns nil if it
// reaches a dead end.
func (t task) greedyPlan(aside []bool) []move {
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

// next returns a move of a block to its goal, or else a move of a block of the
// set aside to the table.
func (t task) next(state []int, aside []bool) (m move, ok bool) {
	table := len(state)
	for x := range state {
		place := t.goal[x]
		switch {
		case slices.Contains(state, x) || t.inPlace(state, x):
			// The block is not clear, or already in place.
		case place == table || t.inPlace(state, place) && !slices.Contains(state, place):
			return move{x, place}, true
		case !ok && aside[x] && state[x] != table:
			m, ok = move{x, table}, true
		}
	}
	return m, ok
}
