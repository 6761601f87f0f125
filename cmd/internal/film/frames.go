package film

import (
	"slices"
	"sort"

	"sator/dpll/classic"
)

// Grouping events into frames. A search has far more events than anyone watches.
// Nearly all of them are propagations, so these are grouped first. If a grouping
// has too many frames, the next one in this list is tried:
//
//  1. Each event has a frame.
//  2. Each decision, backtrack, conflict and solution has a frame. Of the
//     propagations and pure literals between two of these, up to k share a frame,
//     with the smallest k that makes the frames few enough.
//  3. Each decision, backtrack, conflict and solution has a frame, together with
//     all propagations and pure literals after it.
//  4. Each node of the search tree has a frame: a decision or backtrack with all
//     events up to the next one.
//  5. The first nodes and the same number of last nodes have a frame each. One
//     frame between them stands for all other nodes.
//
// So no decision or backtrack is omitted if there are enough frames for the nodes.
// The first frame shows the puzzle. If there is no solution, a last frame says so.

// A Frame is a range of events.
type Frame struct {
	// Weight is the duration of the frame, relative to a frame of inferred events. A
	// frame with another event is shown twice as long, and the first and the last frame
	// are shown even longer.
	Weight int

	Branch bool // the frame has a decision or a backtrack

	from, to int
	omitted  bool // the events are not shown
	closing  bool // there are no events, and the caption is about the end of the search
}

// inferred reports whether an event is a propagation or a pure literal. Such events
// may share a frame.
func (e event) inferred() bool { return e.kind == classic.Propagate || e.kind == classic.PureLiteral }

// startsNode reports whether an event is the first one of a node other than the
// root.
func (e event) startsNode() bool {
	return e.kind == classic.Decide || e.kind == classic.Backtrack || e.kind == classic.Assume
}

// Group groups the events into frames, at most limit, which must be at least
// [MinFrames].
func (f *Recording) Group(limit int) []Frame {
	frames := []Frame{{}}
	if limit--; !f.solved {
		limit--
	}
	frames = append(frames, f.sample(limit)...)
	if !f.solved {
		frames = append(frames, Frame{from: len(f.events), to: len(f.events), closing: true})
	}
	f.setWeights(frames)
	return frames
}

// sample returns the first grouping with at most limit frames.
func (f *Recording) sample(limit int) []Frame {
	longest := f.longestRun()
	least := 1 + sort.Search(longest, func(k int) bool { return len(f.divide(f.runs(k+1))) <= limit })
	if least <= longest {
		return f.divide(f.runs(least))
	}
	if frames := f.divide(func(i int) bool { return !f.events[i].inferred() }); len(frames) <= limit {
		return frames
	}
	nodes := f.divide(func(i int) bool { return f.events[i].startsNode() })
	if len(nodes) <= limit {
		return nodes
	}
	head, tail := limit/2, (limit-1)/2
	last := len(nodes) - tail
	between := Frame{from: nodes[head].from, to: nodes[last].from, omitted: true}
	return slices.Concat(nodes[:head], []Frame{between}, nodes[last:])
}

// runs returns a predicate for the first event of a frame, where up to k events of a
// run of inferred events share a frame. It must be called with all events in order.
func (f *Recording) runs(k int) func(i int) bool {
	run := 0
	return func(i int) bool {
		if !f.events[i].inferred() {
			run = 0
			return true
		}
		run++
		return run%k == 1 || k == 1
	}
}

// longestRun returns the length of the longest run of inferred events, at least 1.
func (f *Recording) longestRun() int {
	longest, run := 1, 0
	for _, e := range f.events {
		if run++; !e.inferred() {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// divide groups the events into frames. begins reports whether an event is the first
// one of a frame.
func (f *Recording) divide(begins func(i int) bool) []Frame {
	var frames []Frame
	for i := range f.events {
		if begins(i) || i == 0 {
			frames = append(frames, Frame{from: i})
		}
		frames[len(frames)-1].to = i + 1
	}
	return frames
}

// setWeights sets the fields Weight and Branch.
func (f *Recording) setWeights(frames []Frame) {
	for i := range frames {
		fr := &frames[i]
		events := f.events[fr.from:fr.to]
		fr.Branch = slices.ContainsFunc(events, event.startsNode)
		switch {
		case i == len(frames)-1:
			fr.Weight = 24
		case i == 0 || fr.omitted:
			fr.Weight = 8
		case slices.ContainsFunc(events, func(e event) bool { return !e.inferred() }):
			fr.Weight = 2
		default:
			fr.Weight = 1
		}
	}
}
