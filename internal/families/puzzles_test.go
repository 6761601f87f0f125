package families

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/sudoku"
)

// TestShortest compares the length of plans with a breadth-first search over
// all states, and executes them.
func TestShortest(t *testing.T) {
	seen := map[int]int{} // tasks by number of blocks that move twice
	for seed := range uint64(60) {
		n := 2 + int(seed%4)
		task, plan, least := newRNG(seed).task(n)
		want := distance(task)
		if len(plan) != want || least != want {
			t.Errorf("seed %d: %v takes %d moves; the plan has %d, the bound is %d", seed, task, want, len(plan), least)
		}
		state := slices.Clone(task.start)
		misplaced := 0
		for x := range n {
			if !task.inPlace(state, x) {
				misplaced++
			}
		}
		seen[want-misplaced]++
		for _, m := range plan {
			if slices.Contains(state, m.block) || m.thing < n && slices.Contains(state, m.thing) || m.thing == m.block {
				t.Fatalf("seed %d: in %v, move %v of %v is illegal", seed, state, m, plan)
			}
			state[m.block] = m.thing
		}
		if !slices.Equal(state, task.goal) {
			t.Errorf("seed %d: the plan leads to %v, not %v", seed, state, task.goal)
		}
	}
	if seen[0] == 0 || seen[1] == 0 {
		t.Errorf("tasks by blocks that move twice: %v", seen)
	}
}

// distance returns the minimal number of moves from the start to the goal.
func distance(t task) int {
	n := len(t.start)
	key := func(state []int) string { return fmt.Sprint(state) }
	found := map[string]int{key(t.start): 0}
	for queue := [][]int{t.start}; ; queue = queue[1:] {
		state := queue[0]
		if slices.Equal(state, t.goal) {
			return found[key(state)]
		}
		for x := range n {
			for thing := range n + 1 {
				if x == thing || slices.Contains(state, x) || thing < n && slices.Contains(state, thing) {
					continue
				}
				next := slices.Clone(state)
				next[x] = thing
				if _, ok := found[key(next)]; !ok {
					found[key(next)] = found[key(state)] + 1
					queue = append(queue, next)
				}
			}
		}
	}
}

// TestShortestGivesUp: with a small budget there is still a plan, and a lower
// bound.
func TestShortestGivesUp(t *testing.T) {
	gaps := 0
	for seed := range uint64(100) {
		task, shortest, _ := newRNG(seed).task(10)
		for _, sets := range []int{1, 3, 10} {
			plan, least := task.shortest(sets * 10 * 10)
			if len(plan) < len(shortest) || least > len(shortest) || len(plan) > 2*least {
				t.Errorf("seed %d: a plan of %d moves, and a bound of %d; the shortest has %d", seed, len(plan), least, len(shortest))
			}
			if least < len(plan) {
				gaps++
			}
		}
	}
	if gaps < 10 {
		t.Errorf("only %d searches exceeded the budget", gaps)
	}
}

// TestBlocks decides each number of moves around the minimum.
func TestBlocks(t *testing.T) {
	for seed := range uint64(6) {
		v := Values{"blocks": 2 + float64(seed)}
		_, plan, _ := newRNG(seed).task(v.int("blocks"))
		for steps := max(1, len(plan)-2); steps <= len(plan)+2; steps++ {
			v["steps"] = float64(steps)
			inst := mustMake(t, "blocks", v, seed)
			name := inst.Comments[0]
			check(t, name, inst)
			if got := decide(inst.Formula); got != inst.Answer || got != statusOf(steps >= len(plan)) {
				t.Errorf("%s: the answer is %v, found %v; the plan has %d moves", name, inst.Answer, got, len(plan))
			}
		}
	}
}

