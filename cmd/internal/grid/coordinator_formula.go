package grid

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"

	"sator/cmd/internal/grid/session"
	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/portfolio"
)

// The formula is simplified once, by the coordinator that creates the run. The simplified
// formula, the reconstruction stack and the proof of the simplification are objects, and
// the key "run" refers to them. A coordinator that continues the run reads them: all
// sessions begin with the clauses of that simplified formula.

// simplifyRounds is the number of rounds of the simplification. Each worker simplifies
// further before its first cube.
const simplifyRounds = 1

// A simplified is the simplified formula of a run.
type simplified struct {
	*portfolio.Simplification
	formula *dimacs.Formula
	info    FormulaInfo
	numbers session.Base // where sessions begin
	steps   *Object      // proof of the simplification, or nil
}

// extend extends a model of the simplified formula to one of the formula.
func (s *simplified) extend(m dimacs.Model) dimacs.Model { return s.Extend(m) }

// units returns the literals of the unit clauses of the simplified formula.
func (s *simplified) units() (lits []dimacs.Lit) {
	for _, c := range s.formula.Clauses() {
		if len(c) == 1 {
			lits = append(lits, c[0])
		}
	}
	return lits
}

// newSimplified returns the simplified formula of a simplification. The clauses of a model
// have no ids in the proof.
func newSimplified(s *portfolio.Simplification, r *RunRecord) *simplified {
	last := s.Last
	if s.IDs == nil {
		last = max(last, int64(s.Formula.Len()))
	}
	return &simplified{
		Simplification: s, formula: s.Formula, info: r.Formula, steps: r.Steps,
		numbers: session.Base{Clauses: s.Formula.Len(), IDs: s.IDs, Next: last + 1, Vars: s.Formula.Vars()},
	}
}

// simplify simplifies the formula, stores the objects and completes the record of the
// run.
func (c *coordinator) simplify(ctx context.Context, r *RunRecord) (*simplified, error) {
	o := c.o.Solver
	var steps *os.File
	var writer *proof.Writer
	if o.Proof = nil; c.o.segments() {
		var err error
		if steps, err = os.CreateTemp("", "sator-simplification-*"); err != nil {
			return nil, err
		}
		defer os.Remove(steps.Name())
		defer steps.Close()
		_ = os.Remove(steps.Name()) // where an open file allows it, a kill leaves no file
		writer = proof.NewWriter(steps, proof.BinaryLRAT, c.o.Formula.Len())
		o.Proof = writer
	}
	s := portfolio.Simplify(ctx, c.o.Formula, c.o.Cubes, simplifyRounds, o)
	if s == nil {
		return nil, context.Cause(ctx)
	}
	if writer != nil {
		if err := writer.Flush(); err != nil {
			return nil, fmt.Errorf("proof of the simplification: %w", err)
		}
		object, err := c.upload(ctx, "steps", func(w io.Writer) error {
			_, err := io.Copy(w, io.NewSectionReader(steps, 0, 1<<62))
			return err
		})
		if err != nil {
			return nil, err
		}
		r.Steps = &object
	}
	if err := c.storeSimplified(ctx, s, r); err != nil {
		return nil, err
	}
	return newSimplified(s, r), nil
}

// storeSimplified stores the simplified formula and its stack.
func (c *coordinator) storeSimplified(ctx context.Context, s *portfolio.Simplification, r *RunRecord) (err error) {
	f := &r.Formula
	f.Vars, f.Clauses, f.Literals = s.Formula.Vars(), s.Formula.Len(), int64(s.Formula.Size())
	if f.Object, err = c.upload(ctx, "formula", func(w io.Writer) error { return dimacs.Write(w, s.Formula) }); err != nil {
		return err
	}
	r.Stack, err = c.upload(ctx, "stack", s.Write)
	return err
}

// upload stores the output of write as an object of the run. It tries again until ctx
// ends.
func (c *coordinator) upload(ctx context.Context, kind string, write func(io.Writer) error) (o Object, err error) {
	name := kind + "-" + c.identity[:16]
	err = retry(ctx, func(ctx context.Context) error {
		r, w := io.Pipe()
		go func() { w.CloseWithError(write(w)) }()
		o, err = c.objects.put(ctx, name, r)
		r.CloseWithError(io.ErrClosedPipe)
		if err != nil {
			c.o.Log("object %s cannot be stored: %v", name, err)
		}
		return err
	})
	return o, err
}

// readSimplified reads the simplified formula of an earlier coordinator.
func (c *coordinator) readSimplified(ctx context.Context, r *RunRecord) (*simplified, error) {
	memory := c.o.Solver.Memory
	var f *dimacs.Formula
	err := c.readObject(ctx, r.Formula.Object, func(src io.Reader) (err error) {
		f, err = (&dimacs.Reader{Name: r.Formula.Name, Memory: memory}).Read(src)
		return err
	})
	if err != nil {
		return nil, err
	}
	if r.Segments != c.o.segments() || r.Formula.Vars != f.Vars() || r.Formula.Clauses != f.Len() || r.Formula.Literals != int64(f.Size()) {
		return nil, fmt.Errorf("key %s: its description of the run and of the object %s is wrong", KeyRun, r.Formula.Name)
	}
	var s *portfolio.Simplification
	err = c.readObject(ctx, r.Stack, func(src io.Reader) (err error) {
		s, err = portfolio.ReadSimplification(f, src, memory)
		return err
	})
	if err != nil {
		return nil, err
	}
	return newSimplified(s, r), nil
}

// readObject passes the bytes of an object to f, again if they cannot be read.
func (c *coordinator) readObject(ctx context.Context, o Object, f func(io.Reader) error) error {
	err := c.persist(ctx, func(ctx context.Context) error {
		r, err := c.objects.get(ctx, o)
		if err != nil {
			return err
		}
		defer r.Close()
		return f(bufio.NewReader(r))
	})
	if err != nil {
		return fmt.Errorf("object %s: %w", o.Name, err)
	}
	return nil
}
