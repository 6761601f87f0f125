package versus

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// Running and measuring a process. The operating system counts the CPU time and the memory of a
// process; the bench waits for its end in a system call, so the wall-clock time is exact. To
// enforce limits, the bench also samples the process and its descendants while they run: at the
// start, then after 1 ms, 2 ms and so on, up to every 50 ms. This catches short runs and does not
// disturb long ones.
//
// Systems other than Linux do not report on a running process. On those systems
// only the wall-clock and output limits end a run; CPU time and memory are
// compared with their limits afterwards.
//
// Each process leads a process group, which is killed as a whole. On Linux the processes also die
// when the bench itself is killed.

// Limits are the resource limits of a run. Zero means no limit.
type Limits struct {
	CPU    time.Duration // user and system time of the process and its descendants
	Wall   time.Duration // wall-clock time
	Memory int64         // sum of the RSS of the process and its descendants, in bytes
	Output int64         // size of the largest file written, in bytes
}

// The intervals between two samples.
const (
	firstInterval = time.Millisecond
	maxInterval   = 50 * time.Millisecond
)

// A task is a process to run.
type task struct {
	program string
	args    []string
	core    int      // pinned to this core; negative: no pinning
	out     *os.File // standard output
	err     *os.File // standard error
	files   []string // files subject to Limits.Output
}

// A measurement holds how a process ended and the resources that it used.
type measurement struct {
	cpu, wall time.Duration
	memory    int64   // bytes; 0 if unknown
	exit      int     // exit code; -1 for a signal
	state     string  // state of the ended process, such as "signal: killed"
	exceeded  Outcome // TimeOut, MemoryOut or OutputOut if a limit was exceeded, else empty
	note      string  // name of the exceeded limit
	others    float64 // cores kept busy by other processes; unknownLoad if unknown
}

// run runs a process until it ends, exceeds a limit, or ctx is done. In the last case it returns
// the cause of ctx. Other errors mean that the process cannot be started.
func (t *task) run(ctx context.Context, limits Limits) (*measurement, error) {
	// A process inherits the affinity and the parent death signal from the thread that starts it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	unpin, err := pin(t.core)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(t.program, t.args...)
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = t.out, t.err, attributes()
	busy, known := busyTime()
	begin := time.Now()
	err = cmd.Start()
	unpin()
	if err != nil {
		return nil, err
	}
	floor := ownPeak()
	floor += floor / 4 // the counts of the system are approximate
	w := &monitor{task: t, limits: limits, begin: begin, process: cmd.Process}
	ended := make(chan time.Duration, 1)
	go func() {
		cmd.Wait() // ProcessState has the same information as its error
		ended <- time.Since(begin)
	}()
	m, err := w.until(ctx, ended)
	killGroup(cmd.Process)
	if err != nil {
		return nil, err
	}
	state := cmd.ProcessState
	m.cpu = max(w.cpu, state.UserTime()+state.SystemTime())
	m.exit, m.state = state.ExitCode(), state.String()
	if m.memory = maxResident(state); m.memory <= floor && w.peak > 0 {
		m.memory = w.peak
	}
	m.others = unknownLoad
	if after, _ := busyTime(); known && after > busy {
		m.others = otherCores(after-busy, m.cpu, m.wall)
	}
	if m.exceeded == "" { // by the last sample
		m.exceeded, m.note = limits.exceeded(m.cpu, m.wall, m.memory)
	}
	return m, nil
}

// exceeded returns the limit that a use of resources exceeds, if any.
func (l *Limits) exceeded(cpu, wall time.Duration, memory int64) (exceeded Outcome, note string) {
	switch {
	case l.CPU > 0 && cpu > l.CPU:
		return TimeOut, "CPU time"
	case l.Wall > 0 && wall > l.Wall:
		return TimeOut, "wall clock"
	case l.Memory > 0 && memory > l.Memory:
		return MemoryOut, ""
	}
	return "", ""
}

// A monitor samples a running process.
type monitor struct {
	task    *task
	limits  Limits
	begin   time.Time
	process *os.Process
	cpu     time.Duration // CPU time at the last sample
	peak    int64         // highest peak RSS of a single process so far
}

// until waits for the end of the process, which the channel ended reports with the wall-clock time.
// It kills the process at a limit or when ctx is done.
func (w *monitor) until(ctx context.Context, ended <-chan time.Duration) (*measurement, error) {
	m := new(measurement)
	interval := firstInterval
	next := time.NewTimer(0)
	defer next.Stop()
	for {
		select {
		case m.wall = <-ended:
			return m, nil
		case <-ctx.Done():
			w.kill()
			<-ended
			return nil, context.Cause(ctx)
		case <-next.C:
		}
		if m.exceeded, m.note = w.sample(); m.exceeded != "" {
			w.kill()
			m.wall = <-ended
			return m, nil
		}
		next.Reset(interval)
		interval = min(2*interval, maxInterval)
	}
}

// kill kills the process and its process group.
func (w *monitor) kill() {
	killGroup(w.process)
	w.process.Kill()
}

// sample returns the limit that the process exceeds, if any.
func (w *monitor) sample() (exceeded Outcome, note string) {
	cpu, peak, resident := inspect(w.process.Pid)
	w.cpu, w.peak = max(w.cpu, cpu), max(w.peak, peak)
	exceeded, note = w.limits.exceeded(cpu, time.Since(w.begin), resident)
	if exceeded == "" && w.limits.Output > 0 && w.written() > w.limits.Output {
		return OutputOut, fmt.Sprintf("a file of more than %d MB", w.limits.Output>>20)
	}
	return exceeded, note
}

// written returns the size of the largest file that the process writes.
func (w *monitor) written() int64 {
	size := int64(0)
	for _, name := range w.task.files {
		if info, err := os.Stat(name); err == nil {
			size = max(size, info.Size())
		}
	}
	return size
}
