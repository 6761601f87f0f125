//go:build satcheck

package inprocess

// Checking says that invariants are checked.
const Checking = true
