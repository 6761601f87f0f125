package animate

import (
	"slices"
	"sort"

	"sator/dpll"
)

// Which events make a frame. A search has many more events than anyone watches,
// nearly all of them propagations, so these are what is gathered first. Each of
// the following is tried if the one before makes too many frames:
//
//  1. A frame for each event.
//  2. Decisions, backtracks, conflicts and solutions have a frame each, and of
//     the propagations and pure literals between two of these up to k share one,
//     with the least k that makes the frames few enough.
//  3. What propagation finds after a decision or a backtrack is in its frame.
//  4. A node of the tree is a frame: a decision or backtrack with all that comes
//     of it, a conflict too.
//  5. Nodes at the beginning and at the end of the search have a frame each, in
//     equal numbers, and one between them stands for all others.
//
// So as long as there are as many frames as nodes no decision and no backtrack
// is passed over. The first frame is the puzzle, and if there is no solution a
// last one says so.

// A frame is what happens from one picture to the next.
type frame struct {
	from, to int  // of the events
	omitted  bool // they are too many to be shown
	closing  bool // nothing happens, the film is over
}

// gathered reports whether an event may share a frame with others of its kind.
func (e event) inferred() bool { return e.kind == dpll.Propagate || e.kind == dpll.PureLiteral }

// opens reports whether the event is the first at a node, other than the root.
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

// sample applies the rule above.
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

// runs returns a condition for the beginning of a frame, by which up to k events
// of a run share one. It is to be asked of all events in their order.
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

// longest returns the length of the longest run of events that may share a frame,
// at least 1.
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

// cut divides the events into frames, given where one begins.
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

// weight tells how many times as long as others a frame stays: one with a
// decision, a backtrack or a conflict twice, the first and the last longer.
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
