package grid

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"sator/dimacs"
)

// Results are consumed in the order of RESULTS by an ordered consumer, which continues
// after a lost connection where it was. A result that is malformed, of another run or of
// an excluded worker is deleted from RESULTS, so that the cube can end again, and then
// the cube is given out again.
//
// A split is never deleted once the tree has it, because the results of the cubes below
// would not fit to a tree without it. It is right whoever sent it.

// A record is a message of RESULTS.
type record struct {
	seq  uint64
	hash string // of the cube, from the subject
	msg  *ResultMessage
	err  error // why it is malformed, or nil

	detached bool // msg lacks the bytes of inline segments

	// Of the replay at the start.
	accepted bool // ACCEPTED has it
	refused  bool // it does not apply to the tree
}

// split reports whether the result splits its cube.
func (r *record) split() bool { return r.msg.Result.Status == dimacs.Unknown }

// A resultLog is the coordinator's view of RESULTS.
type resultLog struct {
	stream  jetstream.Stream
	last    uint64              // sequence number of the latest message
	known   int                 // results that were there at the start
	refused int                 // results and other messages
	ended   map[string]struct{} // hashes of cubes that have a result or are covered
}

func (l *resultLog) init() { l.ended = map[string]struct{}{} }

// Limits of the messages of RESULTS that wait in the connection.
const (
	pullMessages = 512
	pullBytes    = 32 << 20
	pullExpiry   = 8 * time.Second // of a pull; a lost consumer is noticed after half of it
)

// readResults starts the consumer of RESULTS and returns all messages that are there.
func (c *coordinator) readResults(ctx context.Context) (records []*record, err error) {
	var messages uint64
	err = c.persist(ctx, func(ctx context.Context) (err error) {
		messages, err = c.consumeResults(ctx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("stream %s: %w", c.names.ResultsStream(), err)
	}
	for more := messages > 0; more; {
		select {
		case m := <-c.incoming:
			r := c.record(m)
			if meta, err := m.Metadata(); err == nil {
				more = meta.NumPending > 0
			}
			r.detach()
			records = append(records, r)
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return records, nil
}

// consumeResults starts the consumer of RESULTS, and returns the number of messages
// there.
func (c *coordinator) consumeResults(ctx context.Context) (uint64, error) {
	info, err := c.results.stream.Info(ctx)
	if err != nil {
		return 0, err
	}
	consumer, err := c.results.stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{})
	if err != nil {
		return 0, err
	}
	c.consumer, err = consumer.Consume(c.deliver(c.ctx), jetstream.PullMaxMessagesWithBytesLimit(pullMessages, pullBytes),
		jetstream.PullExpiry(pullExpiry), jetstream.PullHeartbeat(pullExpiry/4), jetstream.ConsumeErrHandler(c.onConsumeError))
	return info.State.Msgs, err
}

// onConsumeError is called by the consumer with an error from which it recovers.
func (c *coordinator) onConsumeError(_ jetstream.ConsumeContext, err error) {
	c.inbox.post(func() { c.o.Log("reading %s: %v", c.names.ResultsStream(), err) })
}

// record decodes a message of RESULTS.
func (c *coordinator) record(m jetstream.Msg) *record {
	r := &record{msg: new(ResultMessage)}
	if meta, err := m.Metadata(); err == nil {
		r.seq = meta.Sequence.Stream
		c.results.last = max(c.results.last, r.seq)
	}
	r.hash = strings.TrimPrefix(m.Subject(), c.names.Result(""))
	if r.err = Decode(m.Data(), r.msg); r.err != nil {
		r.msg.Worker = ""
	}
	return r
}

// inline returns the number of bytes of the inline segments.
func (m *ResultMessage) inline() (n int64) {
	for i := range m.Segments {
		n += int64(len(m.Segments[i].Data))
	}
	return n
}

// detach drops the inline segments to save memory. Whoever needs them reads the message
// again.
func (r *record) detach() {
	for i := range r.msg.Segments {
		r.msg.Segments[i].Data = nil
	}
	r.detached = true
}

// receive processes a message of RESULTS.
func (c *coordinator) receive(m jetstream.Msg) {
	r := c.record(m)
	c.progress.changed = true
	if c.admit(r, false) {
		c.process(r, false)
	}
}

// admit reports whether a result is well-formed and of this run. Otherwise it refuses the
// result. In a replay, the tree may have the split of a worker that was excluded later,
// and ACCEPTED may have any result of it.
func (c *coordinator) admit(r *record, replay bool) bool {
	err := r.err
	m := r.msg
	switch {
	case err != nil:
	case m.Run != c.identity || m.Result.Formula != c.sum:
		err = errors.New("it is a result of another run")
	case CubeHash(m.Result.Cube) != r.hash:
		err = errors.New("its subject is that of another cube")
	case !c.o.segments() && len(m.Segments) > 0:
		err = errors.New("it has segments of a proof, and the run has no proof")
	case c.workers.excluded[m.Worker] != "" && !(replay && (r.split() || c.o.segments())):
		err = fmt.Errorf("its worker %s is excluded", m.Worker)
	}
	if err != nil {
		c.refuse(r, err)
	}
	return err == nil
}

// process applies an admitted result, or puts it into the queue of its session. In a
// replay, the tree has the splits already.
func (c *coordinator) process(r *record, replay bool) {
	c.results.ended[r.hash] = struct{}{}
	c.taskAnswered(r)
	res := &r.msg.Result
	if res.Status == dimacs.Satisfiable {
		if c.block(r) {
			c.verifyModel(r)
		} else {
			c.refuse(r, errors.New("its session is one of another worker"))
		}
		return
	}
	if !replay || !r.split() { // else the tree has it
		if err := c.tree.Check(res); err != nil {
			c.refuse(r, err)
			return
		}
	}
	if r.split() && !replay || !r.split() && !c.o.segments() {
		if err := c.tree.Finish(res); err != nil {
			c.refuse(r, err)
			return
		}
		c.taskDone(r.hash)
	}
	if c.o.segments() && c.workers.excluded[r.msg.Worker] == "" {
		c.enqueue(r)
	}
}

// refuse deletes a result from RESULTS and then gives the cube out again.
func (c *coordinator) refuse(r *record, why error) {
	worker := ""
	if r.msg.Worker != "" {
		worker = " of worker " + r.msg.Worker
	}
	c.o.Log("result %d%s is refused: %v", r.seq, worker, why)
	c.results.refused++
	seq, hash := r.seq, r.hash
	c.inBackground(func(ctx context.Context) error {
		err := c.results.stream.DeleteMsg(ctx, seq)
		if errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) { // perhaps an attempt before has deleted it
			if _, e := c.results.stream.GetMsg(ctx, seq); errors.Is(e, jetstream.ErrMsgNotFound) {
				err = nil
			}
		}
		if err != nil {
			return err
		}
		c.inbox.post(func() {
			delete(c.results.ended, hash)
			c.taskRefused(hash)
		})
		return nil
	})
}
