package grid

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"sator/cmd/internal/grid/session"
	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
)

// Clause sharing between machines: the solvers of a run exchange unit and binary clauses.
// Losing a clause changes no answer, so all buffers are bounded and drop further clauses
// when they are full.
//
//   - In a run without segments, a job sends its clauses to the coordinator, and the
//     coordinator sends all clauses that it has received to all workers. Both collect
//     clauses for shareInterval. If jobs sent their clauses to each other, the number of
//     deliveries would grow with the square of their number, and 277 workers would keep a
//     processor of the server busy (package simulate).
//   - In a run with segments, a clause may be used only when the coordinator has accepted
//     the segment that derives it. The job exports the clause in its segment, where it
//     is pinned (session.Writer), and the coordinator sends the clauses of accepted
//     segments with their final ids. A solver that imports a clause logs that in its
//     segment.
//
// Effect with four worker processes and "serve --trust" on a machine with two busy
// processors, in conflicts and processor seconds of all workers. Vdw is w(2;3,11) with 114
// numbers and 300 cubes (mean of the seeds 1 to 3), schur has 45 numbers (seed 1):
//
//	                        vdw                 schur
//	no sharing              256000    4.7 s     2847000   64.3 s
//	units                                       2760000   58.8 s
//	units and binaries      253600    4.7 s     2735000   58.5 s
//	and glue 2              256700    4.8 s     2706000   57.5 s
//
// With checked segments, vdw took 256400 conflicts without sharing, and 252900 with it
// (mean of the seeds 1 and 2). So units and binaries save a little. Clauses of glue 2 save
// less than the runs differ by seed, and are many more, so they are not shared.
//
// A job shares each clause once, and imports no clause twice, as far as a table of
// recent clauses of bounded size can say. It drops its own clauses when they return.

const (
	shareLits    = 2       // literals of a shared clause
	outLimit     = 4096    // clauses of a job that wait for being published
	inLimit      = 1 << 16 // clauses of a job that wait for being imported
	seenLimit    = 1 << 18 // clauses that a job remembers
	sharedBatch  = 2048    // clauses in a message
	segmentShare = 2000    // exports, and imports, of the segments of a result; so that their reports fit into a message
	finalIDLimit = 1 << 40 // of final ids; see package session
)

// A port is the exchange of a job. The solver's goroutine calls the methods of
// [cdcl.Exchange]; the others are called from any goroutine.
type port struct {
	session string
	vars    int
	proof   *session.Writer // nil if clauses are published directly

	arrived atomic.Int64 // length of in

	imports, exports int // since the last stored result; used by the solver's goroutine

	mu   sync.Mutex // guards the fields below
	in   []Clause
	out  []Clause
	seen map[[shareLits]dimacs.Lit]bool
}

// newPort returns the exchange of a session. Clauses with other variables than the first
// vars are not shared.
func newPort(session string, vars int, proof *session.Writer) *port {
	return &port{session: session, vars: vars, proof: proof, seen: map[[shareLits]dimacs.Lit]bool{}}
}

// Export implements [cdcl.Exchange].
func (p *port) Export(c cdcl.Shared) bool {
	if p.proof != nil || !p.fits(c.Lits) {
		return false // pin has exported it
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.out) >= outLimit || !p.isNew(c.Lits) {
		return false
	}
	p.out = append(p.out, Clause{Lits: append(portfolio.Literals(nil), c.Lits...)})
	return true
}

// pin exports a clause in the proof of the session. It reports whether it did.
func (p *port) pin(c cdcl.Shared) bool {
	if !p.fits(c.Lits) || p.exports >= segmentShare {
		return false
	}
	p.mu.Lock()
	fresh := p.isNew(c.Lits)
	p.mu.Unlock()
	if fresh {
		p.exports++
		p.proof.Export(c.ID, c.Lits)
	}
	return fresh
}

// fits reports whether a clause is short enough to be shared, and has variables of the
// run only.
func (p *port) fits(lits []dimacs.Lit) bool {
	for _, l := range lits {
		if int(l>>1) >= p.vars {
			return false
		}
	}
	return 1 <= len(lits) && len(lits) <= shareLits
}

