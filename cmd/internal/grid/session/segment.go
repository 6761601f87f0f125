package session

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"slices"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/portfolio"
)

// The file format of a segment is binary LRAT with one convention: two kinds of steps
// have the form of a lemma with a single hint above all ids.
//
//   - An import "a ID LITERALS 0 importBase+FINAL 0" adds a clause of another session to
//     the session. ID is the next local id, FINAL the final id of the clause.
//   - An export "a ID LITERALS 0 exportHint 0" repeats an own lemma of this id with its
//     literals. Other sessions or the tree of cubes may refer to it from then on.
//
// So the reader of proofs also reads segments, with its limits and errors. Local ids
// have no gaps: lemmas and imports are numbered in their order, after the clauses of the
// formula. Variables that the formula lacks are numbered without gaps too, in the order
// of their first occurrence in lemmas.

const (
	// importBase is added to the final id of an imported clause. It is above all local
	// ids.
	importBase = 1 << 40

	// exportHint is the hint of an export. It is above the hints of imports.
	exportHint = 2 * importBase

	// maxClauseID is the largest local or final id.
	maxClauseID = importBase - 1
)

// A Header describes a segment. It has a JSON form.
type Header struct {
	Number int    `json:"number"` // in the session, from 1
	First  int64  `json:"first"`  // local id of the first lemma or import
	Next   int64  `json:"next"`   // first local id of the next segment
	Lemmas int64  `json:"lemmas"` // the other ids from First to Next are imports
	Fresh  int    `json:"fresh"`  // variables that occur in no segment before
	Size   int64  `json:"size"`   // bytes
	SHA256 string `json:"sha256"` // of the bytes, in hexadecimal digits
}

// check returns an error if the numbers contradict each other or are out of range.
func (h *Header) check() error {
	switch {
	case h.Number < 1 || h.First < 1 || h.Next < h.First || h.Next > maxClauseID || h.Lemmas < 0 || h.Lemmas > h.Next-h.First || h.Size < 0:
		return &Error{Segment: h.Number, Msg: "the numbers of its header are invalid"}
	case h.Fresh < 0 || h.Fresh > dimacs.MaxVars:
		return &Error{Segment: h.Number, Msg: fmt.Sprintf("%d fresh variables are out of range", h.Fresh)}
	}
	return nil
}

// A Clause is an imported or exported clause.
type Clause struct {
	ID    int64              `json:"id"`              // local
	Final int64              `json:"final,omitempty"` // of an import
	Lits  portfolio.Literals `json:"lits"`
}

// A Report describes a checked segment to the coordinator. It has a JSON form.
type Report struct {
	Header
	Imports []Clause `json:"imports,omitempty"` // by ascending ID
	Exports []Clause `json:"exports,omitempty"` // in their order
	Empty   int64    `json:"empty,omitempty"`   // local id of the first empty clause, or 0
}

// An Error reports that a segment, a report or a refutation is wrong. The sender made a
// mistake, or the data was damaged. Errors of other types are no fault of the
// sender: the error of a reader, a [*dimacs.MemoryError], or the cause of a context.
type Error struct {
	Segment int    // its number, or 0
	Msg     string // without the number
	Err     error  // a [*proof.CheckError], a [*dimacs.SyntaxError], or nil
}

// Error implements [error].
func (e *Error) Error() string {
	if e.Segment == 0 {
		return e.Msg
	}
	return fmt.Sprintf("segment %d: %s", e.Segment, e.Msg)
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// A Segment is a segment of a session, in memory or in a temporary file.
type Segment struct {
	Header
	data []byte   // nil if the segment is in a file
	file *os.File // or nil
}

// Bytes returns the segment, or nil if it is in a temporary file. The caller must not
// change it.
func (s *Segment) Bytes() []byte {
	if s.file != nil {
		return nil
	}
	return s.data
}

// Reader returns a new reader of the segment.
func (s *Segment) Reader() io.Reader {
	if s.file != nil {
		return io.NewSectionReader(s.file, 0, s.Size)
	}
	return bytes.NewReader(s.data)
}

// Close removes the temporary file, if there is one. The segment must not be read later.
func (s *Segment) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if e := os.Remove(s.file.Name()); err == nil && !errors.Is(e, fs.ErrNotExist) {
		err = e
	}
	return err
}

// Scan reads a segment without checking its proof, and returns its report. It needs the
// memory of imports, exports and the longest step; the limit may be nil. The error is an
// [*Error] if the segment contradicts its header, the error of r, a
// [*dimacs.MemoryError], or the cause of ctx.
func Scan(ctx context.Context, h Header, r io.Reader, m dimacs.MemoryLimit) (report *Report, err error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	defer catchRefusal(&err)
	s := newScanner(ctx, h, r, m)
	for err == nil {
		_, err = s.next()
	}
	if err != io.EOF {
		return nil, err
	}
	return s.report, nil
}

// The kinds of steps of a segment.
const (
	lemmaStep = iota
	deletionStep
	importStep
	exportStep
)

// A segmentStep is a step of a segment.
type segmentStep struct {
	kind  int
	id    int64 // of a lemma, an import or an export
	final int64 // of an import
	lits  []dimacs.Lit
	hints []int64 // of a lemma, or the ids of deleted clauses
}

// A scanner reads the steps of a segment, and compares the segment with its header. It
// checks the numbering of clauses, but no variable and no hint.
type scanner struct {
	ctx    context.Context
	steps  int // read so far
	memory dimacs.MemoryLimit
	h      Header
	bytes  countingReader
	reader *proof.Reader
	report *Report
	id     int64 // next local id
	lemmas int64
}

