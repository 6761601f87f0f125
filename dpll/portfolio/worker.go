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

// A worker of a conquest takes cube after cube to its solver, which keeps what it
// learns. To the proof it is one solver of many (ledger.go), with one difference: the
// clause that says which literals of a cube failed has to stay, and to be known by its
// id. There are two kinds of it.
//
//   - The solver has derived it. It tells the proof that clause and at once deletes it,
//     since it has no use for it itself. The deletion of the latest clause waits in the
//     view of the proof, and there it is given up.
//   - One literal of the cube is false at the root, so that nothing had to be derived.
//     Then it is the unit clause that is wanted, however it came about: given, learned,
//     or taken over from another solver. So a worker takes note of unit clauses.

// A worker is a solver of a conquest.
type worker struct {
	*conquerRun
	*cdcl.Solver
	proof *workerProof // nil without a proof
}

// A workerProof is the proof of a worker, which knows its unit clauses by their ids.
type workerProof struct {
	*solverProof
	units map[dimacs.Lit][]int64 // all that it holds; several may say the same
	given []int64                // ids of the clauses that come next, which the proof has
}

// Original implements [dimacs.Proof].
func (h *workerProof) Original(lits []dimacs.Lit) (id int64) {
	if len(h.given) > 0 {
		id, h.given = h.given[0], h.given[1:]
		h.retain(id, 1)
	} else {
		id = h.solverProof.Original(lits)
	}
	h.addUnit(lits, id)
	return id
}

// Learn implements [dimacs.Proof].
func (h *workerProof) Learn(lits []dimacs.Lit, hints []int64) int64 {
	id := h.solverProof.Learn(lits, hints)
	h.addUnit(lits, id)
	return id
}

func (h *workerProof) addUnit(lits []dimacs.Lit, id int64) {
	if len(lits) == 1 {
		h.units[lits[0]] = append(h.units[lits[0]], id)
	}
}

// Delete implements [dimacs.Proof].
func (h *workerProof) Delete(id int64, lits []dimacs.Lit) {
	if len(lits) == 1 {
		ids := h.units[lits[0]]
		if i := slices.Index(ids, id); i >= 0 {
			h.units[lits[0]] = slices.Delete(ids, i, i+1)
		}
	}
	h.solverProof.Delete(id, lits)
}

// negates reports whether a clause has the complements of these literals.
func negates(clause, lits []dimacs.Lit) bool {
	for _, l := range lits {
		if !contains(clause, l^1) {
			return false
		}
	}
	return len(clause) == len(lits)
}

// A unitExchange is an exchange from which the proof of a worker learns of unit clauses too.
type unitExchange struct {
	cdcl.Exchange
	proof *workerProof
}

// Import implements [cdcl.Exchange].
func (n unitExchange) Import() (c cdcl.Shared, ok bool) {
	if c, ok = n.Exchange.Import(); ok {
		n.proof.addUnit(c.Lits, c.ID)
	}
	return c, ok
}

// failedClause returns the id of the clause which says that assumptions failedClause each
// other, as the solver has just found out. The clause stays.
func (h *workerProof) failedClause(failed []dimacs.Lit) int64 {
	if h.pending.id != 0 && negates(h.pending.lits, failed) { // it was learned, and its deletion waits
		id := h.pending.id
		h.pending.id = 0
		return id
	}
	unit := failed[0] ^ 1 // it is false at the root
	var hints []int64
	if h.hints {
		ids := h.units[unit]
		if len(ids) == 0 {
			panic(fmt.Sprintf("portfolio: %v failed, and no clause says so", unit^1))
		}
		hints = ids[:1]
	}
	return h.learn([]dimacs.Lit{unit}, hints)
}

// newWorker returns a solver with the formula, or nil if ctx ends before.
func (q *conquerRun) newWorker(ctx context.Context, v *solverProof, e cdcl.Exchange) *worker {
	o := q.opts.Solver
	o.Proof, o.Learned, o.Activity, o.Progress, o.Exchange, o.OneShot = nil, nil, nil, nil, e, false
	w := &worker{conquerRun: q}
	if v != nil {
		w.proof = &workerProof{solverProof: v, units: map[dimacs.Lit][]int64{}}
		o.Proof = w.proof
		if e != nil {
			o.Exchange = unitExchange{e, w.proof}
		}
	}
	w.Solver = cdcl.New(o)
	w.Grow(q.vars)
	w.Reserve(q.formula.Len(), q.formula.Size())
	for i, c := range q.formula.Clauses() {
		if i%addInterval == 0 && ctx.Err() != nil {
			return nil
		}
		w.Add(c...)
	}
	return w
}

// work has solver i take cubes as long as there are any.
func (q *conquerRun) work(ctx context.Context, i int) {
	var v *solverProof
	if q.proof != nil {
		v = &solverProof{sharedProof: q.proof, index: i}
	}
	var e cdcl.Exchange
	if q.opts.Threads > 1 && !q.opts.Alone {
		e = q.pool.ports[i]
	}
	w := q.newWorker(ctx, v, e)
	if w == nil {
		return
	}
	if answer := w.Simplify(ctx, 1); answer == dimacs.Unsatisfiable {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.status = answer
		q.end()
		return
	}
	for {
		cubeCtx, n := q.nextCube(ctx)
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
	r := Result{Formula: w.checksum, Cube: cube}
	w.SetLimits(cdcl.Limits{Conflicts: w.opts.Budget << min(tries, 30)})
	r.Status = w.Solve(ctx, cube...)
	r.Conflicts = w.Stats().Conflicts - before
	switch r.Status {
	case dimacs.Satisfiable:
		r.Model = w.Model().Lits()
	case dimacs.Unsatisfiable:
		r.Failed = w.Failed()
		if w.proof != nil && len(r.Failed) > 0 {
			r.Clause = w.proof.failedClause(r.Failed)
		}
	default:
		r.Split = w.splitLiteral(ctx, cube)
	}
	r.Seconds = time.Since(begin).Seconds()
	w.finish(ctx, n, &r)
}

// splitLiteral returns the literal by which a cube is to be split, or none.
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
