package proof

// Backward checking of DRAT proofs, see drat.go.

// backward checks the lemmas in the core from the last to the first.
func (d *drat) backward() error {
	d.chains = make([]span, len(d.pivots))
	d.markGoal()
	d.backtrack(d.root) // unassigns the assumptions that led to the goal
	d.splitWatches()
	d.pace.begin()
	total := int64(len(d.steps))
	for i := len(d.steps) - 1; i >= 0; i-- {
		if err := d.pace.step("backward", total); err != nil {
			return err
		}
		ref := d.refs[d.steps[i]>>1]
		if d.steps[i]&1 != 0 {
			d.undelete(ref)
		} else if err := d.removeLemma(ref); err != nil {
			return err
		}
	}
	if d.o.Trim {
		d.trim()
	}
	return nil
}

// markGoal puts the clauses that led to the goal into the core.
func (d *drat) markGoal() {
	if d.goal.clause != 0 {
		d.arena[d.goal.clause] |= coreFlag
		return
	}
	from := len(d.hints)
	d.markCore(d.goal.cause)
	d.goal.hints = span{from, len(d.hints)}
}

// splitWatches builds all watches anew, with separate lists for the core.
func (d *drat) splitWatches() {
	d.split = true
	clear(d.rest)
	for _, ref := range d.refs {
		header := d.arena[ref]
		if header&(deletedFlag|inertFlag) != 0 || header>>sizeShift < 2 {
			continue
		}
		d.chooseWatches(d.clause(ref))
		lists := d.rest
		if header&coreFlag != 0 {
			lists = d.core
		}
		d.watchClause(lists, ref)
	}
}

// undelete undoes the deletion of a clause.
func (d *drat) undelete(ref uint32) {
	d.arena[ref] &^= deletedFlag
	d.attach(ref)
	if d.o.StrictDeletions {
		d.propagate()
		d.root = len(d.trail)
	}
}

// removeLemma undoes the addition of a lemma, and checks the lemma if it is in
// the core.
func (d *drat) removeLemma(ref uint32) error {
	d.limit = ref
	if l, ok := d.implied(ref); ok {
		d.unassign(l)
	}
	if d.arena[ref]&coreFlag == 0 {
		return nil
	}
	from := len(d.hints)
	if err := d.check(ref); err != nil {
		return err
	}
	d.chains[int(d.arena[ref+1])-d.f.Len()] = span{from, len(d.hints)}
	return nil
}

// trim builds a refutation from the core.
func (d *drat) trim() {
	t := &d.result.trimmed
	ids := make([]int32, len(d.refs)+1) // by number in d from 1 on: the id in t
	for n, ref := range d.refs {
		switch {
		case d.arena[ref]&coreFlag == 0:
		case n < d.f.Len():
			t.core = append(t.core, n)
			ids[n+1] = int32(n + 1)
		default:
			lemma := n - d.f.Len()
			t.add(d.externalClause(ref, d.pivots[lemma]), d.chains[lemma])
			ids[n+1] = int32(d.f.Len() + len(t.lemmas))
		}
	}
	for i, h := range d.hints {
		if h < 0 {
			d.hints[i] = -ids[-h]
		} else {
			d.hints[i] = ids[h]
		}
	}
	t.hints = d.hints
	d.addGoal()
}

// addGoal appends the last lemma to the refutation, unless it is a lemma of the
// proof.
func (d *drat) addGoal() {
	t := &d.result.trimmed
	switch c := d.goal.clause; {
	case c == 0:
		t.add(d.goal.lits, d.goal.hints)
	case int(d.arena[c+1]) < d.f.Len():
		id := int64(d.arena[c+1]) + 1
		t.addHinted(t.clause(id), []int64{id})
	}
}
