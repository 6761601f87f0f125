package cli

// Hardware counters of the process: events that the processor counts, such as cache misses.
// Only Linux offers them without a driver, and containers and virtual machines often refuse
// them. A counter that cannot be read is absent, with the reason; it is never 0.

// Counters are hardware counters that count since [OpenCounters]. A nil *Counters has none.
type Counters struct {
	absent map[string]string // by name: why it is absent, or ""
	open   []counter
}

// counterNames are the names of the hardware counters.
var counterNames = []string{"cycles", "instructions", "branch_misses", "cache_misses"}

// Absent returns for each counter why it is absent, or "" if it counts.
func (c *Counters) Absent() map[string]string { return c.absent }

// Read returns the counters that the system has: the sums over all threads of the
// process, in user mode. A processor with too few counters measures each a part of the
// time; the counts are extrapolated.
func (c *Counters) Read() map[string]int64 {
	if c == nil || len(c.open) == 0 {
		return nil
	}
	all := map[string]int64{}
	for _, one := range c.open {
		if n, ok := one.read(); ok {
			all[one.name] = n
		}
	}
	return all
}

// Close releases the counters.
func (c *Counters) Close() {
	if c == nil {
		return
	}
	for _, one := range c.open {
		one.close()
	}
	c.open = nil
}
