package proof

import (
	"runtime"
	"sort"
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
	spare      steps // steps that are checked beside the engine
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
// the words after it depend on the kind.
type steps struct {
	words  []uint32
	lemmas []pendingLemma // of the clauses that are given or learned, by id - first
	first  int64          // the id of the first one
}

// A pendingLemma is the state of a clause of a batch.
type pendingLemma struct {
	place uint32 // of its step in words
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
	if size := f.Len() + f.Len()/8; m.Allows(4 * int64(size)) {
		b.c.refs = make([]uint32, 1, 1+size)
	}
	return b
}

// Bounds of the limit of a batch in words. Between them the limit is the size of the clauses of the
// checker, so that a batch takes no more memory than they do.
const (
	leastBatch = 1 << 16
	mostBatch  = 1 << 19
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
		b.begin(sourceStep, len(lits))
		return b.last
	}
	if b.begin(originalStep, len(lits)) {
		b.steps.literals(lits)
	}
	return b.last
}

// Learn implements [dimacs.Proof].
func (b *Batch) Learn(lits []dimacs.Lit, hints []int64) int64 {
	kind := learnStep
	for _, h := range hints {
		if h <= 0 || b.last-h >= 1<<32-1 {
			kind = wideStep
		}
	}
	if !b.begin(kind, len(lits)) {
		return b.last
	}
	s := &b.steps
	s.words = append(s.words, uint32(len(hints)))
	s.literals(lits)
	if len(lits) == 0 {
		b.refuted = b.last
	}
	for _, h := range hints {
		if kind == learnStep {
			s.words = append(s.words, uint32(b.last-h))
		} else {
			s.words = append(s.words, uint32(h), uint32(uint64(h)>>32))
		}
	}
	return b.last
}

// begin begins the step of a new clause of n literals. It returns false after an error, when steps
// are not stored.
func (b *Batch) begin(kind stepKind, n int) bool {
	b.last++
	if n >= 1<<(32-kindBits) && !b.ended {
		b.End()
	}
	if b.ended {
		return false
	}
	if len(b.steps.words) > b.limit {
		b.flush(b.limit / 2)
	}
	b.steps.lemmas = append(b.steps.lemmas, pendingLemma{place: uint32(len(b.steps.words))})
	b.steps.words = append(b.steps.words, head(kind, n))
	return true
}

func (s *steps) literals(lits []dimacs.Lit) {
	for _, l := range lits {
		s.words = append(s.words, uint32(l))
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
	s.words = append(s.words, head(deleteStep, 0), uint32(id), uint32(uint64(id)>>32))
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
	b.ended, b.steps, b.spare = true, steps{first: b.last + 1}, steps{}
}

// giveUp frees the tables of the checker.
func (b *Batch) giveUp(why error) {
	b.c.err = why
	b.c.hintChecker = newHintChecker(0, nil)
}

// Spent returns the time of the checks so far, also of those beside the engine.
func (b *Batch) Spent() time.Duration {
	b.wait()
	return b.spent
}

// flush checks all steps but the latest ones, of at most left words.
func (b *Batch) flush(left int) {
	s := &b.steps
	s.drop(b.refuted)
	n := sort.Search(len(s.lemmas), func(i int) bool { return len(s.words)-int(s.lemmas[i].place) <= left })
	end := len(s.words)
	if n < len(s.lemmas) {
		end = int(s.lemmas[n].place)
	}
	b.wait()
	if !b.concurrent {
		b.check(s, end)
		s.moveTail(s, n, end)
		return
	}
	b.spare.moveTail(s, n, end)
	b.steps, b.spare = b.spare, b.steps
	b.done = make(chan struct{})
	go func() {
		defer func() {
			b.panicked = recover()
			close(b.done)
		}()
		b.check(&b.spare, end)
	}()
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
	for i := len(s.lemmas) - 1; i >= 0; i-- {
		x := &s.lemmas[i]
		kind := kindOf(s.words[x.place])
		switch {
		case kind == sourceStep || x.state == droppedLemma:
			continue
		case x.state == deadLemma && !x.used:
			x.state = droppedLemma
			continue
		case kind == originalStep:
			continue
		}
		_, hints := s.lemma(x.place)
		s.eachHint(kind, s.first+int64(i), hints, func(h int64) {
			if h = max(h, -h); h >= s.first {
				s.lemmas[h-s.first].used = true
			}
		})
	}
}

// lemma returns the literals and the hints of the learned clause at a place.
func (s *steps) lemma(place uint32) (lits, hints []uint32) {
	d := s.words[place:]
	n, count := d[0]>>kindBits, d[1]
	if kindOf(d[0]) == wideStep {
		count *= 2
	}
	return d[2 : 2+n], d[2+n : 2+n+count]
}

// eachHint calls f for the hints of a lemma.
func (s *steps) eachHint(kind stepKind, id int64, hints []uint32, f func(h int64)) {
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

// moveTail replaces the steps of s by those of t from lemma n and the word end on. It may move
// them within s.
func (s *steps) moveTail(t *steps, n, end int) {
	s.words = append(s.words[:0], t.words[end:]...)
	s.lemmas = append(s.lemmas[:0], t.lemmas[n:]...)
	for i := range s.lemmas {
		s.lemmas[i].place -= uint32(end)
	}
	s.first = t.first + int64(n)
}

// check passes the first steps, up to the word end, to the checker.
func (b *Batch) check(s *steps, end int) {
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
	for at := 0; at < end; {
		d := s.words[at:end]
		kind, n := kindOf(d[0]), int(d[0]>>kindBits)
		if kind == deleteStep {
			b.delete(s, int64(d[1])|int64(d[2])<<32)
			at += 3
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
			at++
		case originalStep:
			if !dropped {
				b.c.Original(b.literals(d[1 : 1+n]))
			}
			at += 1 + n
		default:
			lits, hints := s.lemma(uint32(at))
			if !dropped {
				b.hints = b.hints[:0]
				s.eachHint(kind, id, hints, func(h int64) { b.hints = append(b.hints, h) })
				b.c.Learn(b.literals(lits), b.hints)
			}
			at += 2 + n + len(hints)
		}
		id++
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
