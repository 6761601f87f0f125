// Package program is the program sator, as a function. It and its tests are apart from package
// main, since a folder with a profile for the compiler should have no tests: "go test" compiles
// all dependencies of a program with a profile once more for its tests, which takes a minute
// of CPU.
//
// The tests here are about the program as a whole, and about the source tree: the scripts in
// testdata/script, help texts, signals, limits of memory, killed runs, the commands in
// documents, the architecture and the exported names.
package program

import (
	"os"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/commands"
	"sator/cmd/internal/early"
)

// Main runs the command line and exits.
func Main() {
	e := cli.NewEnv()
	e.Early = early.Signals
	os.Exit(commands.Program.Run(e, os.Args[1:]))
}
