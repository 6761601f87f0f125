package dimacs

import (
	"fmt"
	"unsafe"
)

// A Go program cannot handle a failed allocation: the runtime ends the process with a
// stack dump, or the system kills it. Therefore engines, checkers and readers ask before
// each large allocation, and what they ask is a MemoryLimit. They ask for the new memory
// alone. When a table grows, its old and its new memory exist at the same time, and the
// limit sees the old one as memory in use.
//
// A table grows rarely, so that asking costs nothing in comparison with copying it.

// A MemoryLimit reports whether this many more bytes may be allocated. The nil MemoryLimit
// allows everything. Several goroutines may call it at the same time. It is also asked
// about small tables, and should allow them at once.
type MemoryLimit func(bytes int64) bool

// A MemoryError is the value of a panic: a [MemoryLimit] has refused an allocation. The
// solver or checker that panicked must not be used again.
type MemoryError struct{ Bytes int64 }

func (e *MemoryError) Error() string {
	return fmt.Sprintf("no memory is left for a table of %d MB", (e.Bytes+1<<20-1)>>20)
}

// Allows reports whether the limit allows this many more bytes.
func (m MemoryLimit) Allows(bytes int64) bool { return m == nil || m(bytes) }

// Require panics with a [*MemoryError] unless the limit allows this many more bytes.
func (m MemoryLimit) Require(bytes int64) {
	if !m.Allows(bytes) {
		panic(&MemoryError{bytes})
	}
}

// Capacity returns a capacity for a table that needs this many elements of a size in
// bytes: the desired capacity, or a little more than needed if the limit refuses that
// one. It panics with a [*MemoryError] if the limit refuses both.
func (m MemoryLimit) Capacity(need, desired int, size uintptr) int {
	if m.Allows(int64(desired) * int64(size)) {
		return desired
	}
	least := min(need+need/16, desired)
	m.Require(int64(least) * int64(size))
	return least
}

// catchRefusal calls read and returns its error, or the MemoryError with which it panics.
func catchRefusal(read func() error) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *MemoryError:
			err = p
		default:
			panic(p)
		}
	}()
	return read()
}

// Extend returns a with capacity for at least n more elements. It asks the limit first, and
// panics with a [*MemoryError] if the limit refuses. A large table grows by a quarter, a
// small one doubles.
func Extend[T any](m MemoryLimit, a []T, n int) []T {
	if len(a)+n <= cap(a) {
		return a
	}
	return extended(m, a, len(a)+n)
}

// extended returns a copy of a with capacity for need elements or more.
func extended[T any](m MemoryLimit, a []T, need int) []T {
	const small = 1 << 10 // elements
	desired := need + need/4
	if need < small {
		desired = 2 * need
	}
	var t T
	b := make([]T, len(a), m.Capacity(need, desired, unsafe.Sizeof(t)))
	copy(b, a)
	return b
}
