package grid

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sator/cmd/internal/grid/hub"
	"sator/cmd/internal/grid/session"
	"sator/dimacs"
	"sator/dpll/portfolio"
)

// Publishing a result. The steps, with the consequences of a failure after each:
//
//  1. The segment of the proof is cut, and stored as an object if it is large. A worker
//     that is killed afterwards leaves an object that no message refers to. Its session
//     has ended, so nothing else refers to the steps.
//  2. The result is published and the acknowledgement awaited. If that is lost, the
//     worker publishes again. The server then refuses the second message, because its
//     subject has one. The worker reads the stored message: if it is its own, the first
//     attempt succeeded.
//  3. If the stored message is that of another worker, the own result is lost. Its
//     segments stay pending and are sent with the next result, because later segments
//     refer to their lemmas.
//  4. The task is acknowledged.
//
// The attempts do not end while the server is not running or its disk is full. When the worker
// is drained, they end after lastWords, and the cube is handed back.

// lastWords is the time that a drained worker has for publishing a result.
const lastWords = 3 * time.Second

// A pendingSegment is a segment that no stored result refers to.
type pendingSegment struct {
	ref     SegmentRef
	segment *session.Segment
}

// close removes the temporary file.
func (s *pendingSegment) close() { _ = s.segment.Close() }

// publish publishes a result. It returns the kind of the end of the cube. The error ends
// the session.
func (j *job) publish(ctx context.Context, res portfolio.Result) (EventKind, error) {
	ctx, cancel := lasting(ctx, lastWords)
	defer cancel()
	m := &ResultMessage{Version: Version, Run: j.welcome.Run, Worker: j.name, Session: j.session, Result: res}
	hash := CubeHash(res.Cube)
	if err := j.attachModel(ctx, m, hash); err != nil {
		return EventReturned, err
	}
	if err := j.attachSegments(ctx, m); err != nil {
		return EventReturned, err
	}
	b := Encode(m)
	if len(b) > MaxMessage {
		return EventReturned, &fatalError{fmt.Errorf("a result of %d bytes: want at most %d", len(b), MaxMessage)}
	}
	stored, err := j.store(ctx, hash, b)
	switch {
	case err != nil:
		return EventReturned, err
	case !stored:
		return EventLost, nil
	}
	for _, s := range j.pending {
		s.close()
	}
	j.pending = nil
	if port, _ := j.sharing(); port != nil {
		port.beginResult()
	}
	switch res.Status {
	case dimacs.Satisfiable:
		return EventSatisfied, nil
	case dimacs.Unsatisfiable:
		return EventRefuted, nil
	}
	return EventSplit, nil
}

// lasting returns a context that ends a while after the parent has ended.
func lasting(parent context.Context, while time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(parent))
	stop := context.AfterFunc(parent, func() {
		time.AfterFunc(while, func() { cancel(context.Cause(parent)) })
	})
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// attachModel stores a large model as an object.
func (j *job) attachModel(ctx context.Context, m *ResultMessage, hash string) error {
	const most = MaxInline / 8 // literals: a number of up to 6 digits, a sign and a comma
	if len(m.Result.Model) <= most {
		return nil
	}
	text := Encode(m.Result.Model)
	o, err := j.storeObject(ctx, "model-"+j.session, func() (Object, error) {
		return j.p.objects.putBytes(ctx, "model-"+j.session+"-"+hash[:8], text)
	})
	if err == nil {
		m.Result.Model, m.Model = nil, &o
	}
	return err
}

// attachSegments cuts the proof, and adds all pending segments to the result.
func (j *job) attachSegments(ctx context.Context, m *ResultMessage) error {
	if j.proof == nil {
		return nil
	}
	if r := &m.Result; r.Status == dimacs.Unsatisfiable && len(r.Failed) > 0 {
		j.proof.Export(r.Clause, complements(r.Failed))
	}
	s, err := j.proof.Cut()
	if err != nil {
		return fmt.Errorf("segment of the proof: %w", err)
	}
	j.pending = append(j.pending, &pendingSegment{SegmentRef{Header: s.Header}, s})
	inline := int64(0)
	for _, s := range j.pending {
		if s.ref.Object == "" && (s.ref.Size > MaxInline || inline+s.ref.Size > MaxTail) {
			if err := j.storeSegment(ctx, s); err != nil {
				return err
			}
		}
		if s.ref.Object == "" {
			inline += s.ref.Size
			s.ref.Data = s.segment.Bytes()
		}
		m.Segments = append(m.Segments, s.ref)
	}
	return nil
}

// complements returns the complements of literals.
func complements(lits []dimacs.Lit) []dimacs.Lit {
	out := make([]dimacs.Lit, len(lits))
	for i, l := range lits {
		out[i] = l ^ 1
	}
	return out
}

