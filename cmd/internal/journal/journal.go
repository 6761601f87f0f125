// Package journal stores the results and the proof of a cube-and-conquer run in a
// directory, so that a run can be resumed after it was stopped or killed, or after a
// power cut.
//
//	j, err := journal.Open(ctx, nil, dir, journal.NewIdentity(f, cubes, proof.LRAT))
//	if err != nil {
//		return err
//	}
//	defer j.Close()
//	o := portfolio.ConquerOptions{Threads: 4, Budget: 10_000}
//	o.Known, o.Keep = j.Results(), j.Keep
//	o.Solver.Proof, o.Position = j.Proof(proof.LRAT, f.Len()), j.Position
//	status, model, err := portfolio.Conquer(ctx, f, cubes, o)
//	if err != nil {
//		return err
//	}
//	fmt.Println(status, model.Lits())
//
// The directory has two files: results and proof.
//
// # Results
//
// The first line of the file results is the identity of the run: checksums of the formula
// and of its cubes, and the format of the proof. Each other line is a result. A line
// consists of a checksum in hexadecimal digits, a space, and JSON:
//
//	1f0c… {"journal":"sator conquer","version":2,"formula":"9a…","cubes":"e3…","proof":"LRAT"}
//	77b2… {"formula":"9a…","cube":[1,-4],"status":20,"failed":[-4],…,"proof":{"bytes":180,"last":73,"sum":"c5…"}}
//
// The checksum of a line covers its JSON and the checksum of the line before. So it detects
// changed bytes, and also lines that are missing, repeated, swapped, or from another run.
// A run only appends lines.
//
// # Proof
//
// The file proof has the steps of all runs so far, as a plain proof in its format. A result
// contains a position in the proof: the steps before it refute the cube. It also contains
// the checksum of all bytes before the position, and [Open] compares it. Steps behind the
// last result are lemmas of unfinished cubes. Open cuts them off, and new steps follow. The
// solvers of the resumed run start from the original formula, and no step deletes its
// clauses. A run without a proof cannot be resumed with one, because the refutations of its
// results were not logged.
//
// All checksums are the first 16 bytes of SHA-256. They detect any damage by accident, but
// have no key: only a checker of the proof detects a forgery. A run of 11,500 cubes of
// 0.2 ms and 900 bytes of proof took 3.64 s of CPU time, and 3.73 s when lines had a CRC-32
// and the proof had no checksum (two solvers, medians of four runs).
//
// # Damage
//
// If a line is damaged, or the proof before its position, Open drops this result and all
// later ones, since their steps may depend on the lost steps. It cuts both files off, and
// the cubes are solved again. [Journal.Damage] describes the damage. An incomplete last
// line is no damage: a process was killed while it wrote this line.
//
// Open returns an error and changes nothing if the first line is damaged, if the file proof
// is not empty but the results are missing, or if the directory has no checksums, as those
// of older versions.
//
// # Durability
//
// A commit synchronizes the proof, then writes the lines of new results, then synchronizes
// the results. So a line on the disk never needs a step that is not. A goroutine commits
// while the solvers continue, and one commit serves all results since the last one. It
// rests between commits, so that the disk is busy for a tenth of the time. Killing the
// process loses unfinished cubes and the results since the last commit: those of some
// hundredths of a second on an SSD. Without a proof each line is written at once, and a
// killed process loses no result. The first line and the names of the files are synchronized
// before the first result.
//
// If an operation fails, for example because the disk is full, the journal writes nothing
// more. It calls [Journal.Failed] at once, and Keep and Close return the error.
//
// # Files
//
//   - journal.go: opening and closing the directory, and its identity
//   - line.go: lines and checksums
//   - load.go: reading results and checking the proof
//   - read.go: reading results without the formula
//   - commit.go: storing results
//   - proof.go: writing and reading the proof
//   - lock_unix.go, lock_other.go: the lock that keeps other processes out
package journal

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"os"
	"path/filepath"
	"sync"

	"sator/dimacs"
	"sator/dimacs/file"
	"sator/dimacs/proof"
	"sator/dpll/portfolio"
)

