package proof

import (
	"runtime"
	"slices"
	"time"

	"sator/dimacs"
)

// Checking in batches. An engine that is checked while it runs deletes most of its lemmas soon,
// and often nothing that remains depends on them. A Batch therefore stores the latest steps. When
// there are many, it walks back through them, drops the lemmas that are deleted and are hints of no
// lemma that is kept, and passes the older half of the steps to a Checker. Without the dropped
// lemmas the steps are still a proof, since each lemma has its hints. So a refutation follows from
// checked lemmas alone.
//
// The order of the steps remains. A RAT lemma therefore meets the clauses that existed when it was
// logged, except dropped ones: without them it has fewer resolvents.
//
// The checker copies only those clauses of the formula that are hints, and their neighbors.
//
// After a call of Concurrently the checker runs beside the engine, one half of the steps at a
// time. If the engine is faster, it waits.

// A Batch is a [dimacs.Proof] that checks the steps of an engine as a [Checker] does, but later, and
// only the lemmas that are needed. The time for a lemma is linear in the size of the clauses in
// its hints. The memory is that of a Checker, without the clauses of the formula that are not used,
// plus about 5 MB for the latest steps.
type Batch struct {
	c          *Checker
	source     *dimacs.Formula
	last       int64 // the latest id
	given      int   // number of clauses of the formula that were given
	steps      steps // the latest ones
	checked    steps // steps that are checked, now or before, beside the engine
	free       []stepBlock
	least      int   // leastBatch, or less in tests
	limit      int   // if there are more words, the older half of the steps is checked
	refuted    int64 // id of the latest empty clause that was learned, or 0
	ended      bool  // there was an error: no steps are checked anymore
	concurrent bool
	spent      time.Duration
	done       chan struct{} // closed when spare is checked; nil if it is
	panicked   any           // the panic of a check beside the engine, or nil
	hints      []int64       // scratch
	lits       []dimacs.Lit
}

// A steps value holds steps in words. The head of a step is its kind and its number of literals;
// the words after it depend on the kind. The words are in blocks, which the checker returns: a
// single table that grows would touch several times its memory.
type steps struct {
	blocks []stepBlock
	words  int            // in all blocks
	lemmas []pendingLemma // of the clauses that are given or learned, by id - first
	first  int64          // the id of the first one
}

// A stepBlock holds consecutive steps.
type stepBlock struct {
	words []uint32
	first int64 // the id of its first clause, or of the next one
}

// A pendingLemma is the state of a clause of a batch.
type pendingLemma struct {
	place uint32 // of its step in the words of its block
	state lemmaState
	used  bool // it is a hint of a lemma that is kept; computed by drop
}

func (x *pendingLemma) delete() {
	if x.state == liveLemma {
		x.state = deadLemma
	}
}

type lemmaState uint8

const (
	liveLemma lemmaState = iota
	deadLemma
	droppedLemma
)

// A stepKind is in the lowest bits of the head of a step.
type stepKind uint32

const (
	sourceStep   stepKind = iota // the next clause of the formula: no words
	originalStep                 // another clause that is given: its literals
	learnStep                    // the number of hints, the literals, the distances of the hints from the id
	wideStep                     // the number of hints, the literals, the hints in two words each
	deleteStep                   // the id in two words

	kindBits = 3
)

func head(kind stepKind, n int) uint32 { return uint32(n)<<kindBits | uint32(kind) }

func kindOf(head uint32) stepKind { return stepKind(head & (1<<kindBits - 1)) }

// NewBatch returns a checker of a proof of f. The first clauses that are given must be those of f,
// in their order; others may follow. A clause that is added to f later must be given next. If the
// limit refuses memory, the batch checks no more steps and frees its memory, and Err returns a
// [*dimacs.MemoryError].
func NewBatch(f *dimacs.Formula, m dimacs.MemoryLimit) *Batch {
	b := &Batch{c: NewCheckerWithin(m), source: f, least: leastBatch, limit: leastBatch, steps: steps{first: 1}}
	b.c.source = f
	return b
}

// Bounds of the limit of a batch in words. Between them the limit is the size of the clauses of the
// checker, so that a batch takes no more memory than they do. A block has at most an eighth of the
// least limit, unless a step is longer.
const (
	leastBatch = 1 << 16
	mostBatch  = 1 << 19
	mostBlock  = leastBatch / 8
)

// Concurrently lets the checker run beside the engine from now on, if Go uses several processors.
// The formula must not change anymore.
func (b *Batch) Concurrently() { b.concurrent = runtime.GOMAXPROCS(0) > 1 }

// Hints implements [dimacs.Proof]. It returns true.
func (b *Batch) Hints() bool { return true }

// Original implements [dimacs.Proof].
func (b *Batch) Original(lits []dimacs.Lit) int64 {
	if b.given < b.source.Len() {
		b.given++
		b.begin(sourceStep, len(lits), 0)
		return b.last
	}
	if w := b.begin(originalStep, len(lits), len(lits)); w != nil {
		putLits(w, lits)
	}
	return b.last
}