// TestTowers checks that every state consists of towers on the table.
func TestTowers(t *testing.T) {
	r := newRNG(1)
	for range 100 {
		const n = 7
		state := r.towers(n)
		for x := range n {
			y, height := x, 0
			for ; y < n && height <= n; height++ {
				y = state[y]
			}
			if y != n {
				t.Fatalf("%v has a tower without end", state)
			}
			if state[x] < n && slices.Index(state, state[x]) != x {
				t.Fatalf("%v has two blocks on %d", state, state[x])
			}
		}
	}
}

// TestTours counts the tours of graphs with known numbers of tours, each in two
// directions.
func TestTours(t *testing.T) {
	for _, g := range []struct {
		values Values
		want   int64
	}{
		{Values{"vertices": 4, "ratio": 1.5}, 2 * 3}, // complete graphs
		{Values{"vertices": 5, "ratio": 2}, 2 * 12},
		{Values{"vertices": 6, "ratio": 2.5}, 2 * 60},
		{Values{"vertices": 4, "cubic": 1}, 2 * 3},
		{Values{"vertices": 9, "ratio": 1}, 2}, // a ring
		{Values{"petersen": 5}, 0},
		{Values{"petersen": 10}, 2 * 30}, // the dodecahedron
		{Values{"petersen": 11}, 0},
	} {
		inst := mustMake(t, "hamilton", g.values, 1)
		check(t, inst.Comments[0], inst)
		if n := models(t, inst.Formula); n.Int64() != g.want {
			t.Errorf("%v: %v tours, want %d", g.values, n, g.want)
		}
	}
	for n := 5; n <= 12; n++ {
		inst := mustMake(t, "hamilton", Values{"petersen": float64(n)}, 1)
		if got := decide(inst.Formula); got != inst.Answer || got != statusOf(n%6 != 5) {
			t.Errorf("petersen %d: the answer is %v, found %v", n, inst.Answer, got)
		}
	}
	// All numbers of vertices around the powers of two.
	for n := 4; n <= 18; n++ {
		for seed := range uint64(3) {
			inst := mustMake(t, "hamilton", Values{"vertices": float64(n), "ratio": 1.5}, seed)
			check(t, inst.Comments[0], inst)
			cubic := mustMake(t, "hamilton", Values{"vertices": float64(n + n%2), "cubic": 1}, seed)
			if check(t, cubic.Comments[0], cubic); cubic.Answer != dimacs.Unknown {
				t.Errorf("%s: the answer is %v", cubic.Comments[0], cubic.Answer)
			}
		}
	}
}

// TestLatin checks that squares are Latin, and that the twelve squares of order
// 3 are equally frequent.
func TestLatin(t *testing.T) {
	counts := map[string]int{}
	const draws = 1200
	for seed := range uint64(draws) {
		counts[fmt.Sprint(newRNG(seed).latin(3))]++
	}
	for square, n := range counts {
		if n < 50 || n > 150 {
			t.Errorf("%s was drawn %d times out of %d", square, n, draws)
		}
	}
	if len(counts) != 12 {
		t.Errorf("%d squares of order 3", len(counts))
	}
	for n := 2; n <= 20; n++ {
		square := newRNG(uint64(n)).latin(n)
		seen := map[[3]int]bool{}
		for cell, symbol := range square {
			for _, place := range [2][3]int{{0, cell / n, symbol}, {1, cell % n, symbol}} {
				if seen[place] || symbol < 0 || symbol >= n {
					t.Fatalf("%v is not Latin", square)
				}
				seen[place] = true
			}
		}
	}
}

