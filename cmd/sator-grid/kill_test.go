//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sator/cmd/internal/grid"
	"sator/cmd/internal/grid/hub"
	"sator/dimacs"
	"sator/internal/effort"
)

// TestKill kills workers, checkers, the coordinator and servers of a run at random moments
// by SIGKILL and starts them again. The answer is right, the proof is accepted by sator
// check, each cube has ended once, and no worker has begun a cube whose result was stored.
//
// SATOR_KILLS is the number of kills; without it, there are few:
//
//	SATOR_TESTS=whole SATOR_KILLS=100 go test ./cmd/sator-grid -run '^TestKill$' -v -timeout 1h
//
// 100 kills in a run of 10,005 cubes with 8 workers took 111 s with the embedded server, 146 s
// with a nats-server and 246 s with a cluster of three, on a machine with 2 cores and a load of
// 13 to 26. 9 to 24 cubes were begun twice, because their worker was killed or their result was
// not stored.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the program many times")
	}
	whole := effort.Whole()
	for _, servers := range []int{0, 1, 3} {
		name := map[int]string{0: "embedded", 1: "server", 3: "cluster"}[servers]
		t.Run(name, func(t *testing.T) { killRun(t, servers, whole) })
	}
}

// killRun kills processes of runs until there are enough kills. A run that ends too early
// is followed by another one.
func killRun(t *testing.T, servers int, whole bool) {
	if servers == 3 && acceptance() == 0 {
		t.Skip("it waits for elections of a leader")
	}
	k := newKiller(t, 500*time.Millisecond)
	i, kills, workers := &instances[0], 4, 3
	switch {
	case acceptance() > 0:
		i, kills, workers = &instances[2], acceptance(), 8
	case whole:
		i, kills = &instances[1], 10
	}
	for k.total() < kills && !t.Failed() {
		before := k.total()
		r := prepareRun(t, i, servers)
		if acceptance() == 0 {
			r.flags = append(r.flags, "--ack-wait", "2s") // the default is 20 s
		}
		r.startAll(workers)
		r.killUntil(k, kills)
		r.end()
		r.check()
		if k.total() == before {
			t.Fatal("the run ends before it is killed")
		}
	}
	for _, role := range slices.Sorted(maps.Keys(k.kills)) {
		t.Logf("%5d kills of a %s", k.kills[role], role)
	}
}

// acceptance returns the number of kills in the environment variable SATOR_KILLS, or 0.
func acceptance() int {
	kills, _ := strconv.Atoi(os.Getenv("SATOR_KILLS"))
	return kills
}

// An instance is a formula with cubes.
type instance struct {
	generate string // arguments of sator generate
	cube     string // arguments of sator cube
	status   dimacs.Status
}

// instances are the formulas of the tests with kills, from short to long. The last one has
// 10,005 cubes, of 3 ms on a machine with 2 cores.
var instances = []instance{
	{"vdw --length 3 --other 10 --numbers 97", "--cubes 300", dimacs.Unsatisfiable},
	{"vdw --length 3 --other 11 --numbers 114", "--cubes 1000", dimacs.Unsatisfiable},
	{"vdw --length 3 --other 12 --numbers 135", "--cubes 10000", dimacs.Unsatisfiable},
}

// tiny has 40 cubes.
var tiny = instance{"vdw --length 3 --other 7 --numbers 46", "--cubes 40", dimacs.Unsatisfiable}

// Limits of the address spaces of processes in megabytes.
const (
	serveMegabytes = 6 << 10
	workMegabytes  = 4 << 10
)

// A gridRun is a run of sator-grid: a coordinator, workers, a checker, and an embedded
// server or a cluster.
type gridRun struct {
	*site
	instance *instance
	file     string // the formula and its cubes
	formula  *dimacs.Formula
	proof    string
	url      string   // of the servers
	flags    []string // of serve

	cluster  *cluster            // nil for an embedded server
	observer jetstream.JetStream // of stored; nil at the start
	serve    *process
	workers  []*process
	checker  *process
}

// prepareRun makes the files of a run and starts its servers. 0 is an embedded server, which
// the coordinator will start.
func prepareRun(t *testing.T, i *instance, servers int) *gridRun {
	t.Helper()
	return newSite(t).prepareRun(i, servers)
}

func (s *site) prepareRun(i *instance, servers int) *gridRun {
	s.t.Helper()
	r := &gridRun{site: s, instance: i}
	r.makeFile()
	r.proof = r.path("proof")
	r.flags = []string{"--run", r.path("run"), "-v", "-j", "0", "--proof", r.proof, "--proof-format", "lrat"}
	if servers > 0 {
		r.cluster = r.startCluster(servers, "")
		r.url = r.cluster.url()
		r.flags = append(r.flags, "--nats", r.url, "--replicas", strconv.Itoa(servers))
	} else {
		address := fmt.Sprintf("127.0.0.1:%d", freePorts(s.t, 1)[0])
		r.url = "nats://" + address
		r.flags = append(r.flags, "--listen", address)
	}
	return r
}

