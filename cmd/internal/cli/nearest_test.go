package cli

import "testing"

func TestNearest(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"solve", "solve"},
		{"SLOVE", "solve"},
		{"inof", "info"},
		{"ch", ""},
		{"gen", "generate"},
		{"verbatim", "version"},
		{"", ""},
		{"x", ""},
		{"frobnicate", ""},
	} {
		if got := nearest(tt.name, []string{"solve", "check", "info", "generate", "version"}); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.name, got, tt.want)
		}
	}
}
