package infer

import (
	"context"
	"fmt"
	"slices"

	"sator/sudoku"
)

// The search is binary: a candidate is assumed, and when all that follows from
// it has been seen it is excluded, and what follows from that is seen. To
// exclude a candidate that failed, and to infer and choose again, is better than
// to go on with the next one of the same group.
//
// Every level of the search has candidates of its own. To branch is to copy
// them, 2.5 KB at 9x9, which takes less than to place one digit; so there is no
// trail and nothing to undo. Levels are kept between puzzles.
//
// Without the rule a node takes some microseconds at 9x9, with it some hundred,
// and there are hardly ever so many more dead ends without. But on larger grids
// there are puzzles for which the rule decides between seconds and hundredths of
// them: of those of size 25 in farif's collection three of five take more than
// four seconds without, and 0.02 to 0.8 with it. So a search that has had a
// thousand dead ends begins again with the rule at every node. Solutions found
// before that, few as they must be, are kept aside and not told twice.
//
// Which candidate to branch on is chosen by [sudoku.Candidates.Choose], or by the
// 2SAT instance where there was one (rule.go).

// A Solver solves puzzles of the same rules. It is used by one goroutine at a
// time; different solvers share nothing but the rules. What it answers does not
// depend on what it was asked before.
type Solver struct {
	rules    *sudoku.Rules
	options  Options
	stats    Stats
	patience int64 // nodes between two looks at the context

	levels []level
	sat    *instance
	run    run
	lazy   int // dead ends before the rule comes in, if it is Lazy
}

// A run is what is known of the search for one puzzle.
type run struct {
	rule     Schedule
	branched bool
	patience int       // dead ends before the rule comes in
	deadEnds int64     // so far
	told     [][]uint8 // solutions found until then
}

// lazyDeadEnds is the number of dead ends without the rule, and lazyTold that of
// solutions, after which it comes in if it is Lazy, or not any more. No puzzle of
// size 9 in the sets measured has so many dead ends.
const (
	lazyDeadEnds = 1000
	lazyTold     = 4
)

// A level is a node of the search on the way to the current one.
type level struct {
	left   *sudoku.Candidates
	choice int // the candidate that the next level assumes
}

// New returns a solver for puzzles of some rules. It panics if an option is none.
func New(r *sudoku.Rules, o Options) *Solver {
	if o.Rule < Lazy || o.Rule > Every {
		panic(fmt.Sprintf("infer: no rule is %v", o.Rule))
	}
	return &Solver{
		rules:    r,
		options:  o,
		patience: 1 + 1<<16/int64(r.Cells()*r.Size()), // a tenth of a millisecond's
		sat:      newInstance(),
		lazy:     lazyDeadEnds,
	}
}

// Rules returns the rules that the solver is for.
func (s *Solver) Rules() *sudoku.Rules { return s.rules }

// Stats returns what was done so far.
func (s *Solver) Stats() Stats { return s.stats }

// Solutions looks for solutions of a puzzle, at most limit of them if that is
// positive, and returns them in the order in which they were found: the digits
// by cell. They are complete if there are no others; they are not if the limit
// was reached, even if there is no further one, or if ctx ended. It panics if the
// puzzle is of another size than the rules.
func (s *Solver) Solutions(ctx context.Context, g *sudoku.Grid, limit int) (solutions [][]int, complete bool) {
	complete = s.Visit(ctx, g, func(c *sudoku.Candidates) bool {
		solutions = append(solutions, c.Cells())
		return len(solutions) != limit
	})
	return solutions, complete
}

// Visit calls yield with each solution of a puzzle until that returns false. The
// candidates are to be read, and only before yield returns. Visit reports whether
// it saw all solutions: false if yield returned false or ctx ended. It panics if
// the puzzle is of another size than the rules.
func (s *Solver) Visit(ctx context.Context, g *sudoku.Grid, yield func(c *sudoku.Candidates) bool) bool {
	s.run = run{rule: s.options.Rule, patience: s.lazy, told: s.run.told[:0]}
	complete := s.search(ctx, g, yield)
	s.stats.Puzzles++
	if !s.run.branched && ctx.Err() == nil {
		s.stats.NoBranch++
	}
	return complete
}

