package study

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"path/filepath"
	"slices"
	"strings"

	"sator/cmd/internal/plot"
	"sator/cmd/internal/tables"
	"sator/dimacs/file"
)

// A Report is a text with tables and figures. It is written as Markdown, with
// references to figure files, and as HTML, with embedded figures.
type Report struct {
	md, page bytes.Buffer
	dir      string
	disk     *file.Disk
}

// newReport returns a report with a title.
func newReport(disk *file.Disk, dir, title string) *Report {
	r := &Report{dir: dir, disk: disk}
	fmt.Fprintf(&r.md, "# %s\n", title)
	fmt.Fprintf(&r.page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>%s</title>\n<style>%s</style>\n</head>\n<body>\n<h1>%[1]s</h1>\n",
		html.EscapeString(title), pageStyle)
	return r
}

// save writes a file to the directory of the report.
func (r *Report) save(name string, content []byte) error {
	return r.disk.WriteFile(filepath.Join(r.dir, name), content)
}

// add adds a text, which has that Markdown and is the content of an HTML element.
func (r *Report) add(markdown, element, text string) {
	fmt.Fprintf(&r.md, "\n%s\n", markdown)
	fmt.Fprintf(&r.page, "<%s>%s</%[1]s>\n", element, html.EscapeString(text))
}

func (r *Report) heading(text string) { r.add("## "+text, "h2", text) }

func (r *Report) text(text string) { r.add(text, "p", text) }

func (r *Report) textf(format string, args ...any) { r.text(fmt.Sprintf(format, args...)) }

func (r *Report) code(text string) {
	r.add("    "+strings.ReplaceAll(text, "\n", "\n    "), "pre", text)
}

// table adds a table. All columns but the first are right-aligned. If several
// rows differ in nothing but the first column, a sentence replaces the table.
func (r *Report) table(header []string, rows [][]string) { r.captioned("", header, rows) }

// captioned adds a table with a caption above it: what is counted, over how many
// observations, by which test and with which correction.
func (r *Report) captioned(caption string, header []string, rows [][]string) {
	switch {
	case len(rows) == 0:
	case len(header) > 1 && tables.Uniform(rows):
		var columns []string
		for i, name := range header[1:] {
			columns = append(columns, name+" "+rows[0][i+1])
		}
		r.textf("Equal in all %d rows (%s to %s): %s.", len(rows), rows[0][0], rows[len(rows)-1][0], strings.Join(columns, ", "))
	default:
		r.addTable(caption, header, rows)
	}
}

func (r *Report) addTable(caption string, header []string, rows [][]string) {
	fmt.Fprintln(&r.md)
	fmt.Fprintln(&r.page, "<table>")
	if caption != "" {
		fmt.Fprintf(&r.md, "*%s*\n\n", caption)
		fmt.Fprintf(&r.page, "<caption>%s</caption>\n", html.EscapeString(caption))
	}
	r.md.WriteString(tables.Markdown(header, rows))
	cell := "th"
	for _, row := range slices.Concat([][]string{header}, rows) {
		r.page.WriteString("<tr>")
		for _, text := range row {
			fmt.Fprintf(&r.page, "<%s>%s</%[1]s>", cell, html.EscapeString(text))
		}
		r.page.WriteString("</tr>\n")
		cell = "td"
	}
	fmt.Fprintln(&r.page, "</table>")
}

// figure adds a figure and writes its files. The Markdown refers to the PNG file, which is
// smaller than the SVG file of a figure with ten thousand points.
func (r *Report) figure(name string, f *plot.Figure) error {
	var svg, png bytes.Buffer
	if err := cmp.Or(f.SVG(&svg), f.PNG(&png)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	fmt.Fprintf(&r.md, "\n![%s](%s.png)\n", f.Title, name)
	element := svg.String() // after its XML header
	fmt.Fprintf(&r.page, "<figure>\n%s</figure>\n", element[max(0, strings.Index(element, "<svg")):])
	if err := r.save(name+".svg", svg.Bytes()); err != nil {
		return err
	}
	return r.save(name+".png", png.Bytes())
}

// write writes report.md and report.html.
func (r *Report) write() error {
	r.page.WriteString("</body>\n</html>\n")
	if err := r.save("report.md", r.md.Bytes()); err != nil {
		return err
	}
	return r.save("report.html", r.page.Bytes())
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
	r := newReport(disk, dir, "sator-lab study "+p.study.Name+": "+p.study.Help)
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
