package program_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// Tests of the sources against the rules of ARCHITECTURE.md. The files are parsed and not
// built, so that imports are found for all build tags and systems.

const root = "../../../.."

// A rule is a row of the import table.
type rule struct {
	pkg      string   // a package, or a pattern that ends in "/..."
	imports  []string // packages and patterns of ours
	standard bool     // no library but the standard one
}

// matches reports whether a package matches a pattern: its path, or a path above it
// followed by "/...".
func matches(pattern, pkg string) bool {
	dir, below := strings.CutSuffix(pattern, "/...")
	return pkg == dir || below && strings.HasPrefix(pkg, dir+"/")
}

// A source is a Go file that is not a test, as far as the rules concern it.
type source struct {
	pkg     string // the directory, relative to the root
	name    string
	imports []string
	starts  []token.Position // go statements
}

// importTable parses the import table of ARCHITECTURE.md.
func importTable(doc string) ([]rule, error) {
	_, table, found := strings.Cut(doc, "| package | may import of ours | libraries |\n")
	if !found {
		return nil, errors.New("no import table")
	}
	var rules []rule
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		if strings.HasPrefix(line, "|-") {
			continue
		}
		r, err := parseRule(line)
		if err != nil {
			return nil, err
		}
		rules = append(rules, r)
	}
	return rules, nil
}

func parseRule(line string) (rule, error) {
	cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
	if len(cells) != 3 {
		return rule{}, fmt.Errorf("%d cells, not 3: %s", len(cells), line)
	}
	pkg, imports := quoted(cells[0]), quoted(cells[1])
	libraries := strings.TrimSpace(cells[2])
	switch {
	case len(pkg) != 1,
		len(imports) == 0 && strings.TrimSpace(cells[1]) != "nothing",
		libraries != "standard" && libraries != "any":
		return rule{}, fmt.Errorf("not a rule: %s", line)
	}
	return rule{pkg[0], imports, libraries == "standard"}, nil
}

// quoted returns the words in back quotes.
func quoted(s string) []string {
	var words []string
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(s, -1) {
		words = append(words, m[1])
	}
	return words
}

// sources parses the Go files below a directory, without tests. Like the go command it
// skips testdata and names that begin with "." or "_".
func sources(dir string) ([]source, error) {
	var all []source
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		base := d.Name()
		switch {
		case err != nil:
			return err
		case name != dir && (base[0] == '.' || base[0] == '_' || d.IsDir() && base == "testdata"):
			if d.IsDir() {
				return fs.SkipDir
			}
		case !d.IsDir() && strings.HasSuffix(base, ".go") && !strings.HasSuffix(base, "_test.go"):
			s, err := parseSource(dir, name)
			all = append(all, s)
			return err
		}
		return nil
	})
	return all, err
}

func parseSource(dir, name string) (source, error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
	if err != nil {
		return source{}, err
	}
	rel, err := filepath.Rel(dir, name)
	if err != nil {
		return source{}, err
	}
	s := source{pkg: path.Dir(filepath.ToSlash(rel)), name: filepath.ToSlash(rel)}
	for _, i := range f.Imports {
		imported, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return source{}, err
		}
		s.imports = append(s.imports, imported)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if g, ok := n.(*ast.GoStmt); ok {
			s.starts = append(s.starts, files.Position(g.Pos()))
		}
		return true
	})
	return s, nil
}

// violations returns a line for each violation of the rules.
func violations(rules []rule, all []source) []string {
	var bad []string
	seen := make([]bool, len(rules))
	for _, s := range all {
		i := slices.IndexFunc(rules, func(r rule) bool { return matches(r.pkg, s.pkg) })
		if i < 0 {
			bad = append(bad, fmt.Sprintf("%s: package %s is not in the table", s.name, s.pkg))
			continue
		}
		seen[i] = true
		for _, imported := range s.imports {
			if why := rules[i].forbids(s.pkg, imported); why != "" {
				bad = append(bad, fmt.Sprintf("%s imports %s: %s", s.name, imported, why))
			}
		}
	}
	for i, r := range rules {
		if !seen[i] {
			bad = append(bad, fmt.Sprintf("package %s of the table does not exist", r.pkg))
		}
	}
	return bad
}

