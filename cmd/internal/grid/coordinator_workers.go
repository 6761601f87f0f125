package grid

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
)

// Workers and checkers introduce themselves by a hello and then report their presence.
// Their messages are requests and core messages, which may be lost: nothing but the
// number of published tasks, cubes that are held back, repeated cancellations and the
// status depends on them.
//
// A worker that sent a wrong result is excluded by its name: its hello is refused, it is
// asked to end, and its results are refused. The name is a key of the state bucket, so a
// later coordinator excludes the worker too. Its accepted segments stay, since they were
// checked.

// presenceLimit is the number of heartbeats after which a silent worker counts as gone.
const presenceLimit = 4

// A peer is a worker or a checker.
type peer struct {
	Presence
	seen time.Time
}

// A workerTable holds the workers and checkers.
type workerTable struct {
	workers  map[string]*peer  // by session
	checkers map[string]*peer  // by session
	solving  map[string]string // hash of a cube: session that solves it
	welcomed map[string]bool   // sessions that said hello to this coordinator
	excluded map[string]string // worker: why
	cancel   Cancel            // that will be sent next
}

func (t *workerTable) init() {
	t.workers, t.checkers, t.solving = map[string]*peer{}, map[string]*peer{}, map[string]string{}
	t.welcomed = map[string]bool{}
	t.excluded, t.cancel.Excluded = map[string]string{}, map[string]string{}
}

// of returns the table of a role.
func (t *workerTable) of(role string) map[string]*peer {
	if role == RoleChecker {
		return t.checkers
	}
	return t.workers
}

// listen subscribes to the messages of workers, checkers and monitors.
func (c *coordinator) listen(context.Context) error {
	handlers := map[string]func(*nats.Msg){
		c.names.Hello():    c.onHello,
		c.names.Presence(): c.onPresence,
		c.names.Status():   c.onStatus,
	}
	if c.o.Share && !c.o.segments() {
		r := newRelay(c.nc, c.names, c.identity)
		handlers[c.names.Share()] = r.onShare
		c.goroutines.Go(func() { r.work(c.ctx) })
	}
	for subject, f := range handlers {
		if err := c.subscribe(subject, f); err != nil {
			return err
		}
	}
	return nil
}

// onHello is called by the connection with a hello.
func (c *coordinator) onHello(m *nats.Msg) {
	h := new(Hello)
	if err := Decode(m.Data, h); err != nil {
		m.Respond(Encode(&Welcome{Version: Version, Error: short(err.Error())}))
		return
	}
	if c.phase.Load() == "simplifying" {
		m.Respond(Encode(&Welcome{Version: Version, Error: "the coordinator simplifies the formula", Retry: true}))
		return
	}
	c.inbox.post(func() { m.Respond(Encode(c.welcome(h))) })
}

// welcome answers a hello.
func (c *coordinator) welcome(h *Hello) *Welcome {
	w := &Welcome{Version: Version}
	switch why := c.workers.excluded[h.Worker]; {
	case why != "":
		w.Error = short(fmt.Sprintf("worker %s is excluded: %s", h.Worker, why))
		return w
	case c.ending.begun:
		w.Error, w.Retry, w.Ended = "the run has ended", true, true
		return w
	case h.Role == RoleChecker && (c.o.Trust || !c.o.segments()):
		w.Error = "the run trusts its workers and needs no checkers"
		return w
	}
	c.workers.welcomed[h.Session] = true
	w.Run, w.Sum, w.Formula, w.Options = c.identity, c.sum, c.base.info, OptionsOf(&c.o.Solver)
	w.Segments, w.Share, w.Wait, w.Beat = c.o.segments(), c.o.Share, c.o.AckWait, c.o.Heartbeat
	c.present(&Presence{Version: Version, Role: h.Role, Run: c.identity, Worker: h.Worker, Session: h.Session, Host: h.Host, Idle: "starting"})
	return w
}

// short cuts a text to the length that a message may have.
func short(s string) string {
	if len(s) > MaxText {
		s = s[:MaxText-3] + "..."
	}
	return s
}

