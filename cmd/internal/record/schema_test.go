package record

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestSchema compares the list of types in dpll/docs/recording.md with the types.
func TestSchema(t *testing.T) {
	page, err := os.ReadFile("../../../dpll/docs/recording.md")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{fmt.Sprintf("## The format, version %d\n", Version)}
	for _, make := range types {
		want = append(want, "\n| `"+make().Type()+"` | ")
	}
	for _, part := range want {
		if !strings.Contains(string(page), part) {
			t.Errorf("the page lacks %q", part)
		}
	}
}
