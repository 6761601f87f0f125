package cli

import "os"

// notifyHangup does nothing: programs in WebAssembly receive no signals. Package syscall has
// no SIGHUP and no SIGPIPE for js, and signal.Ignored panics.
func notifyHangup(chan<- os.Signal) {}

// notifyBrokenPipe does nothing.
func notifyBrokenPipe(chan<- os.Signal) {}
