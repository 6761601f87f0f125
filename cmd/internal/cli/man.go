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
// NAME, SYNOPSIS, DESCRIPTION, COMMANDS, OPTIONS, EXIT STATUS, EXAMPLES, SEE ALSO. They have the same sources as the help texts.

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
			case dir != "" && len(names) > 0:
				return Usagef("--output writes the pages of all commands; omit %q", strings.Join(names, " "))
			case dir != "":
				return e.Run(c, RunOptions{NoLimits: true}, func(r *Run) error { return writePages(r, c.App, dir) })
			}
			command, err := lookUp(c.App, names)
			if err != nil {
				return err
			}
			_, err = io.WriteString(e.Stdout, pageOf(c.App, strings.Join(append([]string{c.App.Name}, names...), " "), command))
			return err
		}),
	}
}

// writePages writes all pages to a directory.
func writePages(r *Run, app *cli.App, dir string) error {
	if err := r.Disk.MkdirAll(dir); err != nil {
		return err
	}
	for _, c := range walk(app.Name, root(app)) {
		err := r.Write(r.Ctx, filepath.Join(dir, pageName(c.name)+".1"), func(w io.Writer) error {
			_, err := io.WriteString(w, pageOf(app, c.name, c.Command))
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// pageName returns the name of the page of a command, as in sator-sudoku-rate.
func pageName(command string) string { return strings.ReplaceAll(command, " ", "-") }

// A manPage is a page under construction.
type manPage struct{ strings.Builder }

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

// groups writes entries by groups.
func (m *manPage) groups(gs groups) {
	for _, g := range gs {
		if g.title != "" {
			fmt.Fprintf(m, ".SS %s\n", roff(strings.ToUpper(g.title[:1])+g.title[1:]))
		}
		for _, entry := range g.entries {
			fmt.Fprintf(m, ".TP\n.B %s\n%s\n", roff(entry.Name), roff(entry.Help))
		}
	}
}

// usualExit lists the exit codes of commands that do not have others.
const usualExit = "0 success; 1 an input that cannot be read or an output that cannot be written, 2 invalid command line, 3 internal error of Sator."

// pageOf returns the page of a command, or of the program.
func pageOf(app *cli.App, name string, c *cli.Command) string {
	m, page := new(manPage), sectionsOf(c.Description)
	fmt.Fprintf(m, ".TH %s 1 \"\" \"%s %s\" \"Sator Manual\"\n", strings.ToUpper(pageName(name)), app.Name, Version())
	fmt.Fprintf(m, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n", roff(pageName(name)), roff(c.Usage))
	m.verbatim(strings.Split(c.UsageText, "\n"))
	m.WriteString(".SH DESCRIPTION\n")
	m.paragraphs(page.text)
	if len(c.Subcommands) > 0 {
		m.WriteString(".SH COMMANDS\n")
		m.groups(commandGroups(c.Subcommands))
	}
	m.WriteString(".SH OPTIONS\n")
	m.groups(flagGroups(c.Flags))
	m.WriteString(".SS Help\n.TP\n.B \\-h, \\-\\-help\nprint the help text on one screen; \\-\\-help=all prints everything\n.TP\n.B \\-V, \\-\\-version\nprint the version\n")
	fmt.Fprintf(m, ".SH EXIT STATUS\n%s; 141 if the reader of a pipe ends early.\n", roff(strings.TrimSuffix(cmp.Or(page.exit, usualExit), ".")))
	m.WriteString(".SH EXAMPLES\n")
	m.verbatim(page.examples)
	m.WriteString(".SH SEE ALSO\n.BR ")
	m.WriteString(strings.Join(Of(related(app, name, c), func(name string) string { return roff(pageName(name)) + " (1)" }), ",\n.BR ") + "\n")
	return m.String()
}

// related returns the commands to whose pages a page refers: the command above it, its
// subcommands and, unless it is the program, the commands in its text.
func related(app *cli.App, name string, c *cli.Command) (all []string) {
	add := func(other string) {
		if other != name && !slices.Contains(all, other) {
			all = append(all, other)
		}
	}
	above := strings.LastIndexByte(name, ' ')
	if above >= 0 {
		add(name[:above])
	}
	for _, sub := range c.Subcommands {
		add(name + " " + sub.Name)
	}
	text := " " + strings.Join(strings.FieldsFunc(c.Description, func(r rune) bool { return strings.ContainsRune(" \n\",.;()", r) }), " ") + " "
	for _, other := range walk(app.Name, root(app)) {
		if above >= 0 && strings.Contains(text, " "+other.name+" ") && other.name != app.Name {
			add(other.name)
		}
	}
	return all
}
