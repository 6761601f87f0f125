package journal

import (
	"fmt"
	"time"

	"sator/dpll/portfolio"
)

// A commit synchronizes the proof, writes the lines of new results, and synchronizes the
// results. A goroutine commits, so that the solvers do not wait for the disk.

const (
	// commitRest is the rest after a commit, as a multiple of the time of the commit. A
	// commit takes 4 ms on an SSD.
	commitRest = 9

	// minRest and maxRest are the limits of the rest. A killed process loses the results
	// since the last commit, so the rest must not be long even if the disk is slow.
	minRest = 10 * time.Millisecond
	maxRest = 500 * time.Millisecond
)

// Keep stores a result. It returns the first error of writing. A result without a proof
// is written when Keep returns; one with a proof waits for the next commit.
func (j *Journal) Keep(r portfolio.Result) error {
	if j.proof == nil {
		r.Clause = 0 // an id in a proof that is not in the directory
	}
	err := j.add(r)
	if err != nil {
		j.fail(err)
		return err
	}
	select {
	case j.wake <- struct{}{}:
	default: // the goroutine will see this result too
	}
	return nil
}

// add adds the line of a result to the pending lines.
func (j *Journal) add(r portfolio.Result) (err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err != nil {
		return j.err
	}
	if j.pending, j.sum, err = appendLine(j.pending, j.sum, r); err != nil || j.proof != nil {
		return err
	}
	err = j.write(j.pending)
	j.pending = j.pending[:0]
	return err
}

// write appends lines to the results. The caller must hold the lock.
func (j *Journal) write(lines []byte) error {
	if info, err := j.results.Stat(); err != nil {
		return err
	} else if info.Size() != j.size {
		return fmt.Errorf("%s was changed by another process", j.results.Name())
	}
	n, err := j.results.WriteAt(lines, j.size)
	j.size += int64(n)
	return err
}

// commitGroups commits while results are added, and once more at the end.
func (j *Journal) commitGroups() {
	defer close(j.done)
	for {
		select {
		case <-j.wake:
		case <-j.stop:
			j.fail(j.commit())
			return
		}
		begin := time.Now()
		j.fail(j.commit())
		select {
		case <-time.After(min(max(minRest, commitRest*time.Since(begin)), maxRest)):
		case <-j.stop:
		}
	}
}

// commit synchronizes the proof, writes the pending lines, and synchronizes the results.
func (j *Journal) commit() error {
	j.mu.Lock()
	lines, err := j.pending, j.err
	j.pending = nil
	j.mu.Unlock()
	if err != nil {
		return err
	}
	if len(lines) > 0 { // of a run with a proof
		if err := j.proof.Sync(); err != nil {
			return err
		}
		j.mu.Lock()
		err := j.write(lines)
		j.mu.Unlock()
		if err != nil {
			return err
		}
	}
	return j.results.Sync()
}

// fail stores the first error, and reports it to Failed. It does nothing for nil.
func (j *Journal) fail(err error) {
	if err == nil {
		return
	}
	j.mu.Lock()
	first := j.err == nil
	if first {
		j.err = err
	}
	j.mu.Unlock()
	if first && j.Failed != nil {
		j.Failed(err)
	}
}
