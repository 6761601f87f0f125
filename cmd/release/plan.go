package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"sator/cmd/internal/version"
)

// The files of the release.

// A plan describes a release.
type plan struct {
	systems    []system
	maintainer string
	log        io.Writer // progress and warnings
	flags      []string  // more flags of the go command

	date time.Time // of all files
}

// An output is a file of the release.
type output struct {
	name string
	data []byte
}

// produce makes the release in the folder dir, whole or not at all, and prints its
// checksums.
func (p *plan) produce(ctx context.Context, stdout io.Writer, dir string) error {
	if err := vacant(dir); err != nil {
		return err
	}
	changelog, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		return fmt.Errorf("run it in the source tree of Sator: %w", err)
	}
	if p.date, err = releaseDate(string(changelog), os.Getenv("SOURCE_DATE_EPOCH")); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "sator-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	outputs, err := p.outputs(ctx, scratch)
	if err != nil {
		return err
	}
	sums := checksums(outputs)
	if err := write(dir, append(outputs, output{"SHA256SUMS", sums})); err != nil {
		return err
	}
	_, err = stdout.Write(sums)
	return err
}

// outputs builds the programs and returns the files of the release except their checksums.
func (p *plan) outputs(ctx context.Context, scratch string) ([]output, error) {
	built := map[system][]file{}
	for _, s := range p.systems {
		fmt.Fprintf(p.log, "release: build for %v\n", s)
		programs, err := build(ctx, s, filepath.Join(scratch, s.os+"-"+s.arch), p.flags...)
		if err != nil {
			return nil, err
		}
		built[s] = programs
	}
	documents, err := documents(ctx, scratch, built)
	if err != nil {
		return nil, err
	}
	return p.assemble(ctx, scratch, built, documents)
}

// assemble returns the files of the release except their checksums, from the programs for
// each system and the files beside them.
func (p *plan) assemble(ctx context.Context, scratch string, built map[system][]file, documents []file) ([]output, error) {
	var outputs []output
	var layers []layer
	for _, s := range p.systems {
		files := slices.Concat(built[s], documents)
		outputs = append(outputs, p.archive(s, files))
		if s.os != "linux" {
			continue
		}
		layers = append(layers, p.layer(s, built[s]))
		packages, err := p.debian(ctx, s, files, filepath.Join(scratch, "debian-"+s.arch))
		if err != nil {
			return nil, err
		}
		outputs = append(outputs, packages...)
	}
	if len(layers) > 0 {
		outputs = append(outputs, output{"sator-" + version.Number + "-image.tar", p.image(layers)})
	}
	return outputs, nil
}

// archive returns the archive for a system: zip for Windows, and otherwise tar,
// compressed by gzip. All files are in a folder named as the archive.
func (p *plan) archive(s system, files []file) output {
	name := fmt.Sprintf("sator-%s-%s-%s", version.Number, s.os, s.arch)
	files = within(name, files)
	if s.os == "windows" {
		return output{name + ".zip", zipped(files, p.date)}
	}
	return output{name + ".tar.gz", compress(tarred(files, p.date))}
}

// releaseDate returns the date of a release: the seconds since 1970 in epoch, or if epoch is
// empty the day in the first heading of the changelog, "## 0.1.0 (2026-11-23)".
func releaseDate(changelog, epoch string) (time.Time, error) {
	if epoch != "" {
		n, err := strconv.ParseInt(epoch, 10, 64)
		// An archive in zip has a date from 1980 to 2107.
		if err != nil || n < 315532800 || n > 4354819199 {
			return time.Time{}, fmt.Errorf("invalid value %q for SOURCE_DATE_EPOCH: want seconds since 1970, from 1980 to 2107", epoch)
		}
		return time.Unix(n, 0).UTC(), nil
	}
	for line := range strings.Lines(changelog) {
		title, ok := strings.CutPrefix(line, "## ")
		if !ok {
			continue
		}
		_, day, _ := strings.Cut(title, "(")
		day, _, _ = strings.Cut(day, ")")
		date, err := time.Parse(time.DateOnly, day)
		if err != nil {
			return time.Time{}, fmt.Errorf("CHANGELOG.md: no date in the heading %q: want \"## %s (2026-11-23)\"", strings.TrimSpace(line), version.Number)
		}
		return date, nil
	}
	return time.Time{}, errors.New("CHANGELOG.md: no heading of a version")
}

// checksums returns the SHA-256 checksums of files in the format of sha256sum, sorted by
// name.
func checksums(outputs []output) []byte {
	slices.SortFunc(outputs, func(a, b output) int { return strings.Compare(a.name, b.name) })
	var lines []byte
	for _, o := range outputs {
		lines = fmt.Appendf(lines, "%x  %s\n", sha256.Sum256(o.data), o.name)
	}
	return lines
}

// vacant returns an error if dir exists and is not an empty folder.
func vacant(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("the folder %s is not empty: remove it, or name another one with -o", dir)
	}
	return nil
}

// write writes files to the vacant folder dir. They are written to a new folder beside it, and then that
// folder gets its name.
func write(dir string, files []output) (err error) {
	dir = filepath.Clean(dir)
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), filepath.Base(dir)+".new-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(fresh))
		}
	}()
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(fresh, f.name), f.data, 0o666); err != nil {
			return err
		}
	}
	// MkdirTemp makes folders for the owner alone.
	if err := os.Chmod(fresh, 0o755); err != nil {
		return err
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(fresh, dir)
}
