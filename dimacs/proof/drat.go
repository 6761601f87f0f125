package proof

import (
	"context"
	"io"

	"sator/dimacs"
)

// DRAT checking. A DRAT proof is a sequence of lemmas and deletions. Each lemma
// must be RUP (see rup.go) or RAT (see rat.go) with respect to the current
// clauses, so that adding it keeps a satisfiable formula satisfiable. A proof
// is correct if this holds for all lemmas up to the empty clause, or up to the
// first lemma after which propagation without assumptions has a conflict.
//
// The proof is read once, step by step. By default lemmas are added without a
// check, and the root of the trail is kept closed under propagation. When the
// root has a conflict, the clauses that led to it are put into the core, and
// the proof is processed backward: each lemma is removed, and if it is in the
// core, it is checked against the clauses before it. The check puts further clauses
// into the core (backward.go). Lemmas outside the core are never checked. The
// core at the end is a smaller proof of a smaller formula. DRAT-trim works in
// this way (Wetzler, Heule and Hunt, "DRAT-trim: efficient checking and
// trimming using expressive clausal proofs", SAT 2014).
//
// Solvers delete clauses that are satisfied at the root, including reasons of
// root literals, and continue as if the literal were still assigned. Checkers
// therefore ignore the deletion of a clause that is the reason of a root
// literal (Rebola-Pardo and Biere, "Two flavors of DRAT", POS 2018), unless the
// check is strict. Without strictness a root literal stays assigned for the
// rest of the proof, and a clause that it satisfies need not be watched while
// the proof is read.

// A drat is a check of a DRAT proof.
type drat struct {
	propagator
	pace
	f *dimacs.Formula
	r *Reader
	o *Options

	steps  []uint32 // the steps of the proof: twice the number of a clause, plus one for a deletion
	pivots []uint32 // by number of the lemma: its first literal
	places []int64  // by number of the lemma: the line or the byte where it begins

	units        []uint32 // unit clauses; only with StrictDeletions
	assumedFalse []bool   // by literal: it is the complement of an assumption
	goal         goal
	occurs       [][]uint32 // by literal: the clauses with it; nil until the first RAT check
	groups       []group    // scratch: the resolvents in the RAT check of a lemma
	chains       []span     // by number of the lemma: its antecedents in hints

	result  Result
	missing int // the number of deletions of unknown clauses
}

// A goal is the end of a refutation: a clause of complements of assumptions, or
// the reason why that clause follows.
type goal struct {
	reached bool
	clause  uint32       // a clause of complements of assumptions, or 0
	cause   cause        // if clause is 0: why the last lemma, with the literals lits, follows
	lits    []dimacs.Lit // complements of the assumptions, or empty if the formula is refuted
	hints   span         // the antecedents of the last lemma
}

func checkDRAT(ctx context.Context, f *dimacs.Formula, r *Reader, o *Options) (*Result, error) {
	d := &drat{propagator: propagator{store: newStore(f, o.Memory), limit: 1<<32 - 1, hinted: o.Trim}, pace: pace{ctx: ctx, report: o.Progress}, f: f, r: r, o: o}
	d.result.Format = o.Format
	if o.Trim {
		d.result.trimmed.formula, d.result.trimmed.memory = f, o.Memory
	}
	d.assume()
	if err := d.read(); err != nil {
		return nil, err
	}
	d.warnMissing()
	if err := o.readRest(ctx, r); err != nil {
		return nil, err
	}
	if d.o.Forward && !d.o.Trim {
		return &d.result, nil
	}
	checked, byRAT := d.result.Checked, d.result.RAT // forward
	if err := d.backward(); err != nil {
		return nil, err
	}
	if d.o.Forward {
		d.result.Checked, d.result.RAT = checked, byRAT
	}
	return &d.result, nil
}

// assume marks the complements of the assumptions.
func (d *drat) assume() {
	for _, a := range d.o.Assumptions {
		l := d.literal(a)
		for len(d.assumedFalse) < 2*len(d.names) {
			d.assumedFalse = append(d.assumedFalse, false)
		}
		d.assumedFalse[l^1] = true
	}
	d.grow()
}

// read adds the formula and the proof up to the step that reaches the goal.
func (d *drat) read() error {
	for _, c := range d.f.Clauses() {
		if err := d.pace.step("formula", int64(d.f.Len())); err != nil {
			return err
		}
		if err := d.original(c); err != nil || d.goal.reached {
			return err
		}
	}
	phase := "reading"
	if d.o.Forward {
		phase = "forward"
	}
	d.pace.begin()
	d.closeRoot()
	for !d.goal.reached {
		if err := d.pace.step(phase, 0); err != nil {
			return err
		}
		step, err := d.r.Next()
		if err == io.EOF {
			return d.end()
		} else if err != nil {
			return err
		}
		if err := d.apply(step); err != nil {
			return err
		}
	}
	return nil
}

// original adds a clause of the formula.
func (d *drat) original(lits []dimacs.Lit) error {
	ref, err := d.add(lits)
	if err != nil {
		return err
	}
	d.grow()
	d.activate(ref)
	return nil
}

