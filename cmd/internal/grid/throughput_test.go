package grid

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
	"sator/internal/conquertest"
)

// BenchmarkCubes runs a coordinator and workers on one server that syncs each message to
// disk. The 8192 cubes of a run, 512 with -short, take 1 ms each, in which a worker sleeps.
// Reported are the time of a run for each cube and worker, and cubes a second. The first
// figure minus 1 ms is what a cube costs its worker.
func BenchmarkCubes(b *testing.B) {
	depth := 13
	if testing.Short() {
		depth = 9
	}
	for _, workers := range []int{1, 2, 8} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			for b.Loop() {
				d := runSleepers(b, workers, depth, time.Millisecond)
				perCube := d * time.Duration(workers) / (1 << depth)
				b.ReportMetric(float64(perCube.Microseconds()), "µs/cube")
				b.ReportMetric(float64(int(1)<<depth)/d.Seconds(), "cubes/s")
			}
		})
	}
}

// runSleepers runs 2^depth cubes that take some time each, and returns the duration of
// the run.
func runSleepers(t testing.TB, workers, depth int, pause time.Duration) time.Duration {
	srv, err := server.NewServer(&server.Options{DontListen: true, JetStream: true, StoreDir: t.TempDir(), SyncAlways: true, NoSigs: true, NoLog: true})
	must(t, err)
	srv.Start()
	defer srv.WaitForShutdown()
	defer srv.Shutdown()
	if !srv.ReadyForConnections(30 * time.Second) {
		t.Fatal("the server is not ready")
	}
	connect := func() *nats.Conn {
		nc, err := nats.Connect("", nats.InProcessServer(srv))
		must(t, err)
		return nc
	}
	f := dimacs.NewFormula(depth + 3)
	f.AddInts(depth+1, depth+2)
	f.AddInts(-depth-1, depth+3)
	o := ServeOptions{Name: newRunName(), Formula: f, Cubes: conquertest.Tree(0, depth), Trust: true}
	o.Solver.NoSimplify, o.Solver.Lucky = true, cdcl.LuckyOff
	solver := testSolver(func(ctx context.Context, t portfolio.Task) portfolio.Result {
		time.Sleep(pause)
		return portfolio.Result{Formula: t.Formula, Cube: t.Cube, Status: dimacs.Unsatisfiable, Failed: t.Cube, Conflicts: 1}
	})
	var begin time.Time
	o.Ready = func(int) { begin = time.Now() }
	for range workers {
		nc := connect()
		defer nc.Close()
		go Work(context.Background(), nc, MemberOptions{Name: o.Name, Solver: solvedBy(solver)})
	}
	nc := connect()
	defer nc.Close()
	a, err := Serve(context.Background(), nc, o)
	must(t, err)
	if a.Status != dimacs.Unsatisfiable || a.Stats.Refuted != 1<<depth {
		t.Fatalf("%v, %+v", a.Status, a.Stats)
	}
	return time.Since(begin)
}
