package grid

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go"
)

// Presence. Each job and each checker publishes its state every Welcome.Beat, and at
// once after a ping and when it begins a cube after an idle time. These messages are not
// stored. The coordinator derives from them the list of workers, and finds cancels that
// were lost: a worker reports a cube that is covered. Nothing else depends on them: a
// worker keeps its task while its presence is lost, since signs of progress are sent to
// the consumer of TASKS.
//
// A process has one loop for all its jobs. It publishes presence, sends signs of progress
// and flushes shared clauses, so that a cube of a millisecond starts no timer.

// shareInterval is the time between two messages of a worker, or of the coordinator, with
// shared clauses.
const shareInterval = 200 * time.Millisecond

// leastTime is the least time between two presence messages or signs of progress.
const leastTime = 10 * time.Millisecond

// listen subscribes to the messages of the coordinator and starts the loop. The returned
// function ends both.
func (p *process) listen(ctx context.Context) (stop func(), err error) {
	subs := map[string]nats.MsgHandler{
		p.names.Cancel(): func(m *nats.Msg) { decodeAnd(p.member, m, p.obey) },
		p.names.Ping():   func(*nats.Msg) { p.publishPresence() },
	}
	if p.role == RoleWorker {
		subs[p.names.Shared()] = func(m *nats.Msg) { decodeAnd(p.member, m, p.importShared) }
	}
	ctx, cancel := context.WithCancel(ctx)
	var open []*nats.Subscription
	for subject, handle := range subs {
		s, err := p.nc.Subscribe(subject, handle)
		if err != nil {
			cancel()
			return nil, err
		}
		open = append(open, s)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.loop(ctx)
	}()
	return func() {
		cancel()
		<-done
		for _, s := range open {
			_ = s.Unsubscribe()
		}
		_ = p.nc.FlushTimeout(flushTime)
	}, nil
}

// decodeAnd decodes a message of the coordinator and calls use with it. A malformed
// message is logged and dropped.
func decodeAnd[T any, M interface {
	*T
	message
}](m *member, raw *nats.Msg, use func(M)) {
	v := M(new(T))
	if err := Decode(raw.Data, v); err != nil {
		m.notef(m.name, EventWarning, "a message on %s is dropped: %v", raw.Subject, err)
		return
	}
	use(v)
}

// obey applies a message of the coordinator to all jobs.
func (p *process) obey(c *Cancel) {
	for _, j := range p.jobs {
		j.obey(c)
	}
}

// loop does the regular work of a process until ctx ends.
func (p *process) loop(ctx context.Context) {
	status := p.nc.StatusChanged(nats.CONNECTED, nats.RECONNECTING)
	defer p.nc.RemoveStatusListener(status)
	share := time.NewTicker(shareInterval)
	defer share.Stop()
	presence := time.NewTimer(rand.N(DefaultHeartbeat))
	defer presence.Stop()
	progress := time.NewTimer(DefaultAckWait / 4)
	defer progress.Stop()
	for {
		beat, wait := p.times()
		select {
		case <-ctx.Done():
			return
		case s := <-status:
			if s == nats.CONNECTED {
				p.wake()
			}
		case <-share.C:
			p.exportShared()
		case <-presence.C:
			p.publishPresence()
			presence.Reset(jitter(2 * beat))
		case <-progress.C:
			for _, j := range p.jobs {
				j.reportProgress()
			}
			progress.Reset(wait / 4)
		}
	}
}

// times returns the times of the run that the jobs belong to. They are not shorter than
// leastTime, whatever the coordinator says.
func (p *process) times() (beat, wait time.Duration) {
	beat, wait = DefaultHeartbeat, DefaultAckWait
	for _, j := range p.jobs {
		j.mu.Lock()
		if j.state.wait > 0 {
			beat, wait = j.state.beat, j.state.wait
		}
		j.mu.Unlock()
	}
	return max(beat, leastTime), max(wait, 4*leastTime)
}

// wake makes the jobs repeat requests that are lost, after a reconnect.
func (p *process) wake() {
	for _, j := range p.jobs {
		j.update(func(s *jobState) {
			if s.wake != nil {
				s.wake()
			}
		})
		j.reportProgress()
	}
	p.publishPresence()
}

// publishPresence publishes the presence of all jobs.
func (p *process) publishPresence() {
	for _, j := range p.jobs {
		j.publishPresence(false)
	}
}

// publishPresence publishes the presence of a job, if it belongs to a run.
func (j *job) publishPresence(leaving bool) {
	j.mu.Lock()
	s := j.state
	j.mu.Unlock()
	if s.run == "" {
		return
	}
	j.p.publish(&Presence{
		Version: Version, Role: j.p.role, Run: s.run, Worker: j.name, Session: s.session, Host: j.p.host,
		Cube: s.hash, Literals: s.literals, Seconds: time.Since(s.since).Seconds(), Idle: s.idle,
		Leaving: leaving, Cubes: s.cubes, Conflicts: s.conflicts,
	})
}

// publish publishes the presence of a member. It is dropped while there is no connection,
// so that the buffer of the connection has room for results.
func (m *member) publish(p *Presence) {
	if m.nc.IsConnected() {
		_ = m.nc.Publish(m.names.Presence(), Encode(p))
	}
}
