package hub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"os"
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// The embedded server.
//
// It is an ordinary NATS server in this process: nats-server as a library, with one
// account, a user for each role, and JetStream on disk. A message is written and
// synchronized before it is acknowledged (SyncAlways), so killing the process or the
// machine loses no acknowledged message. The server handles no signals and prints
// nothing; its messages are passed to Config.Log.
//
// A server uses its directory alone: a second server would destroy the streams, and a
// lock keeps it out. Start after a kill recovers all acknowledged messages. Streams in
// memory are lost.
//
// Limits protect the server from a client, and the machine from the server: bytes of a
// message, connections, subscriptions, bytes in memory and on disk, and free space of the
// disk (see disk.go).
//
// A published message costs one synchronization of the disk. On a virtual machine (AMD
// EPYC, 2 busy cores, ext4 on a virtual disk), the time from publishing to the
// acknowledgement, against a write and fsync of the same bytes, is in ms:
//
//	                          disk, 1 KiB   disk, 64 KiB   /dev/shm, 1 KiB   /dev/shm, 64 KiB
//	write and fsync                  0.15           0.25             0.002               0.08
//	publish, in this process         0.25           0.61             0.03                0.32
//	publish, loopback                0.33           0.61             0.05                0.25
//	8 publishers, loopback           0.24           0.52      0.06 to 0.24        0.30 to 1.7
//
// The last row is time per message. Messages of a stream are stored one after the other,
// so more publishers do not share a synchronization. The queue of tasks in memory serves
// 9,000 tasks a second to 1 or 8 workers and 4,000 to 64 (a pull and a double
// acknowledgement each). The workers of the benchmark use the same two cores. The
// command is
//
//	TMPDIR=/directory/of/the/disk go test -run '^$' -bench . -benchtime 500x ./cmd/internal/grid/hub
//
// The times on disk grow several times while other programs write to it.

// Defaults and limits of a server.
const (
	DefaultMaxPayload     = 1 << 20 // bytes of a message, the default of NATS
	DefaultMaxConnections = 10_000

	// DefaultReserve is the number of bytes of the disk that stay free. On a disk of less
	// than 2 GiB, the default is an eighth of the disk.
	DefaultReserve = 256 << 20

	maxPayload       = 64 << 20 // bytes of a message; NATS recommends at most 8 MiB
	maxSubscriptions = 10_000   // of a connection
	maxMemory        = 1 << 30  // bytes of streams in memory: tasks that wait
	startTime        = 30 * time.Second

	// authTime is the time for the first message of a client, TLS included. The default
	// of NATS, 2 s, is short for a machine with a solver on each core.
	authTime = 10 * time.Second

	// pingTime is the time between two pings of a silent connection, on both sides. The
	// second ping without an answer ends the connection, so a cut is noticed after 20 to
	// 30 s; with the default of NATS, 2 minutes, after 6 minutes.
	pingTime = 10 * time.Second
)

// A Config describes an embedded server. Zero values are defaults.
type Config struct {
	Run string // name of the run, part of all subjects: 1 to 32 letters, digits, '-' and '_'
	Dir string // directory of the store, created by Start; for one server at a time

	// Listen is the address "host:port" for other processes; port 0 is any
	// free port, an empty host all interfaces. If it is empty, only this process
	// connects.
	Listen string

	Token  Token // password of workers, checkers and status commands
	Secret Token // password of the coordinator; without one it connects in this process only
	TLS    TLS

	// CheckerToken is the password of checkers, if it is not Token. The coordinator
	// believes checkers, so it matters if not all who have Token are trusted.
	CheckerToken Token

	MaxPayload     int   // bytes of a message; default DefaultMaxPayload
	MaxConnections int   // default DefaultMaxConnections
	MaxStore       int64 // bytes of the store; default no limit
	Reserve        int64 // bytes of the disk that stay free; default DefaultReserve; negative: no reserve

	// Log, if not nil, is called with messages for the user (levels Warn and Error) and
	// of the server itself (Debug to Warn). Calls do not overlap. It must not call
	// methods of the Hub.
	Log func(level slog.Level, text string)
}

// A Hub is a running embedded server. Its methods may be called at the same time.
type Hub struct {
	config  Config
	options *server.Options
	log     *journal
	lock    *os.File
	disk    *disk
	stop    context.CancelFunc // ends watch
	done    chan struct{}      // closed when watch has ended

	mu     sync.Mutex
	server *server.Server // nil after Close and while the server starts again
}

