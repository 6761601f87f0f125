package cli_test

import (
	"testing"

	"sator/cmd/internal/cli"
)

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n          int
		noun, want string
	}{
		{0, "cube", "0 cubes"}, {1, "cube", "1 cube"}, {2, "cube", "2 cubes"}, {1, "failed literal", "1 failed literal"},
		{11, "branch", "11 branches"}, {1, "branch", "1 branch"}, {21, "class", "21 classes"}, {1, "class", "1 class"},
		{3, "binary", "3 binaries"}, {1, "binary", "1 binary"}, {-1, "byte", "-1 bytes"},
	} {
		if got := cli.Count(c.n, c.noun); got != c.want {
			t.Errorf("Count(%d, %q) = %q, want %q", c.n, c.noun, got, c.want)
		}
	}
}
