package grid

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sator/dpll/portfolio"
)

// Tasks are published when a worker may soon need them: at most twice as many as there
// are workers are out, so that the cubes of a split are next. The others wait in
// portfolio.Coordinator.
//
// TASKS is a queue in memory. The coordinator creates it at its start, and again when the
// server has lost it (coordinator_audit.go). Before tasks are published a second time, the
// coordinator asks all workers for their presence, and holds back the cubes that they are
// solving. A cube is held until its result arrives, or its worker
// leaves or begins another cube.

const (
	// maxPublishing is the number of tasks whose publication is not acknowledged.
	maxPublishing = 1024

	// publishPatience is the time in which a publication must be acknowledged.
	publishPatience = 10 * time.Second

	// leastTasks is the number of tasks that are out while there are few workers.
	leastTasks = 2

	// settleTime is the time in which workers answer a ping.
	settleTime = 300 * time.Millisecond
)

// A taskState is where a task is.
type taskState uint8

const (
	publishing taskState = iota // no acknowledgement yet
	published                   // in TASKS
	held                        // a worker solves it, and TASKS lacks it
	answered                    // its result waits for a checker
)

// A task is a cube that is given out.
type task struct {
	portfolio.Task
	hash   string
	state  taskState
	seq    uint64 // in TASKS, if it is published
	holder string // session that solves it, if it is held
	absent bool   // the last audit did not find it in TASKS
}

// A taskTable holds the tasks that are given out.
type taskTable struct {
	byHash   map[string]*task
	sending  map[*nats.Msg]*task // publications without acknowledgement
	out      int                 // tasks that are publishing, published or held
	paused   bool                // TASKS is not ready, or workers are being asked
	repeated map[string]struct{} // hashes of cubes that are given out again
	careful  time.Time           // until then any cube may have been given out before
	stream   jetstream.Stream
	highest  uint64 // sequence number in TASKS
	auditing bool
	audited  time.Time // when the last audit began
}

func (t *taskTable) init() {
	t.byHash, t.sending, t.repeated = map[string]*task{}, map[*nats.Msg]*task{}, map[string]struct{}{}
}

// sorted returns the tasks in an order that does not depend on the map.
func (t *taskTable) sorted() (all []*task) {
	for _, hash := range slices.Sorted(maps.Keys(t.byHash)) {
		all = append(all, t.byHash[hash])
	}
	return all
}

