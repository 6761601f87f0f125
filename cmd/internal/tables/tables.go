// Package tables writes tables of text as Markdown.
package tables

import (
	"slices"
	"strings"
)

// Markdown returns a table. All columns but the first, which has names, are right-aligned.
func Markdown(header []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(header)
	b.WriteString("|---" + strings.Repeat("|--:", len(header)-1) + "|\n")
	for _, row := range rows {
		line(row)
	}
	return b.String()
}

// Uniform reports whether there are two rows or more, which differ in their names only.
func Uniform(rows [][]string) bool {
	differs := func(row []string) bool { return !slices.Equal(row[1:], rows[0][1:]) }
	return len(rows) > 1 && !slices.ContainsFunc(rows, differs)
}
