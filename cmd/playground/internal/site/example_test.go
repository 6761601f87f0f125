package site_test

import (
	"bytes"
	"fmt"

	"sator/cmd/playground/internal/site"
)

func Example() {
	page, err := site.Files.ReadFile("index.html")
	fmt.Println(bytes.HasPrefix(page, []byte("<!doctype html>")), err)
	// Output: true <nil>
}
