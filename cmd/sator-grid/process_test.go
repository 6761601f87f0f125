//go:build unix

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sator/cmd/internal/clitest"
)

// The tests with processes run servers, coordinators, workers and checkers as children of
// the test, each with a memory limit of its own, and end them by SIGKILL. A site starts the
// processes of one run. All of them have a common directory for temporary files and a common
// cache, so that a test sees what a killed process left there.
//
// A process is its own process group. At the end of a test its group must be empty.

// A site is a place of processes: a directory with their logs and files.
type site struct {
	t         *testing.T
	dir       string
	processes []*process
}

// newSite returns a site whose processes end with the test.
func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t: t, dir: t.TempDir()}
	for _, name := range []string{"tmp", "cache", "logs"} {
		if err := os.Mkdir(s.path(name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		for _, p := range s.processes {
			p.kill()
		}
		if t.Failed() {
			s.showLogs()
		}
	})
	return s
}

// path returns the name of a file of the site.
func (s *site) path(name string) string { return filepath.Join(s.dir, name) }

// write writes a file of the site and returns its name.
func (s *site) write(name, text string) string {
	s.t.Helper()
	if err := os.WriteFile(s.path(name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return s.path(name)
}

// manyLine matches the lines of a log that are many: those about cubes, and those of a
// server that is asked every few milliseconds whether it is ready.
var manyLine = regexp.MustCompile(`^c \S+Z |Healthcheck failed`)

// showLogs logs what all processes have written to standard error, without the lines that
// are many. Of a long log it shows the end.
func (s *site) showLogs() {
	for _, p := range s.processes {
		var lines []string
		for line := range strings.Lines(p.log()) {
			if !manyLine.MatchString(line) {
				lines = append(lines, line)
			}
		}
		last := lines[max(0, len(lines)-40):]
		s.t.Logf("%s: %s\n%s", p.name, strings.Join(p.args, " "), strings.Join(last, ""))
	}
}

// run runs a program to its end and returns its standard output. The program must end with
// one of the codes.
func (s *site) run(codes []int, args ...string) string {
	s.t.Helper()
	p := s.start(fmt.Sprintf("%s%d", args[0], len(s.processes)), 0, args...)
	p.wait()
	if !slices.Contains(codes, p.code) {
		s.t.Fatalf("%q: exit code %d, want one of %d", args, p.code, codes)
	}
	return p.output()
}

// A process is a program that can be killed and started again with the same command line.
type process struct {
	site      *site
	name      string // of its logs
	megabytes int    // of address space; 0 is no limit
	args      []string

	cmd    *exec.Cmd // of the last start
	begin  time.Time // of the last start
	ended  chan struct{}
	code   int // exit code of the last start; negative if a signal ended it
	starts int
	killed int
}

// start starts a program with a limit of its address space in megabytes. The runtime of Go
// takes about 800 of them; 0 is no limit. GOMEMLIMIT is a quarter of the limit.
func (s *site) start(name string, megabytes int, args ...string) *process {
	s.t.Helper()
	p := &process{site: s, name: name, megabytes: megabytes, args: args}
	s.processes = append(s.processes, p)
	p.restart()
	return p
}

// restart starts the program again after it has ended.
func (p *process) restart() {
	p.site.t.Helper()
	if p.cmd != nil {
		<-p.ended
	}
	p.starts++
	p.cmd = p.command()
	log := p.open(".log", os.O_APPEND)
	out := p.open(".out", os.O_TRUNC)
	defer log.Close()
	defer out.Close()
	p.cmd.Stdout, p.cmd.Stderr = out, log
	if err := p.cmd.Start(); err != nil {
		p.site.t.Fatal(err)
	}
	p.begin = time.Now()
	p.ended = make(chan struct{})
	go func(cmd *exec.Cmd, ended chan struct{}) {
		cmd.Wait()
		p.code = cmd.ProcessState.ExitCode()
		close(ended)
	}(p.cmd, p.ended)
}

// command returns the command of the next start.
func (p *process) command() *exec.Cmd {
	cmd := exec.Command(p.args[0], p.args[1:]...)
	env := append(os.Environ(), "TMPDIR="+p.site.path("tmp"), "XDG_CACHE_HOME="+p.site.path("cache"), "HOME="+p.site.dir, "GORACE=atexit_sleep_ms=0")
	if p.megabytes > 0 && startsWithin(p.site.t, p.megabytes) {
		script := fmt.Sprintf(`ulimit -v %d && exec "$@"`, p.megabytes<<10)
		cmd = exec.Command("sh", append([]string{"-c", script, "sh"}, p.args...)...)
		env = append(env, fmt.Sprintf("GOMEMLIMIT=%dMiB", p.megabytes/4))
	}
	cmd.Env, cmd.Dir = env, p.site.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// open opens a log of the process for writing.
func (p *process) open(suffix string, flags int) *os.File {
	p.site.t.Helper()
	f, err := os.OpenFile(p.file(suffix), os.O_CREATE|os.O_WRONLY|flags, 0o666)
	if err != nil {
		p.site.t.Fatal(err)
	}
	return f
}

func (p *process) file(suffix string) string {
	return filepath.Join(p.site.dir, "logs", p.name+suffix)
}

// running reports whether the process has not ended.
func (p *process) running() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// signal sends a signal. It has no effect on a process that has ended.
func (p *process) signal(sig syscall.Signal) { p.cmd.Process.Signal(sig) }

// kill ends the process by SIGKILL and reports whether it had not ended by itself.
func (p *process) kill() bool {
	p.signal(syscall.SIGKILL)
	<-p.ended
	if p.code < 0 {
		p.killed++
	}
	return p.code < 0
}

// wait waits until the process ends by itself.
func (p *process) wait() {
	p.site.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience(p.site.t)):
		p.site.t.Fatalf("%s does not end", p.name)
	}
}

// terminate sends SIGTERM and waits until the process ends. A process gets a second to
// install its signal handler.
func (p *process) terminate() {
	p.site.t.Helper()
	if p.running() {
		time.Sleep(time.Until(p.begin.Add(time.Second)))
	}
	p.signal(syscall.SIGTERM)
	p.wait()
}

// log returns what the process has written to standard error, in all its starts.
func (p *process) log() string { return p.read(".log") }

// output returns what the process has written to standard output since its last start.
func (p *process) output() string { return p.read(".out") }

func (p *process) read(suffix string) string {
	b, err := os.ReadFile(p.file(suffix))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.site.t.Error(err)
	}
	return string(b)
}

