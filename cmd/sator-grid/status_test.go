package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"sator/cmd/internal/grid"
	"sator/dpll/portfolio"
)

// sample is the state of a run with members in all states.
func sample() *grid.Status {
	return &grid.Status{
		Version: grid.Version, Name: "vdw", Phase: "solving", Answer: "UNKNOWN", Seconds: 7384, Rate: 1.25, Estimate: 90000,
		Stats:   portfolio.ConquerStats{Cubes: 300, Known: 3, Refuted: 120, Spared: 4, Splits: 25, Open: 170, Running: 2, Conflicts: 1234567, Done: 0.375},
		Waiting: 2, Refused: 1, Proof: true,
		Workers: []grid.WorkerStatus{
			{Presence: grid.Presence{Role: grid.RoleWorker, Worker: "b-1", Host: "b", Literals: 17, Seconds: 83, Cubes: 60, Conflicts: 600000}, Seen: 0.5},
			{Presence: grid.Presence{Role: grid.RoleWorker, Worker: "b-2", Host: "b", Seconds: 3, Idle: "no cube is waiting\x1b[2J"}, Seen: 1},
			{Presence: grid.Presence{Role: grid.RoleWorker, Worker: "c-1", Host: "<b>c</b>", Seconds: 5}, Seen: 75},
			{Presence: grid.Presence{Role: grid.RoleWorker, Worker: "d-1", Host: "d", Leaving: true}, Seen: 1},
		},
		Checkers: []grid.WorkerStatus{{Presence: grid.Presence{Role: grid.RoleChecker, Worker: "a-check", Host: "a", Cubes: 118}, Backlog: 2}},
		Excluded: map[string]string{"e-1": "step 17 of segment 2 does not follow"},
	}
}

func TestStatusText(t *testing.T) {
	var b strings.Builder
	if err := writeStatus(&b, sample(), 0); err != nil {
		t.Fatal(err)
	}
	const want = `run        vdw, solving
time       2h3m4s, about 25h0m0s left
done       37.50 %, 1.25 cubes a second
cubes      123 refuted, 4 covered by others, 25 split, 170 open, 2 being solved
conflicts  1234567
results    2 waiting for a checker, 1 refused; refutations are checked, the proof is kept

worker  host      cubes  state
b-1     b         60     a cube of 17 literals for 1m23s, 600000 conflicts in all
b-2     b         0      idle for 3.0s: no cube is waiting\u001b[2J
c-1     <b>c</b>  0      silent for 1m15s
d-1     d         0      leaving

checker  host  cubes  state
a-check  a     118    checking, 2 results behind
excluded e-1: step 17 of segment 2 does not follow
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// get requests a page from a server with the name of a host.
func get(p *pageServer, method, host, path string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://"+host+path, nil)
	w := httptest.NewRecorder()
	p.handler().ServeHTTP(w, r)
	return w
}

// TestPage checks the answers to requests: the page, the state, an error of the
// coordinator, and refused requests.
func TestPage(t *testing.T) {
	asked := 0
	var fail error
	p := newPageServer("grid.example", func(context.Context) (*grid.Status, error) {
		asked++
		return sample(), fail
	})
	w := get(p, "GET", "localhost:8080", "/")
	text := w.Body.String()
	if w.Code != http.StatusOK || !strings.Contains(text, "<title>sator-grid</title>") {
		t.Errorf("the page: %d\n%s", w.Code, text)
	}
	for _, outside := range []string{"http://", "https://", "src=", "@import", "innerHTML", "insertAdjacentHTML"} {
		if strings.Contains(text, outside) {
			t.Errorf("the page contains %q", outside)
		}
	}
	if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") {
		t.Errorf("the policy is %q", policy)
	}
	for range 3 {
		w = get(p, "GET", "127.0.0.1:8080", "/status.json")
	}
	var s grid.Status
	if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil || s.Name != "vdw" || len(s.Workers) != 4 || w.Code != http.StatusOK {
		t.Errorf("the state: %d, %v\n%s", w.Code, err, w.Body)
	}
	if asked == 0 || asked > 3 {
		t.Errorf("asked %d times", asked)
	}
	for _, tt := range []struct {
		method, host, path string
		code               int
	}{
		{"GET", "[::1]:8080", "/", http.StatusOK},
		{"GET", "grid.example", "/", http.StatusOK},
		{"GET", "evil.example", "/status.json", http.StatusForbidden},
		{"GET", "localhost", "/other", http.StatusNotFound},
		{"POST", "localhost", "/status.json", http.StatusMethodNotAllowed},
	} {
		if w := get(p, tt.method, tt.host, tt.path); w.Code != tt.code || strings.Contains(w.Body.String(), "vdw") {
			t.Errorf("%s %s%s: %d, want %d", tt.method, tt.host, tt.path, w.Code, tt.code)
		}
	}
	p.asked, fail = p.asked.Add(-askInterval), errors.New("no coordinator serves the run \"vdw\"")
	w = get(p, "GET", "localhost", "/status.json")
	if w.Code != http.StatusServiceUnavailable || w.Body.String() != `{"error":"no coordinator serves the run \"vdw\""}` {
		t.Errorf("an error: %d %s", w.Code, w.Body)
	}
}

// TestStatusWidth expects lines that fit a terminal, with the words of the whole table.
func TestStatusWidth(t *testing.T) {
	var whole bytes.Buffer
	if err := writeStatus(&whole, sample(), 0); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{60, 80, 120} {
		var b bytes.Buffer
		if err := writeStatus(&b, sample(), width); err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Fields(b.String()), strings.Fields(whole.String()); !slices.Equal(got, want) {
			t.Errorf("width %d: %q, want %q", width, got, want)
		}
		for line := range strings.Lines(b.String()) {
			if len(line)-1 > width {
				t.Errorf("width %d: %q", width, line)
			}
		}
	}
}
