package service

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/classic"
	"sator/internal/sudokutest"
	"sator/sudoku"
	"sator/sudoku/text"
)

const (
	// easy is solved by singles.
	easy = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
	// escargot needs search.
	escargot = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
	// nearly lacks two digits.
	nearly = "1234 3412 2143 ..21"
)

// gridJSON returns the puzzle of a text as JSON.
func gridJSON(t *testing.T, s *Service, puzzle string) string {
	t.Helper()
	p := call[SudokuPuzzle](t, s, "sudoku.read", jsonOf(t, readSudokuRequest{Text: puzzle}))
	return jsonOf(t, p.SudokuGrid)
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// failing runs an operation that must fail and returns its error.
func failing(t *testing.T, s *Service, op, args string) *Error {
	t.Helper()
	reply := s.Call(t.Context(), op, []byte(args), nil, nil)
	if reply.Err == nil {
		t.Fatalf("%s %s: no error but %s", op, args, reply.Result)
	}
	return reply.Err
}

// TestSudokuRead writes puzzles with all kinds of rules in every format that has the rules, and
// reads them back.
func TestSudokuRead(t *testing.T) {
	s := New(nil)
	for _, search := range sudokutest.Searches() {
		want := describe(search.Grid)
		for _, format := range text.OutputFormatNames() {
			reply := s.Call(t.Context(), "sudoku.write", []byte(jsonOf(t, writeSudokuRequest{sudokuRequest{want.SudokuGrid}, format})), nil, nil)
			if reply.Err != nil && want.Rules != "9 boxes 3x3" {
				continue // the format cannot express the rules
			}
			var written textReply
			decode(t, "sudoku.write", reply, &written)
			got := call[SudokuPuzzle](t, s, "sudoku.read", jsonOf(t, readSudokuRequest{Text: written.Text}))
			if got.Rules != want.Rules || !slices.Equal(got.Cells, want.Cells) && got.Format != "marks" && search.Name != "wrong" && search.Name != "spent" && search.Name != "one" {
				t.Errorf("%s as %s: %q is read as %q %v", search.Name, format, written.Text, got.Rules, got.Cells)
			}
		}
	}
}

// TestSudokuTexts reads texts with several puzzles, labels, symbols and errors.
func TestSudokuTexts(t *testing.T) {
	s := New(nil)
	list := easy + " # first\n" + escargot + "\n"
	read := func(text string, number int) SudokuPuzzle {
		t.Helper()
		return call[SudokuPuzzle](t, s, "sudoku.read", jsonOf(t, readSudokuRequest{Text: text, Number: number}))
	}
	if p := read(list, 0); p.Puzzles != 2 || p.Number != 1 || p.Label != "first" || p.Cells[2] != 3 || p.Size != 9 || p.Areas[80] != 8 || len(p.Peers[0]) != 20 {
		t.Errorf("the first puzzle is %+v", p)
	}
	if p := read(list, 2); p.Number != 2 || p.Cells[0] != 1 || strings.Join(p.Symbols, "") != "123456789" {
		t.Errorf("the second puzzle is %+v", p)
	}
	if p := read(list+"12\nxyz\n", 1); p.Puzzles != 2 {
		t.Errorf("%d puzzles before an invalid one", p.Puzzles)
	}
	marks := read("1 24 3 24 34 2 1 34 2 3 4 1 4 1 2 3", 0)
	link := call[textReply](t, s, "sudoku.write", `{"grid":`+jsonOf(t, marks.SudokuGrid)+`}`).Text
	if again := read(link, 0); len(marks.Excluded) == 0 || !slices.Equal(again.Excluded, marks.Excluded) || !slices.Equal(again.Cells, marks.Cells) {
		t.Errorf("%+v is linked as %s and read as %+v", marks.SudokuGrid, link, again.SudokuGrid)
	}
	attached := s.Call(t.Context(), "sudoku.read", []byte("{}"), []byte(escargot), nil)
	if attached.Err != nil || !strings.Contains(string(attached.Result), `"cells":[1,0,0,0,0,7`) {
		t.Errorf("an attached file: %v, %s", attached.Err, attached.Result)
	}
	for _, c := range []struct {
		text         string
		number       int
		want         string
		line, column int
	}{
		{"", 0, "the text has no puzzle", 0, 0},
		{easy, 2, "the text has only one puzzle", 0, 0},
		{list, 3, "the text has only 2 puzzles", 0, 0},
		{"1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 9\n", 0, "9", 4, 7},
		{strings.Repeat(".,", 36*36-1) + ".", 0, "up to size 25", 0, 0},
	} {
		err := failing(t, s, "sudoku.read", jsonOf(t, readSudokuRequest{Text: c.text, Number: c.number}))
		if !strings.Contains(err.Message, c.want) || err.Line != c.line || err.Column != c.column {
			t.Errorf("%.40q, puzzle %d: %+v", c.text, c.number, err)
		}
	}
}

// TestSudokuRules makes empty grids and adds rules.
func TestSudokuRules(t *testing.T) {
	s := New(nil)
	for size := 1; size <= maxSudoku; size++ {
		p := call[SudokuPuzzle](t, s, "sudoku.blank", fmt.Sprintf(`{"size":%d}`, size))
		if p.Size != size || len(p.Cells) != size*size || len(p.Symbols) != size || len(p.Areas) != size*size {
			t.Fatalf("the blank grid of size %d is %+v", size, p)
		}
		if _, err := p.grid(); err != nil {
			t.Fatal(err)
		}
	}
	if p := call[SudokuPuzzle](t, s, "sudoku.blank", `{"size":7,"latin":true}`); p.Areas != nil || p.Rules != "7" {
		t.Errorf("a Latin square is %+v", p)
	}
	grid := gridJSON(t, s, easy)
	p := call[SudokuPuzzle](t, s, "sudoku.vary", `{"grid":`+grid+`,"words":["x","hyper","anti-knight"]}`)
	kinds := map[string]int{}
	for _, h := range p.Houses {
		kinds[h.Kind]++
	}
	if p.Rules != "9 boxes 3x3 x hyper anti-knight" || kinds["diagonal"] != 2 || kinds["window"] != 4 || p.Cells[2] != 3 {
		t.Errorf("the varied puzzle is %q with %v", p.Rules, kinds)
	}
	if p := call[SudokuPuzzle](t, s, "sudoku.vary", `{"grid":`+jsonOf(t, p.SudokuGrid)+`}`); p.Rules != "9 boxes 3x3" {
		t.Errorf("the rules stay: %q", p.Rules)
	}
	six := call[SudokuPuzzle](t, s, "sudoku.blank", `{"size":6}`)
	if err := failing(t, s, "sudoku.vary", `{"grid":`+jsonOf(t, six.SudokuGrid)+`,"words":["hyper"]}`); !strings.Contains(err.Message, "square") {
		t.Errorf("windows in boxes of 2x3: %v", err)
	}
	if err := failing(t, s, "sudoku.vary", `{"grid":`+grid+`,"words":["tower"]}`); !strings.Contains(err.Message, `unknown rule "tower"`) {
		t.Errorf("an unknown rule: %v", err)
	}
	related := call[SudokuPuzzle](t, s, "sudoku.vary", `{"grid":{"rules":"4 boxes 2x2 thermo R1C1+R1C2 sum 5:R2C1+R2C2","cells":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]},"words":["disjoint"]}`)
	if related.Rules != "4 boxes 2x2 disjoint thermo R1C1+R1C2 sum 5:R2C1+R2C2" || len(related.Notes) != 3 || !strings.Contains(related.Relations[0], "<polygon") || !strings.Contains(related.Relations[1], ">V</text>") || related.Clues {
		t.Errorf("relations: %+v", related)
	}
	if clued := call[SudokuPuzzle](t, s, "sudoku.vary", `{"grid":{"rules":"4 boxes 2x2 sandwich 3:R1C1+R1C2+R1C3+R1C4","cells":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]},"words":[]}`); !clued.Clues {
		t.Errorf("a sandwich: %+v", clued)
	}
	for args, want := range map[string]string{
		`{"grid":{"rules":"","cells":[]}}`:                        "no size",
		`{"grid":{"rules":"36","cells":[]}}`:                      "up to size 25",
		`{"grid":{"rules":"9 boxes 2x3","cells":[]}}`:             "invalid rules",
		`{"grid":{"rules":"1","cells":[1,1]}}`:                    "2 cells, want 1",
		`{"grid":{"rules":"1","cells":[2]}}`:                      "R1C1 has the digit 2",
		`{"grid":{"rules":"1","cells":[-1]}}`:                     "R1C1 has the digit -1",
		`{"grid":{"rules":"1","cells":[1],"excluded":[1]}}`:       "invalid candidate 1",
		`{"grid":{"rules":"1","cells":[1],"excluded":[-1]}}`:      "invalid candidate -1",
		`{"grid":{"rules":"1","cells":[1]},"eliminated":[0,0,7]}`: "unknown field",
	} {
		for _, op := range []string{"check", "marks", "unique", "path", "rate"} {
			if err := failing(t, s, "sudoku."+op, args); !strings.Contains(err.Message, want) {
				t.Errorf("%s %s: %v", op, args, err)
			}
		}
	}
}

func TestSudokuCheck(t *testing.T) {
	s := New(nil)
	check := func(puzzle string) SudokuCheck {
		t.Helper()
		return call[SudokuCheck](t, s, "sudoku.check", `{"grid":`+gridJSON(t, s, puzzle)+`}`)
	}
	if c := check("1234 3412 2143 4321"); !c.Full || c.Message != "" || len(c.Cells) != 0 {
		t.Errorf("a solution: %+v", c)
	}
	if c := check("11.. .... .... ...1"); c.Full || !strings.Contains(c.Message, "R1C1 and R1C2") || !slices.Equal(c.Cells, []int{0, 1}) {
		t.Errorf("a digit twice: %+v", c)
	}
	if c := check("# rules 4 boxes 2x2 cages 5:R1C1+R1C2\n12..\n....\n....\n....\n"); c.Message == "" || !slices.Equal(c.Cells, []int{0, 1}) {
		t.Errorf("a cage with a wrong sum: %+v", c)
	}
	marks := call[marksReply](t, s, "sudoku.marks", `{"grid":`+gridJSON(t, s, nearly)+`}`)
	if want := []int{12*4 + 3, 13*4 + 2}; !slices.Equal(marks.Candidates, want) {
		t.Errorf("the open candidates are %v, not %v", marks.Candidates, want)
	}
}

// TestSudokuAnswers compares solutions, their number and the proof of uniqueness with a search
// by hand.
func TestSudokuAnswers(t *testing.T) {
	s := New(nil)
	for _, c := range []struct {
		puzzle    string
		solutions int
	}{
		{easy, 1}, {escargot, 1}, {"11..............", 0}, {"1234 34.. .... ....", 4}, {"1............2..", -1},
		{"# rules 4 boxes 2x2 x\n1...\n....\n....\n....\n", -1},
	} {
		grid := gridJSON(t, s, c.puzzle)
		var in SudokuGrid
		if err := json.Unmarshal([]byte(grid), &in); err != nil {
			t.Fatal(err)
		}
		g, err := in.grid()
		if err != nil {
			t.Fatal(err)
		}
		want := c.solutions
		if g.Rules.Size() == 4 {
			want = byHand(g)
		}
		count := call[SudokuAnswer](t, s, "sudoku.count", `{"grid":`+grid+`,"limit":1000}`)
		if count.Count != want || !count.Complete {
			t.Errorf("%q: %d solutions counted, complete %v, want %d", c.puzzle, count.Count, count.Complete, want)
		}
		unique := call[SudokuAnswer](t, s, "sudoku.unique", `{"grid":`+grid+`}`)
		if verdict := []string{"none", "unique", "several"}[min(want, 2)]; unique.Verdict != verdict {
			t.Errorf("%q: %s, want %s", c.puzzle, unique.Verdict, verdict)
		}
		for _, solution := range unique.Solutions {
			if err := g.With(solution).Solves(g); err != nil {
				t.Errorf("%q: %v", c.puzzle, err)
			}
		}
		if unique.Verdict == "several" {
			a, b := unique.Solutions[0], unique.Solutions[1]
			for cell := range a {
				if (a[cell] != b[cell]) != slices.Contains(unique.Differ, cell) {
					t.Errorf("%q: cell %d is %d and %d, the differing cells are %v", c.puzzle, cell, a[cell], b[cell], unique.Differ)
				}
			}
		}
		for _, engine := range []string{"", "dpll", "cdcl", "infer"} {
			solved := call[SudokuAnswer](t, s, "sudoku.solve", `{"grid":`+grid+`,"engine":"`+engine+`"}`)
			if (solved.Count == 1) != (want > 0) {
				t.Errorf("%q, engine %s: %d solutions", c.puzzle, engine, solved.Count)
			}
			if solved.Count == 1 && g.With(solved.Solutions[0]).Solves(g) != nil {
				t.Errorf("%q, engine %s: wrong solution", c.puzzle, engine)
			}
		}
	}
	if a := call[SudokuAnswer](t, s, "sudoku.unique", `{"grid":`+gridJSON(t, s, "11..............")+`}`); !slices.Equal(a.Conflict, []int{0, 1}) || a.Message == "" {
		t.Errorf("contradictory givens: %+v", a)
	}
	if err := failing(t, s, "sudoku.count", `{"grid":`+gridJSON(t, s, easy)+`,"limit":0}`); !strings.Contains(err.Message, "limit 0") {
		t.Error(err)
	}
	if err := failing(t, s, "sudoku.solve", `{"grid":`+gridJSON(t, s, easy)+`,"engine":"x"}`); !strings.Contains(err.Message, `"x"`) {
		t.Error(err)
	}
}

// byHand counts the solutions of a grid by trying all digits, cell by cell.
func byHand(g *sudoku.Grid) int {
	g = g.Clone()
	g.Cells = slices.Clone(g.Cells)
	var count func(cell int) int
	count = func(cell int) int {
		if g.Conflict() != nil {
			return 0
		}
		for cell < len(g.Cells) && g.Cells[cell] != 0 {
			cell++
		}
		if cell == len(g.Cells) {
			return 1
		}
		n := 0
		for digit := 1; digit <= g.Rules.Size(); digit++ {
			g.Cells[cell] = digit
			n += count(cell + 1)
		}
		g.Cells[cell] = 0
		return n
	}
	return count(0)
}

// TestSudokuCountStopped stops the count of an empty grid after its first progress message.
func TestSudokuCountStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var messages []string
	s := New(nil)
	blank := call[SudokuPuzzle](t, s, "sudoku.blank", `{"size":9}`)
	reply := s.Call(ctx, "sudoku.count", []byte(`{"grid":`+jsonOf(t, blank.SudokuGrid)+`,"limit":10000000}`), nil, func(m []byte) {
		messages = append(messages, string(m))
		cancel()
	})
	var a SudokuAnswer
	if decode(t, "sudoku.count", reply, &a); a.Complete || a.Verdict != "several" || a.Count != 1000 || !slices.Equal(messages, []string{`{"count":1000}`}) {
		t.Errorf("the stopped count is %+v after %v", a, messages)
	}
}

