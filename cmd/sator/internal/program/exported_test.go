package program_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The list of exported names. A caller of a package depends on its exported names, so that
// each change of them must be deliberate. TestExported compares the names of all packages
// that a module may import with testdata/exported.txt.

// isPublic reports whether the exported names of a package are for callers outside this
// module.
func isPublic(pkg string) bool {
	return !strings.HasPrefix(pkg, "cmd/") && !slices.Contains(strings.Split(pkg, "/"), "internal")
}

// exportedOf returns a line for each exported name of a file: functions and methods with
// their types, types with their exported fields or methods, constants and variables.
func exportedOf(pkg string, f *ast.File) []string {
	var lines []string
	add := func(format string, args ...any) {
		lines = append(lines, pkg+": "+fmt.Sprintf(format, args...))
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			switch receiver := receiverOf(d); {
			case !d.Name.IsExported():
			case receiver == "":
				add("func %s%s", d.Name, signature(d.Type))
			case ast.IsExported(strings.TrimLeft(receiver, "*")):
				add("func (%s) %s%s", receiver, d.Name, signature(d.Type))
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					if spec.Name.IsExported() {
						exportedType(add, spec)
					}
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						if name.IsExported() {
							add("%s %s", d.Tok, name)
						}
					}
				}
			}
		}
	}
	return lines
}

// exportedType adds a line for a type and for each exported field or method in it.
func exportedType(add func(string, ...any), spec *ast.TypeSpec) {
	var members *ast.FieldList
	kind := "type %s " + oneLine(spec.Type)
	switch t := spec.Type.(type) {
	case *ast.StructType:
		kind, members = "type %s struct", t.Fields
	case *ast.InterfaceType:
		kind, members = "type %s interface", t.Methods
	}
	if spec.Assign.IsValid() {
		kind = strings.Replace(kind, "%s ", "%s = ", 1)
	}
	add(kind, spec.Name)
	if members == nil {
		return
	}
	for _, m := range members.List {
		if len(m.Names) == 0 && (oneLine(m.Type) != "" && ast.IsExported(lastName(m.Type))) {
			add("type %s: %s", spec.Name, oneLine(m.Type))
		}
		for _, name := range m.Names {
			if !name.IsExported() {
				continue
			}
			if method, is := m.Type.(*ast.FuncType); is && kind == "type %s interface" {
				add("type %s: %s%s", spec.Name, name, signature(method))
			} else {
				add("type %s: %s %s", spec.Name, name, oneLine(m.Type))
			}
		}
	}
}

// lastName returns the name of an embedded type.
func lastName(e ast.Expr) string {
	text := strings.TrimLeft(oneLine(e), "*")
	return text[strings.LastIndex(text, ".")+1:]
}

// receiverOf returns the type of the receiver without type parameters, or "".
func receiverOf(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	receiver, _, _ := strings.Cut(oneLine(d.Recv.List[0].Type), "[")
	return receiver
}

// signature returns the parameters and results of a function without the word func.
func signature(t *ast.FuncType) string { return strings.TrimPrefix(oneLine(t), "func") }

// oneLine returns the source of a node on one line.
func oneLine(n ast.Node) string {
	var b bytes.Buffer
	if err := (&printer.Config{Mode: printer.RawFormat}).Fprint(&b, token.NewFileSet(), n); err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// TestExported compares the exported names of the public packages with a file. After a
// deliberate change, UPDATE=1 go test -run Exported ./cmd/sator/internal/program renews the file.
func TestExported(t *testing.T) {
	const file = "testdata/exported.txt"
	var lines []string
	for _, s := range readSources(t) {
		if !isPublic(s.pkg) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, s.name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if f.Name.Name != "main" {
			lines = append(lines, exportedOf(s.pkg, f)...)
		}
	}
	slices.Sort(lines)
	lines = slices.Compact(lines) // names in several files with build tags
	if len(lines) < 1000 {
		t.Fatalf("only %d exported names found", len(lines))
	}
	got := strings.Join(lines, "\n") + "\n"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(strings.ReplaceAll(string(data), "\r\n", "\n")), "\n")
	report := func(what string, in, notIn []string) {
		for _, line := range in {
			if _, found := slices.BinarySearch(notIn, line); !found {
				t.Errorf("%s %s", what, line)
			}
		}
	}
	report("not in "+file+":", lines, want)
	report("no longer in the sources:", want, lines)
	if t.Failed() {
		t.Log("if the change is deliberate, renew the list: UPDATE=1 go test -run Exported ./cmd/sator/internal/program")
	}
}

// TestExportedOf checks the lines for a small file.
func TestExportedOf(t *testing.T) {
	const text = `package p
type T struct { A, b int; F func(int) bool }
type I interface { M(x int) (y int); n(); Reader }
type E int
type a int
type G[K comparable] = map[K]int
const X, y = 1, 2
func (t *T) Do(n int) error { return nil }
func (a) Hidden() {}
func New(t T) *T { return nil }
func small() {}
`
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"p: type T struct", "p: type T: A int", "p: type T: F func(int) bool",
		"p: type I interface", "p: type I: M(x int) (y int)", "p: type I: Reader",
		"p: type E int", "p: type G = map[K]int", "p: const X",
		"p: func (*T) Do(n int) error", "p: func New(t T) *T",
	}
	if got := exportedOf("p", f); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