// forbids returns the reason why a package may not import another, or an empty string.
// Only import paths of libraries have a dot in the first element.
func (r *rule) forbids(pkg, imported string) string {
	ours, isOurs := strings.CutPrefix(imported, "sator/")
	first, _, _ := strings.Cut(imported, "/")
	switch {
	case isOurs && !slices.ContainsFunc(r.imports, func(p string) bool { return matches(p, ours) }):
		return fmt.Sprintf("the table does not allow it to %s", pkg)
	case !isOurs && strings.Contains(first, ".") && r.standard:
		return fmt.Sprintf("%s uses the standard library alone", pkg)
	}
	return ""
}

func readRules(t *testing.T) []rule {
	t.Helper()
	doc, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := importTable(strings.ReplaceAll(string(doc), "\r\n", "\n"))
	if err != nil {
		t.Fatal("ARCHITECTURE.md: ", err)
	}
	return rules
}

func readSources(t *testing.T) []source {
	t.Helper()
	all, err := sources(root)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestArchitecture checks the imports of the sources against the import table.
func TestArchitecture(t *testing.T) {
	for _, v := range violations(readRules(t), readSources(t)) {
		t.Error(v)
	}
}

// TestEnginesAreSequential checks that the engines use neither goroutines nor locks.
func TestEnginesAreSequential(t *testing.T) {
	for _, s := range readSources(t) {
		if !slices.Contains([]string{"dpll/classic", "dpll/cdcl", "twosat"}, s.pkg) {
			continue
		}
		for _, at := range s.starts {
			t.Errorf("%v: an engine starts a goroutine", at)
		}
		if slices.Contains(s.imports, "sync") {
			t.Errorf("%s: an engine imports sync", s.name)
		}
	}
}

// TestArchitectureFiles checks that the Go files named in ARCHITECTURE.md and in package
// comments exist. Names are relative to the root, and in package comments also to the
// package or its parent.
func TestArchitectureFiles(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	check := func(where, dir, word string) {
		if !strings.HasSuffix(word, ".go") {
			return
		}
		named++
		here, _ := filepath.Glob(filepath.Join(root, dir, word))
		beside, _ := filepath.Glob(filepath.Join(root, path.Dir(dir), word))
		fromRoot, _ := filepath.Glob(filepath.Join(root, word))
		if len(here)+len(beside)+len(fromRoot) == 0 {
			t.Errorf("%s names %s, which does not exist", where, path.Join(dir, word))
		}
	}
	for _, word := range quoted(string(doc)) {
		check("ARCHITECTURE.md", "", word)
	}
	all, err := sources(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, s.name), nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range strings.FieldsFunc(f.Doc.Text(), func(r rune) bool {
			return !strings.ContainsRune("._/*-", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}) {
			check("the package comment in "+s.name, s.pkg, word)
		}
	}
	if named < 30 {
		t.Errorf("found only %d names of files", named)
	}
}

// TestViolations checks that TestArchitecture detects each kind of violation.
func TestViolations(t *testing.T) {
	rules, err := importTable("text\n" +
		"| package | may import of ours | libraries |\n" +
		"|---|---|---|\n" +
		"| `low` | nothing | standard |\n" +
		"| `mid/...` | `low`, `mid/...` | any |\n" +
		"\n| `other` | `low` | any |\n")
	if err != nil || len(rules) != 2 {
		t.Fatalf("%d rules, error %v", len(rules), err)
	}
	good := []source{
		{pkg: "low", name: "low/a.go", imports: []string{"fmt", "go/ast"}},
		{pkg: "mid/x", name: "mid/x/a.go", imports: []string{"sator/low", "sator/mid", "sator/mid/y", "example.org/lib"}},
	}
	if v := violations(rules, good); len(v) != 0 {
		t.Errorf("good sources: %q", v)
	}
	for _, b := range []struct {
		source source
		want   string
	}{
		{source{pkg: "low", name: "low/b.go", imports: []string{"sator/mid"}}, "low/b.go imports sator/mid: the table does not allow it to low"},
		{source{pkg: "low", name: "low/b.go", imports: []string{"example.org/lib"}}, "low/b.go imports example.org/lib: low uses the standard library alone"},
		{source{pkg: "low/deep", name: "low/deep/a.go"}, "low/deep/a.go: package low/deep is not in the table"},
		{source{pkg: "middle", name: "middle/a.go"}, "middle/a.go: package middle is not in the table"},
		{source{pkg: ".", name: "a.go"}, "a.go: package . is not in the table"},
		{source{pkg: "mid", name: "mid/a.go", imports: []string{"sator/lowest"}}, "mid/a.go imports sator/lowest: the table does not allow it to mid"},
	} {
		if v := violations(rules, append(slices.Clone(good), b.source)); len(v) != 1 || v[0] != b.want {
			t.Errorf("%v: %q, want %q", b.source, v, b.want)
		}
	}
	if v := violations(rules, good[1:]); len(v) != 1 || v[0] != "package low of the table does not exist" {
		t.Errorf("without low: %q", v)
	}
}

// TestSources checks that sources returns files that this build excludes, and neither
// tests nor testdata.
func TestSources(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a/a.go":            "package a\nimport \"fmt\"\nfunc f() { go fmt.Println() }\n",
		"a/a_plan9.go":      "package a\nimport \"os\"\n",
		"a/tag.go":          "//go:build never\n\npackage a\nimport \"io\"\n",
		"a/a_test.go":       "package a\nimport \"testing\"\n",
		"a/testdata/b.go":   "package b\nimport \"net\"\n",
		".hidden/c.go":      "package c\nimport \"net\"\n",
		"a/_old/d.go":       "package d\nimport \"net\"\n",
		"a/_e.go":           "package a\nimport \"net\"\n",
		"a/b/testdata.go":   "package b\nimport \"bytes\"\n",
		"a/b/not-go.go.txt": "no Go\n",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	all, err := sources(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	started := 0
	for _, s := range all {
		got = append(got, fmt.Sprint(s.pkg, " ", s.name, " ", s.imports))
		started += len(s.starts)
	}
	want := []string{"a a/a.go [fmt]", "a a/a_plan9.go [os]", "a a/tag.go [io]", "a/b a/b/testdata.go [bytes]"}
	slices.Sort(got)
	if !slices.Equal(got, want) || started != 1 {
		t.Errorf("got %q, want %q; %d go statements", got, want, started)
	}
}

// TestImportsOfProgram checks that sator links no packages for the network, for
// experiments or for tests.
func TestImportsOfProgram(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "sator/cmd/sator").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	if len(packages) < 100 {
		t.Fatalf("go list prints %d packages", len(packages))
	}
	forbidden := []string{"net", "net/http/...", "crypto/tls", "github.com/nats-io/...", "gonum.org/...", "testing", "sator/cmd/internal/grid/...", "sator/cmd/internal/plot", "sator/cmd/internal/study", "sator/internal/dplltest"}
	for _, p := range packages {
		if slices.ContainsFunc(forbidden, func(pattern string) bool { return matches(pattern, p) }) {
			t.Errorf("sator links %s", p)
		}
	}
}

// TestProfiles checks that a folder with a profile for the compiler has no tests: see package
// program.
func TestProfiles(t *testing.T) {
	profiles := 0
	err := filepath.WalkDir(root, func(name string, _ fs.DirEntry, err error) error {
		if filepath.Base(name) != "default.pgo" {
			return err
		}
		profiles++
		tests, err := filepath.Glob(filepath.Join(filepath.Dir(name), "*_test.go"))
		if len(tests) > 0 {
			t.Errorf("%s is compiled once more for %s", name, tests)
		}
		return err
	})
	if err != nil || profiles == 0 {
		t.Errorf("%d profiles, %v", profiles, err)
	}
}
