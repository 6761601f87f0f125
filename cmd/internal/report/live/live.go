// Package live serves the page of a live run. The lines of its recording are pushed
// into a [Server]; browsers receive them as server-sent events (SSE).
//
//	s := live.New("sator solve f.cnf")
//	http.Serve(listener, s.Handler("localhost"))
//
// A browser that comes late receives the earlier lines first, and one that lost its
// connection receives the lines since. Slow or absent browsers do not delay Push: each
// connection reads from the common history. A long history is thinned out.
package live

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"sator/cmd/internal/localpage"
	"sator/cmd/internal/record"
	"sator/cmd/internal/report"
)

// mostEntries is the number of lines in the history of a server. When there are more, every
// second sample, event and pass is dropped. So a run of days takes a few megabytes.
const mostEntries = 8000

// wordsInterval is the time between two narrations on one connection.
const wordsInterval = 2 * time.Second

// A Server holds the lines of one run. Its methods can be called by several goroutines.
type Server struct {
	title string

	mu      sync.Mutex
	summary *report.Summary
	history []entry
	next    int           // number of the next line
	changed chan struct{} // closed when there is more to send
	done    string        // a sentence about the end of the run; empty before
	cause   error         // why the recording is not complete
}

// An entry is a line of the history. Numbers ascend, but thinning leaves gaps.
type entry struct {
	number int
	line   record.Line
	text   []byte
}

// New returns a server for a run with this title.
func New(title string) *Server {
	return &Server{title: title, summary: report.NewSummary(title), changed: make(chan struct{})}
}

// Push adds a line. The first one is a *record.Run. It takes amortized constant time, and
// does not wait for browsers.
func (s *Server) Push(l record.Line) {
	text := report.Line(l)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.summary.Add(l)
	s.history = append(s.history, entry{s.next, l, text})
	s.next++
	if len(s.history) > mostEntries {
		s.thin()
	}
	s.wake()
}

// thin drops every second sample, event and pass. It keeps switches between modes, for they are
// few, and the last line.
func (s *Server) thin() {
	kept, odd := s.history[:0], map[string]bool{}
	for i, e := range s.history {
		kind := e.line.Type()
		x, event := e.line.(*record.Event)
		if event {
			kind = x.Kind
		}
		odd[kind] = !odd[kind]
		if odd[kind] || i == len(s.history)-1 || event && kind == record.Mode {
			kept = append(kept, e)
		}
	}
	clear(s.history[len(kept):])
	s.history = kept
}

// wake wakes the connections.
func (s *Server) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// Done ends the run. Connections receive what they have not received, and the sentence; then
// they are closed. The cause is the error of a recording that is not complete, or nil.
func (s *Server) Done(sentence string, cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done, s.cause = sentence, cause
	s.wake()
}

// since returns the lines from a number on, the sentence about the end, and a channel that is
// closed when there is more.
func (s *Server) since(number int) (lines []entry, done string, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, _ := slices.BinarySearchFunc(s.history, number, func(e entry, n int) int { return cmp.Compare(e.number, n) })
	return slices.Clone(s.history[i:]), s.done, s.changed
}

// source returns the run so far for a report, or nil if there are no lines. The figures are
// of all lines, although the history is thinned out.
func (s *Server) source() *report.Source {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.summary.Figures()
	if f == nil {
		return nil
	}
	r := &record.Recording{Run: f.Run, Formula: f.Formula, End: f.End}
	for _, e := range s.history {
		r.Lines = append(r.Lines, e.line)
	}
	cause := s.cause
	if s.done == "" {
		cause = errors.New("the run goes on; reload the page for later figures")
	}
	return &report.Source{Name: s.title, Recording: r, Figures: f, Cause: cause, NoFormula: "the page of a run that is watched does not read the formula"}
}

// Handler returns the handler of the page "/", its events "/events", and the report of the
// run so far, "/report". It refuses requests for other host names, see [localpage.Handler].
func (s *Server) Handler(host string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		report.WriteLive(w, s.title)
	})
	mux.HandleFunc("GET /events", s.serveEvents)
	mux.HandleFunc("GET /report", s.serveReport)
	return localpage.Handler(mux, host)
}

func (s *Server) serveReport(w http.ResponseWriter, _ *http.Request) {
	source := s.source()
	if source == nil {
		http.Error(w, "there are no lines of the recording yet", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	report.Write(w, []report.Source{*source})
}

// serveEvents sends the lines from the one that the browser does not have, until the run or
// the connection ends.
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	next := 0
	if last, err := strconv.Atoi(r.Header.Get("Last-Event-ID")); err == nil && last >= 0 {
		next = last + 1
	}
	w.Header().Set("Content-Type", "text/event-stream")
	flush := http.NewResponseController(w)
	told := time.Time{} // of the last narration
	for {
		lines, done, changed := s.since(next)
		for _, e := range lines {
			fmt.Fprintf(w, "id: %d\ndata: %s\n\n", e.number, e.text)
			next = e.number + 1
		}
		if done != "" || len(lines) > 0 && time.Since(told) >= wordsInterval {
			told = time.Now()
			s.sendWords(w, done == "")
		}
		if done != "" {
			sendEvent(w, "done", done)
			flush.Flush()
			return
		}
		if flush.Flush() != nil {
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

// sendWords sends the narration of the run so far.
func (s *Server) sendWords(w http.ResponseWriter, goesOn bool) {
	source := s.source()
	if source == nil {
		return
	}
	text := report.Narrate(source.Figures)
	if goesOn && source.Figures.End == nil {
		text = text[1:] // it says that there is no answer
	}
	sendEvent(w, "words", text)
}

// sendEvent sends an event with a value as JSON, without line feeds.
func sendEvent(w http.ResponseWriter, name string, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		panic("live: " + err.Error()) // strings have no errors
	}
	fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, text)
}
