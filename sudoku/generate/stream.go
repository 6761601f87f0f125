package generate

import (
	"context"
	"io"
	"runtime"

	"sator/internal/pipeline"
)

// Each makes count puzzles, with the numbers from first on; with a count of 0 it
// does not end. It uses a number of goroutines; 0 jobs means one for each
// processor. It calls deliver with the puzzles in the order of their numbers, each
// as soon as it and all puzzles before it are made. It returns the first error: of
// deliver, of [Generator.Make], or the cause of ctx. The puzzles do not depend on
// the number of jobs.
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
	next, pending := first, make(chan struct{}, maxAhead*jobs)
	r := pipeline.Map[uint64, made]{
		Jobs: jobs,
		Next: func() (uint64, error) {
			select {
			case pending <- struct{}{}:
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
			<-pending
			if m.err != nil {
				return m.err
			}
			return deliver(m.puzzle)
		},
	}
	return r.Run(ctx)
}

// maxAhead is, for each worker, the largest number of puzzles that are begun but
// not delivered. It is more than 1 because some puzzles take longer than others,
// and small because workers take several items at once from a long queue and
// deliver them together.
const maxAhead = 3
