package grid

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/nats-io/nats.go"

	"sator/dimacs"
)

// The segments of a session are checked in order, so a session is a queue of results, and
// stays with one checker. A checker has one request at a time, with several results of a
// session, and serves its sessions in turn.
//
//   - Sessions with results to check wait in one list. A checker without request takes the
//     first session that is its own or has no checker. Another checker does not have the
//     accepted segments of the session, so they are replayed there first, by their numbers
//     in RESULTS.
//   - If there is no such session, the checker takes one from a busy checker, provided that
//     replaying it takes little compared with the results that wait.
//   - A result breaks its session if its segment does not follow the last one there: the results are refused, and the worker begins another session. This
//     happens when a result of the session was refused.
//   - A wrong segment, claim or import excludes the worker. An import that no accepted
//     segment exports may also stem from an order in ACCEPTED that the server lost before
//     the coordinator started; sessions from before the start are therefore only broken.

const (
	maxItems   = 64        // results in a request
	maxKnown   = 10_000    // results in a request that were accepted before
	maxInlines = 64 << 20  // bytes of inline segments that are kept in memory
	maxRequest = 768 << 10 // bytes of a request with several results
	knownBytes = 48        // bound of an accepted result in a request

	// checkPatience is the time after which a request is repeated to a checker that
	// reports that it has nothing to do.
	checkPatience = 10 * time.Second

	// lostPatience is the number of times that a missing object is looked for.
	lostPatience = 5

	// troubleWait is the time after which a session is checked again that could not be
	// checked.
	troubleWait = time.Second
)

// A proofSession is a session as seen by the coordinator.
type proofSession struct {
	name     string
	worker   string
	number   int       // of the last segment in queue or before
	next     int64     // local id of the first clause of the next segment
	queue    []*record // results that are not checked
	known    []uint64  // accepted results with segments
	checker  *remote   // that checks the session, or nil
	loaded   int       // accepted results that the checker has
	waiting  bool      // it is in the list of the table
	broken   bool      // further results are refused
	blocked  bool      // a model is being verified; further results wait for that
	troubles int       // in a row
}

// A remote is a checker, in this process or another one.
type remote struct {
	name  string         // session of a remote checker, or "" for one in this process
	jobs  chan *checkJob // of a checker in this process
	job   *checkJob      // that it works on, or nil
	began time.Time      // when the job was sent
}

// A checkJob is a request to a checker.
type checkJob struct {
	id      string
	session *proofSession
	request *CheckRequest
}

// A checkTable holds the sessions and checkers.
type checkTable struct {
	sessions map[string]*proofSession
	checkers []*remote
	waiting  []*proofSession // with results to check and without request, the next one first
	inbox    string          // subject of replies, without job
	jobs     int             // sent
	inline   int64           // bytes of inline segments in memory
	warned   bool            // that there is no checker
}

func (t *checkTable) init() { t.sessions = map[string]*proofSession{} }

// session returns a session by name.
func (t *checkTable) session(name string) *proofSession {
	s := t.sessions[name]
	if s == nil {
		s = &proofSession{name: name}
		t.sessions[name] = s
	}
	return s
}

// startCheckers starts the checkers of this process.
func (c *coordinator) startCheckers() error {
	if !c.o.segments() {
		return nil
	}
	t := &c.checking
	t.inbox = c.nc.NewInbox()
	if err := c.subscribe(t.inbox+".*", c.onCheckReply); err != nil {
		return err
	}
	n := c.o.Checkers
	if c.o.Trust {
		n = 1 // reads the reports and checks nothing
	}
	for range n {
		k := newChecker(c.objects, c.names, c.identity, c.base.formula, c.base.numbers.Vars, c.o.Solver.Memory, c.o.Trust)
		r := &remote{jobs: make(chan *checkJob, 1)}
		t.checkers = append(t.checkers, r)
		c.goroutines.Go(func() {
			for {
				select {
				case <-c.ctx.Done():
					return
				case job := <-r.jobs:
					reply := k.Check(c.ctx, job.request)
					c.inbox.post(func() { c.checked(r, job, reply) })
				}
			}
		})
	}
	return nil
}

