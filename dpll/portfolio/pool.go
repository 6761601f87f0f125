package portfolio

import (
	"slices"
	"sync"
	"sync/atomic"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// Solvers share clauses through a pool. It has a list of unit clauses and a log of
// longer clauses. A solver appends the clauses that it exports, and each solver has a
// read position in the list and in the log. The pool drops clauses from the front of
// the log when all solvers have read them, or when the log is full. The literals of a
// clause are stored once; a solver that imports the clause copies them to its arena.
//
// Units and binary clauses are always shared. Longer clauses are shared if their glue
// is at most a limit. The pool adapts the limit: solvers report the imported clauses
// that take part in conflicts. If many of the clauses whose glue is the limit take part,
// the limit rises by 1; if few do, it falls by 1. ManySAT's controllers adapt their
// limit by the number of clauses instead (Hamadi, Jabbour and Sais, "Control-based
// clause sharing in parallel SAT solving", IJCAI 2009). Clauses with more than mostLits
// literals are never shared.
//
// Tried: a first limit of 2 with higher shares of use, constant limits of 8 and 14, sharing
// used clauses of glue up to 8 (no gain).
//
// A hash table of recently exported clauses keeps duplicates out. The hash of a clause
// does not depend on the order of its literals.
//
// The lock is held for an append, or while up to readLen clauses are copied out, and
// solvers acquire it some hundred times a second. An atomic counter shows without the
// lock whether there is something to read.

const (
	leastGlue = 2  // lowest limit of glue
	firstGlue = 6  // limit of glue at the start
	mostGlue  = 8  // highest limit of glue
	mostLits  = 40 // of a shared clause

	readLen  = 256     // clauses read at once
	logLen   = 1 << 15 // length of a full log; its older half is dropped
	seenBits = 15      // log2 of the size of the hash table

	// The limit of glue is revised when solvers have read reviseAfter clauses whose
	// glue is the limit. It rises if at least raiseAt percent of these clauses took
	// part in a conflict, and falls if fewer than lowerAt percent did.
	reviseAfter = 2000
	raiseAt     = 25
	lowerAt     = 10
)

// An offer is a clause in the pool.
type offer struct {
	cdcl.Shared
	from int // number of the solver that exported it
}

// A pool is the place where solvers exchange clauses.
type pool struct {
	proof *sharedProof // nil without a proof
	ports []*port
	glue  atomic.Int32 // limit of glue
	total atomic.Int64 // units and clauses ever added
	vars  int          // clauses with variables from this number on are not shared; constant while solvers run

	// proofLits replaces literals by those in the proof, in place; nil if they are the same.
	// The first solver may rename variables before the others start ([cdcl.Leader.ProofLits]).
	proofLits func([]dimacs.Lit)

	mu    sync.Mutex // guards the fields below
	units []offer
	fixed []bool   // by literal: whether its unit clause is in units
	log   []offer  // longer clauses
	first int      // position of log[0], counted from the beginning of the pool
	seen  []uint64 // hash table of recently exported clauses, without chaining
	usage [mostGlue + 1]usage
}

// usage counts the clauses of one glue since the limit of glue was revised last.
type usage struct{ read, used int }

func newPool(n int, proof *sharedProof) *pool {
	p := &pool{proof: proof}
	for i := range n {
		p.ports = append(p.ports, &port{pool: p, index: i})
	}
	p.glue.Store(firstGlue)
	return p
}

// grow sets the number of variables. Clauses with other variables are not shared.
func (p *pool) grow(vars int) {
	p.vars = vars
	if n := 2 * vars; n > len(p.fixed) {
		p.fixed = append(p.fixed, make([]bool, n-len(p.fixed))...)
	}
}

// add puts a clause into the pool, unless it was there recently. It reports whether it did.
func (p *pool) add(o offer) bool {
	if len(o.Lits) == 1 {
		l := o.Lits[0]
		if p.fixed[l] {
			p.reject(o)
			return false
		}
		p.fixed[l] = true
		p.units = append(p.units, o)
		p.total.Add(1)
		return true
	}
	if p.seen == nil {
		p.seen = make([]uint64, 1<<seenBits)
	}
	sum := sumOf(o.Lits)
	slot := &p.seen[sum>>(64-seenBits)]
	if *slot == sum {
		p.reject(o)
		return false
	}
	*slot = sum
	if len(p.log) >= logLen {
		p.dropOldest(logLen / 2)
	}
	p.log = append(p.log, o)
	p.total.Add(1)
	return true
}

// reject releases the references to a clause that Export has retained for the other
// solvers.
func (p *pool) reject(o offer) {
	p.release(o.Shared, len(p.ports)-1)
}

// release releases k references to a clause in the proof, if there is one.
func (p *pool) release(c cdcl.Shared, k int) {
	if p.proof == nil {
		return
	}
	lits := c.Lits
	if p.proofLits != nil {
		lits = slices.Clone(lits)
		p.proofLits(lits)
	}
	p.proof.release(c.ID, lits, k)
}

// dropOldest drops the first k clauses of the log, even if some solvers have not read
// them.
func (p *pool) dropOldest(k int) {
	for _, t := range p.ports {
		for ; t.logPos < p.first+k; t.logPos++ {
			if o := p.log[t.logPos-p.first]; o.from != t.index {
				p.release(o.Shared, 1)
			}
			t.read.Add(1)
		}
	}
	p.trim(k)
}

// trim deletes the first k clauses of the log.
func (p *pool) trim(k int) {
	n := copy(p.log, p.log[k:])
	clear(p.log[n:])
	p.log = p.log[:n]
	p.first += k
}

// maintain deletes clauses that all solvers have read, if there are many, and revises
// the limit of glue. In lockstep it is called between rounds only.
func (p *pool) maintain() {
	p.revise()
	least := p.first + len(p.log)
	for _, t := range p.ports {
		least = min(least, t.logPos)
	}
	if k := least - p.first; k >= readLen && 2*k >= len(p.log) {
		p.trim(k)
	}
}

// revise adapts the limit of glue to the usage of imported clauses.
func (p *pool) revise() {
	glue := int(p.glue.Load())
	u := &p.usage[glue]
	if u.read < reviseAfter {
		return
	}
	switch percent := 100 * u.used / u.read; {
	case percent >= raiseAt && glue < mostGlue:
		p.glue.Store(int32(glue + 1))
	case percent < lowerAt && glue > leastGlue:
		p.glue.Store(int32(glue - 1))
	}
	clear(p.usage[:])
}

// sumOf returns a hash of a clause that does not depend on the order of its literals.
func sumOf(lits []dimacs.Lit) uint64 {
	sum := uint64(len(lits))
	for _, l := range lits {
		x := (uint64(l) + 1) * 0x9e3779b97f4a7c15
		x ^= x >> 29
		sum += x * 0xbf58476d1ce4e5b9
	}
	sum ^= sum >> 32
	return sum*0x94d049bb133111eb | 1
}

// A port connects a solver with the pool. It implements [cdcl.Exchange].
type port struct {
	pool       *pool
	index      int                // of the solver
	lockstep   *lockstep          // nil if solvers run freely
	mute       bool               // the solver shares no clauses
	simplified *simplifiedFormula // of the solver, nil if it has the original formula

	// Used by the solver alone.
	roundEnd int64   // end of the current round of lockstep, in ticks
	fetched  []offer // read from the pool and not imported yet
	exported []offer // in lockstep: clauses exported in this round
	used     [mostGlue + 1]int
	lits     []dimacs.Lit // scratch

	// Guarded by the lock of the pool.
	logPos  int          // position of the next clause of the log
	unitPos int          // index of the next unit
	read    atomic.Int64 // number of units and clauses read; loaded without the lock
}

// Export implements [cdcl.Exchange]. In lockstep it does not know the duplicates, which are
// found at the end of the round.
func (t *port) Export(c cdcl.Shared) bool {
	p := t.pool
	n := len(c.Lits)
	if t.mute || n > 2 && (c.Glue > int(p.glue.Load()) || n > mostLits) {
		return false
	}
	c.Lits = slices.Clone(c.Lits)
	if t.simplified != nil {
		t.simplified.toLeader(c.Lits)
	}
	for _, l := range c.Lits {
		if int(l>>1) >= p.vars {
			return false
		}
	}
	if p.proof != nil {
		p.proof.retain(c.ID, len(p.ports)-1)
	}
	o := offer{c, t.index}
	if t.lockstep != nil {
		t.exported = append(t.exported, o)
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.add(o)
}

// Pending implements [cdcl.Exchange].
func (t *port) Pending(ticks int64) bool {
	if t.lockstep != nil {
		for ticks >= t.roundEnd {
			t.roundEnd += t.lockstep.round
			if !t.lockstep.awaitRound() {
				return false
			}
		}
	}
	return len(t.fetched) > 0 || t.read.Load() < t.pool.total.Load()
}

// Import implements [cdcl.Exchange].
func (t *port) Import() (c cdcl.Shared, ok bool) {
	for {
		if len(t.fetched) == 0 {
			t.fetch()
		}
		if len(t.fetched) == 0 {
			return cdcl.Shared{}, false
		}
		c = t.fetched[0].Shared
		t.fetched = t.fetched[1:]
		if t.simplified == nil {
			return c, true
		}
		if t.lits, ok = t.simplified.fromLeader(t.lits[:0], c.Lits); ok {
			c.Lits = t.lits
			return c, true
		}
		t.pool.release(c, 1)
	}
}

// Used implements [cdcl.Exchange].
func (t *port) Used(glue int) {
	if glue <= mostGlue {
		t.used[glue]++
	}
}

// fetch reads the next clauses of the pool, units first.
func (t *port) fetch() {
	p := t.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	t.fetched = t.fetched[:0]
	for ; t.unitPos < len(p.units) && len(t.fetched) < readLen; t.unitPos++ {
		t.receive(p.units[t.unitPos])
	}
	for ; t.logPos < p.first+len(p.log) && len(t.fetched) < readLen; t.logPos++ {
		t.receive(p.log[t.logPos-p.first])
	}
	for glue, n := range t.used {
		p.usage[glue].used += n
	}
	clear(t.used[:])
	if t.lockstep == nil {
		p.maintain()
	}
}

// receive appends a clause to fetched, unless the solver has exported it itself.
func (t *port) receive(o offer) {
	t.read.Add(1)
	if o.from == t.index {
		return
	}
	t.fetched = append(t.fetched, o)
	if len(o.Lits) > 2 {
		t.pool.usage[min(o.Glue, mostGlue)].read++
	}
}
