package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/clitest"
)

// The test binary runs the program itself if it is called by its name. The tests build
// the program sator, and bench runs it.
func TestMain(m *testing.M) {
	testscript.Main(withSator{m}, map[string]func(){"sator-lab": main})
}

// withSator runs tests with the program sator in PATH.
type withSator struct{ m *testing.M }

func (w withSator) Run() int {
	if clitest.Child() {
		return w.m.Run() // the program is in PATH
	}
	dir, err := os.MkdirTemp("", "sator-lab")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	name := "sator"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	build := exec.Command("go", "build", "-o", filepath.Join(dir, name), "../sator")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return w.m.Run()
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