// enqueue adds a result to the queue of its session.
func (c *coordinator) enqueue(r *record) {
	t, m := &c.checking, r.msg
	if len(m.Segments) == 0 && r.split() {
		return
	}
	s := t.session(m.Session)
	if s.worker == "" {
		s.worker = m.Worker
	}
	if s.next == 0 {
		s.next = int64(c.base.numbers.Clauses) + 1
	}
	if s.blocked && !s.broken {
		s.queue = append(s.queue, r)
		return
	}
	var why string
	switch {
	case s.broken:
		why = "its session is broken"
	case s.worker != m.Worker:
		why = fmt.Sprintf("its session is one of worker %s", s.worker)
	case len(m.Segments) == 0:
		c.drop(r, "it has no segment with its clause")
		c.exclude(m.Worker, "it sends refutations without proofs")
		return
	case m.Segments[0].Number != s.number+1 || m.Segments[0].First != s.next:
		why = fmt.Sprintf("it has segment %d of its session from clause %d on, and segment %d is next, from clause %d on", m.Segments[0].Number, m.Segments[0].First, s.number+1, s.next)
	}
	if why != "" {
		c.drop(r, why)
		if s.worker == m.Worker {
			c.breakSession(s, why)
		}
		return
	}
	last := &m.Segments[len(m.Segments)-1]
	s.number, s.next = last.Number, last.Next
	if t.inline += m.inline(); t.inline > maxInlines {
		t.inline -= m.inline()
		r.detach()
	}
	s.queue = append(s.queue, r)
	c.ready(s)
}

// block stops the checks of a session that has sent a model. Either the model ends the
// run, or its worker is excluded. It reports false if the session is one of another
// worker.
func (c *coordinator) block(r *record) bool {
	s := c.checking.session(r.msg.Session)
	if s.worker == "" {
		s.worker = r.msg.Worker
	}
	if s.worker != r.msg.Worker {
		return false
	}
	s.blocked = true
	return true
}

// noteAccepted notes at the start that ACCEPTED has a result of a session.
func (c *coordinator) noteAccepted(r *record, a *AcceptedResult) {
	if len(a.Reports) == 0 {
		return
	}
	s := c.checking.session(a.Session)
	last := &a.Reports[len(a.Reports)-1]
	s.worker, s.number, s.next = r.msg.Worker, last.Number, last.Next
	s.known = append(s.known, a.Seq)
}

// ready puts a session with results to check into the list.
func (c *coordinator) ready(s *proofSession) {
	t := &c.checking
	if s.waiting || s.broken || s.blocked || len(s.queue) == 0 || s.checker != nil && s.checker.job != nil && s.checker.job.session == s {
		return
	}
	s.waiting = true
	t.waiting = append(t.waiting, s)
}

// checkResults sends requests to the checkers that have no job.
func (c *coordinator) checkResults() {
	t := &c.checking
	if len(t.waiting) > 0 && len(t.checkers) == 0 && !t.warned {
		t.warned = true
		c.o.Log("results wait for a checker")
	}
	for _, r := range t.checkers {
		if r.job != nil || !c.needed() {
			continue
		}
		if s := t.next(r); s != nil {
			c.send(r, s)
		}
	}
}

// next removes the next session of a checker from the list, or returns nil.
func (t *checkTable) next(r *remote) *proofSession {
	t.waiting = slices.DeleteFunc(t.waiting, func(s *proofSession) bool {
		s.waiting = !s.broken && !s.blocked && len(s.queue) > 0
		return !s.waiting
	})
	i := slices.IndexFunc(t.waiting, func(s *proofSession) bool { return s.checker == r || s.checker == nil })
	if i < 0 {
		i = slices.IndexFunc(t.waiting, func(s *proofSession) bool { return s.checker.job != nil && len(s.known) <= 16+4*len(s.queue) })
	}
	if i < 0 {
		return nil
	}
	s := t.waiting[i]
	t.waiting, s.waiting = slices.Delete(t.waiting, i, i+1), false
	if s.checker != r {
		s.checker, s.loaded = r, 0
	}
	return s
}

// send sends a request for a session to its checker.
func (c *coordinator) send(r *remote, s *proofSession) {
	t := &c.checking
	t.jobs++
	job := &checkJob{id: fmt.Sprint(t.jobs), session: s, request: c.request(s)}
	r.job, r.began = job, time.Now()
	if r.jobs != nil {
		r.jobs <- job // has room, since the checker has no other job
		return
	}
	c.nc.PublishRequest(c.names.Check(r.name), t.inbox+"."+job.id, Encode(job.request))
}

