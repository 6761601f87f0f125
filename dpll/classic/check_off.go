//go:build !satcheck

package classic

// checking turns on the checks of invariants during search. It is a constant, so
// that builds without the tag satcheck contain no code of the checks.
const checking = false
