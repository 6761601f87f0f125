package mutants

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Mutant is a fault and the tests that must detect it.
type Mutant struct {
	Name  string // path of the patch without "testdata/mutants/" and ".patch", with slashes
	Fault string // one sentence or more
	Tests []Test
	Edits []Edit
}

// A Test is a call of go test.
type Test struct {
	Package string   // relative to the module's root, such as ./dpll
	Run     string   // regular expression of test names
	Flags   []string // further flags of go test, such as -tags=satcheck
}

// An Edit is a change of one file.
type Edit struct {
	File  string // relative to the module's root, with slashes
	Hunks []Hunk
}

// A Hunk replaces the lines of Old by the lines of New. Old must occur exactly once.
type Hunk struct{ Old, New string }

// Load reads all patches below the root of a module, in the order of their names.
func Load(root string) ([]*Mutant, error) {
	var all []*Mutant
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && name != root:
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".patch" || !strings.HasSuffix(filepath.Dir(name), filepath.Join("testdata", "mutants")):
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		m, err := Parse(string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.ToSlash(rel), err)
		}
		m.Name = strings.Replace(strings.TrimSuffix(filepath.ToSlash(rel), ".patch"), "testdata/mutants/", "", 1)
		all = append(all, m)
		return nil
	})
	slices.SortFunc(all, func(a, b *Mutant) int { return cmp.Compare(a.Name, b.Name) })
	return all, err
}

// Parse reads a patch; the package comment describes the format. An error begins with
// the number of the line that is wrong.
func Parse(text string) (*Mutant, error) {
	m := &Mutant{}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	i := 0
	for ; i < len(lines) && !strings.HasPrefix(lines[i], "--- "); i++ {
		if spec, is := strings.CutPrefix(lines[i], "Test: "); is {
			words := strings.Fields(spec)
			if len(words) < 2 {
				return nil, fmt.Errorf("line %d: want Test: PACKAGE REGEXP [FLAG]", i+1)
			}
			m.Tests = append(m.Tests, Test{words[0], words[1], words[2:]})
		} else {
			m.Fault += lines[i] + "\n"
		}
	}
	m.Fault = strings.TrimSpace(m.Fault)
	for i < len(lines) {
		n, err := m.parseEdit(lines[i:])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+n+1, err)
		}
		i += n
	}
	switch {
	case m.Fault == "":
		return nil, errors.New("line 1: want a description of the fault")
	case len(m.Tests) == 0:
		return nil, errors.New("line 1: want a line Test: PACKAGE REGEXP")
	case len(m.Edits) == 0:
		return nil, fmt.Errorf("line %d: want a change, --- FILE", len(lines))
	}
	return m, nil
}

// parseEdit reads the change of a file. It returns the number of lines read, or
// the index of the wrong line.
func (m *Mutant) parseEdit(lines []string) (n int, err error) {
	file := strings.TrimSpace(strings.TrimPrefix(lines[0], "--- "))
	if len(lines) < 3 || lines[1] != "+++ "+file {
		return min(1, len(lines)-1), fmt.Errorf("want +++ %s", file)
	}
	e := Edit{File: file}
	for n = 2; n < len(lines) && !strings.HasPrefix(lines[n], "--- "); n++ {
		line := lines[n]
		if strings.HasPrefix(line, "@@") {
			e.Hunks = append(e.Hunks, Hunk{})
			continue
		}
		if len(e.Hunks) == 0 {
			return n, errors.New("want @@ before the lines of a hunk")
		}
		h := &e.Hunks[len(e.Hunks)-1]
		switch {
		case line == "":
			h.Old, h.New = h.Old+"\n", h.New+"\n"
		case line[0] == ' ':
			h.Old, h.New = h.Old+line[1:]+"\n", h.New+line[1:]+"\n"
		case line[0] == '-':
			h.Old += line[1:] + "\n"
		case line[0] == '+':
			h.New += line[1:] + "\n"
		default:
			return n, errors.New("want a line that begins with a blank, - or +")
		}
	}
	if slices.ContainsFunc(e.Hunks, func(h Hunk) bool { return h.Old == "" || h.Old == h.New }) || len(e.Hunks) == 0 {
		return n - 1, errors.New("want a hunk with a line to change")
	}
	m.Edits = append(m.Edits, e)
	return n, nil
}

// Apply returns the text with all hunks applied, or an error if the lines of one of them
// do not occur exactly once.
func (e *Edit) Apply(text string) (string, error) {
	text = "\n" + text
	for i, h := range e.Hunks {
		old := "\n" + h.Old
		at := strings.Index(text, old)
		switch {
		case at < 0:
			return "", fmt.Errorf("%s: the lines of hunk %d do not occur", e.File, i+1)
		case strings.Contains(text[at+1:], old):
			return "", fmt.Errorf("%s: the lines of hunk %d occur more than once", e.File, i+1)
		}
		text = text[:at] + "\n" + h.New + text[at+len(old):]
	}
	return text[1:], nil
}
