//go:build satcheck

package inprocess

// Checking is true if invariants are checked: with the build tag satcheck.
const Checking = true
