package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sator/cmd/playground/internal/service"
	"sator/internal/effort"
)

// sample returns files of a site.
func sample(text string) map[string][]byte {
	return map[string][]byte{"index.html": []byte(text), "app.js": []byte(text), "worker.wasm.gz": compress([]byte(text))}
}

// contents returns the files of a folder with their contents.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			all[e.Name()] = "folder"
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(data)
	}
	return all
}

func asText(files map[string][]byte) map[string]string {
	text := map[string]string{}
	for name, data := range files {
		text[name] = string(data)
	}
	return text
}

// TestWrite writes a site to a new folder, to an empty one and over an older site.
func TestWrite(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "site")
	for _, text := range []string{"first", "second"} {
		if err := write(dir, sample(text)); err != nil {
			t.Fatal(err)
		}
		if got := contents(t, dir); !maps.Equal(got, asText(sample(text))) {
			t.Errorf("%s: got %v", text, got)
		}
		if err := os.WriteFile(filepath.Join(dir, "older.js"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	empty := filepath.Join(parent, "empty")
	if err := os.Mkdir(empty, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := write(empty, sample("third")); err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(contents(t, parent))); !slices.Equal(got, []string{"empty", "site"}) {
		t.Errorf("files beside the site: %v", got)
	}
}

// TestWriteRefuses checks that folders with other files, and files, stay as they are.
func TestWriteRefuses(t *testing.T) {
	for _, extra := range [][]string{{"letter.txt"}, {"worker.wasm.gz", "letter.txt"}, {"worker.wasm.gz", "images/"}} {
		parent := t.TempDir()
		dir := filepath.Join(parent, "site")
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		for _, name := range extra {
			path, err := filepath.Join(dir, name), error(nil)
			if strings.HasSuffix(name, "/") {
				err = os.Mkdir(path, 0o777)
			} else {
				err = os.WriteFile(path, []byte("mine"), 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		before := contents(t, dir)
		if err := write(dir, sample("new")); err == nil {
			t.Errorf("%v: no error", extra)
		}
		if after := contents(t, dir); !maps.Equal(before, after) {
			t.Errorf("%v: got %v, want %v", extra, after, before)
		}
		if got := contents(t, parent); len(got) != 1 {
			t.Errorf("%v: files beside the folder: %v", extra, got)
		}
	}
	if err := write(filepath.Join(t.TempDir(), "none", "site"), sample("new")); err == nil {
		t.Error("a site in a folder that does not exist")
	}
}

// TestHandler checks the media types, and that there are no other files.
func TestHandler(t *testing.T) {
	server := httptest.NewServer(handler(sample("text")))
	defer server.Close()
	for path, want := range map[string]string{
		"/": "200 text/html; charset=utf-8", "/index.html": "200 text/html; charset=utf-8", "/app.js": "200 text/javascript; charset=utf-8",
		"/worker.wasm.gz": "200 application/gzip", "/none": "404 text/plain; charset=utf-8", "/../main.go": "404 text/plain; charset=utf-8",
	} {
		r, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, r.Body)
		r.Body.Close()
		if got := r.Status[:4] + r.Header.Get("Content-Type"); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
		if r.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s is sent compressed", path)
		}
	}
}

// TestCommandLine checks exit codes and messages.
func TestCommandLine(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"-h", 0, "usage: go run ./cmd/playground [flags]"},
		{"--help", 0, "\n  -o, --output DIR "},
		{"--help", 0, "\n  --http ADDRESS "},
		{"-x", codeUsage, "flag provided but not defined: -x"},
		{"-o", codeUsage, "flag needs an argument: -o"},
		{"site", codeUsage, `unexpected operand "site"`},
	} {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), &stdout, &stderr, strings.Fields(c.args)); code != c.code || !strings.Contains(stderr.String(), c.want) || stdout.Len() > 0 {
			t.Errorf("%s: exit code %d, %q, %q", c.args, code, &stdout, &stderr)
		}
	}
}

// TestElsewhere checks the message outside of the source tree, where nothing is written.
func TestElsewhere(t *testing.T) {
	t.Chdir(t.TempDir())
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), &stdout, &stderr, []string{"-o", "site"})
	if code != codeFailed || !strings.Contains(stderr.String(), "playground: run it in the source tree of Sator: ") || stdout.Len() > 0 {
		t.Errorf("exit code %d, %q, %q", code, &stdout, &stderr)
	}
	if all := contents(t, "."); len(all) > 0 {
		t.Errorf("there is %v", all)
	}
}

// TestSite makes the whole site.
func TestSite(t *testing.T) {
	if !effort.Whole() {
		t.Skip("it compiles the engine for WebAssembly; run with SATOR_TESTS=whole")
	}
	dir := filepath.Join(t.TempDir(), "site")
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), &stdout, &stderr, []string{"-o", dir}); code != 0 {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	t.Log(stdout.String())
	all := contents(t, dir)
	for _, name := range []string{"index.html", "app.js", "style.css", "worker.js", "worker.wasm.gz", "wasm_exec.js", "tables.json", "charts.js"} {
		if all[name] == "" {
			t.Errorf("there is no file %s", name)
		}
	}
	// A build that is canceled leaves nothing behind.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	other := filepath.Join(t.TempDir(), "site")
	if code := run(ctx, &stdout, &stderr, []string{"-o", other}); code != codeFailed {
		t.Errorf("exit code %d after a canceled build", code)
	}
	if _, err := os.Stat(other); err == nil {
		t.Error("a canceled build has written a site")
	}
}

// TestTablesOfSudoku checks that the page of Sudokus has its menus and a puzzle without the
// engine.
func TestTablesOfSudoku(t *testing.T) {
	tables, err := tables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var puzzle service.SudokuPuzzle
	var menus service.SudokuMenus
	if err := errors.Join(json.Unmarshal(tables.Sudoku.Example, &puzzle), json.Unmarshal(tables.Sudoku.Menus, &menus)); err != nil {
		t.Fatal(err)
	}
	if puzzle.Size != 9 || len(puzzle.Peers) != 81 || len(menus.OutputFormats) == 0 {
		t.Errorf("a puzzle of size %d with %d cells, and %d forms of output", puzzle.Size, len(puzzle.Peers), len(menus.OutputFormats))
	}
}

// TestServe checks that the server prints its address and ends with its context.
func TestServe(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stdout, printed := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- serve(ctx, printed, "localhost:0", sample("text")) }()
	line := make([]byte, 100)
	n, err := stdout.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	url, _, _ := strings.Cut(string(line[:n]), " ")
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if text, _ := io.ReadAll(r.Body); string(text) != "text" {
		t.Errorf("got %q", text)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
