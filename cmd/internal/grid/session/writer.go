package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"os"

	"sator/dimacs"
)

// A Writer is the proof of the solver of a worker, cut into segments. It encodes each
// step when the solver logs it. A segment of more than some bytes continues in a
// temporary file, since a cube may take hours.
//
// The writer keeps the promises that the checkers rely on. It drops deletions of clauses
// of the formula, of imports and of exports. It numbers fresh variables without gaps in
// the order of their first occurrence, because a solver may number variables that occur
// in no step.

// WriterOptions are the options of a [Writer].
type WriterOptions struct {
	Clauses int    // clauses of the formula of the solver
	Vars    int    // variables of the run; all others are fresh
	Dir     string // folder of temporary files; "" is that of the system
	Buffer  int    // bytes of a segment that are kept in memory; 0 is 1 MiB
}

// A Writer is a [dimacs.Proof] that writes a session. It is not safe for concurrent use.
type Writer struct {
	o     WriterOptions
	given int64 // calls of Original
	last  int64 // latest local id
	kept  map[int64]bool
	fresh []int32 // by number beyond Vars: fresh variable of the session plus 1, or 0
	count int     // fresh variables of the session

	header    Header // of the segment that is written
	buf       []byte
	file      *os.File
	sum       hash.Hash // of the bytes in file
	deletions bool      // the last step is a list of deletions that is not ended
	begun     int       // start in buf of the last step
	imported  int       // the same if that is an import, or -1
	err       error
}

// NewWriter returns a writer of a session. It panics if an option is out of its range.
func NewWriter(o WriterOptions) *Writer {
	if o.Clauses < 0 || int64(o.Clauses) >= maxClauseID || o.Vars < 0 || o.Vars > dimacs.MaxVars || o.Buffer < 0 {
		panic(fmt.Sprintf("session: a writer for %d clauses and %d variables with a buffer of %d bytes", o.Clauses, o.Vars, o.Buffer))
	}
	if o.Buffer == 0 {
		o.Buffer = 1 << 20
	}
	w := &Writer{o: o, last: int64(o.Clauses), kept: map[int64]bool{}, sum: sha256.New(), imported: -1}
	w.header.First = w.last + 1
	return w
}

// Hints implements [dimacs.Proof]. It returns true.
func (w *Writer) Hints() bool { return true }

// Err returns the first error of writing a temporary file, or nil. After an error
// nothing more is written.
func (w *Writer) Err() error { return w.err }

// Original returns the id of the next clause of the formula: 1, 2, and so on. It panics
// after the last one.
func (w *Writer) Original([]dimacs.Lit) (id int64) {
	if w.given == int64(w.o.Clauses) {
		panic(fmt.Sprintf("session: more than %d clauses of the formula", w.given))
	}
	w.given++
	return w.given
}

// Learn implements [dimacs.Proof]. A lemma that is RAT but not RUP must define a fresh
// variable, its first literal.
func (w *Writer) Learn(lits []dimacs.Lit, hints []int64) (id int64) {
	w.header.Lemmas++
	id = w.add(lits)
	for _, h := range hints {
		if h < 0 {
			w.number(uint64(-h)<<1 | 1)
		} else {
			w.number(uint64(h) << 1)
		}
	}
	w.buf = append(w.buf, 0)
	return id
}

// Import adds a clause that another session has exported, and returns its id in this
// session. The clause must not have fresh variables.
func (w *Writer) Import(final int64, lits []dimacs.Lit) (id int64) {
	if final < 1 || final > maxClauseID {
		panic(fmt.Sprintf("session: an import of clause %d", final))
	}
	id = w.add(lits)
	w.imported = w.begun
	w.number(uint64(importBase+final) << 1)
	w.buf = append(w.buf, 0)
	w.kept[id] = true
	return id
}

// Export makes an own lemma that is not deleted, and has no fresh variables, available
// to other sessions and to the tree of cubes. From then on it is never deleted. Export
// does nothing for clauses of the formula, imports and exports.
func (w *Writer) Export(id int64, lits []dimacs.Lit) {
	if id <= int64(w.o.Clauses) || w.kept[id] {
		return
	}
	w.kept[id] = true
	w.begin('a')
	w.number(uint64(id) << 1)
	w.lits(lits)
	w.number(exportHint << 1)
	w.buf = append(w.buf, 0)
}

