package cli

import (
	"bytes"
	"testing"
)

// TestEscaper checks what is escaped, in one write and with each character in its own.
func TestEscaper(t *testing.T) {
	for _, tt := range []struct{ text, want, line string }{
		{"plain\ttext\n", "plain\ttext\n", `plain\u0009text\u000a`},
		{"\x1b]0;title\x07", `\u001b]0;title\u0007`, `\u001b]0;title\u0007`},
		{"a\rb\x00\x7f", `a\u000db\u0000\u007f`, `a\u000db\u0000\u007f`},
		{"c1 \u009b2J, not \u00a0 °é┏", `c1 \u009b2J, not ` + "\u00a0 °é┏", `c1 \u009b2J, not ` + "\u00a0 °é┏"},
		{"ends \xc2", `ends \u00c2`, `ends \u00c2`},
	} {
		var b bytes.Buffer
		e := escaper{&b}
		if n, err := e.Write([]byte(tt.text)); n != len(tt.text) || err != nil || b.String() != tt.want {
			t.Errorf("%q: got %q, %d, %v", tt.text, b.String(), n, err)
		}
		if got := Escape(tt.text); got != tt.line {
			t.Errorf("%q: got the line %q", tt.text, got)
		}
	}
	for c := range 256 { // at each place of a word
		for at := range 24 {
			text := []byte("0123456789\n123456789012345")
			text[at] = byte(c)
			var b bytes.Buffer
			escaper{&b}.Write(text)
			control := c < ' ' && c != '\n' && c != '\t' || c == 0x7f || c == c1 && text[at+1] < 0xa0
			if escaped := !bytes.Equal(b.Bytes(), text); escaped != control {
				t.Errorf("byte %#x at %d: got %q", c, at, b.Bytes())
			}
		}
	}
	if w := new(bytes.Buffer); Raw(escaper{w}) != w || Raw(w) != w {
		t.Error("Raw does not bypass the escaper")
	}
}
