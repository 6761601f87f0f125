//go:build satcheck

package cdcl

const checking = true

// A view with each index checked; see check_off.go.
type view[T any] struct{ a []T }

func over[T any](a []T) view[T] { return view[T]{a[:cap(a)]} }

func (v view[T]) at(i uint32) T         { return v.a[i] }
func (v view[T]) set(i uint32, x T)     { v.a[i] = x }
func (v view[T]) ptr(i uint32) *T       { return &v.a[i] }
func (v view[T]) from(i uint32) view[T] { return view[T]{v.a[i:]} }
