package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/clitest"
	"sator/cmd/internal/commands"
)

// The test binary runs the programs themselves if it is called by their names.
func TestMain(m *testing.M) {
	testscript.Main(clitest.Interruptible{M: m}, map[string]func(){
		"sator-grid":  main,
		"nats-server": natsServer,
		"sator":       func() { os.Exit(commands.Program.Run(cli.NewEnv(), os.Args[1:])) },
	})
}

// TestScripts runs the scripts in testdata/script.
func TestScripts(t *testing.T) { clitest.RunScripts(t) }

// TestHelpTexts compares the help texts with the files in testdata/help.
func TestHelpTexts(t *testing.T) { clitest.TestHelpTexts(t, program) }

// execute runs a command line in this process.
func execute(t *testing.T, e *cli.Env, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return clitest.ExecuteProgram(t, program, e, args...)
}

// TestCommandLine checks the command lines of all commands.
func TestCommandLine(t *testing.T) { clitest.TestCommandLine(t, program, 2, 5) }

// TestVerbose checks how the output of -v begins. The commands work and check end there, without a token.
func TestVerbose(t *testing.T) {
	clitest.TestVerbose(t, program, map[string]string{
		"serve": "--budget 100 ../../benchmarks/instances/php-8.cnf --listen 127.0.0.1:0",
		"work":  "--token-file missing nats://127.0.0.1:1",
		"check": "--token-file missing nats://127.0.0.1:1",
	})
}