// TestSudokuHints solves puzzles by hint after hint.
func TestSudokuHints(t *testing.T) {
	s := New(nil)
	made := call[SudokuPuzzle](t, s, "sudoku.generate", `{"rules":"4 boxes 2x2 x","seed":3}`)
	withX := call[textReply](t, s, "sudoku.write", `{"grid":`+jsonOf(t, made.SudokuGrid)+`,"format":"rows"}`).Text
	for _, puzzle := range []string{easy, "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......", withX} {
		var in hintSudokuRequest
		if err := json.Unmarshal([]byte(gridJSON(t, s, puzzle)), &in.Grid); err != nil {
			t.Fatal(err)
		}
		solution := call[SudokuAnswer](t, s, "sudoku.unique", `{"grid":`+jsonOf(t, in.Grid)+`}`).Solutions[0]
		in.Entries = slices.Clone(in.Grid.Cells)
		size := 4
		if len(in.Entries) == 81 {
			size = 9
		}
		hints := 0
		for slices.Contains(in.Entries, 0) {
			hint := call[SudokuHint](t, s, "sudoku.hint", jsonOf(t, in))
			if len(hint.Steps) == 0 {
				t.Fatalf("%q: no hint for %v", puzzle, in.Entries)
			}
			for i, step := range hint.Steps {
				if (step.Placed >= 0) != (i == len(hint.Steps)-1) || step.Text == "" || step.Conclusion == "" || step.Technique == "" {
					t.Fatalf("%q: step %+v", puzzle, step)
				}
				for _, candidate := range step.Eliminated {
					if solution[candidate/size] == candidate%size+1 {
						t.Fatalf("%q: %s eliminates a digit of the solution", puzzle, step.Conclusion)
					}
				}
				in.Eliminated = append(in.Eliminated, step.Eliminated...)
			}
			placed := hint.Steps[len(hint.Steps)-1].Placed
			if solution[placed/size] != placed%size+1 {
				t.Fatalf("%q: %s is not in the solution", puzzle, hint.Steps[len(hint.Steps)-1].Conclusion)
			}
			in.Entries[placed/size] = placed%size + 1
			if hints++; hints == 6 && size == 9 {
				break
			}
		}
		path := call[SudokuPath](t, s, "sudoku.path", `{"grid":`+jsonOf(t, in.Grid)+`}`)
		placed := 0
		for _, step := range path.Steps {
			if step.Placed >= 0 {
				placed++
			}
		}
		if want := len(in.Entries) - (len(solution) - count(in.Grid.Cells, 0)); placed != want {
			t.Errorf("%q: the path places %d digits, not %d", puzzle, placed, want)
		}
	}
}

