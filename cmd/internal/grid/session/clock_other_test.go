//go:build !unix

package session_test

import "time"

var begin = time.Now()

// clock returns the time since the program started.
func clock() time.Duration { return time.Since(begin) }
