package solve

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"sync"
)

// A pipeline has three stages. A reader goroutine queues items of the source; free
// workers remove batches from the front of the queue; results are delivered in the
// order of the items.
//
// A batch takes a fixed share of a long queue, so that workers seldom contend
// for the lock, and a single item if the queue is short. So no item waits for a
// batch to fill: an item that arrives through a pipe is processed at once, and
// its result is delivered as soon as all results before it are. The queue and
// the undelivered results are bounded, so memory does not grow with the input.

// A Pipeline applies a function to a stream of items with several workers, and
// delivers the results in the order of the items.
type Pipeline[In, Out any] struct {
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
	// maxBatch is the largest number of items in a batch.
	maxBatch = 32

	// maxPending is, for each worker, the largest number of items that are read
	// but not delivered.
	maxPending = 4 * maxBatch
)

// Run returns nil after all items are delivered. It returns early with an error
// of Next, Deliver or Idle, and with the cause of ctx as soon as ctx is done.
// In these cases it waits neither for Next, which may block, nor for workers,
// which should respect the context. A panic in a worker or in Next is raised
// again in Run.
func (p *Pipeline[In, Out]) Run(ctx context.Context) error {
	jobs := p.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	if jobs == 1 {
		return p.runAlone(ctx)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	q := newQueue[In, Out](maxPending * jobs)
	defer context.AfterFunc(ctx, q.close)()
	defer q.close()
	go q.read(p.Next)
	for range jobs {
		go q.work(ctx, p.NewWorker(), jobs)
	}
	return p.deliver(ctx, q)
}

// runAlone reads, processes and delivers one item after the other.
func (p *Pipeline[In, Out]) runAlone(ctx context.Context) error {
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
func (p *Pipeline[In, Out]) deliver(ctx context.Context, q *queue[In, Out]) error {
	for {
		b, ready := q.first(false)
		if !ready {
			if p.Idle != nil {
				if err := p.Idle(); err != nil {
					return err
				}
			}
			b, _ = q.first(true)
		}
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case b == nil && q.end == io.EOF:
			return nil
		case b == nil:
			return q.end
		case b.crash != "":
			panic(b.crash)
		}
		for i := range b.in {
			if err := p.Deliver(b.in[i], b.out[i]); err != nil {
				return err
			}
		}
		q.free(b)
	}
}

// A queue holds the items between reader, workers and delivery.
type queue[In, Out any] struct {
	mu      sync.Mutex
	space   sync.Cond // the reader may add an item
	items   sync.Cond // waiting has items, or the source has ended
	done    sync.Cond // the first batch is processed, or the source has ended
	limit   int       // bound on len(waiting)+taken
	waiting []In
	batches []*batch[In, Out] // taken by workers and not delivered, in order
	taken   int               // items in batches
	spare   []*batch[In, Out] // delivered batches, whose memory is used again
	end     error             // error of the source, nil until the source ends
	crash   string            // message of a panic of the source
	closed  bool
}

// A batch is a run of items that one worker processes.
type batch[In, Out any] struct {
	in    []In
	out   []Out
	done  bool
	crash string // message of a panic of the worker
}

func newQueue[In, Out any](limit int) *queue[In, Out] {
	q := &queue[In, Out]{limit: limit}
	q.space.L, q.items.L, q.done.L = &q.mu, &q.mu, &q.mu
	return q
}

// close wakes all waiting goroutines and makes them stop.
func (q *queue[In, Out]) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.space.Broadcast()
	q.items.Broadcast()
	q.done.Broadcast()
}

// read queues the items of the source.
func (q *queue[In, Out]) read(next func() (In, error)) {
	defer func() {
		if p := recover(); p != nil {
			q.ended(nil, crashed(p))
		}
	}()
	for {
		in, err := next()
		if err != nil {
			q.ended(err, "")
			return
		}
		q.mu.Lock()
		for len(q.waiting)+q.taken >= q.limit && !q.closed {
			q.space.Wait()
		}
		q.waiting = append(q.waiting, in)
		closed := q.closed
		q.mu.Unlock()
		if closed {
			return
		}
		q.items.Signal()
	}
}

