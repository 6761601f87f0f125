package hub_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"sator/cmd/internal/grid/hub"
)

// The costs of messages. Stores are below $TMPDIR, so the disk that is measured is that
// of TMPDIR:
//
//	TMPDIR=/dev/shm go test -run '^$' -bench . -benchtime 300x ./cmd/internal/grid/hub

var sizes = []int{1 << 10, 64 << 10}

// BenchmarkSync writes and synchronizes a file: the cost of a stored message without a
// server.
func BenchmarkSync(b *testing.B) {
	for _, size := range sizes {
		b.Run(fmt.Sprintf("bytes=%d", size), func(b *testing.B) {
			f, err := os.Create(filepath.Join(b.TempDir(), "file"))
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			data := make([]byte, size)
			for b.Loop() {
				if _, err := f.Write(data); err != nil {
					b.Fatal(err)
				}
				if err := f.Sync(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkPublish publishes results and waits for each acknowledgement, one at a time,
// within the process and over the loopback interface, and by 8 publishers at once.
func BenchmarkPublish(b *testing.B) {
	for _, size := range sizes {
		for _, tt := range []struct {
			name       string
			local      bool
			publishers int
		}{{"process", true, 1}, {"loopback", false, 1}, {"loopback", false, 8}} {
			b.Run(fmt.Sprintf("bytes=%d/%s/publishers=%d", size, tt.name, tt.publishers), func(b *testing.B) {
				h := start(b, hub.Config{})
				results(b, open(b, h, hub.Coordinator))
				d := hub.Dial{Role: hub.Worker}
				if !tt.local {
					d.URL = h.URL()
				}
				var next atomic.Int64
				inParallel(b, h, d, tt.publishers, func(js jetstream.JetStream) (func() error, error) {
					return func() error {
						_, err := js.Publish(b.Context(), fmt.Sprintf("sator.t.results.%d", next.Add(1)), make([]byte, size))
						return err
					}, nil
				})
			})
		}
	}
}

// inParallel prepares n connections, and runs the operations of all of them b.N times
// together.
func inParallel(b *testing.B, h *hub.Hub, d hub.Dial, n int, prepare func(jetstream.JetStream) (func() error, error)) {
	var clients []func() error
	for range n {
		js, err := jetstream.New(dial(b, h, d))
		if err != nil {
			b.Fatal(err)
		}
		f, err := prepare(js)
		if err != nil {
			b.Fatal(err)
		}
		clients = append(clients, f)
	}
	var left atomic.Int64
	left.Store(int64(b.N))
	b.ResetTimer()
	var wg sync.WaitGroup
	for _, f := range clients {
		wg.Go(func() {
			for left.Add(-1) >= 0 {
				if err := f(); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
}

// BenchmarkTasks pulls tasks from the work queue in memory, one at a time, and
// acknowledges them twice, as workers do.
func BenchmarkTasks(b *testing.B) {
	for _, workers := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			h := start(b, hub.Config{})
			coordinator := open(b, h, hub.Coordinator)
			createAll(b, coordinator)
			for range b.N {
				if _, err := coordinator.PublishAsync("sator.t.tasks", make([]byte, 200)); err != nil {
					b.Fatal(err)
				}
			}
			<-coordinator.PublishAsyncComplete()
			inParallel(b, h, hub.Dial{Role: hub.Worker, URL: h.URL()}, workers, func(js jetstream.JetStream) (func() error, error) {
				tasks, err := js.Consumer(b.Context(), "SATOR_t_TASKS", "workers")
				return func() error {
					m, err := tasks.Next()
					if err != nil {
						return err
					}
					return m.DoubleAck(b.Context())
				}, err
			})
		})
	}
}
