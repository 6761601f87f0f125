package commands

import (
	"fmt"
	"os"
	"strings"

	"sator/cmd/internal/cli"
)

// A command is a function of its environment and its arguments.
func Example() {
	e := &cli.Env{Stdin: strings.NewReader("p cnf 2 2\n1 2 0\n-1 0\n"), Stdout: os.Stdout, Stderr: os.Stderr}
	code := Program.Run(e, []string{"solve", "--quiet", "-"})
	fmt.Println("exit code", code)
	// Output:
	// s SATISFIABLE
	// v -1 2 0
	// exit code 10
}
