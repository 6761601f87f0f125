package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// The programs, their manual pages and their scripts for shells.

// programs lists the programs of a release.
var programs = []string{"sator", "sator-grid", "sator-lab"}

// shells maps the shells to the names of their scripts, in which %s is a program.
var shells = []struct{ shell, name string }{
	{"bash", "completions/%s.bash"},
	{"zsh", "completions/_%s"},
	{"fish", "completions/%s.fish"},
}

// profile is the profile by which the compiler inlines. With one for all programs, the packages
// that they share are compiled once.
const profile = "cmd/sator/default.pgo"

// buildCommand returns the go command that builds the programs for a system in the folder dir.
// The flags override its own.
func buildCommand(ctx context.Context, s system, dir string, flags ...string) *exec.Cmd {
	// Nothing of this machine: no paths, history, C compiler or settings of the user.
	// Symbols (-s, -w) are a third of a program.
	args := []string{"build", "-trimpath", "-buildvcs=false", "-mod=readonly", "-ldflags=-s -w", "-pgo=" + profile}
	// With a separator at the end, the output is a folder.
	args = append(append(args, "-o", dir+string(filepath.Separator)), flags...)
	for _, program := range programs {
		args = append(args, "./cmd/"+program)
	}
	c := exec.CommandContext(ctx, "go", args...)
	c.Env = append(os.Environ(), "GOOS="+s.os, "GOARCH="+s.arch,
		"CGO_ENABLED=0", "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=", "GOFIPS140=off", "GOWORK=off")
	return c
}

// build builds the programs for a system in the folder dir and returns them.
func build(ctx context.Context, s system, dir string, flags ...string) ([]file, error) {
	if _, err := outputOf(buildCommand(ctx, s, dir, flags...)); err != nil {
		return nil, err
	}
	var files []file
	for _, program := range programs {
		name := program + s.suffix()
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: name, mode: 0o755, data: data})
	}
	return files, nil
}

// documents returns the files of an archive beside the programs: README.md, CHANGELOG.md,
// manual pages and scripts for shells. The programs print their own pages; they are built for
// this machine in the folder scratch unless they are there.
func documents(ctx context.Context, scratch string, built map[system][]file) ([]file, error) {
	var files []file
	for _, name := range []string{"README.md", "CHANGELOG.md"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: name, mode: 0o644, data: data})
	}
	host := system{runtime.GOOS, runtime.GOARCH}
	dir := filepath.Join(scratch, host.os+"-"+host.arch)
	own := built[host]
	if own == nil {
		var err error
		if own, err = build(ctx, host, dir, "-pgo=off"); err != nil {
			return nil, err
		}
	}
	for i, program := range programs {
		name := filepath.Join(dir, own[i].name)
		pages, err := manual(ctx, name, filepath.Join(scratch, "man", program))
		if err != nil {
			return nil, err
		}
		files = append(files, pages...)
		for _, s := range shells {
			script, err := outputOf(exec.CommandContext(ctx, name, "completion", s.shell))
			if err != nil {
				return nil, err
			}
			files = append(files, file{name: fmt.Sprintf(s.name, program), mode: 0o644, data: script})
		}
	}
	return files, nil
}

// manual returns the manual pages that a program writes, by way of the folder dir: a page for
// the program and one for each of its commands.
func manual(ctx context.Context, program, dir string) ([]file, error) {
	if _, err := outputOf(exec.CommandContext(ctx, program, "man", "-o", dir)); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var pages []file
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		pages = append(pages, file{name: "man/man1/" + e.Name(), mode: 0o644, data: data})
	}
	return pages, nil
}

// outputOf runs a command and returns its standard output. Its messages are in the error.
func outputOf(c *exec.Cmd) ([]byte, error) {
	var messages bytes.Buffer
	c.Stderr = &messages
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, strings.TrimSpace(messages.String()))
	}
	return out, nil
}
