package cdcl_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// Resolve the dependencies of packages: a request is an assumption, so that the failed
// assumptions are the requests that contradict each other.
func Example_dependencies() {
	s := cdcl.New(cdcl.Options{})
	names := map[dimacs.Lit]string{}
	version := func(name string) dimacs.Lit {
		l := s.NewVar().Lit()
		names[l] = name
		return l
	}
	app, tool := version("app 1"), version("tool 1")
	old, recent := version("lib 1"), version("lib 2")
	s.Add(app.Not(), recent)       // app 1 needs lib 2
	s.Add(tool.Not(), old)         // tool 1 needs lib 1
	s.Add(old.Not(), recent.Not()) // one version of lib

	ctx := context.Background()
	if s.Solve(ctx, app, tool) == dimacs.Unsatisfiable {
		for _, l := range s.Failed() {
			fmt.Println("conflict:", names[l])
		}
	}
	if s.Solve(ctx, app) == dimacs.Satisfiable {
		fmt.Println("with app 1: lib 2 is", s.Value(recent) == dimacs.True)
	}
	// Output:
	// conflict: tool 1
	// conflict: app 1
	// with app 1: lib 2 is true
}

// Check a counter of three bits up to a bound: can it reach 5, and in how many steps? Each
// step adds clauses, and the question about it is an assumption.
func Example_boundedModelChecking() {
	s := cdcl.New(cdcl.Options{})
	state := func() (bits [3]dimacs.Lit) {
		for i := range bits {
			bits[i] = s.NewVar().Lit()
		}
		return bits
	}
	equal := func(a, b dimacs.Lit, unless ...dimacs.Lit) { // a = b unless one of these is true
		s.Add(append([]dimacs.Lit{a.Not(), b}, unless...)...)
		s.Add(append([]dimacs.Lit{a, b.Not()}, unless...)...)
	}
	now := state()
	for _, bit := range now {
		s.Add(bit.Not()) // it starts at 0
	}
	for step := 0; ; step++ {
		if s.Solve(context.Background(), now[0], now[1].Not(), now[2]) == dimacs.Satisfiable {
			fmt.Println("5 after", step, "steps")
			return
		}
		next := state() // the number and 1
		equal(next[0], now[0].Not())
		equal(next[1], now[1], now[0])
		equal(next[1], now[1].Not(), now[0].Not())
		equal(next[2], now[2], now[0], now[1])                   // 0 0
		equal(next[2], now[2], now[0].Not(), now[1])             // 1 0
		equal(next[2], now[2], now[0], now[1].Not())             // 0 1
		equal(next[2], now[2].Not(), now[0].Not(), now[1].Not()) // carry
		now = next
	}
	// Output: 5 after 5 steps
}

// Find a timetable: each lesson has one hour, and lessons of a teacher or a class have
// different hours. A wish is a group, which is released when it cannot be met.
func Example_timetable() {
	lessons := []string{"maths 1a", "maths 1b", "art 1a", "art 1b"}
	const hours = 2
	s := cdcl.New(cdcl.Options{})
	at := func(lesson, hour int) dimacs.Lit { return dimacs.Var(hours*lesson + hour).Lit() }
	for i, a := range lessons {
		s.Add(at(i, 0), at(i, 1))
		s.Add(at(i, 0).Not(), at(i, 1).Not())
		for j, b := range lessons[:i] {
			x, y := strings.Fields(a), strings.Fields(b)
			for h := range hours {
				if x[0] == y[0] || x[1] == y[1] { // the same teacher or class
					s.Add(at(i, h).Not(), at(j, h).Not())
				}
			}
		}
	}
	wish := s.NewGroup()
	s.AddTo(wish, at(0, 0)) // maths 1a early
	s.AddTo(wish, at(3, 1)) // art 1b late
	ctx := context.Background()
	if s.Solve(ctx, wish) != dimacs.Satisfiable {
		fmt.Println("the wish cannot be met")
		s.Release(wish)
	}
	if s.Solve(ctx, at(0, 0)) == dimacs.Satisfiable {
		for i, lesson := range lessons {
			for h := range hours {
				if s.Value(at(i, h)) == dimacs.True {
					fmt.Println(lesson, "in hour", h+1)
				}
			}
		}
	}
	// Output:
	// the wish cannot be met
	// maths 1a in hour 1
	// maths 1b in hour 2
	// art 1a in hour 2
	// art 1b in hour 1
}

// Answer requests for Sudoku solutions concurrently: the rules are loaded once, and each
// request has a copy of the solver. A solver itself belongs to one goroutine at a time.
func Example_server() {
	cell := func(row, column, digit int) dimacs.Lit { return dimacs.Var(81*row + 9*column + digit).Lit() }
	rules := cdcl.New(cdcl.Options{})
	unit := func(at func(k int) dimacs.Lit) { // exactly one of nine
		var one []dimacs.Lit
		for k := range 9 {
			one = append(one, at(k))
			for j := range k {
				rules.Add(at(j).Not(), at(k).Not())
			}
		}
		rules.Add(one...)
	}
	for a := range 9 {
		for b := range 9 {
			unit(func(k int) dimacs.Lit { return cell(a, b, k) })                 // a cell
			unit(func(k int) dimacs.Lit { return cell(a, k, b) })                 // a row
			unit(func(k int) dimacs.Lit { return cell(k, a, b) })                 // a column
			unit(func(k int) dimacs.Lit { return cell(a/3*3+k/3, a%3*3+k%3, b) }) // a box
		}
	}
	answer := func(s *cdcl.Solver, puzzle string) string {
		var givens []dimacs.Lit
		for i, c := range puzzle {
			if c != '.' {
				givens = append(givens, cell(i/9, i%9, int(c-'1')))
			}
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if s.Solve(ctx, givens...) != dimacs.Satisfiable {
			return "no solution"
		}
		var solution strings.Builder
		for i := range 81 {
			for digit := range 9 {
				if s.Value(cell(i/9, i%9, digit)) == dimacs.True {
					fmt.Fprint(&solution, digit+1)
				}
			}
		}
		return solution.String()
	}
	requests := []string{
		"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
		"55...............................................................................",
	}
	answers := make([]string, len(requests))
	var group sync.WaitGroup
	for i, puzzle := range requests {
		s := rules.Clone()
		group.Go(func() { answers[i] = answer(s, puzzle) })
	}
	group.Wait()
	fmt.Println(strings.Join(answers, "\n"))
	// Output:
	// 534678912672195348198342567859761423426853791713924856961537284287419635345286179
	// no solution
}

// Find a minimal model: with phase 0 a decision makes a variable false, and each further
// call asks for fewer true variables, until there are none.
func Example_minimalModel() {
	o := cdcl.Options{}
	o.Phase = cdcl.PhaseFalse
	s := cdcl.New(o)
	s.Add(dimacs.Lits(1, 2)...)
	s.Add(dimacs.Lits(2, 3)...)
	s.Add(dimacs.Lits(3, 4)...)
	ctx := context.Background()
	var model dimacs.Model
	less := []dimacs.Lit{} // assumptions: what is false stays false
	for s.Solve(ctx, less...) == dimacs.Satisfiable {
		model = s.Model()
		smaller := s.NewGroup() // one of the true variables is false
		less = []dimacs.Lit{smaller}
		var clause []dimacs.Lit
		for _, l := range model[:4].Lits() {
			if l.Neg() {
				less = append(less, l)
			} else {
				clause = append(clause, l.Not())
			}
		}
		s.AddTo(smaller, clause...)
	}
	fmt.Println(model[:4].Lits())
	// Output: [1 -2 3 -4]
}
