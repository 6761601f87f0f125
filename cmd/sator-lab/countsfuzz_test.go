package main

import (
	"bytes"
	"testing"

	"sator/internal/fuzztest"
)

// FuzzParseCounts checks that a file of counts is read only if it is just what is
// written.
func FuzzParseCounts(f *testing.F) {
	c := &fuzzCounts{Format: countsFormat, NextSeed: 9, Rounds: map[string]int64{"cdcl": 9}, Failed: []uint64{3}}
	whole := c.marshal()
	words := []string{"{", "}", "[", "]", ",", ":", "null", `"format"`, `"` + countsFormat + `"`, `"checksum"`, "1e400", "-1"}
	fuzztest.Run(f, [][]byte{whole}, words, func(t testing.TB, in []byte) {
		c, err := parseCounts(in)
		if err == nil && !bytes.Equal(c.marshal(), in) {
			t.Fatal("other counts than those written are read")
		}
	})
}
