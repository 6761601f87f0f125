package grid

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"sator/cmd/internal/grid/session"
	"sator/dimacs"
)

// A checker checks segments of sessions, and claims. A claim is that a clause of a session
// refutes a cube. The coordinator has one, which it calls directly; others are processes of their
// own (checker_remote.go) and are given the same requests.
//
// The state of a session is that of its LRAT checker: all clauses that are not deleted.
// So a session stays with one checker. A checker that lacks earlier segments reports the
// number of the first one that it lacks, and the coordinator sends the accepted segments
// again.
//
//   - The answer to a request may be lost, and the request repeated. A checker does not
//     check a segment again, but reads it again for the report. It checks claims again,
//     since the state of a session has all exported clauses.
//   - After an error within a segment the state of the session is unusable and is
//     deleted. Only an error that the data proves is reported as wrong: the bytes have
//     the SHA-256 of the header, and the check fails. If the store has lost or damaged an
//     object, the worker is not to blame.
//   - If the memory is used up, the states of the other sessions are deleted, the one
//     without use for the longest time first. Their next request is answered with
//     Missing.

// A checker checks the segments of many sessions. It is not safe for concurrent use.
type checker struct {
	objects  *objectStore
	names    Names
	run      string
	formula  *dimacs.Formula
	vars     int
	memory   dimacs.MemoryLimit
	scanOnly bool // reads segments without checking them

	sessions []*checkedSession // the one that was used last is the last one
}

// A checkedSession is the state of a session.
type checkedSession struct {
	name    string
	checker *session.Checker
	sums    []string // SHA-256 of each checked segment
}

// newChecker returns a checker for sessions that start from f, in a run with vars
// variables. With scanOnly it reports segments without checking them, and keeps no state.
func newChecker(objects *objectStore, names Names, run string, f *dimacs.Formula, vars int, memory dimacs.MemoryLimit, scanOnly bool) *checker {
	return &checker{objects: objects, names: names, run: run, formula: f, vars: vars, memory: memory, scanOnly: scanOnly}
}

// Check answers a request. If ctx ends, the answer reports Trouble.
func (c *checker) Check(ctx context.Context, r *CheckRequest) *CheckReply {
	reply := &CheckReply{Version: Version, Run: c.run, Session: r.Session}
	size := 0
	for i := range r.Items {
		item := &r.Items[i]
		reports, err := c.item(ctx, r.Session, item)
		var wrong *wrongError
		var missing *missingError
		switch {
		case errors.As(err, &wrong):
			reply.Wrong = clip(err.Error())
		case errors.As(err, &missing):
			reply.Missing = missing.number
		case err != nil:
			reply.Trouble = clip(err.Error())
			reply.Lost = errors.As(err, new(*objectError))
		}
		if err == nil && !storable(reports) {
			reply.Wrong = "its segments import and export too many literals"
			return reply
		}
		if size += reportsSize(reports); err == nil && size > MaxMessage/2 && i > 0 {
			return reply // the coordinator asks again for the other items
		}
		if err != nil {
			return reply
		}
		reply.Reports = append(reply.Reports, reports...)
		reply.Checked++
	}
	return reply
}

// reportsSize returns a bound of the size of reports in a message.
func reportsSize(reports []session.Report) (size int) {
	for i := range reports {
		size += 400
		for _, cs := range [][]session.Clause{reports[i].Imports, reports[i].Exports} {
			for _, c := range cs {
				size += 60 + 11*len(c.Lits)
			}
		}
	}
	return size
}

// storable reports whether the reports of a result fit into a message of ACCEPTED.
func storable(reports []session.Report) bool {
	const others = 4096 // bytes of the other fields
	if reportsSize(reports) <= maxBatch {
		return true
	}
	b, err := json.Marshal(reports)
	return err == nil && len(b) <= MaxMessage-others
}

// clip returns a text that fits into a message.
func clip(s string) string { return s[:min(len(s), MaxText)] }

// A wrongError reports that a segment or a claim is wrong.
type wrongError struct{ err error }

// Error implements [error].
func (e *wrongError) Error() string { return e.err.Error() }

// A missingError reports that the checker lacks segments of a session.
type missingError struct{ number int }

// Error implements [error].
func (e *missingError) Error() string { return fmt.Sprintf("segment %d is missing", e.number) }

// item checks an item and returns the reports of its segments, unless it is Known.
func (c *checker) item(ctx context.Context, name string, item *CheckItem) ([]session.Report, error) {
	segments, err := c.segments(ctx, name, item)
	if err != nil {
		return nil, err
	}
	if c.scanOnly {
		return c.scan(ctx, segments, item.Known)
	}
	s, err := c.session(name)
	if err != nil {
		return nil, err
	}
	reports, err := c.check(ctx, s, item, segments)
	var missing *missingError
	if err != nil && !errors.As(err, &missing) {
		c.forget(s)
	}
	return reports, err
}

