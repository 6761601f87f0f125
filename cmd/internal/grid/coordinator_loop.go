package grid

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sator/cmd/internal/grid/hub"
	"sator/dimacs"
)

// The loop is the goroutine that owns the state of a coordinator. It takes messages of
// RESULTS and posted functions as they arrive. After them it cancels covered tasks, hands
// results to checkers, writes to ACCEPTED, gives out tasks, and ends the run if there is an
// answer. It sleeps while nothing arrives. No step of it waits for the server.

// A mailbox is a queue of functions without a limit, so that posting never blocks. Its
// length is limited by the senders: they wait for an answer, or the buffers of their
// subscriptions are limited.
type mailbox struct {
	mu    sync.Mutex
	queue []func()
	ready chan struct{} // has a value if the queue is not empty
}

// post adds a function to the queue.
func (m *mailbox) post(f func()) {
	m.mu.Lock()
	m.queue = append(m.queue, f)
	m.mu.Unlock()
	select {
	case m.ready <- struct{}{}:
	default:
	}
}

// take empties the queue and returns its functions in order.
func (m *mailbox) take() []func() {
	m.mu.Lock()
	defer m.mu.Unlock()
	fs := m.queue
	m.queue = nil
	return fs
}

// run is the loop. It returns the answer, or Unknown when ctx ends.
func (c *coordinator) run(ctx context.Context) (*Answer, error) {
	tick := time.NewTicker(c.o.Heartbeat)
	defer tick.Stop()
	c.act()
	for ctx.Err() == nil && !c.ending.over {
		select {
		case <-ctx.Done():
		case <-c.inbox.ready:
			for _, f := range c.inbox.take() {
				f()
			}
		case m := <-c.incoming:
			c.receive(m)
			c.receiveMore()
		case <-tick.C:
			c.tick()
		}
		c.act()
	}
	if !c.ending.over {
		c.flush()
	}
	c.progress.report(c, true)
	switch {
	case c.failure != nil:
		return nil, c.failure
	case !c.ending.over:
		return &Answer{Stats: c.tree.Stats()}, nil
	}
	return c.answer(), nil
}

// receiveMore takes further results that have arrived already.
func (c *coordinator) receiveMore() {
	for range cap(c.incoming) {
		select {
		case m := <-c.incoming:
			c.receive(m)
		default:
			return
		}
	}
}

// act takes all steps that the present state permits.
func (c *coordinator) act() {
	if c.ctx.Err() != nil {
		return
	}
	c.cancelCovered()
	c.checkResults()
	c.commit()
	c.fill()
	c.sendCancels()
	c.progress.report(c, false)
	c.end()
}

// tick takes the steps that depend on time.
func (c *coordinator) tick() {
	c.expireWorkers()
	c.releaseHeld()
	c.resend(true)
	c.progress.sample(c)
	c.audit()
}

// inBackground runs f for each call in the order of the calls, in a goroutine of its own.
// It repeats f until f returns nil or ctx ends.
func (c *coordinator) inBackground(f func(context.Context) error) {
	c.background.post(func() { retry(c.ctx, f) })
}

// runBackground runs the functions of inBackground.
func (c *coordinator) runBackground(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.background.ready:
			for _, f := range c.background.take() {
				f()
			}
		}
	}
}

// retryWait is the time between two attempts at a request to the server.
const retryWait = 250 * time.Millisecond

// retry calls f until it returns nil or ctx ends, and returns the last error.
func retry(ctx context.Context, f func(context.Context) error) error {
	for {
		err := f(ctx)
		if err == nil || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(retryWait):
		}
	}
}

// persist calls f until it returns nil, an error that will not pass, or ctx ends. The
// server may be restarting, or a cluster may have no leader.
func (c *coordinator) persist(ctx context.Context, f func(context.Context) error) (err error) {
	warned := false
	retry(ctx, func(ctx context.Context) error {
		if err = f(ctx); err == nil || ctx.Err() != nil || !passing(err) {
			return nil
		}
		if !warned {
			c.o.Log("the server is not ready: %v", err)
			warned = true
		}
		return err
	})
	return err
}

// passing reports whether an error of a request to the server may pass.
func passing(err error) bool {
	var api *jetstream.APIError
	switch reason := hub.ReasonOf(err); {
	case errors.Is(err, nats.ErrConnectionClosed) || reason == hub.NoJetStream:
		return false
	case reason == hub.Gone:
		return true
	}
	return errors.As(err, &api) && api.Code == http.StatusServiceUnavailable
}

// watchConnection posts the changes of the connection, until ctx ends.
func (c *coordinator) watchConnection(ctx context.Context) {
	changes := c.nc.StatusChanged(nats.CONNECTED, nats.RECONNECTING, nats.CLOSED)
	defer c.nc.RemoveStatusListener(changes)
	for {
		select {
		case <-ctx.Done():
			return
		case s := <-changes:
			c.inbox.post(func() { c.connectionChanged(s) })
		}
	}
}

// connectionChanged reacts to a lost or new connection. After a reconnection the server
// may have lost its memory, and answers may be lost.
func (c *coordinator) connectionChanged(s nats.Status) {
	switch s {
	case nats.CLOSED:
		c.fail(nats.ErrConnectionClosed)
	case nats.RECONNECTING:
		c.o.Log("the connection to the server is lost; reconnecting")
	case nats.CONNECTED:
		c.o.Log("connected to the server again")
		c.resend(false)
		c.tasks.audited = time.Time{}
		c.audit()
	}
}

// deliver passes messages of RESULTS to the loop, which may be behind.
func (c *coordinator) deliver(ctx context.Context) jetstream.MessageHandler {
	return func(m jetstream.Msg) {
		select {
		case c.incoming <- m:
		case <-ctx.Done():
		}
	}
}

// needed reports whether the run still needs results.
func (c *coordinator) needed() bool {
	return c.tree.Status() == dimacs.Unknown && c.base.Status == dimacs.Unknown && c.ending.model == nil && !c.ending.begun
}
