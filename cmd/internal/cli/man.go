package cli

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// Manual pages, in the macros of man(7). Each command has a page with the same sections:
// NAME, SYNOPSIS, DESCRIPTION, COMMANDS, OPTIONS, EXIT STATUS, EXAMPLES, SEE ALSO. Their
// sources are those of the help texts.

func (p *Program) manCommand(e *Env) *cli.Command {
	return &cli.Command{
		Name:      "man",
		Usage:     "print a manual page, or write all of them",
		UsageText: p.Name + " man [COMMAND]...\n" + p.Name + " man -o DIR",
		Description: strings.ReplaceAll(`Prints the manual page of a command, in section 1, as man reads it. Without a
name it prints the page of the program. With --output it writes the pages of all
commands to a directory, as PROGRAM.1 and PROGRAM-COMMAND.1.

Examples:
  PROGRAM man | man -l -
  PROGRAM man -o ~/.local/share/man/man1`, "PROGRAM", p.Name),
		Flags: []cli.Flag{OutputDir("")},
		Action: Action(func(c *cli.Context) error {
			names, dir := c.Args().Slice(), c.String("output")
			switch {
			case c.IsSet("output") && dir == "":
				return ErrNoName
			case dir != "" && len(names) > 0:
				return Usagef("--output writes the pages of all commands; omit %q", strings.Join(names, " "))
			case dir != "":
				return e.Run(c, RunOptions{NoLimits: true}, func(r *Run) error { return p.writePages(r, c.App, dir) })
			case len(names) == 0:
				_, err := io.WriteString(e.Stdout, p.programPage(c.App))
				return err
			}
			command, err := lookUp(c.App, names)
			if err != nil {
				return err
			}
			_, err = io.WriteString(e.Stdout, p.commandPage(c.App, names, command))
			return err
		}),
	}
}

// writePages writes all pages to a directory.
func (p *Program) writePages(r *Run, app *cli.App, dir string) error {
	if err := r.Disk.MkdirAll(dir); err != nil {
		return err
	}
	write := func(names []string, page string) error {
		name := filepath.Join(dir, pageName(app.Name, names)+".1")
		return r.Write(r.Ctx, name, func(w io.Writer) error {
			_, err := io.WriteString(w, page)
			return err
		})
	}
	if err := write(nil, p.programPage(app)); err != nil {
		return err
	}
	var visit func(names []string, c *cli.Command) error
	visit = func(names []string, c *cli.Command) error {
		names = append(slices.Clone(names), c.Name)
		err := write(names, p.commandPage(app, names, c))
		for _, sub := range c.Subcommands {
			err = cmp.Or(err, visit(names, sub))
		}
		return err
	}
	var err error
	for _, c := range app.Commands {
		err = cmp.Or(err, visit(nil, c))
	}
	return err
}

// pageName returns the name of a page, as in sator-sudoku-rate.
func pageName(program string, names []string) string {
	return strings.Join(append([]string{program}, names...), "-")
}

// A manPage is a page under construction.
type manPage struct{ strings.Builder }

func newPage(program string, names []string, usage, synopsis string) *manPage {
	m := new(manPage)
	name := pageName(program, names)
	fmt.Fprintf(m, ".TH %s 1 \"\" \"%s %s\" \"Sator Manual\"\n", strings.ToUpper(name), program, Version())
	fmt.Fprintf(m, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n", roff(name), roff(usage))
	m.verbatim(strings.Split(synopsis, "\n"))
	return m
}

// roff escapes a text for roff.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text
}

// verbatim writes lines as they are.
func (m *manPage) verbatim(lines []string) {
	m.WriteString(".nf\n")
	for _, line := range lines {
		fmt.Fprintln(m, roff(line))
	}
	m.WriteString(".fi\n")
}

// paragraphs writes text. A paragraph with an indented line is a table or a list, whose
// lines stay.
func (m *manPage) paragraphs(text []string) {
	for i, p := range text {
		if i > 0 {
			m.WriteString(".PP\n")
		}
		lines := strings.Split(p, "\n")
		if slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, "  ") }) {
			m.verbatim(lines)
			continue
		}
		for _, line := range lines {
			fmt.Fprintln(m, roff(line))
		}
	}
}