// Names of the files in the directory.
const (
	resultsName = "results"
	proofName   = "proof"
)

// Has reports whether a name is that of a file that a run stores in a directory.
func Has(dir, name string) bool {
	for _, own := range []string{resultsName, proofName} {
		a, err := filepath.Abs(name)
		b, err2 := filepath.Abs(filepath.Join(dir, own))
		if err == nil && err2 == nil && a == b {
			return true
		}
	}
	return false
}

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
	// Failed, if not nil, is called with the first error of writing, in any goroutine. It
	// must be set before Proof and Keep are called.
	Failed func(error)

	dir     string
	results *file.Handle
	known   []portfolio.Result // the results of earlier runs
	damage  error              // nil if no result was dropped

	// Of a run with a proof.
	proof    *file.Handle
	position portfolio.ProofPosition // after the last known result
	hash     hash.Hash               // of the proof before the position, then of all steps
	writer   *proofWriter

	wake chan struct{} // wakes the goroutine of commits
	stop chan struct{} // ends it; nil before it runs and after Close
	done chan struct{} // is closed when it has ended

	mu      sync.Mutex // guards the fields below
	size    int64      // of results
	sum     checksum   // of the last line, written or pending
	pending []byte     // lines to be written
	err     error      // the first error of writing
}

// Open opens a directory, creates it if it does not exist, and reads its files, in time
// linear in the size of the proof. It returns an error if the directory belongs to a run
// with another identity, or is in use, and the cause of ctx if ctx ends before. The disk
// writes the files; nil is that of the system.
func Open(ctx context.Context, disk *file.Disk, dir string, id Identity) (*Journal, error) {
	if err := disk.MkdirAll(dir); err != nil {
		return nil, err
	}
	j := &Journal{dir: dir}
	if err := j.open(ctx, disk, id); err != nil {
		j.closeFiles()
		return nil, err
	}
	j.wake, j.stop, j.done = make(chan struct{}, 1), make(chan struct{}), make(chan struct{})
	go j.commitGroups()
	return j, nil
}

// open opens and locks the files, reads the results, and cuts both files off after the
// last valid result.
func (j *Journal) open(ctx context.Context, disk *file.Disk, id Identity) (err error) {
	if j.results, err = openFile(disk, j.dir, resultsName); err != nil {
		return err
	}
	if err := lock(j.dir, j.results); err != nil {
		return err
	}
	size, err := j.load(ctx, disk, id)
	if err != nil {
		return err
	}
	// In this order, so that the lines never refer to bytes that are cut off.
	if size > j.size {
		if err := j.results.Truncate(j.size); err != nil {
			return err
		}
		if err := j.results.Sync(); err != nil {
			return err
		}
	}
	if j.proof != nil {
		return j.proof.Truncate(j.position.Bytes)
	}
	return nil
}

// openFile opens a file of the directory, and creates it if it does not exist.
func openFile(disk *file.Disk, dir, name string) (*file.Handle, error) {
	return disk.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE, 0o666)
}

// Results returns the results that were in the directory when it was opened.
func (j *Journal) Results() []portfolio.Result { return j.known }

// Damage returns an error that describes why results were dropped when the directory was
// opened, or nil if no result was.
func (j *Journal) Damage() error { return j.damage }

// Close commits, closes the files, and returns the first error of
// writing.
func (j *Journal) Close() error {
	if j.stop == nil {
		return nil
	}
	close(j.stop)
	<-j.done
	j.stop = nil
	j.fail(j.closeFiles())
	return j.err
}

// closeFiles closes the files that are open. This releases the lock.
func (j *Journal) closeFiles() (err error) {
	for _, f := range []*file.Handle{j.proof, j.results} {
		if f != nil {
			err = cmp.Or(err, f.Close())
		}
	}
	return err
}
