package portfolio

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// A worker of a cube-and-conquer run solves cube after cube with one solver, which keeps
// its learned clauses. The proof of a worker may be any proof: a file, a checker, its
// part of a shared proof (shared_proof.go), or a segment that another machine appends to
// the proof. A [workerProof] stands between the solver and that proof, for the following
// reasons.
//
//   - The clause of the failed assumptions of a cube must stay in the proof, and the
//     worker needs its id. Usually the solver derives that clause: it logs the clause as
//     a lemma and deletes it at once, because the solver itself does not use it. The
//     deletion of the latest lemma is delayed, and the worker cancels it.
//   - If a literal of the cube is false at the root level, the solver derives nothing.
//     Then the clause is the unit clause of the complement: an original clause, a learned
//     one or an imported one. So the proof of a worker records the ids of unit clauses,
//     and the worker learns the unit clause again.
//   - Clauses of the formula are not deleted. Later solvers need them: the solvers of a
//     resumed run, and the solver that ends the proof if the cubes form no tree.
//   - Exported clauses may be needed by workers whose steps come later in the proof.
//     Unless the proof counts references, these clauses must be pinned.

// WorkerOptions configure a [Worker].
type WorkerOptions struct {
	// Solver has the options of the solver. Its Proof and Exchange may be nil. Its
	// Learned, Activity, Progress and OneShot are ignored.
	Solver cdcl.Options

	// Vars is the least number of variables of the solver. Cubes may have variables that
	// the formula lacks. Cubes are split by variables below Vars or of the formula.
	Vars int

	// Splitter chooses the literals by which cubes are split. Nil stands for a Splitter
	// of the worker's own.
	Splitter *Splitter

	// Pin, if not nil, is called with each clause before it is exported. If it returns
	// true, the clause is never deleted from the proof.
	Pin func(cdcl.Shared) bool
}

// A Worker solves cubes of a formula one after the other with one solver, which keeps its
// learned clauses. It must not be used by several goroutines at the same time.
type Worker struct {
	solver   *cdcl.Solver
	proof    *workerProof // nil without a proof
	splitter *Splitter
	memory   dimacs.MemoryLimit
	vars     int
	refuted  bool // the formula is refuted
}

// NewWorker returns a worker for the cubes of f, which is not used any more when
// NewWorker returns. It adds the clauses to a solver and simplifies them. It returns nil
// if ctx ends before the clauses are added. It panics with an error value if the clauses
// exceed the limits of a solver or the memory.
func NewWorker(ctx context.Context, f *dimacs.Formula, o WorkerOptions) *Worker {
	w := &Worker{splitter: o.Splitter, memory: o.Solver.Memory, vars: max(o.Vars, f.Vars())}
	if w.splitter == nil {
		w.splitter = new(Splitter)
	}
	w.solver = cdcl.New(w.solverOptions(o))
	w.solver.Grow(o.Vars)
	if !addFormula(ctx, w.solver, f) {
		return nil
	}
	w.refuted = w.solver.Simplify(ctx, 1) == dimacs.Unsatisfiable
	requireSpace(w.solver)
	return w
}

// requireSpace panics with the error of the solver if it has one: if its clauses exceed the limits.
func requireSpace(s *cdcl.Solver) {
	if err := s.Err(); err != nil {
		panic(err)
	}
}

// solverOptions returns the options of the solver, and sets the proof of the worker.
func (w *Worker) solverOptions(o WorkerOptions) cdcl.Options {
	s := o.Solver
	s.Learned, s.Activity, s.Observer, s.Progress, s.OneShot = nil, nil, nil, nil, false
	if s.Proof == nil {
		return s
	}
	w.proof = newWorkerProof(s.Proof)
	s.Proof = w.proof
	if s.Exchange != nil {
		s.Exchange = workerExchange{s.Exchange, w.proof, o.Pin}
	}
	return s
}

