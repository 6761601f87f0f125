// Package journal stores the results and the proof of a cube-and-conquer run in a
// directory, so that a run can be resumed after it was stopped or killed.
//
//	j, err := journal.Open(dir, journal.NewIdentity(f, cubes, proof.LRAT))
//	if err != nil {
//		return err
//	}
//	defer j.Close()
//	o := portfolio.ConquerOptions{Threads: 4, Budget: 10_000, Solver: cdcl.DefaultOptions()}
//	o.Known, o.Keep = j.Results(), j.Keep
//	o.Solver.Proof, o.Position = j.Proof(proof.LRAT, f.Len()), j.Position
//	status, model, err := portfolio.Conquer(ctx, f, cubes, o)
//	if err != nil {
//		return err
//	}
//	fmt.Println(status, model.Lits())
//
// The directory belongs to one formula and its cubes. Their checksums are in the file
// run.json.
//
// The file results has a line for each result: a CRC-32 of the rest of the line, a
// space, and the result as JSON. The file only grows. A result is written as soon as it
// is known, so that killing the process loses the work on unfinished cubes but no
// result. If a line is damaged, its result and all later results are dropped, and the
// cubes are solved again. At most five times a second, after a result, the files are
// synchronized with the disk, so that older results survive a crash of the machine.
//
// The file proof has the steps of the proof, and each result has the position in it
// after that result. When the run is resumed, steps after the last result are cut off,
// and new steps follow. The cut steps are lemmas of unfinished cubes. The solvers of the
// resumed run start from the original formula, and no step deletes its clauses. A run
// without a proof cannot be resumed with one, because the refutations of its results
// were not logged.
//
// Files:
//   - journal.go: the directory, its results and its proof
//   - lock_unix.go, lock_other.go: the lock that keeps other processes out
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

// Names of the files in the directory.
const (
	identityFile = "run.json"
	resultsFile  = "results"
	proofFile    = "proof"
)

// syncInterval is the minimum time between two synchronizations with the disk.
const syncInterval = 200 * time.Millisecond

// An Identity identifies a run. Only results of the same identity can be resumed.
type Identity struct {
	Formula string `json:"formula"`         // see portfolio.Checksum
	Cubes   string `json:"cubes"`           // checksum of the cubes in their order
	Proof   string `json:"proof,omitempty"` // format of the proof, if there is one
}

// NewIdentity returns the identity of a run. The format is FormatUnknown for a run
// without a proof.
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

// A Journal is an open directory.
type Journal struct {
	dir     string
	known   []portfolio.Result // the results of earlier runs
	results *os.File
	size    int64     // of results, up to the last valid line
	synced  time.Time // time of the last synchronization

	// Of a run with a proof.
	proof    *os.File
	writer   *proofWriter
	position portfolio.ProofPosition // after the last known result
}

// Open opens a directory, creates it if it does not exist, and reads the results in it.
// It returns an error if the directory belongs to a run with another identity.
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

// checkIdentity compares an identity with that of the directory, and writes it if the
// directory is new.
func (j *Journal) checkIdentity(id Identity) error {
	name := filepath.Join(j.dir, identityFile)
	b, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return j.writeIdentity(name, id)
	} else if err != nil {
		return err
	}
	var stored Identity
	if err := json.Unmarshal(b, &stored); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	switch {
	case stored.Formula != id.Formula:
		return fmt.Errorf("%s has results of another formula; use another directory", j.dir)
	case stored.Cubes != id.Cubes:
		return fmt.Errorf("%s has results of other cubes; use another directory", j.dir)
	case stored.Proof != id.Proof:
		return fmt.Errorf("%s was begun with %s, and this run is with %s; use another directory", j.dir,
			cmp.Or(stored.Proof, "no proof"), cmp.Or(id.Proof, "no proof"))
	}
	return nil
}