// crashed returns the message of a panic, for the goroutine that raises it again.
func crashed(p any) string { return fmt.Sprintf("%v\n%s", p, debug.Stack()) }

// ended records the end of the source, by an error or a panic.
func (q *queue[In, Out]) ended(err error, crash string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.end, q.crash = err, crash
	q.items.Broadcast()
	q.done.Signal()
}

// work processes batches until there are no more items.
func (q *queue[In, Out]) work(ctx context.Context, do func(context.Context, In) Out, jobs int) {
	for {
		b := q.take(jobs)
		if b == nil {
			return
		}
		b.run(ctx, do)
		q.mu.Lock()
		b.done = true
		first := len(q.batches) > 0 && q.batches[0] == b
		q.mu.Unlock()
		if first {
			q.done.Signal()
		}
	}
}

// run processes the items. It keeps a panic for the goroutine that delivers.
func (b *batch[In, Out]) run(ctx context.Context, do func(context.Context, In) Out) {
	defer func() {
		if p := recover(); p != nil {
			b.crash = crashed(p)
		}
	}()
	for i, in := range b.in {
		if ctx.Err() != nil {
			return
		}
		b.out[i] = do(ctx, in)
	}
}

// take waits for items and returns some of them as a batch. It returns nil after
// the last item.
func (q *queue[In, Out]) take(jobs int) *batch[In, Out] {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) == 0 && !q.ending() && !q.closed {
		q.items.Wait()
	}
	if len(q.waiting) == 0 || q.closed {
		return nil
	}
	n := min(max(len(q.waiting)/(2*jobs), 1), maxBatch)
	b := q.newBatch(n)
	rest := copy(q.waiting, q.waiting[n:])
	clear(q.waiting[rest:])
	q.waiting = q.waiting[:rest]
	q.batches = append(q.batches, b)
	q.taken += n
	return b
}

// newBatch returns a batch of the first n items.
func (q *queue[In, Out]) newBatch(n int) *batch[In, Out] {
	var b *batch[In, Out]
	if k := len(q.spare); k > 0 {
		b, q.spare = q.spare[k-1], q.spare[:k-1]
	} else {
		b = &batch[In, Out]{in: make([]In, 0, maxBatch), out: make([]Out, 0, maxBatch)}
	}
	b.in, b.out, b.done = append(b.in, q.waiting[:n]...), b.out[:n], false
	return b
}

// free makes the memory of a delivered batch available.
func (q *queue[In, Out]) free(b *batch[In, Out]) {
	clear(b.in)
	clear(b.out)
	b.in, b.out = b.in[:0], b.out[:0]
	q.mu.Lock()
	q.spare = append(q.spare, b)
	q.mu.Unlock()
}

// ending reports whether the source has ended.
func (q *queue[In, Out]) ending() bool { return q.end != nil || q.crash != "" }

// first returns the first undelivered batch, and nil after the last one. If
// that batch is not processed yet, first waits if wait is true, else returns
// false for ready.
func (q *queue[In, Out]) first(wait bool) (b *batch[In, Out], ready bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		switch {
		case q.closed:
			return nil, true
		case len(q.batches) > 0 && q.batches[0].done:
			b = q.batches[0]
			last := len(q.batches) - 1
			copy(q.batches, q.batches[1:]) // a few, and append needs no memory
			q.batches[last] = nil
			q.batches = q.batches[:last]
			q.taken -= len(b.in)
			q.space.Signal()
			return b, true
		case len(q.batches) == 0 && len(q.waiting) == 0 && q.crash != "":
			panic(q.crash)
		case len(q.batches) == 0 && len(q.waiting) == 0 && q.end != nil:
			return nil, true
		case !wait:
			return nil, false
		}
		q.done.Wait()
	}
}
