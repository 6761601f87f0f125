package cli

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// The commands of a program, their flags, and the entries on both: a name and a text. Help
// texts, manual pages, completions and suggestions show these entries, each in its own form.

// A group is a list of entries under a title, which may be empty.
type group struct {
	title   string
	entries []Choice
}

// groups are the entries of commands or flags by category.
type groups []group

// add adds entries to the group with this title.
func (gs groups) add(title string, entries ...Choice) groups {
	i := slices.IndexFunc(gs, func(g group) bool { return g.title == title })
	if i < 0 {
		i, gs = len(gs), append(gs, group{title: title})
	}
	gs[i].entries = append(gs[i].entries, entries...)
	return gs
}

// commandGroups returns commands by category.
func commandGroups(commands []*cli.Command) (all groups) {
	for _, c := range commands {
		all = all.add(c.Category, entryOf(c))
	}
	return all
}

func entryOf(c *cli.Command) Choice { return Choice{c.Name, c.Usage} }

// flagGroups returns flags by category, in the order of their first flags. The options of
// engines, of which there are many, are the last. It skips flags without a category, such as
// the --help of urfave/cli.
func flagGroups(flags []cli.Flag) groups {
	var all, options groups
	for _, f := range flags {
		switch c := category(f); {
		case c == "":
		case strings.HasPrefix(c, "options of"):
			options = options.add(c, entriesOf(f)...)
		default:
			all = all.add(c, entriesOf(f)...)
		}
	}
	return append(all, options...)
}

// root returns the program as a command, with its commands as subcommands.
func root(app *cli.App) *cli.Command {
	return &cli.Command{Name: app.Name, Usage: app.Usage, UsageText: app.UsageText, Description: app.Description, Subcommands: app.Commands}
}

// lookUp returns the command or subcommand with the given names; without names, the program.
func lookUp(app *cli.App, names []string) (*cli.Command, error) {
	command := root(app)
	for _, name := range names {
		next := command.Command(name)
		if next == nil {
			err := Usagef("unknown command %q", strings.Join(names, " "))
			err.Hint = suggest(name, Of(command.Subcommands, entryOf))
			return nil, err
		}
		command = next
	}
	return command, nil
}

// A named is a command with its full name, as in "sator sudoku rate".
type named struct {
	name string
	*cli.Command
}

// walk returns a command and all below it. Each follows its subcommands.
func walk(name string, c *cli.Command) (all []named) {
	for _, sub := range c.Subcommands {
		all = append(all, walk(name+" "+sub.Name, sub)...)
	}
	return append(all, named{name, c})
}

func category(f cli.Flag) string {
	if c, ok := f.(cli.CategorizableFlag); ok {
		return c.GetCategory()
	}
	return ""
}

// entriesOf returns the entry of a flag and, indented, those of its settings.
func entriesOf(f cli.Flag) []Choice {
	entries := []Choice{entryOfFlag(f)}
	if s, is := f.(*SettingsFlag); is {
		for _, c := range s.choices() {
			entries = append(entries, Choice{"  " + c.Name, c.Help})
		}
	}
	return entries
}

// entryOfFlag returns the names of a flag, with that of its value, and its usage.
func entryOfFlag(f cli.Flag) Choice {
	names := ""
	for i, n := range f.Names() {
		if i > 0 && len(n) == 1 { // the first may be a letter too
			names = "-" + n + ", " + names
		} else {
			names += "--" + n
		}
	}
	before, value, after := usageOf(f)
	usage := before + value + after
	if !TakesValue(f) {
		return Choice{names, usage}
	}
	if value != "" {
		names += " " + value
		usage = strings.TrimPrefix(usage, value+": ")
	}
	if text := strings.Trim(f.(cli.DocGenerationFlag).GetDefaultText(), `"`); text != "" && text != "0" {
		usage += " (default " + text + ")"
	}
	return Choice{names, usage}
}

// usageOf returns the usage of a flag in three parts: the word for its value, which stands in
// backquotes, and the texts before and after it. Without such a word the first part is all.
func usageOf(f cli.Flag) (before, value, after string) {
	usage := f.(cli.DocGenerationFlag).GetUsage()
	if parts := strings.SplitN(usage, "`", 3); len(parts) == 3 {
		return parts[0], parts[1], parts[2]
	}
	return usage, "", ""
}
