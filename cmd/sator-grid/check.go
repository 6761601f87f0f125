package main

import (
	"sator/cmd/internal/cli"
	"sator/cmd/internal/grid"
	"sator/cmd/internal/grid/hub"
)

func checkCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "check",
		Category:    "Run",
		Usage:       "check the refutations of a run",
		UsageText:   "sator-grid check [flags] URL",
		Description: checkDescription,
		Flags:       memberFlags("", "checker"),
		Action:      memberAction(e, hub.Checker, grid.Check),
	}
}

const checkDescription = `Checks the proofs of refutations for the run that "sator-grid serve" serves at
URL, until the run ends. The serving process has a checker of its own, which
keeps up with about 12 workers; more are needed if results wait, as "sator-grid
status" reports. A checker shares no code with the solvers. Its verdict is
believed: run it on machines that you trust.

The steps of one worker stay with one checker, which keeps the worker's clauses
in memory. If a checker ends, another one repeats the steps of its workers.

Connections, signals and exit codes are as in "sator-grid work".

Examples:
  sator-grid check nats://a:4222 --token-file token
  sator-grid check nats://a:4222 --token-file token -j 2 --memory 4000`
