package cdcl

import "math"

// The queue orders variables by when they were last bumped, the latest at the
// end (VMTF, variable move to front: Ryan's thesis 2004; Biere and Fröhlich,
// "Evaluating CDCL variable scoring schemes", SAT 2015). A decision takes the
// unassigned variable nearest the end. All variables after next are assigned,
// so that the search for it does not start over each time.
type queue struct {
	links       []link // by variable
	first, last uint32
	next        uint32 // where the search for a decision starts
	stamp       uint32 // of the last bump
}

// none ends the queue.
const none = ^uint32(0)

type link struct {
	prev, next uint32
	stamp      uint32 // when the variable was last bumped
}

func (q *queue) init() { q.first, q.last, q.next = none, none, none }

// grow appends variables so that the queue has n.
func (q *queue) grow(n int) {
	for v := uint32(len(q.links)); int(v) < n; v++ {
		q.links = append(q.links, link{})
		q.enqueue(v)
		q.next = v
	}
}

func (q *queue) enqueue(v uint32) {
	l := &q.links[v]
	l.prev, l.next = q.last, none
	if q.last == none {
		q.first = v
	} else {
		q.links[q.last].next = v
	}
	q.last = v
	if q.stamp == math.MaxUint32 {
		q.restamp()
	}
	q.stamp++
	l.stamp = q.stamp
}

// bury moves the variables from n on to the front, the first of them first, so that
// they are decided last. The time is linear in the queue.
func (q *queue) bury(n uint32) {
	for v := uint32(len(q.links)); v > n; v-- {
		q.dequeue(v - 1)
		l := &q.links[v-1]
		l.prev, l.next = none, q.first
		if q.first == none {
			q.last = v - 1
		} else {
			q.links[q.first].prev = v - 1
		}
		q.first = v - 1
	}
	q.restamp()
	q.next = q.last
}

// restamp numbers the stamps anew, from 1 in the order of the queue.
func (q *queue) restamp() {
	q.stamp = 0
	for v := q.first; v != none; v = q.links[v].next {
		q.stamp++
		q.links[v].stamp = q.stamp
	}
}

// remove takes v out for good.
func (q *queue) remove(v uint32) {
	if q.next == v {
		// All after v are assigned: the search goes on before it.
		if q.next = q.links[v].prev; q.next == none {
			q.next = q.links[v].next
		}
	}
	q.dequeue(v)
}

func (q *queue) dequeue(v uint32) {
	l := &q.links[v]
	if l.prev == none {
		q.first = l.next
	} else {
		q.links[l.prev].next = l.next
	}
	if l.next == none {
		q.last = l.prev
	} else {
		q.links[l.next].prev = l.prev
	}
}
