//go:build !linux

package clitest

import "testing"

// TestFileSizes is skipped on this system.
func (w *Writers) TestFileSizes(t *testing.T) { t.Skip("tested on Linux only") }

// TestFullDisk is skipped on this system.
func (w *Writers) TestFullDisk(t *testing.T) { t.Skip("tested on Linux only") }

// TestPipes is skipped on this system.
func (w *Writers) TestPipes(t *testing.T) { t.Skip("tested on Linux only") }
