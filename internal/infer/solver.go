package infer

import (
	"context"
	"fmt"
	"slices"

	"sator/dimacs"
	"sator/sudoku"
)

// The search branches on one candidate: it assumes the candidate and infers;
// after backtracking it excludes the candidate and infers again. Excluding a
// failed candidate and choosing anew is better than continuing with the next
// candidate of the same group.
//
// Each level of the search has candidates of its own. Branching copies them,
// 2.5 KB at 9x9, which takes less time than placing one digit. So there is no
// trail and nothing is undone. The levels are reused for the next puzzle.
//
// A node takes some microseconds at 9x9 without the 2SAT rule and some dozen
// with it, and in general the rule does not save enough dead ends to pay for
// this. On larger grids there are puzzles for which the rule saves most of the
// time. Therefore a search that has had some hundred dead ends restarts with the
// rule at every node (the schedule Auto). It keeps the solutions found before,
// which are few, and does not report them twice. The ratio of the processor time
// of Auto to that of Never, in one run of five pairs each:
//
//	17 clues 1.01, top1465 1.00, top95 0.98, damnhard 0.98, study 0.99,
//	50 easy ones 0.99, qqwing's classes 1.03, size 4 0.98 (not one of these
//	reaches the limit: differences are noise), 1000 of size 16 0.95,
//	farif's six of size 25 0.012 (9.4 s become 0.11 s)
//
// A limit of 50 dead ends made the puzzles of size 16 10 % slower; one of 1000
// takes the same time as 300.
//
// The branching candidate is chosen by the closure of the node if there is one (rule.go),
// else by [sudoku.Candidates.Choose].

// A Solver solves puzzles with the same rules. It must be used by one goroutine
// at a time; different solvers share only the rules. Its answers do not depend
// on earlier puzzles.
type Solver struct {
	rules         *sudoku.Rules
	options       Options
	stats         Stats
	checkInterval int64 // nodes between two checks of the context

	levels       []level
	instance     instance
	closure      closure
	choice       int // the branching candidate that the rule prefers, or -1
	run          run
	closureLimit int64 // size of the largest table of the closure in bytes
	autoLimit    int   // number of dead ends after which the schedule Auto applies the rule
}

// A run is the state of the search for one puzzle.
type run struct {
	rule         Schedule
	branched     bool
	fits         bool      // the closure of the candidates may fit into the limit
	deadEndsLeft int       // dead ends until the schedule Auto applies the rule
	deadEnds     int64     // number of dead ends so far
	reported     [][]uint8 // solutions found before the rule is applied
}

// autoDeadEnds is the number of dead ends after which the schedule Auto applies
// the rule. After more than autoSolutions solutions Auto never applies it. Hardly
// any puzzle of size 9 has so many dead ends.
const (
	autoDeadEnds  = 300
	autoSolutions = 4
)

// A level is a node on the current path of the search.
type level struct {
	left   *sudoku.Candidates
	choice int  // the candidate that the next level assumes
	mark   mark // the state of the closure before the branch
}

// New returns a solver for puzzles with the given rules. It panics if an option
// is invalid.
func New(r *sudoku.Rules, o Options) *Solver {
	if o.Rule < Auto || o.Rule > Every {
		panic(fmt.Sprintf("infer: invalid schedule %v", o.Rule))
	}
	return &Solver{
		rules:         r,
		options:       o,
		checkInterval: 1 + 1<<16/int64(r.Cells()*r.Size()), // the nodes of a tenth of a millisecond
		closureLimit:  maxClosure,
		autoLimit:     autoDeadEnds,
	}
}

// Rules returns the rules of the solver.
func (s *Solver) Rules() *sudoku.Rules { return s.rules }

// Stats returns the statistics so far.
func (s *Solver) Stats() Stats { return s.stats }

// Solutions returns solutions of a puzzle in the order in which the search
// finds them, at most limit of them if limit is positive. Each has the digits
// by cell. The result complete reports whether these are all solutions. It is
// false if the limit was reached, even if there is no further solution, or if
// ctx ended. Solutions panics if the puzzle has another size than the rules.
func (s *Solver) Solutions(ctx context.Context, g *sudoku.Grid, limit int) (solutions [][]int, complete bool) {
	complete = s.Visit(ctx, g, func(c *sudoku.Candidates) bool {
		solutions = append(solutions, c.Cells())
		return len(solutions) != limit
	})
	return solutions, complete
}

// Visit calls yield with each solution of a puzzle until yield returns false.
// yield may read the candidates until it returns and must not change them.
// Visit returns true if it visited all solutions, and false if yield returned
// false or ctx ended. It panics if the puzzle has another size than the rules.
func (s *Solver) Visit(ctx context.Context, g *sudoku.Grid, yield func(c *sudoku.Candidates) bool) bool {
	s.dropClosure()
	s.run = run{rule: s.options.Rule, fits: true, deadEndsLeft: s.autoLimit, reported: s.run.reported[:0]}
	complete := s.search(ctx, g, yield)
	s.stats.Puzzles++
	if !s.run.branched && ctx.Err() == nil {
		s.stats.NoBranch++
	}
	return complete
}

