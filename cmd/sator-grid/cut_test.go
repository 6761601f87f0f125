//go:build unix

package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sator/cmd/internal/grid"
	"sator/cmd/internal/grid/hub"
	"sator/dimacs"
)

// TestCut cuts the network between a worker and the servers while it solves a cube. Another
// worker gets the cube, unless its result was stored before the cut. When the network is
// whole again, the first worker goes on. The cut takes 2 s. If SATOR_KILLS is set it takes
// 30 s, in which the second worker goes on.
func TestCut(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the program many times")
	}
	for _, servers := range []int{0, 3} {
		if servers > 0 && acceptance() == 0 {
			continue
		}
		t.Run(fmt.Sprintf("servers=%d", servers), func(t *testing.T) { cutRun(t, servers) })
	}
}

func cutRun(t *testing.T, servers int) {
	// The second worker solves a third of these cubes while the network is cut.
	i, least := &instance{"ksat --vars 280 --ratio 4.6 --seed 1", "--cubes 500", dimacs.Unsatisfiable}, 2*time.Second
	if acceptance() > 0 {
		i, least = &instances[2], 30*time.Second
	}
	r := prepareRun(t, i, servers)
	r.flags = append(r.flags, "--ack-wait", "1s")
	r.startServe()
	address, _, _ := strings.Cut(strings.TrimPrefix(r.url, "nats://"), ",")
	p := newProxy(t, address)
	first := r.startWorker(p.url())
	cube := r.awaitCube(first, 10)
	p.cut(true)
	begin := time.Now()
	second := r.startWorker(r.url)
	await(t, "the cube of the first worker", func() bool {
		return slices.Contains(begins(second), cube) || r.stored(cube) || !r.serve.running()
	})
	if acceptance() > 0 {
		time.Sleep(time.Until(begin.Add(least)))
	}
	second.terminate() // hands back its cube; only the first worker can end the run
	if !r.serve.running() {
		t.Error("the run ends before the network is whole again")
	}
	time.Sleep(time.Until(begin.Add(least)))
	held := len(begins(first))
	p.cut(false)
	r.end()
	r.check()
	if n := len(begins(first)); n <= held {
		t.Error("the first worker does nothing after the cut")
	}
	t.Logf("%s begins %d cubes while the network is cut", second.name, len(begins(second)))
}

// stored reports whether there is a result of a cube.
func (r *gridRun) stored(cube string) bool {
	r.t.Helper()
	if r.observer == nil {
		conn, err := hub.Connect(r.t.Context(), hub.Dial{URL: r.url, Role: hub.Worker, Name: "observer"})
		if err != nil {
			r.t.Fatal(err)
		}
		r.t.Cleanup(conn.Close)
		r.observer = newJetStream(r.t, conn)
	}
	var lits []dimacs.Lit
	for _, word := range strings.Fields(cube) {
		n, err := strconv.Atoi(word)
		if err != nil {
			r.t.Fatal(err)
		}
		lits = append(lits, dimacs.FromInt(n))
	}
	names, err := grid.NamesOf("grid")
	if err != nil {
		r.t.Fatal(err)
	}
	results, err := r.observer.Stream(r.t.Context(), names.ResultsStream())
	if err != nil {
		return false
	}
	_, err = results.GetLastMsgForSubject(r.t.Context(), names.Result(grid.CubeHash(lits)))
	return err == nil
}

// awaitCube waits until a worker has begun n cubes, and returns the last one.
func (r *gridRun) awaitCube(p *process, n int) string {
	r.t.Helper()
	await(r.t, fmt.Sprintf("%d cubes of %s", n, p.name), func() bool {
		return len(begins(p)) >= n || !p.running()
	})
	all := begins(p)
	if len(all) < n {
		r.t.Fatalf("%s ends after %d cubes", p.name, len(all))
	}
	return all[len(all)-1]
}

// begins returns the cubes that a worker has begun.
func begins(p *process) (cubes []string) {
	for _, m := range beginning.FindAllStringSubmatch(p.log(), -1) {
		cubes = append(cubes, m[2])
	}
	return cubes
}
