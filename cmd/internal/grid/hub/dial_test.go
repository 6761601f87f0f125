package hub_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"sator/cmd/internal/grid/hub"
)

// TestTokens connects with right and wrong tokens.
func TestTokens(t *testing.T) {
	open := start(t, hub.Config{})
	closed := start(t, hub.Config{Token: token})
	remote := start(t, hub.Config{Token: token, Secret: secret, CheckerToken: token + "-checker"})
	for _, tt := range []struct {
		h     *hub.Hub
		role  hub.Role
		token hub.Token
		text  string // of the error; "" for none
	}{
		{open, hub.Worker, "", ""},
		{open, hub.Worker, token, "refuses the token"},
		{open, hub.Coordinator, "", "demands a token"},
		{closed, hub.Worker, token, ""},
		{closed, hub.Checker, token, ""},
		{closed, hub.Status, token, ""},
		{closed, hub.Worker, "", "demands a token"},
		{closed, hub.Worker, token[1:], "refuses the token"},
		{closed, hub.Coordinator, token, "refuses the token"},
		{closed, "nobody", token, "refuses the token"},
		{remote, hub.Coordinator, secret, ""},
		{remote, hub.Coordinator, token, "refuses the token"},
		{remote, hub.Worker, secret, "refuses the token"},
		{remote, hub.Worker, token, ""},
		{remote, hub.Checker, token, "refuses the token"},
		{remote, hub.Checker, token + "-checker", ""},
		{remote, hub.Worker, token + "-checker", "refuses the token"},
	} {
		nc, err := hub.Connect(t.Context(), hub.Dial{URL: tt.h.URL(), Role: tt.role, Token: tt.token, Wait: true})
		switch {
		case err == nil:
			nc.Close()
			if tt.text != "" {
				t.Errorf("%s with %q: no error", tt.role, tt.token)
			}
		case tt.text == "" || !strings.Contains(err.Error(), tt.text) || hub.ReasonOf(err) != hub.WrongToken:
			t.Errorf("%s with %q: %v", tt.role, tt.token, err)
		case !strings.Contains(err.Error(), "127.0.0.1:"):
			t.Errorf("no address in the error %v", err)
		}
	}
}

// TestTokenFile reads files with tokens.
func TestTokenFile(t *testing.T) {
	dir := t.TempDir()
	for i, tt := range []struct {
		text, want string
	}{
		{string(token), ""},
		{string(token) + "\n", ""},
		{string(token) + "\r\nanything\n", ""},
		{"", "0 characters"},
		{"\n" + string(token), "0 characters"},
		{" " + string(token), "character 1"},
		{strings.Repeat("a", 257), "257 characters"},
		{strings.Repeat("a", 1<<20), "characters"},
	} {
		name := filepath.Join(dir, "token")
		if err := os.WriteFile(name, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, exposed, err := hub.ReadToken(name)
		if tt.want == "" && (err != nil || got != token || exposed) || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("file %d: %q, exposed %v, error %v; want %q", i, got, exposed, err, tt.want)
		}
	}
	if _, _, err := hub.ReadToken(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if a, b := hub.NewToken(), hub.NewToken(); a == b || len(a) < 16 {
		t.Errorf("random tokens %q and %q", a, b)
	}
}

// listen accepts connections, and serves each by f.
func listen(t *testing.T, f func(net.Conn)) (address string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				f(c)
			}()
		}
	}()
	return l.Addr().String()
}

