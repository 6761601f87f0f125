package study

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"sator/sudoku"
	"sator/sudoku/text"
)

// Puzzles that are made for a study stay beside its rows, as a list that any
// program reads. When the study goes on they are read from there: to make large
// ones takes longer than to solve them. The file of the plan has a hash of the
// puzzles, so that a list which was changed is not taken, but made anew and then
// found to be another one.

const puzzlesFile = "puzzles.txt"

// readIdentity reads the file of the plan in a folder; nil if there is none.
func readIdentity(dir string) (*identity, error) {
	name := filepath.Join(dir, planFile)
	b, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var id identity
	if err := json.Unmarshal(b, &id); err != nil {
		return nil, fmt.Errorf("%s: %v", name, err)
	}
	return &id, nil
}

// takeKept takes the puzzles that were made for the same study in the folder
// before, if they are all there and as they were.
func (p *Plan) takeKept(o *Options) {
	id, err := readIdentity(o.Dir)
	if err != nil || id == nil || id.Study != p.study.Name || id.Seed != p.seed || id.Count != p.count || !maps.EqualFunc(id.Levels, p.namedLevels(), slices.Equal) {
		return
	}
	b, err := os.ReadFile(filepath.Join(o.Dir, puzzlesFile))
	if err != nil {
		return
	}
	var puzzles []*sudoku.Grid
	var lines []string
	for in := text.NewReader(bytes.NewReader(b), puzzlesFile); ; {
		puzzle, err := in.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			return
		}
		puzzles, lines = append(puzzles, puzzle.Grid), append(lines, text.Line(puzzle.Grid))
	}
	if hash(lines) == id.Data {
		o.Puzzles, o.Source = puzzles, id.Source
	}
}

// keep writes the puzzles that were made for the plan.
func (p *Plan) keep(dir string) error {
	if !p.made {
		return nil
	}
	var list bytes.Buffer
	fmt.Fprintf(&list, "# %s, seed %d\n", p.source, p.seed)
	w, err := text.NewWriter(&list, "line")
	for i := 0; i < len(p.subjects) && err == nil; i++ {
		err = w.Write(p.subjects[i].Puzzle)
	}
	if err != nil {
		return err
	}
	return replaceFile(filepath.Join(dir, puzzlesFile), list.Bytes())
}

// buildsOf returns the builds of the program that made the rows in a folder.
func buildsOf(dir string) ([]string, error) {
	id, err := readIdentity(dir)
	if id == nil {
		return nil, err
	}
	return id.Builds, nil
}

// sign writes down which build of the program makes rows from now on.
func (r *recorder) sign(build string) error {
	id, err := readIdentity(r.dir)
	if err != nil || build == "" || slices.Contains(id.Builds, build) {
		return err
	}
	id.Builds = append(id.Builds, build)
	return replaceJSON(filepath.Join(r.dir, planFile), id)
}