// checkClean checks that all processes have ended, that they left no children, and that
// there are no temporary files. A coordinator that is killed before it removes the name of its
// open file leaves an empty file.
func (s *site) checkClean() {
	s.t.Helper()
	for _, p := range s.processes {
		if p.running() {
			s.t.Errorf("%s is running", p.name)
		} else if err := syscall.Kill(-p.cmd.Process.Pid, 0); err == nil {
			s.t.Errorf("%s has left a process", p.name)
		}
	}
	filepath.WalkDir(s.path("tmp"), func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			var info fs.FileInfo
			if info, err = e.Info(); err == nil && info.Size() > 0 {
				err = fmt.Errorf("%d bytes", info.Size())
			}
		}
		if err != nil {
			s.t.Errorf("a temporary file was left: %s, %v", name, err)
		}
		return nil
	})
}

// patience returns the longest time that a step of a test may take: until shortly before the
// test ends by -timeout.
func patience(t *testing.T) time.Duration {
	if deadline, ok := t.Deadline(); ok {
		return min(clitest.MostPatience, max(time.Until(deadline)-10*time.Second, time.Second))
	}
	return clitest.MostPatience
}

// await calls a function until it returns true.
func await(t *testing.T, what string, f func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience(t))
	for !f() {
		if time.Now().After(deadline) {
			t.Fatalf("waiting in vain for %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// startsWithin reports whether the program starts with so many megabytes of address space.
// It does not under the race detector.
func startsWithin(t *testing.T, megabytes int) bool {
	t.Helper()
	script := fmt.Sprintf("ulimit -v %d && exec sator-grid version", megabytes<<10)
	known, tried := addressSpaces[megabytes]
	if !tried {
		known = exec.Command("sh", "-c", script).Run() == nil
		addressSpaces[megabytes] = known
	}
	return known
}

var addressSpaces = map[int]bool{}

// A killer kills processes at random moments and starts them again.
type killer struct {
	rng   *rand.Rand
	most  time.Duration // the longest time between two kills
	kills map[string]int
}

// newKiller returns a killer with a seed of the environment variable SATOR_SEED, or of
// the clock. The seed is logged.
func newKiller(t *testing.T, most time.Duration) *killer {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("SATOR_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("SATOR_SEED=%d", seed)
	return &killer{rand.New(rand.NewPCG(seed, 2)), most, map[string]int{}}
}

// total returns the number of kills.
func (m *killer) total() (n int) {
	for _, k := range m.kills {
		n += k
	}
	return n
}

// moment waits for a random time. Half of the times are below a tenth of the longest one.
func (m *killer) moment() {
	d := m.rng.Int64N(int64(m.most))
	if m.rng.IntN(2) == 0 {
		d /= 10
	}
	time.Sleep(time.Duration(d))
}

// strike kills one of the processes at a random moment, and starts it again at another one.
// A process that has ended by itself is not started again.
func (m *killer) strike(role string, p *process) {
	m.moment()
	if p.kill() {
		m.kills[role]++
		m.moment()
		p.restart()
	}
}
