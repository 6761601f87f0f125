//go:build !linux

package versus

// hold does nothing: directories are not locked on this system.
func hold(string) (release func(), err error) { return func() {}, nil }

// removeAbandoned does nothing: without locks it is unknown whether a directory is in use.
func removeAbandoned(string) {}