// TestNotNATS connects to addresses without a NATS server with JetStream.
func TestNotNATS(t *testing.T) {
	const nobody = "127.0.0.1:1" // a free port could be another process's by now
	page := httptest.NewServer(http.NotFoundHandler())
	defer page.Close()
	wait := func(c net.Conn) { io.Copy(io.Discard, c) }
	for _, tt := range []struct {
		url    string
		reason hub.Reason
		text   string
	}{
		{"", hub.Other, "invalid address"},
		{"http://localhost", hub.Other, "want a server such as"},
		{"nats://", hub.Other, "want a server such as"},
		{"nats://a%zz:secret@b", hub.Other, "invalid address: want"},
		{nobody, hub.Unreachable, "no server listens there"},
		{"nats://user:password@" + nobody, hub.Unreachable, "no server listens there"},
		{nobody + ", " + nobody, hub.Unreachable, "no server listens there"},
		{"nothing.invalid:4222", hub.Unreachable, "unknown host"},
		{listen(t, func(net.Conn) {}), hub.Gone, "no greeting of"},
		{listen(t, func(c net.Conn) { io.WriteString(c, "220 mail.example ESMTP\r\n") }), hub.NotNATS, ""},
		{listen(t, func(c net.Conn) { io.WriteString(c, "INFO {}\r\n-ERR 'nonsense'\r\n"); wait(c) }), hub.Other, "nonsense"},
		{listen(t, func(c net.Conn) { io.WriteString(c, "INFO {}\r\n") }), hub.Gone, "limit of connections"},
		{listen(t, func(c net.Conn) { io.WriteString(c, "INFO {\r\n") }), hub.NotNATS, "greeting"},
		{listen(t, wait), hub.Gone, "no greeting of"},
		{page.Listener.Addr().String(), hub.Gone, "no greeting of"},
	} {
		d := hub.Dial{URL: tt.url, Role: hub.Worker}
		if tt.text == "no greeting of" {
			d = hub.WithTimeout(d, 300*time.Millisecond) // these say nothing
		}
		_, err := hub.Connect(t.Context(), d)
		if err == nil || hub.ReasonOf(err) != tt.reason || !strings.Contains(err.Error(), tt.text) {
			t.Errorf("%s: reason %d, error %v; want %d, %q", tt.url, hub.ReasonOf(err), err, tt.reason, tt.text)
		} else if strings.Contains(err.Error(), "password") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error %v contains the password", tt.url, err)
		}
	}
}

// TestReset explains the error of a dial to a server that ends at this moment: nobody listens any more.
func TestReset(t *testing.T) {
	reset := os.NewSyscallError("connect", syscall.ECONNRESET)
	dial, read := hub.Explain(&net.OpError{Op: "dial", Err: reset}), hub.Explain(&net.OpError{Op: "read", Err: reset})
	if hub.ReasonOf(dial) != hub.Unreachable || !strings.Contains(dial.Error(), "no server listens there") || hub.ReasonOf(read) == hub.Unreachable {
		t.Errorf("%v, and once connected %v", dial, read)
	}
}

// TestNoJetStream connects to a server without JetStream.
func TestNoJetStream(t *testing.T) {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	defer s.Shutdown()
	_, err = hub.Connect(t.Context(), hub.Dial{URL: s.ClientURL(), Role: hub.Worker, Wait: true})
	if hub.ReasonOf(err) != hub.NoJetStream || !strings.Contains(err.Error(), "has no JetStream") {
		t.Errorf("reason %d, error %v", hub.ReasonOf(err), err)
	}
}

// TestWait connects before there is a server, and gives up at the end of a context.
func TestWait(t *testing.T) {
	address := freeAddress(t)
	var d diary
	reason := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	waiting := make(chan error)
	go func() {
		_, err := hub.Connect(ctx, hub.Dial{URL: address, Role: hub.Worker, Wait: true, Log: d.log})
		waiting <- err
	}()
	await(t, "the first attempt", func() bool { return d.has("no server listens there") })
	cancel(reason)
	if err := <-waiting; err != reason {
		t.Errorf("error %v, want %v", err, reason)
	}
	go func() {
		nc, err := hub.Connect(t.Context(), hub.Dial{URL: address, Role: hub.Worker, Wait: true})
		if err == nil {
			nc.Close()
		}
		waiting <- err
	}()
	time.Sleep(10 * time.Millisecond)
	start(t, hub.Config{Listen: address})
	if err := <-waiting; err != nil {
		t.Errorf("the server has started: %v", err)
	}
}

// freeAddress returns an address of the loopback interface where no server listens.
func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// TestPatience tests that an attempt without Wait goes on for some time.
func TestPatience(t *testing.T) {
	d := hub.Dial{URL: freeAddress(t), Role: hub.Worker, Patience: 300 * time.Millisecond}
	begin := time.Now()
	if _, err := hub.Connect(t.Context(), d); hub.ReasonOf(err) != hub.Unreachable || time.Since(begin) < d.Patience {
		t.Errorf("after %v: %v", time.Since(begin), err)
	}
	d.Patience = time.Hour
	connected := make(chan error)
	var log diary
	d.Log = log.log
	go func() {
		nc, err := hub.Connect(t.Context(), d)
		if err == nil {
			nc.Close()
		}
		connected <- err
	}()
	await(t, "the first attempt", func() bool { return log.has("no server listens there") })
	start(t, hub.Config{Listen: d.URL})
	if err := <-connected; err != nil {
		t.Errorf("the server has started: %v", err)
	}
}
