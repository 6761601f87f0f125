//go:build unix

package program_test

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Tests of the figures of documents. A figure is a number with decimals, with four digits or
// more, or with a unit of time, memory or a ratio. Outside of code and of blocks that are run,
// it is in a report of benchmarks/results to which its section links. Years and versions of
// three numbers are no figures. The rows of a lab book, which end with a commit, are left out.
//
// A link to a report whose text is a number is a quotation: the report contains the text.
// With a title, as in [3.01](report.md "8.84 | 3.01"), it contains the title, and that the text.

// constants are the figures of formats and limits, by page.
var constants = map[string][]string{
	"README.md":                        {"1.26"}, // Go
	"CHANGELOG.md":                     {"1.26"},
	"cmd/sator/docs/install.md":        {"1.26"},
	"benchmarks/competition/README.md": {"4096"}, // characters of a line
	"benchmarks/paper.md":              {"95"},   // % of the intervals
	"cmd/sator/docs/solve.md":          {"16"},   // GiB: 2^32 words of 4 bytes
}

var (
	figure    = regexp.MustCompile(`[0-9]+(?:[.,][0-9]+)*(?:e-?[0-9]+)?`)
	years     = regexp.MustCompile(`^(19|20)[0-9][0-9]$`)
	units     = regexp.MustCompile(`^[ -]?(%|×|(ns|us|µs|ms|s|h|seconds?|minutes?|hours?|times|[kKMGT]?i?B|bytes?|[kMG]?bit/s)\b)`)
	unquoted  = regexp.MustCompile("`[^`]*`|\\]\\([^)]*\\)|<[^>]*>|https?:[^ )]*")
	labRow    = regexp.MustCompile(`\| [0-9a-f]{7}(, [0-9a-f]{7})* \|$`)
	quotation = regexp.MustCompile(`\[([^\]]+)\]\(([^() ]*report\.md)(?: "([^"]+)")?\)`)
	sign      = regexp.MustCompile(`^[+-]?[0-9][0-9.,e-]*( ?%| \(|$)`)
)

// TestFigures: each figure of each page has a source.
func TestFigures(t *testing.T) {
	all := pages(t)
	for name, text := range all {
		if strings.HasPrefix(name, "benchmarks/results/") {
			continue
		}
		// TestLinks finds a report that is missing.
		for _, fault := range figureFaults(name, text, func(report string) string { return all[path.Join(path.Dir(name), report)] }) {
			t.Error(fault)
		}
	}
}

// figureFaults returns the figures of a page without a source, and the wrong quotations.
func figureFaults(name, text string, read func(report string) string) (faults []string) {
	lines := parsePage(name, text).plain
	for begin := 0; begin < len(lines); {
		end := begin + 1
		for end < len(lines) && !heading.MatchString(lines[end]) {
			end++
		}
		known := slices.Clone(constants[name])
		for i, line := range lines[begin:end] {
			for _, q := range quotation.FindAllStringSubmatch(line, -1) {
				report := read(q[2])
				known = append(known, figure.FindAllString(strings.ReplaceAll(report, ",", ""), -1)...)
				title := strings.ReplaceAll(q[3], `\|`, "|")
				if title == "" && sign.MatchString(q[1]) {
					title = q[1]
				}
				if !strings.Contains(report, title) || title != "" && !strings.Contains(title, q[1]) {
					faults = append(faults, fmt.Sprintf("%s:%d: %s does not contain %q, or that not %q", name, begin+i+1, q[2], title, q[1]))
				}
			}
		}
		for i, line := range lines[begin:end] {
			if commandish.MatchString(line) || labRow.MatchString(line) {
				continue
			}
			line = unquoted.ReplaceAllString(line, "")
			for _, m := range figure.FindAllStringIndex(line, -1) {
				number := strings.ReplaceAll(line[m[0]:m[1]], ",", "")
				long := len(number) >= 4 && !years.MatchString(number)
				if (strings.Contains(number, ".") || long || units.MatchString(line[m[1]:])) &&
					strings.Count(number, ".") < 2 && !slices.Contains(known, number) {
					faults = append(faults, fmt.Sprintf("%s:%d: %s has no source: link its section to a report", name, begin+i+1, number))
				}
			}
		}
		begin = end
	}
	return faults
}

// TestFigureFaults: figures without a source are found, at their lines.
func TestFigureFaults(t *testing.T) {
	for _, c := range []struct{ page, want string }{
		{"3 files, 999 models, x86, since 2026, Go 1.2.3, `12.5 s`, 10^7", ""},
		{"17 s, 0.5, 2^32 and 1,234; 20 %, 3 times", "1: 17, 1: 0.5, 1: 1234, 1: 20, 1: 3"},
		{"# A\n[report](report.md): 17 s, 1,234, 0.50\n\n0.4 and 0.7\n# B\n0.50", "4: 0.7, 6: 0.50"},
		{"```text\n1.5 s\n```\n```\n$ echo 1.5\n1.5\n```\n```go\nx := 1.5\n```", "2: 1.5"},
		{"<!-- not run: slow -->\n```\na$ sleep 1.5\n2.5\n```", "4: 2.5"},
		{`[0.50](report.md) [0.50](report.md "0.50 (0.4") [0.51](report.md)`, "1: report.md, 1: 0.51"},
		{`[0.4](report.md "0.4 to 0.6") [0.4](report.md "17 s") [0.4](report.md "0.4 to 0.7")`, "1: report.md, 1: report.md"},
	} {
		var got []string
		for _, fault := range figureFaults("p.md", c.page, func(string) string { return "1,234 | 0.50 (0.4 to 0.6) | 17 s |" }) {
			fault, _, _ = strings.Cut(strings.TrimPrefix(fault, "p.md:"), " has no")
			fault, _, _ = strings.Cut(fault, " does not")
			got = append(got, fault)
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("faults %q, want %q in\n%s", got, c.want, c.page)
		}
	}
}
