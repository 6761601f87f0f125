//go:build !linux

package cli

// releaseProgram does nothing: only Linux reports which pages are unchanged.
func releaseProgram() {}
