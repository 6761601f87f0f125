//go:build !unix

package clitest

import "os"

// endings are the signals that end a run.
var endings = []os.Signal{os.Interrupt}
