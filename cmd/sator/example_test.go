package main

import (
	"fmt"
	"os"
	"strings"
)

// A command is a function of its surroundings and its arguments.
func Example() {
	e := &env{stdin: strings.NewReader("p cnf 2 2\n1 2 0\n-1 0\n"), stdout: os.Stdout, stderr: os.Stderr}
	code := run(e, []string{"solve", "--quiet", "-"})
	fmt.Println("exit code", code)
	// Output:
	// s SATISFIABLE
	// v -1 2 0
	// exit code 10
}
