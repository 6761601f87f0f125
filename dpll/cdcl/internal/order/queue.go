package order

import "math"

// A Queue is a doubly linked list of variables in the order of their last bump, the
// latest at the end: variable move to front (VMTF; Ryan's thesis, 2004; Biere and
// Fröhlich, "Evaluating CDCL variable scoring schemes", SAT 2015). A solver decides the
// unassigned variable nearest the end. All variables behind Next are assigned, so that
// the search for a decision continues where the last one ended; the solver lowers Next
// as it decides and raises it when it unassigns variables.
//
// The fields are exported because a solver follows the links in its own loops.
// An empty queue must be initialized by [Queue.Init].
type Queue struct {
	Links       []Link // by variable
	First, Last uint32 // None in an empty queue
	Next        uint32 // first candidate for a decision
	stamp       uint32 // of the last bump
}

// None is the Prev of the first variable and the Next of the last one.
const None = ^uint32(0)

// A Link is the place of a variable in a [Queue].
type Link struct {
	Prev, Next uint32
	Stamp      uint32 // time of the last bump; it grows along the queue
}

// Init empties the queue. It keeps the memory of the links.
func (q *Queue) Init() {
	q.Links, q.stamp = q.Links[:0], 0
	q.First, q.Last, q.Next = None, None, None
}

// Grow appends variables at the end of the queue until it has n.
func (q *Queue) Grow(n int) {
	for v := uint32(len(q.Links)); int(v) < n; v++ {
		q.Links = append(q.Links, Link{})
		q.Enqueue(v)
		q.Next = v
	}
}

// Enqueue appends v at the end. The queue must not contain v.
func (q *Queue) Enqueue(v uint32) {
	l := &q.Links[v]
	l.Prev, l.Next = q.Last, None
	if q.Last == None {
		q.First = v
	} else {
		q.Links[q.Last].Next = v
	}
	q.Last = v
	if q.stamp == math.MaxUint32 {
		q.restamp()
	}
	q.stamp++
	l.Stamp = q.stamp
}

// MoveToEnd bumps v: it becomes the last variable. The queue must contain v. Next is
// not changed and may be v.
func (q *Queue) MoveToEnd(v uint32) {
	q.unlink(v)
	q.Enqueue(v)
}

// Bury moves the variables numbered n and higher to the front of the queue, in ascending
// order, so that they are decided last. The time is linear in the queue.
func (q *Queue) Bury(n uint32) {
	for v := uint32(len(q.Links)); v > n; v-- {
		q.unlink(v - 1)
		l := &q.Links[v-1]
		l.Prev, l.Next = None, q.First
		if q.First == None {
			q.Last = v - 1
		} else {
			q.Links[q.First].Prev = v - 1
		}
		q.First = v - 1
	}
	q.restamp()
	q.Next = q.Last
}

// restamp renumbers the stamps from 1 in the order of the queue.
func (q *Queue) restamp() {
	q.stamp = 0
	for v := q.First; v != None; v = q.Links[v].Next {
		q.stamp++
		q.Links[v].Stamp = q.stamp
	}
}

// Remove removes v from the queue.
func (q *Queue) Remove(v uint32) {
	if q.Next == v {
		// All variables behind v are assigned: the search continues before v.
		if q.Next = q.Links[v].Prev; q.Next == None {
			q.Next = q.Links[v].Next
		}
	}
	q.unlink(v)
}

func (q *Queue) unlink(v uint32) {
	l := &q.Links[v]
	if l.Prev == None {
		q.First = l.Next
	} else {
		q.Links[l.Prev].Next = l.Next
	}
	if l.Next == None {
		q.Last = l.Prev
	} else {
		q.Links[l.Next].Prev = l.Prev
	}
}
