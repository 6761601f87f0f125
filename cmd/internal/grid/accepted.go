package grid

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"sator/cmd/internal/grid/session"
	"sator/dimacs"
	"sator/dpll/portfolio"
)

// ACCEPTED has the order in which the coordinator accepted results. The lemmas of the
// segments have their final ids by that order (session.Numbering). A message has all
// results that were accepted while the message before was being stored, so that the time
// of a sync does not limit the number of results a second.
//
// Each message is published with the expected last sequence number. So a coordinator that
// another one has replaced cannot write, and a message whose acknowledgement was lost is
// not stored twice: the coordinator compares the stored message with its own.
//
// Clauses are shared when the message with their segment is stored. Before that, a crash
// of the coordinator could give other numbers to them.

// maxBatch is the size in bytes above which a message of ACCEPTED takes no further
// result. Checkers refuse a single result that does not fit; see storable.
const maxBatch = 256 << 10

// An AcceptedResult is a result in ACCEPTED.
type AcceptedResult struct {
	Seq     uint64           `json:"seq"` // in RESULTS
	Session string           `json:"session"`
	Reports []session.Report `json:"reports,omitempty"`
}

// An AcceptedMessage is a message of ACCEPTED.
type AcceptedMessage struct {
	Version int              `json:"version"`
	Run     string           `json:"run"`
	Results []AcceptedResult `json:"results"`
}

func (m *AcceptedMessage) validate(c *check) {
	c.version(m.Version)
	c.run(m.Run)
	for i := range m.Results {
		c.name("session", m.Results[i].Session)
	}
}

// An acceptedLog is the coordinator's view of ACCEPTED.
type acceptedLog struct {
	stream     jetstream.Stream
	numbering  *session.Numbering // nil in a run without segments
	resolvents session.Resolvents
	order      []acceptedRef    // accepted results
	last       uint64           // sequence number of the last message
	batch      []AcceptedResult // not yet sent
	shared     []Shared         // by result of batch: clauses that are shared when it is stored
	writing    bool             // a message is being stored
}

// An acceptedRef is an accepted result.
type acceptedRef struct {
	seq     uint64
	session string
}

// accept gives final ids to the clauses of a checked result, and applies the result to
// the tree. The error is a [*session.Error] if the reports cannot be accepted, or lack the
// clause of the result; nothing has changed then.
func (c *coordinator) accept(r *record, reports []session.Report) error {
	l := &c.accepted
	if res := &r.msg.Result; res.Status == dimacs.Unsatisfiable && len(res.Failed) > 0 {
		// A checker looks for the clause, but with Trust there is no check.
		if next := reports[len(reports)-1].Next; res.Clause < 1 || res.Clause >= next {
			return &session.Error{Msg: fmt.Sprintf("it refutes its cube by clause %d, and its segments end with clause %d", res.Clause, next-1)}
		}
	}
	exports, err := l.numbering.Accept(r.msg.Session, reports...)
	if err != nil {
		return err
	}
	l.order = append(l.order, acceptedRef{r.seq, r.msg.Session})
	l.batch = append(l.batch, AcceptedResult{r.seq, r.msg.Session, reports})
	l.shared = append(l.shared, c.sharable(r.msg.Session, exports))
	if r.msg.Result.Status != dimacs.Unsatisfiable {
		return nil
	}
	res, err := c.final(r)
	if err == nil {
		err = c.tree.Finish(res)
	}
	if err != nil {
		c.o.Log("result %d of worker %s does not apply: %v", r.seq, r.msg.Worker, err)
	}
	c.taskDone(r.hash)
	return nil
}

// final returns the refutation of an accepted result with the final id of its clause.
func (c *coordinator) final(r *record) (*portfolio.Result, error) {
	res := r.msg.Result
	if len(res.Failed) == 0 {
		return &res, nil
	}
	id, err := c.accepted.numbering.Final(r.msg.Session, res.Clause)
	res.Clause = id
	return &res, err
}

