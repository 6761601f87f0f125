package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"sator/dimacs"
	"sator/dimacs/proof"
)

// The merged proof is one proof of the formula. A [Merger] writes it, in this order:
//
//	m := session.NewMerger(to, f, base, options)
//	m.Simplification(ctx, r)            // the coordinator's proof, if the formula was simplified
//	m.Segment(ctx, name, header, r)     // all accepted segments in the order of acceptance
//	m.EndSession(name)                  // after the last segment of a session
//	m.Resolvents(resolvents)            // of the tree of cubes
//	m.Rest(ids)                         // a proof for a last solver, if the cubes form no tree
//
// The merger numbers the segments as the coordinator did, and writes their steps with
// final ids and variables, one after the other. It drops exports, and imports too, because
// another session has the lemma. It does not check the steps. After the empty clause it
// writes nothing more.
//
// DRAT identifies deleted clauses by their literals. The steps of segments have only
// ids, so that the merger then stores the clauses that are not deleted (literals.go). In
// LRAT it stores their ids alone.

// MergeOptions are the options of a [Merger].
type MergeOptions struct {
	// Literals passes the literals of deleted clauses to the proof. DRAT files and
	// checkers need them; LRAT files do not.
	Literals bool

	// Memory, if not nil, is asked before tables grow.
	Memory dimacs.MemoryLimit
}

// A Merger writes the merged proof of a run. All methods that return an error may return
// an [*Error], if a segment contradicts its header or has steps of unknown clauses, and a
// [*dimacs.MemoryError]. After an error the proof is of no use.
type Merger struct {
	to        dimacs.Proof
	hints     bool
	memory    dimacs.MemoryLimit
	base      Base
	numbering *Numbering
	last      int64          // latest id of the proof
	refuted   bool           // the formula or the proof has the empty clause
	alive     map[string]ids // by session: own clauses that are neither deleted nor exported
	clauses   *literals      // nil without MergeOptions.Literals
	scratch   struct {
		lits  []dimacs.Lit
		hints []int64
	}
}

// NewMerger returns a merger that writes to an empty proof, and logs the clauses of f
// there. The base is that of the run's numbering.
func NewMerger(to dimacs.Proof, f *dimacs.Formula, base Base, o MergeOptions) (m *Merger, err error) {
	base.check()
	defer catchRefusal(&err)
	m = &Merger{to: to, hints: to.Hints(), memory: o.Memory, base: base, numbering: NewNumbering(base), alive: map[string]ids{}}
	if o.Literals {
		m.clauses = &literals{clauses: map[int64][]dimacs.Lit{}, memory: o.Memory}
	}
	for _, c := range f.Clauses() {
		m.last++
		if id := to.Original(c); id != m.last {
			panic(fmt.Sprintf("session: clause %d of the formula has id %d in the merged proof", m.last, id))
		}
		m.clauses.add(m.last, c)
		m.refuted = m.refuted || len(c) == 0
	}
	return m, nil
}

// Refuted reports whether the proof is complete: it or the formula has the empty clause.
func (m *Merger) Refuted() bool { return m.refuted }

// Simplification copies the coordinator's proof of the simplification, a proof in binary
// LRAT whose lemmas have ids without gaps. Then it deletes the clauses that are not in the
// simplified formula.
func (m *Merger) Simplification(ctx context.Context, r io.Reader) (err error) {
	defer catchRefusal(&err)
	reader := proof.NewReader(r, "simplification", proof.BinaryLRAT)
	reader.LimitMemory(m.memory)
	live := ids{}
	for id := range m.last {
		live.add(id + 1)
	}
	for n := 0; ; n++ {
		if n%contextInterval == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		step, err := reader.Next()
		switch {
		case err == io.EOF:
			return m.endSimplification(live)
		case err != nil:
			return err
		case step.Delete:
			for _, id := range step.Hints {
				if !live.remove(id) {
					return fmt.Errorf("session: the simplification deletes clause %d, and there is no such clause", id)
				}
				m.delete(id)
			}
		case step.ID != m.last+1:
			return fmt.Errorf("session: lemma %d of the simplification follows clause %d", step.ID, m.last)
		default:
			live.add(m.learn(step.Lits, step.Hints))
		}
	}
}

