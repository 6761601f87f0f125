package portfolio

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// Before a cube-and-conquer run on several machines, the formula is simplified once, and
// all workers start from the simplified formula. So the formula that is sent is smaller,
// the first simplification is done once, and its proof is written once. The simplified
// formula of a race (simplified.go) serves the same purpose, but stays bound to its
// solver; a [Simplification] has all data that a run needs, so that it can be stored and
// read by a coordinator that starts again.
//
//   - The variables of the cubes are frozen: neither eliminated nor substituted. So the
//     cubes mean the same for the simplified formula.
//   - The simplification runs with OneShot, so that with a proof too it has all passes:
//     no clause is added later to the solver, and steps of workers are appended to the
//     proof after all its steps. Later steps must not be RAT on a variable of the
//     simplified formula. The steps of a [Worker] are RUP.
//   - Extension variables of the simplification are variables of the simplified formula
//     like all others.
//   - Variables keep their numbers. A fixed variable is a unit clause of the simplified
//     formula, so that a cube with its complement is refuted.
//   - A clause of the simplified formula has the id that it has in the proof. The proof
//     has more clauses: those which the solver derived and still holds as redundant
//     clauses. They are not deleted, because more clauses never invalidate RUP steps.
//
// A model of the simplified formula extends to the original variables along the
// reconstruction stack (dimacs/stack.go). If the simplification finds a model or refutes
// the formula, it is the answer, and the simplified formula consists of the unit clauses
// of the model or of the empty clause.
//
// A simplification is stored as two texts. The formula is DIMACS CNF, as workers get it.
// The rest is a reconstruction stack in the format of package dimacs, which begins with a
// comment for the other fields, in JSON. Ids are ranges of consecutive numbers:
//
//	c {"format":"sator simplification 2","status":0,"vars":120,"last":900,"ids":[[4,7],[12,12],[30,815]]}
//	p stack 120 44

// A Simplification is the simplified formula of a cube-and-conquer run.
type Simplification struct {
	// Status is Unsatisfiable if the simplification refuted the formula, Satisfiable if
	// it found a model, and otherwise Unknown.
	Status dimacs.Status

	// Formula is the simplified formula. It has a model if and only if the original
	// formula has one, also under each cube. It may have extension variables.
	Formula *dimacs.Formula

	// IDs are the ids of the clauses of Formula in the proof. It is nil without a proof,
	// and if Status is Satisfiable.
	IDs []int64

	// Last is the highest id in the proof, or 0 without a proof.
	Last int64

	// Stack is the reconstruction stack, over the variables of Formula.
	Stack *dimacs.Formula

	// Vars is the number of variables of the original formula and the cubes, as far as
	// they occur.
	Vars int
}

// Simplify simplifies a formula for a cube-and-conquer run with these cubes, in at most
// this number of rounds. The options are those of the solver; Learned, Activity,
// Progress, Exchange and OneShot are ignored. A proof logs the clauses of f first. It
// returns nil if ctx ends before. It panics with an error value if the clauses exceed the
// limits of a solver or the memory.
func Simplify(ctx context.Context, f *dimacs.Formula, cubes [][]dimacs.Lit, rounds int, o cdcl.Options) *Simplification {
	o.Learned, o.Activity, o.Observer, o.Progress, o.Exchange, o.OneShot = nil, nil, nil, nil, nil, true
	var log *lastID
	if o.Proof != nil {
		log = &lastID{Proof: o.Proof}
		o.Proof = log
	}
	s := &Simplification{}
	for _, c := range f.Clauses() {
		s.growTo(c)
	}
	for _, c := range cubes {
		s.growTo(c)
	}
	solver := cdcl.New(o)
	solver.Grow(s.Vars)
	if !addFormula(ctx, solver, f) {
		return nil
	}
	for _, c := range cubes {
		solver.Freeze(c...)
	}
	s.Status = solver.Simplify(ctx, rounds)
	requireSpace(solver)
	if ctx.Err() != nil && s.Status == dimacs.Unknown {
		return nil
	}
	s.collect(solver, log, o.Memory)
	return s
}

// growTo raises Vars to the variables of the given literals.
func (s *Simplification) growTo(lits []dimacs.Lit) {
	for _, l := range lits {
		s.Vars = max(s.Vars, int(l>>1)+1)
	}
}

// A lastID is a proof that records the highest id and the id of the empty clause.
type lastID struct {
	dimacs.Proof
	last, empty int64
}

// Original implements [dimacs.Proof].
func (p *lastID) Original(lits []dimacs.Lit) int64 { return p.record(lits, p.Proof.Original(lits)) }

// Learn implements [dimacs.Proof].
func (p *lastID) Learn(lits []dimacs.Lit, hints []int64) int64 {
	return p.record(lits, p.Proof.Learn(lits, hints))
}

func (p *lastID) record(lits []dimacs.Lit, id int64) int64 {
	p.last = max(p.last, id) // a proof may number all clauses of the formula first
	if len(lits) == 0 && p.empty == 0 {
		p.empty = id
	}
	return id
}