// Learn implements [dimacs.Proof].
func (b *Batch) Learn(lits []dimacs.Lit, hints []int64) int64 {
	kind, count := learnStep, len(hints)
	for _, h := range hints {
		if h <= 0 || b.last+1-h >= 1<<32 {
			kind, count = wideStep, 2*len(hints)
			break
		}
	}
	w := b.begin(kind, len(lits), 1+len(lits)+count)
	if w == nil {
		return b.last
	}
	if len(lits) == 0 {
		b.refuted = b.last
	}
	w[0] = uint32(len(hints))
	putLits(w[1:], lits)
	w = w[1+len(lits):]
	for i, h := range hints {
		if kind == learnStep {
			w[i] = uint32(b.last - h)
		} else {
			w[2*i], w[2*i+1] = uint32(h), uint32(uint64(h)>>32)
		}
	}
	return b.last
}

// begin begins the step of a new clause of n literals, and returns the given number of words after
// its head. It returns nil after an error, when steps are not stored.
func (b *Batch) begin(kind stepKind, n, words int) []uint32 {
	b.last++
	if n >= 1<<(32-kindBits) && !b.ended {
		b.End()
	}
	if b.ended {
		return nil
	}
	if b.steps.words > b.limit {
		b.flush(b.limit / 2)
	}
	w, place := b.room(1+words, b.last)
	b.steps.lemmas = append(b.steps.lemmas, pendingLemma{place: place})
	w[0] = head(kind, n)
	return w[1:]
}

// room appends n words for a step, and returns them and their place in their block. The id is that of
// the step's clause, or of the next one.
func (b *Batch) room(n int, id int64) (w []uint32, place uint32) {
	s := &b.steps
	last := len(s.blocks) - 1
	if last < 0 || len(s.blocks[last].words)+n > cap(s.blocks[last].words) {
		s.blocks = append(s.blocks, b.newBlock(n, id))
		last++
	}
	g := &s.blocks[last]
	at := len(g.words)
	g.words = g.words[:at+n]
	s.words += n
	return g.words[at:], uint32(at)
}

// newBlock returns an empty block with room for n words. The first ones of a proof are smaller.
func (b *Batch) newBlock(n int, id int64) stepBlock {
	if k := len(b.free) - 1; k >= 0 && n <= mostBlock {
		g := b.free[k]
		b.free = b.free[:k]
		return stepBlock{g.words[:0], id}
	}
	size := max(n, min(max(b.steps.words, mostBlock>>5), b.limit/8, mostBlock))
	return stepBlock{make([]uint32, 0, size), id}
}

func putLits(to []uint32, lits []dimacs.Lit) {
	for i, l := range lits {
		to[i] = uint32(l)
	}
}

// Delete implements [dimacs.Proof]. The literals are ignored.
func (b *Batch) Delete(id int64, _ []dimacs.Lit) {
	if b.ended {
		return
	}
	s := &b.steps
	if id >= s.first {
		s.lemmas[id-s.first].delete()
	}
	w, _ := b.room(3, b.last+1)
	w[0], w[1], w[2] = head(deleteStep, 0), uint32(id), uint32(uint64(id)>>32)
}

// Err checks the steps so far, and returns the first error, or nil, as [Checker.Err] does.
func (b *Batch) Err() error {
	b.flush(0)
	b.wait()
	return b.c.Err()
}

// Refutes returns nil if all steps are right and refute the formula under the assumptions, as
// [Checker.Refutes] does.
func (b *Batch) Refutes(assumptions []dimacs.Lit) error {
	if b.refuted > 0 { // by an empty clause: only its hints are needed, and theirs
		for i := range b.steps.lemmas {
			b.steps.lemmas[i].delete()
		}
	}
	b.flush(0)
	b.wait()
	b.ended = b.ended || b.refuted > 0 // later steps have no effect
	return b.c.Refutes(assumptions)
}

// End ends the checks and frees their memory. Err returns a [*dimacs.MemoryError] from then on, or
// the error of an earlier step.
func (b *Batch) End() {
	b.wait()
	if b.c.err == nil {
		b.giveUp(errRefused)
	}
	b.ended, b.steps, b.checked, b.free = true, steps{first: b.last + 1}, steps{}, nil
}

// giveUp frees the tables of the checker.
func (b *Batch) giveUp(why error) {
	b.c.err = why
	b.c.hintChecker = newHintChecker(nil)
}

// Spent returns the time of the checks so far, also of those beside the engine.
func (b *Batch) Spent() time.Duration {
	b.wait()
	return b.spent
}

// flush checks all steps but those of the latest blocks, of at most left words.
func (b *Batch) flush(left int) {
	s := &b.steps
	s.drop(b.refuted)
	b.wait()
	s.cut(left, &b.checked)
	if !b.concurrent {
		b.check(&b.checked)
		return
	}
	b.done = make(chan struct{})
	go func() {
		defer func() {
			b.panicked = recover()
			close(b.done)
		}()
		b.check(&b.checked)
	}()
}

