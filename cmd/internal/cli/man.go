package cli

import (
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

func (p *Program) manCommand(e *Env) *cli.Command {
	return &cli.Command{
		Name:      "man",
		Usage:     "print the manual page",
		UsageText: p.Name + " man",
		Description: strings.ReplaceAll(`Prints the manual page, in section 1, as man reads it.

Examples:
  PROGRAM man | man -l -
  PROGRAM man > ~/.local/share/man/man1/PROGRAM.1`, "PROGRAM", p.Name),
		Action: Action(func(c *cli.Context) error {
			if err := NoOperands(c); err != nil {
				return err
			}
			return writeMan(e.Stdout, c.App)
		}),
	}
}

// writeMan writes the manual page. urfave/cli omits the descriptions of
// commands, so describe appends them to the synopses. It may change the
// commands, because the program ends afterwards.
func writeMan(w io.Writer, app *cli.App) error {
	for _, c := range app.Commands {
		describe(c)
	}
	defer func(before string) { cli.MarkdownDocTemplate = before }(cli.MarkdownDocTemplate)
	cli.MarkdownDocTemplate = withSynopsis(cli.MarkdownDocTemplate)
	page, err := app.ToManWithSection(1)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, page)
	return err
}

// withSynopsis changes the template of urfave/cli: the usage lines are under
// SYNOPSIS, in place of the name of the program, and not after the description.
func withSynopsis(template string) string {
	head, tail, _ := strings.Cut(template, "\n**Usage**:\n")
	_, tail, _ = strings.Cut(tail, "{{ end }}```\n")
	return strings.Replace(head, "# SYNOPSIS\n\n{{ .App.Name }}\n", "# SYNOPSIS\n\n```\n{{ .App.UsageText }}\n```\n", 1) + tail
}

// describe appends the description of a command to its synopsis.
func describe(c *cli.Command) {
	c.UsageText += "\n\n" + c.Description
	for _, sub := range c.Subcommands {
		describe(sub)
	}
}
