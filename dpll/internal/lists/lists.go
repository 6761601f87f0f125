// Package lists holds a list for each literal, all in one slice: the lists of occurrences of
// searches that do not change their clauses.
//
//	x := lists.New(2*f.Vars(), func(yield func(dimacs.Lit, int)) {
//		for i, c := range f.Clauses() {
//			for _, l := range c {
//				yield(l, i)
//			}
//		}
//	})
//	fmt.Println(x.Of(l)) // the clauses of l
package lists

import "sator/dimacs"

// Lists has one list for each literal.
type Lists[T any] struct {
	starts []uint32 // by literal: index of the first item of its list
	items  []T
}

// Of returns the list of l. It must not be changed.
func (x *Lists[T]) Of(l dimacs.Lit) []T { return x.items[x.starts[l]:x.starts[l+1]] }

// New returns the lists for that many literals of the items that each yields, in their order.
// It calls each twice. There must be fewer than 2^32 items.
func New[T any](literals int, each func(yield func(l dimacs.Lit, item T))) Lists[T] {
	x := Lists[T]{starts: make([]uint32, literals+2)}
	each(func(l dimacs.Lit, _ T) { x.starts[l+2]++ })
	for l := range literals {
		x.starts[l+2] += x.starts[l+1]
	}
	x.items = make([]T, x.starts[literals+1])
	each(func(l dimacs.Lit, item T) {
		x.items[x.starts[l+1]] = item
		x.starts[l+1]++
	})
	return x
}
