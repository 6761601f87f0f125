package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// A progress shows how far a solver or a checker is: a solver with -v by report
// lines, one for each event, and else by a status line on a terminal, which is
// redrawn in place.
type progress struct {
	out     *printer // of report lines
	verbose bool
	begin   time.Time
	lines   int // printed so far

	mu      sync.Mutex // guards what follows, which the ticker reads
	screen  io.Writer  // where the status line goes, nil for none
	columns int
	shown   int    // length of the line on the screen
	task    string // shown until there are statistics
	last    statistics
	done    chan struct{}
	closing sync.Once
}

// The status line is redrawn this often, and not in the first moment, so that
// short runs do not flicker.
const statusInterval = 200 * time.Millisecond

// The names of the columns are printed again after so many report lines.
const linesPerHeader = 20

func newProgress(e *env, quiet, verbose bool, begin time.Time, out *printer) *progress {
	p := &progress{out: out, verbose: verbose, begin: begin, columns: e.columns, task: "reading", done: make(chan struct{})}
	if e.columns > 0 && !verbose && !quiet {
		p.screen = e.stderr
		go p.tick()
	}
	return p
}

// doing takes note of what is done before the search.
func (p *progress) doing(task string) {
	p.mu.Lock()
	p.task = task
	p.mu.Unlock()
}

// checking takes note that the solver is done and its answer is checked.
func (p *progress) checking() {
	p.mu.Lock()
	p.task, p.last = "checking the refutation", nil
	p.mu.Unlock()
}

// noLine is the event of statistics that are worth no report line.
const noLine rune = 0

// event takes note of the solver's statistics; engines call it.
func (p *progress) event(why rune, s statistics) {
	p.mu.Lock()
	p.last = s
	p.mu.Unlock()
	if !p.verbose || why == noLine {
		return
	}
	if p.lines%linesPerHeader == 0 {
		p.out.comment("%s", s.header())
	}
	p.lines++
	p.out.comment("%c %s", why, s.line(time.Since(p.begin)))
}

func megabytes(bytes int64) float64 { return float64(bytes) / (1 << 20) }

func perSecond(n int64, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}

// tick redraws the status line until the progress is closed.
func (p *progress) tick() {
	ticker := time.NewTicker(statusInterval)
	defer ticker.Stop()
	for {
		select {
		case <-p.done:
			return
		case <-ticker.C:
			p.draw()
		}
	}
}

// draw replaces the status line, which is shorter than the terminal is wide, or
// it could not be replaced.
func (p *progress) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.screen == nil {
		return
	}
	line := statusLine(p.task, p.last, time.Since(p.begin), p.columns-1)
	fmt.Fprintf(p.screen, "\r%-*s", p.shown, line)
	p.shown = max(p.shown, len(line))
}

// statusLine returns as many of its fields, from the left, as fit the width.
func statusLine(task string, s statistics, after time.Duration, width int) string {
	fields := []string{fmt.Sprintf("%.0f s", after.Seconds()), fmt.Sprintf("%.0f MB", megabytes(memory()))}
	if s == nil {
		fields = append(fields, task)
	} else {
		fields = append(fields, s.fields(after)...)
	}
	line := ""
	for i, f := range fields {
		if i > 0 {
			f = ", " + f
		}
		if len(line)+len(f) > width {
			break
		}
		line += f
	}
	return line
}

// hide takes the status line off the screen, until it is drawn again.
func (p *progress) hide() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

// erase does so for who holds the lock.
func (p *progress) erase() {
	if p.shown > 0 {
		fmt.Fprintf(p.screen, "\r%s\r", strings.Repeat(" ", p.shown))
		p.shown = 0
	}
}

// close hides the status line for good: what the ticker was about to draw is not drawn
// any more. It may be called more than once.
func (p *progress) close() {
	p.closing.Do(func() { close(p.done) })
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	p.screen = nil
}
