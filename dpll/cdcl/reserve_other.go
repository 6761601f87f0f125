//go:build !linux

package cdcl

// mapSpace returns nil: the tables stay on the Go heap.
func mapSpace(uint64) []byte { return nil }

// unmapSpace is not called without mapSpace.
func unmapSpace([]byte) {}
