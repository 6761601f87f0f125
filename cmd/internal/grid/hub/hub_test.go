package hub_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sator/cmd/internal/grid/hub"
)

// A message is acknowledged when it is on disk.
func Example() {
	dir, err := os.MkdirTemp("", "hub")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	h, err := hub.Start(hub.Config{Run: "demo", Dir: dir})
	if err != nil {
		log.Fatal(err)
	}
	defer h.Close()
	ctx := context.Background()
	conn, err := h.Connect(ctx, hub.Dial{Role: hub.Coordinator})
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		log.Fatal(err)
	}
	results := jetstream.StreamConfig{Name: "SATOR_demo_RESULTS", Subjects: []string{"sator.demo.results.*"}}
	if _, err := js.CreateStream(ctx, results); err != nil {
		log.Fatal(err)
	}
	ack, err := js.Publish(ctx, "sator.demo.results.c1", []byte("refuted"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("stored as message", ack.Sequence)
	// Output: stored as message 1
}

const (
	token  hub.Token = "0123456789abcdef-token"
	secret hub.Token = "0123456789abcdef-secret"
)

// start starts a server that stops at the end of the test. The run is named "t" and the
// server listens on the loopback interface, unless the configuration says otherwise.
func start(t testing.TB, c hub.Config) *hub.Hub {
	t.Helper()
	h, err := hub.Start(withDefaults(t, c))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

func withDefaults(t testing.TB, c hub.Config) hub.Config {
	if c.Run == "" {
		c.Run = "t"
	}
	if c.Dir == "" {
		c.Dir = t.TempDir()
	}
	if c.Listen == "" {
		c.Listen = "127.0.0.1:0"
	}
	return c
}

// dial connects as d says, within the process if it has no address.
func dial(t testing.TB, h *hub.Hub, d hub.Dial) *nats.Conn {
	t.Helper()
	connect := h.Connect
	if d.URL != "" {
		connect = hub.Connect
	}
	nc, err := connect(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// open returns JetStream for a role, within the process.
func open(t testing.TB, h *hub.Hub, r hub.Role) jetstream.JetStream {
	t.Helper()
	js, err := jetstream.New(dial(t, h, hub.Dial{Role: r}))
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// results creates the stream of results of the run "t".
func results(t testing.TB, js jetstream.JetStream) jetstream.Stream {
	t.Helper()
	s, err := js.CreateOrUpdateStream(t.Context(), jetstream.StreamConfig{
		Name: "SATOR_t_RESULTS", Subjects: []string{"sator.t.results.*"}, AllowDirect: true,
		Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgsPerSubject: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A diary collects messages of a server or a connection.
type diary struct {
	mu    sync.Mutex
	lines []string
}

func (d *diary) log(level slog.Level, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, level.String()+" "+text)
}

func (d *diary) has(part string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Contains(strings.Join(d.lines, "\n"), part)
}

// await waits until a condition holds.
func await(t testing.TB, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !f(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited a minute for %s", what)
		}
	}
}

// TestConfig starts servers whose configuration is wrong.
func TestConfig(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	for _, tt := range []struct {
		c    hub.Config
		want string
	}{
		{hub.Config{Run: "a b"}, "invalid run name"},
		{hub.Config{Run: "a.>"}, "invalid run name"},
		{hub.Config{Run: strings.Repeat("a", 33)}, "invalid run name"},
		{hub.Config{MaxPayload: -1}, "messages of -1 bytes"},
		{hub.Config{MaxPayload: 65 << 20}, "want at most"},
		{hub.Config{MaxConnections: -1}, "negative limit"},
		{hub.Config{Token: "short"}, "the token has 5 characters"},
		{hub.Config{Token: "0123456789 abcdef"}, "character 11 of the token"},
		{hub.Config{Token: "$2a$0123456789abcdef"}, "hash"},
		{hub.Config{Token: token, Secret: token}, "the same token"},
		{hub.Config{Listen: "127.0.0.1"}, "missing port"},
		{hub.Config{Listen: "127.0.0.1:http"}, `invalid port "http"`},
		{hub.Config{Listen: "127.0.0.1:65536"}, "invalid port"},
		{hub.Config{Listen: busy.Addr().String()}, "address already in use"},
		{hub.Config{Dir: file}, "not a directory"},
		{hub.Config{Dir: filepath.Join(file, "below")}, "not a directory"},
		{hub.Config{TLS: hub.TLS{Cert: "c.pem"}}, "its key"},
		{hub.Config{TLS: hub.TLS{CA: "c.pem"}}, "a server has a certificate"},
		{hub.Config{TLS: hub.TLS{Cert: file, Key: file}}, "failed to find any PEM data"},
		{hub.Config{TLS: hub.TLS{Cert: file + "x", Key: file}}, "no such file"},

		// Off the loopback interface.
		{hub.Config{Listen: ":0"}, "want a token, or certificates"},
		{hub.Config{Listen: "0.0.0.0:0"}, "want a token, or certificates"},
		{hub.Config{Listen: "[::]:0"}, "want a token, or certificates"},
		{hub.Config{Listen: "192.0.2.1:0"}, "want a token, or certificates"},
	} {
		h, err := hub.Start(withDefaults(t, tt.c))
		if err == nil {
			h.Close()
			t.Errorf("%+v: no error, want %q", tt.c, tt.want)
		} else if !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: error %q, want %q", tt.c, err, tt.want)
		} else if tt.c.Token != "" && strings.Contains(err.Error(), string(tt.c.Token)) {
			t.Errorf("%+v: the error %q contains the token", tt.c, err)
		}
	}
	if _, err := hub.Start(hub.Config{Run: "t"}); err == nil {
		t.Error("a server without a directory: no error")
	}
}

// TestExposure starts servers on all interfaces, and on the loopback interface by name.
func TestExposure(t *testing.T) {
	c := newAuthority(t)
	mutual := c.server(t)
	mutual.CA = c.file
	for _, tt := range []struct {
		c    hub.Config
		warn bool
	}{
		{hub.Config{Listen: "localhost:0"}, false},
		{hub.Config{Listen: "127.0.0.2:0"}, false},
		{hub.Config{Listen: ":0", Token: token}, true},
		{hub.Config{Listen: ":0", Token: token, TLS: c.server(t)}, false},
		{hub.Config{Listen: ":0", TLS: mutual}, false},
	} {
		var d diary
		tt.c.Log = d.log
		h, err := hub.Start(withDefaults(t, tt.c))
		if err != nil {
			t.Errorf("%s: %v", tt.c.Listen, err)
			continue
		}
		h.Close()
		if got := d.has("WARN without TLS, the token"); got != tt.warn {
			t.Errorf("%s: warned %v, want %v", tt.c.Listen, got, tt.warn)
		}
	}
	_, err := hub.Start(withDefaults(t, hub.Config{Listen: ":0", TLS: c.server(t)}))
	if err == nil || !strings.Contains(err.Error(), "want a token") {
		t.Errorf("TLS without a secret on all interfaces: error %v", err)
	}
}

// TestStore stops and starts a server: messages on disk are there again, and a second
// server in the directory is refused while the first one lives.
func TestStore(t *testing.T) {
	dir := t.TempDir()
	for round := range uint64(3) {
		h, err := hub.Start(hub.Config{Run: "t", Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if h.URL() != "" {
			t.Errorf("URL of a server that does not listen: %s", h.URL())
		}
		if _, err := hub.Start(hub.Config{Run: "t", Dir: dir}); err == nil || !strings.Contains(err.Error(), "in use by another server") {
			t.Errorf("second server: error %v", err)
		}
		if !h.SyncAlways() {
			t.Error("messages are acknowledged before they are synchronized")
		}
		js := open(t, h, hub.Coordinator)
		s := results(t, js)
		if got := s.CachedInfo().State.Msgs; got != round {
			t.Errorf("round %d: %d messages", round, got)
		}
		if _, err := js.Publish(t.Context(), fmt.Sprintf("sator.t.results.%d", round), nil); err != nil {
			t.Fatal(err)
		}
		h.Close()
		h.Close()
	}
}

// TestReconnect stops a server and starts another one on its port and store. Connections
// of workers live on.
func TestReconnect(t *testing.T) {
	dir := t.TempDir()
	first, err := hub.Start(hub.Config{Run: "t", Dir: dir, Listen: "127.0.0.1:0", Token: token})
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	results(t, open(t, first, hub.Coordinator))
	var d diary
	nc := dial(t, first, hub.Dial{URL: first.URL(), Role: hub.Worker, Token: token, Log: d.log})
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(t.Context(), "sator.t.results.1", nil); err != nil {
		t.Fatal(err)
	}
	address := strings.TrimPrefix(first.URL(), "nats://")
	first.Close()
	await(t, "a failed attempt to reconnect", func() bool { return d.has("no server listens there") })
	second := start(t, hub.Config{Dir: dir, Listen: address, Token: token})
	if second.URL() != first.URL() {
		t.Fatalf("%s, want %s", second.URL(), first.URL())
	}
	await(t, "the connection", nc.IsConnected)
	if _, err := js.Publish(t.Context(), "sator.t.results.1", nil); err == nil || !strings.Contains(err.Error(), "maximum messages per subject") {
		t.Errorf("the result is not there: %v", err)
	}
	await(t, "the report", func() bool { return d.has("connected again") })
	if !d.has("WARN lost the connection") {
		t.Errorf("log: %s", d.lines)
	}
}

// TestLimits sends messages that are too large, and more connections than permitted.
func TestLimits(t *testing.T) {
	h := start(t, hub.Config{MaxPayload: 4096, MaxConnections: 3})
	js := open(t, h, hub.Coordinator)
	results(t, js)
	_, err := js.Publish(t.Context(), "sator.t.results.1", make([]byte, 4097))
	if hub.ReasonOf(err) != hub.TooLarge {
		t.Errorf("too large message: %v", err)
	}
	if _, err := js.Publish(t.Context(), "sator.t.results.1", make([]byte, 4096)); err != nil {
		t.Errorf("largest message: %v", err)
	}
	if _, err := js.UpdateStream(t.Context(), jetstream.StreamConfig{
		Name: "SATOR_t_RESULTS", Subjects: []string{"sator.t.results.*"}, MaxMsgSize: 1024}); err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(t.Context(), "sator.t.results.2", make([]byte, 2000)); hub.ReasonOf(err) != hub.TooLarge {
		t.Errorf("too large message of a stream: %v", err)
	}
	for range 2 {
		dial(t, h, hub.Dial{URL: h.URL(), Role: hub.Worker})
	}
	if _, err := hub.Connect(t.Context(), hub.Dial{URL: h.URL(), Role: hub.Worker}); err == nil || !strings.Contains(err.Error(), "limit of connections") {
		t.Errorf("fourth connection: %v", err)
	}
}

// TestStoreLimit fills the store up to its limit. Deleting messages makes space.
func TestStoreLimit(t *testing.T) {
	h := start(t, hub.Config{MaxStore: 1 << 20})
	js := open(t, h, hub.Coordinator)
	s := results(t, js)
	var err error
	for i := 0; err == nil && i < 100; i++ {
		_, err = js.Publish(t.Context(), fmt.Sprintf("sator.t.results.%d", i), make([]byte, 64<<10))
	}
	if hub.ReasonOf(err) != hub.Full || !strings.Contains(hub.Explain(err).Error(), "no space") {
		t.Fatalf("full store: %v", err)
	}
	if err := s.Purge(t.Context(), jetstream.WithPurgeKeep(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(t.Context(), "sator.t.results.again", nil); err != nil {
		t.Errorf("after a purge: %v", err)
	}
}

// TestGarbage writes garbage to the port of a server. The server lives on.
func TestGarbage(t *testing.T) {
	h := start(t, hub.Config{Token: token})
	for _, text := range []string{
		"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
		"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
		"PUB sator.t.hello 5\r\nhello\r\n",
		"CONNECT {\r\n",
		"CONNECT {\"user\":\"worker\",\"pass\":\"\"}\r\nPING\r\n",
		"PUB x 99999999999999999999\r\n",
		strings.Repeat("A", 1<<20),
		strings.Repeat("\x00", 5000),
		"CONNECT " + strings.Repeat("{", 100_000) + "\r\n",
	} {
		c, err := net.Dial("tcp", strings.TrimPrefix(h.URL(), "nats://"))
		if err != nil {
			t.Fatal(err)
		}
		go io.WriteString(c, text)
		c.SetReadDeadline(time.Now().Add(time.Minute))
		if _, err := io.Copy(io.Discard, c); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%.20q: the server keeps the connection", text)
		}
		c.Close()
	}
	dial(t, h, hub.Dial{URL: h.URL(), Role: hub.Worker, Token: token})
}
