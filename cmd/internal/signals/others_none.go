//go:build !unix

package signals

import "os"

// others is empty: systems other than Unix send a process SIGINT and SIGTERM at most.
var others [0]os.Signal
