package simulate

import "container/heap"

// A station is a resource that serves jobs in the order of their arrival, each for a
// given time, on one or more equal servers. Since jobs never overtake each other, a
// station needs no queue: it stores when each server is free, and a job begins when the
// first one is. This requires that jobs arrive in the order of time, so the simulation
// has an event for each arrival.
//
// Messages that come at a constant rate, such as heartbeats, are not simulated one by
// one. They take a share of the station, and the other jobs take longer by that share:
// the mean of the exact model, without its short queues.

// A station is a resource with a queue.
type station struct {
	free []float64 // times when the servers are free
	slow float64   // factor of the times of service, because of background load; 1 without
	busy float64   // time that servers spent with jobs
}

// newStation returns a station with some servers. The load is the number of servers that
// background messages would occupy.
func newStation(servers int, load float64) station {
	return station{free: make([]float64, servers), slow: 1 / max(0, 1-load/float64(servers))}
}

// serve adds a job at a time and returns the time of its end.
func (s *station) serve(now, seconds float64) float64 {
	first := 0
	for i, t := range s.free {
		if t < s.free[first] {
			first = i
		}
	}
	seconds *= s.slow
	s.busy += seconds
	s.free[first] = max(now, s.free[first]) + seconds
	return s.free[first]
}

// An event is an action at a time. Of events at the same time, the one that was
// scheduled first is first.
type event struct {
	time   float64
	number int64
	act    func()
}

// A calendar is the events to come.
type calendar struct {
	events []event // a heap
	number int64   // of the last scheduled event
}

func (c *calendar) schedule(time float64, act func()) {
	c.number++
	heap.Push(c, event{time, c.number, act})
}

// next removes the first event. There must be one.
func (c *calendar) next() event { return heap.Pop(c).(event) }

// Len implements [heap.Interface].
func (c *calendar) Len() int { return len(c.events) }

// Less implements [heap.Interface].
func (c *calendar) Less(i, j int) bool {
	a, b := &c.events[i], &c.events[j]
	if a.time != b.time {
		return a.time < b.time
	}
	return a.number < b.number
}

// Swap implements [heap.Interface].
func (c *calendar) Swap(i, j int) { c.events[i], c.events[j] = c.events[j], c.events[i] }

// Push implements [heap.Interface].
func (c *calendar) Push(e any) { c.events = append(c.events, e.(event)) }

// Pop implements [heap.Interface].
func (c *calendar) Pop() any {
	last := len(c.events) - 1
	e := c.events[last]
	c.events[last] = event{}
	c.events = c.events[:last]
	return e
}