// collect copies the result of the solver. The log is nil without a proof.
func (s *Simplification) collect(solver *cdcl.Solver, log *lastID, memory dimacs.MemoryLimit) {
	vars := solver.Stats().Vars
	s.Formula, s.Stack = dimacs.NewFormula(vars), dimacs.NewFormula(vars)
	if log != nil {
		s.Last = log.last
	}
	switch s.Status {
	case dimacs.Satisfiable:
		s.Formula, s.Stack = dimacs.NewFormula(s.Vars), dimacs.NewFormula(s.Vars)
		for _, l := range solver.Model()[:s.Vars].Lits() {
			s.Formula.Add(l)
		}
		return
	case dimacs.Unsatisfiable:
		s.Formula.Add()
		if log != nil {
			s.IDs = []int64{log.empty}
		}
		return
	}
	memory.Require(copySize(solver.Simplified(), log != nil) + copySize(solver.ReconstructionStack(), false))
	for c, id := range cdcl.LeaderOf(solver).Clauses() {
		s.Formula.Add(c...)
		if log != nil {
			s.IDs = append(s.IDs, id)
		}
	}
	for c := range solver.ReconstructionStack() {
		s.Stack.Add(c...)
	}
}

// copySize returns the bytes of a formula with the given clauses, and of their ids.
func copySize(clauses func(func([]dimacs.Lit) bool), ids bool) (bytes int64) {
	perClause := int64(8)
	if ids {
		perClause += 8
	}
	for c := range clauses {
		bytes += perClause + 4*int64(len(c))
	}
	return bytes
}

// Extend extends a model of Formula to a model of the original formula.
func (s *Simplification) Extend(m dimacs.Model) dimacs.Model {
	return m.Reconstruct(s.Stack)[:s.Vars]
}

// Write writes all fields but Formula, which [dimacs.Write] writes. The text is a
// reconstruction stack, from which "sator extend" extends models of Formula too.
func (s *Simplification) Write(w io.Writer) error {
	h := simplificationHeader{simplificationFormat, s.Status, s.Vars, s.Last, nil}
	for _, id := range s.IDs {
		if k := len(h.IDs) - 1; k >= 0 && h.IDs[k][1]+1 == id {
			h.IDs[k][1] = id
		} else {
			h.IDs = append(h.IDs, [2]int64{id, id})
		}
	}
	b, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return dimacs.WriteReconstruction(w, s.Stack, string(b))
}

// A simplificationHeader is the first comment of a stored simplification.
type simplificationHeader struct {
	Format string        `json:"format"`
	Status dimacs.Status `json:"status"`
	Vars   int           `json:"vars"`
	Last   int64         `json:"last"`
	IDs    [][2]int64    `json:"ids,omitempty"` // first and last id of ranges
}

// simplificationFormat is the value of Format.
const simplificationFormat = "sator simplification 2"

// ReadSimplification reads what [Simplification.Write] has written. The formula is
// Formula, and the memory limit is asked before large allocations. The text must be
// complete and fit the formula; otherwise ReadSimplification returns an error.
func ReadSimplification(formula *dimacs.Formula, src io.Reader, memory dimacs.MemoryLimit) (*Simplification, error) {
	s := &Simplification{Formula: formula}
	if err := s.read(bufio.NewReader(src), memory); err != nil {
		return nil, fmt.Errorf("simplification: %w", err)
	}
	return s, nil
}

// read reads the header and the stack.
func (s *Simplification) read(in *bufio.Reader, memory dimacs.MemoryLimit) error {
	line, err := in.ReadBytes('\n')
	if err != nil {
		return err
	}
	h := simplificationHeader{Vars: -1, Last: -1}
	if err := json.Unmarshal(bytes.TrimPrefix(line, []byte("c ")), &h); err != nil {
		return err
	}
	if h.Format != simplificationFormat {
		return errors.New("not a simplification of this version")
	}
	s.Status, s.Vars, s.Last = h.Status, h.Vars, h.Last
	if err := s.setIDs(h.IDs, memory); err != nil {
		return err
	}
	if s.Stack, err = (&dimacs.Reader{Memory: memory}).ReadReconstruction(in); err != nil {
		return err
	}
	return s.check()
}

// setIDs sets the ids of the clauses to those in ranges.
func (s *Simplification) setIDs(ranges [][2]int64, memory dimacs.MemoryLimit) error {
	if len(ranges) == 0 {
		return nil
	}
	size := 8 * int64(s.Formula.Len())
	if !memory.Allows(size) {
		return &dimacs.MemoryError{Bytes: size}
	}
	s.IDs = make([]int64, 0, s.Formula.Len())
	for _, r := range ranges {
		switch {
		case r[0] < 1 || r[1] < r[0] || r[1] > s.Last:
			return fmt.Errorf("ids %d to %d are not between 1 and the last id %d", r[0], r[1], s.Last)
		case r[1]-r[0] >= int64(s.Formula.Len()-len(s.IDs)):
			return fmt.Errorf("more ids than the %d clauses of the formula", s.Formula.Len())
		}
		for id := r[0]; id <= r[1]; id++ {
			s.IDs = append(s.IDs, id)
		}
	}
	return nil
}

// check returns an error if fields are missing or do not fit each other.
func (s *Simplification) check() error {
	switch {
	case s.Status != dimacs.Unknown && s.Status != dimacs.Satisfiable && s.Status != dimacs.Unsatisfiable:
		return fmt.Errorf("unknown status %d", s.Status)
	case s.Last < 0 || s.Vars < 0:
		return errors.New("its numbers of variables and clauses are missing")
	case s.Stack.Vars() != s.Formula.Vars() || s.Vars > s.Formula.Vars():
		return fmt.Errorf("it has %d variables and a stack of %d, and the formula has %d", s.Vars, s.Stack.Vars(), s.Formula.Vars())
	case s.Last > 0 && s.Status != dimacs.Satisfiable && len(s.IDs) != s.Formula.Len():
		return fmt.Errorf("it has ids of %d clauses, and the formula has %d", len(s.IDs), s.Formula.Len())
	}
	return nil
}
