package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sator/cmd/internal/cli"
)

func TestWithPipe(t *testing.T) {
	for _, c := range [][2]string{
		{"sator f.cnf", "sator f.cnf --record /dev/fd/3"},
		{"sator solve -- f.cnf", "sator solve --record /dev/fd/3 -- f.cnf"},
		{"timeout 9 sator {} f.cnf", "timeout 9 sator /dev/fd/3 f.cnf"},
		{"a {} -- {}", "a /dev/fd/3 -- /dev/fd/3"},
	} {
		if got := strings.Join(withPipe(strings.Fields(c[0])), " "); got != c[1] {
			t.Errorf("%s: got %s, want %s", c[0], got, c[1])
		}
	}
	operands := []string{"a", "{}"}
	if withPipe(operands); !slices.Equal(operands, []string{"a", "{}"}) {
		t.Error("the operands were changed")
	}
}

// A lockedBuffer is a buffer for several goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestWatch watches a command that writes a recording, and then waits for its input to end.
func TestWatch(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no shell")
	}
	const lines = `{"t":"run","version":1,"files":["f.cnf"],"solvers":["default"]}
{"t":"sample","s":0,"time":1.5,"conflicts":77}
{"t":"end","status":"UNSATISFIABLE","time":2}`
	in, hold := io.Pipe()
	defer hold.Close()
	messages, out := new(lockedBuffer), new(lockedBuffer)
	code := make(chan int, 1)
	go func() {
		e := &cli.Env{Stdin: in, Stdout: out, Stderr: messages}
		code <- program.Run(e, []string{"watch", "--", "sh", "-c", `printf '%s\n' "$2" > "$1"; echo written; cat; exit 20`, "sh", "{}", lines})
	}()
	address := eventuallyMatches(t, messages, `http://[^/]*/`)
	eventuallyMatches(t, out, "written")

	events, err := http.Get(address + "events")
	if err != nil {
		t.Fatal(err)
	}
	defer events.Body.Close()
	fmt.Fprintln(hold, "input")
	hold.Close()
	text, err := io.ReadAll(events.Body) // until the run ends
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"conflicts":77`, `"t":"end"`, "the refutation took 2.00 s and 77 conflicts", "event: done", "The command ended: unsatisfiable."} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if got := <-code; got != 20 {
		t.Errorf("exit code %d, want 20\n%s", got, messages)
	}
	if !strings.Contains(out.String(), "input\n") {
		t.Errorf("the output of the command is %q", out)
	}
}

// eventuallyMatches returns the match of a pattern in an output that grows.
func eventuallyMatches(t *testing.T, b *lockedBuffer, pattern string) string {
	t.Helper()
	p := regexp.MustCompile(pattern)
	for begin := time.Now(); time.Since(begin) < time.Minute; time.Sleep(5 * time.Millisecond) {
		if m := p.FindString(b.String()); m != "" {
			return m
		}
	}
	t.Fatalf("no %s in %s", pattern, b)
	return ""
}
