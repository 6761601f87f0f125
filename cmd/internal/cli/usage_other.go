//go:build !unix

package cli

// ReadUsage returns zeros: this system is not asked.
func ReadUsage() Usage { return Usage{} }
