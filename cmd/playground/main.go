// Playground makes or serves a static web site with Sator's engines, compiled to
// WebAssembly. The site needs no server: everything runs in the browser, and nothing is sent
// anywhere.
//
//	go run ./cmd/playground -o site   # writes the site, for any host of static files
//	go run ./cmd/playground           # serves it on this machine
//
// The program runs the go command in the source tree of Sator, to compile package worker.
//
// # Files
//
//   - main.go: the command line
//   - build.go: the files of the site
//   - write.go: the folder of the site, written whole or not at all
//   - serve.go: the server
//
// Package service answers the requests of the page, package worker is the program for the
// browser, and package site has the static files. The tests with names *_browser_test.go
// need Chromium.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Stdout, os.Stderr, os.Args[1:])
	stop()
	os.Exit(code)
}

// The exit codes.
const (
	codeFailed = 1 // the site cannot be built, written or served
	codeUsage  = 2 // a bad command line
)

// run runs a command line until it is done or ctx ends, and returns the exit code.
func run(ctx context.Context, stdout, stderr io.Writer, args []string) int {
	flags := flag.NewFlagSet("playground", flag.ContinueOnError)
	flags.SetOutput(stderr)
	output := flags.String("o", "", "write the site to the folder `DIR`, and serve nothing")
	flags.StringVar(output, "output", "", "the same as -o `DIR`")
	address := flags.String("http", "localhost:8080", "serve at this `ADDRESS`; port 0 is any free port")
	flags.Usage = func() { fmt.Fprint(stderr, usage) }
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return codeUsage
	case flags.NArg() > 0:
		fmt.Fprintf(stderr, "playground: unexpected operand %q\n", flags.Arg(0))
		return codeUsage
	}
	if err := produce(ctx, stdout, *output, *address); err != nil {
		fmt.Fprintln(stderr, "playground:", err)
		return codeFailed
	}
	return 0
}

const usage = `playground - make or serve a web site with Sator's engines
usage: go run ./cmd/playground [flags]

Makes the playground, a static web site with Sator's engines, and serves it.
It is compiled from the source tree in the current folder.

  -o, --output DIR        write to directory DIR, and serve nothing
  --http ADDRESS          serve at ADDRESS; port 0 is any free one (default
                          localhost:8080)

  go run ./cmd/playground -o site
`

// produce builds the site, and writes or serves it.
func produce(ctx context.Context, stdout io.Writer, output, address string) error {
	files, err := build(ctx)
	if err != nil {
		return err
	}
	if output != "" {
		if err := write(output, files); err != nil {
			return err
		}
		_, err := fmt.Fprintf(stdout, "%s: %d files; the engine takes %.2f MB compressed\n", output, len(files), float64(len(files["worker.wasm.gz"]))/1e6)
		return err
	}
	return serve(ctx, stdout, address, files)
}
