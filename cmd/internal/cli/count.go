package cli

import (
	"fmt"
	"strings"
)

// Count returns a number with a noun, as in "1 cube", "2 cubes" and "0 branches". The noun is
// in the singular; unless the number is 1, its last word gets a regular ending: -s, -es after
// ch and s, and -ies for -y.
func Count[N int | int64 | uint64 | uint32](n N, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "y"):
		return fmt.Sprintf("%d %sies", n, noun[:len(noun)-1])
	case strings.HasSuffix(noun, "ch") || strings.HasSuffix(noun, "s"):
		return fmt.Sprintf("%d %ses", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
