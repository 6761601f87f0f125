package proof

import "sator/dimacs"

// To trim a proof, all its lemmas are kept with the hints that were of use, and
// when the last one stands, they are gone through backward, and those marked
// from which it follows, along the hints.
//
// A RAT step needs a group of hints only if its candidate is alive, and in the
// trimmed proof, where clauses are deleted after their last use, that is so if a
// later lemma needs it, or the step itself. The hints of a group are needed with
// it, and may be candidates of other groups of the same step, which are then
// needed in turn: groups are looked at until there are no more. A clause that
// only earlier lemmas turn out to need is deleted before the step.

// A past is what was proven so far.
type past struct {
	indices []int32    // of the lemmas, ascending
	lemmas  refutation // hints are indices
}

// add appends a lemma.
func (p *past) add(index int, lits []dimacs.Lit, used []int64) {
	p.indices = append(p.indices, int32(index))
	p.lemmas.addHinted(lits, used)
}

// A marker finds what is needed.
type marker struct {
	*past
	needed     []bool // by index
	candidates map[int32]span
	work       []span // groups whose hints are needed, of the present step
}

// trim puts into t what the last lemma needs of the formula and of the proof.
// Indices are below size; those of the formula are its ids. The groups that are
// not needed are struck out.
func (p *past) trim(f *dimacs.Formula, size int, t *refutation) {
	m := marker{past: p, needed: make([]bool, size)}
	last := len(p.indices) - 1
	m.needed[p.indices[last]] = true
	for n := last; n >= 0; n-- {
		if m.needed[p.indices[n]] {
			_, hints := p.lemmas.lemma(n)
			m.follow(hints)
		}
	}
	m.write(f, size, t)
}

// follow marks what a lemma with these hints needs.
func (m *marker) follow(hints []int32) {
	groups := nextGroup(hints, 0)
	for _, index := range hints[:groups] {
		m.needed[index] = true
	}
	if groups < len(hints) {
		m.followGroups(hints, groups)
	}
}

// followGroups marks what the groups need whose candidates are needed, and
// strikes out the others. The groups begin at hints[from].
func (m *marker) followGroups(hints []int32, from int) {
	m.candidates, m.work = map[int32]span{}, m.work[:0]
	for i := from; i < len(hints); {
		next := nextGroup(hints, i+1)
		candidate, g := -hints[i], span{i + 1, next}
		if m.needed[candidate] {
			m.work = append(m.work, g)
		} else if _, twice := m.candidates[candidate]; twice {
			hints[i] = 0
		} else {
			m.candidates[candidate] = g
		}
		i = next
	}
	for len(m.work) > 0 {
		g := m.work[len(m.work)-1]
		m.work = m.work[:len(m.work)-1]
		for _, index := range hints[g.from:g.to] {
			m.needed[index] = true
			if g, ok := m.candidates[index]; ok {
				delete(m.candidates, index)
				m.work = append(m.work, g)
			}
		}
	}
	for _, g := range m.candidates {
		hints[g.from-1] = 0
	}
}

// nextGroup returns where the first group at i or later begins.
func nextGroup(hints []int32, i int) int {
	for i < len(hints) && hints[i] > 0 {
		i++
	}
	return i
}

// write puts what is needed into t, with the ids that it has there.
func (m *marker) write(f *dimacs.Formula, size int, t *refutation) {
	ids := make([]int64, size)
	for i := range f.Len() {
		if ids[i+1] = int64(i + 1); m.needed[i+1] {
			t.core = append(t.core, i)
		}
	}
	var kept []int64
	for n, index := range m.indices {
		if !m.needed[index] {
			continue
		}
		lits, hints := m.lemmas.lemma(n)
		kept = kept[:0]
		for i := 0; i < len(hints); {
			next := nextGroup(hints, i+1)
			if hints[i] != 0 {
				kept = translate(kept, hints[i:next], ids)
			}
			i = next
		}
		t.addHinted(lits, kept)
		ids[index] = int64(f.Len() + len(t.lemmas))
	}
}

// translate appends the ids of hints, which may begin a group.
func translate(kept []int64, hints []int32, ids []int64) []int64 {
	for _, h := range hints {
		if h < 0 {
			kept = append(kept, -ids[-h])
		} else {
			kept = append(kept, ids[h])
		}
	}
	return kept
}