// startServe starts the coordinator.
func (r *gridRun) startServe() {
	r.t.Helper()
	r.serve = r.start("serve", serveMegabytes, append([]string{"sator-grid", "serve", r.file}, r.flags...)...)
}

// startWorker starts a worker that connects to an address, with additional flags.
func (r *gridRun) startWorker(url string, flags ...string) *process {
	r.t.Helper()
	args := append([]string{"sator-grid", "work", url, "-j", "1", "-v"}, flags...)
	p := r.start(fmt.Sprintf("work%d", len(r.workers)+1), workMegabytes, args...)
	r.workers = append(r.workers, p)
	return p
}

// startAll starts the coordinator, workers and a checker.
func (r *gridRun) startAll(workers int) {
	r.t.Helper()
	r.startServe()
	for range workers {
		r.startWorker(r.url)
	}
	r.checker = r.start("check", workMegabytes, "sator-grid", "check", r.url, "-j", "1", "-v")
}

// makeFile writes the formula with its cubes.
func (r *gridRun) makeFile() {
	r.t.Helper()
	cnf := r.path("f.cnf")
	r.file = r.path("f.icnf")
	r.run([]int{0}, append(append([]string{"sator", "generate"}, strings.Fields(r.instance.generate)...), "-o", cnf)...)
	r.run([]int{0}, append([]string{"sator", "cube", "-q", cnf, "-o", r.file}, strings.Fields(r.instance.cube)...)...)
	b, err := os.ReadFile(r.file)
	if err != nil {
		r.t.Fatal(err)
	}
	script, err := new(dimacs.Reader).ReadScript(bytes.NewReader(b))
	if err != nil {
		r.t.Fatal(err)
	}
	r.formula = script.Formula
}

// killUntil kills processes until there are enough kills or the run has ended.
func (r *gridRun) killUntil(k *killer, kills int) {
	for k.total() < kills && !r.t.Failed() {
		if r.revive(); !r.serve.running() {
			return
		}
		switch n := k.rng.IntN(10); {
		case n == 0:
			k.strike("checker", r.checker)
		case n < 3:
			k.strike("coordinator", r.serve)
		case n < 5 && r.cluster != nil:
			k.strike("server", r.cluster.servers[k.rng.IntN(len(r.cluster.servers))].process)
			r.cluster.awaitHealth() // one at a time
		default:
			k.strike("worker", r.workers[k.rng.IntN(len(r.workers))])
		}
		if k.rng.IntN(10) == 0 {
			r.askStatus()
		}
	}
}

// revive starts the coordinator again if it could not start because a server was killed at
// the same time, as a service manager does.
func (r *gridRun) revive() {
	if r.cluster == nil || r.serve.running() || r.serve.code != 1 {
		return
	}
	log := strings.TrimSuffix(r.serve.log(), "\n")
	last := log[strings.LastIndexByte(log, '\n')+1:]
	r.t.Logf("serve ends: %s", last)
	if noServer.MatchString(last) {
		r.serve.restart()
	}
}

// noServer matches errors of a coordinator that starts while there is no server, or not
// enough servers of a cluster for a new stream.
var noServer = regexp.MustCompile(`no server listens|no connection to the server|no greeting of a NATS server|does not answer|closed|closes the connection|no responders|not available|no suitable peers`)

// askStatus runs sator-grid status, which prints a document or one line with an error.
func (r *gridRun) askStatus() {
	r.t.Helper()
	p := r.start(fmt.Sprintf("status%d", len(r.processes)), workMegabytes, "sator-grid", "status", r.url, "--json")
	p.wait()
	text := p.output()
	switch {
	case p.code == 0 && strings.HasPrefix(text, "{"):
	case p.code == 1 && text == "" && strings.Count(p.log(), "\n") == 1:
	default:
		r.t.Errorf("status: exit code %d\n%s%s", p.code, text, p.log())
	}
}

// end waits for the end of the run, ends the workers and the checker by SIGTERM if they have
// not ended by themselves, and then the servers.
func (r *gridRun) end() {
	r.t.Helper()
	for r.serve.wait(); r.serve.code == 1; r.serve.wait() {
		if r.revive(); !r.serve.running() {
			break
		}
	}
	members := slices.Clone(r.workers)
	if r.checker != nil {
		members = append(members, r.checker)
	}
	for _, p := range members {
		p.terminate()
		if p.code != 0 {
			r.t.Errorf("%s: exit code %d after the end of the run", p.name, p.code)
		}
	}
}

// isServer reports whether a process is a server of the cluster.
func (r *gridRun) isServer(p *process) bool {
	return r.cluster != nil && slices.ContainsFunc(r.cluster.servers, func(s *natsProcess) bool { return s.process == p })
}