// Refuted reports whether the formula itself is refuted. Then Solve returns Unsatisfiable
// for each cube, without failed literals.
func (w *Worker) Refuted() bool { return w.refuted }

// Stats returns the statistics of the solver.
func (w *Worker) Stats() cdcl.Stats { return w.solver.Stats() }

// Solve solves the cube of a task and returns its result. If the budget is used up, the
// result has a literal to split by; if look-ahead finds no literal, Solve goes on with
// twice the budget. If ctx ends before there is an answer, the Status is Unknown and
// there is no literal. Solve panics with an error value if the clauses exceed the limits of
// the solver or the memory.
//
// With a proof, the Clause of a refutation is the id of a clause that is not deleted
// later: the clause that negates the failed literals, or the empty clause if there is no
// failed literal.
func (w *Worker) Solve(ctx context.Context, t Task) Result {
	begin, before := time.Now(), w.solver.Stats().Conflicts
	r := Result{Formula: t.Formula, Cube: t.Cube}
	for budget := t.Budget; ; budget *= 2 {
		w.solver.SetLimits(cdcl.Limits{Conflicts: budget})
		r.Status = w.solver.Solve(ctx, t.Cube...)
		requireSpace(w.solver)
		if r.Status == dimacs.Unknown {
			r.Split = w.splitLiteral(ctx, t.Cube)
		}
		if r.Status != dimacs.Unknown || len(r.Split) > 0 || ctx.Err() != nil {
			break
		}
	}
	switch r.Status {
	case dimacs.Satisfiable:
		r.Model = w.solver.Model().Lits()
	case dimacs.Unsatisfiable:
		r.Failed = w.solver.Failed()
		w.refuted = len(r.Failed) == 0
		if w.proof != nil {
			r.Clause = w.proof.failedClause(r.Failed)
		}
	}
	r.Conflicts, r.Seconds = w.solver.Stats().Conflicts-before, time.Since(begin).Seconds()
	return r
}

// splitLiteral returns the literal to split a cube by, or no literal if there is none.
func (w *Worker) splitLiteral(ctx context.Context, assumed []dimacs.Lit) Literals {
	l, ok := w.splitter.choose(ctx, w.solver, w.memory, assumed)
	if !ok || int(l>>1) >= w.vars || contains(assumed, l) || contains(assumed, l^1) {
		return nil
	}
	return Literals{l}
}

// A workerProof is the proof of a worker. See the essay at the beginning of this file.
type workerProof struct {
	dimacs.Proof
	hints   bool
	inputs  idSet                  // ids of the clauses of the formula
	units   map[dimacs.Lit][]int64 // ids of the unit clauses of a literal that the solver holds
	pinned  map[int64]bool         // ids of exported clauses that must not be deleted
	empty   int64                  // id of the empty clause, or 0
	last    int64                  // id of the latest lemma
	delayed bool                   // the deletion of the latest lemma is delayed
	lits    []dimacs.Lit           // of that lemma
}

func newWorkerProof(to dimacs.Proof) *workerProof {
	return &workerProof{Proof: to, hints: to.Hints(), units: map[dimacs.Lit][]int64{}, pinned: map[int64]bool{}}
}

// Hints implements [dimacs.Proof].
func (p *workerProof) Hints() bool { return p.hints }

// Original implements [dimacs.Proof].
func (p *workerProof) Original(lits []dimacs.Lit) int64 {
	id := p.Proof.Original(lits)
	p.inputs.add(id)
	p.record(lits, id)
	return id
}

// Learn implements [dimacs.Proof].
func (p *workerProof) Learn(lits []dimacs.Lit, hints []int64) int64 {
	p.deleteDelayed()
	p.last = p.Proof.Learn(lits, hints)
	p.record(lits, p.last)
	return p.last
}

// record records the id of a clause if it is a unit clause or the empty clause.
func (p *workerProof) record(lits []dimacs.Lit, id int64) {
	switch len(lits) {
	case 0:
		p.empty = id
	case 1:
		p.units[lits[0]] = append(p.units[lits[0]], id)
	}
}

