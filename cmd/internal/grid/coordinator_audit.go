package grid

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// An audit compares the state of the coordinator with the server, every few seconds
// and after each reconnection. It runs in a goroutine of its own, and the loop judges its
// findings.
//
//   - Another coordinator has taken over, or results are lost: the run ends with an error.
//     A coordinator that starts again uses the results that are left.
//   - TASKS is lost, or a server of a cluster has lost it and created it empty: it is
//     created again, and the tasks are held or published again.
//   - TASKS has fewer messages than there are tasks, and all results are read: a task that
//     two audits do not find is given out again. So a worker that acknowledges a task
//     without a result cannot make the run wait for ever.

// auditInterval is the time between two audits.
const auditInterval = 5 * time.Second

// A finding is the outcome of an audit.
type finding struct {
	fatal   error            // ends the run
	lost    jetstream.Stream // a new TASKS in place of a lost one, or nil
	results uint64           // last sequence number of RESULTS
	absent  []*task          // tasks that TASKS lacks
}

// audit starts an audit if one is due.
func (c *coordinator) audit() {
	t := &c.tasks
	if t.auditing || time.Since(t.audited) < auditInterval && !t.paused || !c.nc.IsConnected() {
		return
	}
	t.auditing, t.audited = true, time.Now()
	a := auditor{c: c, stream: t.stream, results: c.results.stream, last: c.results.last, highest: t.highest, tasks: map[*task]uint64{}}
	for _, k := range t.byHash {
		if k.state == published {
			a.tasks[k] = k.seq
		}
	}
	c.goroutines.Go(func() {
		ctx, cancel := context.WithTimeout(c.ctx, publishPatience)
		defer cancel()
		f, err := a.inspect(ctx)
		c.inbox.post(func() { c.judge(f, err) })
	})
}

// An auditor is an audit with copies of the coordinator's state.
type auditor struct {
	c               *coordinator
	stream, results jetstream.Stream
	last            uint64 // read from RESULTS
	highest         uint64 // stored in TASKS
	tasks           map[*task]uint64
}

// inspect asks the server. An error is one that may pass.
func (a *auditor) inspect(ctx context.Context) (f finding, err error) {
	if f.fatal = a.c.checkLease(ctx); f.fatal != nil {
		return f, nil
	}
	info, err := a.stream.Info(ctx)
	if errors.Is(err, jetstream.ErrStreamNotFound) || err == nil && info.State.LastSeq < a.highest {
		f.lost, err = a.c.createTasks(ctx)
		return f, err
	} else if err != nil {
		return f, err
	}
	if _, err := a.stream.Consumer(ctx, a.c.names.TasksConsumer()); errors.Is(err, jetstream.ErrConsumerNotFound) {
		if _, err = a.stream.CreateOrUpdateConsumer(ctx, a.c.names.tasksConsumer(a.c.o.AckWait)); err != nil {
			return f, err
		}
	} else if err != nil {
		return f, err
	}
	results, err := a.results.Info(ctx)
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound):
		f.fatal = fmt.Errorf("the server has lost the stream %s", a.c.names.ResultsStream())
		return f, nil
	case err != nil:
		return f, err
	case results.State.LastSeq < a.last:
		f.fatal = fmt.Errorf("the server has lost results: the stream %s ends with message %d, and message %d was read", a.c.names.ResultsStream(), results.State.LastSeq, a.last)
		return f, nil
	}
	f.results = results.State.LastSeq
	if info.State.Msgs < uint64(len(a.tasks)) {
		f.absent, err = a.absent(ctx)
	}
	return f, err
}

// absent returns the tasks that TASKS lacks.
func (a *auditor) absent(ctx context.Context) (absent []*task, err error) {
	for k, seq := range a.tasks {
		if _, err := a.stream.GetMsg(ctx, seq); errors.Is(err, jetstream.ErrMsgNotFound) {
			absent = append(absent, k)
		} else if err != nil {
			return nil, err
		}
	}
	return absent, nil
}

// judge applies the findings of an audit.
func (c *coordinator) judge(f finding, err error) {
	t := &c.tasks
	t.auditing = false
	switch {
	case f.fatal != nil:
		c.fail(f.fatal)
	case err != nil:
		if t.paused {
			c.o.Log("the server is not ready: %v", err)
		}
	case f.lost != nil:
		c.o.Log("the server has lost the stream %s; its tasks are published again", c.names.TasksStream())
		t.stream = f.lost
		var lost []*task
		for _, k := range t.sorted() {
			if k.state == published || k.state == publishing {
				k.state, k.seq = publishing, 0
				lost = append(lost, k)
			}
		}
		clear(t.sending)
		c.settle(lost...)
	default:
		t.paused = false
		c.judgeAbsent(f)
	}
}

// judgeAbsent gives back the tasks that two audits in a row did not find in TASKS. A task
// without message usually has a result that the coordinator has not read.
func (c *coordinator) judgeAbsent(f finding) {
	absent := map[*task]bool{}
	for _, k := range f.absent {
		absent[k] = true
	}
	for _, k := range c.tasks.sorted() {
		if k.state != published || !absent[k] {
			k.absent = false
			continue
		}
		if k.absent && c.results.last >= f.results && c.workers.solving[k.hash] == "" {
			c.o.Log("a task was acknowledged without a result, and is given out again")
			c.giveBack(k)
			continue
		}
		k.absent = true
	}
}
