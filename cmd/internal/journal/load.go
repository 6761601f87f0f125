package journal

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"sator/dimacs/file"
	"sator/dpll/portfolio"
)

// A header is the first line of the results.
type header struct {
	Journal string `json:"journal"` // headerName
	Version int    `json:"version"` // of the format of the directory
	Identity
}

const (
	headerName = "sator conquer"

	// version is the version of the format. The first one had no checksums of the proof,
	// and the identity in a file of its own.
	version = 2

	// identityName is the file of the identity in the first version.
	identityName = "run.json"
)

// load reads the files up to the first damage. It writes the first line of a new
// directory. It returns the size of the results with all lines.
func (j *Journal) load(ctx context.Context, disk *file.Disk, id Identity) (size int64, err error) {
	data, err := io.ReadAll(j.results)
	if err != nil {
		return 0, err
	}
	first, sum, err := appendLine(nil, checksum{}, header{headerName, version, id})
	if err != nil {
		return 0, err
	}
	begun := bytes.HasPrefix(data, first)
	if !begun {
		if err := j.checkNew(data, first, id); err != nil {
			return 0, err
		}
	}
	if id.Proof != "" {
		if j.proof, err = openFile(disk, j.dir, proofName); err != nil {
			return 0, err
		}
	}
	j.sum, j.size, j.hash = sum, int64(len(first)), sha256.New()
	if begun {
		return int64(len(data)), j.loadResults(ctx, data, id)
	}
	return j.size, j.create(first)
}

// create writes the first line of a directory without results.
func (j *Journal) create(first []byte) error {
	if j.proof != nil {
		if info, err := j.proof.Stat(); err != nil {
			return err
		} else if info.Size() > 0 {
			return fmt.Errorf("%s has a proof, but no results that belong to it; use another directory", j.dir)
		}
	}
	if err := j.results.Truncate(0); err != nil {
		return err
	}
	if _, err := j.results.WriteAt(first, 0); err != nil {
		return err
	}
	return j.results.Sync()
}

// checkNew is called if the results do not begin with the given first line. It returns an
// error if the directory is not new. The first line of a new directory may be incomplete.
func (j *Journal) checkNew(data, first []byte, id Identity) error {
	if _, err := os.Stat(filepath.Join(j.dir, identityName)); err == nil {
		return fmt.Errorf("%s was written by an older version of Sator, without checksums of the proof; use another directory", j.dir)
	} else if !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if bytes.HasPrefix(first, bytes.TrimRight(data, "\x00")) { // zeros after a power cut
		return nil
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	var h header
	_, err := readLine(line, checksum{}, &h)
	switch {
	case err != nil || h.Journal != headerName:
		return fmt.Errorf("%s: the first line is damaged, or this is not a file of conquer; use another directory", j.results.Name())
	case h.Version != version:
		return fmt.Errorf("%s was written by another version of Sator: its format is %d, not %d; use another directory", j.dir, h.Version, version)
	case h.Formula != id.Formula:
		return fmt.Errorf("%s has results of another formula; use another directory", j.dir)
	case h.Cubes != id.Cubes:
		return fmt.Errorf("%s has results of other cubes; use another directory", j.dir)
	}
	return fmt.Errorf("%s was begun with %s, and this run is with %s; use another directory", j.dir,
		cmp.Or(h.Proof, "no proof"), cmp.Or(id.Proof, "no proof"))
}

// loadResults reads the results behind the first line up to the first damage.
func (j *Journal) loadResults(ctx context.Context, data []byte, id Identity) error {
	buf := make([]byte, 64<<10)
	for number := 2; ; number++ {
		line, _, whole := bytes.Cut(data[j.size:], []byte("\n"))
		if !whole {
			return nil
		}
		var r portfolio.Result
		sum, damage := readLine(line, j.sum, &r)
		if damage == nil && (r.Formula != id.Formula || (r.Proof != nil) != (id.Proof != "")) {
			damage = errors.New("it is a result of another run")
		}
		if damage == nil && r.Proof != nil {
			var err error
			if damage, err = j.advance(ctx, *r.Proof, buf); err != nil {
				return err
			}
		}
		if damage != nil {
			j.damage = fmt.Errorf("%s: line %d: %w", j.results.Name(), number, damage)
			return nil
		}
		j.known = append(j.known, r)
		j.sum = sum
		j.size += int64(len(line)) + 1
	}
}

// advance moves the position of the journal if the proof before the new position is
// undamaged, and returns the damage if not. The error is that of reading the proof.
func (j *Journal) advance(ctx context.Context, to portfolio.ProofPosition, buf []byte) (damage, err error) {
	from := j.position.Bytes
	if to.Bytes < from {
		return errors.New("its position in the proof is before that of the last result"), nil
	}
	n, err := io.CopyBuffer(j.hash, stoppable{ctx, io.NewSectionReader(j.proof, from, to.Bytes-from)}, buf)
	switch {
	case err != nil:
		return nil, err
	case n < to.Bytes-from:
		damage = fmt.Errorf("the proof ends at byte %d, and the result needs %d bytes", from+n, to.Bytes)
	case sumOf(j.hash).String() != to.Sum:
		damage = fmt.Errorf("the proof is damaged between bytes %d and %d", from+1, to.Bytes)
	default:
		j.position = to
		return nil, nil
	}
	j.hash.Reset()
	_, err = io.CopyBuffer(j.hash, stoppable{ctx, io.NewSectionReader(j.proof, 0, from)}, buf)
	return damage, err
}

// A stoppable reader returns the cause of its context when the context has ended.
type stoppable struct {
	ctx context.Context
	io.Reader
}

func (r stoppable) Read(b []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.Reader.Read(b)
}
