package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// Help texts have two lengths. The short one fits a screen: synopsis, a few sentences, the
// flags that are used most, two examples. The whole one, by --help=all, has everything.

// ScreenLines is the greatest number of lines of a short help text.
const ScreenLines = 24

func (p *Program) helpCommand(e *Env) *cli.Command {
	return &cli.Command{
		Name:      "help",
		Usage:     "explain a command",
		UsageText: p.Name + " help [--all] [COMMAND]...",
		Description: `Prints the help text of a command, as --help does. Without a name it prints the
help text of the program, with the list of its commands.

Examples:
` + fmt.Sprintf("  %s help %s\n  %s help --all %s", p.Name, p.HelpExamples[0], p.Name, p.HelpExamples[1]),
		Flags: []cli.Flag{&cli.BoolFlag{Name: "all", Category: OutputFlags, Usage: "print all flags and knobs too; as --help=all does"}},
		Action: Action(func(c *cli.Context) error {
			names := c.Args().Slice()
			if len(names) == 0 {
				return p.writeAppHelp(e.Stdout, c.App, c.Bool("all"))
			}
			command, err := lookUp(c.App, names)
			if err != nil {
				return err
			}
			return writeHelp(e.Stdout, c.App.Name, strings.Join(names, " "), command, c.Bool("all"))
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
func (p *Program) writeAppHelp(w io.Writer, app *cli.App, all bool) error {
	var b strings.Builder
	more := WrapText(fmt.Sprintf("%q explains a command, %q prints more.", app.Name+" COMMAND --help", app.Name+" --help=all"), HelpWidth)
	if all {
		writeHead(&b, app.Name, app.Usage, app.UsageText, app.Description)
		writeCommands(&b, app.Commands)
		fmt.Fprintf(&b, "\n%s\n", more)
	} else {
		fmt.Fprintf(&b, "%s - %s\n", app.Name, app.Usage)
		writeSynopsis(&b, app.UsageText)
		b.WriteByte('\n')
		writeGroups(&b, app.Commands)
		b.WriteString(more + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeHelp writes the help text of a command: purpose, usage, description with
// examples, subcommands, and flags by category. A text that fits a screen is not
// shortened.
func writeHelp(w io.Writer, program, name string, c *cli.Command, all bool) error {
	text := wholeHelp(program+" "+name, c)
	if !all && strings.Count(text, "\n") > ScreenLines {
		text = shortHelp(program, name, c)
	}
	_, err := io.WriteString(w, text)
	return err
}

func wholeHelp(name string, c *cli.Command) string {
	var b strings.Builder
	writeHead(&b, name, c.Usage, c.UsageText, c.Description)
	writeCommands(&b, c.Subcommands)
	writeFlags(&b, c.Flags)
	return b.String()
}

// shortHelp returns the help text of a command for one screen. The flags fill the lines
// that remain.
func shortHelp(program, name string, c *cli.Command) string {
	var b, tail strings.Builder
	fmt.Fprintln(&b, WrapText(program+" "+name+" - "+c.Usage, HelpWidth))
	writeSynopsis(&b, c.UsageText)
	page, lines := sectionsOf(c.Description), 3
	if len(c.Subcommands) > 0 {
		lines = 2
	}
	fmt.Fprintf(&b, "\n%s\n\n", page.brief(lines))
	writeGroups(&b, c.Subcommands)
	if len(page.examples) > 0 {
		fmt.Fprintf(&tail, "\n%s\n", strings.Join(page.examples[:min(2, len(page.examples))], "\n"))
	}
	fmt.Fprintf(&tail, "\n--help=all: all flags, with more about the command\n")
	free := ScreenLines - strings.Count(b.String(), "\n") - strings.Count(tail.String(), "\n")
	for _, entry := range mostUsed(c.Flags, free) {
		b.WriteString(entry)
	}
	return b.String() + tail.String()
}

// writeSynopsis writes the usage lines of a short help text.
func writeSynopsis(w io.Writer, synopsis string) {
	begin := "usage: "
	for line := range strings.Lines(synopsis) {
		fmt.Fprintf(w, "%s%s\n", begin, strings.TrimSuffix(line, "\n"))
		begin = strings.Repeat(" ", len(begin))
	}
}

// manyCommands is the number of commands above which a short help text has their names
// alone.
const manyCommands = 24

// writeGroups writes commands, one a line, with the name of their group before the first.
// Commands without a group, and very many commands, are a list of names.
func writeGroups(w io.Writer, commands []*cli.Command) {
	var rest []string
	group := ""
	for _, c := range commands {
		if c.Category == "" || len(commands) > manyCommands {
			rest = append(rest, c.Name)
			continue
		}
		title := ""
		if c.Category != group {
			title, group = c.Category, c.Category
		}
		fmt.Fprintf(w, "%-10s %-10s %s\n", title, c.Name, c.Usage)
	}
	if len(rest) > 0 {
		text := strings.Join(rest, ", ")
		if group != "" {
			fmt.Fprintf(w, "%-10s %s\n", "Help", text)
			return
		}
		fmt.Fprintln(w, WrapText(text, HelpWidth))
	}
}

// usual lists flags that many commands have, the most used first.
var usual = []string{"format", "output", "time", "proof", "verify", "threads", "jobs", "count", "limit", "assume", "seed", "engine", "stats", "verbose", "quiet"}

// mostUsed returns the entries of flags that fill up to n lines: first the flags of the list usual,
// then others in the order of the command. Options of engines and rules of puzzles are the last.
func mostUsed(flags []cli.Flag, n int) []string {
	rank := func(f cli.Flag) int {
		switch i := slices.Index(usual, FlagName(f)); {
		case i >= 0:
			return i
		case isKnob(f), category(f) == InputFlags, category(f) == ProfileFlags:
			return len(usual) + 2
		case category(f) == LimitFlags, category(f) == OutputFlags, category(f) == EngineFlags, category(f) == ProofFlags:
			return len(usual)
		}
		return 2 // its own subject
	}
	shown := slices.DeleteFunc(slices.Clone(flags), func(f cli.Flag) bool { return category(f) == "" || FlagName(f) == "json" })
	slices.SortStableFunc(shown, func(f, g cli.Flag) int { return rank(f) - rank(g) })
	var entries []string
	for _, f := range shown {
		var entry strings.Builder
		names, _ := flagText(f)
		WriteEntry(&entry, names, briefUsage(f, 2), usageColumn)
		if n -= strings.Count(entry.String(), "\n"); n < 0 {
			break
		}
		entries = append(entries, entry.String())
	}
	return entries
}

// isKnob reports whether a flag is an option of one engine.
func isKnob(f cli.Flag) bool {
	return strings.HasPrefix(category(f), "options of") || strings.HasPrefix(category(f), "rules")
}

// usageColumn is the column of the text on a flag.
const usageColumn = 26

// briefWidth is the width of the short text on a flag.
const briefWidth = HelpWidth - usageColumn

// briefUsage returns the usage of a flag without what only the whole help text needs: its first
// phrases (see brief), or the names of its values without their meanings, if these fit into
// the given number of lines.
func briefUsage(f cli.Flag, lines int) string {
	_, usage := flagText(f)
	if len(usage) <= briefWidth {
		return usage
	}
	end := endOfValue(f)
	if end == 0 {
		return brief(usage, briefWidth)
	}
	if c, is := f.(*ChoiceFlag); is {
		named := usage[:end] + ": " + strings.Join(choiceNames(c.Choices()), ", ")
		if strings.Count(WrapText(named, briefWidth), "\n") < lines {
			return named
		}
	}
	return brief(usage[:end], briefWidth)
}

// endOfValue returns the length of the part of a usage before the list of values, as in
// "NAME of the engine: auto, cdcl", or 0 if there is no such list.
func endOfValue(f cli.Flag) int {
	d, is := f.(cli.DocGenerationFlag)
	if !is {
		return 0
	}
	parts := strings.SplitN(d.GetUsage(), "`", 3)
	if len(parts) < 3 || parts[0] == "" && strings.HasPrefix(parts[2], ": ") {
		return 0
	}
	rest, _, found := strings.Cut(parts[2], ": ")
	if !found || strings.ContainsAny(rest, ";(") {
		return 0
	}
	return len(parts[0]) + len(parts[1]) + len(rest)
}

// brief returns the first phrases of a text, as many as fit into the width, and at least
// one. A phrase ends at a semicolon, or before a parenthesis. Texts on flags and commands are
// written so that their first phrase fits; a longer one is not cut.
func brief(text string, width int) string {
	if len(text) <= width {
		return text
	}
	first, best, depth := "", "", 0
	for i, r := range text {
		if depth == 0 && (r == ';' || strings.HasPrefix(text[i:], " (")) {
			first = cmp.Or(first, text[:i])
			if i <= width {
				best = text[:i]
			}
		}
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
	}
	return cmp.Or(best, first, text)
}

func writeHead(w io.Writer, name, usage, synopsis, description string) {
	fmt.Fprintf(w, "%s\n\nusage:\n", WrapText(name+" - "+usage, HelpWidth))
	for line := range strings.Lines(synopsis) {
		fmt.Fprintf(w, "  %s\n", strings.TrimSuffix(line, "\n"))
	}
	fmt.Fprintf(w, "\n%s\n", description)
}

// writeCommands writes commands by groups.
func writeCommands(w io.Writer, commands []*cli.Command) {
	group := "-"
	for _, c := range commands {
		if c.Category != group {
			group = c.Category
			fmt.Fprintf(w, "\n%s:\n", cmp.Or(group, "Commands"))
		}
		WriteEntry(w, c.Name, c.Usage, 14)
	}
}

// writeFlags writes flags by category. It skips flags without a category, such as the
// --help of urfave/cli.
func writeFlags(w io.Writer, flags []cli.Flag) {
	for _, c := range categoriesOf(flags) {
		fmt.Fprintf(w, "\n%s:\n", c)
		for _, f := range flags {
			if category(f) != c {
				continue
			}
			for _, entry := range entriesOf(f) {
				WriteEntry(w, entry.Name, entry.Help, usageColumn)
			}
		}
	}
}

// categoriesOf returns the categories of flags, in the order of their first flags. The
// options of engines, of which there are many, are the last.
func categoriesOf(flags []cli.Flag) []string {
	var categories []string
	for _, f := range flags {
		if c := category(f); c != "" && !slices.Contains(categories, c) {
			categories = append(categories, c)
		}
	}
	slices.SortStableFunc(categories, func(a, b string) int {
		return strings.Compare(fmt.Sprint(strings.HasPrefix(a, "options of")), fmt.Sprint(strings.HasPrefix(b, "options of")))
	})
	return categories
}

func category(f cli.Flag) string {
	if c, ok := f.(cli.CategorizableFlag); ok {
		return c.GetCategory()
	}
	return ""
}

// entriesOf returns the two columns of the help on a flag and, indented, on its settings.
func entriesOf(f cli.Flag) []Choice {
	names, usage := flagText(f)
	entries := []Choice{{names, usage}}
	if s, is := f.(*SettingsFlag); is {
		for _, c := range s.choices() {
			entries = append(entries, Choice{"  " + c.Name, c.Help})
		}
	}
	return entries
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
