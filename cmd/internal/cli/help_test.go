package cli

import (
	"testing"

	"github.com/urfave/cli/v2"
)

// TestBrief checks where the first phrases of a text end.
func TestBrief(t *testing.T) {
	for _, tt := range []struct {
		text  string
		width int
		want  string
	}{
		{"find a model", 12, "find a model"},
		{"write to FILE; compressed if it ends with .gz", 20, "write to FILE"},
		{"one; two; three", 8, "one; two"},
		{"one (a; b) two; three", 14, "one (a; b) two"},
		{"cost (default 3)", 12, "cost"},
		{"less than n/(d+1), rounded down; rows", 34, "less than n/(d+1), rounded down"},
		{"a first phrase that is too long; and more", 10, "a first phrase that is too long"},
		{"no mark at all, and too long", 10, "no mark at all, and too long"},
	} {
		if got := brief(tt.text, tt.width); got != tt.want {
			t.Errorf("brief(%q, %d) = %q, want %q", tt.text, tt.width, got, tt.want)
		}
	}
}

// TestBriefUsage checks that the names of values stay without their meanings if they fit.
func TestBriefUsage(t *testing.T) {
	values := func(names ...string) func() []Choice { return func() []Choice { return Names(names...) } }
	for _, tt := range []struct {
		flag  cli.Flag
		lines int
		want  string
	}{
		{Choices(&cli.StringFlag{Name: "e", Usage: "`NAME` of the engine: one (which has a long explanation), two"}, values("one", "two")), 1, "NAME of the engine: one, two"},
		{Choices(&cli.StringFlag{Name: "e", Usage: "use `NAME`: one, two, three, four, five, six, seven, eight, nine, ten"}, values("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")), 1, "use NAME"},
		{Choices(&cli.StringFlag{Name: "e", Usage: "use `NAME`: one, two, three, four, five, six, seven, eight, nine, ten"}, values("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")), 2, "use NAME: one, two, three, four, five, six, seven, eight, nine, ten"},
		{&cli.IntFlag{Name: "n", Usage: "`N`: topic: what the number means; and a long explanation of its effect", Value: 3}, 1, "topic: what the number means"},
		{&cli.IntFlag{Name: "n", Usage: "side of a cell in `N` pixels (default: by the size of the puzzle, for svg and png)"}, 1, "side of a cell in N pixels"},
		{&cli.IntFlag{Name: "n", Usage: "stop after `N` steps", Value: 3}, 1, "stop after N steps (default 3)"},
	} {
		if got := briefUsage(tt.flag, tt.lines); got != tt.want {
			t.Errorf("the short text is %q, want %q", got, tt.want)
		}
	}
}
