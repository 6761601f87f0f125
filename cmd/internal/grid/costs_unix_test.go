//go:build unix

package grid

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The costs of messages, for the parameters of package simulate. The server runs in a
// process of its own, with the streams of a run and with SyncAlways, so that its
// processor time can be read: the figure "server-µs/op" does not depend on the load of the
// machine, and ns/op does. All benchmarks run together by
//
//	go test -run '^$' -bench Cost -benchtime 3000x ./cmd/internal/grid

// serverEnv is the variable that makes the test binary a server. Its value is the
// directory of the store.
const serverEnv = "SATOR_TEST_COST_SERVER"

// TestCostServer is the server process of the benchmarks. It prints its address, and its
// processor time in microseconds for each line that it reads.
func TestCostServer(t *testing.T) {
	dir := os.Getenv(serverEnv)
	if dir == "" {
		return
	}
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: dir, SyncAlways: true, NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	defer s.Shutdown()
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server is not ready")
	}
	fmt.Println("server", s.ClientURL())
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			t.Fatal(err)
		}
		fmt.Println("server", u.Utime.Nano()/1000+u.Stime.Nano()/1000)
	}
}

// A costServer is a server in another process, with the streams of a run.
type costServer struct {
	b     *testing.B
	names Names
	in    *os.File
	out   *bufio.Scanner
	url   string
	nc    *nats.Conn
	js    jetstream.JetStream
	tasks jetstream.Consumer
}

func startCostServer(b *testing.B) *costServer {
	b.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestCostServer$")
	cmd.Env = append(os.Environ(), serverEnv+"="+b.TempDir())
	cmd.Stderr = os.Stderr
	read, write, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	cmd.Stdin = read
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		write.Close()
		cmd.Wait()
		read.Close()
	})
	names, err := NamesOf("costs")
	if err != nil {
		b.Fatal(err)
	}
	s := &costServer{b: b, names: names, in: write, out: bufio.NewScanner(out)}
	s.url = s.line()
	s.nc, s.js = s.connect()
	s.createStreams()
	return s
}

// line reads a line of the server.
func (s *costServer) line() string {
	s.b.Helper()
	for s.out.Scan() {
		if text, ok := strings.CutPrefix(s.out.Text(), "server "); ok {
			return text
		}
	}
	s.b.Fatal("the server has ended")
	return ""
}

// cpu returns the processor time of the server.
func (s *costServer) cpu() time.Duration {
	s.b.Helper()
	if _, err := s.in.WriteString("\n"); err != nil {
		s.b.Fatal(err)
	}
	n, err := strconv.ParseInt(s.line(), 10, 64)
	if err != nil {
		s.b.Fatal(err)
	}
	return time.Duration(n) * time.Microsecond
}

func (s *costServer) connect() (*nats.Conn, jetstream.JetStream) {
	s.b.Helper()
	nc, err := nats.Connect(s.url)
	if err != nil {
		s.b.Fatal(err)
	}
	s.b.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		s.b.Fatal(err)
	}
	return nc, js
}

func (s *costServer) createStreams() {
	s.b.Helper()
	ctx := context.Background()
	for _, c := range []jetstream.StreamConfig{s.names.resultsConfig(1), s.names.acceptedConfig(1), s.names.tasksConfig(1, 1)} {
		if _, err := s.js.CreateStream(ctx, c); err != nil {
			s.b.Fatal(err)
		}
	}
	c, err := s.js.CreateConsumer(ctx, s.names.TasksStream(), s.names.tasksConsumer(time.Minute))
	if err != nil {
		s.b.Fatal(err)
	}
	s.tasks = c
	if _, err := s.js.CreateObjectStore(ctx, s.names.objectConfig(1)); err != nil {
		s.b.Fatal(err)
	}
}

// measure runs f, which does b.N operations, and reports the processor time of the server
// for each.
func (s *costServer) measure(f func()) {
	s.b.Helper()
	if err := s.nc.Flush(); err != nil {
		s.b.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond) // of the work that is left after the preparations
	before := s.cpu()
	s.b.ResetTimer()
	f()
	s.b.StopTimer()
	s.nc.Flush()
	time.Sleep(100 * time.Millisecond)
	s.b.ReportMetric(float64((s.cpu()-before).Microseconds())/float64(s.b.N), "server-µs/op")
}

// must ends the benchmark if there is an error.
func (s *costServer) must(err error) {
	s.b.Helper()
	if err != nil {
		s.b.Fatal(err)
	}
}

// payload is as large as most tasks and results.
var payload = make([]byte, 600)

// publishTasks publishes n tasks.
func (s *costServer) publishTasks(n int) {
	for range n {
		_, err := s.js.PublishAsync(s.names.Task(), payload)
		s.must(err)
	}
	<-s.js.PublishAsyncComplete()
}

// BenchmarkCostTask publishes tasks.
func BenchmarkCostTask(b *testing.B) {
	s := startCostServer(b)
	s.measure(func() { s.publishTasks(b.N) })
}

// BenchmarkCostWait requests tasks before they are published, from a hundred connections.
func BenchmarkCostWait(b *testing.B) {
	s := startCostServer(b)
	const workers = 100
	var waiting sync.WaitGroup
	todo := make(chan bool, b.N)
	for range b.N {
		todo <- true
	}
	close(todo)
	var consumers []jetstream.Consumer
	for range workers {
		_, js := s.connect()
		c, err := js.Consumer(context.Background(), s.names.TasksStream(), s.names.TasksConsumer())
		s.must(err)
		consumers = append(consumers, c)
	}
	s.measure(func() {
		for _, c := range consumers {
			waiting.Go(func() {
				for range todo {
					if _, err := c.Next(jetstream.FetchMaxWait(time.Minute)); err != nil {
						b.Error(err)
					}
				}
			})
		}
		time.Sleep(100 * time.Millisecond)
		s.publishTasks(b.N)
		waiting.Wait()
	})
}

