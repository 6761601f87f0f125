package grid

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"sator/dimacs"
	"sator/dpll/portfolio"
	"sator/internal/grid/hub"
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
	file := c.createFile(info)
	f, err := c.parse(io.TeeReader(r, file), info)
	if e := file.finish(err == nil, c.path(info)); e != nil {
		m.notef(m.name, EventWarning, "the formula is not kept on disk: %v", e)
	}
	return f, err
}

// path returns the name of the file of a formula. The hash consists of hexadecimal
// digits.
func (c *formulaCache) path(info FormulaInfo) string {
	return filepath.Join(c.dir, info.SHA256+".cnf")
}

// readFile reads a formula from its file.
func (c *formulaCache) readFile(info FormulaInfo) (*dimacs.Formula, error) {
	file, err := os.Open(c.path(info))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return c.parse(newVerifier(info.Object, file), info)
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

// A cacheFile is a new file of the cache. Its errors do not disturb the reader.
type cacheFile struct {
	file *os.File // nil without a folder
	err  error    // the first error
}

// createFile creates a file under a temporary name.
func (c *formulaCache) createFile(info FormulaInfo) *cacheFile {
	if c.dir == "" {
		return new(cacheFile)
	}
	err := os.MkdirAll(c.dir, 0o755)
	f := new(cacheFile)
	if err == nil {
		c.purge()
		f.file, err = os.CreateTemp(c.dir, info.SHA256+".part-*")
	}
	f.err = err
	return f
}

// partAge is the age of an unfinished file that no worker writes any more.
const partAge = 24 * time.Hour

// purge removes the unfinished files of killed workers.
func (c *formulaCache) purge() {
	entries, _ := os.ReadDir(c.dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.Contains(e.Name(), ".part-") && time.Since(info.ModTime()) > partAge {
			_ = os.Remove(filepath.Join(c.dir, e.Name()))
		}
	}
}

// Write implements [io.Writer]. It never fails.
func (f *cacheFile) Write(b []byte) (int, error) {
	if f.file != nil && f.err == nil {
		_, f.err = f.file.Write(b)
	}
	return len(b), nil
}

// finish gives the file its name if it is whole, and removes it otherwise.
func (f *cacheFile) finish(whole bool, name string) error {
	if f.file == nil {
		return f.err
	}
	if err := f.file.Close(); f.err == nil {
		f.err = err
	}
	if whole && f.err == nil {
		f.err = os.Rename(f.file.Name(), name)
	}
	if !whole || f.err != nil {
		_ = os.Remove(f.file.Name())
	}
	return f.err
}
