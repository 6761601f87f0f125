package grid

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// Pulling tasks. A job asks the consumer of TASKS for one message, when it has nothing
// else to do. The client library makes a subscription for each request. A puller has one
// subscription for the life of a session, because a server of a cluster sends each
// subscription to all others. The subject of the answer has a number, so that the status of
// an old request is not taken for that of the current one.
//
//   - A request is lost if the connection breaks or the server ends. The puller repeats
//     it after a reconnect (wake), and when its time is over.
//   - If a request was repeated but not lost, the server delivers two tasks. A task
//     without a waiting job is handed back at once, also when the job is drained.
//   - The server discards the requests of a subscription that has ended. So no task is
//     delivered to a worker that was killed, once the server has noticed that.

const (
	// pullTime is the time after which the server answers a request without a task.
	pullTime = 20 * time.Second
	// reconnected is the reason of next after a reconnect.
	reconnected = "connected again"
	// pullSlack is added to pullTime before the puller regards a request as lost.
	pullSlack = 5 * time.Second
)

// A puller pulls tasks for one job.
type puller struct {
	nc      *nats.Conn
	subject string // of requests
	inbox   string // prefix of the subjects of answers
	sub     *nats.Subscription
	woken   chan struct{} // has a value if requests were lost
	wait    pause         // after failed requests

	mu     sync.Mutex     // guards the fields below
	number int            // of the current request
	answer chan *nats.Msg // of the current request; nil if there is none
}

// newPuller returns a puller. The caller closes it.
func newPuller(nc *nats.Conn, names Names) (*puller, error) {
	p := &puller{
		nc:      nc,
		subject: "$JS.API.CONSUMER.MSG.NEXT." + names.TasksStream() + "." + names.TasksConsumer(),
		inbox:   nc.NewInbox() + ".",
		woken:   make(chan struct{}, 1),
	}
	var err error
	p.sub, err = nc.Subscribe(p.inbox+"*", p.receive)
	return p, err
}

// close ends the subscription. Tasks that arrive before its end are handed back.
func (p *puller) close() { _ = p.sub.Drain() }

// wake makes the puller repeat its request.
func (p *puller) wake() {
	select {
	case p.woken <- struct{}{}:
	default:
	}
}

// receive handles a message of the server: a task or the status of a request.
func (p *puller) receive(m *nats.Msg) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case isStatus(m):
		if p.answer != nil && m.Subject == p.inbox+strconv.Itoa(p.number) {
			p.answer <- m
			p.answer = nil
		}
	case p.answer != nil:
		p.answer <- m
		p.answer = nil
	default:
		_ = m.Nak()
	}
}

// isStatus reports whether a message has a status instead of a task.
func isStatus(m *nats.Msg) bool { return len(m.Data) == 0 && m.Header.Get("Status") != "" }

// next asks for a task and waits for the answer. If there is no task, it returns nil and
// the reason. The error is the cause of ctx.
func (p *puller) next(ctx context.Context) (m *nats.Msg, why string, err error) {
	if p.wait.tries > 0 && !p.wait.sleep(ctx) {
		return nil, "", context.Cause(ctx)
	}
	answer, err := p.request()
	switch {
	case errors.Is(err, nats.ErrConnectionClosed):
		return nil, "", &fatalError{err}
	case err != nil:
		p.wait.tries++
		return nil, err.Error(), nil
	}
	t := time.NewTimer(pullTime + pullSlack)
	defer t.Stop()
	select {
	case m = <-answer:
	case <-p.woken:
		m, why = p.giveUp(answer), reconnected
	case <-t.C:
		m, why = p.giveUp(answer), "the server does not answer"
	case <-ctx.Done():
		if m = p.giveUp(answer); m != nil && !isStatus(m) {
			_ = m.Nak()
		}
		return nil, "", context.Cause(ctx)
	}
	switch {
	case m == nil:
		return nil, why, nil
	case isStatus(m):
		return nil, p.reason(m), nil
	case !strings.HasPrefix(m.Reply, "$JS.ACK."):
		return nil, "a task without the subject of its acknowledgement is dropped", nil
	}
	p.wait.tries = 0
	return m, "", nil
}

// request sends a request for one task.
func (p *puller) request() (answer chan *nats.Msg, err error) {
	select {
	case <-p.woken: // no request is lost that was not sent
	default:
	}
	p.mu.Lock()
	p.number++
	p.answer = make(chan *nats.Msg, 1)
	answer = p.answer
	inbox := p.inbox + strconv.Itoa(p.number)
	p.mu.Unlock()
	if err := p.nc.PublishRequest(p.subject, inbox, pullRequest); err != nil {
		p.giveUp(answer)
		return nil, err
	}
	return answer, nil
}

// pullRequest is a request for one task.
var pullRequest, _ = json.Marshal(struct {
	Batch   int           `json:"batch"`
	Expires time.Duration `json:"expires"`
}{1, pullTime})

// giveUp ends the current request. It returns the message that has arrived meanwhile, or
// nil.
func (p *puller) giveUp(answer chan *nats.Msg) *nats.Msg {
	p.mu.Lock()
	p.answer = nil
	p.mu.Unlock()
	select {
	case m := <-answer:
		return m
	default:
		return nil
	}
}

// reason returns why there is no task. After an error the next request is delayed.
func (p *puller) reason(m *nats.Msg) string {
	const timeout, notFound, noResponders = "408", "404", "503"
	switch status := m.Header.Get("Status"); status {
	case timeout, notFound:
		p.wait.tries = 0
		return "no task"
	case noResponders:
		p.wait.tries++
		return "the queue of tasks does not exist"
	default:
		p.wait.tries++
		return fmt.Sprintf("the server: %s %s", status, m.Header.Get("Description"))
	}
}

var errNoMessage = errors.New("no message")

// directGet returns the message with the given subject that a stream stored last, or
// errNoMessage.
func directGet(ctx context.Context, nc *nats.Conn, stream, subject string) ([]byte, error) {
	return dataOf(directRequest(ctx, nc, "$JS.API.DIRECT.GET."+stream+"."+subject, nil))
}

// directGetSeq returns the message of a stream with the given sequence number, or
// errNoMessage.
func directGetSeq(ctx context.Context, nc *nats.Conn, stream string, seq uint64) ([]byte, error) {
	return dataOf(directRequest(ctx, nc, "$JS.API.DIRECT.GET."+stream, fmt.Appendf(nil, `{"seq":%d}`, seq)))
}

// dataOf returns the data of a message.
func dataOf(m *nats.Msg, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return m.Data, nil
}

// directRequest sends a request that any server with the stream answers.
func directRequest(ctx context.Context, nc *nats.Conn, subject string, request []byte) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	m, err := nc.RequestWithContext(ctx, subject, request)
	if err != nil {
		return nil, err
	}
	switch status := m.Header.Get("Status"); status {
	case "":
		return m, nil
	case "404":
		return nil, errNoMessage
	default:
		return nil, fmt.Errorf("the server: %s %s", status, m.Header.Get("Description"))
	}
}
