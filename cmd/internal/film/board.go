package film

import (
	"slices"

	"sator/dpll/classic"
)

// A Board is the state of the grid during a search. It applies events in order.
// Its trail has the assigned candidates. An event contains the length of the
// trail after it, so the board can derive the assignments that a backtrack
// undoes.
//
// Each cell has slots: one for the mark of each candidate, one for the digit, and
// one for the pointer at the cell. The value of a slot is a number: 0 if the slot is
// empty; otherwise a mark, a digit with its style, or a pointer. The picture of a
// frame is then a list of changed slots.
type Board struct {
	f     *Recording
	n     int     // the size of the grid
	trail []int32 // candidates, -1 for auxiliary variables

	state    []uint16               // by candidate: 0 if it is open, else 1+2*kind, plus 1 if it is false
	fixed    []bool                 // by cell: all frames show its digit
	path     []bool                 // by level: it is the second branch
	counts   [len(CounterNames)]int // counters of the events so far
	shown    []uint16               // by slot: its value
	pointers []Pointer              // by cell: its pointer in this frame
	pointed  []int                  // the cells with a pointer
	dirty    []int                  // the cells that may have changed
	changes  []Change               // changed slots of this frame
}

// A Change is the new value of a slot.
type Change struct {
	Slot  int // cell*[Board.Slots] plus the index in the cell: marks by digit, then the digit, then the pointer
	Value uint16
}

// The marks of candidates.
const (
	NoMark      = iota
	OpenMark    // the candidate is open
	DecidedMark // a decision made the candidate false
	FlippedMark // a backtrack made the candidate false
	ClashMark   // the candidate is true, and another one of the cell too
	Marks       // number of marks
)

// The styles of digits, by the event that placed the digit.
const (
	PropagatedStyle = iota
	DecidedStyle
	FlippedStyle
	PureStyle
	Styles // number of styles
)

// A Pointer highlights a cell that an event is about. If several events are
// about a cell, the cell has the last of their pointers in this list.
type Pointer uint8

const (
	NoPointer Pointer = iota
	PropagatePointer
	PurePointer
	DecidePointer
	BacktrackPointer
	ConflictPointer
	Pointers // number of pointers
)

// pointerOf has the pointer of each kind of event.
var pointerOf = [...]Pointer{
	classic.Assume:      DecidePointer,
	classic.Decide:      DecidePointer,
	classic.Propagate:   PropagatePointer,
	classic.PureLiteral: PurePointer,
	classic.Conflict:    ConflictPointer,
	classic.Backtrack:   BacktrackPointer,
	classic.Solution:    NoPointer,
}

// styleOf has the digit style of each kind of event.
var styleOf = [...]uint16{
	classic.Assume:      DecidedStyle,
	classic.Decide:      DecidedStyle,
	classic.Propagate:   PropagatedStyle,
	classic.PureLiteral: PureStyle,
	classic.Backtrack:   FlippedStyle,
}

// Limits of size: in larger grids the marks would be too small.
const (
	MaxWrittenSize = 9  // the largest size at which marks are digits
	maxMarkedSize  = 16 // the largest size at which open candidates have marks
)

// NewBoard returns the board before the first frame.
func NewBoard(f *Recording) *Board {
	r := f.Puzzle.Rules
	b := &Board{
		f: f, n: r.Size(),
		state:    make([]uint16, r.Cells()*r.Size()),
		fixed:    make([]bool, r.Cells()),
		shown:    make([]uint16, r.Cells()*(r.Size()+2)),
		pointers: make([]Pointer, r.Cells()),
	}
	for cell := range b.fixed {
		b.fixed[cell] = f.Puzzle.Cells[cell] != 0 || f.found[cell] != 0
		b.dirty = append(b.dirty, cell)
	}
	return b
}

// Shown returns the values of the slots of a cell. They change with Advance.
func (b *Board) Shown(cell int) []uint16 { return b.shown[cell*b.Slots() : (cell+1)*b.Slots()] }

// Slots returns the number of slots of a cell.
func (b *Board) Slots() int { return b.n + 2 }

