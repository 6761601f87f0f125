package grid

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"sator/cmd/internal/grid/hub"
	"sator/dimacs"
	"sator/dimacs/file"
	"sator/dpll/portfolio"
)

// The simplified formula is an object. A process downloads it once and keeps it for its
// next sessions; the processes of a machine share a folder, in which the file name is the
// SHA-256 of the formula. The welcome has the numbers of variables, clauses and literals,
// so that a formula that is too large for the memory is refused before it is downloaded.
//
// A file of the cache is never trusted: it is hashed while it is parsed. A file that is
// damaged is replaced. A file is written under a temporary name and then renamed, so that
// other processes see whole files only. If the folder cannot be written, the formula is
// used without it.

// A formulaCache has the formula of a process.
type formulaCache struct {
	objects *objectStore
	dir     string             // "" for no files
	memory  dimacs.MemoryLimit // of all jobs
	jobs    int                // solvers that get the formula

	mu      sync.Mutex // held during a download, so that the jobs of a process wait for it
	sum     string     // of formula
	formula *dimacs.Formula
}

// formulaTries is the number of attempts to read a formula that the object store does
// not have, or has with another hash. A server of a cluster may lag behind others.
const formulaTries = 10

// load returns the formula with the given hash. The error is the cause of ctx, or a
// [*fatalError].
func (c *formulaCache) load(ctx context.Context, m *member, info FormulaInfo) (*dimacs.Formula, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.formula != nil && c.sum == info.SHA256 {
		return c.formula, nil
	}
	c.formula = nil
	if need := c.need(info); !c.memory.Allows(need) {
		return nil, &fatalError{fmt.Errorf("the formula with %d variables, %d clauses and %d literals needs about %d MB in %d solvers: %w",
			info.Vars, info.Clauses, info.Literals, need>>20, c.jobs, &dimacs.MemoryError{Bytes: need})}
	}
	var wait pause
	for {
		f, err := c.read(ctx, m, info)
		if err == nil {
			c.formula, c.sum = f, info.SHA256
			return f, nil
		}
		var fatal *fatalError
		var object *objectError
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case errors.As(err, &fatal):
			return nil, err
		case errors.As(err, &object) && wait.tries >= formulaTries:
			return nil, &fatalError{err}
		case wait.tries == 0:
			m.notef(m.name, EventWarning, "the formula cannot be read yet: %v", hub.Explain(err))
		}
		if !wait.sleep(ctx) {
			return nil, context.Cause(ctx)
		}
	}
}

// need returns the bytes of the formula and of the solvers before they learn.
func (c *formulaCache) need(info FormulaInfo) int64 {
	const most = 1 << 40 // so that nothing overflows
	vars, clauses, literals := min(int64(info.Vars), most), min(int64(info.Clauses), most), min(info.Literals, most)
	return portfolio.Footprint(c.jobs, int(vars), int(clauses), int(literals)) + 8*clauses + 4*literals
}

// read reads the formula from its file or from the object store.
func (c *formulaCache) read(ctx context.Context, m *member, info FormulaInfo) (*dimacs.Formula, error) {
	if c.dir != "" {
		f, err := c.readFile(info)
		switch {
		case err == nil, errors.As(err, new(*fatalError)):
			return f, err
		case !errors.Is(err, os.ErrNotExist):
			m.notef(m.name, EventWarning, "the file of the formula is replaced: %v", err)
		}
	}
	r, err := c.objects.get(ctx, info.Object)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	w, err := c.create(info)
	f, e := c.parse(io.TeeReader(r, tolerant{w}), info)
	switch {
	case w != nil && e == nil:
		err = w.Close()
	case w != nil:
		w.Abort()
	}
	if err != nil {
		m.notef(m.name, EventWarning, "the formula is not kept on disk: %v", err)
	}
	return f, e
}

// path returns the name of the file of a formula. The hash consists of hexadecimal
// digits.
func (c *formulaCache) path(info FormulaInfo) string {
	return filepath.Join(c.dir, info.SHA256+".cnf")
}

// readFile reads a formula from its file.
func (c *formulaCache) readFile(info FormulaInfo) (*dimacs.Formula, error) {
	cached, err := os.Open(c.path(info))
	if err != nil {
		return nil, err
	}
	defer cached.Close()
	return c.parse(newVerifier(info.Object, cached), info)
}

// parse parses a formula up to the end of r, which verifies the hash.
func (c *formulaCache) parse(r io.Reader, info FormulaInfo) (*dimacs.Formula, error) {
	f, err := (&dimacs.Reader{Name: info.Name, Memory: c.memory}).Read(r)
	if syntax := (*dimacs.SyntaxError)(nil); errors.As(err, &syntax) {
		if _, e := io.Copy(io.Discard, r); e != nil {
			return nil, e // the data is damaged
		}
	}
	memory := (*dimacs.MemoryError)(nil)
	switch {
	case errors.As(err, new(*dimacs.SyntaxError)), errors.As(err, &memory):
		return nil, &fatalError{fmt.Errorf("formula: %w", err)}
	case err != nil:
		return nil, err
	case f.Vars() != info.Vars || f.Len() != info.Clauses || int64(f.Size()) != info.Literals:
		return nil, &fatalError{fmt.Errorf("the formula has %d variables, %d clauses and %d literals: the coordinator announces %d, %d and %d",
			f.Vars(), f.Len(), f.Size(), info.Vars, info.Clauses, info.Literals)}
	}
	return f, nil
}

// create creates the file of a formula, or returns nil without a folder. It removes the
// unfinished files of killed workers.
func (c *formulaCache) create(info FormulaInfo) (*file.Writer, error) {
	if c.dir == "" {
		return nil, nil
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return nil, err
	}
	entries, _ := os.ReadDir(c.dir)
	for _, e := range entries {
		_, temporary := file.TemporaryOf(e.Name())
		if info, err := e.Info(); temporary && err == nil && time.Since(info.ModTime()) > partAge {
			_ = os.Remove(filepath.Join(c.dir, e.Name()))
		}
	}
	return file.Create(c.path(info))
}

// partAge is the age of an unfinished file that no worker writes any more.
const partAge = 24 * time.Hour

// A tolerant writer writes to a file, or nowhere. Its errors do not disturb the reader: Close
// of the file returns them.
type tolerant struct{ w *file.Writer }

// Write implements [io.Writer]. It never fails.
func (t tolerant) Write(b []byte) (int, error) {
	if t.w != nil {
		_, _ = t.w.Write(b)
	}
	return len(b), nil
}
