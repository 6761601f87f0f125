package proof

import (
	"context"
	"io"

	"sator/dimacs"
)

// A DRAT proof is a sequence of lemmas and deletions. Each lemma must follow
// from the clauses there are by reverse unit propagation, see rup.go, or have
// the RAT property, see rat.go; then the formula has a model with it if it had
// one without. A proof is right when a lemma is empty, or propagation finds a
// conflict, and all is well up to there.
//
// The proof is read once, step by step. Lemmas are added to the clauses without
// being checked, unless that is asked for, and the root of the trail is kept
// closed. When the root runs into a conflict the clauses that led there are put
// into the core, and the proof is gone through backward: each lemma is taken
// away, and if it is in the core it is checked with what came before, which
// draws further clauses into the core (backward.go). Lemmas that nobody needs
// are never checked, and what is left at the end is a smaller proof of a smaller
// formula. This is how DRAT-trim works (Wetzler, Heule and Hunt, "DRAT-trim:
// efficient checking and trimming using expressive clausal proofs", SAT 2014).
//
// Solvers delete clauses that are satisfied at the root, also such that are the
// reason for being so, and go on as if the literal were still assigned. Checkers
// therefore ignore the deletion of a clause that is the reason of a literal of
// the root (Rebola-Pardo and Biere, "Two flavors of DRAT", POS 2018), unless
// they are told to be strict. Without strictness a literal of the root stays
// there for all that follows, and a clause that it satisfies need not be watched
// while reading.

// A drat checks a proof.
type drat struct {
	propagator
	pace
	f *dimacs.Formula
	r *Reader
	o *Options

	steps  []uint32 // what was done: twice the number of a clause, and one more if it was deleted
	pivots []uint32 // by number of the lemma: its first literal
	places []int64  // by number of the lemma

	units  []uint32 // clauses of one literal; only if all deletions are obeyed
	target []bool   // by literal: it is the complement of an assumption
	goal   goal
	occurs [][]uint32 // by literal: the clauses with it; nil until a lemma needs them
	groups []group    // of the RAT check of a lemma, scratch
	chains []span     // by number of the lemma: its antecedents in hints

	result  Result
	missing int // deletions of clauses that are not there
}

// A goal is what ends a proof.
type goal struct {
	reached bool
	clause  uint32 // all of whose literals are complements of assumptions, or 0
	cause   cause  // else: why the clause of those complements follows, which is empty if propagation refuted the formula
	lits    []dimacs.Lit
	hints   span
}