// TestQWH counts completions: all Latin squares for the empty square, and the
// number found by brute force for other squares.
func TestQWH(t *testing.T) {
	for n, want := range map[int]int64{2: 2, 3: 12, 4: 576} {
		inst := mustMake(t, "qwh", Values{"order": float64(n), "share": 1}, 1)
		if got := models(t, inst.Formula); got.Int64() != want {
			t.Errorf("%v squares of order %d, want %d", got, n, want)
		}
	}
	for seed := range uint64(20) {
		for _, balanced := range []float64{0, 1} {
			inst := mustMake(t, "qwh", Values{"order": 5, "share": 0.6, "balanced": balanced}, seed)
			check(t, inst.Comments[0], inst)
			r := newRNG(seed)
			square, open := r.latin(5), r.cells(5, 15)
			if balanced == 1 {
				open = r.balanced(5, 15)
			}
			if got := models(t, inst.Formula); got.Int64() != fillings(5, square, open, 0) {
				t.Errorf("seed %d: %v completions, want %d", seed, got, fillings(5, square, open, 0))
			}
		}
	}
}

// fillings counts by brute force the completions of the open cells from a cell
// on.
func fillings(n int, square []int, open []bool, from int) int64 {
	fits := func(cell, symbol int) bool {
		for other, s := range square {
			if s == symbol && other != cell && (!open[other] || other < cell) && (other/n == cell/n || other%n == cell%n) {
				return false
			}
		}
		return true
	}
	for ; from < n*n && !open[from]; from++ {
	}
	if from == n*n {
		return 1
	}
	total, was := int64(0), square[from]
	for symbol := range n {
		if fits(from, symbol) {
			square[from] = symbol
			total += fillings(n, square, open, from+1)
		}
	}
	square[from] = was
	return total
}

// TestBalanced counts holes by row and column.
func TestBalanced(t *testing.T) {
	r := newRNG(1)
	for n := 2; n <= 9; n++ {
		for holes := range n*n + 1 {
			rows, columns := make([]int, n), make([]int, n)
			total := 0
			for cell, open := range r.balanced(n, holes) {
				if open {
					rows[cell/n]++
					columns[cell%n]++
					total++
				}
			}
			if total != holes || slices.Max(rows)-slices.Min(rows) > 1 || slices.Max(columns)-slices.Min(columns) > 1 {
				t.Errorf("order %d, %d holes: rows %v, columns %v", n, holes, rows, columns)
			}
		}
	}
}

// TestSudoku reads the puzzle from the comments, as the program does, and
// checks answer and model.
func TestSudoku(t *testing.T) {
	for _, v := range []Values{{"size": 4}, {"size": 6}, {"size": 9}, {"size": 9, "givens": 30}, {"size": 10}, {"size": 4, "givens": 16}} {
		for seed := range uint64(4) {
			inst := mustMake(t, "sudoku", v, seed)
			name := inst.Comments[0]
			check(t, name, inst)
			m, err := sudoku.ReadMap(inst.Comments)
			if err != nil {
				t.Fatal(err)
			}
			puzzle, err := m.Units(inst.Formula)
			if err != nil {
				t.Fatal(err)
			}
			solution, err := m.Decode(inst.Model)
			if err != nil {
				t.Fatal(err)
			}
			if err := solution.Solves(puzzle); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if v["givens"] != 0 && puzzle.Givens() != v.int("givens") {
				t.Errorf("%s: %d givens", name, puzzle.Givens())
			}
			if n := models(t, inst.Formula); n.Int64() != 1 {
				t.Errorf("%s: %v solutions", name, n)
			}
			if v["givens"] == 16 {
				continue // no cell left for a wrong given
			}
			wrong := maps.Clone(v)
			wrong["wrong"] = 1
			inst = mustMake(t, "sudoku", wrong, seed)
			check(t, inst.Comments[0], inst)
			misled, err := m.Units(inst.Formula)
			if err != nil {
				t.Fatal(err)
			}
			if misled.Givens() != puzzle.Givens()+1 || decide(inst.Formula) != dimacs.Unsatisfiable || inst.Answer != dimacs.Unsatisfiable {
				t.Errorf("%s: %d givens, the answer is %v", inst.Comments[0], misled.Givens(), inst.Answer)
			}
			if v["size"] == 9 && misled.Conflict() != nil {
				t.Errorf("%s: %v", inst.Comments[0], misled.Conflict())
			}
		}
	}
}
