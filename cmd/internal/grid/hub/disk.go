package hub

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// A disk that fills.
//
// A NATS server on a full disk does not answer the publisher. It refuses all further
// messages of the stream until it is started again, even when there is space. So the
// limit must be met before the disk does. The hub looks at the free space once a second.
// If less than a reserve is free, the limit of the store is set to 0: publishers get an
// error at once ("resource limits exceeded", see Full), streams in memory continue, and
// messages can be read and deleted. When twice the reserve is free, the limit is lifted.
//
// The disk may fill faster than that, and other errors of a disk have no forerunner. If a
// stream has a write error, the hub starts the server again, from the store, when enough
// space is free, at most once in restartTime. Messages that were not acknowledged may be
// lost; their publishers publish them again. The whole server starts again, and not only
// JetStream, so that clients lose their connections and set up their consumers again when
// they reconnect.

const (
	watchTime   = time.Second
	restartTime = 5 * time.Second
)

// A disk is the state of the free space.
type disk struct {
	dir     string
	reserve int64 // bytes; not positive: no reserve
	free    func(dir string) (free, size int64, known bool)
	full    bool      // the limit is in force
	broken  string    // write error; the server must start again
	restart time.Time // of the last attempt
}

// newDisk returns the state of the disk of a directory. A reserve of 0 bytes stands for the
// default.
func newDisk(dir string, reserve int64, free func(string) (free, size int64, known bool)) *disk {
	d := &disk{dir: dir, reserve: reserve, free: free}
	if reserve == 0 {
		d.reserve = DefaultReserve
		if _, size, known := d.free(dir); known {
			d.reserve = min(d.reserve, size/8)
		}
	}
	return d
}

// look updates full. It reports whether full has changed, and returns the free bytes.
func (d *disk) look() (changed bool, free int64) {
	free, _, known := d.free(d.dir)
	if !known || d.reserve <= 0 {
		return false, free
	}
	was := d.full
	switch {
	case free < d.reserve:
		d.full = true
	case free >= 2*d.reserve:
		d.full = false
	}
	return d.full != was, free
}

// watch looks after the disk until ctx ends.
func (h *Hub) watch(ctx context.Context) {
	defer close(h.done)
	tick := time.NewTicker(watchTime)
	defer tick.Stop()
	for {
		h.watchSpace()
		h.watchStore()
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// watchSpace sets and lifts the limit of the store.
func (h *Hub) watchSpace() {
	changed, free := h.disk.look()
	if !changed {
		return
	}
	if err := h.limitStore(); err != nil {
		h.log.print(slog.LevelWarn, "limit of the store: %v", err)
	}
	if h.disk.full {
		h.log.print(slog.LevelError, "%s: %d MiB of the disk are free, and results need %d MiB: the server stores nothing until there is space",
			h.config.Dir, free>>20, h.disk.reserve>>20)
	} else {
		h.log.print(slog.LevelWarn, "%s: the disk has space again", h.config.Dir)
	}
}

// limitStore applies full to the server.
func (h *Hub) limitStore() error {
	h.mu.Lock()
	s := h.server
	h.mu.Unlock()
	if s == nil {
		return nil
	}
	limits := server.JetStreamAccountLimits{
		MaxMemory: -1, MaxStore: -1, MaxStreams: -1, MaxConsumers: -1, MaxAckPending: -1,
		MemoryMaxStreamBytes: -1, StoreMaxStreamBytes: -1,
	}
	if h.disk.full {
		limits.MaxStore = 0
	}
	return s.GlobalAccount().UpdateJetStreamLimits(map[string]server.JetStreamAccountLimits{"": limits})
}

// watchStore starts the server again after a write error.
func (h *Hub) watchStore() {
	d := h.disk
	if d.broken == "" {
		if d.broken = h.writeError(); d.broken != "" {
			h.log.print(slog.LevelError, "%s: the store has failed: %s: the server starts again when it can write", h.config.Dir, d.broken)
		}
	}
	if d.broken == "" || d.full || time.Since(d.restart) < restartTime {
		return
	}
	d.restart = time.Now()
	if err := h.again(); err != nil {
		h.log.print(slog.LevelError, "%s: %v", h.config.Dir, err)
		return
	}
	d.broken = ""
	h.log.print(slog.LevelWarn, "%s: the server has started again", h.config.Dir)
}

// writeError returns the write error of a stream, or "".
func (h *Hub) writeError() string {
	h.mu.Lock()
	s := h.server
	h.mu.Unlock()
	if s == nil {
		return "the server is down"
	}
	if !s.JetStreamEnabled() {
		return "the server has disabled JetStream"
	}
	for _, e := range s.Healthz(&server.HealthzOptions{Details: true}).Errors {
		if strings.Contains(e.Error, "write error") {
			return e.Error
		}
	}
	return ""
}

// again stops the server and starts it from the store.
func (h *Hub) again() error {
	h.shutDown()
	if err := h.run(); err != nil {
		return fmt.Errorf("the server does not start again: %w", err)
	}
	return h.limitStore()
}
