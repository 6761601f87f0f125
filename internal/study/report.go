package study

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"sator/dimacs/file"
	"sator/internal/plot"
)

// A Report is a text with tables and figures. It is written as Markdown, with
// references to figure files, and as HTML, with embedded figures.
type Report struct {
	title string
	parts []part
	dir   string
	disk  *file.Disk
}

// A part is a heading, a paragraph, a table, a code block or a figure of a
// report.
type part interface {
	markdown(w io.Writer)
	html(w io.Writer)
}

// save writes a file to the directory of the report.
func (r *Report) save(name string, content []byte) error {
	return r.disk.WriteFile(filepath.Join(r.dir, name), content)
}

func (r *Report) heading(text string) { r.parts = append(r.parts, heading(text)) }

func (r *Report) text(text string) { r.parts = append(r.parts, paragraph(text)) }

func (r *Report) textf(format string, args ...any) { r.text(fmt.Sprintf(format, args...)) }

func (r *Report) code(text string) { r.parts = append(r.parts, code(text)) }

// table adds a table. All columns but the first are right-aligned. If several
// rows differ in nothing but the first column, a sentence replaces the table.
func (r *Report) table(header []string, rows [][]string) { r.captioned("", header, rows) }

// captioned adds a table with a caption above it: what is counted, over how many
// observations, by which test and with which correction.
func (r *Report) captioned(caption string, header []string, rows [][]string) {
	switch {
	case len(rows) == 0:
	case len(rows) > 1 && len(header) > 1 && sameRows(rows):
		var columns []string
		for i, name := range header[1:] {
			columns = append(columns, name+" "+rows[0][i+1])
		}
		r.textf("Equal in all %d rows (%s to %s): %s.", len(rows), rows[0][0], rows[len(rows)-1][0], strings.Join(columns, ", "))
	default:
		r.parts = append(r.parts, &table{caption, header, rows})
	}
}

// sameRows reports whether all rows are equal but for the first column.
func sameRows(rows [][]string) bool {
	return !slices.ContainsFunc(rows, func(row []string) bool { return !slices.Equal(row[1:], rows[0][1:]) })
}

// figure adds a figure and writes its files.
func (r *Report) figure(name string, f *plot.Figure) error {
	var svg bytes.Buffer
	if err := f.SVG(&svg); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := r.save(name+".svg", svg.Bytes()); err != nil {
		return err
	}
	var png bytes.Buffer
	if err := f.PNG(&png); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := r.save(name+".png", png.Bytes()); err != nil {
		return err
	}
	r.parts = append(r.parts, &picture{name, f.Title, svg.String()})
	return nil
}

// write writes report.md and report.html.
func (r *Report) write() error {
	var md, page bytes.Buffer
	fmt.Fprintf(&md, "# %s\n", r.title)
	fmt.Fprintf(&page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>%s</title>\n<style>%s</style>\n</head>\n<body>\n<h1>%s</h1>\n",
		html.EscapeString(r.title), pageStyle, html.EscapeString(r.title))
	for _, p := range r.parts {
		fmt.Fprintln(&md)
		p.markdown(&md)
		p.html(&page)
	}
	fmt.Fprint(&page, "</body>\n</html>\n")
	if err := r.save("report.md", md.Bytes()); err != nil {
		return err
	}
	return r.save("report.html", page.Bytes())
}

const pageStyle = `
body { font-family: "Liberation Sans", Arial, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; line-height: 1.4; color: #222; }
table { border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2em 0.7em; text-align: right; border-bottom: 1px solid #ddd; }
th { border-bottom: 2px solid #888; }
th:first-child, td:first-child { text-align: left; }
caption { text-align: left; font-style: italic; padding-bottom: 0.4em; }
pre { background: #f4f4f4; padding: 0.7em 1em; overflow-x: auto; }
svg { max-width: 100%; height: auto; }
`

type heading string

func (h heading) markdown(w io.Writer) { fmt.Fprintf(w, "## %s\n", string(h)) }
func (h heading) html(w io.Writer)     { fmt.Fprintf(w, "<h2>%s</h2>\n", html.EscapeString(string(h))) }

type paragraph string

func (p paragraph) markdown(w io.Writer) { fmt.Fprintf(w, "%s\n", string(p)) }
func (p paragraph) html(w io.Writer)     { fmt.Fprintf(w, "<p>%s</p>\n", html.EscapeString(string(p))) }

type code string

func (c code) markdown(w io.Writer) {
	for line := range strings.Lines(string(c)) {
		fmt.Fprintf(w, "    %s\n", strings.TrimSuffix(line, "\n"))
	}
}
func (c code) html(w io.Writer) { fmt.Fprintf(w, "<pre>%s</pre>\n", html.EscapeString(string(c))) }

type table struct {
	caption string // may be empty
	header  []string
	rows    [][]string
}

func (t *table) markdown(w io.Writer) {
	line := func(cells []string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }
	if t.caption != "" {
		fmt.Fprintf(w, "*%s*\n\n", t.caption)
	}
	line(t.header)
	fmt.Fprintf(w, "|---%s|\n", strings.Repeat("|--:", len(t.header)-1))
	for _, row := range t.rows {
		line(row)
	}
}

func (t *table) html(w io.Writer) {
	line := func(tag string, cells []string) {
		fmt.Fprint(w, "<tr>")
		for _, c := range cells {
			fmt.Fprintf(w, "<%s>%s</%s>", tag, html.EscapeString(c), tag)
		}
		fmt.Fprintln(w, "</tr>")
	}
	fmt.Fprintln(w, "<table>")
	if t.caption != "" {
		fmt.Fprintf(w, "<caption>%s</caption>\n", html.EscapeString(t.caption))
	}
	line("th", t.header)
	for _, row := range t.rows {
		line("td", row)
	}
	fmt.Fprintln(w, "</table>")
}

// A picture is a rendered figure.
type picture struct{ name, caption, svg string }

// markdown references the PNG file, which is smaller than the SVG file of a
// figure with ten thousand points.
func (p *picture) markdown(w io.Writer) { fmt.Fprintf(w, "![%s](%s.png)\n", p.caption, p.name) }

// html embeds the SVG without its XML header.
func (p *picture) html(w io.Writer) {
	svg := p.svg
	if i := strings.Index(svg, "<svg"); i > 0 {
		svg = svg[i:]
	}
	fmt.Fprintf(w, "<figure>\n%s</figure>\n", svg)
}

// Write writes the report of rows to a directory: report.md, report.html and
// the figures as SVG and PNG. The report quotes the command line. If dir is the
// directory of the Runner, it also lists the builds of the program that made
// the rows. A nil disk is that of the system.
func Write(disk *file.Disk, p *Plan, rows []*Row, dir, command string) error {
	builds, err := buildsOf(dir)
	if err != nil {
		return err
	}
	if err := disk.MkdirAll(dir); err != nil {
		return err
	}
	r := &Report{title: "sator-lab study " + p.study.Name + ": " + p.study.Help, dir: dir, disk: disk}
	x := &Results{plan: p, rows: rows}
	r.text(strings.Join(strings.Fields(p.study.Description), " "))
	r.text(p.study.answer(x))
	x.reportSetup(r, command, builds)
	if err := p.study.report(x, r); err != nil {
		return err
	}
	x.reportReadingNotes(r)
	return r.write()
}