// sharable returns the unit and binary clauses of accepted segments. They are sent to
// workers when the segments are stored in ACCEPTED.
func (c *coordinator) sharable(session string, exports []session.Clause) Shared {
	m := Shared{Version: Version, Run: c.identity, Session: session}
	for _, e := range exports {
		if c.o.Share && len(e.Lits) <= 2 {
			m.Clauses = append(m.Clauses, Clause{e.Final, e.Lits})
		}
	}
	return m
}

// commit writes accepted results to ACCEPTED, unless a message is being stored.
func (c *coordinator) commit() {
	l := &c.accepted
	if l.writing || len(l.batch) == 0 {
		return
	}
	n, size := 0, 0
	for ; n < len(l.batch); n++ {
		size += len(Encode(&l.batch[n]))
		if n > 0 && size > maxBatch {
			break
		}
	}
	data, last := Encode(&AcceptedMessage{Version, c.identity, l.batch[:n]}), l.last
	l.writing = true
	c.goroutines.Go(func() {
		seq, err := c.store(data, last)
		c.inbox.post(func() { c.committed(seq, n, err) })
	})
}

// store publishes a message to ACCEPTED until it is stored, and returns its sequence
// number. The error is that of ctx, or another coordinator has written to ACCEPTED.
func (c *coordinator) store(data []byte, last uint64) (seq uint64, err error) {
	var other error
	err = retry(c.late, func(ctx context.Context) error {
		ack, err := c.js.Publish(ctx, c.names.AcceptedOrder(), data, jetstream.WithExpectLastSequence(last))
		if err == nil {
			seq = ack.Sequence
			return nil
		}
		if !wrongSequence(err) {
			return err
		}
		m, err := c.accepted.stream.GetMsg(ctx, last+1)
		switch {
		case err == nil && bytes.Equal(m.Data, data): // its acknowledgement was lost
			seq = m.Sequence
		case err == nil || errors.Is(err, jetstream.ErrMsgNotFound):
			other = fmt.Errorf("another coordinator has written to the stream %s", c.names.AcceptedStream())
		default:
			return err
		}
		return nil
	})
	return seq, errors.Join(err, other)
}

// wrongSequence reports whether a message was refused because it is not the next one.
func wrongSequence(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

// committed notes that the first n results of the batch are stored.
func (c *coordinator) committed(seq uint64, n int, err error) {
	l := &c.accepted
	l.writing = false
	if err != nil {
		c.fail(err)
		return
	}
	for i := range l.shared[:n] {
		if m := &l.shared[i]; len(m.Clauses) > 0 {
			c.nc.Publish(c.names.Shared(), Encode(m))
		}
	}
	l.last, l.batch, l.shared = seq, l.batch[n:], l.shared[n:]
}

// flushPatience is the time in which accepted results are written when the run is
// stopped. Results that are not written are checked again later.
const flushPatience = 2 * time.Second

// flush writes the accepted results that are not in ACCEPTED, when the run is stopped.
func (c *coordinator) flush() {
	late := time.After(flushPatience)
	for c.commit(); c.accepted.writing && c.failure == nil; c.commit() {
		select {
		case <-c.inbox.ready:
			for _, f := range c.inbox.take() {
				f()
			}
		case <-late:
			return
		}
	}
}

// readAccepted returns the results in ACCEPTED in their order.
func (c *coordinator) readAccepted(ctx context.Context) (all []AcceptedResult, err error) {
	l := &c.accepted
	info, err := l.stream.Info(ctx)
	if err != nil {
		return nil, err
	}
	l.last = info.State.LastSeq
	if info.State.Msgs == 0 {
		return nil, nil
	}
	consumer, err := l.stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{})
	if err != nil {
		return nil, err
	}
	messages, err := consumer.Messages(jetstream.PullMaxMessages(pullMessages))
	if err != nil {
		return nil, err
	}
	defer messages.Stop()
	for {
		m, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return nil, err
		}
		meta, err := m.Metadata()
		if err != nil {
			return nil, err
		}
		message := new(AcceptedMessage)
		if err := Decode(m.Data(), message); err != nil {
			return nil, fmt.Errorf("message %d: %w: %w", meta.Sequence.Stream, errInconsistent, err)
		}
		if message.Run != c.identity {
			return nil, fmt.Errorf("message %d: %w: it is one of another run", meta.Sequence.Stream, errInconsistent)
		}
		all = append(all, message.Results...)
		if meta.NumPending == 0 {
			return all, nil
		}
	}
}

