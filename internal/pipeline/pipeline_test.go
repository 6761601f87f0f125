package pipeline_test

import (
	"context"
	"errors"
	"io"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sator/internal/pipeline"
)

// numbers returns a source of the numbers up to n.
func numbers(n int) func() (int, error) {
	next := 0
	return func() (int, error) {
		if next++; next > n {
			return 0, io.EOF
		}
		return next, nil
	}
}

// uneven returns a worker that squares numbers, some of them slowly.
func uneven() func(context.Context, int) int {
	return func(_ context.Context, n int) int {
		if n%17 == 0 {
			time.Sleep(100 * time.Microsecond)
		}
		return n * n
	}
}

// All items are delivered in their order, by any number of workers.
func TestOrder(t *testing.T) {
	for _, jobs := range []int{0, 1, 2, 3, 16} {
		for _, n := range []int{0, 1, 2, 5, 3000} {
			last := 0
			r := pipeline.Map[int, int]{Jobs: jobs, Next: numbers(n), NewWorker: uneven, Deliver: func(in, out int) error {
				if in != last+1 || out != in*in {
					t.Fatalf("%d jobs: %d with %d after %d", jobs, in, out, last)
				}
				last = in
				return nil
			}}
			if err := r.Run(context.Background()); err != nil || last != n {
				t.Fatalf("%d jobs: %d of %d, %v", jobs, last, n, err)
			}
		}
	}
}

// TestMemory checks that the stages allocate nothing for an item.
func TestMemory(t *testing.T) {
	const items = 100_000
	allocs := testing.AllocsPerRun(1, func() {
		sum := 0
		p := pipeline.Map[int, int]{
			Jobs:      3,
			Next:      numbers(items),
			NewWorker: func() func(context.Context, int) int { return func(_ context.Context, i int) int { return 2 * i } },
			Deliver:   func(_, out int) error { sum += out; return nil },
		}
		if err := p.Run(context.Background()); err != nil || sum < items {
			t.Errorf("sum %d, error %v", sum, err)
		}
	})
	if allocs > items/20 { // a batch for each item that is pending, at first
		t.Errorf("%v allocations for %d items", allocs, items)
	}
}

// An item from a pipe is processed and delivered before the next one arrives, and
// Idle is called before the wait for it.
func TestAnswersAtOnce(t *testing.T) {
	answered := make(chan int)
	written := 0
	n := 0
	r := pipeline.Map[int, int]{
		Jobs: 4,
		Next: func() (int, error) {
			if n > 0 && <-answered != n*n {
				return 0, errors.New("the answer is wrong")
			}
			if n++; n > 200 {
				return 0, io.EOF
			}
			return n, nil
		},
		NewWorker: uneven,
		Deliver:   func(in, out int) error { written = out; return nil },
		Idle: func() error {
			if written > 0 {
				answered <- written
				written = 0
			}
			return nil
		},
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if err := r.Run(ctx); err != nil {
		t.Fatal(err)
	}
}

// The source is not read far ahead of delivery.
func TestIsBounded(t *testing.T) {
	var read atomic.Int64
	source := numbers(20_000)
	most := int64(0)
	delivered := int64(0)
	r := pipeline.Map[int, int]{
		Jobs:      2,
		Next:      func() (int, error) { read.Add(1); return source() },
		NewWorker: uneven,
		Deliver:   func(int, int) error { delivered++; most = max(most, read.Load()-delivered); return nil },
	}
	if err := r.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if most > 1000 {
		t.Errorf("%d items were read ahead", most)
	}
}

// The end of the context, an error of Deliver and panics end Run, even while Next
// blocks, and all goroutines end.
func TestEnds(t *testing.T) {
	before := runtime.NumGoroutine()
	broken := errors.New("broken pipe")
	for _, jobs := range []int{1, 3} {
		r := pipeline.Map[int, int]{Jobs: jobs, Next: numbers(math.MaxInt), NewWorker: uneven, Deliver: func(in, _ int) error {
			if in == 1000 {
				return broken
			}
			return nil
		}}
		if err := r.Run(context.Background()); err != broken {
			t.Errorf("%d jobs: %v", jobs, err)
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		r.Next = numbers(math.MaxInt)
		r.Deliver = func(in, _ int) error {
			if in%1000 == 0 {
				cancel(broken)
			}
			return nil
		}
		if err := r.Run(ctx); err != broken {
			t.Errorf("%d jobs, context done: %v", jobs, err)
		}
	}
	hung := make(chan struct{})
	ctx, cancel := context.WithTimeoutCause(context.Background(), 20*time.Millisecond, broken)
	defer cancel()
	r := pipeline.Map[int, int]{Jobs: 2, Next: func() (int, error) { <-hung; return 0, io.EOF }, NewWorker: uneven}
	if err := r.Run(ctx); err != broken {
		t.Errorf("the source hangs: %v", err)
	}
	close(hung)
	for _, fault := range []pipeline.Map[int, int]{
		{Jobs: 2, Next: func() (int, error) { panic("source") }, NewWorker: uneven},
		{Jobs: 2, Next: numbers(10), NewWorker: func() func(context.Context, int) int {
			return func(context.Context, int) int { panic("worker") }
		}},
	} {
		if p := panicOf(func() { fault.Run(context.Background()) }); !strings.Contains(p, "source") && !strings.Contains(p, "worker") {
			t.Errorf("panic %q", p)
		}
	}
	for range 10_000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// panicOf returns the value with which f panics.
func panicOf(f func()) (p string) {
	defer func() { p, _ = recover().(string) }()
	f()
	return ""
}
