//go:build !(js && wasm)

package main

import (
	"fmt"
	"os"
)

// main of other systems says what the package is for. It makes "go build ./..." and "go vet"
// of all packages work.
func main() {
	fmt.Fprintln(os.Stderr, "worker: this program runs in a browser; go run ./cmd/playground")
	os.Exit(2)
}
