package infer

import (
	"context"
	"fmt"

	"sator/sudoku"
)

// The search is binary: a candidate is assumed, and when all that follows from
// it has been seen it is excluded, and what follows from that is seen. To
// exclude a candidate that failed, and to infer and choose again, is better than
// to go on with the next one of the same cell.
//
// Every level of the search has candidates of its own. To branch is to copy
// them, 2.5 KB at 9x9, which takes less than to place one digit; so there is no
// trail and nothing to undo. Levels are kept between puzzles.
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
}

// A level is a node of the search on the way to the current one.
type level struct {
	left   *sudoku.Candidates
	choice int // the candidate that the next level assumes
}

// New returns a solver for puzzles of some rules. It panics if an option is none.
func New(r *sudoku.Rules, o Options) *Solver {
	if o.Rule < Never || o.Rule > Every {
		panic(fmt.Sprintf("infer: no rule is %v", o.Rule))
	}
	return &Solver{
		rules:    r,
		options:  o,
		patience: 1 + 1<<16/int64(r.Cells()*r.Size()), // a tenth of a millisecond's
		sat:      newInstance(),
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
	c, depth, branched := s.at(0), 0, false
	due := s.stats.Nodes
	s.stats.Puzzles++
	defer func() {
		if !branched && ctx.Err() == nil {
			s.stats.Straight++
		}
	}()
	for ok := c.Load(g); ; {
		if s.stats.Nodes >= due {
			if ctx.Err() != nil {
				return false
			}
			due += s.patience
		}
		s.stats.Nodes++
		switch ok = ok && s.infer(ctx, c, !branched); {
		case ok && !c.Solved():
			c = s.branch(depth)
			ok = c.Place(s.levels[depth].choice)
			depth, branched = depth+1, true
			continue
		case ok && !yield(c):
			return false
		case !ok && branched:
			s.stats.DeadEnds++
		}
		if depth == 0 {
			return true
		}
		depth--
		c = s.levels[depth].left
		ok = c.Strike(s.levels[depth].choice)
	}
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
func (s *Solver) infer(ctx context.Context, c *sudoku.Candidates, root bool) bool {
	s.sat.choice = -1
	rule := s.options.Rule == Every || s.options.Rule == Root && root
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
