package animate

import (
	"slices"

	"sator/dpll"
)

// A board is the grid in the midst of a search. It follows the events: the trail
// holds what is assigned, and an event tells how long the trail is with it, so
// that what a backtrack takes back need not be told.
//
// Each cell has places: one for each digit that is written small, one for the
// digit written large, and one for what points at the cell. What stands in a place
// is a number: 0 for nothing, a mark for the first, a look and a digit for the
// second, a pointer for the third. A frame is then a list of places that change.
type board struct {
	f     *Recording
	n     int     // the size of the grid
	trail []int32 // candidates, -1 for auxiliary variables

	state    []uint16  // by candidate: 0 open, else 1 + 2*kind + whether it is false
	fixed    []bool    // by cell: the digit is in the picture
	path     []bool    // by level: it is the second branch
	counts   counters  // so far
	shown    []uint16  // by place
	pointers []pointer // by cell, of this frame
	pointed  []int     // cells that have one
	dirty    []int     // cells that may have changed
	changes  []change  // of this frame
}

// A counters counts events.
type counters struct{ decisions, propagations, pure, backtracks, conflicts, level, assigned int }

// A change is what stands in a place from now on.
type change struct {
	slot  int
	value uint16
}

// The marks.
const (
	noMark      = iota
	openMark    // the digit is possible
	decidedMark // the digit was decided not to be here
	flippedMark // so it is after a backtrack
	clashMark   // the digit is here, and another one too
	marks
)

// The styles of digits.
const (
	propagatedStyle = iota
	decidedStyle
	flippedStyle
	pureStyle
	styles
)

// A pointer points at a cell, the stronger one last.
type pointer uint8

const (
	noPointer pointer = iota
	propagatePointer
	purePointer
	decidePointer
	backtrackPointer
	conflictPointer
	pointers
)

// pointerOf has the pointers by the kinds of events.
var pointerOf = [...]pointer{
	dpll.Assume:      decidePointer,
	dpll.Decide:      decidePointer,
	dpll.Propagate:   propagatePointer,
	dpll.PureLiteral: purePointer,
	dpll.Conflict:    conflictPointer,
	dpll.Backtrack:   backtrackPointer,
	dpll.Solution:    noPointer,
}

// styleOf has the styles by the kinds of events.
var styleOf = [...]uint16{
	dpll.Assume:      decidedStyle,
	dpll.Decide:      decidedStyle,
	dpll.Propagate:   propagatedStyle,
	dpll.PureLiteral: pureStyle,
	dpll.Backtrack:   flippedStyle,
}

// The largest grids whose open candidates are written as digits, and the largest
// in which they are shown at all: beyond, they are too many to be told apart.
const (
	maxWrittenSize = 9
	maxMarkedSize  = 16
)

func newBoard(f *Recording) *board {
	r := f.Puzzle.Rules
	b := &board{
		f: f, n: r.Size(),
		state:    make([]uint16, r.Cells()*r.Size()),
		fixed:    make([]bool, r.Cells()),
		shown:    make([]uint16, r.Cells()*(r.Size()+2)),
		pointers: make([]pointer, r.Cells()),
	}
	for cell := range b.fixed {
		b.fixed[cell] = f.Puzzle.Cells[cell] != 0 || f.found[cell] != 0
		b.dirty = append(b.dirty, cell)
	}
	return b
}

// places returns the number of places of a cell.
func (b *board) slots() int { return b.n + 2 }

// play goes through a frame and returns what changes. The slice is valid until
// the next call.
func (b *board) advance(fr frame) []change {
	for _, cell := range b.pointed {
		b.pointers[cell] = noPointer
		b.dirty = append(b.dirty, cell)
	}
	b.pointed = b.pointed[:0]
	events := b.f.events[fr.from:fr.to]
	for _, e := range events {
		b.apply(e)
	}
	if !fr.omitted {
		b.setPointers(events)
	}
	return b.collect()
}

