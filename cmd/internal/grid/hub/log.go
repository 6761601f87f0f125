package hub

import (
	"fmt"
	"log/slog"
	"sync"
)

// Messages of the server.
//
// The server's own notices are for debugging. An error of the server is a warning here,
// since the server continues; an event that a user must act on is reported by this package
// in its own words.

// A journal passes messages of the server to a function, one at a time.
type journal struct {
	mu    sync.Mutex
	log   func(slog.Level, string) // may be nil
	fatal string                   // last fatal message: the server does not start
}

// print passes on a message.
func (j *journal) print(level slog.Level, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.log != nil {
		j.log(level, text)
	}
}

// The methods of server.Logger.

func (j *journal) Noticef(format string, v ...any) { j.print(slog.LevelDebug, format, v...) }
func (j *journal) Debugf(format string, v ...any)  { j.print(slog.LevelDebug, format, v...) }
func (j *journal) Tracef(format string, v ...any)  { j.print(slog.LevelDebug, format, v...) }
func (j *journal) Warnf(format string, v ...any)   { j.print(slog.LevelInfo, format, v...) }
func (j *journal) Errorf(format string, v ...any)  { j.print(slog.LevelWarn, format, v...) }

// Fatalf keeps the reason. The server calls it when it cannot start.
func (j *journal) Fatalf(format string, v ...any) {
	j.mu.Lock()
	j.fatal = fmt.Sprintf(format, v...)
	j.mu.Unlock()
	j.print(slog.LevelWarn, format, v...)
}

// reason returns the last fatal message.
func (j *journal) reason() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.fatal
}

// takeReason returns the last fatal message and forgets it.
func (j *journal) takeReason() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	reason := j.fatal
	j.fatal = ""
	return reason
}
