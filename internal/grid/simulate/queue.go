package simulate

// A fifo is a queue: first in, first out.
type fifo struct {
	items []int32
	first int
}

func (q *fifo) len() int     { return len(q.items) - q.first }
func (q *fifo) push(x int32) { q.items = append(q.items, x) }

func (q *fifo) pop() int32 {
	x := q.items[q.first]
	q.first++
	return x
}

// A deque is the queue of the coordinator. Its items are stored in reverse, so that the
// front is the end of the slice.
type deque struct{ items []int32 }

func (q *deque) len() int { return len(q.items) }

// pushFront puts cubes in front of the queue, in their order.
func (q *deque) pushFront(cubes ...int32) {
	for i := len(cubes) - 1; i >= 0; i-- {
		q.items = append(q.items, cubes[i])
	}
}

// pushHalves puts the halves of a split cube in front of the queue.
func (q *deque) pushHalves(halves [2]int32) {
	for i := 1; i >= 0; i-- {
		if halves[i] != 0 {
			q.items = append(q.items, halves[i])
		}
	}
}

func (q *deque) popFront() int32 {
	last := len(q.items) - 1
	x := q.items[last]
	q.items = q.items[:last]
	return x
}
