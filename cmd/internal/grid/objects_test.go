package grid

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"sator/dimacs"
)

// testBytes returns bytes that zstd cannot compress.
func testBytes(n int) []byte {
	b := make([]byte, n)
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

func TestObjects(t *testing.T) {
	s := startServer(t)
	c := newFakeCoordinator(t, s.connect(), dimacs.NewFormula(1))
	for _, n := range []int{0, 1, chunkSize - 100, 2 * chunkSize, 3*chunkSize + 1} {
		b := testBytes(n)
		o, err := c.objects.putBytes(t.Context(), "x", b)
		must(t, err)
		got, err := c.objects.getBytes(t.Context(), o, int64(n))
		if err != nil || !bytes.Equal(got, b) || o.Size != int64(n) {
			t.Fatalf("%d bytes: got %d, error %v", n, len(got), err)
		}
		// Readers of NATS find the same bytes, compressed.
		store, err := c.js.ObjectStore(t.Context(), c.names.ObjectBucket())
		must(t, err)
		if _, err := store.GetBytes(t.Context(), "x"); err != nil {
			t.Fatal(err)
		}
		wrong := o
		wrong.SHA256 = strings.Repeat("0", 64)
		var damaged *objectError
		if _, err := c.objects.getBytes(t.Context(), wrong, int64(n)); !errors.As(err, &damaged) {
			t.Errorf("%d bytes: another hash is no error, but %v", n, err)
		}
		wrong = o
		wrong.Size++
		if _, err := c.objects.getBytes(t.Context(), wrong, int64(n)+1); !errors.As(err, &damaged) {
			t.Errorf("%d bytes: another size is no error, but %v", n, err)
		}
	}
	if _, err := c.objects.getBytes(t.Context(), Object{Name: "y", SHA256: strings.Repeat("0", 64)}, 10); !errors.As(err, new(*objectError)) {
		t.Errorf("a missing object: %v", err)
	}
}

// A store that has other bytes under a name is detected.
func TestObjectDamaged(t *testing.T) {
	s := startServer(t)
	c := newFakeCoordinator(t, s.connect(), dimacs.NewFormula(1))
	store, err := c.js.ObjectStore(t.Context(), c.names.ObjectBucket())
	must(t, err)
	o, err := c.objects.putBytes(t.Context(), "x", testBytes(1000))
	must(t, err)
	_, err = store.PutBytes(t.Context(), "x", []byte("no compressed data"))
	must(t, err)
	if _, err := c.objects.getBytes(t.Context(), o, 1000); !errors.As(err, new(*objectError)) {
		t.Errorf("error %v", err)
	}
}

func TestPurgeAbandoned(t *testing.T) {
	s := startServer(t)
	c := newFakeCoordinator(t, s.connect(), dimacs.NewFormula(1))
	o, err := c.objects.putBytes(t.Context(), "whole", testBytes(100))
	must(t, err)
	_, err = c.objects.put(t.Context(), "broken", io.MultiReader(bytes.NewReader(testBytes(2*chunkSize)), brokenReader{}))
	if !errors.Is(err, errBroken) {
		t.Fatalf("error %v", err)
	}
	for _, step := range []struct {
		age  time.Duration
		want int
	}{{time.Hour, 0}, {0, 1}, {0, 0}} {
		n, err := c.objects.purgeAbandoned(t.Context(), step.age)
		if err != nil || n != step.want {
			t.Fatalf("purged %d uploads, error %v: want %d", n, err, step.want)
		}
	}
	if _, err := c.objects.getBytes(t.Context(), o, 100); err != nil {
		t.Fatal(err)
	}
	stream, err := c.js.Stream(t.Context(), "OBJ_"+c.names.ObjectBucket())
	must(t, err)
	info, err := stream.Info(t.Context(), jetstream.WithSubjectFilter("$O.*.C.*"))
	if err != nil || len(info.State.Subjects) != 2 { // the formula and "whole"
		t.Errorf("chunks %v, error %v", info.State.Subjects, err)
	}
}

var errBroken = errors.New("broken")

// A brokenReader fails.
type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errBroken }
