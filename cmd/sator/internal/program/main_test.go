package program

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"sator/cmd/internal/clitest"
	"sator/cmd/internal/commands"
)

// TestMain runs the program itself if the test binary is called by the name sator.
func TestMain(m *testing.M) {
	testscript.Main(clitest.Interruptible{M: m}, map[string]func(){"sator": Main})
}

// TestScripts runs the scripts in testdata/script.
func TestScripts(t *testing.T) { clitest.RunScripts(t) }

// TestHelpTexts compares the help texts with the files in testdata/help.
func TestHelpTexts(t *testing.T) { clitest.TestHelpTexts(t, commands.Program) }

// TestCommandLine checks the command lines of all commands.
func TestCommandLine(t *testing.T) { clitest.TestCommandLine(t, commands.Program, 40, 70) }

// TestVerbose checks how the output of -v begins.
func TestVerbose(t *testing.T) {
	clitest.TestVerbose(t, commands.Program, map[string]string{
		"solve":   "--seed 7 ../../../benchmarks/instances/php-8.cnf",
		"conquer": "--jobs 1 ../../../benchmarks/instances/php-8.cnf",
	})
}