// search is Visit, and goes from node to node.
func (s *Solver) search(ctx context.Context, g *sudoku.Grid, yield func(c *sudoku.Candidates) bool) bool {
	c, depth, due := s.at(0), 0, s.stats.Nodes
	for ok := c.Load(g); ; {
		if s.stats.Nodes >= due {
			if ctx.Err() != nil {
				return false
			}
			due += s.patience
		}
		s.stats.Nodes++
		switch ok = ok && s.infer(ctx, c); {
		case ok && !c.Solved():
			c = s.branch(depth)
			ok = c.Place(s.levels[depth].choice)
			depth++
			continue
		case ok && s.news(c) && !yield(c):
			return false
		case !ok && s.givesUp():
			return false
		case !ok && s.deadEnd():
			c, depth = s.at(0), 0
			ok = c.Load(g)
			continue
		}
		if depth == 0 {
			return true
		}
		depth--
		c = s.levels[depth].left
		ok = c.Eliminate(s.levels[depth].choice)
	}
}

// deadEnd notes a contradiction and returns whether the search is to begin again.
func (s *Solver) deadEnd() bool {
	if !s.run.branched {
		return false
	}
	s.stats.DeadEnds++
	s.run.deadEnds++
	s.run.patience--
	if s.run.rule != Lazy || s.run.patience > 0 || len(s.run.told) > lazyTold {
		return false
	}
	s.run.rule = Every
	return true
}

// givesUp reports whether there were as many dead ends as a puzzle may have.
func (s *Solver) givesUp() bool {
	return s.options.DeadEnds > 0 && s.run.deadEnds >= s.options.DeadEnds
}

// news reports whether a solution was not told before the search began again.
func (s *Solver) news(c *sudoku.Candidates) bool {
	if s.options.Rule != Lazy || len(s.run.told) > lazyTold {
		return true
	}
	if s.run.rule == Lazy {
		s.run.keep(c)
		return true
	}
	return !slices.ContainsFunc(s.run.told, func(told []uint8) bool {
		for cell, digit := range told {
			if c.Digit(cell) != int(digit) {
				return false
			}
		}
		return true
	})
}

// keep adds a solution to those told, in room that is there already if possible.
func (r *run) keep(c *sudoku.Candidates) {
	n := len(r.told)
	if n < cap(r.told) {
		r.told = r.told[:n+1]
	} else {
		r.told = append(r.told, nil)
	}
	digits := r.told[n][:0]
	for cell := range c.Rules().Cells() {
		digits = append(digits, uint8(c.Digit(cell)))
	}
	r.told[n] = digits
}

// at returns the candidates of a level.
func (s *Solver) at(depth int) *sudoku.Candidates {
	if depth == len(s.levels) {
		s.levels = append(s.levels, level{left: sudoku.NewCandidates(s.rules)})
	}
	return s.levels[depth].left
}

// branch chooses what the next level is to assume and returns its candidates,
// which are those of this one as yet.
func (s *Solver) branch(depth int) *sudoku.Candidates {
	s.stats.Branches++
	s.run.branched = true
	next := s.at(depth + 1)
	next.CopyFrom(s.levels[depth].left)
	choice := s.sat.choice
	if choice < 0 {
		choice = next.Choose()
	}
	s.levels[depth].choice = choice
	return next
}

// infer draws the conclusions that the options allow and reports whether there
// was no contradiction.
func (s *Solver) infer(ctx context.Context, c *sudoku.Candidates) bool {
	s.sat.choice = -1
	rule := s.run.rule == Every || s.run.rule == Root && !s.run.branched
	for {
		if !s.simple(c) {
			return false
		}
		if !rule || c.Solved() {
			return true
		}
		if news, ok := s.rule(ctx, c); !news || !ok {
			return ok
		}
	}
}

// simple draws the conclusions that need no instance.
func (s *Solver) simple(c *sudoku.Candidates) bool {
	ok := c.Singles()
	if ok && !s.options.NoLocked && !c.Solved() && c.Locked() {
		ok = c.Singles()
	}
	return ok
}