// apply adds a lemma or deletes a clause.
func (d *drat) apply(step *Step) error {
	if step.Delete {
		d.remove(d.unlink(step.Lits))
		return nil
	}
	d.result.Lemmas++
	ref, err := d.add(step.Lits)
	if err != nil {
		return err
	}
	d.grow()
	d.addOccurrences(ref)
	d.places = append(dimacs.Extend(d.memory, d.places, 1), max(int64(step.Place.Line), step.Place.Offset))
	d.pivots = append(dimacs.Extend(d.memory, d.pivots, 1), d.first())
	d.steps = append(dimacs.Extend(d.memory, d.steps, 1), uint32(len(d.refs)-1)<<1)
	if d.o.Forward {
		if err := d.check(ref); err != nil {
			return err
		}
	}
	d.activate(ref)
	d.closeRoot()
	if len(step.Lits) == 0 && d.goal.clause == ref && !d.o.Forward {
		// Without a conflict at the root the empty clause is not RUP, and the check
		// returns the error.
		return d.check(ref)
	}
	return nil
}

// first returns the first literal of the clause that was added last.
func (d *drat) first() uint32 {
	if len(d.lits) == 0 {
		return noLiteral
	}
	return d.lits[0]
}

// activate adds a new clause to propagation, and checks whether it is the goal.
func (d *drat) activate(ref uint32) {
	if d.isGoal(ref) {
		d.goal = goal{reached: true, clause: ref}
		return
	}
	if !d.o.StrictDeletions && d.satisfied(ref) {
		return
	}
	if d.o.StrictDeletions && d.arena[ref]>>sizeShift == 1 {
		d.units = append(d.units, ref)
	}
	if !d.attach(ref) {
		d.goal = goal{reached: true, cause: cause{clause: ref, found: true}}
	}
}

// isGoal reports whether all literals of a clause are complements of assumptions.
func (d *drat) isGoal(ref uint32) bool {
	for _, l := range d.clause(ref) {
		if int(l) >= len(d.assumedFalse) || !d.assumedFalse[l] {
			return false
		}
	}
	return true
}

// closeRoot closes the root under propagation.
func (d *drat) closeRoot() {
	if d.goal.reached || d.heads[1] == len(d.trail) && d.heads[0] == len(d.trail) {
		d.root = len(d.trail)
		return
	}
	if c := d.propagate(); c != 0 {
		d.goal = goal{reached: true, cause: cause{clause: c, found: true}}
	}
	d.root = len(d.trail)
}

// remove deletes a clause. The ref 0 stands for an unknown clause.
func (d *drat) remove(ref uint32) {
	if ref == 0 {
		d.missing++
		d.result.Ignored++
		return
	}
	l, isReason := d.implied(ref)
	if isReason && !d.o.StrictDeletions {
		d.result.Ignored++
		return
	}
	d.result.Deleted++
	d.arena[ref] |= deletedFlag
	d.steps = append(dimacs.Extend(d.memory, d.steps, 1), d.arena[ref+1]<<1|1)
	d.dead += 2
	d.dropDeleted()
	if isReason {
		d.unassign(l)
	}
}

// unassign unassigns the root literal l, since its reason is deleted, and all
// later literals. With StrictDeletions it closes the root again;
// otherwise the trail before l is closed.
func (d *drat) unassign(l uint32) {
	d.backtrack(int(d.vars[l>>1].position))
	if d.o.StrictDeletions {
		d.repropagate()
	}
	d.root = len(d.trail)
}

// repropagate closes the root after clauses were added and deleted in any
// order: unassigned literals may follow from other clauses. There is no
// conflict, since there was no conflict with more clauses.
func (d *drat) repropagate() {
	for _, ref := range d.units {
		l := d.clause(ref)[0]
		if ref < d.limit && d.arena[ref]&deletedFlag == 0 && d.vals[l] == 0 {
			d.assign(l, ref)
		}
	}
	d.heads = [2]int{}
	d.propagate()
}

// end checks at the end of the proof whether propagation refutes the
// assumptions.
func (d *drat) end() error {
	var lits []uint32
	for _, a := range d.o.Assumptions {
		lits = append(lits, d.literal(a)^1)
	}
	why := d.refute(lits)
	if !why.found {
		what := "the formula"
		if len(lits) > 0 {
			what = "the formula under the assumptions"
		}
		d.warnMissing()
		if n := d.result.Ignored - d.missing; n > 0 {
			d.o.warn("ignored deletions of unit clauses: %d", n)
		}
		return d.o.checkError(Place{}, nil, "the proof ends without having refuted %s", what)
	}
	d.goal = goal{reached: true, cause: why, lits: complements(d.o.Assumptions)}
	return nil
}

// warnMissing warns about deletions of what is not there. Deletions of unit clauses are common,
// and only told where the refutation could need them.
func (d *drat) warnMissing() {
	if d.missing > 0 {
		d.o.warn("deletions of unknown clauses: %d", d.missing)
	}
}

// check checks the lemma at ref against the clauses before it.
func (d *drat) check(ref uint32) error {
	defer func(limit uint32) { d.limit = limit }(d.limit)
	d.limit = ref
	d.result.Checked++
	c := d.clause(ref)
	base := len(d.trail)
	why := d.refute(c)
	defer d.backtrack(base)
	if why.found {
		if d.split {
			d.markCore(why)
		}
		return nil
	}
	lemma := int(d.arena[ref+1]) - d.f.Len()
	msg := d.rat(d.pivots[lemma])
	if msg == "" {
		d.result.RAT++
		return nil
	}
	place := Place{Line: int(d.places[lemma])}
	if d.o.Format.Binary() {
		place = Place{Offset: d.places[lemma]}
	}
	return d.o.checkError(place, d.externalClause(ref, d.pivots[lemma]), "%s", msg)
}
