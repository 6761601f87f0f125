package hub

import (
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// startTime bounds the time until an embedded server accepts connections.
const startTime = 30 * time.Second

// A Config describes an embedded server.
type Config struct {
	// Dir is the directory of the store. Start creates it. One server at a time uses it.
	Dir string
}

// A Hub is a running embedded server.
type Hub struct {
	server *server.Server
}

// Start starts a server with JetStream on disk, where each message is synchronized to
// the disk before it is acknowledged. It returns when the server accepts connections.
func Start(c Config) (*Hub, error) {
	if c.Dir == "" {
		return nil, errors.New("no directory for the store")
	}
	s, err := server.NewServer(&server.Options{
		ServerName: "sator-grid",
		DontListen: true,
		JetStream:  true,
		StoreDir:   c.Dir,
		SyncAlways: true,
		NoSigs:     true,
		NoLog:      true,
	})
	if err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	s.Start()
	h := &Hub{s}
	if !s.ReadyForConnections(startTime) || !s.JetStreamEnabled() {
		h.Close()
		return nil, fmt.Errorf("the server is not ready after %v", startTime)
	}
	return h, nil
}

// Connect connects to the server in the same process, without a socket.
func (h *Hub) Connect() (*nats.Conn, error) {
	return nats.Connect("", nats.InProcessServer(h.server), nats.MaxReconnects(-1))
}

// Close stops the server and returns when its store is closed.
func (h *Hub) Close() {
	h.server.Shutdown()
	h.server.WaitForShutdown()
}
