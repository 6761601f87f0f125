// Package order has the two decision orders of a CDCL solver: the VMTF queue of focused
// mode and the VSIDS heap of stable mode.
//
//	var h order.Heap
//	h.Grow(3)
//	h.Fill(0, 3)      // variables 0, 1 and 2
//	h.Score[2] = 1.5  // variable 2 is bumped
//	h.Raise(2)
//	v := h.Pop()      // 2
//
//	var q order.Queue
//	q.Init()
//	q.Grow(3)
//	q.MoveToEnd(0)    // variable 0 is bumped
//	v = q.Last        // 0
//
// Both are indexed by variable and keep no values: a solver skips the variables that
// are assigned.
package order
