// Release makes the files of a release: archives of the programs for several systems, a
// Debian package and a container image for Linux, and their checksums.
//
//	go run ./cmd/release                          # all of them, in the folder dist
//	go run ./cmd/release --systems linux/amd64 -o /tmp/dist
//
// The current folder must be the source tree of Sator. The program runs the go command there. It needs no other program; the Debian packages are left out where dpkg-deb is
// missing.
//
// # Reproducible
//
// The same source tree and the same version of Go make the same bytes, in any folder, on any
// day and on any system: the go command is called with -trimpath and without the history of
// the tree, the files of an archive are sorted, belong to root, and have the date of the
// release, from the first section of CHANGELOG.md. The environment variable
// SOURCE_DATE_EPOCH sets another date (reproducible-builds.org). Another version of
// dpkg-deb can make other bytes of the Debian packages.
//
// # Files
//
//   - main.go: the command line
//   - plan.go: the files of the release, the version and the date
//   - build.go: programs, manual pages and scripts for shells
//   - archive.go: tar and zip
//   - image.go: the container image
//   - debian.go: the Debian packages
//   - Containerfile: the same image by podman, buildah or docker
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Stdout, os.Stderr, os.Args[1:])
	stop()
	os.Exit(code)
}

// The exit codes.
const (
	codeFailed = 1 // a file of the release cannot be made
	codeUsage  = 2 // a bad command line
)

const usage = `release - make the files of a release of Sator
usage: go run ./cmd/release [flags]

Makes the files of a release of Sator from the source tree in the current
folder: archives of the programs, Debian packages, a container image, and
SHA256SUMS. The same source tree makes the same bytes.

  -o, --output DIR        write to directory DIR, new or empty (default dist)
  --systems LIST          make the archives for these systems (default all six)
  --maintainer ADDRESS    name and ADDRESS of the maintainer of Debian packages

  go run ./cmd/release --systems linux/amd64,darwin/arm64 -o /tmp/dist
`

// allSystems lists the systems of a release as the go command names them.
const allSystems = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

// defaultMaintainer answers for the Debian packages.
const defaultMaintainer = "Sator developers <sator@users.noreply.example>"

// run runs a command line until it is done or ctx ends, and returns the exit code.
func run(ctx context.Context, stdout, stderr io.Writer, args []string) int {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.SetOutput(stderr)
	output := flags.String("o", "dist", "write the files to the folder `DIR`, which must be new or empty")
	flags.StringVar(output, "output", "dist", "the same as -o `DIR`")
	list := flags.String("systems", allSystems, "make the archives for these systems, a `LIST` with commas")
	maintainer := flags.String("maintainer", defaultMaintainer, "name and `ADDRESS` of the maintainer of the Debian packages")
	flags.Usage = func() { fmt.Fprint(stderr, usage) }
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return codeUsage
	case flags.NArg() > 0:
		fmt.Fprintf(stderr, "release: unexpected operand %q\n", flags.Arg(0))
		return codeUsage
	}
	systems, err := parseSystems(*list)
	if err != nil {
		fmt.Fprintln(stderr, "release:", err)
		return codeUsage
	}
	p := &plan{systems: systems, maintainer: *maintainer, log: stderr}
	if err := p.produce(ctx, stdout, *output); err != nil {
		fmt.Fprintln(stderr, "release:", err)
		return codeFailed
	}
	return 0
}

// A system is an operating system and an architecture, as the go command names them.
type system struct{ os, arch string }

func (s system) String() string { return s.os + "/" + s.arch }

// suffix returns the ending of the names of programs.
func (s system) suffix() string {
	if s.os == "windows" {
		return ".exe"
	}
	return ""
}

// parseSystems parses a list such as "linux/amd64,darwin/arm64", without repetitions.
func parseSystems(list string) ([]system, error) {
	var systems []system
	seen := map[system]bool{}
	for name := range strings.SplitSeq(list, ",") {
		goos, goarch, ok := strings.Cut(name, "/")
		if !ok || goos == "" || goarch == "" || strings.ContainsAny(goarch, `/\ `) {
			return nil, fmt.Errorf("invalid value %q for --systems: want a list such as linux/amd64,darwin/arm64", list)
		}
		s := system{goos, goarch}
		if seen[s] {
			return nil, fmt.Errorf("invalid value %q for --systems: %v is there twice", list, s)
		}
		seen[s] = true
		systems = append(systems, s)
	}
	return systems, nil
}
