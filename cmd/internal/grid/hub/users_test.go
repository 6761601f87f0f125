package hub_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sator/cmd/internal/grid/hub"
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
