package classic

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"sator/dimacs"
)

// A trace is the sequence of the events of a search, from which the tree can be
// drawn or the search replayed. Without Options.Trace it costs no time:
// propagation reports its literals at its end, from the trail.

// A Kind is a kind of event.
type Kind uint8

const (
	Assume      Kind = iota // the assumption Lit was decided
	Decide                  // Lit was decided by the heuristic
	Propagate               // Clause has implied Lit
	PureLiteral             // the pure literal Lit was assigned
	Conflict                // Clause is falsified; or, if Clause is -1, the assumption Lit is false
	Backtrack               // the branch of the complement of Lit has failed, and Lit is tried
	Solution                // no clause is open
)

// kindNames lists the names of the kinds in the order of the constants.
var kindNames = [...]string{"assume", "decide", "propagate", "pure", "conflict", "backtrack", "solution"}

// String returns the name of the kind in traces.
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return fmt.Sprintf("Kind(%d)", k)
	}
	return kindNames[k]
}

// An Event is a step of the search.
type Event struct {
	Kind     Kind
	Lit      dimacs.Lit // if HasLit returns true
	Clause   int        // index in the order of Add, for Propagate and Conflict; else -1
	Level    int        // number of assumptions and decisions on the trail, Lit included
	Assigned int        // number of literals on the trail, Lit included
	Node     int64      // the node of the tree, counted from 1 as in Stats.Nodes
}

// HasLit reports whether the event has a literal: all events except Solution and
// Conflict with a clause.
func (e Event) HasLit() bool {
	return e.Kind != Solution && (e.Kind != Conflict || e.Clause < 0)
}

// trace calls Options.Trace, if it is set, with an event.
func (s *Solver) trace(k Kind, l dimacs.Lit, clause uint32) {
	if s.opts.Trace == nil {
		return
	}
	s.opts.Trace(Event{k, l, clauseIndex(clause), len(s.levels), len(s.trail), s.stats.Nodes})
}

// tracePropagated calls Options.Trace, if it is set, with the implied literals on
// the trail from that index on.
func (s *Solver) tracePropagated(from int) {
	if s.opts.Trace == nil {
		return
	}
	for i, l := range s.trail[from:] {
		s.opts.Trace(Event{Propagate, l, int(s.reasons[l>>1]), len(s.levels), from + i + 1, s.stats.Nodes})
	}
}

// clauseIndex returns the clause for an event, -1 for none.
func clauseIndex(c uint32) int {
	if c >= maxClauses {
		return -1
	}
	return int(c)
}

// jsonEvent is the JSON form of an event: variables and clauses are counted from
// 1, as in DIMACS files, and absent members are left out.
type jsonEvent struct {
	Event    string `json:"event"`
	Lit      int    `json:"lit,omitempty"`
	Clause   int    `json:"clause,omitempty"`
	Level    int    `json:"level"`
	Assigned int    `json:"assigned"`
	Node     int64  `json:"node"`
}

// MarshalJSON implements [json.Marshaler], as in
//
//	{"event":"propagate","lit":-4,"clause":7,"level":2,"assigned":9,"node":3}
//
// where clauses are counted from 1.
func (e Event) MarshalJSON() ([]byte, error) {
	j := jsonEvent{Event: e.Kind.String(), Clause: e.Clause + 1, Level: e.Level, Assigned: e.Assigned, Node: e.Node}
	if e.HasLit() {
		j.Lit = e.Lit.Int()
	}
	return json.Marshal(j)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (e *Event) UnmarshalJSON(b []byte) error {
	var j jsonEvent
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	kind := -1
	for k, name := range kindNames {
		if name == j.Event {
			kind = k
		}
	}
	if kind < 0 {
		return fmt.Errorf("classic: unknown event %q", j.Event)
	}
	*e = Event{Kind: Kind(kind), Clause: j.Clause - 1, Level: j.Level, Assigned: j.Assigned, Node: j.Node}
	switch {
	case !e.HasLit():
	case j.Lit == 0 || max(j.Lit, -j.Lit) > dimacs.MaxVars:
		return fmt.Errorf("classic: %d is not the literal of an event", j.Lit)
	default:
		e.Lit = dimacs.FromInt(j.Lit)
	}
	return nil
}

// A Tracer writes each event as a line, with one call of Write. Set Options.Trace
// to its method Event.
type Tracer struct {
	w      io.Writer
	render func(line []byte, e Event) ([]byte, error)
	line   []byte
	err    error
}

// NewJSONTracer returns a tracer that writes the JSON form of [Event.MarshalJSON].
func NewJSONTracer(w io.Writer) *Tracer {
	return &Tracer{w: w, render: func(line []byte, e Event) ([]byte, error) {
		b, err := e.MarshalJSON()
		return append(line, b...), err
	}}
}

// NewTextTracer returns a tracer that writes text, indented by level:
//
//	decide 1
//	  propagate -2 by clause 3: -1 -2
//	  conflict in clause 4: -1 2
//	backtrack to -1
//
// The literals of clauses are taken from f. If f is nil, they are left out.
func NewTextTracer(w io.Writer, f *dimacs.Formula) *Tracer {
	return &Tracer{w: w, render: func(line []byte, e Event) ([]byte, error) {
		return appendText(line, e, f), nil
	}}
}

// Event writes an event. After an error it writes nothing.
func (t *Tracer) Event(e Event) {
	if t.err != nil {
		return
	}
	if t.line, t.err = t.render(t.line[:0], e); t.err != nil {
		return
	}
	t.line = append(t.line, '\n')
	_, t.err = t.w.Write(t.line)
}

// Err returns the first error of writing.
func (t *Tracer) Err() error { return t.err }

// appendText appends the text of an event to a line.
func appendText(line []byte, e Event, f *dimacs.Formula) []byte {
	indent := e.Level
	if e.Kind == Assume || e.Kind == Decide || e.Kind == Backtrack {
		indent--
	}
	line = append(line, strings.Repeat("  ", indent)...)
	line = append(line, e.Kind.String()...)
	switch {
	case e.Kind == Solution:
		return fmt.Appendf(line, ", %d assigned", e.Assigned)
	case e.Kind == Backtrack:
		return fmt.Appendf(line, " to %v", e.Lit)
	case e.Kind == Conflict && e.Clause < 0:
		return fmt.Appendf(line, " with assumption %v", e.Lit)
	case e.Kind == Conflict:
		return appendClause(append(line, " in"...), e.Clause, f)
	case e.Kind == Propagate:
		return appendClause(fmt.Appendf(line, " %v by", e.Lit), e.Clause, f)
	}
	return fmt.Appendf(line, " %v", e.Lit)
}

// appendClause appends the index of a clause, counted from 1, and its literals.
func appendClause(line []byte, c int, f *dimacs.Formula) []byte {
	line = fmt.Appendf(line, " clause %d", c+1)
	if f == nil {
		return line
	}
	line = append(line, ':')
	for _, l := range f.Clause(c) {
		line = strconv.AppendInt(append(line, ' '), int64(l.Int()), 10)
	}
	return line
}
