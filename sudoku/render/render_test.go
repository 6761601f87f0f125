package render

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sator/internal/sudokutest"
	"sator/sudoku"
)

func Example() {
	v := sudoku.Standard(4)
	v.Cages = []sudoku.Cage{{Sum: 5, Cells: []int{1, 2}}}
	puzzle := sudoku.NewGrid(sudoku.Must(v))
	puzzle.Cells[0], puzzle.Cells[5] = 1, 4
	p := &Picture{Puzzle: puzzle}
	p.Unicode(os.Stdout)
	p.Found = make([]int, 16)
	p.Found[6] = 2
	p.Text(os.Stdout)
	// Output:
	// ┏━━━┯5━━┳━━━┯━━━┓
	// ┃ 1 │ . ╏ . │ . ┃
	// ┠───┼───╂───┼───┨
	// ┃ . │ 4 ┃ . │ . ┃
	// ┣━━━┿━━━╋━━━┿━━━┫
	// ┃ . │ . ┃ . │ . ┃
	// ┠───┼───╂───┼───┨
	// ┃ . │ . ┃ . │ . ┃
	// ┗━━━┷━━━┻━━━┷━━━┛
	// +----5--+-------+
	// |[1]: . ! . : . |
	// |   ....|....   |
	// | .  [4]| 2   . |
	// +-------+-------+
	// | .   . | .   . |
	// | .   . | .   . |
	// +-------+-------+
}

// read returns a picture of a puzzle with digits up to 9 and of found digits.
func read(v sudoku.Variant, puzzle, solution string) *Picture {
	p := &Picture{Puzzle: sudoku.NewGrid(sudoku.Must(v))}
	for cell, c := range puzzle {
		p.Puzzle.Cells[cell] = max(0, int(c-'0'))
	}
	if solution != "" {
		p.Found = make([]int, len(solution))
		for cell, c := range solution {
			p.Found[cell] = max(0, int(c-'0'))
		}
	}
	return p
}

const (
	nine   = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
	solved = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
)

// pictures returns the pictures of the golden files.
func pictures() map[string]*Picture {
	killer := sudoku.Standard(6)
	killer.X = true
	killer.Cages = []sudoku.Cage{
		{Sum: 11, Cells: []int{1, 2, 3, 7}}, {Sum: 3, Cells: []int{0}}, {Sum: 15, Cells: []int{6, 12, 13, 18, 19}},
		{Sum: 18, Cells: []int{20, 26, 27, 28, 22}}, {Sum: 7, Cells: []int{34, 35}},
	}
	hyper := sudoku.Standard(9)
	hyper.Hyper, hyper.X = true, true
	large := sudoku.NewGrid(sudoku.Must(sudoku.Standard(12)))
	for cell := range large.Cells {
		if cell%5 == 0 {
			large.Cells[cell] = (cell%12+cell/12*3+cell/36)%12 + 1
		}
	}
	marked := read(sudoku.Standard(6), "1....23.................4.5.........", "......5.............................")
	marked.Marks = make([]bool, 216)
	for i := range marked.Marks {
		marked.Marks[i] = i%5 != 0
	}
	hinted := read(sudoku.Standard(6), "1....23.................4.5.........", "")
	hinted.Marks = slices.Repeat([]bool{true}, 216)
	hinted.Highlight = &Highlight{Cells: []int{1, 7, 13}, Candidates: []int{7, 8, 43}, Eliminated: []int{8, 9, 100}, Placed: []int{10}, Strong: [][2]int{{7, 43}, {8, 10}}, Weak: [][2]int{{43, 100}, {10, 7}}}
	hinted.Title = "R1C2<>3 & more"
	plain := read(hyper, nine, solved)
	plain.NoColor = true
	related, err := sudoku.ParseVariant("6 boxes 2x3 anti-king thermo R1C1+R1C2+R2C3 arrow R5C6+R4C6+R3C5 arrow 2:R6C1+R6C2+R5C1+R4C2+R3C2 between R6C4+R5C4+R4C3 " +
		"difference R1C4+R1C5,3:R2C4+R3C4 ratio R2C1+R3C1,3:R3C2+R3C3 sum 5:R3C6+R4C6,7:R2C5+R2C6,9:R1C6+R2C5+R3C4 contains 12:R4C4+R4C5+R5C4+R5C5 " +
		"skyscraper 3:R6C6+R5C6+R4C6 even R4C1 odd R4C2 minimum R6C3 maximum R1C3")
	if err != nil {
		panic(err)
	}
	several := sudoku.Standard(4)
	several.Grids = []sudoku.Place{{Row: 2, Col: 2}, {}, {Row: 2, Col: 6}}
	several.Cages = []sudoku.Cage{{Sum: 8, Cells: []int{10, 11, 20}}}
	return map[string]*Picture{
		"several":   read(several, "1"+strings.Repeat(".", 42)+"4", ".2"+strings.Repeat(".", 40)+"3."),
		"relations": read(related, ".....5..............................", ""),
		"puzzle":    read(sudoku.Standard(9), nine, ""),
		"solved":    read(sudoku.Standard(9), nine, solved),
		"jigsaw":    read(sudoku.Variant{Size: 4, Regions: []int{0, 0, 0, 1, 2, 0, 1, 1, 2, 2, 3, 1, 2, 3, 3, 3}}, "1..........2....", ""),
		"killer":    read(killer, "........5...........................", ""),
		"hyper":     read(hyper, nine, solved),
		"plain":     plain,
		"latin":     read(sudoku.Latin(5), "1...2..4.................", "...3....................."),
		"12":        {Puzzle: large},
		"marks":     marked,
		"one":       read(sudoku.Standard(1), ".", "1"),
		"hinted":    hinted,
	}
}

