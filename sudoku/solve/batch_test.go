package solve_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"sator/internal/sudokutest"
	"sator/sudoku"
	"sator/sudoku/solve"
	"sator/sudoku/text"
)

// A Batch counts the solutions of all puzzles of a text with two solvers.
func ExampleBatch() {
	puzzles := text.NewReader(strings.NewReader("1.3....2.1..4...\n..3....2.1..4...\n11..............\n"), "puzzles.txt")
	var summary solve.Summary
	b := solve.Batch[*text.Puzzle, solve.Answer]{
		Jobs: 2,
		Next: puzzles.Next,
		Work: func(ctx context.Context, s *solve.Solver, p *text.Puzzle) solve.Answer {
			return s.Count(ctx, p.Grid, 0)
		},
		Deliver: func(p *text.Puzzle, a solve.Answer) error {
			summary.Add(&a)
			fmt.Println(p.Line, a.Count)
			return a.Err
		},
	}
	if err := b.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	fmt.Println(&summary)
	// Output:
	// 1 1
	// 2 2
	// 3 0
	// 3 puzzles, 2 solved, 1 unique, 1 with several solutions, 1 without a solution
}

// Each worker has a solver with the options of the batch, and Effort adds up what
// they do.
func TestBatchEffort(t *testing.T) {
	for _, jobs := range []int{1, 3} {
		left := 20
		b := solve.Batch[*sudoku.Grid, solve.Answer]{
			Options: solve.Options{Engine: "infer"},
			Jobs:    jobs,
			Next: func() (*sudoku.Grid, error) {
				if left--; left < 0 {
					return nil, io.EOF
				}
				return sudokutest.Parse(sudokutest.Nine, known[left%len(known)]), nil
			},
			Work: func(ctx context.Context, s *solve.Solver, g *sudoku.Grid) solve.Answer { return s.Count(ctx, g, 2) },
			Deliver: func(g *sudoku.Grid, a solve.Answer) error {
				if !a.Unique() || g.With(a.Solutions[0]).Solves(g) != nil {
					t.Errorf("%d jobs: %+v", jobs, a)
				}
				return nil
			},
		}
		if err := b.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		if e := b.Effort(); e.Inference.Puzzles != 20 {
			t.Errorf("%d jobs: the effort is that of %d puzzles", jobs, e.Inference.Puzzles)
		}
	}
}

// When the context is done the result that is known is delivered, and Run returns
// the cause that Deliver returns.
func TestBatchInterrupted(t *testing.T) {
	reason := errors.New("time is over")
	v := sudoku.Standard(9)
	v.NonConsecutive = true // solutions are found one by one: 32 bits hold their number
	rules := sudoku.Must(v)
	for _, jobs := range []int{1, 2} {
		ctx, cancel := context.WithCancelCause(context.Background())
		delivered := 0
		b := solve.Batch[*sudoku.Grid, solve.Answer]{
			Jobs: jobs,
			Next: func() (*sudoku.Grid, error) { return sudoku.NewGrid(rules), nil },
			Work: func(ctx context.Context, s *solve.Solver, g *sudoku.Grid) solve.Answer {
				time.AfterFunc(20*time.Millisecond, func() { cancel(reason) })
				return s.Count(ctx, g, 0)
			},
			Grace: time.Hour,
			Deliver: func(_ *sudoku.Grid, a solve.Answer) error {
				delivered++
				if !a.Interrupted(0) {
					t.Errorf("%d jobs: all %d solutions of the empty grid", jobs, a.Count)
				}
				return context.Cause(ctx)
			},
		}
		if err := b.Run(ctx); err != reason || delivered != 1 {
			t.Errorf("%d jobs: error %v after %d results", jobs, err, delivered)
		}
	}
}

// A detached call of Work that ignores its context is abandoned at the end of the
// grace period; a panic in it reaches the caller of Run.
func TestBatchDetach(t *testing.T) {
	reason := errors.New("time is over")
	hung := make(chan struct{})
	defer close(hung)
	for _, jobs := range []int{1, 2} {
		ctx, cancel := context.WithTimeoutCause(context.Background(), 10*time.Millisecond, reason)
		b := solve.Batch[int, int]{
			Jobs:    jobs,
			Next:    func() (int, error) { return 1, nil },
			Work:    func(context.Context, *solve.Solver, int) int { <-hung; return 1 },
			Grace:   10 * time.Millisecond,
			Detach:  func(int) bool { return true },
			Deliver: func(int, int) error { t.Error("a result was delivered"); return nil },
		}
		if err := b.Run(ctx); err != reason {
			t.Errorf("%d jobs: error %v", jobs, err)
		}
		cancel()
		b.Work = func(context.Context, *solve.Solver, int) int { panic("worker") }
		if p := panicOf(func() { b.Run(context.Background()) }); !strings.Contains(p, "worker") {
			t.Errorf("%d jobs: panic %q", jobs, p)
		}
	}
}

func TestWithGrace(t *testing.T) {
	reason := errors.New("time is over")
	ctx, cancel := context.WithCancelCause(context.Background())
	late, end := solve.WithGrace(ctx, 30*time.Millisecond)
	defer end()
	before := time.Now()
	cancel(reason)
	<-late.Done()
	if after := time.Since(before); context.Cause(late) != reason || after < 30*time.Millisecond {
		t.Errorf("cause %v after %v", context.Cause(late), after)
	}
	late, end = solve.WithGrace(context.Background(), time.Hour)
	end()
	if late.Err() == nil {
		t.Error("the context is not done after the call of cancel")
	}
}

func TestSummary(t *testing.T) {
	one, two := [][]int{{1}}, [][]int{{1}, {1}}
	var s solve.Summary
	s.Add(&solve.Answer{Count: 1, Complete: true, Solutions: one})
	if got := s.String(); got != "1 puzzle, 1 solved, 1 unique" {
		t.Error(got)
	}
	s.Add(&solve.Answer{Count: 1, Solutions: one})
	s.Add(&solve.Answer{Count: 2, Solutions: two})
	s.Add(&solve.Answer{Complete: true})
	if got := s.String(); got != "4 puzzles, 3 solved, 1 unique, 1 perhaps unique, 1 with several solutions, 1 without a solution" {
		t.Error(got)
	}
}

// panicOf returns the value with which f panics.
func panicOf(f func()) (p string) {
	defer func() { p, _ = recover().(string) }()
	f()
	return ""
}
