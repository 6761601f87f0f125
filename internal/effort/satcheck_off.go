//go:build !satcheck

package effort

const invariants = false
