package proof

import (
	"sort"

	"sator/dimacs"
)

// Tee returns a proof that passes each step on to all receivers, in their
// order. It wants hints if one of them does, and passes them to those alone.
//
// Each receiver hands out ids of its own, while the engine can quote one id of
// a clause only. That is the number of the clause among all that were given
// and learned; for each receiver the tee keeps how its ids differ from these
// numbers. The difference changes only where a receiver numbers given and
// learned clauses apart and the two kinds take turns, so that the tee holds 16
// bytes for each turn and nothing for a clause. Finding an id takes time
// logarithmic in the turns.
func Tee(receivers ...dimacs.Proof) dimacs.Proof {
	t := new(tee)
	for _, p := range receivers {
		t.branches = append(t.branches, branch{to: p})
	}
	return t
}

// A tee is what Tee returns.
type tee struct {
	branches []branch
	last     int64   // id handed out
	hints    []int64 // scratch
}

// A branch is a receiver with the ids that it gave.
type branch struct {
	to     dimacs.Proof
	hinted bool
	turns  []turn // by first
}

// From the clause with the id first on, up to the next turn, a receiver's ids
// are those of the tee plus shift.
type turn struct {
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
		b.take(t.last, b.to.Original(lits))
	}
	return t.last
}

// Learn implements [dimacs.Proof].
func (t *tee) Learn(lits []dimacs.Lit, hints []int64) int64 {
	t.last++
	for i := range t.branches {
		b := &t.branches[i]
		b.take(t.last, b.to.Learn(lits, t.translated(b, hints)))
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

// translated returns hints in the ids of a receiver, in scratch.
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

// take notes the receiver's id of the clause with an id, the highest so far.
func (b *branch) take(id, own int64) {
	if n := len(b.turns); n == 0 || b.turns[n-1].shift != own-id {
		b.turns = append(b.turns, turn{id, own - id})
	}
}

// id returns the receiver's id of the clause with an id.
func (b *branch) id(id int64) int64 {
	n := len(b.turns)
	if n > 0 && b.turns[n-1].first > id {
		n = sort.Search(n, func(i int) bool { return b.turns[i].first > id })
	}
	if n == 0 {
		panic("proof: an id that was not handed out")
	}
	return id + b.turns[n-1].shift
}
