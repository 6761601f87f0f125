package early

import "os"

// notifyHangup does nothing: programs in WebAssembly receive no signals. Package syscall has
// no SIGHUP for js, and signal.Ignored panics.
func notifyHangup(chan<- os.Signal) {}
