package grid

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"sator/cmd/internal/grid/session"
	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
)

// A run ends in one of four ways: the simplification has solved the formula, a worker has
// sent a model, the refutations of the cubes
// refute the formula, or the cubes form no tree and a solver of the coordinator decides
// whether there is a model outside of them.
//
// A model counts when the coordinator has extended it along the reconstruction stack and
// evaluated it on the original formula; a wrong model excludes its worker. A refutation
// counts when all its results are in ACCEPTED, so that the order of its proof is stored.
// Then the key "answer" is created, and the workers are told to end.
//
// The proof is written after the end, on demand. It needs a second run of the last solver
// if the cubes form no tree.

// An ending is the state of the end of a run.
type ending struct {
	begun   bool // the answer is known, or the last solver runs
	over    bool // the answer is stored
	status  dimacs.Status
	model   dimacs.Model
	closing bool // the last solver has run
	cover   []portfolio.Refutation
	record  AnswerRecord
}

// verifyModel evaluates the model of a result in a goroutine.
func (c *coordinator) verifyModel(r *record) {
	c.goroutines.Go(func() {
		var m dimacs.Model
		err := retry(c.ctx, func(ctx context.Context) error {
			lits, err := c.modelLiterals(ctx, r.msg)
			if err != nil {
				return err
			}
			m = c.extend(lits)
			return nil
		})
		if err == nil && c.ctx.Err() == nil {
			c.inbox.post(func() { c.modelVerified(r, m) })
		}
	})
}

// modelLiterals returns the literals of a model. Malformed literals are returned as a
// model without literals; an error is one that may pass.
func (c *coordinator) modelLiterals(ctx context.Context, m *ResultMessage) ([]dimacs.Lit, error) {
	if m.Model == nil {
		return m.Result.Model, nil
	}
	const longest = 12 // bytes of a literal as text
	text, err := c.objects.getBytes(ctx, *m.Model, longest*int64(c.base.formula.Vars())+2)
	var wrong *objectError
	if errors.As(err, &wrong) || errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var lits portfolio.Literals
	if json.Unmarshal(text, &lits) != nil {
		return nil, nil
	}
	return lits, nil
}

// extend returns the model of the formula in which the literals of the simplified formula
// are true, or nil if they are no model of it.
func (c *coordinator) extend(lits []dimacs.Lit) dimacs.Model {
	m := make(dimacs.Model, c.base.formula.Vars())
	for _, l := range lits {
		if int(l.Var()) >= len(m) {
			return nil
		}
		m.Set(l)
	}
	if m = c.base.extend(m); m.Falsified(c.o.Formula) >= 0 {
		return nil
	}
	return m
}

// modelVerified ends the run with a model, or excludes the worker that sent a wrong one.
func (c *coordinator) modelVerified(r *record, m dimacs.Model) {
	switch {
	case m != nil && c.ending.model == nil:
		c.ending.model = m
		c.ending.record.Worker, c.ending.record.Cube = r.msg.Worker, r.hash
	case m == nil:
		c.exclude(r.msg.Worker, "its model of a cube falsifies the formula")
		c.refuse(r, errors.New("its model falsifies the formula"))
	}
}

// end ends the run if there is an answer, and starts the last solver if it is needed.
func (c *coordinator) end() {
	e := &c.ending
	stored := len(c.accepted.batch) == 0
	switch {
	case e.begun:
	case c.base.Status == dimacs.Unsatisfiable:
		c.conclude(dimacs.Unsatisfiable)
	case e.model != nil:
		c.conclude(dimacs.Satisfiable)
	case c.tree.Status() == dimacs.Unsatisfiable && stored:
		c.conclude(dimacs.Unsatisfiable)
	case c.tree.Status() == dimacs.Unknown && stored && c.tree.Done() && len(c.tasks.byHash) == 0:
		e.begun, e.closing = true, true
		e.cover = c.tree.Cover()
		c.phase.Store("closing")
		c.goroutines.Go(c.solveRest)
	}
}

// solveRest decides whether the formula has a model outside of the cubes.
func (c *coordinator) solveRest() {
	status, model, err := solveRest(c.ctx, c.base.formula, c.ending.cover, c.restOptions())
	c.inbox.post(func() {
		switch {
		case err != nil:
			c.fail(err)
		case status == dimacs.Satisfiable:
			if c.ending.model = c.extend(model.Lits()); c.ending.model == nil {
				panic("grid: the model outside of the cubes falsifies the formula")
			}
			c.conclude(status)
		case status == dimacs.Unsatisfiable:
			c.conclude(status)
		}
	})
}

// restOptions returns the options of the last solver.
func (c *coordinator) restOptions() cdcl.Options {
	o := c.o.Solver
	o.Proof, o.Learned, o.Activity, o.Observer, o.Progress, o.Exchange, o.OneShot = nil, nil, nil, nil, nil, nil, false
	return o
}

// solveRest solves a formula together with the clauses that refute cubes. The options may
// have a proof in which these clauses follow those of the formula.
func solveRest(ctx context.Context, f *dimacs.Formula, cover []portfolio.Refutation, o cdcl.Options) (status dimacs.Status, m dimacs.Model, err error) {
	defer catchLimit(&err)
	s := cdcl.New(o)
	s.AddFormula(f)
	for _, r := range cover {
		s.Add(r.Clause...)
	}
	status = s.Solve(ctx)
	if status == dimacs.Satisfiable {
		m = s.Model()
	}
	return status, m, s.Err()
}

