package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"sator/cmd/internal/clitest"
	"sator/cmd/sator/commands"
)

// TestMain runs the program itself if the test binary is called by the name sator.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"sator": main})
}

// TestScripts runs the scripts in testdata/script.
func TestScripts(t *testing.T) { clitest.RunScripts(t) }

// TestHelpTexts compares the help texts with the files in testdata/help.
func TestHelpTexts(t *testing.T) { clitest.TestHelpTexts(t, commands.Program) }
