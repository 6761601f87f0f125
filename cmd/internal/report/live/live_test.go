package live_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"sator/cmd/internal/record"
	"sator/cmd/internal/report/live"
)

func ExampleServer() {
	s := live.New("sator solve f.cnf")
	s.Push(&record.Run{Version: 1, Solvers: []string{"default"}})
	s.Push(&record.End{Status: "SATISFIABLE", Time: 0.5})
	s.Done("The run has ended.", nil)
	w := httptest.NewRecorder()
	s.Handler("localhost").ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/events", nil))
	for line := range strings.Lines(w.Body.String()) {
		if strings.HasPrefix(line, "data: {") {
			fmt.Print(line[:17], "...\n")
		} else if strings.HasPrefix(line, "event") || strings.HasPrefix(line, "data") {
			fmt.Print(line)
		}
	}
	// Output:
	// data: {"t":"run",...
	// data: {"t":"end",...
	// event: words
	// data: ["The formula is satisfiable; a model was found after 0.50 s and 0 conflicts."]
	// event: done
	// data: "The run has ended."
}

// An event is a server-sent event.
type event struct{ id, name, data string }

// A listener reads events.
type listener struct {
	t    *testing.T
	body io.ReadCloser
	in   *bufio.Reader
}

// listen opens a connection. A last id of "" is none.
func listen(t *testing.T, server *httptest.Server, last string) *listener {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), "GET", server.URL+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	if last != "" {
		q.Header.Set("Last-Event-ID", last)
	}
	a, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	if kind := a.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Fatalf("content of the type %s", kind)
	}
	t.Cleanup(func() { a.Body.Close() })
	return &listener{t, a.Body, bufio.NewReader(a.Body)}
}

// next returns the next event; an empty one at the end.
func (l *listener) next() (e event) {
	l.t.Helper()
	for {
		line, err := l.in.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return event{}
		} else if err != nil {
			l.t.Fatal(err)
		}
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch name {
		case "id":
			e.id = value
		case "event":
			e.name = value
		case "data":
			e.data = value
		case "":
			return e
		}
	}
}

// line returns the next line of the recording.
func (l *listener) line() (id string, line map[string]any) {
	l.t.Helper()
	for {
		e := l.next()
		if e.name == "words" {
			continue
		}
		if err := json.Unmarshal([]byte(e.data), &line); err != nil || e.name != "" {
			l.t.Fatalf("event %+v: %v", e, err)
		}
		return e.id, line
	}
}

func start(t *testing.T) (*live.Server, *httptest.Server) {
	s := live.New("a run")
	server := httptest.NewServer(s.Handler(""))
	t.Cleanup(server.Close)
	return s, server
}

// TestLateAndLost checks that a late browser receives the history, one that lost its
// connection the lines since, and both the lines after.
func TestLateAndLost(t *testing.T) {
	s, server := start(t)
	early := listen(t, server, "")
	s.Push(&record.Run{Version: 1, Solvers: []string{"default"}})
	if _, l := early.line(); l["t"] != "run" {
		t.Fatalf("got %v", l)
	}
	s.Push(&record.Sample{Time: 1})
	id, l := early.line()
	if l["time"] != 1.0 {
		t.Fatalf("got %v", l)
	}
	s.Push(&record.Sample{Time: 2})
	late, lost := listen(t, server, ""), listen(t, server, id)
	for _, want := range []string{"run", "sample", "sample"} {
		if _, l := late.line(); l["t"] != want {
			t.Fatalf("got %v, want %s", l, want)
		}
	}
	if _, l := lost.line(); l["time"] != 2.0 {
		t.Fatalf("got %v", l)
	}
	s.Push(&record.End{Status: "UNKNOWN", Time: 3})
	s.Done("over", nil)
	for _, c := range []*listener{late, lost} {
		if _, l := c.line(); l["t"] != "end" {
			t.Fatalf("got %v", l)
		}
		if e := c.next(); e.name != "words" || !strings.Contains(e.data, "was not decided in 3.00 s") {
			t.Fatalf("got %+v", e)
		}
		if e := c.next(); e.name != "done" || e.data != `"over"` {
			t.Fatalf("got %+v", e)
		}
		if e := c.next(); e != (event{}) {
			t.Fatalf("got %+v after the end", e)
		}
	}
}