// conclude stores the answer, and then tells the workers to end.
func (c *coordinator) conclude(status dimacs.Status) {
	e := &c.ending
	e.begun, e.status = true, status
	e.record.Version, e.record.Run, e.record.Status = Version, c.identity, status
	value := Encode(&e.record)
	tasks := c.tasks.stream
	c.goroutines.Go(func() {
		var other error
		err := retry(c.ctx, func(ctx context.Context) error {
			_, err := c.state.Create(ctx, KeyAnswer, value)
			if errors.Is(err, jetstream.ErrKeyExists) {
				other, err = c.compareAnswer(ctx, status)
			}
			return err
		})
		if err == nil && tasks != nil {
			tasks.Purge(c.ctx) // workers find no further task
		}
		c.inbox.post(func() {
			if other != nil {
				c.fail(other)
			}
			if err == nil && other == nil {
				c.workers.cancel.Stop = "the run has ended: " + status.String()
				c.sendCancels()
				c.nc.Flush()
				c.phase.Store("done")
				e.over = true
			}
		})
	})
}

// compareAnswer returns an error as wrong if an earlier coordinator stored the opposite
// answer.
func (c *coordinator) compareAnswer(ctx context.Context, status dimacs.Status) (wrong, err error) {
	entry, err := c.state.Get(ctx, KeyAnswer)
	if err != nil {
		return nil, err
	}
	a := new(AnswerRecord)
	if err := Decode(entry.Value(), a); err != nil {
		return fmt.Errorf("key %s: %w", KeyAnswer, err), nil
	}
	if a.Status != status || a.Run != c.identity {
		return fmt.Errorf("the stored answer is %v, and the results say %v", a.Status, status), nil
	}
	return nil, nil
}

// answer returns the answer of a run that is over.
func (c *coordinator) answer() *Answer {
	a := &Answer{Status: c.ending.status, Model: c.ending.model, Stats: c.tree.Stats()}
	a.Stats.Closing = c.ending.closing
	if c.o.segments() && a.Status == dimacs.Unsatisfiable {
		a.run = c
	}
	return a
}

// WriteProof writes the proof of an unsatisfiable formula to an empty proof: the
// coordinator's simplification, the segments of the workers in the order of acceptance,
// the resolvents of the tree, and a proof that the cubes cover everything if they form no
// tree. The connection of [Serve] must still be open. WriteProof returns an error if the
// run kept no segments, if the formula was not refuted, or if a segment cannot be read.
func (a *Answer) WriteProof(ctx context.Context, to dimacs.Proof) (err error) {
	if a.run == nil {
		return errors.New("the run has no proof")
	}
	defer catchLimit(&err)
	o := session.MergeOptions{Literals: true, Memory: a.run.o.Solver.Memory}
	if w, ok := to.(*proof.Writer); ok && w.Hints() { // LRAT deletes clauses by their ids
		o.Literals = false
	}
	return a.run.writeProof(ctx, to, o)
}

// writeProof writes the proof of a run that is over.
func (c *coordinator) writeProof(ctx context.Context, to dimacs.Proof, o session.MergeOptions) error {
	m, err := session.NewMerger(to, c.o.Formula, c.base.numbers, o)
	if err != nil {
		return err
	}
	if c.base.steps != nil && !m.Refuted() {
		r, err := c.objects.get(ctx, *c.base.steps)
		if err == nil {
			err = m.Simplification(ctx, r)
			r.Close()
		}
		if err != nil {
			return fmt.Errorf("simplification: %w", err)
		}
	}
	if err := c.writeSegments(ctx, m); err != nil {
		return err
	}
	if err := m.Resolvents(&c.accepted.resolvents); err != nil {
		return err
	}
	if c.ending.closing && !m.Refuted() {
		if err := c.writeRest(ctx, m); err != nil {
			return err
		}
	}
	if !m.Refuted() {
		return errors.New("the accepted results do not refute the formula")
	}
	return nil
}

// writeSegments writes the segments in the order of acceptance.
func (c *coordinator) writeSegments(ctx context.Context, m *session.Merger) error {
	last := map[string]int{} // by session: index of its last result
	for i, a := range c.accepted.order {
		last[a.session] = i
	}
	for i, a := range c.accepted.order {
		if m.Refuted() {
			return nil
		}
		if err := c.writeResult(ctx, m, a); err != nil {
			return fmt.Errorf("result %d: %w", a.seq, err)
		}
		if last[a.session] == i {
			m.EndSession(a.session)
		}
	}
	return nil
}

// writeResult writes the segments of a result.
func (c *coordinator) writeResult(ctx context.Context, m *session.Merger, a acceptedRef) error {
	var raw *jetstream.RawStreamMsg
	err := c.persist(ctx, func(ctx context.Context) (err error) {
		raw, err = c.objects.message(ctx, c.names.ResultsStream(), a.seq)
		return err
	})
	if err != nil {
		return err
	}
	msg := new(ResultMessage)
	if err := Decode(raw.Data, msg); err != nil {
		return err
	}
	for i := range msg.Segments {
		s := &msg.Segments[i]
		r, err := s.open(ctx, c.objects)
		if err == nil {
			err = m.Segment(ctx, a.session, s.Header, r)
			r.Close()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeRest writes the proof of the last solver, which solves its formula again.
func (c *coordinator) writeRest(ctx context.Context, m *session.Merger) error {
	ids := make([]int64, len(c.ending.cover))
	for i, r := range c.ending.cover {
		ids[i] = r.ID
	}
	o := c.restOptions()
	var err error
	if o.Proof, err = m.Rest(&c.accepted.resolvents, ids); err != nil {
		return err
	}
	switch status, _, err := solveRest(ctx, c.base.formula, c.ending.cover, o); {
	case err != nil:
		return err
	case status == dimacs.Unknown:
		return context.Cause(ctx)
	case status == dimacs.Satisfiable:
		panic("grid: the last solver finds a model, and there was none before")
	}
	return nil
}