// cut moves the steps to t, but those of the latest blocks, of at most left words.
func (s *steps) cut(left int, t *steps) {
	k, rest := len(s.blocks), 0
	for k > 0 && rest+len(s.blocks[k-1].words) <= left {
		k--
		rest += len(s.blocks[k].words)
	}
	n := len(s.lemmas)
	if k < len(s.blocks) {
		n = int(s.blocks[k].first - s.first)
	}
	t.blocks, t.lemmas, t.first = append(t.blocks[:0], s.blocks[:k]...), append(t.lemmas[:0], s.lemmas[:n]...), s.first
	s.blocks, s.lemmas = slices.Delete(s.blocks, 0, k), slices.Delete(s.lemmas, 0, n)
	s.words, s.first = rest, s.first+int64(n)
}

// wait waits for the checks that run beside the engine.
func (b *Batch) wait() {
	if b.done != nil {
		<-b.done
		b.done = nil
		if b.panicked != nil {
			panic(b.panicked)
		}
	}
	if b.c.err == errTooLarge {
		b.giveUp(errRefused)
	}
	for _, g := range b.checked.blocks {
		if cap(g.words) == mostBlock {
			b.free = append(b.free, g)
		}
	}
	b.checked.blocks = b.checked.blocks[:0]
	b.limit = min(max(b.c.words, leastBatch), mostBatch)
	if b.least < leastBatch {
		b.limit = b.least
	}
	b.ended = b.ended || b.c.err != nil
}

// drop drops the lemmas that are deleted and no hints of lemmas that are kept, in reverse order,
// since hints are older. It keeps the lemma with the id keep, and the latest one: that may refute
// assumptions.
func (s *steps) drop(keep int64) {
	for i := range s.lemmas {
		s.lemmas[i].used = i == len(s.lemmas)-1 || s.first+int64(i) == keep
	}
	end := len(s.lemmas)
	for _, g := range slices.Backward(s.blocks) {
		begin := int(g.first - s.first)
		for i := end - 1; i >= begin; i-- {
			s.dropLemma(&g, i)
		}
		end = begin
	}
}

// dropLemma drops the lemma with index i if nothing needs it. Else it marks its hints.
func (s *steps) dropLemma(g *stepBlock, i int) {
	x := &s.lemmas[i]
	kind := kindOf(g.words[x.place])
	switch {
	case kind == sourceStep || x.state == droppedLemma:
		return
	case x.state == deadLemma && !x.used:
		x.state = droppedLemma
		return
	case kind == originalStep:
		return
	}
	_, hints := lemmaAt(g.words[x.place:])
	eachHint(kind, s.first+int64(i), hints, func(h int64) {
		if h = max(h, -h); h >= s.first {
			s.lemmas[h-s.first].used = true
		}
	})
}

// lemmaAt returns the literals and the hints of the learned clause whose step is at the beginning of d.
func lemmaAt(d []uint32) (lits, hints []uint32) {
	n, count := d[0]>>kindBits, d[1]
	if kindOf(d[0]) == wideStep {
		count *= 2
	}
	return d[2 : 2+n], d[2+n : 2+n+count]
}

// eachHint calls f for the hints of a lemma.
func eachHint(kind stepKind, id int64, hints []uint32, f func(h int64)) {
	if kind == learnStep {
		for _, back := range hints {
			f(id - int64(back))
		}
		return
	}
	for i := 0; i < len(hints); i += 2 {
		f(int64(hints[i]) | int64(hints[i+1])<<32)
	}
}

// check passes steps to the checker.
func (b *Batch) check(s *steps) {
	begin := time.Now()
	defer func() {
		b.spent += time.Since(begin)
		switch p := recover().(type) {
		case nil:
		case *dimacs.MemoryError:
			b.giveUp(p)
		default:
			panic(p)
		}
	}()
	id := s.first
	for _, g := range s.blocks {
		for d := g.words; len(d) > 0; {
			kind, n := kindOf(d[0]), int(d[0]>>kindBits)
			if kind == deleteStep {
				b.delete(s, int64(d[1])|int64(d[2])<<32)
				d = d[3:]
				continue
			}
			dropped := s.lemmas[id-s.first].state == droppedLemma
			if dropped {
				b.c.entered++ // its id is used
			}
			b.c.last = id - 1
			switch kind {
			case sourceStep:
				b.c.originalOfSource(n)
				d = d[1:]
			case originalStep:
				if !dropped {
					b.c.Original(b.literals(d[1 : 1+n]))
				}
				d = d[1+n:]
			default:
				lits, hints := lemmaAt(d)
				if !dropped {
					b.hints = b.hints[:0]
					eachHint(kind, id, hints, func(h int64) { b.hints = append(b.hints, h) })
					b.c.Learn(b.literals(lits), b.hints)
				}
				d = d[2+n+len(hints):]
			}
			id++
		}
	}
}

func (b *Batch) literals(words []uint32) []dimacs.Lit {
	b.lits = b.lits[:0]
	for _, l := range words {
		b.lits = append(b.lits, dimacs.Lit(l))
	}
	return b.lits
}

// delete deletes a clause, unless it was dropped, now or before.
func (b *Batch) delete(s *steps, id int64) {
	if b.c.err == nil && (id < s.first || s.lemmas[id-s.first].state != droppedLemma) {
		b.c.remove(id)
	}
}
