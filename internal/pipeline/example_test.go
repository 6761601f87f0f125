package pipeline_test

import (
	"context"
	"fmt"
	"io"

	"sator/internal/pipeline"
)

// Two workers square numbers; the results are delivered in order.
func ExampleMap() {
	n := 0
	r := pipeline.Map[int, int]{
		Jobs: 2,
		Next: func() (int, error) {
			if n++; n > 5 {
				return 0, io.EOF
			}
			return n, nil
		},
		NewWorker: func() func(context.Context, int) int { return func(_ context.Context, n int) int { return n * n } },
		Deliver:   func(in, out int) error { fmt.Println(in, out); return nil },
	}
	if err := r.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 1 1
	// 2 4
	// 3 9
	// 4 16
	// 5 25
}
