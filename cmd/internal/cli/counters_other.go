//go:build !linux

package cli

import "runtime"

// A counter is a hardware counter; this system has none.
type counter struct{ name string }

func (counter) read() (int64, bool) { return 0, false }
func (counter) close()              {}

// OpenCounters returns no counters.
func OpenCounters() *Counters {
	c := &Counters{absent: map[string]string{}}
	for _, name := range counterNames {
		c.absent[name] = "not available on " + runtime.GOOS
	}
	return c
}