// endSimplification deletes the clauses that no session has.
func (m *Merger) endSimplification(live ids) error {
	if m.refuted {
		return nil
	}
	if m.last+1 != m.base.Next {
		return fmt.Errorf("session: the simplification ends with clause %d, and the sessions begin with clause %d", m.last, m.base.Next)
	}
	for i := range m.base.Clauses {
		if !live.remove(m.base.id(int64(i) + 1)) {
			return fmt.Errorf("session: clause %d of the simplified formula, number %d of the proof, does not exist or is not unique", i+1, m.base.id(int64(i)+1))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(live)) {
		m.delete(id)
	}
	return nil
}

// Segment writes the next accepted segment.
func (m *Merger) Segment(ctx context.Context, session string, h Header, r io.Reader) (err error) {
	if m.refuted {
		return nil
	}
	if m.last+1 != m.numbering.next {
		panic(fmt.Sprintf("session: a segment after clause %d, and the next one is %d", m.last, m.numbering.next))
	}
	defer catchRefusal(&err)
	p, err := m.begin(ctx, session, h, r)
	for err == nil && !m.refuted {
		var step segmentStep
		if step, err = p.next(); err == nil {
			err = p.write(&step)
		}
	}
	if err != nil && err != io.EOF {
		return err
	}
	p.session.segments++
	return nil
}

// A part is a segment that is being merged.
type part struct {
	*scanner
	m       *Merger
	session *numbered
	alive   ids // own clauses of the session by local id
}

// begin begins a segment of a session.
func (m *Merger) begin(ctx context.Context, session string, h Header, r io.Reader) (*part, error) {
	s := m.numbering.sessions[session]
	if s == nil {
		s = &numbered{last: int64(m.base.Clauses)}
		m.numbering.sessions[session] = s
		m.alive[session] = ids{}
	}
	if err := h.check(); err != nil {
		return nil, err
	}
	if h.Number != s.segments+1 || h.First != s.last+1 {
		return nil, &Error{Segment: h.Number, Msg: fmt.Sprintf("segment %d of session %q must be next, with clause %d", s.segments+1, session, s.last+1)}
	}
	if m.numbering.next+h.Lemmas > maxClauseID {
		return nil, &Error{Segment: h.Number, Msg: "the run has too many lemmas"}
	}
	return &part{newScanner(ctx, h, r, m.memory), m, s, m.alive[session]}, nil
}

// write writes a step.
func (p *part) write(step *segmentStep) error {
	switch step.kind {
	case importStep:
		if step.final > p.m.last {
			return p.errorf("import %d is clause %d, and there is no such clause before", step.id, step.final)
		}
		p.session.addImport(step.final)
	case exportStep:
		if !p.alive.remove(step.id) {
			return p.errorf("clause %d may not be exported: it is no lemma of the session, or was deleted or exported before", step.id)
		}
	case deletionStep:
		for _, id := range step.hints {
			if !p.alive.remove(id) {
				return p.errorf("clause %d may not be deleted: it is no lemma of the session, or was deleted or exported before", id)
			}
			p.m.delete(p.session.ids.at(id))
		}
	default:
		return p.lemma(step)
	}
	return nil
}

// lemma writes a lemma.
func (p *part) lemma(step *segmentStep) error {
	m := p.m
	lits, err := p.finalLits(step)
	if err != nil {
		return err
	}
	hints := m.scratch.hints[:0]
	for _, h := range step.hints {
		if h >= step.id || h <= -step.id {
			return p.errorf("lemma %d has the hint %d, and there is no such clause before", step.id, h)
		}
		if h < 0 {
			hints = append(hints, -m.numbering.final(p.session, -h))
		} else {
			hints = append(hints, m.numbering.final(p.session, h))
		}
	}
	m.scratch.hints = hints
	m.numbering.addLemmas(p.session, step.id+1)
	p.alive.add(step.id)
	m.learn(lits, hints)
	return nil
}

// finalLits returns the literals of a lemma with final variables, in scratch memory.
func (p *part) finalLits(step *segmentStep) ([]dimacs.Lit, error) {
	m := p.m
	lits := m.scratch.lits[:0]
	for _, l := range step.lits {
		if k := int(l.Var()) - m.base.Vars; k >= 0 {
			if k > p.session.fresh || m.numbering.vars >= dimacs.MaxVars {
				return nil, p.errorf("lemma %d has variable %d, and the session has %d fresh variables", step.id, l.Var().Int(), p.session.fresh)
			}
			if k == p.session.fresh {
				m.numbering.addFresh(p.session, 1)
			}
			l = dimacs.Var(p.session.vars.at(int64(k))).Lit() | l&1
		}
		lits = append(lits, l)
	}
	m.scratch.lits = lits
	return lits, nil
}

// EndSession deletes the clauses of a session that has no further segment, except its
// exports.
func (m *Merger) EndSession(session string) {
	s, alive := m.numbering.sessions[session], m.alive[session]
	if s == nil || m.refuted {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(alive)) {
		m.delete(s.ids.at(id))
	}
	clear(alive)
}

// Resolvents writes the resolvents of the tree of cubes.
func (m *Merger) Resolvents(r *Resolvents) error {
	from := m.last
	for i := 0; i < r.Len() && !m.refuted; i++ {
		lits, hints := r.at(i)
		final := m.scratch.hints[:0]
		for _, h := range hints {
			if k, ok := provisional(h, i); ok {
				h = from + 1 + int64(k)
			}
			if h < 1 || h > m.last {
				return &Error{Msg: fmt.Sprintf("resolvent %d of the tree of cubes has the hint %d, and there is no such clause before", i+1, h)}
			}
			final = append(final, h)
		}
		m.scratch.hints = final
		m.learn(lits, final)
	}
	return nil
}

// learn writes a lemma and returns its id.
func (m *Merger) learn(lits []dimacs.Lit, hints []int64) int64 {
	if m.refuted {
		return m.last
	}
	if !m.hints {
		hints = nil
	}
	m.last++
	m.clauses.add(m.last, lits)
	if id := m.to.Learn(lits, hints); id != m.last {
		panic(fmt.Sprintf("session: lemma %d has id %d in the merged proof", m.last, id))
	}
	m.refuted = len(lits) == 0
	return m.last
}

// delete writes the deletion of a clause that exists.
func (m *Merger) delete(id int64) {
	if !m.refuted {
		m.to.Delete(id, m.clauses.remove(id))
	}
}

// Rest returns a proof for the last solver of a run, if the cubes form no tree and the
// solver must show that they cover everything. The solver has the clauses of the
// simplified formula, in their order, and then the clauses with the given final or
// provisional ids. It must log RUP steps only. The error is an [*Error] if an id does not exist.
func (m *Merger) Rest(r *Resolvents, clauses []int64) (dimacs.Proof, error) {
	p := &restProof{m: m, first: m.last + 1}
	from := m.last - int64(r.Len())
	for _, id := range clauses {
		if k, ok := provisional(id, r.Len()); ok {
			id = from + 1 + int64(k)
		}
		if id < 1 || id > m.last {
			return nil, &Error{Msg: fmt.Sprintf("the refuting clause %d does not exist", id)}
		}
		p.clauses = append(p.clauses, id)
	}
	return p, nil
}

// A restProof is the proof that Rest returns. It has the ids of the merged proof.
type restProof struct {
	m       *Merger
	given   int   // calls of Original
	first   int64 // id of the first own lemma
	clauses []int64
}

// errRest is the misuse of a proof of the rest.
var errRest = errors.New("session: more clauses than the proof of the rest was given")

func (p *restProof) Hints() bool { return p.m.hints }

func (p *restProof) Original([]dimacs.Lit) int64 {
	p.given++
	switch k := p.given - p.m.base.Clauses; {
	case k <= 0:
		return p.m.base.id(int64(p.given))
	case k <= len(p.clauses):
		return p.clauses[k-1]
	}
	panic(errRest)
}

func (p *restProof) Learn(lits []dimacs.Lit, hints []int64) int64 { return p.m.learn(lits, hints) }

func (p *restProof) Delete(id int64, _ []dimacs.Lit) {
	if id >= p.first {
		p.m.delete(id)
	}
}
