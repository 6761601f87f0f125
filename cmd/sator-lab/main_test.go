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

// TestVerbose checks how the output of -v begins.
func TestVerbose(t *testing.T) {
	clitest.TestVerbose(t, program, map[string]string{"bench": "--timeout 200 ../../benchmarks/instances/php-8.cnf"})
}

// TestCompletedFlags checks the completion of flags and their values.
func TestCompletedFlags(t *testing.T) { clitest.TestCompletedFlags(t, program, 10) }