// search implements Visit. In each round it infers at one node; then it branches, restarts,
// or backtracks, after a solution as after a dead end. It returns true when it backtracks
// from the root.
func (s *Solver) search(ctx context.Context, g *sudoku.Grid, yield func(c *sudoku.Candidates) bool) bool {
	c, depth, due := s.candidatesAt(0), 0, s.stats.Nodes
	for ok := c.Load(g); ; {
		if s.stats.Nodes >= due {
			if dimacs.Canceled(ctx) {
				return false
			}
			due += s.checkInterval
		}
		s.stats.Nodes++
		switch ok = ok && s.propagate(ctx, c); {
		case ok && !c.Solved():
			c = s.branch(depth)
			ok = c.Place(s.levels[depth].choice)
			depth++
			continue
		case ok && s.isNew(c) && !yield(c):
			return false
		case !ok && s.overLimit():
			return false
		case !ok && s.recordDeadEnd():
			c, depth = s.candidatesAt(0), 0
			ok = c.Load(g)
			s.dropClosure()
			continue
		}
		if depth == 0 {
			return true
		}
		depth--
		c = s.levels[depth].left
		if s.closure.active {
			s.closure.restore(&s.levels[depth].mark)
		}
		ok = c.Eliminate(s.levels[depth].choice)
	}
}

// dropClosure makes the next application of the rule compute a new closure, since the
// search begins again at the root.
func (s *Solver) dropClosure() { s.closure.active = false }

// recordDeadEnd counts a contradiction and reports whether the search must
// restart with the 2SAT rule.
func (s *Solver) recordDeadEnd() bool {
	if !s.run.branched {
		return false
	}
	s.stats.DeadEnds++
	s.run.deadEnds++
	s.run.deadEndsLeft--
	if s.run.rule != Auto || s.run.deadEndsLeft > 0 || len(s.run.reported) > autoSolutions {
		return false
	}
	s.run.rule = Every
	return true
}

// overLimit reports whether the limit of dead ends per puzzle is reached.
func (s *Solver) overLimit() bool {
	return s.options.DeadEnds > 0 && s.run.deadEnds >= s.options.DeadEnds
}

// isNew returns false if a solution was already reported before a restart.
func (s *Solver) isNew(c *sudoku.Candidates) bool {
	if s.options.Rule != Auto || len(s.run.reported) > autoSolutions {
		return true
	}
	if s.run.rule == Auto {
		s.run.addReported(c)
		return true
	}
	return !slices.ContainsFunc(s.run.reported, func(reported []uint8) bool {
		for cell, digit := range reported {
			if c.Digit(cell) != int(digit) {
				return false
			}
		}
		return true
	})
}

// addReported adds a solution to the reported ones. It reuses memory of earlier
// puzzles.
func (r *run) addReported(c *sudoku.Candidates) {
	n := len(r.reported)
	if n < cap(r.reported) {
		r.reported = r.reported[:n+1]
	} else {
		r.reported = append(r.reported, nil)
	}
	digits := r.reported[n][:0]
	for cell := range c.Rules().Cells() {
		digits = append(digits, uint8(c.Digit(cell)))
	}
	r.reported[n] = digits
}

// candidatesAt returns the candidates of a level.
func (s *Solver) candidatesAt(depth int) *sudoku.Candidates {
	if depth == len(s.levels) {
		s.levels = append(s.levels, level{left: sudoku.NewCandidates(s.rules)})
	}
	return s.levels[depth].left
}

// branch chooses the branching candidate and returns the candidates of the next
// level, a copy of the current ones.
func (s *Solver) branch(depth int) *sudoku.Candidates {
	s.stats.Branches++
	s.run.branched = true
	next := s.candidatesAt(depth + 1)
	next.CopyFrom(s.levels[depth].left)
	choice := s.choice
	if choice < 0 {
		choice = next.Choose()
	}
	s.levels[depth].choice = choice
	if s.closure.active {
		s.closure.save(&s.levels[depth].mark)
	}
	return next
}

// propagate applies the inference rules to a fixpoint. It returns false at a
// contradiction.
func (s *Solver) propagate(ctx context.Context, c *sudoku.Candidates) bool {
	s.choice = -1
	rule := s.run.rule == Every || s.run.rule == Root && !s.run.branched
	for {
		if !s.basicRules(c) {
			return false
		}
		if !rule || c.Solved() {
			return true
		}
		if found, ok := s.applyRule(ctx, c); !found || !ok {
			return ok
		}
	}
}

// basicRules applies singles and locked candidates.
func (s *Solver) basicRules(c *sudoku.Candidates) bool {
	ok := c.Singles()
	if ok && !s.options.NoLocked && !c.Solved() && c.Locked() {
		ok = c.Singles()
	}
	return ok
}
