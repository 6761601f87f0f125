package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/clitest"
	"sator/cmd/internal/commands"
)

// The test binary runs the programs themselves if it is called by their names; bench runs
// sator.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"sator-lab": main,
		"sator":     func() { os.Exit(commands.Program.Run(cli.NewEnv(), os.Args[1:])) },
	})
}

// TestScripts runs the scripts, at least one for each command.
func TestScripts(t *testing.T) { clitest.RunScripts(t) }

// TestHelpTexts compares each help text with a file of testdata/help.
func TestHelpTexts(t *testing.T) { clitest.TestHelpTexts(t, program) }

// execute runs a command line in this process.
func execute(t *testing.T, e *cli.Env, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return clitest.ExecuteProgram(t, program, e, args...)
}

// TestCommandLine checks the command lines of all commands.
func TestCommandLine(t *testing.T) { clitest.TestCommandLine(t, program, 10, 5) }

// TestVerbose checks how the output of -v begins.
func TestVerbose(t *testing.T) {
	clitest.TestVerbose(t, program, map[string]string{"bench": "--timeout 200 ../../benchmarks/instances/php-8.cnf"})
}
