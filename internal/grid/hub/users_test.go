package hub_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sator/internal/grid/hub"
)

// createAll creates all streams and buckets of the run "t" as the coordinator does.
func createAll(t testing.TB, js jetstream.JetStream) {
	t.Helper()
	results(t, js)
	_, err1 := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "SATOR_t_ACCEPTED", Subjects: []string{"sator.t.accepted"}})
	_, err2 := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "SATOR_t_TASKS", Subjects: []string{"sator.t.tasks"},
		Retention: jetstream.WorkQueuePolicy, Storage: jetstream.MemoryStorage, AllowDirect: true})
	_, err3 := js.CreateConsumer(t.Context(), "SATOR_t_TASKS", jetstream.ConsumerConfig{Durable: "workers", AckPolicy: jetstream.AckExplicitPolicy})
	_, err4 := js.CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: "SATOR_t_STATE"})
	_, err5 := js.CreateObjectStore(t.Context(), jetstream.ObjectStoreConfig{Bucket: "SATOR_t_OBJECTS"})
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		t.Fatal(err)
	}
}

// TestRoles does what each role does in a run.
func TestRoles(t *testing.T) {
	testRoles(t, start(t, hub.Config{Token: token}))
}

func testRoles(t *testing.T, connect interface {
	Connect(context.Context, hub.Dial) (*nats.Conn, error)
}) {
	var d diary
	session := func(r hub.Role) (*nats.Conn, jetstream.JetStream) {
		nc, err := connect.Connect(t.Context(), hub.Dial{Role: r, Log: d.log})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(nc.Close)
		js, err := jetstream.New(nc)
		if err != nil {
			t.Fatal(err)
		}
		return nc, js
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	coordinator, js := session(hub.Coordinator)
	createAll(t, js)
	for _, subject := range []string{"sator.t.hello", "sator.t.status"} {
		if _, err := coordinator.Subscribe(subject, func(m *nats.Msg) { m.Respond([]byte("yes")) }); err != nil {
			t.Fatal(err)
		}
	}
	reports, err := coordinator.SubscribeSync("sator.t.presence")
	if err != nil {
		t.Fatal(err)
	}
	state, err := js.KeyValue(ctx, "SATOR_t_STATE")
	if err != nil {
		t.Fatal(err)
	}
	objects, err := js.ObjectStore(ctx, "SATOR_t_OBJECTS")
	if err != nil {
		t.Fatal(err)
	}
	large := bytes.Repeat([]byte("0123456789"), 50_000)
	if _, err := objects.PutBytes(ctx, "formula", large); err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish(ctx, "sator.t.tasks", []byte("task")); err != nil {
		t.Fatal(err)
	}

	worker, wjs := session(hub.Worker)
	work(ctx, t, worker, wjs, large)
	check, cjs := session(hub.Checker)
	checkResult(ctx, t, coordinator, check, cjs, large)
	ask, _ := session(hub.Status)
	if m, err := ask.RequestWithContext(ctx, "sator.t.status", nil); err != nil || string(m.Data) != "yes" {
		t.Errorf("status: %v", err)
	}

	for range 2 {
		if _, err := reports.NextMsgWithContext(ctx); err != nil {
			t.Errorf("presence: %v", err)
		}
	}
	if _, err := state.Create(ctx, "answer", []byte("10")); err != nil {
		t.Error(err)
	}
	for _, js := range []jetstream.JetStream{wjs, cjs} {
		awaitAnswer(ctx, t, js)
	}
	for _, name := range []string{"RESULTS", "ACCEPTED", "TASKS"} {
		if err := js.DeleteStream(ctx, "SATOR_t_"+name); err != nil {
			t.Error(err)
		}
	}
	if d.has("permit") {
		t.Errorf("denied: %s", d.lines)
	}
}

// work does what a worker does, once.
func work(ctx context.Context, t *testing.T, nc *nats.Conn, js jetstream.JetStream, formula []byte) {
	t.Helper()
	if m, err := nc.RequestWithContext(ctx, "sator.t.hello", nil); err != nil || string(m.Data) != "yes" {
		t.Errorf("hello: %v", err)
	}
	for _, name := range []string{"ping", "cancel", "shared"} {
		if _, err := nc.SubscribeSync("sator.t." + name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	readObject(ctx, t, js, formula)
	tasks, err := js.Consumer(ctx, "SATOR_t_TASKS", "workers")
	if err != nil {
		t.Fatal(err)
	}
	m, err := tasks.Next()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.InProgress(); err != nil {
		t.Error(err)
	}
	found, err := js.Stream(ctx, "SATOR_t_RESULTS")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := found.GetLastMsgForSubject(ctx, "sator.t.results.c"); !errors.Is(err, jetstream.ErrMsgNotFound) {
		t.Errorf("result before its publication: %v", err)
	}
	objects, err := js.ObjectStore(ctx, "SATOR_t_OBJECTS")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := objects.PutBytes(ctx, "segment", formula); err != nil {
		t.Error(err)
	}
	if _, err := js.Publish(ctx, "sator.t.results.c", []byte("refuted")); err != nil {
		t.Error(err)
	}
	if err := m.DoubleAck(ctx); err != nil {
		t.Error(err)
	}
	if err := errors.Join(nc.Publish("sator.t.presence", nil), nc.Publish("sator.t.share", nil)); err != nil {
		t.Error(err)
	}
}

// checkResult does what a checker does, once.
func checkResult(ctx context.Context, t *testing.T, coordinator, nc *nats.Conn, js jetstream.JetStream, formula []byte) {
	t.Helper()
	if m, err := nc.RequestWithContext(ctx, "sator.t.hello", nil); err != nil || string(m.Data) != "yes" {
		t.Errorf("hello: %v", err)
	}
	if _, err := nc.Subscribe("sator.t.check.1", func(m *nats.Msg) { m.Respond([]byte("right")) }); err != nil {
		t.Error(err)
	}
	readObject(ctx, t, js, formula)
	s, err := js.Stream(ctx, "SATOR_t_RESULTS")
	if err != nil {
		t.Fatal(err)
	}
	if m, err := s.GetMsg(ctx, 1); err != nil || string(m.Data) != "refuted" {
		t.Errorf("result: %v", err)
	}
	if err := errors.Join(nc.Publish("sator.t.presence", nil), nc.Flush()); err != nil {
		t.Error(err)
	}
	if m, err := coordinator.RequestWithContext(ctx, "sator.t.check.1", nil); err != nil || string(m.Data) != "right" {
		t.Errorf("check: %v", err)
	}
}

// readObject reads the first chunk of an object.
func readObject(ctx context.Context, t *testing.T, js jetstream.JetStream, want []byte) {
	t.Helper()
	objects, err := js.ObjectStore(ctx, "SATOR_t_OBJECTS")
	if err != nil {
		t.Fatal(err)
	}
	info, err := objects.GetInfo(ctx, "formula")
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(ctx, "OBJ_SATOR_t_OBJECTS")
	if err != nil {
		t.Fatal(err)
	}
	if m, err := s.GetMsg(ctx, 1, jetstream.WithGetMsgSubject("$O.SATOR_t_OBJECTS.C."+info.NUID)); err != nil || !bytes.HasPrefix(want, m.Data) {
		t.Errorf("formula: %v", err)
	}
}

func awaitAnswer(ctx context.Context, t *testing.T, js jetstream.JetStream) {
	t.Helper()
	state, err := js.KeyValue(ctx, "SATOR_t_STATE")
	if err != nil {
		t.Fatal(err)
	}
	if e, err := state.Get(ctx, "answer"); err != nil || string(e.Value()) != "10" {
		t.Errorf("answer: %v", err)
	}
}

// TestDenied tries what roles may not do: each right of other roles that their own rights
// do not imply, and some more.
func TestDenied(t *testing.T) {
	h := start(t, hub.Config{})
	createAll(t, open(t, h, hub.Coordinator))
	more := []hub.Right{
		{Subject: "sator.other.hello"}, {Subject: "sator.other.results.c"},
		{Subject: "sator.t.accepted"}, {Subject: "sator.t.cancel"}, {Subject: "sator.t.shared"}, {Subject: "sator.t.check.x"}, {Subject: "sator.t.tasks"},
		{Subject: "$KV.SATOR_t_STATE.answer"}, {Subject: "$SYS.REQ.SERVER.PING"}, {Subject: "_INBOX.coordinator.x.y"},
		{Subject: "$JS.API.STREAM.DELETE.SATOR_t_RESULTS"}, {Subject: "$JS.API.STREAM.PURGE.SATOR_t_RESULTS"},
		{Subject: "$JS.API.STREAM.MSG.DELETE.SATOR_t_RESULTS"}, {Subject: "$JS.API.STREAM.PURGE.OBJ_SATOR_t_OBJECTS"},
		{Subject: "$JS.API.STREAM.CREATE.X"}, {Subject: "$JS.API.STREAM.UPDATE.SATOR_t_RESULTS"}, {Subject: "$JS.API.STREAM.LIST"},
		{Subject: "$JS.API.CONSUMER.CREATE.SATOR_t_TASKS.x"}, {Subject: "$JS.API.CONSUMER.CREATE.SATOR_t_RESULTS.x"},
		{Subject: "$JS.API.CONSUMER.DELETE.SATOR_t_TASKS.workers"}, {Subject: "$JS.API.STREAM.RESTORE.X"},
		{Subscribe: true, Subject: ">"}, {Subscribe: true, Subject: "sator.>"}, {Subscribe: true, Subject: "sator.t.results.*"},
		{Subscribe: true, Subject: "sator.t.presence"}, {Subscribe: true, Subject: "sator.t.share"}, {Subscribe: true, Subject: "_INBOX.>"}, {Subscribe: true, Subject: "_INBOX.coordinator.>"},
		{Subscribe: true, Subject: "$SYS.>"}, {Subscribe: true, Subject: "$JS.>"}, {Subscribe: true, Subject: "$KV.>"}, {Subscribe: true, Subject: "$O.>"},
	}
	for _, r := range []hub.Role{hub.Worker, hub.Checker, hub.Status} {
		own := hub.Rights(r, "t")
		tries := slices.Clone(more)
		for _, other := range hub.Roles {
			tries = append(tries, slices.DeleteFunc(hub.Rights(other, "t"), func(x hub.Right) bool {
				return slices.ContainsFunc(own, func(o hub.Right) bool { return o.Subscribe == x.Subscribe && covers(o.Subject, x.Subject) })
			})...)
		}
		if len(tries) < 30 {
			t.Errorf("%s: only %d tries", r, len(tries))
		}
		for _, x := range tries {
			if err := try(t, h, r, x); hub.ReasonOf(err) != hub.Denied {
				t.Errorf("%s: subscribe %v to %s: error %v", r, x.Subscribe, x.Subject, err)
			}
		}
		for _, x := range own {
			if err := try(t, h, r, x); err != nil {
				t.Errorf("%s: subscribe %v to %s: error %v", r, x.Subscribe, x.Subject, err)
			}
		}
	}
}

// covers reports whether each subject that matches b matches a.
func covers(a, b string) bool {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i, x := range as {
		switch {
		case i >= len(bs):
			return false
		case x == ">":
			return true
		case bs[i] == ">", x != "*" && x != bs[i]:
			return false
		}
	}
	return len(as) == len(bs)
}

// try publishes or subscribes as a role, with x in place of wildcards of publications. It
// returns the error that the server sends.
func try(t *testing.T, h *hub.Hub, r hub.Role, x hub.Right) error {
	t.Helper()
	denied := make(chan error, 10)
	nc := dial(t, h, hub.Dial{Role: r})
	defer nc.Close()
	nc.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { denied <- err })
	if x.Subscribe {
		if _, err := nc.SubscribeSync(x.Subject); err != nil {
			return err
		}
	} else if err := nc.Publish(strings.NewReplacer("*", "x", ">", "x").Replace(x.Subject), nil); err != nil {
		return err
	}
	if err := nc.Flush(); err != nil {
		return err
	}
	return nc.LastError()
}

// A foreign is a server that this package has not started, with users of this package.
type foreign struct{ url string }

func (f foreign) Connect(ctx context.Context, d hub.Dial) (*nats.Conn, error) {
	d.URL, d.Token = f.url, token
	if d.Role == hub.Coordinator {
		d.Token = secret
	}
	return hub.Connect(ctx, d)
}

// TestServerConfig starts a server of NATS with users from [hub.WriteServerConfig].
func TestServerConfig(t *testing.T) {
	dir := t.TempDir()
	text := new(bytes.Buffer)
	text.WriteString("listen: \"127.0.0.1:-1\"\njetstream: { store_dir: \"" + filepath.ToSlash(dir) + "\" }\n")
	if err := hub.WriteServerConfig(text, "t", secret, token); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "server.conf")
	if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := server.ProcessConfigFile(file)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	o.NoLog, o.NoSigs = true, true
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(s.WaitForShutdown)
	t.Cleanup(s.Shutdown)
	testRoles(t, foreign{s.ClientURL()})
	if _, err := hub.Connect(t.Context(), hub.Dial{URL: s.ClientURL(), Role: hub.Coordinator, Token: token}); hub.ReasonOf(err) != hub.WrongToken {
		t.Errorf("coordinator with the token of workers: %v", err)
	}
	u := "nats://worker:" + string(token) + "@" + strings.TrimPrefix(s.ClientURL(), "nats://")
	dial(t, nil, hub.Dial{URL: u, Role: hub.Worker})
}