// request returns the next request about a session: its accepted results, if its checker
// does not have them, and results to check. A request with one result fits into a message,
// since it has less than the message of the result.
func (c *coordinator) request(s *proofSession) *CheckRequest {
	q := &CheckRequest{Version: Version, Run: c.identity, Session: s.name}
	for _, seq := range s.known[s.loaded:min(len(s.known), s.loaded+maxKnown)] {
		q.Items = append(q.Items, CheckItem{Seq: seq, Known: true})
	}
	if len(q.Items) == maxKnown {
		return q
	}
	size := knownBytes * len(q.Items)
	for _, r := range s.queue[:min(len(s.queue), maxItems)] {
		item := CheckItem{Seq: r.seq, Attached: !r.detached}
		if item.Attached {
			item.Segments = r.msg.Segments
		}
		if res := &r.msg.Result; res.Status == dimacs.Unsatisfiable {
			item.Claim = &Claim{res.Cube, res.Failed, res.Clause}
		}
		size += len(Encode(&item))
		if size > maxRequest && len(q.Items) > 0 {
			break
		}
		q.Items = append(q.Items, item)
	}
	return q
}

// onCheckReply is called by the connection with the reply of a remote checker.
func (c *coordinator) onCheckReply(m *nats.Msg) {
	id := m.Subject[len(c.checking.inbox)+1:]
	gone := len(m.Data) == 0 && m.Header.Get("Status") != ""
	reply := new(CheckReply)
	err := Decode(m.Data, reply)
	c.inbox.post(func() {
		for _, r := range c.checking.checkers {
			switch {
			case r.job == nil || r.job.id != id:
			case gone:
				c.checkerLeft(r.name)
				return
			case err != nil:
				c.o.Log("a reply of checker %s is dropped: %v", r.name, err)
				c.checked(r, r.job, &CheckReply{Trouble: err.Error()})
				return
			default:
				c.checked(r, r.job, reply)
				return
			}
		}
	})
}

// checked applies the reply of a checker.
func (c *coordinator) checked(r *remote, job *checkJob, reply *CheckReply) {
	if r.job != job {
		return
	}
	r.job = nil
	s := job.session
	if s.broken || s.checker != r {
		return
	}
	if err := matches(job.request, s.queue, reply); err != nil {
		reply = &CheckReply{Trouble: err.Error()}
	}
	reports := reply.Reports
	for _, item := range job.request.Items[:reply.Checked] {
		s.loaded++
		if item.Known {
			continue
		}
		rec := s.queue[0]
		n := len(rec.msg.Segments)
		if err := c.accept(rec, reports[:n:n]); err != nil {
			c.unacceptable(s, err)
			return
		}
		c.unqueue(s)
		s.known = append(s.known, rec.seq)
		reports = reports[n:]
		s.troubles = 0
	}
	switch {
	case reply.Wrong != "":
		c.o.Log("result %d of worker %s is wrong: %s", s.queue[0].seq, s.worker, reply.Wrong)
		c.exclude(s.worker, reply.Wrong)
	case reply.Missing > 0 && s.loaded > 0:
		s.loaded = 0
	case reply.Missing > 0:
		c.trouble(r, s, fmt.Sprintf("segment %d is missing", reply.Missing))
		return
	case reply.Lost && s.troubles >= lostPatience:
		c.o.Log("result %d of worker %s cannot be read: %s", s.queue[0].seq, s.worker, reply.Trouble)
		c.breakSession(s, reply.Trouble)
	case reply.Trouble != "":
		c.trouble(r, s, reply.Trouble)
		return
	}
	c.ready(s)
}

// matches returns an error if a reply does not fit its request.
func matches(q *CheckRequest, queue []*record, reply *CheckReply) error {
	if reply.Trouble == "" && reply.Session != q.Session || reply.Checked > len(q.Items) {
		return fmt.Errorf("the reply is one to another request")
	}
	if reply.Checked == 0 && reply.Wrong == "" && reply.Missing == 0 && reply.Trouble == "" {
		return fmt.Errorf("the reply has no reason for unchecked results")
	}
	if reply.Wrong != "" && (reply.Checked == len(q.Items) || q.Items[reply.Checked].Known) {
		return fmt.Errorf("a result that was accepted before is wrong: %s", reply.Wrong)
	}
	reports, next := reply.Reports, 0
	for _, item := range q.Items[:reply.Checked] {
		if item.Known {
			continue
		}
		if next == len(queue) || queue[next].seq != item.Seq || len(reports) < len(queue[next].msg.Segments) {
			return fmt.Errorf("the reply lacks reports")
		}
		for i, ref := range queue[next].msg.Segments {
			if reports[i].Header != ref.Header {
				return fmt.Errorf("the reply reports another segment %d", ref.Number)
			}
		}
		reports = reports[len(queue[next].msg.Segments):]
		next++
	}
	return nil
}