// Advance applies the events of a frame and returns the changed slots. The slice is
// valid until the next call.
func (b *Board) Advance(fr Frame) []Change {
	for _, cell := range b.pointed {
		b.pointers[cell] = NoPointer
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

// apply applies an event.
func (b *Board) apply(e event) {
	if i := slices.Index(counted[:], e.kind); i >= 0 {
		b.counts[i]++
	}
	b.counts[len(counted)] = int(e.assigned)
	switch e.kind {
	case classic.Conflict, classic.Solution:
		return
	case classic.Decide, classic.Assume, classic.Backtrack:
		b.path = append(b.path[:e.level-1], e.kind == classic.Backtrack)
	}
	for len(b.trail) >= int(e.assigned) {
		last := b.trail[len(b.trail)-1]
		b.trail = b.trail[:len(b.trail)-1]
		b.set(last, 0)
	}
	candidate := b.f.candidates[e.lit.Var()]
	b.trail = append(b.trail, candidate)
	state := 1 + 2*uint16(e.kind)
	if e.lit.Neg() {
		state++
	}
	b.set(candidate, state)
}

// set sets the state of a candidate.
func (b *Board) set(candidate int32, state uint16) {
	if candidate < 0 {
		return
	}
	b.state[candidate] = state
	b.dirty = append(b.dirty, int(candidate)/b.n)
}

// setPointers sets the pointers at the cells that the events are about. In a frame
// of several events, inferred events that make a candidate false have no pointer.
func (b *Board) setPointers(events []event) {
	for _, e := range events {
		switch {
		case e.kind == classic.Conflict && e.clause >= 0:
			for _, l := range b.f.formula.Clause(int(e.clause)) {
				b.setPointer(b.f.candidates[l.Var()], ConflictPointer)
			}
		case e.kind == classic.Solution || e.kind == classic.Conflict:
		case len(events) == 1 || !e.lit.Neg() || !e.inferred():
			b.setPointer(b.f.candidates[e.lit.Var()], pointerOf[e.kind])
		}
	}
}

// setPointer sets the pointer at the cell of a candidate, unless the cell has a
// pointer that is later in the list.
func (b *Board) setPointer(candidate int32, p Pointer) {
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

// collect returns the changed slots.
func (b *Board) collect() []Change {
	b.changes = b.changes[:0]
	slices.Sort(b.dirty)
	for _, cell := range slices.Compact(b.dirty) {
		b.updateCell(cell)
	}
	b.dirty = b.dirty[:0]
	return b.changes
}

// updateCell updates the slots of a cell.
func (b *Board) updateCell(cell int) {
	states := b.state[cell*b.n : cell*b.n+b.n]
	digit, several := 0, false
	for d, state := range states {
		if state%2 == 1 {
			digit, several = d+1, digit != 0
		}
	}
	for d, state := range states {
		mark := b.mark(state)
		if b.fixed[cell] || b.f.decided[cell*b.n+d] || digit != 0 && !several {
			mark = NoMark
		}
		b.setSlot(cell, d, mark)
	}
	value := uint16(0)
	if !b.fixed[cell] && digit != 0 && !several {
		value = 1 + styleOf[(states[digit-1]-1)/2] + Styles*uint16(digit-1)
	}
	b.setSlot(cell, b.n, value)
	b.setSlot(cell, b.n+1, uint16(b.pointers[cell]))
}

// mark returns the mark of a candidate in a cell without a digit.
func (b *Board) mark(state uint16) uint16 {
	switch kind := classic.Kind((state - 1) / 2); {
	case state == 0 && b.n <= maxMarkedSize:
		return OpenMark
	case state == 0:
		return NoMark
	case state%2 == 1:
		return ClashMark
	case kind == classic.Decide || kind == classic.Assume:
		return DecidedMark
	case kind == classic.Backtrack:
		return FlippedMark
	}
	return NoMark
}

// setSlot sets slot i of a cell.
func (b *Board) setSlot(cell, i int, value uint16) {
	if slot := cell*b.Slots() + i; b.shown[slot] != value {
		b.shown[slot] = value
		b.changes = append(b.changes, Change{slot, value})
	}
}

// Split returns the style and the digit of the value of a digit slot.
func Split(value uint16) (style, digit int) { return int(value-1) % Styles, int(value-1)/Styles + 1 }
