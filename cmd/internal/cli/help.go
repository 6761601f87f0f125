package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

func (p *Program) helpCommand(e *Env) *cli.Command {
	return &cli.Command{
		Name:      "help",
		Usage:     "explain a command",
		UsageText: p.Name + " help [COMMAND]...",
		Description: `Prints the help text of a command, as -h does. Without a name it prints the help
text of the program, with the list of its commands.

Examples:
` + fmt.Sprintf("  %s help %s\n  %s help %s", p.Name, p.HelpExamples[0], p.Name, p.HelpExamples[1]),
		Action: Action(func(c *cli.Context) error {
			names := c.Args().Slice()
			if len(names) == 0 {
				return writeAppHelp(e.Stdout, c.App)
			}
			command, err := lookUp(c.App, names)
			if err != nil {
				return err
			}
			return writeHelp(e.Stdout, c.App.Name+" "+strings.Join(names, " "), command)
		}),
	}
}

// lookUp returns the command or subcommand with the given names.
func lookUp(app *cli.App, names []string) (*cli.Command, error) {
	among, command := app.Commands, (*cli.Command)(nil)
	for _, name := range names {
		command = nil
		for _, c := range among {
			if c.HasName(name) {
				command = c
			}
		}
		if command == nil {
			err := Usagef("unknown command %q", strings.Join(names, " "))
			if len(among) > 0 {
				err.Hint = suggest(name, commandNames(among))
			}
			return nil, err
		}
		among = command.Subcommands
	}
	return command, nil
}

// writeAppHelp writes the help text of the program. The templates of urfave/cli
// are not used: they sort flags and categories alphabetically, not in order of
// use, and do not wrap the right column.
func writeAppHelp(w io.Writer, app *cli.App) error {
	var b strings.Builder
	writeHead(&b, app.Name, app.Usage, app.UsageText, app.Description)
	writeCommands(&b, "commands", app.Commands)
	fmt.Fprintf(&b, "\n%s\n", WrapText(fmt.Sprintf("%q or %q explains a command; -V prints the version.", app.Name+" help COMMAND", app.Name+" COMMAND -h"), HelpWidth))
	_, err := io.WriteString(w, b.String())
	return err
}

// writeHelp writes the help text of a command: purpose, usage, description with
// examples, subcommands, and flags by category.
func writeHelp(w io.Writer, name string, c *cli.Command) error {
	var b strings.Builder
	writeHead(&b, name, c.Usage, c.UsageText, c.Description)
	writeCommands(&b, "subcommands", c.Subcommands)
	writeFlags(&b, c.Flags)
	_, err := io.WriteString(w, b.String())
	return err
}

func writeHead(w io.Writer, name, usage, synopsis, description string) {
	fmt.Fprintf(w, "%s\n\nusage:\n", WrapText(name+" - "+usage, HelpWidth))
	for line := range strings.Lines(synopsis) {
		fmt.Fprintf(w, "  %s\n", strings.TrimSuffix(line, "\n"))
	}
	fmt.Fprintf(w, "\n%s\n", description)
}

func writeCommands(w io.Writer, title string, commands []*cli.Command) {
	if len(commands) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s:\n", title)
	for _, c := range commands {
		WriteEntry(w, c.Name, c.Usage, 14)
	}
}

// writeFlags writes flags by category, in the order of the first flag of each
// category. It skips flags without a category, such as the --help of urfave/cli.
func writeFlags(w io.Writer, flags []cli.Flag) {
	var categories []string
	for _, f := range flags {
		if c := category(f); c != "" && !slices.Contains(categories, c) {
			categories = append(categories, c)
		}
	}
	for _, c := range categories {
		fmt.Fprintf(w, "\n%s:\n", c)
		for _, f := range flags {
			if category(f) == c {
				names, usage := flagText(f)
				WriteEntry(w, names, usage, 26)
			}
		}
	}
}

func category(f cli.Flag) string {
	if c, ok := f.(cli.CategorizableFlag); ok {
		return c.GetCategory()
	}
	return ""
}

// flagText returns the two columns of the help on a flag.
func flagText(f cli.Flag) (names, usage string) {
	for i, n := range f.Names() {
		if i > 0 && len(n) == 1 { // the first may be a letter too
			names = "-" + n + ", " + names
		} else {
			names += "--" + n
		}
	}
	d, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return names, ""
	}
	usage = d.GetUsage()
	if !d.TakesValue() {
		return names, usage
	}
	if parts := strings.SplitN(usage, "`", 3); len(parts) == 3 {
		names += " " + parts[1]
		usage = strings.TrimPrefix(parts[0]+parts[1]+parts[2], parts[1]+": ")
	}
	if text := strings.Trim(d.GetDefaultText(), `"`); text != "" && text != "0" {
		usage += " (default " + text + ")"
	}
	return names, usage
}

// HelpWidth is the width of help texts, in characters.
const HelpWidth = 80

// WriteEntry writes a name and, from the given column on, the text on it. A name
// that is too long for its column has a line of its own.
func WriteEntry(w io.Writer, name, text string, column int) {
	line := fmt.Sprintf("  %-*s", column-3, name)
	if len(line) >= column { // too long for its column
		fmt.Fprintln(w, line)
		line = strings.Repeat(" ", column-1)
	}
	for i, part := range strings.Split(WrapText(text, HelpWidth-column), "\n") {
		if i > 0 {
			line = strings.Repeat(" ", column-1)
		}
		fmt.Fprintln(w, strings.TrimRight(line+" "+part, " "))
	}
}

// WrapText breaks a text into lines of at most width characters.
func WrapText(text string, width int) string {
	var b strings.Builder
	length := 0
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
		case length+1+len(word) > width:
			b.WriteByte('\n')
			length = 0
		default:
			b.WriteByte(' ')
			length++
		}
		b.WriteString(word)
		length += len(word)
	}
	return b.String()
}