// onPresence is called by the connection with a presence.
func (c *coordinator) onPresence(m *nats.Msg) {
	p := new(Presence)
	err := Decode(m.Data, p)
	c.inbox.post(func() {
		switch {
		case err != nil:
			c.results.refused++
			c.o.Log("a message to %s is dropped: %v", c.names.Presence(), err)
		case p.Run == c.identity:
			c.present(p)
		}
	})
}

// present updates a worker or a checker.
func (c *coordinator) present(p *Presence) {
	t := &c.workers
	members := t.of(p.Role)
	m := members[p.Session]
	switch {
	case t.excluded[p.Worker] != "":
		t.cancel.Excluded[p.Worker] = t.excluded[p.Worker]
		return
	case p.Leaving:
		if m != nil {
			c.leave(m, "leaves")
		}
		return
	case m == nil:
		c.o.Note("%s %s on %s arrives", p.Role, p.Worker, p.Host)
		m = new(peer)
		members[p.Session] = m
	}
	if m.Cube != p.Cube && t.solving[m.Cube] == p.Session {
		delete(t.solving, m.Cube)
	}
	m.Presence, m.seen = *p, time.Now()
	if s := c.checking.sessions[p.Session]; s != nil && s.broken { // it may have missed the end of the session
		t.cancel.Sessions = append(t.cancel.Sessions, p.Session)
	}
	if p.Role == RoleChecker {
		c.checkerArrived(p.Session)
		return
	}
	if p.Cube == "" {
		return
	}
	if _, ended := c.results.ended[p.Cube]; ended { // it may have missed the cancellation
		t.cancel.Cubes = append(t.cancel.Cubes, p.Cube)
		return
	}
	t.solving[p.Cube] = p.Session
}

// leave removes a worker or a checker.
func (c *coordinator) leave(m *peer, how string) {
	t := &c.workers
	c.o.Note("%s %s on %s %s", m.Role, m.Worker, m.Host, how)
	delete(t.of(m.Role), m.Session)
	if t.solving[m.Cube] == m.Session {
		delete(t.solving, m.Cube)
	}
	if m.Role == RoleChecker {
		c.checkerLeft(m.Session)
	}
}

// expireWorkers removes the workers and checkers that have been silent for some
// heartbeats.
func (c *coordinator) expireWorkers() {
	if !c.nc.IsConnected() {
		return
	}
	for _, members := range []map[string]*peer{c.workers.workers, c.workers.checkers} {
		for _, session := range slices.Sorted(maps.Keys(members)) {
			if m := members[session]; time.Since(m.seen) > presenceLimit*c.o.Heartbeat {
				c.leave(m, "is silent")
			}
		}
	}
}

// exclude excludes a worker.
func (c *coordinator) exclude(worker, why string) {
	t := &c.workers
	if t.excluded[worker] != "" {
		return
	}
	c.o.Log("worker %s is excluded: %s", worker, why)
	why = short(why)
	t.excluded[worker], t.cancel.Excluded[worker] = why, why
	c.inBackground(func(ctx context.Context) error {
		_, err := c.state.PutString(ctx, KeyExcluded+worker, why)
		return err
	})
	for _, session := range slices.Sorted(maps.Keys(t.workers)) {
		if m := t.workers[session]; m.Worker == worker {
			c.leave(m, "is excluded")
		}
	}
	c.breakSessions(worker, why)
}

// sendCancels sends the cancellations that have accumulated.
func (c *coordinator) sendCancels() {
	m := &c.workers.cancel
	for len(m.Cubes) > 0 || len(m.Sessions) > 0 || len(m.Excluded) > 0 || m.Stop != "" {
		part := Cancel{Version: Version, Run: c.identity, Stop: m.Stop}
		n := min(len(m.Cubes), MaxCubes)
		part.Cubes, m.Cubes = m.Cubes[:n:n], m.Cubes[n:]
		n = min(len(m.Sessions), MaxCubes)
		part.Sessions, m.Sessions = m.Sessions[:n:n], m.Sessions[n:]
		part.Excluded, m.Excluded, m.Stop = m.Excluded, map[string]string{}, ""
		c.nc.Publish(c.names.Cancel(), Encode(&part))
	}
}
