package hub

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Connecting.
//
// A connection reconnects for ever: the run of a week survives a server that is away for
// a night. The time between two attempts doubles from 100 ms to 10 s, and half of it is
// random, so that 1,000 workers do not arrive at once. The first connection fails at once
// for a reason that waiting does not change, such as a wrong token.
//
// The same function connects to an embedded server and to a foreign server or cluster.
// There, the users are created by [WriteServerConfig], or they are others with at least the same
// rights, by a name and a password in the URL or by a credentials file. How durable
// results are is up to the cluster: a replicated stream of servers with the default
// settings has a result in the memory of most replicas when it is acknowledged, and on
// their disks within sync_interval (2 minutes).

// Times of connections.
const (
	dialTime     = 10 * time.Second
	minReconnect = 100 * time.Millisecond
	maxReconnect = 10 * time.Second
)

// A Dial describes a connection.
type Dial struct {
	// URL has the addresses of one or more servers of a cluster, separated by commas:
	// host, host:port, nats://host:port, tls://host:port, with user:password@ if the
	// cluster has users of its own. The default port is 4222.
	URL string

	Role  Role
	Name  string // of the connection, for messages of the server
	Token Token  // password of the role; it is used if the URL has no user and Creds is empty
	Creds string // name of a credentials file of the cluster
	TLS   TLS

	// Wait makes Connect try again while no server answers. Otherwise it does so for the
	// time Patience: a server of a cluster may be restarting.
	Wait     bool
	Patience time.Duration

	// Log, if not nil, is called with messages for the user: lost connections, failed
	// attempts to reconnect, violated permissions. Calls do not overlap.
	Log func(level slog.Level, text string)

	hub     *Hub          // connects within the process
	timeout time.Duration // until a server has answered an attempt; 0 is dialTime
}

// Connect connects to a server with JetStream. If it fails, the error is an [*Error] or
// reports a fault in d. The inboxes of the connection have the prefix of the role, as
// its rights demand.
func Connect(ctx context.Context, d Dial) (*nats.Conn, error) {
	o, err := d.options()
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	for attempt := 1; ; attempt++ {
		w := &witness{timeout: o.Timeout}
		o.CustomDialer = w
		nc, err := d.once(ctx, o)
		if err == nil {
			return nc, nil
		}
		if d.hub == nil {
			err = w.cause(err)
		}
		e := d.explain(err)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if !passing(e) || !d.Wait && time.Since(begin) >= d.Patience {
			return nil, e
		}
		if attempt == 1 {
			d.log(slog.LevelWarn, e.Error())
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(pause(attempt)):
		}
	}
}

// passing reports whether an error may be gone later.
func passing(err error) bool {
	switch ReasonOf(err) {
	case Unreachable, Gone:
		return true
	}
	return false
}

// pause returns the time before an attempt to connect, from 1 on.
func pause(attempt int) time.Duration {
	d := min(minReconnect<<min(attempt-1, 20), maxReconnect)
	return d/2 + rand.N(d/2)
}

// options returns the options of the client library.
func (d *Dial) options() (nats.Options, error) {
	o := nats.GetDefaultOptions()
	o.Name = d.Name
	o.InboxPrefix = InboxPrefix(d.Role)
	o.Timeout = cmp.Or(d.timeout, dialTime)
	o.PingInterval = pingTime
	o.MaxReconnect = -1
	o.CustomReconnectDelayCB = pause
	o.IgnoreAuthErrorAbort = true // a server that starts again may have lost its users for a moment
	o.PermissionErrOnSubscribe = true
	d.callbacks(&o)
	var named bool
	var err error
	if d.hub != nil {
		o.InProcessServer = d.hub
	} else if o.Servers, named, err = Addresses(d.URL); err != nil {
		return o, err
	}
	switch {
	case d.Creds != "":
		if err := nats.UserCredentials(d.Creds)(&o); err != nil {
			return o, fmt.Errorf("credentials: %w", err)
		}
	case !named:
		o.User, o.Password = string(d.Role), string(d.Token)
	}
	if d.TLS.used() {
		if o.TLSConfig, err = d.TLS.config(); err != nil {
			return o, err
		}
		o.Secure = true
	}
	return o, nil
}

