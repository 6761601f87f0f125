package order_test

import (
	"fmt"

	"sator/dpll/cdcl/internal/order"
)

// Bumping a variable raises its score in the heap, and moves it to the end of the queue.
func Example() {
	var h order.Heap
	h.Grow(3)
	h.Fill(0, 3)
	h.Score[2] = 1.5
	h.Raise(2)
	fmt.Println(h.Pop(), h.Pop())

	var q order.Queue
	q.Init()
	q.Grow(3)
	q.MoveToEnd(0)
	fmt.Println(q.Last, q.Links[q.Last].Prev)
	// Output:
	// 2 0
	// 0 2
}
