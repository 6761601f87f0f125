package portfolio

import (
	"context"
	"fmt"
	"slices"
	"time"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/cube"
)

// A worker of a cube-and-conquer run solves cube after cube with one solver. The solver
// keeps its learned clauses. The proof of a worker differs from the proof of a solver
// in a race (shared_proof.go) in one respect: the clause of the failed assumptions of a
// cube must stay in the proof, and the worker needs its id. There are two cases.
//
//   - The solver derives the clause. It logs the clause as a lemma and deletes it at
//     once, because the solver itself does not use it. The deletion of the latest lemma
//     is delayed, and the worker cancels it.
//   - A literal of the cube is false at the root level, so the solver derives nothing.
//     Then the clause is the unit clause of the complement: an original clause, a
//     learned one or an imported one. So the proof of a worker records the ids of unit
//     clauses.

// A worker is a solver of a cube-and-conquer run.
type worker struct {
	run    *conquerRun
	solver *cdcl.Solver
	proof  *workerProof // nil without a proof
}

// A workerProof is the proof of a worker. It records the ids of unit clauses.
type workerProof struct {
	*solverProof
	units map[dimacs.Lit][]int64 // ids of the unit clauses of a literal that the solver holds
}

// Original implements [dimacs.Proof].
func (p *workerProof) Original(lits []dimacs.Lit) (id int64) {
	id = p.solverProof.Original(lits)
	p.addUnit(lits, id)
	return id
}

// Learn implements [dimacs.Proof].
func (p *workerProof) Learn(lits []dimacs.Lit, hints []int64) int64 {
	id := p.solverProof.Learn(lits, hints)
	p.addUnit(lits, id)
	return id
}

// addUnit records the id of a clause if it is a unit clause.
func (p *workerProof) addUnit(lits []dimacs.Lit, id int64) {
	if len(lits) == 1 {
		p.units[lits[0]] = append(p.units[lits[0]], id)
	}
}

// Delete implements [dimacs.Proof].
func (p *workerProof) Delete(id int64, lits []dimacs.Lit) {
	if len(lits) == 1 {
		ids := p.units[lits[0]]
		if i := slices.Index(ids, id); i >= 0 {
			p.units[lits[0]] = slices.Delete(ids, i, i+1)
		}
	}
	p.solverProof.Delete(id, lits)
}

// A unitExchange is an exchange that records imported unit clauses in the proof of a
// worker.
type unitExchange struct {
	cdcl.Exchange
	proof *workerProof
}

// Import implements [cdcl.Exchange].
func (e unitExchange) Import() (c cdcl.Shared, ok bool) {
	if c, ok = e.Exchange.Import(); ok {
		e.proof.addUnit(c.Lits, c.ID)
	}
	return c, ok
}

// failedClause returns the id of the clause of the failed assumptions of the last call
// of Solve. The clause is not deleted later.
func (p *workerProof) failedClause(failed []dimacs.Lit) int64 {
	if p.pending.id != 0 && negates(p.pending.lits, failed) {
		id := p.pending.id
		p.pending.id = 0
		return id
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
	return p.learn([]dimacs.Lit{unit}, hints)
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

// newWorker returns worker i with the clauses of the formula in its solver, or nil if ctx
// ends before. Worker number Threads, for checkCover, shares no clauses.
func (r *conquerRun) newWorker(ctx context.Context, i int) *worker {
	o := r.opts.Solver
	o.Proof, o.Learned, o.Activity, o.Progress, o.Exchange, o.OneShot = nil, nil, nil, nil, nil, false
	if i < r.opts.Threads && r.opts.Threads > 1 && !r.opts.Alone {
		o.Exchange = r.pool.ports[i]
	}
	w := &worker{run: r}
	if r.proof != nil {
		w.proof = &workerProof{solverProof: &solverProof{sharedProof: r.proof, index: i}, units: map[dimacs.Lit][]int64{}}
		o.Proof = w.proof
		if o.Exchange != nil {
			o.Exchange = unitExchange{o.Exchange, w.proof}
		}
	}
	w.solver = cdcl.New(o)
	w.solver.Grow(r.vars)
	if !addFormula(ctx, w.solver, r.formula) {
		return nil
	}
	return w
}

// work simplifies the formula with solver i and then solves cubes until there is no
// further cube.
func (r *conquerRun) work(ctx context.Context, i int) {
	w := r.newWorker(ctx, i)
	if w == nil {
		return
	}
	if answer := w.solver.Simplify(ctx, 1); answer == dimacs.Unsatisfiable {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.status = answer
		r.end()
		return
	}
	for {
		cubeCtx, n := r.nextCube(ctx)
		if n < 0 {
			return
		}
		res := w.solve(cubeCtx, n)
		r.finish(cubeCtx, n, res)
	}
}

// solve solves the cube of a leaf.
func (w *worker) solve(ctx context.Context, n int32) *Result {
	begin, before := time.Now(), w.solver.Stats().Conflicts
	cube, tries := w.run.cubeOf(n)
	res := &Result{Formula: w.run.checksum, Cube: cube}
	w.solver.SetLimits(cdcl.Limits{Conflicts: w.run.opts.Budget << min(tries, 30)})
	res.Status = w.solver.Solve(ctx, cube...)
	res.Conflicts = w.solver.Stats().Conflicts - before
	switch res.Status {
	case dimacs.Satisfiable:
		res.Model = w.solver.Model().Lits()
	case dimacs.Unsatisfiable:
		res.Failed = w.solver.Failed()
		if w.proof != nil && len(res.Failed) > 0 {
			res.Clause = w.proof.failedClause(res.Failed)
		}
	default:
		res.Split = w.splitLiteral(ctx, cube)
	}
	res.Seconds = time.Since(begin).Seconds()
	return res
}

// splitLiteral returns the literal that look-ahead chooses to split a cube, or no
// literal if it finds none. All workers use the same look-ahead, on the simplified
// formula of the worker that needs it first.
func (w *worker) splitLiteral(ctx context.Context, assumed []dimacs.Lit) Literals {
	r := w.run
	r.lookaheadMu.Lock()
	defer r.lookaheadMu.Unlock()
	if ctx.Err() != nil {
		return nil
	}
	if r.lookahead == nil {
		r.opts.Solver.Memory.Require(cube.Footprint(r.vars, r.formula.Len(), r.formula.Size()))
		f := dimacs.NewFormula(r.vars)
		for c := range w.solver.Simplified() {
			f.Add(c...)
		}
		r.lookahead = cube.NewLookahead(f)
	}
	l, ok := r.lookahead.Choose(ctx, assumed)
	if !ok || int(l>>1) >= r.vars || contains(assumed, l) || contains(assumed, l^1) {
		return nil
	}
	return Literals{l}
}
