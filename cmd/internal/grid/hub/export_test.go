package hub

import "time"

// WithTimeout returns a Dial with another time for an attempt.
func WithTimeout(d Dial, timeout time.Duration) Dial {
	d.timeout = timeout
	return d
}

// SyncAlways reports whether the server synchronizes each message.
func (h *Hub) SyncAlways() bool { return h.server.JetStreamConfig().SyncAlways }
