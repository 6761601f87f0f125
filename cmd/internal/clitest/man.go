package clitest

import (
	"slices"
	"strings"
	"testing"

	"sator/cmd/internal/cli"
	"sator/internal/effort"
)

// testManPages checks that each command has a manual page with all sections, all of its
// flags, and only pages that exist under SEE ALSO.
func testManPages(t *testing.T, p *cli.Program) {
	effort.Sequential(t)
	pages := []string{p.Name}
	EachCommand(p, func(name string, _ *cli.Command) {
		pages = append(pages, p.Name+"-"+strings.ReplaceAll(name, " ", "-"))
	})
	EachCommand(p, func(name string, c *cli.Command) {
		code, page, errs := ExecuteProgram(t, p, new(cli.Env), append([]string{"man"}, strings.Fields(name)...)...)
		if code != 0 || errs != "" {
			t.Fatalf("man %s: exit code %d, standard error %q", name, code, errs)
		}
		rest := page
		for _, section := range []string{"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"} {
			_, after, found := strings.Cut(rest, ".SH "+section+"\n")
			if rest = after; !found || strings.HasPrefix(after, ".SH") || strings.TrimSpace(after) == "" {
				t.Errorf("%s: the section %s is missing, empty or in another place", name, section)
				return
			}
		}
		for _, f := range c.Flags {
			if flag := `\-\-` + strings.ReplaceAll(cli.FlagName(f), "-", `\-`); !strings.Contains(page, flag) {
				t.Errorf("%s: the page lacks the flag --%s", name, cli.FlagName(f))
			}
		}
		for line := range strings.Lines(rest) {
			fields := strings.Fields(strings.ReplaceAll(line, `\-`, "-"))
			if len(fields) != 3 || !slices.Contains(pages, fields[1]) {
				t.Errorf("%s: there is no page %q", name, line)
			}
		}
	})
}