// Delete implements [dimacs.Proof].
func (w *Writer) Delete(id int64, _ []dimacs.Lit) {
	switch {
	case id == w.last && w.imported >= 0:
		// The solver rejects the clause that it has just imported.
		w.buf = w.buf[:w.imported]
		w.imported = -1
		w.last--
		delete(w.kept, id)
		return
	case id <= int64(w.o.Clauses) || w.kept[id]:
		return
	}
	if !w.deletions {
		w.begin('d')
		w.deletions = true
	}
	w.number(uint64(id) << 1)
}

// Cut ends the segment and begins the next one. The error is that of the temporary file.
// The caller must close the segment when it is not needed any more.
func (w *Writer) Cut() (*Segment, error) {
	w.begin(0)
	if w.file != nil {
		w.spill()
	}
	if w.err != nil {
		return nil, w.err
	}
	w.header.Number++
	w.header.Next = w.last + 1
	w.header.Size += int64(len(w.buf))
	s := &Segment{Header: w.header, file: w.file}
	if w.file == nil {
		s.data = bytes.Clone(w.buf)
		w.sum.Write(w.buf)
	}
	s.SHA256 = hex.EncodeToString(w.sum.Sum(nil))
	w.header = Header{Number: s.Number, First: s.Next}
	w.buf, w.file = w.buf[:0], nil
	w.sum.Reset()
	return s, nil
}

// Close removes the temporary file of the segment that is written. The writer must not
// be used later.
func (w *Writer) Close() error {
	s := Segment{file: w.file}
	return s.Close()
}

// add begins a step that adds a clause, up to its hints, and returns the id.
func (w *Writer) add(lits []dimacs.Lit) (id int64) {
	w.begin('a')
	w.last++
	w.number(uint64(w.last) << 1)
	w.lits(lits)
	return w.last
}

// begin ends a list of deletions and begins a step. A kind of 0 begins no step.
func (w *Writer) begin(kind byte) {
	if w.deletions {
		w.buf = append(w.buf, 0)
		w.deletions = false
	}
	w.imported = -1
	if len(w.buf) >= w.o.Buffer {
		w.spill()
	}
	if kind != 0 {
		w.begun = len(w.buf)
		w.buf = append(w.buf, kind)
	}
}

// number appends the code of a number.
func (w *Writer) number(code uint64) { w.buf = binary.AppendUvarint(w.buf, code) }

// lits appends literals and their end.
func (w *Writer) lits(lits []dimacs.Lit) {
	fresh := dimacs.Lit(2 * w.o.Vars)
	for _, l := range lits {
		if l >= fresh {
			l = w.renumbered(l)
		}
		w.number(uint64(l) + 2)
	}
	w.buf = append(w.buf, 0)
}

// renumbered returns a literal of a fresh variable with its number in the session.
func (w *Writer) renumbered(l dimacs.Lit) dimacs.Lit {
	k := int(l>>1) - w.o.Vars
	for len(w.fresh) <= k {
		w.fresh = append(w.fresh, 0)
	}
	if w.fresh[k] == 0 {
		w.count++
		w.header.Fresh++
		w.fresh[k] = int32(w.count)
	}
	return dimacs.Var(w.o.Vars+int(w.fresh[k])-1).Lit() | l&1
}

// spill appends the buffer to the temporary file.
func (w *Writer) spill() {
	if w.file == nil && w.err == nil {
		if w.file, w.err = os.CreateTemp(w.o.Dir, "segment-*"); w.err == nil {
			_ = os.Remove(w.file.Name()) // where an open file allows it, a kill leaves no file
		}
	}
	if w.err == nil {
		_, w.err = w.file.Write(w.buf)
	}
	w.sum.Write(w.buf)
	w.header.Size += int64(len(w.buf))
	w.buf = w.buf[:0]
}