// storeSegment stores a segment as an object.
func (j *job) storeSegment(ctx context.Context, s *pendingSegment) error {
	name := fmt.Sprintf("segment-%s-%d", j.session, s.ref.Number)
	o, err := j.storeObject(ctx, name, func() (Object, error) {
		return j.p.objects.put(ctx, name, s.segment.Reader())
	})
	if err == nil && (o.SHA256 != s.ref.SHA256 || o.Size != s.ref.Size) {
		err = fmt.Errorf("segment %d of the proof has changed on the disk", s.ref.Number)
	}
	s.ref.Object, s.ref.Data = o.Name, nil
	return err
}

// storeObject calls put until it succeeds or ctx ends.
func (j *job) storeObject(ctx context.Context, name string, put func() (Object, error)) (Object, error) {
	var wait pause
	for {
		o, err := put()
		if err == nil {
			return o, nil
		}
		if lasts(err) {
			return Object{}, &fatalError{fmt.Errorf("object %s: %w", name, hub.Explain(err))}
		}
		if wait.tries == 0 && ctx.Err() == nil {
			j.p.notef(j.name, EventWarning, "object %s is not stored yet: %v", name, hub.Explain(err))
		}
		if !wait.sleep(ctx) {
			return Object{}, context.Cause(ctx)
		}
	}
}

// store publishes an encoded result until the server stores or refuses it. It reports
// whether the stored result of the cube is this one. The error is the cause of ctx, or
// that of a closed connection.
func (j *job) store(ctx context.Context, hash string, b []byte) (own bool, err error) {
	var wait pause
	for {
		err := j.publishOnce(ctx, hash, b)
		if err == nil {
			return true, nil
		}
		if subjectIsFull(err) {
			stored, found, e := j.storedResult(ctx, hash)
			if e == nil && found {
				return bytes.Equal(stored, b), nil
			}
			err = e // nil: the coordinator has just removed the result
		}
		switch {
		case lasts(err):
			return false, &fatalError{fmt.Errorf("result of %d bytes: %w", len(b), hub.Explain(err))}
		case err != nil && wait.tries == 0 && ctx.Err() == nil:
			j.p.notef(j.name, EventWarning, "a result is not stored yet: %v", hub.Explain(err))
		}
		if !wait.sleep(ctx) {
			return false, context.Cause(ctx)
		}
	}
}

// publishOnce publishes an encoded result and waits for the acknowledgement. Without a
// connection it fails at once: the client would keep the message in a buffer that is
// lost with the process, and publish it a second time later.
func (j *job) publishOnce(ctx context.Context, hash string, b []byte) error {
	if !j.p.nc.IsConnected() && !j.p.nc.IsClosed() {
		return nats.ErrDisconnected
	}
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	_, err := j.p.js.Publish(ctx, j.p.names.Result(hash), b, jetstream.WithExpectStream(j.p.names.ResultsStream()), jetstream.WithRetryAttempts(0))
	return err
}

// lasts reports whether no later attempt can succeed: the connection is closed for ever,
// or the server does not accept messages of this size.
func lasts(err error) bool {
	return errors.Is(err, nats.ErrConnectionClosed) || err != nil && hub.ReasonOf(err) == hub.TooLarge
}

// subjectIsFull reports whether the server has refused a message because the stream has
// one with its subject.
func subjectIsFull(err error) bool {
	var e *jetstream.APIError
	return errors.As(err, &e) && strings.Contains(e.Description, "maximum messages per subject")
}

// storedResult returns the stored result of a cube.
func (j *job) storedResult(ctx context.Context, hash string) (b []byte, found bool, err error) {
	m, err := j.p.objects.last(ctx, j.p.names.ResultsStream(), j.p.names.Result(hash))
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
		return nil, false, nil
	case err != nil:
		return nil, false, err
	}
	return m.Data, true, nil
}

// lookForAnswer returns errAnswered if the run has an answer. The coordinator reports it
// to all workers too, but a worker may miss that while it has no connection.
func (j *job) lookForAnswer(ctx context.Context) error {
	bucket := j.p.names.StateBucket()
	m, err := j.p.objects.last(ctx, "KV_"+bucket, "$KV."+bucket+"."+KeyAnswer)
	if err != nil || len(m.Data) == 0 { // a deleted key has an empty message
		return nil
	}
	var a AnswerRecord
	switch err := Decode(m.Data, &a); {
	case err != nil:
		j.p.notef(j.name, EventWarning, "the answer of the run: %v", err)
	case a.Run == j.welcome.Run:
		return fmt.Errorf("%w: %v", errAnswered, a.Status)
	}
	return nil
}
