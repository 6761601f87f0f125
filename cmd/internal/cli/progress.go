package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// A Progress shows how far a solver or a checker is: a solver with -v by report
// lines, one for each event, and else by a status line on a terminal, which is
// redrawn in place.
type Progress struct {
	out     *Printer // of report lines
	verbose bool
	begin   time.Time
	lines   int // printed so far

	mu      sync.Mutex // guards what follows, which the ticker reads
	screen  io.Writer  // where the status line goes, nil for none
	columns int
	shown   int    // length of the line on the screen
	task    string // shown until there are statistics
	last    Figures
	done    chan struct{}
	closing sync.Once
}

// The status line is redrawn this often, and not in the first moment, so that
// short runs do not flicker.
const StatusInterval = 200 * time.Millisecond

// The names of the columns are printed again after so many report lines.
const LinesPerHeader = 20

func NewProgress(e *Env, quiet, verbose bool, begin time.Time, out *Printer) *Progress {
	p := &Progress{out: out, verbose: verbose, begin: begin, columns: e.Columns, task: "reading", done: make(chan struct{})}
	if e.Columns > 0 && !verbose && !quiet {
		p.screen = e.Stderr
		go p.tick()
	}
	return p
}

// Doing takes note of what is done before the search.
func (p *Progress) Doing(task string) {
	p.mu.Lock()
	p.task = task
	p.mu.Unlock()
}

// Checking takes note that the solver is done and its answer is checked.
func (p *Progress) Checking() {
	p.mu.Lock()
	p.task, p.last = "checking the refutation", nil
	p.mu.Unlock()
}

// Figures are what an engine counts, as it stands at a moment.
type Figures interface {
	// Fields returns what a status line says, what matters most first.
	Fields(after time.Duration) []string

	// Header names the columns of report lines, and line fills them.
	Header() string
	Line(after time.Duration) string
}

// NoLine is the event of statistics that are worth no report line.
const NoLine rune = 0

// Event takes note of the solver's statistics; engines call it.
func (p *Progress) Event(why rune, s Figures) {
	p.mu.Lock()
	p.last = s
	p.mu.Unlock()
	if !p.verbose || why == NoLine {
		return
	}
	if p.lines%LinesPerHeader == 0 {
		p.out.Comment("%s", s.Header())
	}
	p.lines++
	p.out.Comment("%c %s", why, s.Line(time.Since(p.begin)))
}

func Megabytes(bytes int64) float64 { return float64(bytes) / (1 << 20) }

func PerSecond(n int64, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}

// tick redraws the status line until the progress is closed.
func (p *Progress) tick() {
	ticker := time.NewTicker(StatusInterval)
	defer ticker.Stop()
	for {
		select {
		case <-p.done:
			return
		case <-ticker.C:
			p.Draw()
		}
	}
}

// Draw replaces the status line, which is shorter than the terminal is wide, or
// it could not be replaced.
func (p *Progress) Draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.screen == nil {
		return
	}
	line := StatusLine(p.task, p.last, time.Since(p.begin), p.columns-1)
	fmt.Fprintf(p.screen, "\r%-*s", p.shown, line)
	p.shown = max(p.shown, len(line))
}

// StatusLine returns as many of its fields, from the left, as fit the width.
func StatusLine(task string, s Figures, after time.Duration, width int) string {
	fields := []string{fmt.Sprintf("%.0f s", after.Seconds()), fmt.Sprintf("%.0f MB", Megabytes(Memory()))}
	if s == nil {
		fields = append(fields, task)
	} else {
		fields = append(fields, s.Fields(after)...)
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

// Hide takes the status line off the screen, until it is drawn again.
func (p *Progress) Hide() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

// erase does so for who holds the lock.
func (p *Progress) erase() {
	if p.shown > 0 {
		fmt.Fprintf(p.screen, "\r%s\r", strings.Repeat(" ", p.shown))
		p.shown = 0
	}
}

// Close hides the status line for good: what the ticker was about to draw is not drawn
// any more. It may be called more than once.
func (p *Progress) Close() {
	p.closing.Do(func() { close(p.done) })
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	p.screen = nil
}
