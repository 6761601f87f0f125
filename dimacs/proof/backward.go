package proof

// Backward checking, see drat.go.

// backward checks the lemmas that are needed, from the last to the first.
func (d *drat) backward() error {
	d.chains = make([]span, len(d.pivots))
	d.justifyGoal()
	d.cut(d.root) // takes back what was assumed to reach the goal
	d.separate()
	d.pace.begin()
	total := int64(len(d.steps))
	for i := len(d.steps) - 1; i >= 0; i-- {
		if err := d.pace.step("backward", total); err != nil {
			return err
		}
		ref := d.refs[d.steps[i]>>1]
		if d.steps[i]&1 != 0 {
			d.restore(ref)
		} else if err := d.retract(ref); err != nil {
			return err
		}
	}
	if d.o.Trim {
		d.trim()
	}
	return nil
}

// justifyGoal puts into the core what led to the goal.
func (d *drat) justifyGoal() {
	if d.goal.clause != 0 {
		d.arena[d.goal.clause] |= coreFlag
		return
	}
	from := len(d.hints)
	d.justify(d.goal.cause)
	d.goal.hints = span{from, len(d.hints)}
}

// separate watches all clauses anew, those of the core apart.
func (d *drat) separate() {
	d.split = true
	clear(d.rest)
	for _, ref := range d.refs {
		header := d.arena[ref]
		if header&(deletedFlag|inertFlag) != 0 || header>>sizeShift < 2 {
			continue
		}
		d.choose(d.clause(ref))
		lists := d.rest
		if header&coreFlag != 0 {
			lists = d.core
		}
		d.watchClause(lists, ref)
	}
}

// restore takes back the deletion of a clause.
func (d *drat) restore(ref uint32) {
	d.arena[ref] &^= deletedFlag
	d.attach(ref)
	if d.o.StrictDeletions {
		d.propagate()
		d.root = len(d.trail)
	}
}

// retract takes a lemma away, and checks it if it is in the core.
func (d *drat) retract(ref uint32) error {
	d.limit = ref
	if l, ok := d.implied(ref); ok {
		d.withdraw(l)
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

// trim makes a refutation of the core.
func (d *drat) trim() {
	t := &d.result.trimmed
	ids := make([]int32, len(d.refs)+1) // in t, by number from 1 on
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

// addGoal appends the lemma that ends the refutation, unless it is there.
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
