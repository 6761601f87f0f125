// Package journal keeps the results of a conquest in a folder, so that it can go
// on after it was stopped or killed, at whatever moment.
//
// The folder belongs to one formula with its cubes: run.json has their checksums.
// In results, each line is a result as JSON, behind a checksum of the line. The
// file only grows: a result is written when it is there, so that whoever kills the
// process makes it lose what the solvers were at, and no result. If the end of the
// file is damaged, the results from there on are dropped and found again. To lose
// nothing when the machine stops, the files are synchronized with the disk as
// well, but not for each result of many in a moment.
//
// If there is to be a proof, its steps are in the file proof, and each result says
// how far that had come with it. When the conquest goes on, the steps behind the
// last result are cut off, and new ones follow; the solvers begin with the formula
// again, which no step deletes. What is cut off are lemmas of cubes that were not
// finished. A conquest without a proof cannot go on with one, since the proof of
// what it has found is not there.
package journal

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"time"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/portfolio"
)

// The files of a folder.
const (
	identityFile = "run.json"
	resultsFile  = "results"
	proofFile    = "proof"
)

// syncInterval is how long a result may wait for being safe from a crash of the
// machine.
const syncInterval = 200 * time.Millisecond

// An Identity says what a folder is about.
type Identity struct {
	Formula string `json:"formula"` // see portfolio.Checksum
	Cubes   string `json:"cubes"`
	Proof   string `json:"proof,omitempty"` // its format, if there is one
}

// NewIdentity returns the identity of a conquest. The format is FormatUnknown if
// there is no proof.
func NewIdentity(f *dimacs.Formula, cubes []dimacs.Cube, format proof.Format) Identity {
	h := sha256.New()
	var b []byte
	for _, c := range cubes {
		b = binary.LittleEndian.AppendUint32(b[:0], uint32(len(c.Lits)))
		for _, l := range c.Lits {
			b = binary.LittleEndian.AppendUint32(b, uint32(l))
		}
		h.Write(b)
	}
	id := Identity{Formula: portfolio.Checksum(f), Cubes: hex.EncodeToString(h.Sum(nil))}
	if format != proof.FormatUnknown {
		id.Proof = format.String()
	}
	return id
}

// A Journal is an open folder.
type Journal struct {
	dir     string
	results []portfolio.Result
	log     *os.File
	size    int64     // of it, as far as it is ours
	synced  time.Time // when it was last

	// The proof, if there is one.
	steps    *os.File
	stream   *idWriter
	position portfolio.ProofPosition // where the last result left it
}

// Open opens a folder, or makes it, and reads the results that are there. It is an
// error if they are those of something else.
func Open(dir string, id Identity) (*Journal, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	j := &Journal{dir: dir}
	if err := j.checkIdentity(id); err != nil {
		return nil, err
	}
	if err := j.open(id); err != nil {
		j.Close()
		return nil, err
	}
	return j, nil
}

// checkIdentity writes what the folder is about, or compares it with what is there.
func (j *Journal) checkIdentity(id Identity) error {
	name := filepath.Join(j.dir, identityFile)
	b, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return j.writeIdentity(name, id)
	} else if err != nil {
		return err
	}
	var there Identity
	if err := json.Unmarshal(b, &there); err != nil {
		return fmt.Errorf("%s: %v", name, err)
	}
	switch {
	case there.Formula != id.Formula:
		return fmt.Errorf("%s has results of another formula; name another folder", j.dir)
	case there.Cubes != id.Cubes:
		return fmt.Errorf("%s has results of other cubes; name another folder", j.dir)
	case there.Proof != id.Proof:
		return fmt.Errorf("%s was begun with %s, and this run is with %s; name another folder", j.dir,
			cmp.Or(there.Proof, "no proof"), cmp.Or(id.Proof, "no proof"))
	}
	return nil
}

