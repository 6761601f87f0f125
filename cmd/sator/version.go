package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

func versionCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "version",
		Usage:     "print the version",
		UsageText: "sator version\nsator -V",
		Description: `Prints the version of Sator, of Go and of the system it was built for. The
version comes from the source tree: a tag, or the commit and its time.

Example:
  sator -V`,
		Action: action(func(c *cli.Context) error {
			if c.NArg() > 0 {
				return usagef("unexpected operand %q", c.Args().First())
			}
			_, err := fmt.Fprintf(e.stdout, "sator %s, %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		}),
	}
}

// version returns the version of the module that the program was built from,
// and "(devel)" if that is not recorded, as under go test.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
