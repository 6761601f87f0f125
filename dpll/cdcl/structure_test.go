package cdcl_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The structure of the package: what a reader has to hold in the head at once. A change that
// exceeds a bound gives a part what is its own, or raises the bound and says why.
const (
	mostMethods    = 180 // of Solver
	mostFields     = 30  // reachable as s.x
	mostBackArrows = 90  // uses of a file that is read later, counted once for each pair of files
)

// stubs imports an empty package for each path. Expressions with foreign types are not
// resolved then, but the names of this package are, and that in milliseconds.
type stubs struct{}

func (stubs) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, filepath.Base(path))
	p.MarkComplete()
	return p, nil
}

// A structure is the type-checked package and the places of its files in reading order.
type structure struct {
	fset  *token.FileSet
	pkg   *types.Package
	info  types.Info
	order map[string]int
}

// readStructure parses the files that Linux builds without tags, in the order in which the
// package comment lists them.
func readStructure(t *testing.T) *structure {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(doc), "# Files")
	x := &structure{fset: token.NewFileSet(), order: map[string]int{}}
	for i, name := range regexp.MustCompile(`\w+\.go`).FindAllString(list, -1) {
		x.order[name] = i
	}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_other.go") || name == "check_on.go" {
			continue
		}
		f, err := parser.ParseFile(x.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
		if _, listed := x.order[name]; !listed && name != "doc.go" && !strings.HasSuffix(name, "_linux.go") {
			t.Errorf("the package comment does not list %s", name)
		}
	}
	x.info.Uses = map[*ast.Ident]types.Object{}
	check := types.Config{Importer: stubs{}, Error: func(error) {}}
	x.pkg, _ = check.Check("cdcl", x.fset, files, &x.info)
	return x
}

func (x *structure) file(p token.Pos) string { return x.fset.Position(p).Filename }

// methods returns the number of methods of Solver, and fields the number of fields that can be
// reached as s.x.
func (x *structure) methods() int {
	return x.pkg.Scope().Lookup("Solver").Type().(*types.Named).NumMethods()
}

func (x *structure) fields() int {
	return countFields(x.pkg.Scope().Lookup("Solver").Type())
}

// countFields counts the fields of a struct and those that it promotes.
func countFields(t types.Type) (n int) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return 0
	}
	for f := range s.Fields() {
		if n++; f.Embedded() {
			n += countFields(f.Type())
		}
	}
	return n
}

// arrows returns the pairs of files of which the first uses a function, method or type that
// the second declares, and how many of them run back, to a file that is read later.
func (x *structure) arrows() (all, back map[[2]string]bool) {
	all, back = map[[2]string]bool{}, map[[2]string]bool{}
	for id, o := range x.info.Uses {
		if o.Pkg() != x.pkg || o.Name() == "Solver" {
			continue
		}
		switch o.(type) {
		case *types.Func, *types.TypeName:
		default:
			continue
		}
		from, to := x.file(id.Pos()), x.file(o.Pos())
		first, listed := x.order[from]
		second, also := x.order[to]
		if from == to || !listed || !also {
			continue
		}
		all[[2]string{from, to}] = true
		if second > first {
			back[[2]string{from, to}] = true
		}
	}
	return all, back
}

// TestStructure prints how far the solver consists of parts, and bounds it.
func TestStructure(t *testing.T) {
	x := readStructure(t)
	all, back := x.arrows()
	for _, bound := range []struct {
		what      string
		got, most int
	}{
		{"methods of Solver", x.methods(), mostMethods},
		{"fields reachable as s.x", x.fields(), mostFields},
		{"arrows to a file that is read later", len(back), mostBackArrows},
	} {
		t.Logf("%4d %s, at most %d", bound.got, bound.what, bound.most)
		if bound.got > bound.most {
			t.Errorf("%d %s, more than %d", bound.got, bound.what, bound.most)
		}
	}
	t.Logf("%4d arrows between files", len(all))
	if t.Failed() || testing.Verbose() {
		for _, a := range slices.SortedFunc(maps.Keys(back), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
			t.Logf("%s uses %s", a[0], a[1])
		}
	}
}
