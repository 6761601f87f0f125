// Package version names the version of the programs and of the C library.
//
// [Number] is the version that the source tree is, or becomes. The go command records more: the
// tag of a released module, or the commit of a checkout. [String] combines both.
package version

import (
	"runtime/debug"
	"strings"
)

// Number is the version of the source tree, a semantic version (semver.org) without "v". It is the
// number of the first section of CHANGELOG.md.
const Number = "0.1.0"

// String returns the version of the running program. That of a tag, or of a module that was
// installed by its version, is the number alone ("0.1.0"). For a build from another commit of a
// checkout its name follows ("0.1.0+9ee97ea65cf3"), with ".dirty" if files were changed. A test
// binary, and a program that was built without the history, return [Number].
func String() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Number
	}
	return of(info.Main.Version)
}

// of returns the version for a module version as the go command records it: "", "(devel)",
// a tag such as "v0.1.0", or a pseudo-version such as
// "v0.0.0-20261123120000-9ee97ea65cf3", with "+dirty" if files were changed.
func of(module string) string {
	if module == "" || module == "(devel)" {
		return Number
	}
	name, dirty := strings.CutSuffix(module, "+dirty")
	var build []string
	release := strings.TrimPrefix(name, "v")
	if c := commit(name); c != "" {
		release, build = Number, append(build, c)
	}
	if dirty {
		build = append(build, "dirty")
	}
	if len(build) == 0 {
		return release
	}
	return release + "+" + strings.Join(build, ".")
}

// commit returns the commit of a pseudo-version, its last 12 digits, or "" for another
// version. Before them are the 14 digits of its time.
func commit(module string) string {
	i := strings.LastIndexByte(module, '-')
	if i < 0 || len(module)-i-1 != 12 || strings.Trim(module[i+1:], "0123456789abcdef") != "" {
		return ""
	}
	before := module[:i]
	j := strings.LastIndexAny(before, "-.")
	if j < 0 || len(before)-j-1 != 14 || strings.Trim(before[j+1:], "0123456789") != "" {
		return ""
	}
	return module[i+1:]
}
