package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sator/cmd/internal/version"
)

// The Debian packages, built by dpkg-deb. They have no file "copyright" yet, because the
// project has no license; lintian reports that as its one error.

// debianRevision is the revision of the package of a version.
const debianRevision = "1"

// debianNames maps architectures of the go command to names of Debian.
var debianNames = map[string]string{"amd64": "amd64", "arm64": "arm64", "386": "i386", "riscv64": "riscv64", "ppc64le": "ppc64el", "s390x": "s390x"}

// debian returns the Debian package for a system, built in the folder dir. There is no package
// if the machine has no dpkg-deb, or Debian no such architecture.
func (p *plan) debian(ctx context.Context, s system, files []file, dir string) ([]output, error) {
	arch, ok := debianNames[s.arch]
	if !ok {
		return nil, nil
	}
	if _, err := exec.LookPath("dpkg-deb"); errors.Is(err, exec.ErrNotFound) {
		fmt.Fprintln(p.log, "release: warning: no Debian package: there is no dpkg-deb")
		return nil, nil
	}
	full := version.Number + "-" + debianRevision
	if err := p.unpack(dir, p.debianFiles(arch, full, files)); err != nil {
		return nil, err
	}
	name := fmt.Sprintf("sator_%s_%s.deb", full, arch)
	built := dir + ".deb"
	// One thread compresses, since the bytes depend on their number. With -z2 a package is 8 %
	// smaller and takes 3.5 times as long.
	c := exec.CommandContext(ctx, "dpkg-deb", "--root-owner-group", "--threads-max=1", "-Zxz", "-z0", "--build", dir, built)
	c.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", p.date.Unix()))
	if _, err := outputOf(c); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(built)
	return []output{{name, data}}, err
}

// debianFiles returns the files of a package, from the files of an archive.
func (p *plan) debianFiles(arch, full string, files []file) []file {
	var all []file
	size := 0
	for _, f := range files {
		f.name = debianPlace(f)
		if strings.HasPrefix(f.name, "usr/share/man/") || path.Base(f.name) == "changelog" {
			f.name, f.data = f.name+".gz", compress(f.data)
		}
		all = append(all, f)
		size += (len(f.data) + 1023) / 1024
	}
	all = append(all,
		file{name: "usr/share/doc/sator/changelog.Debian.gz", mode: 0o644, data: compress(fmt.Appendf(nil,
			"sator (%s) unstable; urgency=medium\n\n  * Version %s; its changes are in changelog.gz.\n\n -- %s  %s\n",
			full, version.Number, p.maintainer, p.date.Format("Mon, 02 Jan 2006 15:04:05 -0700")))},
		file{name: "usr/share/lintian/overrides/sator", mode: 0o644, data: []byte(debianOverrides)},
		file{name: "DEBIAN/control", mode: 0o644, data: fmt.Appendf(nil, debianControl, full, arch, p.maintainer, size)},
	)
	return all
}

// debianPlace returns the name of a file of an archive in a package.
func debianPlace(f file) string {
	dir, base := path.Split(f.name)
	dir = path.Clean(dir)
	switch {
	case f.mode&0o111 != 0:
		return "usr/bin/" + base
	case dir == "completions" && strings.HasSuffix(base, ".bash"):
		return "usr/share/bash-completion/completions/" + strings.TrimSuffix(base, ".bash")
	case dir == "completions" && strings.HasSuffix(base, ".fish"):
		return "usr/share/fish/vendor_completions.d/" + base
	case dir == "completions":
		return "usr/share/zsh/vendor-completions/" + base
	case base == "CHANGELOG.md":
		return "usr/share/doc/sator/changelog"
	case strings.HasPrefix(dir, "man/"):
		return "usr/share/" + f.name
	}
	return "usr/share/doc/sator/" + base
}

// unpack writes files below the folder dir, with the date of the release.
func (p *plan) unpack(dir string, files []file) error {
	all := folders(files)
	for _, f := range all {
		name := filepath.Join(dir, filepath.FromSlash(f.name))
		if f.dir {
			if err := os.MkdirAll(name, 0o755); err != nil {
				return err
			}
			continue
		}
		if err := os.WriteFile(name, f.data, fs.FileMode(f.mode)); err != nil {
			return err
		}
	}
	// The permissions do not depend on the mask of the user. A folder gets its date after its
	// files.
	for _, f := range slices.Backward(append([]file{{name: ".", mode: 0o755, dir: true}}, all...)) {
		name := filepath.Join(dir, filepath.FromSlash(f.name))
		if err := errors.Join(os.Chmod(name, fs.FileMode(f.mode)), os.Chtimes(name, p.date, p.date)); err != nil {
			return err
		}
	}
	return nil
}

const debianControl = `Package: sator
Version: %s
Architecture: %s
Maintainer: %s
Installed-Size: %d
Section: math
Priority: optional
Description: SAT solver with proofs
 Sator reads formulas in DIMACS CNF and prints a model that it has checked, or
 that there is none, with a proof in DRAT or LRAT. It also checks proofs and
 models of other solvers, counts and enumerates models, finds minimal
 unsatisfiable subsets and models of least cost, and solves, rates and
 generates Sudokus.
 .
 The programs are sator, sator-grid for cube and conquer on many machines, and
 sator-lab for comparisons of solvers and experiments.
`

// debianOverrides lists findings of lintian that are intended.
const debianOverrides = `# Programs in pure Go do not use the C library.
sator: statically-linked-binary
`
