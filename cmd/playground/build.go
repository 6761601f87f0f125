package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"sator/cmd/internal/report"
	"sator/cmd/playground/internal/service"
	"sator/cmd/playground/internal/site"
	"sator/dpll/cdcl"
	"sator/dpll/classic"
	"sator/internal/families"
)

// The files of the site: the static files of package site, the engine, its loader from the
// Go distribution, the module that draws charts, and tables of names. A page shows these
// before the engine is loaded.
//
// The engine is there compressed only, since the worker decompresses it. So it is small on
// hosts that do not compress WebAssembly, too. The other files are small.

// build returns the files of the site by name. It compiles the engine, from the source tree
// in the current folder.
func build(ctx context.Context) (map[string][]byte, error) {
	files := map[string][]byte{}
	names, err := fs.Glob(site.Files, "*")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if files[name], err = site.Files.ReadFile(name); err != nil {
			return nil, err
		}
	}
	if files["worker.wasm.gz"], err = buildWorker(ctx); err != nil {
		return nil, err
	}
	if files["wasm_exec.js"], err = loader(ctx); err != nil {
		return nil, err
	}
	files["charts.js"] = []byte(report.Charts)
	t, err := tables(ctx)
	if err != nil {
		return nil, err
	}
	files["tables.json"], err = json.Marshal(t)
	return files, err
}

// buildWorker returns the engine, compiled to WebAssembly and compressed by gzip.
func buildWorker(ctx context.Context) ([]byte, error) {
	const worker = "sator/cmd/playground/worker"
	if _, err := goCommand(ctx, nil, "list", worker); err != nil {
		return nil, fmt.Errorf("run it in the source tree of Sator: %w", err)
	}
	dir, err := os.MkdirTemp("", "playground")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "worker.wasm")
	goos := func(c *exec.Cmd) { c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm") }
	// Without the machine's paths, symbols and version control, so that the same source gives
	// the same site. A profile would add 2 % to the size.
	if _, err := goCommand(ctx, goos, "build", "-trimpath", "-buildvcs=false", "-pgo=off", "-ldflags=-s -w", "-o", name, worker); err != nil {
		return nil, err
	}
	program, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return compress(program), nil
}

// loader returns wasm_exec.js of the Go distribution. It starts programs of this version of
// Go alone.
func loader(ctx context.Context) ([]byte, error) {
	root, err := goCommand(ctx, nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(strings.TrimSpace(root), "lib", "wasm", "wasm_exec.js"))
}

// goCommand runs the go command and returns its output. Its messages are in the error.
func goCommand(ctx context.Context, change func(*exec.Cmd), args ...string) (string, error) {
	c := exec.CommandContext(ctx, "go", args...)
	var messages bytes.Buffer
	c.Stderr = &messages
	if change != nil {
		change(c)
	}
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", args[0], err, strings.TrimSpace(messages.String()))
	}
	return string(out), nil
}

// compress returns data compressed by gzip, without a time.
func compress(data []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic(err) // the level is valid
	}
	// Writing to memory does not fail.
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// A familyRow describes a family for the page.
type familyRow struct {
	Name   string     `json:"name"`
	Help   string     `json:"help"`
	Params []paramRow `json:"params"`
}

// A paramRow describes a parameter of a family. Kind is "int", "real" or "switch".
type paramRow struct {
	Name    string  `json:"name"`
	Kind    string  `json:"kind"`
	Default float64 `json:"default"`
	Min     float64 `json:"min"`
	Max     float64 `json:"max"`
	Help    string  `json:"help"`
}

// A tableFile has the tables for the page.
type tableFile struct {
	Families   []familyRow `json:"families"`
	Heuristics []nameRow   `json:"heuristics"` // of the engine dpll
	Presets    []nameRow   `json:"presets"`    // of the engine cdcl

	Sudoku struct {
		Menus   json.RawMessage `json:"menus"`   // reply of sudoku.menus
		Example json.RawMessage `json:"example"` // reply of sudoku.read for the first puzzle
	} `json:"sudoku"`
}

// firstSudoku is the puzzle of an address without one.
const firstSudoku = `{"text": "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."}`

// A nameRow is a name of an option with its meaning.
type nameRow struct {
	Name string `json:"name"`
	Help string `json:"help"`
}

// tables returns the tables of the packages families, dpll and cdcl, and what the page of
// Sudokus shows first.
func tables(ctx context.Context) (*tableFile, error) {
	t := &tableFile{}
	kinds := map[families.Kind]string{families.Int: "int", families.Real: "real", families.Switch: "switch"}
	for _, f := range families.Families {
		row := familyRow{Name: f.Name, Help: f.Help, Params: []paramRow{}}
		for _, p := range f.Params {
			row.Params = append(row.Params, paramRow{p.Name, kinds[p.Kind], p.Default, p.Min, p.Max, p.Help})
		}
		t.Families = append(t.Families, row)
	}
	for _, h := range classic.Heuristics {
		t.Heuristics = append(t.Heuristics, nameRow{h.Name, h.Help})
	}
	for _, p := range cdcl.Presets {
		t.Presets = append(t.Presets, nameRow{p.Name, p.Help})
	}
	s := service.New(nil)
	menus := s.Call(ctx, "sudoku.menus", []byte("{}"), nil, nil)
	example := s.Call(ctx, "sudoku.read", []byte(firstSudoku), nil, nil)
	for _, r := range []service.Reply{menus, example} {
		if r.Err != nil {
			return nil, r.Err
		}
	}
	t.Sudoku.Menus, t.Sudoku.Example = menus.Result, example.Result
	return t, nil
}
