package grid

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// A checker process has one connection and some jobs, like a worker process. Each job is
// a checker with the name of a session, says hello, loads the formula, and answers the
// requests on a subject of its own, one after the other.
//
// While a request is being checked, its presence says so, however long the check takes.
// If the process is killed, the presence ends and the coordinator gives its sessions to
// other checkers. A checker that is drained does not finish its request: another checker
// repeats it.

// checkQueue is the number of requests that may wait for a checker. The coordinator sends
// one at a time, and repeats it at most every few seconds.
const checkQueue = 16

// Check checks the proofs of a run for its coordinator until the run has an answer or ctx
// ends, and then returns nil. It waits while there is no coordinator or no connection; nc
// must reconnect for ever, and the caller closes it.
//
// Check returns the same errors as [Work]. It panics if Jobs is negative.
func Check(ctx context.Context, nc *nats.Conn, o MemberOptions) error {
	return runProcess(ctx, nc, RoleChecker, o)
}

// serveChecks loads the formula and answers requests until the session ends. The error
// says why it ended.
func (j *job) serveChecks(ctx context.Context) error {
	w := j.welcome
	f, err := j.p.formulas.load(ctx, j.p.member, w.Formula)
	if err != nil {
		return err
	}
	requests := make(chan *nats.Msg, checkQueue)
	sub, err := j.p.nc.ChanSubscribe(j.p.names.Check(j.session), requests)
	if err != nil {
		return &fatalError{err}
	}
	defer sub.Unsubscribe()
	c := newChecker(j.p.objects, j.p.names, w.Run, f, w.Formula.Vars, j.p.opts.Memory, false)
	j.becomeIdle("waiting for a request")
	j.publishPresence(false)
	idle := time.NewTicker(pullTime)
	defer idle.Stop()
	for {
		err := error(nil)
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-idle.C:
			err = j.lookForAnswer(ctx)
		case m := <-requests:
			err = j.answerCheck(ctx, c, m)
		}
		if err != nil {
			return err
		}
	}
}

// answerCheck checks a request and answers it. The error ends the session.
func (j *job) answerCheck(ctx context.Context, c *checker, m *nats.Msg) error {
	var r CheckRequest
	err := Decode(m.Data, &r)
	if err == nil && m.Reply == "" {
		err = fmt.Errorf("no subject for the answer")
	}
	if err != nil {
		j.p.notef(j.name, EventWarning, "a request is dropped: %v", err)
		return nil
	}
	if r.Run != j.welcome.Run {
		return errOtherRun
	}
	j.update(func(s *jobState) { s.since, s.idle = time.Now(), "" })
	defer j.becomeIdle("waiting for a request")
	reply := c.Check(ctx, &r)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	j.finished += reply.Checked
	j.update(func(s *jobState) { s.cubes += int64(reply.Checked) })
	b := Encode(reply)
	if len(b) > MaxMessage {
		reply.Checked, reply.Reports, reply.Missing, reply.Wrong = 0, nil, 0, ""
		reply.Trouble = fmt.Sprintf("a report of %d bytes: want at most %d", len(b), MaxMessage)
		b = Encode(reply)
	}
	if reply.Wrong != "" {
		j.p.notef(j.name, EventWarning, "session %s: %s", r.Session, reply.Wrong)
	} else if reply.Trouble != "" {
		j.p.notef(j.name, EventWarning, "session %s: %s", r.Session, reply.Trouble)
	}
	_ = m.Respond(b)
	return nil
}
