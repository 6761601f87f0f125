package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"
)

func (p *Program) versionCommand(e *Env) *cli.Command {
	return &cli.Command{
		Name:      "version",
		Usage:     "print the version",
		UsageText: p.Name + " version\n" + p.Name + " -V",
		Description: strings.ReplaceAll(`Prints the version of Sator, of Go and of the system it was built for. The
version comes from the source tree: a tag, or the commit and its time.

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

// Version returns the version of the module, or "(devel)" if it is not recorded,
// as under go test.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
