//go:build !unix

package main

import "time"

// processorTime returns 0: this system is not asked for the processor time.
func processorTime() time.Duration { return 0 }
