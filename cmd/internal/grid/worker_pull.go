package grid

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Pulling tasks. A job asks the consumer of TASKS for one message, when it has nothing
// else to do. The client has a subscription for each request, so a second answer to a
// repeated request reaches nobody, and its task is delivered again after Welcome.Wait.
//
//   - A request is lost if the connection breaks or the server ends. The job repeats it
//     after a reconnect (wake), and when the server sends no heartbeats for it.
//   - The server discards the requests of a subscription that has ended. So no task is
//     delivered to a worker that was killed, once the server has noticed that.

// pullTime is the time after which a job asks again, and looks whether the run has an answer.
const pullTime = 10 * time.Second

// nextTask asks for a task and waits for the answer. If there is no task, it returns nil and
// the reason. The error is the cause of ctx or a [*fatalError].
func (j *job) nextTask(ctx context.Context) (m jetstream.Msg, why string, err error) {
	if j.wait.tries > 0 && !j.wait.sleep(ctx) {
		return nil, "", context.Cause(ctx)
	}
	pull, cancel := context.WithTimeout(ctx, pullTime)
	defer cancel()
	j.update(func(s *jobState) { s.wake = cancel })
	if j.tasks == nil {
		j.tasks, err = j.p.js.Consumer(pull, j.p.names.TasksStream(), j.p.names.TasksConsumer())
	}
	if err == nil {
		m, err = j.tasks.Next(jetstream.FetchContext(pull))
	}
	switch {
	case err == nil:
		j.wait = pause{}
		return m, "", nil
	case ctx.Err() != nil:
		return nil, "", context.Cause(ctx)
	case errors.Is(err, nats.ErrConnectionClosed):
		return nil, "", &fatalError{err}
	case pull.Err() != nil, errors.Is(err, nats.ErrTimeout):
		j.wait = pause{}
		return nil, "no task", nil
	}
	j.wait.tries++
	if errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil, "the queue of tasks does not exist", nil
	}
	return nil, fmt.Sprintf("the server: %v", err), nil
}

// A streamTable opens each stream once.
type streamTable struct {
	js   jetstream.JetStream
	mu   sync.Mutex
	open map[string]jetstream.Stream
}

// stream returns a stream by its name.
func (t *streamTable) stream(ctx context.Context, name string) (jetstream.Stream, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.open[name]
	if s == nil {
		var err error
		if s, err = t.js.Stream(ctx, name); err != nil {
			return nil, err
		}
		t.open[name] = s
	}
	return s, nil
}

// message returns the message of a stream with a sequence number.
func (t *streamTable) message(ctx context.Context, name string, seq uint64, opts ...jetstream.GetMsgOpt) (*jetstream.RawStreamMsg, error) {
	s, err := t.stream(ctx, name)
	if err != nil {
		return nil, err
	}
	return s.GetMsg(ctx, seq, opts...)
}

// last returns the message of a stream that was stored last with a subject.
func (t *streamTable) last(ctx context.Context, name, subject string) (*jetstream.RawStreamMsg, error) {
	s, err := t.stream(ctx, name)
	if err != nil {
		return nil, err
	}
	return s.GetLastMsgForSubject(ctx, subject)
}
