package grid

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"sator/cmd/internal/grid/session"
	"sator/dimacs"
	"sator/internal/conquertest"
	"sator/internal/effort"
)

// checkItems lets a worker solve cubes with a proof, and returns the items of its results.
func checkItems(t *testing.T, s *testServer, c *fakeCoordinator, attached bool, cubes ...int) (items []CheckItem, name string) {
	t.Helper()
	c.setWelcome(func(w *Welcome) { w.Segments = true })
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	nc := s.connect()
	go func() { done <- Work(ctx, nc, MemberOptions{Name: "test"}) }()
	for i, x := range cubes {
		c.give(x)
		m := c.result(x)
		item := CheckItem{Seq: uint64(i + 1), Attached: attached, Claim: &Claim{m.Result.Cube, m.Result.Failed, m.Result.Clause}}
		if attached {
			item.Segments = m.Segments
		}
		items, name = append(items, item), m.Session
	}
	cancel()
	must(t, <-done)
	return items, name
}

// newTestChecker returns a checker of the run of c.
func newTestChecker(t *testing.T, s *testServer, c *fakeCoordinator, f *dimacs.Formula, memory dimacs.MemoryLimit, scanOnly bool) *checker {
	t.Helper()
	objects, err := newObjectStore(s.connect(), c.names.ObjectBucket())
	must(t, err)
	return newChecker(objects, c.names, testRun, f, f.Vars(), memory, scanOnly)
}

// request returns a request with attached items.
func request(name string, items []CheckItem) *CheckRequest {
	return &CheckRequest{Version: Version, Run: testRun, Session: name, Items: items}
}

func TestChecker(t *testing.T) {
	s := startServer(t)
	f := conquertest.Pigeons(6)
	c := newFakeCoordinator(t, s.connect(), f)
	items, name := checkItems(t, s, c, true, 1, 8, 15, 22)
	k := newTestChecker(t, s, c, f, nil, false)
	want := func(what string, got *CheckReply, checked, missing int, wrong string) {
		t.Helper()
		if got.Checked != checked || got.Missing != missing || (wrong == "") != (got.Wrong == "") || !strings.Contains(got.Wrong, wrong) || got.Trouble != "" {
			t.Errorf("%s: %+v", what, got)
		}
	}
	want("a later segment", k.Check(t.Context(), request(name, items[1:2])), 0, 1, "")
	first := k.Check(t.Context(), request(name, items[:2]))
	want("two items", first, 2, 0, "")
	again := k.Check(t.Context(), request(name, items[:2]))
	want("the same items", again, 2, 0, "")
	if a, b := Encode(first), Encode(again); !bytes.Equal(a, b) {
		t.Errorf("the reports differ:\n%s\n%s", a, b)
	}
	forged := items[0]
	forged.Segments = slices.Clone(forged.Segments)
	forged.Segments[0].SHA256 = strings.Repeat("0", 64)
	want("another first segment", k.Check(t.Context(), request(name, []CheckItem{forged})), 0, 0, "differs")
	want("the first segments again", k.Check(t.Context(), request(name, items[:2])), 2, 0, "")
	wrong := items[2]
	wrong.Claim = &Claim{literals(8), literals(8), items[2].Claim.Clause}
	want("a wrong claim", k.Check(t.Context(), request(name, []CheckItem{wrong})), 0, 0, "clause")
	want("after an error", k.Check(t.Context(), request(name, items[2:3])), 0, 1, "")
	known := []CheckItem{{Seq: 1, Known: true}, {Seq: 2, Known: true}, items[2], items[3]}
	reply := k.Check(t.Context(), request(name, known))
	want("known items", reply, 4, 0, "")
	if len(reply.Reports) != 2 {
		t.Errorf("%d reports of 2 new segments", len(reply.Reports))
	}
	data := items[0].Segments[0].Data
	data[len(data)/2] ^= 4
	want("a damaged segment", k.Check(t.Context(), request("other", items[:1])), 0, 0, "segment 1")
}

// A checker that only reads reports the same as one that checks.
func TestCheckerScan(t *testing.T) {
	s := startServer(t)
	f := conquertest.Pigeons(5)
	c := newFakeCoordinator(t, s.connect(), f)
	items, name := checkItems(t, s, c, true, 1, 7)
	checked := newTestChecker(t, s, c, f, nil, false).Check(t.Context(), request(name, items))
	scanned := newTestChecker(t, s, c, f, nil, true).Check(t.Context(), request(name, items))
	if a, b := Encode(checked), Encode(scanned); !bytes.Equal(a, b) || checked.Checked != 2 {
		t.Errorf("checked and scanned differ:\n%s\n%s", a, b)
	}
}