// apply makes an event happen.
func (b *board) apply(e event) {
	b.counts.add(e)
	switch e.kind {
	case dpll.Conflict, dpll.Solution:
		return
	case dpll.Decide, dpll.Assume, dpll.Backtrack:
		b.path = append(b.path[:e.level-1], e.kind == dpll.Backtrack)
	}
	for len(b.trail) >= int(e.assigned) {
		last := b.trail[len(b.trail)-1]
		b.trail = b.trail[:len(b.trail)-1]
		b.set(last, 0)
	}
	candidate := b.f.candidates[e.lit.Var()]
	b.trail = append(b.trail, candidate)
	how := 1 + 2*uint16(e.kind)
	if e.lit.Neg() {
		how++
	}
	b.set(candidate, how)
}

// set notes how a candidate was assigned.
func (b *board) set(candidate int32, how uint16) {
	if candidate < 0 {
		return
	}
	b.state[candidate] = how
	b.dirty = append(b.dirty, int(candidate)/b.n)
}

// add counts an event.
func (t *counters) add(e event) {
	t.level, t.assigned = int(e.level), int(e.assigned)
	switch e.kind {
	case dpll.Decide:
		t.decisions++
	case dpll.Propagate:
		t.propagations++
	case dpll.PureLiteral:
		t.pure++
	case dpll.Backtrack:
		t.backtracks++
	case dpll.Conflict:
		t.conflicts++
	}
}

// point points at the cells that the events are about. Of several, those that
// strike a digit out of a cell are not pointed at.
func (b *board) setPointers(events []event) {
	for _, e := range events {
		switch {
		case e.kind == dpll.Conflict && e.clause >= 0:
			for _, l := range b.f.formula.Clause(int(e.clause)) {
				b.setPointer(b.f.candidates[l.Var()], conflictPointer)
			}
		case e.kind == dpll.Solution || e.kind == dpll.Conflict:
		case len(events) == 1 || !e.lit.Neg() || !e.inferred():
			b.setPointer(b.f.candidates[e.lit.Var()], pointerOf[e.kind])
		}
	}
}

// at points at the cell of a candidate, unless something stronger does.
func (b *board) setPointer(candidate int32, p pointer) {
	if candidate < 0 {
		return
	}
	cell := int(candidate) / b.n
	if p > b.pointers[cell] {
		b.pointers[cell] = p
		b.pointed = append(b.pointed, cell)
		b.dirty = append(b.dirty, cell)
	}
}

// show returns what stands otherwise than before in the cells that may have
// changed.
func (b *board) collect() []change {
	b.changes = b.changes[:0]
	slices.Sort(b.dirty)
	for _, cell := range slices.Compact(b.dirty) {
		b.updateCell(cell)
	}
	b.dirty = b.dirty[:0]
	return b.changes
}

// cell brings the places of a cell up to date.
func (b *board) updateCell(cell int) {
	how := b.state[cell*b.n : cell*b.n+b.n]
	digit, several := 0, false
	for d, h := range how {
		if h%2 == 1 {
			digit, several = d+1, digit != 0
		}
	}
	for d, h := range how {
		mark := b.mark(h)
		if b.fixed[cell] || b.f.decided[cell*b.n+d] || digit != 0 && !several {
			mark = noMark
		}
		b.setSlot(cell, d, mark)
	}
	if large := uint16(0); b.fixed[cell] || digit == 0 || several {
		b.setSlot(cell, b.n, large)
	} else {
		b.setSlot(cell, b.n, 1+styleOf[(how[digit-1]-1)/2]+styles*uint16(digit-1))
	}
	b.setSlot(cell, b.n+1, uint16(b.pointers[cell]))
}

// mark returns how a candidate is written small.
func (b *board) mark(how uint16) uint16 {
	switch kind := dpll.Kind((how - 1) / 2); {
	case how == 0 && b.n <= maxMarkedSize:
		return openMark
	case how == 0:
		return noMark
	case how%2 == 1:
		return clashMark
	case kind == dpll.Decide || kind == dpll.Assume:
		return decidedMark
	case kind == dpll.Backtrack:
		return flippedMark
	}
	return noMark
}

// put writes into a place.
func (b *board) setSlot(cell, i int, value uint16) {
	if place := cell*b.slots() + i; b.shown[place] != value {
		b.shown[place] = value
		b.changes = append(b.changes, change{place, value})
	}
}

// split returns the look and the digit of what stands in the place of large
// digits.
func split(value uint16) (style, digit int) { return int(value-1) % styles, int(value-1)/styles + 1 }
