package cli

import "os"

// notifyBrokenPipe does nothing: programs in WebAssembly receive no signals, and package
// syscall has no SIGPIPE for js.
func notifyBrokenPipe(chan<- os.Signal) {}
