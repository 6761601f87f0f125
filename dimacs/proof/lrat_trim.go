package proof

import "sator/dimacs"

// Trimming of LRAT proofs. All lemmas are stored with the hints that the check
// used. After the last lemma, they are visited backward, and the lemmas that the
// last one needs are marked along the hints.
//
// A RAT lemma needs a group of hints only if its candidate exists. In the
// trimmed proof, clauses are deleted after their last use, so that the
// candidate exists if and only if a later lemma needs it. All later lemmas are
// visited before the RAT lemma. The lemma itself uses no candidate as a hint, since
// all candidates contain the complement of the pivot, and that is true.

// A history holds the lemmas so far.
type history struct {
	indices []int32    // the indices of the lemmas, ascending
	lemmas  refutation // the lemmas, with indices as hints
}

// add appends a lemma.
func (p *history) add(index int, lits []dimacs.Lit, used []int64) {
	p.indices = append(dimacs.Extend(p.lemmas.memory, p.indices, 1), int32(index))
	p.lemmas.addHinted(lits, used)
}

// A marker marks the needed clauses.
type marker struct {
	*history
	needed []bool // by index
}

// trim stores in t the lemmas and the clauses of the formula that the last
// lemma needs. Indices are below size; the indices of clauses of the formula
// are their ids. Groups that are not needed are dropped.
func (p *history) trim(f *dimacs.Formula, size int, t *refutation) {
	m := marker{history: p, needed: make([]bool, size)}
	last := len(p.indices) - 1
	m.needed[p.indices[last]] = true
	for n := last; n >= 0; n-- {
		if m.needed[p.indices[n]] {
			_, hints := p.lemmas.lemma(n)
			m.mark(hints)
		}
	}
	m.write(f, t)
}

// mark marks the clauses in the hints of a lemma. In groups that are not needed
// it sets the candidate to 0.
func (m *marker) mark(hints []int32) {
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

// write stores the needed clauses in t, with new ids.
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

// translate appends the new ids of the hints to kept, except those of dropped
// groups.
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
