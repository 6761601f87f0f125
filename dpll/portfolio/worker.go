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
	*conquerRun
	*cdcl.Solver
	proof *workerProof // nil without a proof
}

// A workerProof is the proof of a worker. It records the ids of unit clauses.
type workerProof struct {
	*solverProof
	units   map[dimacs.Lit][]int64 // ids of the unit clauses of a literal that the solver holds
	nextIDs []int64                // ids of the next clauses, if these are in the proof already
}

// Original implements [dimacs.Proof].
func (p *workerProof) Original(lits []dimacs.Lit) (id int64) {
	if len(p.nextIDs) > 0 {
		id, p.nextIDs = p.nextIDs[0], p.nextIDs[1:]
		p.retain(id, 1)
	} else {
		id = p.solverProof.Original(lits)
	}
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

// newWorker returns a worker with the clauses of the formula in its solver, or nil if
// ctx ends before. The proof and the exchange may be nil.
func (r *conquerRun) newWorker(ctx context.Context, proof *solverProof, e cdcl.Exchange) *worker {
	o := r.opts.Solver
	o.Proof, o.Learned, o.Activity, o.Progress, o.Exchange, o.OneShot = nil, nil, nil, nil, e, false
	w := &worker{conquerRun: r}
	if proof != nil {
		w.proof = &workerProof{solverProof: proof, units: map[dimacs.Lit][]int64{}}
		o.Proof = w.proof
		if e != nil {
			o.Exchange = unitExchange{e, w.proof}
		}
	}
	w.Solver = cdcl.New(o)
	w.Grow(r.vars)
	if !addFormula(ctx, w.Solver, r.formula) {
		return nil
	}
	return w
}

// work simplifies the formula with solver i and then solves cubes until there is no
// further cube.
func (r *conquerRun) work(ctx context.Context, i int) {
	var proof *solverProof
	if r.proof != nil {
		proof = &solverProof{sharedProof: r.proof, index: i}
	}
	var e cdcl.Exchange
	if r.opts.Threads > 1 && !r.opts.Alone {
		e = r.pool.ports[i]
	}
	w := r.newWorker(ctx, proof, e)
	if w == nil {
		return
	}
	if answer := w.Simplify(ctx, 1); answer == dimacs.Unsatisfiable {
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
		w.solve(cubeCtx, n)
	}
}

// solve solves the cube of a leaf.
func (w *worker) solve(ctx context.Context, n int32) {
	begin, before := time.Now(), w.Stats().Conflicts
	cube, tries := w.cubeOf(n)
	res := Result{Formula: w.checksum, Cube: cube}
	w.SetLimits(cdcl.Limits{Conflicts: w.opts.Budget << min(tries, 30)})
	res.Status = w.Solve(ctx, cube...)
	res.Conflicts = w.Stats().Conflicts - before
	switch res.Status {
	case dimacs.Satisfiable:
		res.Model = w.Model().Lits()
	case dimacs.Unsatisfiable:
		res.Failed = w.Failed()
		if w.proof != nil && len(res.Failed) > 0 {
			res.Clause = w.proof.failedClause(res.Failed)
		}
	default:
		res.Split = w.splitLiteral(ctx, cube)
	}
	res.Seconds = time.Since(begin).Seconds()
	w.finish(ctx, n, &res)
}

// splitLiteral returns the literal that look-ahead chooses to split a cube, or no
// literal if it finds none. All workers use the same look-ahead, on the simplified
// formula of the worker that needs it first.
func (w *worker) splitLiteral(ctx context.Context, assumed []dimacs.Lit) Literals {
	w.lookaheadMu.Lock()
	defer w.lookaheadMu.Unlock()
	if ctx.Err() != nil {
		return nil
	}
	if w.lookahead == nil {
		f := dimacs.NewFormula(w.vars)
		for c := range w.Simplified() {
			f.Add(c...)
		}
		w.lookahead = cube.NewLookahead(f)
	}
	l, ok := w.lookahead.Choose(ctx, assumed)
	if !ok || int(l>>1) >= w.vars || contains(assumed, l) || contains(assumed, l^1) {
		return nil
	}
	return Literals{l}
}
