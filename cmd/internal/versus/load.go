package versus

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// The load of the machine. Other processes lengthen a run by the wall clock, and to a smaller degree by CPU time too,
// because they evict its data from shared caches and use memory bandwidth. The bench therefore records for each run how
// many cores the other processes kept busy meanwhile: the busy time of all cores, which Linux counts in /proc/stat,
// minus the CPU time of the run, divided by the wall-clock time. In a virtual machine, the time stolen by its host
// counts as busy.
//
// The second measure needs no support by the system: a solver with one thread that does not wait for a core has equal
// CPU time and wall-clock time. The fraction of the wall-clock time beyond the CPU time is its waiting time, for a core
// or for a disk.
//
// The load average of the system is an estimate before the first run.

// unknownLoad is the value of Run.Others if the load is unknown.
const unknownLoad = -1

// minLoadTime is the shortest wall-clock time with a load. The busy time is counted in steps of 10 ms a core.
const minLoadTime = 200 * time.Millisecond

// LoadAverage returns the load average of the last minute: the number of processes that run or wait for a core, or, on
// Linux, for a disk. The second result is false if the system does not report it.
func LoadAverage() (load float64, known bool) {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0, false
	}
	return parseLoadAverage(text)
}

// parseLoadAverage parses the content of /proc/loadavg.
func parseLoadAverage(text []byte) (load float64, known bool) {
	fields := strings.Fields(string(text))
	if len(fields) == 0 {
		return 0, false
	}
	load, err := strconv.ParseFloat(fields[0], 64)
	return load, err == nil && load >= 0
}

// Busy reports whether a load average leaves no idle core for the next run.
func Busy(load float64) bool {
	_, cores := processor()
	return load > max(0, float64(max(cores, runtime.NumCPU()))-1)+0.5
}

// busyTime returns the time for which the cores of the machine have been busy since its start, summed over the cores.
// The second result is false if the system does not report it.
func busyTime() (busy time.Duration, known bool) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, false
	}
	return parseBusyTime(text)
}

// parseBusyTime parses the first line of /proc/stat. Its numbers are ticks in the states user, nice, system, idle,
// iowait, irq, softirq and steal; further numbers are included in the first two.
func parseBusyTime(text []byte) (busy time.Duration, known bool) {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	fields := strings.Fields(string(line))
	if len(fields) < 9 || fields[0] != "cpu" {
		return 0, false
	}
	const idle, iowait = 4, 5
	for i, f := range fields[:9] {
		if i == 0 || i == idle || i == iowait {
			continue
		}
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, false
		}
		busy += time.Duration(n) * tick
	}
	return busy, true
}

// tick is the unit of times in /proc. It is the same on all architectures that Go supports.
const tick = time.Second / 100

// otherCores returns the number of cores that other processes kept busy during a run, rounded to 0.01, or unknownLoad.
func otherCores(busy, cpu, wall time.Duration) float64 {
	if wall < minLoadTime {
		return unknownLoad
	}
	return math.Round(max(0, (busy-cpu).Seconds()/wall.Seconds())*100) / 100
}

// A Load describes how much other processes disturbed a set of runs.
type Load struct {
	Others  float64 // mean number of cores that other processes kept busy during the runs; NaN if unknown
	Waiting float64 // fraction of the wall-clock time in which the solvers waited for a core or a disk; NaN without long runs
}

// The loads from which on a report has a warning. An idle machine is far below both.
const (
	manyOthers  = 0.25
	muchWaiting = 0.05
)

// loadOf returns the load during runs. Runs shorter than minLoadTime are left out.
func loadOf(runs []Run) Load {
	var long, waited, measured, others float64
	for i := range runs {
		r := &runs[i]
		if r.Wall < minLoadTime {
			continue
		}
		wall := r.Wall.Seconds()
		long += wall
		waited += max(0, wall-r.CPU.Seconds())
		if r.Others >= 0 {
			measured += wall
			others += r.Others * wall
		}
	}
	return Load{Others: others / measured, Waiting: waited / long}
}

// Heavy reports whether the load makes the times doubtful.
func (l Load) Heavy() bool { return l.Others > manyOthers || l.Waiting > muchWaiting }

// String returns the load as a sentence.
func (l Load) String() string {
	var parts []string
	if !math.IsNaN(l.Others) {
		parts = append(parts, fmt.Sprintf("other processes kept %.2f cores busy on average", l.Others))
	}
	if !math.IsNaN(l.Waiting) {
		parts = append(parts, fmt.Sprintf("the solvers waited for %.0f %% of the wall-clock time", 100*l.Waiting))
	}
	return strings.Join(parts, ", and ")
}
