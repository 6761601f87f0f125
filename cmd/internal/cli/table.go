package cli

import "strings"

// Tables on terminals. A table that is wider than [Env.PageWidth] is arranged anew; a
// terminal would break its lines anywhere. A width of 0 is unlimited.

// leastText is the smallest width of a wrapped column. A narrower rest of a line is not
// worth the indentation.
const leastText = 20

// Hanging wraps the text of a line after its first indent bytes, so that no line exceeds
// the width, and indents the further lines to there. Words that are longer stay whole.
func Hanging(line string, indent, width int) string {
	if width == 0 || len(line) <= width || len(line) <= indent {
		return line
	}
	further := indent
	if width-indent < leastText {
		further = min(4, width/2)
	}
	head, rest := line[:indent], line[indent:]
	wrapped := strings.Split(WrapText(rest, max(1, width-max(indent, further))), "\n")
	return head + strings.Join(wrapped, "\n"+strings.Repeat(" ", further))
}