// unacceptable ends a session whose checked segment cannot be accepted: its imports do
// not exist.
func (c *coordinator) unacceptable(s *proofSession, err error) {
	r := s.queue[0]
	c.o.Log("result %d of worker %s is not accepted: %v", r.seq, s.worker, err)
	if c.workers.welcomed[s.name] {
		c.exclude(s.worker, err.Error())
		return
	}
	c.breakSession(s, err.Error())
}

// unqueue removes the first result of a session from its queue.
func (c *coordinator) unqueue(s *proofSession) *record {
	r := s.queue[0]
	c.checking.inline -= r.msg.inline()
	r.detach()
	s.queue = s.queue[1:]
	return r
}

// breakSession refuses all results of a session that wait, and asks its worker to begin
// another session.
func (c *coordinator) breakSession(s *proofSession, why string) {
	if s.broken {
		return
	}
	s.broken = true
	for len(s.queue) > 0 {
		c.drop(c.unqueue(s), why)
	}
	c.workers.cancel.Sessions = append(c.workers.cancel.Sessions, s.name) // repeated by present
}

// breakSessions breaks all sessions of a worker.
func (c *coordinator) breakSessions(worker, why string) {
	for _, name := range slices.Sorted(maps.Keys(c.checking.sessions)) {
		if s := c.checking.sessions[name]; s.worker == worker {
			c.breakSession(s, why)
		}
	}
}

// drop ends a result whose segments are not accepted. A split stays.
func (c *coordinator) drop(r *record, why string) {
	if !r.split() {
		c.refuse(r, fmt.Errorf("%s", why))
	}
}

// trouble assigns a session to another checker, or to the same one after some time.
func (c *coordinator) trouble(r *remote, s *proofSession, why string) {
	if s.troubles++; s.troubles == 1 || s.troubles%60 == 0 {
		c.o.Log("a checker cannot check session %s of worker %s: %s", s.name, s.worker, why)
	}
	s.checker = nil
	for _, other := range c.checking.checkers {
		if other != r && s.troubles < len(c.checking.checkers) {
			s.checker, s.loaded = other, 0
			c.ready(s)
			return
		}
	}
	time.AfterFunc(troubleWait, func() { c.inbox.post(func() { c.ready(s) }) })
}

// checkerArrived adds a remote checker, unless it is known.
func (c *coordinator) checkerArrived(name string) {
	t := &c.checking
	if !slices.ContainsFunc(t.checkers, func(r *remote) bool { return r.name == name }) && c.o.segments() && !c.o.Trust {
		t.checkers = append(t.checkers, &remote{name: name})
	}
}

// checkerLeft removes a remote checker and assigns its sessions to others.
func (c *coordinator) checkerLeft(name string) {
	t := &c.checking
	i := slices.IndexFunc(t.checkers, func(r *remote) bool { return r.name == name && r.jobs == nil })
	if i < 0 {
		return
	}
	gone := t.checkers[i]
	t.checkers = slices.Delete(t.checkers, i, i+1)
	for _, name := range slices.Sorted(maps.Keys(t.sessions)) {
		if s := t.sessions[name]; s.checker == gone {
			s.checker = nil
			c.ready(s)
		}
	}
}

// resend repeats the requests to remote checkers, whose replies may be lost. With idle
// set, it repeats only those to checkers that report that they have nothing to do.
func (c *coordinator) resend(idle bool) {
	t := &c.checking
	for _, r := range t.checkers {
		if r.jobs != nil || r.job == nil {
			continue
		}
		if m := c.workers.checkers[r.name]; idle && (m == nil || m.Idle == "" || time.Since(r.began) < checkPatience) {
			continue
		}
		r.began = time.Now()
		c.nc.PublishRequest(c.names.Check(r.name), t.inbox+"."+r.job.id, Encode(r.job.request))
	}
}

// waitingResults returns the number of results that wait for a checker.
func (t *checkTable) waitingResults() (n int) {
	for _, s := range t.sessions {
		n += len(s.queue)
	}
	return n
}
