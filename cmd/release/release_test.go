package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"sator/cmd/internal/version"
	"sator/internal/effort"
)

var testDate = time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)

// testFiles returns files as those of an archive.
func testFiles() []file {
	return []file{
		{name: "sator", mode: 0o755, data: []byte("\x7fELF program")},
		{name: "README.md", mode: 0o644, data: []byte("read me\n")},
		{name: "CHANGELOG.md", mode: 0o644, data: []byte("## 0.1.0\n")},
		{name: "man/man1/sator.1", mode: 0o644, data: []byte(".TH SATOR 1\n")},
		{name: "completions/sator.bash", mode: 0o644, data: []byte("complete sator\n")},
		{name: "completions/_sator", mode: 0o644, data: []byte("#compdef sator\n")},
		{name: "completions/sator.fish", mode: 0o644, data: []byte("complete -c sator\n")},
	}
}

func reversed(files []file) []file {
	r := slices.Clone(files)
	slices.Reverse(r)
	return r
}

// untar returns names, permissions and contents of an archive, each as a line, and checks
// dates and owners.
func untar(t *testing.T, data []byte) []string {
	t.Helper()
	var lines []string
	for r := tar.NewReader(bytes.NewReader(data)); ; {
		h, err := r.Next()
		if err == io.EOF {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if !h.ModTime.Equal(testDate) || h.Uid != 0 || h.Gid != 0 || h.Uname != "root" {
			t.Errorf("%s: date %v, owner %d:%d %s", h.Name, h.ModTime, h.Uid, h.Gid, h.Uname)
		}
		lines = append(lines, fmt.Sprintf("%o %s %q", h.Mode, h.Name, content))
	}
}

func gunzip(t *testing.T, data []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestArchives reads archives back. The order of the files does not change the bytes.
func TestArchives(t *testing.T) {
	p := &plan{date: testDate}
	linux := p.archive(system{"linux", "arm64"}, testFiles())
	if want := "sator-" + version.Number + "-linux-arm64.tar.gz"; linux.name != want {
		t.Errorf("name %s, want %s", linux.name, want)
	}
	if again := p.archive(system{"linux", "arm64"}, reversed(testFiles())); !bytes.Equal(linux.data, again.data) {
		t.Error("tar: other bytes for another order of the files")
	}
	dir := "sator-" + version.Number + "-linux-arm64/"
	want := []string{
		"755 " + dir + ` ""`,
		"644 " + dir + `CHANGELOG.md "## 0.1.0\n"`,
		"644 " + dir + `README.md "read me\n"`,
		"755 " + dir + `completions/ ""`,
		"644 " + dir + `completions/_sator "#compdef sator\n"`,
		"644 " + dir + `completions/sator.bash "complete sator\n"`,
		"644 " + dir + `completions/sator.fish "complete -c sator\n"`,
		"755 " + dir + `man/ ""`,
		"755 " + dir + `man/man1/ ""`,
		"644 " + dir + `man/man1/sator.1 ".TH SATOR 1\n"`,
		"755 " + dir + `sator "\x7fELF program"`,
	}
	if got := untar(t, gunzip(t, linux.data)); !slices.Equal(got, want) {
		t.Errorf("tar has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}

	windows := p.archive(system{"windows", "amd64"}, testFiles())
	if again := p.archive(system{"windows", "amd64"}, reversed(testFiles())); !bytes.Equal(windows.data, again.data) {
		t.Error("zip: other bytes for another order of the files")
	}
	z, err := zip.NewReader(bytes.NewReader(windows.data), int64(len(windows.data)))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range z.File {
		if !f.Modified.Equal(testDate) {
			t.Errorf("%s: date %v", f.Name, f.Modified)
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		got[f.Name] = string(content)
	}
	for _, f := range testFiles() {
		if name := "sator-" + version.Number + "-windows-amd64/" + f.name; got[name] != string(f.data) {
			t.Errorf("zip: %s is %q, want %q", name, got[name], f.data)
		}
	}
	if len(got) != len(testFiles()) {
		t.Errorf("zip has %d files, want %d", len(got), len(testFiles()))
	}
}

// TestImage follows the references of an image from its index to the files of each layer,
// and compares checksums and sizes.
func TestImage(t *testing.T) {
	p := &plan{date: testDate}
	systems := []system{{"linux", "amd64"}, {"linux", "arm64"}}
	var layers []layer
	for _, s := range systems {
		layers = append(layers, p.layer(s, testFiles()))
	}
	data := p.image(layers)
	untar(t, data)
	blobs := map[string][]byte{}
	for r := tar.NewReader(bytes.NewReader(data)); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if blobs[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	if got := string(blobs["oci-layout"]); got != `{"imageLayoutVersion":"1.0.0"}` {
		t.Errorf("oci-layout is %s", got)
	}
	type references struct {
		Config    descriptor
		Manifests []descriptor
		Layers    []descriptor
	}
	// blob returns the bytes of a reference.
	blob := func(d descriptor) []byte {
		sum, ok := strings.CutPrefix(d.Digest, "sha256:")
		data := blobs["blobs/sha256/"+sum]
		if !ok || len(data) != d.Size || fmt.Sprintf("%x", sha256.Sum256(data)) != sum {
			t.Fatalf("%s has %d bytes, want %d, or another checksum", d.Digest, len(data), d.Size)
		}
		return data
	}
	parse := func(data []byte, v any) {
		if err := json.Unmarshal(data, v); err != nil {
			t.Fatal(err)
		}
	}
	var index, images references
	parse(blobs["index.json"], &index)
	if len(index.Manifests) != 1 {
		t.Fatalf("index.json has %d references, want 1", len(index.Manifests))
	}
	parse(blob(index.Manifests[0]), &images)
	if len(images.Manifests) != len(systems) {
		t.Fatalf("%d images, want %d", len(images.Manifests), len(systems))
	}
	for i, d := range images.Manifests {
		if d.Platform == nil || d.Platform.OS != "linux" || d.Platform.Architecture != systems[i].arch {
			t.Errorf("image %d is for %+v, want %v", i, d.Platform, systems[i])
		}
		var manifest references
		var config imageConfig
		parse(blob(d), &manifest)
		parse(blob(manifest.Config), &config)
		if config.Architecture != systems[i].arch || !slices.Equal(config.Config.Entrypoint, []string{"/sator"}) {
			t.Errorf("image %d: %+v", i, config)
		}
		tree := gunzip(t, blob(manifest.Layers[0]))
		if id := fmt.Sprintf("sha256:%x", sha256.Sum256(tree)); len(manifest.Layers) != 1 || !slices.Equal(config.RootFS.DiffIDs, []string{id}) {
			t.Errorf("image %d: layers %v, want %s", i, config.RootFS.DiffIDs, id)
		}
		if got, want := untar(t, tree), []string{`755 data/ ""`, `755 sator "\x7fELF program"`, `1777 tmp/ ""`}; !slices.Equal(got, want) {
			t.Errorf("image %d has %s, want %s", i, got, want)
		}
	}
}

// TestDebian compares two packages of the same files, made in different folders from files
// in another order, and lists their contents.
func TestDebian(t *testing.T) {
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		t.Skip("there is no dpkg-deb")
	}
	p := &plan{date: testDate, maintainer: "Nobody <nobody@localhost>", log: io.Discard}
	var packages [][]byte
	for _, files := range [][]file{testFiles(), reversed(testFiles())} {
		made, err := p.debian(t.Context(), system{"linux", "arm64"}, files, filepath.Join(t.TempDir(), "package"))
		if err != nil {
			t.Fatal(err)
		}
		if want := "sator_" + version.Number + "-1_arm64.deb"; len(made) != 1 || made[0].name != want {
			t.Fatalf("made %d packages, want %s", len(made), want)
		}
		packages = append(packages, made[0].data)
	}
	if !bytes.Equal(packages[0], packages[1]) {
		t.Error("two packages of the same files differ")
	}
	name := filepath.Join(t.TempDir(), "sator.deb")
	if err := os.WriteFile(name, packages[0], 0o666); err != nil {
		t.Fatal(err)
	}
	list, err := exec.Command("dpkg-deb", "--contents", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(list)) {
		if words := strings.Fields(line); !strings.HasSuffix(words[5], "/") {
			got = append(got, words[0]+" "+words[1]+" "+words[3]+" "+strings.TrimPrefix(words[5], "./"))
		}
	}
	want := []string{
		"-rwxr-xr-x root/root 2026-11-23 usr/bin/sator",
		"-rw-r--r-- root/root 2026-11-23 usr/share/bash-completion/completions/sator",
		"-rw-r--r-- root/root 2026-11-23 usr/share/doc/sator/README.md",
		"-rw-r--r-- root/root 2026-11-23 usr/share/doc/sator/changelog.Debian.gz",
		"-rw-r--r-- root/root 2026-11-23 usr/share/doc/sator/changelog.gz",
		"-rw-r--r-- root/root 2026-11-23 usr/share/fish/vendor_completions.d/sator.fish",
		"-rw-r--r-- root/root 2026-11-23 usr/share/lintian/overrides/sator",
		"-rw-r--r-- root/root 2026-11-23 usr/share/man/man1/sator.1.gz",
		"-rw-r--r-- root/root 2026-11-23 usr/share/zsh/vendor-completions/_sator",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the package has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	fields, err := exec.Command("dpkg-deb", "--field", name, "Version", "Architecture", "Maintainer").Output()
	if want := "Version: " + version.Number + "-1\nArchitecture: arm64\nMaintainer: Nobody <nobody@localhost>\n"; err != nil || string(fields) != want {
		t.Errorf("fields %q (%v), want %q", fields, err, want)
	}
}

func TestReleaseDate(t *testing.T) {
	const changelog = "# Changelog\n\n## 0.1.0 (2026-11-23)\n\n## 0.0.1 (2025-01-01)\n"
	for _, test := range []struct{ changelog, epoch, want string }{
		{changelog, "", "2026-11-23T00:00:00Z"},
		{changelog, "1000000000", "2001-09-09T01:46:40Z"},
		{changelog, "yesterday", `invalid value "yesterday" for SOURCE_DATE_EPOCH`},
		{changelog, "0", `invalid value "0" for SOURCE_DATE_EPOCH`},
		{"# Changelog\n\n## Unreleased\n", "", `no date in the heading "## Unreleased"`},
		{"# Changelog\n", "", "no heading"},
	} {
		date, err := releaseDate(test.changelog, test.epoch)
		got := date.Format(time.RFC3339)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("releaseDate(%q, %q): %s, want %s", test.changelog, test.epoch, got, test.want)
		}
	}
}

// TestUsage runs bad command lines, and commands that must fail before they build anything.
func TestUsage(t *testing.T) {
	tree := t.TempDir()
	if err := os.WriteFile(filepath.Join(tree, "precious"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Chdir(tree)
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"-h", 0, "usage: go run ./cmd/release [flags]"},
		{"--help", 0, "\n  -o, --output DIR "},
		{"--help", 0, "\n  --systems LIST "},
		{"--help", 0, "\n  --maintainer ADDRESS "},
		{"--output .", 1, "is not empty"},
		{"-x", 2, "flag provided but not defined: -x"},
		{"out", 2, `unexpected operand "out"`},
		{"-systems linux", 2, `invalid value "linux" for --systems`},
		{"-systems linux/amd64,", 2, `invalid value "linux/amd64," for --systems`},
		{"-systems linux/amd64,linux/amd64", 2, "linux/amd64 is there twice"},
		{"-o new", 1, "run it in the source tree of Sator"},
		{"-o .", 1, "is not empty"},
		{"-o precious", 1, "precious"},
	} {
		var stdout, stderr strings.Builder
		code := run(t.Context(), &stdout, &stderr, strings.Fields(test.args))
		if code != test.code || stdout.Len() > 0 || !strings.Contains(stderr.String(), test.want) {
			t.Errorf("release %s: exit code %d, %q, %q; want %d, %q", test.args, code, stdout.String(), stderr.String(), test.code, test.want)
		}
	}
	if entries, err := os.ReadDir(tree); err != nil || len(entries) != 1 {
		t.Errorf("%d files are there (%v), want 1", len(entries), err)
	}
}

// TestPlan assembles the release of all systems from small files, without a compiler, and reads
// names and contents of its outputs.
func TestPlan(t *testing.T) {
	systems, err := parseSystems(allSystems)
	if err != nil {
		t.Fatal(err)
	}
	p := &plan{systems: systems, maintainer: "Nobody <nobody@localhost>", log: io.Discard, date: testDate}
	built := map[system][]file{}
	for _, s := range systems {
		for _, program := range programs {
			built[s] = append(built[s], file{name: program + s.suffix(), mode: 0o755, data: []byte(program + " for " + s.String())})
		}
	}
	outputs, err := p.assemble(t.Context(), t.TempDir(), built, testFiles()[1:])
	if err != nil {
		t.Fatal(err)
	}
	contents := map[string]string{} // of each file: "output:file"
	var names []string
	for _, o := range outputs {
		names = append(names, o.name)
		for name, content := range unpacked(t, o) {
			contents[o.name+":"+name] = content
		}
	}
	want := []string{
		"sator-V-darwin-amd64.tar.gz", "sator-V-darwin-arm64.tar.gz",
		"sator-V-image.tar",
		"sator-V-linux-amd64.tar.gz", "sator-V-linux-arm64.tar.gz",
		"sator-V-windows-amd64.zip", "sator-V-windows-arm64.zip",
	}
	debian := false
	if _, err := exec.LookPath("dpkg-deb"); err == nil {
		debian = true
		want = append(want, "sator_V-1_amd64.deb", "sator_V-1_arm64.deb")
	}
	for i := range want {
		want[i] = strings.Replace(want[i], "V", version.Number, 1)
	}
	if slices.Sort(names); !slices.Equal(names, want) {
		t.Errorf("outputs %s, want %s", names, want)
	}
	for _, s := range systems {
		base := fmt.Sprintf("sator-%s-%s-%s", version.Number, s.os, s.arch)
		archive := base + ".tar.gz"
		if s.os == "windows" {
			archive = base + ".zip"
		}
		for _, program := range built[s] {
			places := []string{archive + ":" + base + "/" + program.name}
			if debian && s.os == "linux" {
				places = append(places, fmt.Sprintf("sator_%s-1_%s.deb:usr/bin/%s", version.Number, s.arch, program.name))
			}
			for _, place := range places {
				if got := contents[place]; got != string(program.data) {
					t.Errorf("%s is %q, want %q", place, got, program.data)
				}
			}
		}
		for _, f := range testFiles()[1:] {
			if place := archive + ":" + base + "/" + f.name; contents[place] != string(f.data) {
				t.Errorf("%s is %q, want %q", place, contents[place], f.data)
			}
		}
	}
	if sums := string(checksums(outputs)); strings.Count(sums, "\n") != len(want) {
		t.Errorf("checksums %s, want %d lines", sums, len(want))
	}
}

// unpacked returns the contents of the files of an archive or a Debian package by name. Of an
// image these are its blobs.
func unpacked(t *testing.T, o output) map[string]string {
	t.Helper()
	contents := map[string]string{}
	add := func(name string, r io.Reader) {
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatalf("%s: %s: %v", o.name, name, err)
		}
		contents[strings.TrimPrefix(name, "./")] = string(data)
	}
	data := o.data
	switch path.Ext(o.name) {
	case ".zip":
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			add(f.Name, r)
		}
		return contents
	case ".gz":
		data = gunzip(t, data)
	case ".deb":
		name := filepath.Join(t.TempDir(), o.name)
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
		var err error
		if data, err = exec.Command("dpkg-deb", "--fsys-tarfile", name).Output(); err != nil {
			t.Fatal(err)
		}
	}
	for r := tar.NewReader(bytes.NewReader(data)); ; {
		h, err := r.Next()
		if err == io.EOF {
			return contents
		}
		if err != nil {
			t.Fatal(err)
		}
		add(h.Name, r)
	}
}

// TestBuildCommand compares the command that builds the programs for each system. The go
// command knows the systems, and the files that are named exist.
func TestBuildCommand(t *testing.T) {
	known, err := exec.Command("go", "tool", "dist", "list").Output()
	if err != nil {
		t.Fatal(err)
	}
	systems, err := parseSystems(allSystems)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOOS", "plan9")
	t.Setenv("GOFLAGS", "-tags=other")
	for _, s := range systems {
		if !slices.Contains(strings.Fields(string(known)), s.String()) {
			t.Errorf("the go command has no system %v", s)
		}
		c := buildCommand(t.Context(), s, "dir", "-x")
		want := "go build -trimpath -buildvcs=false -mod=readonly -ldflags=-s -w -pgo=cmd/sator/default.pgo -o dir" + string(filepath.Separator) +
			" -x ./cmd/sator ./cmd/sator-grid ./cmd/sator-lab"
		if got := strings.Join(c.Args, " "); got != want {
			t.Errorf("%v: %s, want %s", s, got, want)
		}
		env := map[string]string{}
		for _, e := range c.Env { // the last one counts
			key, value, _ := strings.Cut(e, "=")
			env[key] = value
		}
		if env["GOOS"] != s.os || env["GOARCH"] != s.arch || env["CGO_ENABLED"] != "0" || env["GOFLAGS"] != "" {
			t.Errorf("%v: GOOS=%s GOARCH=%s CGO_ENABLED=%s GOFLAGS=%s", s, env["GOOS"], env["GOARCH"], env["CGO_ENABLED"], env["GOFLAGS"])
		}
	}
	for _, name := range []string{profile, "cmd/sator/main.go", "cmd/sator-grid/main.go", "cmd/sator-lab/main.go"} {
		if _, err := os.Stat(filepath.Join("../..", name)); err != nil {
			t.Error(err)
		}
	}
}

// TestRelease makes the release of this system twice, in the source tree and in a copy of it,
// and compares the bytes. The packages are compiled once, by -trimpath, and without the
// profile, for which the standard library would be compiled once more. The image has at most
// 15 MB, the programs name their version, and lintian reports one error. For the other
// systems the go command lists the commands of a build, but does not run them.
func TestRelease(t *testing.T) {
	if !effort.Whole() {
		t.Skip("it compiles the programs anew; run with SATOR_TESTS=whole")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	own := []system{{"linux", "amd64"}}
	if host := (system{runtime.GOOS, runtime.GOARCH}); host != own[0] {
		own = append(own, host)
	}
	release := func(tree string) string {
		t.Chdir(tree)
		dir := filepath.Join(t.TempDir(), "dist")
		p := &plan{systems: own, maintainer: defaultMaintainer, log: io.Discard, flags: []string{"-pgo=off"}}
		if err := p.produce(t.Context(), io.Discard, dir); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	first := release(root)
	other := t.TempDir()
	copySources(t, root, other)
	second := release(other)

	entries, err := os.ReadDir(first)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		a, err := os.ReadFile(filepath.Join(first, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join(second, e.Name())); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: other bytes in another folder (%v)", e.Name(), err)
		}
		t.Logf("%s: %d bytes", e.Name(), len(a))
		if strings.HasSuffix(e.Name(), "-image.tar") && len(a) > 15e6 {
			t.Errorf("%s has %d bytes, want at most 15 MB", e.Name(), len(a))
		}
		if strings.HasSuffix(e.Name(), ".deb") {
			lintian(t, filepath.Join(first, e.Name()))
		}
	}
	checkArchive(t, filepath.Join(first, fmt.Sprintf("sator-%s-%s-%s.tar.gz", version.Number, runtime.GOOS, runtime.GOARCH)))

	t.Chdir(root)
	others, err := parseSystems(allSystems)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range others {
		if slices.Contains(own, s) {
			continue
		}
		if _, err := outputOf(buildCommand(t.Context(), s, t.TempDir(), "-n")); err != nil {
			t.Error(err)
		}
	}
}

// copySources copies a source tree without its history and other hidden files.
func copySources(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		switch {
		case relative != "." && strings.HasPrefix(e.Name(), "."), relative == "dist", e.Name() == "testdata":
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case e.IsDir():
			return os.MkdirAll(filepath.Join(to, relative), 0o777)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, relative), data, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// checkArchive runs the programs of an archive and looks for their pages.
func checkArchive(t *testing.T, name string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		return
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	base := strings.TrimSuffix(filepath.Base(name), ".tar.gz")
	found := map[string]bool{}
	for r := tar.NewReader(bytes.NewReader(gunzip(t, data))); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		inside := strings.TrimPrefix(h.Name, base+"/")
		found[inside] = h.Size > 0
		if h.Mode&0o111 == 0 || h.Typeflag == tar.TypeDir {
			continue
		}
		program, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		executable := filepath.Join(dir, path.Base(h.Name))
		if err := os.WriteFile(executable, program, 0o777); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(executable, "version").Output()
		if want := inside + " " + version.Number + ","; err != nil || !strings.HasPrefix(string(out), want) {
			t.Errorf("%s version: %q (%v), want %s", inside, out, err, want)
		}
	}
	for _, want := range []string{
		"sator", "sator-grid", "sator-lab", "README.md", "CHANGELOG.md", "man/man1/sator.1", "man/man1/sator-solve.1", "man/man1/sator-grid.1",
		"completions/sator.bash", "completions/_sator-lab", "completions/sator-grid.fish",
	} {
		if !found[want] {
			t.Errorf("the archive has no %s, or an empty one", want)
		}
	}
}

// lintian runs the checker of Debian packages, if it is there. The missing copyright file is
// its one error.
func lintian(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath("lintian"); err != nil {
		t.Log("there is no lintian")
		return
	}
	out, _ := exec.Command("lintian", "--allow-root", "--tag-display-limit", "0", name).CombinedOutput()
	t.Logf("%s", out)
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "E: ") && strings.TrimSpace(line) != "E: sator: no-copyright-file" {
			t.Error(line)
		}
	}
}