func count(list []int, value int) (n int) {
	for _, v := range list {
		if v == value {
			n++
		}
	}
	return n
}

// TestSudokuWrongEntries asks for hints where no hint is possible.
func TestSudokuWrongEntries(t *testing.T) {
	s := New(nil)
	grid := gridJSON(t, s, easy)
	hint := call[SudokuHint](t, s, "sudoku.hint", `{"grid":`+grid+`,"entries":[4,5`+strings.Repeat(",0", 79)+`]}`)
	if !slices.Equal(hint.Wrong, []int{1}) || len(hint.Steps) != 0 { // the solution begins with 48
		t.Errorf("a wrong entry: %+v", hint)
	}
	for puzzle, want := range map[string]string{
		nearly: "", "1234 34.. .... ....": "more than one solution", "11..............": "no solution", "1234 3412 2143 .321": "",
	} {
		reply := s.Call(t.Context(), "sudoku.hint", []byte(`{"grid":`+gridJSON(t, s, puzzle)+`}`), nil, nil)
		switch {
		case want == "" && reply.Err != nil, want != "" && (reply.Err == nil || !strings.Contains(reply.Err.Message, want)):
			t.Errorf("%q: %v, want %q", puzzle, reply.Err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if reply := s.Call(ctx, "sudoku.hint", []byte(`{"grid":`+gridJSON(t, s, escargot)+`}`), nil, nil); reply.Err == nil {
		t.Errorf("a canceled hint: %s", reply.Result)
	}
}

func TestSudokuRating(t *testing.T) {
	s := New(nil)
	for _, c := range []struct {
		puzzle, class string
		solutions     int
		people        bool
	}{
		{easy, "up", 1, true}, {escargot, "search", 1, true}, {"11..............", "up", 0, false}, {"1234 34.. .... ....", "search", 2, false},
	} {
		if c.class == "search" && c.people && testing.Short() {
			continue
		}
		r := call[SudokuRating](t, s, "sudoku.rate", `{"grid":`+gridJSON(t, s, c.puzzle)+`}`)
		if r.Class != c.class || r.Solutions != c.solutions || (r.People != nil) != c.people || len(r.Runs) != 6 {
			t.Errorf("%q is rated %+v", c.puzzle, r)
		}
		if c.class == "up" && c.solutions == 1 && (r.Propagation != r.Cells || r.People.Technique == "" || r.People.Rating == "") {
			t.Errorf("%q is rated %+v", c.puzzle, r)
		}
	}
}

func TestSudokuGenerate(t *testing.T) {
	s := New(nil)
	for _, in := range []generateSudokuRequest{
		{Rules: "9 boxes 3x3", Class: "up", Symmetry: "rotate180", Seed: 5},
		{Rules: "9 boxes 3x3", MinRating: "2.0", MaxRating: "4.5", Seed: 6},
		{Rules: "6 boxes 2x3 x", Seed: 7},
		{Rules: "4", Jigsaw: true, Seed: 8},
		{Rules: "6 boxes 2x3", Killer: true, Seed: 9},
		{Rules: "9 boxes 3x3", MinGivens: pointer(30), MaxGivens: pointer(32), Seed: 10},
		{Rules: "16 boxes 4x4", Class: "up", Seed: 11},
	} {
		p := call[SudokuPuzzle](t, s, "sudoku.generate", jsonOf(t, in))
		unique := call[SudokuAnswer](t, s, "sudoku.unique", `{"grid":`+jsonOf(t, p.SudokuGrid)+`}`)
		if unique.Verdict != "unique" || !slices.Equal(unique.Solutions[0], p.Solution) {
			t.Errorf("%+v: the puzzle %v is %s", in, p.Cells, unique.Verdict)
		}
		givens := len(p.Cells) - count(p.Cells, 0)
		if in.MinGivens != nil && (givens < 30 || givens > 32) || in.Killer && (len(p.Cages) == 0 || givens > 0) || in.Jigsaw && p.BoxRows != 0 {
			t.Errorf("%+v: the puzzle has %d givens, %d cages", in, givens, len(p.Cages))
		}
		if in.Class != "" || in.MaxRating != "" {
			r := call[SudokuRating](t, s, "sudoku.rate", `{"grid":`+jsonOf(t, p.SudokuGrid)+`}`)
			if in.Class != "" && r.Class != in.Class || in.MaxRating != "" && (r.People.Rating < in.MinRating || r.People.Rating > in.MaxRating) {
				t.Errorf("%+v: the puzzle is rated %+v", in, r)
			}
		}
		if again := call[SudokuPuzzle](t, s, "sudoku.generate", jsonOf(t, in)); !slices.Equal(again.Cells, p.Cells) {
			t.Errorf("%+v: two puzzles for a seed", in)
		}
	}
	for _, c := range []struct{ in, want string }{
		{`{"rules":"x"}`, "invalid size"}, {`{"rules":"36"}`, "up to size 25"}, {`{"rules":"9","symmetry":"x"}`, "symmetry"},
		{`{"rules":"9","minRating":"x"}`, "rating"}, {`{"rules":"9","maxRating":"0"}`, "rating"}, {`{"rules":"9","class":"x"}`, `"x"`},
		{`{"rules":"9","minGivens":9,"maxGivens":8}`, "empty"}, {`{"rules":"9 boxes 3x3","minRating":"9.9","effort":50}`, "within an effort of 50"},
	} {
		if err := failing(t, s, "sudoku.generate", c.in); !strings.Contains(err.Message, c.want) {
			t.Errorf("%s: %v", c.in, err)
		}
	}
}

func pointer[T any](v T) *T { return &v }

// TestSudokuGenerateStopped stops the search for a puzzle that does not exist.
func TestSudokuGenerateStopped(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var last GenerateProgress
	reply := New(nil).Call(ctx, "sudoku.generate", []byte(`{"rules":"9 boxes 3x3","minGivens":16,"maxGivens":16,"effort":1000000000}`), nil, func(m []byte) {
		if err := json.Unmarshal(m, &last); err != nil {
			t.Error(err)
		}
		cancel()
	})
	if reply.Err == nil || last.Limit != 1000000000 || last.Effort <= 0 || ctx.Err() != context.Canceled {
		t.Errorf("%v after %+v", reply.Err, last)
	}
}

// TestSudokuAnimate applies the frames of films with every heuristic; the digits at the end must be a solution.
func TestSudokuAnimate(t *testing.T) {
	s := New(nil)
	puzzle := "1... .2.. ..3. ...."
	grid := gridJSON(t, s, puzzle)
	for _, h := range classic.Heuristics {
		for _, encoding := range []string{"extended", "reduced"} {
			f := call[SudokuFilm](t, s, "sudoku.animate", fmt.Sprintf(`{"grid":%s,"heuristic":%q,"encoding":%q,"pure":"off","frames":60}`, grid, h.Name, encoding))
			if f.Status != "SATISFIABLE" || len(f.Frames) > 60 || f.Truncated || len(f.Counters) != len(f.Frames[0].Counts) || !strings.Contains(f.Caption, h.Name) {
				t.Fatalf("%s: %+v", h.Name, f)
			}
			slots := make([]int, 16*6)
			for _, fr := range f.Frames {
				for i := 0; i < len(fr.Changes); i += 2 {
					slots[fr.Changes[i]] = fr.Changes[i+1]
				}
			}
			solution := sudokutest.Parse(sudoku.Must(sudoku.Standard(4)), strings.ReplaceAll(puzzle, " ", ""))
			given := solution.Clone()
			solution.Cells = slices.Clone(solution.Cells)
			for cell, digit := range solution.Cells {
				if value := slots[6*cell+4]; value != 0 {
					solution.Cells[cell] = (value-1)/f.Styles + 1
				} else if digit == 0 {
					solution.Cells[cell] = f.Found[cell]
				}
			}
			if err := solution.Solves(given); err != nil {
				t.Errorf("%s: %v", h.Name, err)
			}
		}
	}
	for args, want := range map[string]string{`"heuristic":"x"`: `"x"`, `"pure":"x"`: `"x"`, `"frames":3`: "3 frames", `"encoding":"x"`: `"x"`} {
		if err := failing(t, s, "sudoku.animate", `{"grid":`+grid+`,`+args+`}`); !strings.Contains(err.Message, want) {
			t.Errorf("%s: %v", args, err)
		}
	}
}

// TestSudokuFormula encodes puzzles in all ways, solves the attached text with an engine, and
// decodes the model with and without the formula.
func TestSudokuFormula(t *testing.T) {
	s := New(nil)
	menus := call[SudokuMenus](t, s, "sudoku.menus", "{}")
	made := call[SudokuPuzzle](t, s, "sudoku.generate", `{"rules":"4 boxes 2x2 x","seed":3}`)
	grid := jsonOf(t, made.SudokuGrid)
	for _, encoding := range menus.Encodings {
		for _, amo := range menus.AtMostOnes {
			for _, numbering := range menus.Numberings {
				coding := jsonOf(t, SudokuCoding{Encoding: encoding.Name, AtMostOne: amo.Name, Numbering: numbering.Name})
				reply := s.Call(t.Context(), "sudoku.encode", []byte(`{"grid":`+grid+`,"coding":`+coding+`,"text":true,"notes":true}`), nil, nil)
				var size SudokuFormula
				decode(t, "sudoku.encode", reply, &size)
				formula := string(slices.Concat(reply.Attachment...))
				f, err := dimacs.Read(strings.NewReader(formula))
				if err != nil || f.Vars() != size.Vars || f.Len() != size.Clauses || f.Size() != size.Literals {
					t.Fatalf("%s: %v; the formula differs from %+v", coding, err, size)
				}
				if strings.HasPrefix(encoding.Name, "2sat") {
					continue
				}
				model := modelOf(t, f)
				for _, in := range []string{`"grid":` + grid + `,"coding":` + coding, `"grid":{"rules":"1","cells":[0]},"formula":` + jsonOf(t, formula)} {
					got := call[DecodedSudoku](t, s, "sudoku.decode", `{`+in+`,"model":`+jsonOf(t, model)+`}`)
					if got.Puzzle.Rules != "4 boxes 2x2 x" || !slices.Equal(got.Solution, made.Solution) {
						t.Errorf("%s: decoded %+v", coding, got)
					}
				}
			}
		}
	}
}

// TestSudokuClauses lists the clauses about a cell: those of its digits and of its houses.
func TestSudokuClauses(t *testing.T) {
	s := New(nil)
	grid := `"grid":{"rules":"4 boxes 2x2","cells":[0,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}`
	kinds := call[[]CellClauses](t, s, "sudoku.clauses", `{`+grid+`,"coding":{"encoding":"extended"},"cell":5}`)
	total := 0
	for _, k := range kinds {
		total += k.Count
		if len(k.Clauses) != min(k.Count, maxCellClauses) {
			t.Errorf("%d of %d clauses: %s", len(k.Clauses), k.Count, k.Text)
		}
		for _, c := range k.Clauses {
			if !slices.Contains(c.Cells, 5) || !strings.Contains(c.Text, "R2C2 is ") {
				t.Errorf("%+v is not about R2C2", c)
			}
		}
	}
	// One digit of four, six pairs of digits, seven peers with four digits, three houses with four digits.
	if want := 1 + 6 + 7*4 + 3*4; total != want || kinds[0].Clauses[0].Text != "R2C2 is 1 or R2C2 is 2 or R2C2 is 3 or R2C2 is 4" {
		t.Errorf("%d clauses, want %d: %+v", total, want, kinds)
	}
	if reply := s.Call(t.Context(), "sudoku.clauses", []byte(`{`+grid+`,"cell":16}`), nil, nil); reply.Err == nil {
		t.Error("no error for a cell beyond the grid")
	}
}

// modelOf returns the answer of an engine as a solver prints it.
func modelOf(t *testing.T, f *dimacs.Formula) string {
	t.Helper()
	solver := cdcl.New(cdcl.Options{})
	solver.AddFormula(f)
	if status := solver.Solve(t.Context()); status != dimacs.Satisfiable {
		t.Fatal(status)
	}
	var b strings.Builder
	model := append(dimacs.Model{}, solver.Model()...) // not nil, even without variables
	if err := dimacs.WriteSolution(&b, dimacs.Satisfiable, model); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSudokuDecodeErrors decodes texts that are no solutions of the puzzle.
func TestSudokuDecodeErrors(t *testing.T) {
	s := New(nil)
	grid := gridJSON(t, s, "1234 3412 2143 432.")
	units := "v"
	for cell, digit := range []int{1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1} {
		units += fmt.Sprint(" ", 4*cell+digit)
	}
	if got := call[DecodedSudoku](t, s, "sudoku.decode", `{"grid":`+grid+`,"model":"s SATISFIABLE\n`+units+` 0\n"}`); got.Solution[15] != 1 {
		t.Errorf("decoded %v", got.Solution)
	}
	for model, want := range map[string]string{
		"":                                    "no model",
		"s UNSATISFIABLE\n":                   "there is no solution",
		"s SATISFIABLE\nv 1 x 0\n":            "the model: ",
		"s SATISFIABLE\nv 1 0\n":              "R1C2 has no digit",
		"s SATISFIABLE\nv 1 2 0\n":            "R1C1 has two digits",
		"s SATISFIABLE\n" + units + " 62 0\n": "R4C4 has two digits",
	} {
		err := failing(t, s, "sudoku.decode", `{"grid":`+grid+`,"model":`+jsonOf(t, model)+`}`)
		if !strings.Contains(err.Message, want) || strings.Contains(model, "x") != (err.Line == 2) {
			t.Errorf("%q: %+v, want %q", model, err, want)
		}
	}
	other := gridJSON(t, s, "2.3.............")
	if err := failing(t, s, "sudoku.decode", `{"grid":`+other+`,"model":"`+units+` 0\n"}`); !strings.Contains(err.Message, "R1C1") {
		t.Errorf("a model of another puzzle: %v", err)
	}
	if err := failing(t, s, "sudoku.decode", `{"grid":`+other+`,"formula":"p cnf 1 1\n1 0\n","model":"v 1 0"}`); !strings.Contains(err.Message, "the formula: ") {
		t.Errorf("a formula without a map: %v", err)
	}
	if err := failing(t, s, "sudoku.decode", `{"grid":`+other+`,"formula":"p cnf 1 1\n1 y 0\n","model":"v 1 0"}`); err.Line != 2 || !strings.Contains(err.Message, "the formula: ") {
		t.Errorf("an invalid formula: %+v", err)
	}
}