// newScanner returns a scanner. The header must have been checked.
func newScanner(ctx context.Context, h Header, r io.Reader, m dimacs.MemoryLimit) *scanner {
	s := &scanner{ctx: ctx, memory: m, h: h, report: &Report{Header: h}, id: h.First}
	s.bytes = countingReader{r: io.LimitReader(r, h.Size+1), hash: sha256.New()}
	s.reader = proof.NewReader(&s.bytes, "", proof.BinaryLRAT)
	s.reader.LimitMemory(m)
	return s
}

// contextInterval is the number of steps between two checks of the context.
const contextInterval = 256

// next returns the next step. The following call overwrites it. The error is io.EOF at
// the end of a segment that agrees with its header.
func (s *scanner) next() (step segmentStep, err error) {
	if s.steps++; s.steps%contextInterval == 1 && s.ctx.Err() != nil {
		return step, context.Cause(s.ctx)
	}
	raw, err := s.reader.Next()
	switch {
	case err == io.EOF:
		return step, s.end()
	case err != nil:
		return step, s.readError(err)
	case raw.Delete:
		return segmentStep{kind: deletionStep, hints: raw.Hints}, nil
	}
	step = segmentStep{id: raw.ID, lits: raw.Lits, hints: raw.Hints}
	if len(raw.Hints) == 1 && raw.Hints[0] == exportHint {
		step.kind = exportStep
		s.add(&s.report.Exports, Clause{ID: raw.ID, Lits: raw.Lits})
		return step, nil
	}
	if raw.ID != s.id || s.id >= s.h.Next {
		return step, s.errorf("clause %d follows clause %d, and the segment ends before clause %d", raw.ID, s.id-1, s.h.Next)
	}
	s.id++
	if len(raw.Hints) == 1 && raw.Hints[0] > importBase && raw.Hints[0] < exportHint {
		step.kind, step.final = importStep, raw.Hints[0]-importBase
		s.add(&s.report.Imports, Clause{raw.ID, step.final, raw.Lits})
		return step, nil
	}
	s.lemmas++
	if step.hints, err = s.bounded(raw); err != nil {
		return step, err
	}
	if len(raw.Lits) == 0 && s.report.Empty == 0 {
		s.report.Empty = raw.ID
	}
	return step, nil
}

// The check of a lemma visits the literals of a clause for each hint. A clause that is
// unit has at most as many literals as the lemma has literals and hints, since no clause
// has repeated literals. So the time of a lemma is at most the product of the number of
// its hints and the number of its literals and hints. A RAT step also visits the clauses
// with the complement of its pivot. The lemmas of solvers are far below the following
// limits. Repeated hints have no effect in a RUP step, but could take hours. They are
// dropped if the product is above freeEffort.
const (
	freeEffort    = 1 << 24
	maxDefinition = 1 << 16 // literals and hints of a RAT step above freeEffort
	maxFreshLits  = 1 << 14 // literals of a lemma with a fresh variable
)

// bounded returns the hints of a lemma without repetitions, if the check could take long
// otherwise.
func (s *scanner) bounded(raw *proof.Step) ([]int64, error) {
	n := int64(len(raw.Lits) + len(raw.Hints))
	if int64(len(raw.Hints))*n <= freeEffort {
		return raw.Hints, nil
	}
	switch definition := slices.ContainsFunc(raw.Hints, func(h int64) bool { return h < 0 }); {
	case definition && n > maxDefinition:
		return nil, s.errorf("definition %d has %d literals and hints: want at most %d", raw.ID, n, maxDefinition)
	case definition:
		return raw.Hints, nil
	}
	s.memory.Require(64 * int64(len(raw.Hints)))
	seen := make(map[int64]bool, len(raw.Hints))
	kept := raw.Hints[:0]
	for _, h := range raw.Hints {
		if !seen[h] {
			seen[h] = true
			kept = append(kept, h)
		}
	}
	return kept, nil
}

// add appends a copy of a clause to the imports or the exports.
func (s *scanner) add(to *[]Clause, c Clause) {
	c.Lits = append(dimacs.Extend(s.memory, portfolio.Literals{}, len(c.Lits)), c.Lits...)
	*to = append(dimacs.Extend(s.memory, *to, 1), c)
}

// end compares the segment with its header.
func (s *scanner) end() error {
	switch {
	case s.bytes.n != s.h.Size:
		return s.errorf("it has %d bytes, and its header says %d", s.bytes.n, s.h.Size)
	case hex.EncodeToString(s.bytes.hash.Sum(nil)) != s.h.SHA256:
		return s.errorf("its SHA-256 differs from that of its header")
	case s.id != s.h.Next || s.lemmas != s.h.Lemmas:
		return s.errorf("it has %d lemmas up to clause %d, and its header says %d up to clause %d", s.lemmas, s.id-1, s.h.Lemmas, s.h.Next-1)
	}
	return io.EOF
}

// readError returns the error for an error of the reader: a malformed segment is an
// [*Error].
func (s *scanner) readError(err error) error {
	if syntax, ok := err.(*dimacs.SyntaxError); ok {
		return &Error{s.h.Number, syntax.Error(), err}
	}
	return err
}

// errorf returns an [*Error] about the segment.
func (s *scanner) errorf(format string, args ...any) error {
	return &Error{Segment: s.h.Number, Msg: fmt.Sprintf(format, args...)}
}

// A countingReader counts and hashes the bytes of a reader.
type countingReader struct {
	r    io.Reader
	hash hash.Hash
	n    int64
}

// Read implements [io.Reader].
func (c *countingReader) Read(p []byte) (n int, err error) {
	n, err = c.r.Read(p)
	c.n += int64(n)
	c.hash.Write(p[:n])
	return n, err
}
