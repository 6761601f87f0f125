package portfolio

import (
	"slices"
	"sync"
	"sync/atomic"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// Clauses go from solver to solver through a pool. It has a list of units and a log
// of other clauses; who learns something appends it, and each solver has a place in
// both up to which it has read. A clause that all have read, or that is among the
// oldest of very many, leaves the log. Its literals are stored once, and whoever
// reads them copies what it needs into its arena.
//
// Units and binary clauses are always shared. Of others it is the glue that decides,
// and which glue is good enough is measured: the solvers tell which clauses that they
// took in came to be used in a conflict. If those of the highest glue that is shared
// often are, clauses of the next one are shared too; if they seldom are, fewer are.
// ManySAT's controllers did that by the number of clauses (Hamadi, Jabbour and Sais,
// "Control-based clause sharing in parallel SAT solving", IJCAI 2009). Long clauses
// are not shared, whatever their glue.
//
// A clause that was offered lately is not offered again: a table has sums of the
// literals of the last ones, in whatever order these are.
//
// The lock is held for the time of an append, or while up to readLen clauses are
// copied out, and solvers come to it some hundred times a second. Whether there is
// something to read is asked without it.

const (
	leastGlue = 2  // that is always shared
	mostGlue  = 8  // that may be
	mostLits  = 40 // of a clause with these

	readLen  = 256     // clauses read at once
	logLen   = 1 << 15 // of the log; from here on the older half goes
	seenBits = 15      // of the table of clauses that were offered lately

	// The limit of glue is revised when so many clauses with that glue were read, by
	// the share of them that was used, in percent.
	reviseAfter = 2000
	raiseAt     = 40
	lowerAt     = 20
)

// An offer is a clause in the pool.
type offer struct {
	cdcl.Shared
	from int
}

// A pool is where solvers exchange clauses.
type pool struct {
	proof *sharedProof // nil without a proof
	ports []*port
	glue  atomic.Int32 // up to which clauses are shared
	total atomic.Int64 // units and clauses ever added

	mu    sync.Mutex // guards what follows
	vars  int        // only clauses with variables below
	units []offer
	fixed []bool  // by literal: it is among them
	log   []offer // from number first on
	first int
	seen  []uint64 // hash table, without chains
	usage [mostGlue + 1]usage
}

// Worth is what became of clauses of some glue since its limit was revised.
type usage struct{ read, used int }

func newPool(n int, l *sharedProof) *pool {
	p := &pool{proof: l}
	for i := range n {
		p.ports = append(p.ports, &port{pool: p, index: i})
	}
	p.glue.Store(leastGlue)
	return p
}

// grow makes clauses with variables up to vars-1 be shared.
func (p *pool) grow(vars int) {
	p.vars = vars
	if n := 2 * vars; n > len(p.fixed) {
		p.fixed = append(p.fixed, make([]bool, n-len(p.fixed))...)
	}
}

// add puts a clause into the pool, unless it was there lately.
func (p *pool) add(o offer) {
	if len(o.Lits) == 1 {
		l := o.Lits[0]
		if p.fixed[l] {
			p.reject(o)
			return
		}
		p.fixed[l] = true
		p.units = append(p.units, o)
		p.total.Add(1)
		return
	}
	if p.seen == nil {
		p.seen = make([]uint64, 1<<seenBits)
	}
	sum := sumOf(o.Lits)
	slot := &p.seen[sum>>(64-seenBits)]
	if *slot == sum {
		p.reject(o)
		return
	}
	*slot = sum
	if len(p.log) >= logLen {
		p.dropOldest(logLen / 2)
	}
	p.log = append(p.log, o)
	p.total.Add(1)
}

// reject gives the shares in a clause back that nobody will read.
func (p *pool) reject(o offer) {
	if p.proof != nil {
		p.proof.release(o.ID, o.Lits, len(p.ports)-1)
	}
}

// dropOldest drops the first k clauses of the log, for those too that have not read them.
func (p *pool) dropOldest(k int) {
	for _, t := range p.ports {
		for ; t.at < p.first+k; t.at++ {
			if o := p.log[t.at-p.first]; p.proof != nil && o.from != t.index {
				p.proof.release(o.ID, o.Lits, 1)
			}
			t.read.Add(1)
		}
	}
	p.trim(k)
}

// trim takes the first k clauses out of the log.
func (p *pool) trim(k int) {
	n := copy(p.log, p.log[k:])
	clear(p.log[n:])
	p.log = p.log[:n]
	p.first += k
}

// maintain takes out what all have read, if that is much, and revises the limit of glue.
// In lockstep it does so between rounds alone.
func (p *pool) maintain() {
	p.revise()
	least := p.first + len(p.log)
	for _, t := range p.ports {
		least = min(least, t.at)
	}
	if k := least - p.first; k >= readLen && 2*k >= len(p.log) {
		p.trim(k)
	}
}

// revise sets the limit of glue by what was used of the clauses that were read.
func (p *pool) revise() {
	glue := int(p.glue.Load())
	w := &p.usage[glue]
	if w.read < reviseAfter {
		return
	}
	switch share := 100 * w.used / w.read; {
	case share >= raiseAt && glue < mostGlue:
		p.glue.Store(int32(glue + 1))
	case share < lowerAt && glue > leastGlue:
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

// A port is where a solver meets the pool. It implements [cdcl.Exchange].
type port struct {
	pool       *pool
	index      int
	lockstep   *lockstep          // nil if solvers run freely
	mute       bool               // nothing is exchanged
	simplified *simplifiedFormula // that its solver was given, nil if it was given the formula

	// Its own, used by its solver alone.
	due  int64   // ticks at which the next round of lockstep begins
	next []offer // read, but not imported yet
	out  []offer // in lockstep: exported in this round
	used [mostGlue + 1]int
	lits []dimacs.Lit // scratch

	// Guarded by the pool's lock.
	at    int          // number of the next clause of the log
	units int          // read
	read  atomic.Int64 // units and clauses, for a look without the lock
}

// Export implements [cdcl.Exchange].
func (t *port) Export(c cdcl.Shared) {
	p := t.pool
	n := len(c.Lits)
	if t.mute || n > 2 && (c.Glue > int(p.glue.Load()) || n > mostLits) {
		return
	}
	c.Lits = slices.Clone(c.Lits)
	if t.simplified != nil {
		t.simplified.toLeader(c.Lits)
	}
	for _, l := range c.Lits {
		if int(l>>1) >= p.vars {
			return
		}
	}
	if p.proof != nil {
		p.proof.retain(c.ID, len(p.ports)-1)
	}
	o := offer{c, t.index}
	if t.lockstep != nil {
		t.out = append(t.out, o)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.add(o)
}

// Pending implements [cdcl.Exchange].
func (t *port) Pending(ticks int64) bool {
	if t.lockstep != nil {
		for ticks >= t.due {
			t.due += t.lockstep.round
			if !t.lockstep.awaitRound() {
				return false
			}
		}
	}
	return len(t.next) > 0 || t.read.Load() < t.pool.total.Load()
}

// Import implements [cdcl.Exchange].
func (t *port) Import() (c cdcl.Shared, ok bool) {
	for {
		if len(t.next) == 0 {
			t.fetch()
		}
		if len(t.next) == 0 {
			return cdcl.Shared{}, false
		}
		c = t.next[0].Shared
		t.next = t.next[1:]
		if t.simplified == nil {
			return c, true
		}
		if t.lits, ok = t.simplified.fromLeader(t.lits[:0], c.Lits); ok {
			c.Lits = t.lits
			return c, true
		}
		if t.pool.proof != nil {
			t.pool.proof.release(c.ID, c.Lits, 1)
		}
	}
}

// Used implements [cdcl.Exchange].
func (t *port) Used(glue int) {
	if glue <= mostGlue {
		t.used[glue]++
	}
}

// fetch reads what is next in the pool, units first.
func (t *port) fetch() {
	p := t.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	t.next = t.next[:0]
	for ; t.units < len(p.units) && len(t.next) < readLen; t.units++ {
		t.receive(p.units[t.units])
	}
	for ; t.at < p.first+len(p.log) && len(t.next) < readLen; t.at++ {
		t.receive(p.log[t.at-p.first])
	}
	for glue, n := range t.used {
		p.usage[glue].used += n
	}
	clear(t.used[:])
	if t.lockstep == nil {
		p.maintain()
	}
}

func (t *port) receive(o offer) {
	t.read.Add(1)
	if o.from == t.index {
		return
	}
	t.next = append(t.next, o)
	if len(o.Lits) > 2 {
		t.pool.usage[min(o.Glue, mostGlue)].read++
	}
}
