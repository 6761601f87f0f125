package versus

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// How a process is run and measured. The system counts its time and memory and tells when it ends;
// for that the bench waits in a system call, and the end is seen at once. Limits need more: while
// the process runs, it is looked at now and then, with all the processes beneath it. That is done
// at once, then after 1 ms, 2 ms and so on up to 50 ms, so that short runs are seen too and long
// ones are not disturbed.
//
// Other systems than Linux do not tell of a process that runs. There the clock ends runs, and what
// they took is compared with the limits afterwards.
//
// A process is the head of a group, which is killed as a whole. On Linux the processes go also when
// the bench is killed and can do nothing about it.

// Limits are what a run may use. Zero is no limit.
type Limits struct {
	CPU    time.Duration // user and system time of the process and those beneath it
	Wall   time.Duration // by the clock
	Memory int64         // bytes resident, of the process and those beneath it
	Output int64         // bytes of any file that it writes
}

// The intervals at which a process is looked at.
const (
	firstLook = time.Millisecond
	lastLook  = 50 * time.Millisecond
)

// A task is a process to be run.
type task struct {
	program string
	args    []string
	core    int      // that it is pinned to; none if negative
	out     *os.File // standard output
	err     *os.File // standard error
	files   []string // that may become too large
}

// A measure is what a run took and how it ended.
type measure struct {
	cpu, wall time.Duration
	memory    int64 // bytes; 0 if not known
	exit      int   // the code, or -1 if a signal ended it
	state     string
	over      Outcome // TimeOut, MemoryOut or OutputOut if it was killed for that, else empty
	note      string  // which limit
}

// run runs a process to its end, or to a limit, or until ctx is done, whose cause is then returned.
// Other errors are that it cannot be started.
func (t *task) run(ctx context.Context, limits Limits) (*measure, error) {
	// The affinity of the process, and the signal that it gets if we die, come from the thread that
	// starts it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	unpin, err := pin(t.core)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(t.program, t.args...)
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = t.out, t.err, attributes()
	begin := time.Now()
	err = cmd.Start()
	unpin()
	if err != nil {
		return nil, err
	}
	floor := ownPeak()
	floor += floor / 4 // the system's counts are not exact to the page
	w := &watch{task: t, limits: limits, begin: begin, process: cmd.Process}
	ended := make(chan time.Duration, 1)
	go func() {
		cmd.Wait() // its error says what the state of the process says
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
	m.judge(limits)
	return m, nil
}

// judge finds out that a limit was passed which nobody saw in time.
func (m *measure) judge(limits Limits) {
	switch {
	case m.over != "":
	case limits.CPU > 0 && m.cpu > limits.CPU:
		m.over, m.note = TimeOut, "CPU time"
	case limits.Wall > 0 && m.wall > limits.Wall:
		m.over, m.note = TimeOut, "wall clock"
	case limits.Memory > 0 && m.memory > limits.Memory:
		m.over = MemoryOut
	}
}

// A watch looks at a process while it runs.
type watch struct {
	task    *task
	limits  Limits
	begin   time.Time
	process *os.Process
	cpu     time.Duration // when it was last looked at
	peak    int64         // of memory, of one process
}

// until waits for the end of the process, which is told with the time it took, and kills it at a
// limit or when ctx is done.
func (w *watch) until(ctx context.Context, ended <-chan time.Duration) (*measure, error) {
	m := new(measure)
	interval := firstLook
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
		if m.over, m.note = w.look(); m.over != "" {
			w.kill()
			m.wall = <-ended
			return m, nil
		}
		next.Reset(interval)
		interval = min(2*interval, lastLook)
	}
}

// kill ends the process and those of its group.
func (w *watch) kill() {
	killGroup(w.process)
	w.process.Kill()
}

// look returns the limit that the process has passed, if any.
func (w *watch) look() (over Outcome, note string) {
	cpu, peak, resident := inspect(w.process.Pid)
	w.cpu, w.peak = max(w.cpu, cpu), max(w.peak, peak)
	switch {
	case w.limits.CPU > 0 && cpu > w.limits.CPU:
		return TimeOut, "CPU time"
	case w.limits.Wall > 0 && time.Since(w.begin) > w.limits.Wall:
		return TimeOut, "wall clock"
	case w.limits.Memory > 0 && resident > w.limits.Memory:
		return MemoryOut, ""
	case w.limits.Output > 0 && w.written() > w.limits.Output:
		return OutputOut, fmt.Sprintf("a file of more than %d MB", w.limits.Output>>20)
	}
	return "", ""
}

// written returns the size of the largest file that the process writes.
func (w *watch) written() int64 {
	size := int64(0)
	for _, name := range w.task.files {
		if info, err := os.Stat(name); err == nil {
			size = max(size, info.Size())
		}
	}
	return size
}