// check checks the answer, the proof, the results, and that nothing was left.
func (r *gridRun) check() {
	r.t.Helper()
	r.checkAnswer()
	stored := r.results()
	r.checkOnce(stored)
	for _, p := range r.processes {
		if r.isServer(p) {
			p.terminate()
		}
	}
	r.checkClean()
}

// checkAnswer checks the answer of the coordinator and its evidence.
func (r *gridRun) checkAnswer() {
	r.t.Helper()
	if r.serve.code != int(r.instance.status) {
		r.t.Fatalf("serve: exit code %d, want %d", r.serve.code, r.instance.status)
	}
	if r.instance.status == dimacs.Satisfiable {
		s, err := new(dimacs.Reader).ReadSolution(strings.NewReader(r.serve.output()))
		if err != nil || !s.Model.Satisfies(r.formula) {
			r.t.Errorf("no model: %v", err)
		}
		return
	}
	if !strings.HasSuffix(r.serve.output(), "s UNSATISFIABLE\n") {
		r.t.Errorf("serve prints %q", r.serve.output())
	}
	if out := r.run([]int{0}, "sator", "check", r.file, r.proof, "--quiet"); out != "s VERIFIED\n" {
		r.t.Errorf("sator check prints %q", out)
	}
}

// A storedResult is a message of RESULTS.
type storedResult struct {
	cube string
	time time.Time
}

// results reads the stream RESULTS. It checks that no message was removed, and that no cube
// has two.
func (r *gridRun) results() (all []storedResult) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), patience(r.t))
	defer cancel()
	js := r.connectStore()
	names, err := grid.NamesOf("grid")
	if err != nil {
		r.t.Fatal(err)
	}
	stream, err := js.Stream(ctx, names.ResultsStream())
	if err != nil {
		r.t.Fatal(err)
	}
	state := stream.CachedInfo().State
	if state.FirstSeq != 1 || state.LastSeq != state.Msgs {
		r.t.Errorf("results were removed: %d of %d to %d are stored", state.Msgs, state.FirstSeq, state.LastSeq)
	}
	cubes := map[string]bool{}
	consumer, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{})
	if err != nil {
		r.t.Fatal(err)
	}
	messages, err := consumer.Messages()
	if err != nil {
		r.t.Fatal(err)
	}
	defer messages.Stop()
	for range state.Msgs {
		m, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			r.t.Fatal(err)
		}
		var result grid.ResultMessage
		if err := grid.Decode(m.Data(), &result); err != nil {
			r.t.Fatal(err)
		}
		meta, err := m.Metadata()
		if err != nil {
			r.t.Fatal(err)
		}
		s := storedResult{cubeText(result.Result.Cube), meta.Timestamp}
		if cubes[s.cube] {
			r.t.Errorf("cube %s has two results", s.cube)
		}
		cubes[s.cube] = true
		all = append(all, s)
	}
	return all
}

// cubeText returns the literals of a cube as in the logs of workers.
func cubeText(cube []dimacs.Lit) string {
	var words []string
	for _, l := range cube {
		words = append(words, strconv.Itoa(l.Int()))
	}
	return strings.Join(words, " ")
}

// connectStore connects to the cluster, or to a server of the test with the store of the
// embedded server, which has ended.
func (r *gridRun) connectStore() jetstream.JetStream {
	r.t.Helper()
	if r.cluster != nil {
		return r.cluster.connect()
	}
	h, err := hub.Start(hub.Config{Run: "grid", Dir: r.path("run/store")})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(h.Close)
	conn, err := h.Connect(r.t.Context(), hub.Dial{Role: hub.Coordinator})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(conn.Close)
	return newJetStream(r.t, conn)
}

func newJetStream(t *testing.T, conn *nats.Conn) jetstream.JetStream {
	t.Helper()
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// beginning matches the line that a worker logs when it begins to solve a cube, with the
// time before it asked whether there is a result.
var beginning = regexp.MustCompile(`(?m)^c (\S+) \S+ begin: (.*)$`)

// checkOnce checks that no worker has begun a cube after its result was stored. It logs how
// often cubes were begun, since workers were killed before they finished them.
func (r *gridRun) checkOnce(stored []storedResult) {
	r.t.Helper()
	ends := map[string]time.Time{}
	for _, s := range stored {
		ends[s.cube] = s.time
	}
	begins := 0
	for _, p := range append(slices.Clone(r.workers), r.serve) {
		for _, m := range beginning.FindAllStringSubmatch(p.log(), -1) {
			begins++
			at, err := time.Parse(time.RFC3339Nano, m[1])
			if err != nil {
				r.t.Fatal(err)
			}
			if end, ended := ends[m[2]]; ended && end.Before(at) {
				r.t.Errorf("%s begins cube %s %v after its result was stored", p.name, m[2], at.Sub(end))
			}
		}
	}
	if begins < len(stored) {
		r.t.Errorf("%d cubes were begun, but there are %d results", begins, len(stored))
	}
	r.t.Logf("%d cubes, begun %d times", len(stored), begins)
}
