//go:build satcheck

package classic

const checking = true
