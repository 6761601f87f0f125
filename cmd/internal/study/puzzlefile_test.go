package study

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sator/sudoku/text"
)

// Generated puzzles are reused by the same study in the same directory, but not
// by another study, nor if the list was changed.
func TestReusePuzzles(t *testing.T) {
	dir := t.TempDir()
	asked, taken := 0, 0
	s := sizeStudy()
	subjects := s.subjects
	s.subjects = func(ctx context.Context, o *Options) ([]*Subject, error) {
		asked++
		if o.Puzzles != nil {
			taken++
		}
		return subjects(ctx, o)
	}
	plan := func(o Options) *Plan {
		t.Helper()
		o.Dir = dir
		p, err := NewPlan(context.Background(), s, o)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	o := Options{Count: 2, Seed: 5, Levels: map[string]string{"size": "4,9,6", "engine": "mom"}}
	first := plan(o)
	want := runAll(t, first, dir, 1)
	again := plan(o)
	if taken != 1 {
		t.Fatalf("of %d plans %d have reused the puzzles", asked, taken)
	}
	if !again.identity().equal(first.identity()) || again.source != first.source || again.Len() != 6 {
		t.Errorf("identity %+v became %+v", first.identity(), again.identity())
	}
	if got := runAll(t, again, dir, 1); string(got) != string(want) {
		t.Error("the rows differ")
	}
	for name, other := range map[string]Options{
		"seed":   {Count: 2, Seed: 6, Levels: o.Levels},
		"count":  {Count: 3, Seed: 5, Levels: o.Levels},
		"levels": {Count: 2, Seed: 5, Levels: map[string]string{"size": "4,9"}},
	} {
		before := taken
		if p := plan(other); taken != before || p.identity().equal(first.identity()) {
			t.Errorf("with another %s the puzzles are reused", name)
		}
	}

	file := filepath.Join(dir, puzzlesFile)
	list, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if in := text.NewReader(strings.NewReader(string(list)), file); true {
		if p, err := in.Next(); err != nil || text.Line(p.Grid) != first.subjects[0].Text {
			t.Errorf("the first puzzle is read as %v, %v", p, err)
		}
	}
	lines := strings.Split(strings.TrimSpace(string(list)), "\n")
	os.WriteFile(file, []byte(strings.Join(lines[:len(lines)-1], "\n")+"\n"), 0o666)
	before := taken
	if p := plan(o); taken != before || !p.identity().equal(first.identity()) {
		t.Error("an incomplete list is reused")
	}
}

// A report lists the builds that made rows, and no others.
func TestBuilds(t *testing.T) {
	dir := t.TempDir()
	p := paperPlan(t)
	ctx, cancel := context.WithCancel(context.Background())
	_, err := (&Runner{Plan: p, Dir: dir, Jobs: 1, Build: "sator one", Progress: func(done int) {
		if done == 20 {
			cancel()
		}
	}}).Do(ctx)
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	for _, build := range []string{"sator two", "sator two", "sator three"} {
		rows, err := (&Runner{Plan: p, Dir: dir, Build: build}).Do(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if err := Write(nil, p, rows, dir, "sator-lab study givens"); err != nil {
			t.Fatal(err)
		}
	}
	md, _ := os.ReadFile(filepath.Join(dir, "report.md"))
	if !strings.Contains(string(md), "Made by several builds: sator one; sator two.\n") {
		t.Errorf("the report does not list the builds:\n%.2000s", md)
	}
}