// errInconsistent reports that ACCEPTED contradicts itself or RESULTS.
var errInconsistent = errors.New("the order of accepted results is inconsistent")

// replayAccepted returns the results that the tree gets at the start, and those that wait
// to be processed: in a run with segments, the refutations that ACCEPTED lacks, and all
// results whose segments it lacks. If ACCEPTED is inconsistent, all segments are checked
// again.
func (c *coordinator) replayAccepted(ctx context.Context, records []*record) (known []knownResult, waiting []*record, err error) {
	for _, r := range records {
		if r.split() || r.msg.Result.Status == dimacs.Unsatisfiable && !c.o.segments() {
			known = append(known, knownResult{r, r.msg.Result})
			c.results.ended[r.hash] = struct{}{}
		}
	}
	if !c.o.segments() {
		for _, r := range records {
			if r.msg.Result.Status == dimacs.Satisfiable {
				waiting = append(waiting, r)
			}
		}
		return known, waiting, nil
	}
	var order []AcceptedResult
	err = c.persist(ctx, func(ctx context.Context) (err error) {
		order, err = c.readAccepted(ctx)
		return err
	})
	var refuted []knownResult
	if err == nil {
		refuted, err = c.renumber(records, order)
	}
	if errors.Is(err, errInconsistent) {
		c.o.Log("all results are checked again: %v", err)
		refuted = nil
		for _, r := range records {
			r.accepted = false
		}
		err = c.persist(ctx, c.discardAccepted)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("stream %s: %w", c.names.AcceptedStream(), err)
	}
	known = append(known, refuted...)
	for _, r := range records {
		if !r.accepted || r.msg.Result.Status == dimacs.Satisfiable {
			waiting = append(waiting, r)
		}
		if r.accepted {
			c.results.ended[r.hash] = struct{}{}
		}
	}
	return known, waiting, nil
}

// renumber gives the final ids of an earlier coordinator to the accepted results, and
// returns the refutations.
func (c *coordinator) renumber(records []*record, order []AcceptedResult) (refuted []knownResult, err error) {
	bySeq := map[uint64]*record{}
	for _, r := range records {
		bySeq[r.seq] = r
	}
	for i := range order {
		a := &order[i]
		r := bySeq[a.Seq]
		if r == nil || r.msg.Session != a.Session {
			return nil, fmt.Errorf("%w: result %d does not exist", errInconsistent, a.Seq)
		}
		if _, err := c.accepted.numbering.Accept(a.Session, a.Reports...); err != nil {
			return nil, fmt.Errorf("%w: result %d: %w", errInconsistent, a.Seq, err)
		}
		delete(bySeq, a.Seq) // a result is accepted once
		c.accepted.order = append(c.accepted.order, acceptedRef{a.Seq, a.Session})
		r.accepted = true
		c.noteAccepted(r, a)
		if r.msg.Result.Status != dimacs.Unsatisfiable {
			continue
		}
		res, err := c.final(r)
		if err != nil {
			return nil, fmt.Errorf("%w: result %d: %w", errInconsistent, a.Seq, err)
		}
		refuted = append(refuted, knownResult{r, *res})
	}
	return refuted, nil
}

// discardAccepted empties ACCEPTED and forgets its numbers.
func (c *coordinator) discardAccepted(ctx context.Context) error {
	l := &c.accepted
	if err := l.stream.Purge(ctx); err != nil {
		return err
	}
	info, err := l.stream.Info(ctx)
	if err != nil {
		return err
	}
	l.last, l.order = info.State.LastSeq, nil
	l.numbering = session.NewNumbering(c.base.numbers)
	c.checking.init()
	return nil
}