// isNew reports whether a clause was not seen recently, and remembers it.
func (p *port) isNew(lits []dimacs.Lit) bool {
	k := [shareLits]dimacs.Lit{lits[0], lits[len(lits)-1]}
	if k[0] > k[1] {
		k[0], k[1] = k[1], k[0]
	}
	if p.seen[k] {
		return false
	}
	if len(p.seen) >= seenLimit {
		clear(p.seen)
	}
	p.seen[k] = true
	return true
}

// Pending implements [cdcl.Exchange].
func (p *port) Pending(int64) bool { return p.arrived.Load() > 0 && p.imports < segmentShare }

// Import implements [cdcl.Exchange].
func (p *port) Import() (cdcl.Shared, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.in) == 0 || p.imports >= segmentShare {
		return cdcl.Shared{}, false
	}
	c := p.in[0]
	p.in = p.in[1:]
	p.arrived.Store(int64(len(p.in)))
	s := cdcl.Shared{Lits: c.Lits, Glue: len(c.Lits) - 1}
	if p.proof != nil {
		p.imports++
		s.ID = p.proof.Import(c.ID, c.Lits)
	}
	return s, true
}

// beginResult resets the limits of a result.
func (p *port) beginResult() { p.imports, p.exports = 0, 0 }

// Used implements [cdcl.Exchange].
func (p *port) Used(int) {}

// receive stores the clauses of a message for import.
func (p *port) receive(m *Shared) {
	if m.Session == p.session {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range m.Clauses {
		withoutID := p.proof != nil && (c.ID < 1 || c.ID >= finalIDLimit)
		if withoutID || len(p.in) >= inLimit || !p.fits(c.Lits) || !p.isNew(c.Lits) {
			continue
		}
		p.in = append(p.in, c)
	}
	p.arrived.Store(int64(len(p.in)))
}

// take returns the clauses that wait for being published.
func (p *port) take() []Clause {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.out
	p.out = nil
	return out
}

// importShared gives the clauses of a message to the jobs of its run.
func (p *process) importShared(m *Shared) {
	for _, j := range p.jobs {
		if port, run := j.sharing(); port != nil && run == m.Run {
			port.receive(m)
		}
	}
}

// exportShared publishes the clauses of all jobs.
func (p *process) exportShared() {
	for _, j := range p.jobs {
		port, run := j.sharing()
		if port != nil && port.proof == nil {
			publishClauses(p.nc, p.names.Share(), run, port)
		}
	}
}

// sharing returns the exchange of a job, or nil, and its run.
func (j *job) sharing() (*port, string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.port, j.state.run
}

// A relay collects the clauses of all workers in a run without segments, and sends them
// to all workers. Its port removes duplicates and bounds the memory.
type relay struct {
	nc    *nats.Conn
	names Names
	run   string
	port  *port
}

// relaySession is the session of messages from a relay.
const relaySession = "relay"

// newRelay returns the relay of a run. Workers drop clauses with variables that the run
// lacks.
func newRelay(nc *nats.Conn, names Names, run string) *relay {
	return &relay{nc: nc, names: names, run: run, port: newPort(relaySession, dimacs.MaxVars, nil)}
}

// onShare is called by the connection with clauses of a worker. A malformed message is
// dropped.
func (r *relay) onShare(raw *nats.Msg) {
	var m Shared
	if Decode(raw.Data, &m) != nil || m.Run != r.run {
		return
	}
	for _, c := range m.Clauses {
		r.port.Export(cdcl.Shared{Lits: c.Lits})
	}
}

// work sends clauses to the workers until ctx ends.
func (r *relay) work(ctx context.Context) {
	t := time.NewTicker(shareInterval)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			publishClauses(r.nc, r.names.Shared(), r.run, r.port)
		}
	}
}

// publishClauses publishes the clauses that wait in a port. While there is no connection
// they stay there.
func publishClauses(nc *nats.Conn, subject, run string, p *port) {
	if !nc.IsConnected() {
		return
	}
	for clauses := range slices.Chunk(p.take(), sharedBatch) {
		_ = nc.Publish(subject, Encode(&Shared{Version: Version, Run: run, Session: p.session, Clauses: clauses}))
	}
}
