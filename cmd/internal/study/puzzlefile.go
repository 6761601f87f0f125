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

// Stored puzzles. Generated puzzles are written to the directory of the study
// as a text file, which other programs can read. A resumed study reads them
// back, because generating large puzzles takes longer than solving them. The
// plan file has a hash of the puzzles; if the list was changed, the puzzles are
// generated again.

// puzzlesFile is the list of generated puzzles.
const puzzlesFile = "puzzles.txt"

// readIdentity reads the plan file of a directory. It returns nil if there is
// none.
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

// reusePuzzles sets o.Puzzles to the stored puzzles of the same study in o.Dir,
// if the list is complete and unchanged.
func (p *Plan) reusePuzzles(o *Options) {
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

// savePuzzles writes the generated puzzles of the plan.
func (r *store) savePuzzles() error {
	p := r.plan
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
	return r.disk.WriteFile(filepath.Join(r.dir, puzzlesFile), list.Bytes())
}

// buildsOf returns the builds of the program that made the rows in a directory.
func buildsOf(dir string) ([]string, error) {
	id, err := readIdentity(dir)
	if id == nil {
		return nil, err
	}
	return id.Builds, nil
}

// addBuild adds a build to the plan file, unless it is listed.
func (r *store) addBuild(build string) error {
	id, err := readIdentity(r.dir)
	if err != nil || build == "" || slices.Contains(id.Builds, build) {
		return err
	}
	id.Builds = append(id.Builds, build)
	return r.replaceJSON(planFile, *id)
}
