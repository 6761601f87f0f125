//go:build unix

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// natsServer is the main function of nats-server with a configuration file, so that tests
// need no other program than themselves.
func natsServer() {
	fs := flag.NewFlagSet("nats-server", flag.ExitOnError)
	o, err := server.ConfigureOptions(fs, os.Args[1:], func() {}, fs.Usage, func() {})
	if err != nil {
		server.PrintAndDie(err.Error())
	}
	s, err := server.NewServer(o)
	if err != nil {
		server.PrintAndDie(err.Error())
	}
	s.ConfigureLogger()
	if err := server.Run(s); err != nil {
		server.PrintAndDie(err.Error())
	}
	s.WaitForShutdown()
}

// A cluster is some nats-servers with JetStream on the disk, each a process.
type cluster struct {
	site    *site
	servers []*natsProcess
}

// A natsProcess is a nats-server of a cluster.
type natsProcess struct {
	*process
	address string // for clients
	health  string // URL that tells whether JetStream is ready
}

// startCluster starts so many servers and waits until they are ready. Each configuration
// has the extra lines.
func (s *site) startCluster(n int, extra string) *cluster {
	s.t.Helper()
	c := &cluster{site: s}
	ports := freePorts(s.t, 3*n)
	var routes []string
	for i := range n {
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", ports[3*i+1]))
	}
	for i := range n {
		name := fmt.Sprintf("server%d", i+1)
		client, route, monitor := ports[3*i], ports[3*i+1], ports[3*i+2]
		text := fmt.Sprintf("server_name: %s\nlisten: 127.0.0.1:%d\nhttp: 127.0.0.1:%d\njetstream { store_dir: %q, sync_interval: always }\n%s\n",
			name, client, monitor, s.path(name), extra)
		if n > 1 {
			text += fmt.Sprintf("cluster { name: test, listen: 127.0.0.1:%d, routes: [%s] }\n", route, strings.Join(routes, ", "))
		}
		config := s.write(name+".conf", text)
		health := fmt.Sprintf("http://127.0.0.1:%d/healthz", monitor)
		if n == 1 {
			// A server that is killed while it creates a stream leaves a folder without the
			// stream's description. It is unhealthy until the coordinator creates the
			// stream again, but the coordinator may have ended with the server.
			health += "?js-enabled-only=true"
		}
		c.servers = append(c.servers, &natsProcess{
			process: s.start(name, 4<<10, "nats-server", "-c", config),
			address: fmt.Sprintf("127.0.0.1:%d", client),
			health:  health,
		})
	}
	c.awaitHealth()
	return c
}

// url returns the addresses of all servers.
func (c *cluster) url() string {
	var all []string
	for _, s := range c.servers {
		all = append(all, "nats://"+s.address)
	}
	return strings.Join(all, ",")
}

// awaitHealth waits until all servers have caught up with the others.
func (c *cluster) awaitHealth() {
	c.site.t.Helper()
	for _, s := range c.servers {
		await(c.site.t, s.name, func() bool {
			answer, err := http.Get(s.health)
			if err != nil {
				return false
			}
			answer.Body.Close()
			return answer.StatusCode == http.StatusOK
		})
	}
}

// connect connects a client of the test.
func (c *cluster) connect() jetstream.JetStream {
	c.site.t.Helper()
	conn, err := nats.Connect(c.url(), nats.MaxReconnects(-1), nats.ReconnectWait(20*time.Millisecond))
	if err != nil {
		c.site.t.Fatal(err)
	}
	c.site.t.Cleanup(conn.Close)
	return newJetStream(c.site.t, conn)
}

// freePorts returns ports of the loopback interface on which no program listens.
func freePorts(t *testing.T, n int) (ports []int) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// TestCluster checks the cluster without the program: while one server after the other is
// killed, no acknowledged message is lost. After a kill the others elect a leader, which
// takes up to 9 s.
func TestCluster(t *testing.T) {
	if acceptance() == 0 {
		t.Skip("it waits for elections of a leader")
	}
	const messages, rounds = 100, 2
	c := newSite(t).startCluster(3, "")
	js := c.connect()
	ctx, cancel := context.WithTimeout(t.Context(), patience(t))
	defer cancel()
	persist(ctx, t, "the stream", func(ctx context.Context) error {
		_, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: "S", Subjects: []string{"s.*"}, Replicas: 3, MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true})
		return err
	})
	sent := 0
	publish := func() {
		for range messages {
			subject := fmt.Sprintf("s.%d", sent)
			persist(ctx, t, subject, func(ctx context.Context) error {
				_, err := js.Publish(ctx, subject, []byte(subject))
				var api *jetstream.APIError
				if errors.As(err, &api) && api.ErrorCode == 10077 {
					return nil // maximum messages per subject: the acknowledgement was lost
				}
				return err
			})
			sent++
		}
	}
	publish()
	for i := range rounds {
		victim := c.servers[i%3]
		victim.kill()
		publish()
		victim.restart()
		c.awaitHealth()
	}
	stream, err := js.Stream(ctx, "S")
	if err != nil {
		t.Fatal(err)
	}
	if n := stream.CachedInfo().State.Msgs; n != uint64(sent) {
		t.Errorf("%d messages are stored, want %d", n, sent)
	}
}

// persist tries something until it succeeds, with some seconds for each attempt.
func persist(ctx context.Context, t *testing.T, what string, f func(context.Context) error) {
	t.Helper()
	for {
		some, cancel := context.WithTimeout(ctx, 5*time.Second)
		err := f(some)
		cancel()
		if err == nil {
			return
		}
		if ctx.Err() != nil {
			t.Fatalf("%s: %v", what, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}
