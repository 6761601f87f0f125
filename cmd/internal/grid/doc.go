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
//   - objects.go: large values in the object store
//
// Coordinator:
//   - coordinator.go: options, crash points and races
//   - coordinator_start.go: the lease, the identity of the run, replay
//   - coordinator_formula.go: the simplified formula and its objects
//   - coordinator_loop.go: the goroutine that owns the state
//   - coordinator_results.go: the consumer of results, and refusals
//   - coordinator_tasks.go: the tasks that are given out
//   - coordinator_audit.go: lost tasks, lost results, another coordinator
//   - coordinator_workers.go: workers, checkers, cancellations
//   - coordinator_check.go: the queues of sessions, and requests to checkers
//   - accepted.go: the order of accepted results
//   - coordinator_end.go: models, the answer and the proof
//
// Worker:
//   - worker.go: options, events, and the first message
//   - worker_job.go: the sessions and tasks of a solver
//   - worker_formula.go: loading the formula, and its cache
//   - worker_pull.go: pulling tasks
//   - worker_result.go: publishing results
//   - presence.go: presence, and messages of the coordinator
//   - sharing.go: clause sharing
//
// Checker:
//   - checker.go: the state of sessions, and answers to requests
//   - checker_remote.go: a process that checks for the coordinator
package grid
