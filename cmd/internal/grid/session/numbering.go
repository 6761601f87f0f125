package session

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"

	"sator/dimacs"
)

// The numbering of a run gives final ids to the clauses of all sessions. The coordinator
// accepts segments in an order, and the lemmas of a segment get consecutive final ids
// from a counter. So the final ids are the ids in the merged proof, where the lemmas have
// the same order. A second numbering that accepts the same segments in the same order
// gives the same ids: after a restart of the coordinator, and when the proof is merged.
//
// The map from the local to the final ids of a session is linear in pieces: a new piece
// begins with a segment, and before and after imports, since an import has the final id of
// another session's clause. Fresh variables are mapped in the same way. Neither needs memory for each
// lemma.

// A Base describes where the sessions of a run begin. Before them, the coordinator has
// simplified the formula and logged that.
type Base struct {
	// Clauses is the number of clauses of the simplified formula.
	Clauses int

	// IDs are the ids of these clauses in the proof. Nil stands for 1 to Clauses: the
	// formula was not simplified.
	IDs []int64

	// Next is the first free id in the proof.
	Next int64

	// Vars is the number of variables of the run, including those that the
	// simplification has added. Fresh variables of sessions follow.
	Vars int
}

// id returns the final id of clause i of the simplified formula, counted from 1.
func (b *Base) id(i int64) int64 {
	if b.IDs == nil {
		return i
	}
	return b.IDs[i-1]
}

// check panics unless the base is consistent.
func (b *Base) check() {
	if b.Clauses < 0 || b.IDs != nil && len(b.IDs) != b.Clauses || b.Next < 1 || b.Next > maxClauseID || b.IDs == nil && b.Next <= int64(b.Clauses) || b.Vars < 0 || b.Vars > dimacs.MaxVars {
		panic(fmt.Sprintf("session: a base of %d clauses with %d ids, next id %d and %d variables", b.Clauses, len(b.IDs), b.Next, b.Vars))
	}
}

// A Numbering gives final ids to clauses and final numbers to fresh variables. It is not
// safe for concurrent use.
type Numbering struct {
	base     Base
	next     int64 // next final id
	vars     int   // next final number of a fresh variable
	sessions map[string]*numbered
	exports  map[int64]clauseHash // by final id
}

// A numbered session is the numbering of one session.
type numbered struct {
	segments int    // accepted
	last     int64  // latest local id
	ids      pieces // from local to final ids, without the clauses of the formula
	fresh    int    // fresh variables
	vars     pieces // from fresh variables of the session, counted from 0, to final ones
}

// pieces is a map that is linear in pieces, sorted by from.
type pieces []struct{ from, to int64 }

// add maps the number from to the number to, and their successors likewise, up to the
// next piece.
func (p *pieces) add(from, to int64) {
	if n := len(*p); n == 0 || (*p)[n-1].to-(*p)[n-1].from != to-from {
		*p = append(*p, struct{ from, to int64 }{from, to})
	}
}

// at returns the image of x. There must be a piece at x or before.
func (p pieces) at(x int64) int64 {
	n := len(p)
	if p[n-1].from > x {
		n = sort.Search(n, func(i int) bool { return p[i].from > x })
	}
	return x - p[n-1].from + p[n-1].to
}

// NewNumbering returns the numbering of a run without segments. It panics if the base is
// inconsistent.
func NewNumbering(b Base) *Numbering {
	b.check()
	return &Numbering{base: b, next: b.Next, vars: b.Vars, sessions: map[string]*numbered{}, exports: map[int64]clauseHash{}}
}

// Next returns the next final id.
func (n *Numbering) Next() int64 { return n.next }

// Segments returns the number of accepted segments of a session.
func (n *Numbering) Segments(session string) int {
	if s := n.sessions[session]; s != nil {
		return s.segments
	}
	return 0
}

// Accept gives final ids to the lemmas of the next segments of a session, and returns
// their exports with their final ids. The reports come from a checker, or from [Scan]
// if proofs are not checked. An [*Error] changes nothing: a segment does not continue the
// session, or it imports a clause that no segment accepted before has exported with these
// literals.
func (n *Numbering) Accept(session string, reports ...Report) (exports []Clause, err error) {
	s := n.sessions[session]
	if s == nil {
		s = &numbered{last: int64(n.base.Clauses)}
	}
	at := position{s.segments, s.last, n.next, n.vars}
	for i := range reports {
		if err := n.acceptable(&at, &reports[i]); err != nil {
			return nil, err
		}
	}
	n.sessions[session] = s
	for i := range reports {
		exports = append(exports, n.add(s, &reports[i])...)
	}
	return exports, nil
}

