package solve

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"sync"
)

// Many puzzles, several workers, one order. A reader takes items from the source
// and queues them; a worker that is free takes some from the front of the queue;
// what the workers return is delivered in the order of the items.
//
// How many items a worker takes at once is up to what is there: with a long
// queue a share of it, so that workers seldom meet at the lock; from a queue of
// one, that one. So nothing waits for company: an item that comes through a
// pipe goes to a worker at once, and what it becomes is delivered as soon as all
// before it is. The queue, and what is done and not delivered, are bounded, so
// that memory does not grow with the input.

// A Pipeline hands a stream of items to workers and delivers what they make of them
// in the order of the items.
type Pipeline[In, Out any] struct {
	// Jobs is the number of workers; 0 stands for one for each processor.
	Jobs int

	// Next returns the next item, and [io.EOF] after the last one. Any other error
	// ends Run.
	Next func() (In, error)

	// NewWorker makes a worker: a function that is called by one goroutine at a
	// time.
	NewWorker func() func(context.Context, In) Out

	// Deliver is called with each item and its result, by the goroutine that
	// called Run. If it returns an error, Run ends with it.
	Deliver func(In, Out) error

	// Idle, if not nil, is called before Deliver has to wait for a result: the
	// time to flush what was written. With a single job it is never called; then
	// all is done by one goroutine, and Next is what waits.
	Idle func() error
}

const (
	// mostItems is how many items a worker takes at once at most.
	mostItems = 32

	// queued is how many items for each worker may wait, and be done and wait for
	// their turn to be delivered.
	queued = 4 * mostItems
)

// Run returns nil when all items are delivered. It returns the error of a Next or
// Deliver that fails, and the cause of ctx as soon as that is done. Then it does
// not wait for a blocked Next, or for workers, which should respect the context.
func (r *Pipeline[In, Out]) Run(ctx context.Context) error {
	jobs := r.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	if jobs == 1 {
		return r.alone(ctx)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l := newLine[In, Out](queued * jobs)
	defer context.AfterFunc(ctx, l.close)()
	defer l.close()
	go l.read(r.Next)
	for range jobs {
		go l.work(ctx, r.NewWorker(), jobs)
	}
	return r.deliver(ctx, l)
}

// alone does all in turn.
func (r *Pipeline[In, Out]) alone(ctx context.Context) error {
	work := r.NewWorker()
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		in, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		out := work(ctx, in)
		if err := r.Deliver(in, out); err != nil {
			return err
		}
	}
}

// deliver passes on what the workers make, in order.
func (r *Pipeline[In, Out]) deliver(ctx context.Context, l *line[In, Out]) error {
	for {
		b, ready := l.first(false)
		if !ready {
			if r.Idle != nil {
				if err := r.Idle(); err != nil {
					return err
				}
			}
			b, _ = l.first(true)
		}
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case b == nil && l.end == io.EOF:
			return nil
		case b == nil:
			return l.end
		case b.crash != "":
			panic(b.crash)
		}
		for i := range b.in {
			if err := r.Deliver(b.in[i], b.out[i]); err != nil {
				return err
			}
		}
	}
}

// A line is the queue between reader, workers and delivery.
type line[In, Out any] struct {
	mu     sync.Mutex
	room   sync.Cond // the reader waits for it
	items  sync.Cond // workers wait for them
	done   sync.Cond // delivery waits for the first batch to be done
	limit  int
	queue  []In
	taken  []*batch[In, Out] // in order
	out    int               // items in taken
	end    error             // of the source, once it has ended
	crash  string            // a panic of the source
	closed bool
}

// A batch is what a worker takes at once.
type batch[In, Out any] struct {
	in    []In
	out   []Out
	done  bool
	crash string // a panic of the worker
}

func newLine[In, Out any](limit int) *line[In, Out] {
	l := &line[In, Out]{limit: limit}
	l.room.L, l.items.L, l.done.L = &l.mu, &l.mu, &l.mu
	return l
}

// close makes everyone stop waiting.
func (l *line[In, Out]) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.room.Broadcast()
	l.items.Broadcast()
	l.done.Broadcast()
}

// read queues what the source has.
func (l *line[In, Out]) read(next func() (In, error)) {
	defer func() {
		if p := recover(); p != nil {
			l.ended(nil, crashed(p))
		}
	}()
	for {
		in, err := next()
		if err != nil {
			l.ended(err, "")
			return
		}
		l.mu.Lock()
		for len(l.queue)+l.out >= l.limit && !l.closed {
			l.room.Wait()
		}
		l.queue = append(l.queue, in)
		closed := l.closed
		l.mu.Unlock()
		if closed {
			return
		}
		l.items.Signal()
	}
}

// crashed returns what a panic of another goroutine tells the one that delivers.
func crashed(p any) string { return fmt.Sprintf("%v\n%s", p, debug.Stack()) }

// ended takes note that the source has no more.
func (l *line[In, Out]) ended(err error, crash string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.end, l.crash = err, crash
	l.items.Broadcast()
	l.done.Signal()
}

// work takes items and does them until there are no more.
func (l *line[In, Out]) work(ctx context.Context, do func(context.Context, In) Out, jobs int) {
	for {
		b := l.take(jobs)
		if b == nil {
			return
		}
		b.run(ctx, do)
		l.mu.Lock()
		b.done = true
		first := len(l.taken) > 0 && l.taken[0] == b
		l.mu.Unlock()
		if first {
			l.done.Signal()
		}
	}
}

// run fills the batch. A panic is kept for the goroutine that delivers.
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

// take waits for items and returns some of them as a batch, nil if there will be
// none.
func (l *line[In, Out]) take(jobs int) *batch[In, Out] {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.queue) == 0 && !l.ending() && !l.closed {
		l.items.Wait()
	}
	if len(l.queue) == 0 || l.closed {
		return nil
	}
	n := min(max(len(l.queue)/(2*jobs), 1), mostItems)
	b := &batch[In, Out]{in: append([]In(nil), l.queue[:n]...), out: make([]Out, n)}
	rest := copy(l.queue, l.queue[n:])
	clear(l.queue[rest:])
	l.queue = l.queue[:rest]
	l.taken = append(l.taken, b)
	l.out += n
	return b
}

// ending reports whether the source has no more.
func (l *line[In, Out]) ending() bool { return l.end != nil || l.crash != "" }

// first returns the first batch that was not delivered, once it is done, and
// nil if there is none to come. Without wait it reports whether it is ready.
func (l *line[In, Out]) first(wait bool) (b *batch[In, Out], ready bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		switch {
		case l.closed:
			return nil, true
		case len(l.taken) > 0 && l.taken[0].done:
			b = l.taken[0]
			l.taken[0] = nil
			l.taken = l.taken[1:]
			l.out -= len(b.in)
			l.room.Signal()
			return b, true
		case len(l.taken) == 0 && len(l.queue) == 0 && l.crash != "":
			panic(l.crash)
		case len(l.taken) == 0 && len(l.queue) == 0 && l.end != nil:
			return nil, true
		case !wait:
			return nil, false
		}
		l.done.Wait()
	}
}
