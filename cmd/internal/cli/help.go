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
			command, err := lookUp(c.App, names)
			if err != nil {
				return err
			}
			text := programHelp
			if len(names) > 0 {
				text = commandHelp
			}
			page := text(strings.Join(append([]string{c.App.Name}, names...), " "), command, c.Bool("all"))
			_, err = io.WriteString(e.Stdout, narrow(page, e.PageWidth()))
			return err
		}),
	}
}

// slack is how much shorter than HelpWidth a filled line may be.
const slack = 8

// narrow arranges a help text anew for a terminal that is narrower than it, 0 for none: lines that
// continue a text are joined, and wrapped in the column of that text.
func narrow(page string, width int) string {
	if width == 0 || width >= HelpWidth {
		return page
	}
	var b strings.Builder
	text, column, last := "", -1, 0 // the text so far, where its further lines begin, and the length of its last line
	flush := func() {
		if column >= 0 {
			fmt.Fprintln(&b, Hanging(text, column, width))
		}
	}
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		words := strings.TrimLeft(line, " ")
		indent := len(line) - len(words)
		// A line that goes on fills its line; examples, indented by 2, never do.
		word, _, _ := strings.Cut(words, " ")
		goesOn := words != "" && indent == column && indent != 2 && last+len(word) >= HelpWidth-slack
		if last = len(line); goesOn {
			text += " " + words
			continue
		}
		flush()
		text, column = line, indent
		if i := strings.LastIndex(words, "  "); i >= 0 {
			column += i + 2
		}
	}
	flush()
	return b.String()
}

// programHelp returns the help text of the program. The templates of urfave/cli
// are not used: they sort flags and categories alphabetically, not in order of
// use, and do not wrap the right column.
func programHelp(name string, c *cli.Command, all bool) string {
	more := WrapText(fmt.Sprintf("%q explains a command, %q prints more.", name+" COMMAND --help", name+" --help=all"), HelpWidth) + "\n"
	if all {
		return wholeHelp(name, c) + "\n" + more
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s - %s\n", name, c.Usage)
	writeSynopsis(&b, c.UsageText)
	b.WriteByte('\n')
	writeGroups(&b, c.Subcommands)
	return b.String() + more
}

// commandHelp returns the help text of a command. A text that fits a screen is not shortened.
func commandHelp(name string, c *cli.Command, all bool) string {
	text := wholeHelp(name, c)
	if !all && strings.Count(text, "\n") > ScreenLines {
		return shortHelp(name, c)
	}
	return text
}

// wholeHelp returns purpose, usage, description with examples, subcommands, and flags by
// category.
func wholeHelp(name string, c *cli.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nusage:\n", WrapText(name+" - "+c.Usage, HelpWidth))
	for line := range strings.Lines(c.UsageText) {
		fmt.Fprintf(&b, "  %s\n", strings.TrimSuffix(line, "\n"))
	}
	fmt.Fprintf(&b, "\n%s\n", c.Description)
	commandGroups(c.Subcommands).write(&b, 14)
	flagGroups(c.Flags).write(&b, usageColumn)
	return b.String()
}

// write writes groups with the texts from the given column on.
func (gs groups) write(w io.Writer, column int) {
	for _, g := range gs {
		fmt.Fprintf(w, "\n%s:\n", cmp.Or(g.title, "Commands"))
		for _, entry := range g.entries {
			WriteEntry(w, entry.Name, entry.Help, column)
		}
	}
}

// shortHelp returns the help text of a command for one screen. The flags fill the lines
// that remain.
func shortHelp(name string, c *cli.Command) string {
	var b, tail strings.Builder
	fmt.Fprintln(&b, WrapText(name+" - "+c.Usage, HelpWidth))
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
	titled := false
	for _, g := range commandGroups(commands) {
		if g.title == "" || len(commands) > manyCommands {
			rest = append(rest, choiceNames(g.entries)...)
			continue
		}
		titled = true
		for _, entry := range g.entries {
			fmt.Fprintf(w, "%-10s %-10s %s\n", g.title, entry.Name, entry.Help)
			g.title = ""
		}
	}
	switch text := strings.Join(rest, ", "); {
	case text == "":
	case titled:
		fmt.Fprintf(w, "%-10s %s\n", "Help", text)
	default:
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
		WriteEntry(&entry, entryOfFlag(f).Name, briefUsage(f, 2), usageColumn)
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
	usage := entryOfFlag(f).Help
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
	before, value, after := usageOf(f)
	rest, _, found := strings.Cut(after, ": ")
	if !found || before == "" && rest == "" || strings.ContainsAny(rest, ";(") {
		return 0
	}
	return len(before) + len(value) + len(rest)
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
