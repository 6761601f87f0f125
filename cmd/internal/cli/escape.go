package cli

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// Control characters in texts from outside, such as names of files and variables, could move
// the cursor of a terminal, change its title or hide lines. All text that a program prints
// passes an [escaper]: on standard output, on standard error, and in the files of [Env.Write].
// Control characters other than line feeds and tabs are written as in JSON, for example \u001b. Where a text is one line, as an error is, [Escape] does the same with its line
// feeds. Binary data bypasses the escaper by [Raw].

// An escaper is a writer that escapes control characters.
type escaper struct{ w io.Writer }

// Raw returns the writer below one that escapes control characters, for data that is no text,
// and for drawings with sequences for colors.
func Raw(w io.Writer) io.Writer {
	if e, is := w.(escaper); is {
		return e.w
	}
	return w
}

// c1 is the first byte of the control characters U+0080 to U+009F in UTF-8. At the end of a
// write it is escaped too, since the second byte would follow.
const c1 = 0xc2

// plain reports whether 8 bytes are ASCII without control characters other than line feeds.
// Bytes one by one took a third of the time of writing a formula.
func plain(x uint64) bool {
	const ones = 0x0101010101010101
	const low, high = 0x7f * ones, 0x80 * ones
	printing := (x&low + 0x60*ones) | x // the high bit of each byte that is 0x20 or more
	noFeed := (x^'\n'*ones)&low + low   // and of each other than '\n', as far as it is ASCII
	noDelete := (x^low)&low + low
	return (printing|^noFeed)&noDelete&^x&high == high
}

func (e escaper) Write(p []byte) (int, error) {
	var b []byte
	done := 0 // so many bytes are in b
	for i := 0; i < len(p); i++ {
		for i+8 < len(p) && plain(binary.LittleEndian.Uint64(p[i:])) {
			i += 8
		}
		switch c := p[i]; {
		case c == c1 && i+1 < len(p) && p[i+1] < 0xa0:
			b = fmt.Appendf(append(b, p[done:i]...), `\u%04x`, p[i+1])
			i++
			done = i + 1
		case c < ' ' && c != '\n' && c != '\t', c == 0x7f, c == c1 && i+1 == len(p):
			b = fmt.Appendf(append(b, p[done:i]...), `\u%04x`, c)
			done = i + 1
		}
	}
	if done == 0 {
		return e.w.Write(p)
	}
	if _, err := e.w.Write(append(b, p[done:]...)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Escape returns a text as one line, with its control characters escaped.
func Escape(s string) string {
	var b strings.Builder
	escaper{&b}.Write([]byte(s))
	return strings.NewReplacer("\n", `\u000a`, "\t", `\u0009`).Replace(b.String())
}
