//go:build !satcheck

package inprocess

// Checking says that invariants are checked, which the build tag satcheck turns on.
const Checking = false
