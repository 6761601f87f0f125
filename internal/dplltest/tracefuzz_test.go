package dplltest

import (
	"bytes"
	"strings"
	"testing"

	"sator/internal/fuzztest"
)

// FuzzParseTrace checks that a trace that is read is written and read back, and that an
// error has its line.
func FuzzParseTrace(f *testing.F) {
	seeds := [][]byte{[]byte("add -9223372036854775808\n"), []byte("value 9223372036854775807\n")}
	for seed := range uint64(20) {
		seeds = append(seeds, []byte(RandomTrace(seed, fuzzKnobs, FullProofs).String()))
	}
	words := []string{"#", "option size 5\n", "seed 7\n", "proof hints\n", "proof", "limit 3 0 0\n", "solve 1 -3\n", "model\n", "value 2\n", "failed\n"}
	for _, o := range operations {
		words = append(words, o.name)
	}
	fuzztest.Run(f, seeds, words, func(t testing.TB, in []byte) {
		tr, err := ParseTrace(bytes.NewReader(in))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "line ") {
				t.Fatalf("%v: no line", err)
			}
			return
		}
		text := tr.String()
		again, err := ParseTrace(fuzztest.Pieces([]byte(text)))
		if err != nil || again.String() != text {
			t.Fatalf("%q is read back as %v, error %v", text, again, err)
		}
	})
}
