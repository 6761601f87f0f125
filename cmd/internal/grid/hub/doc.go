// Package hub starts an embedded NATS server with JetStream, and connects to it or to a
// foreign NATS server or cluster.
//
// It contains everything about a server that does not depend on the messages of a run:
// durability, users and their rights, TLS, limits, a full disk, reconnecting, and errors
// in plain words. Package grid exchanges its messages over the connections.
//
// # Files
//
//   - hub.go: the embedded server
//   - disk.go: a disk that fills
//   - free_unix.go, free_windows.go, free_other.go: the free space of a disk
//   - lock_unix.go, lock_other.go: the lock that keeps other servers out of a directory
//   - listen.go: where a server listens, and when that needs a secret
//   - log.go: messages of the server
//   - users.go: roles and their rights
//   - token.go: tokens and their files
//   - tls.go: certificates
//   - dial.go: connections
//   - explain.go: errors in plain words
package hub
