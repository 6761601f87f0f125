package cli

import "strings"

// The sections of a description. A description is paragraphs with blank lines between
// them. A paragraph that begins with "Exit codes:" lists the exit codes, and one that
// begins with "Examples:" or "Example:" the examples, one a line.

// sections are the parts of a description.
type sections struct {
	text     []string // paragraphs
	exit     string   // the exit codes, on one line
	examples []string // indented lines
}

func sectionsOf(description string) sections {
	var s sections
	for _, p := range strings.Split(strings.TrimSpace(description), "\n\n") {
		head, rest, _ := strings.Cut(p, "\n")
		codes, isExit := strings.CutPrefix(p, "Exit codes:")
		switch {
		case isExit:
			s.exit = strings.Join(strings.Fields(codes), " ")
		case head == "Examples:" || head == "Example:":
			s.examples = strings.Split(strings.TrimRight(rest, "\n"), "\n")
		default:
			s.text = append(s.text, p)
		}
	}
	return s
}

// brief returns the first sentences of the first paragraph, as many as fit into the lines,
// and at least one, without a colon before a list.
func (s sections) brief(lines int) string {
	words := strings.Fields(s.text[0])
	best := ""
	for i, w := range words {
		end := strings.HasSuffix(w, ".") && !strings.HasSuffix(w, "e.g.") || i == len(words)-1
		if !end {
			continue
		}
		text := WrapText(strings.Join(words[:i+1], " "), HelpWidth)
		if best == "" || strings.Count(text, "\n") < lines {
			best = text
		}
	}
	return strings.TrimSuffix(best, ":")
}
