//go:build !satcheck

package dpll

// checking is whether the solver's invariants are checked while it runs. It is
// a constant, so that without the tag not even the linker sees the checks.
const checking = false
