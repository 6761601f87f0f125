// Package hub starts an embedded NATS server with JetStream, and connects to it or to
// a foreign cluster of NATS servers.
//
// # Files
//
//	hub.go  the embedded server
package hub
