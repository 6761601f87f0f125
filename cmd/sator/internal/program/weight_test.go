package program_test

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The weight of the project: what a reader has to hold in the head. A change that exceeds a
// bound takes something away elsewhere, or raises the bound and says why. The last raise, by 3,100 lines and
// 50 names, is for the counter of models and its certificates.
const (
	mostCode     = 125_934 // lines of Go without comments, blank lines and tests; 763 of them look-ahead on random formulas, which takes a tenth of the time, 301 of them sweeping of environments, 11 of them clues below the marks of drawn Sudokus, 29 of them collections apart from passes, 59 of them outlines of components, 76 of them steps of glue and causes of rates in reports, 13 of them links of assumptions, 28 of them what cages exclude, remembered, 18 of them moves of several cells of KSudoku, and avoidable rectangles in ratings, 213 of them a memory for counts of Sudokus, 28 of them projections without most of the variables that are not counted, 4 of them a limit of cliques, 14 of them weights of certificates as integers, 161 of them implied clauses and what they define, 192 of them proofs along circuits, 4 of them frames above the first digits, 223 of them JSON and codes of SudokuPad, 14 of them seeds of tests in parts, 42 of them Samurais of KSudoku, 65 of them lockout, entropic, modular and zipper lines, 41 of them avoidable rectangles, 295 of them the scale of Sukaku Explainer, 20 of them rows of digits without blanks in drawn grids, 420 of them several grids of a Sudoku that share cells, 70 the references of a checker, 150 of them runs of lines, so that workers solve Sudokus side by side, 400 of them files of KSudoku, GNOME Sudoku and LaTeX, 70 arrows for chains, 1,350 of them relations between cells of a Sudoku, 1,750 of them the scale of Sudoku Explainer, 850 the names of players, 400 links of f-puzzles, 200 the 45 rule
	mostTests    = 69_888  // 246 of them for look-ahead, 106 of them for environments, 20 of them for clues below marks, 3 of them a folder that stays, 21 of them for collections apart from passes, 48 of them for outlines, 40 of them for steps of glue and causes of rates, 9 of them links, 9 of them a file of samples of its own and rules whose solutions 32 bits can number, 10 of them wings of sets that overlap, 12 of them moves of several cells and avoidable rectangles in ratings, 31 of them for two bands of a Sudoku in a word, 144 of them a memory for counts of Sudokus, 73 of them projections, 16 of them a long clause, 161 of them for simplification before counts, 27 of them for certificates of larger circuits, 10 of them for frames above the first digits, 38 of them for SudokuPad, 27 of them for Samurais of KSudoku, 27 of them for lockout and other lines, 35 of them for avoidable rectangles, 140 of them for several grids, 65 for memory and the references of a checker, 100 of them for runs of lines of Sudokus, 17 of them were code that only tests used
	mostExported = 1_931   // names that another module may use, with fields and methods; 2 of them the option and the count of look-ahead, 2 of them digits that are no givens, 15 of them places of cells in several grids, 4 of them for runs of lines, 5 of them links of chains
	mostPages    = 32      // Markdown files
	mostWords    = 44_166  // 249 of them on look-ahead: a row of imports, six of what was tried, 145 of them three rows of what was tried, 62 of them a row of what was tried, 187 of them five rows of what was tried, 11 of them on collections, 136 of them on reports, outlines and three rows of what was tried, 85 of them two rows of what was tried, 287 of them on projected counts, threads and counts of Sudokus beside other programs, 82 of them in two rows of what was tried, 113 of them on the scale of Sukaku Explainer, 12 of them on several grids, 124 rows of what was tried, 180 of them on the speed beside tdoku, 250 of them on ratings beside Sudoku Explainer, 250 of them on clause learning step by step, 500 of them in the tables of calls for programs that move here, 450 in the comparison of libraries
)

// A weight counts the contents of a folder.
type weight struct{ code, tests, pages, words int }

// codeLines returns the number of lines of a Go file that are neither blank nor comments.
func codeLines(text []byte) (n int) {
	within := false // a comment of several lines
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		switch {
		case within:
			within = !bytes.Contains(line, []byte("*/"))
		case bytes.HasPrefix(line, []byte("/*")):
			within = !bytes.Contains(line, []byte("*/"))
		case len(line) > 0 && !bytes.HasPrefix(line, []byte("//")):
			n++
		}
	}
	return n
}

// weigh returns the weights of the top-level folders.
func weigh(dir string) (map[string]*weight, error) {
	all := make(map[string]*weight)
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != dir && strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		ext := filepath.Ext(name)
		if ext != ".go" && ext != ".md" {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		folder, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
		w := all[folder]
		if w == nil {
			w = new(weight)
			all[folder] = w
		}
		switch {
		case ext == ".md":
			w.pages++
			w.words += len(bytes.Fields(text))
		case strings.HasSuffix(name, "_test.go"):
			w.tests += codeLines(text)
		default:
			w.code += codeLines(text)
		}
		return nil
	})
	return all, err
}

// TestWeight prints the weight of each folder, and bounds that of the whole.
func TestWeight(t *testing.T) {
	folders, err := weigh(root)
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile("testdata/exported.txt")
	if err != nil {
		t.Fatal(err)
	}
	var sum weight
	for _, name := range slices.Sorted(maps.Keys(folders)) {
		w := folders[name]
		t.Logf("%-16s %6d lines of code, %6d of tests, %2d pages of %5d words", name, w.code, w.tests, w.pages, w.words)
		sum = weight{sum.code + w.code, sum.tests + w.tests, sum.pages + w.pages, sum.words + w.words}
	}
	for _, bound := range []struct {
		what      string
		got, most int
	}{
		{"lines of code", sum.code, mostCode},
		{"lines of tests", sum.tests, mostTests},
		{"exported names", bytes.Count(list, []byte("\n")), mostExported},
		{"pages", sum.pages, mostPages},
		{"words in pages", sum.words, mostWords},
	} {
		t.Logf("%6d %s, at most %d", bound.got, bound.what, bound.most)
		if bound.got > bound.most {
			t.Errorf("%d %s, more than %d", bound.got, bound.what, bound.most)
		}
	}
}

// mostFlags bounds the names of flags of all commands.
const mostFlags = 248 // the last is that of a step of a hint; 5 are those of trace --engine cdcl, check --draw and info --truth-table

// TestFlagNames prints in how many commands each flag is, by the help texts of all commands, and
// bounds the number of names.
func TestFlagNames(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "cmd", "*", "testdata", "help", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	own, err := filepath.Glob("testdata/help/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	flag := regexp.MustCompile(`(?m)^  (?:-\w, )?--([a-z][a-z0-9-]*)`)
	commands := map[string]int{}
	for _, name := range append(files, own...) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range flag.FindAllSubmatch(text, -1) {
			commands[string(m[1])]++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(commands)) {
		t.Logf("--%-22s %3d commands", name, commands[name])
	}
	if n := len(commands); n > mostFlags || n < mostFlags/2 {
		t.Errorf("%d names of flags, want at most %d, and not far less", n, mostFlags)
	}
}

// TestCodeLines checks what counts as a line of code.
func TestCodeLines(t *testing.T) {
	const text = "// Package p.\npackage p\n\n/* a\n\nb */\nvar x = 1 // one\n\t// indented\n/* c */\n"
	if got := codeLines([]byte(text)); got != 2 {
		t.Errorf("%d lines of code, want 2", got)
	}
}