// Addresses splits the addresses of servers at the commas, and adds missing schemes. named
// reports that one of them has a user. An error contains no password.
func Addresses(list string) (addresses []string, named bool, err error) {
	for address := range strings.SplitSeq(list, ",") {
		if address = strings.TrimSpace(address); !strings.Contains(address, "://") {
			address = "nats://" + address
		}
		u, err := url.Parse(address)
		switch {
		case err != nil:
			return nil, false, errors.New("invalid address: want a server such as nats://host:4222") // err may contain a password
		case u.Hostname() == "" || u.Scheme != "nats" && u.Scheme != "tls" || u.Path != "" && u.Path != "/":
			return nil, false, fmt.Errorf("invalid address %q: want a server such as nats://host:4222", u.Redacted())
		}
		addresses, named = append(addresses, address), named || u.User != nil
	}
	return addresses, named, nil
}

// callbacks sets the callbacks that report events. The library calls them one at a time.
func (d *Dial) callbacks(o *nats.Options) {
	o.DisconnectedErrCB = func(nc *nats.Conn, err error) {
		if nc.IsClosed() {
			return
		}
		if err == nil {
			err = nats.ErrDisconnected
		}
		d.log(slog.LevelWarn, fmt.Sprintf("lost the connection to the server: %v; reconnecting", Explain(err)))
	}
	o.ReconnectedCB = func(nc *nats.Conn) { d.log(slog.LevelWarn, "connected again") }
	o.ReconnectErrCB = func(_ *nats.Conn, err error) { d.log(slog.LevelInfo, d.explain(err).Error()) }
	o.AsyncErrorCB = func(_ *nats.Conn, _ *nats.Subscription, err error) {
		d.log(slog.LevelWarn, Explain(err).Error())
	}
}

func (d *Dial) log(level slog.Level, text string) {
	if d.Log != nil {
		d.Log(level, text)
	}
}

// once connects, and finds out whether the server has JetStream.
func (d *Dial) once(ctx context.Context, o nats.Options) (*nats.Conn, error) {
	nc, err := o.Connect()
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(nc)
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, o.Timeout)
		defer cancel()
		_, err = js.AccountInfo(ctx)
	}
	if err != nil && errors.Is(nc.LastError(), nats.ErrPermissionViolation) {
		err = nil // a user without the right to ask may have all other rights
	}
	if err != nil {
		nc.Close()
		return nil, err
	}
	return nc, nil
}

// A witness dials for the client library, and observes how far a connection gets: the
// library reports neither a refused connection nor a missing greeting as such.
type witness struct {
	timeout time.Duration

	mu       sync.Mutex
	err      error // of the last attempt to dial
	greeting []byte
}

// Dial implements [nats.CustomDialer].
func (w *witness) Dial(network, address string) (net.Conn, error) {
	c, err := (&net.Dialer{Timeout: w.timeout}).Dial(network, address)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = err
	if err != nil {
		return nil, err
	}
	w.greeting = nil
	return &witnessed{Conn: c, w: w}, nil
}

// cause returns the most precise error of an attempt to connect. A
// server that refuses a client closes the connection, and the client often fails to write
// before it reads the reason.
func (w *witness) cause(err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch closed := ReasonOf(err) == Gone && !errors.Is(err, context.DeadlineExceeded); {
	case w.err != nil:
		return w.err
	case Explain(err) != err && ReasonOf(err) != Gone:
		return err
	case len(w.greeting) == 0: // also of a server that is killed, or starts, at this moment
		return &Error{Gone, "no greeting of a NATS server: " + err.Error(), err}
	case !bytes.HasPrefix(w.greeting, []byte("INFO")):
		return &Error{NotNATS, "no greeting of a NATS server: " + err.Error(), err}
	case closed && bytes.Contains(w.greeting, []byte(`"tls_verify":true`)):
		return &Error{WantsCert, "the server demands a certificate of the client, of an authority that it trusts", err}
	case closed:
		return &Error{Gone, "the server closes the connection; it may have reached its limit of connections", err}
	}
	return err
}

// A witnessed is a connection with an observed first line.
type witnessed struct {
	net.Conn
	w    *witness
	done bool
}

// maxGreeting bounds the bytes that are kept of the first line.
const maxGreeting = 8 << 10

func (c *witnessed) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if !c.done && n > 0 {
		c.w.mu.Lock()
		c.w.greeting = append(c.w.greeting, b[:n]...)
		c.done = len(c.w.greeting) > maxGreeting || bytes.IndexByte(b[:n], '\n') >= 0
		c.w.mu.Unlock()
	}
	return n, err
}