// TestSlowBrowsers checks that a browser that reads nothing does not stop Push, and that the
// history is thinned out, with the first and the last lines and all switches between modes.
func TestSlowBrowsers(t *testing.T) {
	s, server := start(t)
	listen(t, server, "") // is never read
	s.Push(&record.Run{Version: 1, Solvers: []string{"default"}})
	s.Push(&record.Formula{Vars: 5})
	const samples, switches = 40_000, 40
	for i := range samples {
		s.Push(&record.Sample{Time: float64(i), Conflicts: int64(i), Focused: record.Averages{Glue: 5}})
		if i%(samples/switches) == 0 {
			s.Push(&record.Event{Time: float64(i), Kind: record.Mode, Mode: "stable"})
		}
	}
	s.Done("over", nil)
	c, lines, modes, last := listen(t, server, ""), 0, 0, 0.0
	for {
		e := c.next()
		if e.name == "words" {
			if !strings.Contains(e.data, "39,999 conflicts") {
				t.Errorf("words %s", e.data)
			}
			continue
		} else if e.name == "done" {
			break
		}
		var l struct {
			T    string
			Time float64
		}
		if err := json.Unmarshal([]byte(e.data), &l); err != nil {
			t.Fatal(err)
		}
		if lines++; lines <= 2 && l.T != [...]string{"run", "formula"}[lines-1] {
			t.Errorf("line %d is a %s", lines, l.T)
		}
		if l.T == "event" {
			modes++
		}
		last = l.Time
	}
	if lines < 2000 || lines > 8200 || modes != switches || last != samples-1 {
		t.Errorf("%d lines, %d switches, the last at %g", lines, modes, last)
	}
}

// TestConcurrency is for the race detector.
func TestConcurrency(t *testing.T) {
	s, server := start(t)
	s.Push(&record.Run{Version: 1, Solvers: []string{"default"}})
	var wait sync.WaitGroup
	for range 3 {
		wait.Go(func() {
			c := listen(t, server, "")
			for e := c.next(); e.name != "done"; e = c.next() {
			}
		})
		wait.Go(func() { get(t, server, "/report", http.StatusOK) })
	}
	for i := range 500 {
		s.Push(&record.Sample{Time: float64(i)})
		s.Push(&record.Pass{Time: float64(i), Name: "probe", Did: map[string]int64{"failed_lits": 1}})
	}
	s.Done("over", nil)
	wait.Wait()
}

// get returns the content of an address.
func get(t *testing.T, server *httptest.Server, path string, code int) string {
	a, err := http.Get(server.URL + path)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil || a.StatusCode != code {
		t.Errorf("%s: code %d, want %d; error %v", path, a.StatusCode, code, err)
	}
	if !strings.Contains(a.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("%s: no content security policy", path)
	}
	return string(text)
}

func TestPages(t *testing.T) {
	s, server := start(t)
	if text := get(t, server, "/", http.StatusOK); !strings.Contains(text, "<title>a run</title>") || !strings.Contains(text, `new EventSource("events")`) {
		t.Errorf("page %s", text)
	}
	get(t, server, "/report", http.StatusNotFound)
	get(t, server, "/other", http.StatusNotFound)
	s.Push(&record.Run{Version: 1, Files: []string{"f.cnf"}, Solvers: []string{"default"}})
	s.Push(&record.Sample{Time: 1, Conflicts: 70})
	if text := get(t, server, "/report", http.StatusOK); !strings.Contains(text, "the run goes on") || !strings.Contains(text, "Run of f.cnf") {
		t.Error("the report does not say that the run goes on")
	}
	s.Push(&record.End{Status: "SATISFIABLE", Time: 2})
	s.Done("over", nil)
	if text := get(t, server, "/report", http.StatusOK); !strings.Contains(text, "a model was found after 2.00 s and 70 conflicts") || strings.Contains(text, "the run goes on") {
		t.Error("the report does not have the end")
	}
}

// TestHosts checks the host names of requests.
func TestHosts(t *testing.T) {
	h := live.New("a run").Handler("solver.example")
	for host, code := range map[string]int{
		"localhost": 200, "localhost:8080": 200, "127.0.0.1:80": 200, "[::1]:80": 200, "solver.example:80": 200,
		"evil.example": 403, "localhost.evil.example:80": 403,
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "http://"+host+"/", nil))
		if w.Code != code {
			t.Errorf("%s: code %d, want %d", host, w.Code, code)
		}
	}
}
