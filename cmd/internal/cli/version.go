package cli

import (
	"fmt"
	"runtime"
	"strings"

	"sator/cmd/internal/version"

	"github.com/urfave/cli/v2"
)

func (p *Program) versionCommand(e *Env) *cli.Command {
	return &cli.Command{
		Name:      "version",
		Usage:     "print the version",
		UsageText: p.Name + " version\n" + p.Name + " -V",
		Description: strings.ReplaceAll(`Prints the version of Sator and of Go, and the system it was built for. A
build from a checkout appends the commit ("0.1.0+9ee97ea65cf3"), and
".dirty" if files were changed.

Example:
  PROGRAM -V`, "PROGRAM", p.Name),
		Action: Action(func(c *cli.Context) error {
			if err := NoOperands(c); err != nil {
				return err
			}
			_, err := fmt.Fprintf(e.Stdout, "%s %s, %s %s/%s\n", p.Name, Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		}),
	}
}

// Version returns the version of the running program, as [version.String] does.
func Version() string { return version.String() }
