package hub

import (
	"math"
	"testing"
)

// TestDiskLook follows the free space of a disk over time.
func TestDiskLook(t *testing.T) {
	const mib = 1 << 20
	free, size, known := int64(0), int64(math.MaxInt64), true
	for _, tt := range []struct {
		reserve, size, want int64 // want: the reserve in effect
	}{
		{0, 100 << 30, DefaultReserve},
		{0, 80 * mib, 10 * mib},
		{5 * mib, 80 * mib, 5 * mib},
		{-1, 80 * mib, -1},
	} {
		size = tt.size
		if d := newDisk("", tt.reserve, func(string) (int64, int64, bool) { return free, size, known }); d.reserve != tt.want {
			t.Errorf("reserve %d on a disk of %d bytes: %d, want %d", tt.reserve, tt.size, d.reserve, tt.want)
		}
	}
	d := newDisk("", 10*mib, func(string) (int64, int64, bool) { return free, size, known })
	for i, tt := range []struct {
		free          int64
		known         bool
		changed, full bool
	}{
		{30 * mib, true, false, false},
		{10 * mib, true, false, false},
		{10*mib - 1, true, true, true},
		{0, false, false, true},
		{20*mib - 1, true, false, true},
		{20 * mib, true, true, false},
		{0, false, false, false},
		{0, true, true, true},
	} {
		free, known = tt.free, tt.known
		if changed, _ := d.look(); changed != tt.changed || d.full != tt.full {
			t.Errorf("step %d: changed %v, full %v; want %v, %v", i, changed, d.full, tt.changed, tt.full)
		}
	}
	free = 0
	if d := newDisk("", -1, d.free); func() bool { c, _ := d.look(); return c || d.full }() {
		t.Error("a disk without a reserve is full")
	}
}
