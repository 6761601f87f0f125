//go:build satcheck

package dpll

const checking = true
