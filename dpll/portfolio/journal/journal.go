// Package journal stores the results and the proof of a cube-and-conquer run in a
// directory, so that a run can be resumed after it was stopped or killed, or after a
// power cut.
//
//	j, err := journal.Open(ctx, nil, dir, journal.NewIdentity(f, cubes, proof.LRAT))
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
// The directory has two files, results and proof.
//
// # Results
//
// The file results has the identity of the run in its first line: checksums of the formula
// and of its cubes, the format of the proof, and the version of this format. Each other
// line is a result. A line has a checksum in hexadecimal digits, a space, and JSON:
//
//	1f0c… {"journal":"sator conquer","version":2,"formula":"9a…","cubes":"e3…","proof":"LRAT"}
//	77b2… {"formula":"9a…","cube":[1,-4],"status":20,"failed":[-4],…,"proof":{"bytes":180,"last":73,"sum":"c5…"}}
//
// The checksum is about the JSON and the checksum of the line before, so that it detects
// changed bytes, and also lines that are missing, repeated, swapped, or from another run.
// The file only grows while a run goes on.
//
// # Proof
//
// The file proof has the steps of all runs so far, as a plain proof in its format. A result
// has the position behind the steps that it needs, and the checksum of all bytes before
// that position. Opening a directory computes these checksums again. Steps behind the last
// result are lemmas of unfinished cubes; they are cut off, and new steps follow. The
// solvers of the resumed run start from the original formula, and no step deletes its
// clauses. A run without a proof cannot be resumed with one, because the refutations of its
// results were not logged.
//
// All checksums are the first 16 bytes of SHA-256. They detect any damage but that by
// someone who computes them again; only a checker of the proof does not believe them. A run
// of 11,500 cubes of 0.2 ms and 900 bytes of proof took 3.64 s of CPU time, and 3.73 s when
// lines had a CRC-32 and the proof had no checksum (two solvers, medians of four runs).
//
// # Damage
//
// If a line or the proof before its position is damaged, this result and all later ones are
// dropped, both files are cut off before them, and the cubes are solved again. Later steps
// may depend on those that are lost. [Journal.Damage] describes the damage. An incomplete
// last line is no damage: the process was killed while it wrote the line. If the first line
// is damaged, [Open] returns an error, since the file may be anything. So it does for a
// directory without checksums, which older versions of Sator wrote. A directory whose file
// proof is not empty, but without results, is an error too: nothing of others is
// overwritten.
//
// # Durability
//
// A line is written when the steps of its result are on the disk: the proof is synchronized
// before the line is written, and the line is synchronized then. A goroutine does this for
// all results that wait (group commit), then rests for nine times as long as it took, so
// that synchronizing takes a tenth of the time of one disk and none of the solvers. Killing
// the process thus loses unfinished cubes and the results of some hundredths of a second.
// A result without a proof is written at once, and killing the process does not lose it.
// The first line and the names of both files are synchronized before the first result.
//
// If an operation fails, for example because the disk is full, the journal writes nothing
// more. [Journal.Failed] is called at once, and Keep and Close return the error.
//
// # Files
//
//   - journal.go: opening and closing the directory, and its identity
//   - line.go: lines and checksums
//   - load.go: reading results and checking the proof
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

// Close writes all results that wait, closes the files, and returns the first error of
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
