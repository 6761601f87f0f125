package proof

import (
	"sort"

	"sator/dimacs"
)

// Tee returns a proof that passes each step to all receivers in order. It
// requests hints if a receiver does, and passes them only to such receivers.
//
// Each receiver has its own ids. The engine uses the ids of the tee: they number
// all clauses, original and learned, from 1. For each receiver the tee
// stores the difference between the ids of the receiver and those of the tee.
// The difference changes only when a receiver numbers original and learned
// clauses separately and the engine switches between them. The tee stores 16
// bytes for each such segment of ids, and nothing for a clause. It finds an id
// in time logarithmic in the number of segments.
func Tee(receivers ...dimacs.Proof) dimacs.Proof {
	t := new(tee)
	for _, p := range receivers {
		t.branches = append(t.branches, branch{to: p})
	}
	return t
}

// A tee is the proof that Tee returns.
type tee struct {
	branches []branch
	last     int64   // the latest id
	hints    []int64 // scratch
}

// A branch is a receiver with the segments of its ids.
type branch struct {
	to       dimacs.Proof
	hinted   bool      // the receiver requests hints
	segments []segment // sorted by first
}

// A segment begins at the id first of the tee. The ids of the receiver are
// those of the tee plus shift, up to the next segment.
type segment struct {
	first, shift int64
}

// Hints implements [dimacs.Proof].
func (t *tee) Hints() bool {
	any := false
	for i := range t.branches {
		b := &t.branches[i]
		b.hinted = b.to.Hints()
		any = any || b.hinted
	}
	return any
}

// Original implements [dimacs.Proof].
func (t *tee) Original(lits []dimacs.Lit) int64 {
	t.last++
	for i := range t.branches {
		b := &t.branches[i]
		b.addID(t.last, b.to.Original(lits))
	}
	return t.last
}

// Learn implements [dimacs.Proof].
func (t *tee) Learn(lits []dimacs.Lit, hints []int64) int64 {
	t.last++
	for i := range t.branches {
		b := &t.branches[i]
		b.addID(t.last, b.to.Learn(lits, t.translated(b, hints)))
	}
	return t.last
}

// Delete implements [dimacs.Proof].
func (t *tee) Delete(id int64, lits []dimacs.Lit) {
	for i := range t.branches {
		b := &t.branches[i]
		b.to.Delete(b.id(id), lits)
	}
}

// translated returns hints in the ids of a receiver, in scratch memory.
func (t *tee) translated(b *branch, hints []int64) []int64 {
	if !b.hinted {
		return nil
	}
	t.hints = t.hints[:0]
	for _, h := range hints {
		if h < 0 {
			h = -b.id(-h)
		} else {
			h = b.id(h)
		}
		t.hints = append(t.hints, h)
	}
	return t.hints
}

// addID stores the id own that the receiver returned for the clause with the id
// of the tee, the latest one.
func (b *branch) addID(id, own int64) {
	if n := len(b.segments); n == 0 || b.segments[n-1].shift != own-id {
		b.segments = append(b.segments, segment{id, own - id})
	}
}

// id returns the id of the receiver for a clause with an id of the tee.
func (b *branch) id(id int64) int64 {
	n := len(b.segments)
	if n > 0 && b.segments[n-1].first > id {
		n = sort.Search(n, func(i int) bool { return b.segments[i].first > id })
	}
	if n == 0 {
		panic("proof: unknown id")
	}
	return id + b.segments[n-1].shift
}
