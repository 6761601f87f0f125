//go:build unix

package program_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// Tests of the links between documents. A link to a file or a folder of the tree is relative to
// the page, and names a heading by the anchor that web sites make of it.

// TestLinks: each relative link of each page leads to a file and a heading that exist.
func TestLinks(t *testing.T) {
	count := 0
	for name, text := range pages(t) {
		for _, l := range links(text) {
			count++
			if err := l.check(filepath.Join(root, name)); err != nil {
				t.Errorf("%s:%d: %v", name, l.line, err)
			}
		}
	}
	if count < 50 {
		t.Errorf("there are %d links, which are too few", count)
	}
}

// ours matches the path of a file or a package of the tree, or the import path of a package.
var ours = regexp.MustCompile(`^(?:\./|sator/)?((?:benchmarks|cmd|dimacs|dpll|internal|sudoku|twosat)(?:/[\w.-]*\w)+)/?(?:\.\.\.)?$`)

// TestNames: each file and each package of the tree that a page names exists.
func TestNames(t *testing.T) {
	count := 0
	for name, text := range pages(t) {
		for _, words := range quoted(text) {
			for word := range strings.FieldsSeq(words) {
				m := ours.FindStringSubmatch(word)
				if m == nil {
					continue
				}
				count++
				if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
					t.Errorf("%s names %s, which does not exist", name, word)
				}
			}
		}
	}
	if count < 50 {
		t.Errorf("there are %d names, which are too few", count)
	}
}

// TestReadmeIsShort: README.md leads to other pages and does not replace them.
func TestReadmeIsShort(t *testing.T) {
	all := pages(t)
	if n := strings.Count(all["README.md"], "\n"); n > 150 {
		t.Errorf("it has %d lines, more than 150", n)
	}
	linked := map[string]bool{}
	for _, l := range links(all["README.md"]) {
		linked[l.path] = true
	}
	for name := range all {
		if filepath.Base(filepath.Dir(name)) == "docs" && !linked[name] {
			t.Errorf("it has no link to %s", name)
		}
	}
}

// pages returns the Markdown files of the tree outside testdata, by their names relative to
// the root.
func pages(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		base := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != root && (base[0] == '.' || base[0] == '_' || base == "testdata"):
			return fs.SkipDir
		case !d.IsDir() && strings.HasSuffix(base, ".md"):
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(root, name)
			all[filepath.ToSlash(rel)] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A link is a relative link of a page.
type link struct {
	line         int // in the page, from 1
	path, anchor string
}

var (
	inline  = regexp.MustCompile(`\]\(([^() ]*)(?: "[^"]*")?\)`)
	span    = regexp.MustCompile("`[^`]*`")
	scheme  = regexp.MustCompile("^[a-z]+:")
	heading = regexp.MustCompile("^#{1,6} +(.*?) *#*$")
)

// links returns the links of a page to files and headings.
func links(text string) []link {
	var all []link
	for i, line := range parsePage("", text).plain {
		for _, m := range inline.FindAllStringSubmatch(span.ReplaceAllString(line, ""), -1) {
			if target := m[1]; !scheme.MatchString(target) {
				path, anchor, _ := strings.Cut(target, "#")
				all = append(all, link{i + 1, path, anchor})
			}
		}
	}
	return all
}

// check returns an error if a link of a page leads nowhere.
func (l link) check(page string) error {
	target := page
	if l.path != "" {
		target = filepath.Join(filepath.Dir(page), filepath.FromSlash(l.path))
	}
	if _, err := os.Stat(target); err != nil || strings.HasPrefix(l.path, "/") {
		return fmt.Errorf("the link %q leads to no file", l.path)
	}
	if l.anchor == "" {
		return nil
	}
	text, err := os.ReadFile(target)
	if err != nil {
		return err
	}
	if !slices.Contains(anchors(string(text)), l.anchor) {
		return fmt.Errorf("%s has no heading for #%s", filepath.Base(target), l.anchor)
	}
	return nil
}

// anchors returns the anchors of the headings of a page: the letters and digits in lower case,
// with hyphens for blanks, and a number after the first of several equal ones.
func anchors(text string) []string {
	var all []string
	count := map[string]int{}
	for _, line := range parsePage("", text).plain {
		m := heading.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		anchor := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, m[1])
		if n := count[anchor]; n > 0 {
			all = append(all, fmt.Sprintf("%s-%d", anchor, n))
		} else {
			all = append(all, anchor)
		}
		count[anchor]++
	}
	return all
}

// TestLinkFaults: links that lead nowhere are found, at their lines.
func TestLinkFaults(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "p.md")
	text := "# A `page`, of links\n\n[a](p.md) [b](p.md#a-page-of-links) [c](#two) [d](https://example.org/x) `[e](f)`\n" +
		"```sh\n[g](h)\n# not a heading\n```\n## Two\n## Two\n[i](#two-1) ![j](j.png)\n[k](p.md#not-a-heading) [l](#three)\n"
	if err := os.WriteFile(page, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var faults []string
	for _, l := range links(text) {
		if err := l.check(page); err != nil {
			faults = append(faults, fmt.Sprintf("%d: %v", l.line, err))
		}
	}
	want := []string{`10: the link "j.png" leads to no file`, "11: p.md has no heading for #not-a-heading", "11: p.md has no heading for #three"}
	if !slices.Equal(faults, want) {
		t.Errorf("faults %q, want %q", faults, want)
	}
}
