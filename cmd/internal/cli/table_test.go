package cli_test

import (
	"strings"
	"testing"

	"sator/cmd/internal/cli"
)

func TestHanging(t *testing.T) {
	const line = "binary part   1 forced literal, 12 classes of equivalent literals (30 variables)"
	for _, c := range []struct {
		width int
		want  string
	}{
		{0, line},
		{80, line},
		{60, "binary part   1 forced literal, 12 classes of equivalent\n              literals (30 variables)"},
		{40, "binary part   1 forced literal, 12\n              classes of equivalent\n              literals (30 variables)"},
	} {
		got := cli.Hanging(line, 14, c.width)
		if got != c.want {
			t.Errorf("width %d:\n%s\nwant\n%s", c.width, got, c.want)
		}
	}
	for width := 1; width < 90; width++ {
		got := cli.Hanging(line, 14, width)
		if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(line), " ") {
			t.Errorf("width %d: other words: %s", width, got)
		}
		for part := range strings.Lines(got) {
			if len(strings.TrimRight(part, "\n")) > max(width, 28) {
				t.Errorf("width %d: line %q", width, part)
			}
		}
	}
}
