package grid

import (
	"context"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"sator/dpll/portfolio"
	"sator/internal/conquertest"
)

// BenchmarkWork measures the time of a cube whose solver takes no time: pulling the task,
// publishing the result, and acknowledging both, on the loopback interface. A server that
// syncs adds one sync of the disk, which BenchmarkSync measures.
func BenchmarkWork(b *testing.B) {
	for _, sync := range []bool{false, true} {
		name := "cached"
		if sync {
			name = "synced"
		}
		b.Run(name, func(b *testing.B) {
			s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: b.TempDir(), SyncAlways: sync, NoSigs: true, NoLog: true})
			must(b, err)
			s.Start()
			defer s.WaitForShutdown()
			defer s.Shutdown()
			if !s.ReadyForConnections(30 * time.Second) {
				b.Fatal("the server is not ready")
			}
			nc, err := nats.Connect(s.ClientURL())
			must(b, err)
			defer nc.Close()
			worker, err := nats.Connect(s.ClientURL())
			must(b, err)
			defer worker.Close()
			c := newFakeCoordinator(b, nc, conquertest.Pigeons(6))
			for i := range b.N {
				c.give(numberedCube(i)...)
			}
			solver := solvedBy(func(_ context.Context, t portfolio.Task) portfolio.Result { return refutedResult(t) })
			b.ResetTimer()
			w := startWorker(b, worker, MemberOptions{Solver: solver})
			c.result(numberedCube(b.N - 1)...)
			b.StopTimer()
			w.cancel()
			must(b, w.end())
		})
	}
}

// numberedCube returns the cube of 32 literals whose signs are the bits of i.
func numberedCube(i int) (cube []int) {
	for v := 1; v <= 32; v++ {
		sign := 1 - 2*(i&1)
		i >>= 1
		cube = append(cube, sign*v)
	}
	return cube
}