// writeIdentity writes the identity of a new directory to a file.
func (j *Journal) writeIdentity(name string, id Identity) error {
	if _, err := os.Stat(filepath.Join(j.dir, resultsFile)); err == nil {
		return fmt.Errorf("%s has results, but no file %s that identifies their run", j.dir, identityFile)
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

// open opens and locks the files, reads the results, and cuts both files off after the
// last valid result.
func (j *Journal) open(id Identity) (err error) {
	if j.results, err = os.OpenFile(filepath.Join(j.dir, resultsFile), os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return err
	}
	if err := lock(j.dir, j.results); err != nil {
		return err
	}
	limit := int64(-1)
	if id.Proof != "" {
		if j.proof, err = os.OpenFile(filepath.Join(j.dir, proofFile), os.O_RDWR|os.O_CREATE, 0o666); err != nil {
			return err
		}
		if limit, err = j.proof.Seek(0, io.SeekEnd); err != nil {
			return err
		}
	}
	data, err := io.ReadAll(j.results)
	if err != nil {
		return err
	}
	j.load(data, id.Formula, limit)
	if err := j.results.Truncate(j.size); err != nil {
		return err
	}
	if j.proof != nil {
		return j.proof.Truncate(j.position.Bytes)
	}
	return nil
}

// load reads results up to the first line that is damaged or has a position outside of
// the proof. The size of the proof is -1 in a run without a proof.
func (j *Journal) load(data []byte, formula string, proofSize int64) {
	for {
		end := bytes.IndexByte(data[j.size:], '\n')
		if end < 0 {
			return
		}
		r, err := decode(data[j.size : j.size+int64(end)])
		if err != nil || r.Formula != formula {
			return
		}
		if proofSize >= 0 {
			if r.Proof == nil || r.Proof.Bytes > proofSize || r.Proof.Bytes < j.position.Bytes {
				return
			}
			j.position = *r.Proof
		}
		j.known = append(j.known, r)
		j.size += int64(end) + 1
	}
}

// encode returns the line of a result.
func encode(r portfolio.Result) ([]byte, error) {
	b, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%08x %s\n", crc32.ChecksumIEEE(b), b), nil
}

// decode returns the result of a line without its newline.
func decode(b []byte) (r portfolio.Result, err error) {
	sum, text, ok := bytes.Cut(b, []byte(" "))
	if !ok || string(sum) != fmt.Sprintf("%08x", crc32.ChecksumIEEE(text)) {
		return r, errors.New("wrong checksum")
	}
	err = json.Unmarshal(text, &r)
	return r, err
}

// Results returns the results that were in the directory when it was opened.
func (j *Journal) Results() []portfolio.Result { return j.known }

// Keep appends a result.
func (j *Journal) Keep(r portfolio.Result) error {
	if j.proof == nil {
		r.Clause = 0 // an id in a proof that is not in the directory
	}
	b, err := encode(r)
	if err != nil {
		return err
	}
	if info, err := j.results.Stat(); err != nil {
		return err
	} else if info.Size() != j.size {
		return fmt.Errorf("%s was changed by another process", j.results.Name())
	}
	n, err := j.results.WriteAt(b, j.size)
	j.size += int64(n)
	if err != nil || time.Since(j.synced) < syncInterval {
		return err
	}
	return j.sync()
}

// sync synchronizes the files with the disk. The proof is first, so that it has the
// steps of all results.
func (j *Journal) sync() (err error) {
	for _, f := range []*os.File{j.proof, j.results} {
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

// Proof returns the proof to which a run logs its steps, in the given format and for a
// formula with the given number of clauses. New steps follow the last known result. The
// directory must have been opened for a run with a proof.
func (j *Journal) Proof(format proof.Format, clauses int) dimacs.Proof {
	start := j.position.Bytes
	last := max(j.position.Last, int64(clauses)) // the ids of new lemmas follow
	out := io.NewOffsetWriter(j.proof, start)
	j.writer = &proofWriter{Writer: proof.NewWriter(out, format, int(last)), out: out, start: start, last: last}
	return j.writer
}

// Position flushes the proof and returns the position of its end. It must be called
// after [Journal.Proof].
func (j *Journal) Position() (portfolio.ProofPosition, error) {
	w := j.writer
	err := w.Flush()
	written, seekErr := w.out.Seek(0, io.SeekCurrent)
	return portfolio.ProofPosition{Bytes: w.start + written, Last: w.last}, cmp.Or(err, seekErr)
}

// Steps returns a reader of the whole proof and the name of its file. It must be called
// after [Journal.Proof].
func (j *Journal) Steps() (r io.Reader, name string, err error) {
	position, err := j.Position()
	return io.NewSectionReader(j.proof, 0, position.Bytes), j.proof.Name(), err
}

// Close closes the files.
func (j *Journal) Close() error {
	if j.results == nil {
		return nil
	}
	err := j.sync()
	for _, f := range []*os.File{j.proof, j.results} {
		if f != nil {
			err = cmp.Or(err, f.Close())
		}
	}
	return err
}

// A proofWriter writes a proof and records the last id.
type proofWriter struct {
	*proof.Writer
	out   *io.OffsetWriter
	start int64 // offset of the first step of this run in the file
	last  int64 // id of the last clause
}

// Learn implements [dimacs.Proof].
func (w *proofWriter) Learn(lits []dimacs.Lit, hints []int64) int64 {
	w.last = w.Writer.Learn(lits, hints)
	return w.last
}