// check adds the segments of an item to a session and checks its claim.
func (c *checker) check(ctx context.Context, s *checkedSession, item *CheckItem, segments []SegmentRef) (reports []session.Report, err error) {
	for i := range segments {
		ref := &segments[i]
		var report *session.Report
		switch next := s.checker.Next(); {
		case ref.Number > next:
			return nil, &missingError{next}
		case ref.Number == next:
			if report, err = c.checkSegment(ctx, s, ref); err == nil {
				s.sums = append(s.sums, ref.SHA256)
			}
		case s.sums[ref.Number-1] != ref.SHA256:
			err = &wrongError{fmt.Errorf("segment %d differs from the one that was checked", ref.Number)}
		case item.Known:
			continue
		default:
			report, err = c.scanSegment(ctx, ref)
		}
		if err != nil {
			return nil, err
		}
		if !item.Known {
			reports = append(reports, *report)
		}
	}
	if claim := item.Claim; claim != nil && !item.Known {
		if err := s.checker.Refutes(claim.Cube, claim.Failed, claim.Clause); err != nil {
			return nil, &wrongError{err}
		}
	}
	return reports, nil
}

// segments returns the segments of an item. It reads a result that is not attached.
func (c *checker) segments(ctx context.Context, name string, item *CheckItem) ([]SegmentRef, error) {
	if item.Attached {
		return item.Segments, nil
	}
	raw, err := c.objects.message(ctx, c.names.ResultsStream(), item.Seq)
	var m ResultMessage
	if err == nil {
		err = Decode(raw.Data, &m)
	}
	if err == nil && m.Session != name {
		err = fmt.Errorf("it belongs to session %s, not %s", m.Session, name)
	}
	if err != nil {
		return nil, fmt.Errorf("result %d: %w", item.Seq, err)
	}
	return m.Segments, nil
}

// read opens a segment and calls use with its bytes. A [*session.Error] of use
// becomes a [*wrongError] if the bytes have the hash in the header.
func (c *checker) read(ctx context.Context, ref *SegmentRef, use func(io.Reader) (*session.Report, error)) (*session.Report, error) {
	r, err := ref.open(ctx, c.objects)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	report, err := use(r)
	if wrong := (*session.Error)(nil); errors.As(err, &wrong) {
		if _, e := io.Copy(io.Discard, r); e != nil {
			return nil, e
		}
		return nil, &wrongError{err}
	}
	return report, err
}

// scan reads segments without checking them.
func (c *checker) scan(ctx context.Context, segments []SegmentRef, known bool) (reports []session.Report, err error) {
	if known {
		return nil, nil
	}
	for i := range segments {
		report, err := c.scanSegment(ctx, &segments[i])
		if err != nil {
			return nil, err
		}
		reports = append(reports, *report)
	}
	return reports, nil
}

// scanSegment reads a segment without checking it.
func (c *checker) scanSegment(ctx context.Context, ref *SegmentRef) (*session.Report, error) {
	return c.read(ctx, ref, func(r io.Reader) (*session.Report, error) { return session.Scan(ctx, ref.Header, r, c.memory) })
}

// checkSegment checks the next segment of a session.
func (c *checker) checkSegment(ctx context.Context, s *checkedSession, ref *SegmentRef) (*session.Report, error) {
	report, err := c.read(ctx, ref, func(r io.Reader) (*session.Report, error) { return s.checker.Check(ctx, ref.Header, r) })
	if memory := (*dimacs.MemoryError)(nil); errors.As(err, &memory) && c.evict(s) {
		c.forget(s)
		return nil, &missingError{1}
	}
	return report, err
}

// session returns the state of a session, and marks it as used. A session without a state
// begins with segment 1.
func (c *checker) session(name string) (*checkedSession, error) {
	i := slices.IndexFunc(c.sessions, func(s *checkedSession) bool { return s.name == name })
	if i >= 0 {
		s := c.sessions[i]
		c.sessions = append(slices.Delete(c.sessions, i, i+1), s)
		return s, nil
	}
	for {
		k, err := session.NewChecker(c.formula, c.vars, c.memory)
		memory := (*dimacs.MemoryError)(nil)
		switch {
		case err == nil:
			s := &checkedSession{name: name, checker: k}
			c.sessions = append(c.sessions, s)
			return s, nil
		case !errors.As(err, &memory) || !c.evict(nil):
			return nil, err
		}
	}
}

// evict deletes the states of half of the sessions other than s: the ones without use for
// the longest time. It reports false if there is no other session.
func (c *checker) evict(s *checkedSession) bool {
	others := len(c.sessions)
	if s != nil {
		others-- // s is the last one
	}
	if others <= 0 {
		return false
	}
	c.sessions = slices.Delete(c.sessions, 0, (others+1)/2)
	return true
}

// forget deletes the state of a session.
func (c *checker) forget(s *checkedSession) {
	if i := slices.Index(c.sessions, s); i >= 0 {
		c.sessions = slices.Delete(c.sessions, i, i+1)
	}
}