func (m *manPage) commands(commands []*cli.Command) {
	group := "-"
	for _, c := range commands {
		if c.Category != group {
			if group = c.Category; group != "" {
				fmt.Fprintf(m, ".SS %s\n", roff(group))
			}
		}
		fmt.Fprintf(m, ".TP\n.B %s\n%s\n", roff(c.Name), roff(c.Usage))
	}
}

// options writes flags by category, the options of engines last.
func (m *manPage) options(flags []cli.Flag) {
	for _, c := range categoriesOf(flags) {
		fmt.Fprintf(m, ".SS %s\n", roff(strings.ToUpper(c[:1])+c[1:]))
		for _, f := range flags {
			if category(f) != c {
				continue
			}
			for _, entry := range entriesOf(f) {
				fmt.Fprintf(m, ".TP\n.B %s\n%s\n", roff(entry.Name), roff(entry.Help))
			}
		}
	}
	m.WriteString(".SS Help\n.TP\n.B \\-h, \\-\\-help\nprint the help text on one screen; \\-\\-help=all prints everything\n.TP\n.B \\-V, \\-\\-version\nprint the version\n")
}

// usualExit lists the exit codes of commands that do not have others.
const usualExit = "0 success; 1 an input that cannot be read or an output that cannot be written, 2 invalid command line, 3 internal error of Sator."

// end writes the sections after the options.
func (m *manPage) end(page sections, related []string) string {
	exit := strings.TrimSuffix(cmp.Or(page.exit, usualExit), ".")
	fmt.Fprintf(m, ".SH EXIT STATUS\n%s; 141 if the reader of a pipe ends early.\n", roff(exit))
	m.WriteString(".SH EXAMPLES\n")
	m.verbatim(page.examples)
	m.WriteString(".SH SEE ALSO\n")
	for i, name := range related {
		comma := ","
		if i == len(related)-1 {
			comma = ""
		}
		fmt.Fprintf(m, ".BR %s (1)%s\n", roff(name), comma)
	}
	return m.String()
}

// programPage returns the page of the program.
func (p *Program) programPage(app *cli.App) string {
	m := newPage(app.Name, nil, app.Usage, app.UsageText)
	page := sectionsOf(app.Description)
	m.WriteString(".SH DESCRIPTION\n")
	m.paragraphs(page.text)
	m.WriteString(".SH COMMANDS\n")
	m.commands(app.Commands)
	m.WriteString(".SH OPTIONS\n")
	m.options(nil)
	var related []string
	for _, c := range app.Commands {
		related = append(related, pageName(app.Name, []string{c.Name}))
	}
	return m.end(page, related)
}

// commandPage returns the page of a command.
func (p *Program) commandPage(app *cli.App, names []string, c *cli.Command) string {
	m := newPage(app.Name, names, c.Usage, c.UsageText)
	page := sectionsOf(c.Description)
	m.WriteString(".SH DESCRIPTION\n")
	m.paragraphs(page.text)
	if len(c.Subcommands) > 0 {
		m.WriteString(".SH COMMANDS\n")
		m.commands(c.Subcommands)
	}
	m.WriteString(".SH OPTIONS\n")
	m.options(c.Flags)
	return m.end(page, p.related(app, names, c))
}

// related returns the pages that a page refers to: the page of the command above it, and the pages
// of its subcommands and of the commands in its text.
func (p *Program) related(app *cli.App, names []string, c *cli.Command) []string {
	own := pageName(app.Name, names)
	pages := []string{pageName(app.Name, names[:len(names)-1])}
	add := func(name string) {
		if name != own && !slices.Contains(pages, name) {
			pages = append(pages, name)
		}
	}
	for _, sub := range c.Subcommands {
		add(pageName(app.Name, append(slices.Clone(names), sub.Name)))
	}
	text := " " + strings.Join(strings.FieldsFunc(c.Description, func(r rune) bool { return strings.ContainsRune(" \n\",.;()", r) }), " ") + " "
	for _, other := range app.Commands {
		full := app.Name + " " + other.Name
		for _, sub := range other.Subcommands {
			if strings.Contains(text, " "+full+" "+sub.Name+" ") {
				add(pageName(app.Name, []string{other.Name, sub.Name}))
			}
		}
		if strings.Contains(text, " "+full+" ") {
			add(pageName(app.Name, []string{other.Name}))
		}
	}
	return pages
}