// writeIdentity makes a new folder.
func (j *Journal) writeIdentity(name string, id Identity) error {
	if _, err := os.Stat(filepath.Join(j.dir, resultsFile)); err == nil {
		return fmt.Errorf("%s has results, but does not say of what", j.dir)
	}
	b, err := json.MarshalIndent(id, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(name+".new", append(b, '\n'), 0o666); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// open opens the files and cuts off what is damaged.
func (j *Journal) open(id Identity) (err error) {
	if j.log, err = os.OpenFile(filepath.Join(j.dir, resultsFile), os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return err
	}
	if err := lock(j.dir, j.log); err != nil {
		return err
	}
	limit := int64(-1)
	if id.Proof != "" {
		if j.steps, err = os.OpenFile(filepath.Join(j.dir, proofFile), os.O_RDWR|os.O_CREATE, 0o666); err != nil {
			return err
		}
		if limit, err = j.steps.Seek(0, io.SeekEnd); err != nil {
			return err
		}
	}
	data, err := io.ReadAll(j.log)
	if err != nil {
		return err
	}
	j.load(data, id.Formula, limit)
	if err := j.log.Truncate(j.size); err != nil {
		return err
	}
	if j.steps != nil {
		return j.steps.Truncate(j.position.Bytes)
	}
	return nil
}

// load reads results up to the first that is damaged, or whose proof is not there:
// of that there are so many bytes, or -1 if there is none.
func (j *Journal) load(data []byte, formula string, limit int64) {
	for {
		end := bytes.IndexByte(data[j.size:], '\n')
		if end < 0 {
			return
		}
		r, err := decode(data[j.size : j.size+int64(end)])
		if err != nil || r.Formula != formula {
			return
		}
		if limit >= 0 {
			if r.Proof == nil || r.Proof.Bytes > limit || r.Proof.Bytes < j.position.Bytes {
				return
			}
			j.position = *r.Proof
		}
		j.results = append(j.results, r)
		j.size += int64(end) + 1
	}
}

// encode writes a result as a encode.
func encode(r portfolio.Result) ([]byte, error) {
	b, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%08x %s\n", crc32.ChecksumIEEE(b), b), nil
}

// decode reads a line without its end.
func decode(b []byte) (r portfolio.Result, err error) {
	sum, text, ok := bytes.Cut(b, []byte(" "))
	if !ok || string(sum) != fmt.Sprintf("%08x", crc32.ChecksumIEEE(text)) {
		return r, errors.New("the line is damaged")
	}
	err = json.Unmarshal(text, &r)
	return r, err
}

// Results returns the results that were there when the folder was opened.
func (j *Journal) Results() []portfolio.Result { return j.results }

// Keep appends a result.
func (j *Journal) Keep(r portfolio.Result) error {
	if j.steps == nil {
		r.Clause = 0 // an id in a proof that is not here
	}
	b, err := encode(r)
	if err != nil {
		return err
	}
	if info, err := j.log.Stat(); err != nil {
		return err
	} else if info.Size() != j.size {
		return fmt.Errorf("%s: somebody else writes to it", j.log.Name())
	}
	n, err := j.log.WriteAt(b, j.size)
	j.size += int64(n)
	if err != nil || time.Since(j.synced) < syncInterval {
		return err
	}
	return j.sync()
}

// sync makes sure that all is on the disk, the proof first.
func (j *Journal) sync() (err error) {
	for _, f := range []*os.File{j.steps, j.log} {
		if f == nil {
			continue
		}
		if e := f.Sync(); e != nil && !errors.Is(e, os.ErrInvalid) {
			err = cmp.Or(err, e)
		}
	}
	j.synced = time.Now()
	return err
}

// Proof returns what the steps of the proof are told to, for a formula of so many
// clauses. It continues what the results are about.
func (j *Journal) Proof(format proof.Format, clauses int) dimacs.Proof {
	at := j.position
	at.Last = max(at.Last, int64(clauses))
	w := &positioned{file: j.steps, at: at.Bytes}
	// Lemmas have the ids behind the last one that there was.
	j.stream = &idWriter{Writer: proof.NewWriter(w, format, int(at.Last)), to: w, last: at.Last}
	return j.stream
}

// Position returns how far the proof has come, after it has written it.
func (j *Journal) Position() (portfolio.ProofPosition, error) {
	err := j.stream.Flush()
	return portfolio.ProofPosition{Bytes: j.stream.to.at, Last: j.stream.last}, err
}

// Steps returns a reader of the whole proof, as far as it is, and the name of its
// file. [Journal.Proof] was called before.
func (j *Journal) Steps() (r io.Reader, name string, err error) {
	place, err := j.Position()
	return io.NewSectionReader(j.steps, 0, place.Bytes), j.steps.Name(), err
}

// Close closes the files.
func (j *Journal) Close() error {
	if j.log == nil {
		return nil
	}
	err := j.sync()
	for _, f := range []*os.File{j.steps, j.log} {
		if f != nil {
			err = cmp.Or(err, f.Close())
		}
	}
	return err
}

// A idWriter is a writer of a proof that knows the last id it gave.
type idWriter struct {
	*proof.Writer
	to   *positioned
	last int64
}

// Learn implements [dimacs.Proof].
func (s *idWriter) Learn(lits []dimacs.Lit, hints []int64) int64 {
	s.last = s.Writer.Learn(lits, hints)
	return s.last
}

// A positioned writer writes to a file from a place on.
type positioned struct {
	file *os.File
	at   int64
}

func (p *positioned) Write(b []byte) (int, error) {
	n, err := p.file.WriteAt(b, p.at)
	p.at += int64(n)
	return n, err
}