func TestGolden(t *testing.T) {
	for name, p := range pictures() {
		for _, style := range Styles {
			if style.Name == "png" || style.Name == "svg" && name != "killer" && name != "relations" && name != "marks" && name != "solved" && name != "hinted" && name != "several" {
				continue // other tests check images
			}
			var got bytes.Buffer
			if err := style.Draw(p, &got); err != nil {
				t.Fatal(err)
			}
			sudokutest.Golden(t, name+style.Extension, got.Bytes())
		}
	}
}

// TestHighlight checks the colors of a highlight in an image, and that a conclusion hides a part in
// the pattern.
func TestHighlight(t *testing.T) {
	p := pictures()["hinted"]
	img, err := p.Image()
	if err != nil {
		t.Fatal(err)
	}
	count := func(cell int, c color.RGBA) (n int) {
		b := p.CellBounds(cell)
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				if img.RGBAAt(x, y) == c {
					n++
				}
			}
		}
		return n
	}
	for cell := range 36 {
		shaded := count(cell, patternTint) > 0
		used, eliminated, placed := count(cell, roleTints[patternRole]), count(cell, roleTints[eliminatedRole]), count(cell, roleTints[placedRole])
		if shaded != (cell == 1 || cell == 7 || cell == 13) || used > 0 != (cell == 1 || cell == 7) || eliminated > 0 != (cell == 1 || cell == 16) || placed > 0 != (cell == 1) {
			t.Errorf("cell %d: shaded %v, %d pixels of the pattern, %d eliminated, %d placed", cell, shaded, used, eliminated, placed)
		}
		if struck := count(cell, penLook[strikePen].color) > 0; struck != (eliminated > 0) {
			t.Errorf("cell %d: struck %v", cell, struck)
		}
	}
	if one, two := count(7, roleTints[patternRole]), count(1, roleTints[eliminatedRole]); two < one {
		t.Errorf("two eliminated candidates have %d pixels, one of the pattern %d", two, one)
	}
}

// TestDigits checks that each drawing contains the digits in order and marks
// the givens.
func TestDigits(t *testing.T) {
	p := pictures()["solved"]
	for _, style := range Styles[:3] {
		var out bytes.Buffer
		if err := style.Draw(p, &out); err != nil {
			t.Fatal(err)
		}
		given, digits := 0, ""
		for _, m := range regexp.MustCompile(`(\[|\x1b\[0;1m )?([0-9])([\] ])`).FindAllStringSubmatch(out.String(), -1) {
			if cell := len(digits); m[1] != "" {
				given++
				if nine[cell:cell+1] != m[2] {
					t.Errorf("%s: cell %d: %s is no given", style.Name, cell, m[2])
				}
			}
			digits += m[2]
		}
		if digits != solved || given != p.Puzzle.Givens() {
			t.Errorf("%s: digits %s, of which %d given", style.Name, digits, given)
		}
	}
}

