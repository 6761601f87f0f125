package version

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	for module, want := range map[string]string{
		"":                                   Number,
		"(devel)":                            Number,
		"v0.1.0":                             "0.1.0",
		"v3.2.1":                             "3.2.1",
		"v0.1.0+dirty":                       "0.1.0+dirty",
		"v0.2.0-rc.1":                        "0.2.0-rc.1",
		"v0.2.0-rc-deadbeefcafe":             "0.2.0-rc-deadbeefcafe",
		"v0.0.0-20261123120000-9ee97ea65cf3": Number + "+9ee97ea65cf3",
		"v0.0.0-20261123120000-9ee97ea65cf3+dirty":  Number + "+9ee97ea65cf3.dirty",
		"v0.1.1-0.20261123120000-9ee97ea65cf3":      Number + "+9ee97ea65cf3",
		"v0.2.0-rc.1.0.20261123120000-9ee97ea65cf3": Number + "+9ee97ea65cf3",
		"v0.2.0-20261123120000-9ee97ea65cfx":        "0.2.0-20261123120000-9ee97ea65cfx",
		"v0.2.0-2026112312000x-9ee97ea65cf3":        "0.2.0-2026112312000x-9ee97ea65cf3",
	} {
		if got := of(module); got != want {
			t.Errorf("of(%q) = %q, want %q", module, got, want)
		}
	}
}

// TestChangelog compares Number with the first section of CHANGELOG.md.
func TestChangelog(t *testing.T) {
	text, err := os.ReadFile("../../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			if number, _, _ := strings.Cut(strings.TrimSpace(title), " "); number != Number {
				t.Errorf("the first section of CHANGELOG.md is %q, Number is %q", number, Number)
			}
			return
		}
	}
	t.Error("CHANGELOG.md has no section")
}

func ExampleString() {
	// A test is built without the history.
	fmt.Println("sator", String())
	// Output: sator 0.1.0
}
