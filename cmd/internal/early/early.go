// Package early receives the signals that end a run (see package signals) from the start of
// a program, before its other packages are initialized. A program that is stopped at that moment then
// still prints its answer, "s UNKNOWN". The program imports early and passes [Signals]
// on:
//
//	e := cli.NewEnv()
//	e.Early = early.Signals
//
// Go initializes packages in the order of their import paths, but a package only after
// its imports. Since early and signals import nothing but os, os/signal and syscall, they
// come directly after os/signal, and before all packages of libraries that need package
// strings or unicode.
//
// A signal during the start of the Go runtime still ends the process without a word. By
// GODEBUG=inittrace=1 early is initialized after 0.7 ms, and the last package
// after 3.3 ms (medians of 40 runs of sator, 2 cores under load). TestSignalAtStart of
// cmd/sator/internal/program measures how many answers are lost.
package early

import (
	"os"

	"sator/cmd/internal/signals"
)

// Signals receives the first of the signals that end a run.
var Signals = make(chan os.Signal, 1)

// In a goroutine of its own Notify takes half of the time: the main one is bound to its thread while
// packages are initialized, and the runtime hands each signal to another thread and back.
func init() {
	registered := make(chan struct{})
	go func() {
		signals.Notify(Signals)
		close(registered)
	}()
	<-registered
}