// TestCorners compares the table of corners with the lines that each character
// joins.
func TestCorners(t *testing.T) {
	if len(corners) != 81 {
		t.Fatalf("%d corners", len(corners))
	}
	for _, want := range []struct {
		arms [4]line
		char string
	}{
		{[4]line{plain, plain, plain, plain}, "┼"},
		{[4]line{border, borderInCage, border, border}, "╋"},
		{[4]line{inside, border, border, inside}, "┏"},
		{[4]line{cage, inside, border, cage}, "┧"},
		{[4]line{inside, plain, inside, border}, "╾"},
		{[4]line{}, " "},
	} {
		if got := boxCorner(want.arms); got != want.char {
			t.Errorf("%v: %s, want %s", want.arms, got, want.char)
		}
	}
	seen := map[rune]bool{}
	for _, c := range corners {
		if seen[c] {
			t.Errorf("%c is in the table twice", c)
		}
		seen[c] = true
	}
}

// TestSVG parses documents and counts their elements.
func TestSVG(t *testing.T) {
	for name, p := range pictures() {
		var out bytes.Buffer
		if err := p.SVG(&out); err != nil {
			t.Fatal(err)
		}
		texts, digits := 0, 0
		dec := xml.NewDecoder(&out)
		for {
			token, err := dec.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if start, is := token.(xml.StartElement); is && start.Name.Local == "text" {
				texts++
			}
		}
		n := p.Puzzle.Rules.Size()
		for cell := range p.Puzzle.Cells {
			if digit, _ := p.digit(cell); digit != 0 {
				digits++
				continue
			}
			for digit := 1; digit <= n; digit++ {
				if p.marked(cell, digit) {
					digits++
				}
			}
		}
		notes := map[string]int{"relations": 7}[name] // two dots, three sums, a quadruple and a skyscraper
		if want := digits + len(p.Puzzle.Rules.Cages()) + notes; texts != want {
			t.Errorf("%s: %d texts, want %d", name, texts, want)
		}
	}
}

// decoded returns the decoded PNG of a picture, and its scene.
func decoded(t *testing.T, p *Picture) (image.Image, *sceneBuilder) {
	t.Helper()
	var out bytes.Buffer
	if err := p.PNG(&out); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&out)
	if err != nil {
		t.Fatal(err)
	}
	s := &sceneBuilder{scene: *p.scene(), borders: newBorders(p.Puzzle.Rules), cell: p.Cell}
	s.margin = (s.width - p.Puzzle.Rules.Plan().Cols*p.Cell) / 2
	return img, s
}

// TestPNG checks that there is ink in the middle of each cell with a digit, and
// of no other cell.
func TestPNG(t *testing.T) {
	for name, p := range pictures() {
		p.Cell = 47
		img, s := decoded(t, p)
		if b := img.Bounds(); b.Dx() != s.width || b.Dy() != s.height {
			t.Errorf("%s: %v, want %d x %d", name, b, s.width, s.height)
		}
		for cell := range p.Puzzle.Cells {
			digit, given := p.digit(cell)
			if digit == 0 && p.Marks != nil {
				continue
			}
			x, y := s.corner(cell)
			dark, blue := ink(img, image.Rect(x+9, y+9, x+47-9, y+47-9))
			if p.Puzzle.Rules.CageOf(cell) >= 0 && digit == 0 {
				continue // the sum may extend to the middle
			}
			if (digit != 0) != (dark+blue > 20) || digit != 0 && given != (dark > blue) {
				t.Errorf("%s: cell %d with %d has %d dark and %d blue pixels", name, cell, digit, dark, blue)
			}
		}
	}
}

// ink counts the dark and blue pixels of a part of an image.
func ink(img image.Image, part image.Rectangle) (dark, blue int) {
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			switch r, g, b, _ := img.At(x, y).RGBA(); {
			case r > 0x8000 || g > 0x8000:
			case b > 0x9000:
				blue++
			default:
				dark++
			}
		}
	}
	return dark, blue
}

