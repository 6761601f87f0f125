//go:build satcheck

package cdcl

const checking = true

// leastReserved is small in this build, so that small formulas test reservations.
const leastReserved = 1 << 12

// pauseSteps and pollTicks are variables in this build, see check_off.go. Tests lower them to
// stop calls anywhere in small formulas.
var (
	pauseSteps       = 1024
	pollTicks  int64 = 4_000
)

// An uncheckedSlice checks each index in this build; see check_off.go.
type uncheckedSlice[T any] struct{ a []T }

func unchecked[T any](a []T) uncheckedSlice[T] { return uncheckedSlice[T]{a[:cap(a)]} }

func (v uncheckedSlice[T]) at(i uint32) T                   { return v.a[i] }
func (v uncheckedSlice[T]) set(i uint32, x T)               { v.a[i] = x }
func (v uncheckedSlice[T]) ptr(i uint32) *T                 { return &v.a[i] }
func (v uncheckedSlice[T]) from(i uint32) uncheckedSlice[T] { return uncheckedSlice[T]{v.a[i:]} }
