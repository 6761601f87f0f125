// Sator-grid solves a formula by cube and conquer on many machines. One process serves
// the run: it owns the cubes, checks results and prints the answer, as "sator conquer"
// does. Others work or check for it. They exchange messages over NATS JetStream, by a
// server inside of serve or by a cluster.
//
//	a$ sator-grid serve f.icnf --run f.run --listen a:4222 --token-file token
//	b$ sator-grid work nats://a:4222 --token-file token
//	c$ sator-grid check nats://a:4222 --token-file token
//	 $ sator-grid status nats://a:4222 --token-file token
//
// # Who is believed
//
// Serve believes no worker: it evaluates a model on the formula, and accepts a refutation
// only when a checker has followed its proof, unless --trust is given. A worker that sends
// a wrong result is excluded. Checkers are believed. The token admits workers, checkers
// and status, each with the rights of its role. With the token a stranger can waste the
// time of a run, and accept wrong refutations as a checker, unless checkers have a token
// of their own (--checker-token-file). Without TLS the token and all messages are readable
// on the network. With --tls-ca on the side of serve, each client needs a
// certificate of that authority, and no token is needed.
//
// # Durability
//
// The embedded server synchronizes each result with the disk before it acknowledges the
// result. In a cluster of nats-servers a result is stored when most of the
// --replicas servers have it; whether they have synchronized it is a matter of their
// configuration (sync_interval), so a result is as durable as most of the replicas. Use 3
// replicas, on machines that do not fail together.
//
// # Operation
//
//   - A disk that fills: the embedded server stops storing results before the disk is
//     full (it reserves the least of 256 MiB and an eighth of the disk) and prints a
//     warning. Workers keep their results and try again. Free space or enlarge the disk:
//     the run continues without a restart. Stored results are not lost.
//   - Checkers that cannot keep up: one checker keeps up with about 12 workers (package
//     session has the measurement). If more work, status shows results that wait. Start
//     check on another machine, or raise --check-jobs.
//   - A worker that dies: its cube is given to another worker after --ack-wait. A worker
//     that gets SIGTERM hands its cube back at once.
//   - A coordinator that dies: workers go on with the cubes that they have, and wait.
//     Start the same serve again.
//
// # Files
//
//   - main.go: the program; connect.go: flags and connections of all commands.
//   - serve.go, serve_run.go: the flags of serve, and its run.
//   - member.go: work, and the common part of work and check; check.go: check.
//   - status.go: status, as text and JSON; page.go: its page; page.html: the text of the
//     page.
//   - users.go: users; simulate.go: simulate.
package main

// There is no default.pgo here, since "go build" and "go test" compile all dependencies of a
// program with a profile once more: nats-server alone takes 15 s of CPU. The solver is 4%
// faster with the profile of sator: go build -pgo=cmd/sator/default.pgo ./cmd/sator-grid.
// Releases are built so.

import (
	"os"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/early"
)

func main() {
	e := cli.NewEnv()
	e.Early = early.Signals
	os.Exit(program.Run(e, os.Args[1:]))
}

// program is the command line of sator-grid.
var program = &cli.Program{
	Name:         "sator-grid",
	Usage:        "cube and conquer on many machines",
	UsageText:    "sator-grid COMMAND [flags] [FILE|URL]",
	Description:  programText,
	Commands:     []func(*cli.Env) *cli.Command{serveCommand, workCommand, checkCommand, statusCommand, usersCommand, simulateCommand},
	HelpExamples: [2]string{"serve", "work"},
	Synonyms: map[string]string{
		"server": "serve", "start": "serve", "coordinator": "serve", "worker": "work", "client": "work",
		"join": "work", "verify": "check", "state": "status", "monitor": "status", "predict": "simulate",
	},
}

const programText = `Solves a formula by cube and conquer on many machines. "serve" owns the cubes of
a run, stores the results and prints the answer, with solvers of its own or
without. "work" solves cubes for it, "check" checks the proofs of refutations,
and "status" shows the state of the run. The processes exchange messages over
NATS JetStream: by a server inside of serve, or by a cluster of nats-servers
with --nats. "sator cube" makes the cubes.

Any process may be killed at any time. Results are durable: the embedded server
synchronizes each with the disk before it acknowledges it. In a cluster, a
result is as durable as most of its --replicas. "work" and "check" wait while
they have no connection; the same "serve" with the same --run resumes.

No worker is believed. A model is evaluated on the formula, and a refutation is
accepted when its proof is checked, by serve itself or by "check" processes. The
checkers are believed. --trust accepts refutations unchecked. A worker with a
wrong result is excluded.

A server that other machines can reach needs --token-file, or certificates of
its clients (--tls-ca). The token admits workers, checkers and status with few
rights. It gives no access to files or commands, but with it a stranger can
delay a run, and can accept wrong refutations as a checker, unless checkers have
another token (--checker-token-file).
Without TLS the token and all messages are readable on the network.

Exit codes: those of "sator" for serve: 10 satisfiable, 20 unsatisfiable, 0
unknown. The other commands end with 0 on success. 1 is an input that cannot be
read, an output that cannot be written or a server that refuses the connection,
2 an invalid command line, 3 an internal error of Sator.

Flags may stand before or after operands; "--" ends them.

Examples:
  sator cube f.cnf -o f.icnf
  sator-grid serve f.icnf --run f.run --listen :4222 --token-file token
  sator-grid work nats://a:4222 --token-file token
  sator-grid status nats://a:4222 --token-file token`