// Delete implements [dimacs.Proof].
func (p *workerProof) Delete(id int64, lits []dimacs.Lit) {
	p.deleteDelayed()
	if p.inputs.contains(id) || p.pinned[id] {
		return
	}
	if len(lits) == 1 {
		ids := p.units[lits[0]]
		if i := slices.Index(ids, id); i >= 0 {
			p.units[lits[0]] = slices.Delete(ids, i, i+1)
		}
	}
	if id == p.last {
		p.delayed, p.lits = true, append(p.lits[:0], lits...)
		return
	}
	p.Proof.Delete(id, lits)
}

// deleteDelayed carries out the deletion that is delayed, if there is one.
func (p *workerProof) deleteDelayed() {
	if p.delayed {
		p.delayed = false
		p.Proof.Delete(p.last, p.lits)
	}
}

// failedClause returns the id of the clause of the failed assumptions of the last call
// of Solve, or of the empty clause if the formula is refuted. The clause is not deleted
// later.
func (p *workerProof) failedClause(failed []dimacs.Lit) int64 {
	if len(failed) == 0 {
		return p.empty
	}
	if p.delayed && negates(p.lits, failed) {
		p.delayed = false
		return p.last
	}
	unit := failed[0] ^ 1 // true at the root level
	var hints []int64
	if p.hints {
		ids := p.units[unit]
		if len(ids) == 0 {
			panic(fmt.Sprintf("portfolio: the proof has no clause for the failed assumption %v", unit^1))
		}
		hints = ids[:1]
	}
	p.deleteDelayed()
	return p.Proof.Learn([]dimacs.Lit{unit}, hints)
}

// An idSet is a set of ids in ranges. Most often the clauses of a formula have consecutive
// ids; those of a simplified formula are in any order.
type idSet struct {
	ranges []idRange
	sorted int // number of ranges in front that are sorted
}

type idRange struct{ first, last int64 }

// add adds an id that is not in the set.
func (s *idSet) add(id int64) {
	if k := len(s.ranges); k > 0 && s.ranges[k-1].last+1 == id {
		s.ranges[k-1].last = id
		return
	}
	s.ranges = append(s.ranges, idRange{id, id})
}

// contains reports whether id is in the set. The id added last is found at once. Any
// other id sorts the ranges if some were added.
func (s *idSet) contains(id int64) bool {
	if k := len(s.ranges); k == 0 || s.ranges[k-1].last == id {
		return k > 0
	}
	if s.sorted < len(s.ranges) {
		slices.SortFunc(s.ranges, func(a, b idRange) int { return cmp.Compare(a.first, b.first) })
		s.sorted = len(s.ranges)
	}
	k, found := slices.BinarySearchFunc(s.ranges, id, func(r idRange, id int64) int { return cmp.Compare(r.first, id) })
	return found || k > 0 && id <= s.ranges[k-1].last
}

// negates reports whether a clause consists of the complements of the given literals.
func negates(clause, lits []dimacs.Lit) bool {
	for _, l := range lits {
		if !contains(clause, l^1) {
			return false
		}
	}
	return len(clause) == len(lits)
}

// A workerExchange is an exchange that records imported unit clauses and pins exported
// clauses in the proof of a worker.
type workerExchange struct {
	cdcl.Exchange
	proof *workerProof
	pin   func(cdcl.Shared) bool // may be nil
}

// Import implements [cdcl.Exchange].
func (e workerExchange) Import() (c cdcl.Shared, ok bool) {
	if c, ok = e.Exchange.Import(); ok {
		e.proof.record(c.Lits, c.ID)
	}
	return c, ok
}

// Export implements [cdcl.Exchange].
func (e workerExchange) Export(c cdcl.Shared) bool {
	pinned := e.pin != nil && e.pin(c)
	if pinned {
		e.proof.pinned[c.ID] = true
	}
	return e.Exchange.Export(c) || pinned
}