// If the memory is used up, other sessions are forgotten; a session that alone is too
// large is trouble.
func TestCheckerMemory(t *testing.T) {
	s := startServer(t)
	f := conquertest.Pigeons(6)
	c := newFakeCoordinator(t, s.connect(), f)
	items, name := checkItems(t, s, c, true, 1)
	allowed := true
	k := newTestChecker(t, s, c, f, func(int64) bool { return allowed }, false)
	if r := k.Check(t.Context(), request("other", items)); r.Checked != 1 {
		t.Fatalf("%+v", r)
	}
	allowed = false
	if r := k.Check(t.Context(), request(name, items)); r.Trouble == "" || len(k.sessions) != 0 {
		t.Errorf("without memory: %+v, %d sessions", r, len(k.sessions))
	}
	allowed = true
	if r := k.Check(t.Context(), request(name, items)); r.Checked != 1 {
		t.Errorf("with memory again: %+v", r)
	}
}

// A segment in an object is checked, and one that the store has lost is no fault of the
// worker.
func TestCheckerObject(t *testing.T) {
	s := startServer(t)
	f := conquertest.Pigeons(7)
	c := newFakeCoordinator(t, s.connect(), f)
	items, name := checkItems(t, s, c, true, 1)
	if ref := &items[0].Segments[0]; ref.Object == "" {
		o, err := c.objects.putBytes(t.Context(), "segment", ref.Data)
		must(t, err)
		ref.Object = o.Name
	}
	k := newTestChecker(t, s, c, f, nil, false)
	if r := k.Check(t.Context(), request(name, items)); r.Checked != 1 {
		t.Fatalf("%+v", r)
	}
	_, err := c.objects.putBytes(t.Context(), items[0].Segments[0].Object, bytes.Repeat([]byte("a"), int(items[0].Segments[0].Size)))
	must(t, err)
	if r := k.Check(t.Context(), request("other", items)); r.Wrong != "" || !r.Lost || r.Trouble == "" {
		t.Errorf("another object: %+v", r)
	}
}

// The process answers requests on its subject, and drops malformed ones.
func TestCheckProcess(t *testing.T) {
	s := startServer(t)
	f := conquertest.Pigeons(5)
	c := newFakeCoordinator(t, s.connect(), f)
	items, name := checkItems(t, s, c, false, 1, 7)
	before := c.helloCount()
	events := make(chan Event, 100)
	done := make(chan error, 1)
	nc := s.connect()
	go func() {
		done <- Check(t.Context(), nc, MemberOptions{Name: "test", MemberName: "k", CacheDir: t.TempDir(), Log: func(e Event) { events <- e }})
	}()
	for c.helloCount() == before {
		time.Sleep(time.Millisecond)
	}
	c.mu.Lock()
	hello := c.hellos[before]
	c.mu.Unlock()
	if hello.Role != RoleChecker || hello.Worker != "k" {
		t.Fatalf("hello %+v", hello)
	}
	var reply CheckReply
	for { // until the checker has loaded the formula
		m, err := c.nc.Request(c.names.Check(hello.Session), Encode(request(name, items)), time.Minute)
		if err == nil {
			must(t, Decode(m.Data, &reply))
			break
		}
		time.Sleep(time.Millisecond)
	}
	if reply.Checked != 2 || len(reply.Reports) < 2 {
		t.Fatalf("reply %+v", reply)
	}
	must(t, c.nc.PublishRequest(c.names.Check(hello.Session), "nowhere", []byte("garbage")))
	if e := <-events; e.Kind != EventWarning {
		t.Errorf("event %+v", e)
	}
	c.cancel(Cancel{Stop: "refuted"})
	must(t, <-done)
}

// A temporary file of a large segment is removed when its result is stored.
func TestWorkLargeSegment(t *testing.T) {
	effort.Sequential(t)
	s := startServer(t)
	f := conquertest.Pigeons(7)
	c := newFakeCoordinator(t, s.connect(), f)
	c.setWelcome(func(w *Welcome) { w.Segments = true })
	dir := t.TempDir()
	w := startWorker(t, s.connect(), MemberOptions{TempDir: dir})
	c.give()
	m := c.result()
	if ref := m.Segments[0]; ref.Object == "" || ref.Size <= MaxInline || len(ref.Data) > 0 {
		t.Fatalf("segment %+v with %d bytes inline", ref.Header, len(ref.Data))
	}
	check, err := session.NewChecker(f, f.Vars(), nil)
	must(t, err)
	r, err := m.Segments[0].open(t.Context(), c.objects)
	must(t, err)
	defer r.Close()
	_, err = check.Check(t.Context(), m.Segments[0].Header, r)
	must(t, err)
	must(t, check.Refutes(nil, nil, m.Result.Clause))
	w.wait(EventRefuted)
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("files %v are left, error %v", files, err)
	}
}
