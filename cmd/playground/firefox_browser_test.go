//go:build browser

package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Firefox is driven by its protocol Marionette, on which its WebDriver rests: JSON on a TCP
// connection, each message behind its length. A request is [0, id, command, parameters], a reply
// [1, id, error, result].

// A marionette is a running Firefox with a page.
type marionette struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
	id   int
}

// startFirefox starts Firefox without a window, until the end of the test. Without Firefox the test is skipped.
func startFirefox(t *testing.T) *marionette {
	t.Helper()
	program, err := exec.LookPath("firefox-esr")
	if err != nil {
		if program, err = exec.LookPath("firefox"); err != nil {
			t.Skip("left out: there is no Firefox")
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	profile := t.TempDir()
	_, port, _ := net.SplitHostPort(address)
	prefs := fmt.Sprintf("user_pref(\"marionette.port\", %s);\nuser_pref(\"datareporting.policy.dataSubmissionEnabled\", false);\n", port)
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(prefs), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	c := exec.CommandContext(ctx, program, "--headless", "--marionette", "--no-remote", "--profile", profile)
	c.Env = append(os.Environ(), "HOME="+profile, "MOZ_DISABLE_CONTENT_SANDBOX=1")
	c.WaitDelay = 5 * time.Second
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	m := &marionette{t: t}
	t.Cleanup(func() {
		if m.conn != nil {
			m.conn.Close()
		}
		stop()
		c.Wait()
	})
	for end := time.Now().Add(patience); m.conn == nil; time.Sleep(100 * time.Millisecond) {
		if m.conn, err = net.Dial("tcp", address); err != nil && time.Now().After(end) {
			t.Fatal(err)
		}
	}
	m.conn.SetDeadline(time.Now().Add(5 * time.Minute))
	m.in = bufio.NewReader(m.conn)
	if _, err := m.receive(); err != nil { // its version
		t.Fatal(err)
	}
	m.call("WebDriver:NewSession", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{"pageLoadStrategy": "normal"}}}, nil)
	return m
}

// receive returns the next message.
func (m *marionette) receive() ([]byte, error) {
	length, err := m.in.ReadString(':')
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(strings.TrimSuffix(length, ":"))
	if err != nil {
		return nil, err
	}
	b := make([]byte, n)
	_, err = io.ReadFull(m.in, b)
	return b, err
}

// call sends a command, and stores the member value of its result in *value unless that is nil.
func (m *marionette) call(command string, parameters map[string]any, value any) {
	m.t.Helper()
	m.id++
	text, err := json.Marshal([]any{0, m.id, command, parameters})
	if err == nil {
		_, err = fmt.Fprintf(m.conn, "%d:%s", len(text), text)
	}
	var reply [4]json.RawMessage
	if err == nil {
		if text, err = m.receive(); err == nil {
			err = json.Unmarshal(text, &reply)
		}
	}
	if err == nil && string(reply[2]) != "null" {
		err = errors.New(string(reply[2]))
	}
	if err == nil && value != nil {
		err = json.Unmarshal(reply[3], &struct {
			Value any `json:"value"`
		}{value})
	}
	if err != nil {
		m.t.Fatalf("%s %v: %v", command, parameters, err)
	}
}

// eval stores the value of a JavaScript expression in *result.
func (m *marionette) eval(expression string, result any) {
	m.t.Helper()
	m.call("WebDriver:ExecuteScript", map[string]any{"script": "return (" + expression + ")", "args": []any{}}, result)
}

// wait waits until a JavaScript expression is true.
func (m *marionette) wait(expression string) {
	m.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		var ok bool
		if m.eval("!!("+expression+")", &ok); ok {
			return
		}
		if time.Now().After(end) {
			var text string
			m.eval("document.body.innerText", &text)
			m.t.Fatalf("waiting for %s in\n%s", expression, text)
		}
	}
}

// screenshot stores a picture of the whole page in the folder SATOR_SCREENSHOTS, if it is set.
func (m *marionette) screenshot(name string) {
	m.t.Helper()
	dir := os.Getenv("SATOR_SCREENSHOTS")
	if dir == "" {
		return
	}
	var text string
	m.call("WebDriver:TakeScreenshot", map[string]any{"full": true}, &text)
	picture, err := base64.StdEncoding.DecodeString(text)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "firefox-"+name+".png"), picture, 0o666)
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

// TestBrowserFirefox opens each page in Firefox, waits for its first result and for that of a
// click, and checks that it fits a desktop and a phone.
func TestBrowserFirefox(t *testing.T) {
	browser.once.Do(func() { browser.err = startBrowser() })
	if browser.err != nil {
		t.Fatal(browser.err)
	}
	m := startFirefox(t)
	for _, page := range []struct{ name, first, click, then string }{
		{"formula", "#answer", "#solve", "Satisfiable: Ann lies, Cleo lies"},
		{"tree", "#answer", "#back", "Step 58 of 59"},
		{"cdcl", "#derivation", "#next-conflict", "conflict 2"},
		{"2sat", "#facts", "#condensed", "Components of the implication graph"},
		{"threshold", "#hardest a", "#curve", "Ratio 4.26: "},
		{"sudoku", "#grid [role=gridcell] .given", "#solve", "the solution is the only one"},
	} {
		m.call("WebDriver:SetWindowRect", map[string]any{"width": 1280, "height": 900}, nil)
		m.call("WebDriver:Navigate", map[string]any{"url": browser.url + "?" + page.name + "#" + page.name}, nil)
		m.wait(fmt.Sprintf("document.querySelector(%q)?.textContent", page.first))
		m.wait(fmt.Sprintf("document.querySelector(%q)?.disabled === false", page.click))
		m.eval(fmt.Sprintf("document.querySelector(%q).click()", page.click), new(any))
		m.wait(fmt.Sprintf("document.body.innerText.includes(%q)", page.then))
		for _, width := range []int{1920, 1280, 450} { // a window of Firefox is not narrower; at 200 % zoom 1280 are 640
			m.call("WebDriver:SetWindowRect", map[string]any{"width": width, "height": 900}, nil)
			m.wait("document.documentElement.scrollWidth <= innerWidth")
			m.screenshot(fmt.Sprintf("%s-%d", page.name, width))
		}
	}
}
