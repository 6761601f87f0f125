package generate

import (
	"context"
	"io"
	"runtime"

	"sator/sudoku/solve"
)

// Each makes the puzzles of the numbers from first on, count of them or, if
// count is 0, without end, on so many goroutines; 0 jobs stand for one for each
// processor. It calls deliver with them in the order of their numbers, each as
// soon as it and all before it are made, and returns the first error: of deliver,
// of a puzzle that was not found, or the cause of ctx. What is delivered does not
// depend on the number of jobs.
func (g *Generator) Each(ctx context.Context, first, count uint64, jobs int, deliver func(*Puzzle) error) error {
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type made struct {
		puzzle *Puzzle
		err    error
	}
	next, room := first, make(chan struct{}, ahead*jobs)
	r := solve.Pipeline[uint64, made]{
		Jobs: jobs,
		Next: func() (uint64, error) {
			select {
			case room <- struct{}{}:
			case <-ctx.Done():
				return 0, context.Cause(ctx)
			}
			if count > 0 && next == first+count {
				return 0, io.EOF
			}
			next++
			return next - 1, nil
		},
		NewWorker: func() func(context.Context, uint64) made {
			return func(ctx context.Context, number uint64) made {
				p, err := g.Make(ctx, number)
				return made{p, err}
			}
		},
		Deliver: func(_ uint64, m made) error {
			<-room
			if m.err != nil {
				return m.err
			}
			return deliver(m.puzzle)
		},
	}
	return r.Run(ctx)
}

// ahead is how many puzzles for each worker may be begun before the first of
// them is delivered. Some, since a few take longer than others; not many, since
// of a long queue workers would take several at once and deliver them together.
const ahead = 3