// TestLines compares the borders in an image with the borders of the regions.
func TestLines(t *testing.T) {
	p := pictures()["jigsaw"]
	p.Cell = 40
	img, s := decoded(t, p)
	regions := p.Puzzle.Rules.Variant().Regions
	for cell, region := range regions {
		x, y := s.corner(cell)
		if cell%4 > 0 {
			dark, _ := ink(img, image.Rect(x-2, y+20, x+3, y+21))
			if thick := dark > 1; thick != (regions[cell-1] != region) {
				t.Errorf("cell %d: %d dark pixels on the left", cell, dark)
			}
		}
		if cell >= 4 {
			dark, _ := ink(img, image.Rect(x+20, y-2, x+21, y+3))
			if thick := dark > 1; thick != (regions[cell-4] != region) {
				t.Errorf("cell %d: %d dark pixels above", cell, dark)
			}
		}
	}
}

// TestLarge draws a grid with numbers of three digits.
func TestLarge(t *testing.T) {
	g := sudoku.NewGrid(sudoku.Must(sudoku.Standard(100)))
	for cell := range g.Cells {
		g.Cells[cell] = (cell%100+cell/100*10+cell/1000)%100 + 1
	}
	p := &Picture{Puzzle: g, Cell: 12}
	for _, style := range Styles {
		var out bytes.Buffer
		if err := style.Draw(p, &out); err != nil {
			t.Fatal(err)
		}
		if style.Name == "text" {
			var numbers int
			for _, word := range strings.Fields(out.String()) {
				if _, err := strconv.Atoi(word); err == nil {
					numbers++
				}
			}
			if numbers != 10000 {
				t.Errorf("%d numbers in the text", numbers)
			}
		}
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestErrors(t *testing.T) {
	for _, style := range Styles {
		if err := style.Draw(pictures()["12"], failing{}); err == nil {
			t.Errorf("%s: no error", style.Name)
		}
	}
	large := pictures()["12"]
	large.Cell = 1000
	if err := large.PNG(io.Discard); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("an image of 12,000 x 12,000 pixels: %v", err)
	}
	defer func() {
		if p := recover(); !strings.HasPrefix(fmt.Sprint(p), "render: ") {
			t.Errorf("panic %v", p)
		}
	}()
	p := pictures()["12"]
	p.Found = make([]int, 9)
	p.Text(io.Discard)
}

// TestLabelsApart checks that sums of cages stand above the marks of their cells, and clues in a corner
// below them.
func TestLabelsApart(t *testing.T) {
	for _, size := range []int{4, 6, 9, 16} {
		v := sudoku.Standard(size)
		for row := range size {
			var cells []int
			for cell := row * size; cell < (row+1)*size; cell++ {
				v.Cages = append(v.Cages, sudoku.Cage{Sum: 1 + cell%size, Cells: []int{cell}})
				cells = append(cells, cell)
			}
			v.Relations = append(v.Relations, sudoku.Relation{Kind: "sandwich", Cells: cells, Value: 2})
		}
		g := sudoku.NewGrid(sudoku.Must(v))
		marks := make([]bool, size*size*size)
		for i := range marks {
			marks[i] = true
		}
		s := (&Picture{Puzzle: g, Marks: marks}).scene()
		clues, sums := s.labels[sumInk][:size], s.labels[sumInk][size:]
		of := func(cell int) []label { return s.labels[markInk][cell*size : (cell+1)*size] }
		for cell, sum := range sums {
			for _, mark := range of(cell) {
				if top := mark.y - 0.75*s.size[markInk]; top < sum.y {
					t.Fatalf("size %d: a mark from %.1f on, the sum ends at %.1f", size, top, sum.y)
				}
			}
		}
		for row, clue := range clues {
			for _, mark := range of(row * size) {
				if top := clue.y - 0.75*s.size[sumInk]; mark.y > top {
					t.Fatalf("size %d: a mark ends at %.1f, the clue begins at %.1f", size, mark.y, top)
				}
			}
		}
	}
}
