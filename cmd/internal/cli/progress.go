package cli

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"sync"
	"time"
)

// A Progress shows the progress of a solver or a checker: with -v as report
// lines, one for each event, and otherwise as a status line, which is redrawn on
// a terminal.
type Progress struct {
	out     *Printer // for report lines
	verbose bool
	begin   time.Time
	lines   int // number of report lines printed

	mu      sync.Mutex // guards the fields below
	screen  io.Writer  // the terminal of the status line; nil for no status line
	stderr  io.Writer  // standard error if it is a terminal, or nil
	columns int
	shown   int    // length of the line on the terminal
	task    string // shown before the first statistics
	last    Figures
	done    chan struct{}
	closing sync.Once
}

// StatusInterval is the time between two updates of the status line. The first
// update is after one interval, so short runs show no status line.
const StatusInterval = 200 * time.Millisecond

// LinesPerHeader is the number of report lines between two headers.
const LinesPerHeader = 20

// NewProgress returns a Progress for a run that started at begin. With quiet or
// verbose there is no status line.
func NewProgress(e *Env, quiet, verbose bool, begin time.Time, out *Printer) *Progress {
	p := &Progress{out: out, verbose: verbose, begin: begin, columns: e.Columns, task: "reading", done: make(chan struct{})}
	if e.Columns > 0 {
		p.stderr = Raw(e.Stderr)
	}
	if e.Columns > 0 && !verbose && !quiet {
		p.screen = Raw(e.Stderr)
		go p.tick()
	}
	return p
}

// Doing sets the task that the status line shows before the search.
func (p *Progress) Doing(task string) {
	p.mu.Lock()
	p.task = task
	p.mu.Unlock()
}

// Task returns the present task, or "" in the search.
func (p *Progress) Task() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last != nil {
		return ""
	}
	return p.task
}

// Checking shows that the refutation is being checked.
func (p *Progress) Checking() {
	p.mu.Lock()
	p.task, p.last = "checking the refutation", nil
	p.mu.Unlock()
}

// Figures are the statistics of an engine at one moment, as text.
type Figures interface {
	// Fields returns the fields of the status line, the most important first.
	Fields(after time.Duration) []string

	// Header returns the names of the columns of report lines.
	Header() string

	// Line returns a report line.
	Line(after time.Duration) string
}

// NoLine is the event of statistics for which no report line is printed.
const NoLine rune = 0

// Event shows the statistics of an engine, which calls it.
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

// Remaining returns the remaining time of a task of which a part was done in some time and another
// part is left, as text, or "?".
func Remaining(after time.Duration, done, left float64) string {
	seconds := after.Seconds() * left / done
	switch {
	case math.IsNaN(seconds) || math.IsInf(seconds, 0) || seconds < 0:
		return "?"
	case seconds < 100*3600:
		return time.Duration(seconds * 1e9).Round(time.Second).String()
	}
	return fmt.Sprintf("%.0f days", seconds/86400)
}

func PerSecond(n int64, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}

// tick redraws the status line until Close.
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

// Draw redraws the status line. The line and the echo of an interrupt, "^C", are
// shorter than the terminal is wide; a wrapped line could not be redrawn.
func (p *Progress) Draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.screen == nil {
		return
	}
	line := StatusLine(Escape(p.task), p.last, time.Since(p.begin), p.columns-1-len(interruptEcho))
	fmt.Fprintf(p.screen, "%s%s", p.blank(), line)
	p.shown = max(p.shown, len(line))
}

// StatusLine returns the first fields of the status line, as many as fit into the
// width.
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

// Hide removes the status line until the next update.
func (p *Progress) Hide() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

// erase removes the status line. The caller holds the lock.
func (p *Progress) erase() {
	if p.shown > 0 {
		fmt.Fprint(p.screen, p.blank())
		p.shown = 0
	}
}

// interruptEcho is the text that a terminal writes at the cursor when an interrupt is typed.
const interruptEcho = "^C"

// blank returns the text that erases the line of the cursor, an echo behind the status
// line too. The control sequence "erase in line" (ECMA-48, EL) leaves no blanks; a
// console of Windows need not know it.
func (p *Progress) blank() string {
	if runtime.GOOS == "windows" {
		return "\r" + strings.Repeat(" ", p.shown+len(interruptEcho)) + "\r"
	}
	return "\r\x1b[K"
}

// Interrupted removes the echo of an interrupt from a terminal, with the status line, so that the next output does not follow it. Without a status line the echo may
// stand behind other output, and gets a line end.
func (p *Progress) Interrupted() {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.stderr == nil:
	case p.shown > 0:
		p.erase()
	default:
		fmt.Fprintln(p.stderr)
	}
}

// Close removes the status line and ends its updates. Close may be called more
// than once.
func (p *Progress) Close() {
	p.closing.Do(func() { close(p.done) })
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	p.screen = nil
}
