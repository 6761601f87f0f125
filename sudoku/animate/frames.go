package animate

import (
	"slices"
	"sort"

	"sator/dpll"
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

// A frame is a range of events.
type frame struct {
	from, to int
	omitted  bool // the events are not shown
	closing  bool // there are no events, and the caption is about the end of the search
}

// inferred reports whether an event is a propagation or a pure literal. Such events
// may share a frame.
func (e event) inferred() bool { return e.kind == dpll.Propagate || e.kind == dpll.PureLiteral }

// startsNode reports whether an event is the first one of a node other than the
// root.
func (e event) startsNode() bool {
	return e.kind == dpll.Decide || e.kind == dpll.Backtrack || e.kind == dpll.Assume
}

// frames returns the frames, at most limit.
func (f *Recording) frames(limit int) []frame {
	frames := []frame{{}}
	if limit--; !f.solved {
		limit--
	}
	frames = append(frames, f.sample(limit)...)
	if !f.solved {
		frames = append(frames, frame{from: len(f.events), to: len(f.events), closing: true})
	}
	return frames
}

// sample returns the first grouping with at most limit frames.
func (f *Recording) sample(limit int) []frame {
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
	between := frame{from: nodes[head].from, to: nodes[last].from, omitted: true}
	return slices.Concat(nodes[:head], []frame{between}, nodes[last:])
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
func (f *Recording) divide(begins func(i int) bool) []frame {
	var frames []frame
	for i := range f.events {
		if begins(i) || i == 0 {
			frames = append(frames, frame{from: i})
		}
		frames[len(frames)-1].to = i + 1
	}
	return frames
}

// weight returns the duration of frame i, relative to a frame of inferred events. A
// frame with another event is shown twice as long, and the first and the last frame
// are shown even longer.
func (f *Recording) weight(frames []frame, i int) int {
	switch {
	case i == len(frames)-1:
		return 24
	case i == 0:
		return 8
	case frames[i].omitted:
		return 8
	case slices.ContainsFunc(f.events[frames[i].from:frames[i].to], func(e event) bool { return !e.inferred() }):
		return 2
	}
	return 1
}