// add numbers a segment that is acceptable, and returns its exports.
func (n *Numbering) add(s *numbered, r *Report) (exports []Clause) {
	for _, c := range r.Imports {
		n.addLemmas(s, c.ID)
		s.addImport(c.Final)
	}
	n.addLemmas(s, r.Next)
	n.addFresh(s, r.Fresh)
	s.segments++
	for _, e := range r.Exports {
		e.Final = s.ids.at(e.ID)
		n.exports[e.Final] = hashOf(e.Lits)
		exports = append(exports, e)
	}
	return exports
}

// A position is where the next segment of a session begins.
type position struct {
	segments int   // of the session
	last     int64 // latest local id
	next     int64 // next final id
	vars     int   // next final number of a fresh variable
}

// acceptable returns an error if a report cannot be accepted at a position, and else
// moves the position behind its segment.
func (n *Numbering) acceptable(at *position, r *Report) error {
	if err := r.check(); err != nil {
		return err
	}
	wrong := func(format string, args ...any) error {
		return &Error{Segment: r.Number, Msg: fmt.Sprintf(format, args...)}
	}
	switch {
	case r.Number != at.segments+1 || r.First != at.last+1:
		return wrong("it begins with clause %d, and segment %d must be next, with clause %d", r.First, at.segments+1, at.last+1)
	case r.Next-r.First != r.Lemmas+int64(len(r.Imports)):
		return wrong("it has %d lemmas and %d imports, and clauses %d to %d", r.Lemmas, len(r.Imports), r.First, r.Next-1)
	case at.next+r.Lemmas > maxClauseID || at.vars+r.Fresh > dimacs.MaxVars:
		return wrong("the run has too many lemmas or variables")
	}
	imported := map[int64]bool{}
	last := at.last
	for _, c := range r.Imports {
		hash, known := n.exports[c.Final]
		if !known || hash != hashOf(c.Lits) {
			return wrong("it imports clause %d, and there is no such clause with these literals", c.Final)
		}
		if c.ID <= last || c.ID >= r.Next {
			return wrong("import %d is out of order", c.ID)
		}
		last = c.ID
		imported[c.ID] = true
	}
	for _, e := range r.Exports {
		if e.ID <= int64(n.base.Clauses) || e.ID >= r.Next || imported[e.ID] || n.hasFresh(e.Lits) {
			return wrong("it exports clause %d: want an own lemma without fresh variables", e.ID)
		}
	}
	at.segments++
	at.last, at.next, at.vars = r.Next-1, at.next+r.Lemmas, at.vars+r.Fresh
	return nil
}

// hasFresh reports whether a clause has a variable beyond the variables of the run.
func (n *Numbering) hasFresh(lits []dimacs.Lit) bool {
	return slices.ContainsFunc(lits, func(l dimacs.Lit) bool { return int(l.Var()) >= n.base.Vars })
}

// addLemmas gives final ids to the lemmas up to the local id next, exclusively.
func (n *Numbering) addLemmas(s *numbered, next int64) {
	if count := next - s.last - 1; count > 0 {
		s.ids.add(s.last+1, n.next)
		n.next += count
		s.last += count
	}
}

// addImport maps the next local id to the final id of an import.
func (s *numbered) addImport(final int64) {
	s.last++
	s.ids.add(s.last, final)
}

// addFresh gives final numbers to the next fresh variables of a session.
func (n *Numbering) addFresh(s *numbered, count int) {
	if count > 0 {
		s.vars.add(int64(s.fresh), int64(n.vars))
		s.fresh += count
		n.vars += count
	}
}

// Final returns the final id of a clause of a session by its local id. The error is an
// [*Error] if no accepted segment has this clause.
func (n *Numbering) Final(session string, local int64) (int64, error) {
	s := n.sessions[session]
	if s == nil || local < 1 || local > s.last {
		return 0, &Error{Msg: fmt.Sprintf("session %q has no accepted clause %d", session, local)}
	}
	return n.final(s, local), nil
}

// final returns the final id of a clause that exists.
func (n *Numbering) final(s *numbered, local int64) int64 {
	if local <= int64(n.base.Clauses) {
		return n.base.id(local)
	}
	return s.ids.at(local)
}

// A clauseHash identifies a clause by its literals.
type clauseHash [16]byte

// hashOf returns the hash of a clause, in which the order of literals does not matter.
func hashOf(lits []dimacs.Lit) (h clauseHash) {
	sorted := slices.Sorted(slices.Values(lits))
	b := make([]byte, 0, 64)
	for _, l := range sorted {
		b = binary.LittleEndian.AppendUint32(b, uint32(l))
	}
	sum := sha256.Sum256(b)
	return clauseHash(sum[:])
}
