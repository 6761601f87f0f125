// Package pipeline applies a function to a stream of items with several workers, and
// delivers the results in the order of the items. See [Map].
package pipeline

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"sync"
)

// A pipeline has three stages. A reader goroutine puts items of the source into a ring;
// free workers take chunks of items and put the results beside them; results are delivered
// in the order of the items.
//
// A chunk is a fixed share of the waiting items, so that workers seldom contend for
// the lock, and a single item if few wait. So no item waits for a chunk to fill: an item
// that arrives through a pipe is processed at once, and its result is delivered as soon
// as all results before it are. The ring bounds the memory, whatever the length of the
// input.

// A Map applies a function to a stream of items.
type Map[In, Out any] struct {
	// Jobs is the number of workers; 0 means one for each processor.
	Jobs int

	// Next returns the next item, and [io.EOF] after the last one. Any other error
	// ends Run.
	Next func() (In, error)

	// NewWorker returns the function of one worker. It is called by one goroutine
	// at a time, so it may have state of its own.
	NewWorker func() func(context.Context, In) Out

	// Deliver is called with each item and its result, by the goroutine that
	// called Run. Its error ends Run.
	Deliver func(In, Out) error

	// Idle, if not nil, is called before Run waits for a result, for example to
	// flush an output. It is never called with a single job, because then Run
	// waits in Next only.
	Idle func() error
}

const (
	// maxChunk is the largest number of items that a worker takes at once.
	maxChunk = 32

	// maxPending is, for each worker, the largest number of items that are read
	// but not delivered.
	maxPending = 4 * maxChunk
)

// Run returns nil after all items are delivered. It returns early with an error
// of Next, Deliver or Idle, and with the cause of ctx as soon as ctx is done.
// In these cases it waits neither for Next, which may block, nor for workers,
// which should respect the context. A panic in a worker or in Next is raised
// again in Run.
func (p *Map[In, Out]) Run(ctx context.Context) error {
	jobs := p.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	if jobs == 1 {
		return p.runAlone(ctx)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	q := &ring[In, Out]{slots: make([]slot[In, Out], maxPending*jobs)}
	q.space.L, q.items.L, q.done.L = &q.mu, &q.mu, &q.mu
	defer context.AfterFunc(ctx, q.close)()
	defer q.close()
	go q.guard(func() { q.read(p.Next) })
	for range jobs {
		work := p.NewWorker()
		go q.guard(func() { q.work(ctx, work, jobs) })
	}
	return p.deliver(ctx, q)
}

// runAlone reads, processes and delivers one item after the other.
func (p *Map[In, Out]) runAlone(ctx context.Context) error {
	work := p.NewWorker()
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		in, err := p.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		out := work(ctx, in)
		if err := p.Deliver(in, out); err != nil {
			return err
		}
	}
}

// deliver delivers the results in order.
func (p *Map[In, Out]) deliver(ctx context.Context, q *ring[In, Out]) error {
	for {
		n, ready := q.countDone(false)
		if !ready {
			if p.Idle != nil {
				if err := p.Idle(); err != nil {
					return err
				}
			}
			n, _ = q.countDone(true)
		}
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case n == 0 && q.end == io.EOF:
			return nil
		case n == 0:
			return q.end
		}
		for i := range n {
			s := q.slot(q.head + i)
			if err := p.Deliver(s.in, s.out); err != nil {
				return err
			}
		}
		q.free(n)
	}
}

// A ring holds the items between reader, workers and delivery. The counters grow; an item
// with number i is in slot i modulo the number of slots.
type ring[In, Out any] struct {
	mu    sync.Mutex
	space sync.Cond // the reader may add an item
	items sync.Cond // items wait, or the source has ended
	done  sync.Cond // an item is processed, or the source has ended

	slots  []slot[In, Out]
	head   int    // the first item that is not delivered
	taken  int    // the first item that no worker has taken
	tail   int    // number of items read
	end    error  // error of the source, nil until the source ends
	crash  string // message of a panic of the source or a worker
	closed bool
}

// A slot has an item, and its result if it is done.
type slot[In, Out any] struct {
	in   In
	out  Out
	done bool
}

func (q *ring[In, Out]) slot(i int) *slot[In, Out] { return &q.slots[i%len(q.slots)] }

// close wakes all waiting goroutines and makes them stop.
func (q *ring[In, Out]) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.space.Broadcast()
	q.items.Broadcast()
	q.done.Broadcast()
}

// guard calls f, and keeps a panic of it for the goroutine that delivers.
func (q *ring[In, Out]) guard(f func()) {
	defer func() {
		if p := recover(); p != nil {
			q.mu.Lock()
			defer q.mu.Unlock()
			q.crash = fmt.Sprintf("%v\n%s", p, debug.Stack())
			q.done.Signal()
		}
	}()
	f()
}

// read adds the items of the source.
func (q *ring[In, Out]) read(next func() (In, error)) {
	for more := true; more; {
		in, err := next()
		more = q.add(in, err)
	}
}

// add adds an item of the source, or records its end. It reports whether the source should
// be read on.
func (q *ring[In, Out]) add(in In, err error) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.tail-q.head == len(q.slots) && !q.closed {
		q.space.Wait()
	}
	if err != nil || q.closed {
		q.end = err
		q.items.Broadcast()
		q.done.Signal()
		return false
	}
	q.slot(q.tail).in = in
	q.tail++
	q.items.Signal()
	return true
}

// work processes chunks of items until there are no more.
func (q *ring[In, Out]) work(ctx context.Context, do func(context.Context, In) Out, jobs int) {
	for {
		from, to := q.take(jobs)
		if from == to {
			return
		}
		for i := from; i < to; i++ {
			if ctx.Err() != nil {
				return
			}
			s := q.slot(i)
			s.out = do(ctx, s.in)
		}
		q.finish(from, to)
	}
}

// take waits for items and takes some of them. It takes no items after the last one.
func (q *ring[In, Out]) take(jobs int) (from, to int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.taken == q.tail && q.end == nil && !q.closed {
		q.items.Wait()
	}
	from = q.taken
	if waiting := q.tail - q.taken; waiting > 0 && !q.closed {
		q.taken += min(max(waiting/(2*jobs), 1), maxChunk)
	}
	return from, q.taken
}

// finish marks items as done.
func (q *ring[In, Out]) finish(from, to int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := from; i < to; i++ {
		q.slot(i).done = true
	}
	if from == q.head {
		q.done.Signal()
	}
}

// countDone returns the number of items to deliver, at most maxChunk, and 0 after the last
// one. If the first item is not done, countDone waits if wait is true, else it returns false
// for ready.
func (q *ring[In, Out]) countDone(wait bool) (n int, ready bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		for n < maxChunk && q.head+n < q.taken && q.slot(q.head+n).done {
			n++
		}
		switch {
		case q.crash != "" && !q.closed:
			panic(q.crash)
		case q.closed:
			return 0, true
		case n > 0 || q.end != nil && q.head == q.tail:
			return n, true
		case !wait:
			return 0, false
		}
		q.done.Wait()
	}
}

// free makes the slots of delivered items available.
func (q *ring[In, Out]) free(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for range n {
		*q.slot(q.head) = slot[In, Out]{}
		q.head++
	}
	q.space.Signal()
}