// BenchmarkCostAck acknowledges tasks and waits for the confirmation.
func BenchmarkCostAck(b *testing.B) {
	s := startCostServer(b)
	s.publishTasks(b.N)
	var tasks []jetstream.Msg
	for range b.N {
		m, err := s.tasks.Next()
		s.must(err)
		tasks = append(tasks, m)
	}
	s.measure(func() {
		for _, m := range tasks {
			s.must(m.DoubleAck(context.Background()))
		}
	})
}

// BenchmarkCostBeat reports the progress of a task.
func BenchmarkCostBeat(b *testing.B) {
	s := startCostServer(b)
	s.publishTasks(1)
	m, err := s.tasks.Next()
	s.must(err)
	s.measure(func() {
		for range b.N {
			s.must(m.InProgress())
		}
	})
}

// BenchmarkCostResult publishes results on some connections, each of which waits for the
// acknowledgement, while the coordinator receives them. The time of one connection is the
// latency, that of many is the throughput of the disk.
func BenchmarkCostResult(b *testing.B) {
	for _, workers := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("connections=%d", workers), func(b *testing.B) {
			s := startCostServer(b)
			results := s.receiveResults()
			s.measure(func() {
				s.spread(workers, func(js jetstream.JetStream, i int) error {
					_, err := js.Publish(context.Background(), s.names.Result(fmt.Sprintf("%032x", i)), payload)
					return err
				})
				for range b.N {
					<-results
				}
			})
		})
	}
}

// receiveResults returns a channel with a value for each result that a consumer of RESULTS
// receives.
func (s *costServer) receiveResults() <-chan bool {
	s.b.Helper()
	c, err := s.js.OrderedConsumer(context.Background(), s.names.ResultsStream(), jetstream.OrderedConsumerConfig{})
	s.must(err)
	results := make(chan bool, s.b.N)
	stop, err := c.Consume(func(jetstream.Msg) { results <- true })
	s.must(err)
	s.b.Cleanup(stop.Stop)
	return results
}

// spread does b.N operations on some connections.
func (s *costServer) spread(connections int, do func(js jetstream.JetStream, i int) error) {
	s.b.Helper()
	var all []jetstream.JetStream
	for range connections {
		_, js := s.connect()
		all = append(all, js)
	}
	todo := make(chan int, s.b.N)
	for i := range s.b.N {
		todo <- i
	}
	close(todo)
	s.b.ResetTimer()
	var group sync.WaitGroup
	for _, js := range all {
		group.Go(func() {
			for i := range todo {
				if err := do(js, i); err != nil {
					s.b.Error(err)
				}
			}
		})
	}
	group.Wait()
}

// BenchmarkCostPresence publishes presence messages that one connection receives.
func BenchmarkCostPresence(b *testing.B) {
	s := startCostServer(b)
	got := make(chan bool, b.N)
	_, err := s.nc.Subscribe(s.names.Presence(), func(*nats.Msg) { got <- true })
	s.must(err)
	worker, _ := s.connect()
	s.measure(func() {
		for range b.N {
			s.must(worker.Publish(s.names.Presence(), payload[:300]))
		}
		for range b.N {
			<-got
		}
	})
}

// BenchmarkCostShare publishes messages with shared clauses to some connections.
func BenchmarkCostShare(b *testing.B) {
	for _, workers := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("receivers=%d", workers), func(b *testing.B) {
			s := startCostServer(b)
			var group sync.WaitGroup
			for range workers {
				nc, _ := s.connect()
				left := b.N
				group.Add(1)
				_, err := nc.Subscribe(s.names.Shared(), func(*nats.Msg) {
					if left--; left == 0 {
						group.Done()
					}
				})
				s.must(err)
				s.must(nc.Flush())
			}
			s.measure(func() {
				for i := range b.N {
					s.must(s.nc.Publish(s.names.Shared(), payload))
					if i%100 == 0 {
						s.must(s.nc.Flush())
						time.Sleep(time.Millisecond) // no receiver falls behind
					}
				}
				group.Wait()
			})
		})
	}
}

// BenchmarkCostObject stores segments of one and of four chunks as objects, in small chunks
// and in chunks as large as those of workers.
func BenchmarkCostObject(b *testing.B) {
	for _, size := range []int{128 << 10, chunkSize} {
		for _, chunks := range []int{1, 4} {
			b.Run(fmt.Sprintf("size=%d/chunks=%d", size, chunks), func(b *testing.B) {
				s := startCostServer(b)
				bucket, err := s.js.ObjectStore(context.Background(), s.names.ObjectBucket())
				s.must(err)
				data := make([]byte, chunks*size)
				b.SetBytes(int64(len(data)))
				s.measure(func() {
					for i := range b.N {
						meta := jetstream.ObjectMeta{Name: fmt.Sprint(i), Opts: &jetstream.ObjectMetaOptions{ChunkSize: uint32(size)}}
						_, err := bucket.Put(context.Background(), meta, bytes.NewReader(data))
						s.must(err)
					}
				})
			})
		}
	}
}
