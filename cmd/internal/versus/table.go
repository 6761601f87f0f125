package versus

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/tables"
)

// A table is a table of a report. Its first column has names.
type table struct {
	title   string
	caption string
	columns []string
	rows    [][]string
}

// add appends a row.
func (t *table) add(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = fmt.Sprint(c)
	}
	t.rows = append(t.rows, row)
}

// dropEmpty removes the columns among names in which all cells have the text empty.
func (t *table) dropEmpty(empty string, names ...string) {
	for i := len(t.columns) - 1; i > 0; i-- {
		filled := func(row []string) bool { return row[i] != empty }
		if !slices.Contains(names, t.columns[i]) || slices.ContainsFunc(t.rows, filled) {
			continue
		}
		t.columns = slices.Delete(t.columns, i, i+1)
		for k := range t.rows {
			t.rows[k] = slices.Delete(t.rows[k], i, i+1)
		}
	}
}

// writeText writes the table as plain text: names are left-aligned, numbers right-aligned.
func (t *table) writeText(b *strings.Builder) {
	fmt.Fprintf(b, "%s\n\n", t.title)
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	width := len(t.columns[0])
	for _, row := range t.rows {
		width = max(width, len(row[0]))
	}
	for _, row := range slices.Concat([][]string{t.columns}, t.rows) {
		fmt.Fprintf(w, "%-*s\t%s\t\n", width, row[0], strings.Join(row[1:], "\t"))
	}
	w.Flush()
	fmt.Fprintf(b, "\n%s\n\n", cli.WrapText(t.caption, textWidth))
}

// markdown returns the table in Markdown, with its title and caption.
func (t *table) markdown() string {
	return fmt.Sprintf("## %s\n\n%s\n%s\n\n", t.title, tables.Markdown(t.columns, t.rows), t.caption)
}

// textWidth is the width of lines of plain text.
const textWidth = 80

// WriteText writes the report as plain text: wrong answers, the summary, the tables with their captions, and notes.
func (p *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, fault := range p.Faults {
		fmt.Fprintf(&b, "WRONG: %s\n", fault)
	}
	for _, sentence := range p.Summary() {
		fmt.Fprintf(&b, "%s\n", cli.WrapText(sentence, textWidth))
	}
	fmt.Fprintf(&b, "\n%s\n\n", p.title())
	for _, t := range p.tables() {
		t.writeText(&b)
	}
	for _, note := range p.notes() {
		fmt.Fprintf(&b, "%s\n", note)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteMarkdown writes the report in Markdown. It refers to pictures as FOLDER/NAME.png, with a caption each.
func (p *Report) WriteMarkdown(w io.Writer, pictures []Picture, folder string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Comparison of %s\n\n", listing(p.solvers()))
	for _, fault := range p.Faults {
		fmt.Fprintf(&b, "**WRONG: %s**\n\n", fault)
	}
	fmt.Fprintf(&b, "%s\n\n%s.\n\n", strings.Join(p.Summary(), " "), p.title())
	for _, t := range p.tables() {
		b.WriteString(t.markdown())
	}
	if len(pictures) > 0 {
		b.WriteString("## Figures\n\n")
	}
	for _, picture := range pictures {
		fmt.Fprintf(&b, "![%s](%s%s.png)\n\n%s: %s\n\n", picture.Figure.Title, folder, picture.Name, picture.Figure.Title, picture.Figure.Note)
	}
	b.WriteString("## Notes\n\n")
	for _, note := range p.notes() {
		fmt.Fprintf(&b, "- %s\n", note)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// listing joins names by commas and "and".
func listing(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
