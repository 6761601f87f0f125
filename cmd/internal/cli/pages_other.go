//go:build !linux

package cli

// splitProgram does nothing: only Linux reports which pages are unchanged.
func splitProgram() {}

// releaseProgram does nothing, as splitProgram.
func releaseProgram() {}
