package program

import (
	"os/signal"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"sator/cmd/internal/clitest"
	"sator/cmd/internal/commands"
	"sator/cmd/internal/early"
)

// TestMain runs the program itself if the test binary is called by the name sator.
func TestMain(m *testing.M) {
	testscript.Main(interruptible{m}, map[string]func(){"sator": Main})
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
func TestHelpTexts(t *testing.T) { clitest.TestHelpTexts(t, commands.Program) }

// TestFlagsAgree checks that a flag means the same in all commands.
func TestFlagsAgree(t *testing.T) { clitest.TestFlagsAgree(t, commands.Program) }

// TestManPages checks the manual pages of all commands.
func TestManPages(t *testing.T) { clitest.TestManPages(t, commands.Program) }

// TestGroups checks that no group appears twice in a list of commands.
func TestGroups(t *testing.T) { clitest.TestGroups(t, commands.Program) }

// TestVerbose checks how the output of -v begins.
func TestVerbose(t *testing.T) {
	clitest.TestVerbose(t, commands.Program, map[string]string{
		"solve":   "--seed 7 ../../../benchmarks/instances/php-8.cnf",
		"conquer": "--jobs 1 ../../../benchmarks/instances/php-8.cnf",
	})
}

// TestCompletedFlags checks the completion of flags and their values.
func TestCompletedFlags(t *testing.T) { clitest.TestCompletedFlags(t, commands.Program, 40) }
