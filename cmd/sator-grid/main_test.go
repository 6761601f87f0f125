package main

import (
	"os"
	"os/signal"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/clitest"
	"sator/cmd/internal/commands"
	"sator/cmd/internal/early"
)

// The test binary runs the programs themselves if it is called by their names.
func TestMain(m *testing.M) {
	testscript.Main(interruptible{m}, map[string]func(){
		"sator-grid":  main,
		"nats-server": natsServer,
		"sator":       func() { os.Exit(commands.Program.Run(cli.NewEnv(), os.Args[1:])) },
	})
}

// interruptible runs tests that a signal ends, although the program receives it early.
type interruptible struct{ *testing.M }

func (i interruptible) Run() int {
	signal.Stop(early.Signals)
	return i.M.Run()
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

// TestSynonyms checks the tables of suggestions.
func TestSynonyms(t *testing.T) { clitest.TestSynonyms(t, program) }

// TestOutputNames checks the suffixes of output files.
func TestOutputNames(t *testing.T) { clitest.TestOutputNames(t, program, 5) }

// TestFlagsAgree checks that a flag means the same in all commands.
func TestFlagsAgree(t *testing.T) { clitest.TestFlagsAgree(t, program) }

// TestManPages checks the manual pages of all commands.
func TestManPages(t *testing.T) { clitest.TestManPages(t, program) }

// TestGroups checks that no group appears twice in a list of commands.
func TestGroups(t *testing.T) { clitest.TestGroups(t, program) }

// TestVerbose checks how the output of -v begins. The commands work and check end there, without a token.
func TestVerbose(t *testing.T) {
	clitest.TestVerbose(t, program, map[string]string{
		"serve": "--budget 100 ../../benchmarks/instances/php-8.cnf --listen 127.0.0.1:0",
		"work":  "--token-file missing nats://127.0.0.1:1",
		"check": "--token-file missing nats://127.0.0.1:1",
	})
}

// TestCompletedFlags checks the completion of flags and their values.
func TestCompletedFlags(t *testing.T) { clitest.TestCompletedFlags(t, program, 2) }
