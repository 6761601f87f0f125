package main

import (
	"bytes"
	"os"
	"testing"
)

// TestProfile checks that the profile for go build is that of sator.
func TestProfile(t *testing.T) {
	own, err := os.ReadFile("default.pgo")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../sator/default.pgo")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(own, want) {
		t.Error("default.pgo differs from ../sator/default.pgo: copy that file")
	}
}