var runName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,32}$`)

// Start starts a server. It returns when the server accepts connections. Errors are
// faults in the configuration, an address or a directory in use, and a store that cannot
// be read.
func Start(c Config) (*Hub, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	h := &Hub{config: c, log: &journal{log: c.Log}, done: make(chan struct{})}
	if h.options, err = h.serverOptions(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if h.lock, err = lock(c.Dir); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	h.disk = newDisk(c.Dir, c.Reserve, freeSpace)
	if err := h.run(); err != nil {
		h.lock.Close()
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	h.stop = stop
	go h.watch(ctx)
	return h, nil
}

// withDefaults returns the configuration with defaults instead of zero values.
func (c Config) withDefaults() (Config, error) {
	switch {
	case !runName.MatchString(c.Run):
		return c, fmt.Errorf("invalid run name %q: want 1 to 32 letters, digits, '-' and '_'", c.Run)
	case c.Dir == "":
		return c, errors.New("no directory for the store")
	case c.MaxPayload < 0 || c.MaxPayload > maxPayload:
		return c, fmt.Errorf("messages of %d bytes: want at most %d", c.MaxPayload, maxPayload)
	case c.MaxConnections < 0 || c.MaxStore < 0:
		return c, errors.New("negative limit of connections or bytes")
	}
	for _, t := range []Token{c.Token, c.Secret, c.CheckerToken} {
		if t == "" {
			continue
		}
		if err := t.validate(); err != nil {
			return c, err
		}
	}
	if c.Secret != "" && c.Secret == c.Token {
		return c, errors.New("coordinator and workers have the same token")
	}
	if c.MaxPayload == 0 {
		c.MaxPayload = DefaultMaxPayload
	}
	if c.MaxConnections == 0 {
		c.MaxConnections = DefaultMaxConnections
	}
	if c.MaxStore == 0 {
		c.MaxStore = math.MaxInt64 / 2
	}
	return c, nil
}

// serverOptions returns the options of the server.
func (h *Hub) serverOptions() (*server.Options, error) {
	c := &h.config
	o := &server.Options{
		ServerName:         "sator-" + c.Run,
		DontListen:         c.Listen == "",
		Users:              h.users(),
		JetStream:          true,
		StoreDir:           c.Dir,
		SyncAlways:         true,
		JetStreamMaxMemory: maxMemory,
		JetStreamMaxStore:  c.MaxStore,
		MaxPayload:         int32(c.MaxPayload),
		MaxPending:         max(server.MAX_PENDING_SIZE, 2*int64(c.MaxPayload)),
		MaxConn:            c.MaxConnections,
		MaxSubs:            maxSubscriptions,
		PingInterval:       pingTime,
		AuthTimeout:        authTime.Seconds(),
		TLSTimeout:         authTime.Seconds(),
		NoSigs:             true,

		DisableJetStreamBanner: true,
	}
	if c.Listen == "" {
		return o, nil
	}
	host, port, err := listenAddress(c.Listen)
	if err != nil {
		return nil, err
	}
	warning, err := c.checkExposure(host)
	if err != nil {
		return nil, err
	}
	if warning != "" {
		h.log.print(slog.LevelWarn, "%s", warning)
	}
	o.Host, o.Port = host, port
	if port == 0 {
		o.Port = server.RANDOM_PORT
	}
	o.TLSConfig, err = c.TLS.server()
	o.TLS, o.TLSVerify = o.TLSConfig != nil, c.TLS.CA != ""
	return o, err
}

// users returns a user for each role. The coordinator has a random password if the
// configuration has no password for it.
func (h *Hub) users() []*server.User {
	local := h.config.Secret == ""
	if local {
		h.config.Secret = NewToken()
	}
	var users []*server.User
	for _, r := range Roles {
		u := &server.User{
			Username:               string(r),
			Password:               string(h.password(r)),
			Permissions:            permissions(r, h.config.Run),
			AllowedConnectionTypes: map[string]struct{}{jwt.ConnectionTypeInProcess: {}},
		}
		if r != Coordinator || !local {
			u.AllowedConnectionTypes[jwt.ConnectionTypeStandard] = struct{}{}
		}
		users = append(users, u)
	}
	return users
}

// password returns the password of a role.
func (h *Hub) password(r Role) Token {
	switch c := &h.config; r {
	case Coordinator:
		return c.Secret
	case Checker:
		return cmp.Or(c.CheckerToken, c.Token)
	default:
		return c.Token
	}
}

// run starts the server. It is also called after the server has failed, and then keeps
// the port.
func (h *Hub) run() error {
	s, err := server.NewServer(h.options.Clone())
	if err != nil {
		return fmt.Errorf("server: %w", err)
	}
	s.SetLoggerV2(h.log, false, false, false)
	s.Start()
	if h.log.reason() != "" || !s.ReadyForConnections(startTime) || !s.JetStreamEnabled() {
		s.Shutdown()
		s.WaitForShutdown()
		if reason := h.log.takeReason(); reason != "" {
			return fmt.Errorf("server: %s", reason)
		}
		return fmt.Errorf("server: not ready after %v", startTime)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if address, ok := s.Addr().(*net.TCPAddr); ok {
		h.options.Port = address.Port
	}
	h.server = s
	return nil
}

// URL returns the address for clients on this machine, or "" if the server does not
// listen. If it listens on all interfaces, the host is that of the loopback interface.
func (h *Hub) URL() string {
	if h.options.DontListen {
		return ""
	}
	h.mu.Lock()
	host, port := h.options.Host, h.options.Port
	h.mu.Unlock()
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	scheme := "nats://"
	if h.options.TLS {
		scheme = "tls://"
	}
	return scheme + net.JoinHostPort(host, strconv.Itoa(port))
}

// InProcessConn returns a connection to the server within the process. It makes a Hub the
// provider that [nats.InProcessServer] needs; [Hub.Connect] is more convenient.
func (h *Hub) InProcessConn() (net.Conn, error) {
	h.mu.Lock()
	s := h.server
	h.mu.Unlock()
	if s == nil {
		return nil, nats.ErrNoServers
	}
	return s.InProcessConn()
}

// Connect connects within the process, without a socket. URL, Token, Creds and TLS of d
// are ignored.
func (h *Hub) Connect(ctx context.Context, d Dial) (*nats.Conn, error) {
	d.URL, d.Creds, d.TLS, d.Token, d.hub = "", "", TLS{}, h.password(d.Role), h
	return Connect(ctx, d)
}

// Close stops the server. All connections end. It returns when the store is closed and
// another server may use the directory. Further calls do nothing.
func (h *Hub) Close() {
	h.stop()
	<-h.done
	h.shutDown()
	h.lock.Close()
}

// shutDown stops the server, if it runs, and returns when the store is closed.
func (h *Hub) shutDown() {
	h.mu.Lock()
	s := h.server
	h.server = nil
	h.mu.Unlock()
	if s != nil {
		s.Shutdown()
		s.WaitForShutdown()
	}
}
