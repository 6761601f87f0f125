package proof

import "sator/dimacs"

// To trim a proof, all its lemmas are kept with the hints that were of use, and
// when the last one stands, they are gone through backward, and those marked
// from which it follows, along the hints.
//
// A RAT step needs a group of hints only if its candidate is alive, and in the
// trimmed proof, where clauses are deleted after their last use, that is so if a
// later lemma needs it. When the step is reached this is known: earlier lemmas
// do not count, and the step itself uses no candidate as a hint, since they all
// contain the complement of the pivot, which is true.

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
	needed []bool // by index
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
	m.write(f, t)
}

// follow marks what a lemma with these hints needs.
func (m *marker) follow(hints []int32) {
	keep := true
	for i, h := range hints {
		if h < 0 {
			if keep = m.needed[-h]; !keep {
				hints[i] = 0
			}
		} else if keep {
			m.needed[h] = true
		}
	}
}

// write puts what is needed into t, with the ids that it has there.
func (m *marker) write(f *dimacs.Formula, t *refutation) {
	ids := make([]int64, len(m.needed))
	for i := range f.Len() {
		if ids[i+1] = int64(i + 1); m.needed[i+1] {
			t.core = append(t.core, i)
		}
	}
	var kept []int64
	for n, index := range m.indices {
		if m.needed[index] {
			lits, hints := m.lemmas.lemma(n)
			kept = translate(kept[:0], hints, ids)
			t.addHinted(lits, kept)
			ids[index] = int64(f.Len() + len(t.lemmas))
		}
	}
}

// translate appends the ids of hints that were not struck out.
func translate(kept []int64, hints []int32, ids []int64) []int64 {
	keep := true
	for _, h := range hints {
		switch {
		case h > 0 && keep:
			kept = append(kept, ids[h])
		case h < 0:
			keep = true
			kept = append(kept, -ids[-h])
		case h == 0:
			keep = false
		}
	}
	return kept
}