func checkDRAT(ctx context.Context, f *dimacs.Formula, r *Reader, o *Options) (*Result, error) {
	d := &drat{propagator: propagator{store: newStore(f), limit: 1<<32 - 1, hinted: o.Trim}, pace: pace{ctx: ctx, tell: o.Progress}, f: f, r: r, o: o}
	d.result.Format = o.Format
	if o.Trim {
		d.result.trimmed.formula = f
	}
	d.assume()
	if err := d.read(); err != nil {
		return nil, err
	}
	d.tell()
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

// assume notes the assumptions.
func (d *drat) assume() {
	for _, a := range d.o.Assumptions {
		l := d.literal(a)
		for len(d.target) < 2*len(d.names) {
			d.target = append(d.target, false)
		}
		d.target[l^1] = true
	}
	d.grow()
}

// read adds the formula and the proof, up to the step that reaches the goal.
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
	d.settle()
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
		if err := d.do(step); err != nil {
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
	d.include(ref)
	return nil
}

// do does what a step says.
func (d *drat) do(step *Step) error {
	if step.Delete {
		d.remove(d.take(step.Lits))
		return nil
	}
	d.result.Lemmas++
	ref, err := d.add(step.Lits)
	if err != nil {
		return err
	}
	d.grow()
	d.note(ref)
	d.places = append(d.places, max(int64(step.Place.Line), step.Place.Offset))
	d.pivots = append(d.pivots, d.first())
	d.steps = append(d.steps, uint32(len(d.refs)-1)<<1)
	if d.o.Forward {
		if err := d.check(ref); err != nil {
			return err
		}
	}
	d.include(ref)
	d.settle()
	if len(step.Lits) == 0 && d.goal.clause == ref && !d.o.Forward {
		// There is no conflict, so that it does not follow.
		return d.check(ref)
	}
	return nil
}

// first returns the first literal of the clause that was just added.
func (d *drat) first() uint32 {
	if len(d.lits) == 0 {
		return noLiteral
	}
	return d.lits[0]
}

// include makes a new clause take part, and sees whether it is the goal.
func (d *drat) include(ref uint32) {
	if d.aims(ref) {
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

// aims reports whether all literals of a clause are complements of assumptions.
func (d *drat) aims(ref uint32) bool {
	for _, l := range d.clause(ref) {
		if int(l) >= len(d.target) || !d.target[l] {
			return false
		}
	}
	return true
}

// settle closes the root.
func (d *drat) settle() {
	if d.goal.reached || d.heads[1] == len(d.trail) && d.heads[0] == len(d.trail) {
		d.root = len(d.trail)
		return
	}
	if c := d.propagate(); c != 0 {
		d.goal = goal{reached: true, cause: cause{clause: c, found: true}}
	}
	d.root = len(d.trail)
}

// remove deletes a clause; 0 stands for one that is not there.
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
	d.steps = append(d.steps, d.arena[ref+1]<<1|1)
	d.dead += 2
	d.sweep()
	if isReason {
		d.withdraw(l)
	}
}

// withdraw takes back a literal of the root, whose reason is gone, and what
// came after it, and closes the root again.
func (d *drat) withdraw(l uint32) {
	d.cut(int(d.vars[l>>1].position))
	if d.o.StrictDeletions {
		d.reopen()
	}
	d.root = len(d.trail)
}

// reopen closes the root again after clauses came and went in any order, so
// that what was taken back may follow in another way. There is no conflict,
// since there was none with more clauses.
func (d *drat) reopen() {
	for _, ref := range d.units {
		l := d.clause(ref)[0]
		if ref < d.limit && d.arena[ref]&deletedFlag == 0 && d.vals[l] == 0 {
			d.assign(l, ref)
		}
	}
	d.heads = [2]int{}
	d.propagate()
}

// end sees at the end of the proof whether propagation refutes the assumptions.
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
		d.tell()
		return d.o.checkError(Place{}, nil, "the proof ends without having refuted %s", what)
	}
	d.goal = goal{reached: true, cause: why, lits: complements(d.o.Assumptions)}
	return nil
}

// tell warns of what was odd.
func (d *drat) tell() {
	if d.missing > 0 {
		d.o.warn("deletions of clauses that are not there: %d", d.missing)
	}
	if n := d.result.Ignored - d.missing; n > 0 {
		d.o.warn("deletions of clauses that are unit, which were ignored: %d", n)
	}
}

// check checks the lemma at ref with the clauses before it.
func (d *drat) check(ref uint32) error {
	defer func(limit uint32) { d.limit = limit }(d.limit)
	d.limit = ref
	d.result.Checked++
	c := d.clause(ref)
	base := len(d.trail)
	why := d.refute(c)
	defer d.cut(base)
	if why.found {
		if d.split {
			d.justify(why)
		}
		return nil
	}
	lemma := int(d.arena[ref+1]) - d.f.Len()
	blame := d.rat(d.pivots[lemma])
	if blame == "" {
		d.result.RAT++
		return nil
	}
	place := Place{Line: int(d.places[lemma])}
	if d.o.Format.Binary() {
		place = Place{Offset: d.places[lemma]}
	}
	return d.o.checkError(place, d.externalClause(ref, d.pivots[lemma]), "%s", blame)
}
