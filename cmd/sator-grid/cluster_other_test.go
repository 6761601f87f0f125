//go:build !unix

package main

// natsServer is the program nats-server of the tests of clusters, which need Unix.
func natsServer() { panic("sator-grid: tests of clusters run on Unix only") }
