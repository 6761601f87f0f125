//go:build !linux

package versus

import (
	"fmt"
	"runtime"
	"time"
)

// WallFactor is how many times the limit of CPU time a run may take by the clock, if nothing else is
// said. That limit is found to be passed when the run is over, so that this one ends runs.
const WallFactor = 2

// pin cannot bind a process to a core on this system.
func pin(core int) (unpin func(), err error) {
	if core < 0 {
		return func() {}, nil
	}
	return nil, fmt.Errorf("processes cannot be pinned to a core on %s", runtime.GOOS)
}

// ownPeak is 0: what the system counts for another process is that process's alone.
func ownPeak() int64 { return 0 }

// inspect sees nothing of a process while it runs. Its time and memory are found out when it has
// ended.
func inspect(int) (cpu time.Duration, peak, resident int64) { return 0, 0, 0 }
