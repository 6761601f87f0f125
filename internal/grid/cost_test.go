package grid

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sator/dimacs"
	"sator/dpll/portfolio"
	"sator/internal/grid/hub"
)

// Costs of a cube without solving it: what the server and its disk allow. The costs of a run
// are those of BenchmarkCubes.
//
//	go test ./internal/grid -run '^$' -bench 'Sync|Server'

// BenchmarkSync appends 500 bytes to a file and synchronizes it with the disk.
func BenchmarkSync(b *testing.B) {
	f, err := os.Create(filepath.Join(b.TempDir(), "file"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, 500)
	for b.Loop() {
		if _, err := f.Write(block); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkServer sends cubes through one embedded server: a task is published, pulled by
// one of some workers, its result is stored, and the task is acknowledged twice. The result
// is synchronized with the disk before the acknowledgement. An operation is a cube.
func BenchmarkServer(b *testing.B) {
	for _, workers := range []int{1, 2, 8, 32} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			s := newBareServer(b)
			var left, failed atomic.Int64
			left.Store(int64(b.N))
			var all sync.WaitGroup
			b.ResetTimer()
			for range workers {
				all.Go(func() {
					if err := s.work(b.Context(), &left); err != nil {
						b.Error(err)
						failed.Add(1)
					}
				})
			}
			for i := range b.N {
				for int64(i)-(int64(b.N)-left.Load()) >= 2*int64(workers) && failed.Load() == 0 {
					time.Sleep(50 * time.Microsecond) // at most twice as many tasks as workers
				}
				if err := s.publish(b.Context(), i); err != nil {
					b.Fatal(err)
				}
			}
			all.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "cubes/s")
		})
	}
}

// A bareServer is an embedded server with the streams of a run and no coordinator.
type bareServer struct {
	hub   *hub.Hub
	names Names
	conn  *nats.Conn
	js    jetstream.JetStream
}

func newBareServer(b *testing.B) *bareServer {
	b.Helper()
	h, err := hub.Start(hub.Config{Run: "bench", Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(h.Close)
	s := &bareServer{hub: h}
	if s.names, err = NamesOf("bench"); err != nil {
		b.Fatal(err)
	}
	if s.conn, s.js, err = s.connect(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(s.conn.Close)
	ctx := b.Context()
	_, err = s.js.CreateStream(ctx, s.names.resultsConfig(1))
	_, err2 := s.js.CreateStream(ctx, s.names.tasksConfig(1, 1))
	if err := errors.Join(err, err2); err != nil {
		b.Fatal(err)
	}
	if _, err := s.js.CreateConsumer(ctx, s.names.TasksStream(), s.names.tasksConsumer(DefaultAckWait)); err != nil {
		b.Fatal(err)
	}
	return s
}

func (s *bareServer) connect() (*nats.Conn, jetstream.JetStream, error) {
	conn, err := s.hub.Connect(context.Background(), hub.Dial{Role: hub.Coordinator})
	if err != nil {
		return nil, nil, err
	}
	js, err := jetstream.New(conn)
	return conn, js, err
}

// publish publishes a task with a cube of 12 literals.
func (s *bareServer) publish(ctx context.Context, i int) error {
	m := TaskMessage{Version: Version, Task: portfolio.Task{Budget: 10_000}}
	for bit := range 12 {
		l := dimacs.Lit(2 * bit)
		m.Task.Cube = append(m.Task.Cube, l^dimacs.Lit(i>>bit&1))
	}
	m.Task.Cube = append(m.Task.Cube, dimacs.Lit(24+2*i)) // no two cubes are equal
	_, err := s.js.Publish(ctx, s.names.Task(), Encode(m))
	return err
}

// work solves cubes in no time until none is left.
func (s *bareServer) work(ctx context.Context, left *atomic.Int64) error {
	conn, js, err := s.connect()
	if err != nil {
		return err
	}
	defer conn.Close()
	c, err := js.Consumer(ctx, s.names.TasksStream(), s.names.TasksConsumer())
	if err != nil {
		return err
	}
	for left.Load() > 0 {
		m, err := c.Next(jetstream.FetchMaxWait(time.Second))
		if errors.Is(err, nats.ErrTimeout) {
			continue
		}
		if err != nil {
			return err
		}
		var t TaskMessage
		if err := Decode(m.Data(), &t); err != nil && t.Version != Version {
			return err
		}
		r := &ResultMessage{Version: Version, Worker: "w", Session: "s"}
		r.Result = portfolio.Result{Cube: t.Task.Cube, Status: dimacs.Unsatisfiable, Failed: t.Task.Cube}
		r.Segments = []SegmentRef{{Data: make([]byte, 300)}}
		if _, err := js.Publish(ctx, s.names.Result(CubeHash(t.Task.Cube)), Encode(r)); err != nil {
			return err
		}
		if err := m.DoubleAck(ctx); err != nil {
			return err
		}
		left.Add(-1)
	}
	return nil
}