// startTasks creates TASKS. In a resumed run, the loop first asks which cubes
// workers are solving: even if there is no result yet and TASKS was lost with the server,
// the earlier coordinator may have given out tasks.
func (c *coordinator) startTasks(ctx context.Context) error {
	t := &c.tasks
	err := c.persist(ctx, func(ctx context.Context) (err error) {
		t.stream, err = c.createTasks(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("stream %s: %w", c.names.TasksStream(), err)
	}
	if c.resumed {
		t.careful = time.Now().Add(2 * c.o.AckWait)
		c.settle()
	}
	return nil
}

// createTasks creates TASKS and its consumer, in place of earlier ones. The first sequence
// number is the time in microseconds: it is above those of earlier streams, which had fewer
// tasks than microseconds. The request of a coordinator that was killed may create TASKS
// meanwhile, or the server may start again without it; then createTasks begins again.
func (c *coordinator) createTasks(ctx context.Context) (s jetstream.Stream, err error) {
	for {
		err = c.js.DeleteStream(ctx, c.names.TasksStream())
		if err == nil || errors.Is(err, jetstream.ErrStreamNotFound) {
			s, err = c.js.CreateStream(ctx, c.names.tasksConfig(c.o.Replicas, uint64(time.Now().UnixMicro())))
		}
		if err == nil {
			_, err = s.CreateOrUpdateConsumer(ctx, c.names.tasksConsumer(c.o.AckWait))
		}
		again := errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) || errors.Is(err, jetstream.ErrStreamNotFound)
		if !again || !sleep(ctx, retryWait) {
			return s, err
		}
	}
}

// settle pauses until workers have reported their cubes. Tasks that TASKS has lost are
// then held or given back.
func (c *coordinator) settle(lost ...*task) {
	c.tasks.paused = true
	c.nc.Publish(c.names.Ping(), nil)
	time.AfterFunc(settleTime, func() {
		c.inbox.post(func() {
			for _, k := range lost {
				if c.tasks.byHash[k.hash] != k || k.state > published {
					continue
				}
				if c.hold(k); k.state != held {
					c.giveBack(k)
				}
			}
			c.tasks.paused = false
		})
	})
}

// fill publishes tasks until enough are out.
func (c *coordinator) fill() {
	t := &c.tasks
	for !t.paused && c.needed() && t.out < max(leastTasks, 2*len(c.workers.workers)) && len(t.sending) < maxPublishing {
		next, ok := c.tree.Next()
		if !ok {
			return
		}
		k := &task{Task: next, hash: CubeHash(next.Cube)}
		t.byHash[k.hash] = k
		t.out++
		if c.hold(k); k.state != held {
			c.publish(k)
		}
	}
}

// hold holds a task back if a worker is solving its cube.
func (c *coordinator) hold(k *task) {
	if session := c.workers.solving[k.hash]; session != "" {
		k.state, k.holder, k.seq = held, session, 0
	}
}

// releaseHeld gives back held tasks if their workers have left or solve another cube.
func (c *coordinator) releaseHeld() {
	for _, k := range c.tasks.sorted() {
		if k.state != held {
			continue
		}
		if k.holder = c.workers.solving[k.hash]; k.holder == "" {
			c.giveBack(k)
		}
	}
}

// publish sends a task to TASKS.
func (c *coordinator) publish(k *task) {
	t := &c.tasks
	_, again := t.repeated[k.hash]
	message := &TaskMessage{Version, c.identity, k.Task, again || time.Now().Before(t.careful)}
	m := &nats.Msg{Subject: c.names.Task(), Data: Encode(message)}
	k.state = publishing
	if _, err := c.js.PublishMsgAsync(m); err != nil {
		c.giveBack(k)
		c.pauseTasks(err)
		return
	}
	t.sending[m] = k
}

// onPublished is called by the connection when a task is stored.
func (c *coordinator) onPublished(_ jetstream.JetStream, m *nats.Msg, ack *jetstream.PubAck) {
	c.inbox.post(func() {
		k := c.tasks.sending[m]
		delete(c.tasks.sending, m)
		c.tasks.highest = max(c.tasks.highest, ack.Sequence)
		switch {
		case k == nil:
		case c.tasks.byHash[k.hash] == k && k.state == publishing:
			k.state, k.seq = published, ack.Sequence
		case c.tasks.byHash[k.hash] == nil: // covered meanwhile
			c.deleteTask(ack.Sequence)
		}
	})
}

// onPublishError is called by the connection when a task may not be stored.
func (c *coordinator) onPublishError(_ jetstream.JetStream, m *nats.Msg, err error) {
	c.inbox.post(func() {
		k := c.tasks.sending[m]
		delete(c.tasks.sending, m)
		if k != nil && c.tasks.byHash[k.hash] == k && k.state == publishing {
			c.giveBack(k)
		}
		c.pauseTasks(err)
	})
}

// pauseTasks stops the publication of tasks until an audit has found TASKS in order.
func (c *coordinator) pauseTasks(err error) {
	if !c.tasks.paused {
		c.o.Log("tasks cannot be published: %v", err)
	}
	c.tasks.paused = true
	c.tasks.audited = time.Time{}
	c.audit()
}

// giveBack returns a task without a result to the tree, which gives it out again.
func (c *coordinator) giveBack(k *task) {
	c.removeTask(k)
	c.tasks.repeated[k.hash] = struct{}{}
	c.tree.Requeue(k.Task)
}

// removeTask removes a task from the table and from TASKS.
func (c *coordinator) removeTask(k *task) {
	t := &c.tasks
	delete(t.byHash, k.hash)
	if k.state != answered {
		t.out--
	}
	if k.state == published {
		c.deleteTask(k.seq)
	}
}

// deleteTask deletes a message of TASKS.
func (c *coordinator) deleteTask(seq uint64) {
	s := c.tasks.stream
	c.background.post(func() { s.DeleteMsg(c.ctx, seq) })
}

// taskAnswered notes that a result of a cube waits to be applied. The worker
// acknowledges the task, so TASKS loses it.
func (c *coordinator) taskAnswered(r *record) {
	t := &c.tasks
	k := t.byHash[r.hash]
	if k == nil { // given out by an earlier coordinator, or covered
		next, ok := c.tree.Take(r.msg.Result.Cube)
		if !ok {
			return
		}
		k = &task{Task: next, hash: r.hash}
		t.byHash[r.hash] = k
	} else if k.state != answered {
		t.out--
	}
	k.state, k.holder = answered, ""
}

// taskDone forgets the task of a cube that has ended.
func (c *coordinator) taskDone(hash string) {
	delete(c.tasks.repeated, hash)
	if k := c.tasks.byHash[hash]; k != nil {
		delete(c.tasks.byHash, hash)
		if k.state != answered {
			c.tasks.out--
		}
	}
}

// taskRefused gives a cube out again whose result was deleted, unless a worker is known
// to solve it.
func (c *coordinator) taskRefused(hash string) {
	if k := c.tasks.byHash[hash]; k != nil && (k.state == answered || k.state == published) {
		c.giveBack(k)
	}
}

// cancelCovered ends the work on tasks that a refutation covers.
func (c *coordinator) cancelCovered() {
	for _, covered := range c.tree.Covered() {
		hash := CubeHash(covered.Cube)
		c.results.ended[hash] = struct{}{}
		k := c.tasks.byHash[hash]
		if k == nil {
			continue
		}
		if k.state != answered {
			c.workers.cancel.Cubes = append(c.workers.cancel.Cubes, hash)
		}
		delete(c.tasks.repeated, hash)
		c.removeTask(k)
	}
}
