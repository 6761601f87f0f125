package mutants

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// root is the folder of the module.
const root = "../../.."

const patch = `The sum is a difference.

Test: . TestAdd

--- add.go
+++ add.go
@@
 func Add(a, b int) int {
-	return a + b
+	return a - b
 }
`

func TestParse(t *testing.T) {
	m, err := Parse(patch)
	if err != nil {
		t.Fatal(err)
	}
	if m.Fault != "The sum is a difference." || len(m.Tests) != 1 || m.Tests[0].Run != "TestAdd" {
		t.Errorf("%+v", m)
	}
	want := Hunk{"func Add(a, b int) int {\n\treturn a + b\n}\n", "func Add(a, b int) int {\n\treturn a - b\n}\n"}
	if got := m.Edits[0]; got.File != "add.go" || len(got.Hunks) != 1 || got.Hunks[0] != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "line 1: want a description"},
		{"Fault.\n\n--- a.go\n+++ a.go\n@@\n-x\n", "line 1: want a line Test"},
		{"Fault.\nTest: .\n", "line 2: want Test: PACKAGE REGEXP"},
		{"Fault.\nTest: . T\n", "want a change"},
		{"Fault.\nTest: . T\n--- a.go\n+++ b.go\n@@\n-x\n", "line 4: want +++ a.go"},
		{"Fault.\nTest: . T\n--- a.go\n+++ a.go\n-x\n", "line 5: want @@"},
		{"Fault.\nTest: . T\n--- a.go\n+++ a.go\n@@\n*x\n", "line 6: want a line that begins"},
		{"Fault.\nTest: . T\n--- a.go\n+++ a.go\n@@\n x\n", "line 6: want a hunk with a line to change"},
	} {
		if _, err := Parse(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %s", c.text, err, c.want)
		}
	}
}

func TestApply(t *testing.T) {
	e := Edit{File: "a.go", Hunks: []Hunk{{"b\n", "B\n"}, {"d\n", ""}}}
	if got, err := e.Apply("a\nb\nc\nd\n"); err != nil || got != "a\nB\nc\n" {
		t.Errorf("got %q, %v", got, err)
	}
	for _, text := range []string{"a\nd\n", "b\nb\nd\n", "xb\nd\n"} {
		if got, err := e.Apply(text); err == nil {
			t.Errorf("%q: got %q, want an error", text, got)
		}
	}
}

// TestRun makes a module with a test that is good if it runs whole, one that is not good,
// and mutants of all fates.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module example.org/add\n\ngo 1.21\n",
		"add.go":      "package add\n\n// Add adds.\nfunc Add(a, b int) int {\n\treturn a + b\n}\n",
		"add_test.go": "package add\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestAdd(t *testing.T) {\n\tif Add(2, 1) != 3 && os.Getenv(\"SATOR_TESTS\") == \"whole\" {\n\t\tt.Fatal()\n\t}\n}\n\nfunc TestWeak(t *testing.T) { Add(1, 2) }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		old, new string
		want     Verdict
		by       string
	}{
		{"", "", Killed, "TestAdd"},
		{"TestAdd", "TestWeak", Survived, ""},
		{"TestAdd", "TestWeak|TestAdd", Killed, "TestAdd"},
		{"TestAdd", "TestNone", Broken, ""},
		{"a - b", "a -", Broken, ""},
		{"-\treturn a + b", "-\treturn b + a", Broken, ""},
		{"a - b", "[]int{}[a]", Killed, "TestAdd"},
	} {
		m, err := Parse(strings.Replace(patch, c.old, c.new, 1))
		if err != nil {
			t.Fatal(err)
		}
		r := m.Run(context.Background(), dir)
		if r.Verdict != c.want || r.By != c.by || (r.Err != nil) != (c.want == Broken) {
			t.Errorf("%q for %q: %+v, want %v", c.new, c.old, r, c.want)
		}
	}
	m, _ := Parse(patch)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r := m.Run(ctx, dir); r.Verdict != Stopped {
		t.Errorf("cancelled: %+v", r)
	}
}

// TestPatchesApply checks that every mutant of the project applies to the code, and that
// its tests exist. The command sator-lab mutants checks that these tests fail.
func TestPatchesApply(t *testing.T) {
	all, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 40 {
		t.Errorf("there are %d mutants, want 40 at least", len(all))
	}
	for _, m := range all {
		for _, e := range m.Edits {
			text, err := os.ReadFile(filepath.Join(root, e.File))
			if err == nil {
				_, err = e.Apply(string(text))
			}
			if err != nil {
				t.Errorf("%s: %v", m.Name, err)
			}
		}
		for _, test := range m.Tests {
			name, _, _ := strings.Cut(test.Run, "/")
			if !slices.ContainsFunc(testNames(t, test.Package), regexp.MustCompile(name).MatchString) {
				t.Errorf("%s: package %s has no test %s", m.Name, test.Package, test.Run)
			}
		}
	}
}

var testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

// testNames returns the names of the tests of a package.
func testNames(t *testing.T, pkg string) (names []string) {
	files, _ := filepath.Glob(filepath.Join(root, pkg, "*_test.go"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range testFunc.FindAllSubmatch(text, -1) {
			names = append(names, string(found[1]))
		}
	}
	return names
}

func TestPart(t *testing.T) {
	var all []*Mutant
	for i := range 23 {
		all = append(all, &Mutant{Name: fmt.Sprint(i), Edits: []Edit{{File: fmt.Sprint("f", i%5)}}})
	}
	var union []*Mutant
	for i := range 10 {
		part := Part(all, 7+i, 10)
		if n := len(part); n < 2 || n > 3 {
			t.Errorf("part %d has %d of 23 mutants", i, n)
		}
		union = Union(union, part)
	}
	if len(union) != len(all) {
		t.Errorf("ten parts have %d of %d mutants", len(union), len(all))
	}
	if got := Touching(all, []string{"f3", "g"}); len(got) != 4 {
		t.Errorf("%d mutants touch f3, want 4", len(got))
	}
	all[4].Name = "a/b/late"
	if got := Touching(all, []string{"a/b/testdata/mutants/late.patch"}); len(got) != 1 || got[0] != all[4] {
		t.Errorf("%d mutants have the patch late, want 1", len(got))
	}
}
