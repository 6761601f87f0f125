// Package grid solves a formula by cube and conquer on many machines, over NATS
// JetStream.
//
// One coordinator ([Serve]) owns the tree of cubes. Workers ([Work]) pull cubes and
// publish results. Checkers ([Check]) check the proofs of results before the coordinator
// accepts them. All of them connect to the same server, which may be embedded in the
// process of the coordinator (package hub), or to a cluster.
//
// # Files
//
// Both sides:
//   - protocol.go: messages, their limits and their validation
//   - streams.go: subjects, streams and buckets
//   - status.go: the state of a run for people and monitors
//
// Coordinator:
//   - coordinator.go: options, answer and start of a run
package grid
